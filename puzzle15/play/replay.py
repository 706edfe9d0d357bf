"""A solution that is shown move by move, at a pace or step by step."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Optional

from ..board import Board

__all__ = ["Replay"]

_PACES = (0.5, 1.0, 2.0, 3.0, 5.0, 8.0, 12.0)  # tiles per second


class Replay:
    """Moves from a board, and how many of them have been shown.

    Parameters
    ----------
    board : Board
    moves : str
        One letter per tile.
    clock : callable
        A clock in seconds.

    Attributes
    ----------
    place : int
        The number of moves that have been shown.

    Examples
    --------
    >>> replay = Replay(Board("1 2 3/4 5 6/0 7 8"), "LL")
    >>> replay.step(1)
    >>> replay.place, replay.board
    (1, Board('1 2 3/4 5 6/7 0 8'))
    """

    def __init__(self, board: Board, moves: str, clock: Callable[[], float] = time.monotonic) -> None:
        self.start, self.moves = board, moves
        self.place = 0
        self._clock = clock
        self._pace = 2
        self._next: Optional[float] = None  # when the next move is shown

    @property
    def board(self) -> Board:
        """Board: after the moves that have been shown."""
        return self.start.apply(self.moves[: self.place])

    @property
    def is_playing(self) -> bool:
        """bool: whether the moves go on by themselves."""
        return self._next is not None

    @property
    def tiles_per_second(self) -> float:
        """float: the pace."""
        return _PACES[self._pace]

    @property
    def wait_s(self) -> Optional[float]:
        """float or None: seconds until the next move, if it comes by itself."""
        return None if self._next is None else max(self._next - self._clock(), 0.0)

    def step(self, number: int) -> None:
        """Stop, and go forward by so many moves, or back; not beyond the ends."""
        self._next = None
        self.place = min(max(self.place + number, 0), len(self.moves))

    def toggle(self) -> None:
        """Go on by itself, from the beginning if all moves have been shown; or stop."""
        if self.is_playing:
            self._next = None
            return
        if self.place == len(self.moves):
            self.place = 0
        self._next = self._clock() + 1 / self.tiles_per_second

    def change_pace(self, number: int) -> None:
        """Go faster, or slower if the number is negative."""
        self._pace = min(max(self._pace + number, 0), len(_PACES) - 1)
        if self.is_playing:
            self._next = self._clock() + 1 / self.tiles_per_second

    def go_on(self) -> None:
        """Show the next move if it is due."""
        if self._next is not None and self._clock() >= self._next:
            due = self._next
            self.step(1)
            if self.place < len(self.moves):
                self._next = max(due, self._clock() - 1) + 1 / self.tiles_per_second
