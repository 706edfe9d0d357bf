"""Everybody can use the page: an automatic check, small windows, large targets, and quiet pictures."""

import pytest

PHONE = {"width": 360, "height": 740}
MODES = {
    "light": {},
    "dark": {"color_scheme": "dark"},
    "phone": {"viewport": PHONE, "has_touch": True},
}


@pytest.fixture
def check():
    """A function that fails if the automatic check finds something on a page."""
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright",
        reason='axe-playwright-python is missing: pip install ".[browser]"',
    ).Axe()

    def check(player):
        found = axe.run(player.page)
        assert found.violations_count == 0, found.generate_report()
        assert player.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page scrolls sideways"
        small = player.page.evaluate(SMALL_TARGETS)
        assert not small, f"targets under 44 pixels: {small}"

    return check


# A checkbox and a range are pressed at their labels, too.
SMALL_TARGETS = """() => [...document.querySelectorAll("button, select, input, a")]
    .map(each => each.closest("label") ?? each)
    .filter(each => each.checkVisibility() && !each.matches(".skip"))
    .filter(each => { const { width, height } = each.getBoundingClientRect(); return Math.min(width, height) < 43.9; })
    .map(each => each.textContent || each.id)"""


@pytest.mark.parametrize("mode", MODES)
def test_every_view_passes_the_automatic_check(open_page, check, mode):
    player = open_page("#board=867/254/301", **MODES[mode])
    check(player)
    player.arrows("DUDDLURULDDRUUL")
    player.page.locator("#costly button").first.wait_for()
    player.press("Hint")
    player.wait_for("words", "...to go.")
    player.page.locator("#text").fill("1 2 3/4 5")
    player.press("Use this board")
    player.wait_until("() => document.getElementById('own-words').textContent !== ''")
    check(player)
    player.press("Watch solution")
    player.press("Pause")
    check(player)
    player.press("Race")
    player.press("Start the race")
    player.wait_until("() => document.getElementById('race-words').textContent.includes('Least time')")
    check(player)


@pytest.mark.parametrize("board", ["12/30", "12345678/9abcdef0", "12/34/56/78/9a/bc/de/f0"])
def test_every_shape_fits_a_phone(open_page, check, board):
    player = open_page(f"#board={board}", viewport=PHONE)
    box = player.page.locator("#board").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= PHONE["width"]
    assert player.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_tiles_glide_by_transforms_alone_and_not_at_all_on_request(open_page):
    seen = """() => { const style = getComputedStyle(document.querySelector(".tile"));
        return [style.transitionProperty, style.transitionDuration]; }"""
    assert open_page("#board=123/456/780").page.evaluate(seen) == ["transform", "0.12s"]
    player = open_page("#board=867/254/301", reduced_motion="reduce")
    assert player.page.evaluate(seen)[0] == "none"
    player.press("Watch solution")
    player.wait_for("words", "A shortest solution: move 0 of 31, 31 to go.")  # and it waits for Play
