"""Papers about these puzzles, run again: what they published, beside what comes out here.

>>> for row in reproduce("kantz")[:3]:
...     print(row.case, "|", row.quantity, "|", row.paper, "|", row.here)
breadth-first | expansions | 48 | 48
breadth-first | boards of the way | 6 | 6
breadth-first | its first 6 boards | as printed | as printed

Each module here reproduces one paper: its ``reproduce(*, plots, progress)``, with options of its own, returns the rows.
"""

from .reproduction import PAPERS, Paper, reproduce
from .rows import Progress, Row, format_rows

__all__ = ["PAPERS", "Paper", "Progress", "Row", "format_rows", "reproduce"]
