"""Random boards at an exact distance: `scramble`."""

import pytest
from solving import reflected

from puzzle15 import Board, Solver
from puzzle15.board import farthest
from puzzle15.solver import scramble
from puzzle15.solver._scrambling import known_boards


@pytest.mark.parametrize("goal", ["1 2 3/4 5 6/7 8 0", "1 2 3/4 0 5/6 7 8", "1 2/3 4/0 5", "0 1/2 3"])
def test_every_distance_of_small_shapes(goal):
    solver = Solver(goal=goal)
    for distance in range(farthest(solver.shape, solver.goal.blank) + (goal != "1 2 3/4 0 5/6 7 8")):
        assert solver.distance_many([scramble(distance, solver, seed) for seed in (2, 4)]).tolist() == [distance] * 2


@pytest.mark.parametrize("distance", [0, 1, 2, 15, 30, 45, 56])
def test_distances_of_4x4(distance):
    solver = Solver(shape=(4, 4))
    for seed in range(3):
        assert solver.distance(scramble(distance, solver, seed)) == distance


def test_a_seed_gives_one_board_and_seeds_give_many():
    solver = Solver(shape=(3, 3))
    boards = [scramble(20, solver, seed) for seed in range(50)]
    assert boards == [scramble(20, solver, seed) for seed in range(50)]
    assert len(set(boards)) > 47  # of 11,132


def test_a_farther_board_is_climbed_to():
    """Most random boards are nearer than 26 moves; both of distance 31 are found."""
    solver = Solver(shape=(3, 3))
    assert len({scramble(31, solver, seed) for seed in (2, 3)}) == 2


def test_the_time_is_limited():
    assert scramble(80, Solver(goal="1 2 3 4/5 6 7 8/9 10 11 12/13 14 0 15"), 1, time_limit_s=0.05) is None
    assert scramble(20, Solver(shape=(3, 3)), 1, time_limit_s=0) is None
    # Some distance within the bound that no board has.
    solver = Solver(goal="1 2 3/4 0 5/6 7 8")
    assert farthest((3, 3), 4) > 30
    assert scramble(31, solver, 1, time_limit_s=0.05) is None


@pytest.mark.parametrize("home", [0, 3, 12, 15])
def test_the_farthest_boards_are_known(home):
    """Those of one goal are those of any other with the blank in a corner, by turning."""
    solver = Solver(goal=Board.goal((4, 4), home=home))
    boards = [scramble(80, solver, seed) for seed in range(100)]
    assert len(set(boards)) == 14 and min(solver.lower_bound_many(boards)) > 60
    for distance in (76, 69, 40):
        board = scramble(distance, solver, 1, time_limit_s=0)
        assert board in known_boards(distance, solver.goal) and solver.lower_bound(board) % 2 == distance % 2


def test_known_boards_are_at_their_distance(tables_7_8):
    solver = Solver("7-8", tables=tables_7_8)
    known = [known_boards(distance, solver.goal) for distance in range(81)]
    assert [*map(len, known[:2]), len(known[80])] == [1, 2, 14] and min(map(len, known[60:])) > 10
    for nearer, farther in zip(known, known[1:]):  # so each is on a way of 80 moves, which no board shortens
        steps = {(board, child) for board in farther for _, child in board.neighbours() if child in nearer}
        assert [{*boards} for boards in zip(*steps)] == [{*farther}, {*nearer}]
    halves = {min(board, reflected(board)) for board in known[80]}
    assert {*halves, *map(reflected, halves)} == {*known[80]} and len(halves) == 8
    assert solver.solve_many([*halves], max_length=79).lower_bounds.tolist() == [80] * 8


def test_a_distance_that_no_board_has():
    for distance, shape, words in (
        (32, (3, 3), "distance 32: expected 0 .. 31"),
        (-1, (4, 4), "distance -1: expected"),
    ):
        with pytest.raises(ValueError, match=words):
            scramble(distance, Solver(shape=shape), 1)
