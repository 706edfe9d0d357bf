"""The answers of a `Solver` about many boards."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Optional

from ..board import Board, BoardsLike, Shape, pack_solvable
from ..parallel import Sendable, thread_count
from .analysis import Analysis
from .batches import AnswerBatch, SolutionBatch
from .engine import Engine
from .hints import Hint
from .many import Many, analyses, hints, solve_chunk

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["ManyBoards"]


class ManyBoards(Sendable):
    """The part of `Solver` that answers many boards."""

    goal: Board
    shape: Shape
    metric: str
    engine: Engine

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
        >>> from puzzle15 import Solver
        >>> solver = Solver(shape=(3, 3))
        >>> batch = solver.solve_many(["1 2 3/0 5 6/4 7 8", "8 6 7/2 5 4/3 0 1"], max_length=30)
        >>> batch.status.tolist(), batch.lengths.tolist(), batch.lower_bounds.tolist()
        (['solved', 'limit'], [3, -1], [3, 31])
        """
        many = Many(
            self,
            boards,
            workers,
            on_error,
            progress,
            max_length=max_length,
            max_nodes=max_nodes,
            time_limit_s=time_limit_s,
        )
        return SolutionBatch(self, many.packed, many.columns(solve_chunk), many.errors)

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
        >>> from puzzle15 import Solver
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

        Notes
        -----
        Without limits the boards share their searches, which takes a little less time than with them.

        Examples
        --------
        >>> from puzzle15 import Solver
        >>> solver = Solver(shape=(3, 3))
        >>> [hint.moves for hint in solver.hint_many(["8 6 7/2 5 4/3 0 1", "1 2 3/4 5 6/7 0 8"])]
        ['DLR', 'L']
        """
        self.check_single_tile()
        many = Many(self, boards, workers, on_error, progress, max_nodes=max_nodes, time_limit_s=time_limit_s)
        return hints(many)

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

        Notes
        -----
        Without `max_nodes`, solutions of the same board, and some others, share what is learned. Then `finish` may be
        another shortest solution than the one that `analyse` gives.

        Examples
        --------
        >>> from puzzle15 import Solver
        >>> solver = Solver(shape=(3, 3))
        >>> for analysis in solver.analyse_many(["1 2 3/4 5 6/0 7 8", "1 2 3/4 5 6/7 0 8"], ["LL", "RL"]):
        ...     print(analysis)
        2 moves, shortest 2, lost 0
        2 moves, shortest 1, lost 2, first at move 1, 1 to go: L
        """
        self.check_single_tile()
        many = Many(self, boards, workers, on_error, progress, max_nodes=max_nodes, time_limit_s=time_limit_s)
        return analyses(many, list(moves), convention)

    def label(
        self,
        boards: BoardsLike,
        *,
        first_moves: bool = False,
        table_values: bool = False,
        along_path: bool = False,
        workers: int = 1,
    ) -> dict[str, NDArray[Any]]:
        """Distances and solutions of many boards as columns, and optional further columns.

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

        Examples
        --------
        >>> from puzzle15 import Solver
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
        packed, _ = pack_solvable(boards, self.goal, "raise")
        return label(self.engine, packed, first_moves, table_values, along_path, threads)

    def check_single_tile(self) -> None:
        """Raise ValueError if the solver counts multi-tile moves."""
        if self.metric != "stm":
            raise ValueError(
                "metric 'mtm': hints, lists of solutions, analyses and labels count single-tile moves; "
                "use a solver with metric='stm'"
            )
