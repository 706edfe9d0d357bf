"""Heuristics by name: how many moves it is, at least or about, from a board to a goal.

==================== ===================================================================================
``zero``             0: turns A* into uniform-cost search
``misplaced``        the tiles (not the blank) that are not on their goal cells
``manhattan``        the sum of the tiles' taxicab distances to their goal cells
``reversal``         Manhattan, and 2 for every two neighbours that stand on each other's goal cells [1]_
``linear-conflict``  Manhattan, and for every row and column 2 for each tile that must leave it because it
                     stands in the wrong order there; the fewest such tiles exactly [2]_
``walking-distance`` the fewest moves that bring all tiles to their rows when tiles of one goal row look
                     alike, and the same for columns [3]_
``tables``           the best pattern tables that are there, else those built in memory, as `Solver` does
``tables:embedded``  those built in memory
``tables:7-8``       the tables of a partition, see `puzzle15.tables.build`; ``tables:1-8/9-15`` by tiles
``tables:7-8:classic`` in this format
``ann``              the prediction of a small network, see `puzzle15.ann`: 4x4, the goal's blank in a corner
``ann:NETWORK``      that of another one: ``ann:paper``, or the path of a file
``ann:NETWORK:2``    lowered by 2 moves before it is rounded
``max(a,b,..)``      the largest of several
==================== ===================================================================================

All but networks work for any goal and any shape up to 16 cells, and are admissible: none is more than the
length of a shortest solution. They are consistent, too (no move changes them by more than one), but for classic
tables: what they hold is the minimum over the places that the blank may be in, and the least of a
neighbour may belong to a place where the blank is not. A search that takes consistency for granted
can therefore close a board too early with these. Networks are neither; A* with one finds solutions that
are near the shortest ones, and says so.

References
----------
.. [1] D. Kunkle, "Solving the 8 Puzzle in a Minimum Number of Moves: An Application of the A*
   Algorithm", 2001.
.. [2] O. Hansson, A. Mayer, M. Yung, "Criticizing solutions to relaxed models yields powerful
   admissible heuristics", Information Sciences 63 (1992).
.. [3] K. Takahashi, the walking distance of his 15-puzzle program; csrc/search/heuristics/walking_distance.h describes
   how it is computed here, and what replaces it for 7 and 8 short lines.
"""

from .evaluation import Heuristic, heuristic
from .names import NAMES, full_name

__all__ = ["Heuristic", "NAMES", "full_name", "heuristic"]
