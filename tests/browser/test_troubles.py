"""What fails while somebody plays: the page says why and goes on. And what is pressed where it cannot act."""

import pytest

from puzzle15 import Board

FAR = "867/254/301"  # 31 moves
FIRST = "First steps"
DYING = """() => { window.made = 0; window.Living = window.Worker;
    window.Worker = class {
        constructor() { window.made++; }
        postMessage() { setTimeout(() => this.onerror({ message: "it has died", preventDefault() {} })); }
        terminate() {} }; }"""
FAILING = """([engine, name, message, bound]) => {
    const engines = window.puzzle15;
    engines[engine].ask = () => Promise.reject(
    Object.assign(new Error(message), { name, progress: bound && { lower_bound: bound } })); }"""
WAITING = """() => { window.puzzle15.background.ask = () => new Promise(resolve => { window.answer = resolve; }); }"""
SOLVE = """([board, goal]) => window.puzzle15.exact.ask({ kind: "solve", board, goal }).then(({ moves }) => moves)"""


def solve(player):
    """Play a shortest solution, with the arrow keys."""
    board = player.board()
    player.arrows(player.page.evaluate(SOLVE, [board, str(Board.goal(Board(board).shape))]))


def hint(player):
    player.press("Hint")
    player.wait_until("() => document.getElementById('words').textContent.includes('to go. Press')")


def keep(player, text):
    """Let the browser hold this text as the results, and open the page again."""
    player.page.evaluate("text => (localStorage['puzzle15 results'] = text)", text)
    player.page.reload()


def test_a_question_whose_worker_dies_is_asked_three_times(open_page):
    player = open_page(f"#board={FAR}")
    hint(player)
    player.page.evaluate(DYING)
    player.page.evaluate("window.puzzle15.exact.restart()")
    player.arrows("D")
    player.press("Hint")
    player.wait_for("trouble-words", "it has died")
    assert player.page.evaluate("made") == 3 and not player.page.locator("#cancel").is_visible()
    player.page.evaluate("window.Worker = window.Living; window.puzzle15.exact.restart()")
    player.press("Close")
    hint(player)
    assert player.text("distance") == "30" and player.page.locator("#trouble").is_hidden()


def test_no_board_at_a_distance(open_page):
    """Of 181,440 boards two are 31 moves away: with this seed none of 400 is."""
    player = open_page(f"#board={FAR}")
    player.page.evaluate("() => { crypto.getRandomValues = numbers => numbers.fill(1); }")
    player.press("Set up")
    player.page.locator("#wanted").fill("31")
    player.press("Scramble")
    words = "No board was found at distance 31. A smaller distance is easier to find."
    player.wait_for("random-words", words)
    assert player.page.locator("#trouble").is_hidden()
    player.press("Close")
    assert player.board() == "8 6 7/2 5 4/3 0 1"


def test_a_form_that_is_closed_before_no_board_is_found(open_page):
    player = open_page(f"#board={FAR}")
    player.page.evaluate(WAITING)
    player.press("Set up")
    player.page.locator("#wanted").fill("31")
    player.press("Scramble")
    player.press("Close")
    player.page.evaluate("answer({ board: null, distance: 31 })")
    player.wait_for("trouble-words", "No board was found at distance 31. A smaller distance is easier to find.")


def test_a_move_ends_the_search_for_another_board(open_page):
    player = open_page(f"#board={FAR}")
    player.page.evaluate(WAITING)
    player.page.locator("#level").select_option(label="Easy 3x3: 10 to 16 moves")
    player.wait_for("words", "Looking for a board …")
    player.arrows("D")
    player.wait_for("made", 1)
    player.page.evaluate("answer({ board: '1 2 3/4 5 6/7 0 8', distance: 1 })")
    player.arrows("D")
    player.wait_for("made", 2)
    assert player.board() == str(Board(FAR.replace("/", "")).apply("DD"))


def test_a_view_that_fails_leaves_the_others(open_page):
    player = open_page(f"#board={FAR}")
    player.page.evaluate("window.puzzle15.data.ties = null")
    player.press("Watch")
    assert player.page.locator("#trouble").is_visible() and player.text("trouble-words")
    player.page.locator("#to-play").click()
    player.arrows("D")
    player.wait_for("made", 1)


def test_a_search_to_watch_that_fails(open_page):
    player = open_page(f"#board={FAR}")
    player.page.evaluate(FAILING, ["searcher", "Error", "There is not enough memory.", 0])
    player.press("Watch")
    player.wait_for("trouble-words", "There is not enough memory.")


@pytest.mark.parametrize(
    "name, bound, words",
    [
        ("time", 20, "The shortest solution has at least 20 moves."),
        ("time", 0, "There was not enough time."),
        ("Error", 0, "The moves could not be analysed."),
    ],
)
def test_a_review_without_an_answer(open_page, name, bound, words):
    player = open_page()
    player.page.evaluate(FAILING, ["background", name, "It has failed.", bound])
    player.press("Set up")
    player.page.locator("#text").fill(f"{FAR} DDLURULDDRUUL")
    player.press("Use this board")
    player.wait_for("review-words", words)
    assert player.page.locator("#trouble").is_visible() == (name == "Error")
    assert player.text("trouble-words") == ("It has failed." if name == "Error" else "")


def test_what_cannot_be_copied_is_shown(open_page):
    player = open_page(f"#board={FAR}&moves=DL")
    player.page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error()); }")
    player.press("Copy text")
    words = "The browser does not let pages copy. Copy this: 8 6 7/2 5 4/3 0 1\tDL"
    player.wait_until("([words]) => document.getElementById('words').textContent === words", words)


# --- Results.


@pytest.mark.parametrize(
    "kept",
    [
        "{",
        "null",
        "[]",
        *(f'{{"{FIRST}": {{{each}}}}}' for each in ('"time": -1', '"time": 1', '"time": 1, "last": []')),
    ],
)
def test_results_that_are_none_are_begun_again(open_page, kept):
    player = open_page()
    keep(player, kept)
    assert player.text("bests") == ""
    solve(player)
    player.wait_until("() => document.getElementById('bests').textContent.startsWith('Best: 0:0')")


def test_a_browser_that_keeps_nothing(open_page):
    player = open_page()
    player.page.evaluate("Object.defineProperty(window, 'localStorage', { get() { throw new Error(); } })")
    solve(player)
    player.wait_until("() => document.getElementById('words').textContent.startsWith('Solved in 6 moves')")
    assert player.text("bests") == ""


@pytest.mark.parametrize(
    "time, moves, words",
    [(10**9, 1, "Your best time!"), (0, 1000, "Your fewest moves!"), (0, 1, "")],
)
def test_what_a_result_has_beaten_is_said(open_page, time, moves, words):
    player = open_page()
    keep(player, f'{{"{FIRST}": {{"time": {time}, "moves": {moves}, "last": [[{time}, {moves}]]}}}}')
    solve(player)
    player.wait_until("() => document.getElementById('words').textContent.startsWith('Solved in 6 moves')")
    assert player.text("words").endswith(words or "moves a second).") or not words
    assert ("Your" in player.text("words")) == bool(words)


# --- What is pressed where it cannot act.


def test_the_blank_and_a_replay_move_no_tile(open_page):
    player = open_page(f"#board={FAR}")
    player.cell("blank").click()
    player.wait_for("words", "This is the blank: press a tile in line with it.")
    player.press("Show solution")
    player.page.locator("#replay").wait_for()
    player.press("Pause")
    board = player.board()
    for tile in ("blank", *board.replace("/", " ").split()):
        if tile != "0":
            player.cell(tile).click()
    player.wait_for("spoken", "Go back to your game to move tiles.")
    for key in ("ArrowUp", "ArrowDown", "u", "h", "x", "Control+ArrowLeft"):
        player.page.keyboard.press(key)
    assert player.board() == board and player.text("made") == "0"


def test_a_race_needs_a_choice_and_belongs_to_its_board(open_page):
    player = open_page("#board=5389/0241/7aed/cb6f&view=race")
    boxes = player.page.locator("#race-form input[type=checkbox]:checked")
    while boxes.count():
        boxes.first.uncheck()
    player.press("Start the race")
    player.wait_for("race-words", "Choose at least one algorithm and one heuristic.")
    assert player.page.locator("#start-race").is_enabled() and player.page.locator("#results").is_hidden()
    player.page.locator("#race-form input[value='a*']").check()
    player.page.locator("#race-form input[value=manhattan]").check()
    player.press("Start the race")
    player.wait_for("race-words", "Search 1 of 1: a* with manhattan …")
    player.page.evaluate("location.hash = '#board=867/254/301&view=race'")
    player.wait_for("race-words", "The searches run one after another on the board of the game.")
    player.press("Start the race")
    player.wait_until("() => document.getElementById('race-words').textContent.includes('Least time')")
    assert player.page.locator("#results tbody tr").count() == 1
    assert "has 31 moves" in player.text("race-words")


def test_one_skips_to_the_board_from_another_view(open_page):
    player = open_page(f"#board={FAR}&view=race")
    player.page.keyboard.press("Tab")
    player.page.keyboard.press("Enter")
    assert player.page.evaluate("document.activeElement.closest('#board [role=grid]') !== null")
    player.wait_until("([link]) => location.hash === link", f"#board={FAR}")


def test_an_address_without_a_board_shows_another_view_of_the_game(open_page):
    player = open_page(f"#board={FAR}&view=nowhere")
    player.arrows("D")
    player.page.evaluate("location.hash = '#view=race'")
    player.page.locator("#race-board").wait_for()
    assert player.page.locator("#race-board").get_attribute("aria-label") == "The board 8 6 7/2 0 4/3 5 1"
    player.page.locator("#to-play").click()
    assert player.text("made") == "1"
