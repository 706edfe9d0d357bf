"""Lines that begin with small whole numbers, many of them read at once.

Reading one line in Python takes ten microseconds. Nearly all lines have the plain form that programs write. numpy reads
those, a million in half a second, and leaves every other line to its caller.
"""

from __future__ import annotations

from functools import reduce
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["SEPARATORS", "Rows", "plain_rows"]

#: What stands between numbers: one or two of them in a plain line.
SEPARATORS = ",; \t"

_LINE_FEED = 10


class Rows(NamedTuple):
    """The lines of a text."""

    values: NDArray[np.int16]
    """(N, width): the numbers of plain lines."""

    plain: NDArray[np.bool_]
    """(N,)"""

    begins: NDArray[np.intp]
    """(N,)"""

    ends: NDArray[np.intp]
    """(N,): where the line feeds are."""


def plain_rows(text: bytes, width: int) -> Rows:
    """Read lines that begin with `width` numbers of one or two digits; each line ends with a line feed.

    A plain line begins with a digit. One or two separators stand between numbers. Behind the last number the line ends,
    or a separator or a comment (#) stands there.

    >>> rows = plain_rows(b"1,0,12\\n4, 5, 6 # near\\n1,x,2\\n7\\t8\\t9\\n", 3)
    >>> rows.values[rows.plain].tolist(), rows.plain.tolist()
    ([[1, 0, 12], [4, 5, 6], [7, 8, 9]], [True, True, False, True])
    """
    characters = np.frombuffer(text, dtype=np.uint8)
    ends = np.flatnonzero(characters == _LINE_FEED)
    begins = np.concatenate([[0], ends[:-1] + 1])
    digits = characters - np.uint8(ord("0"))  # of no digit: more than 9
    is_digit = digits < 10
    # The first and the last digits of numbers. The last character of the text is a line feed.
    number_ends = np.flatnonzero(is_digit[:-1] > is_digit[1:])
    number_begins = np.flatnonzero(is_digit[1:] > is_digit[:-1]) + 1
    if is_digit[:1].any():
        number_begins = np.concatenate([[0], number_begins])
    if len(number_ends) < width:
        return Rows(np.zeros((len(ends), width), np.int16), np.zeros(len(ends), bool), begins, ends)
    # The first and the last digit of each line's numbers; of a line with fewer, those of later ones, too.
    if len(number_ends) == width * len(ends) and (number_begins[::width] == begins).all():
        firsts, lasts = number_begins.reshape(-1, width), number_ends.reshape(-1, width)
    else:
        numbers = np.searchsorted(number_begins, begins)[:, np.newaxis] + np.arange(width)
        np.minimum(numbers, len(number_ends) - 1, out=numbers)
        firsts, lasts = number_begins[numbers], number_ends[numbers]
    separates = reduce(np.logical_or, [characters == ord(separator) for separator in SEPARATORS])
    before, behind = lasts[:, :-1], firsts[:, 1:]
    fine = lasts - firsts < 2
    fine[:, 1:] &= (before < behind) & (behind - before < 4) & separates[before + 1] & separates[behind - 1]
    after = lasts[:, -1] + 1
    plain = fine.all(axis=1) & (firsts[:, 0] == begins) & (after <= ends)
    plain &= separates[after] | (after == ends) | (characters[after] == ord("#"))
    values = digits * np.uint8(10)  # of numbers of two digits: the tens at the ones, which are added
    values *= is_digit
    values[1:] = values[:-1]
    values[:1] = 0
    values += digits
    return Rows(values[lasts].astype(np.int16), plain, begins, ends)
