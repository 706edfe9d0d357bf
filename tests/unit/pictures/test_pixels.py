"""Boards as pixels: colours and numbers at the places where the other pictures have them."""

import numpy as np
import pytest

from puzzle15 import Board
from puzzle15.pictures import LIGHT, board_pixels, colour_numbers
from puzzle15.pictures.svg import cell_centre

TILES = [5, 3, 8, 9, 0, 2, 4, 1, 7, 10, 14, 13, 12, 11, 6, 15]


def rgb(colour):
    return list(bytes.fromhex(colour[1:]))


@pytest.mark.parametrize("goal", [None, Board.goal((4, 4), 0).tiles])
def test_tiles_have_their_colours_and_their_own_numbers(goal):
    pixels, numbers = board_pixels(TILES, (4, 4), goal=goal), colour_numbers((4, 4), goal=goal)
    assert pixels.shape == (168, 168, 3) and pixels.dtype == np.uint8
    looks = set()
    for cell, tile in enumerate(TILES):
        x, y = cell_centre(cell, (4, 4))
        for corner in [(y - 18, x - 18), (y + 17, x + 17)]:
            assert pixels[corner].tolist() == rgb(LIGHT.tiles[numbers[tile]] if tile else LIGHT.tray)
        dark = (pixels[y - 18 : y + 18, x - 18 : x + 18] == rgb(LIGHT.text)).all(axis=2)
        looks.add(dark.tobytes())
        assert dark.any() == (tile != 0)
        assert not dark[[0, 1, -2, -1]].any() and not dark[:, [0, 1, -2, -1]].any()
    assert len(looks) == 16


def test_other_shapes():
    assert board_pixels([1, 2, 3, 4, 0, 5], (2, 3)).shape == (88, 128, 3)
