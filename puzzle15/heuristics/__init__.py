"""Heuristics by name: lower bounds and estimates of the number of moves from a board to a goal.

`FORMS` lists the forms of names, and what each heuristic counts. ``reversal`` is that of [1]_, ``linear-conflict`` that
of [2]_, with the exact minimum of tiles that must leave their line, and ``walking-distance`` that of [3]_.

>>> from puzzle15.heuristics._names import FORMS
>>> print(*FORMS, sep=", ")
zero, misplaced, manhattan, reversal, linear-conflict, walking-distance, tables, tables:PARTITION[:FORMAT], \
sum(tables:PATTERN[:FORMAT],..), ann[:NETWORK[:LOWERED]], max(a,b,..)

`HeuristicFunction` makes a heuristic of your own function.

References
----------
.. [1] D. Kunkle, "Solving the 8 Puzzle in a Minimum Number of Moves: An Application of the A*
   Algorithm", 2001.
.. [2] O. Hansson, A. Mayer, M. Yung, "Criticizing solutions to relaxed models yields powerful
   admissible heuristics", Information Sciences 63 (1992).
.. [3] K. Takahashi, the walking distance of his 15-puzzle program; csrc/search/heuristics/walking_distance.h describes
   how it is computed here, and what replaces it for 7 and 8 short lines.
"""

from .._system.lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __path__)
