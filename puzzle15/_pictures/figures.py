"""Figures in files, with matplotlib (the extra ``plot``)."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Optional, Union

import numpy as np

from ..errors import OptionError

#: Endings of a picture's file name.
FILE_KINDS = (".png", ".svg", ".pdf")

PathLike = Union[str, "os.PathLike[str]"]

#: How the figures of papers are drawn.
PAPER_MARK: dict[str, Any] = {"marker": "D", "color": "white", "markeredgecolor": "black", "linestyle": "none"}


def check_file(path: PathLike) -> None:
    """Raise ValueError, FileNotFoundError or ImportError if a file cannot be drawn, before the work for it is done."""
    path = Path(path)
    if path.suffix.lower() not in FILE_KINDS:
        raise OptionError(f"{str(path)!r}: expected a name that ends in {', '.join(FILE_KINDS)}")
    if not path.parent.is_dir():
        raise FileNotFoundError(f"{path.parent} is not a folder")
    new_figure(1, 1)


def new_figure(width: float, height: float) -> Any:
    """Return an empty figure, in inches; it draws into files only, so it needs no display."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError("drawing needs matplotlib: pip install matplotlib") from error
    return Figure(figsize=(width, height), layout="constrained")


def new_panels(titles: Sequence[str], columns: int, width: float = 3.6, height: float = 3.0) -> tuple[Any, list[Any]]:
    """Return a figure with a panel for each title, `columns` beside one another; the size of a panel is in inches."""
    rows = -(-len(titles) // columns)
    figure = new_figure(width * columns, height * rows + 0.8)
    panels = [figure.add_subplot(rows, columns, number + 1) for number in range(len(titles))]
    for axes, title in zip(panels, titles):
        axes.set_title(title, fontsize=9)
        axes.tick_params(labelsize=7)
        axes.spines[["top", "right"]].set_visible(False)
    return figure, panels


def save_panels(figure: Any, path: PathLike, title: str) -> None:
    """Write a figure, with a legend in each panel that shows several things, unless the panel before has the same."""
    before: list[str] = []
    for axes in figure.axes:
        names = axes.get_legend_handles_labels()[1]
        if len(names) > 1 and names != before:
            axes.legend(frameon=False, fontsize=8)
        before = names
    figure.suptitle(title, fontsize=11)
    figure.savefig(path, dpi=150)


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
    figure, [axes] = new_panels([""], 1, max(6.4, 1.2 + 1.4 * len(groups)), 3.6)
    width = 0.8 / len(bars)
    for number, name in enumerate(bars):
        centres = np.arange(len(groups)) + width * (number - (len(bars) - 1) / 2)
        axes.bar_label(axes.bar(centres, bars[name], width * 0.94, label=name), fmt="{:,.0f}", padding=5, fontsize=7)
        known = np.array(marks[name], dtype=float)  # None becomes not a number, which is not drawn
        axes.plot(centres, known, **PAPER_MARK, label="the paper" if number == 0 else None)
    axes.set(yscale="log", ylabel=label)
    axes.set_ylim(1, axes.get_ylim()[1] * 2)
    axes.set_xticks(range(len(groups)), groups, fontsize=8)
    save_panels(figure, path, title)
