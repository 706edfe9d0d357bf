"""The papers by name, and what runs one again."""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, Optional, Union

from ..system.figures import new_figure
from .rows import Progress, Row

__all__ = ["PAPERS", "Paper", "reproduce"]


class Paper(NamedTuple):
    """A paper that is reproduced here."""

    module: str
    """Of this package."""

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
    """Run what a paper ran.

    Parameters
    ----------
    name : str
        One of `PAPERS`.
    plots : path, optional
        A folder to draw into; made if it is not there.
    progress : callable, optional
        Called with a share of the work and what goes on.
    **options
        Those of the paper's module.

    Returns
    -------
    list of Row

    Raises
    ------
    ValueError
        If there is no such paper here.
    ImportError
        If `plots` are wanted and matplotlib is not installed; before anything is run.
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
    """For those who want no progress told."""
