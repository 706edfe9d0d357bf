"""All boards of the 8-puzzle, for tests that try every one or a sample."""

import itertools

import numpy as np

from puzzle15._core.base import board as _board


def all_boards(goal):
    """Every board that reaches a 3x3 goal, packed."""
    tiles = np.array(list(itertools.permutations(range(9))), dtype=np.uint64)
    packed = (tiles << (4 * np.arange(9, dtype=np.uint64))).sum(axis=1, dtype=np.uint64)
    solvable = np.zeros(len(packed), dtype=np.uint8)
    _board.solvable_many(packed, goal.packed, goal.shape, solvable)
    return packed[solvable != 0]
