"""S. Spagnoletto, "Optimizing the 15-puzzle using branch & bound" (final project in optimization, undated).

Despite the paper's title its search is greedy: it expands the open board with the smallest estimate first, whatever
the cost of the path to it, and never opens a board twice. The paper asks how to break ties: a stack takes the board
that came last, a queue the board that came first. (The paper calls the stack BFS and the queue DFS.)

The paper's averages over 100 random boards cannot hold for uniformly drawn boards. Those are 52.59 moves from the goal
on average, but the paper's solutions by the queue have 8.7 moves. Two assumptions give averages like the paper's:

* The estimate counts misplaced tiles. The paper calls it Manhattan distance, but Figure 4 gives 8 for a board whose
  Manhattan distance is 18 and which has 8 misplaced tiles. (Its vertical distances alone sum to 8, too.)
* The boards are 16 random moves from the goal, where a move may undo the one before. The text does not say how they
  were drawn.

Each average is then at most about one standard error from the paper's. That is a weak test: a few boards take thousands
of expansions, so averages of 100 boards differ by factors. Among 2,000 samples, the paper's depth and states are at the
quantiles 56 % and 53 % (stack), 14 % and 74 % (queue), and 3 % have all four within 25 % of the paper's. Other
assumptions fit as well: 14 to 18 moves, 20 to 22 random directions (those that lead off the board are skipped), the
blank counted as a tile, and boards "seen" only when they are expanded. Nothing fits much better.

The paper calls a search by cost h + estimate staggeringly complex. On uniform boards it is, but on the fitted ones A*
expands fewer boards than the queue. So no boards fit the whole text.

With Manhattan distance no number of random moves gives the paper's figures. 50 moves fit both counts of the stack and
the states that the queue visits, but then the queue's solutions have 36 moves. With 19 moves they have 9, but then the
queue visits some forty states. Nor do uniform boards that are given up after some hundred states, boards of the
8-puzzle, or a plain breadth-first search as the queue. Literally, the pseudo-code remembers only the start. Then it
solves two thirds of the fitted boards, which are easy (5 moves on average), and runs in circles on the others.

>>> from puzzle15 import Board
>>> from puzzle15.heuristics import heuristic
>>> [heuristic(name)(Board(FIGURE_4)) for name in ("manhattan", "misplaced")]
[18, 8]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from heapq import heappop, heappush
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple, Optional

import numpy as np
from numpy.typing import NDArray

from .._pictures.figures import PAPER_MARK, new_panels, save_panels
from .._system.quantities import Seed, random_generator
from ..board import Board, depth_counts, korf100
from ..heuristics import heuristic
from ..searches import SearchOptions, SearchTree, search
from ..searches._algorithms import Ties
from ._reproduction import Progress, Row, claim, format_value

#: The board for which the paper says "Manhattan Distance = 8".
FIGURE_4 = "1 3 4 15/2 0 5 8/9 10 11 12/13 7 6 14"

_MOVE_ORDER = "URLD"  # as in the pseudo-code of the paper
_TIES: dict[str, Ties] = {"stack": "lifo", "queue": "fifo"}
_QUANTITIES = ("depth", "states visited", "seconds")
#: Their averages over 100 boards by the stack and by the queue (section 2.5).
_PUBLISHED = np.array([(60, 703, 0.8), (8.7, 580, 1.1)])
#: Standard deviations of depth and states of one fitted board; those of a small sample are not to be trusted.
_DEVIATIONS = ((185, 3110), (17.6, 3220))
_OPTIMAL = 60  # "the average optimal solution for a random tiles configuration" (section 2.3)
_OPEN_NODES = 317_373_604_363  # what it takes to reach such a solution
_MAX_MEMORY = "100M"  # of A*
_LITERAL_LIMIT = 2000  # expansions; 200,000 solve no more boards


class Case(NamedTuple):
    """A kind of boards, and the estimate to search them with."""

    name: str
    heuristic: str
    walk: Optional[int]  # random moves from the goal; None for uniformly random boards


FITTED = Case("16 random moves, misplaced tiles", "misplaced", 16)
UNIFORM = Case("uniform boards, Manhattan", "manhattan", None)
#: Others that were tried; the first two are the closest with Manhattan distance.
TRIED = (
    Case("50 random moves, Manhattan", "manhattan", 50),
    Case("19 random moves, Manhattan", "manhattan", 19),
    Case("14 random moves, misplaced tiles", "misplaced", 14),
    Case("18 random moves, misplaced tiles", "misplaced", 18),
)


def reproduce(
    *, plots: Optional[Path], progress: Progress, boards: int = 100, samples: int = 50, seed: Seed = 1
) -> Iterator[Row]:
    """Compare stack and queue on boards that come closest to the paper's figures, and on uniformly random ones.

    Parameters
    ----------
    boards : int
        Boards per sample; the paper has 100.
    samples : int
        Samples of the boards that come closest; there is one of uniform boards, and a fifth as many of others. Figures
        are averages over all samples, and notes say how the samples differ.
    seed : int or numpy.random.Generator
        How to draw the random boards.
    """
    rng = random_generator(seed)
    yield from _facts()
    found: dict[Case, NDArray[np.float64]] = {}
    drawn: dict[Case, list[Board]] = {}
    sizes = {FITTED: samples, UNIFORM: 1, **dict.fromkeys(TRIED, max(1, samples // 5))}
    for case, size in sizes.items():
        progress(len(drawn) / (len(sizes) + 1), case.name)
        drawn[case] = [_draw_board(case.walk, rng) for _ in range(boards * size)]
        found[case] = np.array([_measure(drawn[case], case.heuristic, rule) for rule in _TIES])
    yield from _fit(found[FITTED].reshape(2, samples, boards, -1))
    averages = {case: each.mean(axis=1) for case, each in found.items()}
    for at, rule in enumerate(_TIES):
        for number, quantity in enumerate(_QUANTITIES[:2]):
            fitted, here = (float(averages[case][at, number]) for case in (FITTED, UNIFORM))
            cause = f"with {FITTED.name}: {format_value(fitted)}; these are {_mean_distance():.1f} moves away"
            yield Row(f"{UNIFORM.name}, {rule}", quantity, float(_PUBLISHED[at, number]), here, cause)
    for case in TRIED:
        four = averages[case][:, :2]
        values = "{}, {}; {}, {}".format(*map(format_value, four.ravel().tolist()))
        note = f"up to {_off(four, _PUBLISHED[:, :2]).max():.1f} times off"
        yield Row(f"tried: {case.name}", "depth, states; by queue", None, values, note=note)
    progress(1 - 1 / (len(sizes) + 1), "A*")
    for case, few in ((UNIFORM, max(1, boards // 10)), (FITTED, boards)):  # uniform boards take long
        yield from _a_star(case, drawn[case][:few], float(averages[case][1, 1]))
    for rule in _TIES:
        ended = sum(_ends_literally(board, rule) for board in drawn[FITTED][:boards])
        limit = f"literal pseudo-code ends within {_LITERAL_LIMIT:,}"
        yield Row(f"{FITTED.name}, {rule}", limit, None, f"{ended} of {boards}")
    if plots is not None:
        _draw(plots / "spagnoletto-distributions.png", found)


def _facts() -> Iterator[Row]:
    """Rows that need no random boards."""
    case, misplaced = "the board of Figure 4", heuristic("misplaced")(Board(FIGURE_4))
    yield Row(case, "Manhattan distance", 8, heuristic("manhattan")(Board(FIGURE_4)), f"misplaced tiles: {misplaced}")
    for rule in _TIES:
        tree = SearchTree(max_expansions=100_000)
        search(FIGURE_4, _greedy("misplaced", rule), on_expand=tree.add)
        made = 1 + sum(child.fate == "open" for expansion in tree.expansions for child in expansion.children)
        dead = len(tree.expansions) - 1  # the last one is the goal, which is the E-node
        yield Row(f"{case}, {rule}", "live, E-, dead nodes at the end", None, f"{made - dead - 1:,}, 1, {dead:,}")
    counts = depth_counts((4, 4)) or ()
    yield Row("all boards", "average optimal length", _OPTIMAL, _mean_distance(), "by the number at each distance")
    note = f"of {sum(counts):,}; {sum(counts[: _OPTIMAL + 1]):,} are at most so far away"
    yield Row("all boards", f"number at distance {_OPTIMAL}", _OPEN_NODES, counts[_OPTIMAL], note=note)
    nodes = sum(board.nodes for board in korf100()) // 100
    cause = "the paper's is the number of boards at one distance, of which a search with an estimate opens few"
    yield Row("Korf's 100 boards", "nodes per board, IDA* with Manhattan", _OPEN_NODES, nodes, cause)


def _mean_distance() -> float:
    counts = depth_counts((4, 4)) or ()
    return sum(distance * number for distance, number in enumerate(counts)) / sum(counts)


def _off(here: NDArray[np.float64], paper: Any) -> NDArray[np.float64]:
    """How many times figures are larger or smaller than the paper's."""
    ratio: NDArray[np.float64] = np.maximum(here, 1e-9) / paper
    return np.maximum(ratio, 1 / ratio)


def _fit(found: NDArray[np.float64]) -> Iterator[Row]:
    """Rows of the boards that come closest, from an array of shape (rules, samples, boards, 3)."""
    _, samples, boards, _ = found.shape
    per_board = (1 / 100 + 1 / (samples * boards)) ** 0.5  # the paper has 100 boards
    means = found.mean(axis=2)
    for rule, published, deviations, of_samples in zip(_TIES, _PUBLISHED.tolist(), _DEVIATIONS, means):
        case = f"{FITTED.name}, {rule}"
        for number, (paper, values) in enumerate(zip(published[:2], of_samples.T)):
            median, least, most = map(format_value, np.quantile(values, (0.5, 0, 1)).tolist())
            note = (
                f"samples of {boards}: median {median}, {least} to {most}, up to {_off(values, paper).max():.1f} times "
                f"off; {np.mean(values < paper) * 100:.0f} % are below the paper's"
            )
            error = deviations[number] * per_board
            yield Row(case, _QUANTITIES[number], paper, float(values.mean()), error=error, note=note)
        yield Row(case, "seconds", published[2], float(of_samples[:, 2].mean()), is_time=True)
    near = np.abs(means.swapaxes(0, 1)[..., :2] / _PUBLISHED[:, :2] - 1) <= 0.25  # (samples, rules, 2)
    note = f"{near.all(axis=(1, 2)).sum()} of {samples}"
    yield Row(FITTED.name, "samples with all four within 25 %", None, note)
    slower = "; in the paper a state takes 1.1 ms by the stack, and 1.9 ms by the queue"
    claims = ("the stack's solutions are longer", 0, 1, ""), ("the stack visits more states", 1, 1, "")
    for what, number, sign, more in (*claims, ("the stack takes less time", 2, -1, slower)):
        holds = (sign * (means[0] - means[1])[:, number] > 0).sum()
        note = f"in {holds} of {samples} samples{more}"
        yield claim(FITTED.name, what, 2 * holds > samples, note=note, is_time=bool(more))


def _a_star(case: Case, drawn: list[Board], queue: float) -> Iterator[Row]:
    """Rows of cost h + estimate, beside the average number of states that the queue visits."""
    options = SearchOptions(algorithm="a*", heuristic=case.heuristic, move_order=_MOVE_ORDER, max_memory=_MAX_MEMORY)
    solutions = [search(board, options) for board in drawn]
    solved = sum(each.status == "solved" for each in solutions)
    expanded = sum(each.expanded for each in solutions) / len(drawn)
    yield Row(case.name, f"A*: solved within {_MAX_MEMORY}", None, f"{solved} of {len(drawn)}")
    note = f"{format_value(expanded)} states per board, against {format_value(queue)}"
    yield claim(case.name, "A*: more states than the queue", expanded > queue, "yes for uniform boards", note=note)


def _ends_literally(board: Board, rule: str) -> bool:
    """Return whether the pseudo-code finds the goal within the limit if boards seen are only the start, as it says."""
    estimate, numbers = heuristic(FITTED.heuristic), count(step=1 if rule == "queue" else -1)
    live = [(estimate(board), next(numbers), board)]
    for _ in range(_LITERAL_LIMIT):
        cost, _, node = heappop(live)
        if cost == 0:
            return True
        moved = dict(node.neighbours())
        for child in (moved[tile] for tile in "DLRU" if tile in moved):  # the blank goes up, right, left, down
            if child != board:
                heappush(live, (estimate(child), next(numbers), child))
    return False


def _draw(path: Path, found: Mapping[Case, NDArray[np.float64]]) -> None:
    """Draw the share of boards up to each depth and number of states, with marks at the averages."""
    cases = (FITTED, UNIFORM, TRIED[0])
    kinds = [(number, case) for number in range(2) for case in cases]
    figure, panels = new_panels([case.name for _, case in kinds], len(cases))
    for axes, (number, case) in zip(panels, kinds):
        for at, rule in enumerate(_TIES):
            values, colour = found[case][at, :, number], f"C{at}"
            names = [rule, f"{rule}, average", f"{rule}, the paper's average"]
            if case is not UNIFORM or number == 0:  # one legend, where there is room for it
                names = ["", "", ""]
            axes.ecdf(values, color=colour, label=names[0])
            axes.axvline(values.mean(), color=colour, linestyle="--", label=names[1])
            axes.plot(_PUBLISHED[at, number], 0.1, **{**PAPER_MARK, "color": colour}, label=names[2])
        axes.set(xscale="log", xlim=(1, max(each[:, :, number].max() for each in found.values())))
        axes.set(xlabel=_QUANTITIES[number], ylabel="share of the boards")
    save_panels(figure, path, "Spagnoletto: greedy search on the 15-puzzle, ties by stack and by queue")


def _draw_board(walk: Optional[int], rng: np.random.Generator) -> Board:
    if walk is None:
        return Board.random(rng)
    board = Board.goal()
    for draw in rng.random(walk):
        moved = sorted((child for _, child in board.neighbours()), key=lambda child: child.blank)
        board = moved[int(draw * len(moved))]
    return board


def _measure(boards: list[Board], estimate: str, rule: str) -> NDArray[np.float64]:
    """Length, expanded nodes and seconds of every board, in an array of shape (boards, 3)."""
    options = _greedy(estimate, rule)
    solutions = [search(board, options) for board in boards]
    return np.array([(each.length, each.expanded, each.seconds) for each in solutions], float)


def _greedy(estimate: str, rule: str) -> SearchOptions:
    return SearchOptions(algorithm="greedy", heuristic=estimate, ties=_TIES[rule], move_order=_MOVE_ORDER)
