"""Who may use whom.  ``python tests/unit/project/test_layers.py`` counts the arrows that run up.

Folders of C and packages of Python stand in layers: each may use those of lower layers only.  Inside a
folder or a package, files must not use each other in a circle.
"""

import re
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent.parent
CSRC = ROOT / "csrc"
PACKAGE = ROOT / "puzzle15"

#: Folders of csrc/, from the lowest layer up.
C_LAYERS = ["base", "nodes tables", "optimal", "multitile learning", "search", "browser"]

#: Modules and packages of puzzle15/, from the lowest layer up.
LAYERS = [
    "errors",
    "_system",
    "_core",
    "_pictures",
    "board",
    "nodes",
    "tables",
    "solver",
    "dataset",
    "environments",
    "learning",
    "heuristics",
    "searches",
    "papers page",
    "__init__",
    "_cli",
    "__main__",
]

#: C files that may ask the system, where C itself has nothing.
SYSTEM = {"base/clock", "base/pages"}

#: Imported inside functions only: optional packages, and those that tests alone need.
LAZY = {"matplotlib", "torch", "pyarrow", "distributed", "gymnasium", "hypothesis", "pytest"}


def c_files():
    return sorted(path for pattern in ("*.c", "*.h") for path in CSRC.rglob(pattern))


def c_name(path):
    """`base/board` for csrc/base/board.h."""
    return path.relative_to(CSRC).with_suffix("").as_posix()


def python_files():
    return sorted(path for suffix in ("py", "pyx", "pxd") for path in PACKAGE.rglob(f"*.{suffix}"))


def python_name(path):
    """`board/notation` for board/notation.py, `board` for board/__init__.py."""
    return "/".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix("/__init__")


def python_imports(path):
    """The names, as above, of all of puzzle15 that a file imports, inside functions too."""
    text = path.read_text(encoding="utf-8")
    found = re.findall(r"^\s*from\s+([\w.]+)\s+c?import\s+(\([^)]*\)|[^\n]*)", text, flags=re.M)
    found += [(module, "") for module in re.findall(r"^\s*c?import\s+(puzzle15[\w.]*)", text, flags=re.M)]
    for module, names in found:
        level = len(module) - len(module.lstrip("."))
        folder = ("puzzle15", *path.relative_to(PACKAGE).parent.parts)
        parts = [*folder[: len(folder) + 1 - level if level else 0], *filter(None, module.split("."))]
        if parts[0] == "puzzle15":
            names = re.findall(r"\w+", re.sub(r"\bas \w+|#.*", "", names))
            yield from (resolved(parts[1:], name) for name in names or [""])


def resolved(parts, name):
    """What ``from parts import name`` takes its name from."""
    stub = PACKAGE.joinpath(*parts, "__init__.pyi")
    is_offered = len(parts) == 1 and stub.exists() and f" as {name}\n" in stub.read_text(encoding="utf-8")
    for end in [parts] if is_offered or not name else [[*parts, name], parts]:
        path = PACKAGE.joinpath(*end)
        if end and (path.is_dir() or any(path.with_suffix(suffix).exists() for suffix in (".py", ".pyx", ".pxd"))):
            return "/".join(end)
    return "__init__"


def above(layers, file, used):
    """Whether a file or a package stands in a layer that `file` may not use."""
    floor = {name: number for number, names in enumerate(layers) for name in names.split()}
    own, other = file.partition("/")[0], used.partition("/")[0]
    return own != other and floor[other] >= floor[own]


def circles(uses):
    """Circles of files, by what each uses."""
    uses = dict(uses)
    while True:
        try:
            return [*TopologicalSorter(uses).static_order()][:0]
        except CycleError as error:
            yield " -> ".join(error.args[1])
            uses.pop(error.args[1][0])


def c_arrows():
    """(file, header) of all that C files include."""
    for path in c_files():
        for header in re.findall(r'#include "([\w/]+)\.h"', path.read_text(encoding="utf-8")):
            if (header, path.suffix) != (c_name(path), ".c"):
                yield c_name(path), header


def python_arrows():
    """(module, module) of all that modules import, without the imports of a package from its own modules."""
    for path in python_files():
        name = python_name(path)
        for used in python_imports(path):
            is_own = used == name or path.name == "__init__.py" and used.startswith(f"{name}/")
            if not is_own:
                yield name, used


def arrows_up():
    """What is imported or included although it may not be, as texts."""
    for layers, arrows in ((C_LAYERS, set(c_arrows())), (LAYERS, set(python_arrows()))):
        uses = {}
        for file, used in sorted(arrows):
            uses.setdefault(file, set()).add(used)
            if above(layers, file, used):
                yield f"{file} uses {used}, which stands above"
        yield from circles(uses)


def test_no_arrow_runs_up():
    assert [*arrows_up()] == []


def test_arrows_are_seen():
    assert above(LAYERS, "board/moves", "solver") and above(LAYERS, "board/_moves", "heuristics")
    assert not above(LAYERS, "solver/hints", "board") and not above(LAYERS, "board/moves", "board/notation")
    assert len([*circles({"a": {"b"}, "b": {"c"}, "c": {"a", "b"}, "d": {"a"}})]) == 2
    assert {("board/_board", "_pictures"), ("_core/search/searches", "_core/c")} <= set(python_arrows())
    assert ("tables/space", "base/board") in set(c_arrows())


def test_every_package_has_its_layer():
    assert sorted(" ".join(LAYERS).split()) == sorted({python_name(path).partition("/")[0] for path in python_files()})
    assert sorted(" ".join(C_LAYERS).split()) == sorted(path.name for path in CSRC.iterdir() if path.is_dir())


def test_c_asks_nothing_of_the_system():
    for path in c_files():
        code = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        headers = "Python|pthread|threads|unistd" + ("" if c_name(path) in SYSTEM else "|windows|sys")
        assert not re.search(rf'#include [<"]({headers})', code), path
        calls = re.findall(r"\b(?:f?printf|puts|putchar|exit|abort|getenv)\s*\(", code)
        assert calls == (["getenv("] if path.name == "cpu.c" else []), path


def test_optional_packages_are_imported_where_they_are_used():
    for path in python_files():
        text = path.read_text(encoding="utf-8")
        if path.name in ("networks.py", "training.py") and path.parent.name == "train":  # of PyTorch alone
            continue
        assert not LAZY & set(re.findall(r"^(?:import|from)\s+(\w+)", text, flags=re.MULTILINE)), path
        assert "cimport numpy" not in text, path


def test_the_map_of_the_c_core_has_each_folder():
    """And the first line of each header says what it holds."""
    table = re.findall(r"^\| .*`.*$", (CSRC / "README.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    named = set(re.findall(r"`(?:\w+/)?(\w+)`", "\n".join(table)))
    headers = list(CSRC.rglob("*.h"))
    assert {path.parent.name for path in headers} <= named and len(headers) > 50
    assert [path for path in headers if not re.match(r"/\* \w.{20}", path.read_text(encoding="utf-8"))] == []


if __name__ == "__main__":
    found = [*arrows_up()]
    print(*found, f"arrows that run up: {len(found)}", sep="\n")
