"""B. Bischoff, D. Nguyen-Tuong, H. Markert, A. Knoll, "Solving the 15-puzzle game using local value-iteration" (2013).

The solver is `puzzle15.LocalValueIteration`; this module reproduces the paper's theorems, tables and figure. The
figures of the theorems are counted from the value functions over all boards. So are averages and maxima, which are
shown beside those of random boards.

Everything comes out except the numbers of states. The paper has a factor 1/2 there, since half of all arrangements
cannot be solved. But if two or more tiles are unnamed, exchanging two of them makes any placement solvable, so all
placements occur: twice as many as the paper says. With one unnamed tile, as for tile 14, the factor is right.

The text leaves open which of several best moves a policy takes. This changes averages a little: with size 1 the
average is 123.13 here, and 122.83 to 123.13 for goals with the blank in other corners, where the order of moves is
mirrored.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple, Optional

import numpy as np
from numpy.typing import NDArray

from ..board import uniform
from ..local_vi import BoardCounts, LocalSolutionBatch, LocalValueIteration, value_iteration
from ..system.figures import PAPER_MARK, new_panels, save_panels
from ..system.seeds import Seed
from .reproduction import Progress, Row

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
_STATES = _by_ends(
    "1 120, 3-4 1092, 6-7 495, 7-8 360, 9 28, 9-10 168, 9-11 840, 9-12 3360, 9-13 10080, 14 3, 15 2",
)

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

_CLOSE = 0.006  # averages: how far they may be from the paper's, relative


class _Run(NamedTuple):
    """Training and solving with one initial size, in seconds."""

    size: int
    training: float
    counts: BoardCounts
    batch: LocalSolutionBatch
    solving: float


def reproduce(*, plots: Optional[Path], progress: Progress, boards: int = 100_000, seed: Seed = 1) -> Iterator[Row]:
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
        progress((size - 1) / len(_TABLE_2), f"initial size {size}")
        runs.append(_run(size, drawn))
    yield from _theorems(runs[0].counts)
    yield from _table_1(runs[0])
    for run, moves, minutes in zip(runs, _TABLE_2, _TRAINING_MINUTES):
        yield from _column(run, moves, minutes)
    if plots is not None:
        _draw_figure_2(runs, plots / "bischoff-figure-2.png")


def _run(size: int, boards: NDArray[np.uint64]) -> _Run:
    learner = LocalValueIteration(initial_size=size)
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
        here = int(np.count_nonzero(functions[ends].values))
        doubled = here == 2 * paper
        why = "all placements do: two tiles without names can be exchanged" if doubled else ""
        yield Row(f"Theorem 1, {_name(ends)}", "states that lead to the goal", paper, here, why)
    for k, (paper_share, share) in enumerate(zip(_CLASSES, counts.classes.values()), 1):
        yield Row(f"Theorem 2, S{k}", "share of all boards", str(paper_share), str(share))
    for ends, most in _MOST.items():
        yield Row(f"Theorem 3, {_name(ends)}", "most moves", most, functions[ends].max_length)
    for k, (bound, here) in enumerate(zip(_BOUNDS, counts.bounds.values()), 1):
        case = f"Theorem 3, S{k}"
        yield Row(case, "bound on the moves", bound, here)
        yield Row(case, "moves of the worst board", None, counts.maximum(k))


def _name(ends: tuple[int, int]) -> str:
    first, last = ends
    tiles = str(first) if first == last else f"{first},{last}" if last == first + 1 else f"{first}..{last}"
    return f"G = {{{tiles}}}"


def _table_1(run: _Run) -> Iterator[Row]:
    for k, (share, moves) in enumerate(zip(_SAMPLED, _TABLE_1), 1):
        lengths = run.batch.lengths[run.batch.largest == k]
        note = f"all boards: {float(100 * run.counts.classes[k]):.3f}"
        yield Row(f"Table 1, S{k}", "share of boards, %", share, 100 * len(lengths) / len(run.batch), note)
        yield from _moves(f"Table 1, S{k}", moves, lengths, run.counts, k)
    yield from _moves("Table 1, all", _TABLE_2[0], run.batch.lengths, run.counts)


def _column(run: _Run, moves: _Moves, minutes: float) -> Iterator[Row]:
    """A column of Table 2."""
    case = f"Table 2, initial size {run.size}"
    solved = int((run.batch.lengths >= 0).sum())
    yield Row(case, "boards solved, %", 100.0, 100 * solved / len(run.batch))
    yield from _moves(case, moves, run.batch.lengths, run.counts)
    yield Row(case, "training, s", round(minutes * 60), run.training, is_time=True)
    published = 1000 * _SECONDS_A_BOARD if run.size == 1 else None
    here = 1000 * run.solving / len(run.batch)
    yield Row(case, "solving, ms a board", published, here, note="one thread", is_time=True)


def _moves(
    case: str, paper: _Moves, lengths: NDArray[np.int16], counts: BoardCounts, k: Optional[int] = None
) -> Iterator[Row]:
    """Average and maximum of random boards.

    The note has the figure of all boards, unless it contradicts the paper; then the row stays unexplained.
    """
    mean, most = counts.mean(k), counts.maximum(k)
    average, largest = (float(lengths.mean()), int(lengths.max())) if len(lengths) else (None, None)
    note = f"all boards: {mean:.2f}" if abs(mean / paper.average - 1) <= _CLOSE else ""
    yield Row(case, "average moves", paper.average, average, note)
    yield Row(case, "most moves", paper.maximum, largest, f"all boards: {most}" if paper.maximum <= most else "")


def _draw_figure_2(runs: list[_Run], path: Path) -> None:
    """Draw both sides of Figure 2 with the paper's points, and the distribution of moves over all boards."""
    titles = f"{len(runs[0].batch):,} random boards", "training, one thread", "all boards, by the initial size"
    figure, [left, middle, right] = new_panels(titles, 3, 4.3, 3.6)
    sizes = [run.size for run in runs]
    averages, maxima = zip(*((run.batch.lengths.mean(), run.batch.lengths.max()) for run in runs))
    minutes = [run.training / 60 for run in runs]
    for axes, name, here, paper in (
        (left, "average, here", averages, [moves.average for moves in _TABLE_2]),
        (left, "maximum, here", maxima, [moves.maximum for moves in _TABLE_2]),
        (middle, "here", minutes, _TRAINING_MINUTES),
    ):
        axes.plot(sizes, here, marker="o", label=name)
        axes.plot(sizes, paper, **PAPER_MARK, zorder=3, label=None if here is maxima else "the paper")
        axes.set(xticks=sizes, xlabel="initial size of the local region")
    left.set(ylabel="moves to solve a board")
    middle.set(yscale="log", ylabel="minutes")
    for run in runs:
        right.plot(100 * run.counts.counts / run.counts.board_count, label=str(run.size))
    right.set(xlabel="moves", ylabel="share of all boards, %")
    save_panels(figure, path, "Bischoff et al. 2013, Figure 2")
