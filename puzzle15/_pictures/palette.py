"""The colours of pictures, light and dark, and the colour of each tile.

The light tiles are Paul Tol's scheme "light" (Colour Schemes, SRON technical note, 2021), in another order. The dark
ones have the same hues. `test_palette.py` checks contrast, and differences also for people who lack one kind of cones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, Optional, get_args

from .._system.quantities import check_choice


class Mode(NamedTuple):
    """The colours of one mode, as ``#rrggbb``."""

    page: str
    tray: str  # behind the tiles, where the blank is
    control: str  # buttons, and lines of tables
    text: str  # numbers, arrows, and text on the page
    accent: str  # curves and marks on the page
    tiles: list[str]  # by colour number: one per row or ring, then that of plain tiles


LIGHT = Mode(
    page="#ffffff",
    tray="#d8d8e0",
    control="#d8d8e0",
    text="#16161a",
    accent="#1f5fbf",
    tiles=["#77aadd", "#ffaabb", "#bbcc33", "#ee8866", "#99ddff", "#eedd88", "#44bb99", "#aaaa00", "#fafafc"],
)

DARK = Mode(
    page="#16161a",
    tray="#000000",
    control="#3c3c44",
    text="#ffffff",
    accent="#8ab4f8",
    tiles=["#4169c5", "#b64c81", "#6c760a", "#502f18", "#1b3b55", "#886a29", "#437a74", "#42370d", "#3c3c44"],
)

#: What the colour of a tile shows: the row of its cell in the goal, the ring of that cell, or nothing.
Colours = Literal["rows", "rings", "plain"]
COLOURS: tuple[Colours, ...] = get_args(Colours)
_PLAIN = 8


def colour_numbers(
    shape: tuple[int, int], colours: Colours = "rows", goal: Optional[Sequence[int]] = None
) -> list[int]:
    """Return the colour number of each tile, an index of `LIGHT.tiles` and `DARK.tiles`; that of the blank comes first.

    `colours` and `goal` are those of `puzzle15._pictures.Look`. Rings count from the edge inwards.

    >>> colour_numbers((3, 3)), colour_numbers((3, 3), "rings")
    ([2, 0, 0, 0, 1, 1, 1, 2, 2], [0, 0, 0, 0, 0, 1, 0, 0, 0])
    """
    check_choice("colours", colours, COLOURS)
    rows, cols = shape
    cells = rows * cols
    numbers = [_PLAIN] * cells
    if colours != "plain":
        for cell, tile in enumerate(goal or [*range(1, cells), 0]):
            row, col = divmod(cell, cols)
            numbers[tile] = row if colours == "rows" else min(row, col, rows - 1 - row, cols - 1 - col)
    return numbers


def css_variables(selector: str) -> str:
    """Return the colours of a page as variables of CSS, light or dark."""
    light, dark = (
        f"{selector}{{--page:{mode.page};--text:{mode.text};--control:{mode.control};--accent:{mode.accent}}}"
        for mode in (LIGHT, DARK)
    )
    return f"{light}@media(prefers-color-scheme:dark){{{dark}}}"
