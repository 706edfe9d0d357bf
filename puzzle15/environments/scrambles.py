"""The random boards with which episodes begin, from the distributions of data sets; and the distances of all boards."""

from __future__ import annotations

from functools import lru_cache
from typing import Optional

import numpy as np
from numpy.typing import NDArray

from .._core.learning.environment import Scramble, ranks
from ..board import Board
from ..dataset import Distances, Distribution, Walk, at_distances, levels_to
from ..solver import Solver, best_solver

__all__ = ["all_distances", "scramble_of"]

_MOST_LISTED = 13_000_000  # boards, 8 bytes each: all up to distance 22 on 4x4
_POOL_SEED = 15


@lru_cache(maxsize=2)
def scramble_of(distribution: Distribution, goal: Board, pool: int, solver: Optional[Solver]) -> Scramble:
    """An object that draws the boards of a distribution; ValueError if no board has such a distance.

    Boards at given distances are listed if they are few enough, and each is equally likely. Otherwise `pool` boards are
    drawn once, always the same ones, with the distances that the solver finds.
    """
    if isinstance(distribution, Walk):
        return Scramble.walk(goal.shape, goal.packed, distribution.least, distribution.most)
    if not isinstance(distribution, Distances):
        return Scramble.uniform(goal.shape, goal.packed)
    distribution.check(goal)
    distances, weights = map(np.array, zip(*distribution.weights))
    levels = _listed(distribution, distances, goal)
    if levels is None:
        numbers = np.ceil(pool * weights / weights.sum()).astype(np.int64)
        finder = best_solver(goal) if solver is None else solver
        boards = at_distances(np.repeat(distances, numbers), _POOL_SEED, finder)
    else:
        numbers = np.array([len(level) for level in levels])
        boards = np.concatenate(levels)
    ends = np.cumsum(numbers).astype(np.uint64)
    shares = np.cumsum(weights) / weights.sum()
    chances = np.array([min(int(share * 2.0**64), 2**64 - 1) for share in [*shares[:-1].tolist(), 1.0]], np.uint64)
    return Scramble.listed(goal.shape, goal.packed, np.ascontiguousarray(boards), ends, chances)


def _listed(distribution: Distances, distances: NDArray[np.int64], goal: Board) -> Optional[list[NDArray[np.uint64]]]:
    """All boards at each distance; None if there are too many."""
    if not distribution.are_listed(goal):
        return None
    levels = levels_to(goal, int(distances.max()))
    some = [levels[distance] for distance in distances.tolist()]
    return some if sum(map(len, some)) <= _MOST_LISTED else None


@lru_cache(maxsize=4)
def all_distances(goal: Board) -> NDArray[np.uint8]:
    """The distance of every board that reaches the goal, by the board's number (`ranks`).

    3x3 takes a tenth of a second, 2x5 a second.

    >>> table = all_distances(Board.goal((3, 3)))
    >>> len(table), int(table.max())
    (181440, 31)
    """
    levels = levels_to(goal, 255)
    table = np.empty(sum(map(len, levels)), dtype=np.uint8)
    for distance, boards in enumerate(levels):
        table[ranks(boards, goal.shape)] = distance
    table.flags.writeable = False
    return table
