"""Who may use whom.

Two tables, each in the order of the layers; a file may use what stands before
it in its row, and what those may use.  A new file gets a row here: without
one, its test fails.
"""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent.parent
CSRC = ROOT / "csrc"
PACKAGE = ROOT / "puzzle15"

#: csrc/<name>.h and .c -> what they may include.
C_LAYERS = {
    "base/status": [],
    "base/cpu": [],
    "base/clock": [],
    "base/board": ["base/status"],
    "tables/space": ["base/board"],
    "tables/table": ["tables/space", "base/cpu"],
    "tables/build": ["tables/space", "base/cpu"],
    "optimal/automaton": ["base/board"],
    "optimal/path": ["base/board"],
    "optimal/idastar": ["optimal/automaton", "optimal/path", "tables/table", "base/cpu", "base/clock"],
    "search/heuristics/walking_distance": ["base/board"],
    "learning/dense": ["base/board", "base/cpu"],
    "search/heuristics/evaluator": ["optimal/idastar", "search/heuristics/walking_distance", "learning/dense"],
    "search/deepening/deepening": ["search/heuristics/evaluator"],
    "base/moves": ["base/board", "base/cpu"],
    "base/pages": ["base/status"],
    "search/best_first/report": [],
    "search/best_first/closed": ["base/moves", "base/pages"],
    "search/best_first/open": ["base/board", "base/cpu", "base/pages"],
    "search/best_first/best_first": [
        "search/best_first/closed",
        "search/best_first/open",
        "search/heuristics/evaluator",
        "search/best_first/report",
    ],
    "search/best_first/bidirectional": [
        "search/best_first/closed",
        "search/best_first/open",
        "search/best_first/report",
    ],
    "search/best_first/local": ["search/best_first/closed", "search/heuristics/evaluator", "search/best_first/report"],
    "learning/value_iteration": ["base/moves"],
}

#: What may ask the system, where C itself has nothing.
SYSTEM = {"base/clock", "base/pages"}

#: puzzle15/<room> -> the rooms that it may use. A room is entered by its door, which is its __init__.py; those of
#: `SHELVES` have none.
ROOMS = {
    "errors": [],
    "system": ["errors"],
    "parallel": ["system"],
    "_core": ["parallel"],
    "board": ["_core"],
    "published": ["board"],
    "tables": ["board"],
    "solver": ["tables", "published"],
    "dataset": ["solver"],
    "ann": ["dataset"],
    "heuristics": ["ann"],
    "searches": ["heuristics"],
    "local_vi": ["solver"],
    "papers": ["searches", "local_vi"],
    "cli": ["papers"],
    "__init__": ["searches", "local_vi"],
    "__main__": ["cli"],
}

#: Rooms whose modules are used one by one.
SHELVES = {"errors", "system", "_core"}

#: puzzle15/<room>/<module> -> the modules beside it that it may use. Its door may use them all.
MODULES = {
    "system": {
        "version": [],
        "import_guard": [],
        "machine": [],
        "quantities": [],
        "files": [],
        "arrays": [],
        "streams": [],
        "figures": [],
    },
    "parallel": {
        "threads": [],
        "locking": ["threads"],
        "workers": ["threads"],
    },
    "_core": {
        "c": [],
        "base/board": ["c"],
        "tables/tables": ["c"],
        "optimal/idastar": ["tables/tables"],
        "learning/network": ["c"],
        "learning/value_iteration": ["c"],
        "search/evaluator": ["optimal/idastar", "learning/network"],
        "search/deepening": ["search/evaluator"],
        "search/best_first": ["search/evaluator"],
    },
    "board": {
        "notation": [],
        "symmetry": ["notation"],
        "board": ["notation"],
        "orientation": ["board", "symmetry"],
        "slides": ["notation"],
    },
    "published": {"korf": [], "distances": []},
    "tables": {
        "partitions": [],
        "file": [],
        "stamps": ["file"],
        "construction": ["file"],
        "folder": ["partitions", "stamps", "construction"],
    },
    "solver": {
        "solution": [],
        "choice": [],
        "solver": ["solution", "choice"],
        "labels": ["solver"],
    },
    "dataset": {
        "files": [],
        "manifest": [],
        "distributions": [],
        "reading": ["manifest"],
        "writing": ["distributions", "files", "reading"],
        "checking": ["writing"],
    },
    "ann": {"distance": [], "gather": ["distance"], "train": ["distance"]},
    "heuristics": {"evaluation": []},
    "searches": {"run": [], "comparison": ["run"]},
    "local_vi": {"learner": []},
    "papers": {
        "rows": [],
        "kunkle2001": ["rows"],
        "kantz2005": ["rows"],
        "bischoff2013": ["rows"],
        "cahlik2019": ["rows"],
        "spagnoletto": ["rows"],
        "reproduction": ["rows"],
    },
    "cli": {
        "console": [],
        "terminal": [],
        "plots": [],
        "options": ["console", "terminal"],
        "tables": ["options"],
        "solve": ["options"],
        "compare": ["solve", "plots"],
        "reproduce": ["options"],
        "label": ["solve"],
    },
}

#: What users' processes must not pay for at import; optional extras.
LAZY = {"matplotlib", "torch", "distributed", "hypothesis", "pytest"}


def closure(layers, name):
    """Everything that `name` may use, directly or not."""
    allowed = set()
    for used in layers[name]:
        allowed |= {used} | closure(layers, used)
    return allowed


def c_files():
    return sorted(path for pattern in ("*.c", "*.h") for path in CSRC.rglob(pattern))


def c_name(path):
    """`base/board` for csrc/base/board.h."""
    return path.relative_to(CSRC).with_suffix("").as_posix()


def python_files():
    return sorted(path for suffix in ("py", "pyx", "pxd") for path in PACKAGE.rglob(f"*.{suffix}"))


def module_of(path):
    """("board", "notation") for board/notation.py, ("board", "") for the door, ("errors", "") for errors.py."""
    room, *rest = path.relative_to(PACKAGE).with_suffix("").parts
    return room, "/".join(part for part in rest if part != "__init__")


def imports(path):
    """(room, module) of all of puzzle15 that a file imports, inside functions too; ("__init__", "") is the root."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        nodes = list(ast.walk(ast.parse(text)))
        found = [
            (node.level, node.module or "", [name.name for name in node.names])
            for node in nodes
            if isinstance(node, ast.ImportFrom)
        ]
        found += [(0, name.name, []) for node in nodes if isinstance(node, ast.Import) for name in node.names]
    else:
        statement = r"^\s*from\s+([\w.]+)\s+c?import\s+([^\n]*)"
        found = [(0, module, re.findall(r"\w+", names)) for module, names in re.findall(statement, text, flags=re.M)]
        found += [(0, module, []) for module in re.findall(r"^\s*c?import\s+(puzzle15[\w.]*)", text, flags=re.M)]
    for level, module, names in found:
        parts = module.split(".") if module else []
        if level:
            folder = path.relative_to(PACKAGE).parent.parts
            parts = [*folder[: len(folder) - level + 1], *parts]
        elif parts[0] == "puzzle15":
            parts = parts[1:]
        else:
            continue
        for name in names or [""]:
            yield resolved(parts, name)


def resolved(parts, name):
    """What ``from parts import name`` takes its name from."""
    for end in ([*parts, name], parts):
        if end and end[-1]:
            base = PACKAGE.joinpath(*end)
            door = base.parent / "__init__.py"
            if (
                len(end) > len(parts)
                and door.exists()
                and base.parent.parent == PACKAGE
                and f'"{name}"' in door.read_text(encoding="utf-8")
            ):
                continue  # the door offers what has the name of a module
            if base.is_dir() or any(base.with_suffix(suffix).exists() for suffix in (".py", ".pyx", ".pxd")):
                return end[0], "/".join(end[1:])
    return "__init__", ""


def arrows_up(path):
    """What a file imports although it may not: arrows that run up, or past a door."""
    room, module = module_of(path)
    siblings = MODULES.get(room, {})
    for used_room, used in imports(path):
        if used_room == room:
            allowed = module == "" or used == module or used in closure(siblings, module)
        else:
            allowed = used_room in closure(ROOMS, room) and (used == "" or used_room in SHELVES)
        if not allowed:
            yield "/".join(filter(None, (used_room, used)))


@pytest.mark.parametrize("path", c_files(), ids=lambda path: str(path.relative_to(CSRC)))
def test_c_includes(path):
    name = c_name(path)
    text = path.read_text(encoding="utf-8")
    used = set(re.findall(r'#include "([\w/]+)\.h"', text))
    allowed = closure(C_LAYERS, name) | ({name} if path.suffix == ".c" else set())
    assert used <= allowed
    assert not re.search(r'#include [<"](Python|pthread|threads|unistd)', text)
    assert name in SYSTEM or not re.search(r'#include [<"](windows|sys)', text)


@pytest.mark.parametrize("path", c_files(), ids=lambda path: str(path.relative_to(CSRC)))
def test_c_neither_prints_nor_exits(path):
    code = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert not re.findall(r"\b(?:f?printf|puts|putchar|exit|abort|getenv)\s*\(", code)


@pytest.mark.parametrize("path", python_files(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_python_imports(path):
    assert list(arrows_up(path)) == []


def test_every_module_has_its_row():
    there = {module_of(path) for path in python_files()}
    listed = {(room, module) for room, modules in MODULES.items() for module in modules}
    assert {entry for entry in there if entry[1] and not entry[1].startswith("__")} - listed == {
        ("_core", folder) for folder in ("base", "tables", "optimal", "search", "learning")
    }
    assert {room for room, _ in there} == set(ROOMS)
    assert all(
        (PACKAGE / room / f"{module}.{suffix}").exists()
        for room, module in listed
        for suffix in ["pyx" if room == "_core" and module != "c" else "pxd" if room == "_core" else "py"]
    )


@pytest.mark.parametrize("path", python_files(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_optional_packages_are_imported_where_they_are_used(path):
    text = path.read_text(encoding="utf-8")
    assert not LAZY & set(re.findall(r"^(?:import|from)\s+(\w+)", text, flags=re.MULTILINE))
    assert "cimport numpy" not in text


def test_the_c_files_are_each_in_the_readme():
    readme = (CSRC / "README.md").read_text(encoding="utf-8")
    missing = set(map(c_name, c_files())) - set(re.findall(r"`([\w/]+)`", readme))
    assert not missing
