"""``puzzle15 play`` in lines, as programs play it; its options, bad ones included."""

from functools import partial

import pytest
from shell import HARD, NEAR

from puzzle15._cli.play import _has_screen


@pytest.fixture
def play(run):
    """Play with lines of input: (exit code, output, errors)."""
    return partial(run, "play")


def test_words(play):
    lines = [
        ("undo", "There is no move to take back."),
        ("hint", "hint: 2 moves; optimal: L\n"),
        ("L", "\n1 move\n"),
        ("distance", "\n1 move, 1 to go\n"),
        ("undo", "\n0 moves, 2 to go\n"),
        ("redo", "\n1 move, 1 to go\n"),
        ("quit", "Quit this game? (y or n)"),
        ("n", "\n1 move, 1 to go\n"),
        ("restart", "Begin again? (y or n)"),
        ("yes", "\n0 moves, 2 to go\n"),
        ("UP", "error: moves 'UP': cannot read 'P' after 'U'"),
        ("R", "error: moves 'R': move 1 (R) is illegal"),
        ("solution", "A solution is shown after the game"),
        ("new x", "error: distance 'x': expected a whole number"),
        ("new 32", "Distance 32: expected 1 .. 31."),
        ("board", "\n0 moves, 2 to go\n"),
        ("help", "Type moves such as URDL2"),
        ("d", "\n1 move, 3 to go\n"),
        ("give-up", "Give up, and see the solution? (y or n)"),
        ("y", "Given up after 1 move (0:00). A shortest solution has 2 moves."),
        ("L", "The game is over. Type new, restart, solution or quit."),
        ("hint", "The game is over: there is no hint."),
        ("solution", "2 moves: L2"),
        ("new 5", "\n0 moves, 5 to go\n"),
        ("q", ""),
    ]
    code, out, err = play(NEAR, stdin="".join(f"{word}\n" for word, _ in lines))
    assert (code, err) == (0, "")
    for _, answer in lines:
        assert answer in out, answer
        out = out[out.index(answer) + len(answer.rstrip("\n")) :] if answer else out


@pytest.mark.parametrize(
    "options, lines, answer",
    [
        (
            ("--shape", "3x3", "--distance", 31, "--time-limit", 0),
            "L",
            "There is no board yet. Type new and a distance",
        ),
        (
            ("--max-nodes", 1, "8 6 7/2 5 4/3 0 1"),
            "give-up yes solution",
            "No shortest solution is known: a limit was reached.",
        ),
    ],
)
def test_limits(play, options, lines, answer):
    code, out, err = play(*options, stdin=lines.replace(" ", "\n"))
    assert (code, err) == (0, "") and out.splitlines()[-1].startswith(answer)


def test_costly_moves_are_shown(play):
    code, out, _ = play(NEAR, stdin="LRDUL2\n")
    assert code == 0 and "A shortest solution has 2 moves, 4 fewer." in out
    assert "move   2: R lost 2, better was L\n" in out and "move   3: D lost 2, better was L2\n" in out and "^" in out


def test_random_boards(play):
    first = play("--shape", "3x3", "--distance", "7", "--seed", "1", stdin="distance\n")
    assert first[0] == 0 and "0 moves, 7 to go" in first[1]
    assert play("--shape", "3x3", "--distance", "7", "--seed", "1", stdin="distance\n") == first
    assert play("--shape", "3x3", "--distance", "7", "--seed", "2", stdin="distance\n") != first
    assert play("--shape", "2x3", "--seed", "1")[0] == 0


def test_options(play):
    code, out, _ = play("--goal", "korf", "--convention", "blank", "1 2 0/3 4 5/6 7 8", stdin="hint\nL2\n")
    assert code == 0 and "direction of the blank" in out and "hint: 2 moves; optimal: L\n" in out and "Solved" in out
    code, out, _ = play("--max-nodes", "1000", HARD, stdin="?\n")
    assert code == 0 and "hint: limit: at least " in out


def test_boards_are_drawn_as_the_encoding_allows(play, monkeypatch):
    monkeypatch.setattr("puzzle15._cli.play.can_encode_boxes", lambda encoding: False)
    out = play(NEAR, stdin="L2\n")[1]
    assert out.isascii() and "\n| 7 | 8 |   |\n" in out and "Solved in 2 moves (0:00): no solution is shorter." in out


def test_missing_tables(play, tmp_path):
    code, _, err = play("--partition", "7-8", "--tables", tmp_path, "--distance", "5")
    assert code == 3 and "7-8" in err and err.count("\n") == 1


@pytest.mark.parametrize(
    "term, controlled, expected", [("xterm", True, True), ("xterm", False, False), ("dumb", True, False)]
)
def test_the_screen_needs_a_terminal_that_python_controls(term, controlled, expected, monkeypatch, capsys):
    monkeypatch.setenv("TERM", term)
    monkeypatch.setattr("puzzle15._cli.play.find_spec", lambda name: object() if controlled else None)
    assert _has_screen() == expected
    assert ("the game needs lines here" in capsys.readouterr().err) == (not controlled)
