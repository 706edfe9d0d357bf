"""What holds for every board, goal, walk and kind of table."""

import math
from functools import lru_cache

import numpy as np
import pytest
import twins
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import examples, small, solver_of, tasks, walks

from puzzle15 import Board, Solver, build_tables
from puzzle15.board import parse_moves, symmetries

large = st.sampled_from([(3, 4), (4, 3), (2, 6), (3, 5), (2, 7), (4, 4)])


def check(solution, board, goal):
    letters = parse_moves(solution.moves)
    assert (solution.board, solution.goal) == (board, goal)
    assert twins.replay(board.shape, board.tiles, letters) == goal.tiles
    assert len(letters) == solution.length == solution.lower_bound


def parity(goal, board):
    """Of the length of every path from one to the other."""
    return twins.taxicab(goal.shape, goal.blank, board.blank) % 2


@given(tasks(small))
def test_every_path_replays_to_the_goal(task):
    goal, board = task
    solver = solver_of(goal)
    solution = solver.solve(board)
    check(solution, board, goal)
    assert solver.lower_bound(board) <= solution.length
    assert solver.lower_bound(board) % 2 == solution.length % 2 == parity(goal, board)
    assert twins.manhattan(board.shape, board.tiles, goal.tiles) <= solution.length
    assert solver_of(board).distance(goal) == solution.length  # there and back


@given(walks(large, 30, undo=False))
@pytest.mark.slow
def test_no_answer_is_longer_than_a_known_path(walk):
    goal, letters, board = walk
    solution = solver_of(goal).solve(board)
    check(solution, board, goal)
    assert solution.length <= len(letters) and solution.length % 2 == len(letters) % 2
    assert solver_of(goal).lower_bound(board) <= solution.length


def check_bounds(boards, *solvers):
    """Along moves, each lower bound changes by one, and has the parity of the distance; the first is the largest."""
    goal = solvers[0].goal
    values = [solver.lower_bound_many(boards).astype(int) for solver in solvers]
    for bounds in values:
        assert (abs(np.diff(bounds)) == 1).all() and (bounds <= values[0]).all()
        assert bounds[0] % 2 == parity(goal, boards[0])
    return values[0]


@given(walks(large, 30, undo=False))
@examples(1 / 3)
def test_along_a_move_the_heuristic_changes_by_one(walk):
    goal, letters, _ = walk
    boards = [goal.apply(letters[:steps]) for steps in range(len(letters) + 1)]
    assert check_bounds(boards, solver_of(goal), solver_of(goal, reflection=False))[0] == 0


@given(walks(st.just((4, 4)), 60, undo=False))
@examples(1 / 3)
def test_along_a_move_the_real_heuristic_changes_by_one(tables_7_8, walk):
    start, letters, _ = walk
    goal = Board.goal()
    assume(start.is_solvable(goal))
    boards = [start.apply(letters[:steps]) for steps in range(len(letters) + 1)]
    values = check_bounds(boards, real(tables_7_8))
    assert ((solver_of(goal).lower_bound_many(boards) - values) % 2 == 0).all()
    assert all(twins.manhattan((4, 4), board.tiles, goal.tiles) <= h for board, h in zip(boards, values))


@lru_cache(maxsize=4)
def real(folder, **options):
    return Solver("7-8", tables=folder, **options)


def image(board, symmetry, names):
    """The board turned by a symmetry, with other names of the tiles."""
    tiles = [0] * len(names)
    for cell, tile in enumerate(board.tiles):
        tiles[symmetry[cell]] = names[tile]
    return Board(tiles, board.shape)


@given(tasks(small), st.data())
def test_symmetric_boards_are_equally_far(task, data):
    """Turn goal and board around, and rename the tiles."""
    goal, board = task
    symmetry = data.draw(st.sampled_from(symmetries(goal.shape)))
    names = [0, *data.draw(st.permutations(range(1, math.prod(goal.shape))))]
    other, turned = image(goal, symmetry, names), image(board, symmetry, names)
    solution = solver_of(other).solve(turned)
    check(solution, turned, other)
    assert solution.length == solver_of(goal).distance(board)


@given(tasks(st.sampled_from([(2, 4), (3, 3), (2, 5)])), st.data())
@examples(5 / 12)
def test_any_partition_gives_the_same_length(folder_of_partitions, task, data):
    goal, board = task
    expected = solver_of(goal).distance(board)
    count = math.prod(goal.shape) - 1
    cut = data.draw(st.integers(max(1, count - 8), min(8, count - 1)))
    partition = f"1-{cut}/{cut + 1}-{count}"
    format = data.draw(st.sampled_from(["zero-aware", "classic"]))
    plain = data.draw(st.booleans())
    where = {"shape": goal.shape, "home": goal.blank, "tables": folder_of_partitions}
    build_tables(partition, format=format, workers=1, **where)
    solver = Solver(partition, goal=goal, format=format, tables=folder_of_partitions, plain=plain)
    solution = solver.solve(board)
    check(solution, board, goal)
    assert solution.length == expected
    assert solver.solve_many([board])[0].moves == solution.moves


@pytest.fixture(scope="session")
def folder_of_partitions(tmp_path_factory):
    return tmp_path_factory.mktemp("partitions")
