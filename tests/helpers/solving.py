"""Boards for tests of solvers, and checks of what solvers answer, in both metrics."""

import math

import numpy as np
import twins

from puzzle15 import Board, heuristic
from puzzle15.board import count_moves, parse_moves

#: By metric, a board that is out of reach, and the length of its solution or a bound of it. The first one is hard even
#: with the 7-8 tables.
HARD = {
    "stm": (Board("0 15 8 3/12 11 7 4/14 10 6 5/9 13 2 1"), 70),
    "mtm": (Board("0 12 8 4/15 11 7 3/14 10 6 2/13 9 5 1"), 43),
}


def random_boards(rng, count, shape=(4, 4), goal=None):
    """Boards from which the goal can be reached."""
    return [Board.random(rng, shape, goal=goal) for _ in range(count)]


def random_goal(rng, shape, home=None):
    tiles = rng.permutation(range(1, shape[0] * shape[1])).tolist()
    home = int(rng.integers(len(tiles) + 1)) if home is None else home
    return Board([*tiles[:home], 0, *tiles[home:]], shape)


def reflected(board):
    """A square board transposed, its tiles renamed so that the goal stays the goal: as far from it."""
    goal = np.asarray(Board.goal(board.shape))
    name_of = goal.T.ravel()[np.argsort(goal, axis=None)]
    return Board(name_of[np.asarray(board).T], board.shape)


def walk(rng, board, length):
    """Legal moves drawn at random, some of which undo the one before: (their letters, the board at the end)."""
    moves = ""
    for _ in range(length):
        moves += str(rng.choice([*board.legal_moves()]))
        board = board.move(moves[-1])
    return moves, board


def near(rng, goal, moves):
    """The board after random multi-tile moves, each along the other axis."""
    board, axis = goal, int(rng.integers(2))
    for _ in range(moves):
        letters = [letter for letter in board.legal_moves() if letter in ("UD", "LR")[axis]]
        letter = letters[int(rng.integers(len(letters)))]
        board, axis = board.move(letter), 1 - axis
        while letter in board.legal_moves() and rng.random() < 0.4:
            board = board.move(letter)
    return board


def far_boards(solver, rng, count):
    """Boards that a solver of any metric can solve in a moment, but not at once."""
    if solver.metric == "stm":
        return random_boards(rng, count, solver.shape, solver.goal)
    return [near(rng, solver.goal, 19) for _ in range(count)]


def counts(solution):
    return solution.length, solution.moves, solution.expanded, solution.generated


def numbers(batch):
    """What no number of threads may change."""
    columns = batch.status, batch.lengths, batch.lower_bounds, batch.expanded, batch.generated
    return [column.tolist() for column in columns]


def check_path(solution):
    """By the twin: the moves are legal, lead to the goal, and are as many as it says."""
    letters = parse_moves(solution.moves)
    assert twins.replay(solution.board.shape, solution.board.tiles, letters) == solution.goal.tiles
    assert solution.length == solution.lower_bound == len(list(solution)) == count_moves(letters, solution.metric)
    assert solution.single_tile_length == len(letters) and "".join(solution) == letters
    assert solution.status == "solved" and solution.optimal
    if solution.metric == "mtm":
        parts = list(solution)
        assert all(len(set(part)) == 1 for part in parts)
        assert all((one[0] in "UD") != (other[0] in "UD") for one, other in zip(parts, parts[1:]))


def check_limited(solver, solution, length):
    """The bound is proved by the iterations that were finished."""
    assert (solution.status, solution.moves, solution.length) == ("limit", None, None)
    assert not solution.optimal and list(solution.boards()) == [] and solution.metric == solver.metric
    h, step = solver.lower_bound(solution.board), 2 if solver.metric == "stm" else 1
    assert h <= solution.lower_bound <= length and (length - solution.lower_bound) % step == 0
    assert [iteration.bound for iteration in solution.iterations] == list(range(h, solution.lower_bound, step))
    assert sum(iteration.generated for iteration in solution.iterations) <= solution.generated
    assert sum(iteration.expanded for iteration in solution.iterations) <= solution.expanded


def nearest(solver, boards):
    """What Manhattan distance proves: a move brings one tile nearer, or in multi-tile moves all but one of a line."""
    tiles = max(solver.goal.shape) - 1 if solver.metric == "mtm" else 1
    return [math.ceil(heuristic("manhattan", goal=solver.goal)(board) / tiles) for board in boards]
