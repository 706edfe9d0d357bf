"""The exceptions of puzzle15.

All derive from `Puzzle15Error`, and each is also the builtin exception that
fits, so that ``except ValueError`` or ``except OSError`` works as expected.
"""

from __future__ import annotations

from typing import Any

__all__ = [
    "BoardError",
    "ChunkError",
    "ClusterError",
    "DatasetCorruptError",
    "DatasetError",
    "DiskFullError",
    "NetworkError",
    "Puzzle15Error",
    "TableCorruptError",
    "TableMissingError",
    "ThreadsError",
    "UnsolvableError",
]


class Puzzle15Error(Exception):
    """Base of every exception that puzzle15 itself raises."""


class BoardError(Puzzle15Error, ValueError):
    """A board, a shape or a move string that is none.

    >>> from puzzle15 import Board
    >>> Board("1 2 3/4 5 6/7 8 8")
    Traceback (most recent call last):
        ...
    puzzle15.errors.BoardError: '1 2 3/4 5 6/7 8 8': tile 8 is there 2 times, the blank is \
missing; a 3x3 board holds the blank (0) and each of 1 .. 8 exactly once
    """


class UnsolvableError(Puzzle15Error, ValueError):
    """A board from which no sequence of moves reaches the goal."""


class TableMissingError(Puzzle15Error, FileNotFoundError):
    """A pattern table that has not been built, or lies elsewhere."""


class TableCorruptError(Puzzle15Error, OSError):
    """A table file that is damaged, or no table file at all."""


class ChunkError(Puzzle15Error, RuntimeError):
    """A chunk of boards that workers failed at twice; the cause is chained.

    Attributes
    ----------
    index : int
        Which chunk, counted from 0.
    boards : sequence or None
        What was in it; None where not even that could be told.
    """

    def __init__(self, message: str, index: int, boards: Any) -> None:
        super().__init__(message)
        self.index = index
        self.boards = boards

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (*self.args, self.index, self.boards)


class ClusterError(Puzzle15Error, ConnectionError):
    """A cluster's scheduler that does not answer."""


class DiskFullError(Puzzle15Error, OSError):
    """The disk has too little room for a table; nothing was written."""


class DatasetError(Puzzle15Error, ValueError):
    """A folder without labelled boards, or with other ones than were asked for, or in use."""


class DatasetCorruptError(Puzzle15Error, OSError):
    """A file of labelled boards that is damaged or missing."""


class NetworkError(Puzzle15Error, OSError):
    """A network's file that is not there, is damaged, or is none."""


class ThreadsError(Puzzle15Error, RuntimeError):
    """The system does not start as many threads as were asked for."""
