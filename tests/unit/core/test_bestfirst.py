"""The searches that keep their nodes: against complete tables, limits, order, ties."""

import numpy as np
import pytest
from eight_puzzle import all_boards

from puzzle15 import Board, Solver, build_tables, heuristic
from puzzle15._core.search.evaluator import Evaluator
from puzzle15._core.search.searches import MAX_WEIGHT, beam, best_first, bidirectional
from puzzle15.board import moves_from_directions

ORDER = bytes(range(4))
ROOM = 1 << 30
FIFO, LIFO, LARGER_G = range(3)

# name -> (g_weight, h_weight, prove)
OPTIMAL = {"a*": (1, 1, False), "breadth-first": (1, 0, False), "branch and bound": (0, 1, True)}
OTHERS = {"weighted": (1, 2, False), "weighted 1.25": (4, 5, False), "greedy": (0, 1, False)}


def run(evaluator, start, g_weight=1, h_weight=1, prove=False, ties=LARGER_G, max_bytes=ROOM, order=ORDER, **limits):
    options = {"g_weight": g_weight, "h_weight": h_weight, "prove": prove, "ties": ties, "max_bytes": max_bytes}
    return best_first(evaluator, start, order, **options, **limits)


def boards_and_lengths(shape, goal, count, seed=15):
    boards = [Board.random(seed, shape) for seed in range(seed, seed + 3 * count)]
    boards = [board for board in boards if board.is_solvable(goal)][:count]
    return list(zip(boards, Solver(goal=goal, shape=shape).distance_many(boards).tolist()))


def check_path(board, goal, answer):
    """The number of moves of an answer that leads to the goal."""
    assert answer["status"] == "solved"
    moves = moves_from_directions(answer["directions"])
    assert board.apply(moves) == goal
    return len(moves)


@pytest.mark.parametrize("home", [0, 1, 4, 8])
@pytest.mark.sweep(1)
def test_optimal_searches_agree_with_the_complete_table(home):
    goal = Board.goal((3, 3), home)
    evaluator, turn, _ = heuristic("manhattan", goal=goal).prepare()
    for number, (board, length) in enumerate(boards_and_lengths((3, 3), goal, 25)):
        for weights in OPTIMAL.values():
            answer = run(evaluator, turn(board), *weights, ties=number % 3)
            assert check_path(board, goal, answer) == length == answer["lower_bound"]
        for g_weight, h_weight, prove in OTHERS.values():
            answer = run(evaluator, turn(board), g_weight, h_weight, prove, ties=number % 3)
            found = check_path(board, goal, answer)
            assert answer["lower_bound"] <= length <= found
            assert not g_weight or found <= length * h_weight / g_weight
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
        answer = run(evaluator, board.packed, 1, 0, ties=FIFO)
        nearer = int(depths[:length].sum())
        assert nearer <= answer["expanded"] < nearer + depths[length]
        assert answer["reopened"] == 0 and answer["nodes"] <= 181_440


def test_inconsistent_heuristics_reopen_and_stay_optimal(tmp_path):
    """Classic tables let the bound fall by more than one a move."""
    goal = Board.goal((3, 3))
    build_tables("1-4/5-8", shape=(3, 3), format="classic", tables=tmp_path)
    h = heuristic("tables:1-4/5-8:classic", goal=goal, tables=tmp_path)
    evaluator, turn, _ = h.prepare()
    reopened = 0
    for board, length in boards_and_lengths((3, 3), goal, 60):
        answer = run(evaluator, turn(board))
        assert check_path(board, goal, answer) == length == answer["lower_bound"]
        reopened += answer["reopened"]
    assert reopened > 0 and not h.consistent


def test_limits_leave_a_proved_bound():
    start = Board("0 15 8 3/12 11 7 4/14 10 6 5/9 13 2 1").packed
    evaluator = heuristic("manhattan").prepare()[0]
    few, small = run(evaluator, start, max_nodes=1000), run(evaluator, start, max_bytes=20_000_000)
    assert few["status"] == small["status"] == "limit" and few["directions"] is None
    assert 1000 <= few["generated"] < 1010 and 19_000_000 < small["memory_bytes"] <= 20_000_000
    assert few["lower_bound"] <= small["lower_bound"] <= 70
    with pytest.raises(MemoryError):
        run(evaluator, start, max_bytes=1000)
    stopped = bidirectional(Evaluator((4, 4), Board.goal().packed), start, ORDER, max_bytes=10_000_000)
    assert stopped["status"] == "limit" and 18 < stopped["lower_bound"] <= 70


def test_arguments_are_checked():
    evaluator, start = heuristic("manhattan").prepare()[0], Board.random(1).packed
    for bad in ({"g_weight": 0, "h_weight": 0}, {"h_weight": MAX_WEIGHT + 1}, {"ties": 3}):
        with pytest.raises(ValueError):
            run(evaluator, start, **bad)
    with pytest.raises(ValueError):
        beam(evaluator, start, ORDER, width=0, max_bytes=ROOM)
