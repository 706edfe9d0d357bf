"""Packed boards of one shape, as arrays of uint64: checked, written, moved and drawn. 0 stands for a bad board."""

from __future__ import annotations

import operator
from array import array
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from .._core.base import board as _board
from .._system.lazy import np
from .._system.quantities import abbreviated
from .._system.threads import slices
from ..errors import BoardError
from ._notation import DEFAULT_SHAPE, Shape, board_pattern, check_shape, check_tiles, format_shape

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_ROWS = 1 << 15  # boards that are handled together: some hundredths of a second


def check_packed(packed: int, shape: Shape) -> int:
    """Return a packed board; raise BoardError unless it is one."""
    if 0 <= packed < 1 << 64 and _board.check(packed, shape):
        return packed
    cells = shape[0] * shape[1]
    name = f"packed board {packed:#x}"
    if packed < 0 or packed >> 4 * cells:
        raise BoardError(f"{name}: a {format_shape(shape)} board uses bits 0 .. {4 * cells - 1} only")
    check_tiles(tuple(packed >> 4 * cell & 15 for cell in range(cells)), shape, name)
    raise AssertionError(f"C and Python disagree about {name}")


def packed_array(packed: Any) -> NDArray[np.uint64]:
    """Packed boards that users give as an array; BoardError if they are not numbers of 64 bits."""
    try:
        boards = packed if isinstance(packed, np.ndarray) else np.array(array("Q", map(operator.index, packed)))
        if boards.ndim != 1 or boards.dtype.kind not in "iu" or boards.min(initial=0) < 0:
            raise TypeError
    except (TypeError, OverflowError):
        raise BoardError(
            f"packed boards {abbreviated(packed)}: expected whole numbers from 0 to 2**64 - 1, an array (N,) as "
            "pack_boards makes it of other boards"
        ) from None
    return np.ascontiguousarray(boards, dtype=np.uint64)


def check_many(packed: Any, shape: Shape, marks: bool = False) -> NDArray[np.uint64]:
    """Packed boards that users give, checked; with `marks`, 0 may be among them."""
    boards = packed_array(packed)
    status = np.empty(len(boards), dtype=np.uint8)
    if _board.check_many(boards, shape, status):
        for index in np.flatnonzero((status != 0) & (boards != 0) if marks else status)[:1].tolist():
            try:
                check_packed(int(boards[index]), shape)
            except BoardError as error:
                raise BoardError(f"board {index}: {error}") from None
    return boards


def unpack_boards(packed: ArrayLike, shape: Sequence[int] = DEFAULT_SHAPE) -> NDArray[np.uint8]:
    """The tiles of many packed boards, as `pack_boards` returns them: uint8 (N, cells), row-major, 0 for the blank.

    0, which stands for a bad board, gives zeros. Another number that is not a board raises BoardError.

    >>> unpack_boards([0x0321, 0x1302], (2, 2)).tolist()
    [[1, 2, 3, 0], [2, 0, 3, 1]]
    """
    shape = check_shape(shape)
    boards = check_many(packed, shape, marks=True)
    tiles = np.empty((len(boards), shape[0] * shape[1]), dtype=np.uint8)
    _board.unpack_many(boards, shape, tiles)
    return tiles


def one_hot(tiles: ArrayLike) -> NDArray[np.uint8]:
    """Return boards as planes for a network: uint8 (N, tiles, cells), 1 where a tile (0: the blank) is on a cell.

    `tiles` is (N, cells), as `unpack_boards` returns it, or any numbers from 0 to cells - 1. Flattened, the planes are
    the inputs of the package's networks: number 16 tile + cell of a 4x4 board.

    >>> one_hot([[1, 2, 0, 3]]).tolist()
    [[[0, 0, 1, 0], [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1]]]
    """
    boards = np.asarray(tiles)
    cells = boards.shape[-1] if boards.ndim == 2 else 0
    if not cells or boards.dtype.kind not in "iu" or boards.min(initial=0) < 0 or boards.max(initial=0) >= cells:
        raise BoardError(
            f"tiles {boards.dtype} {boards.shape}: expected numbers of tiles (N, cells), from 0 to cells - 1"
        )
    planes: NDArray[np.uint8] = (boards[:, None, :] == np.arange(cells)[:, None]).astype(np.uint8)
    return planes


def format_boards(
    packed: ArrayLike, shape: Sequence[int] = DEFAULT_SHAPE, style: str = "slash", blank: str = "0"
) -> list[str]:
    """Write many packed boards, as `format_board` does. 0, which stands for a bad board, gives an empty text.

    >>> format_boards([0x0321, 0x1302], (2, 2))
    ['1 2/3 0', '2 0/3 1']
    """
    shape = check_shape(shape)
    pattern, words = board_pattern(*shape, style, blank)
    packed = check_many(packed, shape, marks=True)
    word_of = np.array(words, dtype=object)
    texts: list[str] = []
    for rows in slices(len(packed), _ROWS):
        tiles = np.empty((rows.stop - rows.start, len(words)), dtype=np.uint8)
        _board.unpack_many(packed[rows], shape, tiles)
        texts += [pattern % tuple(row) for row in word_of[tiles].tolist()]
    for index in np.flatnonzero(packed == 0).tolist():
        texts[index] = ""
    return texts


@cache
def neighbours(shape: Shape) -> NDArray[np.int8]:
    """Return the cell next to each cell in each direction of the blank, -1 beyond the edge: int8 (cells, 4)."""
    cells = range(shape[0] * shape[1])
    return np.array([[_board.neighbour(shape, cell, direction) for direction in range(4)] for cell in cells], np.int8)


@cache
def legal_directions(shape: Shape) -> NDArray[np.uint8]:
    """Return the directions in which the blank can go from each cell, bit d for direction d: uint8 (cells,)."""
    masks: NDArray[np.uint8] = ((neighbours(shape) >= 0) << np.arange(4)).sum(axis=1).astype(np.uint8)
    return masks


def blank_cells(packed: NDArray[np.uint64], shape: Shape) -> NDArray[np.int64]:
    """Return the blank's cell of every board.

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
    """Return the boards after the blank has gone from its cell to a neighbouring one.

    >>> [hex(board) for board in slide(np.array([0x0321], dtype=np.uint64), np.array([3]), np.array([2])).tolist()]
    ['0x3021']
    """
    source = (4 * to).astype(np.uint64)
    tile = packed >> source & np.uint64(15)
    moved: NDArray[np.uint64] = packed ^ tile << source ^ tile << (4 * blank).astype(np.uint64)
    return moved


def shuffled(count: int, rng: np.random.Generator, goal: int, shape: Shape) -> NDArray[np.uint64]:
    """`count` packed boards that can reach the packed `goal`, each equally likely."""
    cells = shape[0] * shape[1]
    packed = np.empty(count, dtype=np.uint64)
    for rows in slices(count, _ROWS):
        some = packed[rows]
        # Sorting floats gives the same boards with every version of numpy. Ties are as rare as 1 in 10^14.
        tiles = np.argsort(rng.random((len(some), cells)), axis=1, kind="stable").astype(np.uint8)
        status = np.empty(len(some), dtype=np.uint8)
        _board.pack_many(tiles, shape, some, status)
        _board.solvable_many(some, goal, shape, status)
        # Exchanging tiles 1 and 2 maps the unsolvable boards one to one onto the solvable ones.
        unsolvable = status == 0
        tiles[unsolvable] = np.array([0, 2, 1, *range(3, cells)], dtype=np.uint8)[tiles[unsolvable]]
        _board.pack_many(tiles, shape, some, status)
    return packed
