"""Finding boards that cannot reach the goal, and the message about them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .._core.base import board as _board
from ..errors import Puzzle15Error, UnsolvableError
from ..system.later import np
from .board import Board, BoardLike
from .packing import pack_readable
from .words import packed_words

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["pack_solvable", "solvable", "unsolvable_text"]


def pack_solvable(boards: Any, goal: Board, on_error: str) -> tuple[NDArray[np.uint64], dict[int, Puzzle15Error]]:
    """Pack boards that are to reach a goal.

    Parameters
    ----------
    boards : array or iterable
        As for `pack_boards`.
    goal : Board
    on_error : {"raise", "mark"}
        Whether the first bad board raises, or each is marked.

    Returns
    -------
    packed : ndarray of uint64, shape (N,)
        0 where a board is unreadable.
    errors : dict of int to Puzzle15Error
        By index: of the unreadable boards, and of those that cannot reach the goal.

    Raises
    ------
    BoardError, UnsolvableError
        With the index of the first bad board.

    Examples
    --------
    >>> packed, errors = pack_solvable(["1 2/3 0", "2 1/3 0", "1 1/3 0"], Board.goal((2, 2)), "mark")
    >>> [(index, type(error).__name__) for index, error in sorted(errors.items())]
    [(1, 'UnsolvableError'), (2, 'BoardError')]
    """
    if on_error not in ("raise", "mark"):
        raise ValueError(f"on_error={on_error!r}: expected 'raise' or 'mark'")
    packed, shape, unreadable = pack_readable(boards, goal=goal)
    errors: dict[int, Puzzle15Error] = dict(unreadable)
    readable = np.ones(len(packed), dtype=bool)
    readable[list(errors)] = False
    for index in np.flatnonzero(readable)[~solvable(packed[readable], goal)].tolist():
        board = Board._of(int(packed[index]), shape)
        errors[index] = UnsolvableError(f"board {index}: {unsolvable_text(board, goal)}")
    if on_error == "raise" and errors:
        raise errors[min(errors)]
    return packed, errors


def solvable(packed: ArrayLike, goal: BoardLike) -> NDArray[np.bool_]:
    """Which boards can reach a goal.

    Parameters
    ----------
    packed : array of uint64, shape (N,)
        Boards of the goal's shape, as `pack_boards` returns them.
    goal : board

    Returns
    -------
    ndarray of bool, shape (N,)
        False of the word 0, which stands for a bad board.

    Raises
    ------
    BoardError
        With the index of the first other word that is no board.

    Examples
    --------
    >>> solvable([Board("1 2/3 0").packed, Board("2 1/3 0").packed], Board.goal((2, 2))).tolist()
    [True, False]
    """
    target = Board(goal)
    words = packed_words(packed, target.shape, marks=True)
    result = np.empty(len(words), dtype=np.uint8)
    _board.solvable_many(words, target.packed, target.shape, result)
    return result.view(np.bool_)


def unsolvable_text(board: Board, goal: Board) -> str:
    """The message about a board that cannot reach the goal.

    >>> unsolvable_text(Board("2 1/3 0"), Board.goal((2, 2)))
    '2 1/3 0 cannot reach the goal 1 2/3 0: half of all arrangements cannot; exchanging any two tiles makes it solvable'
    """
    return (
        f"{board} cannot reach the goal {goal}: half of all arrangements cannot; "
        f"exchanging any two tiles makes it solvable"
    )
