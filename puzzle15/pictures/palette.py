"""The colours of pictures, light and dark, and which colour each tile has.

The light tiles are Paul Tol's scheme "light" (Colour Schemes, SRON technical note, 2021), in another order. The dark
ones have the same hues. In both modes every number has a contrast of at least 4.5 to its tile, which WCAG asks for.
Neighbouring colours differ also for people who lack one kind of cones. `test_palette.py` holds both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Optional

__all__ = ["COLOURS", "DARK", "LIGHT", "PLAIN", "Mode", "check_colours", "colour_numbers", "css_variables"]


class Mode(NamedTuple):
    """The colours of one mode, as ``#rrggbb``."""

    page: str
    tray: str
    """What the tiles lie in; the blank shows it."""

    control: str
    """Buttons, and lines of tables."""

    text: str
    """Numbers, arrows, and text on the page."""

    accent: str
    """Curves and marks on the page."""

    tiles: tuple[str, ...]
    """By colour number: one colour per row or ring, then that of plain tiles."""


LIGHT = Mode(
    page="#ffffff",
    tray="#d8d8e0",
    control="#d8d8e0",
    text="#16161a",
    accent="#1f5fbf",
    tiles=(
        *("#77aadd", "#ffaabb", "#bbcc33", "#ee8866"),
        *("#99ddff", "#eedd88", "#44bb99", "#aaaa00"),
        "#fafafc",
    ),
)

DARK = Mode(
    page="#16161a",
    tray="#000000",
    control="#3c3c44",
    text="#ffffff",
    accent="#8ab4f8",
    tiles=(
        *("#4169c5", "#b64c81", "#6c760a", "#502f18"),
        *("#1b3b55", "#886a29", "#437a74", "#42370d"),
        "#3c3c44",
    ),
)

#: The colour number of plain tiles.
PLAIN = 8

#: What the colour of a tile may tell: the row of its place in the goal, the ring of that place, or nothing.
COLOURS = ("rows", "rings", "plain")


def check_colours(colours: str) -> None:
    """ValueError unless `colours` is one of `COLOURS`."""
    if colours not in COLOURS:
        raise ValueError(f"colours={colours!r}: expected one of {', '.join(COLOURS)}")


def colour_numbers(shape: tuple[int, int], colours: str = "rows", goal: Optional[Sequence[int]] = None) -> list[int]:
    """The colour number of each tile, and of the blank, which is tile 0.

    Parameters
    ----------
    shape : (int, int)
        Rows and columns.
    colours : {"rows", "rings", "plain"}
        Rings count from the edge inwards.
    goal : sequence of int, optional
        The tiles of the goal, cell by cell; by default in order, with the blank last.

    Returns
    -------
    list of int
        Indices of `Mode.tiles`.

    Examples
    --------
    >>> colour_numbers((3, 3)), colour_numbers((3, 3), "rings")
    ([2, 0, 0, 0, 1, 1, 1, 2, 2], [0, 0, 0, 0, 0, 1, 0, 0, 0])
    """
    check_colours(colours)
    rows, cols = shape
    cells = rows * cols
    numbers = [PLAIN] * cells
    if colours != "plain":
        for cell, tile in enumerate(goal or [*range(1, cells), 0]):
            row, col = divmod(cell, cols)
            numbers[tile] = row if colours == "rows" else min(row, col, rows - 1 - row, cols - 1 - col)
    return numbers


def css_variables(selector: str) -> str:
    """The colours of a page as variables of CSS: ``--page``, ``--text``, ``--control`` and ``--accent``, light or dark.

    >>> css_variables(".x")[:36]
    '.x{--page:#ffffff;--text:#16161a;--c'
    """

    def rule(mode: Mode) -> str:
        names = ("page", "text", "control", "accent")
        return f"{selector}{{{';'.join(f'--{name}:{getattr(mode, name)}' for name in names)}}}"

    return f"{rule(LIGHT)}@media(prefers-color-scheme:dark){{{rule(DARK)}}}"
