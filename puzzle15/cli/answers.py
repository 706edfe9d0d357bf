"""One answer as text: a line for people, a record for machines."""

from __future__ import annotations

from typing import Any, Optional

from .. import local_vi
from ..board import Board, format_moves
from ..errors import Puzzle15Error
from ..solver import SEARCH_FIELDS, Solution
from .console import reason

__all__ = ["answer_line", "answer_record"]


def answer_line(solution: Optional[Solution], error: Optional[Exception], convention: str) -> str:
    """An answer as `puzzle15 solve` prints it; exactly one of `solution` and `error` is given."""
    if solution is None:
        assert error is not None
        return f"error: {reason(error)}"
    moves = None if solution.moves is None else format_moves(solution.moves, convention, compress=True)
    if solution.status == "solved":
        return f"{solution.length}\t{moves}"
    kind = "moves" if solution.metric == "stm" else "multi-tile moves"
    line = f"{solution.status}: at least {solution.lower_bound} {kind}"
    if moves is not None:  # from branch and bound or an anytime search, or before --prove could prove it
        line += f", at most {solution.length}\t{moves}"
    return line


def answer_record(
    text: Optional[str],
    board: Optional[Board],
    goal: Optional[Board],
    solution: Optional[Solution],
    error: Optional[Exception],
    convention: str,
    algorithm: Optional[str],
    metric: str = "stm",
) -> dict[str, Any]:
    """An answer as ``--json`` prints it; exactly one of `solution` and `error` is given."""
    if solution is None:
        assert error is not None
        record = _failed(board, error, algorithm, metric).to_dict(convention=convention)
        record["board"] = text if board is None else str(board)
        record["goal"] = None if goal is None else str(goal)
    else:
        record = solution.to_dict(convention=convention)
    if algorithm is None:
        for name in SEARCH_FIELDS:
            del record[name]
    return record


def _failed(board: Optional[Board], error: Exception, algorithm: Optional[str], metric: str) -> Solution:
    """The solution that is none, for the record of a board that cannot be read or solved."""
    kind = local_vi.LocalSolution if algorithm == local_vi.ALGORITHM else Solution
    return kind(
        board=board,
        goal=Board.goal(),
        status="error",
        moves=None,
        optimal=False,
        lower_bound=0,
        expanded=0,
        generated=0,
        seconds=0.0,
        error=Puzzle15Error(reason(error)),
        algorithm=algorithm or "",
        metric=metric,
    )
