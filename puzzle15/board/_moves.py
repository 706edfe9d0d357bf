"""The text of moves, read and written.

Moves are letters ``U D L R``, one per move. Written for people, ``L2`` means ``LL`` (``URDL2U``); both
forms are read. A letter is the direction in which the *tile* moves; with ``convention="blank"``, it is that of the
blank. Inside the package, moves are strings of tile letters without digits.

A metric defines what one move is. In the single-tile metric, ``stm``, one tile moves by one step. In the multi-tile
metric, ``mtm``, all tiles that slide along a line together are one move, so equal letters in a row are. A letter and
its opposite are two moves, although together they change nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal, Union, get_args

from .._system.quantities import abbreviated, check_choice
from ..errors import BoardError, OptionError

#: Whose direction a move letter may name.
Convention = Literal["tile", "blank"]
MOVE_CONVENTIONS: tuple[Convention, ...] = get_args(Convention)

#: What may count as one move: one tile by one step, or tiles that slide along a line together.
Metric = Literal["stm", "mtm"]
METRICS: tuple[Metric, ...] = get_args(Metric)

#: What a move of each metric is called.
KINDS: dict[Metric, str] = {"stm": "move", "mtm": "multi-tile move"}

#: The letters of the blank's directions, as they are numbered: 0 up, 1 left, 2 right, 3 down.
MOVE_ORDER = "ULRD"

# The letter of the tile that moves, by the direction of the blank: up, left, right, down.
_TILE_LETTERS = b"DRLU"
_BLANK_DIRECTIONS = bytes(range(4))
_TO_DIRECTIONS = bytes.maketrans(_TILE_LETTERS, _BLANK_DIRECTIONS)
_TO_LETTERS = bytes.maketrans(_BLANK_DIRECTIONS, _TILE_LETTERS)
_OPPOSITE = str.maketrans("UDLR", "DURL")

_PAIRS = ("UD", "DU", "LR", "RL")  # a move and its undo

_UNREADABLE = re.compile(r"[^UDLR1-9]|(?<![UDLR])[1-9]")
# Replacing each form in turn is five times as fast as a function that re.sub calls for each match.
_REPEATED = [(letter * count, f"{letter}{count}") for count in range(9, 0, -1) for letter in "UDLR"]


def parse_moves(text: str, *, convention: Convention = "tile") -> str:
    """Read a move string: letters in upper or lower case, each with at most one digit behind it.

    Spaces and commas are skipped. With ``convention="blank"``, a letter names the direction of the blank. The result is
    tile letters, one per move. BoardError names what is unreadable.

    >>> parse_moves("URDL2u"), parse_moves("URDL2u", convention="blank")
    ('URDLLU', 'DLURRD')
    """
    check_choice("convention", convention, MOVE_CONVENTIONS)
    if not isinstance(text, str):
        raise BoardError(f"moves {abbreviated(text)}: expected text, such as 'URDL2'")
    letters = text
    if text.strip("UDLR"):  # something else is there
        letters = re.sub(r"[\s,]+", "", text).upper()
        if bad := _UNREADABLE.search(letters):
            before = letters[: bad.start()]
            where = f"after {before if len(before) <= 20 else '...' + before[-20:]!r}" if before else "at the beginning"
            raise BoardError(
                f"moves {abbreviated(text)}: cannot read {bad[0]!r} {where}; "
                "write letters U D L R, each with at most one digit 1 .. 9 behind it to repeat it"
            )
        for plain, short in _REPEATED:
            if short[1] in letters:
                letters = letters.replace(short, plain)
    return letters.translate(_OPPOSITE) if convention == "blank" else letters


def format_moves(letters: str, *, convention: Convention = "tile", compress: bool = False) -> str:
    """Write tile letters, one per move, as `parse_moves` returns them; or many such strings, joined by newlines.

    With ``convention="blank"``, the letters are the directions of the blank. With `compress`, a digit stands for a
    letter's repetitions, for people to read.

    >>> format_moves("URDLLU", convention="blank"), format_moves("URDLLU", compress=True)
    ('DLURRD', 'URDL2U')
    """
    check_choice("convention", convention, MOVE_CONVENTIONS)
    if convention == "blank":
        letters = letters.translate(_OPPOSITE)
    if compress:
        for plain, short in _REPEATED[:-4]:  # the longest first; a single letter stays
            letters = letters.replace(plain, short)
    return letters


def invert_moves(text: str) -> str:
    """Return the moves that undo a string of moves: the opposite moves in the opposite order.

    `text` is as for `parse_moves`. The result is letters without digits, in the same convention as `text`.

    >>> invert_moves("URDL2")
    'RRULD'
    """
    return parse_moves(text)[::-1].translate(_OPPOSITE)


def simplify_moves(text: str) -> str:
    """Drop every move that is undone by the next one, until there is none.

    Both move strings lead to the same board. Detours, such as a tile's path around a square, stay; `puzzle15.solve`
    finds the shortest solution. `text` is as for `parse_moves`. The result has no digits, and the same convention.

    >>> simplify_moves("U L R D"), simplify_moves("DR2LU")
    ('', 'DRU')
    """
    left = [""]
    for letter in parse_moves(text):
        if left[-1] + letter in _PAIRS:
            left.pop()
        else:
            left.append(letter)
    return "".join(left)


def directions_from_moves(letters: str) -> bytes:
    """Return the blank's directions (0 up, 1 left, 2 right, 3 down) of tile letters, as bytes.

    >>> list(directions_from_moves("UD"))
    [3, 0]
    """
    return letters.encode("ascii").translate(_TO_DIRECTIONS)


def moves_from_directions(directions: Union[bytes, Iterable[int]]) -> str:
    """Return the tile letters of the blank's directions, given as bytes or an array of bytes.

    >>> moves_from_directions(bytes([3, 0]))
    'UD'
    """
    return bytes(directions).translate(_TO_LETTERS).decode("ascii")


def order_of(letters: str) -> bytes:
    """Return the directions of a move order, a permutation of ``ULRD`` in upper or lower case.

    >>> list(order_of("RLDU"))
    [2, 1, 3, 0]
    """
    if not isinstance(letters, str) or sorted(letters.upper()) != sorted(MOVE_ORDER):
        raise OptionError(f"move_order {letters!r}: expected each of the letters U, L, R and D once")
    return bytes(map(MOVE_ORDER.index, letters.upper()))


def count_moves(text: str, metric: Metric = "stm") -> int:
    """The number of moves in a string as for `parse_moves`, in either convention; in the single-tile metric by default.

    >>> count_moves("URDL2U"), count_moves("URDL2U", "mtm")
    (6, 5)
    >>> count_moves("LR", "mtm")                # they cancel each other, but are two moves
    2
    """
    return len(split_moves(parse_moves(text), metric))


def split_moves(letters: str, metric: Metric = "stm") -> list[str]:
    """Return the moves of a string of letters without digits: each letter, or all equal letters in a row.

    >>> split_moves("URDLLU"), split_moves("URDLLU", "mtm")
    (['U', 'R', 'D', 'L', 'L', 'U'], ['U', 'R', 'D', 'LL', 'U'])
    """
    check_metric(metric)
    return list(letters) if metric == "stm" else [found[0] for found in re.finditer(r"(.)\1*", letters)]


def check_metric(metric: Metric) -> None:
    """Raise ValueError unless `metric` is one."""
    check_choice("metric", metric, METRICS, ", which count single-tile or multi-tile moves")
