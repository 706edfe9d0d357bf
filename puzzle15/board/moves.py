"""The text of moves, read and written.

Moves are letters ``U D L R``, one per move.  Written for people, a digit repeats the letter
before it (``URDL2U``); both forms are read.  A letter is the direction in which the *tile* moves,
unless ``convention="blank"`` says that it is the blank's.  Inside the package moves are strings of tile
letters without digits.

A metric says what counts as one move.  In the single-tile metric, ``stm``, that is one tile by one
step.  In the multi-tile metric, ``mtm``, it is all tiles that slide along a line together: equal letters
in a row are one move.  A letter and its opposite are two moves, although together they change nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Union

from ..errors import BoardError
from .notation import abbreviated

__all__ = [
    "METRICS",
    "MOVE_CONVENTIONS",
    "check_convention",
    "check_metric",
    "count_moves",
    "directions_from_moves",
    "format_moves",
    "invert_moves",
    "moves_from_directions",
    "parse_moves",
    "read_moves",
    "simplify_moves",
    "split_moves",
]

#: What a move letter may name the direction of.
MOVE_CONVENTIONS = ("tile", "blank")

#: What may count as one move: one tile by one step, or tiles that slide along a line together.
METRICS = ("stm", "mtm")

# The letter of the tile that moves, by the direction of the blank: up, left, right, down.
_TILE_LETTERS = b"DRLU"
_BLANK_DIRECTIONS = bytes(range(4))
_TO_DIRECTIONS = bytes.maketrans(_TILE_LETTERS, _BLANK_DIRECTIONS)
_TO_LETTERS = bytes.maketrans(_BLANK_DIRECTIONS, _TILE_LETTERS)
_OPPOSITE = str.maketrans("UDLR", "DURL")

_UNDO = {"U": "D", "D": "U", "L": "R", "R": "L"}
_PAIRS = ("UD", "DU", "LR", "RL")  # a move and its undo

_UNREADABLE = re.compile(r"[^UDLR1-9\n]|(?<![UDLR])[1-9]")  # in lines of moves
# Replacing each form in turn takes a fifth of the time of a function that re.sub calls for each match.
_REPEATED = [(letter * count, f"{letter}{count}") for count in range(9, 0, -1) for letter in "UDLR"]


def parse_moves(text: str, convention: str = "tile") -> str:
    """Read a move string.

    Parameters
    ----------
    text : str
        Letters in upper or lower case, each with at most one digit behind it;
        spaces and commas are skipped.
    convention : {"tile", "blank"}
        Whether a letter names the direction of the tile or that of the blank.

    Returns
    -------
    str
        Tile letters, one per move.

    Raises
    ------
    BoardError
        If the text contains anything else.

    Examples
    --------
    >>> parse_moves("URDL2u")
    'URDLLU'
    >>> parse_moves("URDL2u", convention="blank")
    'DLURRD'
    """
    check_convention(convention)
    letters = _checked(text)
    if text.strip("UDLR"):  # something else is there
        letters = re.sub(r"[\s,]+", "", text).upper()
        bad = _UNREADABLE.search(letters)
        if bad:
            raise BoardError(
                f"moves {abbreviated(text)}: cannot read {bad[0]!r} {_place(letters[: bad.start()])}; "
                "write letters U D L R, each with at most one digit 1 .. 9 behind it to repeat it"
            )
        letters = _repeat(letters)
    return letters.translate(_OPPOSITE) if convention == "blank" else letters


def read_moves(texts: Sequence[str], convention: str = "tile") -> tuple[list[str], dict[int, BoardError]]:
    """Read many move strings together, which takes a fraction of the time of one after the other.

    Parameters
    ----------
    texts : sequence of str
    convention : {"tile", "blank"}
        As for `parse_moves`.

    Returns
    -------
    letters : list of str
        Of each text what `parse_moves` returns, or nothing where it raises.
    errors : dict of int to BoardError
        What it raises, by index.

    Examples
    --------
    >>> letters, errors = read_moves(["URDL2u", "", "X", "u, d"])
    >>> letters, list(errors)
    (['URDLLU', '', '', 'UD'], [2])
    """
    check_convention(convention)
    errors: dict[int, BoardError] = {}
    if not all(isinstance(text, str) for text in texts):
        texts = list(texts)
        for index, text in enumerate(texts):
            try:
                _checked(text)
            except BoardError as error:
                texts[index], errors[index] = "", error
    lines = "\n".join(texts).upper()
    if _UNREADABLE.search(lines) or lines.count("\n") != len(texts) - 1:
        some = [re.sub(r"[\s,]+", "", text).upper() for text in texts]
        for index, line in enumerate(some):
            if _UNREADABLE.search(line):
                try:
                    parse_moves(texts[index])
                except BoardError as error:
                    some[index], errors[index] = "", error
        lines = "\n".join(some)
    lines = _repeat(lines)
    if convention == "blank":
        lines = lines.translate(_OPPOSITE)
    return lines.split("\n") if len(texts) else [], errors


def format_moves(letters: str, convention: str = "tile", compress: bool = False) -> str:
    """Write a move string.

    Parameters
    ----------
    letters : str
        Tile letters, one per move, as `parse_moves` returns them; or many such strings, joined by newlines.
    convention : {"tile", "blank"}
        Whether to write the directions of the tiles or of the blank.
    compress : bool
        Whether to write a letter's repetitions as a digit, for people to read.

    Returns
    -------
    str

    Examples
    --------
    >>> format_moves("URDLLU", convention="blank")
    'DLURRD'
    >>> format_moves("URDLLU", compress=True)
    'URDL2U'
    """
    check_convention(convention)
    if convention == "blank":
        letters = letters.translate(_OPPOSITE)
    if compress:
        for plain, short in _REPEATED[:-4]:  # the longest first; a single letter stays
            letters = letters.replace(plain, short)
    return letters


def invert_moves(text: str) -> str:
    """The moves that undo a string of moves: the opposite moves in the opposite order.

    Parameters
    ----------
    text : str
        As for `parse_moves`.

    Returns
    -------
    str
        Letters without digits, in the convention of `text`: an inverse is the same in both.

    Raises
    ------
    BoardError
        If the text is unreadable.

    Examples
    --------
    >>> invert_moves("URDL2")
    'RRULD'
    >>> from puzzle15 import Board
    >>> Board.goal().apply("DRU").apply(invert_moves("DRU")) == Board.goal()
    True
    """
    return parse_moves(text)[::-1].translate(_OPPOSITE)


def simplify_moves(text: str) -> str:
    """Drop every move that is undone by the next one, until there is none.

    Moves lead to the same board before and after, and the result does not depend on which pair is dropped first.
    Detours, such as a tile's way around a square, stay: `puzzle15.solve` finds the shortest solution.

    Parameters
    ----------
    text : str
        As for `parse_moves`.

    Returns
    -------
    str
        Letters without digits, in the convention of `text`: what is dropped is the same in both.

    Raises
    ------
    BoardError
        If the text is unreadable.

    Examples
    --------
    >>> simplify_moves("U L R D"), simplify_moves("DR2LU")
    ('', 'DRU')
    """
    letters = parse_moves(text)
    if not any(pair in letters for pair in _PAIRS):
        return letters
    left = [""]
    for letter in letters:
        if left[-1] == _UNDO[letter]:
            left.pop()
        else:
            left.append(letter)
    return "".join(left)


def check_convention(convention: str) -> None:
    """ValueError unless `moves` is a convention's name."""
    if convention not in MOVE_CONVENTIONS:
        raise ValueError(f"convention={convention!r}: expected one of {', '.join(MOVE_CONVENTIONS)}")


def _repeat(letters: str) -> str:
    """Letters instead of digits."""
    for plain, short in _REPEATED:
        if short[1] in letters:
            letters = letters.replace(short, plain)
    return letters


def _checked(text: object) -> str:
    """A string of moves; BoardError if it is none."""
    if not isinstance(text, str):
        raise BoardError(f"moves {abbreviated(text)}: expected text, such as 'URDL2'")
    return text


def _place(before: str) -> str:
    """Where a mistake is, given what was read before it."""
    return f"after {before if len(before) <= 20 else '...' + before[-20:]!r}" if before else "at the beginning"


def directions_from_moves(letters: str) -> bytes:
    """The blank's directions (0 up, 1 left, 2 right, 3 down) of tile letters, as bytes.

    Examples
    --------
    >>> list(directions_from_moves("UD"))
    [3, 0]
    """
    return letters.encode("ascii").translate(_TO_DIRECTIONS)


def moves_from_directions(directions: Union[bytes, Iterable[int]]) -> str:
    """The tile letters of the blank's directions, given as bytes or an array of bytes.

    Examples
    --------
    >>> moves_from_directions(bytes([3, 0]))
    'UD'
    """
    return bytes(directions).translate(_TO_LETTERS).decode("ascii")


def count_moves(text: str, metric: str = "stm") -> int:
    """The number of moves in a move string.

    Parameters
    ----------
    text : str
        As for `parse_moves`; in either convention, since that changes no number.
    metric : {"stm", "mtm"}
        Whether to count single-tile moves or multi-tile moves.

    Returns
    -------
    int

    Raises
    ------
    BoardError
        If the text is unreadable.

    Examples
    --------
    >>> count_moves("URDL2U"), count_moves("URDL2U", "mtm")
    (6, 5)
    >>> count_moves("LR", "mtm")                # they cancel each other, but are two moves
    2
    """
    return len(split_moves(parse_moves(text), metric))


def split_moves(letters: str, metric: str = "stm") -> list[str]:
    """The moves of a move string, one by one, as a metric counts them.

    Parameters
    ----------
    letters : str
        Tile letters without digits, as `parse_moves` returns them.
    metric : {"stm", "mtm"}
        Whether a move is one letter, or all equal letters in a row.

    Returns
    -------
    list of str

    Examples
    --------
    >>> split_moves("URDLLU"), split_moves("URDLLU", "mtm")
    (['U', 'R', 'D', 'L', 'L', 'U'], ['U', 'R', 'D', 'LL', 'U'])
    """
    check_metric(metric)
    if metric == "stm":
        return list(letters)
    return [found[0] for found in re.finditer(r"(.)\1*", letters)]


def check_metric(metric: str) -> None:
    """ValueError unless `metric` is a metric's name."""
    if metric not in METRICS:
        raise ValueError(
            f"metric {metric!r}: expected stm, which counts single-tile moves, or mtm, which counts multi-tile moves"
        )
