"""Optimal solutions: `Solver`, and `solve` for one board.

A solver turns boards so that their goal becomes the canonical one (the blank's cell carried to the
cell that stands for its home, the tiles renamed in order), searches there, and turns the moves back.
"""

from __future__ import annotations

import os
import platform
import shlex
import time
from collections.abc import Callable, Sequence
from concurrent.futures import wait
from contextlib import contextmanager, suppress
from functools import cache, cached_property, lru_cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple, Optional

import numpy as np
from numpy.typing import NDArray

from .._core.base import board as _board
from .._core.optimal.idastar import Automaton, Batch, Problem, directions_of_path
from .._core.tables.tables import Table
from ..board import (
    Board,
    BoardLike,
    BoardsLike,
    Orientation,
    board_beside,
    goal_of,
    moves_from_directions,
    pack_readable,
)
from ..errors import BoardError, Puzzle15Error, TableCorruptError, TableMissingError, UnsolvableError
from ..parallel import Team, ThreadLock, check_stop, result_of, spread, thread_count
from ..published import check_bound, farthest
from ..system.machine import available_memory
from ..system.quantities import seconds, whole
from ..tables import (
    CHECKS,
    FORMATS,
    Folder,
    Partition,
    TableFile,
    build_in_memory,
    find_tables,
    folder_state,
    open_table,
    parse_partition,
    partition_name,
    table_folder,
)
from ..tables import (
    build as build_tables,
)
from .choice import View, choices, embedded_choice, named_choice, usable_files
from .solution import Iteration, Solution, SolutionBatch

__all__ = ["Solver", "solve"]

_WORD_LENGTH = 10  # of the automaton: 33 kB on 4x4
_LANES = 4
_MANY_BOARDS, _MANY_NODES = 2_000, 5_000_000  # when it pays to read tables into memory of large pages
_SIZES_INTERVAL_S = 0.01  # between two looks at the sizes of mapped files
_CHUNKS = 64  # that boards are spread in, so that workers end together;
_MOST_IN_CHUNK = 256  # more, if a chunk would be longer: with the 7-8 tables, a tenth of a second's work

_loading = ThreadLock()  # one after the other, since each takes memory


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
    check: str


class Solver:
    """Solves boards of one shape and goal optimally.

    Parameters
    ----------
    partition : str, optional
        Which tables to use: a name or tiles, see `puzzle15.tables.build`; or ``"embedded"`` for the
        small ones that are built in memory. By default those that give the largest lower bound on
        average, of the tables in the folder and the embedded ones; ``puzzle15 info`` tells which, and
        why. Boards of up to 9 cells have a complete table in memory.
    goal : board, optional
        Any arrangement; by default the tiles in order, the blank last.
    shape : (int, int), optional
        Rows and columns, where `goal` does not tell; by default 4x4.
    tables : path, optional
        The folder of the tables; see `puzzle15.tables.table_folder`.
    format : {"zero-aware", "classic"}, optional
        By default the better ones; of the same partition, zero-aware tables are.
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
    check : {"once", "always", "never"}
        When to compare all bytes of the table files with their checksums. ``"once"``: before a file is used
        for the first time, and after it has changed; then a stamp beside it says so, which `build` and
        `verify` write, too. ``"always"``: whenever the file is opened. ``"never"``: a damaged table can then
        make solutions too long, and searches slow.

    Raises
    ------
    TableMissingError
        The partition or format asked for has not been built.
    TableCorruptError
        A table file is damaged.

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
        check: str = "once",
    ) -> None:
        if format is not None and format not in FORMATS:
            raise ValueError(f"format {format!r}: expected {' or '.join(FORMATS)}")
        if check not in CHECKS:
            raise ValueError(f"check {check!r}: expected {', '.join(CHECKS)}")
        if partition is not None and not isinstance(partition, str):
            raise TypeError(
                f"partition {partition!r}: expected text, such as '7-8'; a shape and a goal are given by "
                f"name: shape=(3, 3), goal='0 1 2/3 4 5/6 7 8'"
            )
        self.goal = goal_of(goal, shape)
        self.shape = self.goal.shape
        self._orient()
        self._folder = tables
        self._check = check
        choice = self._choose(partition, tables, format, reflection, build)
        self.format, self.embedded = choice.format, choice.embedded
        self._open_views(choice.views, plain)
        self._description = _Description(
            self.goal.packed,
            self.shape,
            _whole_path(tables),
            self.format,
            self.embedded,
            tuple((view.partition, tuple(view.symmetry)) for view in choice.views),
            plain,
            build,
            check,
        )

    def _open_views(self, views, plain):
        opened: dict[int, Table] = {}
        self._files: dict[Table, TableFile] = {}  # of mapped tables
        self._sizes_due = 0.0  # when to look at their sizes again
        self.table_files: list[TableFile] = []
        chosen = []
        self.partitions = list(dict.fromkeys(partition_name(p, self._home) for p, _, _ in views))
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

        That takes a tenth of a second, so it is for work that takes longer; `running` as for
        `Problem.move_tables`. Without much memory, or while others search, nothing happens.
        """
        with _loading:
            if not self._files or self._problem.running > running or available_memory() < 4 * self.table_bytes:
                return
            try:
                moved = {table: file.load() for table, file in self._files.items()}
            except TableCorruptError:
                raise
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
            if self.__dict__.get("_unopened") and not name.startswith("__"):
                with _opening:
                    if self._unopened:
                        self.__dict__.update(Solver._described(self._description).__dict__, _unopened=False)
            return object.__getattribute__(self, name)

    @classmethod
    def _described(cls, description):
        self = cls.__new__(cls)
        self._description = description
        self.goal = Board(description.goal, description.shape)
        self.shape = self.goal.shape
        self._orient()
        self._folder, self.format, self.embedded = description.folder, description.format, description.embedded
        self._check = description.check
        files, broken = ({}, []) if self.embedded else self._find_files()
        for parts, _ in description.views:
            if self.embedded or all(cells in files for cells in parts):
                continue
            name = partition_name(parts, self._home)
            if not description.build:
                where = f"on host {platform.node()}: "
                raise TableMissingError(where + self._missing(name, self._folder, self.format, broken))
            self._build(name, self._folder, self.format)
            files, broken = self._find_files()
        self._open_views([View(parts, symmetry, files) for parts, symmetry in description.views], description.plain)
        return self

    def __repr__(self) -> str:
        if self.__dict__.get("_unopened"):
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
            A table file is damaged: found by its checksum, a lookup, a bound above that of the farthest board.
        ValueError
            A limit is negative or no number, or `threads` not 1 .. 1024.
        ThreadsError
            The system does not start as many threads.

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
        threads = thread_count(threads)
        limit = self._farthest if limit is None else min(whole("limit", limit), self._farthest)
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
            check_bound(answer["lower_bound"], self._farthest, board)
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
        boards: BoardsLike,
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
        threads = None
        if workers is None or isinstance(workers, (int, np.integer)):
            threads = 1 if workers is None else thread_count(workers, "workers")
        packed, errors = pack_solvable(boards, self.goal, on_error)
        skip = np.zeros(len(packed), dtype=np.uint8)
        skip[list(errors)] = 1
        if threads is None:
            results = self._spread(packed, skip, workers, progress)
        else:
            results = self._solve_packed(packed, threads, skip, progress=progress)
        return SolutionBatch(self.goal, packed, results, errors, self._moves_of_path)

    def distances(self, boards: BoardsLike, workers: Any = 1) -> NDArray[np.int16]:
        """The lengths of shortest solutions, int16 (N,)."""
        return self.solve_many(boards, workers=workers).lengths

    def heuristics(self, boards: BoardsLike) -> NDArray[np.uint8]:
        """The tables' lower bounds, uint8 (N,)."""
        return self._look_up(pack_solvable(boards, self.goal, "raise")[0])

    def _solve_packed(self, packed, workers, skip=None, limits=None, progress=None, what="board {}"):
        """The arrays of a `Batch` of boards that can reach the goal, those to skip apart."""
        if skip is None:
            skip = np.zeros(len(packed), dtype=np.uint8)
        self._check_sizes()
        if len(packed) >= _MANY_BOARDS:
            self._load_tables()
        limits = np.full(len(packed), self._farthest, dtype=np.uint8) if limits is None else limits
        batch = Batch(self._problem, self._turn(packed), skip, limits)
        self._run(batch, workers, progress, len(packed))
        results = batch.arrays()
        self._check_statuses(np.where(skip == 0, results["status"], 0), what)
        bounds = results["lower_bound"]
        for index in np.flatnonzero(bounds > self._farthest)[:1]:
            with self._folder_named():
                check_bound(bounds[index], self._farthest, what.format(index))
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
        self._check_sizes()
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
            with Team(workers) as team:
                futures = [team.submit(batch.work) for _ in range(workers)]
                while wait(futures, timeout=0.05).not_done:
                    check_stop()
                    tell()
                for future in futures:
                    result_of(future)
        if progress:
            progress(batch.done, count)

    # ---------------------------------------------------------------- orientation

    def _orient(self):
        """Find the symmetry and the renaming that make the goal canonical."""
        orientation = Orientation(self.goal)
        self._home, self._direction_back = orientation.home, orientation.direction_back
        self._turn, self._turn_one = orientation.turn, orientation.turn_one
        self._farthest = farthest(self.shape, self._home)  # a larger bound is of a damaged table

    def _turn_back(self, directions):
        return moves_from_directions(directions.translate(_translation(self._direction_back)))

    def _moves_of_path(self, path, length):
        return self._turn_back(directions_of_path(path, length))

    def _unsolvable(self, board):
        return unsolvable_text(board, self.goal)

    # ---------------------------------------------------------------- tables

    def _choose(self, partition, folder, format, reflection, build):
        """The `Choice` of the tables that were asked for, or the best one."""
        wanted = None if partition in (None, "embedded") else self._parse(partition)
        if partition == "embedded" or (partition is None and format is None and self.shape[0] * self.shape[1] <= 9):
            return embedded_choice(self.shape, self._home, reflection, format or "zero-aware")
        found, broken = find_tables(folder)
        formats = list(FORMATS) if format is None else [format]
        if wanted:
            best = named_choice(wanted, found, self.shape, self._home, reflection, formats)
        else:
            ranked = choices(found, self.shape, self._home, reflection, formats)
            best = next((choice for choice in ranked if format is None or not choice.embedded), None)
        if build and (best is None or best.embedded):
            self._build(partition, folder, format or "zero-aware")
            return self._choose(partition, folder, format, reflection, False)
        if best is None:
            raise TableMissingError(self._missing(partition, folder, format, broken))
        return best

    def _find_files(self):
        """(files by pattern, what is wrong with others)"""
        found, broken = find_tables(self._folder)
        return usable_files(found, self.shape, self._home, self.format), broken

    def _build(self, partition, folder, format):
        build_tables(partition, shape=self.shape, home=self._home, format=format, directory=folder)

    def _parse(self, partition):
        try:
            return parse_partition(partition, self.shape, self._home)
        except ValueError as error:
            with suppress(BoardError):
                raise ValueError(
                    f"partition {partition!r}: this is a board; expected tables, such as '7-8'; "
                    f"a goal is given by name: goal={str(Board(partition))!r}"
                ) from None
            raise error from None

    def _open(self, cells, file: Optional[TableFile]):
        if file is None:
            return _embedded_table(self.shape, cells, self._home, self.format)
        table = open_table(file, self._check)
        goal = [cell for cell in range(cells.bit_length()) if cells >> cell & 1]
        with self._folder_named():
            if table.value(goal, self._home) != 0:  # no search would find it
                raise TableCorruptError(f"{file.path}: the goal has not the value 0")
        return table

    @contextmanager
    def _folder_named(self):
        """Say of a damaged table where to look for it; the search cannot tell which one it is."""
        self._check_sizes()
        try:
            yield
        except TableCorruptError as error:
            raise TableCorruptError(
                f"{error}; find the damaged file in {table_folder(self._folder)}: puzzle15 verify"
            ) from None

    def _check_sizes(self):
        """TableCorruptError if a mapped file was cut off: to read what is no longer there would end the process.

        Not with every small search, since asking takes some microseconds.
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
        text = (
            f"no {format or ''} tables of {what} for {self.shape[0]}x{self.shape[1]} with the blank's home "
            f"at cell {self._home} in {table_folder(folder)}; build them: {command}"
        ).replace("no  ", "no ")
        return "; ".join([text, *map(str, broken)])


def solve(
    board: BoardLike,
    goal: Optional[BoardLike] = None,
    shape: Optional[Sequence[int]] = None,
    *,
    limit: Optional[int] = None,
    max_nodes: Optional[int] = None,
    time_limit_s: Optional[float] = None,
    threads: int = 1,
    on_iteration: Optional[Callable[[Iteration], Any]] = None,
) -> Solution:
    """A shortest solution of one board, with the best tables that are there when it is called.

    Parameters
    ----------
    board : board
        Anything that `Board` takes.
    goal : board, optional
        By default the tiles in order, the blank last.
    shape : (int, int), optional
        Rows and columns, where `board` does not tell.
    limit, max_nodes, time_limit_s, threads, on_iteration
        As for `Solver.solve`.

    Returns
    -------
    Solution

    Raises
    ------
    BoardError, UnsolvableError
    TableCorruptError
        A table file is damaged.

    Examples
    --------
    >>> solve("1 2 3/0 5 6/4 7 8").moves
    'ULL'
    >>> solve("0 1 2/3 4 5/6 7 8", goal="1 0 2/3 4 5/6 7 8").moves
    'L'
    """
    start = Board(board, shape)
    return best_solver(goal_of(goal, start.shape)).solve(
        start, limit=limit, max_nodes=max_nodes, time_limit_s=time_limit_s, threads=threads, on_iteration=on_iteration
    )


def best_solver(goal: Board, tables: Folder = None) -> Solver:
    """The solver of a goal with the best tables that are there now: the same one until tables come or go."""
    return _best_solver(goal, tables, folder_state(tables))


@lru_cache(maxsize=8)
def _best_solver(goal: Board, tables: Folder, state: tuple[Any, ...]) -> Solver:
    return Solver(goal=goal, tables=tables)


def pack_solvable(boards: Any, goal: Board, on_error: str) -> tuple[NDArray[np.uint64], dict[int, Puzzle15Error]]:
    """`pack_readable`, and the errors by index: of boards that are none (0), and of those that cannot reach the goal.

    With ``on_error="raise"``, the first is raised.
    """
    if on_error not in ("raise", "mark"):
        raise ValueError(f"on_error={on_error!r}: expected 'raise' or 'mark'")
    packed, shape, unreadable = pack_readable(boards, goal=goal)
    errors: dict[int, Puzzle15Error] = dict(unreadable)
    readable = np.ones(len(packed), dtype=bool)
    readable[list(errors)] = False
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
    return (
        f"{board} cannot reach the goal {goal}: half of all arrangements cannot; "
        f"exchanging any two tiles makes it solvable"
    )


def _solve_chunk(solver: Solver, packed: NDArray[np.uint64]) -> dict[str, NDArray[Any]]:
    """What a foreign worker does with a chunk."""
    return solver._solve_packed(packed, 1)


_opening = ThreadLock()


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


@cache
def _automaton(shape: tuple[int, int], length: int) -> Automaton:
    return Automaton(shape, length)


@lru_cache(maxsize=64)
def _embedded_table(shape: tuple[int, int], cells: int, home: int, format: str) -> Table:
    return build_in_memory(shape, cells, home, format)


@cache
def _translation(back: bytes) -> bytes:
    return bytes.maketrans(bytes(range(4)), back)
