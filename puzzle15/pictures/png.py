"""One board as PNG, with matplotlib (the extra ``plot``)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import BinaryIO, Optional

from ..system.figures import new_figure
from .palette import LIGHT, colour_numbers
from .svg import EDGE, board_extent, board_size, cell_centre

__all__ = ["write_png"]

_DPI = 100
_HALF = 18  # of a tile's side
_FROM = {"U": (0, 1), "D": (0, -1), "L": (1, 0), "R": (-1, 0)}  # from the blank to the tile, rows count downwards


def write_png(
    file: BinaryIO,
    tiles: Sequence[int],
    shape: tuple[int, int],
    *,
    size: float = 240,
    colours: str = "rows",
    numbers: bool = True,
    hint: str = "",
    goal: Optional[Sequence[int]] = None,
) -> None:
    """Draw a board into a file that is open for bytes, in the light colours, as `puzzle15.pictures.board_svg` does.

    Parameters
    ----------
    file : binary file
    tiles, shape, size, colours, numbers, hint, goal
        As for `puzzle15.pictures.board_fragment`.

    Raises
    ------
    ImportError
        matplotlib is not installed.
    """
    colour = colour_numbers(shape, colours, goal)
    width, height = board_size(shape, size)
    extent = board_extent(shape)
    points = 72 * width / _DPI / extent[0]  # per unit of a fragment
    figure = new_figure(width / _DPI, height / _DPI)
    figure.set_layout_engine("none")
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, extent[0]), ylim=(extent[1], 0))
    axes.axis("off")
    axes.add_patch(_rounded((0, 0), *extent, 2 * EDGE, LIGHT.tray))
    for cell, tile in enumerate(tiles):
        if tile:
            x, y = cell_centre(cell, shape)
            axes.add_patch(_rounded((x - _HALF, y - _HALF), 2 * _HALF, 2 * _HALF, EDGE, LIGHT.tiles[colour[tile]]))
            if numbers:
                font = {"fontsize": 18 * points, "fontweight": "bold", "color": LIGHT.text}
                axes.text(x, y + 1, str(tile), ha="center", va="center", **font)
    x, y = cell_centre(tiles.index(0), shape)
    for letter in hint:
        across, down = _FROM[letter]
        tail, head = (x + 24 * across, y + 24 * down), (x + 5 * across, y + 5 * down)
        look = {"arrowstyle": "->,head_width=0.3,head_length=0.3", "lw": 4 * points, "color": LIGHT.text}
        axes.annotate("", head, tail, arrowprops={**look, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 20 * points})
    figure.savefig(file, format="png", dpi=_DPI, transparent=True)


def _rounded(corner: tuple[float, float], width: float, height: float, radius: float, colour: str) -> object:
    """A rectangle with round corners."""
    from matplotlib.patches import FancyBboxPatch

    return FancyBboxPatch(corner, width, height, boxstyle=f"round,pad=0,rounding_size={radius}", lw=0, color=colour)
