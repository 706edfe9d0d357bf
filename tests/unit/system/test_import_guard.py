"""Imports in the source folder, whose package has no C modules."""

import shutil
from pathlib import Path

import pytest

import puzzle15

SOURCES = Path(__file__).parent.parent.parent.parent / "puzzle15"


@pytest.fixture(scope="module")
def source_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("source")
    shutil.copytree(SOURCES, folder / "puzzle15", ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__"))
    return folder


@pytest.mark.parametrize("words", [["-c", "import puzzle15._cli"], ["-m", "puzzle15"]])
def test_without_an_installed_package(words, python, source_folder):
    """-E and -S: Python without what is installed and without what PYTHONPATH names."""
    run = python("-E", "-S", *words, cwd=source_folder)
    assert run.returncode == 1 and run.stdout == ""
    expected = f"ImportError: {source_folder / 'puzzle15'}: the C modules of puzzle15 are not compiled"
    assert run.stderr.splitlines()[-1].startswith(expected) and "pip install ." in run.stderr


def test_the_source_folder_gives_way_to_the_installed_package(python, source_folder):
    """With a warning in one line: what is edited there has no effect."""
    source, installed = source_folder / "puzzle15", Path(puzzle15.__file__).parent
    warning = (
        f"RuntimeWarning: {source}: its C modules are not compiled, so {installed} is used, and edits have no effect"
    )
    run = python("-m", "puzzle15", "--version", cwd=source_folder)
    assert (run.returncode, run.stdout) == (0, f"puzzle15 {puzzle15.__version__}\n"), run.stderr
    for module in ("puzzle15.learning.train", "puzzle15.learning.gather"):
        run = python("-m", module, "--help", cwd=source_folder)
        assert run.returncode == 0 and f"python -m {module}" in run.stdout
    code = "import puzzle15; print(puzzle15.solve('1 2/0 3').moves)"
    run = python("-c", code, cwd=source_folder)
    said = [line for line in run.stderr.splitlines() if line.strip() != code]  # Python 3.13 shows the code, too
    assert (run.returncode, run.stdout, len(said)) == (0, "L\n", 1) and warning in said[0]
    code = "import warnings; warnings.simplefilter('ignore'); import puzzle15.solver"
    assert python("-c", code, cwd=source_folder).stderr == ""


def test_modules_of_others_find_what_is_installed(python, source_folder):
    """``python -m doctest README.md`` works where the README lies."""
    (source_folder / "examples.txt").write_text(
        ">>> import puzzle15\n>>> puzzle15.Board.goal((2, 2))\nBoard('1 2/3 0')\n"
    )
    run = python("-m", "doctest", "examples.txt", cwd=source_folder)
    assert (run.returncode, run.stdout) == (0, "")


WITHOUT_STUBS = """
import importlib, sys
import puzzle15
assert puzzle15.__file__.startswith(sys.argv[1])
for line in sys.stdin:
    package, name, module = line.split()
    found = getattr(importlib.import_module(package), name)
    assert found is getattr(importlib.import_module(module, package), name), line
assert not hasattr(puzzle15, "nonsense") and not hasattr(puzzle15, "__wrapped__")
print(puzzle15.solve("1 2/0 3").moves, puzzle15.__version__)
"""


def test_names_are_found_without_stubs(python, tmp_path):
    """As in a frozen program that has the modules alone: every name is that of the stub."""
    installed = Path(puzzle15.__file__).parent
    shutil.copytree(installed, tmp_path / "puzzle15", ignore=shutil.ignore_patterns("*.pyi", "__pycache__"))
    lines = []
    for stub in installed.rglob("__init__.pyi"):
        package = ".".join(stub.relative_to(installed.parent).parts[:-1])
        for words in map(str.split, stub.read_text().splitlines()):
            if words[:1] == ["from"]:
                lines.append(f"{package} {words[-1]} {package if words[1] == '.' else words[1]}")
    run = python("-c", WITHOUT_STUBS, tmp_path, input="\n".join(lines))
    assert (run.returncode, run.stdout) == (0, f"L {puzzle15.__version__}\n"), run.stderr


INSPECT_FAILS = """
import importlib, sys
for module in sys.argv[1:]:
    sys.modules["inspect"] = None
    try:
        importlib.import_module(module)
    except ImportError as error:
        assert "inspect" in str(error), error
    del sys.modules["inspect"]
    importlib.import_module(module)
print(len(sys.argv))
"""


def test_an_import_that_fails_within_a_module_can_be_tried_again(python):
    """As after Ctrl-C: what Cython wrote for several versions of Python crashed there."""
    core = Path(puzzle15.__file__).parent / "_core"
    paths = [path.relative_to(core) for suffix in ("so", "pyd") for path in core.rglob(f"*.{suffix}")]
    modules = [".".join(("puzzle15._core", *path.parts[:-1], path.name.partition(".")[0])) for path in paths]
    assert "puzzle15._core.base.board" in modules
    run = python("-c", INSPECT_FAILS, *modules)
    assert (run.returncode, run.stdout) == (0, f"{1 + len(modules)}\n"), run.stderr
