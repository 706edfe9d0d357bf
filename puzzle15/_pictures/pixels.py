"""Boards as arrays of pixels, drawn with numpy alone, or as PNG, PDF or GIF, with matplotlib (the extra ``plot``)."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import TYPE_CHECKING, BinaryIO, Optional

from .._system.lazy import np
from .palette import LIGHT
from .svg import DEFAULT_LOOK, EDGE, Look, board_extent, board_size, cell_centre, placed_tiles

if TYPE_CHECKING:
    from numpy.typing import NDArray

_HALF = 18  # of a tile's side, in units of a fragment
_DOT = 3  # the side of a dot of a digit
_DPI = 100
_BESIDE = {"U": (0, 1), "D": (0, -1), "L": (1, 0), "R": (-1, 0)}  # from the blank to the tile, rows count downwards

#: The digits, each five rows of three dots.
_DIGITS = "111101101101111 010110010010111 111001111100111 111001111001111 101101111001001 111100111001111 "
_DIGITS += "111100111101111 111001001001001 111101111101111 111101111001111"


def board_pixels(
    tiles: Sequence[int], shape: tuple[int, int], *, goal: Optional[Sequence[int]] = None
) -> NDArray[np.uint8]:
    """Return a board in the light colours, without round corners: uint8 (height, width, 3).

    A tile has 36 pixels on each side, with 4 pixels between two tiles. `goal` is that of `puzzle15._pictures.Look`.

    >>> board_pixels([1, 2, 3, 0], (2, 2)).shape
    (88, 88, 3)
    """
    width, height = board_extent(shape)
    pixels = np.empty((height, width, 3), dtype=np.uint8)
    pixels[:] = _rgb(LIGHT.tray)
    for tile, colour, x, y in placed_tiles(tiles, shape, Look(goal=goal)):
        pixels[y - _HALF : y + _HALF, x - _HALF : x + _HALF] = _rgb(LIGHT.tiles[colour])
        dots = _number(tile).repeat(_DOT, axis=0).repeat(_DOT, axis=1)
        top, left = y - dots.shape[0] // 2, x - dots.shape[1] // 2
        pixels[top : top + dots.shape[0], left : left + dots.shape[1]][dots] = _rgb(LIGHT.text)
    return pixels


def _number(tile: int) -> NDArray[np.bool_]:
    """Return the dots of a number."""
    digits = [np.array([dot == "1" for dot in _DIGITS.split()[int(digit)]]).reshape(5, 3) for digit in str(tile)]
    between = np.zeros((5, 1), dtype=np.bool_)
    return np.concatenate([part for digit in digits for part in (digit, between)][:-1], axis=1)


def _rgb(colour: str) -> list[int]:
    return list(bytes.fromhex(colour[1:]))


def write_image(
    file: BinaryIO,
    tiles: Sequence[int],
    shape: tuple[int, int],
    look: Look = DEFAULT_LOOK,
    *,
    hint: str = "",
    format: str = "png",
) -> None:
    """Draw a board into a file that is open for bytes, as ``png`` or ``pdf``; ImportError without matplotlib.

    The colours are the light ones.
    """
    from .figures import new_figure  # it imports numpy

    width, height = board_size(shape, look.size)
    extent = board_extent(shape)
    points = 72 * width / _DPI / extent[0]  # per unit of a fragment
    figure = new_figure(width / _DPI, height / _DPI)
    from matplotlib.patches import FancyBboxPatch  # after the error of a missing extra

    figure.set_layout_engine("none")
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, extent[0]), ylim=(extent[1], 0))
    axes.axis("off")

    def add_box(left: float, top: float, width: float, height: float, radius: float, colour: str) -> None:
        style = f"round,pad=0,rounding_size={radius}"
        axes.add_patch(FancyBboxPatch((left, top), width, height, boxstyle=style, lw=0, color=colour))

    add_box(0, 0, *extent, 2 * EDGE, LIGHT.tray)
    for tile, colour, x, y in placed_tiles(tiles, shape, look):
        add_box(x - _HALF, y - _HALF, 2 * _HALF, 2 * _HALF, EDGE, LIGHT.tiles[colour])
        if look.numbers:
            font = {"fontsize": 18 * points, "fontweight": "bold", "color": LIGHT.text}
            axes.text(x, y + 1, str(tile), ha="center", va="center", **font)
    x, y = cell_centre(tiles.index(0), shape)
    for letter in hint:
        across, down = _BESIDE[letter]
        tail, head = (x + 24 * across, y + 24 * down), (x + 5 * across, y + 5 * down)
        arrow = {"arrowstyle": "->,head_width=0.3,head_length=0.3", "lw": 4 * points, "color": LIGHT.text}
        axes.annotate("", head, tail, arrowprops={**arrow, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 20 * points})
    figure.savefig(file, format=format, dpi=_DPI, transparent=format == "png")


def write_gif(
    file: BinaryIO,
    boards: Sequence[Sequence[int]],
    shape: tuple[int, int],
    look: Look = DEFAULT_LOOK,
    *,
    tiles_per_second: float = 2.0,
) -> None:
    """Draw boards one after another into an animation that repeats; the last one stays three times as long."""
    frames = []
    for tiles in boards:
        buffer = BytesIO()
        write_image(buffer, tiles, shape, look)
        frames.append(buffer)
    from PIL import Image  # which matplotlib needs, too

    images = []
    for drawn in map(Image.open, frames):
        images.append(Image.new("RGB", drawn.size, "white"))
        images[-1].paste(drawn, mask=drawn.getchannel("A"))
    times = [round(1000 / tiles_per_second)] * (len(images) - 1) + [round(3000 / tiles_per_second)]
    images[0].save(file, "GIF", save_all=True, append_images=images[1:], duration=times, loop=0)
