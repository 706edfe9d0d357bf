"""What is imported when: doors import a name when it is asked for, and a command imports only what it needs."""

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import puzzle15

PACKAGE = Path(__file__).parent.parent.parent.parent / "puzzle15"
DOORS = [door for door in sorted(PACKAGE.rglob("__init__.py")) if "on_demand(" in door.read_text(encoding="utf-8")]

EASY = "1 2 3/4 5 6/7 0 8"


def name_of(door):
    """``puzzle15.tables`` for puzzle15/tables/__init__.py."""
    return ".".join(door.parent.relative_to(PACKAGE.parent).parts)


def told_to_checkers(tree):
    """(module, name) of all that a door imports under ``TYPE_CHECKING``."""
    (branch,) = (node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
    return [(node.module, alias.name) for node in branch.body for alias in node.names]


def told_to_python(tree):
    """(module, name) of all that a door gives to `on_demand`."""
    (call,) = (
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "on_demand"
    )
    return [(keyword.arg, name) for keyword in call.keywords for name in ast.literal_eval(keyword.value).split()]


@pytest.mark.parametrize("door", DOORS, ids=name_of)
def test_a_door_tells_checkers_and_python_the_same(door):
    tree = ast.parse(door.read_text(encoding="utf-8"))
    told = told_to_python(tree)
    assert told == told_to_checkers(tree)
    offered = importlib.import_module(name_of(door)).__all__
    assert sorted({name for _, name in told} | {"__version__"} & set(offered)) == sorted(offered)


@pytest.mark.parametrize("door", DOORS, ids=name_of)
def test_what_a_door_offers_is_there(door):
    room = importlib.import_module(name_of(door))
    for module, name in told_to_python(ast.parse(door.read_text(encoding="utf-8"))):
        assert getattr(room, name) is getattr(importlib.import_module(f"{room.__name__}.{module}"), name)
    assert set(room.__all__) <= set(dir(room))
    with pytest.raises(AttributeError, match=f"module '{room.__name__}' has no attribute 'nonsense'"):
        room.nonsense  # noqa: B018 - asking is the test


def python(code, *words, **options):
    """What a new process prints."""
    ended = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, **options)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def test_names_and_rooms_are_there_after_one_import(tmp_path):
    rooms = ["ann", "board", "dataset", "heuristics", "local_vi", "papers", "parallel", "searches", "solver", "tables"]
    for room in rooms:
        assert python(f"import puzzle15; print(puzzle15.{room}.__name__)", cwd=tmp_path) == f"puzzle15.{room}\n"
    assert python("from puzzle15 import *; print(Board, solve, __version__)", cwd=tmp_path).startswith("<class")
    names = python("import puzzle15; print(*dir(puzzle15))", cwd=tmp_path).split()
    assert {*puzzle15.__all__, *rooms} <= set(names)
    assert "Solver" in python("import puzzle15; help(puzzle15)", cwd=tmp_path)


LOADED = """
import sys
from puzzle15.cli import main
print("\\n", main(sys.argv[1:]), *sorted(sys.modules))
"""


def loaded(*words, cwd, **options):
    """(exit code of a command, the modules that it imports beside those of any process)"""
    before = set(python("import sys; print(*sys.modules)", cwd=cwd).split())
    code, *modules = python(LOADED, *words, cwd=cwd, **options).splitlines()[-1].split()
    return int(code), set(modules) - before


@pytest.mark.parametrize("words, code", [(["--version"], 0), (["--help"], 0), (["slove"], 2), ([], 2)])
def test_parsing_imports_no_room(words, code, tmp_path):
    ended, modules = loaded(*words, cwd=tmp_path)
    assert ended == code and "numpy" not in modules
    assert {name for name in modules if name.startswith("puzzle15.")} <= {
        "puzzle15.cli",
        "puzzle15.cli.console",
        "puzzle15.cli.parser",
        "puzzle15.cli.terminal",
        "puzzle15.errors",
        "puzzle15.system",
        "puzzle15.system.doors",
        "puzzle15.system.import_guard",
        "puzzle15.system.interruption",
        "puzzle15.system.streams",
        "puzzle15.system.version",
    }


#: What takes long to import, and is not needed to solve one board, or for a hint.
HEAVY = {
    "asyncio",
    "bz2",
    "concurrent.futures",
    "decimal",
    "difflib",
    "email",
    "fractions",
    "hashlib",
    "http",
    "importlib.metadata",
    "importlib.resources",
    "json",
    "logging",
    "lzma",
    "multiprocessing",
    "numpy",
    "pickle",
    "platform",
    "puzzle15._core.learning",
    "puzzle15._core.search",
    "puzzle15.ann",
    "puzzle15.dataset",
    "puzzle15.papers",
    "puzzle15.tables.building",
    "random",
    "secrets",
    "shutil",
    "socket",
    "ssl",
    "subprocess",
    "tempfile",
    "unittest",
    "zipfile",
}


@pytest.mark.parametrize("command", ["solve", "hint"])
@pytest.mark.parametrize("tables", [["--partition", "1-4/5-8", "--tables", "."], []], ids=["files", "embedded"])
def test_one_board_is_answered_without_numpy(command, tables, tmp_path):
    puzzle15.build_tables("1-4/5-8", shape=(3, 3), tables=tmp_path)
    code, modules = loaded(command, EASY, *tables, cwd=tmp_path)
    assert code == 0 and "puzzle15.solver.solver" in modules
    assert not modules & HEAVY
    assert ("puzzle15.tables.construction" in modules) == (not tables)


def test_a_game_begins_without_numpy(tmp_path):
    code, modules = loaded("play", EASY, cwd=tmp_path, stdin=subprocess.DEVNULL)
    assert code == 0 and "puzzle15.play.session" in modules
    assert not modules & {"numpy", "multiprocessing", "json", "curses", "puzzle15.play.terminal", "puzzle15.dataset"}


@pytest.mark.parametrize("words", [["draw", EASY, "L"], ["draw", EASY, "--hint"], ["show", EASY, "--along", "L"]])
def test_one_board_is_drawn_without_numpy(words, tmp_path):
    code, modules = loaded(*words, cwd=tmp_path)
    assert code == 0 and "puzzle15.pictures" in modules
    assert not modules & HEAVY


FIRST_HINT = """
import http.client, sys
from urllib.parse import urlsplit
from puzzle15.serve import Server
with Server(tables=sys.argv[1]) as server:
    line = http.client.HTTPConnection(urlsplit(server.address).netloc)
    line.request("POST", "/api/hint", sys.argv[2], {"Content-Type": "application/json"})
    print(line.getresponse().status, "numpy" in sys.modules)
"""


def test_the_first_hint_of_the_server_does_not_wait_for_numpy(tmp_path):
    assert python(FIRST_HINT, str(tmp_path), f'{{"board": "{EASY}"}}', cwd=tmp_path) == "200 False\n"


def test_one_board_is_solved_without_numpy_in_python(tmp_path):
    code = f"import sys, puzzle15; print(puzzle15.solve({EASY!r}).moves, 'numpy' in sys.modules)"
    assert python(code, cwd=tmp_path) == "L False\n"
