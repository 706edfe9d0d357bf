"""Boards with their exact distances: all boards of a small shape, or those on shortest solutions, at all distances."""

from __future__ import annotations

import time
from collections.abc import Callable
from math import factorial
from typing import Any, NamedTuple, Optional

import numpy as np
from numpy.typing import NDArray

from .._system.threads import check_stop
from ..board import Board, Shape, boards_along, farthest, random_walk, uniform
from ..dataset._distances import levels_to
from ..solver import Solver

MOST_LISTED = 2_000_000  # boards of a shape: 2x5 and smaller take 2 s
_ROUND = 32  # boards that are solved together
_NEAR_SHARE = 10  # of a sample, the part that all boards near the goal may be


class Sample(NamedTuple):
    """Boards, in ascending order, each once, with their distances."""

    packed: NDArray[np.uint64]
    distances: NDArray[np.int64]


def board_count(shape: Shape) -> int:
    """Return how many boards can reach a goal of this shape."""
    return factorial(shape[0] * shape[1]) // 2


def nearest_boards(goal: Board, most: int) -> Sample:
    """Return all boards up to a distance, as many as fit into `most`; at least the goal."""
    levels, count = levels_to(goal, 0), 1
    while True:
        check_stop()
        more = levels_to(goal, len(levels))
        count += len(more[-1])
        if len(more) == len(levels) or count > most:
            break
        levels = more
    return _sorted(np.concatenate(levels), np.repeat(np.arange(len(levels)), [len(level) for level in levels]))


def drawn(
    goal: Board, count: int, rng: np.random.Generator, solver: Solver, deadline: float, report: Callable[[float], Any]
) -> Sample:
    """About `count` boards: those nearest to the goal, and those on the solutions of random boards.

    Half of the random boards are drawn uniformly, and half are the ends of random walks from the goal.
    """
    parts = [nearest_boards(goal, count // _NEAR_SHARE)]
    known = len(parts[0].packed)
    most = farthest(goal.shape, goal.blank)
    while known < count and time.monotonic() < deadline:
        walks = random_walk(_ROUND // 2, rng.integers(1, most + 1, _ROUND // 2), rng, goal=goal)
        ends = np.concatenate([walks, uniform(_ROUND // 2, rng, goal=goal)])
        parts.append(along_solutions(ends, solver, deadline))
        known += len(parts[-1].packed)
        report(min(known / count, 1.0))
    return _sorted(*(np.concatenate(column) for column in zip(*parts)))


def along_solutions(packed: NDArray[np.uint64], solver: Solver, deadline: Optional[float] = None) -> Sample:
    """Return all boards on shortest solutions of these, the goal being one; without what is not solved in time."""
    left = None if deadline is None else max(deadline - time.monotonic(), 0.0)
    batch = solver.solve_many(packed, time_limit_s=left)
    solved = np.flatnonzero(batch.lengths >= 0).tolist()
    along, _ = boards_along(packed[solved], [batch[index].moves or "" for index in solved], shape=solver.shape)
    along.append(np.array([solver.goal.packed], dtype=np.uint64))
    distances = np.concatenate([np.arange(len(boards))[::-1] for boards in along])
    return _sorted(np.concatenate(along), distances)


def _sorted(packed: NDArray[np.uint64], distances: NDArray[np.int64]) -> Sample:
    packed, first = np.unique(packed, return_index=True)
    return Sample(packed, distances[first])
