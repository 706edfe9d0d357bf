"""The boards of each distance from a goal, listed by breadth-first search.

A process keeps the lists of the last goal. On 4x4, the boards up to distance 22 take 2 s and 100 MB.
"""

from __future__ import annotations

from typing import NamedTuple, Optional

import numpy as np
from numpy.typing import NDArray

from ..board import Board, Shape, neighbours, slide
from ..parallel import ThreadLock, check_stop

__all__ = ["levels_to"]

#: The boards at one distance, by the blank's cell; sorted.
_Plane = dict[int, NDArray[np.uint64]]


class _Listing(NamedTuple):
    """The boards at distance 0, 1, ..; and the last two levels as planes, empty after the farthest boards."""

    goal: Optional[Board]
    levels: tuple[NDArray[np.uint64], ...]
    before: _Plane
    last: _Plane


_lock = ThreadLock()
_listing = _Listing(None, (), {}, {})


def levels_to(goal: Board, farthest: int) -> tuple[NDArray[np.uint64], ...]:
    """The boards at each distance from 0 to `farthest`; fewer arrays if no board is that far away.

    Examples
    --------
    >>> [len(level) for level in levels_to(Board.goal((2, 2)), 9)]
    [1, 2, 2, 2, 2, 2, 1]
    """
    global _listing
    with _lock:  # otherwise every thread lists them all
        if _listing.goal != goal:
            first = np.array([goal.packed], dtype=np.uint64)
            _listing = _Listing(goal, (first,), {}, {goal.blank: first})
        while len(_listing.levels) <= farthest and _listing.last:
            _, levels, before, last = _listing
            plane = _next_plane(before, last, goal.shape)
            if plane:
                levels = (*levels, np.concatenate(list(plane.values())))
            _listing = _Listing(goal, levels, last, plane)
        return _listing.levels[: farthest + 1]


def _next_plane(before: _Plane, level: _Plane, shape: Shape) -> _Plane:
    """The boards one move farther than `level`; `before` holds those one move nearer."""
    cells = shape[0] * shape[1]
    result = {}
    for to in range(cells):
        check_stop()
        parts = [
            slide(level[cell], np.full(1, cell), np.full(1, to))
            for cell in range(cells)
            if cell in level and to in neighbours(shape)[cell]
        ]
        if parts:
            boards = np.sort(np.concatenate(parts), kind="stable")  # merges, a third of the time for some sorted runs
            check_stop()
            boards = boards[np.append(True, boards[1:] != boards[:-1])]  # np.unique may take several times as long
            known = before.get(to)
            if known is not None:
                check_stop()
                nearest = np.minimum(np.searchsorted(known, boards), len(known) - 1)
                boards = boards[known[nearest] != boards]
            if len(boards):
                result[to] = boards
    return result
