"""What the kernels report of a search, as expansions and improvements."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Optional

from .._core.search.searches import FATES, MAX_G
from ..board import Board, moves_from_directions
from ..solver import Improvement
from .algorithms import Algorithm
from .expansions import SIDES, Child, Expansion, F

__all__ = ["Improvements", "Recorder"]

_LETTERS = moves_from_directions(range(4))
_F_WEIGHTS = {"g": (1, 0), "h": (0, 1), "g + h": (1, 1)}


class Recorder:
    """The function that the kernels call for each expansion: it makes an `Expansion` and passes it on.

    `weights` are those of g and h in an f that has weights. `roots` are the start and the goal, and `back` has the
    caller's direction of each of the kernel's directions.
    """

    def __init__(
        self,
        on_expand: Callable[[Expansion], Any],
        algorithm: Algorithm,
        weights: tuple[int, int],
        roots: tuple[Board, Board],
        back: bytes,
    ) -> None:
        self.count = 0
        self._on_expand = on_expand
        self._informed, self._repeats = algorithm.informed, algorithm.repeats
        self._iterates = algorithm.takes("on_iteration")
        self._weights = _F_WEIGHTS.get(algorithm.f, weights)
        self._roots = roots
        self._letters = [_LETTERS[direction] for direction in back]
        # The number of the expansion that made each waiting node, and its board and move: by side, packed board and g;
        # or by the number of the node, where a search expands a node more than once.
        self._waiting: dict[tuple[int, int, int], tuple[int, Board, str]] = {}
        self._numbered: dict[int, tuple[int, Board, str]] = {}

    def __call__(
        self,
        iteration: int,
        bound: Optional[int],
        side: int,
        packed: int,
        g: int,
        h: int,
        is_goal: bool,
        node: int,
        children: tuple[tuple[int, int, int, int, int], ...],
    ) -> bool:
        """Pass on an expansion; see `puzzle15._core.search.searches`. False if no more is wanted."""
        self.count += 1
        parent: Optional[int] = None
        board, move = self._roots[side], None
        if g and node:
            parent, board, move = self._numbered[node]
        elif g:
            take = self._waiting.__getitem__ if self._repeats else self._waiting.pop
            parent, board, move = take((side, packed, g))
        g_child = min(g + 1, MAX_G)
        made = []
        for packed_child, direction, h_child, number, node_child in children:
            letter, fate = self._letters[direction], FATES[number]
            child = board.move(letter)
            made.append(Child(child, letter, g_child, *self._h_and_f(g_child, h_child), fate))
            if node_child:
                self._numbered[node_child] = self.count, child, letter
            elif fate in ("open", "reopened"):
                self._waiting[side, packed_child, g_child] = self.count, child, letter
        expansion = Expansion(
            self.count,
            iteration if self._iterates else 0,
            bound,
            *(SIDES[side], board, parent, move),
            g,
            *self._h_and_f(g, h),
            "goal" if is_goal else "expanded",
            tuple(made),
        )
        return self._on_expand(expansion) is not False

    def _h_and_f(self, g: int, h: int) -> tuple[Optional[int], F]:
        g_weight, h_weight = self._weights
        row, weight = g_weight * g + h_weight * h, g_weight or 1
        return h if self._informed else None, row // weight if row % weight == 0 else row / weight


class Improvements:
    """The function that the kernels of anytime searches call: it makes improvements, keeps them, and passes them on.

    `proved` takes the kernel's lower bound, a status and moves, and returns the bound that they prove. `g_weight` is
    what a weight of h is divided by. The search began at `began`, by `time.monotonic`.
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
        self._on_improvement, self._proved = on_improvement, proved
        self._back, self._g_weight, self._began = back, g_weight, began

    def __call__(
        self, directions: bytes, lower_bound: int, h_weight: int, expanded: int, generated: int
    ) -> Optional[bool]:
        """Pass on an improvement; see `puzzle15._core.search.searches`. False ends the search."""
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
