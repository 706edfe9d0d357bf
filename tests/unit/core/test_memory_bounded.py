"""RBFS, SMA* and IDA* with a table: against complete tables, in little memory, limits."""

import time

import numpy as np
import pytest
from eight_puzzle import all_boards
from timing import timed, within

from puzzle15 import Board, Solver, build_tables, heuristic
from puzzle15._core.search.searches import SMA_LEAST_NODES, SMA_NODE_BYTES, deepening, rbfs, sma
from puzzle15.board import moves_from_directions
from puzzle15.published import KORF_GOAL, korf100

ORDER = bytes(range(4))
ROOM = 1 << 26
LEAST_TABLE = 12_300  # bytes: the smallest table of 3x3 boards, which has 435 places
HARD = korf100()[87]  # 6 billion nodes with ida*

#: name -> (kernel, options)
SEARCHES = {
    "rbfs": (rbfs, {}),
    "sma*": (sma, {"max_bytes": ROOM}),
    "sma* with 32 nodes": (sma, {"max_bytes": SMA_LEAST_NODES * SMA_NODE_BYTES}),
    "ida*-tt": (deepening, {"max_bytes": ROOM}),
    "ida*-tt with the smallest table": (deepening, {"max_bytes": LEAST_TABLE}),
}


@pytest.fixture(params=SEARCHES)
def search(request):
    kernel, options = SEARCHES[request.param]
    return lambda *args, **given: kernel(*args, **{**options, **given})


@pytest.fixture(scope="module")
def boards_of_every_distance():
    """(packed board, distance) of 2,000 boards of the 8-puzzle: at least 70 of each distance, or all of it."""
    goal = Board.goal((3, 3))
    boards = np.random.default_rng(15).permutation(all_boards(goal))
    distances = Solver(goal=goal, shape=(3, 3)).distance_many(boards)
    chosen = np.concatenate([np.flatnonzero(distances == length)[:70] for length in range(32)])
    chosen = np.concatenate([chosen, np.setdiff1d(np.arange(4000), chosen)])[:2000]
    return list(zip(boards[chosen].tolist(), distances[chosen].tolist()))


def check_path(board, goal, answer):
    """The number of moves of an answer that leads to the goal."""
    assert answer["status"] == "solved"
    assert board.apply(moves_from_directions(answer["directions"])) == goal
    return len(answer["directions"])


SLOW = pytest.mark.slow


@pytest.mark.parametrize(
    "name, most",
    [("manhattan", 7), *(pytest.param(name, 2000, marks=SLOW) for name in ("manhattan", "linear-conflict"))],
)
def test_boards_of_the_8_puzzle_of_every_distance(search, name, most, boards_of_every_distance):
    evaluator, _, _ = heuristic(name, shape=(3, 3)).prepare()
    by_distance = [[board for board in boards_of_every_distance if board[1] == length] for length in range(32)]
    assert all(by_distance) and sum(map(len, by_distance)) == 2000
    for packed, length in [board for boards in by_distance for board in boards[:most]]:
        answer = search(evaluator, packed, ORDER)
        assert (answer["status"], answer["lower_bound"], len(answer["directions"])) == ("solved", length, length)


@pytest.fixture(scope="module")
def classic(tmp_path_factory):
    """Classic tables, which are not consistent."""
    folder = tmp_path_factory.mktemp("classic")
    goal = Board.goal((3, 3))
    build_tables("1-4/5-8", shape=(3, 3), format="classic", tables=folder)
    return heuristic("tables:1-4/5-8:classic", goal=goal, tables=folder)


def test_an_inconsistent_heuristic_changes_no_length(search, classic):
    assert not classic.consistent
    evaluator, turn, _ = classic.prepare()
    goal, solver = classic.goal, Solver(goal=classic.goal, shape=(3, 3))
    boards = [board for seed in range(120) if (board := Board.random(seed, (3, 3))).is_solvable(goal)]
    for board, length in zip(boards, solver.distance_many(boards).tolist()):
        answer = search(evaluator, turn(board), ORDER)
        assert check_path(board, goal, answer) == length == answer["lower_bound"]


# ------------------------------------------------------------------------------------------------ memory


def test_sma_star_forgets_and_makes_again():
    far = Board("8 6 7/2 5 4/3 0 1")
    evaluator, turn, _ = heuristic("manhattan", shape=(3, 3)).prepare()
    for room in (32, 100, 1000, 10_000, 100_000):
        answer = sma(evaluator, turn(far), ORDER, max_bytes=room * SMA_NODE_BYTES)
        assert (answer["status"], answer["lower_bound"], len(answer["directions"])) == ("solved", 31, 31)
        assert answer["memory_bytes"] <= room * SMA_NODE_BYTES and answer["nodes"] <= room
        assert (answer["reopened"] > 0) == (room < 10_000)
        assert (answer["memory_bytes"] == room * SMA_NODE_BYTES) == (room < 100_000)
        assert 0 < answer["largest_open"] < room and 0 < answer["largest_closed"] < room


def test_sma_star_says_so_when_no_solution_fits():
    """The path of a solution of n moves has n + 1 nodes."""
    evaluator, _, _ = heuristic("manhattan", shape=(2, 5)).prepare()
    goal = Board.goal((2, 5))
    solver = Solver(goal=goal)
    boards = [board for seed in range(60) if (board := Board.random(seed, (2, 5))).is_solvable(goal)]
    checked = 0
    for board, length in zip(boards, solver.distance_many(boards).tolist()):
        if not 32 <= length <= 35:
            continue
        answer = sma(evaluator, board.packed, ORDER, max_bytes=length * SMA_NODE_BYTES)
        assert (answer["status"], answer["directions"], answer["lower_bound"]) == ("limit", None, length)
        answer = sma(evaluator, board.packed, ORDER, max_bytes=(length + 1) * SMA_NODE_BYTES)
        assert (answer["status"], len(answer["directions"]), answer["lower_bound"]) == ("solved", length, length)
        checked += 1
    assert checked


def test_a_larger_table_saves_more():
    manhattan, _, _ = heuristic("manhattan", goal=KORF_GOAL).prepare()
    board = korf100()[78].board.packed  # 540,860 nodes
    expanded = [deepening(manhattan, board, ORDER, max_bytes=size)["expanded"] for size in (4_300_000, ROOM)]
    plain = deepening(manhattan, board, ORDER)
    assert expanded == [deepening(manhattan, board, ORDER, max_bytes=size)["expanded"] for size in (4_300_000, ROOM)]
    assert 1.5 * expanded[1] < plain["expanded"]
    small, _, _ = heuristic("manhattan", shape=(3, 3)).prepare()
    far = Board("8 6 7/2 5 4/3 0 1").packed
    sizes = (LEAST_TABLE, 20_000, 100_000, ROOM)
    answers = [deepening(small, far, ORDER, max_bytes=size) for size in sizes]
    expanded = [answer["expanded"] for answer in answers]
    assert expanded == sorted(expanded, reverse=True) and len(set(expanded)) > 2
    assert all(answer["memory_bytes"] < size + 300_000 for answer, size in zip(answers, sizes))


def test_too_little_memory_to_begin_with():
    evaluator, _, _ = heuristic("manhattan", goal=KORF_GOAL).prepare()
    for kernel, size in ((sma, SMA_LEAST_NODES * SMA_NODE_BYTES - 1), (deepening, 4_000_000)):
        with pytest.raises(MemoryError):
            kernel(evaluator, HARD.board.packed, ORDER, max_bytes=size)


# ------------------------------------------------------------------------------------------------ limits


@pytest.mark.parametrize("name", ["rbfs", "sma*", "ida*-tt"])
@timed
def test_limits_leave_a_proved_bound(name):
    kernel, options = SEARCHES[name]
    evaluator, turn, _ = heuristic("manhattan", goal=KORF_GOAL).prepare()
    bounds = []
    for limit in (0, 1, 100, 10_000, 300_000):
        answer = kernel(evaluator, turn(HARD.board), ORDER, max_nodes=limit, **options)
        assert answer["status"] == "limit" and answer["directions"] is None
        assert limit <= answer["generated"] <= limit + 10
        bounds.append(answer["lower_bound"])
    assert bounds == sorted(bounds) and bounds[-1] <= HARD.length
    begun = time.monotonic()
    with within(0.3):
        answer = kernel(evaluator, turn(HARD.board), ORDER, deadline=begun + 0.1, **options)
    assert time.monotonic() >= begun + 0.1 and answer["status"] == "limit"
