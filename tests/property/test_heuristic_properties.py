"""What holds for every heuristic on every shape, goal, board and move."""

import math

import twins
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzle15 import Board, Solver, heuristic
from puzzle15.heuristics import NAMES


@st.composite
def tasks(draw, shapes):
    """A goal, a board that reaches it, and moves of the blank from there."""
    shape = draw(st.sampled_from(shapes))
    tiles = st.permutations(range(math.prod(shape)))
    goal, board = (Board(draw(tiles), shape) for _ in range(2))
    if not board.is_solvable(goal):
        swap = {1: 2, 2: 1}
        board = Board([swap.get(tile, tile) for tile in board.tiles], shape)
    directions, blank = [], board.blank
    for direction in draw(st.lists(st.integers(0, 3), max_size=30)):
        cell = twins.neighbour(shape, blank, direction)
        if cell >= 0:
            directions.append(direction)
            blank = cell
    return goal, board, bytes(directions)


@given(tasks([shape for shape in twins.SHAPES if max(shape) < 7]), st.sampled_from(NAMES))
@settings(max_examples=150)
def test_children_boards_and_consistency(task, name):
    goal, board, directions = task
    h = heuristic(name, goal=goal)
    evaluator, turn, _ = h.prepare()
    values = list(evaluator.walk(turn(board), directions))
    letters = [twins.TILE_LETTERS[direction] for direction in directions]
    boards = [board]
    for letter in letters:
        boards.append(boards[-1].move(letter))
    assert values == h.many(boards).tolist()
    assert all(abs(a - b) <= 1 for a, b in zip(values, values[1:]))
    assert h(goal) == 0 and (name == "zero" or min(values) > 0 or goal in boards)


@given(tasks(twins.SHAPES))
@settings(max_examples=60)
def test_weaker_and_stronger(task):
    goal, board, _ = task
    zero, misplaced, manhattan, reversal, conflict, walking = (heuristic(name, goal=goal)(board) for name in NAMES)
    assert zero <= misplaced <= manhattan <= reversal <= conflict and manhattan <= walking
    assert heuristic(NAMES, goal=goal)(board) == max(conflict, walking)


@given(tasks([(2, 2), (2, 3), (3, 2), (3, 3), (2, 4), (4, 2), (2, 5), (5, 2)]))
@settings(max_examples=60)
def test_no_heuristic_exceeds_the_distance(task):
    goal, board, _ = task
    assert heuristic(NAMES, goal=goal)(board) <= Solver("embedded", goal=goal).distance(board)
