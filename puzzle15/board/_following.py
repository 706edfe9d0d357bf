"""Many boards, each with its own moves: the boards at the end of the moves, and all boards along them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Optional

from .._core.base import board as _board
from .._system.lazy import np
from .._system.quantities import check_choice
from .._system.threads import slices
from ..errors import BoardError, OptionError
from ._board import Board, BoardsLike
from ._moves import Convention, directions_from_moves, parse_moves
from ._notation import listed
from ._packing import ON_ERROR, OnError, pack_boards

if TYPE_CHECKING:
    from numpy.typing import NDArray

_ROWS = 1 << 14  # boards whose moves are made together


def apply_moves(
    boards: BoardsLike,
    texts: Iterable[str],
    *,
    convention: Convention = "tile",
    shape: Optional[Sequence[int]] = None,
    on_error: OnError = "raise",
) -> tuple[NDArray[np.uint64], dict[int, BoardError]]:
    """Return the boards after strings of moves, one string for each board.

    `boards`, `shape` and `on_error` are as for `pack_boards`, and each text as for `Board.apply`.

    Returns
    -------
    packed : ndarray of uint64, shape (N,)
        0, which is not a board, where a board or its moves are bad.
    errors : dict of int to BoardError
        By index: of unreadable boards, unreadable moves and illegal moves.

    Examples
    --------
    >>> packed, errors = apply_moves(["1 2/3 0", "1 2/3 0"], ["DR", "DD"], on_error="mark")
    >>> [hex(board) for board in packed.tolist()]
    ['0x2310', '0x0']
    >>> print(errors[1])
    board 1: moves 'DD': move 2 (D) is illegal on 1 0/3 2, where U R are legal
    """
    texts = listed(texts, "text")
    packed = np.empty(len(texts), dtype=np.uint64)
    errors: dict[int, BoardError] = {}
    for rows, along, ends in _follow(boards, texts, convention, shape, on_error, errors):
        packed[rows] = along[ends]
    packed[list(errors)] = 0
    return packed, errors


def boards_along(
    boards: BoardsLike,
    texts: Iterable[str],
    *,
    convention: Convention = "tile",
    shape: Optional[Sequence[int]] = None,
    on_error: OnError = "raise",
) -> tuple[list[NDArray[np.uint64]], dict[int, BoardError]]:
    """Every board along strings of moves, one string for each board; arguments and errors are those of `apply_moves`.

    Each board has an array of packed boards: the board itself, then one after every move. It is empty where a board or
    its moves are bad.

    >>> along, errors = boards_along(["1 2/3 0"], ["DR"])
    >>> [hex(board) for board in along[0].tolist()]
    ['0x321', '0x2301', '0x2310']
    """
    every: list[NDArray[np.uint64]] = []
    errors: dict[int, BoardError] = {}
    for _, along, ends in _follow(boards, listed(texts, "text"), convention, shape, on_error, errors):
        every += np.split(along, ends[:-1] + 1)
    for index in errors:
        every[index] = np.empty(0, dtype=np.uint64)
    return every, errors


def _follow(
    boards: BoardsLike,
    texts: list[str],
    convention: Convention,
    shape: Optional[Sequence[int]],
    on_error: OnError,
    errors: dict[int, BoardError],
) -> Iterator[tuple[slice, NDArray[np.uint64], NDArray[np.int64]]]:
    """Make the moves of slices of boards, and note errors: (slice, all boards along, where each board's own end)."""
    check_choice("on_error", on_error, ON_ERROR)
    packed, known, unreadable = pack_boards(boards, shape, on_error="mark")
    if len(packed) != len(texts):
        raise OptionError(f"{len(packed)} boards and {len(texts)} strings of moves: expected one for each board")
    errors.update(unreadable)
    for rows in slices(len(packed), _ROWS):
        letters = [""] * (rows.stop - rows.start)
        for index, text in enumerate(texts[rows], rows.start):
            try:
                letters[index - rows.start] = "" if index in unreadable else parse_moves(text, convention=convention)
            except BoardError as error:
                errors[index] = BoardError(f"board {index}: {error}")
        ends = np.cumsum([len(each) for each in letters], dtype=np.uint64)
        along = np.empty(len(letters) + int(ends[-1]), dtype=np.uint64)
        made = np.empty(len(letters), dtype=np.uint64)
        _board.follow_many(packed[rows], known, directions_from_moves("".join(letters)), ends, along, made)
        illegal = np.flatnonzero(made != np.diff(ends, prepend=np.uint64(0)))
        for index in (illegal + rows.start).tolist():
            try:
                Board._of(int(packed[index]), known).apply(texts[index], convention=convention)
            except BoardError as error:
                errors[index] = BoardError(f"board {index}: {error}")
        first = min((index for index in errors if index < rows.stop), default=None)
        if on_error == "raise" and first is not None:
            raise errors[first]
        yield rows, along, (ends + np.arange(len(letters), dtype=np.uint64)).astype(np.int64)
