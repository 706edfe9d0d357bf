"""A game: its board, the moves that were made, and the time they took.

The clock starts with the first move, stands while the game is paused, and stops at the goal.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from ..board import Board

__all__ = ["Game"]


class Game:
    """A board on its way to the goal. The clock of a pickled or copied game stands.

    Parameters
    ----------
    start, goal : Board
    clock : callable
        A clock in seconds, such as `time.monotonic`.

    Attributes
    ----------
    start, goal, board : Board
        The first board, the goal, and the board after the moves that were made.
    hints : int
        How many hints the player took.
    undone : int
        How many moves the player took back.

    Examples
    --------
    >>> game = Game(Board("1 2 3/0 4 6/7 5 8"), Board.goal((3, 3)))
    >>> game.play("L")
    >>> game.play(game.slide(7))
    >>> game.play("L")
    >>> game.moves, game.board.is_goal(), game.is_over
    ('LUL', True, True)
    """

    def __init__(self, start: Board, goal: Board, clock: Callable[[], float] = time.monotonic) -> None:
        self.start = self.board = start
        self.goal = goal
        self.hints = self.undone = 0
        self._clock = clock
        self._turns: list[str] = []  # what one key or one click did
        self._taken_back: list[str] = []
        self._spent, self._since = 0.0, -1.0  # seconds until the clock last stood; since when it runs, -1 if it stands

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_spent": self.seconds, "_since": -1.0}  # each machine's clock begins elsewhere

    @property
    def moves(self) -> str:
        """str: the moves that led from the first board to this one, one letter per tile."""
        return "".join(self._turns)

    @property
    def is_over(self) -> bool:
        """bool: whether the board is the goal."""
        return self.board == self.goal

    @property
    def is_running(self) -> bool:
        """bool: whether the clock runs."""
        return self._since >= 0

    @property
    def seconds(self) -> float:
        """float: the time that the player has taken."""
        return self._spent + (self._clock() - self._since if self.is_running else 0.0)

    def slide(self, cell: int) -> str:
        """The moves that slide the tiles between a cell and the blank, with the tile in the cell.

        Examples
        --------
        >>> game = Game(Board("1 2 3/4 5 6/7 8 0"), Board.goal((3, 3)))
        >>> game.slide(6), game.slide(2), game.slide(4), game.slide(8)
        ('RR', 'DD', '', '')
        """
        cols = self.board.shape[1]
        (row, col), (blank_row, blank_col) = divmod(cell, cols), divmod(self.board.blank, cols)
        if row == blank_row:
            return "L" * (col - blank_col) + "R" * (blank_col - col)
        if col == blank_col:
            return "U" * (row - blank_row) + "D" * (blank_row - row)
        return ""

    def play(self, moves: str) -> None:
        """Make moves, which `undo` takes back together; BoardError, and no move, if one of them is illegal."""
        if not moves:
            return
        self.board = self.board.apply(moves)
        self._turns.append(moves)
        self._taken_back.clear()
        self.resume()
        if self.is_over:
            self.pause()

    def undo(self) -> bool:
        """Take back the last moves; whether there were any."""
        if not self._turns:
            return False
        moves = self._turns.pop()
        self._taken_back.append(moves)
        self.undone += len(moves)
        self.board = self.start.apply(self.moves)
        return True

    def redo(self) -> bool:
        """Make the moves again that were taken back last; whether there were any."""
        if not self._taken_back:
            return False
        moves = self._taken_back.pop()
        left = self._taken_back.copy()
        self.play(moves)
        self._taken_back = left
        self.undone -= len(moves)
        return True

    def pause(self) -> None:
        """Stop the clock."""
        if self.is_running:
            self._spent, self._since = self.seconds, -1.0

    def resume(self) -> None:
        """Let the clock run."""
        if not self.is_running:
            self._since = self._clock()
