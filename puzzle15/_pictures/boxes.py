"""Boards as boxes of characters, several side by side, for terminals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import zip_longest
from typing import Optional

from .palette import Colours, colour_numbers

#: Vertical and horizontal lines; then the corners and crossings of the first, the middle and the last line.
_LINES = "│─┌┬┐├┼┤└┴┘"
_ASCII = "|-+++++++++"
_GAP = 2  # spaces between two boxes

#: By colour number the style of a tile in terminals with 256 colours: black on the colours of `LIGHT`.
TERMINAL_TILES = [f"38;5;16;48;5;{number}" for number in (110, 217, 149, 209, 117, 222, 79, 142, 254)]


def can_encode_boxes(encoding: Optional[str]) -> bool:
    """Return whether text of an encoding can hold the lines of boxes.

    >>> can_encode_boxes("utf-8"), can_encode_boxes("latin-1"), can_encode_boxes(None)
    (True, False, False)
    """
    with suppress(LookupError, UnicodeEncodeError):
        return bool(_LINES.encode(encoding or "ascii"))
    return False


def board_box(
    tiles: Sequence[int],
    shape: tuple[int, int],
    *,
    ascii_only: bool = False,
    colours: Optional[Colours] = None,
    goal: Optional[Sequence[int]] = None,
    padding: tuple[int, int] = (1, 0),
) -> list[str]:
    """Return a board as lines of text, all of one width; with `ascii_only`, they are drawn with ``+ - |``.

    `colours` and `goal` are those of `puzzle15._pictures.Look`; by default there are no colours. `padding` is the
    number of columns on each side of a number, and of lines above and below it.

    >>> print(*board_box([1, 2, 3, 4, 0, 5], (2, 3)), sep="\\n")
    ┌───┬───┬───┐
    │ 1 │ 2 │ 3 │
    ├───┼───┼───┤
    │ 4 │   │ 5 │
    └───┴───┴───┘
    """
    drawn = _ASCII if ascii_only else _LINES
    (beside, above), (rows, cols) = padding, shape
    digits = len(str(rows * cols - 1))
    wide = digits + 2 * beside
    colour = None if colours is None else colour_numbers(shape, colours, goal)

    def cell(tile: int, text: str) -> str:
        return text if colour is None or not tile else f"\x1b[{TERMINAL_TILES[colour[tile]]}m{text}\x1b[0m"

    def line(cells: Iterable[str]) -> str:
        return drawn[0] + drawn[0].join(cells) + drawn[0]

    first, middle, last = (drawn[at] + drawn[at + 1].join([drawn[1] * wide] * cols) + drawn[at + 2] for at in (2, 5, 8))
    lines = [first]
    for row in range(rows):
        some = tiles[cols * row : cols * (row + 1)]
        empty = line(cell(tile, " " * wide) for tile in some)
        numbers = line(cell(tile, f"{tile or '':>{digits}}".center(wide)) for tile in some)
        lines += [*[empty] * above, numbers, *[empty] * above, middle]
    return [*lines[:-1], last]


def side_by_side(boxes: Iterable[tuple[str, Sequence[str]]], width: int) -> Iterator[str]:
    """Lines of at most `width` characters with boxes side by side, and a blank line between two rows of boxes.

    Each box has a caption, which may be empty, and lines. A single box may be wider than `width`.

    >>> box = board_box([1, 2, 3, 0], (2, 2), ascii_only=True)
    >>> print(*side_by_side([("start", box), ("1 D", box)], 80), sep="\\n")
    start      1 D
    +---+---+  +---+---+
    | 1 | 2 |  | 1 | 2 |
    +---+---+  +---+---+
    | 3 |   |  | 3 |   |
    +---+---+  +---+---+
    """
    row: list[tuple[int, str, Sequence[str]]] = []  # the width, the caption and the lines of each box
    taken = 0
    for caption, lines in boxes:
        wide = max(len(caption), len(lines[0]))
        if row and taken + wide > width:
            yield from [*_joined(row), ""]
            row, taken = [], 0
        row.append((wide, caption, lines))
        taken += wide + _GAP
    if row:
        yield from _joined(row)


def _joined(row: list[tuple[int, str, Sequence[str]]]) -> Iterator[str]:
    """Yield the lines of one row of boxes, whose tops are aligned."""
    captions = any(caption for _, caption, _ in row)
    columns = []
    for wide, caption, lines in row:
        padding = " " * (wide - len(lines[0]))  # the other lines may hold escape sequences
        columns.append([caption.ljust(wide)] * captions + [line + padding for line in lines])
    for pieces in zip_longest(*columns):
        texts = (" " * wide if piece is None else piece for (wide, *_), piece in zip(row, pieces))
        yield (" " * _GAP).join(texts).rstrip()
