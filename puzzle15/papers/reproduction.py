"""The papers by name, and the function that reproduces one of them."""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, Optional, Union

from ..system.figures import new_figure
from .rows import Progress, Row

__all__ = ["PAPERS", "Paper", "reproduce"]


class Paper(NamedTuple):
    """A paper, and the module that reproduces it."""

    module: str
    """The name of the module in this folder."""

    title: str
    """Author, year and title."""


PAPERS = {
    "kunkle": Paper("kunkle2001", "D. R. Kunkle (2001): Solving the 8 puzzle in a minimum number of moves"),
    "kantz": Paper("kantz2005", "J. Kantz (2005): Optimizing search: the 8 puzzle"),
    "bischoff": Paper(
        "bischoff2013",
        "B. Bischoff, D. Nguyen-Tuong, H. Markert, A. Knoll (2013): Solving the 15-puzzle game "
        "using local value-iteration",
    ),
    "cahlik": Paper(
        "cahlik2019",
        "V. Cahlik, P. Surynek (2019): On the design of a heuristic based on artificial neural "
        "networks for the near optimal solving of the (N^2-1)-puzzle",
    ),
    "spagnoletto": Paper("spagnoletto", "S. Spagnoletto: Optimizing the 15-puzzle using branch & bound"),
}


def reproduce(
    name: str,
    *,
    plots: Union[str, os.PathLike[str], None] = None,
    progress: Optional[Progress] = None,
    **options: Any,
) -> list[Row]:
    """Reproduce a paper.

    Parameters
    ----------
    name : str
        One of `PAPERS`.
    plots : path, optional
        A folder for figures; it is created if it does not exist.
    progress : callable, optional
        Called with the share of the work that is done, and the current step.
    **options
        Options of the paper's ``reproduce``.

    Returns
    -------
    list of Row

    Raises
    ------
    ValueError
        If no paper has this name.
    ImportError
        If `plots` is given and matplotlib is not installed; this is checked first.
    """
    if name not in PAPERS:
        raise ValueError(f"paper {name!r}: expected one of {', '.join(PAPERS)}")
    if plots is not None:
        new_figure(1, 1)
        plots = Path(plots)
        plots.mkdir(parents=True, exist_ok=True)
    module = import_module(f".{PAPERS[name].module}", __package__)
    return list(module.reproduce(plots=plots, progress=progress or _silent, **options))


def _silent(share: float, what: str) -> None:
    """Show no progress."""
