"""Checks of what users bring: whether a heuristic, or a table given as an array, is what it claims to be.

>>> from puzzle15 import checks
>>> report = checks.heuristic("manhattan", shape=(3, 3))
>>> bool(report), report.admissible, report.consistent
(True, True, True)
>>> report.trials[0]
<3x3: all 181,440 boards: admissible, consistent>
"""

from typing import TYPE_CHECKING

from ..system.doors import on_demand

if TYPE_CHECKING:
    from .arrays import TableExcess, TableJump, TableReport, table
    from .claims import heuristic
    from .report import Change, HeuristicReport, Jump, Overestimate, Trial
else:
    __getattr__, __dir__ = on_demand(
        __name__,
        arrays="TableExcess TableJump TableReport table",
        claims="heuristic",
        report="Change HeuristicReport Jump Overestimate Trial",
    )

__all__ = [
    "Change",
    "HeuristicReport",
    "Jump",
    "Overestimate",
    "TableExcess",
    "TableJump",
    "TableReport",
    "Trial",
    "heuristic",
    "table",
]
