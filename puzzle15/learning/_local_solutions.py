"""Solutions that consist of the solutions of subproblems."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..board import Board, taxicab, unpack_boards
from ..board._moves import Convention
from ..errors import Puzzle15Error
from ..solver import Solution
from ..solver._batches import Solutions
from . import LOCAL_VALUE_ITERATION


class Part(NamedTuple):
    """One subproblem of a solution."""

    tiles: tuple[int, ...]
    """The tiles of G."""

    fixed: tuple[int, ...]
    """The tiles of R."""

    length: int
    """The number of moves that solved it."""


@dataclass(frozen=True, repr=False)
class LocalSolution(Solution):
    """A `Solution` with the subproblems that it consists of. No nodes are expanded.

    Attributes
    ----------
    parts : tuple of Part
        The subproblems that were solved, in order.
    largest : int
        The number of tiles of G in the largest of them: the k of the paper's class S_k.
    """

    parts: tuple[Part, ...] = ()
    largest: int = 0

    def to_dict(self, *, convention: Convention = "tile") -> dict[str, Any]:
        """Return the record of `Solution.to_dict`, with the largest subproblem and all of them."""
        record = super().to_dict(convention=convention)
        known = self.error is None
        record["largest"] = self.largest if known else None
        record["parts"] = [part._asdict() for part in self.parts] if known else None
        return record


class LocalSolutionBatch(Solutions[LocalSolution]):
    """The solutions of many boards, with their classes, and the attributes of `puzzle15.SolutionBatch`.

    Attributes
    ----------
    largest : ndarray of uint8, shape (N,)
        The number of tiles of G in the largest subproblem of each board: the k of the paper's class S_k. It is 0 where
        there is no solution.
    """

    def __init__(
        self,
        goal: Board,
        solve: Callable[[Board, float], LocalSolution],
        packed: NDArray[np.uint64],
        lengths: NDArray[np.uint16],
        largest: NDArray[np.uint8],
        seconds: float,
        errors: dict[int, Puzzle15Error],
    ) -> None:
        self._goal, self._packed, self.errors = goal, packed, errors
        self._empty = LocalSolution(None, goal, "limit", None, False, 0, 0, 0, 0.0, algorithm=LOCAL_VALUE_ITERATION)
        self.status = np.full(len(packed), "solved")
        self.status[list(errors)] = "error"
        self.lengths = np.where(self.status == "solved", lengths.astype(np.int32), np.int32(-1))
        tiles = unpack_boards(np.where(self.lengths < 0, goal.packed, packed).astype(np.uint64), goal.shape)
        self.lower_bounds = taxicab(goal)[np.arange(len(goal)), tiles].sum(axis=1, dtype=np.int32)
        self.optimal = self.lengths == self.lower_bounds
        nothing = np.zeros(len(packed), dtype=np.uint64)
        self.expanded = self.generated = self.largest_open = self.memory_bytes = nothing
        self.seconds = np.full(len(packed), seconds / max(len(packed), 1))
        self.largest = largest
        self._solve = solve  # solves a board again when its solution is needed

    def _answer(self, index: int) -> LocalSolution:
        packed, seconds = int(self._packed[index]), float(self.seconds[index])
        board = Board._of(packed, self._goal.shape) if packed else None
        if index in self.errors:
            return replace(self._empty, board=board, status="error", seconds=seconds, error=self.errors[index])
        assert board is not None
        return self._solve(board, seconds)
