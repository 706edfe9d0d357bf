"""How the package is built, and what is said about installing it."""

import re
import sys
import types
from importlib.metadata import distribution
from pathlib import Path

import pytest
import setuptools
from readmes import ROOT, text_of

from puzzle15._system.version import __version__


def test_nobody_is_sent_to_the_package_of_somebody_else():
    """On package indexes, ``puzzle15`` is another project."""
    kinds = ("*.py", "*.pyx", "*.md", "*.toml", "*.ipynb", "*.html", "*.cff")
    folders = [ROOT / name for name in ("puzzle15", "tests", "bench")]
    files = [path for kind in kinds for folder in folders for path in (*folder.rglob(kind), *ROOT.glob(kind))]
    asking = re.compile(r"puzzle15\[[a-z]|pip install ['\"]?puzzle15\b")
    assert len(files) > 300
    assert [path for path in files if path.name != "test_packaging.py" and asking.search(text_of(path))] == []


def test_the_name_on_package_indexes():
    found = distribution("puzzle15-optimal")
    assert [script.value for script in found.entry_points if script.name == "puzzle15"] == ["puzzle15._cli:run"]
    assert found.metadata["License-Expression"] == "MIT" and "License" not in found.metadata


def test_the_version_is_one_everywhere():
    assert distribution("puzzle15-optimal").version == __version__
    assert f"\nversion: {__version__}\n" in text_of(ROOT / "CITATION.cff")
    assert re.search(r"^## (\S+?),? ", text_of(ROOT / "CHANGELOG.md"), flags=re.MULTILINE)[1] == __version__


@pytest.fixture
def commands(monkeypatch):
    """The commands of setup.py, without running Cython."""
    given = {}
    cython = types.ModuleType("Cython.Build")
    cython.cythonize = lambda extensions, **_: extensions
    monkeypatch.setitem(sys.modules, "Cython", types.ModuleType("Cython"))
    monkeypatch.setitem(sys.modules, "Cython.Build", cython)
    monkeypatch.setattr(setuptools, "setup", lambda **options: given.update(options))
    monkeypatch.chdir(ROOT)
    exec(compile((ROOT / "setup.py").read_text(), "setup.py", "exec"), {"__name__": "setup"})
    return given["cmdclass"]


def test_modules_that_were_deleted_are_not_installed(commands, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    extension = setuptools.Extension("puzzle15.core", sources=["core.c"])
    project = {"name": "project", "packages": ["puzzle15"], "ext_modules": [extension], "cmdclass": commands}
    project["script_name"] = "setup.py"
    sources = setuptools.Distribution(project)
    sources.get_command_obj("build").build_lib = "built"
    (compiled,) = sources.get_command_obj("build").get_finalized_command("build_ext").get_outputs()
    for name in ("puzzle15/__init__.py", "puzzle15/a.py", "built/puzzle15/a.py", "built/puzzle15/gone.py", compiled):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).touch()
    Path("built/puzzle15/gone.cpython-39-x86_64-linux-gnu.so").touch()
    sources.run_command("build_py")
    assert {path.name for path in Path("built/puzzle15").iterdir()} == {"__init__.py", "a.py", Path(compiled).name}


@pytest.mark.parametrize(
    "kind, command, expected",
    [
        ("msvc", None, "error: the compiler is Microsoft's; .* install MinGW-w64, run"),
        ("unix", "gcc", "error: there is no C compiler gcc; install gcc .*, clang .* MinGW-w64"),
        ("unix", "/opt/clang", "error: there is no C compiler /opt/clang; install gcc .*, clang .* MinGW-w64"),
    ],
)
def test_a_missing_compiler_is_one_sentence(commands, kind, command, expected, monkeypatch):
    build = commands["build_ext"](setuptools.Distribution())
    build.compiler = types.SimpleNamespace(compiler_type=kind, compiler_so=[command, "-O2"])
    monkeypatch.setenv("PATH", "")
    with pytest.raises(SystemExit, match=expected) as end:
        build.build_extensions()
    assert "\n" not in end.value.code


def test_free_threaded_python_is_refused_in_one_sentence(commands, monkeypatch):
    monkeypatch.setattr("sysconfig.get_config_var", lambda name: int(name == "Py_GIL_DISABLED"))
    with pytest.raises(
        SystemExit, match="error: this Python is free-threaded, .* was never tested with; use one with a global lock"
    ):
        commands["build_ext"](setuptools.Distribution()).build_extensions()


def test_the_limited_api_is_used_where_a_wheel_asks_for_it(commands):
    extensions = [setuptools.Extension("puzzle15.core", sources=["core.c"])]
    project = setuptools.Distribution({"name": "project", "ext_modules": extensions, "cmdclass": commands})
    project.get_command_obj("bdist_wheel").py_limited_api = "cp311"
    build = project.get_command_obj("build_ext")
    build.ensure_finalized()
    (module,) = build.extensions
    assert module.py_limited_api and ("Py_LIMITED_API", "0x030b0000") in module.define_macros
    assert build.get_ext_filename("puzzle15.core").endswith(("core.abi3.so", "core.pyd"))
