"""What learns distances and moves: a neural distance, local value iteration, and the training of networks.

`AnnDistance` estimates the distance of a 4x4 board to its goal. Its network sees which tile is on which cell, and
nothing else. The prediction is not a bound, but it is close to the true distance: with it, A* expands far fewer nodes
than with pattern tables, and its solutions are optimal or nearly so [1]_. Inference needs only numpy and the C core
(csrc/learning/network/dense.h). ``python -m puzzle15.learning.train`` trains networks.

`LocalValueIteration` brings the tiles home one by one, or group by group [2]_. A *subproblem* brings the tiles of a set
G home while those of a set R stay. It has few states, so value iteration learns the best move of each. A board is
solved by a chain of subproblems. That takes microseconds; solutions are about 40 % to 130 % longer than the shortest
ones.

References
----------
.. [1] V. Cahlik, P. Surynek, "On the Design of a Heuristic based on Artificial Neural Networks for the Near Optimal
   Solving of the (N^2-1)-puzzle", NCTA 2019.
.. [2] B. Bischoff, D. Nguyen-Tuong, H. Markert, A. Knoll, "Solving the 15-Puzzle Game Using Local Value-Iteration",
   SCAI 2013.
"""

from .._system.lazy import attach_stub

#: The name of local value iteration among the algorithms of the shell.
LOCAL_VALUE_ITERATION = "local-value-iteration"

__getattr__, __dir__, __all__ = attach_stub(__name__, __path__)
