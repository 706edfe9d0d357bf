"""One answer as text: a line for people, a record for machines."""

from __future__ import annotations

from typing import Any, Optional

from .. import local_vi
from ..board import Board, format_moves
from ..solver import Solution
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
    line = f"{solution.status}: at least {solution.lower_bound} moves"
    if moves is not None:  # from branch and bound, or before --prove could prove it
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
) -> dict[str, Any]:
    """An answer as ``--json`` prints it; exactly one of `solution` and `error` is given."""

    def fact(name: str) -> Any:
        return None if solution is None else getattr(solution, name)

    moves, seconds = fact("moves"), fact("seconds")
    record: dict[str, Any] = {
        "board": text if board is None else str(board),
        "goal": None if goal is None else str(goal),
        "length": fact("length"),
        "moves": None if moves is None else format_moves(moves, convention),
        "convention": convention,
        "metric": "stm",
        "optimal": fact("optimal"),
        "lower_bound": fact("lower_bound"),
        "expanded": fact("expanded"),
        "generated": fact("generated"),
        "seconds": None if seconds is None else round(seconds, 6),
        "status": "error" if solution is None else solution.status,
        "error": None if error is None else reason(error),
    }
    if algorithm is not None:
        names = ["heuristic", "largest_open", "largest_closed", "memory_bytes"]
        record |= {"algorithm": algorithm, **{name: fact(name) for name in names}}
    if algorithm == local_vi.ALGORITHM:
        parts = fact("parts")
        record |= {"largest": fact("largest"), "parts": parts and [part._asdict() for part in parts]}
    return record
