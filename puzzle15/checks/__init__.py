"""Checks of heuristics that users bring: whether they are what they claim to be.

>>> from puzzle15 import checks
>>> report = checks.check_heuristic("manhattan", shape=(3, 3))
>>> bool(report), report.admissible, report.consistent
(True, True, True)
>>> report.trials[0]
<3x3: all 181,440 boards: admissible, consistent>
"""

from ..system.lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __path__)
