"""S. Spagnoletto, "Optimizing the 15-puzzle using branch & bound" (final project in optimization, undated).

Despite the paper's title its search is greedy: it expands the open board with the smallest estimate first, whatever
the cost of the path to it, and never opens a board twice. The paper asks how to break ties: a stack takes the board
that came last, a queue the board that came first. (The paper calls the stack BFS and the queue DFS.)

The paper's averages over 100 random boards cannot hold for uniformly drawn boards. Those are 52.6 moves from the goal
on average, but the paper's solutions by the queue have 8.7 moves. Two assumptions explain its averages:

* The estimate counts misplaced tiles. The paper calls it Manhattan distance, but Figure 4 gives 8 for a board whose
  Manhattan distance is 18 and which has 8 misplaced tiles.
* The boards are 16 random moves from the goal, where a move may undo the one before (or 22 random directions, of which
  those that lead off the board are skipped). The text does not say how they were drawn.

With both, all four counts of the paper lie among the averages of samples of 100 boards. Samples differ much, because a
few boards take thousands of expansions.

With Manhattan distance no number of random moves gives the paper's figures. 50 moves fit both counts of the stack and
the states that the queue visits, but then the queue's solutions have 35 moves. With 19 moves they have 8.7, but then
the queue visits some forty states. Other assumptions fit less: uniform boards, boards of the 8-puzzle, a plain
breadth-first search as the queue, and a search that remembers only the start, as the paper's pseudo-code says
literally (it does not end on most boards).

>>> from puzzle15 import Board
>>> from puzzle15.heuristics import heuristic
>>> [heuristic(name)(Board(FIGURE_4)) for name in ("manhattan", "misplaced")]
[18, 8]
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, Optional

import numpy as np
from numpy.typing import NDArray

from ..board import Board
from ..heuristics import Heuristic, heuristic
from ..searches import search
from ..solver import Solver
from ..system.figures import PAPER_MARK, new_panels, save_panels
from ..system.seeds import Seed, random_generator
from .reproduction import Progress, Row, format_value

#: The board for which the paper says "Manhattan Distance = 8".
FIGURE_4 = "1 3 4 15/2 0 5 8/9 10 11 12/13 7 6 14"

_MOVE_ORDER = "URLD"  # as in the pseudo-code of the paper
_TIES = {"stack": "lifo", "queue": "fifo"}
#: Averages of depth, seconds and states visited (section 2.5).
_PUBLISHED = {"stack": (60.0, 0.8, 703.0), "queue": (8.7, 1.1, 580.0)}
_QUANTITIES = ("depth", "seconds", "states visited")
_OPTIMAL = 60  # "the average optimal solution for a random tiles configuration" (section 2.3)


class Case(NamedTuple):
    """A kind of boards, and the estimate to search them with."""

    name: str
    heuristic: str
    walk: Optional[int]  # random moves from the goal; None for uniformly random boards
    note: str


CASES = (
    Case("uniform boards, Manhattan", "manhattan", None, "such boards are 52.6 moves from the goal on average"),
    Case("50 random moves, Manhattan", "manhattan", 50, "the closest with this estimate"),
    Case("16 random moves, misplaced tiles", "misplaced", 16, "the closest of all, and the estimate of Figure 4"),
)


def reproduce(
    *, plots: Optional[Path], progress: Progress, boards: int = 100, samples: int = 20, seed: Seed = 1
) -> Iterator[Row]:
    """Compare stack and queue on uniformly random boards, and on boards that come closest to the paper's figures.

    Parameters
    ----------
    boards : int
        Boards per sample; the paper has 100.
    samples : int
        Samples of each kind of boards; of uniform boards there is only one. Figures are averages over all samples, and
        notes say how the samples differ.
    seed : int or numpy.random.Generator
        How to draw the random boards.
    """
    rng = random_generator(seed)
    figure, note = "the board of Figure 4", "the 8 of the paper is the next row's"
    yield Row(figure, "Manhattan distance", 8, heuristic("manhattan")(Board(FIGURE_4)), note)
    yield Row(figure, "misplaced tiles", 8, heuristic("misplaced")(Board(FIGURE_4)))
    measured = {}
    for done, case in enumerate(CASES):
        progress(done / len(CASES), case.name)
        count = 1 if case.walk is None else samples  # uniform boards take longest, and differ least
        drawn = [_draw_board(case.walk, rng) for _ in range(boards * count)]
        if case.walk is None:
            optimal = Solver("embedded").solve_many(drawn).lengths
            yield Row(case.name, "optimal length", _OPTIMAL, float(optimal.mean()), "known mean: 52.6")
        for rule, ties in _TIES.items():
            found = measured[case.name, rule] = _measure(drawn, heuristic(case.heuristic), ties)
            yield from _means(case, rule, found.reshape(count, boards, len(_QUANTITIES)))
    if plots is not None:
        _draw(plots / "spagnoletto-distributions.png", measured)


def _draw(path: Path, measured: dict[tuple[str, str], NDArray[np.float64]]) -> None:
    """Draw the share of boards up to each depth and number of states, with marks at the averages."""
    kinds = [(number, case) for number in (0, 2) for case in CASES]
    figure, panels = new_panels([case.name for _, case in kinds], len(CASES))
    for axes, (number, case) in zip(panels, kinds):
        for colour, rule in zip(("C0", "C1"), _TIES):
            values = measured[case.name, rule][:, number]
            axes.ecdf(values, color=colour, label=rule)
            axes.axvline(values.mean(), color=colour, linestyle="--", label=f"{rule}, average")
            mark = {**PAPER_MARK, "color": colour}
            axes.plot(_PUBLISHED[rule][number], 0.1, **mark, label=f"{rule}, the paper's average")
        axes.set(xscale="log", xlabel=_QUANTITIES[number], ylabel="share of the boards")
    save_panels(figure, path, "Spagnoletto: greedy search on the 15-puzzle, ties by stack and by queue")


def _draw_board(walk: Optional[int], rng: np.random.Generator) -> Board:
    if walk is None:
        return Board.random(rng)
    board = Board.goal()
    for draw in rng.random(walk):
        moved = sorted((child for _, child in board.neighbours()), key=lambda child: child.blank)
        board = moved[int(draw * len(moved))]
    return board


def _measure(boards: list[Board], estimate: Heuristic, ties: str) -> NDArray[np.float64]:
    """Length, seconds and expanded nodes of every board, in an array of shape (boards, 3)."""
    found = np.empty((len(boards), len(_QUANTITIES)))
    for number, board in enumerate(boards):
        solution = search(board, algorithm="greedy", heuristic=estimate, ties=ties, move_order=_MOVE_ORDER)
        found[number] = solution.length, solution.seconds, solution.expanded
    return found


def _means(case: Case, rule: str, found: NDArray[np.float64]) -> Iterator[Row]:
    """`found` has the shape (samples, boards, 3)."""
    means = found.mean(axis=1)
    for number, (quantity, paper) in enumerate(zip(_QUANTITIES, _PUBLISHED[rule])):
        note = case.note
        if quantity != "seconds" and len(means) > 1:
            least, most = (format_value(float(mean)) for mean in (means[:, number].min(), means[:, number].max()))
            note += f"; samples of {found.shape[1]}: {least} to {most}"
        yield Row(
            f"{case.name}, {rule}", quantity, paper, float(means[:, number].mean()), note, is_time=quantity == "seconds"
        )
