"""The open tables of a solver: mapped or embedded, guarded against files that shrink, and moved into memory."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from functools import cache, cached_property
from typing import Any, Optional

from .._core.optimal.problem import Problem, StateMachine
from .._system.locking import ThreadLock
from .._system.machine import available_memory
from .._system.unsendable import Unsendable
from ..board import Board, Shape
from ..errors import InternalError, TableCorruptError
from ..tables import TableFile, table_folder
from ..tables._file import MULTI_TILE, AnyTable
from ..tables._folder import open_table
from ..tables._partitions import partition_name
from ._choice import Choice, Finder

_SEQUENCE_LENGTH = 10  # of the operator sequences in the state machine: 33 kB on 4x4
_LONGER_SEQUENCES = 14  # for large searches: 425 kB, 0.15 s to make, and a third fewer nodes on hard boards
_LARGE = 4_000_000  # nodes of an iteration after which making them takes less time than it saves
_SEARCHES = 2  # per thread: one works while another waits for memory
_SIZES_INTERVAL_S = 0.01  # between two checks of the sizes of mapped files

_loading = ThreadLock()  # one after the other, since each takes memory


class OpenTables(Unsendable, instead="its files are open in this process; send its Solver"):
    """The tables that a solver has open, and the search over them.

    Attributes
    ----------
    format : {"zero-aware", "classic", "multi-tile"}
    embedded : bool
        Whether the tables were built in memory.
    partitions : list of str
        The partitions, in tiles of the canonical goal.
    lookups : int
        How many sums of tables are looked up for a board: of itself, of its reflections, and of further partitions.
    files : list of TableFile
    bytes : int
        The size of all tables.
    folder : path or None
        As it was given.
    """

    def __init__(self, choice: Choice, finder: Finder, *, check: str, build: bool, plain: bool) -> None:
        files, shape, home = finder.files(choice, build), finder.orientation.goal.shape, finder.orientation.home
        self.format, self.embedded, self.folder = choice.format, choice.embedded, finder.folder
        self._shape, self._home, self._plain = shape, home, plain
        self._mapped: dict[AnyTable, TableFile] = {}
        self.generated = 0  # nodes of calls with many boards since `load` was called; the callers count them
        self._sizes_due = 0.0  # when to look at their sizes again
        self.partitions = list(dict.fromkeys(partition_name(parts, home) for parts, _ in choice.lookups))
        self.lookups = len(choice.lookups)
        opened: dict[int, AnyTable] = {}
        missing: list[int] = []
        for cells in dict.fromkeys(cells for parts, _ in choice.lookups for cells in parts):
            if cells in files:
                opened[cells] = self._open(files[cells], check)
                self._mapped[opened[cells]] = files[cells]
            else:
                missing.append(cells)
        if missing:
            from ..tables._construction import tables_in_memory  # a solver of files needs none of it

            opened.update(zip(missing, tables_in_memory(shape, missing, home, self.format)))
        self.files = list(self._mapped.values())
        self.bytes = sum(table.space.payload_bytes(table.classic) for table in opened.values())
        self._tables: list[tuple[list[Any], Sequence[int]]] = [
            ([opened[cells] for cells in parts], symmetry) for parts, symmetry in choice.lookups
        ]

    @cached_property
    def problem(self) -> Any:
        """The search in C, made when first used: its state machine takes longer than opening the tables."""
        if self.format == MULTI_TILE:
            from .._core.multitile.multitile import Problem as MultiTileProblem

            return MultiTileProblem(self._shape, self._home, self._tables)
        machine = _state_machine(self._shape, 2 if self._plain else _SEQUENCE_LENGTH)
        return Problem(
            self._shape,
            self._home,
            self._tables,
            machine,
            self._plain,
            _SEARCHES,
            longer=lambda: _state_machine(self._shape, _LONGER_SEQUENCES),
            large=_LARGE,
        )

    def load(self, running: int = 0) -> None:
        """Read mapped tables into memory, where large pages make look-ups faster.

        That takes a tenth of a second, so it is for work that takes longer. Without much memory, or while more than
        `running` searches run, nothing happens.
        """
        self.generated = 0
        with _loading:
            if not self._mapped or self.problem.running > running or available_memory() < 4 * self.bytes:
                return
            try:
                moved = {table: file.load() for table, file in self._mapped.items()}
            except TableCorruptError:
                raise
            except OSError:  # the file is gone, or there is no memory; what is mapped stays
                self._mapped.clear()
            else:
                if self.problem.move_tables(moved, running):
                    self._mapped.clear()

    def check_sizes(self) -> None:
        """Raise TableCorruptError if a mapped file was cut off: reading beyond its end would end the process.

        Looks at the files a hundred times a second at most, since that takes some microseconds.
        """
        now = time.monotonic()
        if now < self._sizes_due:
            return
        self._sizes_due = now + _SIZES_INTERVAL_S
        for file in list(self._mapped.values()):
            try:
                size = os.stat(file.path).st_size
            except OSError:  # gone; what is mapped stays
                continue
            if size < file.file_bytes:
                raise file.corrupt("the file has been cut off")

    def explain_table_errors(self, board: Optional[Board] = None) -> _Explained:
        """Check sizes; within it, errors of damaged tables name the folder to verify, and others the board."""
        return _Explained(self, board)

    def _open(self, file: TableFile, check: str) -> AnyTable:
        table = open_table(file, check=check)
        goal = [cell for cell in range(file.cells.bit_length()) if file.cells >> cell & 1]
        with self.explain_table_errors():
            if table.value(goal, self._home) != 0:  # no search would find it
                raise TableCorruptError(f"{file.path}: the goal has not the value 0")
        return table


class _Explained:
    """The context of `OpenTables.explain_table_errors`; one of contextlib takes a microsecond longer."""

    __slots__ = ("_board", "_tables")

    def __init__(self, tables: OpenTables, board: Optional[Board]) -> None:
        self._tables, self._board = tables, board

    def __enter__(self) -> None:
        self._tables.check_sizes()

    def __exit__(self, kind: object, error: Optional[BaseException], traceback: object) -> None:
        if isinstance(error, TableCorruptError):
            folder = table_folder(self._tables.folder)
            raise TableCorruptError(f"{error}; find the damaged file in {folder}: puzzle15 verify") from None
        if isinstance(error, InternalError) and self._board:
            raise InternalError(f"board {self._board}: {error}") from None


@cache
def _state_machine(shape: Shape, length: int) -> StateMachine:
    return StateMachine(shape, length)
