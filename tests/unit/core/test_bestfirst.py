"""The searches that keep their nodes: against complete tables, limits, order, ties."""

import numpy as np
import pytest
from eight_puzzle import all_boards

from puzzle15 import Board, Solver, build_tables, heuristic
from puzzle15._core.search.evaluator import Evaluator
from puzzle15._core.search.searches import MAX_WEIGHT, beam, best_first, bidirectional
from puzzle15.board import moves_from_directions
from puzzle15.searches import TIES

ORDER = bytes(range(4))
ROOM = 1 << 30
FIFO, LIFO, LARGER_G = range(3)

#: (g_weight, h_weight, prove) of A*, breadth-first search and branch and bound; of weighted A* and greedy search.
OPTIMAL = [(1, 1, False), (1, 0, False), (0, 1, True)]
OTHERS = [(1, 2, False), (4, 5, False), (0, 1, False)]


def boards_and_lengths(shape, goal, count, seed=15):
    solver = Solver(goal=goal, shape=shape)
    boards = [Board.random(seed, shape) for seed in range(seed, seed + 3 * count)]
    boards = [board for board in boards if board.is_solvable(goal)][:count]
    return list(zip(boards, solver.distance_many(boards).tolist()))


def check_path(board, goal, answer):
    """The number of moves of an answer that leads to the goal."""
    assert answer["status"] == "solved"
    moves = moves_from_directions(answer["directions"])
    assert board.apply(moves) == goal
    return len(moves)


@pytest.mark.parametrize("ties", range(3), ids=TIES)
@pytest.mark.parametrize("home", [0, 1, 4, 8])
@pytest.mark.sweep(1)
def test_optimal_searches_agree_with_the_complete_table(ties, home):
    goal = Board.goal((3, 3), home)
    evaluator, turn, _ = heuristic("manhattan", goal=goal).prepare()
    for board, length in boards_and_lengths((3, 3), goal, 25):
        for g_weight, h_weight, prove in [*OPTIMAL, *OTHERS]:
            options = {"g_weight": g_weight, "h_weight": h_weight, "ties": ties, "prove": prove, "max_bytes": ROOM}
            answer = best_first(evaluator, turn(board), ORDER, **options)
            found = check_path(board, goal, answer)
            assert answer["lower_bound"] <= length <= found
            if (g_weight, h_weight, prove) in OPTIMAL:
                assert answer["lower_bound"] == length == found
            elif g_weight:
                assert found <= length * h_weight / g_weight
        answer = bidirectional(Evaluator((3, 3), goal.packed), board.packed, ORDER, max_bytes=ROOM)
        assert check_path(board, goal, answer) == length == answer["lower_bound"]
        answer = beam(evaluator, turn(board), ORDER, width=200, max_bytes=ROOM)
        assert check_path(board, goal, answer) >= length


@pytest.mark.slow
def test_breadth_first_expands_what_is_nearer_and_no_node_twice():
    """Of a 3x3 board at distance d: all boards nearer than d, some at d, none beyond."""
    goal = Board.goal((3, 3))
    evaluator = heuristic("zero", goal=goal).prepare()[0]
    for board, length in boards_and_lengths((3, 3), goal, 5):
        depths = np.bincount(Solver(goal=board, shape=(3, 3)).distance_many(all_boards(goal)))
        answer = best_first(evaluator, board.packed, ORDER, g_weight=1, h_weight=0, ties=FIFO, max_bytes=ROOM)
        nearer = int(depths[:length].sum())
        assert nearer <= answer["expanded"] < nearer + depths[length]
        assert answer["reopened"] == 0 and answer["nodes"] <= 181_440


def test_inconsistent_heuristics_reopen_and_stay_optimal(tmp_path):
    """Classic tables let the bound fall by more than one a move."""
    goal = Board.goal((3, 3))
    build_tables("1-4/5-8", shape=(3, 3), format="classic", tables=tmp_path)
    h = heuristic("tables:1-4/5-8:classic", goal=goal, tables=tmp_path)
    assert not h.consistent
    evaluator, turn, _ = h.prepare()
    reopened = 0
    for board, length in boards_and_lengths((3, 3), goal, 60):
        answer = best_first(evaluator, turn(board), ORDER, g_weight=1, h_weight=1, ties=LARGER_G, max_bytes=ROOM)
        assert check_path(board, goal, answer) == length == answer["lower_bound"]
        reopened += answer["reopened"]
    assert reopened > 0


def test_limits_leave_a_proved_bound():
    board = Board("0 15 8 3/12 11 7 4/14 10 6 5/9 13 2 1")
    evaluator, turn, _ = heuristic("manhattan").prepare()
    few = best_first(
        evaluator, turn(board), ORDER, g_weight=1, h_weight=1, ties=LARGER_G, max_nodes=1000, max_bytes=ROOM
    )
    assert few["status"] == "limit" and few["directions"] is None
    assert 1000 <= few["generated"] < 1010
    small = best_first(evaluator, turn(board), ORDER, g_weight=1, h_weight=1, ties=LARGER_G, max_bytes=20_000_000)
    assert small["status"] == "limit"
    assert 19_000_000 < small["memory_bytes"] <= 20_000_000
    assert few["lower_bound"] <= small["lower_bound"] <= 70
    with pytest.raises(MemoryError):
        best_first(evaluator, turn(board), ORDER, g_weight=1, h_weight=1, ties=LARGER_G, max_bytes=1000)
    plain = Evaluator((4, 4), Board.goal().packed)
    stopped = bidirectional(plain, board.packed, ORDER, max_bytes=30_000_000)
    assert stopped["status"] == "limit" and 20 < stopped["lower_bound"] <= 70


def test_arguments_are_checked():
    evaluator, turn, _ = heuristic("manhattan").prepare()
    start = Board.random(1).packed
    good = {"g_weight": 1, "h_weight": 1, "ties": FIFO, "max_bytes": ROOM}
    for bad in ({"g_weight": 0, "h_weight": 0}, {"h_weight": MAX_WEIGHT + 1}, {"ties": 3}):
        with pytest.raises(ValueError):
            best_first(evaluator, start, ORDER, **{**good, **bad})
    for order in (b"", b"\0\1\2\2", b"\0\1\2\4"):
        with pytest.raises(ValueError):
            best_first(evaluator, start, order, **good)
    with pytest.raises(ValueError):
        beam(evaluator, start, ORDER, width=0, max_bytes=ROOM)
