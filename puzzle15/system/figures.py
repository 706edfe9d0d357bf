"""Figures in files, with matplotlib (the extra ``plot``)."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import NDArray

#: Endings of a picture's file name.
FILE_KINDS = (".png", ".svg", ".pdf")

PathLike = Union[str, "os.PathLike[str]"]
_MARK: dict[str, Any] = {"marker": "D", "markeredgecolor": "black", "linestyle": "none"}
_COLOURS = ("#4e79a7", "#f28e2b", "#59a14f", "#b07aa1")


def check_file(path: PathLike) -> None:
    """Raise ValueError, FileNotFoundError or ImportError if a file cannot be drawn, before the work for it is done."""
    path = Path(path)
    if path.suffix.lower() not in FILE_KINDS:
        raise ValueError(f"{str(path)!r}: expected a name that ends in {', '.join(FILE_KINDS)}")
    if not path.parent.is_dir():
        raise FileNotFoundError(f"{path.parent} is not a folder")
    new_figure(1, 1)


def new_figure(width: float, height: float) -> Any:
    """An empty figure, in inches; it draws into files only, so it needs no display."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError("drawing needs matplotlib: pip install matplotlib") from error
    return Figure(figsize=(width, height), layout="constrained")


def save_bars(
    path: PathLike,
    groups: Sequence[str],
    bars: Mapping[str, Sequence[float]],
    *,
    marks: Mapping[str, Sequence[Optional[float]]],
    title: str,
    label: str,
) -> None:
    """Draw groups of bars on a logarithmic axis, one bar per name, with a mark for the paper's number if it has one."""
    figure = new_figure(max(6.4, 1.2 + 1.4 * len(groups)), 4.4)
    axes = figure.add_subplot()
    width = 0.8 / len(bars)
    for number, (name, colour) in enumerate(zip(bars, _COLOURS)):
        centres = np.arange(len(groups)) + width * (number - (len(bars) - 1) / 2)
        drawn = axes.bar(centres, bars[name], width * 0.94, color=colour, label=name)
        axes.bar_label(drawn, fmt="{:,.0f}", padding=5, fontsize=7)
        known = np.array(marks[name], dtype=float)  # None becomes not a number, which is not drawn
        axes.plot(centres, known, **_MARK, color="white", label="the paper" if number == 0 else None)
    axes.set_yscale("log")
    axes.set_ylim(1, axes.get_ylim()[1] * 2)
    axes.set_xticks(range(len(groups)), groups, fontsize=8)
    axes.set_ylabel(label)
    axes.set_title(title, fontsize=11)
    axes.spines[["top", "right"]].set_visible(False)
    figure.legend(loc="outside lower center", ncols=len(bars) + 1, frameon=False, fontsize=8)
    figure.savefig(path, dpi=150)


def save_distributions(
    path: PathLike,
    panels: Mapping[tuple[str, str], Mapping[str, tuple[NDArray[Any], float]]],
    *,
    columns: int,
    title: str,
) -> None:
    """Draw, in panels by (title, label), the share of boards up to each value, with marks at the papers' averages."""
    rows = -(-len(panels) // columns)
    figure = new_figure(3.6 * columns, 2.9 * rows + 0.8)
    for number, ((heading, label), curves) in enumerate(panels.items()):
        axes = figure.add_subplot(rows, columns, number + 1)
        for height, ((name, (values, mark)), colour) in enumerate(zip(curves.items(), _COLOURS)):
            axes.ecdf(np.asarray(values, dtype=float), color=colour, label=name)
            axes.axvline(np.mean(values), color=colour, linewidth=1, linestyle="--", label=f"{name}, average")
            axes.plot(mark, 0.06 + 0.09 * height, **_MARK, color=colour, label=f"{name}, the paper's average")
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
