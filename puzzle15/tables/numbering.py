"""Placements: sequences of different cells, one for each tile, numbered from 0 in their lexicographic order.

On a board of three cells, two tiles stand on cells 0 1, 0 2, 1 0, 1 2, 2 0, 2 1, in this order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import perm
from typing import TYPE_CHECKING

from ..board import check_shape, neighbours
from ..system.later import np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["placement_count", "placement_moves", "placement_ranks", "placements", "placements_of"]


def placement_count(shape: Sequence[int], tiles: int) -> int:
    """How many placements so many tiles have on a board of a shape."""
    rows, cols = check_shape(shape)
    return perm(rows * cols, tiles)


def placements(shape: Sequence[int], tiles: int) -> NDArray[np.uint8]:
    """All placements of so many tiles in their order, as the cell of each tile: uint8 of shape (N, tiles).

    The blank counts as a tile where it is listed like one.

    Examples
    --------
    >>> placements((2, 2), 2).tolist()[:5]
    [[0, 1], [0, 2], [0, 3], [1, 0], [1, 2]]
    """
    return placements_of(np.arange(placement_count(shape, tiles)), shape, tiles)


def placements_of(ranks: ArrayLike, shape: Sequence[int], tiles: int) -> NDArray[np.uint8]:
    """The placements of these numbers: the inverse of `placement_ranks`."""
    rows, cols = check_shape(shape)
    left = np.array(ranks, dtype=np.int64)
    cells = np.empty((len(left), tiles), dtype=np.uint8)
    for tile in range(tiles - 1, -1, -1):
        left, cells[:, tile] = np.divmod(left, rows * cols - tile)
        # later cells are counted among those that this one and earlier ones leave
        later = cells[:, tile + 1 :]
        later += later >= cells[:, tile, None]
    return cells


def placement_ranks(cells: ArrayLike, shape: Sequence[int]) -> NDArray[np.int64]:
    """The numbers of placements, given as the different cells of their tiles: ints of shape (N, tiles).

    Examples
    --------
    >>> placement_ranks([[0, 1, 2, 3], [15, 14, 13, 12]], (4, 4)).tolist()
    [0, 43679]
    """
    rows, cols = check_shape(shape)
    cells = np.asarray(cells)
    ranks = np.zeros(len(cells), dtype=np.int64)
    for tile in range(cells.shape[1]):
        here = cells[:, tile]
        ranks *= rows * cols - tile
        ranks += here
        ranks -= (cells[:, :tile] < here[:, None]).sum(axis=1)
    return ranks


def placement_moves(
    cells: NDArray[np.uint8], shape: tuple[int, int]
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]]:
    """All moves from placements that list the blank last, one direction of the blank after the other.

    Each is (index, after, own): which placements have the move, their numbers after it, whether a listed tile moves.
    """
    for direction in range(4):
        to = neighbours(shape)[cells[:, -1], direction]
        index = np.flatnonzero(to >= 0)
        tiles, blank, empty = cells[index, :-1], cells[index, -1:], to[index, None].astype(np.uint8)
        moved = tiles == empty
        after = np.hstack([np.where(moved, blank, tiles), empty])
        yield index, placement_ranks(after, shape), moved.any(axis=1)
