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
    """How many placements so many tiles have on a board of a shape.

    Examples
    --------
    >>> placement_count((4, 4), 4), placement_count((3, 3), 8)
    (43680, 362880)
    """
    rows, cols = check_shape(shape)
    return perm(rows * cols, tiles)


def placements(shape: Sequence[int], tiles: int) -> NDArray[np.uint8]:
    """All placements of so many tiles, in the order of their numbers.

    Parameters
    ----------
    shape : (int, int)
    tiles : int
        The blank counts as a tile where it is listed like one.

    Returns
    -------
    ndarray of uint8, shape (N, tiles)
        The cell of each tile.

    Examples
    --------
    >>> placements((2, 2), 2).tolist()[:5]
    [[0, 1], [0, 2], [0, 3], [1, 0], [1, 2]]
    """
    return placements_of(np.arange(placement_count(shape, tiles)), shape, tiles)


def placements_of(ranks: ArrayLike, shape: Sequence[int], tiles: int) -> NDArray[np.uint8]:
    """The placements of these numbers: the inverse of `placement_ranks`.

    Examples
    --------
    >>> placements_of([0, 43679], (4, 4), 4).tolist()
    [[0, 1, 2, 3], [15, 14, 13, 12]]
    """
    rows, cols = check_shape(shape)
    left = np.array(ranks, dtype=np.int64)
    cells = np.empty((len(left), tiles), dtype=np.uint8)
    for place in range(tiles - 1, -1, -1):
        left, cells[:, place] = np.divmod(left, rows * cols - place)
        # later cells are counted among those that this one and earlier ones leave
        later = cells[:, place + 1 :]
        later += later >= cells[:, place, None]
    return cells


def placement_ranks(cells: ArrayLike, shape: Sequence[int]) -> NDArray[np.int64]:
    """The numbers of placements.

    Parameters
    ----------
    cells : array of int, shape (N, tiles)
        The cell of each tile, all different.
    shape : (int, int)

    Returns
    -------
    ndarray of int64, shape (N,)

    Examples
    --------
    >>> placement_ranks([[0, 1, 2, 3], [15, 14, 13, 12]], (4, 4)).tolist()
    [0, 43679]
    """
    rows, cols = check_shape(shape)
    cells = np.asarray(cells)
    ranks = np.zeros(len(cells), dtype=np.int64)
    for place in range(cells.shape[1]):
        here = cells[:, place]
        ranks *= rows * cols - place
        ranks += here
        ranks -= (cells[:, :place] < here[:, None]).sum(axis=1)
    return ranks


def placement_moves(
    cells: NDArray[np.uint8], shape: tuple[int, int]
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]]:
    """All moves from placements that list the blank last, one direction of the blank after the other.

    Yields
    ------
    index : ndarray of int64, shape (M,)
        Which of the placements have this move.
    after : ndarray of int64, shape (M,)
        The numbers of the placements after it.
    own : ndarray of bool, shape (M,)
        Whether it moves a tile that is listed.
    """
    for direction in range(4):
        to = neighbours(shape)[cells[:, -1], direction]
        index = np.flatnonzero(to >= 0)
        tiles, blank, empty = cells[index, :-1], cells[index, -1:], to[index, None].astype(np.uint8)
        moved = tiles == empty
        after = np.hstack([np.where(moved, blank, tiles), empty])
        yield index, placement_ranks(after, shape), moved.any(axis=1)
