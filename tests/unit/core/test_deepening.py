"""The textbook depth-first searches: Korf's counts, levels, limits and interruption. tests/c/search has their twin."""

import time

import pytest
import twins
from interrupting import interrupted_after
from timing import timed, within

from puzzle15 import Board
from puzzle15._core.base.board import CPU_LEVELS
from puzzle15._core.search.evaluator import KINDS, Evaluator
from puzzle15._core.search.searches import MAX_BOUND, best_first, deepening, rbfs, sma
from puzzle15.errors import BoardError, UnsolvableError
from puzzle15.published import KORF_GOAL, korf100

KORF_ORDER = bytes([0, 1, 2, 3])
HARD = korf100()[87]  # 6 billion nodes


def evaluator(*kinds, goal=KORF_GOAL):
    result = Evaluator(goal.shape, goal.packed)
    for kind in kinds:
        result.add(KINDS.index(kind))
    return result


def end_of(board, directions):
    letters = [twins.TILE_LETTERS[direction] for direction in directions]
    return twins.replay(board.shape, board.tiles, letters)


BY_NODES = sorted(korf100(), key=lambda record: record.nodes)


@pytest.mark.parametrize("records", [BY_NODES[:25], pytest.param(BY_NODES[25:], marks=pytest.mark.slow)], ids=len)
def test_korfs_counts(records):
    manhattan = evaluator("manhattan")
    for record in records:
        result = deepening(manhattan, record.board.packed, KORF_ORDER)
        assert result["status"] == "solved"
        assert len(result["directions"]) == result["lower_bound"] == record.length
        assert result["generated"] + 1 == record.nodes
        assert end_of(record.board, result["directions"]) == KORF_GOAL.tiles


def test_every_level_answers_alike(monkeypatch):
    results = []
    for name in CPU_LEVELS:
        monkeypatch.setenv("PUZZLE15_CPU", name)
        answers = [deepening(evaluator("manhattan"), each.board.packed, KORF_ORDER) for each in BY_NODES[:5]]
        results.append([{**answer, "memory_bytes": None} for answer in answers])  # nodes are searched in another order
    assert all(each == results[0] for each in results)


def test_iterations_without_the_goal_are_the_textbooks():
    for seed in range(3):
        board = Board.random(seed, (3, 3))
        goal = Board.goal((3, 3))
        result = deepening(evaluator("manhattan", goal=goal), board.packed, KORF_ORDER)
        expected = twins.textbook_ida_star((3, 3), board.tiles, goal.tiles)
        assert result["iterations"][:-1] == expected[:-1] and len(expected) > 1
        assert result["iterations"][-1][0] == expected[-1][0]


def test_lower_bounds():
    board = korf100()[11]
    manhattan = evaluator("manhattan")
    result = deepening(manhattan, board.board.packed, KORF_ORDER, last_bound=board.length - 1)
    assert result["status"] == "failed" and result["lower_bound"] == board.length
    assert result["iterations"][-1][0] == board.length - 2
    # A first bound proves nothing about solutions below it.
    result = deepening(manhattan, board.board.packed, KORF_ORDER, first_bound=board.length + 2)
    assert result["status"] == "solved" and len(result["directions"]) <= board.length + 2
    assert result["lower_bound"] == board.manhattan


@pytest.mark.parametrize("kinds", [("manhattan",), ("linear-conflict",), ()], ids=str)
@timed
def test_limits(kinds):
    heuristic = evaluator(*kinds)
    begun = time.monotonic()
    with within(0.4):
        result = deepening(heuristic, HARD.board.packed, KORF_ORDER, deadline=begun + 0.2)
    assert time.monotonic() >= begun + 0.2
    assert result["status"] == "limit" and result["directions"] is None
    assert result["lower_bound"] > result["iterations"][-1][0] and result["generated"] > result["expanded"]
    assert 0 < result["memory_bytes"] < 20e6

    for limit in (0, 1, 1000, 2_000_000):
        result = deepening(heuristic, HARD.board.packed, KORF_ORDER, max_nodes=limit)
        assert result["status"] == "limit"
        assert limit <= result["generated"] <= limit + 100


def test_a_limit_of_what_is_needed_is_no_limit():
    board = korf100()[11]
    for limit, status in ((board.nodes - 1, "solved"), (board.nodes - 2, "limit")):
        result = deepening(evaluator("manhattan"), board.board.packed, KORF_ORDER, max_nodes=limit)
        assert result["status"] == status and result["generated"] == limit


@pytest.mark.parametrize("kinds", [("manhattan",), ("walking-distance", "linear-conflict")], ids=str)
@timed
def test_interruption(kinds):
    heuristic = evaluator(*kinds)
    with within(0.3), pytest.raises(KeyboardInterrupt), interrupted_after(0.1, KeyboardInterrupt):
        deepening(heuristic, HARD.board.packed, KORF_ORDER)


def test_an_exception_of_the_callback_ends_the_search():
    def fail(bound, expanded, generated):
        raise RuntimeError(bound)

    with pytest.raises(RuntimeError, match=str(HARD.manhattan)):
        deepening(evaluator("manhattan"), HARD.board.packed, KORF_ORDER, on_iteration=fail)


@pytest.mark.parametrize("kinds", [(), ("manhattan",), ("linear-conflict",)], ids=str)
def test_the_goal_needs_no_iteration(kinds):
    result = deepening(evaluator(*kinds), KORF_GOAL.packed, KORF_ORDER, max_nodes=0)
    assert (result["status"], result["directions"], result["iterations"]) == ("solved", b"", [])
    assert result["expanded"] == result["generated"] == 0


WEIGHTS = {"g_weight": 1, "h_weight": 1, "ties": 0, "max_bytes": 1 << 26}
KERNELS = {deepening: {}, rbfs: {}, sma: {"max_bytes": 1 << 26}, best_first: WEIGHTS}


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.__name__)
def test_refusals(kernel):
    manhattan = evaluator("manhattan")

    def refused(error, heuristic=manhattan, start=HARD.board.packed, order=KORF_ORDER, **options):
        with pytest.raises(error):
            kernel(heuristic, start, order, **{**KERNELS[kernel], **options})

    for order in (b"", b"\0\1\2", b"\0\1\2\2", b"\0\1\2\4", b"\0\1\2\3\0"):
        refused(ValueError, order=order)
    refused(BoardError, start=0)
    refused(UnsolvableError, start=KORF_GOAL.packed ^ 0x330)
    refused(TypeError, heuristic=None)
    if kernel is deepening:
        for bounds in ({"first_bound": -1}, {"last_bound": MAX_BOUND + 1}, {"first_bound": MAX_BOUND + 1}):
            refused(ValueError, **bounds)
