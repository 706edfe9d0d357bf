"""Who may use whom.

Two tables, each in the order of the layers; a file may use what stands before
it in its row, and what those may use.  A new file gets a row here: without
one, its test fails.
"""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
CSRC = ROOT / "csrc"
PACKAGE = ROOT / "puzzle15"

#: csrc/<name>.h and .c -> what they may include.
C_LAYERS = {
    "base/status": [],
    "base/cpu": [],
    "base/clock": [],
    "base/pages": ["base/status"],
    "base/board": ["base/status"],
    "base/moves": ["base/board", "base/cpu"],
    "tables/space": ["base/board"],
    "tables/table": ["tables/space", "base/cpu"],
    "tables/build": ["tables/space", "base/cpu"],
    "optimal/automaton": ["base/board"],
    "optimal/path": ["base/board"],
    "optimal/idastar": ["optimal/automaton", "optimal/path", "tables/table", "base/cpu", "base/clock"],
    "search/heuristics/walking_distance": ["base/board"],
    "learning/network": ["base/board", "base/cpu"],
    "learning/kernels": ["learning/network"],
    "learning/sums": ["learning/kernels"],
    "learning/products": ["learning/kernels"],
    "learning/floats": ["learning/kernels"],
    "learning/dense": ["learning/sums", "learning/products", "learning/floats"],
    "search/heuristics/evaluator": ["optimal/idastar", "search/heuristics/walking_distance", "learning/dense"],
    "search/deepening/progress": [],
    "search/deepening/walks": ["search/deepening/progress", "search/heuristics/evaluator", "base/moves"],
    "search/deepening/bundles": ["search/deepening/progress", "search/heuristics/evaluator"],
    "search/deepening/tasks": ["search/deepening/walks", "search/deepening/bundles"],
    "search/deepening/deepening": ["search/deepening/tasks"],
    "search/best_first/report": [],
    "search/best_first/closed": ["base/moves", "base/pages"],
    "search/best_first/children": ["search/best_first/closed"],
    "search/best_first/open": ["base/board", "base/cpu", "base/pages"],
    "search/best_first/best_first": ["search/best_first/children", "search/best_first/open", "search/heuristics/evaluator", "search/best_first/report"],
    "search/best_first/bidirectional": ["search/best_first/children", "search/best_first/open", "search/best_first/report"],
    "search/best_first/local": ["search/best_first/children", "search/heuristics/evaluator", "search/best_first/report"],
    "learning/value_iteration": ["base/moves"],
}

#: What may ask the system, where C itself has nothing.
SYSTEM = {"base/clock", "base/pages"}

#: puzzle15/<name> -> what of puzzle15 it may import at all, inside functions too.
PYTHON_LAYERS = {
    "errors": [],
    "interpreter": [],
    "memory": [],
    "threads": ["errors", "quantities"],
    "locking": ["threads"],
    "files": [],
    "arrays": [],
    "quantities": [],
    "_c": ["errors", "threads"],
    "_board": ["_c"],
    "_tables": ["_c"],
    "_search": ["_tables"],
    "_ann": ["_c"],
    "_evaluator": ["_search", "_ann"],
    "_deepening": ["_evaluator"],
    "_bestfirst": ["_evaluator"],
    "notation": ["errors"],
    "board": ["_board", "notation", "quantities"],
    "partitions": ["_board", "notation"],
    "tablefile": ["_tables", "memory", "threads"],
    "construction": ["tablefile", "files"],
    "tables": ["construction", "locking", "partitions", "quantities", "stamps"],
    "stamps": ["tablefile", "files"],
    "choice": ["partitions", "tablefile"],
    "farthest": ["errors"],
    "parallel": ["tables"],
    "solution": ["board"],
    "orientation": ["board", "partitions"],
    "solver": ["_search", "choice", "farthest", "parallel", "solution", "orientation"],
    "data": ["board"],
    "labels": ["solver"],
    "ann": ["_evaluator", "arrays", "board"],
    "heuristics": ["ann", "solver"],
    "_value_iteration": ["_c"],
    "local_vi": ["_value_iteration", "arrays", "files", "solver"],
    "searches": ["heuristics", "_bestfirst", "_deepening", "farthest"],
    "dataset": ["labels", "parallel", "data", "arrays", "files"],
    "dataset/slides": ["_board"],
    "dataset/files": ["errors", "files", "locking"],
    "dataset/distributions": ["labels", "data"],
    "dataset/manifest": ["board", "arrays"],
    "dataset/reading": ["board", "arrays"],
    "dataset/writing": ["labels", "parallel", "arrays", "files", "__init__"],
    "dataset/checking": ["labels"],
    "comparison": ["searches"],
    "plots": ["searches"],
    "papers": ["plots"],
    "papers/kunkle2001": ["board", "papers", "streams"],
    "papers/kantz2005": ["papers"],
    "papers/bischoff2013": ["local_vi", "dataset", "papers"],
    "papers/cahlik2019": ["ann", "searches", "papers"],
    "papers/spagnoletto": ["heuristics", "searches", "papers"],
    "__init__": ["searches", "local_vi", "interpreter", "_source"],
    "ann/train": ["ann", "dataset", "files", "streams"],
    "_source": [],
    "ann/gather": ["ann", "dataset", "streams"],
    "terminal": ["streams"],
    "cli/console": ["errors", "streams"],
    "streams": ["notation"],
    "cli/options": ["cli/console", "local_vi", "searches", "terminal"],
    "cli/tables": ["cli/options", "__init__"],
    "cli/solve": ["cli/options", "data"],
    "cli/compare": ["cli/solve", "comparison", "plots"],
    "cli/reproduce": ["cli/options", "papers"],
    "cli/label": ["cli/solve", "dataset"],
    "cli": ["cli/label", "cli/compare", "cli/reproduce", "cli/tables"],
    "__main__": ["cli"],
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


def module_name(path):
    """`board` for puzzle15/board.py, `data` for puzzle15/data/__init__.py."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return parts[0] if len(parts) == 1 or parts[-1] == "__init__" else "/".join(parts)


def imports(path):
    """The modules of puzzle15 that a Python or Cython file imports, by name."""
    text = path.read_text(encoding="utf-8")
    text = re.sub(r'""".*?"""', "", text, flags=re.DOTALL)  # examples in docstrings
    depth = len(path.relative_to(PACKAGE).parts)
    names = set()
    statement = r"^\s*from\s+(\.+|puzzle15\.?)([\w.]*)\s+c?import\s+(\([^)]*\)|[^\n]*)"
    for prefix, module, what in re.findall(statement, text, flags=re.MULTILINE):
        if prefix.startswith(".") and len(prefix) != depth:
            continue  # from a sibling within a subpackage
        if module:
            names.add(module.split(".")[0])
        else:
            names.update(re.findall(r"(\w+)(?:\s+as\s+\w+)?\s*(?:,|\)|$)", what))
    for module in re.findall(r"^\s*c?import\s+puzzle15\b\.?(\w*)", text, flags=re.MULTILINE):
        names.add(module or "__init__")
    public = {module_name(path) for path in python_files()}
    return {name if name in public else "__init__" for name in names}


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
    name = module_name(path)
    # A .pxd declares for, and is part of, the module of its name.
    assert imports(path) - {name} <= closure(PYTHON_LAYERS, name)


@pytest.mark.parametrize("path", python_files(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_optional_packages_are_imported_where_they_are_used(path):
    text = path.read_text(encoding="utf-8")
    assert not LAZY & set(re.findall(r"^(?:import|from)\s+(\w+)", text, flags=re.MULTILINE))
    assert "cimport numpy" not in text


def test_the_c_files_are_each_in_the_readme():
    readme = (CSRC / "README.md").read_text(encoding="utf-8")
    missing = set(map(c_name, c_files())) - set(re.findall(r"`([\w/]+)`", readme))
    assert not missing
