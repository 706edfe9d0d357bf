"""The exceptions of puzzle15.

All derive from `Puzzle15Error`, and each from the fitting built-in exception, so ``except ValueError`` or
``except OSError`` works as expected.
"""

from __future__ import annotations

from typing import Any

__all__ = [
    "AlgorithmError",
    "BoardError",
    "ChunkError",
    "ClusterError",
    "DatasetCorruptError",
    "DatasetError",
    "DiskFullError",
    "HeuristicError",
    "InternalError",
    "NetworkError",
    "OptionError",
    "Puzzle15Error",
    "TableCorruptError",
    "TableMissingError",
    "ThreadsError",
    "UnsolvableError",
]


class Puzzle15Error(Exception):
    """Base class of all exceptions that puzzle15 itself raises."""


class BoardError(Puzzle15Error, ValueError):
    """A board, a shape or a move string is invalid.

    >>> from puzzle15 import Board
    >>> Board("1 2/3 3")
    Traceback (most recent call last):
    puzzle15.errors.BoardError: '1 2/3 3': tile 3 occurs twice, the blank is missing; ...
    """


class OptionError(Puzzle15Error, ValueError):
    """An argument has a value that cannot be used, or does not go with the others.

    >>> from puzzle15 import solve
    >>> solve("1 2/0 3", max_nodes=-1)
    Traceback (most recent call last):
    puzzle15.errors.OptionError: max_nodes -1: expected a whole number of at least 0
    """


class UnsolvableError(Puzzle15Error, ValueError):
    """No sequence of moves leads from a board to the goal."""


class TableMissingError(Puzzle15Error, FileNotFoundError):
    """A pattern table has not been built, or lies in another folder."""


class TableCorruptError(Puzzle15Error, OSError):
    """A table file is damaged, or is not a table file."""


class ChunkError(Puzzle15Error, RuntimeError):
    """Workers failed twice at a chunk of boards; the cause is chained.

    Attributes
    ----------
    index : int
        The number of the chunk, counted from 0.
    boards : sequence or None
        The boards of the chunk; None if they could not be determined.
    """

    def __init__(self, message: str, index: int, boards: Any) -> None:
        super().__init__(message)
        self.index = index
        self.boards = boards

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (*self.args, self.index, self.boards)


class ClusterError(Puzzle15Error, ConnectionError):
    """The scheduler of a cluster does not answer, or is gone."""


class DiskFullError(Puzzle15Error, OSError):
    """The disk has too little room for a table. Nothing was written."""


class DatasetError(Puzzle15Error, ValueError):
    """A folder has no labelled boards, or other boards than the requested ones, or another process writes there."""


class DatasetCorruptError(Puzzle15Error, OSError):
    """A file of labelled boards is damaged or missing."""


class NetworkError(Puzzle15Error, OSError):
    """A network file is missing or damaged, or is not a network file."""


class AlgorithmError(Puzzle15Error, ValueError):
    """A user's algorithm returned something other than a solution, or reported what cannot be true."""


class HeuristicError(Puzzle15Error, ValueError):
    """A user's heuristic returned something other than a number of moves, or broke a claim."""


class InternalError(Puzzle15Error, RuntimeError):
    """A search found a wrong solution, which is a bug of puzzle15. The solution is not returned."""


class ThreadsError(Puzzle15Error, RuntimeError):
    """The system did not start the requested number of threads."""


def add_note(error: BaseException, note: str) -> None:
    """Add a note to an exception of a user's function, and mark it as one."""
    error.__notes__ = [*getattr(error, "__notes__", ()), note]
    vars(error)["_is_users"] = True


def is_users(error: BaseException) -> bool:
    """Return whether a user's function raised an exception."""
    return "_is_users" in vars(error)
