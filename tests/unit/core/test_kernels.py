"""The textbook searches' own entry points: Korf's counts, true lengths in little memory, limits, refusals."""

import time
from functools import cache

import numpy as np
import pytest
import twins
from timing import timed, within

from puzzle15 import Board, Solver, heuristic
from puzzle15._core.search import searches as kernels
from puzzle15._core.search.searches import (
    MAX_BOUND,
    MAX_EXPANDED,
    MAX_WEIGHT,
    SMA_LEAST_NODES,
    SMA_NODE_BYTES,
    best_first,
    deepening,
)
from puzzle15.board import KORF_GOAL, korf100, moves_from_directions, pack_boards
from puzzle15.errors import BoardError, UnsolvableError

ORDER = bytes(range(4))
ROOM = 1 << 26
HARD = korf100()[87]  # 6 billion nodes
BY_NODES = sorted(korf100(), key=lambda record: record.nodes)
GOAL, FAR = Board.goal((3, 3)), Board("8 6 7/2 5 4/3 0 1").packed  # 31 moves


def evaluator(name="manhattan", goal=KORF_GOAL):
    return heuristic(name, goal=goal).prepare()[0]


# ------------------------------------------------------------------------------------------------ IDA*


#: The hardest board has more nodes than 32 bits can count.
MANY = pytest.param([*BY_NODES[25:65], BY_NODES[-1]], marks=pytest.mark.nightly)


@pytest.mark.parametrize("records", [BY_NODES[:25], MANY], ids=len)
def test_korfs_counts(records):
    manhattan = evaluator()
    for record in records:
        result = deepening(manhattan, record.board.packed, ORDER)
        assert result["status"] == "solved"
        assert len(result["directions"]) == result["lower_bound"] == record.length
        assert result["generated"] + 1 == record.nodes
        assert record.board.apply(moves_from_directions(result["directions"])) == KORF_GOAL


def test_a_limit_of_what_is_needed_is_no_limit():
    """Also where a limit cuts a search off in trees."""
    needed = BY_NODES[1].nodes - 1
    for limit, status in [(needed, "solved"), (needed - 1, "limit"), (300_000, "limit")]:
        answer = deepening(evaluator(), BY_NODES[1].board.packed, ORDER, max_nodes=limit)
        assert answer["status"] == status and answer["generated"] == limit


def test_iterations_without_the_goal_are_the_textbooks():
    for seed in range(3):
        board = Board.random(seed, (3, 3))
        result = deepening(evaluator(goal=GOAL), board.packed, ORDER)
        expected = twins.textbook_ida_star((3, 3), board.tiles, GOAL.tiles)
        assert result["iterations"][:-1] == expected[:-1] and len(expected) > 1
        assert result["iterations"][-1][0] == expected[-1][0]


def test_lower_bounds():
    record = korf100()[11]
    result = deepening(evaluator(), record.board.packed, ORDER, last_bound=record.length - 1)
    assert result["status"] == "failed" and result["lower_bound"] == record.length
    assert result["iterations"][-1][0] == record.length - 2
    # A first bound proves nothing about solutions below it.
    result = deepening(evaluator(), record.board.packed, ORDER, first_bound=record.length + 2)
    assert result["status"] == "solved" and len(result["directions"]) <= record.length + 2
    assert result["lower_bound"] == record.manhattan


@pytest.mark.parametrize("name", ["manhattan", "linear-conflict", "zero"])
@timed
def test_limits(name):
    estimate, begun = evaluator(name), time.monotonic()
    with within(0.4):
        result = deepening(estimate, HARD.board.packed, ORDER, deadline=begun + 0.2)
    assert time.monotonic() >= begun + 0.2
    assert result["status"] == "limit" and result["directions"] is None
    assert result["lower_bound"] > result["iterations"][-1][0] and result["generated"] > result["expanded"]
    assert 0 < result["memory_bytes"] < 30e6
    for limit in (0, 1, 1000, 2_000_000):
        result = deepening(estimate, HARD.board.packed, ORDER, max_nodes=limit)
        assert result["status"] == "limit" and limit <= result["generated"] <= limit + 100


# ------------------------------------------------------------------------------------------------ memory

#: name -> (kernel, options)
SEARCHES = {
    "rbfs": (kernels.rbfs, {}),
    "sma* with 32 nodes": (kernels.sma, {"max_bytes": SMA_LEAST_NODES * SMA_NODE_BYTES}),
    "ida*-tt with the smallest table": (deepening, {"max_bytes": 12_300}),  # 435 places
}
SLOW = pytest.mark.slow


@cache
def levels():
    """The packed boards of the 8-puzzle at each distance from the goal, in any order."""
    rng, found = np.random.default_rng(15), twins.levels_of_arrays((3, 3), GOAL.tiles, 31)
    return [pack_boards(rng.permutation(level), (3, 3))[0] for level in found]


@pytest.mark.parametrize("kernel, options", SEARCHES.values(), ids=SEARCHES)
@pytest.mark.parametrize(
    "name, most",
    [("manhattan", 3), *(pytest.param(name, 70, marks=SLOW) for name in ("manhattan", "linear-conflict"))],
)
def test_boards_of_the_8_puzzle_of_every_distance(kernel, options, name, most):
    for length, boards in enumerate(levels()):
        for packed in boards[:most].tolist():
            answer = kernel(evaluator(name, GOAL), packed, ORDER, **options)
            assert (answer["status"], answer["lower_bound"], len(answer["directions"])) == ("solved", length, length)
    assert length == 31


@pytest.mark.slow
def test_breadth_first_expands_what_is_nearer_and_no_node_twice():
    """Of a 3x3 board at distance d: all boards nearer than d, some at d, none beyond."""
    boards = np.concatenate(levels())
    for packed in boards[:: len(boards) // 5].tolist():
        depths = np.bincount(Solver(goal=Board(packed, (3, 3)), shape=(3, 3)).distance_many(boards))
        answer = best_first(
            evaluator("zero", GOAL), packed, ORDER, g_weight=1, h_weight=0, ties=0, prove=False, max_bytes=1 << 30
        )
        nearer, length = int(depths[: len(answer["directions"])].sum()), len(answer["directions"])
        assert nearer <= answer["expanded"] < nearer + depths[length]
        assert answer["reopened"] == 0 and answer["nodes"] <= 181_440


def test_sma_star_forgets_and_makes_again():
    for room in (32, 100, 1000, 10_000, 100_000):
        answer = kernels.sma(evaluator(goal=GOAL), FAR, ORDER, max_bytes=room * SMA_NODE_BYTES)
        assert (answer["status"], answer["lower_bound"], len(answer["directions"])) == ("solved", 31, 31)
        assert answer["memory_bytes"] <= room * SMA_NODE_BYTES and answer["nodes"] <= room
        assert (answer["reopened"] > 0) == (room < 10_000)
        assert (answer["memory_bytes"] == room * SMA_NODE_BYTES) == (room < 100_000)
        assert 0 < answer["largest_open"] < room and 0 < answer["largest_closed"] < room


def test_sma_star_says_so_when_no_solution_fits():
    """The path of a solution of n moves has n + 1 nodes."""
    goal, checked = Board.goal((2, 5)), 0
    boards = [board for seed in range(60) if (board := Board.random(seed, (2, 5))).is_solvable(goal)]
    for board, length in zip(boards, Solver(goal=goal).distance_many(boards).tolist()):
        if not 32 <= length <= 35:
            continue
        for room, expected in ((length, ("limit", None)), (length + 1, ("solved", length))):
            answer = kernels.sma(evaluator(goal=goal), board.packed, ORDER, max_bytes=room * SMA_NODE_BYTES)
            found = answer["directions"] and len(answer["directions"])
            assert (answer["status"], found, answer["lower_bound"]) == (*expected, length)
        checked += 1
    assert checked


def test_a_larger_table_saves_more():
    board = korf100()[78].board.packed  # 540,860 nodes
    expanded = [deepening(evaluator(), board, ORDER, max_bytes=size)["expanded"] for size in (4_300_000, ROOM)]
    assert 1.5 * expanded[1] < deepening(evaluator(), board, ORDER)["expanded"]
    sizes = (12_300, 20_000, 100_000, ROOM)
    answers = [deepening(evaluator(goal=GOAL), FAR, ORDER, max_bytes=size) for size in sizes]
    expanded = [answer["expanded"] for answer in answers]
    assert expanded == sorted(expanded, reverse=True) and len(set(expanded)) > 2
    assert all(answer["memory_bytes"] < size + 300_000 for answer, size in zip(answers, sizes))


# ------------------------------------------------------------------------------------------------ refusals

BEST_FIRST = {"g_weight": 1, "h_weight": 1, "ties": 0, "max_bytes": ROOM, "batch": 1}
ANYTIME = {"g_weight": 1, "h_weight": 2, "max_bytes": ROOM, "batch": 1, "on_improvement": None}
STACK = {"width": 10, "below": 81, "max_bytes": ROOM, "on_improvement": None}

#: kernel -> its options, and others that it refuses
KERNELS = {
    "deepening": ({}, [{"last_bound": MAX_BOUND + 1}, {"first_bound": MAX_BOUND + 1}]),
    "best_first": (
        BEST_FIRST,
        [{"g_weight": 0, "h_weight": 0}, {"h_weight": MAX_WEIGHT + 1}, {"g_weight": MAX_WEIGHT + 1}, {"ties": 3}]
        + [{"batch": batch} for batch in (0, MAX_EXPANDED + 1)],
    ),
    "anytime": (
        ANYTIME,
        [{"g_weight": 0}, {"g_weight": 3}, {"h_weight": (1 << 16) + 1}, {"batch": 0}, {"batch": MAX_EXPANDED + 1}]
        + [{"batch": 2, "h_step": 1}],
    ),
    "bidirectional": ({"max_bytes": ROOM}, []),
    "beam": ({"width": 10, "max_bytes": ROOM}, [{"width": 0}, {"width": (1 << 24) + 1}]),
    "beam_stack": (STACK, [{"width": 0}, {"width": (1 << 24) + 1}, {"below": 0}, {"below": 1001}]),
    "breadth_first_heuristic": ({"max_bytes": ROOM}, []),
    "hill_climbing": ({}, []),
    "rbfs": ({}, []),
    "sma": ({"max_bytes": ROOM}, []),
}


@pytest.mark.parametrize("name", KERNELS)
def test_refusals(name):
    kernel, (options, refused), manhattan = getattr(kernels, name), KERNELS[name], evaluator()

    def refuses(error, estimate=manhattan, start=HARD.board.packed, order=ORDER, **given):
        with pytest.raises(error):
            kernel(estimate, start, order, **{**options, **given})

    for order in (b"", b"\0\1\2", b"\0\1\2\2", b"\0\1\2\4", b"\0\1\2\3\0"):
        refuses(ValueError, order=order)
    refuses(BoardError, start=0)
    refuses(UnsolvableError, start=KORF_GOAL.packed ^ 0x330)
    refuses(TypeError, estimate=None)
    for given in refused:
        refuses(ValueError, **given)
    too_little = [1000] * ("max_bytes" in options)
    too_little += [SMA_LEAST_NODES * SMA_NODE_BYTES - 1] * (name in ("sma", "deepening"))
    for most in too_little:
        assert kernel(manhattan, HARD.board.packed, ORDER, **{**options, "max_bytes": most}) is None
