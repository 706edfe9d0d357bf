"""A recorded search in the form in which the page shows it, so that it need not search again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Optional, Union
from urllib.parse import quote

from ..board import Board

if TYPE_CHECKING:  # a page without a search does not wait for numpy
    from ..searches import Child, Expansion, SearchTree


def record_of(tree: SearchTree, step: int = 0) -> dict[str, Any]:
    """Return what the page opens with: the fragment of its address, and a search with its expansions."""
    title, solution = tree.title, tree.solution
    board, goal = tree.expansions[0].board, _goal_of(tree)
    return {
        "fragment": f"#board={quote(str(board))}&goal={quote(str(goal))}&view=watch&algorithm=recorded&step={step}",
        **{"board": str(board), "goal": str(goal), "title": title},
        "name": "" if solution is None else solution.algorithm,
        "says": "The search goes on." if tree.truncated else f"The answer of the search: {solution}." * bool(solution),
        "f": _compared(tree.expansions),
        "expansions": trace_of(tree.expansions),
    }


def trace_of(expansions: Sequence[Expansion]) -> list[dict[str, Any]]:
    """Return the expansions of a search in the form in which the page gets those of the core, with their f."""
    numbers: dict[tuple[Optional[int], Board], int] = {}  # (number of the expansion that made a node, board) -> id

    def node(of: Union[Expansion, Child], maker: Optional[int]) -> dict[str, Any]:
        number = numbers.setdefault((maker, of.board), len(numbers) + 1)
        return {"board": str(of.board), "h": of.h or 0, "f": of.f, "id": number}

    return [
        {
            **node(each, each.parent),
            **{"g": each.g, "iteration": each.iteration, "bound": each.bound, "side": each.side},
            "goal": each.fate == "goal",
            "children": [{**node(it, each.number), "move": it.move, "fate": it.fate} for it in each.children],
        }
        for each in expansions
    ]


def _compared(expansions: Sequence[Expansion]) -> str:
    """How f is made up, in the words of `Algorithm.f`."""
    nodes: list[Union[Expansion, Child]] = [*expansions, *(child for each in expansions for child in each.children)]
    if nodes[0].h is None:
        return "g"
    if all(node.f == node.g + (node.h or 0) for node in nodes):
        return "g + h"
    return "h" if all(node.f == node.h for node in nodes) else "g + weight h"


def _goal_of(tree: SearchTree) -> Board:
    """Return the goal of a search; where nobody has set its solution, a board that may be the goal."""
    if tree.solution is not None:
        return tree.solution.goal
    first = tree.expansions[0].board
    roots = [each.board for each in tree.expansions if each.side == "goal" and each.parent is None]
    ends = [each.board for each in tree.expansions if each.fate == "goal"]
    return next(goal for goal in [*roots, *ends, Board.goal(first.shape), first] if first.is_solvable(goal))
