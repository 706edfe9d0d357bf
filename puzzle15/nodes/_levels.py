"""Breadth-first search level by level, over packed boards as sorted arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._system.threads import check_stop
from ..board import Shape, blank_cells, neighbours

#: The boards of a level, by the blank's cell; sorted.
Plane = dict[int, NDArray[np.uint64]]


def levels_from(packed: int, shape: Shape) -> Iterator[NDArray[np.uint64]]:
    """Yield the boards at each distance from a packed board, which may hold equal tiles; each level is one array.

    >>> [len(level) for level in levels_from(0x0321, (2, 2))], [len(level) for level in levels_from(0x0111, (2, 2))]
    ([1, 2, 2, 2, 2, 2, 1], [1, 2, 1])
    """
    before: Plane = {}
    last = plane_of(np.array([packed], dtype=np.uint64), shape)
    while last:
        yield np.concatenate(list(last.values()))
        before, last = last, next_plane(before, last, shape)


def plane_of(packed: NDArray[np.uint64], shape: Shape) -> Plane:
    """Return different packed boards as a level."""
    blanks = blank_cells(packed, shape)
    return {cell: np.sort(packed[blanks == cell]) for cell in set(blanks.tolist())}


def next_plane(before: Plane, level: Plane, shape: Shape, check: Callable[[], Any] = check_stop) -> Plane:
    """Return the boards one move farther than `level`; `before` has those one move nearer. `check` is called often."""
    result = {}
    beside: list[Any] = neighbours(shape).tolist()
    for to, cells in enumerate(beside):
        check()
        parts = [_slid(level[cell], cell, to) for cell in sorted(cells) if cell in level]
        if parts:
            boards = np.sort(np.concatenate(parts), kind="stable")  # merges, a third of the time for some sorted runs
            check()
            first = np.ones(len(boards), dtype=bool)
            np.not_equal(boards[1:], boards[:-1], out=first[1:])
            boards = boards[first]  # np.unique may take several times as long
            for known in (before.get(to), level.get(to)):  # the latter if a search begins at boards of both parities
                if known is not None:
                    check()
                    boards = boards[~among(boards, known)]
            if len(boards):
                result[to] = boards
    return result


def _slid(packed: NDArray[np.uint64], blank: int, to: int) -> NDArray[np.uint64]:
    """Return the boards after the blank, which is in the same cell of all, has gone to a neighbouring one."""
    tiles = packed >> np.uint64(4 * to) & np.uint64(15)
    slid: NDArray[np.uint64] = packed ^ tiles * np.uint64(1 << 4 * blank | 1 << 4 * to)
    return slid


def among(boards: NDArray[np.uint64], known: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Return which boards are among known ones, which are sorted, and at least one."""
    is_known: NDArray[np.bool_] = known.take(np.searchsorted(known, boards), mode="clip") == boards
    return is_known
