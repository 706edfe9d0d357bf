"""Drawings of results, with matplotlib (``pip install "puzzle15[plot]"``)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Union

from .searches import ALGORITHMS
from .solution import Solution

__all__ = ["FILE_KINDS", "check_file", "plot_comparison"]

#: What the end of a file's name may be.
FILE_KINDS = (".png", ".svg", ".pdf")

_PathLike = Union[str, "os.PathLike[str]"]


def check_file(path: _PathLike) -> None:
    """Raise what is in the way of drawing into a file, before the work for it is done.

    Raises
    ------
    ValueError
        The name does not end in one of `FILE_KINDS`.
    FileNotFoundError
        Its folder is not there.
    ImportError
        matplotlib is not installed.
    """
    path = Path(path)
    if path.suffix.lower() not in FILE_KINDS:
        raise ValueError(f"{str(path)!r}: expected a name that ends in {', '.join(FILE_KINDS)}")
    if not path.parent.is_dir():
        raise FileNotFoundError(f"{path.parent} is not a folder")
    new_figure(1, 1)


def new_figure(width: float, height: float) -> Any:
    """An empty figure, in inches; it draws into files only, whatever display there is."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError('drawing needs matplotlib: pip install "puzzle15[plot]"') from error
    return Figure(figsize=(width, height), layout="constrained")


def plot_comparison(solutions: Sequence[Solution], path: _PathLike) -> None:
    """Draw the nodes that each search generated: bars on a logarithmic scale, a colour an algorithm.

    Parameters
    ----------
    solutions : list of Solution
        Of one board, as `puzzle15.comparison.compare` gives them; from the top down.
    path : path
        The end of its name, one of `FILE_KINDS`, tells what is written.

    Notes
    -----
    Full bars are proved to be optimal, pale ones are solutions that may be too long, and hatched
    ones ended without any: at a limit, or because the search had nowhere to go.
    """
    from matplotlib.patches import Patch

    figure = new_figure(9, 1.4 + 0.27 * len(solutions))
    axes = figure.add_subplot()
    colours = dict(zip(ALGORITHMS, (
        "#4e79a7", "#76b7b2", "#9c755f", "#7f7f7f", "#59a14f", "#e15759", "#f28e2b", "#c9a415", "#b07aa1", "#ff7f9f",
        "#2f4b6e")))
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
        if solution.status == "solved":
            outcome = f"{solution.length} moves"
        elif solution.moves is None:
            outcome = f"{solution.status}, at least {solution.lower_bound}"
        else:
            outcome = f"{solution.status}, {solution.lower_bound} to {solution.length}"
        axes.annotate(f"{solution.generated:,}  ({outcome})", (count, row), xytext=(4, 0), textcoords="offset points",
                      va="center", fontsize=8)
    axes.set_yticks(range(len(solutions)), [
        solution.algorithm + (f", {solution.heuristic}" if solution.heuristic else "") for solution in solutions])
    axes.invert_yaxis()
    axes.margins(y=0.01)
    axes.set_xscale("log")
    axes.set_xlim(1, max(10, *(solution.generated for solution in solutions)) ** 1.35)  # room for the texts behind the bars
    axes.set_xlabel("nodes generated")
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_title(f"from {solutions[0].board} to {solutions[0].goal}", fontsize=10)
    samples = [Patch(facecolor="#555555", edgecolor="#555555", label=name, **style) for name, style in kinds.items()]
    figure.legend(handles=samples, loc="outside lower right", ncols=3, frameon=False, fontsize=8)
    figure.savefig(path, dpi=150)
