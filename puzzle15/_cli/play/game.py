"""A game with its moves and its clock."""

from __future__ import annotations

import time
from typing import Optional

from ...board import Board


class Game:
    """A board, the moves made on it, and the time they took.

    The clock starts with the first move, and stops at the goal. `hints` and `undone` count the hints that the player
    took, and the moves that the player took back.

    Examples
    --------
    >>> game = Game(Board("1 2 3/0 4 6/7 5 8"), Board.goal((3, 3)))
    >>> game.play("L")
    >>> game.play(game.slide(7))
    >>> game.play("L")
    >>> game.moves, game.is_over
    ('LUL', True)
    """

    def __init__(self, start: Board, goal: Board) -> None:
        self.start = self.board = start
        self.goal = goal
        self.hints = self.undone = 0
        self._done: list[str] = []  # the moves of each key or click
        self._taken_back: list[str] = []
        self._spent = 0.0  # seconds until the clock last stopped
        self._since: Optional[float] = None  # when it started, None if it is stopped

    @property
    def moves(self) -> str:
        """str: the moves from the first board to this one, one letter per tile."""
        return "".join(self._done)

    @property
    def is_over(self) -> bool:
        """bool: whether the board is the goal."""
        return self.board == self.goal

    @property
    def is_running(self) -> bool:
        """bool: whether the clock runs."""
        return self._since is not None

    @property
    def seconds(self) -> float:
        """float: the time that the player has taken."""
        return self._spent + (0.0 if self._since is None else time.monotonic() - self._since)

    def slide(self, cell: int) -> str:
        """Return the moves that slide the tile in a cell, and those between it and the blank; "" if none do.

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
        if moves:
            self.board = self.board.apply(moves)
            self._done.append(moves)
            self._taken_back.clear()
            self.resume()
            if self.is_over:
                self.pause()

    def undo(self) -> bool:
        """Take back the last moves; whether there were any."""
        if not self._done:
            return False
        self._taken_back.append(self._done.pop())
        self.undone += len(self._taken_back[-1])
        self.board = self.start.apply(self.moves)
        return True

    def redo(self) -> bool:
        """Make the moves again that were taken back last; whether there were any."""
        if not self._taken_back:
            return False
        *others, moves = self._taken_back
        self.play(moves)
        self._taken_back = others
        self.undone -= len(moves)
        return True

    def pause(self) -> None:
        """Stop the clock."""
        self._spent, self._since = self.seconds, None

    def resume(self) -> None:
        """Start the clock."""
        if self._since is None:
            self._since = time.monotonic()
