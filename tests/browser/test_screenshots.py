"""Pictures of the page in every state, which people look at.

They are made when PUZZLE15_SCREENSHOTS names a folder for them:
    PUZZLE15_SCREENSHOTS=shots pytest -m extra tests/browser/test_screenshots.py
"""

import os
from pathlib import Path

import pytest

LOOKS = {
    "light": {},
    "dark": {"color_scheme": "dark"},
    "phone": {"viewport": {"width": 360, "height": 740}, "device_scale_factor": 2},
}


TEXT = "() => document.getElementById('{}').textContent.includes('{}')"


def with_a_hint(player):
    player.press("Hint")
    player.wait_for("words", "...to go.")


def during_a_replay(player):
    player.press("Watch solution")
    player.page.locator("#speed").fill("10")
    player.wait_until(TEXT.format("words", "move 7 of"))
    player.press("Pause")


def with_the_analysis(player):
    player.arrows("DDRUULLRLDDRURULLDDRUDLRURULLDDRRUULL")  # a shortest solution with two detours
    player.wait_for("distance", 0)
    player.wait_until("() => document.querySelectorAll('#costly li').length > 1")


def in_a_race(player):
    player.press("Race")
    player.press("Start the race")
    player.wait_until(TEXT.format("race-words", "Least time"))


#: By the name of its picture, what leads to each state.
STATES = {
    "at-start": lambda player: None,
    "with-a-hint": with_a_hint,
    "during-a-replay": during_a_replay,
    "with-the-analysis": with_the_analysis,
    "in-a-race": in_a_race,
}


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.skipif("PUZZLE15_SCREENSHOTS" not in os.environ, reason="PUZZLE15_SCREENSHOTS names no folder")
def test_every_state_can_be_photographed(open_page, look):
    folder = Path(os.environ["PUZZLE15_SCREENSHOTS"])
    folder.mkdir(parents=True, exist_ok=True)
    for name, lead in STATES.items():
        board = "5389/0241/7aed/cb6f" if name == "at-start" else "867/254/301"
        player = open_page(f"#board={board}", **LOOKS[look])
        lead(player)
        player.page.wait_for_timeout(300)  # until the tiles lie still
        file = folder / f"page-{name}-{look}.png"
        player.page.screenshot(path=file, full_page=True)
        assert file.stat().st_size > 10_000
