"""What an anytime search reports while it runs, as improvements."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Optional

from ..board import moves_from_directions
from ..solver import Improvement

__all__ = ["Improvements"]


class Improvements:
    """The function that the kernels of anytime searches call: it makes improvements, keeps them, and passes them on.

    `on_improvement` returns False if the search is to end. `proved` takes the kernel's lower bound, a status and moves,
    and returns the bound that they prove. `back` has the caller's direction of each of the kernel's directions, and
    `g_weight` is what a weight of h is divided by. The search began at `began`, by `time.monotonic`.
    """

    def __init__(
        self,
        on_improvement: Optional[Callable[[Improvement], Any]],
        proved: Callable[[int, str, str], int],
        back: bytes,
        g_weight: int,
        began: float,
    ) -> None:
        self.made: list[Improvement] = []
        self._on_improvement = on_improvement
        self._proved = proved
        self._back = back
        self._g_weight = g_weight
        self._began = began

    def __call__(
        self, directions: bytes, lower_bound: int, h_weight: int, expanded: int, generated: int
    ) -> Optional[bool]:
        """Pass on an improvement; see `puzzle15._core.search.anytime`. False ends the search."""
        moves = moves_from_directions(bytes(self._back[direction] for direction in directions))
        bound = self._proved(lower_bound, "limit", moves)
        return self._add(moves, bound, h_weight / self._g_weight if h_weight else None, expanded, generated)

    def end(self, moves: Optional[str], bound: int, answer: dict[str, Any]) -> tuple[Improvement, ...]:
        """All improvements. The last one has what is known when the search ends, perhaps in the middle of a round."""
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
