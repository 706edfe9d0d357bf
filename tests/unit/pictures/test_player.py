"""Pages that play moves, and SVGs that play them by themselves."""

import json
import re
import xml.etree.ElementTree as ElementTree

import pytest
from sight import Page

from puzzle15._pictures.loop import moves_svg
from puzzle15._pictures.pages import html_page, player_html, table_html

TILES, SHAPE, MOVES = (1, 2, 3, 0, 5, 6, 4, 7, 8), (3, 3), ["U", "LL"]


def test_a_player_holds_all_that_it_needs():
    text = html_page("<title>", player_html(TILES, SHAPE, MOVES, distances=[2, 1, 0], caption="a < b & c"))
    page = Page(text)
    (player,) = page.with_class("p15-player")
    expected = {"tiles": list(TILES), "cols": 3, "moves": "U LL", "distances": [2, 1, 0], "delay": 500}
    assert json.loads(player["data-game"]) == expected
    assert "a < b & c" in page.texts and "<title>" in page.texts and "UL2" in page.texts  # without scripts, too
    assert player["role"] == "group" and player["aria-label"] == "Sliding-tile board and 2 moves"
    (status,) = page.with_class("p15-status")
    (controls,) = page.with_class("p15-controls")
    assert status["aria-live"] == "polite" and "hidden" in controls
    buttons = ["First", "Back", "Play", "Next", "Last"]
    assert [word for word in page.texts if word in buttons] == buttons
    assert not re.search(r"(src|href|url|import|fetch)\b\s*[=(]", text) and " id=" not in text
    assert set(re.findall(r"https?:[^\"]*", text)) == {"http://www.w3.org/2000/svg"}
    assert len(text) < 12_000 and "prefers-reduced-motion" in text


def test_a_player_without_moves():
    page = Page(player_html(TILES, SHAPE, [], caption="limit: at least 48 moves."))
    assert "limit: at least 48 moves." in page.texts
    assert page.tags == {"div", "style", "svg", "title", "desc", "g", "rect", "path", "text", "p"}
    assert Page(player_html((), (0, 0), [], caption="error")).tags == {"div", "style", "p"}


@pytest.mark.parametrize("draw", [player_html, moves_svg])
def test_speeds(draw):
    for speed in (0, -1, 0.05, 51, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="expected a number of moves per second, 0.1 .. 50"):
            draw(TILES, SHAPE, MOVES, tiles_per_second=speed)
    assert '"delay":20' in player_html(TILES, SHAPE, MOVES, tiles_per_second=50).replace("&quot;", '"')


def test_a_looping_picture():
    text = moves_svg(TILES, SHAPE, MOVES, tiles_per_second=1)
    root = ElementTree.fromstring(text)
    assert root.get("role") == "img" and [float(root.get(side)) for side in ("width", "height")] == [240, 285]
    assert "Moves: U, LL." in "".join(root.itertext()) and "2 of 2" in "".join(root.itertext())
    assert text.count("@keyframes") == 4  # three tiles, and the number of moves
    # 1 s, then two moves of 1 s, then 2 s. Tile 4 is the sixth in the order of cells, and moves first.
    name = root.get("class")
    frames = re.search(rf"@keyframes {name}-6{{(.*?)}}}}", text)[1] + "}"
    assert frames == "0%,20%{transform:translate(24px,104px)}25%,100%{transform:translate(24px,64px)}"
    assert f".{name} .p15>[class^=c]:nth-of-type(6){{animation:{name}-6 5s infinite}}" in text
    assert "prefers-reduced-motion:no-preference" in text and " id=" not in text


def test_looping_pictures_have_rules_of_their_own():
    games = (TILES, SHAPE, MOVES), (TILES, SHAPE, ["U"]), ((1, 2, 3, 0, 5, 6, 4, 8, 7), SHAPE, MOVES)
    assert len({ElementTree.fromstring(moves_svg(*game)).get("class") for game in games}) == 3


def test_tables():
    page = Page(table_html(["board", "<n>"], [["<b>", 1234], ["x" * 50, None]], "a & b"))
    assert page.texts[-1] == "x" * 50 and {"board", "<n>", "<b>", "1,234", "a & b"} < set(page.texts)
    assert len(page.with_class("n")) == 1
