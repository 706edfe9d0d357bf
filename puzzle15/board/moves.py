"""The text of moves, read and written.

Moves are letters ``U D L R``, one per move.  Written for people, a digit repeats the letter
before it (``URDL2U``); both forms are read.  A letter is the direction in which the *tile* moves,
unless ``moves="blank"`` says that it is the blank's.  Inside the package moves are strings of tile
letters without digits.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Union

from ..errors import BoardError
from .notation import abbreviated

__all__ = [
    "MOVE_CONVENTIONS",
    "check_convention",
    "directions_from_moves",
    "format_moves",
    "moves_from_directions",
    "parse_moves",
]

#: What a move letter may name the direction of.
MOVE_CONVENTIONS = ("tile", "blank")

# The letter of the tile that moves, by the direction of the blank: up, left, right, down.
_TILE_LETTERS = b"DRLU"
_BLANK_DIRECTIONS = bytes(range(4))
_TO_DIRECTIONS = bytes.maketrans(_TILE_LETTERS, _BLANK_DIRECTIONS)
_TO_LETTERS = bytes.maketrans(_BLANK_DIRECTIONS, _TILE_LETTERS)
_OPPOSITE = str.maketrans("UDLR", "DURL")


def parse_moves(text: str, moves: str = "tile") -> str:
    """Read a move string.

    Parameters
    ----------
    text : str
        Letters in upper or lower case, each with at most one digit behind it;
        spaces and commas are skipped.
    moves : {"tile", "blank"}
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
    >>> parse_moves("URDL2u", moves="blank")
    'DLURRD'
    """
    check_convention(moves)
    letters = re.sub(r"[\s,]+", "", text).upper()
    bad = re.search(r"[^UDLR1-9]|(?<![UDLR])[1-9]", letters)
    if bad:
        raise BoardError(
            f"moves {abbreviated(text)}: cannot read {bad[0]!r} after {letters[: bad.start()]!r}; "
            "write letters U D L R, each with at most one digit 1 .. 9 behind it to repeat it"
        )
    letters = re.sub(r"([UDLR])([1-9])", lambda found: found[1] * int(found[2]), letters)
    return letters.translate(_OPPOSITE) if moves == "blank" else letters


def format_moves(letters: str, moves: str = "tile", compress: bool = False) -> str:
    """Write a move string.

    Parameters
    ----------
    letters : str
        Tile letters, one per move, as `parse_moves` returns them.
    moves : {"tile", "blank"}
        Whether to write the directions of the tiles or of the blank.
    compress : bool
        Whether to write a letter's repetitions as a digit, for people to read.

    Returns
    -------
    str

    Examples
    --------
    >>> format_moves("URDLLU", moves="blank")
    'DLURRD'
    >>> format_moves("URDLLU", compress=True)
    'URDL2U'
    """
    check_convention(moves)
    if moves == "blank":
        letters = letters.translate(_OPPOSITE)
    if not compress:
        return letters
    return re.sub(r"(.)\1{1,8}", lambda found: f"{found[1]}{len(found[0])}", letters)


def check_convention(moves: str) -> None:
    """ValueError unless `moves` is a convention's name."""
    if moves not in MOVE_CONVENTIONS:
        raise ValueError(f"moves={moves!r}: expected one of {', '.join(MOVE_CONVENTIONS)}")


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
