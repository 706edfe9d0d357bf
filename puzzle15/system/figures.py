"""Figures in files, with matplotlib (the extra ``plot``)."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import NDArray

__all__ = ["FILE_KINDS", "check_file", "PathLike", "new_figure", "save_bars", "save_distributions"]

#: What the end of a file's name may be.
FILE_KINDS = (".png", ".svg", ".pdf")

PathLike = Union[str, "os.PathLike[str]"]
_COLOURS = ("#4e79a7", "#f28e2b", "#59a14f", "#b07aa1")


def check_file(path: PathLike) -> None:
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
        raise ImportError("drawing needs matplotlib: pip install matplotlib") from error
    return Figure(figsize=(width, height), layout="constrained")


def save_bars(
    path: PathLike,
    groups: Sequence[str],
    bars: Mapping[str, Sequence[Optional[float]]],
    *,
    marks: Optional[Mapping[str, Sequence[Optional[float]]]] = None,
    marks_name: str = "the paper",
    title: str = "",
    label: str = "",
    log: bool = False,
) -> None:
    """Draw groups of bars, and a mark over each of them for a figure to compare with.

    Parameters
    ----------
    path : path
        Of the picture; the end of its name tells of what kind.
    groups : list of str
        From the left to the right.
    bars : dict of str to list of (float or None)
        For each name, one bar a group; None leaves it out.
    marks : dict of str to list of (float or None), optional
        As `bars`.
    marks_name : str
        What the marks are, for the legend.
    title, label : str
        Of the picture, and of the upright axis.
    log : bool
        Whether that axis is logarithmic.
    """
    figure = new_figure(max(6.4, 1.2 + 1.4 * len(groups)), 4.4)
    axes = figure.add_subplot()
    width = 0.8 / len(bars)
    places = {
        name: [group + width * (number - (len(bars) - 1) / 2) for group in range(len(groups))]
        for number, name in enumerate(bars)
    }
    for (name, values), colour in zip(bars.items(), _COLOURS):
        there = [(place, value) for place, value in zip(places[name], values) if value is not None]
        axes.bar(*zip(*there), width * 0.94, color=colour, label=name)
        for place, value in there:
            axes.annotate(
                f"{value:,.3g}" if value < 100 else f"{value:,.0f}",
                (place, value),
                xytext=(0, 7),
                textcoords="offset points",
                ha="center",
                fontsize=7,
            )
    named = False
    for name, values in (marks or {}).items():
        there = [(place, value) for place, value in zip(places[name], values) if value is not None]
        axes.scatter(
            *zip(*there),
            s=30,
            marker="D",
            facecolor="white",
            edgecolor="black",
            linewidth=1,
            zorder=3,
            label=None if named else marks_name,
        )
        named = True
    if log:
        axes.set_yscale("log")
        axes.set_ylim(1, axes.get_ylim()[1] * 2)
    axes.set_xticks(range(len(groups)), groups, fontsize=8)
    axes.set_ylabel(label)
    axes.set_title(title, fontsize=11)
    axes.spines[["top", "right"]].set_visible(False)
    if len(bars) > 1 or named:
        figure.legend(loc="outside lower center", ncols=len(bars) + 1, frameon=False, fontsize=8)
    figure.savefig(path, dpi=150)


def save_distributions(
    path: PathLike,
    panels: Mapping[tuple[str, str], Mapping[str, tuple[NDArray[Any], float]]],
    *,
    columns: int,
    marks_name: str = "the paper's average",
    title: str = "",
) -> None:
    """Draw how values are spread: for each value, the share of those that are not larger.

    Parameters
    ----------
    path : path
        Of the picture; the end of its name tells of what kind.
    panels : dict of (title, label) to dict of str to (array, float)
        Row by row. For each name a curve of positive values, with a line at their average, and a mark at the number.
    columns : int
        How many panels stand side by side.
    marks_name : str
        What the marks are, for the legend.
    title : str
        Of the picture.
    """
    rows = -(-len(panels) // columns)
    figure = new_figure(3.6 * columns, 2.9 * rows + 0.8)
    for number, ((heading, label), curves) in enumerate(panels.items()):
        axes = figure.add_subplot(rows, columns, number + 1)
        for height, ((name, (values, mark)), colour) in enumerate(zip(curves.items(), _COLOURS)):
            ordered = np.sort(np.asarray(values, dtype=float))
            axes.step(ordered, np.arange(1, len(ordered) + 1) / len(ordered), where="post", color=colour, label=name)
            axes.axvline(ordered.mean(), color=colour, linewidth=1, linestyle="--", label=f"{name}, average")
            axes.plot(
                mark,
                0.06 + 0.09 * height,
                marker="D",
                color=colour,
                markeredgecolor="black",
                linestyle="none",
                label=f"{name}, {marks_name}",
            )
        axes.set_xscale("log")
        axes.set_ylim(0, 1.02)
        axes.set_xlabel(label, fontsize=8)
        axes.set_title(heading, fontsize=9)
        axes.tick_params(labelsize=7)
        axes.spines[["top", "right"]].set_visible(False)
        if number % columns == 0:
            axes.set_ylabel("share of the boards", fontsize=8)
    figure.suptitle(title, fontsize=11)
    handles, names = figure.axes[0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside lower center", ncols=2, frameon=False, fontsize=8)
    figure.savefig(path, dpi=150)
