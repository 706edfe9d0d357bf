"""Python started in the source folder, where it finds a package without its C modules."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import puzzle15

SOURCES = Path(__file__).parent.parent.parent.parent / "puzzle15"


@pytest.fixture(scope="module")
def source_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("source")
    shutil.copytree(SOURCES, folder / "puzzle15", ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__"))
    return folder


def python(*words, cwd, **options):
    return subprocess.run([sys.executable, *words], cwd=cwd, capture_output=True, text=True, timeout=60, **options)


@pytest.mark.parametrize("statement", ["import puzzle15", "from puzzle15 import solve", "import puzzle15.cli"])
def test_the_source_folder_says_what_it_is(statement, source_folder):
    run = python("-c", statement, cwd=source_folder)
    assert run.returncode == 1 and run.stdout == ""
    last = run.stderr.splitlines()[-1]
    assert last.startswith(f"ImportError: puzzle15 is imported from its source folder, {source_folder / 'puzzle15'}")
    assert "start Python in another folder, where it finds the installed package; or compile" in last
    assert "pip install -e ." in last


def test_without_an_installed_package(source_folder):
    """-S: Python without the folder of installed packages."""
    last = python("-S", "-c", "import puzzle15", cwd=source_folder).stderr.splitlines()[-1]
    assert "install the package (pip install .)" in last and "pip install -e ." in last
    last = python("-S", "-m", "puzzle15", cwd=source_folder).stderr.splitlines()[-1]
    assert "is imported from its source folder" in last


def test_modules_that_are_run_are_those_installed(source_folder):
    run = python("-m", "puzzle15", "--version", cwd=source_folder)
    assert (run.returncode, run.stdout) == (0, f"puzzle15 {puzzle15.__version__}\n"), run.stderr
    run = python("-m", "puzzle15.papers.kunkle2001", cwd=source_folder, input="134 8b5 726\n123 8b4 765\n")
    assert run.returncode == 0 and run.stdout and run.stderr == ""
    for module in ("puzzle15.ann.train", "puzzle15.ann.gather"):
        run = python("-m", module, "--help", cwd=source_folder)
        assert (run.returncode, run.stderr) == (0, "") and f"python -m {module}" in run.stdout


def test_modules_of_others_find_what_is_installed(source_folder):
    """``python -m doctest README.md`` works where the README lies."""
    (source_folder / "examples.txt").write_text(
        ">>> import puzzle15\n>>> puzzle15.Board.goal((2, 2))\nBoard('1 2/3 0')\n"
    )
    run = python("-m", "doctest", "examples.txt", cwd=source_folder)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
