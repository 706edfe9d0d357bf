"""The game in a real pseudo terminal: its keys, its mouse, its sizes, and how it leaves the terminal."""

import itertools
import os
import re
import signal
import sys

import pytest
from timing import timed, within

pseudo_terminal = pytest.importorskip("pseudo_terminal", reason="no pseudo terminals here")

FAR = "8 6 7/2 5 4/3 0 1"  # 31 moves
NEAR = "1 2 3/4 5 6/0 7 8"
HARD = "0 15 8 3/12 11 7 4/14 10 6 5/9 13 2 1"  # 70 moves; minutes without stored tables
WAYS = {"U": ["\x1b[A", *"Ukw"], "D": ["\x1b[B", *"Djs"], "R": ["\x1b[C", *"Rld"], "L": ["\x1b[D", *"Lha"]}


@pytest.fixture
def play():
    """Play in a terminal: a function that starts the command."""
    terminals = []

    def start(*arguments, shows="arrows move", **options):
        terminals.append(pseudo_terminal.PseudoTerminal("play", *arguments, **options))
        terminals[-1].wait_for(shows)
        return terminals[-1]

    yield start
    for terminal in terminals:
        terminal.close()


def click(row, col):
    return f"\x1b[<0;{col + 1};{row + 1}M\x1b[<0;{col + 1};{row + 1}m"


def position_of(terminal, tile):
    """Row and column of a tile on the screen."""
    for row, line in enumerate(terminal.screen.lines):
        found = re.search(rf"│ +{tile} +│", "".join(line)[:40])
        if found:
            return row, found.start() + 3
    raise AssertionError(f"tile {tile} is not shown")


def test_a_game_by_hints_only(play):
    """Every key for each direction; the game ends after as many moves as the shortest solution has."""
    keys = {letter: itertools.cycle(keys) for letter, keys in WAYS.items()}
    terminal = play(FAR)
    for made in range(31):
        terminal.wait_for(rf"moves +{made}\n")
        terminal.press("?")
        letter = terminal.wait_for(r"hint +[↑↓←→] ([UDLR])")[1]
        terminal.press(next(keys[letter]))
    terminal.wait_for(r"Solved in 31 moves \(\d:\d\d\): no solution is shorter\. You\s+took 31 hints")
    terminal.wait_for("distance after each move")
    terminal.press("q")
    assert terminal.wait() == 0 and terminal.is_as_before() and not terminal.screen.overflows
    assert re.search(rf"{FAR}\s+([UDLR1-9]+)", str(terminal.screen))


def test_clicks_slide_lines(play):
    terminal = play("1 2 3 4/5 6 7 8/9 10 11 12/0 13 14 15")
    terminal.press(click(*position_of(terminal, 6)))  # not on a line with the blank
    terminal.press(click(*position_of(terminal, 14)))
    terminal.wait_for(r"moves +2\n")
    terminal.press("u")
    terminal.wait_for(r"moves +0\n")
    terminal.press(click(*position_of(terminal, 15)))
    terminal.wait_for("Solved in 3 moves")


def test_sizes(play):
    terminal = play(HARD.replace("0 15", "15 0"))
    terminal.resize(60, 14)
    terminal.wait_for(r"^15-puzzle(.*\n)*│ 15 │ +│ +8 │")
    terminal.resize(36, 18)
    terminal.wait_for(r"│ 15 │ +│ +8 │(.*\n)*time 0:00 ")
    terminal.resize(30, 4)
    terminal.wait_for("This terminal is too small for the\ngame|too small")
    terminal.resize(120, 50)
    terminal.wait_for(r"│  15  │      │   8  │")
    assert not terminal.screen.overflows


#: What is pressed, and what the screen shows then.
KEYS = [
    *[("c", "Press any key to go on"), ("x", "arrows move"), ("p", "paused"), ("x", "arrows move")],
    *[("?", "hint +[↑↓←→]"), ("n", "Distance of the new board"), ("\x1b", "arrows move")],
    *[("g", "distance after"), ("v", r"move +0 of \d"), (" ", r"move +1 of \d"), ("h", r"move +0 of \d")],
    *[("c", "Press any key to go on"), ("x", "A shortest solution")],
    *[("n99\r", "Distance 99: expected 1"), ("2\x7f4\r", "shortest +4"), ("r\x7fu", "There is no move to take back")],
]


def test_keys_and_what_the_screen_shows(play):
    terminal = play("5 1 7 6/9 3 2 4/0 10 11 8/13 14 15 12", "--convention", "blank")
    for keys, shows in KEYS:
        terminal.press(keys)
        terminal.wait_for(shows)
    assert not terminal.screen.overflows


def test_colours_and_characters(play):
    """As the environment wants them."""
    colours = {str(number) for number in [*range(30, 39), *range(40, 49)]}
    for environment, coloured in (({}, True), ({"NO_COLOR": "1"}, False), ({"PYTHONIOENCODING": "ascii"}, True)):
        terminal = play(NEAR, **environment)
        terminal.press("?")
        terminal.wait_for("hint +(← )?L")
        assert bool(terminal.screen.styles & colours) == coloured
    terminal.press("L2L")
    terminal.wait_for(r"Solved(.*\n)*.*\|###")
    assert max(terminal.raw) < 128 and b"+----" in terminal.raw


@pytest.mark.parametrize(
    "number, code",
    [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGQUIT, -signal.SIGQUIT)],
)
@timed
def test_signals_leave_the_terminal_as_it_was(play, number, code):
    terminal = play(HARD)
    assert terminal.screen.modes == {"1049", "1000", "1006"} and not terminal.is_as_before()
    terminal.press("L?")
    terminal.wait_for("hint +thinking")
    if number in (signal.SIGINT, signal.SIGQUIT):
        terminal.press("\x03" if number == signal.SIGINT else "\x1c")
    else:
        os.kill(terminal.process.pid, number)
    with within(1):
        assert terminal.wait() == code
    assert terminal.is_as_before()


@pytest.mark.parametrize(
    "partition, message, code", [("7-8", "is of the 4x4 board", 2), ("1-4/5-8", "no tables of partition", 3)]
)
def test_an_error_leaves_the_terminal_as_it_was(play, partition, message, code, tmp_path):
    terminal = play(NEAR, "--partition", partition, "--tables", str(tmp_path), shows=f"error: .*{message}")
    assert terminal.wait() == code and terminal.is_as_before()
    assert b"\x1b[?1049h" in terminal.raw  # it was not any more


def test_a_terminal_that_goes_away_ends_the_game(play):
    terminal = play(NEAR)
    for end in (terminal.slave, terminal.master):
        os.close(end)
    terminal.slave = terminal.master = -1
    assert terminal.process.wait(10) in (0, 129)


@timed
def test_thinking_stops_nothing(play):
    terminal = play(HARD)
    terminal.press("?")
    terminal.wait_for("hint +thinking ... 1 s")
    with within(1):
        for made, letter in enumerate("LURD", 1):
            terminal.press(letter)
            terminal.wait_for(rf"moves +{made}\n")
        terminal.press("qy")
        assert terminal.wait() == 0


SHELL = """
import os, signal, subprocess, sys, termios
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
before = termios.tcgetattr(0)
child = subprocess.Popen(sys.argv[1:], preexec_fn=os.setpgrp)
os.tcsetpgrp(0, child.pid)
_, status = os.waitpid(child.pid, os.WUNTRACED)
assert os.WIFSTOPPED(status), status
os.tcsetpgrp(0, os.getpgrp())
print("suspended", termios.tcgetattr(0) == before, flush=True)
input()
os.tcsetpgrp(0, child.pid)
os.killpg(child.pid, signal.SIGCONT)
_, status = os.waitpid(child.pid, 0)
os.tcsetpgrp(0, os.getpgrp())
print("ended", os.WEXITSTATUS(status), termios.tcgetattr(0) == before, flush=True)
"""


def test_suspending(play):
    """A shell with job control suspends the game by Ctrl-Z, and continues it."""
    shell = [sys.executable, "-c", SHELL, *pseudo_terminal.COMMAND]
    terminal = play(NEAR, command=shell)
    terminal.press("L")
    terminal.wait_for(r"moves +1\n")
    terminal.press("\x1a")
    terminal.wait_for("suspended True")
    assert terminal.screen.modes == {"25"}
    terminal.press("\r")
    terminal.wait_for(r"moves +1\n(.*\n)*.*q quit")
    assert terminal.screen.modes == {"1049", "1000", "1006"}
    terminal.press("q\x04")
    terminal.wait_for("ended 0 True")
    assert terminal.screen.modes == {"25"} and terminal.wait() == 0


def test_lines_in_a_terminal_without_a_screen(play):
    terminal = play(NEAR, TERM="dumb", shows="\n>")
    terminal.press("hint\r")
    terminal.wait_for("hint: 2 moves; optimal: L")
    terminal.press("L2\r")
    terminal.wait_for("Solved in 2 moves")
    terminal.press("quit\r")
    assert terminal.wait() == 0 and b"\x1b" not in terminal.raw
