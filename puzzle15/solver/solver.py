"""Optimal solutions: `Solver`, and `solve` for one board.

A solver turns boards so that their goal becomes the canonical one (the blank's cell carried to the
cell that stands for its home, the tiles renamed in order), searches there, and turns the moves back.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING, Any, Optional

from .._core.base import board as _board
from .._core.optimal.idastar import children_beside
from .._core.optimal.problem import Batch
from ..board import (
    Board,
    BoardLike,
    BoardsLike,
    Orientation,
    board_beside,
    check_metric,
    directions_from_moves,
    goal_of,
    moves_from_directions,
    pack_solvable,
    parse_moves,
    unsolvable_text,
)
from ..errors import BoardError, Puzzle15Error, UnsolvableError
from ..parallel import Sendable, Team, check_stop, result_of, slices, thread_count
from ..published import check_bound, farthest
from ..system.later import np
from ..system.quantities import seconds, whole, whole_each
from ..tables import CHECKS, FORMATS, MULTI_TILE, Folder, TableFile, folder_state
from .analysis import Analyser, Analysis, chunks
from .choice import View
from .finding import Finder
from .hints import AllSolutions, Explorer, Hint, fewest_multi_tile, hint_of, moves_of_mask
from .solution import Iteration, Solution, SolutionBatch
from .spreading import Chunk, gather, parts_of, spread_rows, threads_of
from .travel import Description, whole_path
from .views import Views

if TYPE_CHECKING:
    from numpy.typing import NDArray


__all__ = ["Solver", "best_solver", "solve"]

# When it pays to read tables into memory of large pages: before a call with many boards, after many nodes of one board,
# whose next iteration will be larger, and after many nodes of calls with some boards. Single questions leave tables
# mapped, because processes share what is mapped.
_MANY_BOARDS, _MANY_MULTI_TILE_BOARDS, _MANY_NODES = 2_000, 10, 5_000_000
_SOME_BOARDS, _MANY_NODES_OF_CALLS = 100, 20_000_000
_ROWS = 1 << 15  # boards whose children are asked about together: some ten megabytes, and work enough for every thread


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
    partitions : list of str
        The partitions of the views, in tiles of the canonical goal.
    format : str
    metric : str
    embedded : bool
        Whether the tables were built in memory.
    view_count : int
    table_bytes : int
        The size of all tables in use.
    table_files : list of TableFile
        The files of the tables; embedded tables have none.
    orientation : Orientation
        How boards are turned so that the goal becomes the canonical one.
    views : Views
        The opened tables. Other searches use them directly.

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
        if metric == "mtm":
            choice = finder.find_multi_tile(partition, reflection, build)
        else:
            choice = finder.find(partition, format, reflection, build)
        description = Description(
            target.packed,
            target.shape,
            whole_path(tables),
            choice.format,
            choice.embedded,
            tuple((view.partition, tuple(view.symmetry)) for view in choice.views),
            plain,
            build,
            check,
        )
        self._open_tables(description, orientation, choice.views, tables)

    def _settings(self) -> Description:
        return self.description

    def _open(self, *settings: Any) -> None:
        description = Description(*settings)
        orientation = Orientation(Board(description.goal, description.shape))
        views = Finder(description.shape, orientation.home, description.folder).find_described(description)
        self._open_tables(description, orientation, views, description.folder)

    def _open_tables(
        self, description: Description, orientation: Orientation, views: Sequence[View], folder: Folder
    ) -> None:
        self.description, self.orientation = description, orientation
        self.goal, self.shape = orientation.goal, description.shape
        self.format, self.embedded = description.format, description.embedded
        home, check, plain = orientation.home, description.check, description.plain
        self.views = Views(views, self.shape, home, self.format, folder, check, plain)
        self.partitions: list[str] = self.views.partitions
        self.table_files: list[TableFile] = self.views.table_files
        self.table_bytes, self.view_count = self.views.table_bytes, len(self.views)
        self.metric = "mtm" if self.format == MULTI_TILE else "stm"
        self._farthest = farthest(self.shape, home, metric=self.metric)  # a larger bound is of a damaged table

    def __repr__(self) -> str:
        if not self.is_open:
            return "<Solver, not opened yet>"
        where = "embedded " if self.embedded else ""
        return f"<Solver for {self.goal}: {where}{self.format} {' + '.join(self.partitions)}, {self.view_count} views>"

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
            With status "solved", or with status "limit" and the lower bound that was proved before a limit
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
        board = board_beside(self.goal, board)
        threads = thread_count(workers)
        limit = self._farthest if max_length is None else min(whole("max_length", max_length), self._farthest)
        max_nodes = None if max_nodes is None else whole("max_nodes", max_nodes)
        deadline = _deadline(time_limit_s)
        if not board.is_solvable(self.goal):
            raise UnsolvableError(unsolvable_text(board, self.goal))
        problem = self.views.problem
        start = time.monotonic()
        generated = 0

        def after_iteration(*counts: int) -> None:
            nonlocal generated
            if on_iteration is not None:
                on_iteration(Iteration(*counts))
            generated += counts[-1]
            if generated > _MANY_NODES and _has_a_second(deadline):
                self.views.load(running=1)

        with self.views.naming_folder(board):
            answer = problem.solve(
                self.orientation.turn_one(board),
                max_nodes,
                deadline,
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
            metric=self.metric,
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
            raise UnsolvableError(unsolvable_text(board, self.goal))
        with self.views.naming_folder():
            bound: int = self.views.problem.heuristic(self.orientation.turn_one(board))[0]
        return bound

    # ---------------------------------------------------------------- all shortest solutions of one board

    def optimal_moves(self, board: BoardLike, *, workers: int = 1) -> str:
        """The first moves of all shortest solutions, one letter each, in the order ``UDLR``; "" for the goal.

        Examples
        --------
        >>> Solver(shape=(3, 3)).optimal_moves("8 6 7/2 5 4/3 0 1")
        'DLR'
        """
        return self.hint(board, workers=workers).moves

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
        solution, explorer = self._explorer(board, max_nodes, time_limit_s, workers)
        return hint_of(explorer, solution, start)

    def all_solutions(
        self,
        board: BoardLike,
        *,
        max_solutions: Optional[int] = None,
        max_nodes: Optional[int] = None,
        time_limit_s: Optional[float] = None,
        workers: int = 1,
    ) -> AllSolutions:
        """An iterator over the moves of all shortest solutions, each once.

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
            Its attribute `complete` tells whether all solutions have been given.

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
        max_solutions = None if max_solutions is None else whole("max_solutions", max_solutions)
        solution, explorer = self._explorer(board, max_nodes, time_limit_s, workers)
        return AllSolutions(solution, explorer, max_solutions)

    def count_solutions(
        self,
        board: BoardLike,
        *,
        max_nodes: Optional[int] = None,
        time_limit_s: Optional[float] = None,
        workers: int = 1,
    ) -> Optional[int]:
        """The number of shortest solutions; it is counted without a list of them.

        Parameters
        ----------
        board, max_nodes, time_limit_s, workers
            As for `hint`.

        Returns
        -------
        int or None
            None if a limit was reached.

        Examples
        --------
        >>> Solver(shape=(3, 3)).count_solutions("8 6 7/2 5 4/3 0 1")
        40
        """
        _, explorer = self._explorer(board, max_nodes, time_limit_s, workers)
        return explorer.count() if explorer is not None and explorer.explore() else None

    def fewest_multi_tile(
        self,
        board: BoardLike,
        *,
        max_nodes: Optional[int] = None,
        time_limit_s: Optional[float] = None,
        workers: int = 1,
    ) -> Solution:
        """Of all shortest solutions, one with the fewest multi-tile moves.

        A multi-tile move slides all tiles between the blank and another cell of its row or column: successive equal
        letters are one such move. The length of the solution still counts the single tiles.

        Parameters
        ----------
        board, max_nodes, time_limit_s, workers
            As for `hint`.

        Returns
        -------
        Solution
            Of several, the first one in the order of `all_solutions`. With the status "limit" it is the best one that
            was found, if any was.

        Examples
        --------
        >>> solver = Solver(shape=(3, 3))
        >>> print(solver.solve("7 0 2/8 1 5/6 3 4"))
        19 moves: ULUR2D2LULUR2DLDLU2
        >>> print(solver.fewest_multi_tile("7 0 2/8 1 5/6 3 4"))
        19 moves: U2LDRURD2L2U2R2DL2U
        """
        start = time.monotonic()
        solution, explorer = self._explorer(board, max_nodes, time_limit_s, workers)
        return solution if explorer is None else fewest_multi_tile(explorer, start)

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
        deadline = _deadline(time_limit_s)
        solution = self.solve(board, max_nodes=max_nodes, time_limit_s=time_limit_s, workers=workers)
        if solution.moves is None:
            return self._not_analysed(board, letters)
        left = None if max_nodes is None else max(max_nodes - solution.generated, 0)
        analyser = Analyser(self.views, self.orientation, workers)
        analyser.add(board, solution.moves)
        return analyser.follow([(board, letters)], left, deadline)[0]

    def check_single_tile(self) -> None:
        """Raise ValueError if the solver counts multi-tile moves."""
        if self.metric != "stm":
            raise ValueError(
                "metric 'mtm': hints, lists of solutions, analyses and labels count single-tile moves; "
                "use a solver with metric='stm'"
            )

    def _explorer(
        self, board: BoardLike, max_nodes: Optional[int], time_limit_s: Optional[float], workers: int
    ) -> tuple[Solution, Optional[Explorer]]:
        """(a shortest solution, the explorer that goes on from it unless a limit was reached)"""
        self.check_single_tile()
        deadline = _deadline(time_limit_s)
        solution = self.solve(board, max_nodes=max_nodes, time_limit_s=time_limit_s, workers=workers)
        if solution.moves is None:
            return solution, None
        return solution, Explorer(self.views, self.orientation, solution, max_nodes, deadline, workers)

    # ---------------------------------------------------------------- many boards

    def hint_many(
        self,
        boards: BoardsLike,
        *,
        workers: Any = 1,
        on_error: str = "raise",
        progress: Optional[Callable[[int, int], Any]] = None,
        max_nodes: Any = None,
        time_limit_s: Optional[float] = None,
    ) -> list[Hint]:
        """The distances of many boards, and the first moves of all their shortest solutions.

        Parameters
        ----------
        boards, workers, on_error, progress, time_limit_s
            As for `solve_many`.
        max_nodes : int or array of int, shape (N,), optional
            The most nodes of all searches for a board together, as for `hint`.

        Returns
        -------
        list of Hint
            The same as from `hint`, board by board, but for the times.

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
        deadline = _deadline(time_limit_s)
        threads = threads_of(workers)
        packed, skip, errors = self._packed(boards, on_error)
        nodes = None if max_nodes is None else whole_each("max_nodes", max_nodes, len(packed))
        good = np.flatnonzero(skip == 0)
        found: dict[int, Hint] = {}
        if threads is None or nodes is not None or deadline is not None:
            self._load_for(len(good), deadline)
            columns = {"packed": packed, "max_nodes": nodes}
            work = partial(_hint_chunk, self)
            for rows, hints in spread_rows(work, columns, parts_of(good), workers, shape=self.shape, deadline=deadline):
                found.update(zip(rows.tolist(), hints))
                if progress:
                    progress(len(errors) + len(found), len(packed))
        else:
            tell = None if progress is None else lambda done, _: progress(len(errors) + done, len(packed))
            found = dict(zip(good.tolist(), self._hints(packed[good], threads, tell)))
        for index, error in errors.items():
            board = Board._of(int(packed[index]), self.shape) if packed[index] else None
            found[index] = Hint(board, self.goal, "error", None, "", 0, error=error)
        return [found[index] for index in range(len(packed))]

    def _hints(
        self, packed: NDArray[np.uint64], threads: int = 1, progress: Optional[Callable[[int, int], Any]] = None
    ) -> list[Hint]:
        """The hints for packed boards that are known to reach the goal, without limits."""
        results = self.solve_packed(packed, workers=threads)
        back = np.frombuffer(self.orientation.direction_back, dtype=np.uint8)
        distance = results["length"]
        masks = np.where(distance > 0, np.uint8(1) << back[results["path"][:, 0] & 3], 0).astype(np.uint8)
        others, expanded, generated = self._ask(packed, distance, masks, threads, progress)
        order = directions_from_moves("UDLR")
        return [
            Hint(Board._of(board, self.shape), self.goal, "solved", length, moves_of_mask(mask, order), length, *counts)
            for board, length, mask, *counts in zip(
                packed.tolist(),
                distance.tolist(),
                (masks | others).tolist(),
                (results["expanded"] + expanded).tolist(),
                (results["generated"] + generated).tolist(),
            )
        ]

    def _hint_each(
        self,
        packed: NDArray[np.uint64],
        max_nodes: Optional[NDArray[np.uint64]] = None,
        deadline: Optional[float] = None,
    ) -> list[Hint]:
        """The same, one board after the other, with limits."""
        found: list[Hint] = []
        nodes = [None] * len(packed) if max_nodes is None else max_nodes.tolist()
        for board, most in zip(self._boards(packed), nodes):
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and left <= 0:
                break
            found.append(self.hint(board, max_nodes=most, time_limit_s=left))
        rest = packed[len(found) :]
        for board, bound in zip(self._boards(rest), self.look_up(rest).tolist()):
            found.append(Hint(board, self.goal, "limit", None, "", bound))
        return found

    def _boards(self, packed: NDArray[np.uint64]) -> list[Board]:
        return [Board._of(board, self.shape) for board in packed.tolist()]

    def optimal_moves_many(
        self,
        boards: BoardsLike,
        *,
        workers: Any = 1,
        on_error: str = "raise",
        progress: Optional[Callable[[int, int], Any]] = None,
    ) -> list[str]:
        """The first moves of all shortest solutions of many boards, as `optimal_moves` gives them.

        Parameters
        ----------
        boards, workers, on_error, progress
            As for `solve_many`. A bad board that is marked has no moves.

        Examples
        --------
        >>> Solver(shape=(3, 3)).optimal_moves_many(["8 6 7/2 5 4/3 0 1", "1 2 3/4 5 6/7 8 0"])
        ['DLR', '']
        """
        return [hint.moves for hint in self.hint_many(boards, workers=workers, on_error=on_error, progress=progress)]

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
    ) -> list[Analysis]:
        """Follow many solutions, of the same board or of different ones.

        Parameters
        ----------
        boards, workers, on_error, time_limit_s
            As for `solve_many`.
        moves : iterable of str
            The moves from each board, as for `analyse`.
        convention : {"tile", "blank"}
            As for `analyse`.
        progress : callable, optional
            Called with (boards done, boards), where all boards on the way count.
        max_nodes : int or array of int, shape (N,), optional
            The most nodes of all searches for a solution together, as for `analyse`.

        Returns
        -------
        list of Analysis
            It does not depend on the workers.

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
        deadline = _deadline(time_limit_s)
        threads = threads_of(workers)
        packed, errors = pack_solvable(boards, self.goal, on_error)
        nodes = None if max_nodes is None else whole_each("max_nodes", max_nodes, len(packed))
        texts = list(moves)
        if len(texts) != len(packed):
            raise ValueError(f"{len(texts)} moves: expected one text for each of {len(packed)} boards")
        found: dict[int, Analysis] = {}
        letters = np.full(len(packed), "", dtype=object)
        for index, (word, text) in enumerate(zip(packed.tolist(), texts)):
            board = Board._of(word, self.shape) if word else None
            if board is not None and index not in errors:
                try:
                    letters[index] = parse_moves(text, convention)
                    board.apply(text, convention)
                except BoardError as error:
                    errors[index] = BoardError(f"board {index}: {error}")
                    if on_error == "raise":
                        raise errors[index] from None
                else:
                    continue
            found[index] = Analysis(board, self.goal, letters[index], (), (), "", "error", errors[index])
        good = np.array([index for index in range(len(packed)) if index not in found], dtype=np.int64)
        boards_of = np.array([len(each) + 1 for each in letters], dtype=np.int64)
        parts = list(parts_of(good) if nodes is not None else chunks(good, packed, boards_of))
        together = threads if threads is not None and len(parts) == 1 else 1
        self._load_for(len(good), deadline)
        columns = {"packed": packed, "letters": letters, "max_nodes": nodes}
        work = partial(_analyse_chunk, self, together)
        workers = None if together > 1 else workers
        done, count = 0, int(boards_of[good].sum())
        for rows, some in spread_rows(work, columns, parts, workers, shape=self.shape, deadline=deadline):
            found.update(zip(rows.tolist(), some))
            done += int(boards_of[rows].sum())
            if progress:
                progress(done, count)
        return [found[index] for index in range(len(packed))]

    def _analyses(
        self, packed: NDArray[np.uint64], letters: Sequence[str], threads: int, deadline: Optional[float]
    ) -> list[Analysis]:
        """The analyses of solutions that share what is learned."""
        starts = np.unique(packed)
        results = self.solve_packed(starts, workers=threads, deadline=deadline)
        analyser = Analyser(self.views, self.orientation, threads)
        for board, solved, *path in zip(
            self._boards(starts), results["solved"], results["path"], results["length"].tolist()
        ):
            if solved:
                analyser.add(board, self._moves_of_path(*path))
        known = np.isin(packed, starts[results["solved"] == 1])
        walks = list(zip(self._boards(packed), letters))
        followed = iter(analyser.follow([walk for walk, there in zip(walks, known) if there], deadline=deadline))
        return [next(followed) if there else self._not_analysed(*walk) for walk, there in zip(walks, known)]

    def _analyse_each(
        self,
        packed: NDArray[np.uint64],
        letters: Sequence[str],
        threads: int,
        max_nodes: NDArray[np.uint64],
        deadline: Optional[float],
    ) -> list[Analysis]:
        """The analyses of solutions, one after the other, with limits of nodes."""
        found = []
        for board, moves, most in zip(self._boards(packed), letters, max_nodes.tolist()):
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and left <= 0:
                found.append(self._not_analysed(board, moves))
            else:
                found.append(self.analyse(board, moves, max_nodes=most, time_limit_s=left, workers=threads))
        return found

    def _not_analysed(self, board: Board, letters: str) -> Analysis:
        return Analysis(board, self.goal, letters, (), (), "", "limit")

    def other_first_moves(
        self,
        packed: NDArray[np.uint64],
        distance: NDArray[np.uint8],
        known: NDArray[np.uint8],
        *,
        workers: int = 1,
        progress: Optional[Callable[[int, int], Any]] = None,
    ) -> NDArray[np.uint8]:
        """First moves of shortest solutions of packed boards, beside those that need no question.

        Parameters
        ----------
        packed : ndarray of uint64, shape (N,)
        distance : ndarray of uint8, shape (N,)
            Moves of a shortest solution; for 0 there is no question.
        known : ndarray of uint8, shape (N,)
            Bit d is set if there is no question about the blank's move in direction d.
        workers : int
            The number of threads.
        progress : callable, optional
            Called with (boards done, boards) a few times a second.

        Returns
        -------
        ndarray of uint8, shape (N,)
            Bit d is set if the move in direction d begins a shortest solution.

        Raises
        ------
        TableCorruptError
            A table file is damaged.
        """
        self.check_single_tile()
        return self._ask(packed, distance, known, workers, progress)[0]

    def _ask(
        self,
        packed: NDArray[np.uint64],
        distance: NDArray[np.uint8],
        known: NDArray[np.uint8],
        threads: int,
        progress: Optional[Callable[[int, int], Any]],
    ) -> tuple[NDArray[np.uint8], NDArray[np.uint64], NDArray[np.uint64]]:
        """(`other_first_moves`, expanded, generated nodes of all questions about each board)"""
        first = np.zeros(len(packed), dtype=np.uint8)
        expanded, generated = np.zeros(len(packed), dtype=np.uint64), np.zeros(len(packed), dtype=np.uint64)
        to = np.frombuffer(self.orientation.direction_to, dtype=np.uint8)
        for rows in slices(len(packed), _ROWS):
            children, limits, skip = children_beside(packed[rows], distance[rows], known[rows], self.shape)
            moves = np.tile(to, len(children) // 4)
            self.views.check_sizes()
            batch = Batch(self.views.problem, self.orientation.turn(children), skip, limits, moves=moves)
            self._run(batch, batch.work, threads, None, len(children))
            results = batch.arrays()
            yes, counts = results["solved"], (results["expanded"], results["generated"])
            self._check_statuses(np.where(skip == 0, results["status"], 0), "a board's child", children)
            first[rows] = (yes.reshape(-1, 4) << np.arange(4, dtype=np.uint8)).sum(axis=1, dtype=np.uint8)
            expanded[rows], generated[rows] = (count.reshape(-1, 4).sum(axis=1) for count in counts)
            if progress:
                progress(min(rows.stop, len(packed)), len(packed))
        return first, expanded, generated

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
        deadline = _deadline(time_limit_s)
        threads = threads_of(workers)
        packed, skip, errors = self._packed(boards, on_error)
        lengths, nodes = None, None
        if max_length is not None:
            lengths = whole_each("max_length", max_length, len(packed), self._farthest).astype(np.uint8)
        if max_nodes is not None:
            nodes = whole_each("max_nodes", max_nodes, len(packed))
        if threads is None:
            columns = {"packed": packed, "max_length": lengths, "max_nodes": nodes}
            results = self._gather(_solve_chunk, columns, skip, workers, deadline, progress)
        else:
            results = self.solve_packed(
                packed,
                workers=threads,
                skip=skip,
                max_length=lengths,
                max_nodes=nodes,
                progress=progress,
                deadline=deadline,
            )
        return SolutionBatch(self.goal, packed, results, errors, self._moves_of_path, metric=self.metric)

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

    def heuristic_many(self, boards: BoardsLike) -> NDArray[np.uint8]:
        """The tables' lower bounds, uint8 (N,)."""
        return self.look_up(pack_solvable(boards, self.goal, "raise")[0])

    def solve_packed(
        self,
        packed: NDArray[np.uint64],
        *,
        workers: int = 1,
        skip: Optional[NDArray[np.uint8]] = None,
        max_length: Optional[NDArray[np.uint8]] = None,
        max_nodes: Optional[NDArray[np.uint64]] = None,
        progress: Optional[Callable[[int, int], Any]] = None,
        what: str = "board {}",
        deadline: Optional[float] = None,
    ) -> dict[str, NDArray[Any]]:
        """Solve packed boards that are known to reach the goal; for many boards in little memory.

        Parameters
        ----------
        packed : ndarray of uint64, shape (N,)
        workers : int
            The number of threads.
        skip : ndarray of uint8, shape (N,), optional
            1 for boards that are not solved; they may be anything.
        max_length : ndarray of uint8, shape (N,), optional
            The most moves of each board's solution; by default there is no limit.
        max_nodes : ndarray of uint64, shape (N,), optional
            The most nodes that may be generated for each board; by default there is no limit.
        progress : callable, optional
            As for `solve_many`.
        what : str
            The name of a board in messages, with its index for ``{}``.
        deadline : float, optional
            The value of `time.monotonic` at which the search ends.

        Returns
        -------
        dict of str to ndarray
            Columns of N rows: ``solved``, ``length``, ``lower_bound``, ``expanded``, ``generated``, ``seconds``,
            ``status``; and ``path`` with two bits per move, the blank's direction on the turned board.
            `orientation.direction_back` turns it back.

        Raises
        ------
        TableCorruptError
            A table file is damaged.
        """
        if skip is None:
            skip = np.zeros(len(packed), dtype=np.uint8)
        self.views.check_sizes()
        self._load_for(len(packed), deadline)
        if max_length is None:
            max_length = np.full(len(packed), self._farthest, dtype=np.uint8)
        batch = self.views.batch(self.orientation.turn(packed), skip, max_length, max_nodes)
        self._run(batch, partial(batch.work, deadline=deadline), workers, progress, len(packed))
        results = batch.arrays()
        if len(packed) >= _SOME_BOARDS:
            self.views.generated += int(results["generated"].sum())
        self._check_statuses(np.where(skip == 0, results["status"], 0), what, packed)
        bounds = results["lower_bound"]
        for index in np.flatnonzero(bounds > self._farthest)[:1]:
            with self.views.naming_folder():
                check_bound(bounds[index], self._farthest, what.format(index))
        return results

    def _load_for(self, count: int, deadline: Optional[float]) -> None:
        """Read the tables into memory of large pages before calls that gain more than this takes."""
        many = _MANY_MULTI_TILE_BOARDS if self.metric == "mtm" else _MANY_BOARDS
        late = count >= _SOME_BOARDS and self.views.generated >= _MANY_NODES_OF_CALLS
        if (count >= many or late) and _has_a_second(deadline):
            self.views.load()

    def _packed(
        self, boards: BoardsLike, on_error: str
    ) -> tuple[NDArray[np.uint64], NDArray[np.uint8], dict[int, Puzzle15Error]]:
        """(packed boards, 1 for each that is bad, the error of each of these)"""
        packed, errors = pack_solvable(boards, self.goal, on_error)
        skip = np.zeros(len(packed), dtype=np.uint8)
        skip[list(errors)] = 1
        return packed, skip, errors

    def _gather(
        self,
        answer: Callable[[Solver, Chunk], dict[str, NDArray[Any]]],
        columns: dict[str, Any],
        skip: NDArray[np.uint8],
        workers: Any,
        deadline: Optional[float],
        progress: Optional[Callable[[int, int], Any]],
    ) -> dict[str, NDArray[Any]]:
        """The columns of answers to all boards but those that are skipped, from any workers."""
        good = np.flatnonzero(skip == 0)
        work = partial(answer, self)
        return gather(work, columns, good, workers, shape=self.shape, deadline=deadline, progress=progress)

    def look_up(
        self, packed: NDArray[np.uint64], *, values: Optional[NDArray[np.uint8]] = None, what: str = "board {}"
    ) -> NDArray[np.uint8]:
        """The tables' lower bounds of packed boards that are known to reach the goal.

        Parameters
        ----------
        packed : ndarray of uint64, shape (N,)
        values : ndarray of uint8, shape (N, view_count), optional
            Filled with the bound of each view.
        what : str
            As for `solve_packed`.

        Returns
        -------
        ndarray of uint8, shape (N,)
            The largest bound of each board.
        """
        self.views.check_sizes()
        bounds = np.empty(len(packed), dtype=np.uint8)
        status = np.empty(len(packed), dtype=np.uint8)
        self.views.problem.heuristics(self.orientation.turn(packed), bounds, status, values)
        self._check_statuses(status, what, packed)
        return bounds

    def _check_statuses(self, status: NDArray[np.uint8], what: str, boards: NDArray[np.uint64]) -> None:
        for index in np.flatnonzero(status)[:1]:
            with self.views.naming_folder(Board._of(int(boards[index]), self.shape)):
                _board.raise_status(int(status[index]), what.format(index))

    def _run(
        self,
        batch: Batch,
        work: Callable[..., None],
        threads: int,
        progress: Optional[Callable[[int, int], Any]],
        count: int,
    ) -> None:
        last = time.monotonic()

        def tell() -> None:
            nonlocal last
            if progress and time.monotonic() - last > 0.2:
                last = time.monotonic()
                progress(batch.done, count)

        threads = min(threads, count)  # each board is one thread's
        if threads <= 1:
            work(tell)
        else:
            from concurrent.futures import wait  # one thread needs none of it

            with Team(threads) as team:
                futures = [team.submit(work) for _ in range(threads)]
                while wait(futures, timeout=0.05).not_done:
                    check_stop()
                    tell()
                for future in futures:
                    result_of(future)
        if progress:
            progress(batch.done, count)

    def _turn_back(self, directions: bytes) -> str:
        return moves_from_directions(directions.translate(_translation(self.orientation.direction_back)))

    def _moves_of_path(self, path: NDArray[np.uint8], length: int) -> str:
        return self._turn_back(self.views.directions_of_path(path, length))


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


def _deadline(time_limit_s: Optional[float]) -> Optional[float]:
    """The `time.monotonic` at which a limit is reached."""
    limit = seconds("time_limit_s", time_limit_s)
    return None if limit is None else time.monotonic() + limit


def _has_a_second(deadline: Optional[float]) -> bool:
    return deadline is None or time.monotonic() < deadline - 1


def _solve_chunk(solver: Solver, chunk: Chunk) -> dict[str, NDArray[Any]]:
    return solver.solve_packed(**chunk.columns, deadline=chunk.deadline)


def _hint_chunk(solver: Solver, chunk: Chunk) -> list[Hint]:
    if chunk.end is None and "max_nodes" not in chunk.columns:
        return solver._hints(chunk.columns["packed"])
    return solver._hint_each(**chunk.columns, deadline=chunk.deadline)


def _analyse_chunk(solver: Solver, threads: int, chunk: Chunk) -> list[Analysis]:
    analyse = solver._analyse_each if "max_nodes" in chunk.columns else solver._analyses
    return analyse(**chunk.columns, threads=threads, deadline=chunk.deadline)


@cache
def _translation(back: bytes) -> bytes:
    return bytes.maketrans(bytes(range(4)), back)
