"""Counts of all boards by class and solution length, from the value functions alone."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, Optional

import numpy as np
from numpy.typing import NDArray

from .._core.learning.value_iteration import NONE
from .._system.threads import slices
from ._value_functions import CHUNK, ValueFunction

#: Numbers of states, one per board.
States = NDArray[np.int64]

#: A value function; and the states of the boards that come to it, at the beginning of the stage and in this subproblem.
Subproblem = tuple[ValueFunction, States, States]


class Stage(NamedTuple):
    """A stage of the chain of subproblems."""

    tiles: tuple[int, ...]
    """The tiles that it brings home."""

    functions: tuple[ValueFunction, ...]
    """Its subproblems. Each is for the boards that the one before cannot solve."""

    sizes: dict[int, Fraction]
    """The share of all boards by the number of tiles of G in the subproblem that solves them."""


@dataclass(frozen=True)
class BoardCounts:
    """The classes and solution lengths of all boards; `LocalValueIteration.count_boards` makes it.

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

        It is the sum of the greatest distances in the stages' subproblems that solve a board.
        """
        return {
            k: sum(
                max(f.max_length for f in stage.functions if len(f.tiles) <= k and stage.sizes.get(len(f.tiles)))
                for stage in self.stages
            )
            for k in self.histograms
        }

    @property
    def counts(self) -> NDArray[np.int64]:
        """ndarray of int64: the number of boards with solutions of 0, 1, 2, .. moves."""
        return _total(self.histograms.values())

    def mean(self, largest: Optional[int] = None) -> float:
        """Return the average number of moves, of a class or of all boards."""
        counts = self.counts if largest is None else self.histograms[largest]
        moves = sum(length * count for length, count in enumerate(counts.tolist()))
        return float(Fraction(moves, int(counts.sum())))

    def maximum(self, largest: Optional[int] = None) -> int:
        """Return the largest number of moves, of a class or of all boards."""
        return int(np.flatnonzero(self.counts if largest is None else self.histograms[largest])[-1])


def count_boards(cells: int, stages: Iterable[tuple[tuple[int, ...], Iterable[Subproblem]]]) -> BoardCounts:
    """Count all boards of so many cells, from the tiles and the subproblems of each stage.

    Earlier policies only permute the tiles that are not at home, so all arrangements of these are equally frequent at
    the beginning of a stage. Boards are counted by the blank's cell, the largest subproblem and the moves so far.
    """
    per_blank = math.factorial(cells - 1) // 2
    # (blank, class) -> boards by number of moves
    counts = {(blank, 0): np.array([per_blank], dtype=np.int64) for blank in range(cells)}
    done = []
    for tiles, growth in stages:
        functions, table = _transitions(cells, growth)
        after = defaultdict(list)
        sizes: dict[int, int] = defaultdict(int)
        for (blank, largest), boards in counts.items():
            share = boards // table[blank].sum()
            for end, size in np.argwhere(table[blank].any(axis=2)).tolist():
                moves = np.trim_zeros(table[blank][end, size], "b")
                sizes[size] += int(share.sum()) * int(moves.sum())
                after[end, max(largest, size)].append(np.convolve(share, moves))
        counts = {key: _total(parts) for key, parts in after.items()}
        shares = {size: Fraction(sizes[size], per_blank * cells) for size in sorted(sizes)}
        done.append(Stage(tiles, functions, shares))
    classes = sorted({largest for _, largest in counts})
    histograms = {k: _total(boards for (_, largest), boards in counts.items() if largest == k) for k in classes}
    return BoardCounts(per_blank * cells, tuple(done), histograms)


def _transitions(cells: int, growth: Iterable[Subproblem]) -> tuple[tuple[ValueFunction, ...], NDArray[np.int64]]:
    """Return the functions of a stage, and its starts by the blank's cell before and after, tiles of G, and moves."""
    table = np.zeros((cells, cells, cells, 256), dtype=np.int64)
    functions: list[ValueFunction] = []
    for function, starts, states in growth:
        functions.append(function)
        ends, lengths = function.space.ends(function.policy), function.lengths
        for some in slices(len(states), CHUNK):
            solved = function.policy[states[some]] != NONE
            blanks = functions[0].cells(starts[some][solved])[:, -1].astype(np.int64)
            there = states[some][solved]
            key = (blanks * cells + ends[there]) * 256 + lengths[there]
            counted = np.bincount(key, minlength=cells * cells * 256)
            table[:, :, len(function.tiles)] += counted.reshape(cells, cells, 256)
    return tuple(functions), table


def _total(parts: Iterable[NDArray[np.int64]]) -> NDArray[np.int64]:
    """Return the sum of arrays of different lengths."""
    parts = list(parts)
    total = np.zeros(max(map(len, parts)), dtype=np.int64)
    for part in parts:
        total[: len(part)] += part
    return total
