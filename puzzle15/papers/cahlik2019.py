"""V. Cahlik, P. Surynek, "On the design of a heuristic based on artificial neural networks for the near optimal
solving of the (N^2-1)-puzzle" (NCTA 2019).

``ann:paper-6m`` is the paper's network, trained as far as the paper tells how: its layers, its loss, the distance as
the target, and 6 million boards, each seen once. Four things are left open, and these readings give its figures:

* The training set. Uniform boards alone, as in the text, cannot be all of it: of 6 million, some 7 are within 22 moves
  of the goal. A network that has seen no others predicts 22 moves for a board that is one move away (so it was with
  500,000 boards, and with 6 million). A* then solved none of 12 boards within 300,000 generated nodes, although the
  errors of such a network are those of Figure 4 (-5 to 6, with a standard deviation of 1.34 moves). The solutions of
  115,000 uniform boards, which A* finds when it labels them, have 6 million boards. Figure 2 shows neither: its axes
  are those of 1,600.
* How long it was trained. One pass is shown here. After 9 million boards, A* expands half of the nodes, and solves 77 %
  of 100 boards optimally instead of 87 %.
* Rounding. A prediction becomes the nearest whole number. ``ann:..`` rounds to the nearest one of the board's parity,
  and never below the Manhattan distance: then A* expands a quarter of the nodes, and half of its solutions are optimal.
* Ties. Among equal f, the node with the larger g is expanded first. Then no random board of 1,600 takes the tables as
  many nodes as the hardest of Table 1. If the node made first comes first, they take five times as many, and the
  hardest board 4.2 million.

"Instance" in Table 1 is taken at its word: each line is one board. A board that takes the tables as many nodes should
take the network as many, too; the boards that are like it show how much such boards differ. The 384,139 nodes of the
hardest one are without a cause: no network, ties and rounding that were tried took any board so many.

``ann:paper`` has the same layers. It was trained longer, on ten times as many boards, some of them beside the
solutions, and learned what the Manhattan distance lacks. It and the small network, which ``ann`` names, are shown for
comparison. The paper does not reflect the tables, so A* looks up the classic tables for the board itself only; further
rows show it with the reflection, too. The tables must be installed: `puzzle15 build 7-8 --format classic`.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, Optional

import numpy as np
from numpy.typing import NDArray

from .._pictures.figures import PAPER_MARK, new_panels, save_panels
from .._system.quantities import Seed, random_generator
from ..board import Board, depth_counts
from ..heuristics import Heuristic, HeuristicFunction, heuristic
from ..learning import AnnDistance
from ..learning._ann import DEFAULT_NETWORK
from ..searches import search, search_many
from ..solver import Solver
from ._reproduction import Progress, Row, claim

_PDB = "tables:7-8:classic"
_AS_PAPER, _LARGE, _SMALL = "paper-6m", "paper", DEFAULT_NETWORK
_DIAL = (0.0, 1.0, 2.0, 3.0, 4.0)  # the small network's predictions are lowered by this many moves

_BOARDS, _TRAINED_ON = 1_600, 6_000_000
#: What was tried for Figure 4: a network of uniform boards alone, after 18 million of them.
_UNIFORM = "the training set: a network that was trained on uniform boards alone has -5 to 6, and an axis from -4 to 6"
#: What was tried for Figure 5, on 100 boards.
_LONGER = "the training: after 9 million boards, A* solves 77 % optimally, with half of the nodes"
#: Table 1: expansions with the network, and with the tables.
_EXPANDED = {"easy": (2517, 4791), "medium": (6392, 15645), "hard": (15756, 45135), "extreme": (384139, 3367519)}
#: Boards on which the tables expand so many nodes, up to this factor more or less, are like an instance of Table 1.
_LIKE, _FEWEST = 1.5, 30  # fewer boards do not tell their standard error
#: Boards that take A* with the tables the most nodes are searched again with other ties.
_HARDEST = 16


_Counts = NDArray[np.int64]


class _Run(NamedTuple):
    """A* over all boards with one heuristic; arrays of shape (boards,)."""

    excess: _Counts  # moves beyond the shortest solution
    expanded: _Counts
    seconds: NDArray[np.float64]

    @property
    def optimal_share(self) -> float:
        return float((self.excess == 0).mean())


def reproduce(*, plots: Optional[Path], progress: Progress, boards: int = _BOARDS, seed: Seed = 2019) -> Iterator[Row]:
    """Measure the errors of tables and networks alone, and run A* with each.

    Parameters
    ----------
    boards : int
        The number of uniformly random boards; the paper has 1,600.
    seed : int or numpy.random.Generator
        How to draw these boards; training sets have other seeds.
    """
    rng = random_generator(seed)
    drawn = [Board.random(rng) for _ in range(boards)]
    pdb_solver = Solver("7-8", format="classic", reflection=False, plain=True)
    pdb = Heuristic([_PDB], pdb_solver.goal, [pdb_solver])
    solver = Solver()
    lengths, seconds = _solve(solver, drawn)
    nets = {name: AnnDistance(name) for name in (_AS_PAPER, _LARGE, _SMALL)}
    plain = heuristic(HeuristicFunction(nets[_AS_PAPER].many, name=_AS_PAPER, takes="array"))
    lowered = sorted({*_DIAL, nets[_SMALL].lowered})
    searches = {
        "tables": pdb,
        "network": plain,
        "reflected tables": heuristic(_PDB),
        "larger training set": heuristic(f"ann:{_LARGE}"),
        **{f"small network, lowered by {by:g}": heuristic(f"ann:{_SMALL}:{by:g}") for by in lowered},
    }
    runs = {}
    for number, (name, estimate) in enumerate(searches.items()):

        def report(share: float, name: str = name, number: int = number) -> None:
            progress((number + share) / len(searches), f"A*, {name}")

        runs[name] = _measure(drawn, lengths, estimate, report)
    hardest = [drawn[number] for number in np.argsort(-runs["tables"].expanded)[:_HARDEST]]
    first_in = int(search_many(hardest, heuristic=pdb, ties="fifo").expanded.max())
    errors = {"tables": pdb.many(drawn).astype(int) - lengths}
    errors |= {name: np.rint(net.many(drawn)).astype(int) - lengths for name, net in nets.items()}

    yield from _training_set(lengths)
    yield from _errors(errors)
    yield from _a_star(runs)
    yield from _table_1(runs, first_in)
    for name, run in runs.items():
        yield from _figures(f"A*, {name}", run)
    yield Row("IDA*, the tables that are there", "milliseconds a board", None, 1e3 * seconds, note=repr(solver))
    for name, net in nets.items():
        yield Row(name, "parameters", None, net.parameters)
        yield Row(name, "bytes", None, net.bytes)
    few, many = nets[_AS_PAPER].bytes, pdb_solver.open_tables.bytes
    yield claim("memory", "the network takes less than the tables", few < many, note=f"{few:,} bytes, {many:,}")
    if plots is not None:
        _draw_figures(plots, lengths, errors, runs, nets[_AS_PAPER])


def _solve(solver: Solver, boards: Sequence[Board]) -> tuple[_Counts, float]:
    """Shortest lengths, and seconds per board."""
    solver.solve_many(boards[:10])  # the first look-ups read the tables from disk
    start = time.perf_counter()
    lengths = solver.solve_many(boards).lengths.astype(np.int64)
    return lengths, (time.perf_counter() - start) / len(boards)


def _measure(boards: Sequence[Board], lengths: _Counts, estimate: Heuristic, report: Callable[[float], None]) -> _Run:
    """Return a* on every board."""
    search(boards[0], heuristic=estimate, max_nodes=1_000)  # the first look-ups read files
    workers = None if estimate.user_defined else 1  # the network of the paper takes minutes
    batch = search_many(
        boards, heuristic=estimate, workers=workers, progress=lambda done, count: report((done - 1) / count)
    )
    return _Run(batch.lengths - lengths, batch.expanded.astype(np.int64), batch.seconds)


def _training_set(lengths: _Counts) -> Iterator[Row]:
    """Section 4.3 and Figure 2."""
    counts = np.array(depth_counts((4, 4)), dtype=float)
    mean, share = float(counts @ np.arange(len(counts)) / counts.sum()), _TRAINED_ON / counts.sum()
    yield claim("training set", "average distance 52 to 53", 52 <= mean <= 53, note=f"{mean:.2f} over all boards")
    why = f"of 15!/2 boards it would be {2 * _TRAINED_ON / math.factorial(15):.3g}, but 16 cells have 16!/2"
    yield Row("training set", "share of all boards", 1e-5, share, why)
    highest = np.histogram(lengths)[0].max()
    why = f"the axis ends at 500 boards and 65 moves; of {len(lengths):,} boards in ten bars, the highest has {highest}"
    yield Row("training set (Figure 2)", "boards at 53 moves, at most", 500, int(share * counts[53]), why)


def _errors(errors: dict[str, _Counts]) -> Iterator[Row]:
    """Figures 3 and 4. Ends are compared with those of as many boards only."""
    published = {"tables": (" (Figure 3)", -14, 0), _AS_PAPER: (" (Figure 4)", -4, 6)}
    for name, error in errors.items():
        figure, *ends = published.get(name, ("", None, None))
        cause = _UNIFORM if name == _AS_PAPER else ""
        for what, end, paper in (("smallest", np.min, ends[0]), ("largest", np.max, ends[1])):
            here, spread = _end(error, end)
            case, published_end = f"{name} alone{figure}", paper if len(error) == _BOARDS else None
            yield Row(case, f"{what} error, moves", published_end, here, cause, error=spread)
        yield Row(f"{name} alone{figure}", "average error, moves", None, float(error.mean()))
        yield Row(f"{name} alone{figure}", "standard deviation, moves", None, float(error.std()))
    tables, network, count = errors["tables"].std(), errors[_AS_PAPER].std(), len(errors["tables"])
    note = f"standard deviations of {network:.2f} and {tables:.2f} moves"
    yield claim(
        "section 5.1", "errors of the network vary less", network < tables, note=note, compared=count >= _FEWEST
    )


def _end(values: _Counts, end: Callable[..., _Counts]) -> tuple[int, float]:
    """Return an end of the values, and the standard error of the difference between two such ends, by resampling."""
    again = end(np.random.default_rng(1).choice(values, (200, len(values))), axis=1)
    return int(end(values)), float(again.std() * math.sqrt(2))


def _a_star(runs: dict[str, _Run]) -> Iterator[Row]:
    """Figures 5 and 6, and section 5.1."""
    network, tables = runs["network"], runs["tables"]
    share, count = network.optimal_share, len(network.excess)
    error = math.hypot(0.034, math.sqrt(0.77 * 0.23 * (1 / _BOARDS + 1 / count)))
    note = "the axis ends at 1,200 of 1,600 boards, so the bar has 1,143 to 1,333"
    yield Row("A*, network (Figure 5)", "share solved optimally", 0.77, share, _LONGER, error=error, note=note)
    most = network.excess.max()
    yield claim("A*, network (Figure 5)", "at most 4 moves too many", most <= 4, note=f"at most {most}")
    few, many = float(network.expanded.mean()), float(tables.expanded.mean())
    note = f"{few:,.0f} and {many:,.0f} nodes per board"
    yield claim(
        "section 5.1", "A* expands fewer nodes with the network", few < many, note=note, compared=count >= _FEWEST
    )
    for name in ("network", "tables"):
        within = float((runs[name].expanded <= 100_000).mean())
        yield Row(f"A*, {name} (Figure 6)", "share of boards within its axis of 100,000 nodes", None, within)
    longer = bool(network.seconds.mean() > tables.seconds.mean())
    yield claim("section 5.1", "A* takes longer with the network", longer, is_time=True)


def _table_1(runs: dict[str, _Run], first_in: int) -> Iterator[Row]:
    """Each instance of Table 1 beside the boards that are like it, and the hardest one beside the hardest board."""
    network, tables = runs["network"].expanded, runs["tables"].expanded
    *some, (_, extreme) = _EXPANDED.items()
    for name, (few, many) in some:
        like = network[np.abs(np.log(tables / many)) <= math.log(_LIKE)]
        quantile = f"{100 * (tables < many).mean():.1f} % of the boards take fewer with the tables"
        note = f"average of {len(like)} boards on which the tables expand {many / _LIKE:,.0f} to {many * _LIKE:,.0f}"
        published, mean, error = None, None, None
        if len(like) >= _FEWEST:
            published, mean, error = few, float(like.mean()), float(like.std() * math.sqrt(1 + 1 / len(like)))
        yield Row(f"Table 1, {name}", "expanded, network", published, mean, error=error, note=f"{note}; {quantile}")
    ties = f"ties: if the node made first comes first, A* expands {first_in:,}"
    for name, counts, paper, cause in zip(("network", "tables"), (network, tables), extreme, ("", ties)):
        hardest, error = _end(counts, np.max)
        published = paper if len(counts) == _BOARDS else None
        note = "the most of all boards"
        yield Row("Table 1, extreme", f"expanded, {name}", published, hardest, cause, error=error, note=note)


def _figures(case: str, run: _Run) -> Iterator[Row]:
    yield Row(case, "share solved optimally", None, run.optimal_share)
    yield Row(case, "expanded per board", None, float(run.expanded.mean()))
    yield Row(case, "milliseconds per board", None, float(1e3 * run.seconds.mean()))


def _draw_figures(
    folder: Path, lengths: _Counts, errors: dict[str, _Counts], runs: dict[str, _Run], network: AnnDistance
) -> None:
    """Draw Figures 2 to 6 with the paper's axes, and beside them the training set, Table 1 and all networks."""
    titles = (
        f"Figure 2: distances of {len(lengths):,} boards",
        f"distances of the training set of {_AS_PAPER}",
        "Figure 3: error of the 7/8 tables",
        "Figure 4: error of the network",
        "Figure 5: moves too many by A*",
        "Figure 6: nodes that A* expands",
        "Table 1: one point per board",
        "A*: each kind of network",
    )
    figure, panels = new_panels(titles, 4)
    distances = np.array(network.meta["distances"])
    panels[0].hist(lengths)
    panels[0].set(xlabel="moves", ylabel="boards", xlim=(33, 67), ylim=(0, 500))
    panels[1].bar(range(len(distances)), distances)
    panels[1].set(xlabel="moves", ylabel="boards")
    for axes, values, ends in (
        (panels[2], errors["tables"], (-15, 1)),
        (panels[3], errors[_AS_PAPER], (-9, 7)),
        (panels[4], runs["network"].excess, (-0.6, 4.6)),
    ):
        axes.hist(values, bins=np.arange(values.min(), values.max() + 2) - 0.5, rwidth=0.9)
        axes.set(xlabel="moves", ylabel="boards", xlim=ends)
    network_counts, table_counts = runs["network"].expanded, runs["tables"].expanded
    panels[5].hist([network_counts, table_counts], bins=np.linspace(0, 100_000, 21), label=["network", "tables"])
    panels[5].set(xlabel="nodes", ylabel="boards")
    panels[6].plot(table_counts, network_counts, ".", markersize=2, label="here")
    few, many = zip(*_EXPANDED.values())
    panels[6].plot(many, few, **PAPER_MARK, label="the paper")
    panels[6].set(xscale="log", yscale="log", xlabel="nodes with the tables", ylabel="nodes with the network")
    for name, run in runs.items():
        if "tables" not in name:
            panels[7].plot(run.expanded.mean(), 100 * run.optimal_share, "o", label=name.replace("small network, ", ""))
    panels[7].set(xlabel="nodes per board", ylabel="solved optimally, %")
    save_panels(figure, folder / "cahlik-figures.png", "Cahlik & Surynek, Figures 2 to 6 and Table 1")
