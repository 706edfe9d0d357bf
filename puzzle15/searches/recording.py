"""What the kernels tell of a search, made into expansions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Optional

from .._core.search.best_first import MAX_G
from .._core.search.trace import FATES
from ..board import Board, moves_from_directions
from .algorithms import Algorithm
from .expansions import SIDES, Child, Expansion, F
from .kernels import MEETING

__all__ = ["Recorder", "f_weights"]

_LETTERS = moves_from_directions(range(4))


def f_weights(algorithm: Algorithm, options: Mapping[str, Any]) -> tuple[int, int]:
    """The weights of g and of h in what an algorithm compares; `options` are those of its kernel.

    Examples
    --------
    >>> from puzzle15.searches import algorithm_of
    >>> f_weights(algorithm_of("bfs"), {}), f_weights(algorithm_of("weighted-a*"), {"g_weight": 4, "h_weight": 5})
    ((1, 0), (4, 5))
    """
    if not algorithm.informed:
        return 1, 0
    if algorithm.name in ("greedy", "beam", "hill-climbing"):
        return 0, 1
    if algorithm.name == "weighted-a*":
        return options["g_weight"], options["h_weight"]
    return 1, 1


class Recorder:
    """What the kernels call: it makes expansions of what they tell, and passes them on.

    Parameters
    ----------
    on_expand : callable
        Takes an `Expansion`; returns False if it wants no more.
    algorithm : Algorithm
    weights : (int, int)
        Of g and h in f: see `f_weights`.
    start, goal : Board
    back : bytes
        The direction on the board of each direction in the kernel's view, as from `Heuristic.prepare`.
    """

    def __init__(
        self,
        on_expand: Callable[[Expansion], Any],
        algorithm: Algorithm,
        weights: tuple[int, int],
        start: Board,
        goal: Board,
        back: bytes,
    ) -> None:
        self.count = 0
        self._on_expand = on_expand
        self._informed = algorithm.informed
        self._iterates = "on_iteration" in algorithm.options
        self._weights = weights
        self._roots = start, goal
        self._letters = [_LETTERS[direction] for direction in back]
        # The nodes that wait for their turn, by side, packed board and g: the number of the expansion that made each,
        # and its board and move.
        self._waiting: dict[tuple[int, int, int], tuple[int, Board, str]] = {}
        # Two sides may meet at a board that has had its turn. A beam stack expands a node again when it comes back for
        # more of its children.
        self._keeps = algorithm.name in (*MEETING, "beam-stack")
        # The same of searches that expand a node more than once, by the node's place.
        self._placed: dict[int, tuple[int, Board, str]] = {}

    def __call__(
        self,
        iteration: int,
        bound: Optional[int],
        side: int,
        packed: int,
        g: int,
        h: int,
        is_goal: bool,
        place: int,
        children: tuple[tuple[int, int, int, int, int], ...],
    ) -> bool:
        """Pass on an expansion; see `puzzle15._core.search.trace`. False: no more is wanted."""
        self.count += 1
        parent: Optional[int] = None
        board, move = self._roots[side], None
        if g and place:
            parent, board, move = self._placed[place]
        elif g:
            take = self._waiting.__getitem__ if self._keeps else self._waiting.pop
            parent, board, move = take((side, packed, g))
        g_child = min(g + 1, MAX_G)
        made = []
        for packed_child, direction, h_child, number, place_child in children:
            letter, fate = self._letters[direction], FATES[number]
            child = board.move(letter)
            made.append(
                Child(child, letter, g_child, h_child if self._informed else None, self._f(g_child, h_child), fate)
            )
            if place_child:
                self._placed[place_child] = self.count, child, letter
            elif fate in ("open", "reopened"):
                self._waiting[side, packed_child, g_child] = self.count, child, letter
        expansion = Expansion(
            self.count,
            iteration if self._iterates else 0,
            bound,
            SIDES[side],
            board,
            parent,
            move,
            g,
            h if self._informed else None,
            self._f(g, h),
            "goal" if is_goal else "expanded",
            tuple(made),
        )
        return self._on_expand(expansion) is not False

    def _f(self, g: int, h: int) -> F:
        g_weight, h_weight = self._weights
        row, weight = g_weight * g + h_weight * h, g_weight or 1
        return row // weight if row % weight == 0 else row / weight
