"""Random boards, goals and walks, for tests of what holds for all of them."""

import math
from functools import lru_cache

import twins
from hypothesis import settings
from hypothesis import strategies as st

from puzzle15 import Board, Solver

OPPOSITE = str.maketrans("UDLR", "DURL")

shapes = st.sampled_from(twins.SHAPES)
#: Shapes whose random boards are solved at once by the embedded tables.
small = st.sampled_from([(2, 2), (2, 3), (3, 2), (2, 4), (4, 2), (3, 3), (2, 5), (5, 2)])


def examples(times, **more):
    """Settings with so many times the examples of the profile (conftest.py)."""
    return settings(max_examples=round(times * settings.default.max_examples), **more)


@lru_cache(maxsize=64)
def solver_of(goal, **options):
    return Solver("embedded", goal=goal, **options)


@st.composite
def boards(draw, shapes=shapes):
    shape = draw(shapes)
    return Board(draw(st.permutations(range(math.prod(shape)))), shape)


@st.composite
def tasks(draw, shapes):
    """A goal, and any board that reaches it."""
    same_shape = boards(st.just(draw(shapes)))
    goal, board = draw(same_shape), draw(same_shape)
    if not board.is_solvable(goal):
        swap = {1: 2, 2: 1}
        board = Board([swap.get(tile, tile) for tile in board.tiles], board.shape)
    return goal, board


@st.composite
def walks(draw, shapes=shapes, most=40, undo=True):
    """A board, legal moves from there, of which none undoes the one before unless `undo`, and the board after them."""
    start = board = draw(boards(shapes))
    letters = ""
    for choice in draw(st.lists(st.integers(0, 11), max_size=most)):  # 12 gives 2, 3 or 4 moves the same chance each
        legal = [letter for letter in board.legal_moves() if undo or letters[-1:] != letter.translate(OPPOSITE)]
        letters += legal[choice % len(legal)]
        board = board.move(letters[-1])
    return start, letters, board
