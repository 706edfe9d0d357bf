"""Players in a real Chromium: buttons, slider and keys, several in a page, without scripts, with reduced motion."""

import pytest

from puzzle15 import Board, Solver, solve
from puzzle15.pictures import html_page, moves_svg, player_html

pytestmark = pytest.mark.extra

SOLUTION = solve("8 6 7/2 5 4/3 0 1")


def board_of(page, number=0):
    """The board of a player as it is drawn: its tiles by their places."""
    places = (
        page.locator(".p15-player")
        .nth(number)
        .locator("svg g[class^=c]")
        .evaluate_all(
            "tiles => tiles.map(tile => [tile.textContent, ...tile.style.transform.match(/[0-9.]+/g).map(Number)])"
        )
    )
    cols, rows = (max(place[axis] for place in places) // 40 + 1 for axis in (1, 2))
    tiles = {int((y - 24) // 40 * cols + (x - 24) // 40): tile for tile, x, y in places}
    return Board([int(tiles.get(cell, 0)) for cell in range(int(cols * rows))], (int(rows), int(cols)))


def status(page, number=0):
    return page.locator(".p15-status").nth(number).inner_text().split("\n")


def test_every_board_of_the_way_is_shown(show):
    page = show(SOLUTION.animation())
    for number, board in enumerate(SOLUTION.boards()):
        assert board_of(page) == board
        assert status(page)[0].startswith(f"Move {number} of 31")
        assert status(page)[1] == f"Distance to the goal: {31 - number}."
        assert page.locator(".p15-moves").inner_text() == SOLUTION.moves
        page.keyboard.press("ArrowRight")
    assert status(page)[0] == "Move 31 of 31: tile 6 up."
    assert "Row 3: 7, 8, blank." in page.locator("desc").text_content()


def test_keys_buttons_and_the_slider(show):
    page = show(SOLUTION.animation(tiles_per_second=50))
    slider = page.get_by_role("slider", name="Move")

    def at():
        assert status(page)[0].startswith(f"Move {slider.input_value()} of 31")
        return int(slider.input_value())

    for key, expected in (("End", 31), ("ArrowLeft", 30), ("Home", 0), ("ArrowLeft", 0), ("ArrowRight", 1)):
        page.keyboard.press(key)
        assert at() == expected
    for name, expected in (("Last", 31), ("Next", 31), ("Back", 30), ("First", 0), ("Next", 1)):
        page.get_by_role("button", name=name, exact=True).click()
        assert at() == expected
    slider.fill("7")
    assert at() == 7
    slider.press("ArrowRight")
    assert at() == 8
    slider.press(" ")  # plays
    page.get_by_role("button", name="Play").wait_for()  # to the end
    assert at() == 31 and board_of(page).is_goal()
    play = page.locator(".p15-play")
    play.press(" ")  # from the start again; the button is pressed once, not twice
    assert play.inner_text() == "Pause" and page.locator(".p15-status").get_attribute("aria-live") == "off"
    play.press(" ")
    assert play.inner_text() == "Play" and page.locator(".p15-status").get_attribute("aria-live") == "polite"


def test_several_in_one_page(show):
    several = Solver(shape=(3, 3), metric="mtm").solve("1 2 3/0 5 6/4 7 8")
    page = show(f"<main>{SOLUTION._repr_html_()}{several._repr_html_()}{SOLUTION._repr_html_()}</main>")
    page.keyboard.press("ArrowRight")  # a notebook's key
    page.locator(".p15-next").nth(1).click()
    page.keyboard.press("ArrowRight")
    page.locator(".p15-next").nth(2).click()
    assert [status(page, number)[0][:6] for number in range(3)] == ["Move 0", "Move 2", "Move 1"]
    assert status(page, 1)[0] == "Move 2 of 2: tiles 7 and 8 to the left."
    assert board_of(page, 1).is_goal()


def test_as_notebooks_insert_it(show):
    """They set the text of an element that is not yet in the page, and then make its scripts anew."""
    page = show("<div></div>")
    page.evaluate(
        """html => {
            const output = document.createElement("div");
            output.innerHTML = html;
            for (const old of output.querySelectorAll("script")) {
                const script = document.createElement("script");
                script.textContent = old.textContent;
                old.replaceWith(script);
            }
            document.body.append(output);
        }""",
        SOLUTION._repr_html_(),
    )
    page.locator(".p15-last").click()
    assert board_of(page).is_goal()


def test_without_scripts(show):
    page = show(SOLUTION.animation(), java_script_enabled=False)
    assert page.locator(".p15-moves").inner_text() == SOLUTION.moves
    assert page.locator("svg text").count() == 8
    assert not page.locator(".p15-controls").is_visible()


def test_reduced_motion(show):
    page = show(SOLUTION.animation(), reduced_motion="reduce")
    transition = "getComputedStyle(document.querySelector('svg g g')).transitionProperty"
    assert page.evaluate(transition) == "none"
    assert show(SOLUTION.animation()).evaluate(transition) == "transform"
    loop = "document.getAnimations().length"
    assert show(SOLUTION.svg(), reduced_motion="reduce").evaluate(loop) == 0
    assert show(SOLUTION.svg()).evaluate(loop) == 9  # eight tiles, and the number of moves


def test_a_looping_picture_ends_at_the_goal(show):
    page = show(moves_svg(SOLUTION.board.tiles, (3, 3), list(SOLUTION), tiles_per_second=10))
    where = """time => {
        for (const each of document.getAnimations()) { each.pause(); each.currentTime = time; }
        return [...document.querySelectorAll("svg g[class^=c]")].map(tile => {
            const { e, f } = new DOMMatrix(getComputedStyle(tile).transform);
            return [tile.textContent, e, f];
        });
    }"""
    for number, board in enumerate(SOLUTION.boards()):
        tiles = {
            int((y - 24) // 40 * 3 + (x - 24) // 40): tile
            for tile, x, y in page.evaluate(where, 1095 + 100 * (number - 1))
        }
        assert Board([int(tiles.get(cell, 0)) for cell in range(9)]) == board


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_everybody_can_use_a_player(show, mode):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    batch = Solver(shape=(3, 3)).solve_many(["8 6 7/2 5 4/3 0 1", "x"], on_error="mark")
    parts = [player_html((), (0, 0), [], caption="none"), SOLUTION._repr_html_(), batch._repr_html_()]
    found = axe.run(show(html_page("Pictures", "".join(parts)), color_scheme=mode))
    assert found.violations_count == 0, found.generate_report()
