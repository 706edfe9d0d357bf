"""A game with its moves and its clock, and the replay of a solution."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Optional

from ..board import Board

__all__ = ["Game", "Replay"]


class Game:
    """A board, the moves made on it, and the time they took.

    The clock starts with the first move, stops while the game is paused, and stops at the goal. It is stopped in a
    pickled or copied game.

    Parameters
    ----------
    start, goal : Board
    clock : callable
        A clock in seconds, such as `time.monotonic`.

    Attributes
    ----------
    start, goal, board : Board
        The first board, the goal, and the board after the moves.
    hints, undone : int
        How many hints the player took, and how many moves the player took back.

    Examples
    --------
    >>> game = Game(Board("1 2 3/0 4 6/7 5 8"), Board.goal((3, 3)))
    >>> game.play("L")
    >>> game.play(game.slide(7))
    >>> game.play("L")
    >>> game.moves, game.is_over
    ('LUL', True)
    """

    def __init__(self, start: Board, goal: Board, clock: Callable[[], float] = time.monotonic) -> None:
        self.start = self.board = start
        self.goal = goal
        self.hints = self.undone = 0
        self._clock = clock
        self._done: list[str] = []  # the moves of each key or click
        self._taken_back: list[str] = []
        self._spent, self._since = (
            0.0,
            -1.0,
        )  # seconds until the clock last stopped; when it started, -1 if it is stopped

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_spent": self.seconds, "_since": -1.0}  # clocks of machines differ

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
        return self._since >= 0

    @property
    def seconds(self) -> float:
        """float: the time that the player has taken."""
        return self._spent + (self._clock() - self._since if self.is_running else 0.0)

    def slide(self, cell: int) -> str:
        """The moves that slide the tile in a cell, and those between it and the blank; "" if they are not in line.

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
        if self.is_running:
            self._spent, self._since = self.seconds, -1.0

    def resume(self) -> None:
        """Start the clock."""
        if not self.is_running:
            self._since = self._clock()


class Replay:
    """A solution that is shown move by move, at a pace or step by step; `shown` moves have been shown.

    >>> replay = Replay(Board("1 2 3/4 5 6/0 7 8"), "LL")
    >>> replay.step(1)
    >>> replay.shown, replay.board
    (1, Board('1 2 3/4 5 6/7 0 8'))
    """

    _PACES = (0.5, 1.0, 2.0, 3.0, 5.0, 8.0, 12.0)  # tiles per second

    def __init__(self, start: Board, moves: str, clock: Callable[[], float] = time.monotonic) -> None:
        self.start, self.moves = start, moves
        self.shown = 0
        self._clock = clock
        self._pace = 2
        self._next: Optional[float] = None  # when the next move is due, None if the replay is stopped

    @property
    def board(self) -> Board:
        return self.start.apply(self.moves[: self.shown])

    @property
    def tiles_per_second(self) -> float:
        return self._PACES[self._pace]

    @property
    def wait_s(self) -> Optional[float]:
        """Seconds until the next move, None if the replay is stopped."""
        return None if self._next is None else max(self._next - self._clock(), 0.0)

    def step(self, number: int) -> None:
        """Stop, and go forward by some moves, or back; not beyond the ends."""
        self._next = None
        self.shown = min(max(self.shown + number, 0), len(self.moves))

    def toggle(self) -> None:
        """Stop, or play on; from the end, play again from the beginning."""
        if self._next is not None:
            self._next = None
            return
        if self.shown == len(self.moves):
            self.shown = 0
        self._next = self._clock() + 1 / self.tiles_per_second

    def change_pace(self, number: int) -> None:
        """Play faster, or slower if the number is negative."""
        self._pace = min(max(self._pace + number, 0), len(self._PACES) - 1)
        if self._next is not None:
            self._next = self._clock() + 1 / self.tiles_per_second

    def go_on(self) -> None:
        """Show the next move if it is due."""
        if self._next is not None and self._clock() >= self._next:
            due = self._next
            self.step(1)
            if self.shown < len(self.moves):
                self._next = max(due, self._clock() - 1) + 1 / self.tiles_per_second
