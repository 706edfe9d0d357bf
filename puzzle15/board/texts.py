"""Many boards as texts, read and written together.

Reading one text takes `puzzle15.board.notation` some ten microseconds, because it accepts every form. Nearly all texts
have one of the forms that programs write. Those are read in C, which leaves every other text to `notation`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Optional

from .._core.base import board as _board
from ..parallel import slices
from ..system.later import np
from .notation import DEFAULT_SHAPE, Shape, board_pattern, check_shape
from .words import packed_words

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["format_boards", "read_plain"]

_ROWS = 1 << 15  # texts that are read or written together: some hundredths of a second


def read_plain(texts: Sequence[str], shape: Optional[Shape] = None) -> tuple[NDArray[np.uint64], NDArray[np.uint8]]:
    """Read the texts that have a plain form, which are nearly all.

    The plain forms are what `format_board` writes on one line, except for rows of two digits and for a blank that is
    ``b`` or the number of cells. They are read as `parse_board` reads them.

    Parameters
    ----------
    texts : sequence of str
    shape : (int, int), optional
        The only shape that is accepted. By default any; then a board without separate rows is square.

    Returns
    -------
    packed : ndarray of uint64, shape (N,)
        0, which is not a board, where a text has another form or is not a board: it is to be read alone.
    shapes : ndarray of uint8, shape (N, 2)
        Rows and columns.

    Examples
    --------
    >>> packed, shapes = read_plain(["1 2 3/4 5 0", "1230", " 1 2/3 b", "1 1/1 0"])
    >>> [hex(board) for board in packed.tolist()], shapes[:2].tolist()
    (['0x54321', '0x321', '0x0', '0x0'], [[2, 3], [2, 2]])
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


def format_boards(
    packed: ArrayLike, shape: Sequence[int] = DEFAULT_SHAPE, style: str = "slash", blank: str = "0"
) -> list[str]:
    """Write many packed boards.

    Parameters
    ----------
    packed : array of uint64, shape (N,)
        Boards, as `pack_boards` returns them.
    shape : (int, int)
        Rows and columns of every board.
    style, blank
        As for `format_board`.

    Returns
    -------
    list of str
        An empty text of the word 0, which stands for a bad board.

    Raises
    ------
    BoardError
        With the index of the first other word that is no board.

    Examples
    --------
    >>> format_boards([0x0321, 0x1302], (2, 2))
    ['1 2/3 0', '2 0/3 1']
    """
    shape = check_shape(shape)
    pattern, words = board_pattern(*shape, style, blank)
    packed = packed_words(packed, shape, marks=True)
    word_of = np.array(words, dtype=object)
    texts: list[str] = []
    for rows in slices(len(packed), _ROWS):
        tiles = np.empty((rows.stop - rows.start, len(words)), dtype=np.uint8)
        _board.unpack_many(packed[rows], shape, tiles)
        texts += [pattern % tuple(row) for row in word_of[tiles].tolist()]
    for index in np.flatnonzero(packed == 0).tolist():
        texts[index] = ""
    return texts
