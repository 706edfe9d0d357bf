"""A recorded search as trees that `puzzle15._pictures` draws, with their texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Any, Optional, Union

from .._pictures.tree import Tree, TreeNode
from ..board import Board
from ..errors import OptionError
from ..solver import Solution
from ._expansions import Child, Expansion

#: An expanded node or a child, whose numbers are to be written.
_Node = Union[Expansion, Child]

_LONGEST = 110  # characters of a solution


def draw(expansions: Sequence[Expansion], solution: Optional[Solution] = None) -> dict[str, Any]:
    """Return the first expansions of a search as one tree per iteration and side, for `puzzle15._pictures.tree_svg`.

    With the solution, the title names it, and its path is marked.
    """
    if not expansions:
        raise OptionError("no expansions: expected those of a search, as from search(board, on_expand=tree.add)")
    write = _writer(expansions)
    path = [] if solution is None else list(solution.boards())
    two_sides = any(expansion.side == "goal" for expansion in expansions)
    trees = []
    for (iteration, from_goal), group in groupby(sorted(expansions, key=_tree_of), key=_tree_of):
        own = list(group)
        growing = _Growing(write, path[::-1] if from_goal else path)
        for expansion in own:
            growing.add(expansion)
        trees.append(Tree(_heading(own, iteration, two_sides, solution), growing.nodes))
    return {
        "title": _title(expansions, solution),
        "lines": _lines(expansions, solution),
        "trees": trees,
        "shape": expansions[0].board.shape,
        "goal": None if solution is None else solution.goal.tiles,
    }


def _tree_of(expansion: Expansion) -> tuple[int, bool]:
    return expansion.iteration, expansion.side == "goal"


class _Growing:
    """One tree, which grows by one expansion at a time."""

    def __init__(self, write: Callable[[_Node], str], path: Sequence[Board]) -> None:
        self._write = write
        self._path = path
        self.nodes: list[TreeNode] = []
        self._made: dict[tuple[Optional[int], Board], int] = {}  # (the parent's number, board) -> index
        self._children: dict[tuple[int, Board], int] = {}  # (the parent's index, board) -> index
        self._waiting: dict[Board, int] = {}

    def add(self, expansion: Expansion) -> None:
        """Draw an expansion and its children, those that are drawn already only once."""
        number, board = expansion.number, expansion.board
        if expansion.parent is None and not self.nodes:
            self.nodes.append(self._node(expansion, None, "open"))
            self._made[None, board] = 0
        index = self._made[expansion.parent, board]
        self._waiting.pop(board, None)
        node = self.nodes[index]
        fate = "goal" if expansion.fate == "goal" else "expanded" if node.fate == "open" else node.fate
        if node.number is None:
            self.nodes[index] = node._replace(number=number, fate=fate)
        else:
            self.nodes[index] = node._replace(again=(*node.again, number), fate=fate)
        for child in expansion.children:
            self._add_child(expansion, index, child)

    def _add_child(self, expansion: Expansion, parent: int, child: Child) -> None:
        index = self._children.setdefault((parent, child.board), len(self.nodes))
        self._made[expansion.number, child.board] = index
        if index < len(self.nodes) and self.nodes[index].number is not None:
            return
        node = self._node(child, parent, child.fate)
        if child.fate in ("known", "reopened"):
            node = node._replace(note=child.fate)
        elif child.fate == "cut":
            node = node._replace(label="" if child.h is None else node.label, note=_beyond(child, expansion.bound))
        self.nodes[index : index + 1] = [node]  # a new one, or in place of the same one before
        if child.fate == "reopened" and child.board in self._waiting:
            old = self._waiting[child.board]
            self.nodes[old] = self.nodes[old]._replace(fate="replaced", note="replaced")
        if child.fate in ("open", "reopened"):
            self._waiting[child.board] = index

    def _node(self, drawn: _Node, parent: Optional[int], fate: str) -> TreeNode:
        follows = parent is None or self.nodes[parent].on_path
        return TreeNode(
            tiles=drawn.board.tiles,
            parent=parent,
            fate=fate,
            move=drawn.move or "",
            label=self._write(drawn),
            on_path=follows and drawn.g < len(self._path) and self._path[drawn.g] == drawn.board,
        )


def _writer(expansions: Sequence[Expansion]) -> Callable[[_Node], str]:
    """Return what writes the numbers of a node, from how f is made up in this search."""
    nodes: list[_Node] = [*expansions, *(child for expansion in expansions for child in expansion.children)]
    estimated = [(node.f, node.g, node.h) for node in nodes if node.h is not None]
    if not estimated:
        return lambda node: f"g = {node.g}"
    if all(f == g + h for f, g, h in estimated):
        return lambda node: f"{node.g} + {node.h} = {node.f}"
    if all(f == h for f, g, h in estimated):
        return lambda node: f"h = {node.h}"
    weight = next(Fraction((f - g) / h).limit_denominator(1000) for f, g, h in estimated if h)
    if any(abs(g + weight * h - f) > 0.01 * f for f, g, h in estimated):  # a curve
        return lambda node: f"g {node.g}, h {node.h}: {round(node.f, 2):g}"
    return lambda node: f"{node.g} + {weight}·{node.h} = {round(node.f, 2):g}"


def _beyond(child: Child, bound: Optional[int]) -> str:
    return f"{'g' if child.h is None else 'f'} = {round(child.f, 2):g} > {bound}"


def _heading(expansions: Sequence[Expansion], iteration: int, two_sides: bool, solution: Optional[Solution]) -> str:
    """Return what stands above one tree."""
    count = _count(expansions)
    if iteration:
        kind = "depth limit" if expansions[0].h is None else "bound"
        finished = () if solution is None else solution.iterations[iteration - 1 : iteration]
        total = finished[0].expanded if finished else count
        of = f"{count} of {total:,}" if total > count else f"{count}"
        return f"{kind} {expansions[0].bound}: {of} expanded"
    ends = {"start": "from the board", "goal": "from the goal"}
    return f"{ends[expansions[0].side]}: {count} expanded" if two_sides else ""


def _count(expansions: Sequence[Expansion]) -> int:
    """Return how many nodes were expanded, without the goal."""
    return sum(expansion.fate == "expanded" for expansion in expansions)


def _title(expansions: Sequence[Expansion], solution: Optional[Solution]) -> str:
    count = _count(expansions)
    if solution is None:
        return f"{count:,} expansions of a search"
    shown = f"{count:,} of {solution.expanded:,}" if count < solution.expanded else f"all {count:,}"
    expanded = "the only expansion" if count == solution.expanded == 1 else f"{shown} expansions"
    return f"{expanded} of {solution.algorithm}{f' with {solution.heuristic}' if solution.heuristic else ''}"


def _lines(expansions: Sequence[Expansion], solution: Optional[Solution]) -> list[str]:
    if solution is None:
        return [f"from {expansions[0].board}"]
    found = str(solution)
    return [f"from {solution.board} to {solution.goal}", found if len(found) <= _LONGEST else f"{found[:_LONGEST]} .."]
