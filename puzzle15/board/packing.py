"""Many boards as an array of packed words, checked and converted in C."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Optional

from .._core.base import board as _board
from ..errors import BoardError
from ..system.later import np
from .board import Board, BoardLike, BoardsLike, board_beside
from .notation import DEFAULT_SHAPE, Shape, check_shape, format_shape
from .texts import read_plain
from .words import error_of, named, packed_words

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["pack_boards", "pack_readable", "unpack_boards"]

#: (packed boards, shape, errors by index)
_Packed = tuple["NDArray[np.uint64]", Shape, dict[int, BoardError]]


def pack_boards(
    boards: BoardsLike,
    shape: Optional[Sequence[int]] = None,
    *,
    on_error: str = "raise",
    goal: Optional[BoardLike] = None,
) -> tuple[Any, ...]:
    """Check many boards and pack each into one word.

    Parameters
    ----------
    boards : array or iterable
        An integer array or memoryview (N, cells) or (N, rows, cols); one of
        uint64 (N,) of packed boards; or an iterable, such as a list, a column of a table or
        an array of texts, of anything that `Board` takes.  The arrays of numbers are converted in C.
    shape : (int, int), optional
        Rows and columns of every board.  By default those of an (N, rows, cols)
        array, or of the first readable board of an iterable; the square with
        that many cells; or 4x4 for packed boards.
    on_error : {"raise", "mark"}
        Whether the first bad board raises, or each is marked; so are missing ones: None, and the NaN of pandas.
    goal : board, optional
        The board that all boards are to reach; it replaces `shape`.

    Returns
    -------
    packed : ndarray of uint64, shape (N,)
        0, which is not a board, where a board is bad.
    shape : (int, int)
    errors : list of (BoardError or None), length N
        Only with ``on_error="mark"``.

    Raises
    ------
    BoardError
        The first bad board, named by its index.  A shape that the boards
        cannot have raises with any `on_error`.

    Examples
    --------
    >>> packed, shape = pack_boards(["1 2 3/4 5 6/7 8 0", "867254301"])
    >>> [hex(board) for board in packed.tolist()], shape
    (['0x87654321', '0x103452768'], (3, 3))
    >>> packed, shape, errors = pack_boards([[0, 1, 2, 3], [1, 1, 2, 3]], on_error="mark")
    >>> packed.tolist(), shape
    ([12816, 0], (2, 2))
    >>> print(errors[1])
    board 1: [1, 1, 2, 3]: tile 1 occurs twice, the blank is missing; \
a 2x2 board holds the blank (0) and each of 1 .. 3 exactly once
    """
    if on_error not in ("raise", "mark"):
        raise ValueError(f"on_error={on_error!r}: expected 'raise' or 'mark'")
    packed, shape, errors = pack_readable(boards, shape, goal)
    if on_error == "mark":
        return packed, shape, [errors.get(index) for index in range(len(packed))]
    if errors:
        raise errors[min(errors)]
    return packed, shape


def pack_readable(boards: Any, shape: Optional[Sequence[int]] = None, goal: Optional[BoardLike] = None) -> _Packed:
    """Pack boards as `pack_boards` does, but return the errors by index: (packed, shape, errors)."""
    goal = None if goal is None else Board(goal)
    if isinstance(boards, (str, Board)):
        raise TypeError(f"one {type(boards).__name__}: expected many boards; for one, give a list: [board]")
    if goal is not None:
        wanted: Optional[Shape] = goal.shape
    else:
        wanted = None if shape is None else check_shape(shape)
    if isinstance(boards, memoryview):
        boards = np.asarray(boards)

    if not isinstance(boards, np.ndarray) or (boards.ndim == 1 and boards.dtype.kind in "OUT"):
        return _pack_each(boards, wanted, goal)
    if boards.ndim == 1 and boards.dtype == np.uint64:
        return _pack_words(boards, wanted or DEFAULT_SHAPE)
    if boards.ndim in (2, 3) and boards.dtype.kind in "iu":
        return _pack_tiles(boards, wanted, goal)
    raise TypeError(
        f"an array of boards is integer (N, cells) or (N, rows, cols), or uint64 (N,), "
        f"not {boards.dtype} {boards.shape}"
    )


def unpack_boards(packed: ArrayLike, shape: Sequence[int] = DEFAULT_SHAPE) -> NDArray[np.uint8]:
    """The tiles of many packed boards.

    Parameters
    ----------
    packed : array of uint64, shape (N,)
        Boards, as `pack_boards` returns them.
    shape : (int, int)
        Rows and columns of every board.

    Returns
    -------
    ndarray of uint8, shape (N, cells)
        Row-major, 0 for the blank; only zeros of the word 0, which stands for a bad board.

    Raises
    ------
    BoardError
        With the index of the first other word that is no board.

    Examples
    --------
    >>> unpack_boards([0x0321, 0x1302], (2, 2)).tolist()
    [[1, 2, 3, 0], [2, 0, 3, 1]]
    """
    shape = check_shape(shape)
    words = packed_words(packed, shape, marks=True)
    tiles = np.empty((len(words), shape[0] * shape[1]), dtype=np.uint8)
    _board.unpack_many(words, shape, tiles)
    return tiles


def _pack_each(boards: Iterable[Any], shape: Optional[Shape], goal: Optional[Board]) -> _Packed:
    given = list(boards)
    packed = np.zeros(len(given), dtype=np.uint64)
    errors: dict[int, BoardError] = {}
    start = 0
    while start < len(given) and shape is None:  # the first readable board says the shape
        shape = _pack_one(given, start, None, None, packed, errors)
        start += 1
    if any(isinstance(each, str) for each in given[start:]):
        packed[start:] = read_plain([each if isinstance(each, str) else "" for each in given[start:]], shape)[0]
    for index in (start + np.flatnonzero(packed[start:] == 0)).tolist():
        _pack_one(given, index, shape, goal, packed, errors)
    return packed, shape or DEFAULT_SHAPE, errors


def _pack_one(
    given: list[Any],
    index: int,
    shape: Optional[Shape],
    goal: Optional[Board],
    packed: NDArray[np.uint64],
    errors: dict[int, BoardError],
) -> Optional[Shape]:
    """Pack the board of an index, or keep its error; returns the board's shape."""
    try:
        board = Board(given[index], shape) if goal is None else board_beside(goal, given[index])
    except (BoardError, TypeError) as error:  # what is no board at all is a TypeError
        errors[index] = named(index, error)
        return None
    packed[index] = board.packed
    return board.shape


def _pack_words(words: NDArray[np.uint64], shape: Shape) -> _Packed:
    packed = words.copy()  # contiguous, and the caller's own
    status = np.empty(len(packed), dtype=np.uint8)
    errors = {}
    if _board.check_many(packed, shape, status):
        for index in np.flatnonzero(status).tolist():
            errors[index] = error_of(index, int(packed[index]), shape)
        packed[status != 0] = 0
    return packed, shape, errors


def _pack_tiles(boards: NDArray[Any], shape: Optional[Shape], goal: Optional[Board]) -> _Packed:
    shape = _shape_of_array(boards, shape, "" if goal is None else f", the shape of the goal {goal}")
    cells = shape[0] * shape[1]
    numbers = boards.reshape(len(boards), cells).copy()  # what is checked is what is packed
    tiles = _to_bytes(numbers)
    packed = np.empty(len(tiles), dtype=np.uint64)
    status = np.empty(len(tiles), dtype=np.uint8)
    errors = {}
    if _board.pack_many(tiles, shape, packed, status):
        # The blank may be written as the number of cells, where there is no 0.
        bad = np.flatnonzero(status)
        again = tiles[bad]
        again[(again == cells) & ~(again == 0).any(axis=1, keepdims=True)] = 0
        packed_again = np.empty(len(bad), dtype=np.uint64)
        status = np.empty(len(bad), dtype=np.uint8)
        if _board.pack_many(again, shape, packed_again, status):
            for index in bad[status != 0].tolist():
                errors[index] = error_of(index, numbers[index].tolist(), shape)
        packed[bad] = packed_again
    return packed, shape, errors


def _to_bytes(numbers: NDArray[Any]) -> NDArray[np.uint8]:
    """The numbers as contiguous uint8; those that do not fit become 255, which is not a tile."""
    if numbers.dtype == np.uint8:
        return np.ascontiguousarray(numbers)
    tiles = numbers.astype(np.uint8, order="C")
    tiles[tiles != numbers] = 255
    return tiles


def _shape_of_array(boards: NDArray[Any], shape: Optional[Shape], why: str) -> Shape:
    if boards.ndim == 3:
        told = check_shape(boards.shape[1:])
        if shape not in (None, told):
            raise BoardError(f"an array of {format_shape(told)} boards; expected {format_shape(shape)} ones{why}")
        return told
    cells = boards.shape[1]
    if shape is None:
        side = round(cells**0.5)
        if side * side != cells:
            raise BoardError(f"an array of {cells} columns is not square; give its shape")
        return check_shape((side, side))
    if cells != shape[0] * shape[1]:
        raise BoardError(
            f"an array of {cells} columns; expected {shape[0] * shape[1]}, one for each cell of a "
            f"{format_shape(shape)} board{why}"
        )
    return shape
