"""What an anytime search tells while it runs, made into improvements."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Optional

from ..board import Board, moves_from_directions
from ..heuristics import Heuristic
from ..solver import Improvement
from .algorithms import Algorithm
from .proof import proved_bound

__all__ = ["Improvements"]


class Improvements:
    """What the kernels of anytime searches call: it makes improvements, keeps them, and passes them on.

    Parameters
    ----------
    on_improvement : callable or None
        Takes an `Improvement`; returns False if the search is to end.
    algorithm : Algorithm
    estimate : Heuristic
    board : Board
    floor : int
        The heuristic of the board.
    back : bytes
        The direction on the board of each direction in the kernel's view, as from `Heuristic.prepare`.
    g_weight : int
        What a weight of h is divided by.
    began : float
        When the search began, by `time.monotonic`.
    """

    def __init__(
        self,
        on_improvement: Optional[Callable[[Improvement], Any]],
        algorithm: Algorithm,
        estimate: Heuristic,
        board: Board,
        floor: int,
        back: bytes,
        g_weight: int,
        began: float,
    ) -> None:
        self.made: list[Improvement] = []
        self._on_improvement = on_improvement
        self._bounded = algorithm, estimate, board
        self._floor = floor
        self._back = back
        self._g_weight = g_weight
        self._began = began

    def __call__(
        self, directions: bytes, lower_bound: int, h_weight: int, expanded: int, generated: int
    ) -> Optional[bool]:
        """Pass on an improvement; see `puzzle15._core.search.anytime`. False: the search is to end."""
        moves = moves_from_directions(bytes(self._back[direction] for direction in directions))
        bound = proved_bound(*self._bounded, lower_bound, self._floor, "limit", moves)
        return self._add(moves, bound, h_weight / self._g_weight if h_weight else None, expanded, generated)

    def end(self, moves: Optional[str], bound: int, answer: dict[str, Any]) -> tuple[Improvement, ...]:
        """All improvements; the last one is what is known when the search ends, perhaps in the middle of a round.

        `answer` is that of the kernel.
        """
        if moves is not None:
            weight = self.made[-1].weight if self.made else None
            self._add(moves, bound, weight, answer["expanded"], answer["generated"])
        return tuple(self.made)

    def _add(self, moves: str, bound: int, weight: Optional[float], expanded: int, generated: int) -> Optional[bool]:
        last = self.made[-1] if self.made else None
        if last and (len(moves), bound, weight) == (last.length, last.lower_bound, last.weight):
            return None
        seconds = time.monotonic() - self._began
        self.made.append(Improvement(moves, min(bound, len(moves)), weight, expanded, generated, seconds))
        return None if self._on_improvement is None else self._on_improvement(self.made[-1]) is not False
