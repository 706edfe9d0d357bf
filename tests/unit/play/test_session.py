"""Sessions with a clock of the test's own: actions, modes, confirmations, one game after the other; their screens."""

import re
from random import Random

import pytest

from puzzle15 import Board, Solver
from puzzle15._cli.play.review import curve
from puzzle15._cli.play.screen import draw
from puzzle15._cli.play.session import _ACTIONS, Session
from puzzle15._cli.play.text import plain
from puzzle15._cli.play.thinking import Thinker

NEAR = Board("1 2 3/4 5 6/0 7 8")
GOAL = Board.goal((3, 3))


@pytest.fixture
def begin(clock):
    """Begin a session: a function that makes one, with all of its questions answered at once."""
    thinkers = []

    def begin(board=NEAR, goal=GOAL, limits=None, **options):
        thinkers.append(Thinker(lambda: Solver(goal=goal), **(limits or {})))
        session = Session(goal, thinkers[-1], board=board, **options)
        settle(session)
        return session

    yield begin
    for thinker in thinkers:
        thinker.stop()


def settle(session):
    session.go_on()
    while session.thinker.question is not None:
        session.thinker.wait()
        session.go_on()


def do(session, *actions):
    for action in actions:
        session.do(action)
        settle(session)
    return session


def shown(session, columns=80, rows=24):
    picture = draw(session, columns, rows)
    lines = list(map(plain, picture.lines))
    assert len(lines) <= rows and max(map(len, lines)) < columns
    return "\n".join(line.rstrip() for line in lines)


def test_a_game(begin):
    session = do(begin(), "left")
    assert session.game.moves == "L" and session.mode == "playing"
    do(session, "up", "left")  # no tile is below the blank
    assert session.game.moves == "LL" and session.mode == "over"
    assert session.analysis.distances == (2, 1, 0) and session.solution_of(NEAR).moves == "LL"
    assert "Solved in 2 moves (0:00): no solution is shorter." in shown(session)
    session = do(begin(GOAL), "watch")
    assert session.mode == "over" and "Solved in 0 moves" in shown(session)


def test_hints_and_distances(begin):
    session = do(begin(convention="blank"), "hint", "hint")  # directions of the blank
    assert session.game.hints == 1 and session.hint.best_moves == "L" and re.search(r"hint +→ R", shown(session))
    do(session, "up")  # a hint is for its board
    assert session.hint is None and "hint    " not in shown(session)
    do(session, "distance")
    assert re.search(r"to go +3\b", shown(session)) and re.search(r"lost +2\b", shown(session))
    assert "to go" not in shown(do(session, "distance"))
    assert do(session, "down", "right", "right").game.moves == "DULL" and session.is_over


def test_a_pause_hides_the_board_and_stops_the_clock(begin, clock):
    session = do(begin(), "left")
    clock.now = 3
    do(session, "pause")
    clock.now = 50
    assert "paused" in shown(session) and "│" not in shown(session) and session.game.seconds == 3
    do(session, "hint")  # any key goes on
    assert session.mode == "playing" and session.game.hints == 0 and session.game.is_running
    assert do(session, "help").mode == "help" and not session.game.is_running
    assert do(session, "back").mode == "playing"


@pytest.mark.parametrize(
    "action, then",
    [("quit", (True, False, 1, "L")), ("restart", (False, False, 2, "")), ("give-up", (False, True, 1, "L"))],
)
def test_only_what_loses_moves_is_confirmed(begin, action, then):
    def state(session):
        return session.has_ended, session.is_over, len(session.games), session.game.moves

    assert state(do(begin(), action)) == (*then[:3], "")
    session = do(begin(), "left", action)
    assert session.mode == "confirm" and session.unconfirmed in shown(session)
    assert state(session) == state(do(session, "no")) == (False, False, 1, "L") and session.mode == "playing"
    assert state(do(session, action, "yes")) == then
    if action == "give-up":
        assert "Given up after 1 move " in shown(session) and "A shortest solution has 2 moves." in shown(session)


def test_a_replay(begin):
    session = do(begin(), "left", "left", "watch")
    assert session.mode == "replay" and session.solution == "LL" and session.board == NEAR
    do(session, "left", "right")
    assert session.step == 1 and re.search("next +← L", shown(session))
    do(session, "right", "right", "help", "back")
    assert session.mode == "replay" and session.board == GOAL
    assert do(session, "back").mode == "over" and session.board == session.game.board
    assert do(session, "restart").mode == "playing" and session.game.moves == "" and len(session.games) == 2


def test_new_boards_at_distances(begin):
    session = begin(None, distance=7, seed=1)
    assert Solver(goal=GOAL).distance(session.game.start) == 7
    do(session, "new")
    list(map(session.press, "115"))
    do(session, "erase", "enter")
    assert session.mode == "playing" and Solver(goal=GOAL).distance(session.game.start) == 11
    do(session, "new", "enter")
    assert session.distance == 11 and len(session.games) == 3
    do(session, "new", "any")
    assert session.distance is None and session.game.start.is_solvable()
    do(session, "new")
    for distance in ("99", "0"):
        list(map(session.press, distance))
        do(session, "enter")
        assert session.mode == "distance" and f"Distance {distance}: expected 1 .. 31." in shown(session)
    assert do(session, "back").mode == "playing"


def test_no_board_in_time(begin):
    session = begin(None, distance=31, limits={"time_limit_s": 0})
    assert session.mode == "distance"
    assert "No board at distance 31 was found in time" in " ".join(shown(session).split())
    do(session, "back")
    assert session.mode == "playing" and session.distance is None


def test_limits(begin):
    session = begin(Board("0 15 8 3/12 11 7 4/14 10 6 5/9 13 2 1"), Board.goal(), limits={"max_nodes": 1000})
    do(session, "distance", "hint")
    assert re.search(r"shortest +at least \d\d", shown(session)) and "none was found in time" in shown(session)
    session.do("hint")  # once more
    assert session.wants_hint and session.wanted == ("hint", session.game.board)
    settle(session)
    do(session, "left", "give-up", "yes")
    assert "not analysed: a limit was reached" in shown(session)
    do(session, "watch")
    assert session.mode == "over" and "No shortest solution is known" in session.message


def test_a_limit_within_the_analysis(begin):
    """The boards become harder from move to move."""
    moves = "DDRULDRRDLULURDRURDLLURURDDDLLULUURRDLUL"
    session = begin(Board.goal().apply(moves[0]), Board.goal(), limits={"max_nodes": 20})
    session.play(moves[1:])
    do(session, "give-up", "yes")
    reached = len(session.analysis.distances) - 1
    assert 0 < reached < len(session.game.moves) and session.analysis.status == "limit"
    assert f"a limit was reached after move {reached}" in " ".join(shown(session).split())


def test_mistakes_that_do_not_fit_are_counted(begin):
    session = begin()
    session.play("LR" * 5)
    do(session, "give-up", "yes")
    mistakes = len(session.analysis.mistakes)
    tall, low = shown(session, rows=60), shown(session, rows=16)
    assert tall.count(" lost ") == mistakes > low.count(" lost ") > 0
    assert f"and {mistakes - low.count(' lost ')} more mistakes" in low


def test_a_board_that_is_being_drawn(begin):
    session = begin()
    session.draw(9)
    assert session.mode == "drawing" and "A board is being drawn: " in shown(session)
    settle(session)
    assert session.mode == "playing" and "A board is being drawn" not in shown(session)


def test_every_screen_fits(begin):
    """Any keys at all, in terminals of many sizes: no line is too long, none too many, and no error."""
    rng = Random(15)
    keys = sorted({key for actions in _ACTIONS.values() for keys, _ in actions.values() for key in keys.split()})
    keys = [*sorted(set(keys) - {"q", "ctrl-d"}), "0", "1"]
    for shape, goal in (((3, 3), 0), ((2, 8), 15), ((4, 4), 15), ((2, 2), 1)):
        goal = Board.goal(shape, goal)
        start = goal
        for _ in range(10):
            start = rng.choice(start.neighbours())[1]
        session = begin(start, goal, limits={"max_nodes": 100_000})
        for _ in range(25):
            session.press(rng.choice(keys))
            session.slide(rng.randrange(len(goal)))
            settle(session)
            for columns, rows in ((80, 24), (200, 60), (rng.randrange(2, 90), rng.randrange(1, 30))):
                session.ascii_only = bool(rng.randrange(2))
                shown(session, columns, rows)


@pytest.mark.parametrize("shape", [(2, 2), (3, 3), (4, 4), (2, 8), (8, 2), (3, 5)])
def test_every_usual_screen_shows_the_board_and_its_cells(begin, shape):
    goal = Board.goal(shape)
    session = begin(goal.apply("DR"), goal)
    picture = draw(session, 80, 24)
    lines = [plain(line) for line in picture.lines]
    for cell, (top, left, bottom, right) in enumerate(picture.cells):
        inner = " ".join(line[left:right] for line in lines[top:bottom])
        assert inner.split() == ([str(session.board[cell])] if session.board[cell] else [])
        assert picture.cell_at(top, left) == picture.cell_at(bottom - 1, right - 1) == cell
    assert picture.cell_at(0, 0) is None


def test_colours_are_those_that_are_asked_for(begin):
    session = do(begin(), "hint")
    for colours in (None, "rows", "rings"):
        session.colours = colours
        lines = "".join(draw(session, 80, 24).lines)
        assert bool(re.search(r"\x1b\[[\d;]*\b[34]\d", lines)) == (colours is not None)
        assert "\x1b[1m→ R" not in lines and "\x1b[1m← L\x1b[0m" in lines


def test_curves_fit_and_mark_what_cost():
    rng = Random(15)
    for _ in range(200):
        distances = [rng.randrange(81)]
        while len(distances) < rng.choice((1, 2, 50, 500)):
            distances.append(max(distances[-1] + rng.choice((1, -1)), 0))
        costly = {number for number in range(1, len(distances)) if distances[number] > distances[number - 1]}
        columns, rows = rng.randrange(12, 120), rng.randrange(1, 12)
        *bars, marks, numbers = curve(distances, costly, columns, rows, bool(rng.randrange(2)))
        assert len(bars) == rows and max(map(len, [*bars, marks, numbers])) <= columns
        assert ("^" in marks) == bool(costly) and numbers.split() == ["0", str(len(distances) - 1)]
