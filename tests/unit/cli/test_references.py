"""Functions of one's own as ``--heuristic`` and ``--algorithm``: found by file or module, one line for each mistake."""

import json
import re
import sys
import warnings

import pytest

NEAR, FAR = "1 5 2/4 0 3/7 8 6", "8 6 7/2 5 4/3 0 1"
OWN = """\
from helper import distances
from puzzle15.heuristics import heuristic_function

@heuristic_function(admissible=True, batch=64)
def own(boards):
    return distances(boards)

def bare(boards):
    return distances(boards)

def broken(boards):
    return len(boards) / 0

def negative(boards):
    return boards[:, 0] * float("nan")

number = 5

def one_board(board):
    return sum(a != b and a != 0 for a, b in zip(board, range(1, 10)))

def ends(boards):
    raise SystemExit(0)

def ends_later(boards):
    ends_later.calls = getattr(ends_later, "calls", 0) + 1
    return boards[:, 0] * 0 if ends_later.calls < 3 else ends(boards)

def lower(boards):
    return -3.2 + 0 * boards[:, 0]
"""
SEARCH = """\
from batch_a_star import CLAIMS, batch_a_star, breadth_first, reversed_moves
from puzzle15.searches import register

mine = register(name="mine*", **CLAIMS)(batch_a_star)
wrong = register(name="wrong", **CLAIMS)(reversed_moves)

def bare(*given):
    return breadth_first(*given)

def silent(start, goal, heuristic, progress):
    progress(expanded=5)
    return "LL"

def ends(start, goal, heuristic, progress):
    raise SystemExit(0)
"""
HELPER = """\
import numpy as np

def distances(boards):
    at, to = np.argsort(boards, axis=1)[:, 1:], np.arange(8)
    return (abs(at // 3 - to // 3) + abs(at % 3 - to % 3)).sum(axis=1)
"""


@pytest.fixture(autouse=True)
def modules(monkeypatch, tmp_path):
    """Modules in the folder where commands run."""
    files = {
        "mine": OWN,
        "searching_mine": SEARCH,
        "helper": HELPER,
        "wrong": "def f(:\n",
        "fails": "import math\nmath.sqrt(-1)\n",
    }
    for name, text in {**files, "exits": "import sys\nsys.exit(0)\n"}.items():
        (tmp_path / f"{name}.py").write_text(text)
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setattr(sys, "path", [*sys.path])


def record(run, *words):
    code, out, errors = run("solve", NEAR, "--json", *words)
    assert code == 0
    return json.loads(out), errors


@pytest.mark.parametrize("given", ["mine.py:own", "./mine.py:own", "mine:own", "max(mine.py:own,misplaced)"])
def test_files_and_modules(run, given):
    ours, _ = record(run, "--algorithm", "astar", "--heuristic", "manhattan", "--batch", "64")
    own, errors = record(run, "--algorithm", "astar", "--heuristic", given)
    assert own["heuristic"] == given and own["optimal"] and own["expanded"] == ours["expanded"] > 9
    assert "--batch" not in errors
    own, _ = record(run, "--algorithm", "astar", "--heuristic", "mine.py:one_board")
    assert own["expanded"] == record(run, "--algorithm", "astar", "--heuristic", "misplaced")[0]["expanded"]


def test_numbers_that_are_clamped_are_told_in_one_line(run):
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        shown, options = warnings.showwarning, ("--algorithm", "astar", "--heuristic", "mine.py:lower")
        (_, errors), (_, quiet) = record(run, *options), record(run, *options, "--quiet")
        assert warnings.showwarning is shown
    assert re.match(
        f"puzzle15: warning: heuristic 'mine.py:lower': it returned -3.2 for the board {NEAR}; .*\n", errors
    )
    assert errors.count("warning") == 1 and quiet == ""


def test_comparisons_and_trees(run, tmp_path):
    names = "manhattan,mine.py:bare,max(mine.py:own,misplaced),./mine.py:own"
    code, out, _ = run("compare", NEAR, "--algorithms", "astar", "--heuristics", names, "--batch", "1")
    rows = [re.split("  +", line) for line in out.splitlines()[1:]]
    assert code == 0 and len({row[4] for row in rows}) == 1
    assert [row[1] for row in rows] == ["manhattan", "mine.py:bare", "max(mine.py:own,misplaced)", "./mine.py:own"]
    code, out, _ = run("compare", NEAR, "--algorithms", "bfs")
    assert code == 0 and out.splitlines()[1].split()[:3] == ["breadth-first", "-", "4"]
    assert run("compare", NEAR, "--algorithms", "bfs", "--heuristics", "zero")[0] == 2
    code, out, _ = run("tree", FAR, "--heuristic", "mine:bare", "-o", "tree.svg", "--expansions", "5")
    assert code == 0 and "5 of 6,728 expansions of a* with mine:bare" in out


@pytest.mark.parametrize("where", ["searching_mine.py", "searching_mine"])
def test_algorithms(run, where):
    solution, _ = record(run, "--algorithm", f"{where}:mine", "--heuristic", "linear-conflict", "--batch", "8")
    assert solution["algorithm"] == "mine*" and solution["optimal"] and solution["heuristic"] == "linear-conflict"
    solution, _ = record(run, "--algorithm", f"{where}:bare", "--heuristic", "mine.py:own")
    assert solution["algorithm"] == f"{where}:bare" and solution["length"] == 4 and solution["optimal"]
    code, out, _ = run("compare", NEAR, "--algorithms", f"baestar,{where}:mine,{where}:bare")
    assert code == 0 and len(out.splitlines()) == 7 and re.search(r"(?m)^mine\* +linear-conflict +4 +yes ", out)
    code, out, _ = run("tree", FAR, "--algorithm", f"{where}:mine", "-o", "tree.svg", "--expansions", "5")
    assert code == 0 and re.search(r"tree.svg: 5 of [\d,]+ expansions of mine\* with manhattan; .* found 31 moves", out)
    code, out, _ = run(
        "solve", "-i", "-", "--algorithm", f"{where}:mine", "--max-nodes", "100", stdin=f"{NEAR}\n{FAR}\n"
    )
    assert code == 1 and re.fullmatch(r"4\t\w+\nlimit: at least 2\d moves\n", out)


#: What is given to tree -> what the error says.
ALGORITHM_MISTAKES = r"""
searching_mine.py:wrong => algorithm 'wrong': its solution of the board 8 6 7/2 5 4/3 0 1 is wrong: moves '\w+':
searching_mine.py:silent => algorithm 'searching_mine.py:silent': its solution .* move 2 \(L\)
searching_mine.py:ends => SystemExit: 0 \(.*searching_mine.py, line 15\); algorithm .* was searching
searching_mine.py:other => algorithm searching_mine.py:other: searching_mine.py has no function other; it has .*silent
nowhere.py:f => algorithm nowhere.py:f: FileNotFoundError: .*nowhere.py
wrong.py:f => algorithm wrong.py:f: SyntaxError:
os:getcwd => TypeError: .*algorithm 'os:getcwd' was searching
builtins:dict => TypeError: .*algorithm 'builtins:dict' was searching
functools:partial => TypeError: .*algorithm 'functools:partial' was searching
"""


@pytest.mark.parametrize("line", ALGORITHM_MISTAKES.strip().splitlines())
def test_mistakes_of_algorithms_are_one_line(run, line, tmp_path):
    given, message = line.split(" => ")
    for words in (["tree", FAR, "-o", "tree.svg", "--algorithm"], ["compare", FAR, "--algorithms"]):
        code, _, errors = run(*words, given, "--quiet")
        assert code == 2 and re.fullmatch(f"puzzle15: error: {message}.*\n", errors), errors
    assert not (tmp_path / "tree.svg").exists()


def test_a_tree_without_expansions(run):
    code, _, errors = run("tree", "1 2 3/4 5 6/0 7 8", "--algorithm", "searching_mine.py:silent", "-o", "tree.svg")
    assert code == 1 and "error: algorithm 'searching_mine.py:silent' tells of no expansions; expected" in errors


#: What is given, and what the error says: it names the heuristic, the user's file and line, and what was expected.
MISTAKES = r"""
mine.py:broken => ZeroDivisionError: .* \(.*mine.py, line 12\); heuristic 'mine.py:broken' was given an array of shape
mine.py:negative => heuristic 'mine.py:negative': it returned nan for the board 8 6 7/2 5 4/3 0 1; expected
mine.py:number => heuristic mine.py:number: mine.py has no function number; it has .*own, bare, broken
mine:other => heuristic mine:other: mine has no function other; it has
other.py:own => heuristic other.py:own: FileNotFoundError: .*other.py
nowhere:own => heuristic nowhere:own: ModuleNotFoundError: No module named 'nowhere'
wrong.py:f => heuristic wrong.py:f: SyntaxError:
fails.py:f => heuristic fails.py:f: ValueError: .* \(.*fails.py, line 2\)
exits.py:f => heuristic exits.py:f: SystemExit: 0 \(.*exits.py, line 2\)
exits:f => heuristic exits:f: SystemExit: 0 \(.*exits.py, line 2\)
mine.py:ends => SystemExit: 0 \(.*mine.py, line 23\); heuristic 'mine.py:ends' was given
mine.py:ends_later => SystemExit: 0 \(.*mine.py, line 23\); heuristic 'mine.py:ends_later' was given
max(mine.py:own,guess) => heuristic 'guess': expected one of zero,
mine.py: => heuristic 'mine.py:': expected one of zero,
"""


@pytest.mark.parametrize("line", MISTAKES.strip().splitlines())
def test_mistakes_are_one_line(run, line):
    given, message = line.split(" => ")
    for words in (
        ["solve", FAR, "--algorithm", "a*", "--heuristic"],
        ["compare", FAR, "--algorithms", "a*", "--heuristics"],
        ["tree", FAR, "--heuristic"],
        *[["check-heuristic", "--goal", "1 2 3/4 5 6/7 8 0"]] * ("negative" not in given),  # of another board first
    ):
        code, _, errors = run(*words, given, "--quiet")
        assert code == 2 and re.fullmatch(f"puzzle15: error: {message}.*\n", errors), errors
