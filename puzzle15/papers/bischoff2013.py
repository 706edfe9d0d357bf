"""B. Bischoff, D. Nguyen-Tuong, H. Markert, A. Knoll, "Solving the 15-puzzle game using local value-iteration" (2013).

The solver is `puzzle15.LocalValueIteration`; this module reproduces the paper's theorems, tables and figure. Shares,
averages and the figures of the theorems are counted from the value functions over all boards, so their only error is
that of the paper's 100,000 random boards. The most moves of so many boards are random, too: their distribution follows
from the counts. Random boards are solved here for the time that it takes, and as a check of the counts.

The text does not say which of several best moves a policy takes. It lists its actions as left, right, up and down,
which are directions of the tile; taken in this order, they give its averages. All 24 orders are tried: nine of
them are within three standard errors of its average, and the package's usual one, ULRD, is not.

Everything comes out except the numbers of states. The paper has a factor 1/2 there, since half of all arrangements
cannot be solved. But if two or more tiles are unnamed, exchanging two of them makes any placement solvable, so all
placements occur: twice as many as the paper says. With fewer unnamed tiles, as for tile 14, the factor is right.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any, NamedTuple, Optional

import numpy as np
from numpy.typing import NDArray

from .._pictures.figures import PAPER_MARK, new_panels, save_panels
from .._system.quantities import Seed
from ..board import Board, uniform
from ..board._moves import MOVE_ORDER
from ..learning import LocalSolutionBatch, LocalValueIteration, value_iteration
from ..learning._board_counts import BoardCounts
from ._reproduction import Progress, Row, claim

#: Theorem 1: for each tile, the share of cases in which so many tiles must be considered.
_SIZES = {
    **{tile: {1: Fraction(1)} for tile in (1, 2, 3, 5, 6, 7, 9, 14, 15)},
    4: {1: Fraction(1, 12), 2: Fraction(11, 12)},
    8: {1: Fraction(1, 8), 2: Fraction(7, 8)},
    10: {1: Fraction(2100, 2520), 2: Fraction(420, 2520)},
    11: {1: Fraction(216, 360), 2: Fraction(72, 360), 3: Fraction(72, 360)},
    12: {1: Fraction(15, 60), 3: Fraction(30, 60), 4: Fraction(15, 60)},
    13: {1: Fraction(4, 12), 5: Fraction(8, 12)},
}


def _by_ends(text: str) -> dict[tuple[int, int], int]:
    """Numbers by the first and the last tile of G, which comes after all lower tiles."""
    entries = (re.fullmatch(r"(\d+)-?(\d*) (\d+)", entry.strip()) for entry in text.split(","))
    return {(int(entry[1]), int(entry[2] or entry[1])): int(entry[3]) for entry in entries if entry}


#: The states of G (Theorem 1, its proof, and section 4).
_STATES = _by_ends("1 120, 3-4 1092, 6-7 495, 7-8 360, 9 28, 9-10 168, 9-11 840, 9-12 3360, 9-13 10080, 14 3, 15 2")

#: Moves that bring tiles 3 and 4, or 7 and 8, home when the second is below its place, and the blank is below that.
_DETOUR = "DDRULURDDLU"
_BELOW = {4: "1 2 3 5/6 7 8 4/9 10 11 0/12 13 14 15", 8: "1 2 3 4/5 6 7 9/10 11 12 8/13 14 15 0"}

#: Theorem 2: the shares of the classes S1 .. S5.
_CLASSES = (Fraction(1, 2304), Fraction(763, 11520), Fraction(11, 60), Fraction(1, 12), Fraction(2, 3))

#: Theorem 3: the most moves by G; below, the bounds of the classes.
_MOST = _by_ends(
    "1 21, 2 17, 3 20, 4 1, 3-4 32, 5 17, 6 13, 7 18, 8 1, 7-8 29, 9 15, 10 9, 9-10 20, 11 6, 10-11 14, 9-11 23, 12 1, "
    "10-12 20, 9-12 27, 13 1, 9-13 34, 14 1, 15 1"
)
_BOUNDS = (142, 220, 248, 255, 288)


class _Moves(NamedTuple):
    """A column of Table 1 or 2."""

    average: float
    maximum: int


#: The shares of the classes among 100,000 boards, in percent, and Table 1.
_SAMPLED = (0.042, 6.539, 18.362, 8.446, 66.611)
_TABLE_1 = (_Moves(68.85, 107), _Moves(100.68, 156), _Moves(112.16, 165), _Moves(122.92, 174), _Moves(128.71, 202))

#: Table 2, by initial size; the training in minutes.
_TABLE_2 = (_Moves(123.35, 202), _Moves(99.36, 150), _Moves(93.69, 136), _Moves(78.07, 115), _Moves(73.82, 107))
_TRAINING_MINUTES = (2.58, 7.10, 57.87, 109.03, 312.33)
_SECONDS_A_BOARD = 0.25
_BOARDS = 100_000

#: The paper's actions in its order: left, right, up and down of the tile, as directions of the blank.
_MOVE_ORDER = "RLDU"


class _Run(NamedTuple):
    """Training and solving with one initial size, in seconds."""

    size: int
    training: float
    counts: BoardCounts
    batch: LocalSolutionBatch
    solving: float


def reproduce(*, plots: Optional[Path], progress: Progress, boards: int = _BOARDS, seed: Seed = 1) -> Iterator[Row]:
    """Reproduce Theorems 1 to 3, Tables 1 and 2, and Figure 2.

    Parameters
    ----------
    boards : int
        Random boards to solve with each initial size; the paper has 100,000.
    seed : int or numpy.random.Generator
        How to draw the random boards.
    """
    drawn = uniform(boards, seed)
    runs = []
    for size in range(1, len(_TABLE_2) + 1):
        progress(0.9 * (size - 1) / len(_TABLE_2), f"initial size {size}")
        runs.append(_run(size, drawn))
    progress(0.9, "all orders of moves")
    letters = map("".join, permutations(MOVE_ORDER))
    orders = {order: LocalValueIteration(move_order=order).count_boards() for order in letters}
    yield from _theorems(runs[0].counts)
    yield from _table_1(runs[0], orders)
    for run, moves, minutes in zip(runs, _TABLE_2, _TRAINING_MINUTES):
        yield from _column(run, moves, minutes)
    if plots is not None:
        _draw_figure_2(runs, plots / "bischoff-figure-2.png")
        _draw_orders(orders, plots / "bischoff-orders.png")


def _run(size: int, boards: NDArray[np.uint64]) -> _Run:
    learner = LocalValueIteration(initial_size=size, move_order=_MOVE_ORDER)
    start = time.perf_counter()
    learner.train()
    trained = time.perf_counter()
    batch = learner.solve_many(boards)
    solved = time.perf_counter()
    return _Run(size, trained - start, learner.count_boards(), batch, solved - trained)


def _theorems(counts: BoardCounts) -> Iterator[Row]:
    for stage in counts.stages:
        tile = stage.tiles[0]
        for size in sorted({*_SIZES[tile], *(size for size, share in stage.sizes.items() if share)}):
            what = f"share with {size} tiles at once" if size > 1 else "share alone"
            yield Row(f"Theorem 1, tile {tile}", what, str(_SIZES[tile].get(size, 0)), str(stage.sizes.get(size, 0)))
    functions = {(each.tiles[0], each.tiles[-1]): each for stage in counts.stages for each in stage.functions}
    functions[6, 7] = value_iteration([6, 7], range(1, 6))  # an example of section 4; no board needs it
    for ends, paper in _STATES.items():
        placements, here = functions[ends].state_count, int(np.count_nonzero(functions[ends].values))
        why = f"half of all placements is {placements // 2:,}, but value iteration reaches all of them from the goal"
        cause = why if here == placements == 2 * paper else ""
        yield Row(f"Theorem 1, {_name(ends)}", "states that lead to the goal", paper, here, cause)
    for tile, board in _BELOW.items():
        is_home = Board(board).apply(_DETOUR).tiles[:tile] == tuple(range(1, tile + 1))
        yield claim("Theorem 1, proof", f"{_DETOUR} brings tiles {tile - 1} and {tile} home", is_home)
    for k, (paper_share, share) in enumerate(zip(_CLASSES, counts.classes.values()), 1):
        yield Row(f"Theorem 2, S{k}", "share of all boards", str(paper_share), str(share))
    for ends, most in _MOST.items():
        yield Row(f"Theorem 3, {_name(ends)}", "most moves", most, functions[ends].max_length)
    for k, (bound, here) in enumerate(zip(_BOUNDS, counts.bounds.values()), 1):
        yield Row(f"Theorem 3, S{k}", "bound on the moves", bound, here, note=f"worst board: {counts.maximum(k)}")


def _name(ends: tuple[int, int]) -> str:
    first, last = ends
    tiles = str(first) if first == last else f"{first},{last}" if last == first + 1 else f"{first}..{last}"
    return f"G = {{{tiles}}}"


def _table_1(run: _Run, orders: dict[str, BoardCounts]) -> Iterator[Row]:
    shares = [float(share) for share in run.counts.classes.values()]
    for k, (sampled, share, moves) in enumerate(zip(_SAMPLED, shares, _TABLE_1), 1):
        case, error = f"Table 1, S{k}", 100 * math.sqrt(share * (1 - share) / _BOARDS)
        yield Row(case, "share of boards, %", sampled, 100 * share, error=error)
        chosen = run.batch.lengths[run.batch.largest == k]
        yield from _moves(case, moves, run.counts.histograms[k], round(sampled * _BOARDS / 100), chosen)
    farthest = max(abs(sampled - 100 * share) for sampled, share in zip(_SAMPLED, shares))
    yield claim("Table 1", "shares within 0.15 % of Theorem 2", farthest < 0.15, note=f"within {farthest:.2f} %")
    means = [run.counts.mean(k) for k in run.counts.classes]
    yield claim("Table 1", "the average grows with the class", means == sorted(means))
    least, *_, most = sorted(counts.mean() for counts in orders.values())
    note = f"all {len(orders)} orders of moves: {least:.2f} to {most:.2f}"
    yield from _moves("Table 1, overall", _TABLE_2[0], run.counts.counts, _BOARDS, run.batch.lengths, note)


def _column(run: _Run, moves: _Moves, minutes: float) -> Iterator[Row]:
    """Yield a column of Table 2."""
    case = f"Table 2, initial size {run.size}"
    yield Row(case, "boards solved, %", 100.0, 100 * float((run.batch.lengths >= 0).mean()))
    yield from _moves(case, moves, run.counts.counts, _BOARDS, run.batch.lengths)
    note = f"{sum(each.state_count for stage in run.counts.stages for each in stage.functions):,} states"
    yield Row(case, "training, s", round(minutes * 60), run.training, note=note, is_time=True)
    if run.size == 1:
        here = 1000 * run.solving / len(run.batch)
        yield Row(case, "solving, ms a board", 1000 * _SECONDS_A_BOARD, here, is_time=True)


def _moments(weights: NDArray[Any]) -> tuple[float, float]:
    """Return the average and the standard deviation of lengths 0, 1, 2, .."""
    lengths = np.arange(len(weights))
    mean = float(np.average(lengths, weights=weights))
    return mean, math.sqrt(np.average((lengths - mean) ** 2, weights=weights))


def _moves(
    case: str, paper: _Moves, histogram: NDArray[np.int64], boards: int, lengths: NDArray[np.int32], note: str = ""
) -> Iterator[Row]:
    """Average and maximum of the paper's boards, by the solutions of all; with those of random boards."""
    mean, deviation = _moments(histogram)
    if len(lengths):
        apart = (lengths.mean() - mean) / deviation * math.sqrt(len(lengths))
        note = f"{len(lengths):,} random boards: {lengths.mean():.2f} ({apart:+.1f})" + f"; {note}" * bool(note)
    yield Row(case, "average moves", paper.average, mean, error=deviation / math.sqrt(boards), note=note)
    none_longer = (np.cumsum(histogram) / histogram.sum()) ** boards  # the probability, by length
    low, high = np.searchsorted(none_longer, (0.025, 0.975))
    note = f"95 % between {low} and {high}; most of all boards: {np.flatnonzero(histogram)[-1]}"
    expected, deviation = _moments(np.diff(none_longer, prepend=0.0))
    yield Row(case, f"most moves of {boards:,} boards", paper.maximum, expected, error=deviation, note=note)


def _draw_figure_2(runs: list[_Run], path: Path) -> None:
    """Draw Figure 2 on its axes, with the paper's points, and the distribution of moves over all boards."""
    titles = f"{len(runs[0].batch):,} random boards", "training", "all boards, by the initial size"
    figure, [left, middle, right] = new_panels(titles, 3, 4.3, 3.6)
    sizes = [run.size for run in runs]
    averages, maxima = zip(*_TABLE_2)
    for axes, name, here, paper in (
        (left, "maximum, here", [run.batch.lengths.max() for run in runs], maxima),
        (left, "average, here", [run.batch.lengths.mean() for run in runs], averages),
        (middle, "here", [run.training / 60 for run in runs], _TRAINING_MINUTES),
    ):
        axes.plot(sizes, here, marker="o", label=name)
        axes.plot(sizes, paper, **PAPER_MARK, zorder=3, label=None if paper is maxima else "the paper")
        axes.set(xticks=sizes, xlabel="initial size of the local region")
    left.set(ylabel="moves to solve a board", ylim=(60, 220))
    middle.set(ylabel="minutes", ylim=(-10, 350))
    for run in runs:
        middle.annotate(f"{run.training:.2g} s", (run.size, 16), ha="center", fontsize=7)
        right.plot(100 * run.counts.counts / run.counts.board_count, label=str(run.size))
    right.set(xlabel="moves", ylabel="share of all boards, %")
    save_panels(figure, path, "Bischoff et al. 2013, Figure 2")


def _draw_orders(orders: dict[str, BoardCounts], path: Path) -> None:
    """Draw the averages over all boards by the order of moves, with the paper's and three of its standard errors."""
    figure, panels = new_panels(("all boards", "class S5"), 2, 4.3, 4.6)
    names = sorted(orders, key=lambda order: (orders[order].mean(), order == _MOVE_ORDER))
    colours = ["C3" if name == _MOVE_ORDER else "C0" for name in names]
    all_boards, s5 = orders[_MOVE_ORDER].counts, orders[_MOVE_ORDER].histograms[5]
    columns = (None, _TABLE_2[0].average, all_boards, _BOARDS), (5, _TABLE_1[4].average, s5, 66_611)
    for axes, (k, paper, histogram, boards) in zip(panels, columns):
        errors = 3 * _moments(histogram)[1] / math.sqrt(boards)
        axes.axvspan(paper - errors, paper + errors, color="0.9", label="3 standard errors")
        axes.axvline(paper, color="black", linewidth=0.8, label="the paper")
        axes.scatter([orders[name].mean(k) for name in names], names, c=colours, s=14, zorder=3)
        axes.set(xlabel="average moves", ylabel="" if k else "order of the blank's directions; red: the paper's")
    save_panels(figure, path, "Bischoff et al. 2013: which of equally good moves")
