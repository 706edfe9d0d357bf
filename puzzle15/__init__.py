"""Solve sliding-tile puzzles of up to 16 cells optimally.

>>> from puzzle15 import Board
>>> Board("5 3 8 9/0 2 4 1/7 10 14 13/12 11 6 15").is_solvable()
True
"""

from .system.interruption import end_quietly

end_quietly()

from typing import TYPE_CHECKING

from .system.import_guard import check_interpreter, is_compiled, leave_source

check_interpreter()  # before numpy is imported, whose errors are harder to understand
if not is_compiled(__path__[0]):
    leave_source(__name__, __path__)

from .system.doors import on_demand
from .system.version import __version__

if TYPE_CHECKING:
    from .board import Board
    from .heuristics import Heuristic, HeuristicFunction, heuristic
    from .local_vi import LocalValueIteration
    from .searches import ALGORITHMS, SearchBatch, compare, search, search_many
    from .solver import Hint, Improvement, Iteration, Solution, SolutionBatch, Solver, solve
    from .tables import build_tables
else:
    __getattr__, __dir__ = on_demand(
        __name__,
        ann="",
        board="Board",
        checks="",
        dataset="",
        environments="",
        errors="",
        heuristics="Heuristic HeuristicFunction heuristic",
        local_vi="LocalValueIteration",
        papers="",
        parallel="",
        published="",
        searches="ALGORITHMS SearchBatch compare search search_many",
        solver="Hint Improvement Iteration Solution SolutionBatch Solver solve",
        tables="build_tables",
    )

__all__ = [
    "ALGORITHMS",
    "Board",
    "Heuristic",
    "HeuristicFunction",
    "Hint",
    "Improvement",
    "Iteration",
    "LocalValueIteration",
    "SearchBatch",
    "Solution",
    "SolutionBatch",
    "Solver",
    "__version__",
    "build_tables",
    "compare",
    "heuristic",
    "search",
    "search_many",
    "solve",
]
