"""Boards as SVG, read back by an XML parser."""

import re
import xml.etree.ElementTree as ElementTree

import pytest

from puzzle15.pictures import Look, board_fragment, board_size, board_svg, stylesheet
from puzzle15.pictures.svg import describe_board

SVG = "{http://www.w3.org/2000/svg}"
BOARDS = [
    ((1, 2, 3, 0), (2, 2)),
    ((8, 6, 7, 2, 5, 4, 3, 0, 1), (3, 3)),
    ((5, 3, 8, 9, 0, 2, 4, 1, 7, 10, 14, 13, 12, 11, 6, 15), (4, 4)),
    (tuple(range(16)), (2, 8)),
    (tuple(range(16)), (8, 2)),
    (tuple(range(15)), (3, 5)),
]


def shown(root, cols):
    """{cell: number} of the tiles of a picture."""
    found = {}
    for group in root.iter(f"{SVG}g"):
        if group.get("class", "").startswith("c"):
            x, y = map(float, re.findall(r"[\d.]+", group.get("transform")))
            found[int((y - 4) // 40) * cols + int((x - 4) // 40)] = int(group.find(f"{SVG}text").text)
    return found


@pytest.mark.parametrize("tiles, shape", BOARDS, ids=str)
def test_the_picture_shows_the_board(tiles, shape):
    text = board_svg(tiles, shape)
    assert len(text) < 3000
    root = ElementTree.fromstring(text)
    assert shown(root, shape[1]) == {cell: tile for cell, tile in enumerate(tiles) if tile}
    assert root.get("role") == "img"
    assert root.find(f"{SVG}title").text == f"Sliding-tile board, {shape[0]} by {shape[1]}"
    assert root.find(f"{SVG}desc").text == describe_board(tiles, shape)
    assert [float(root.get(side)) for side in ("width", "height")] == list(board_size(shape, 240))
    assert " id=" not in text and "prefers-color-scheme:dark" in text
    used = set(re.findall(r'class="(c\d)"', text))
    assert used <= set(re.findall(r"\.p15 \.(c\d)", text))


def test_a_style_reaches_nothing_outside():
    rules = re.sub(r"<.*?>|@media\([^)]*\)\{|\}(?=\})", "", stylesheet())
    assert all(rule.startswith(".p15") for rule in rules.replace("}}", "}").split("}") if rule)


def test_what_is_drawn():
    tiles, shape = (1, 2, 3, 4, 0, 5, 6, 7, 8), (3, 3)
    assert "<text" not in board_svg(tiles, shape, Look(numbers=False))
    assert board_svg(tiles, shape, hint="UDLR").count('class="a"') == 4
    assert set(re.findall(r'class="(c\d)"', board_svg(tiles, shape, Look(colours="plain")))) == {"c8"}
    first = board_svg(tiles, shape, Look(goal=(0, 1, 2, 3, 4, 5, 6, 7, 8)))
    assert re.search(r'class="c0"[^>]*><path[^>]*><text y="7">2<', first)
    assert re.search(r'class="c1"[^>]*><path[^>]*><text y="7">3<', first)


def test_words():
    tiles, shape = (1, 2, 3, 4, 0, 5, 6, 7, 8), (3, 3)
    words = describe_board(tiles, shape, "UDLR")
    assert words == "Row 1: 1, 2, 3. Row 2: 4, blank, 5. Row 3: 6, 7, 8. Hint: 7 up or 2 down or 5 left or 4 right."


def test_fragments_stand_in_larger_pictures():
    boards = [board_fragment(tiles, shape, Look(48), x=50 * n, y=7.5) for n, (tiles, shape) in enumerate(BOARDS)]
    root = ElementTree.fromstring(f"<svg xmlns='{SVG[1:-1]}'>{stylesheet()}{''.join(boards)}</svg>")
    _, *groups = root
    assert [group.get("transform").partition(")")[0] for group in groups[:2]] == ["translate(0 7.5", "translate(50 7.5"]
    assert len(groups) == len(BOARDS)
