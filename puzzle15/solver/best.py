"""`solve`, and the solver with the best installed tables."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Optional

from ..board import Board, BoardLike, goal_of
from ..tables import Folder, folder_state
from .solution import Iteration, Solution
from .solver import Solver

__all__ = ["best_solver", "solve"]


def solve(
    board: BoardLike,
    *,
    goal: Optional[BoardLike] = None,
    shape: Optional[Sequence[int]] = None,
    metric: str = "stm",
    max_length: Optional[int] = None,
    max_nodes: Optional[int] = None,
    time_limit_s: Optional[float] = None,
    workers: int = 1,
    on_iteration: Optional[Callable[[Iteration], Any]] = None,
) -> Solution:
    """A shortest solution of one board, found with the best installed tables.

    Parameters
    ----------
    board : board
        Anything that `Board` takes.
    goal, shape, metric
        As for `Solver`; by default `board` determines the shape.
    max_length, max_nodes, time_limit_s, workers, on_iteration
        As for `Solver.solve`.

    Examples
    --------
    >>> solve("1 2 3/0 5 6/4 7 8").moves
    'ULL'
    >>> solution = solve("8 6 7/2 5 4/3 0 1", metric="mtm")
    >>> solution.length, solution.single_tile_length
    (20, 31)
    """
    start = Board(board, shape)
    return best_solver(goal_of(goal, start.shape), metric=metric).solve(
        start,
        max_length=max_length,
        max_nodes=max_nodes,
        time_limit_s=time_limit_s,
        workers=workers,
        on_iteration=on_iteration,
    )


def best_solver(goal: Board, *, tables: Folder = None, metric: str = "stm") -> Solver:
    """The solver of a goal with the best installed tables: one object until tables are added or removed."""
    return _best_solver(goal, None if tables is None else os.fspath(tables), folder_state(tables), metric)


@lru_cache(maxsize=8)
def _best_solver(goal: Board, tables: Optional[str], state: tuple[Any, ...], metric: str) -> Solver:
    return Solver(goal=goal, tables=tables, metric=metric)
