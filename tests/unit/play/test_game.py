"""A game with a clock of the test's own: moves, slides, undo and redo, time."""

import pytest

from puzzle15 import Board
from puzzle15._cli.play.game import Game
from puzzle15.errors import BoardError

NEAR = Board("1 2 3/4 5 6/0 7 8")
GOAL = Board.goal((3, 3))


@pytest.fixture
def game(clock):
    return Game(NEAR, GOAL)


def test_an_illegal_move_changes_nothing(game):
    with pytest.raises(BoardError, match="move 3 .L. is illegal"):
        game.play("LLL")
    assert game.moves == "" and game.board == NEAR and game.seconds == 0


def test_slides_of_every_cell_of_every_line():
    for shape in ((3, 3), (2, 8), (8, 2)):
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
    assert game.undone == 0 and game.undo()
    game.play("D")
    assert not game.redo() and game.moves == "LLD"


def test_the_clock_runs_from_the_first_move_to_the_goal(game, clock):
    clock.now = 5
    assert game.seconds == 0 and not game.is_running
    for act, now, seconds in (
        (lambda: game.play("L"), 8, 3),
        (game.pause, 20, 3),
        (game.resume, 21, 4),
        (lambda: game.play("L"), 99, 4),
    ):
        act()
        clock.now = now
        assert game.seconds == seconds
    assert game.is_over and game.board == GOAL
