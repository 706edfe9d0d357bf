"""A game with a clock of the test's own: moves, slides, undo and redo, time; and the replay of a solution."""

import pytest

from puzzle15 import Board
from puzzle15.errors import BoardError
from puzzle15.play import Game
from puzzle15.play.game import Replay

NEAR = Board("1 2 3/4 5 6/0 7 8")
GOAL = Board.goal((3, 3))


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def game(clock):
    return Game(NEAR, GOAL, clock)


def test_moves_lead_to_the_goal(game):
    game.play("L")
    assert game.board == Board("1 2 3/4 5 6/7 0 8") and not game.is_over
    game.play("L")
    assert game.is_over and game.moves == "LL"


def test_an_illegal_move_changes_nothing(game):
    with pytest.raises(BoardError, match="move 3 .L. is illegal"):
        game.play("LLL")
    assert game.moves == "" and game.board == NEAR and game.seconds == 0


def test_slides_of_every_cell_of_every_line():
    for shape in ((2, 2), (3, 3), (2, 8), (4, 4), (8, 2)):
        for home in range(shape[0] * shape[1]):
            board = Board.goal(shape, home)
            for cell in range(len(board)):
                game = Game(board, Board.goal(shape))
                moves = game.slide(cell)
                (row, col), (blank_row, blank_col) = divmod(cell, shape[1]), divmod(home, shape[1])
                on_a_line = (row == blank_row) != (col == blank_col)
                assert len(moves) == (abs(row - blank_row) + abs(col - blank_col) if on_a_line else 0)
                game.play(moves)
                assert game.board.blank == (cell if on_a_line else home)


def test_undo_and_redo_whole_slides(game):
    game.play("LL")
    game.play("R")
    assert game.undo() and game.moves == "LL" and game.undo() and game.board == NEAR and not game.undo()
    assert game.undone == 3
    assert game.redo() and game.moves == "LL" and game.redo() and game.moves == "LLR" and not game.redo()
    assert game.undone == 0
    game.undo()
    game.play("D")
    assert not game.redo() and game.moves == "LLD"


def test_the_clock_runs_from_the_first_move_to_the_goal(game, clock):
    clock.now = 5
    assert game.seconds == 0 and not game.is_running
    game.play("L")
    clock.now = 8
    assert game.seconds == 3
    game.pause()
    clock.now = 20
    assert game.seconds == 3
    game.resume()
    clock.now = 21
    game.play("L")
    clock.now = 99
    assert game.seconds == 4


def test_a_replay_step_by_step():
    replay = Replay(NEAR, "LL")
    replay.step(-1)
    assert replay.shown == 0 and replay.board == NEAR
    replay.step(5)
    assert replay.shown == 2 and replay.board == GOAL and replay.wait_s is None


def test_a_replay_at_its_pace(clock):
    replay = Replay(NEAR, "LL", clock)
    replay.toggle()
    assert replay.is_playing and replay.wait_s == 0.5
    replay.go_on()
    assert replay.shown == 0
    clock.now = 0.5
    replay.go_on()
    assert replay.shown == 1 and replay.is_playing
    replay.change_pace(-1)
    assert replay.tiles_per_second == 1 and replay.wait_s == 1
    clock.now = 1.5
    replay.go_on()
    assert replay.shown == 2 and not replay.is_playing
    replay.toggle()
    assert replay.shown == 0 and replay.is_playing
    replay.toggle()
    assert not replay.is_playing
    for number in (100, -100):
        for _ in range(abs(number)):
            replay.change_pace(number)
    assert replay.tiles_per_second == 0.5
