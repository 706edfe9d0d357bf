"""One board as an array of pixels, drawn with nothing but numpy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Optional

from ..system.later import np
from .palette import LIGHT, colour_numbers
from .svg import board_extent, cell_centre

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["board_pixels"]

_HALF = 18  # of a tile's side, in units of a fragment
_DOT = 3  # of a digit

#: The digits, each five rows of three dots.
_DIGITS = "111101101101111 010110010010111 111001111100111 111001111001111 101101111001001 111100111001111 "
_DIGITS += "111100111101111 111001001001001 111101111101111 111101111001111"


def board_pixels(
    tiles: Sequence[int],
    shape: tuple[int, int],
    *,
    scale: int = 1,
    colours: str = "rows",
    goal: Optional[Sequence[int]] = None,
) -> NDArray[np.uint8]:
    """A board in the light colours, without round corners.

    Parameters
    ----------
    tiles, shape, colours, goal
        As for `puzzle15.pictures.board_fragment`.
    scale : int
        A tile has 36 * scale pixels on each side, and 4 * scale pixels lie between two.

    Returns
    -------
    ndarray of uint8, shape (height, width, 3)

    Examples
    --------
    >>> board_pixels([1, 2, 3, 0], (2, 2)).shape
    (88, 88, 3)
    """
    width, height = board_extent(shape)
    colour = colour_numbers(shape, colours, goal)
    pixels = np.empty((height, width, 3), dtype=np.uint8)
    pixels[:] = _rgb(LIGHT.tray)
    for cell, tile in enumerate(tiles):
        if tile:
            x, y = cell_centre(cell, shape)
            pixels[y - _HALF : y + _HALF, x - _HALF : x + _HALF] = _rgb(LIGHT.tiles[colour[tile]])
            dots = _number(tile).repeat(_DOT, axis=0).repeat(_DOT, axis=1)
            top, left = y - dots.shape[0] // 2, x - dots.shape[1] // 2
            pixels[top : top + dots.shape[0], left : left + dots.shape[1]][dots] = _rgb(LIGHT.text)
    return pixels.repeat(scale, axis=0).repeat(scale, axis=1)


def _number(tile: int) -> NDArray[np.bool_]:
    """The dots of a number, with a column between two digits."""
    digits = [np.array([dot == "1" for dot in _DIGITS.split()[int(digit)]]).reshape(5, 3) for digit in str(tile)]
    between = np.zeros((5, 1), dtype=np.bool_)
    return np.concatenate([part for digit in digits for part in (digit, between)][:-1], axis=1)


def _rgb(colour: str) -> list[int]:
    return list(bytes.fromhex(colour[1:]))
