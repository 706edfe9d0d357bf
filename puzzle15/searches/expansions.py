"""What a search reports of one node: an `Expansion`, with a `Child` for each child."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional, Union

from ..board import Board

__all__ = ["SIDES", "Child", "Expansion", "F"]

#: A value of f: a whole number, or, of weighted-a* alone, perhaps a fraction.
F = Union[int, float]

#: The ends from which a search goes.
SIDES = ("start", "goal")


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
    """What the search did with the child: "open", "known", "reopened", "cut" or "dropped". The README explains them."""


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
        """The expansion as plain values, which JSON can hold: the record that ``puzzle15 tree --json`` prints."""
        children = [{**child._asdict(), "board": str(child.board)} for child in self.children]
        return {**self._asdict(), "board": str(self.board), "children": children}
