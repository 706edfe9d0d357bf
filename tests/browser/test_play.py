"""Games on the page: levels, hints, every way to move, one's own boards, links, replays, results, and the review."""

import re

import pytest

from puzzle15 import Board, Solver
from puzzle15.board import KORF_GOAL, korf100
from puzzle15.board._solvability import swap_to_solvable
from puzzle15.errors import BoardError
from puzzle15.solver._scrambling import known_boards

FAR = "867/254/301"  # 31 moves
NEAR = "123/406/758"  # 2 moves: U L
LINE = "1234/5678/9abc/0def"  # 3 moves: L L L
SOLVED = "1 2 3/4 5 6/7 8 0"
SOLVE = """([board, goal]) => window.puzzle15.exact.ask({ kind: "solve", board, goal }).then(({ moves }) => moves)"""
SIZES = {
    "desktop": {"viewport": {"width": 1280, "height": 720}},
    "phone": {"viewport": {"width": 360, "height": 740}, "has_touch": True},
}
FITS = "document.documentElement.scrollHeight <= innerHeight && document.documentElement.scrollWidth <= innerWidth"


def solution(player):
    """The letters of a shortest solution of the board that is shown, whose goal is the usual one."""
    board = player.board()
    return player.page.evaluate(SOLVE, [board, str(Board.goal(Board(board).shape))])


def begin(player, act):
    """Act, and wait until a new game has begun."""
    before = player.page.evaluate("history.length")
    act()
    player.wait_until("([before]) => history.length > before", before)


def choose(player, level):
    """Choose a level by its name."""
    option = player.page.locator("#level option").filter(has_text=level)
    value = option.get_attribute("value")
    begin(player, lambda: player.page.locator("#level").select_option(value))


def use(player, text):
    """Give a text as one's own board."""
    player.press("Set up")
    player.page.locator("#text").fill(text)
    player.press("Use this board")


def wait_for_part(player, name, words):
    player.wait_until("([id, words]) => document.getElementById(id).textContent.includes(words)", name, words)


def hint(player, press):
    """Press Hint until it shows where the tile goes; the letter of the first arrow."""
    for _ in range(3):
        press()
        wait_for_part(player, "words", "to go")
    return player.page.locator("#board [data-arrow]").first.get_attribute("data-arrow")


# --- Hints, and what is not told before them.


@pytest.mark.parametrize("shape, distance", [("3x3", 14), ("4x4", 25)])
def test_who_follows_hints_needs_the_fewest_moves(open_page, shape, distance):
    player = open_page(f"#board={FAR}")
    player.press("Set up")
    player.page.locator("#shape").select_option(shape)
    player.page.locator("#wanted").fill(str(distance))
    player.press("Scramble")
    player.wait_until("() => !document.getElementById('setup').open")
    for made in range(distance):
        if made % 2:
            player.arrows(hint(player, lambda: player.page.keyboard.press("h")))
        else:
            hint(player, lambda: player.press("Hint"))
            player.hinted().click()
        player.wait_for("made", made + 1)
    player.wait_for("words", f"...No solution is shorter! You had {3 * distance} hints.")
    assert player.text("distance") == "0"


def test_a_hint_says_more_with_each_step(open_page):
    player = open_page(f"#board={FAR}")
    shown = "() => ['hint', 'arrow'].map(name => document.querySelectorAll(`#board [data-${name}]`).length)"
    assert (player.text("distance"), player.text("words")) == ("?", "")
    assert Solver(goal=Board.goal((3, 3))).hint("867254301").best_moves == "DLR"
    steps = [
        ("31 moves to go. Press Hint again to see which tile.", [0, 0]),
        ("Hint: move 5. 1 and 3 would be as good. 31 moves to go.", [3, 0]),
        ("Hint: move 5 down. 1 left and 3 right would be as good. 31 moves to go.", [3, 3]),
    ]
    for number, (words, marks) in enumerate([*steps, steps[-1]], 1):
        player.press("Hint")
        player.wait_for("words", words)
        assert player.page.evaluate(shown) == marks
        assert (player.text("hints"), player.text("distance")) == (str(min(number, 3)), "31")
    player.arrows("D")
    assert player.page.evaluate(shown) == [0, 0]
    assert (player.text("words"), player.text("distance"), player.text("hints")) == ("", "?", "3")
    player.press("Hint")
    player.wait_for("words", "...30 moves to go. Press Hint again to see which tile.")


SLOW = """() => { window.ended = [];
    window.puzzle15.exact.ask = ({ seconds }, { signal, progress }) => new Promise((resolve, reject) => {
        progress({ lower_bound: 47 });
        const end = name => {
            ended.push([name, seconds]);
            reject(Object.assign(new Error(), { name, progress: { lower_bound: 49 } })); };
        signal.addEventListener("abort", () => end("cancelled"));
        window.time = () => end("time"); }); }"""


def test_an_answer_that_takes_long_is_told_cancelled_and_limited(open_page):
    player = open_page(f"#board={FAR}")
    player.page.evaluate(SLOW)
    for act in (lambda: player.press("Cancel"), lambda: player.arrows("D")):
        player.press("Hint")
        player.wait_for("words", "At least 47 moves to go. Searching …")
        act()
        assert not player.page.locator("#cancel").is_visible()
    assert player.page.evaluate("ended") == [["cancelled", 60]] * 2
    player.press("Show solution")
    player.wait_for("words", "At least 47 moves to go. Searching …")
    player.page.evaluate("time()")
    player.wait_for("words", "There was not enough time. At least 49 moves to go.")
    assert (player.text("hints"), player.text("distance")) == ("0", "?")


# --- Levels.


@pytest.mark.parametrize("size", SIZES)
def test_every_level_and_hint_fits_the_window(open_page, size):
    player = open_page(**SIZES[size])
    for name in player.page.locator("#level option:not([hidden])").all_inner_texts():
        if name != "First steps: 6 moves":
            choose(player, name.split(":")[0])
        assert player.page.evaluate(FITS), name
        for button in ("Hint", "Undo", "New"):
            box = player.page.get_by_role("button", name=button, exact=True).bounding_box()
            assert box["y"] + box["height"] <= player.page.viewport_size["height"]
    choose(player, "Any 3x3")
    hint(player, lambda: player.press("Hint"))
    assert player.page.evaluate(FITS)


def test_levels_are_what_they_are_called(open_page):
    player = open_page()
    for name, least, most in [
        ("First steps", 6, 6),
        ("Easy 3x3", 10, 16),
        ("Hardest 3x3", 31, 31),
        ("Easy 4x4", 16, 24),
    ]:
        if name != "First steps":
            choose(player, name)
        for _ in range(3):
            assert least <= len(solution(player)) <= most, name
            begin(player, lambda: player.press("New"))
    choose(player, "Hardest 4x4")
    for _ in range(5):
        assert Board(player.board()) in known_boards(80, Board.goal())
        begin(player, lambda: player.press("New"))
    choose(player, "Board of the day")
    other = open_page()
    choose(other, "Board of the day")
    assert other.board() == player.board()
    player.press("New")
    assert player.page.locator("#level option:checked").inner_text().startswith("Any 4x4")


def test_the_best_results_are_kept_without_hints_and_repetitions(open_page):
    player = open_page()
    for number in range(5):
        player.arrows(solution(player))
        wait_for_part(player, "words", "Solved in 6 moves and 0:0")
        wait_for_part(player, "words", "a second). No solution is shorter!")
        assert player.text("bests").startswith("Best: 0:0")
        assert ("Average of 5: 0:0" in player.text("bests")) == (number == 4)
        player.press("Next")
    assert player.text("bests").endswith(", 6.0 moves.")
    kept = player.page.evaluate("localStorage['puzzle15 results']")
    assert re.search(r'"moves":6,"last":\[(\[[\d.]+,6\],?){5}\]', kept)
    for help_ in (lambda: player.press("Hint"), lambda: (player.arrows(solution(player)[0]), player.press("Restart"))):
        help_()
        player.arrows(solution(player))
        wait_for_part(player, "words", "Solved in")
        player.press("Next")
    assert player.page.evaluate("localStorage['puzzle15 results']") == kept
    player.page.reload()
    assert player.text("bests").startswith("Best: 0:0")


def test_space_is_a_random_board_of_the_same_shape(open_page):
    player = open_page("#board=1234/5678/9ab0")
    player.page.locator("#board button").first.focus()
    for _ in range(2):
        begin(player, lambda: player.page.keyboard.press("Space"))
        assert Board(player.board()).shape == (3, 4) and player.text("made") == "0"
    player.press("Set up")
    player.page.locator("#text").focus()
    player.page.keyboard.type("8 6 7/2 5 4/3 0 1 urh")
    assert player.page.locator("#text").input_value() == "8 6 7/2 5 4/3 0 1 urh" and player.text("made") == "0"


# --- Moves.


def test_the_keyboard_is_enough(open_page):
    player = open_page("#board=1234/5608/9a7b/defc")  # 3 moves: U L U
    keyboard = player.page.keyboard
    keyboard.press("h")  # without the focus on the board
    player.wait_for("spoken", "3 moves to go. Press Hint again to see which tile.")
    on_board = "document.activeElement.closest('#board [role=grid]') !== null"
    for key, is_there in (("Tab", False), ("Enter", True), ("Shift+Tab", False), ("Tab", True)):  # one skips to it
        keyboard.press(key)
        assert player.page.evaluate(on_board) == is_there
    keyboard.press("ArrowRight")
    player.wait_for("spoken", "6 moved right, 1 move made. ")
    keyboard.press("u")
    player.wait_for("spoken", "Undone, 0 moves made. ")
    keyboard.press("r")
    player.wait_for("made", 1)
    keyboard.press("u")
    hint(player, lambda: keyboard.press("h"))
    player.wait_for("spoken", "Hint: move 7 up. 3 moves to go.")
    keyboard.press("ArrowUp")
    assert player.page.evaluate("document.activeElement.getAttribute('aria-label')") == "7, row 2, column 3"
    keyboard.press("ArrowDown")
    for key in ("Shift+ArrowDown", "Shift+ArrowUp", "Shift+ArrowUp"):  # to look at the tile below and above
        keyboard.press(key)
    assert player.page.evaluate("document.activeElement.getAttribute('aria-label')") == "blank, row 2, column 3"
    keyboard.press("Shift+ArrowDown")
    keyboard.press("Enter")
    player.arrows("LU")
    player.wait_for("words", "...The shortest solution has 3. You had 4 hints.")
    assert player.text("made") == "5"


def test_a_click_slides_the_line_and_a_tile_that_cannot_move_shakes(open_page):
    player = open_page(f"#board={LINE}")
    player.arrows("U")
    player.wait_for("words", "No tile can move up.")
    player.arrows("D")
    player.wait_for("time", "0:01")
    player.press("Restart")
    assert (player.text("made"), player.text("time")) == ("0", "0:00")
    player.press("Redo")
    player.press("Undo")
    shaking = "() => document.getAnimations().filter(each => each.effect.target.matches('.face')).length"
    player.cell(7).click()
    assert player.page.evaluate(shaking) == 1
    player.wait_for("words", "7 cannot move: only tiles in line with the blank can.")
    assert not player.page.locator("#review").is_visible()
    player.cell(15).click()
    player.wait_for("words", "...No solution is shorter!")
    assert player.text("spoken").startswith("13, 14, 15 moved left, 3 moves made. Solved in 3 moves")
    player.wait_for("review-words", "3 moves: none led away from the goal.")
    player.press("Undo")
    assert player.board() == "1 2 3 4/5 6 7 8/9 10 11 12/13 14 0 15"


def centre(player, cell):
    box = player.page.locator("#board button").nth(cell).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(player, *cells):
    """Drag the mouse over cells."""
    mouse = player.page.mouse
    mouse.move(*centre(player, cells[0]))
    mouse.down()
    for cell in cells[1:]:
        mouse.move(*centre(player, cell), steps=5)
    mouse.up()


@pytest.mark.parametrize(
    "cells, moves",
    [
        ((12, 13), "RR"),  # both tiles at the left of the blank follow
        ((14, 15, 11, 7, 6), "LDDR"),  # the blank follows
        ((10, 14, 10), "DU"),  # there and back
        (
            (5, 9),
            "",
        ),  # a tile that is not in line, as far as the next cell: a stroke down, of the tile beside the blank
    ],
)
def test_a_drag_moves_what_it_crosses(open_page, cells, moves):
    start = Board("1234/5678/9abc/de0f")
    player = open_page("#board=1234/5678/9abc/de0f")
    drag(player, *cells)
    assert player.board() == str(start.apply(moves or "D"))
    assert player.text("made") == str(len(moves or "D"))


def test_taps_move_a_tile_and_swipes_that_beside_the_gap(open_page):
    player = open_page(f"#board={NEAR}", **SIZES["phone"])
    touch = player.page.context.new_cdp_session(player.page)
    x, y = centre(player, 0)  # the first tile, in line with nothing

    def swipe(dx, dy):
        for kind, part in [("touchStart", 0), ("touchMove", 0.5), ("touchMove", 1), ("touchEnd", None)]:
            points = [] if part is None else [{"x": x + dx * part, "y": y + dy * part}]
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    for _ in range(6):  # a tap right after a swipe counts, too
        swipe(0, -60)
        player.wait_for("made", 1)
        player.press("Undo")
        player.cell(5).tap()
        player.wait_for("made", 1)
        player.press("Undo")
        player.wait_for("made", 0)
    swipe(0, -60)
    swipe(-60, 0)
    wait_for_part(player, "words", "Solved in 2 moves")
    touch.detach()


# --- One's own boards, and links.

TEXTS = [
    *("", "hello", "1 2 3/4 5", "8 8 1/2 3 4/5 6 0", "1 2 3 4/5 6 7 8/9 10 11 12/13 14 16 0", "1 2 3/4 5 6/7 8 -3"),
    *("1 2 3 4 5 6 7 0", "1 2 3", "1 2 3 4 5 6 7 8 9 10 11 0", "867254301", "134 8b5 726", "1 2 3/4 5 6/7 8 9"),
    *("[[8, 6, 7], [2, 5, 4], [3, 0, 1]]", "8 6 7\n2 5 4\n3 _ 1", "1\n2\n3\n4\n5\n6\n7\n8\n0", "b 1 2/3 4 5/6 7 8"),
    *("1 2 3/4 5 6/7 8 9/10 11 12/13 14 15/16 17 0", "1 1 1/0 3 4", "0 0 0 0/0 0 0 0"),
    *("fedc/ba98/7654/3201", "2 1 3/8 0 4/7 6 5", "9 3 6 0/2 8 11 1/5 7 10 4"),
    *("01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 00", "1234 5678 9abc def0", "2 2/1 1", "1 2/3 x", "[1 2]\n[3 0]"),
]


def test_boards_are_read_or_refused_as_the_package_does(open_page):
    player = open_page(f"#board={LINE}")
    for text in TEXTS:
        player.page.evaluate("() => document.getElementById('setup').close()")
        use(player, text)
        try:
            board = Board(text)
        except BoardError as error:
            words = player.text("own-words")
            assert words and player.page.locator("#setup").is_visible(), text
            parts = re.findall(r"tile \d+ occurs \w+|tile \d+ is missing|\d+ and \d+ numbers|\d+x\d+", str(error))
            assert all(part.lower() in words.lower() for part in parts), words
        else:
            if board.is_solvable():
                assert player.board() == str(board)
            else:
                [[first, second]], _ = swap_to_solvable([board.packed], Board.goal(board.shape))
                wait_for_part(player, "own-words", f"Exchange {first} and {second}, and it can.")


def test_a_board_that_cannot_reach_its_goal_is_told_of_another(open_page):
    player = open_page()
    use(player, "1 2 3/4 5 6/8 7 0")
    assert player.text("own-words").endswith("Exchange 7 and 8, and it can.")
    assert not player.page.locator("#use-goal").is_visible()
    player.press("Close")
    korf = korf100()[0].board
    use(player, str(korf))
    player.press("Use the goal with the blank first")
    assert player.board() == str(korf)
    assert player.page.locator("#goal").get_attribute("aria-label") == f"The goal: {KORF_GOAL}"
    link = player.page.evaluate("location.hash")
    assert open_page(link).page.locator("#goal").get_attribute("aria-label") == f"The goal: {KORF_GOAL}"
    player.press("Set up")
    player.page.locator("#which-goal").select_option("other")
    player.page.locator("#other-goal").fill("1 2 3/8 0 4/7 6 5")
    player.page.locator("#text").fill("2 8 3/1 6 4/7 0 5")
    player.press("Use this board")
    assert player.board() == "2 8 3/1 6 4/7 0 5"
    player.press("Hint")
    player.wait_for("distance", 5)


@pytest.mark.parametrize(
    "link, words",
    [
        ("board=123/456/870", "Exchange 7 and 8"),
        ("board=zz", "Cannot read z"),
        ("board=123/456/780&moves=DX", "Move 2 is X: write moves as U, D, L and R."),
        ("board=123/456/780&moves=DDDD", "Move 3: no tile can move down there."),
    ],
)
def test_a_bad_link_says_so_and_opens_a_board_to_play(open_page, link, words):
    player = open_page(f"#{link}")
    assert words in player.text("trouble-words")
    assert len(solution(player)) == 6 and player.page.evaluate(FITS)
    player.press("Close")
    player.press("New")
    assert not player.page.locator("#trouble").is_visible()


def test_the_address_and_the_history_hold_games(open_page):
    player = open_page(f"#board={FAR}")
    player.arrows("DL")
    position = str(Board("867254301").apply("DL"))
    player.wait_until("([link]) => location.hash === link", f"#board={position.replace(' ', '')}")
    other = open_page(player.page.evaluate("location.hash"))
    assert other.board() == player.board() == position and other.text("made") == "0"
    choose(player, "Any 4x4")
    player.page.go_back()
    player.wait_for("made", 2)
    assert player.board() == position
    player.page.reload()
    player.wait_for("made", 2)
    player.press("Undo")
    player.wait_for("made", 1)


# --- Replays, and the review.


def test_the_replay_ends_at_the_goal_and_the_game(open_page):
    player = open_page(f"#board={FAR}")
    player.arrows("D")
    player.press("Show solution")
    player.page.locator("#speed").fill("10")
    player.press("Pause")
    at = int(re.search(r"move (\d+) of 30", player.text("words"))[1])
    player.press("Step")
    player.wait_for("words", f"A shortest solution: move {at + 1} of 30, {29 - at} to go.")
    assert player.text("distance") == str(29 - at) and player.page.evaluate(FITS)
    player.press("Step back")
    player.wait_for("distance", 30 - at)
    player.arrows("R")  # steps, too
    player.page.locator("#run").click()
    player.wait_for("words", "A shortest solution: move 30 of 30, 0 to go.")
    assert player.board() == SOLVED
    player.press("Back to my game")
    assert player.text("made") == "1" and player.text("words") == ""
    assert player.board() == str(Board("867254301").apply("D"))
    player.wait_for("review-words", "1 move: none led away from the goal.")


def test_the_review_marks_just_the_moves_that_cost(open_page):
    moves = "DDLURULDDRUUL"
    analysis = Solver(goal=Board.goal((3, 3))).analyse("867254301", moves)
    numbers = [mistake.number for mistake in analysis.mistakes]
    assert numbers
    player = open_page()
    use(player, f"867254301\t{moves}")
    wait_for_part(player, "review-words", f"{len(numbers)} led away from the goal and cost {analysis.lost}.")
    marks = player.page.locator("#curve .costly").evaluate_all("marks => marks.map(mark => +mark.dataset.move)")
    assert marks == numbers and player.page.evaluate(FITS)
    player.page.locator("#costly button").first.click()
    assert player.board() == str(Board("867254301").apply(moves[: numbers[0] - 1]))
    player.page.locator("#at").fill("3")
    assert player.text("made") == "3"

    player.press("Copy text")
    player.wait_for("words", "Copied.")
    player.press("Set up")
    player.page.locator("#text").fill("")
    player.page.locator("#text").press("Control+v")
    assert player.page.locator("#text").input_value() == f"8 6 7/2 5 4/3 0 1\t{moves}"
    player.press("Close")
    player.press("Copy link")
    player.press("Set up")
    player.page.locator("#text").fill("")
    player.page.locator("#text").press("Control+v")
    link = player.page.locator("#text").input_value()
    other = open_page(f"#{link.split('#')[1]}")
    wait_for_part(other, "review-words", f"{len(numbers)} led away")
    assert other.text("made") == str(len(moves)) and link.endswith(f"#board={FAR}&moves={moves}")
