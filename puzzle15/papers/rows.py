"""Rows that compare a figure of a paper with the figure of this package, and their table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Union

__all__ = ["Progress", "Row", "Rows", "Value", "format_rows", "format_value"]

Value = Union[int, float, str, None]
#: A function that takes the share of the work that is done, 0 .. 1, and the current step.
Progress = Callable[[float, str], None]


@dataclass(frozen=True)
class Row:
    """One figure of a paper, and the same figure here.

    Attributes
    ----------
    case : str
        The board, algorithm, .. that it describes.
    quantity : str
        What was counted or measured.
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


class Rows(list[Row]):
    """The rows of a paper, in order."""

    def equal(self, case: str, quantity: str, paper: Value, here: Value, note: str = "") -> None:
        """Add a figure that must be equal to the paper's."""
        self.append(Row(case, quantity, paper, here, note))

    def beside(self, case: str, quantity: str, paper: Value, here: Value, note: str) -> None:
        """Add a figure that may differ from the paper's, and why; `paper` is None if the paper has no such figure."""
        self.append(Row(case, quantity, paper, here, note, exact=False))


def format_rows(rows: Sequence[Row]) -> str:
    """Rows as a table for people; unsettled rows begin with ``!``.

    Examples
    --------
    >>> rows = [Row("A*", "expansions", 19, 19), Row("A*", "seconds", 0.111, 0.00271, "machines differ", False)]
    >>> print(format_rows(rows))
      case  quantity    paper     here  note
      A*    expansions     19       19
      A*    seconds     0.111  0.00271  machines differ
    """
    cells = [("", "case", "quantity", "paper", "here", "note")]
    for row in rows:
        figures = format_value(row.paper), format_value(row.here)
        cells.append(("" if row.is_settled else "!", row.case, row.quantity, *figures, row.note))
    widths = [1, *(max(map(len, column)) for column in list(zip(*cells))[1:])]
    to_the_left = [False, *(isinstance(row.here, str) for row in rows)]  # texts; numbers to the right
    lines = []
    for line, left in zip(cells, to_the_left):
        mark, *others = (
            cell.rjust(width) if column in (3, 4) and not left else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(line, widths))
        )
        lines.append(f"{mark} {'  '.join(others)}".rstrip())
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
