"""Solve sliding-tile puzzles of up to 16 cells optimally.

>>> from puzzle15 import Board, solve
>>> solution = solve("5 3 8 9/0 2 4 1/7 10 14 13/12 11 6 15")
>>> solution.length, Board("5 3 8 9/0 2 4 1/7 10 14 13/12 11 6 15").apply(solution.moves).is_goal()
(53, True)

========================================== ===========================================================================
`Board`                                    a board, in any notation
`solve`, `Solver`                          shortest solutions, hints, analyses, distances, of one board or of many
`Solution`, `SolutionBatch`, `Hint`        their answers
`build_tables`                             build the pattern tables that make them fast
`search`, `search_many`, `SearchOptions`   textbook algorithms, and their options
`compare`, `compare_many`                  several algorithms on one board, or on a set of boards
`SearchTree`, `SearchBatch`                the expansions of a search; the answers of a search on many boards
`ALGORITHMS`, `register`                   the algorithms by name; make a function one of them
`heuristic`, `Heuristic`                   heuristics by name
`check_heuristic`                          whether a heuristic is admissible and consistent
`LocalValueIteration`                      solutions in microseconds, not shortest ones
========================================== ===========================================================================

The packages `board`, `nodes`, `tables`, `solver`, `dataset`, `environments`, `learning`, `heuristics`, `searches`,
`papers` and `page` have more; `errors` has all exceptions.
"""

from ._system.interruption import is_command, take_over

if is_command():
    take_over()

from ._system.import_guard import use_compiled

use_compiled(__name__, __path__)

from ._system.lazy import attach_stub
from ._system.version import __version__ as __version__

__getattr__, __dir__, __all__ = attach_stub(__name__, __path__)
