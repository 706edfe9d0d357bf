"""The exact distances of boards, and their optimal actions: from a list of all boards, or by the solver."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from .._core.learning.environment import ranks
from ..board import Board
from ..dataset import levels_to
from ..solver import Solver, label

__all__ = ["MOST_LISTED_CELLS", "all_distances", "solved"]

#: Boards of so many cells have all their distances in a table: at most 1.8 MB.
MOST_LISTED_CELLS = 10


@lru_cache(maxsize=4)
def all_distances(goal: Board) -> NDArray[np.uint8]:
    """The distance of every board that reaches the goal, by the board's number (`ranks`).

    Boards of 3x3 take a tenth of a second, those of 2x5 a second.

    Examples
    --------
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


def solved(
    packed: NDArray[np.uint64], solver: Solver, threads: int, all_moves: bool
) -> tuple[NDArray[np.uint8], NDArray[np.int8]]:
    """(the distances of packed boards, 1 for each optimal action), by the solver.

    If not `all_moves`, only the distances are asked for, which is faster, and no action is marked.
    """
    if not all_moves:
        return solver.solve_packed(packed, workers=threads)["length"], np.zeros((len(packed), 4), dtype=np.int8)
    columns = label(solver, packed, first_moves=True, workers=threads)
    optimal = columns["first_moves"][:, None] >> np.arange(4, dtype=np.uint8) & 1
    return columns["distance"], optimal.astype(np.int8)
