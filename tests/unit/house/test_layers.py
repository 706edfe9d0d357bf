"""Who may use whom.  ``python tests/unit/house/test_layers.py`` prints it, and counts the arrows that run up.

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
    "base/cpu": ["base/status"],
    "base/bits": ["base/cpu"],
    "base/clock": [],
    "base/pieces": [],
    "base/iteration": [],
    "base/board": ["base/status", "base/bits"],
    "base/text": ["base/board"],
    "base/moves": ["base/board"],
    "base/pages": ["base/status"],
    "tables/space": ["base/board", "base/bits"],
    "tables/table": ["tables/space", "base/cpu"],
    "tables/block": ["tables/space", "base/cpu"],
    "tables/block_v4": ["tables/block"],
    "tables/build": ["tables/block_v4"],
    "optimal/automaton": ["base/board", "base/pieces"],
    "optimal/path": ["base/board"],
    "optimal/views": ["optimal/automaton", "optimal/path", "tables/table", "base/cpu"],
    "optimal/nodes": ["optimal/views"],
    "optimal/group": ["optimal/nodes"],
    "optimal/group_v4": ["optimal/group"],
    "optimal/steps": ["optimal/group_v4"],
    "optimal/fringe": ["optimal/steps", "base/iteration"],
    "optimal/worker": ["optimal/fringe", "base/clock"],
    "optimal/graph": ["optimal/fringe", "base/moves"],
    "optimal/solutions": ["optimal/graph"],
    "multitile/lines": ["base/board", "base/bits"],
    "multitile/table": ["multitile/lines"],
    "multitile/build": ["multitile/table", "base/cpu", "base/pieces"],
    "multitile/problem": ["multitile/table"],
    "multitile/search": ["multitile/problem", "base/clock", "base/cpu", "base/iteration"],
    "learning/network/network": ["base/board", "base/cpu"],
    "learning/network/kernels": ["learning/network/network", "base/bits"],
    "learning/network/sums": ["learning/network/kernels"],
    "learning/network/products": ["learning/network/kernels"],
    "learning/network/floats": ["learning/network/kernels"],
    "learning/network/dense": ["learning/network/sums", "learning/network/products", "learning/network/floats"],
    "learning/value_iteration/subproblem": ["base/board", "base/bits"],
    "learning/value_iteration/sweeps": ["learning/value_iteration/subproblem"],
    "learning/value_iteration/plan": ["learning/value_iteration/subproblem"],
    "learning/environment/random": ["base/cpu"],
    "learning/environment/rank": ["base/board"],
    "learning/environment/scramble": ["base/board", "learning/environment/random"],
    "learning/environment/episodes": ["learning/environment/scramble", "learning/environment/rank"],
    "search/heuristics/walking_distance": ["base/board"],
    "search/heuristics/walking_groups": ["search/heuristics/walking_distance"],
    "search/heuristics/distances": ["base/board"],
    "search/heuristics/patterns": ["tables/table"],
    "search/heuristics/evaluator": [
        "optimal/views",
        "search/heuristics/patterns",
        "search/heuristics/walking_groups",
        "search/heuristics/distances",
        "learning/network/dense",
    ],
    "search/trace": ["search/heuristics/evaluator"],
    "search/siblings": ["search/heuristics/evaluator", "base/moves"],
    "search/best_first/closed": ["base/moves", "base/pages", "base/pieces"],
    "search/deepening/progress": [],
    "search/deepening/walks": ["search/deepening/progress", "search/trace", "base/moves"],
    "search/deepening/bundles": ["search/deepening/progress", "search/heuristics/evaluator", "base/bits"],
    "search/deepening/tasks": ["search/deepening/walks", "search/deepening/bundles"],
    "search/deepening/transpositions": ["search/best_first/closed"],
    "search/deepening/remembering": [
        "search/deepening/walks",
        "search/deepening/transpositions",
        "search/siblings",
    ],
    "search/deepening/deepening": [
        "search/deepening/tasks",
        "search/deepening/remembering",
        "base/iteration",
    ],
    "search/best_first/report": [],
    "search/best_first/children": ["search/best_first/closed"],
    "search/best_first/open": ["base/board", "base/cpu", "base/pages"],
    "search/best_first/compilations": ["base/cpu"],
    "search/best_first/best_first": [
        "search/best_first/children",
        "search/best_first/compilations",
        "search/best_first/open",
        "search/trace",
        "search/best_first/report",
    ],
    "search/best_first/bidirectional": [
        "search/best_first/children",
        "search/best_first/open",
        "search/trace",
        "search/best_first/report",
    ],
    "search/best_first/local": [
        "search/best_first/children",
        "search/trace",
        "search/best_first/report",
    ],
    "search/meeting/meeting": [
        "search/best_first/children",
        "search/best_first/compilations",
        "search/best_first/open",
        "search/trace",
        "search/best_first/report",
    ],
    "search/best_first/anytime": [
        "search/best_first/children",
        "search/best_first/compilations",
        "search/best_first/open",
        "search/trace",
        "search/best_first/report",
    ],
    "search/layers/frontier": ["search/heuristics/evaluator", "base/pieces"],
    "search/layers/families": ["search/layers/frontier", "base/moves"],
    "search/layers/breadth_first": [
        "search/layers/families",
        "search/trace",
        "search/best_first/report",
        "base/iteration",
    ],
    "search/layers/beam_stack": ["search/layers/families", "search/trace", "search/best_first/report"],
    "search/memory_bounded/rbfs": ["search/siblings", "search/trace", "search/best_first/report"],
    "search/memory_bounded/sma": [
        "search/siblings",
        "search/trace",
        "search/best_first/report",
        "base/pages",
        "base/bits",
    ],
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
    "pictures": ["system"],
    "board": ["_core", "pictures"],
    "published": ["board"],
    "tables": ["board"],
    "solver": ["tables", "published"],
    "dataset": ["solver"],
    "environments": ["dataset"],
    "ann": ["dataset"],
    "heuristics": ["ann"],
    "checks": ["heuristics"],
    "searches": ["heuristics"],
    "local_vi": ["solver"],
    "papers": ["searches", "local_vi"],
    "play": ["solver"],
    "serve": ["searches"],
    "cli": ["papers", "play", "serve", "checks"],
    "__init__": ["searches", "local_vi", "environments"],
    "__main__": ["cli"],
}

#: Rooms whose modules are used one by one.
SHELVES = {"errors", "system", "_core"}

#: puzzle15/<room>/<module> -> the modules beside it that it may use. Its door may use them all.
MODULES = {
    "system": {
        "version": [],
        "names": [],
        "interruption": [],
        "import_guard": [],
        "later": [],
        "machine": [],
        "quantities": ["later"],
        "files": [],
        "arrays": [],
        "streams": [],
        "doors": [],
        "figures": [],
        "unsendable": [],
    },
    "parallel": {
        "threads": [],
        "locking": ["threads"],
        "parcels": ["locking"],
        "workers": ["threads", "parcels"],
        "cluster": [],
    },
    "_core": {
        "c": [],
        "base/board": ["c"],
        "tables/tables": ["c"],
        "optimal/idastar": ["tables/tables"],
        "optimal/graph": ["optimal/idastar"],
        "multitile/tables": ["c"],
        "multitile/search": ["multitile/tables"],
        "learning/network": ["c"],
        "learning/value_iteration": ["c"],
        "learning/environment": ["c"],
        "search/evaluator": ["optimal/idastar", "learning/network"],
        "search/trace": ["search/evaluator"],
        "search/running": ["search/trace"],
        "search/deepening": ["search/running"],
        "search/best_first": ["search/running"],
        "search/meeting": ["search/running"],
        "search/memory_bounded": ["search/running"],
        "search/anytime": ["search/running"],
        "search/layers": ["search/running"],
    },
    "pictures": {
        "palette": [],
        "svg": ["palette"],
        "speed": [],
        "loop": ["svg", "speed"],
        "player": ["svg", "speed"],
        "table": ["palette"],
        "page": ["palette"],
        "png": ["svg"],
        "pixels": ["svg"],
        "boxes": ["palette"],
        "tree_layout": [],
        "tree": ["svg", "tree_layout"],
        "stepping": ["tree", "page"],
    },
    "board": {
        "notation": [],
        "symmetry": ["notation"],
        "moves": ["notation"],
        "shuffling": ["notation"],
        "board": ["moves", "shuffling"],
        "words": ["board"],
        "texts": ["words"],
        "goals": ["board"],
        "packing": ["texts"],
        "orientation": ["packing", "symmetry"],
        "slides": ["notation"],
        "sampling": ["board", "slides"],
        "solvability": ["packing"],
        "following": ["packing"],
        "mending": ["packing"],
    },
    "published": {"korf": [], "distances": []},
    "tables": {
        "partitions": [],
        "file": [],
        "stamps": ["file"],
        "construction": ["file"],
        "folder": ["stamps"],
        "building": ["partitions", "construction", "folder"],
        "verifying": ["folder", "construction"],
        "numbering": [],
        "pattern_table": ["partitions", "numbering"],
    },
    "solver": {
        "columns": [],
        "solution": ["columns"],
        "choice": [],
        "travel": [],
        "finding": ["choice", "travel"],
        "views": ["choice"],
        "hints": ["solution", "views"],
        "analysis": ["hints"],
        "spreading": [],
        "solver": ["finding", "analysis", "spreading"],
        "labelling": ["solver"],
        "scrambling": ["solver"],
    },
    "dataset": {
        "files": [],
        "manifest": [],
        "levels": [],
        "distances": ["levels"],
        "distributions": ["distances"],
        "chunks": ["distributions"],
        "parquet": [],
        "training": [],
        "reading": ["manifest", "parquet"],
        "resuming": ["distributions", "manifest"],
        "writing": ["chunks", "files", "reading", "resuming"],
        "checking": ["chunks", "files", "reading"],
        "export": ["reading"],
        "rows": [],
        "published": ["rows"],
        "batches": ["reading", "training"],
        "torch": ["batches"],
    },
    "environments": {
        "gym": [],
        "options": [],
        "scrambles": [],
        "oracle": [],
        "simulation": ["options", "scrambles", "oracle"],
        "frames": ["gym", "options"],
        "single": ["simulation", "frames"],
        "vector": ["simulation", "frames"],
    },
    "ann": {
        "network_file": [],
        "distance": ["network_file"],
        "gather": ["distance"],
        "train/design": [],
        "train/rows": ["network_file"],
        "train/networks": ["train/design", "train/rows"],
        "train/training": ["train/networks"],
        "train/command": ["train/training"],
        "train": ["train/command"],
        "train/__main__": ["train"],
    },
    "heuristics": {"names": [], "functions": [], "sums": ["names"], "evaluation": ["functions", "sums"]},
    "checks": {"report": [], "samples": [], "claims": ["report", "samples"], "arrays": []},
    "searches": {
        "algorithms": [],
        "options": ["algorithms"],
        "kernels": ["algorithms"],
        "proof": ["algorithms"],
        "expansions": [],
        "recording": ["kernels", "expansions"],
        "improving": ["proof"],
        "drawing": ["expansions"],
        "search_tree": ["drawing"],
        "run": ["options", "kernels", "improving", "recording"],
        "many": ["run"],
        "comparison": ["many"],
        "comparison_table": ["comparison"],
    },
    "local_vi": {
        "name": [],
        "functions": [],
        "solutions": ["name"],
        "chain": ["functions"],
        "storage": ["chain"],
        "analysis": ["chain"],
        "learner": ["solutions", "storage", "analysis"],
    },
    "papers": {
        "rows": [],
        "kunkle2001": ["rows"],
        "kantz2005": ["rows"],
        "bischoff2013": ["rows"],
        "cahlik2019": ["rows"],
        "spagnoletto": ["rows"],
        "reproduction": ["rows"],
    },
    "play": {
        "game": [],
        "replay": [],
        "thinking": [],
        "curve": [],
        "spans": [],
        "keys": [],
        "terminal": [],
        "knowledge": ["game", "thinking"],
        "session": ["knowledge", "replay"],
        "texts": ["thinking"],
        "tiles": ["spans"],
        "review": ["session", "curve", "spans", "texts"],
        "screen": ["review", "tiles"],
        "lines": ["review"],
        "loop": ["screen", "keys", "terminal"],
    },
    "serve": {
        "limits": [],
        "http/messages": ["limits"],
        "http/places": ["http/messages"],
        "http/connection": ["http/places"],
        "http": ["http/connection"],
        "interface/fields": ["http/messages"],
        "interface/endpoints": ["interface/fields"],
        "interface/bodies": ["http/messages"],
        "interface/api": ["interface/endpoints", "interface/bodies"],
        "interface/description": ["interface/api"],
        "interface": ["interface/description"],
        "files": ["http/messages"],
        "server": ["http/connection", "interface/description", "files"],
    },
    "cli": {
        "console": [],
        "sources": ["console"],
        "terminal": [],
        "parser": ["console", "terminal"],
        "plots": ["terminal"],
        "records": ["console"],
        "options": ["records"],
        "files": ["console"],
        "referred": ["console"],
        "references": ["referred"],
        "answers": ["console"],
        "lines": ["options"],
        "notation": ["sources", "parser", "lines"],
        "convert": ["sources", "parser", "lines"],
        "scramble": ["parser", "options"],
        "draw": ["parser", "solvers", "sources", "files"],
        "show": ["parser", "options", "sources"],
        "solvers": ["options"],
        "session": ["options", "answers", "references", "sources", "terminal"],
        "solve": ["parser", "session", "sources"],
        "hint": ["parser", "solvers", "sources"],
        "analyse": ["parser", "solvers", "sources"],
        "play": ["parser", "solvers", "sources"],
        "compare": ["parser", "options", "answers", "references", "terminal", "plots"],
        "check_heuristic": ["parser", "options", "references", "terminal"],
        "tree": ["parser", "options", "references", "terminal", "files"],
        "label": ["parser", "options", "terminal"],
        "reproduce": ["parser", "options", "terminal"],
        "tables": ["parser", "options", "terminal"],
        "serve": ["parser", "options"],
    },
}

#: What users' processes must not pay for at import; optional extras.
LAZY = {"matplotlib", "torch", "pyarrow", "distributed", "gymnasium", "hypothesis", "pytest"}


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


def c_arrows_up(path):
    """The headers that a C file includes although it may not."""
    name = c_name(path)
    used = set(re.findall(r'#include "([\w/]+)\.h"', path.read_text(encoding="utf-8")))
    return used - closure(C_LAYERS, name) - ({name} if path.suffix == ".c" else set())


@pytest.mark.parametrize("path", c_files(), ids=lambda path: str(path.relative_to(CSRC)))
def test_c_includes(path):
    text = path.read_text(encoding="utf-8")
    assert not c_arrows_up(path)
    assert not re.search(r'#include [<"](Python|pthread|threads|unistd)', text)
    assert c_name(path) in SYSTEM or not re.search(r'#include [<"](windows|sys)', text)


@pytest.mark.parametrize("path", c_files(), ids=lambda path: str(path.relative_to(CSRC)))
def test_c_neither_prints_nor_exits(path):
    code = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    found = re.findall(r"\b(?:f?printf|puts|putchar|exit|abort|getenv)\s*\(", code)
    assert found == (["getenv("] if path.name == "cpu.c" else [])


@pytest.mark.parametrize("path", python_files(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_python_imports(path):
    assert list(arrows_up(path)) == []


def test_every_module_has_its_row():
    there = {module_of(path) for path in python_files()}
    listed = {(room, module) for room, modules in MODULES.items() for module in modules}
    assert {entry for entry in there if entry[1]} - listed == {
        ("_core", folder) for folder in ("base", "tables", "optimal", "multitile", "search", "learning")
    }
    assert listed <= there
    assert {room for room, _ in there} == set(ROOMS)


@pytest.mark.parametrize("path", python_files(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_optional_packages_are_imported_where_they_are_used(path):
    text = path.read_text(encoding="utf-8")
    assert not LAZY & set(re.findall(r"^(?:import|from)\s+(\w+)", text, flags=re.MULTILINE))
    assert "cimport numpy" not in text


def test_the_c_files_are_each_in_the_readme():
    readme = (CSRC / "README.md").read_text(encoding="utf-8")
    missing = set(map(c_name, c_files())) - set(re.findall(r"`([\w/]+)`", readme))
    assert not missing


def main():
    """Print the layers, from the lowest up, and every arrow that runs up."""
    up = [(path, used) for path in python_files() for used in arrows_up(path)]
    up += [(path, used) for path in c_files() for used in sorted(c_arrows_up(path))]
    for title, layers in (("csrc", C_LAYERS), ("puzzle15", ROOMS)):
        print(f"{title}, from the lowest layer up:")
        for name, used in layers.items():
            print(f"  {name:36} uses {', '.join(used) or 'nothing'}")
            for module, beside in MODULES.get(name, {}).items() if layers is ROOMS else []:
                print(f"      {module:32} {', '.join(beside)}".rstrip())
    for path, used in up:
        print(f"{path.relative_to(ROOT)} uses {used}, which stands above it")
    print(f"arrows that run up: {len(up)}")


if __name__ == "__main__":
    main()
