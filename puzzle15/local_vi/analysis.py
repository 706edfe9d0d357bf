"""Counts of all boards by class and solution length, from the value functions alone."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, Optional, TypeVar

import numpy as np
from numpy.typing import NDArray

from .._core.learning.value_iteration import NONE
from ..parallel import slices
from .chain import Chain, Progress, rising
from .functions import CHUNK, ValueFunction

__all__ = ["Analysis", "Stage", "analyse_chain"]

_Key = TypeVar("_Key", bound=Hashable)


class Stage(NamedTuple):
    """A stage of the chain of subproblems."""

    tiles: tuple[int, ...]
    """The tiles that it brings home."""

    functions: tuple[ValueFunction, ...]
    """Its subproblems. Each is for the boards that the one before cannot solve."""

    sizes: dict[int, Fraction]
    """The share of all boards by the number of tiles of G in the subproblem that solves them."""


@dataclass(frozen=True)
class Analysis:
    """The classes and solution lengths of all boards; `LocalValueIteration.analyse` makes it.

    Attributes
    ----------
    board_count : int
        The number of all solvable boards.
    stages : tuple of Stage
    histograms : dict of int to ndarray of int64
        For each class k, the number of boards with solutions of 0, 1, 2, .. moves. The class of a board is the number
        of tiles of G in the largest subproblem that it needs.
    """

    board_count: int
    stages: tuple[Stage, ...]
    histograms: dict[int, NDArray[np.int64]]

    @property
    def classes(self) -> dict[int, Fraction]:
        """dict of int to Fraction: the share of each class."""
        return {k: Fraction(int(counts.sum()), self.board_count) for k, counts in self.histograms.items()}

    @property
    def bounds(self) -> dict[int, int]:
        """dict of int to int: an upper bound on the solution lengths of each class.

        It is the sum of the greatest distances in the stages' subproblems. A subproblem that solves none of the boards
        that come to it does not count.
        """
        return {
            k: sum(
                max(f.max_length for f in stage.functions if len(f.tiles) <= k and stage.sizes.get(len(f.tiles)))
                for stage in self.stages
            )
            for k in self.histograms
        }

    def mean(self, largest: Optional[int] = None) -> float:
        """The average number of moves, of a class or of all boards."""
        counts = self._counts(largest)
        moves = sum(length * count for length, count in enumerate(counts.tolist()))
        return float(Fraction(moves, int(counts.sum())))

    def maximum(self, largest: Optional[int] = None) -> int:
        """The largest number of moves, of a class or of all boards."""
        return int(np.flatnonzero(self._counts(largest))[-1])

    @property
    def counts(self) -> NDArray[np.int64]:
        """ndarray of int64: the number of boards with solutions of 0, 1, 2, .. moves."""
        together: dict[None, NDArray[np.int64]] = {}
        for counts in self.histograms.values():
            _accumulate(together, None, counts)
        return together[None]

    def _counts(self, largest: Optional[int]) -> NDArray[np.int64]:
        return self.counts if largest is None else self.histograms[largest]


def analyse_chain(chain: Chain, progress: Optional[Progress] = None) -> Analysis:
    """Count all boards; see `LocalValueIteration.analyse`.

    At the beginning of a stage, all arrangements of the tiles that are not at home are equally frequent, whatever
    happened before: a policy does not look at them, so it only permutes them. Therefore only three things about a board
    matter: the blank's cell, the largest subproblem so far, and the number of moves so far. The boards that share all
    three are counted, from stage to stage.
    """
    cells = len(chain.goal.tiles)
    per_blank = math.factorial(cells - 1) // 2
    total = per_blank * cells
    # (blank, class) -> boards by number of moves
    counts = {(blank, 0): np.array([per_blank], dtype=np.int64) for blank in range(cells)}
    stages = []
    tell = rising(progress)
    for stage in range(chain.stage_count):
        functions, table = _transitions(chain, stage, tell)
        after: dict[tuple[int, int], NDArray[np.int64]] = {}
        sizes: dict[int, int] = {}
        for (blank, largest), boards in counts.items():
            share = boards // table[blank].sum()
            for end, size in zip(*np.nonzero(table[blank].any(axis=2))):
                moves = np.trim_zeros(table[blank][end, size], "b")
                key = (int(end), max(largest, int(size)))
                sizes[int(size)] = sizes.get(int(size), 0) + int(share.sum()) * int(moves.sum())
                _accumulate(after, key, np.convolve(share, moves))
        counts = after
        own = chain.order[stage * chain.initial_size : chain.end(stage)]
        stages.append(Stage(own, functions, {size: Fraction(sizes[size], total) for size in sorted(sizes)}))
    histograms: dict[int, NDArray[np.int64]] = {}
    for (_, largest), boards in counts.items():
        _accumulate(histograms, largest, boards)
    return Analysis(total, tuple(stages), {largest: histograms[largest] for largest in sorted(histograms)})


def _transitions(
    chain: Chain, stage: int, progress: Optional[Progress]
) -> tuple[tuple[ValueFunction, ...], NDArray[np.int64]]:
    """The stage's functions, and a table of its starts: int64 (cells, cells, cells, 256).

    Its axes are the blank's cell before and after the stage, the number of tiles of G, and the number of moves.
    """
    cells = len(chain.goal.tiles)
    table = np.zeros((cells, cells, cells, 256), dtype=np.int64)
    functions: list[ValueFunction] = []
    for function, starts, states in chain.growth(stage, progress):
        first = functions[0] if functions else function
        functions.append(function)
        ends = function.space.ends(function.policy)
        size = len(function.tiles)
        lengths = function.lengths
        for some in slices(len(states), CHUNK):
            there = np.asarray(states[some])
            blanks = first.cells(np.asarray(starts[some]))[:, -1]
            solved = function.policy[there] != NONE
            there = there[solved]
            key = (blanks[solved].astype(np.int64) * cells + ends[there]) * 256 + lengths[there]
            table[:, :, size] += np.bincount(key, minlength=cells * cells * 256).reshape(cells, cells, 256)
    return tuple(functions), table


def _accumulate(sums: dict[_Key, NDArray[np.int64]], key: _Key, counts: NDArray[np.int64]) -> None:
    """Add counts to those of a key; the shorter array is extended by zeros."""
    old = sums.get(key, counts[:0])
    sums[key] = np.pad(old, (0, max(len(counts) - len(old), 0))) + np.pad(counts, (0, max(len(old) - len(counts), 0)))
