"""`Solver`: answers about boards of one goal; `solve`: the same with the best installed tables."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Optional

from .._system.keywords import explains_keywords
from .._system.locking import ThreadLock
from .._system.quantities import check_choice
from .._system.sendable import Sendable
from .._system.threads import thread_count
from .._system.workers import Workers
from ..board import Board, BoardLike, BoardsLike, Shape, parse_moves
from ..board._board import goal_of
from ..board._moves import Convention, Metric, check_metric
from ..board._notation import listed
from ..board._packing import OnError
from ..board._solvability import board_to_solve, pack_solvable
from ..errors import OptionError
from ..tables._file import Format
from ..tables._folder import CHECKS, Check, Folder, folder_state
from ._analysis import Analysis, analyses_of, analysis_of, chunks
from ._batches import AnswerBatch, SolutionBatch
from ._choice import Choice, Finder
from ._engine import Engine, Limits, Progress
from ._hints import AllSolutions, Hint, hint_of, hints_of, share_searches
from ._many import Many
from ._opened import OpenTables
from ._solution import Iteration, Solution

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Solver(Sendable):
    """Solves boards of one shape and goal optimally.

    Parameters
    ----------
    partition : str, optional
        The tables to use: a name or tiles, as for `puzzle15.build_tables`; or ``"embedded"`` for the small tables that
        are built in memory. By default the solver takes those with the largest average lower bound, among the tables
        in the folder and the embedded ones. Boards of up to 9 cells have a complete table in memory.
    goal : board, optional
        Any arrangement; by default the tiles in order, the blank last.
    shape : (int, int), optional
        Rows and columns, if `goal` does not determine them; by default 4x4.
    tables : path, optional
        The folder of the tables; see `puzzle15.tables.table_folder`.
    format : {"zero-aware", "classic"}, optional
        By default the format with the larger lower bounds: for the same partition, zero-aware.
    metric : {"stm", "mtm"}
        Whether lengths, bounds and limits count single-tile moves, or multi-tile moves, each of which slides one or
        more tiles along a line. With "mtm", `partition` names patterns such as ``"1-6/10-15"``, and there are no
        labels.
    reflection : bool
        Whether to look up each board's reflections, too, or a second partition where there are none.
    plain : bool
        Whether to search with the textbook IDA*, which expands more nodes. On the turned board, whose goal is the
        canonical one, it moves the blank up, left, right, down, and never undoes the last move.
    build : bool
        Whether to build missing tables; otherwise the solver raises TableMissingError, or uses the embedded tables.
    check : {"once", "always", "never"}
        When to compare all bytes of the table files with their checksums: before a file is used for the first time
        and after it has changed, whenever it is opened, or never. A damaged file raises TableCorruptError; if it is
        not checked, solutions can be too long.

    Attributes
    ----------
    goal, shape, metric
    open_tables : OpenTables
        The tables in use: their format, partitions, files, and bytes.
    engine : Engine
        It answers packed boards.

    Notes
    -----
    A pickled solver has only the settings. Each process opens its own tables when the solver is first used.

    Examples
    --------
    >>> solution = Solver(shape=(3, 3)).solve("8 6 7/2 5 4/3 0 1")
    >>> solution.length, solution.optimal
    (31, True)
    """

    def __init__(
        self,
        partition: Optional[str] = None,
        *,
        goal: Optional[BoardLike] = None,
        shape: Optional[Sequence[int]] = None,
        tables: Folder = None,
        format: Optional[Format] = None,
        metric: Metric = "stm",
        reflection: bool = True,
        plain: bool = False,
        build: bool = False,
        check: Check = "once",
    ) -> None:
        if plain and metric == "mtm":
            raise OptionError("plain=True with metric 'mtm': expected False; the textbook search counts single tiles")
        check_choice("check", check, CHECKS)
        finder = Finder(goal_of(goal, shape), tables)
        self._use(finder, finder.choose(partition, format, metric, reflection, build), plain, build, check)

    def _settings(self) -> tuple[Any, ...]:
        folder = self.open_tables.folder
        if folder is not None and not os.fspath(folder).startswith("~"):  # each process expands that itself
            folder = os.path.abspath(folder)  # others may have started in another folder
        return (self.goal.packed, self.shape, folder, self._choice, *self._options)

    def _open(self, goal: int, shape: Shape, folder: Folder, *options: Any) -> None:
        self._use(Finder(Board._of(goal, shape), folder), *options)

    def _use(self, finder: Finder, choice: Choice, plain: bool, build: bool, check: Check) -> None:
        self.goal = finder.orientation.goal
        self.shape = self.goal.shape
        self._choice, self._options = choice, (plain, build, check)
        self.open_tables = OpenTables(choice, finder, check=check, build=build, plain=plain)
        self.engine = Engine(self.open_tables, finder.orientation)
        self.metric = self.engine.metric

    def __repr__(self) -> str:
        if not self.is_open:
            return "<Solver, not opened yet>"
        where, lookups = "embedded " * self.open_tables.embedded, self.open_tables.lookups
        names = " + ".join(self.open_tables.partitions)
        return f"<Solver for {self.goal}: {where}{self.open_tables.format} {names}, {lookups} lookups>"

    @explains_keywords
    def solve(
        self,
        board: BoardLike,
        *,
        max_length: Optional[int] = None,
        max_nodes: Optional[int] = None,
        time_limit_s: Optional[float] = None,
        workers: Optional[int] = 1,
        on_iteration: Optional[Callable[[Iteration], Any]] = None,
    ) -> Solution:
        """Return a shortest solution of one board.

        Parameters
        ----------
        board : board
            Anything that `Board` takes.
        max_length : int, optional
            The most moves that a solution may have.
        max_nodes : int, optional
            The most nodes that may be generated. The search ends a few milliseconds after it has generated more.
        time_limit_s : float, optional
            Stop after this many seconds; infinity means no limit.
        workers : int or None
            The number of threads that work on the board together. Only the node counts of a board that is not solved
            depend on it.
        on_iteration : callable, optional
            Called with each `Iteration`, at most some milliseconds after its end.

        Returns
        -------
        Solution
            With the status "solved", or with the status "limit" and the lower bound that was proved before a limit
            was reached. Of several shortest solutions, the same tables always give the same one.

        Raises
        ------
        BoardError, UnsolvableError
        TableCorruptError
            A table has a wrong checksum, lacks an entry, or gives a bound beyond the farthest board's distance.
        ValueError, TypeError, ThreadsError
            A limit is negative or not a number; `workers` is not 1 .. 1024, or more threads than the system starts.

        Examples
        --------
        >>> solution = Solver(shape=(3, 3)).solve("8 6 7/2 5 4/3 0 1", max_length=30)
        >>> solution.status, solution.lower_bound
        ('limit', 31)
        """
        threads = thread_count(workers)
        limits = Limits.check(max_length=max_length, max_nodes=max_nodes, time_limit_s=time_limit_s)
        return self.engine.solve_one(board_to_solve(self.goal, board), limits, threads, on_iteration)

    @explains_keywords
    def solve_many(
        self,
        boards: BoardsLike,
        *,
        workers: Workers = 1,
        on_error: OnError = "raise",
        progress: Progress = None,
        max_length: Any = None,
        max_nodes: Any = None,
        time_limit_s: Optional[float] = None,
    ) -> SolutionBatch:
        """Shortest solutions of many boards.

        Parameters
        ----------
        boards : array or iterable
            Anything that `Board` takes, in a list; or an integer array (N, cells) or
            (N, rows, cols), or a uint64 array (N,) of packed boards.
        workers : int or executor
            Threads, or an executor: anything with ``submit`` (see `puzzle15.dataset.connect`). Only `seconds`
            depends on it, and which boards are not solved when `time_limit_s` ends the call.
        on_error : {"raise", "mark"}
            Whether the first bad board raises before anything is solved, or each is marked.
        progress : callable, optional
            Called with (boards done, boards) a few times a second.
        max_length, max_nodes : int or array of int, shape (N,), optional
            As for `solve`; an array gives each board its own limit.
        time_limit_s : float, optional
            End the call after this many seconds; infinity means no limit. Boards that were not begun have the
            lower bound of their Manhattan distance.

        Returns
        -------
        SolutionBatch

        Raises
        ------
        BoardError, UnsolvableError
            With the index of the first bad board.
        ValueError
            A limit is negative or not a number, or an array of limits has another length than the boards.
        ChunkError, TableMissingError
            Workers other than threads failed.

        Examples
        --------
        >>> solver = Solver(shape=(3, 3))
        >>> batch = solver.solve_many(["1 2 3/0 5 6/4 7 8", "8 6 7/2 5 4/3 0 1"], max_length=30)
        >>> batch.status.tolist(), batch.lengths.tolist(), batch.lower_bounds.tolist()
        (['solved', 'limit'], [3, -1], [3, 31])
        """
        limits = {"max_length": max_length, "max_nodes": max_nodes, "time_limit_s": time_limit_s}
        many = Many(self, boards, workers, on_error, progress, **limits)
        return SolutionBatch(self, many.packed, many.solutions(), many.errors)

    def distance(self, board: BoardLike) -> int:
        """Return the length of a shortest solution."""
        length = self.solve(board).length
        assert length is not None
        return length

    def distance_many(
        self, boards: BoardsLike, *, workers: Workers = 1, on_error: OnError = "raise", progress: Progress = None
    ) -> NDArray[np.int32]:
        """Return the lengths of shortest solutions, int32 (N,); -1 for a bad board.

        The options are those of `solve_many`.

        >>> Solver(shape=(3, 3)).distance_many(["8 6 7/2 5 4/3 0 1", "no board"], on_error="mark").tolist()
        [31, -1]
        """
        return self.solve_many(boards, workers=workers, on_error=on_error, progress=progress).lengths

    def lower_bound(self, board: BoardLike) -> int:
        """Return the largest lower bound that the tables give."""
        return self.engine.lower_bound(board_to_solve(self.goal, board))

    def lower_bound_many(self, boards: BoardsLike, *, on_error: OnError = "raise") -> NDArray[np.uint8]:
        """Return the largest lower bounds that the tables give, uint8 (N,); 0 for a bad board, which proves nothing."""
        packed, errors = pack_solvable(boards, self.goal, on_error)
        if errors:
            packed = packed.copy()
            packed[list(errors)] = self.goal.packed
        return self.engine.lower_bounds(packed)

    @explains_keywords
    def hint(
        self,
        board: BoardLike,
        *,
        max_nodes: Optional[int] = None,
        time_limit_s: Optional[float] = None,
        workers: Optional[int] = 1,
    ) -> Hint:
        """Return the distance of a board, and the first moves of all its shortest solutions.

        Parameters
        ----------
        board, max_nodes, time_limit_s, workers
            As for `solve`; nodes and time of all searches together. If a limit is reached, the hint has the status
            "limit", and what was found until then.

        Examples
        --------
        >>> hint = Solver(shape=(3, 3)).hint("8 6 7/2 5 4/3 0 1")
        >>> hint.distance, hint.best_moves
        (31, 'DLR')
        """
        return hint_of(*self._task(board, max_nodes, time_limit_s, workers))

    @explains_keywords
    def hint_many(
        self,
        boards: BoardsLike,
        *,
        workers: Workers = 1,
        on_error: OnError = "raise",
        progress: Progress = None,
        max_nodes: Any = None,
        time_limit_s: Optional[float] = None,
    ) -> AnswerBatch[Hint]:
        """Return the hints for many boards: the same as from `hint`, board by board, but for the times.

        Parameters
        ----------
        boards, workers, on_error, progress, max_nodes, time_limit_s
            As for `solve_many`. Without limits the boards share their searches, which takes a little less time.

        Examples
        --------
        >>> solver = Solver(shape=(3, 3))
        >>> [hint.best_moves for hint in solver.hint_many(["8 6 7/2 5 4/3 0 1", "1 2 3/4 5 6/7 0 8"])]
        ['DLR', 'L']
        """
        many = Many(self, boards, workers, on_error, progress, max_nodes=max_nodes, time_limit_s=time_limit_s)
        empty = Hint(None, self.goal, "limit", None, "", 0, metric=self.metric)
        return many.batch(hints_of, empty, together=share_searches(self.engine, many.limits))

    def all_solutions(
        self,
        board: BoardLike,
        *,
        max_nodes: Optional[int] = None,
        time_limit_s: Optional[float] = None,
        workers: Optional[int] = 1,
    ) -> AllSolutions:
        """Return all shortest solutions: an iterator over their moves, which can also count them.

        Parameters
        ----------
        board, max_nodes, time_limit_s, workers
            As for `hint`; time from this call on. The iterator searches only for the solutions that are taken.

        Examples
        --------
        >>> from itertools import islice
        >>> solutions = Solver(shape=(3, 3)).all_solutions("8 6 7/2 5 4/3 0 1")
        >>> [moves[:8] for moves in islice(solutions, 2)], solutions.complete
        (['DDLURRUL', 'DDRUULLD'], False)
        """
        return AllSolutions(*self._task(board, max_nodes, time_limit_s, workers))

    def analyse(
        self,
        board: BoardLike,
        moves: str,
        *,
        convention: Convention = "tile",
        max_nodes: Optional[int] = None,
        time_limit_s: Optional[float] = None,
        workers: Optional[int] = 1,
    ) -> Analysis:
        """Follow someone's solution, and find the mistakes.

        Parameters
        ----------
        board, max_nodes, time_limit_s, workers
            As for `hint`. With the status "limit", the distances end where a limit was reached.
        moves : str
            Legal moves, such as ``URDL2``, which need not lead to the goal; BoardError if one is illegal. In multi-tile
            moves, all equal letters in a row are one move.
        convention : {"tile", "blank"}
            Whether a letter names the direction of the tile or that of the blank.

        Examples
        --------
        >>> print(Solver(shape=(3, 3)).analyse("1 2 3/4 5 6/0 7 8", "LRLDUL"))
        6 moves, shortest 2, lost 4, first at move 2
        """
        engine, start, limits, threads = self._task(board, max_nodes, time_limit_s, workers)
        letters = parse_moves(moves, convention=convention)
        start.apply(moves, convention=convention)
        return analysis_of(engine, start, letters, limits, threads)

    def analyse_many(
        self,
        boards: BoardsLike,
        moves: Iterable[str],
        *,
        convention: Convention = "tile",
        workers: Workers = 1,
        on_error: OnError = "raise",
        progress: Progress = None,
        max_nodes: Any = None,
        time_limit_s: Optional[float] = None,
    ) -> AnswerBatch[Analysis]:
        """Follow many solutions, of the same board or of different ones.

        Parameters
        ----------
        boards, workers, on_error, progress, max_nodes, time_limit_s
            As for `solve_many`. Without `max_nodes`, solutions of the same board, and some others, share what is
            learned. Then `finish` may be another shortest solution than the one that `analyse` gives.
        moves, convention
            As for `analyse`, with a text for each board; with ``on_error="mark"``, bad ones are marked, too.

        Examples
        --------
        >>> solver = Solver(shape=(3, 3))
        >>> for analysis in solver.analyse_many(["1 2 3/4 5 6/0 7 8", "1 2 3/4 5 6/7 0 8"], ["LL", "RL"]):
        ...     print(analysis)
        2 moves, shortest 2, lost 0
        2 moves, shortest 1, lost 2, first at move 1, 1 to go: L
        """
        many = Many(self, boards, workers, on_error, progress, max_nodes=max_nodes, time_limit_s=time_limit_s)
        letters = many.read_moves(listed(moves, "text"), convention)
        parts = None if max_nodes is not None else chunks(many.good(), many.packed, [len(each) + 1 for each in letters])
        empty = Analysis(None, self.goal, "", (), (), "", "limit", metric=self.metric)
        return many.batch(analyses_of, empty, moves=letters, together=False, parts=parts)

    def _task(
        self, board: BoardLike, max_nodes: Optional[int], time_limit_s: Optional[float], workers: Optional[int]
    ) -> tuple[Engine, Board, Limits, int]:
        """Return what answers about one board begin with."""
        threads = thread_count(workers)
        limits = Limits.check(max_nodes=max_nodes, time_limit_s=time_limit_s)
        return self.engine, board_to_solve(self.goal, board), limits, threads


def check_single_tile(solver: Solver) -> None:
    """Raise ValueError if the solver counts multi-tile moves."""
    if solver.metric != "stm":
        raise OptionError(
            "metric 'mtm': labels, scrambles and environments count single-tile moves; use a solver with metric='stm'"
        )


@explains_keywords
def solve(
    board: BoardLike,
    *,
    goal: Optional[BoardLike] = None,
    shape: Optional[Sequence[int]] = None,
    metric: Metric = "stm",
    max_length: Optional[int] = None,
    max_nodes: Optional[int] = None,
    time_limit_s: Optional[float] = None,
    workers: Optional[int] = 1,
    on_iteration: Optional[Callable[[Iteration], Any]] = None,
) -> Solution:
    """Return a shortest solution of one board, found with the best installed tables.

    Parameters
    ----------
    board, max_length, max_nodes, time_limit_s, workers, on_iteration
        As for `Solver.solve`.
    goal, shape, metric
        As for `Solver`; by default `board` determines the shape.

    Examples
    --------
    >>> solution = solve("8 6 7/2 5 4/3 0 1", metric="mtm")
    >>> solution.length, solution.single_tile_length
    (20, 31)
    """
    start = Board(board, shape)
    return best_solver(goal_of(goal, start.shape), metric=metric).solve(
        start,
        max_length=max_length,
        max_nodes=max_nodes,
        time_limit_s=time_limit_s,
        workers=workers,
        on_iteration=on_iteration,
    )


def best_solver(goal: Board, *, tables: Folder = None, metric: Metric = "stm") -> Solver:
    """Return the solver of a goal with the best installed tables: one object until tables are added or removed.

    Threads that need the same tables wait until one of them has opened them.
    """
    check_metric(metric)
    with _opening[goal.shape, metric]:
        return _best_solver(goal, None if tables is None else os.fspath(tables), folder_state(tables), metric)


_opening: defaultdict[tuple[Shape, str], ThreadLock] = defaultdict(ThreadLock)


@lru_cache(maxsize=8)
def _best_solver(goal: Board, tables: Optional[str], state: tuple[Any, ...], metric: Metric) -> Solver:
    return Solver(goal=goal, tables=tables, metric=metric)
