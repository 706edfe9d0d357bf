"""Papers about these puzzles, run again: what they published, beside what comes out here.

>>> for row in reproduce("kantz")[:3]:
...     print(row.case, "|", row.quantity, "|", row.paper, "|", row.here)
breadth-first | expansions | 48 | 48
breadth-first | boards of the way | 6 | 6
breadth-first | its first 6 boards | as printed | as printed

Each module here reproduces one paper: its ``reproduce(*, plots, progress)``, with options of its own, returns the rows.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, Optional, Union

from ..plots import new_figure

__all__ = ["PAPERS", "Paper", "Progress", "Row", "format_rows", "reproduce"]

Value = Union[int, float, str, None]
#: Takes the share of the work that is done, 0 .. 1, and what goes on.
Progress = Callable[[float, str], None]


class Paper(NamedTuple):
    """A paper that is reproduced here."""

    module: str
    """Of this package."""

    title: str
    """Author, year and title."""


PAPERS = {
    "kunkle": Paper("kunkle2001", "D. R. Kunkle (2001): Solving the 8 puzzle in a minimum number of moves"),
    "kantz": Paper("kantz2005", "J. Kantz (2005): Optimizing search: the 8 puzzle"),
    "bischoff": Paper("bischoff2013", "B. Bischoff, D. Nguyen-Tuong, H. Markert, A. Knoll (2013): Solving the 15-puzzle game "
                      "using local value-iteration"),
    "cahlik": Paper("cahlik2019", "V. Cahlik, P. Surynek (2019): On the design of a heuristic based on artificial neural "
                    "networks for the near optimal solving of the (N^2-1)-puzzle"),
    "spagnoletto": Paper("spagnoletto", "S. Spagnoletto: Optimizing the 15-puzzle using branch & bound"),
}


@dataclass(frozen=True)
class Row:
    """One figure of a paper, and the same here.

    Attributes
    ----------
    case : str
        Board, algorithm, ..: what it is a figure of.
    quantity : str
        What was counted or measured.
    paper, here : int, float, str or None
        None where there is no figure.
    note : str
        Where they differ: why.
    exact : bool
        Whether they must be equal; not where times are measured, or boards were drawn at random.
    """

    case: str
    quantity: str
    paper: Value
    here: Value
    note: str = ""
    exact: bool = True

    @property
    def is_settled(self) -> bool:
        """bool: whether both are equal, or need not be and the note says why they are not.

        >>> Row("A*", "expansions", 19, 19).is_settled, Row("A*", "expansions", 19, 20).is_settled
        (True, False)
        """
        return self.paper == self.here or (not self.exact and bool(self.note))

    def record(self) -> dict[str, Value]:
        """What machines read of it."""
        return {name: getattr(self, name) for name in ("case", "quantity", "paper", "here", "note")}


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
    module = import_module(f".{PAPERS[name].module}", __name__)
    return list(module.reproduce(plots=plots, progress=progress or _silent, **options))


def format_rows(rows: Sequence[Row]) -> str:
    """Rows as a table for people; what is not settled has a ``!`` before it.

    Examples
    --------
    >>> rows = [Row("A*", "expansions", 19, 19), Row("A*", "seconds", 0.111, 0.00271, "machines differ", False)]
    >>> print(format_rows(rows))
      case  quantity    paper     here  note
      A*    expansions     19       19
      A*    seconds     0.111  0.00271  machines differ
    """
    table = [("", "case", "quantity", "paper", "here", "note")]
    for row in rows:
        table.append(("" if row.is_settled else "!", row.case, row.quantity,
                      format_value(row.paper), format_value(row.here), row.note))
    widths = [1, *(max(map(len, column)) for column in list(zip(*table))[1:])]
    lines = []
    to_the_left = [False, *(isinstance(row.here, str) for row in rows)]  # texts; numbers to the right
    for line, texts in zip(table, to_the_left):
        mark, *cells = (cell.rjust(width) if column in (3, 4) and not texts else cell.ljust(width)
                        for column, (cell, width) in enumerate(zip(line, widths)))
        lines.append(f"{mark} {'  '.join(cells)}".rstrip())
    return "\n".join(lines)


def format_value(value: Value) -> str:
    """A figure as text.

    >>> format_value(178422), format_value(0.0012345), format_value(None)
    ('178,422', '0.00123', '-')
    """
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.3g}" if abs(value) < 10 else f"{value:.2f}" if abs(value) < 1000 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) else value


def _silent(share: float, what: str) -> None:
    """For those who want no progress told."""
