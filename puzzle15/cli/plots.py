"""The drawing of a comparison."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle
from typing import Any

from ..searches import ALGORITHMS
from ..solver import Solution
from ..system.figures import PathLike, new_figure
from ..system.quantities import format_size
from .terminal import format_duration

__all__ = ["plot_comparison"]

#: At least as many as there are algorithms.
_COLOURS = (
    "#4e79a7 #76b7b2 #9c755f #7f7f7f #59a14f #e15759 #f28e2b #c9a415 #b07aa1 #ff7f9f #2f4b6e "
    "#a0cbe8 #ffbe7d #8cd17d #d37295 #499894 #d4a6c8 #86bcb6 #b6992d #79706e #d7b5a6"
)


def plot_comparison(solutions: Sequence[Solution], path: PathLike) -> None:
    """Draw the nodes that each search generated: bars on a logarithmic scale, one colour per algorithm.

    Beside each bar stands what the search found and what it took: nodes, time, and memory if it remembers nodes.

    Parameters
    ----------
    solutions : list of Solution
        Solutions of one board, as `puzzle15.searches.compare` returns them; drawn from the top down.
    path : path
        The file to write. The end of its name, one of `FILE_KINDS`, chooses the format.

    Notes
    -----
    Full bars are solutions that are proved optimal, and pale bars are solutions that may be too long. Hatched bars are
    searches that found none: they reached a limit, or had no nodes left.
    """
    from matplotlib.patches import Patch

    figure = new_figure(10, 1.4 + 0.27 * len(solutions))
    axes = figure.add_subplot()
    colours = dict(zip(ALGORITHMS, cycle(_COLOURS.split())))
    kinds: dict[str, dict[str, Any]] = {
        "proved optimal": {"alpha": 1.0},
        "not proved": {"alpha": 0.4},
        "no solution": {"fill": False, "hatch": "////"},
    }
    for row, solution in enumerate(solutions):
        kind = "proved optimal" if solution.optimal else "no solution" if solution.moves is None else "not proved"
        count = max(solution.generated, 1)
        colour = colours[solution.algorithm]
        axes.barh(row, count, color=colour, edgecolor=colour, linewidth=0.8, **kinds[kind])
        axes.annotate(
            _what_it_took(solution),
            (count, row),
            xytext=(4, 0),
            textcoords="offset points",
            va="center",
            fontsize=8,
        )
    axes.set_yticks(
        range(len(solutions)),
        [solution.algorithm + (f", {solution.heuristic}" if solution.heuristic else "") for solution in solutions],
    )
    axes.invert_yaxis()
    axes.margins(y=0.01)
    axes.set_xscale("log")
    axes.set_xlim(1, max(10, *(solution.generated for solution in solutions)))  # the layout makes room for the texts
    axes.set_xlabel("nodes generated")
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_title(f"from {solutions[0].board} to {solutions[0].goal}", fontsize=10)
    samples = [Patch(facecolor="#555555", edgecolor="#555555", label=name, **style) for name, style in kinds.items()]
    figure.legend(handles=samples, loc="outside lower right", ncols=3, frameon=False, fontsize=8)
    figure.savefig(path, dpi=150)


def _what_it_took(solution: Solution) -> str:
    """Such as ``10,981 nodes, 31 moves, 3.1 ms, 141 kB``."""
    if solution.status == "solved":
        outcome = f"{solution.length} move{'s' * (solution.length != 1)}"
    elif solution.moves is None:
        outcome = f"{solution.status}, at least {solution.lower_bound} moves"
    else:
        outcome = f"{solution.status}, {solution.lower_bound} to {solution.length} moves"
    nodes = f"{solution.generated:,} node{'s' * (solution.generated != 1)}"
    memory = [format_size(solution.memory_bytes)] if solution.memory_bytes else []
    return ", ".join([nodes, outcome, format_duration(solution.seconds), *memory])
