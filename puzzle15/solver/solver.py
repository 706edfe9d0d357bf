"""Optimal solutions: `Solver`, and `solve` for one board."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Optional

from ..board import (
    Board,
    BoardLike,
    BoardsLike,
    Orientation,
    Shape,
    board_beside,
    check_metric,
    goal_of,
    pack_solvable,
    parse_moves,
    unsolvable_text,
)
from ..errors import BoardError, UnsolvableError
from ..parallel import Sendable, thread_count
from ..system.later import np
from ..system.quantities import whole
from ..tables import CHECKS, FORMATS, MULTI_TILE, Folder, folder_state
from .analysis import Analysis, analysis_of, chunks
from .batches import AnswerBatch, SolutionBatch
from .choice import Choice
from .engine import Engine
from .explorer import Explorer
from .finding import Finder
from .hints import AllSolutions, Hint
from .limits import Limits
from .many import Many, analyse_chunk, hint_chunk, solve_chunk
from .opened import OpenTables
from .solution import Iteration, Solution

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Solver", "best_solver", "solve"]


class Solver(Sendable):
    """Solves boards of one shape and goal optimally.

    Parameters
    ----------
    partition : str, optional
        The tables to use: a name or tiles, as for `puzzle15.build_tables`; or ``"embedded"`` for the
        small tables that are built in memory. By default the solver takes those with the largest average
        lower bound, among the tables in the folder and the embedded ones; ``puzzle15 info`` lists them.
        Boards of up to 9 cells have a complete table in memory.
    goal : board, optional
        Any arrangement; by default the tiles in order, the blank last.
    shape : (int, int), optional
        Rows and columns, if `goal` does not determine them; by default 4x4.
    tables : path, optional
        The folder of the tables; see `puzzle15.tables.table_folder`.
    format : {"zero-aware", "classic"}, optional
        By default the format with the larger lower bounds: for the same partition, zero-aware.
    metric : {"stm", "mtm"}
        What solutions have the fewest of: single-tile moves, or multi-tile moves. A multi-tile move slides one or
        more tiles along a line. With "mtm" lengths, bounds and limits count multi-tile moves; `partition` names
        patterns such as ``"1-6/10-15"``, and there is one format only. Hints, lists of all solutions, analyses and
        labels are of single-tile moves.
    reflection : bool
        Whether to look up each board's reflections, too: the symmetries that keep the home. Where there
        are none, a second partition takes their place.
    plain : bool
        Whether to search with the textbook IDA*. It tries moves in a fixed order (blank up, left, right,
        down, after the board has been turned so that the goal is canonical) and never undoes the last move.
        Its solutions are as short; it expands more nodes.
    build : bool
        Whether to build missing tables; otherwise the solver raises an error, or uses the embedded tables.
        If several processes miss the same tables, one builds them and the others wait.
    check : {"once", "always", "never"}
        When to compare all bytes of the table files with their checksums. ``"once"``: before a file is used
        for the first time, and after it has changed; a stamp beside the file records the check. `build_tables` and
        `verify` write stamps, too. ``"always"``: whenever the file is opened. ``"never"``: no check is made,
        so a damaged table can make solutions too long, and searches slow.

    Raises
    ------
    TableMissingError
        The partition or format asked for has not been built.
    TableCorruptError
        A table file is damaged.

    Notes
    -----
    A pickled solver takes a few hundred bytes: only its settings are sent, and each process opens its own
    tables. A process opens them once, when the solver is first used, however often the same solver arrives. It
    looks in the folder that was given, or in its own default folder, and needs the same tables there.

    Attributes
    ----------
    goal : Board
    shape : (int, int)
    metric : str
    tables : OpenTables
        The tables in use: their format, partitions, files, and bytes.
    engine : Engine
        It answers packed boards.

    Examples
    --------
    >>> solver = Solver(shape=(3, 3))
    >>> solution = solver.solve("8 6 7/2 5 4/3 0 1")
    >>> solution.length, solution.optimal
    (31, True)
    >>> solver.distance_many(["1 2 3/4 5 6/7 8 0", "1 2 3/4 5 6/7 0 8"]).tolist()
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
        metric: str = "stm",
        reflection: bool = True,
        plain: bool = False,
        build: bool = False,
        check: str = "once",
    ) -> None:
        if format is not None and format not in FORMATS:
            raise ValueError(f"format {format!r}: expected {' or '.join(FORMATS)}")
        check_metric(metric)
        if metric == "mtm" and (format is not None or plain):
            what = f"format {format!r}" if format is not None else "plain=True"
            raise ValueError(f"{what} with metric 'mtm': expected neither a format nor plain; leave it out")
        if check not in CHECKS:
            raise ValueError(f"check {check!r}: expected {', '.join(CHECKS)}")
        if partition is not None and not isinstance(partition, str):
            raise TypeError(
                f"partition {partition!r}: expected text, such as '7-8'; a shape and a goal are given by "
                f"name: shape=(3, 3), goal='0 1 2/3 4 5/6 7 8'"
            )
        target = goal_of(goal, shape)
        orientation = Orientation(target)
        finder = Finder(target.shape, orientation.home, tables)
        choice = finder.choose(partition, MULTI_TILE if metric == "mtm" else format, reflection, build)
        self._use(orientation, choice, finder, tables, plain, build, check)

    def _settings(self) -> tuple[Any, ...]:
        folder = self.tables.folder
        if folder is not None and not os.fspath(folder).startswith("~"):  # each process expands that itself
            folder = os.path.abspath(folder)  # others may have started in another folder
        return (self.goal.packed, self.shape, self._choice, folder, *self._options)

    def _open(
        self, goal: int, shape: Shape, choice: Choice, folder: Folder, plain: bool, build: bool, check: str
    ) -> None:
        orientation = Orientation(Board._of(goal, shape))
        self._use(orientation, choice, Finder(shape, orientation.home, folder), folder, plain, build, check)

    def _use(
        self,
        orientation: Orientation,
        choice: Choice,
        finder: Finder,
        folder: Folder,
        plain: bool,
        build: bool,
        check: str,
    ) -> None:
        self.goal, self.shape = orientation.goal, orientation.goal.shape
        self._choice, self._options = choice, (plain, build, check)
        files = finder.files(choice, build)
        self.tables = OpenTables(choice, files, self.shape, orientation.home, folder=folder, check=check, plain=plain)
        self.engine = Engine(self.tables, orientation)
        self.metric = self.engine.metric

    def __repr__(self) -> str:
        if not self.is_open:
            return "<Solver, not opened yet>"
        where, lookups = "embedded " * self.tables.embedded, self.tables.lookups
        names = " + ".join(self.tables.partitions)
        return f"<Solver for {self.goal}: {where}{self.tables.format} {names}, {lookups} lookups>"

    # ---------------------------------------------------------------- one board

    def solve(
        self,
        board: BoardLike,
        *,
        max_length: Optional[int] = None,
        max_nodes: Optional[int] = None,
        time_limit_s: Optional[float] = None,
        workers: int = 1,
        on_iteration: Optional[Callable[[Iteration], Any]] = None,
    ) -> Solution:
        """A shortest solution of one board.

        Parameters
        ----------
        board : board
            Anything that `Board` takes.
        max_length : int, optional
            The most moves that a solution may have.
        max_nodes : int, optional
            The most nodes that may be generated: if a solution takes more, the board is not solved. The search ends a
            few milliseconds later.
        time_limit_s : float, optional
            Stop after this many seconds; infinity is no limit.
        workers : int
            The number of threads that work on the board together. The solution and its counts do not depend on it, nor
            does what is proved within `max_nodes`; then only the counts do.
        on_iteration : callable, optional
            Called with an `Iteration` each time one is finished.

        Returns
        -------
        Solution
            With the status "solved", or with the status "limit" and the lower bound that was proved before a limit
            was reached. If that was `max_length`, the lower bound is larger.

        Raises
        ------
        BoardError, UnsolvableError
        TableCorruptError
            A table file is damaged: its checksum is wrong, a look-up finds no entry, or a lower bound is
            larger than the distance of the farthest board.
        ValueError
            A limit is negative or not a number, or `workers` is not 1 .. 1024.
        TypeError
            `workers` is no number: only threads of this process share one board.
        ThreadsError
            The system refuses to start so many threads.

        Notes
        -----
        If there are several shortest solutions, the same tables always give the same one, whatever the limits
        and the number of workers.

        Examples
        --------
        >>> solver = Solver(shape=(3, 3))
        >>> solution = solver.solve("8 6 7/2 5 4/3 0 1", max_length=30)
        >>> solution.status, solution.lower_bound
        ('limit', 31)
        """
        threads = thread_count(workers)
        limits = Limits.check(max_length=max_length, max_nodes=max_nodes, time_limit_s=time_limit_s)
        return self.engine.solve_one(self._checked(board), limits, threads, on_iteration)

    def distance(self, board: BoardLike) -> int:
        """The length of a shortest solution."""
        length = self.solve(board).length
        assert length is not None
        return length

    def lower_bound(self, board: BoardLike) -> int:
        """The largest lower bound that the tables give."""
        return self.engine.lower_bound(self._checked(board))

    def hint(
        self,
        board: BoardLike,
        *,
        max_nodes: Optional[int] = None,
        time_limit_s: Optional[float] = None,
        workers: int = 1,
    ) -> Hint:
        """The distance of a board, and the first moves of all its shortest solutions.

        Parameters
        ----------
        board : board
            Anything that `Board` takes.
        max_nodes, time_limit_s, workers
            As for `solve`; nodes and time of all searches together.

        Returns
        -------
        Hint
            With the status "solved", or with the status "limit" and what was found before a limit was reached.

        Raises
        ------
        BoardError, UnsolvableError, TableCorruptError, ValueError, ThreadsError
            As for `solve`.

        Examples
        --------
        >>> hint = Solver(shape=(3, 3)).hint("8 6 7/2 5 4/3 0 1")
        >>> hint.distance, hint.moves
        (31, 'DLR')
        """
        start = time.monotonic()
        return Hint.of(self._explorer(board, max_nodes, time_limit_s, workers), start)

    def all_solutions(
        self,
        board: BoardLike,
        *,
        max_solutions: Optional[int] = None,
        max_nodes: Optional[int] = None,
        time_limit_s: Optional[float] = None,
        workers: int = 1,
    ) -> AllSolutions:
        """All shortest solutions: an iterator over their moves, which can also count them.

        They are ordered by their moves, from the first move on, and moves in the order ``UDLR``. The iterator searches
        only for what is asked of it. So the first solutions come soon, even if there are millions.

        Parameters
        ----------
        board : board
            Anything that `Board` takes.
        max_solutions : int, optional
            The most solutions to give.
        max_nodes, time_limit_s, workers
            As for `solve`; nodes and time of all searches together, and time from this call on.

        Returns
        -------
        AllSolutions
            Its attribute `complete` is true once all solutions have been given. It also counts the solutions, and
            finds the one with the fewest multi-tile moves.

        Raises
        ------
        BoardError, UnsolvableError, TableCorruptError, ValueError, ThreadsError
            As for `solve`.

        Examples
        --------
        >>> solver = Solver(shape=(3, 3))
        >>> list(solver.all_solutions("1 2 3/4 5 6/0 7 8"))
        ['LL']
        >>> solutions = solver.all_solutions("8 6 7/2 5 4/3 0 1", max_solutions=2)
        >>> [moves[:8] for moves in solutions], solutions.complete
        (['DDLURRUL', 'DDRUULLD'], False)
        """
        most = None if max_solutions is None else whole("max_solutions", max_solutions)
        return AllSolutions(self._explorer(board, max_nodes, time_limit_s, workers), most)

    def analyse(
        self,
        board: BoardLike,
        moves: str,
        *,
        convention: str = "tile",
        max_nodes: Optional[int] = None,
        time_limit_s: Optional[float] = None,
        workers: int = 1,
    ) -> Analysis:
        """Follow someone's solution, and find the moves that cost.

        Parameters
        ----------
        board : board
            Anything that `Board` takes.
        moves : str
            Legal moves, such as ``URDL2``; see `puzzle15.board.moves`. They need not lead to the goal.
        convention : {"tile", "blank"}
            Whether a letter names the direction of the tile or that of the blank.
        max_nodes, time_limit_s, workers
            As for `hint`.

        Returns
        -------
        Analysis
            With the status "limit", its distances end where a limit was reached.

        Raises
        ------
        BoardError
            The board or the moves are unreadable, or a move is illegal.
        UnsolvableError, TableCorruptError, ValueError, ThreadsError
            As for `solve`.

        Examples
        --------
        >>> analysis = Solver(shape=(3, 3)).analyse("1 2 3/4 5 6/0 7 8", "LRLDUL")
        >>> print(analysis)
        6 moves, shortest 2, lost 4, first at move 2
        >>> analysis.distances
        (2, 1, 2, 1, 2, 1, 0)
        """
        self.check_single_tile()
        board = board_beside(self.goal, board)
        letters = parse_moves(moves, convention)
        board.apply(moves, convention)
        threads = thread_count(workers)
        limits = Limits.check(max_nodes=max_nodes, time_limit_s=time_limit_s)
        return analysis_of(self.engine, self._checked(board), letters, limits, threads)

    def check_single_tile(self) -> None:
        """Raise ValueError if the solver counts multi-tile moves."""
        if self.metric != "stm":
            raise ValueError(
                "metric 'mtm': hints, lists of solutions, analyses and labels count single-tile moves; "
                "use a solver with metric='stm'"
            )

    def _checked(self, board: BoardLike) -> Board:
        """The board; UnsolvableError if it does not reach the goal."""
        board = board_beside(self.goal, board)
        if not board.is_solvable(self.goal):
            raise UnsolvableError(unsolvable_text(board, self.goal))
        return board

    def _explorer(
        self, board: BoardLike, max_nodes: Optional[int], time_limit_s: Optional[float], workers: int
    ) -> Explorer:
        self.check_single_tile()
        threads = thread_count(workers)
        limits = Limits.check(max_nodes=max_nodes, time_limit_s=time_limit_s)
        return Explorer(self.engine, self._checked(board), limits, threads)

    # ---------------------------------------------------------------- many boards

    def solve_many(
        self,
        boards: BoardsLike,
        *,
        workers: Any = 1,
        on_error: str = "raise",
        progress: Optional[Callable[[int, int], Any]] = None,
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
            Threads, or an executor (see `puzzle15.parallel.spread`). Only `seconds` depends on it, and which boards are
            not solved when `time_limit_s` ends the call.
        on_error : {"raise", "mark"}
            Whether the first bad board raises before anything is solved, or each is marked.
        progress : callable, optional
            Called with (boards done, boards) a few times a second.
        max_length : int or array of int, shape (N,), optional
            The most moves that a solution may have; an array gives each board its own limit.
        max_nodes : int or array of int, shape (N,), optional
            The most nodes that may be generated for a board, as for `solve`.
        time_limit_s : float, optional
            End the call after this many seconds; infinity is no limit. Then the lower bounds of the boards that are
            left are looked up, of about a million boards a second and thread.

        Returns
        -------
        SolutionBatch
            A board that reaches a limit has the status "limit", and in ``lower_bounds`` what was proved until then: at
            least the bound that the tables give.

        Raises
        ------
        BoardError, UnsolvableError
            With the index of the first bad board.
        ValueError
            A limit is negative or not a number, or an array of limits has another length than the boards.
        ChunkError, TableMissingError
            Workers other than threads failed: see `puzzle15.parallel.spread`.

        Notes
        -----
        Workers other than threads compare the end of the time with the clocks of their machines.

        Examples
        --------
        >>> solver = Solver(shape=(3, 3))
        >>> batch = solver.solve_many(["1 2 3/0 5 6/4 7 8", "8 6 7/2 5 4/3 0 1"], max_length=30)
        >>> batch.status.tolist(), batch.lengths.tolist(), batch.lower_bounds.tolist()
        (['solved', 'limit'], [3, -1], [3, 31])
        """
        many = Many(
            self,
            boards,
            workers=workers,
            on_error=on_error,
            progress=progress,
            max_length=max_length,
            max_nodes=max_nodes,
            time_limit_s=time_limit_s,
        )
        return SolutionBatch(
            self.goal, many.packed, many.columns(solve_chunk), many.errors, self._moves_of_path, metric=self.metric
        )

    def _moves_of_path(self, path: NDArray[np.uint8], length: int) -> str:
        return self.engine.letters_of_path(path, length)

    def distance_many(
        self,
        boards: BoardsLike,
        *,
        workers: Any = 1,
        on_error: str = "raise",
        progress: Optional[Callable[[int, int], Any]] = None,
    ) -> NDArray[np.int16]:
        """The lengths of shortest solutions, int16 (N,); -1 for a bad board that is marked.

        Parameters
        ----------
        boards, workers, on_error, progress
            As for `solve_many`, which takes limits, too.

        Examples
        --------
        >>> Solver(shape=(3, 3)).distance_many(["8 6 7/2 5 4/3 0 1", "no board"], on_error="mark").tolist()
        [31, -1]
        """
        return self.solve_many(boards, workers=workers, on_error=on_error, progress=progress).lengths

    def lower_bound_many(self, boards: BoardsLike) -> NDArray[np.uint8]:
        """The largest lower bounds that the tables give, uint8 (N,)."""
        return self.engine.lower_bounds(pack_solvable(boards, self.goal, "raise")[0])

    def hint_many(
        self,
        boards: BoardsLike,
        *,
        workers: Any = 1,
        on_error: str = "raise",
        progress: Optional[Callable[[int, int], Any]] = None,
        max_nodes: Any = None,
        time_limit_s: Optional[float] = None,
    ) -> AnswerBatch[Hint]:
        """The distances of many boards, and the first moves of all their shortest solutions.

        Parameters
        ----------
        boards, workers, on_error, progress, time_limit_s
            As for `solve_many`.
        max_nodes : int or array of int, shape (N,), optional
            The most nodes of all searches for a board together, as for `hint`.

        Returns
        -------
        AnswerBatch
            A sequence of `Hint`: the same as from `hint`, board by board, but for the times.

        Raises
        ------
        BoardError, UnsolvableError, ValueError, ChunkError, TableMissingError
            As for `solve_many`.

        Notes
        -----
        Without limits the boards share their searches, which takes a little less time than with them.

        Examples
        --------
        >>> solver = Solver(shape=(3, 3))
        >>> [hint.moves for hint in solver.hint_many(["8 6 7/2 5 4/3 0 1", "1 2 3/4 5 6/7 0 8"])]
        ['DLR', 'L']
        """
        self.check_single_tile()
        many = Many(
            self,
            boards,
            workers=workers,
            on_error=on_error,
            progress=progress,
            max_nodes=max_nodes,
            time_limit_s=time_limit_s,
        )
        hints = list(many.columns(hint_chunk, together=not many.limits.any)["answer"])
        for index, error in many.errors.items():
            hints[index] = Hint(many.board(index), self.goal, "error", None, "", 0, error=error)
        return AnswerBatch(hints, Hint(None, self.goal, "limit", None, "", 0))

    def analyse_many(
        self,
        boards: BoardsLike,
        moves: Iterable[str],
        *,
        convention: str = "tile",
        workers: Any = 1,
        on_error: str = "raise",
        progress: Optional[Callable[[int, int], Any]] = None,
        max_nodes: Any = None,
        time_limit_s: Optional[float] = None,
    ) -> AnswerBatch[Analysis]:
        """Follow many solutions, of the same board or of different ones.

        Parameters
        ----------
        boards, workers, on_error, progress, time_limit_s
            As for `solve_many`.
        moves : iterable of str
            The moves from each board, as for `analyse`.
        convention : {"tile", "blank"}
            As for `analyse`.
        max_nodes : int or array of int, shape (N,), optional
            The most nodes of all searches for a solution together, as for `analyse`.

        Returns
        -------
        AnswerBatch
            A sequence of `Analysis`. It does not depend on the workers.

        Raises
        ------
        BoardError, UnsolvableError
            With the index of the first bad board, or of the first one with bad moves.
        ValueError, ChunkError, TableMissingError
            As for `solve_many`.

        Notes
        -----
        Without `max_nodes`, solutions of the same board, and some others, share what is learned. Then `finish` may be
        another shortest solution than the one that `analyse` gives.

        Examples
        --------
        >>> solver = Solver(shape=(3, 3))
        >>> for analysis in solver.analyse_many(["1 2 3/4 5 6/0 7 8", "1 2 3/4 5 6/7 0 8"], ["LL", "RL"]):
        ...     print(analysis)
        2 moves, shortest 2, lost 0
        2 moves, shortest 1, lost 2, first at move 1, 1 to go: L
        """
        self.check_single_tile()
        many = Many(
            self,
            boards,
            workers=workers,
            on_error=on_error,
            progress=progress,
            max_nodes=max_nodes,
            time_limit_s=time_limit_s,
        )
        texts = list(moves)
        if len(texts) != len(many.packed):
            raise ValueError(f"{len(texts)} moves: expected one text for each of {len(many.packed)} boards")
        letters = np.full(len(texts), "", dtype=object)
        for index in many.good().tolist():
            board = many.board(index)
            assert board is not None
            try:
                letters[index] = parse_moves(texts[index], convention)
                board.apply(texts[index], convention)
            except BoardError as error:
                many.errors[index] = BoardError(f"board {index}: {error}")
                if on_error == "raise":
                    raise many.errors[index] from None
        parts = None
        if many.limits.max_nodes is None:
            counts = np.array([len(each) + 1 for each in letters], dtype=np.int64)
            parts = chunks(many.good(), many.packed, counts)
        found = list(many.columns(analyse_chunk, moves=letters, together=False, parts=parts)["answer"])
        for index, wrong in many.errors.items():
            found[index] = Analysis(many.board(index), self.goal, letters[index], (), (), "", "error", wrong)
        return AnswerBatch(found, Analysis(None, self.goal, "", (), (), "", "limit"))

    def label(
        self,
        boards: BoardsLike,
        *,
        first_moves: bool = False,
        table_values: bool = False,
        along_path: bool = False,
        workers: int = 1,
    ) -> dict[str, NDArray[Any]]:
        """Label many boards with their distances, solutions, and what else is asked for.

        In the columns a move is a direction of the *blank*: 0 up, 1 left, 2 right, 3 down. The tile moves in the
        opposite direction; `puzzle15.solver.moves` turns a solution into letters. A solution is packed: move i lies in
        bits 2 (i % 4) of byte i // 4.

        Parameters
        ----------
        boards : array or iterable
            As for `solve_many`.
        first_moves : bool
            Whether to find all first moves of shortest solutions.
        table_values : bool
            Whether to give the lower bound of each lookup of the tables.
        along_path : bool
            Whether all boards along its solution, except the goal, follow each board: a board at distance d
            makes d rows. The goal itself makes one row.
        workers : int
            The number of threads. The result does not depend on it.

        Returns
        -------
        dict of str to ndarray
            Columns of n rows, in the order of the boards:

            board : uint8, shape (n, cells)
                Tiles, cell by cell, 0 for the blank.
            distance : uint8, shape (n,)
                Moves of a shortest solution.
            solution : uint8, shape (n, 40)
                One shortest solution, packed; always the same one for the same tables. 0 after its end.
            first_moves : uint8, shape (n,)
                With `first_moves`: bit d is set if the blank's move in direction d (0 up, 1 left, 2 right, 3 down)
                begins a shortest solution. 0 for the goal.
            table_values : uint8, shape (n, solver.tables.lookups)
                With `table_values`: lower bounds; `lower_bound_many` is their maximum.
            start : uint32, shape (n,)
                With `along_path`: the index of the board that was given.

        Raises
        ------
        BoardError, UnsolvableError
            With the index of the first bad board.
        TableCorruptError
            A table file is damaged.

        Examples
        --------
        >>> solver = Solver(shape=(3, 3))
        >>> columns = solver.label(["1 2 3/4 5 0/7 8 6", "1 2 3/0 5 6/4 7 8"], first_moves=True)
        >>> columns["distance"].tolist(), columns["first_moves"].tolist()
        ([1, 3], [8, 8])
        >>> solver.label(["1 2 3/0 5 6/4 7 8"], along_path=True)["board"].tolist()
        [[1, 2, 3, 0, 5, 6, 4, 7, 8], [1, 2, 3, 4, 5, 6, 0, 7, 8], [1, 2, 3, 4, 5, 6, 7, 0, 8]]
        """
        from .labelling import label

        self.check_single_tile()
        threads = thread_count(workers)
        return label(
            self.engine,
            pack_solvable(boards, self.goal, "raise")[0],
            first_moves=first_moves,
            table_values=table_values,
            along_path=along_path,
            threads=threads,
        )


def solve(
    board: BoardLike,
    *,
    goal: Optional[BoardLike] = None,
    shape: Optional[Sequence[int]] = None,
    metric: str = "stm",
    max_length: Optional[int] = None,
    max_nodes: Optional[int] = None,
    time_limit_s: Optional[float] = None,
    workers: int = 1,
    on_iteration: Optional[Callable[[Iteration], Any]] = None,
) -> Solution:
    """A shortest solution of one board, found with the best installed tables.

    Parameters
    ----------
    board : board
        Anything that `Board` takes.
    goal : board, optional
        By default the tiles in order, the blank last.
    shape : (int, int), optional
        Rows and columns, if `board` does not determine them.
    metric : {"stm", "mtm"}
        What the solution has the fewest of: single-tile moves, or multi-tile moves, which slide one or more tiles
        along a line. ``length`` counts these.
    max_length, max_nodes, time_limit_s, workers, on_iteration
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


def best_solver(goal: Board, *, tables: Folder = None, metric: str = "stm") -> Solver:
    """The solver of a goal with the best installed tables: one object until tables are added or removed."""
    return _best_solver(goal, None if tables is None else os.fspath(tables), folder_state(tables), metric)


@lru_cache(maxsize=8)
def _best_solver(goal: Board, tables: Optional[str], state: tuple[Any, ...], metric: str) -> Solver:
    return Solver(goal=goal, tables=tables, metric=metric)
