"""The random boards with which episodes begin, from the distributions of data sets.

Boards at given distances are listed, if they are few enough, and each is equally likely. Otherwise a pool of them is
drawn once, always the same one; episodes begin with its boards again and again.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Optional

import numpy as np
from numpy.typing import NDArray

from .._core.learning.environment import Scramble
from ..board import Board
from ..dataset import Distances, Distribution, Walk, at_distances, levels_to
from ..solver import Solver, best_solver

__all__ = ["scramble_of"]

_MOST_LISTED = 13_000_000  # boards, 8 bytes each: all up to distance 22 on 4x4
_POOL_SEED = 15


@lru_cache(maxsize=2)
def scramble_of(distribution: Distribution, goal: Board, pool: int, solver: Optional[Solver]) -> Scramble:
    """What draws the boards of a distribution.

    Parameters
    ----------
    distribution : Distribution
    goal : Board
    pool : int
        The number of boards that are drawn where they cannot be listed.
    solver : Solver, optional
        It finds their distances; by default the one with the best installed tables.

    Raises
    ------
    ValueError
        No board has such a distance.
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
        boards = at_distances(
            np.repeat(distances, numbers),
            _POOL_SEED,
            best_solver(goal) if solver is None else solver,
        )
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
