"""What a search did: its expansions, in their order, for pictures and lessons.

>>> from puzzle15.searches import Child, Expansion, SearchTree
>>> board = Board("1 2 3/4 5 0/7 8 6")
>>> tree = SearchTree(limit=100)
>>> tree.add(Expansion(1, 0, None, "start", board, None, None, 0, 1, 1, "expanded", (
...     Child(board.move("D"), "D", 1, 2, 3, "open"),
...     Child(board.move("U"), "U", 1, 0, 1, "open"),
...     Child(board.move("R"), "R", 1, 2, 3, "open"))))
True
>>> tree.add(Expansion(2, 0, None, "start", board.move("U"), 1, "U", 1, 0, 1, "goal", ()))
True
>>> [expansion.number for expansion in tree.expansions], tree.truncated
([1, 2], False)
"""

from __future__ import annotations

from typing import NamedTuple, Optional, Union

from ..board import Board
from ..system.quantities import whole

__all__ = ["Child", "Expansion", "SearchTree"]

#: A value of f: a whole number, or, of weighted-a* alone, perhaps a fraction.
F = Union[int, float]

_LIMIT = 10_000


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
    """

    def __init__(self, limit: int = _LIMIT) -> None:
        self.limit = whole("limit", limit, 1)
        self.expansions: list[Expansion] = []
        self.truncated = False

    def add(self, expansion: Expansion) -> bool:
        """Keep an expansion. False if there is no room for it: then the search records no more."""
        if len(self.expansions) >= self.limit:
            self.truncated = True
            return False
        self.expansions.append(expansion)
        return True

    def __repr__(self) -> str:
        more = ", truncated" if self.truncated else ""
        return f"<SearchTree: {len(self.expansions)} expansions{more}>"
