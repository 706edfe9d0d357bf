"""Boards as SVG, read back by an XML parser, as pixels, and as PNG."""

import io
import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from puzzle15 import Board
from puzzle15._pictures.palette import LIGHT, colour_numbers
from puzzle15._pictures.pixels import _number, board_pixels, write_image
from puzzle15._pictures.svg import Look, board_fragment, board_size, board_svg, cell_centre, describe_board, stylesheet

SVG = "{http://www.w3.org/2000/svg}"
FIFTEEN = (5, 3, 8, 9, 0, 2, 4, 1, 7, 10, 14, 13, 12, 11, 6, 15)
BOARDS = [
    ((1, 2, 3, 0), (2, 2)),
    ((8, 6, 7, 2, 5, 4, 3, 0, 1), (3, 3)),
    (FIFTEEN, (4, 4)),
    (tuple(range(16)), (2, 8)),
    (tuple(range(16)), (8, 2)),
    (tuple(range(15)), (3, 5)),
]
MIDDLE = (1, 2, 3, 4, 0, 5, 6, 7, 8), (3, 3)


def shown(root, cols):
    """{cell: number} of the tiles of a picture."""
    found = {}
    for group in root.iter(f"{SVG}g"):
        if group.get("class", "").startswith("c"):
            x, y = map(float, re.findall(r"[\d.]+", group.get("transform")))
            found[int((y - 4) // 40) * cols + int((x - 4) // 40)] = int(group.find(f"{SVG}text").text)
    return found


def test_the_picture_shows_the_board():
    for tiles, shape in BOARDS:
        text = board_svg(tiles, shape)
        assert len(text) < 3000
        root = ElementTree.fromstring(text)
        assert shown(root, shape[1]) == {cell: tile for cell, tile in enumerate(tiles) if tile}
        assert root.get("role") == "img"
        assert root.find(f"{SVG}title").text == f"Sliding-tile board, {shape[0]} by {shape[1]}"
        assert root.find(f"{SVG}desc").text == describe_board(tiles, shape)
        assert [float(root.get(side)) for side in ("width", "height")] == list(board_size(shape, 240))
        assert " id=" not in text and "prefers-color-scheme:dark" in text
        assert set(re.findall(r'class="(c\d)"', text)) <= set(re.findall(r"\.p15 \.(c\d)", text))
    rules = re.sub(r"<.*?>|@media\([^)]*\)\{|\}(?=\})", "", stylesheet())  # they reach nothing outside
    assert all(rule.startswith(".p15") for rule in rules.replace("}}", "}").split("}") if rule)


def test_looks_and_hints():
    assert "<text" not in board_svg(*MIDDLE, Look(numbers=False))
    assert board_svg(*MIDDLE, hint="UDLR").count('class="a"') == 4
    assert set(re.findall(r'class="(c\d)"', board_svg(*MIDDLE, Look(colours="plain")))) == {"c8"}
    first = board_svg(*MIDDLE, Look(goal=(0, 1, 2, 3, 4, 5, 6, 7, 8)))
    assert re.search(r'class="c0"[^>]*><path[^>]*><text y="7">2<', first)
    assert re.search(r'class="c1"[^>]*><path[^>]*><text y="7">3<', first)
    words = "Row 1: 1, 2, 3. Row 2: 4, blank, 5. Row 3: 6, 7, 8. Hint: 7 up or 2 down or 5 left or 4 right."
    assert describe_board(*MIDDLE, "UDLR") == words


def test_fragments_stand_in_larger_pictures():
    boards = [board_fragment(tiles, shape, Look(48), x=50 * n, y=7.5) for n, (tiles, shape) in enumerate(BOARDS)]
    _, *groups = ElementTree.fromstring(f"<svg xmlns='{SVG[1:-1]}'>{stylesheet()}{''.join(boards)}</svg>")
    corners = [group.get("transform").partition(")")[0] for group in groups]
    assert corners == [f"translate({50 * n} 7.5" for n in range(len(BOARDS))]


@pytest.mark.parametrize("goal", [None, Board.goal((4, 4), 0).tiles])
def test_pixels_show_colours_and_numbers_where_svg_does(goal):
    pixels, numbers = board_pixels(FIFTEEN, (4, 4), goal=goal), colour_numbers((4, 4), goal=goal)
    assert pixels.shape == (168, 168, 3) and pixels.dtype == np.uint8
    looks = set()
    for cell, tile in enumerate(FIFTEEN):
        x, y = cell_centre(cell, (4, 4))
        for corner in [(y - 18, x - 18), (y + 17, x + 17)]:
            colour = LIGHT.tiles[numbers[tile]] if tile else LIGHT.tray
            assert pixels[corner].tolist() == list(bytes.fromhex(colour[1:]))
        dark = (pixels[y - 18 : y + 18, x - 18 : x + 18] == list(bytes.fromhex(LIGHT.text[1:]))).all(axis=2)
        looks.add(dark.tobytes())
        assert dark.any() == (tile != 0)
        assert not dark[[0, 1, -2, -1]].any() and not dark[:, [0, 1, -2, -1]].any()
    assert len(looks) == 16
    assert board_pixels([1, 2, 3, 4, 0, 5], (2, 3)).shape == (88, 128, 3)


@pytest.mark.extra
@pytest.mark.parametrize("shape, size, pixels", [((2, 2), 100, (100, 100)), ((2, 8), 328, (328, 88))])
def test_png(shape, size, pixels):
    pytest.importorskip("matplotlib")
    tiles = range(shape[0] * shape[1])
    plain, hinted = io.BytesIO(), io.BytesIO()
    write_image(plain, tiles, shape, Look(size))
    write_image(hinted, tiles, shape, Look(size), hint="UL")
    data = plain.getvalue()
    assert data.startswith(b"\x89PNG") and data != hinted.getvalue()
    assert tuple(int.from_bytes(data[at : at + 4], "big") for at in (16, 20)) == pixels


def test_digits_of_numbers_have_one_column_of_dots_between_them():
    one, two, both = _number(1), _number(2), _number(12)
    assert one.shape == (5, 3) and not both[:, 3].any()
    assert np.array_equal(both, np.concatenate([one, np.zeros((5, 1), bool), two], axis=1))
