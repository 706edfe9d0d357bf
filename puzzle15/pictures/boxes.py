"""Boards as boxes of characters, several side by side, for terminals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Optional

from .palette import colour_numbers

__all__ = ["TERMINAL_TILES", "board_box", "can_encode_boxes", "side_by_side"]

#: Upright and level lines; then the corners and crossings of the first, the middle and the last line.
_LINES = "│─┌┬┐├┼┤└┴┘"
_ASCII = "|-+++++++++"

#: By colour number the style of a tile in terminals with 256 colours: black on the colours of `LIGHT`.
TERMINAL_TILES = [f"38;5;16;48;5;{number}" for number in (110, 217, 149, 209, 117, 222, 79, 142, 254)]
_END = "\x1b[0m"


def can_encode_boxes(encoding: Optional[str]) -> bool:
    """Whether text of an encoding can hold the lines of boxes.

    >>> can_encode_boxes("utf-8"), can_encode_boxes("cp437"), can_encode_boxes("latin-1"), can_encode_boxes(None)
    (True, True, False, False)
    """
    try:
        _LINES.encode(encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True


def board_box(
    tiles: Sequence[int],
    shape: tuple[int, int],
    *,
    ascii_only: bool = False,
    colours: Optional[str] = None,
    goal: Optional[Sequence[int]] = None,
    padding: tuple[int, int] = (1, 0),
) -> list[str]:
    """A board as lines of text, all of one width.

    Parameters
    ----------
    tiles : sequence of int
        Cell by cell, row by row, 0 for the blank.
    shape : (int, int)
        Rows and columns.
    ascii_only : bool
        Whether the lines are drawn with ``+ - |``.
    colours : {"rows", "rings", "plain"}, optional
        What the background of a tile tells, by escape sequences; by default there is none.
    goal : sequence of int, optional
        The tiles of the goal, which tells the colours; by default in order, with the blank last.
    padding : (int, int)
        The columns on each side of a number, and the lines above and below it.

    Returns
    -------
    list of str

    Examples
    --------
    >>> print(*board_box([1, 2, 3, 4, 0, 5], (2, 3)), sep="\\n")
    ┌───┬───┬───┐
    │ 1 │ 2 │ 3 │
    ├───┼───┼───┤
    │ 4 │   │ 5 │
    └───┴───┴───┘
    >>> print(*board_box([1, 2, 3, 0], (2, 2), padding=(3, 1)), sep="\\n")
    ┌───────┬───────┐
    │       │       │
    │   1   │   2   │
    │       │       │
    ├───────┼───────┤
    │       │       │
    │   3   │       │
    │       │       │
    └───────┴───────┘
    """
    drawn = _ASCII if ascii_only else _LINES
    (beside, above), (rows, cols) = padding, shape
    digits = len(str(rows * cols - 1))
    wide = digits + 2 * beside
    colour = None if colours is None else colour_numbers(shape, colours, goal)
    first, middle, last = (drawn[at] + drawn[at + 1].join([drawn[1] * wide] * cols) + drawn[at + 2] for at in (2, 5, 8))
    lines = [first]
    for row in range(rows):
        some = tiles[cols * row : cols * (row + 1)]
        empty, numbers = (
            drawn[0] + drawn[0].join([_cell(tile, text, colour) for tile, text in zip(some, texts)]) + drawn[0]
            for texts in ([" " * wide] * cols, [f"{tile or '':>{digits}}".center(wide) for tile in some])
        )
        lines += [*[empty] * above, numbers, *[empty] * above, middle]
    return [*lines[:-1], last]


def _cell(tile: int, text: str, colour: Optional[list[int]]) -> str:
    return text if colour is None or not tile else f"\x1b[{TERMINAL_TILES[colour[tile]]}m{text}{_END}"


def side_by_side(boxes: Iterable[tuple[str, Sequence[str]]], width: int, gap: int = 2) -> Iterator[str]:
    """Lines with boxes side by side, as many as fit, and a blank line between one row of boxes and the next.

    Parameters
    ----------
    boxes : iterable of (str, sequence of str)
        For each box a caption, which stands above it and may be empty, and its lines. A row is yielded as soon as a
        box does not fit into it.
    width : int
        The most characters of a line; a single box may be wider.
    gap : int
        The number of spaces between two boxes.

    Yields
    ------
    str

    Examples
    --------
    >>> box = board_box([1, 2, 3, 0], (2, 2), ascii_only=True)
    >>> print(*side_by_side([("start", box), ("1 D", box)], 80), sep="\\n")
    start      1 D
    +---+---+  +---+---+
    | 1 | 2 |  | 1 | 2 |
    +---+---+  +---+---+
    | 3 |   |  | 3 |   |
    +---+---+  +---+---+
    """
    row: list[tuple[str, Sequence[str]]] = []
    taken = 0
    begun = False
    for caption, lines in boxes:
        wide = max(len(caption), len(lines[0]))
        if row and taken + gap + wide > width:
            yield from _together(row, gap, begun)
            row, taken, begun = [], 0, True
        taken += wide + gap * bool(row)
        row.append((caption, lines))
    if row:
        yield from _together(row, gap, begun)


def _together(row: list[tuple[str, Sequence[str]]], gap: int, begun: bool) -> Iterator[str]:
    """The lines of one row of boxes, which begin at one height."""
    if begun:
        yield ""
    captions = any(caption for caption, _ in row)
    columns = []
    for caption, lines in row:
        wide, own = max(len(caption), len(lines[0])), len(lines[0])  # the other lines may hold escape sequences
        column = [caption.ljust(wide)] * captions + [line + " " * (wide - own) for line in lines]
        columns.append((column, " " * wide))
    for number in range(max(len(column) for column, _ in columns)):
        texts = (column[number] if number < len(column) else nothing for column, nothing in columns)
        yield (" " * gap).join(texts).rstrip()
