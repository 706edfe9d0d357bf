"""Options and names of searches: what each takes, what is refused, and what a refusal says."""

import itertools
import math
import re

import pytest
from searching import HARD

from puzzle15 import ALGORITHMS, Board, search, search_many
from puzzle15.searches import algorithm_of, compare
from puzzle15.searches._algorithms import EXAMPLES

VALUES = {"ties": "fifo", "batch": 7, "weight": 2, "weight_step": 1, "width": 10, "max_length": 5}
VALUES |= {"on_iteration": id, "on_improvement": id, "heuristic": "reversal"}


def test_options_that_are_not_used_are_refused():
    for option, algorithm in itertools.product(VALUES, ALGORITHMS):
        users = [name for name, kind in ALGORITHMS.items() if kind.takes(option)]
        given = {"algorithm": algorithm, option: VALUES[option]}
        if algorithm in users:
            assert search("1 2 3/4 5 6/7 0 8", **given).status == "solved"
            continue
        with pytest.raises(ValueError, match=f"^{option}: {re.escape(algorithm)} does not use it; ") as error:
            search("1 2 3/4 5 6/7 0 8", **given)
        assert all(name in str(error.value) for name in users)


STEPS = [0, -1, 65_537, math.nan, "much", True]


REFUSED = [
    ({"algorithm": "dikstra"}, "expected one of breadth-first, .*, hill-climbing, mm, .*, beam-stack"),
    ({"heuristic": "guess"}, "guess"),
    ({"ties": "random"}, "expected one of fifo, lifo, larger-g"),
    ({"move_order": "ULR"}, "each of the letters"),
    ({"move_order": "ULRR"}, "each of the letters"),
    ({"algorithm": "weighted-a*", "weight": 0.5}, "at least 1"),
    ({"algorithm": "weighted-a*", "weight": 65_537}, "up to 65536"),
    ({"algorithm": "anytime-a*", "weight": math.pi}, "up to four digits"),
    ({"algorithm": "ara*", "weight": 1.3333, "weight_step": "1/64"}, "and the step 1/64: .* up to four digits"),
    ({"algorithm": "weighted-a*", "priority": "convex"}, "expected one of linear, xdp, xup"),
    ({"algorithm": "weighted-a*", "weight": math.nan}, "at least 1"),
    ({"algorithm": "weighted-a*", "weight": "much"}, "at least 1"),
    ({"algorithm": "weighted-a*", "weight": "1e9999999"}, "at least 1"),  # it would take minutes to read
    ({"algorithm": "weighted-a*", "weight": "1E-9_999_999"}, "at least 1"),
    ({"prove": "no"}, "prove 'no': expected True or False"),
    ({"counts": 1}, "counts 1: expected True or False"),
    *(({"algorithm": "ara*", "weight_step": step}, "weight_step .*: expected a positive number") for step in STEPS),
    *(({"algorithm": name, "width": 0}, "width 0: expected .* from 1 to ") for name in ("beam", "beam-stack")),
    ({"algorithm": "depth-first", "max_length": -1}, "from 0 to 1000"),
    ({"algorithm": "depth-first", "max_length": 1001}, "from 0 to 1000"),
    ({"max_nodes": -1}, "at least 0"),
    ({"time_limit_s": -1}, "at least 0"),
    ({"max_memory": -1}, "a number of bytes"),
    ({"batch": 0}, "batch .*from 1 to 16384"),
    ({"batch": 16385}, "batch .*from 1 to 16384"),
    ({"algorithm": "depth-first", "goal": Board.goal(), "board": HARD}, "max_length: depth-first needs one on a 4x4"),
]


def test_what_stands_behind_the_board():
    """The name of an algorithm, or of several; all else is an error that says what to write."""
    board = "1 2 3/0 5 6/4 7 8"
    for name, expected in (("astar", "a*"), ("IDA*", "ida*")):
        answers = search(board, name, max_nodes=10**6), search_many([board], name)[0], *compare(board, [name])
        assert {solution.algorithm for solution in answers} == {expected}
    assert search(board, "astar", heuristic="zero").heuristic == "zero"
    message = "^options .*: expected SearchOptions, or an algorithm's name; write a goal as goal="
    for call in (search, lambda board, given: search_many([board], given)):
        with pytest.raises(ValueError, match="algorithm '1 2 3/4 5 6/7 8 0': expected one of breadth-first"):
            call(board, "1 2 3/4 5 6/7 8 0")
        for wrong in (Board.goal((3, 3)), ["a*"], 5, (3, 3)):
            with pytest.raises(TypeError, match=message):
                call(board, wrong)


def test_values_that_make_no_sense():
    for options, message in REFUSED:
        with pytest.raises(ValueError, match=message):
            search(**{"board": "1 2 3/4 5 6/7 0 8", **options})


def test_names_that_are_understood():
    names = {name.upper(): name for name in ALGORITHMS}
    names |= {short: kind.name for kind in ALGORITHMS.values() for short in kind.short}
    names |= {"Idastar": "ida*", "Astar": "a*", "a star": "a*", "wastar": "weighted-a*", "SMA-star": "sma*"}
    names |= {"Anytime weighted A*": "anytime-a*", " Breadth_First ": "breadth-first", "IDA*+TT": "ida*-tt"}
    assert {name: algorithm_of(name).name for name in names} == names
    assert search("1 2 3/0 5 6/4 7 8", algorithm="idastar-tt").algorithm == "ida*-tt"


def test_names_that_are_not():
    guesses = {"idastr": "did you mean 'ida*'? ", "hill-climb": "did you mean 'hill-climbing'? "}
    for name in ("idastr", "hill-climb", "", "dikstra", 5, None):
        with pytest.raises(ValueError) as caught:
            search("1 2 3/0 5 6/4 7 8", algorithm=name)
        expected = f"{guesses.get(name, '')}expected one of {', '.join([*ALGORITHMS, *EXAMPLES])}"
        assert str(caught.value) == f"algorithm {name!r}: {expected}"
