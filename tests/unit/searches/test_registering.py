"""An algorithm of one's own: found by its name wherever ours are, stopped by limits, and never believed."""

import re

import pytest

from puzzle15 import ALGORITHMS, Board, search
from puzzle15.errors import AlgorithmError
from puzzle15.searches import register

NEAR, FAR = "1 2 3/4 0 6/7 5 8", "8 6 7/2 5 4/3 0 1"


@pytest.fixture(autouse=True)
def registry():
    """What a test registers is gone afterwards."""
    before = dict(ALGORITHMS)
    yield
    ALGORITHMS.clear()
    ALGORITHMS.update(before)


#: What an algorithm returns for a board whose shortest solution is UL -> what the error says.
WRONG = {
    "ULL": "its solution of the board {near} is wrong: moves 'ULL': move 3 \\(L\\) is illegal on 1 2 3/4 5 6/7 8 0",
    "U": "wrong: its moves lead to 1 2 3/4 5 6/7 0 8, and not to the goal 1 2 3/4 5 6/7 8 0",
    "": "wrong: its moves lead to {near}, and not to the goal",
    "UX": "its solution of the board {near} is wrong: .*'X'",
    5: "it returned 5 for the board {near}; expected the moves of tiles as text, such as 'URDL', or None",
    "UL" + "RL" * 16: "by it, the board {near} needs 34 moves at least, but 31 are enough",
}


@pytest.mark.parametrize("returned", WRONG)
def test_an_answer_is_replayed(returned):
    register(name="mine", shortest="yes")(lambda *given: returned)
    with pytest.raises(AlgorithmError, match=f"^algorithm 'mine': .*{WRONG[returned].format(near=re.escape(NEAR))}"):
        search(NEAR, algorithm="mine")


@pytest.mark.parametrize("shortest", ["no", "if h is admissible"])
def test_a_promise_is_tried(shortest):
    """A solution that is too long is one that is not optimal, or a broken promise, which a proof shows."""
    register(name="long", shortest=shortest)(lambda *given: "RLUL")
    solution = search(NEAR, algorithm="long")
    assert (solution.length, solution.optimal, solution.lower_bound) == (
        (4, True, 4) if shortest != "no" else (4, False, 2)
    )
    if shortest == "no":
        assert search(NEAR, algorithm="long", prove=True).moves == "UL"
    else:
        with pytest.raises(AlgorithmError, match="needs 4 moves at least, but 2 are enough"):
            search(NEAR, algorithm="long", prove=True)
    assert not search(NEAR, algorithm="long", heuristic=Board.manhattan).optimal  # it claims nothing
