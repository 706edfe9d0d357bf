"""Optimal solutions: `Solver`, and `solve` for one board.

A solver turns boards so that their goal becomes the canonical one (the blank's cell carried to the
cell that stands for its home, the tiles renamed in order), searches there, and turns the moves back.
"""

from __future__ import annotations

import os
import platform
import shlex
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import cached_property, lru_cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _board, partitions
from ._search import MAX_LENGTH, Automaton, Batch, Problem, directions_of_path
from ._tables import Table
from .board import Board, BoardLike, board_beside, goal_of, pack_boards
from .construction import build_in_memory
from .errors import BoardError, Puzzle15Error, TableCorruptError, TableMissingError, UnsolvableError
from .memory import available_memory
from .notation import moves_from_directions
from .orientation import Orientation
from .parallel import spread
from .partitions import Partition, carry, symmetries
from .quantities import seconds, whole
from .solution import Iteration, Solution, SolutionBatch
from .tablefile import FORMATS, TableFile
from .tables import Folder, find_tables, table_folder
from .tables import build as build_tables

__all__ = ["Solver", "solve"]

_WORD_LENGTH = 10  # of the automaton: 33 kB on 4x4
_LANES = 4
_MOST_VIEWS = 2  # of tables in files: further ones cost more time than they save
_MANY_BOARDS, _MANY_NODES = 2_000, 5_000_000  # when it pays to read tables into memory of large pages
_CHUNKS = 64  # that boards are spread in, so that workers end together;
_MOST_IN_CHUNK = 256  # more, if a chunk would be longer: with the 7-8 tables, a tenth of a second's work

#: Without tables: small partitions by tiles of the 4x4 goal with the blank in the corner, each seen
#: through the reflection, too. The best of all partitions into connected patterns of 6, 6 and 3
#: tiles, and the one that helps it most, by the nodes that 40 random boards took.
_EMBEDDED_CORNER = (
    ((4, 7, 8, 11, 12, 15), (5, 6, 9, 10, 13, 14), (1, 2, 3)),
    ((1, 2, 3, 5, 6, 7), (4, 8, 11, 12, 14, 15), (9, 10, 13)),
)

_loading = threading.Lock()  # one after the other, since each takes memory


class _Description(NamedTuple):
    """What another process needs to open the same solver: which tables, not their bytes."""

    goal: int
    shape: tuple[int, int]
    folder: Optional[str]
    format: str
    embedded: bool
    views: tuple[tuple[Partition, tuple[int, ...]], ...]
    plain: bool
    build: bool


class Solver:
    """Solves boards of one shape and goal optimally.

    Parameters
    ----------
    partition : str, optional
        Which tables to use: a name or tiles, see `puzzle15.tables.build`; or ``"embedded"`` for the
        small ones that are built in memory. By default the best tables that are there, else the
        embedded ones. Boards of up to 9 cells have a complete table in memory.
    goal : board, optional
        Any arrangement; by default the tiles in order, the blank last.
    shape : (int, int), optional
        Rows and columns, where `goal` does not tell; by default 4x4.
    tables : path, optional
        The folder of the tables; see `puzzle15.tables.table_folder`.
    format : {"zero-aware", "classic"}, optional
        By default zero-aware tables if they are there, else classic ones.
    reflection : bool
        Whether to look at each board through the symmetries that keep the home, too, and through a
        second partition where there are none.
    plain : bool
        The textbook IDA*: moves in a fixed order (blank up, left, right, down, once the board is
        turned so that the goal's blank is at its last cell of the kind), only the undoing of the
        last move left out. Same solutions' lengths, more nodes.
    build : bool
        Whether to build tables that are missing, instead of raising or of using the embedded ones.
        Of processes that miss the same ones, one builds and the others wait for it.

    Raises
    ------
    TableMissingError
        The partition or format asked for has not been built.

    Notes
    -----
    Solvers can be pickled: a few hundred bytes that say which tables to open. They are opened when
    the solver is first used, and once in a process, however often the same solver arrives there; it
    needs the same tables to be there, in the folder that was given, else in its own default one.

    Attributes
    ----------
    goal : Board
    shape : (int, int)
    partitions : list of str
        What the views are made of, in tiles of the canonical goal.
    format : str
    embedded : bool
        Whether the tables were built in memory.
    view_count : int
    table_bytes : int
        Of all tables used.
    table_files : list of TableFile
        Where they come from; none, if they are embedded.

    Examples
    --------
    >>> solver = Solver(shape=(3, 3))
    >>> solution = solver.solve("8 6 7/2 5 4/3 0 1")
    >>> solution.length, solution.optimal
    (31, True)
    >>> solver.distances(["1 2 3/4 5 6/7 8 0", "1 2 3/4 5 6/7 0 8"]).tolist()
    [0, 1]
    """

    def __init__(
        self,
        partition: Optional[str] = None,
        *,
        goal: Optional[BoardLike] = None,
        shape: Optional[Sequence[int]] = None,
        tables: Folder = None,
        format: Optional[str] = None,
        reflection: bool = True,
        plain: bool = False,
        build: bool = False,
    ) -> None:
        if format is not None and format not in FORMATS:
            raise ValueError(f"format {format!r}: expected {' or '.join(FORMATS)}")
        self.goal = goal_of(goal, shape)
        self.shape = self.goal.shape
        self._orient()
        self._folder = tables
        self.format, views, self.embedded = self._choose(partition, tables, format, reflection, build)
        self._open_views(views, plain)
        self._description = _Description(
            self.goal.packed, self.shape, _whole_path(tables), self.format, self.embedded,
            tuple((parts, tuple(symmetry)) for parts, symmetry, _ in views), plain, build,
        )

    def _open_views(self, views, plain):
        opened: dict[int, Table] = {}
        self._files: dict[Table, TableFile] = {}  # of mapped tables
        self.table_files: list[TableFile] = []
        chosen = []
        self.partitions = list(dict.fromkeys(partitions.partition_name(p, self._home) for p, _, _ in views))
        for parts, symmetry, files in views:
            for cells in parts:
                if cells not in opened:
                    opened[cells] = self._open(cells, files.get(cells))
                    if cells in files:
                        self._files[opened[cells]] = files[cells]
                        self.table_files.append(files[cells])
            chosen.append(([opened[cells] for cells in parts], symmetry))
        self.view_count = len(chosen)
        self.table_bytes = sum(t.space.payload_bytes(t.classic) for t in opened.values())
        self._views, self._plain = chosen, plain

    @cached_property
    def _problem(self):
        """Made when first asked for: the automaton takes longer than opening the tables."""
        automaton = _automaton(self.shape, 2 if self._plain else _WORD_LENGTH)
        return Problem(self.shape, self._home, self._views, automaton, self._plain, _LANES)

    def _load_tables(self, running: int = 0) -> None:
        """Read mapped tables into memory: look-ups are then faster, since there large pages can be had.

        That takes some hundredths of a second, so it is for work that takes longer; `running` as for
        `Problem.move_tables`. Without much memory, or while others search, nothing happens.
        """
        with _loading:
            if not self._files or self._problem.running > running or available_memory() < 4 * self.table_bytes:
                return
            try:
                moved = {table: file.load() for table, file in self._files.items()}
            except OSError:  # the file is gone, or there is no memory; what is mapped stays
                self._files.clear()
            else:
                if self._problem.move_tables(moved, running):
                    self._files.clear()

    # ---------------------------------------------------------------- in other processes

    def __reduce__(self) -> tuple[Any, ...]:
        return _arrived, (self._description,)

    if not TYPE_CHECKING:  # to a checker, no attribute would be unknown any more

        def __getattr__(self, name):
            """Of a solver that arrived in a pickle: open it. Not before, since pools break, or wait for
            ever, when what they unpickle raises."""
            if "_unopened" in self.__dict__ and not name.startswith("__"):
                with _opening:
                    if "_unopened" in self.__dict__:
                        self.__dict__.update(Solver._described(self._description).__dict__)
                        del self.__dict__["_unopened"]
            return object.__getattribute__(self, name)

    @classmethod
    def _described(cls, description):
        self = cls.__new__(cls)
        self._description = description
        self.goal = Board(description.goal, description.shape)
        self.shape = self.goal.shape
        self._orient()
        self._folder, self.format, self.embedded = description.folder, description.format, description.embedded
        files, broken = ({}, []) if self.embedded else self._find_files(self._folder, self.format)
        for parts, _ in description.views:
            if self.embedded or all(cells in files for cells in parts):
                continue
            name = partitions.partition_name(parts, self._home)
            if not description.build:
                where = f"on host {platform.node()}: "
                raise TableMissingError(where + self._missing(name, self._folder, self.format, broken))
            self._build(name, self._folder, self.format)
            files, broken = self._find_files(self._folder, self.format)
        self._open_views([(parts, symmetry, files) for parts, symmetry in description.views], description.plain)
        return self

    def __repr__(self) -> str:
        if "_unopened" in self.__dict__:
            return f"<Solver for {Board(self._description.goal, self._description.shape)}: not opened yet>"
        where = "embedded " if self.embedded else ""
        return f"<Solver for {self.goal}: {where}{self.format} {' + '.join(self.partitions)}, {self.view_count} views>"

    # ---------------------------------------------------------------- one board

    def solve(
        self,
        board: BoardLike,
        *,
        limit: Optional[int] = None,
        max_nodes: Optional[int] = None,
        time_limit_s: Optional[float] = None,
        threads: int = 1,
        on_iteration: Optional[Callable[[Iteration], Any]] = None,
    ) -> Solution:
        """A shortest solution of one board.

        Parameters
        ----------
        board : board
            Anything that `Board` takes.
        limit : int, optional
            The most moves of a solution: no longer one is looked for.
        max_nodes : int, optional
            Stop once this many nodes were generated.
        time_limit_s : float, optional
            Stop after this many seconds; infinity is no limit.
        threads : int
            Threads that work on the board together. The solution and its counts do not depend on it.
        on_iteration : callable, optional
            Called with an `Iteration` each time one is finished.

        Returns
        -------
        Solution
            With status "solved", or "limit" and the lower bound that was proved until then: more than
            `limit`, if it was that.

        Raises
        ------
        BoardError, UnsolvableError
        TableCorruptError
            A table file is damaged.
        ValueError
            A limit is negative or no number, or `threads` less than 1.

        Notes
        -----
        Of several shortest solutions it is always the same one for the same tables, with any limit that
        leaves one.

        Examples
        --------
        >>> solver = Solver(shape=(3, 3))
        >>> solution = solver.solve("8 6 7/2 5 4/3 0 1", limit=30)
        >>> solution.status, solution.lower_bound
        ('limit', 31)
        """
        board = board_beside(self.goal, board)
        if threads < 1:
            raise ValueError(f"threads {threads}: at least 1")
        limit = MAX_LENGTH if limit is None else min(whole("limit", limit), MAX_LENGTH)
        max_nodes = None if max_nodes is None else whole("max_nodes", max_nodes)
        time_limit_s = seconds("time_limit_s", time_limit_s)
        if not board.is_solvable(self.goal):
            raise UnsolvableError(self._unsolvable(board))
        problem = self._problem
        start = time.monotonic()
        generated = 0

        def after_iteration(*counts):
            nonlocal generated
            if on_iteration is not None:
                on_iteration(Iteration(*counts))
            generated += counts[-1]
            if generated > _MANY_NODES and (time_limit_s is None or time.monotonic() < start + time_limit_s - 1):
                self._load_tables(running=1)

        with self._folder_named():
            answer = problem.solve(
                self._turn_one(board),
                max_nodes,
                None if time_limit_s is None else start + time_limit_s,
                threads,
                after_iteration,
                limit,
            )
        solved = answer["solved"]
        return Solution(
            board=board,
            goal=self.goal,
            status="solved" if solved else "limit",
            moves=self._turn_back(answer["directions"]) if solved else None,
            optimal=solved,
            lower_bound=answer["lower_bound"],
            expanded=answer["expanded"],
            generated=answer["generated"],
            seconds=time.monotonic() - start,
            iterations=tuple(Iteration(*counts) for counts in answer["iterations"]),
        )

    def distance(self, board: BoardLike) -> int:
        """The length of a shortest solution."""
        length = self.solve(board).length
        assert length is not None
        return length

    def heuristic(self, board: BoardLike) -> int:
        """The lower bound that the tables give: the maximum over the views."""
        board = board_beside(self.goal, board)
        if not board.is_solvable(self.goal):
            raise UnsolvableError(self._unsolvable(board))
        with self._folder_named():
            return self._problem.heuristic(self._turn_one(board))[0]

    # ---------------------------------------------------------------- many boards

    def solve_many(
        self,
        boards: Union[ArrayLike, Iterable[BoardLike]],
        *,
        workers: Any = 1,
        on_error: str = "raise",
        progress: Optional[Callable[[int, int], Any]] = None,
    ) -> SolutionBatch:
        """Shortest solutions of many boards.

        Parameters
        ----------
        boards : array or iterable
            Anything that `Board` takes, in a list; or an integer array (N, cells) or
            (N, rows, cols), or a uint64 array (N,) of packed boards.
        workers : int, or what `puzzle15.parallel.spread` takes
            Threads; or a pool, an executor, a cluster. The result does not depend on it, `seconds` apart.
        on_error : {"raise", "mark"}
            Whether the first bad board raises before anything is solved, or each is marked.
        progress : callable, optional
            Called with (boards done, boards) a few times a second.

        Returns
        -------
        SolutionBatch

        Raises
        ------
        BoardError, UnsolvableError
            With the index of the first bad board.
        ChunkError, TableMissingError
            Workers of other kinds than threads failed: see `puzzle15.parallel.spread`.
        """
        threads = 1 if workers is None else workers if isinstance(workers, (int, np.integer)) else None
        if threads is not None and threads < 1:
            raise ValueError(f"workers {workers}: at least 1")
        packed, errors = pack_solvable(boards, self.goal, on_error)
        skip = np.zeros(len(packed), dtype=np.uint8)
        skip[list(errors)] = 1
        if threads is None:
            results = self._spread(packed, skip, workers, progress)
        else:
            results = self._solve_packed(packed, threads, skip, progress=progress)
        return SolutionBatch(self.goal, packed, results, errors, self._moves_of_path)

    def distances(self, boards: Union[ArrayLike, Iterable[BoardLike]], workers: Any = 1) -> NDArray[np.int16]:
        """The lengths of shortest solutions, int16 (N,)."""
        return self.solve_many(boards, workers=workers).lengths

    def heuristics(self, boards: Union[ArrayLike, Iterable[BoardLike]]) -> NDArray[np.uint8]:
        """The tables' lower bounds, uint8 (N,)."""
        return self._look_up(pack_solvable(boards, self.goal, "raise")[0])

    def _solve_packed(self, packed, workers, skip=None, limits=None, progress=None, what="board {}"):
        """The arrays of a `Batch` of boards that can reach the goal, those to skip apart."""
        if skip is None:
            skip = np.zeros(len(packed), dtype=np.uint8)
        if len(packed) >= _MANY_BOARDS:
            self._load_tables()
        batch = Batch(self._problem, self._turn(packed), skip, limits)
        self._run(batch, workers, progress, len(packed))
        results = batch.arrays()
        self._check_statuses(np.where(skip == 0, results["status"], 0), what)
        return results

    def _spread(self, packed, skip, workers, progress):
        """The same, found by foreign workers."""
        good = np.flatnonzero(skip == 0)
        size = min(max(-(-len(good) // _CHUNKS), 1), _MOST_IN_CHUNK)
        chunks = (packed[good[start : start + size]] for start in range(0, len(good), size))
        none = Batch(self._problem, packed[:0], skip[:0]).arrays()
        results = {name: np.zeros((len(packed), *array.shape[1:]), array.dtype) for name, array in none.items()}
        done = 0
        for part in spread(partial(_solve_chunk, self), chunks, workers, boards_of=self._boards):
            where = good[done : done + size]
            for name, array in part.items():
                results[name][where] = array
            done += len(where)
            if progress:
                progress(len(packed) - len(good) + done, len(packed))
        return results

    def _boards(self, packed):
        return [Board._of(int(board), self.shape) for board in packed]

    def _look_up(self, packed, views=None, what="board {}"):
        """What the tables say of boards that can reach the goal; fills `views`, uint8 (N, view_count)."""
        values = np.empty(len(packed), dtype=np.uint8)
        status = np.empty(len(packed), dtype=np.uint8)
        self._problem.heuristics(self._turn(packed), values, status, views)
        self._check_statuses(status, what)
        return values

    def _check_statuses(self, status, what):
        for index in np.flatnonzero(status)[:1]:
            with self._folder_named():
                _board.raise_status(int(status[index]), what.format(index))

    def _run(self, batch, workers, progress, count):
        last = time.monotonic()

        def tell():
            nonlocal last
            if progress and time.monotonic() - last > 0.2:
                last = time.monotonic()
                progress(batch.done, count)

        if workers == 1:
            batch.work(tell)
        else:
            with ThreadPoolExecutor(workers) as pool:
                futures = [pool.submit(batch.work) for _ in range(workers)]
                try:
                    while wait(futures, timeout=0.05).not_done:
                        tell()
                finally:
                    batch.stop = True
                for future in futures:
                    future.result()
        if progress:
            progress(batch.done, count)

    # ---------------------------------------------------------------- orientation

    def _orient(self):
        """Find the symmetry and the renaming that make the goal canonical."""
        orientation = Orientation(self.goal)
        self._home, self._direction_back = orientation.home, orientation.direction_back
        self._turn, self._turn_one = orientation.turn, orientation.turn_one

    def _turn_back(self, directions):
        return moves_from_directions(directions.translate(_translation(self._direction_back)))

    def _moves_of_path(self, path, length):
        return self._turn_back(directions_of_path(path, length))

    def _unsolvable(self, board):
        return unsolvable_text(board, self.goal)

    # ---------------------------------------------------------------- tables

    def _choose(self, partition, folder, format, reflection, build):
        """(format, views, embedded): a view is (partition, symmetry, files by pattern)."""
        asked = partition is not None or format is not None
        kept = symmetries(self.shape, self._home) if reflection else symmetries(self.shape, self._home)[:1]
        cells = self.shape[0] * self.shape[1]
        if partition == "embedded" or (not asked and cells <= 9):
            return self._choose_embedded(kept, format or "zero-aware", reflection)
        for kind in FORMATS if format is None else [format]:
            files, broken = self._find_files(folder, kind)
            if partition is None:
                wanted = _best_partitions(files, self.shape, self._home)
            else:
                wanted = partitions.parse_partition(partition, self.shape, self._home)
                if any(cells not in files for part in wanted[:1] for cells in part):
                    wanted = []
            # further partitions only make further views
            wanted = [part for part in wanted if all(cells in files for cells in part)]
            if wanted:
                views = [(part, symmetry, files) for part in wanted for symmetry in kept]
                return kind, _different(views, _MOST_VIEWS if reflection else 1), False
        if build:
            self._build(partition, folder, format or "zero-aware")
            return self._choose(partition, folder, format, reflection, False)
        if asked:
            raise TableMissingError(self._missing(partition, folder, format, broken))
        return self._choose_embedded(kept, "zero-aware", reflection)

    def _find_files(self, folder, format):
        """(files by pattern, what is wrong with others)"""
        found, broken = find_tables(folder)
        return {
            table.cells: table for table in found
            if table.shape == self.shape and table.format == format and table.region >> self._home & 1
        }, broken

    def _build(self, partition, folder, format):
        build_tables(partition, shape=self.shape, home=self._home, format=format, directory=folder)

    def _choose_embedded(self, kept, format, reflection):
        if self.shape == (4, 4) and self._home == 15:
            parts = [tuple(partitions.goal_cells(tiles, self.shape, 15) for tiles in p) for p in _EMBEDDED_CORNER]
        else:
            largest = 8 if self.shape[0] * self.shape[1] <= 9 else 6
            parts = partitions.default_partitions(self.shape, self._home, largest)
        views = [(part, symmetry, {}) for part in parts for symmetry in kept]
        return format, _different(views, 16 if reflection else 1), True

    def _open(self, cells, file: Optional[TableFile]):
        if file is None:
            return _embedded_table(self.shape, cells, self._home, self.format)
        table = file.open()
        goal = [cell for cell in range(cells.bit_length()) if cells >> cell & 1]
        with self._folder_named():
            if table.value(goal, self._home) != 0:  # no search would find it
                raise TableCorruptError(f"{file.path}: the goal has not the value 0")
        return table

    @contextmanager
    def _folder_named(self):
        """Say of a damaged table where to look for it; the search cannot tell which one it is."""
        try:
            yield
        except TableCorruptError as error:
            raise TableCorruptError(
                f"{error}; find the damaged file in {table_folder(self._folder)}: puzzle15 verify"
            ) from None

    def _missing(self, partition, folder, format, broken):
        what = f"partition {partition}" if partition else "a partition"
        command = "puzzle15 build" + (f" {partition}" if partition else "")
        if self.shape != (4, 4):
            command += f" --shape {self.shape[0]}x{self.shape[1]}"
        if self._home != self.shape[0] * self.shape[1] - 1:
            command += f" --home {self._home}"
        if format:
            command += f" --format {format}"
        if folder is not None:
            command += f" --dir {shlex.quote(os.fspath(folder))}"
        text = (f"no {format or ''} tables of {what} for {self.shape[0]}x{self.shape[1]} with the blank's home "
                f"at cell {self._home} in {table_folder(folder)}; build them: {command}").replace("no  ", "no ")
        return "; ".join([text, *map(str, broken)])


def solve(board: BoardLike, goal: Optional[BoardLike] = None) -> Solution:
    """A shortest solution of one board, with the best tables that are there.

    Parameters
    ----------
    board : board
        Anything that `Board` takes.
    goal : board, optional
        By default the tiles in order, the blank last.

    Returns
    -------
    Solution

    Raises
    ------
    BoardError, UnsolvableError

    Examples
    --------
    >>> solve("1 2 3/0 5 6/4 7 8").moves
    'ULL'
    >>> solve("0 1 2/3 4 5/6 7 8", goal="1 0 2/3 4 5/6 7 8").moves
    'L'
    """
    start = Board(board)
    end = Board.goal(start.shape) if goal is None else Board(goal, start.shape)
    return _solver(end).solve(start)


def pack_solvable(
    boards: Any, goal: Board, on_error: str
) -> tuple[NDArray[np.uint64], dict[int, Puzzle15Error]]:
    """`pack_boards`, and the errors by index: of boards that are none (0), and of those that cannot reach the goal.

    With ``on_error="raise"``, the first is raised.
    """
    if on_error not in ("raise", "mark"):
        raise ValueError(f"on_error={on_error!r}: expected 'raise' or 'mark'")
    packed, shape, marks = pack_boards(boards, on_error="mark", goal=goal)
    errors: dict[int, Puzzle15Error] = {i: error for i, error in enumerate(marks) if error is not None}
    readable = np.array([error is None for error in marks], dtype=bool)
    solvable = np.zeros(int(readable.sum()), dtype=np.uint8)
    _board.solvable_many(packed[readable], goal.packed, shape, solvable)
    for index in np.flatnonzero(readable)[solvable == 0].tolist():
        board = Board._of(int(packed[index]), shape)
        errors[index] = UnsolvableError(f"board {index}: {unsolvable_text(board, goal)}")
    if on_error == "raise" and errors:
        raise errors[min(errors)]
    return packed, errors


def unsolvable_text(board: Board, goal: Board) -> str:
    """What to say of a board that no moves lead to the goal."""
    return (f"{board} cannot reach the goal {goal}: half of all arrangements cannot; "
            f"exchanging any two tiles makes it solvable")


def _solve_chunk(solver: Solver, packed: NDArray[np.uint64]) -> dict[str, NDArray[Any]]:
    """What a foreign worker does with a chunk."""
    return solver._solve_packed(packed, 1)


_opening = threading.RLock()


def _arrived(description: _Description) -> Solver:
    """The solver of a pickle: the same one for the same description."""
    with _opening:
        return _unopened(description)


@lru_cache(maxsize=16)
def _unopened(description: _Description) -> Solver:
    solver = Solver.__new__(Solver)
    solver.__dict__.update(_description=description, _unopened=True)
    return solver


def _whole_path(folder: Folder) -> Optional[str]:
    """A folder as other processes find it, wherever they were started; ``~`` is for them to expand."""
    if folder is None:
        return None
    folder = os.fspath(folder)
    return folder if folder.startswith("~") else os.path.abspath(folder)


@lru_cache(maxsize=8)
def _solver(goal: Board) -> Solver:
    return Solver(goal=goal, shape=goal.shape)


@lru_cache(maxsize=None)
def _automaton(shape: tuple[int, int], length: int) -> Automaton:
    return Automaton(shape, length)


@lru_cache(maxsize=64)
def _embedded_table(shape: tuple[int, int], cells: int, home: int, format: str) -> Table:
    return build_in_memory(shape, cells, home, format)


@lru_cache(maxsize=None)
def _translation(back: bytes) -> bytes:
    return bytes.maketrans(bytes(range(4)), back)


def _best_partitions(files: dict[int, TableFile], shape: tuple[int, int], home: int) -> list[Partition]:
    """The partitions that can be made of these patterns, those with the largest patterns only."""
    everything = (1 << shape[0] * shape[1]) - 1 & ~(1 << home)

    def covers(left: int, usable: list[int]) -> list[Partition]:
        if not left:
            return [()]
        first = left & -left
        return [
            (cells, *rest)
            for cells in usable
            if cells & first and not cells & ~left
            for rest in covers(left & ~cells, [other for other in usable if not other & cells])
        ]

    def sizes(partition: Partition) -> list[int]:
        return sorted((bin(cells).count("1") for cells in partition), reverse=True)

    found = covers(everything, sorted(files))
    best = max(map(sizes, found), default=None)
    return [partition for partition in found if sizes(partition) == best]


def _different(views: list[Any], most: int) -> list[Any]:
    """The first `most` views that look at a board in different ways."""
    seen, kept = set(), []
    for partition, symmetry, files in views:
        inverse = [symmetry.index(cell) for cell in range(len(symmetry))]
        key = frozenset(carry(inverse, cells) for cells in partition)
        if key not in seen:
            seen.add(key)
            kept.append((partition, symmetry, files))
    return kept[:most]
