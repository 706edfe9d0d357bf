"""What a search did: its expansions, in their order, for pictures and lessons.

>>> from puzzle15.searches import SearchTree, search
>>> tree = SearchTree(limit=100)
>>> tree.solution = search("1 2 3/4 5 0/7 8 6", algorithm="greedy", on_expand=tree.add)
>>> for expansion in tree.expansions:
...     print(expansion.number, expansion.move, expansion.h, [(child.move, child.h) for child in expansion.children])
1 None 1 [('D', 2), ('R', 2), ('U', 0)]
2 U 0 []
>>> tree.expansions[1].fate, sorted(tree.way), tree.truncated
('goal', [1, 2], False)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Optional, Union

from .._core.search.best_first import MAX_G
from .._core.search.trace import FATES
from ..board import Board, moves_from_directions
from ..solver import Solution
from ..system.quantities import whole
from .algorithms import Algorithm

__all__ = ["Child", "Expansion", "Recorder", "SearchTree", "f_weights"]

#: A value of f: a whole number, or, of weighted-a* alone, perhaps a fraction.
F = Union[int, float]

_LIMIT = 10_000

#: The ends from which a search goes.
SIDES = ("start", "goal")

_LETTERS = moves_from_directions(range(4))


class Child(NamedTuple):
    """A child of an expanded node, as the search made it."""

    board: Board

    move: str
    """The move that led from the expanded board to this one: the direction of the tile."""

    g: int
    """The number of moves from the root to this board, along the expanded node."""

    h: Optional[int]
    """The heuristic of the board; None if the algorithm uses none."""

    f: F
    """As that of an `Expansion`."""

    fate: str
    """What the search did with the child.

    ========== ======================================================================================================
    "open"     It is a new node, which waits for its turn.
    "known"    The board is known with the same g or a smaller one (greedy: with any g), so the child was dropped.
    "reopened" The board is known, but this way is shorter. The node waits for its turn again, with this g.
    "cut"      Its f is beyond the bound (see `Expansion.bound`), so the child was dropped.
    "dropped"  The beam keeps other boards of this depth, or hill-climbing goes to another child or to none.
    ========== ======================================================================================================
    """


class Expansion(NamedTuple):
    """A node at its turn: the search has made its children, or has found the goal."""

    number: int
    """The place in the order of the turns, from 1 on."""

    iteration: int
    """The iteration of ida* or iterative-deepening, from 1 on; 0 of other algorithms."""

    bound: Optional[int]
    """Children of a larger f are cut off: the bound of this iteration, the limit of depth-first, or, once
    branch-and-bound has found a solution, one move less than that solution has. None if nothing is cut off."""

    side: str
    """The end from which this node was reached: "start", or "goal" of the second half of bidirectional."""

    board: Board

    parent: Optional[int]
    """The number of the expansion that made this node with this g; None for a root."""

    move: Optional[str]
    """The move that led from the parent's board to this one: the direction of the tile. None for a root."""

    g: int
    """The number of moves from the root."""

    h: Optional[int]
    """The heuristic of the board, as the search uses it; None if the algorithm uses none."""

    f: F
    """What the algorithm compares: g + h for a*, ida* and branch-and-bound, g + weight h for weighted-a*, h for
    greedy, beam and hill-climbing, g for those without a heuristic. Branch-and-bound orders its nodes by h."""

    fate: str
    """"expanded", or "goal" if the search has found the goal here and makes no children."""

    children: tuple[Child, ...]
    """In the order in which they are made. The board from which the last move came is not made again."""


class SearchTree:
    """The first expansions of a search: ``search(board, on_expand=tree.add)`` fills it.

    Parameters
    ----------
    limit : int
        How many expansions it keeps: at least 1. One takes about a kilobyte.

    Attributes
    ----------
    limit : int
    expansions : list of Expansion
        In the order of the search.
    truncated : bool
        Whether the search went on after the last one.
    solution : Solution, optional
        What the search returned. A tree does not know it by itself.
    """

    def __init__(self, limit: int = _LIMIT) -> None:
        self.limit = whole("limit", limit, 1)
        self.expansions: list[Expansion] = []
        self.truncated = False
        self.solution: Optional[Solution] = None

    def add(self, expansion: Expansion) -> bool:
        """Keep an expansion. False if there is no room for it: then the search records no more."""
        if len(self.expansions) >= self.limit:
            self.truncated = True
            return False
        self.expansions.append(expansion)
        return True

    @property
    def way(self) -> frozenset[int]:
        """The numbers of the expansions on the way of `solution`, each board at its last turn; none without a solution.

        Of ida* and iterative-deepening they are in the last iteration that the tree has.
        """
        if self.solution is None or self.solution.moves is None or not self.expansions:
            return frozenset()
        boards = [step.board for step in self.solution.path()]
        places: dict[Board, list[int]] = {}
        for place, board in enumerate(boards):
            places.setdefault(board, []).append(place)
        # A search to a depth may come to a board in several depths. Of others, the way may have become shorter since.
        found: dict[tuple[str, int], tuple[bool, int]] = {}
        for expansion in self.expansions:
            if expansion.iteration == self.expansions[-1].iteration:
                for place in places.get(expansion.board, []):
                    g = place if expansion.side == SIDES[0] else len(boards) - 1 - place
                    turn = expansion.g == g, expansion.number
                    key = expansion.side, place
                    found[key] = max(found.get(key, turn), turn)
        return frozenset(number for _, number in found.values())

    def __repr__(self) -> str:
        more = ", truncated" if self.truncated else ""
        return f"<SearchTree: {len(self.expansions)} expansions{more}>"


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

    def __call__(
        self,
        iteration: int,
        bound: Optional[int],
        side: int,
        packed: int,
        g: int,
        h: int,
        is_goal: bool,
        children: tuple[tuple[int, int, int, int], ...],
    ) -> bool:
        """Pass on an expansion; see `puzzle15._core.search.trace`. False: no more is wanted."""
        self.count += 1
        parent, board, move = self._waiting.pop((side, packed, g)) if g else (None, self._roots[side], None)
        g_child = min(g + 1, MAX_G)
        made = []
        for packed_child, direction, h_child, number in children:
            letter, fate = self._letters[direction], FATES[number]
            child = board.move(letter)
            made.append(
                Child(child, letter, g_child, h_child if self._informed else None, self._f(g_child, h_child), fate)
            )
            if fate in ("open", "reopened"):
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
