"""What a search has proved about the length of a shortest solution, and completing the proof."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Optional

from .._core.base import board as _board
from ..board import Board
from ..errors import HeuristicError
from ..heuristics import Heuristic
from ..published import check_bound, farthest
from ..solver import Solution, best_solver
from .algorithms import Algorithm
from .options import SearchOptions

__all__ = ["prove_or_shorten", "proved_bound"]


def proved_bound(
    algorithm: Algorithm, estimate: Heuristic, board: Board, floor: int, answer: int, status: str, moves: Optional[str]
) -> int:
    """The proved lower bound, from the heuristic of the board and the bound that the kernel returned.

    Raises TableCorruptError if the bound is larger than the distance of the farthest board, and HeuristicError if that,
    or the solution, refutes what a function or a table given as an array claims.
    """
    goal = estimate.goal
    # No solution is shorter than the Manhattan distance, and the lengths of all solutions have its parity.
    manhattan = _board.manhattan(board.packed, goal.packed, board.shape)
    bound = manhattan
    if not algorithm.informed or estimate.admissible:
        bound = max(int(board != goal), floor)
        if not algorithm.takes("max_length") or status == "failed":  # otherwise its bound is the depth limit
            bound = max(bound, answer)
        if algorithm.optimal and status == "solved" and moves is not None:
            bound = max(bound, len(moves))
    bound += (bound ^ manhattan) & 1
    if estimate.admissible:
        farthest_board = farthest(goal.shape, goal.blank)
        most = farthest_board if moves is None else len(moves)
        if estimate.of_ones_own and bound > most:
            names = " and ".join(repr(each.name) for each in estimate.of_ones_own)
            raise HeuristicError(
                f"heuristic {names}: claims to be admissible, but by it the board {board} needs {bound} moves at "
                f"least, and {most} are enough; lower its values, or leave out admissible=True"
            )
        with estimate.folders_named():
            check_bound(bound, farthest_board, board)
    return bound


def prove_or_shorten(solution: Solution, options: SearchOptions, deadline: Optional[float]) -> Solution:
    """The same solution, proved to be a shortest one, or a shorter one; status "limit" if the limits end the proof."""
    assert solution.length is not None and solution.board is not None
    nodes_left = None if options.max_nodes is None else max(options.max_nodes - solution.generated, 0)
    seconds_left = None if deadline is None else max(deadline - time.monotonic(), 0.0)
    answer = best_solver(solution.goal, tables=options.tables).solve(
        solution.board, max_length=solution.length - 2, max_nodes=nodes_left, time_limit_s=seconds_left
    )
    bound = max(solution.lower_bound, answer.lower_bound)
    shorter = answer.length if answer.status == "solved" else None
    optimal = shorter is not None or bound >= solution.length
    return replace(
        solution,
        status="solved" if optimal else "limit",
        moves=solution.moves if shorter is None else answer.moves,
        optimal=optimal,
        lower_bound=min(bound, solution.length) if shorter is None else shorter,
        expanded=solution.expanded + answer.expanded,
        generated=solution.generated + answer.generated,
        seconds=solution.seconds + answer.seconds,
    )
