"""Players and pictures in a real Chromium: controls, steps, without scripts, with reduced motion."""

import re

import pytest

from puzzle15 import Board, Solver, search, solve
from puzzle15._pictures.loop import moves_svg
from puzzle15._pictures.pages import html_page, player_html
from puzzle15.searches import SearchTree

pytestmark = pytest.mark.extra

SOLUTION = solve("8 6 7/2 5 4/3 0 1")


@pytest.fixture
def show(chromium):
    """A function that shows HTML; nothing is to be asked for, and nothing is to go wrong."""
    contexts, wrong = [], []

    def show(text, **options):
        contexts.append(chromium.new_context(**options))
        page = contexts[-1].new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda message: wrong.append(message.text))
        page.on("request", lambda request: wrong.append(request.url))
        page.set_content(text)
        return page

    yield show
    for context in contexts:
        context.close()
    assert not wrong


def recorded(algorithm="a*", limit=30, board="2 3 5/4 0 6/1 7 8"):
    tree = SearchTree(max_expansions=limit)
    tree.solution = search(board, algorithm=algorithm, on_expand=tree.add)
    return tree


def tiles_in(corners):
    """The board whose tiles are drawn at these places: (text, x, y) of each."""
    cols, rows = (int(max(corner[axis] for corner in corners)) // 40 + 1 for axis in (1, 2))
    tiles = {int((y - 24) // 40 * cols + (x - 24) // 40): int(tile) for tile, x, y in corners}
    return Board([tiles.get(cell, 0) for cell in range(cols * rows)], (rows, cols))


def board_of(page, number=0):
    """The board of a player as it is drawn."""
    tiles = page.locator(".p15-player").nth(number).locator("svg g[class^=c]")
    corner = "...tile.style.transform.match(/[0-9.]+/g).map(Number)"
    return tiles_in(tiles.evaluate_all(f"tiles => tiles.map(tile => [tile.textContent, {corner}])"))


def status(page, number=0):
    return page.locator(".p15-status").nth(number).inner_text().split("\n")


@pytest.fixture
def stepped(show):
    """(a page, a function that gives its step, its last step)"""
    page = show(SOLUTION.animation(tiles_per_second=2))
    slider = page.locator(".p15-slider")

    def at():
        assert re.search(r"\d+", page.locator(".p15-status").inner_text())[0] == slider.input_value()
        return int(slider.input_value())

    return page, at, int(slider.get_attribute("max"))


def test_buttons_keys_and_the_slider(stepped):
    page, at, last = stepped
    assert at() == 0
    for key, step in (("End", last), ("ArrowLeft", last - 1), ("Home", 0), ("ArrowLeft", 0)):
        page.keyboard.press(key)
        assert at() == step
    for name, step in (("Last", last), ("Next", last), ("Back", last - 1), ("First", 0), ("Next", 1)):
        page.get_by_role("button", name=name, exact=True).click()
        assert at() == step
    slider = page.locator(".p15-slider")
    slider.fill("7")
    slider.press("ArrowRight")
    assert at() == 8  # once
    page.locator(".p15-back").press(" ")  # the button, not play
    assert at() == 7 and page.locator(".p15-play").inner_text() == "Play"


def test_it_plays_silently_and_stops_at_the_end(stepped):
    page, at, last = stepped
    play, words, slider = (page.locator(f".p15-{name}") for name in ("play", "status", "slider"))
    slider.fill(str(last - 2))
    slider.press(" ")
    assert (play.inner_text(), words.get_attribute("aria-live")) == ("Pause", "off")
    page.get_by_role("button", name="Play").wait_for()
    assert at() == last and words.get_attribute("aria-live") == "polite"
    play.press(" ")  # from the start again; the button is pressed once, not twice
    assert play.inner_text() == "Pause" and at() < last
    play.press(" ")
    assert play.inner_text() == "Play"


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_everybody_can_use_them(show, mode):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    batch = Solver(shape=(3, 3)).solve_many(["8 6 7/2 5 4/3 0 1", "x"], on_error="mark")
    parts = [player_html((), (0, 0), [], caption="none"), SOLUTION._repr_html_(), batch._repr_html_()]
    page = show(html_page("Pictures", "".join(parts)), color_scheme=mode)
    page.keyboard.press("End")
    found = axe.run(page)
    assert found.violations_count == 0, found.generate_report()


def test_every_board_on_the_path_is_shown(show):
    page = show(SOLUTION.animation())
    for number, board in enumerate(SOLUTION.boards()):
        assert board_of(page) == board
        assert status(page)[0].startswith(f"Move {number} of 31")
        assert status(page)[1] == f"Distance to the goal: {31 - number}."
        assert page.locator(".p15-moves").inner_text() == SOLUTION.moves
        page.keyboard.press("ArrowRight")
    assert status(page)[0] == "Move 31 of 31: tile 6 up."
    assert "Row 3: 7, 8, blank." in page.locator("desc").text_content()


#: Notebooks set the text of an element that is not yet in the page, and then make its scripts anew.
INSERT = """html => {
    const output = document.createElement("div");
    output.innerHTML = html;
    for (const old of output.querySelectorAll("script")) {
        const script = document.createElement("script");
        script.textContent = old.textContent;
        old.replaceWith(script);
    }
    document.body.append(output);
}"""


def test_several_in_a_notebook(show):
    page = show("<main></main>")
    several = Solver(shape=(3, 3), metric="mtm").solve("1 2 3/0 5 6/4 7 8")
    for solution in (SOLUTION, several, SOLUTION):
        page.evaluate(INSERT, solution._repr_html_())
    for number in (1, 2):  # the first key is the notebook's
        page.keyboard.press("ArrowRight")
        page.locator(".p15-next").nth(number).click()
    assert [status(page, number)[0][:6] for number in range(3)] == ["Move 0", "Move 2", "Move 1"]
    assert status(page, 1)[0] == "Move 2 of 2: tiles 7 and 8 to the left."
    assert board_of(page, 1).is_goal()


def test_without_scripts_and_with_reduced_motion(show):
    page = show(SOLUTION.animation(), java_script_enabled=False)
    assert page.locator(".p15-moves").inner_text() == SOLUTION.moves
    assert page.locator("svg text").count() == 8
    assert not page.locator(".p15-controls").is_visible()
    transition = "getComputedStyle(document.querySelector('svg g g')).transitionProperty"
    loop = "document.getAnimations().length"
    for motion, property_, animations in (("reduce", "none", 0), ("no-preference", "transform", 9)):
        assert show(SOLUTION.animation(), reduced_motion=motion).evaluate(transition) == property_
        assert show(SOLUTION.svg(), reduced_motion=motion).evaluate(loop) == animations  # tiles, number of moves


def test_a_looping_picture_ends_at_the_goal(show):
    page = show(moves_svg(SOLUTION.board.tiles, (3, 3), list(SOLUTION), tiles_per_second=10))
    corners = """time => {
        for (const each of document.getAnimations()) { each.pause(); each.currentTime = time; }
        return [...document.querySelectorAll("svg g[class^=c]")].map(tile => {
            const { e, f } = new DOMMatrix(getComputedStyle(tile).transform);
            return [tile.textContent, e, f];
        });
    }"""
    for number, board in enumerate(SOLUTION.boards()):
        assert tiles_in(page.evaluate(corners, 1095 + 100 * (number - 1))) == board


@pytest.mark.parametrize(
    "algorithm, limit, board",
    [
        ("a*", 40, "5 1 2 3/9 6 7 0/13 10 8 4/15 12 11 14"),
        ("weighted-a*", 40, "5 1 2 3/9 6 7 0/13 10 8 4/15 12 11 14"),
        ("ida*", 40, "5 1 2 3/9 6 7 0/13 10 8 4/15 12 11 14"),
        ("greedy", 12, "9 1 14 4/12 7 5 15/0 11 8 10/13 6 3 2"),  # few boards above one another, and a long solution
    ],
)
def test_no_text_lies_on_another_or_beyond_the_picture(show, algorithm, limit, board):
    page = show(recorded(algorithm, limit, board).svg())
    boxes = page.locator("svg text:not(.p15 text)").evaluate_all(
        "all => all.map(text => text.getBoundingClientRect()).map(box => [box.left, box.top, box.right, box.bottom])"
    )
    svg = page.locator("svg").bounding_box()
    assert len(boxes) > 2 * limit
    for index, (left, top, right, bottom) in enumerate(boxes):
        assert left >= svg["x"] and right <= svg["x"] + svg["width"] and bottom <= svg["y"] + svg["height"]
        for other in boxes[:index]:
            over = min(right, other[2]) - max(left, other[0]), min(bottom, other[3]) - max(top, other[1])
            assert min(over) <= 3, (boxes[index], other)  # the boxes of lines one above the other touch
