"""V. Cahlik, P. Surynek, "On the design of a heuristic based on artificial neural networks for the near optimal
solving of the (N^2-1)-puzzle" (NCTA 2019).

``ann:paper`` is the paper's network, trained on other boards and for less time. The small network, which ``ann``
names, is shown for comparison. Both are evaluated alone (Figures 3 and 4) and inside A* (Figures 5 and 6, Table 1),
and compared with additive 7/8 tables. The paper does not reflect the tables, so A* looks up the classic tables for the
board itself only; further rows show it with the reflection, too. The tables must be installed:
`puzzle15 build 7-8 --format classic`.

The text leaves two things open:

* The classes of Table 1. Here a board's class depends on how many nodes A* with the tables expands: up to 10,000, up
  to 25,000, up to 100,000, or more. The averages of the first three classes then agree with the paper within a third.
  The average of the fourth, 3,367,519, cannot be reached: the hardest of 1,600 random boards takes some 700,000. A few
  of the paper's boards must have taken many millions.
* Rounding. Here a prediction becomes the nearest number of the board's parity, and never less than the Manhattan
  distance. Among equal f, A* expands the node with the larger g. The rows of the dial show the effect of lowering
  predictions.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, Optional

import numpy as np
from numpy.typing import NDArray

from ..ann import DEFAULT_NETWORK, AnnDistance
from ..board import Board
from ..heuristics import Heuristic, heuristic
from ..searches import search
from ..solver import Solver
from ..system.figures import new_panels, save_bars, save_panels
from ..system.seeds import Seed, random_generator
from .reproduction import Progress, Row

_PDB = "tables:7-8:classic"
_PAPERS, _SMALL = "paper", DEFAULT_NETWORK
_NOT_STATED = "not stated in the paper"
_DIAL = (0.0, 1.0, 2.0, 3.0, 4.0)  # the small network's predictions are lowered by this many moves

#: Classes of boards, and the most nodes that A* with the tables expands on a board of the class.
CLASSES = {"easy": 10_000, "medium": 25_000, "hard": 100_000, "extreme": None}
#: Table 1: expansions with the network, and with the tables.
_EXPANDED = {"easy": (2517, 4791), "medium": (6392, 15645), "hard": (15756, 45135), "extreme": (384139, 3367519)}


class _Run(NamedTuple):
    """A* over all boards with one heuristic; arrays of shape (boards,)."""

    excess: NDArray[np.int64]  # moves beyond the shortest solution
    expanded: NDArray[np.int64]
    generated: NDArray[np.int64]
    seconds: NDArray[np.float64]
    memory: int  # the most bytes that the nodes of any one board took

    @property
    def optimal_share(self) -> float:
        return float((self.excess == 0).mean())


def reproduce(*, plots: Optional[Path], progress: Progress, boards: int = 1600, seed: Seed = 2019) -> Iterator[Row]:
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
    big, small = AnnDistance(_PAPERS), AnnDistance(_SMALL)
    dial = sorted({*_DIAL, small.lowered})
    heuristics = {
        "tables": pdb,
        "reflected tables": heuristic(_PDB),
        "network": heuristic(f"ann:{_PAPERS}"),
        **{f"lowered {lowered:g}": heuristic(f"ann:{_SMALL}:{lowered:g}") for lowered in dial},
    }
    runs = {}
    for number, (name, estimate) in enumerate(heuristics.items()):

        def report(share: float, name: str = name, number: int = number) -> None:
            progress((number + share) / len(heuristics), f"A*, {name}")

        runs[name] = _measure(drawn, lengths, estimate, report)
    errors = {
        "tables": pdb.many(drawn).astype(int) - lengths,
        "network": np.rint(big.many(drawn)).astype(int) - lengths,
        "small network": np.rint(small.many(drawn)).astype(int) - lengths,
    }
    classes = _classes(runs["tables"].expanded)

    yield from _errors(lengths, errors)
    yield from _a_star(runs["tables"], runs["network"], classes)
    for lowered in dial:
        case = f"A*, the small network, lowered by {lowered:g}"
        yield from _figures(case, runs[f"lowered {lowered:g}"], "beside the paper")
    yield from _figures("A*, tables", runs["tables"], _NOT_STATED)
    yield from _figures("A*, tables and their reflection", runs["reflected tables"], "beside the paper")
    yield Row("IDA*, the tables that are there", "milliseconds a board", None, 1e3 * seconds, note=repr(solver))
    for name, net in (("network", big), ("small network", small)):
        yield Row(name, "parameters", None, net.parameters, note="weights and biases")
        yield Row(name, "microseconds an evaluation", None, _microseconds(net, drawn), note="in batches, one thread")
    for name, size in (("tables", pdb_solver.tables.bytes), ("network", big.bytes), ("small network", small.bytes)):
        yield Row(f"memory, {name}", "bytes", None, size, note=_NOT_STATED)
    for name in ("tables", "network"):
        yield Row(f"memory, A* with the {name}", "bytes of nodes, at most", None, runs[name].memory, note=_NOT_STATED)
    if plots is not None:
        _draw_figures(plots, lengths, errors, runs)
        _draw_classes(plots, runs, classes)


def _solve(solver: Solver, boards: Sequence[Board]) -> tuple[NDArray[np.int64], float]:
    """Shortest lengths, and seconds per board."""
    solver.solve_many(boards[:10])  # the first look-ups read the tables from disk
    start = time.perf_counter()
    lengths = solver.solve_many(boards).lengths.astype(np.int64)
    return lengths, (time.perf_counter() - start) / len(boards)


def _measure(
    boards: Sequence[Board], lengths: NDArray[np.int64], estimate: Heuristic, report: Callable[[float], None]
) -> _Run:
    """A* on every board, one at a time."""
    search(boards[0], heuristic=estimate)
    counts = np.empty((len(boards), 3), dtype=np.int64)
    seconds = np.empty(len(boards))
    memory = 0
    for number, board in enumerate(boards):
        solution = search(board, heuristic=estimate)
        assert solution.length is not None
        counts[number] = solution.length - lengths[number], solution.expanded, solution.generated
        seconds[number] = solution.seconds
        memory = max(memory, solution.memory_bytes)
        report(number / len(boards))
    return _Run(counts[:, 0], counts[:, 1], counts[:, 2], seconds, memory)


def _classes(expanded: NDArray[np.int64]) -> dict[str, NDArray[np.bool_]]:
    """The boards of each class, as a mask."""
    most = [limit for limit in CLASSES.values() if limit is not None]
    number = np.searchsorted(most, expanded)  # how many limits are smaller
    return {name: number == index for index, name in enumerate(CLASSES)}


def _errors(lengths: NDArray[np.int64], errors: dict[str, NDArray[np.int64]]) -> Iterator[Row]:
    note = "a histogram in the paper; the average of all boards is 52.59"
    yield Row("the boards (Figure 2)", "average distance", "52 to 53", float(lengths.mean()), note=note)
    published = {"tables": (" (Figure 3)", -14, 0), "network": (" (Figure 4)", -4, 6)}
    for name, error in errors.items():
        figure, smallest, largest = published.get(name, ("", None, None))
        note = "the ends of a histogram's axis in the paper" if figure else "beside the paper"
        case = f"{name} alone{figure}"
        yield Row(case, "smallest error, moves", smallest, int(error.min()), note=note)
        yield Row(case, "largest error, moves", largest, int(error.max()), note=note)
        yield Row(case, "average error, moves", None, float(error.mean()), note=_NOT_STATED)
        yield Row(case, "standard deviation, moves", None, float(error.std()), note=_NOT_STATED)


def _a_star(pdb: _Run, network: _Run, classes: dict[str, NDArray[np.bool_]]) -> Iterator[Row]:
    case = "A*, network (Figure 5)"
    note = "read off a histogram in the paper; predictions are lowered here, which is the dial between this and the "
    yield Row(case, "share solved optimally", 0.75, network.optimal_share, note + "expansions")
    yield from list(_figures(case, network, _NOT_STATED))[1:]
    for name, members in classes.items():
        ann, tables = _EXPANDED[name]
        count = int(members.sum())
        here: tuple[Optional[float], ...] = (None, None, None)
        if count:
            few, many = (float(run.expanded[members].mean()) for run in (network, pdb))
            here = few, many, many / few
        quantities = ("expanded, network", "expanded, tables", "ratio")
        for quantity, paper, found in zip(quantities, (ann, tables, tables / ann), here):
            yield Row(f"A*, {name} boards (Table 1)", quantity, paper, found, note=f"average of {count} boards")


def _figures(case: str, run: _Run, note: str) -> Iterator[Row]:
    for quantity, figure in (
        ("share solved optimally", run.optimal_share),
        ("average excess, moves", float(run.excess.mean())),
        ("largest excess, moves", int(run.excess.max())),
        ("expanded a board", float(run.expanded.mean())),
        ("evaluated a board", float(run.generated.mean())),
        ("milliseconds a board", float(1e3 * run.seconds.mean())),
    ):
        yield Row(case, quantity, None, figure, note=note)


def _microseconds(network: AnnDistance, boards: Sequence[Board]) -> float:
    """The median time per evaluation of several rounds, each of which takes milliseconds."""
    packed = np.resize(np.array([board.packed for board in boards], dtype=np.uint64), 2048)
    network.many(packed)
    seconds = []
    for _ in range(5):
        start = time.perf_counter()
        network.many(packed)
        seconds.append(time.perf_counter() - start)
    return 1e6 * float(np.median(seconds)) / len(packed)


def _draw_figures(
    folder: Path, lengths: NDArray[np.int64], errors: dict[str, NDArray[np.int64]], runs: dict[str, _Run]
) -> None:
    few = {name: np.minimum(runs[name].expanded, 99_999) for name in ("network", "tables")}
    panels: dict[str, dict[str, NDArray[np.int64]]] = {
        "Figure 2: distances of the boards": {"boards": lengths},
        "Figure 3: error of the 7/8 tables": {"tables": errors["tables"]},
        "Figure 4: error of the networks": {"the paper's": errors["network"], "small": errors["small network"]},
        "Figure 5: length of A*'s solution over the shortest": {"the paper's network": runs["network"].excess},
        "Figure 6: expanded by A* (the last bar: and more)": few,
    }
    figure, every = new_panels(list(panels), 3)
    for axes, values in zip(every, panels.values()):
        arrays = list(values.values())
        edges = np.arange(min(map(np.min, arrays)) - 0.5, max(map(np.max, arrays)) + 1.5)
        axes.hist(arrays, bins=np.linspace(0, 100_000, 41) if values is few else edges, label=list(values))
        axes.set(xlabel="nodes" if values is few else "moves", ylabel="boards")
    every[-1].set_yscale("log")
    save_panels(figure, folder / "cahlik-figures.png", "Cahlik & Surynek, Figures 2 to 6")


def _draw_classes(folder: Path, runs: dict[str, _Run], classes: dict[str, NDArray[np.bool_]]) -> None:
    """Draw Table 1."""
    there = [name for name, members in classes.items() if members.any()]
    bars, marks = {}, {}
    for column, name in enumerate(("network", "tables")):
        bars[f"A*, {name}"] = [float(runs[name].expanded[classes[each]].mean()) for each in there]
        marks[f"A*, {name}"] = [float(_EXPANDED[each][column]) for each in there]
    title, label = "Cahlik & Surynek, Table 1: expanded nodes", "average of a class"
    save_bars(folder / "cahlik-expanded.png", there, bars, marks=marks, title=title, label=label)
