"""Many boards, each with a string of moves of its own: where they lead, and what lies on the way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Optional

from .._core.base import board as _board
from ..errors import BoardError
from ..parallel import slices
from ..system.later import np
from .board import Board, BoardsLike
from .moves import directions_from_moves, read_moves
from .notation import Shape
from .packing import pack_readable

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["apply_moves", "boards_along"]

_ROWS = 1 << 14  # boards that go their ways together

#: (every board on the way, where each way ends there, bad boards by index)
_Ways = tuple["NDArray[np.uint64]", "NDArray[np.int64]", dict[int, BoardError]]


def apply_moves(
    boards: BoardsLike,
    texts: Sequence[str],
    convention: str = "tile",
    *,
    shape: Optional[Sequence[int]] = None,
    on_error: str = "raise",
) -> tuple[NDArray[np.uint64], dict[int, BoardError]]:
    """The boards after strings of moves, one string for each board.

    Parameters
    ----------
    boards : array or iterable
        N boards, as for `pack_boards`.
    texts : sequence of str
        N strings of moves, each as for `Board.apply`.
    convention : {"tile", "blank"}
        Whether a letter names the direction of the tile or that of the blank.
    shape : (int, int), optional
        Rows and columns of every board, as for `pack_boards`.
    on_error : {"raise", "mark"}
        Whether the first bad board raises, or each is marked.

    Returns
    -------
    packed : ndarray of uint64, shape (N,)
        0, which is not a board, where a board or its moves are bad.
    errors : dict of int to BoardError
        By index: of unreadable boards, unreadable moves and illegal moves.

    Raises
    ------
    BoardError
        With the index of the first bad board.
    ValueError
        The numbers of boards and of texts differ.

    Examples
    --------
    >>> packed, errors = apply_moves(["1 2/3 0", "1 2/3 0"], ["DR", "DD"], on_error="mark")
    >>> [hex(board) for board in packed.tolist()]
    ['0x2310', '0x0']
    >>> print(errors[1])
    board 1: moves 'DD': move 2 (D) is illegal on 1 0/3 2, where U R are legal
    """
    packed = np.empty(len(texts), dtype=np.uint64)
    errors: dict[int, BoardError] = {}
    for rows, (boards_there, ends, some_errors) in _follow(boards, texts, convention, shape, on_error):
        packed[rows] = boards_there[ends]
        errors.update(some_errors)
    packed[list(errors)] = 0
    return packed, errors


def boards_along(
    boards: BoardsLike,
    texts: Sequence[str],
    convention: str = "tile",
    *,
    shape: Optional[Sequence[int]] = None,
    on_error: str = "raise",
) -> tuple[list[NDArray[np.uint64]], dict[int, BoardError]]:
    """Every board along strings of moves, one string for each board.

    Parameters
    ----------
    boards, texts, convention, shape, on_error
        As for `apply_moves`.

    Returns
    -------
    along : list of ndarray of uint64
        For each board n + 1 packed boards, where n is the number of its moves: the board itself, then one after
        every move. Empty where a board or its moves are bad.
    errors : dict of int to BoardError
        As for `apply_moves`.

    Examples
    --------
    >>> along, errors = boards_along(["1 2/3 0"], ["DR"])
    >>> [hex(board) for board in along[0].tolist()]
    ['0x321', '0x2301', '0x2310']
    """
    along: list[NDArray[np.uint64]] = []
    errors: dict[int, BoardError] = {}
    for _, (boards_there, ends, some_errors) in _follow(boards, texts, convention, shape, on_error):
        along += np.split(boards_there, ends[:-1] + 1)
        errors.update(some_errors)
    for index in errors:
        along[index] = np.empty(0, dtype=np.uint64)
    return along, errors


def _follow(
    boards: BoardsLike, texts: Sequence[str], convention: str, shape: Optional[Sequence[int]], on_error: str
) -> Iterator[tuple[slice, _Ways]]:
    """Boards in slices, and the ways from them."""
    if on_error not in ("raise", "mark"):
        raise ValueError(f"on_error={on_error!r}: expected 'raise' or 'mark'")
    packed, told, unreadable = pack_readable(boards, shape)
    if len(packed) != len(texts):
        raise ValueError(f"{len(packed)} boards and {len(texts)} strings of moves: expected one for each board")
    for rows in slices(len(packed), _ROWS):
        some = {index: error for index, error in unreadable.items() if rows.start <= index < rows.stop}
        ways = _follow_some(packed[rows], rows.start, texts[rows], convention, told, some)
        if on_error == "raise" and ways[2]:
            raise ways[2][min(ways[2])]
        yield rows, ways


def _follow_some(
    packed: NDArray[np.uint64],
    first: int,
    texts: Sequence[str],
    convention: str,
    shape: Shape,
    errors: dict[int, BoardError],
) -> _Ways:
    """The ways of a slice that begins at the board of number `first`; `errors` holds its unreadable boards."""
    letters, unreadable = read_moves(texts, convention)
    for index, error in unreadable.items():
        errors.setdefault(first + index, BoardError(f"board {first + index}: {error}"))
    for index in errors:
        letters[index - first] = ""
    ends = np.cumsum([len(each) for each in letters], dtype=np.uint64)
    boards = np.empty(len(packed) + int(ends[-1]), dtype=np.uint64)
    made = np.empty(len(packed), dtype=np.uint64)
    _board.follow_many(packed, shape, directions_from_moves("".join(letters)), ends, boards, made)
    for index in np.flatnonzero(made != np.diff(ends, prepend=np.uint64(0))).tolist():
        try:
            Board._of(int(packed[index]), shape).apply(texts[index], convention)
        except BoardError as error:
            errors[first + index] = BoardError(f"board {first + index}: {error}")
    return boards, (ends + np.arange(len(packed), dtype=np.uint64)).astype(np.int64), errors
