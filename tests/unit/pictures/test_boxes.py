"""Boards as boxes of characters."""

import re

from sight import contrast

from puzzle15._pictures import boxes
from puzzle15._pictures.boxes import board_box, side_by_side


def bare(line):
    """A line without its escape sequences."""
    return re.sub(r"\x1b\[[\d;]*m", "", line)


def test_a_box_shows_the_board():
    for shape in ((2, 2), (3, 3), (4, 4), (2, 8), (8, 2), (3, 5)):
        tiles = list(range(shape[0] * shape[1]))
        box = board_box(tiles, shape)
        assert len(box) == 2 * shape[0] + 1 and len({len(line) for line in box}) == 1
        rows = [[int(cell.strip() or 0) for cell in line.strip("│").split("│")] for line in box[1::2]]
        assert sum(rows, []) == tiles
        ascii_box = board_box(tiles, shape, ascii_only=True)
        assert all(line.isascii() and len(line) == len(box[0]) for line in ascii_box)
        for colours in ("rows", "rings", "plain"):
            coloured = board_box(tiles, shape, colours=colours)
            assert [bare(line) for line in coloured] == box
            assert "".join(coloured).count("\x1b") == 2 * (len(tiles) - 1)


def test_boxes_that_fit_stand_side_by_side():
    small, large = board_box([1, 2, 3, 0], (2, 2)), board_box(range(9), (3, 3), colours="rows")  # 9 and 13 wide
    lines = list(map(bare, side_by_side([("", small), ("", large), ("", small)], 24)))
    assert lines[:2] == ["┌───┬───┐  ┌───┬───┬───┐", "│ 1 │ 2 │  │   │ 1 │ 2 │"]
    assert lines[6] == " " * 11 + "└───┴───┴───┘" and lines[7] == "" and len(lines) == 13
    assert len(list(side_by_side([("", small), ("", small)], 5))) == 11  # wider than the terminal
    assert list(side_by_side([], 80)) == []
    captioned = board_box([1, 2, 3, 0], (2, 2), colours="rows")
    lines = list(map(bare, side_by_side([("a long caption", captioned), ("", captioned)], 80)))
    assert lines[0] == "a long caption" and lines[2] == "│ 1 │ 2 │       │ 1 │ 2 │"


def test_painted_numbers_can_be_read():
    """The numbers are black on a colour of the 256, of which 16 to 231 are a cube, and the rest greys."""
    levels = (0, 95, 135, 175, 215, 255)
    for paint in boxes.TERMINAL_TILES:
        number = int(re.search(r"48;5;(\d+)$", paint)[1])
        grey = 8 + 10 * (number - 232)
        place = number - 16
        rgb = (grey,) * 3 if number >= 232 else [levels[place // step % 6] for step in (36, 6, 1)]
        assert contrast("#{:02x}{:02x}{:02x}".format(*rgb), "#000000") > 7
