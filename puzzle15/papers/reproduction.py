"""The papers by name, the function that reproduces one of them, and the rows that this gives."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, Optional, Union

from ..errors import OptionError
from ..system.figures import new_figure

__all__ = ["PAPERS", "Paper", "Progress", "Row", "format_rows", "reproduce"]

Value = Union[int, float, str, None]
#: A function that takes the share of the work that is done, 0 .. 1, and the current step.
Progress = Callable[[float, str], None]


@dataclass(frozen=True)
class Row:
    """One figure of a paper, and the same figure here.

    Attributes
    ----------
    case, quantity : str
        The board, algorithm, .. that it describes, and what was counted or measured.
    paper, here : int, float, str or None
        None if there is no figure.
    note : str
        Why they differ.
    exact : bool
        Whether they must be equal. Measured times and figures of random boards need not be.
    """

    case: str
    quantity: str
    paper: Value
    here: Value
    note: str = ""
    exact: bool = True

    @property
    def is_settled(self) -> bool:
        """bool: whether both are equal, or they need not be and the note says why they differ.

        >>> Row("A*", "expansions", 19, 19).is_settled, Row("A*", "expansions", 19, 20).is_settled
        (True, False)
        """
        return self.paper == self.here or (not self.exact and bool(self.note))

    def record(self) -> dict[str, Value]:
        """The row as a JSON record."""
        return {name: getattr(self, name) for name in ("case", "quantity", "paper", "here", "note")}


def beside(case: str, quantity: str, paper: Value, here: Value, note: str) -> Row:
    """A figure that may differ from the paper's, and why; `paper` is None if the paper has no such figure."""
    return Row(case, quantity, paper, here, note, exact=False)


class Paper(NamedTuple):
    """A paper, and the module that reproduces it."""

    module: str  # in this folder
    title: str  # with authors and year


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
    """Reproduce a paper; ValueError if no paper has this name.

    Parameters
    ----------
    name : str
        One of `PAPERS`.
    plots : path, optional
        A folder for figures; it is created if it does not exist. ImportError if matplotlib is not installed.
    progress : callable, optional
        Called with the share of the work that is done, and the current step.
    **options
        Options of the paper's ``reproduce``.
    """
    if name not in PAPERS:
        raise OptionError(f"paper {name!r}: expected one of {', '.join(PAPERS)}")
    if plots is not None:
        new_figure(1, 1)
        plots = Path(plots)
        plots.mkdir(parents=True, exist_ok=True)
    module = import_module(f".{PAPERS[name].module}", __package__)
    return list(module.reproduce(plots=plots, progress=progress or (lambda share, what: None), **options))


def format_rows(rows: Sequence[Row]) -> str:
    """Rows as a table for people; unsettled rows begin with ``!``.

    >>> rows = [Row("A*", "expansions", 19, 19), Row("A*", "seconds", 0.111, 0.00271, "machines differ", False)]
    >>> print(format_rows(rows))
      case  quantity    paper     here  note
      A*    expansions     19       19
      A*    seconds     0.111  0.00271  machines differ
    """
    lines = [("", "case", "quantity", "paper", "here", "note")]
    for row in rows:
        figures = format_value(row.paper), format_value(row.here)
        lines.append(("" if row.is_settled else "!", row.case, row.quantity, *figures, row.note))
    widths = [1, *(max(map(len, column)) for column in list(zip(*lines))[1:])]
    are_texts = [False, *(isinstance(row.here, str) for row in rows)]
    formatted = []
    for line, is_text in zip(lines, are_texts):
        to = "<" if is_text else ">"
        cells = [f"{cell:{side}{width}}" for cell, side, width in zip(line, f"<<<{to}{to}<", widths)]
        formatted.append(f"{cells[0]} {'  '.join(cells[1:])}".rstrip())
    return "\n".join(formatted)


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
