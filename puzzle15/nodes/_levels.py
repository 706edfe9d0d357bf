"""Breadth-first search level by level, over packed boards as sorted arrays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._system.threads import check_stop
from ..board import Shape, neighbours, slide

#: The boards of a level, by the blank's cell; sorted.
Plane = dict[int, NDArray[np.uint64]]


def levels_from(packed: int, shape: Shape) -> Iterator[NDArray[np.uint64]]:
    """Yield the boards at each distance from a packed board, which may hold equal tiles; each level is one array.

    >>> [len(level) for level in levels_from(0x0321, (2, 2))], [len(level) for level in levels_from(0x0111, (2, 2))]
    ([1, 2, 2, 2, 2, 2, 1], [1, 2, 1])
    """
    before: Plane = {}
    blank = next(cell for cell in range(shape[0] * shape[1]) if not packed >> 4 * cell & 15)
    last = {blank: np.array([packed], dtype=np.uint64)}
    while last:
        yield np.concatenate(list(last.values()))
        before, last = last, next_plane(before, last, shape)


def next_plane(before: Plane, level: Plane, shape: Shape) -> Plane:
    """The boards one move farther than `level`; `before` holds those one move nearer."""
    result = {}
    beside: list[Any] = neighbours(shape).tolist()
    for to, cells in enumerate(beside):
        check_stop()
        parts = [slide(level[cell], np.full(1, cell), np.full(1, to)) for cell in sorted(cells) if cell in level]
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
