"""One board as SVG: a whole picture, or a fragment that stands anywhere in a larger one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Optional

from ..errors import OptionError
from .palette import DARK, LIGHT, Colours, Mode, colour_numbers

# Lengths inside a fragment, before it is scaled. A tile is a square that its stroke widens and rounds: 36 of 40.
CELL, EDGE = 40, 4
_TILE = '<path d="M-14-14h28v28h-28z"/>'
_ANGLES = {"D": 0, "L": 90, "U": 180, "R": 270}  # degrees by which an arrow is turned that points down
_WORDS = {"U": "up", "D": "down", "L": "left", "R": "right"}


class Look(NamedTuple):
    """How boards are drawn."""

    size: float = 240  # the longer side of a board, in pixels; `board_size` gives both sides
    colours: Colours = "rows"  # what the colour of a tile shows: "rows" or "rings" of its cell in the goal, or "plain"
    numbers: bool = True  # whether tiles have their numbers
    goal: Optional[Sequence[int]] = None  # the tiles of the goal, for the colours; by default in order, the blank last


DEFAULT_LOOK = Look()


class Svg(str):
    """A picture: its text as SVG, which a notebook shows as a picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


def stylesheet(numbers: Iterable[int] = range(9)) -> str:
    """Return the ``<style>`` that fragments with these colour numbers need, once per picture or page."""
    used = sorted(set(numbers))

    def colours(mode: Mode) -> str:
        tiles = "".join(f".p15 .c{number}{{color:{mode.tiles[number]}}}" for number in used)
        return f".p15 rect{{fill:{mode.tray}}}.p15 text{{fill:{mode.text}}}.p15 .a{{stroke:{mode.text}}}{tiles}"

    return (
        "<style>.p15{font:600 18px system-ui,sans-serif;text-anchor:middle}"
        ".p15 path{fill:currentColor;stroke:currentColor;stroke-width:8;stroke-linejoin:round}"
        ".p15 .a{fill:none;stroke-width:4;stroke-linecap:round}"
        f"{colours(LIGHT)}@media(prefers-color-scheme:dark){{{colours(DARK)}}}</style>"
    )


def board_size(shape: tuple[int, int], size: float) -> tuple[float, float]:
    """Width and height of a board whose longer side is `size`; ValueError unless that is more than 0.

    >>> board_size((4, 4), 160), board_size((2, 8), 160)
    ((160.0, 160.0), (160.0, 42.9))
    """
    if not 0 < size < float("inf"):
        raise OptionError(f"size={size!r}: expected a number of pixels, more than 0")
    width, height = board_extent(shape)
    scale = size / max(width, height)
    return round(width * scale, 1), round(height * scale, 1)


def board_fragment(
    tiles: Sequence[int],
    shape: tuple[int, int],
    look: Look = DEFAULT_LOOK,
    *,
    x: float = 0,
    y: float = 0,
    hint: str = "",
) -> str:
    """A board as one ``<g>`` with its top left corner at `x`, `y`, for a larger picture that has `stylesheet` once.

    `tiles` are those of the cells, row by row, 0 for the blank. `hint` holds letters of legal moves, each drawn as an
    arrow from the tile into the blank.

    >>> board_fragment([1, 2, 3, 0], (2, 2), Look(size=44), x=10, y=20)[:92]
    '<g class="p15" transform="translate(10 20) scale(0.5)"><rect width="88" height="88" rx="8"/>'
    """
    width, height = board_extent(shape)
    parts = [f'<rect width="{width}" height="{height}" rx="8"/>']
    for tile, colour, across, down in placed_tiles(tiles, shape, look):
        number = f'<text y="7">{tile}</text>' if look.numbers else ""
        parts.append(f'<g class="c{colour}" transform="translate({across} {down})">{_TILE}{number}</g>')
    across, down = cell_centre(tiles.index(0), shape)
    parts += [
        f'<path class="a" d="M0-24V-7m-6-6 6 6 6-6" transform="translate({across} {down}) rotate({_ANGLES[letter]})"/>'
        for letter in hint
    ]
    scale = look.size / max(width, height)
    return f'<g class="p15" transform="translate({x:g} {y:g}) scale({scale:.4g})">{"".join(parts)}</g>'


def board_svg(tiles: Sequence[int], shape: tuple[int, int], look: Look = DEFAULT_LOOK, *, hint: str = "") -> Svg:
    """Return a board as a whole picture with a description in words; the arguments are those of `board_fragment`.

    >>> picture = board_svg([1, 2, 3, 0], (2, 2), hint="D")
    >>> picture[:60], len(picture) < 1200
    ('<svg xmlns="http://www.w3.org/2000/svg" role="img" width="24', True)
    """
    width, height = board_size(shape, look.size)
    inner = board_extent(shape)
    fragment = board_fragment(tiles, shape, look._replace(size=max(inner)), hint=hint)
    return Svg(
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {inner[0]} {inner[1]}"><title>{board_title(shape)}</title>'
        f"<desc>{describe_board(tiles, shape, hint)}</desc>"
        f"{stylesheet(colour_numbers(shape, look.colours, look.goal)[1:])}{fragment}</svg>"
    )


def describe_board(tiles: Sequence[int], shape: tuple[int, int], hint: str = "") -> str:
    """Return a board in words, row by row, and the moves of a hint."""
    rows, cols = shape
    text = " ".join(
        f"Row {row + 1}: {', '.join(str(tile or 'blank') for tile in tiles[cols * row : cols * (row + 1)])}."
        for row in range(rows)
    )
    blank, beside = tiles.index(0), moving_tiles(cols)
    moves = [f"{tiles[blank + beside[letter]]} {_WORDS[letter]}" for letter in hint]
    return f"{text} Hint: {' or '.join(moves)}." if moves else text


def board_title(shape: tuple[int, int]) -> str:
    return f"Sliding-tile board, {shape[0]} by {shape[1]}"


def moving_tiles(cols: int) -> dict[str, int]:
    """By letter, how many cells after the blank the moving tile lies."""
    return {"U": cols, "D": -cols, "L": 1, "R": -1}


def placed_tiles(tiles: Sequence[int], shape: tuple[int, int], look: Look) -> Iterator[tuple[int, int, int, int]]:
    """Each tile with its colour number, and the middle of its cell before the fragment is scaled: x, y."""
    numbers = colour_numbers(shape, look.colours, look.goal)
    return ((tile, numbers[tile], *cell_centre(cell, shape)) for cell, tile in enumerate(tiles) if tile)


def board_extent(shape: tuple[int, int]) -> tuple[int, int]:
    """Width and height of a fragment before it is scaled."""
    rows, cols = shape
    return CELL * cols + 2 * EDGE, CELL * rows + 2 * EDGE


def cell_centre(cell: int, shape: tuple[int, int]) -> tuple[int, int]:
    """Return the middle of a cell before the fragment is scaled: x, y."""
    row, col = divmod(cell, shape[1])
    return CELL * col + EDGE + CELL // 2, CELL * row + EDGE + CELL // 2
