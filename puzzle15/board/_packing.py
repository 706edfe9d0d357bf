"""Many boards in any form, read into an array of packed boards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal, Optional, get_args

from .._core.base import board as _board
from .._system.lazy import np
from .._system.quantities import check_choice
from .._system.threads import slices
from ..errors import BoardError
from ._board import Board, BoardLike, BoardsLike, read_board_like
from ._notation import DEFAULT_SHAPE, Shape, check_shape, format_shape, listed

if TYPE_CHECKING:
    from numpy.typing import NDArray

_ROWS = 1 << 15  # texts that are read together: some hundredths of a second

#: (packed boards, shape, errors by index)
_Packed = tuple["NDArray[np.uint64]", Shape, dict[int, BoardError]]

#: Whether the first bad board raises, or each is marked.
OnError = Literal["raise", "mark"]
ON_ERROR: tuple[OnError, ...] = get_args(OnError)


def pack_boards(
    boards: BoardsLike,
    shape: Optional[Sequence[int]] = None,
    *,
    on_error: OnError = "raise",
    goal: Optional[BoardLike] = None,
) -> _Packed:
    """Check many boards and pack each into one word.

    Parameters
    ----------
    boards : array or iterable
        An array or memoryview of whole numbers (N, cells) or (N, rows, cols); one of uint64 (N,) of packed boards; or
        an iterable, such as a list, a column of a table or an array of texts, of anything that `Board` takes. The
        arrays of numbers are converted in C. A table, such as a DataFrame, has a column for each cell.
    shape : (int, int), optional
        Rows and columns of every board. By default those of an (N, rows, cols) array, or of the first readable board of
        an iterable; the square with that many cells; or 4x4 for packed boards.
    on_error : {"raise", "mark"}
        Whether the first bad board raises BoardError, or each is marked; so are missing ones: None, and pandas' NaN.
        A shape that the boards cannot have always raises.
    goal : board, optional
        The board that all boards are to reach; it replaces `shape`.

    Returns
    -------
    packed : ndarray of uint64, shape (N,)
        0, which is not a board, where a board is bad.
    shape : (int, int)
    errors : dict of int to BoardError
        Of the bad boards, by index.

    Examples
    --------
    >>> packed, shape, _ = pack_boards(["1 2 3/4 5 6/7 8 0", "867254301"])
    >>> [hex(board) for board in packed.tolist()], shape
    (['0x87654321', '0x103452768'], (3, 3))
    >>> packed, shape, errors = pack_boards([[0, 1, 2, 3], [1, 1, 2, 3]], on_error="mark")
    >>> packed.tolist(), shape, list(errors)
    ([12816, 0], (2, 2), [1])
    """
    check_choice("on_error", on_error, ON_ERROR)
    goal = None if goal is None else Board(goal)
    wanted = goal.shape if goal is not None else None if shape is None else check_shape(shape)
    is_table = hasattr(boards, "columns")  # of pandas, for example; it iterates over the names of its columns
    given = np.asarray(boards) if is_table or isinstance(boards, memoryview) else boards
    if not isinstance(given, np.ndarray) or (given.ndim == 1 and given.dtype.kind in "OUT"):
        found = _pack_each(given, wanted, goal)
    elif given.ndim == 1 and given.dtype == np.uint64:
        wanted = wanted or DEFAULT_SHAPE
        packed = given.copy()  # contiguous, and the caller's own
        status = np.empty(len(packed), dtype=np.uint8)
        _board.check_many(packed, wanted, status)
        found = _with_errors(packed, wanted, status, packed)
    elif given.ndim in (2, 3) and (given.dtype.kind in "iu" or _are_whole(given)):
        given = given.astype(np.int64) if given.dtype.kind == "f" else given
        found = _pack_tiles(given, wanted, goal)
    else:
        advice = "; of a table, give the column of boards, or the columns of cells as integers" * is_table
        raise TypeError(
            f"an array of boards is of whole numbers (N, cells) or (N, rows, cols), or uint64 (N,), "
            f"not {given.dtype} {given.shape}{advice}"
        )
    errors = found[2]
    if on_error == "raise" and errors:
        raise errors[min(errors)]
    return found


def _are_whole(given: NDArray[Any]) -> bool:
    """Return whether floats are whole numbers, as a table with missing values makes of integers."""
    return (
        given.dtype.kind == "f" and bool((given == np.rint(given)).all()) and float(np.abs(given).max(initial=0)) < 1e9
    )


def read_plain(texts: Sequence[str], shape: Optional[Shape] = None) -> tuple[NDArray[np.uint64], NDArray[np.uint8]]:
    """Read the texts that have a plain form, which are nearly all, in C: (packed boards, shapes as uint8 (N, 2)).

    The plain forms are what `format_board` writes on one line, except for rows of two digits and for a blank that is
    ``b`` or the number of cells. Other texts, and those that are not boards of `shape`, give 0; `Board` reads them.
    Without `shape`, a board without separate rows is square.

    >>> packed, shapes = read_plain(["1 2 3/4 5 0", "1230", " 1 2/3 b"])
    >>> [hex(board) for board in packed.tolist()], shapes[:2].tolist()
    (['0x54321', '0x321', '0x0'], [[2, 3], [2, 2]])
    """
    packed = np.empty(len(texts), dtype=np.uint64)
    shapes = np.empty((len(texts), 2), dtype=np.uint8)
    for rows in slices(len(texts), _ROWS):
        some = texts[rows]
        joined = "\n".join(some)
        if joined.count("\n") != len(some) - 1:  # a grid
            joined = "\n".join([text if "\n" not in text else "" for text in some])
        _board.read_lines(joined.encode("ascii", "replace"), shape or (0, 0), packed[rows], shapes[rows])
    return packed, shapes


def _pack_each(boards: Iterable[Any], shape: Optional[Shape], goal: Optional[Board]) -> _Packed:
    """Pack boards of any form: the plain texts together, the others one by one."""
    given = listed(boards, "board")
    packed = np.zeros(len(given), dtype=np.uint64)
    errors: dict[int, BoardError] = {}

    def pack_one(index: int) -> Optional[Shape]:
        try:
            board = Board(given[index], shape) if goal is None else read_board_like(goal, given[index])
        except (BoardError, TypeError) as error:  # something that is not a board at all is a TypeError
            errors[index] = BoardError(f"board {index}: {error}")
            return None
        packed[index] = board.packed
        return board.shape

    start = 0
    while start < len(given) and shape is None:  # the first readable board determines the shape
        shape = pack_one(start)
        start += 1
    if any(isinstance(each, str) for each in given[start:]):
        packed[start:] = read_plain([each if isinstance(each, str) else "" for each in given[start:]], shape)[0]
    for index in (start + np.flatnonzero(packed[start:] == 0)).tolist():
        pack_one(index)
    return packed, shape or DEFAULT_SHAPE, errors


def _pack_tiles(boards: NDArray[Any], shape: Optional[Shape], goal: Optional[Board]) -> _Packed:
    """Pack an array of tiles."""
    why = "" if goal is None else f", the shape of the goal {goal}"
    count = boards.shape[1]
    if boards.ndim == 3:
        own = check_shape(boards.shape[1:])
        if shape not in (None, own):
            raise BoardError(f"an array of {format_shape(own)} boards; expected {format_shape(shape)} ones{why}")
        shape = own
    elif shape is None:
        side = round(count**0.5)
        if side * side != count:
            raise BoardError(f"an array of {count} columns is not square; give its shape")
        shape = check_shape((side, side))
    elif count != shape[0] * shape[1]:
        raise BoardError(
            f"an array of {count} columns; expected {shape[0] * shape[1]}, one for each cell of a "
            f"{format_shape(shape)} board{why}"
        )
    cells = shape[0] * shape[1]
    numbers = boards.reshape(len(boards), cells).copy()  # the caller cannot change it between check and use
    tiles = np.ascontiguousarray(numbers, dtype=np.uint8)
    if numbers.dtype != np.uint8:
        tiles[tiles != numbers] = 255  # which is not a tile
    packed = np.empty(len(tiles), dtype=np.uint64)
    status = np.empty(len(tiles), dtype=np.uint8)
    if _board.pack_many(tiles, shape, packed, status):
        # The number of cells stands for the blank; beside a 0 there are then two blanks, which is an error, too.
        _board.pack_many(np.where(tiles == cells, np.uint8(0), tiles), shape, packed, status)
    return _with_errors(packed, shape, status, numbers)


def _with_errors(packed: NDArray[np.uint64], shape: Shape, status: NDArray[np.uint8], given: NDArray[Any]) -> _Packed:
    """Packed boards, and the errors of those with a status, which become 0."""
    errors = {}
    bad = np.flatnonzero(status)
    for index in bad.tolist():
        try:
            Board(given[index].tolist(), shape)
            raise AssertionError(f"C and Python disagree about {given[index]}")
        except BoardError as error:
            errors[index] = BoardError(f"board {index}: {error}")
    packed[bad] = 0
    return packed, shape, errors
