"""Moves of many boards at once: packed boards, each with a direction of its own."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from .._core.base import board as _board
from ..system.later import np
from .notation import Shape

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["blank_cells", "legal_directions", "neighbours", "slide"]


@cache
def neighbours(shape: Shape) -> NDArray[np.int8]:
    """The cell next to each cell in each direction of the blank, -1 beyond the edge: int8 (cells, 4)."""
    cells = range(shape[0] * shape[1])
    return np.array([[_board.neighbour(shape, cell, direction) for direction in range(4)] for cell in cells], np.int8)


@cache
def legal_directions(shape: Shape) -> NDArray[np.uint8]:
    """The directions in which the blank can go from each cell, bit d for direction d: uint8 (cells,)."""
    masks: NDArray[np.uint8] = ((neighbours(shape) >= 0) << np.arange(4)).sum(axis=1).astype(np.uint8)
    return masks


def blank_cells(packed: NDArray[np.uint64], shape: Shape) -> NDArray[np.int64]:
    """The blank's cell of every board.

    Examples
    --------
    >>> blank_cells(np.array([0x0321, 0x3021], dtype=np.uint64), (2, 2)).tolist()
    [3, 2]
    """
    ones = np.uint64(sum(1 << 4 * cell for cell in range(shape[0] * shape[1])))
    some = packed | packed >> np.uint64(1)
    some |= some >> np.uint64(2)
    # one bit is left, at four times the cell, which a float holds exactly
    blank = (~some & ones).astype(np.float64)
    return (np.frexp(blank)[1].astype(np.int64) - 1) >> 2


def slide(packed: NDArray[np.uint64], blank: NDArray[np.int64], to: NDArray[np.int64]) -> NDArray[np.uint64]:
    """The boards after the blank has gone from its cell to a neighbouring one.

    Examples
    --------
    >>> [hex(board) for board in slide(np.array([0x0321], dtype=np.uint64), np.array([3]), np.array([2])).tolist()]
    ['0x3021']
    """
    source = (4 * to).astype(np.uint64)
    tile = packed >> source & np.uint64(15)
    moved: NDArray[np.uint64] = packed ^ tile << source ^ tile << (4 * blank).astype(np.uint64)
    return moved
