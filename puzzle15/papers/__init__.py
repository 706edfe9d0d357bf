"""Reproductions of papers about these puzzles: published figures beside those of this package.

>>> from puzzle15.papers import reproduce
>>> for row in reproduce("kantz")[:3]:
...     print(row.case, "|", row.quantity, "|", row.paper, "|", row.here)
breadth-first | expansions | 48 | 48
breadth-first | boards of the way | 6 | 6
breadth-first | its first 6 boards | as printed | as printed

Each paper has a module. Its function ``reproduce(*, plots, progress)`` returns the rows; some take further options.
"""

from .._system.lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __path__)
