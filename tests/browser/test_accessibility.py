"""Everybody can use the page in every state: an automatic check, small windows, large targets, and quiet pictures.

People look at the same states in the pictures of a folder:
    PUZZLE15_SCREENSHOTS=shots pytest -m extra tests/browser/test_accessibility.py
"""

import os
from pathlib import Path

import pytest

FOLDER = os.environ.get("PUZZLE15_SCREENSHOTS")
PHONE = {"width": 360, "height": 740}
DARK, ON_A_PHONE = {"color_scheme": "dark"}, {"viewport": PHONE, "has_touch": True, "device_scale_factor": 2}
MODES = {"light": {}, "dark, on a phone": {**DARK, **ON_A_PHONE}, "dark": DARK, "on a phone": ON_A_PHONE}
TEXT = "([id, words]) => document.getElementById(id).textContent.includes(words)"

# A checkbox and a range are pressed at their labels, too.
SMALL_TARGETS = """() => [...document.querySelectorAll("button, select, input, a")]
    .map(each => each.closest("label") ?? each)
    .filter(each => each.checkVisibility() && !each.matches(".skip"))
    .filter(each => { const { width, height } = each.getBoundingClientRect(); return Math.min(width, height) < 43.9; })
    .map(each => each.textContent || each.id)"""


def with_a_hint_and_a_bad_link(player):
    player.page.goto(player.page.url.partition("#")[0] + "#board=1")
    player.page.locator("#trouble").wait_for()
    for _ in range(3):
        player.press("Hint")
        player.wait_until(TEXT, "words", "to go.")


def with_a_board_that_cannot_reach_its_goal(player):
    player.press("Set up")
    player.page.locator("#text").fill("14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3")
    player.press("Use this board")
    player.page.locator("#which-goal").select_option("other")
    player.page.locator("#use-goal").wait_for()


def while_it_waits(player):
    player.page.locator("#level").select_option("8")  # the hardest
    player.press("Hint")
    player.page.locator("#cancel").wait_for()


def during_a_replay(player):
    player.press("Show solution")
    player.page.locator("#speed").fill("10")
    player.wait_until(TEXT, "words", "move 7 of")
    player.press("Pause")


def with_the_review(player):
    player.arrows("DDRUULLRLDDRURULLDDRUDLRURULLDDRRUULL")  # a shortest solution with two detours
    player.page.locator("#costly button").first.wait_for()


def in_a_race(player):
    player.press("Race")
    player.press("Start the race")
    player.wait_until(TEXT, "race-words", "Least time")


def watching_two_searches(player):
    player.press("Watch")
    player.page.get_by_label("Two searches").check()
    player.wait_until(TEXT, "watch-place", "of 1000")
    player.arrows("R" * 9)


def asked_what_is_next(player):
    player.press("Watch")
    player.page.get_by_label("Ask me").check()
    player.wait_until(TEXT, "watch-place", "of 1000")
    player.page.locator("summary").first.click()
    player.arrows("R" * 9)


STATES = [
    *(lambda player: None, with_a_hint_and_a_bad_link, with_a_board_that_cannot_reach_its_goal, while_it_waits),
    *(during_a_replay, with_the_review, in_a_race, watching_two_searches, asked_what_is_next),
]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.sweep(0, 2)
def test_every_state_passes_the_automatic_check(open_page, mode):
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright",
        reason="axe-playwright-python is missing: pip install --group browser",
    ).Axe()
    for number, lead in enumerate(STATES):
        player = open_page("#board=867/254/301", **MODES[mode])
        lead(player)
        player.page.wait_for_timeout(300)  # until the tiles lie still
        if FOLDER is not None:
            player.page.screenshot(path=Path(FOLDER) / f"page-{number}-{mode}.png", full_page=True)
        found = axe.run(player.page)
        assert found.violations_count == 0, found.generate_report()
        assert player.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page scrolls sideways"
        assert player.page.evaluate(SMALL_TARGETS) == [], "targets under 44 pixels"


@pytest.mark.parametrize("board", ["12/30", "12345678/9abcdef0", "12/34/56/78/9a/bc/de/f0"])
def test_every_shape_fits_a_phone(open_page, board):
    player = open_page(f"#board={board}", viewport=PHONE)
    box = player.page.locator("#board").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= PHONE["width"] and box["width"] * box["height"] > 10_000
    scrolls = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    assert player.page.evaluate(scrolls) == [PHONE["width"], PHONE["height"]]


def test_tiles_glide_by_transforms_alone_and_not_at_all_on_request(open_page):
    seen = """() => { const style = getComputedStyle(document.querySelector(".tile"));
        return [style.transitionProperty, style.transitionDuration]; }"""
    assert open_page("#board=123/456/780").page.evaluate(seen) == ["transform", "0.12s"]
    player = open_page("#board=867/254/301", reduced_motion="reduce")
    assert player.page.evaluate(seen)[0] == "none"
    player.press("Show solution")
    player.wait_for("words", "A shortest solution: move 0 of 31, 31 to go.")  # and it waits for Play
