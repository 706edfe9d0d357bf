"""Packed boards drawn uniformly from those that reach a goal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._core.base import board as _board
from ..parallel import slices
from ..system.later import np
from .notation import Shape

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["shuffled"]

_ROWS = 1 << 16  # boards that one step of numpy draws, in some tens of milliseconds at most


def shuffled(count: int, rng: np.random.Generator, goal: int, shape: Shape) -> NDArray[np.uint64]:
    """`count` packed boards that can reach the packed `goal`, each equally likely."""
    cells = shape[0] * shape[1]
    packed = np.empty(count, dtype=np.uint64)
    for rows in slices(count, _ROWS):
        # Sorting floats gives the same boards with every version of numpy. Ties are as rare as 1 in 10^14.
        draws = rng.random((rows.stop - rows.start, cells))
        tiles = np.argsort(draws, axis=1, kind="stable").astype(np.uint8)
        some = _pack(tiles, shape)
        solvable = np.empty(len(some), dtype=np.uint8)
        _board.solvable_many(some, goal, shape, solvable)
        # Exchanging tiles 1 and 2 maps the unsolvable boards one to one onto the solvable ones.
        exchanged = np.array([0, 2, 1, *range(3, cells)], dtype=np.uint8)[tiles[solvable == 0]]
        some[solvable == 0] = _pack(exchanged, shape)
        packed[rows] = some
    return packed


def _pack(tiles: NDArray[np.uint8], shape: Shape) -> NDArray[np.uint64]:
    packed = np.empty(len(tiles), dtype=np.uint64)
    _board.pack_many(np.ascontiguousarray(tiles), shape, packed, np.empty(len(tiles), dtype=np.uint8))
    return packed
