"""Heuristics by name: lower bounds and estimates of the number of moves from a board to a goal.

==================== ===================================================================================
``zero``             0, which turns A* into uniform-cost search
``misplaced``        the number of tiles (without the blank) that are not on their goal cells
``manhattan``        the sum of the tiles' taxicab distances to their goal cells
``reversal``         Manhattan + 2 for every two neighbours that are on each other's goal cells [1]_
``linear-conflict``  Manhattan + 2 for each tile that must leave its row or column because tiles are in the
                     wrong order there; the minimum number of such tiles is computed exactly [2]_
``walking-distance`` the least number of moves that bring all tiles to their rows if the tiles of a goal row are
                     indistinguishable, and the same for columns [3]_
``tables``           the best installed pattern tables, or tables built in memory, as `Solver` chooses them
``tables:embedded``  tables built in memory
``tables:7-8``       the tables of a partition, see `puzzle15.build_tables`; ``tables:1-8/9-15`` names the tiles
``tables:7-8:classic`` tables of this format
``sum(tables:1-4,..)`` the sum of tables of patterns, which need not have all tiles, see `TableSum`
``ann``              the prediction of a small network, see `puzzle15.ann`; for 4x4 and goals with the blank in a
                     corner
``ann:NETWORK``      the prediction of another network: ``ann:paper``, or the path of a file
``ann:NETWORK:2``    the same, lowered by 2 moves before it is rounded
``max(a,b,..)``      the maximum of several heuristics
==================== ===================================================================================

`HeuristicFunction` makes a heuristic of a function of one's own, which can be used wherever a name can, and in the
maximum of several: ``["manhattan", function]``.

Every heuristic except `ann` is admissible: it is never larger than the length of a shortest solution. `ann` and classic
tables are not consistent: a single move can change them by more than one. (An entry of a classic table is the minimum
over the places where the blank can be. The minimum of a neighbour may belong to a place where the blank is not.) A
search that relies on consistency can therefore close a board too early with them. With a network, A* finds solutions
that are near-optimal, and reports them as such. Every heuristic except `ann` works for any goal and any shape up to 16
cells.

References
----------
.. [1] D. Kunkle, "Solving the 8 Puzzle in a Minimum Number of Moves: An Application of the A*
   Algorithm", 2001.
.. [2] O. Hansson, A. Mayer, M. Yung, "Criticizing solutions to relaxed models yields powerful
   admissible heuristics", Information Sciences 63 (1992).
.. [3] K. Takahashi, the walking distance of his 15-puzzle program; csrc/search/heuristics/walking_distance.h describes
   how it is computed here, and what replaces it for 7 and 8 short lines.
"""

from ..system.lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __path__)
