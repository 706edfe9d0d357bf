"""The opened tables of a solver: mapped or embedded, guarded against files that shrink, moved into memory."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Optional

from .. import tables
from .._core.optimal.idastar import Automaton, Problem
from .._core.optimal.problem import Batch
from ..board import Board, Shape
from ..errors import InternalError, TableCorruptError
from ..parallel import ThreadLock
from ..system.machine import available_memory
from ..tables import MULTI_TILE, AnyTable, Folder, TableFile, open_table, partition_name, table_folder
from .choice import View

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


__all__ = ["Views"]

_WORD_LENGTH = 10  # of the automaton: 33 kB on 4x4
_LONGER_WORDS = 14  # for large searches: 425 kB, 0.15 s to make, and a third fewer nodes on hard boards
_LARGE = 4_000_000  # nodes of an iteration after which making them takes less time than it saves
_LANES = 3
_SIZES_INTERVAL_S = 0.01  # between two looks at the sizes of mapped files

_loading = ThreadLock()  # one after the other, since each takes memory


class Views:
    """Opened tables, and the search over them.

    Parameters
    ----------
    views : sequence of View
    shape : (int, int)
    home : int
        The blank's cell in the canonical goal.
    format : {"zero-aware", "classic", "multi-tile"}
    folder : path, optional
        The folder of the tables, for messages.
    check : {"once", "always", "never"}
        As for `puzzle15.tables.open_table`.
    plain : bool
        Whether searches are the textbook IDA*.

    Attributes
    ----------
    partitions : list of str
    table_files : list of TableFile
    table_bytes : int
    generated : int
        How many nodes calls with many boards have generated since `load` was called. The callers count them.

    Raises
    ------
    TableCorruptError
        A table file is damaged.
    """

    def __init__(
        self, views: Sequence[View], shape: Shape, home: int, format: str, folder: Folder, check: str, plain: bool
    ) -> None:
        self._shape, self._home, self._folder, self._plain = shape, home, folder, plain
        self._multi_tile = format == MULTI_TILE
        self._files: dict[AnyTable, TableFile] = {}  # of mapped tables
        self.generated = 0
        self._sizes_due = 0.0  # when to look at their sizes again
        self.partitions = list(dict.fromkeys(partition_name(view.partition, home) for view in views))
        opened: dict[int, AnyTable] = {}
        for parts, _, files in views:
            for cells in parts:
                if cells in opened:
                    continue
                if cells in files:
                    opened[cells] = self._open(files[cells], check)
                    self._files[opened[cells]] = files[cells]
                else:
                    opened[cells] = tables.table_in_memory(shape, cells, home, format)
        self.table_files = list(self._files.values())
        self.table_bytes = sum(table.space.payload_bytes(table.classic) for table in opened.values())
        self._tables: list[tuple[list[Any], Sequence[int]]] = [
            ([opened[cells] for cells in parts], symmetry) for parts, symmetry, _ in views
        ]

    def __len__(self) -> int:
        return len(self._tables)

    @cached_property
    def problem(self) -> Any:
        """The search in C, made when first asked for: its automaton takes longer than opening the tables."""
        if self._multi_tile:
            from .._core.multitile.search import Problem as MultiTileProblem

            return MultiTileProblem(self._shape, self._home, self._tables)
        automaton = _automaton(self._shape, 2 if self._plain else _WORD_LENGTH)
        return Problem(
            self._shape,
            self._home,
            self._tables,
            automaton,
            self._plain,
            _LANES,
            longer=lambda: _automaton(self._shape, _LONGER_WORDS),
            large=_LARGE,
        )

    def batch(
        self,
        boards: NDArray[np.uint64],
        skip: NDArray[np.uint8],
        limits: Optional[NDArray[np.uint8]] = None,
        max_nodes: Optional[NDArray[np.uint64]] = None,
    ) -> Batch:
        """Boards that threads solve together; see `puzzle15._core.optimal.problem.Batch`."""
        return Batch(self.problem, boards, skip, limits, max_nodes)

    def directions_of_path(self, path: NDArray[np.uint8], length: int) -> bytes:
        """The blank's directions of a batch's path."""
        directions: bytes = self.problem.directions_of_path(path, length)
        return directions

    def load(self, running: int = 0) -> None:
        """Read mapped tables into memory, where large pages make look-ups faster.

        That takes a tenth of a second, so it is for work that takes longer. Without much memory, or while
        other threads search, nothing happens.

        Parameters
        ----------
        running : int
            Searches of the caller that are running; see `Problem.move_tables`.

        Raises
        ------
        TableCorruptError
            A table file is damaged.
        """
        self.generated = 0
        with _loading:
            if not self._files or self.problem.running > running or available_memory() < 4 * self.table_bytes:
                return
            try:
                moved = {table: file.load() for table, file in self._files.items()}
            except TableCorruptError:
                raise
            except OSError:  # the file is gone, or there is no memory; what is mapped stays
                self._files.clear()
            else:
                if self.problem.move_tables(moved, running):
                    self._files.clear()

    def check_sizes(self) -> None:
        """Raise TableCorruptError if a mapped file was cut off: reading beyond its end would end the process.

        Looks at the files a hundred times a second at most, since that takes some microseconds.
        """
        now = time.monotonic()
        if now < self._sizes_due:
            return
        self._sizes_due = now + _SIZES_INTERVAL_S
        for file in list(self._files.values()):
            try:
                size = os.stat(file.path).st_size
            except OSError:  # gone; what is mapped stays
                continue
            if size < file.file_bytes:
                raise file.corrupt("the file has been cut off")

    @contextmanager
    def naming_folder(self, board: Optional[Board] = None) -> Iterator[None]:
        """A context that checks sizes, and in which the error of a damaged table names the folder to verify, that of a
        wrong solution the board.

        A search cannot tell which of its tables is damaged, and knows the board only as it is turned.
        """
        self.check_sizes()
        try:
            yield
        except TableCorruptError as error:
            raise TableCorruptError(
                f"{error}; find the damaged file in {table_folder(self._folder)}: puzzle15 verify"
            ) from None
        except InternalError as error:
            raise InternalError(f"board {board}: {error}" if board else str(error)) from None

    def _open(self, file: TableFile, check: str) -> AnyTable:
        table = open_table(file, check=check)
        goal = [cell for cell in range(file.cells.bit_length()) if file.cells >> cell & 1]
        with self.naming_folder():
            if table.value(goal, self._home) != 0:  # no search would find it
                raise TableCorruptError(f"{file.path}: the goal has not the value 0")
        return table


@cache
def _automaton(shape: Shape, length: int) -> Automaton:
    return Automaton(shape, length)
