"""Games on the page: hints, every way to move, one's own boards, links, replays, and the analysis."""

import re
from urllib.parse import quote

import pytest

from puzzle15 import Board, Solver

FAR = "867/254/301"  # 31 moves
NEAR = "123/406/758"  # 2 moves: U L
LINE = "1234/5678/9abc/0def"  # 3 moves: L L L


def click(player):
    player.press("Hint")
    player.hinted().click()


def type_keys(player):
    player.page.locator("#board button[tabindex='0']").focus()
    player.page.keyboard.press("h")
    player.arrows(player.page.locator("#board [data-arrow]").first.get_attribute("data-arrow"))


@pytest.mark.parametrize("shape, distance, follow", [("3x3", 14, click), ("4x4", 25, type_keys)])
def test_who_follows_hints_needs_the_fewest_moves(open_page, shape, distance, follow):
    player = open_page(f"#board={FAR}")
    player.page.locator("#shape").select_option(shape)
    player.page.locator("#wanted").fill(str(distance))
    player.press("Scramble")
    player.wait_for("shortest", distance)
    for made in range(distance):
        player.wait_for("made", made)
        follow(player)
    player.wait_for("distance", 0)
    assert player.text("made") == str(distance)
    assert player.text("words") == f"Solved in {distance} moves. No solution is shorter: well done!"


def test_a_hint_names_all_optimal_moves(open_page):
    player = open_page(f"#board={FAR}")
    player.press("Hint")
    player.wait_for("words", "...31 moves to go.")
    assert Solver(goal=Board.goal((3, 3))).hint("867254301").moves == "DLR"
    assert player.text("words") == "Hint: move 5 down. 1 left and 3 right would be as good. 31 moves to go."
    assert player.page.locator("#board [data-arrow]").count() == 3
    player.arrows("D")
    assert player.page.locator("#board [data-arrow]").count() == 0


def test_the_keyboard_is_enough(open_page):
    player = open_page("#board=1234/5608/9a7b/defc")  # 3 moves: U L U
    keyboard = player.page.keyboard
    on_board = "document.activeElement.closest('#board [role=grid]') !== null"
    for key, is_there in (("Tab", False), ("Enter", True), ("Shift+Tab", False), ("Tab", True)):  # one skips to it
        keyboard.press(key)
        assert player.page.evaluate(on_board) == is_there
    keyboard.press("ArrowRight")
    player.wait_for("spoken", "6 moved right, 1 move made, distance 4.")
    keyboard.press("u")
    player.wait_for("spoken", "Undone, 0 moves made, distance 3.")
    keyboard.press("r")
    player.wait_for("made", 1)
    keyboard.press("u")
    keyboard.press("h")
    player.wait_for("spoken", "Hint: move 7 up. 3 moves to go.")
    keyboard.press("ArrowUp")
    assert player.page.evaluate("document.activeElement.getAttribute('aria-label')") == "7, row 2, column 3"
    keyboard.press("ArrowDown")
    keyboard.press("Shift+ArrowDown")  # to look at the tile below
    keyboard.press("Shift+ArrowUp")
    keyboard.press("Shift+ArrowUp")
    assert player.page.evaluate("document.activeElement.getAttribute('aria-label')") == "blank, row 2, column 3"
    keyboard.press("Shift+ArrowDown")
    keyboard.press("Enter")
    player.arrows("LU")
    player.wait_for("distance", 0)
    assert player.text("made") == "5"
    assert "The shortest solution has 3." in player.text("words")


def test_a_restart_begins_with_a_new_clock(open_page):
    player = open_page(f"#board={FAR}")
    player.arrows("D")
    player.wait_for("time", "0:01")
    player.press("Restart")
    assert (player.text("made"), player.text("time")) == ("0", "0:00")
    player.press("Redo")
    assert player.text("made") == "1"


def test_a_click_slides_the_whole_line(open_page):
    player = open_page(f"#board={LINE}")
    player.arrows("U")
    player.wait_for("spoken", "No tile can move up.")
    player.cell(7).click()
    player.wait_for("spoken", "7 cannot move: it is not in line with the blank.")
    player.cell(15).click()
    verdict = "Solved in 3 moves. No solution is shorter: well done!"
    player.wait_for("spoken", f"13, 14, 15 moved left, 3 moves made, distance 0. {verdict}")
    player.press("Undo")
    assert player.board() == "1 2 3 4/5 6 7 8/9 10 11 12/13 14 0 15"


def test_strokes_slide_the_line_in_which_they_begin(open_page):
    player = open_page("#board=1234/5678/9abc/de0f")
    box = player.cell(13).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    mouse = player.page.mouse
    for across, up, made in ((0, 60, 0), (60, 0, 2)):  # no tile can move up
        mouse.move(x, y)
        mouse.down()
        mouse.move(x + across, y - up, steps=4)
        mouse.up()
        player.wait_for("made", made)
    assert player.board().endswith("/0 13 14 15")


def test_swipes_move_the_tile_beside_the_gap(open_page):
    player = open_page(f"#board={NEAR}", has_touch=True, viewport={"width": 360, "height": 740})
    touch = player.page.context.new_cdp_session(player.page)
    box = player.page.locator("#board").bounding_box()

    def swipe(dx, dy):
        x, y = box["x"] + box["width"] / 6, box["y"] + box["height"] / 6  # the first tile, in line with nothing
        for kind, part in [("touchStart", 0), ("touchMove", 0.5), ("touchMove", 1), ("touchEnd", None)]:
            points = [] if part is None else [{"x": x + dx * part, "y": y + dy * part}]
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    swipe(0, -60)
    player.wait_for("made", 1)
    swipe(-60, 0)
    player.wait_for("distance", 0)
    assert player.text("made") == "2"
    touch.detach()


BAD = {"1 2 3/4 5": "its rows have 3 and 2 numbers", "hello": "hello", "1 2 3/4 5 6/8 7 0": "cannot reach", "": "no "}


def test_a_bad_board_or_link_gets_a_sentence(open_page):
    player = open_page("#board=123/456/870")
    assert "cannot reach" in player.text("own-words") and player.board() == str(Board.goal())
    for text, sentence in BAD.items():
        player.page.locator("#text").fill(text)
        player.press("Use this board")
        player.wait_until("([text]) => document.getElementById('own-words').textContent.includes(text)", sentence)
        assert player.board() == str(Board.goal())


def test_any_form_of_a_board_is_read(open_page):
    for text in ("867254301", "8 6 7\n2 5 4\n3 _ 1", "[[8, 6, 7], [2, 5, 4], [3, 0, 1]]"):
        typed, linked = open_page("#board=1234/5678/9abc/de0f"), open_page(f"#board={quote(text)}")
        typed.page.locator("#text").fill(text)
        typed.press("Use this board")
        for player in (typed, linked):
            player.wait_for("distance", 31)
            assert player.board() == "8 6 7/2 5 4/3 0 1"


def test_the_address_holds_the_position(open_page):
    player = open_page(f"#board={FAR}")
    player.arrows("DL")
    expected = str(Board("867254301").apply("DL"))
    player.wait_until("([link]) => location.hash === link", f"#board={expected.replace(' ', '')}")
    other = open_page(player.page.evaluate("location.hash"))
    assert other.board() == player.board() == expected
    assert other.text("made") == "0"


def test_back_returns_to_the_game_before(open_page):
    player = open_page(f"#board={FAR}")
    player.arrows("DL")
    position = player.board()
    player.page.locator("#shape").select_option("4x4")
    player.press("Scramble")
    player.wait_until("() => location.hash.length > 20")
    player.page.go_back()
    player.wait_for("made", 2)
    assert player.board() == position
    player.page.reload()
    player.wait_for("made", 2)
    player.press("Undo")
    player.wait_for("made", 1)


def test_the_replay_ends_at_the_goal(open_page):
    player = open_page(f"#board={FAR}")
    player.arrows("D")
    player.press("Show solution")
    player.page.locator("#speed").fill("10")
    player.press("Pause")
    at = int(re.search(r"move (\d+) of 30", player.text("words"))[1])
    player.press("Step")
    player.wait_for("words", f"A shortest solution: move {at + 1} of 30, {29 - at} to go.")
    assert player.text("distance") == str(29 - at)
    player.press("Step back")
    player.wait_for("distance", 30 - at)
    player.arrows("R")  # steps, too
    player.page.locator("#run").click()
    player.wait_for("words", "A shortest solution: move 30 of 30, 0 to go.")
    assert player.board() == "1 2 3/4 5 6/7 8 0"
    player.press("Back to my game")
    assert player.text("made") == "1"
    assert player.board() == str(Board("867254301").apply("D"))


def test_the_analysis_marks_just_the_moves_that_cost(open_page):
    moves = "DDLURULDDRUUL"
    player = open_page(f"#board={FAR}")
    player.arrows(moves)
    analysis = Solver(goal=Board.goal((3, 3))).analyse("867254301", moves)
    numbers = [mistake.number for mistake in analysis.mistakes]
    assert numbers
    player.wait_until("([count]) => document.querySelectorAll('#curve .costly').length === count", len(numbers))
    marks = player.page.locator("#curve .costly").evaluate_all("marks => marks.map(mark => +mark.dataset.move)")
    assert marks == numbers
    assert f"cost {analysis.lost} moves" in player.text("analysis-words")
    board = Board("867254301").apply(moves[: numbers[0] - 1])
    player.page.locator("#costly button").first.click()
    assert player.board() == str(board)
    player.page.locator("#at").fill("3")
    assert player.text("made") == "3"
