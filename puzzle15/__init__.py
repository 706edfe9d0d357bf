"""Sliding-tile puzzles of up to 16 cells, solved optimally.

>>> from puzzle15 import Board
>>> Board("5 3 8 9/0 2 4 1/7 10 14 13/12 11 6 15").is_solvable()
True
"""

from . import _source
from .interpreter import check_interpreter

check_interpreter()  # before numpy is imported, which fails less plainly
if not _source.is_compiled(__path__[0]):
    _source.leave(__name__, __path__)

from .board import Board
from .errors import (
    BoardError,
    ChunkError,
    ClusterError,
    DatasetCorruptError,
    DatasetError,
    DiskFullError,
    NetworkError,
    Puzzle15Error,
    TableCorruptError,
    TableMissingError,
    ThreadsError,
    UnsolvableError,
)
from .heuristics import Heuristic, heuristic
from .local_vi import LocalValueIteration
from .searches import ALGORITHMS, search
from .solution import Iteration, Solution, SolutionBatch
from .solver import Solver, solve
from .tables import build

__version__ = "0.1.0"

__all__ = [
    "ALGORITHMS",
    "Board",
    "BoardError",
    "ChunkError",
    "ClusterError",
    "DatasetCorruptError",
    "DatasetError",
    "DiskFullError",
    "Heuristic",
    "Iteration",
    "LocalValueIteration",
    "NetworkError",
    "Puzzle15Error",
    "Solution",
    "SolutionBatch",
    "Solver",
    "TableCorruptError",
    "TableMissingError",
    "ThreadsError",
    "UnsolvableError",
    "__version__",
    "build",
    "heuristic",
    "search",
    "solve",
]
