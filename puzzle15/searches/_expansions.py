"""What a search reports: an `Expansion` of each node, with a `Child` for each child, and improvements."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple, Optional, Union

from .._core.search.searches import FATES, MAX_G
from ..board import Board, moves_from_directions
from ..solver import Improvement
from ._algorithms import Algorithm

#: A value of f: a whole number, or, of weighted-a* alone, perhaps a fraction.
F = Union[int, float]

_SIDES = ("start", "goal")
_LETTERS = moves_from_directions(range(4))


class Child(NamedTuple):
    """A child of an expanded node, as the search made it."""

    board: Board

    move: str
    """The direction of the tile that was moved."""

    g: int
    """The number of moves from the root to this board, along the expanded node."""

    h: Optional[int]
    """The heuristic of the board; None if the algorithm uses none."""

    f: F
    """As that of an `Expansion`."""

    fate: str
    """What the search did with the child: "open", "known", "reopened", "cut" or "dropped", which the guide
    explains ("See what a search does")."""


class Expansion(NamedTuple):
    """A node at its turn: the search has made its children, or has found the goal."""

    number: int
    """The number in the order of the turns, from 1 on."""

    iteration: int
    """The iteration of ida*, ida*-tt, iterative-deepening or breadth-first-heuristic, from 1 on; 0 of others."""

    bound: Optional[int]
    """Children of a larger f are cut off: the bound of this iteration, the limit of depth-first, or, once
    branch-and-bound or an anytime search has found a solution, one move less than that solution has; of rbfs, the f
    beyond which it leaves this node for another one. None if nothing is cut off."""

    side: str
    """The end from which this node was reached: "start", or "goal" of the second half of bidirectional, mm, mme
    and nbs."""

    board: Board

    parent: Optional[int]
    """The number of the expansion that made this node with this g; None for a root. Two expansions of the same board
    and parent are those of one node, which rbfs or sma* expands again."""

    move: Optional[str]
    """As that of a `Child`; None for a root."""

    g: int
    """The number of moves from the root."""

    h: Optional[int]
    """The heuristic of the board, as the search uses it; None if the algorithm uses none."""

    f: F
    """What the algorithm compares (`Algorithm.f`). Branch-and-bound orders its nodes by h, and anytime-a* and ara*
    order them by g + weight h; all three cut them off by f = g + h. Mm and mme order them by the larger of f and of
    twice g (mme: and 1 more)."""

    fate: str
    """"expanded", or "goal" if the search has found the goal here and makes no children. The last expansion of
    bidirectional, mm, mme and nbs has the board at which both sides meet, which may have been expanded before."""

    children: tuple[Child, ...]
    """In the order in which they are made. The board from which the last move came is not made again. When sma* comes
    back to a node, it makes one forgotten child again."""

    def to_dict(self) -> dict[str, Any]:
        """Return the expansion as plain values for JSON: the record that ``puzzle15 tree --json`` prints."""
        children = [{**child._asdict(), "board": str(child.board)} for child in self.children]
        return {**self._asdict(), "board": str(self.board), "children": children}


class Recorder:
    """The function that the kernels call for each expansion: it makes an `Expansion` and passes it on.

    `f_of` computes f of g and h. `roots` are the start and the goal, and `back` has the caller's direction of each of
    the kernel's directions.
    """

    def __init__(
        self,
        on_expand: Callable[[Expansion], Any],
        algorithm: Algorithm,
        f_of: Callable[[int, int], F],
        roots: tuple[Board, Board],
        back: bytes,
    ) -> None:
        self.count = 0
        self._on_expand = on_expand
        self._informed, self._iterates = algorithm.informed, algorithm.takes("on_iteration")
        self._f_of, self._roots = f_of, roots
        self._most_g = sys.maxsize if algorithm.function else MAX_G
        self._letters = [_LETTERS[direction] for direction in back]
        # The number of the expansion that made each node, and its board and move: by side, packed board and g; or by
        # the number of the node, where several nodes have the same board and g.
        self._made: dict[Union[int, tuple[int, int, int]], tuple[int, Board, str]] = {}

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
        if g:
            parent, board, move = self._made[node or (side, packed, g)]
        g_child = min(g + 1, self._most_g)
        made = []
        for packed_child, direction, h_child, number, node_child in children:
            letter, fate = self._letters[direction], FATES[number]
            child = board.move(letter)
            made.append(Child(child, letter, g_child, *self._h_and_f(g_child, h_child), fate))
            if node_child or fate in ("open", "reopened"):
                self._made[node_child or (side, packed_child, g_child)] = self.count, child, letter
        expansion = Expansion(
            self.count,
            iteration if self._iterates else 0,
            bound,
            *(_SIDES[side], board, parent, move),
            g,
            *self._h_and_f(g, h),
            "goal" if is_goal else "expanded",
            tuple(made),
        )
        return self._on_expand(expansion) is not False

    def knows(self, side: int, packed: int, g: int) -> bool:
        """Return whether an expansion has made this board with this g, or it is the root."""
        return (side, packed, g) in self._made or (not g and packed == self._roots[side].packed)

    def _h_and_f(self, g: int, h: int) -> tuple[Optional[int], F]:
        return h if self._informed else None, self._f_of(g, h)


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
        """Return all improvements. The last one has what is known at the end, perhaps in the middle of a round."""
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
