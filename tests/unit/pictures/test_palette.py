"""The colours of pictures: numbers can be read, and neighbouring colours told apart, by everybody and in both modes."""

from itertools import combinations

import pytest
from sight import SIGHT, contrast, difference

from puzzle15._pictures.palette import COLOURS, DARK, LIGHT, colour_numbers

MODES = {"light": LIGHT, "dark": DARK}


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
    assert min(difference(*pair, sight) for pair in zip(rows, rows[1:])) > 25  # boards of up to eight rows
    assert min(difference(*pair, sight) for pair in combinations(rows[:4], 2)) > 22  # of up to four: all of them
    assert min(difference(tile, mode.tray, sight) for tile in mode.tiles) > 10


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
    with pytest.raises(ValueError, match="colours 'red': expected one of rows, rings, plain"):
        colour_numbers((3, 3), "red")
