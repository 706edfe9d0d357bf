"""The colours of pictures: numbers can be read, and neighbouring colours told apart, by everybody and in both modes."""

import math
from itertools import combinations

import pytest

from puzzle15.pictures import COLOURS, DARK, LIGHT, colour_numbers

MODES = {"light": LIGHT, "dark": DARK}

#: What people see who lack one kind of cones, in linear RGB: the matrices for severity 1.0 of Machado, Oliveira and
#: Fernandes, "A physiologically-based model for simulation of color vision deficiency", IEEE TVCG 15 (6), 2009.
SIGHT = {
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def linear(colour):
    """Linear RGB of ``#rrggbb``."""
    shares = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    return [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]


def contrast(one, other):
    """The contrast ratio of WCAG 2."""
    low, high = sorted(sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear(some))) for some in (one, other))
    return (high + 0.05) / (low + 0.05)


def lab(colour, sight):
    """CIELAB of a colour as somebody sees it, under the white of sRGB."""
    red, green, blue = (min(1, max(0, sum(w * c for w, c in zip(row, linear(colour))))) for row in SIGHT[sight])
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.0888
    fx, fy, fz = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def difference(one, other, sight):
    """The distance in CIELAB; 2.3 is what can just be seen."""
    return math.dist(lab(one, sight), lab(other, sight))


@pytest.mark.parametrize("mode", MODES.values(), ids=MODES)
def test_text_can_be_read(mode):
    for behind in (mode.page, *mode.tiles):
        assert contrast(mode.text, behind) >= 4.5
    assert contrast(mode.accent, mode.page) >= 4.5
    assert contrast(mode.text, mode.tray) >= 4.5  # arrows


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize("mode", MODES.values(), ids=MODES)
def test_rows_and_rings_can_be_told_apart(mode, sight):
    rows = mode.tiles[:-1]
    for one, other in zip(rows, rows[1:]):  # boards of up to eight rows: those beside each other
        assert difference(one, other, sight) > 25
    for one, other in combinations(rows[:4], 2):  # of up to four: all of them
        assert difference(one, other, sight) > 22
    for tile in mode.tiles:
        assert difference(tile, mode.tray, sight) > 10


def test_the_simulation_knows_what_is_confused():
    red, green = "#c04040", "#707020"
    assert difference(red, green, "all cones") > 50 > 2 * difference(red, green, "deuteranopia")
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


def test_colour_numbers():
    assert colour_numbers((2, 2)) == [1, 0, 0, 1]
    assert colour_numbers((2, 2), "plain") == [8] * 4
    assert colour_numbers((2, 2), goal=(0, 1, 2, 3)) == [0, 0, 1, 1]
    assert colour_numbers((4, 4), "rings") == [0, *[0] * 5, 1, 1, 0, 0, 1, 1, *[0] * 4]
    assert max(colour_numbers((8, 2))) == 7
    for colours in COLOURS:
        assert max(colour_numbers((2, 8), colours)) < len(LIGHT.tiles) == len(DARK.tiles)
    with pytest.raises(ValueError, match="colours='red': expected one of rows, rings, plain"):
        colour_numbers((3, 3), "red")
