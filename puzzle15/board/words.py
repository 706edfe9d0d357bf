"""Packed boards that users give, checked; and the errors about boards among many, which name their index."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from .._core.base import board as _board
from ..errors import BoardError
from ..system.later import np
from .board import Board
from .notation import Shape, abbreviated

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["error_of", "named", "packed_words"]


def packed_words(packed: Any, shape: Shape, marks: bool = False) -> NDArray[np.uint64]:
    """Packed boards as the kernels take them, checked.

    Parameters
    ----------
    packed : array of uint64, shape (N,)
    shape : (int, int)
        Rows and columns of every board.
    marks : bool
        Whether 0, which `pack_boards` gives for a bad board, may be among them.

    Raises
    ------
    BoardError
        With the index of the first word that is no board.

    Examples
    --------
    >>> packed_words([0x0321, 0x0322], (2, 2))
    Traceback (most recent call last):
        ...
    puzzle15.errors.BoardError: board 1: packed board 0x322: tile 2 occurs twice, tile 1 is missing; \
a 2x2 board holds the blank (0) and each of 1 .. 3 exactly once
    """
    try:
        words = packed if isinstance(packed, np.ndarray) else np.array([*map(operator.index, packed)], dtype=np.uint64)
        if words.ndim != 1 or words.dtype.kind not in "iu":
            raise TypeError
    except (TypeError, OverflowError):
        raise BoardError(
            f"packed boards {abbreviated(packed)}: expected whole numbers from 0 to 2**64 - 1, an array (N,) as "
            "pack_boards makes it of other boards"
        ) from None
    words = np.ascontiguousarray(words, dtype=np.uint64)
    status = np.empty(len(words), dtype=np.uint8)
    if _board.check_many(words, shape, status):
        for index in np.flatnonzero((status != 0) & (words != 0) if marks else status)[:1].tolist():
            raise error_of(index, int(words[index]), shape)
    return words


def named(index: int, error: Exception) -> BoardError:
    """An error about one board as that of a board among many."""
    return BoardError(f"board {index}: {error}")


def error_of(index: int, given: Any, shape: Shape) -> BoardError:
    """The error of a board that is known to be bad."""
    try:
        Board(given, shape)
    except BoardError as error:
        return named(index, error)
    raise AssertionError(f"C and Python disagree about {given}")
