"""The papers by name, the function that reproduces one of them, and the rows that this gives."""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, Optional, Union

from .._pictures.figures import new_figure
from .._system.quantities import check_choice

__all__ = ["PAPERS", "Paper", "Progress", "Row", "format_rows", "format_summary", "reproduce"]

Value = Union[int, float, str, None]
#: A function that takes the share of the work that is done, 0 .. 1, and the current step.
Progress = Callable[[float, str], None]


#: What the comparison of a figure can come to; the last two say nothing about the paper.
VERDICTS = ("equal", "cause", "no cause", "no figure", "time")
#: How many standard errors apart two figures are still equal.
_MOST_ERRORS = 3


@dataclass(frozen=True)
class Row:
    """One figure or claim of a paper, and the same here.

    Attributes
    ----------
    case, quantity : str
        The board, algorithm, .. that it describes, and what was counted or measured.
    paper, here : int, float, str or None
        None if there is no figure.
    cause : str
        Why they differ: what was tried and gives the paper's figure, or shows that the paper's text cannot be right.
    error : float, optional
        The standard error of their difference, if one of them is the average of random boards.
    note : str
        What else there is to say.
    is_time : bool
        Whether it depends on the machine.
    """

    case: str
    quantity: str
    paper: Value
    here: Value
    cause: str = ""
    error: Optional[float] = None
    note: str = ""
    is_time: bool = False

    @property
    def verdict(self) -> str:
        """str: one of `VERDICTS`.

        >>> Row("A*", "expansions", 19, 19).verdict, Row("A*", "expansions", 19, 20).verdict
        ('equal', 'no cause')
        >>> Row("random boards", "moves", 123.35, 123.30, error=0.06).verdict
        'equal'
        """
        if self.paper is None:
            return "no figure"
        if self.is_time:
            return "time"
        if self.paper == self.here or abs(self._errors) <= _MOST_ERRORS:
            return "equal"
        return "cause" if self.cause else "no cause"

    @property
    def _errors(self) -> float:
        """The difference in standard errors; infinite without one."""
        if not self.error or not isinstance(self.here, (int, float)) or not isinstance(self.paper, (int, float)):
            return math.inf
        return (self.here - self.paper) / self.error

    @property
    def remark(self) -> str:
        """str: the distance in standard errors, the cause and the note."""
        apart = f"{self._errors:+.1f} standard errors" if math.isfinite(self._errors) else ""
        return "; ".join(filter(None, [apart, self.cause if self.verdict == "cause" else "", self.note]))

    def record(self) -> dict[str, Value]:
        """Return the row as a JSON record."""
        names = ("case", "quantity", "paper", "here", "error", "verdict", "remark")
        return {name: getattr(self, name) for name in names}


def claim(
    case: str, what: str, holds: bool, cause: str = "", *, note: str = "", compared: bool = True, is_time: bool = False
) -> Row:
    """Return a statement of the paper, and whether it is true here; it is not `compared` with too few boards."""
    published, here = "yes" if compared else None, "yes" if holds else "no"
    return Row(case, what, published, here, cause, note=note, is_time=is_time)


class Paper(NamedTuple):
    """A paper, and the module that reproduces it."""

    module: str  # in this folder
    title: str  # with authors and year


#: The papers by their names.
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
    check_choice("paper", name, PAPERS)
    if plots is not None:
        new_figure(1, 1)
        plots = Path(plots)
        plots.mkdir(parents=True, exist_ok=True)
    module = import_module(f".{PAPERS[name].module}", __package__)
    return list(module.reproduce(plots=plots, progress=progress or (lambda share, what: None), **options))


def format_rows(rows: Sequence[Row]) -> str:
    """Rows as a table for people; those that differ without a cause begin with ``!``.

    >>> rows = [Row("A*", "expansions", 19, 19), Row("A*", "seconds", 0.111, 0.00271, is_time=True)]
    >>> print(format_rows(rows))
      case  quantity    paper     here  verdict  remark
      A*    expansions     19       19  equal
      A*    seconds     0.111  0.00271  time
    """
    lines = [("", "case", "quantity", "paper", "here", "verdict", "remark")]
    for row in rows:
        figures = format_value(row.paper), format_value(row.here)
        mark = "!" if row.verdict == "no cause" else ""
        lines.append((mark, row.case, row.quantity, *figures, row.verdict, row.remark))
    widths = [1, *(max(map(len, column)) for column in list(zip(*lines))[1:])]
    are_texts = [False, *(isinstance(row.here, str) for row in rows)]
    formatted = []
    for line, is_text in zip(lines, are_texts):
        to = "<" if is_text else ">"
        cells = [f"{cell:{side}{width}}" for cell, side, width in zip(line, f"<<<{to}{to}<<", widths)]
        formatted.append(f"{cells[0]} {'  '.join(cells[1:])}".rstrip())
    return "\n".join(formatted)


def format_summary(rows: Sequence[Row]) -> str:
    """How many rows have each verdict, as text.

    >>> print(format_summary([Row("A*", "expansions", 19, 19), Row("A*", "seconds", 0.111, 0.00271, is_time=True)]))
    figures of the paper: 1 equal, 0 different with a cause, 0 without one; beside them: times 1, figures only here 0
    """
    counts = Counter(row.verdict for row in rows)
    return (
        f"figures of the paper: {counts['equal']} equal, {counts['cause']} different with a cause, "
        f"{counts['no cause']} without one; beside them: times {counts['time']}, "
        f"figures only here {counts['no figure']}"
    )


def format_value(value: Value) -> str:
    """Return a figure as text.

    >>> format_value(178422), format_value(0.0012345), format_value(None)
    ('178,422', '0.00123', '-')
    """
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.3g}" if abs(value) < 10 else f"{value:.2f}" if abs(value) < 1000 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) else value
