"""`Solver`: answers about boards of one goal."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from typing import Any, Optional

from ..board import (
    Board,
    BoardLike,
    Orientation,
    Shape,
    board_beside,
    check_metric,
    goal_of,
    parse_moves,
    unsolvable_text,
)
from ..errors import UnsolvableError
from ..parallel import thread_count
from ..system.quantities import whole
from ..tables import CHECKS, FORMATS, MULTI_TILE, Folder
from .analysis import Analysis, analysis_of
from .choice import Choice
from .engine import Engine
from .finding import Finder
from .hints import AllSolutions, Explorer, Hint
from .limits import Limits
from .many_boards import ManyBoards
from .opened import OpenTables
from .solution import Iteration, Solution

__all__ = ["Solver"]


class Solver(ManyBoards):
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
        Whether solutions have the fewest single-tile moves, or the fewest multi-tile moves, each of which slides one or
        more tiles along a line. With "mtm" lengths, bounds and limits count multi-tile moves; `partition` names
        patterns such as ``"1-6/10-15"``; and there are no hints, lists of solutions, analyses and labels.
    reflection : bool
        Whether to look up each board's reflections, too: the symmetries that keep the home. Where there
        are none, a second partition takes their place.
    plain : bool
        Whether to search with the textbook IDA*, which expands more nodes. It tries moves in a fixed order (blank
        up, left, right, down, after the board has been turned so that the goal is canonical) and never undoes the
        last move.
    build : bool
        Whether to build missing tables; otherwise the solver raises an error, or uses the embedded tables.
        If several processes miss the same tables, one builds them and the others wait.
    check : {"once", "always", "never"}
        When to compare all bytes of the table files with their checksums. ``"once"``: before a file is used for the
        first time, and after it has changed; a stamp beside the file records the check. ``"always"``: whenever the
        file is opened. ``"never"``: a damaged table can make solutions too long, and searches slow.

    Raises
    ------
    TableMissingError
        The partition or format asked for has not been built.
    TableCorruptError
        A table file is damaged.

    Notes
    -----
    A pickled solver takes a few hundred bytes: only its settings are sent. Each process opens its own tables once, when
    the solver is first used, in the folder that was given or in its own default folder.

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
