"""`LocalValueIteration`, which learns subproblems and solves boards with them."""

from __future__ import annotations

import copy
import os
import time
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import NDArray

from .._core.base import board as _board
from ..board import (
    Board,
    BoardLike,
    BoardsLike,
    board_beside,
    format_boards,
    goal_of,
    moves_from_directions,
    pack_solvable,
    unsolvable_text,
)
from ..errors import UnsolvableError
from ..parallel import Team, result_of, slices, spread, thread_count
from .analysis import Analysis, analyse_chain
from .chain import Chain, Progress, rising
from .functions import ValueFunction
from .name import ALGORITHM
from .solutions import LocalSolution, LocalSolutionBatch, Part
from .storage import read_chain, write_chain

__all__ = ["LocalValueIteration"]

_Counts = Callable[[int, int], Any]

_SLICE = 1 << 14  # boards that one thread solves at a stretch: some 50 ms
_SKIPPED = 0xFF  # the status of a board that cannot be solved


class LocalValueIteration:
    """Solves boards by a chain of learned subproblems.

    Stage i brings home `initial_size` tiles, or as many as are left: ``order[initial_size * i]`` and those after it.
    First, G is the set of these tiles, and R the set of all earlier ones. As long as this subproblem cannot solve the
    board, the last tile of R moves to G. A subproblem is learned when a board first needs it; `train` learns all.

    Parameters
    ----------
    initial_size : int
        How many tiles a stage brings home, 1 to the number of tiles. With more tiles, solutions are shorter, and
        learning takes longer: on 4x4, sizes up to 5 take a second; 6 takes ten times as long, and 0.6 GB.
    gamma : float
        The discount factor, 0.01 to 0.999. Solutions do not depend on it.
    shape : (int, int), optional
        Rows and columns, if `goal` does not determine them; by default 4x4.
    goal : board, optional
        Any arrangement with the blank in a corner; by default the tiles in order, the blank last.

    Raises
    ------
    BoardError
        If the shape or the goal is malformed, or the goal's blank is not in a corner.
    ValueError
        If the initial size or gamma is out of range.

    Attributes
    ----------
    initial_size : int
    gamma : float
    goal : Board
    shape : (int, int)
    order : tuple of int
        The tiles in the order in which they come home: line by line towards the goal's blank. A line is a row, or a
        column if columns are shorter. (The tiles at a line's end can only change places with the help of all cells
        beside them, so longer lines would need larger subproblems.) On 4x4 it is 1, 2, 3, ..., as in the paper.
    functions : list of ValueFunction
        What has been learned.

    Notes
    -----
    If several moves of a subproblem are equally good, the policy takes the first of the blank's directions up, left,
    right, down. Any number of threads may use a learner. Before it is trained, two threads may learn the same
    subproblem.

    A copy knows what the learner knows. A learner can be pickled, as a few hundred bytes of settings. The process that
    unpickles it learns again what its boards need, once for the same settings. With an `initial_size` of 6 or more,
    save the learner to a file and load it there instead.

    Examples
    --------
    >>> learner = LocalValueIteration(shape=(3, 3))
    >>> solution = learner.solve("8 6 7/2 5 4/3 0 1")
    >>> solution.length, solution.largest
    (61, 3)
    >>> for part in solution.parts[:4]:
    ...     print(part)
    Part(tiles=(1,), fixed=(), length=10)
    Part(tiles=(2,), fixed=(1,), length=11)
    Part(tiles=(2, 3), fixed=(1,), length=13)
    Part(tiles=(4,), fixed=(1, 2, 3), length=3)
    """

    def __init__(
        self,
        *,
        initial_size: int = 1,
        gamma: float = 0.9,
        shape: Optional[Sequence[int]] = None,
        goal: Optional[BoardLike] = None,
    ) -> None:
        self._use(Chain(goal_of(goal, shape), initial_size, gamma))

    def _use(self, chain: Chain) -> None:
        self._chain = chain
        self.goal, self.shape = chain.goal, chain.goal.shape
        self.initial_size, self.gamma, self.order = chain.initial_size, chain.gamma, chain.order
        self._plan = chain.plan()

    def __reduce__(self) -> tuple[Any, ...]:
        return _arrived, (self.initial_size, self.gamma, self.goal)

    def __copy__(self) -> LocalValueIteration:
        """A learner that knows the same, and learns on by itself. What has been learned never changes."""
        other = LocalValueIteration.__new__(LocalValueIteration)
        other._use(self._chain.copy())
        return other

    def __deepcopy__(self, memo: object) -> LocalValueIteration:
        return copy.copy(self)

    @property
    def functions(self) -> list[ValueFunction]:
        learned = self._chain.functions
        return [learned[key] for key in sorted(learned, key=lambda key: (key[0], -key[1]))]

    def __repr__(self) -> str:
        return (
            f"<LocalValueIteration for {self.goal}: initial size {self.initial_size}, "
            f"{len(self._chain.functions)} subproblems learned>"
        )

    def train(self, *, progress: Optional[Progress] = None) -> None:
        """Learn every subproblem that some board needs.

        Parameters
        ----------
        progress : callable, optional
            Called with the share of the work that is done (0 .. 1), and the name of what is being done.

        Raises
        ------
        MemoryError
            If a subproblem has too many states.
        """
        tell = rising(progress)
        for stage in range(self._chain.stage_count):
            for _ in self._chain.growth(stage, tell):
                pass
        if progress is not None:
            progress(1.0, "trained")

    def solve(self, board: BoardLike) -> LocalSolution:
        """Solve one board, in microseconds once its subproblems are learned.

        Parameters
        ----------
        board : board
            Anything that `Board` takes.

        Returns
        -------
        LocalSolution
            Its lower bound is the Manhattan distance. It is `optimal` only if its length is equal to that.

        Raises
        ------
        BoardError, UnsolvableError
        MemoryError
            If a subproblem that the board needs has too many states.
        """
        board = board_beside(self.goal, board)
        if not board.is_solvable(self.goal):
            raise UnsolvableError(unsolvable_text(board, self.goal))
        return self._solution(board)

    def solve_many(
        self,
        boards: BoardsLike,
        *,
        workers: Any = 1,
        on_error: str = "raise",
        progress: Optional[_Counts] = None,
    ) -> LocalSolutionBatch:
        """Solve many boards.

        Parameters
        ----------
        boards : array or iterable
            Anything that `Board` takes, in a list; or an integer array (N, cells) or (N, rows, cols), or a uint64
            array (N,) of packed boards.
        workers : int, or what `puzzle15.parallel.spread` takes
            A number of threads; or a pool, an executor, a cluster, whose processes learn by themselves what their
            boards need. Solutions do not depend on it.
        on_error : {"raise", "mark"}
            Whether the first bad board raises an error before any board is solved, or all bad boards are marked.
        progress : callable, optional
            Called with (boards done, boards).

        Returns
        -------
        LocalSolutionBatch

        Raises
        ------
        BoardError, UnsolvableError
            With the index of the first bad board.
        MemoryError
            If a subproblem that a board needs has too many states.
        ChunkError
            Workers other than threads failed: see `puzzle15.parallel.spread`.

        Examples
        --------
        >>> batch = LocalValueIteration(shape=(3, 3)).solve_many(["8 6 7/2 5 4/3 0 1", "1 2 3/4 5 6/7 8 0"])
        >>> batch.lengths.tolist(), batch.largest.tolist()
        ([61, 0], [3, 1])
        """
        threads = None
        if workers is None or hasattr(workers, "__index__"):
            threads = 1 if workers is None else thread_count(workers)
        start = time.monotonic()
        packed, errors = pack_solvable(boards, self.goal, on_error)
        skip = np.zeros(len(packed), dtype=bool)
        skip[list(errors)] = True
        if threads is None:
            lengths, largest = self._spread(packed, skip, workers, progress)
        else:
            lengths, largest = self._solve_packed(packed, skip, threads, progress)
        seconds = time.monotonic() - start
        return LocalSolutionBatch(self.goal, self._solution, packed, lengths, largest, seconds, errors)

    def _solve_packed(
        self, packed: NDArray[np.uint64], skip: NDArray[np.bool_], threads: int, progress: Optional[_Counts]
    ) -> tuple[NDArray[np.uint16], NDArray[np.uint8]]:
        """The lengths of solutions and their largest subproblems, by threads; zeros where boards are skipped."""
        status = np.where(skip, _SKIPPED, 0).astype(np.uint8)
        lengths = np.zeros(len(packed), dtype=np.uint16)
        largest = np.zeros(len(packed), dtype=np.uint8)
        parts = list(slices(len(packed), _SLICE))

        def work(some: slice) -> Optional[tuple[int, int]]:
            return self._plan.solve_many(packed[some], status[some], lengths[some], largest[some])

        done = 0
        with Team(threads) as team:
            while True:
                futures = [team.submit(work, some) for some in parts]
                missing = set()
                for future, some in zip(futures, parts):
                    missing.add(result_of(future))
                    if progress is not None and missing == {None} and some.stop > done:
                        done = some.stop
                        progress(done, len(packed))
                missing.discard(None)
                if not missing:
                    return lengths, largest
                self._learn(missing)
                status[~skip] = 0  # to solve a board again takes microseconds

    def _spread(
        self, packed: NDArray[np.uint64], skip: NDArray[np.bool_], workers: Any, progress: Optional[_Counts]
    ) -> tuple[NDArray[np.uint16], NDArray[np.uint8]]:
        """The same from workers of other kinds than threads."""
        good = np.flatnonzero(~skip)
        lengths = np.zeros(len(packed), dtype=np.uint16)
        largest = np.zeros(len(packed), dtype=np.uint8)
        chunks = (packed[good[some]] for some in slices(len(good), _SLICE))
        done = 0
        for found in spread(
            partial(_solve_chunk, self),
            chunks,
            workers=workers,
            boards_of=lambda chunk: format_boards(chunk, self.shape),
        ):
            where = good[done : done + _SLICE]
            lengths[where], largest[where] = found
            done += len(where)
            if progress is not None:
                progress(len(packed) - len(good) + done, len(packed))
        return lengths, largest

    def _solution(self, board: Board, seconds: Optional[float] = None) -> LocalSolution:
        start = time.monotonic()
        missing, directions, lengths = self._plan.solve(board.packed)
        while missing is not None:
            self._learn([missing])
            missing, directions, lengths = self._plan.solve(board.packed)
        assert directions is not None and lengths is not None
        bound = _board.manhattan(board.packed, self.goal.packed, self.shape)
        parts = tuple(
            Part(self.order[begin : self._chain.end(stage)], self.order[:begin], length)
            for stage, (begin, length) in enumerate(lengths)
        )
        return LocalSolution(
            board=board,
            goal=self.goal,
            status="solved",
            moves=moves_from_directions(directions),
            optimal=len(directions) == bound,
            lower_bound=bound,
            expanded=0,
            generated=0,
            seconds=time.monotonic() - start if seconds is None else seconds,
            algorithm=ALGORITHM,
            parts=parts,
            largest=max(len(part.tiles) for part in parts),
        )

    def _learn(self, missing: Iterable[tuple[int, int]]) -> None:
        """Learn what boards need, and make a new plan with it, as other threads may be solving with the old one."""
        for stage, begin in missing:
            self._chain.function(stage, begin)
        self._plan = self._chain.plan()

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Write what has been learned, as a compressed numpy archive (.npz).

        The file appears under its name when it is complete.

        Raises
        ------
        OSError
        """
        write_chain(path, self._chain)

    @classmethod
    def load(cls, path: Union[str, os.PathLike[str]]) -> LocalValueIteration:
        """Read what `save` wrote. Every value and every action is checked, whoever wrote the file.

        Raises
        ------
        FileNotFoundError
        TableCorruptError
            If the file is damaged, or another kind of file.

        Examples
        --------
        >>> import tempfile
        >>> learner = LocalValueIteration(shape=(3, 3))
        >>> learner.train()
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     learner.save(f"{folder}/3x3.npz")
        ...     LocalValueIteration.load(f"{folder}/3x3.npz")
        <LocalValueIteration for 1 2 3/4 5 6/7 8 0: initial size 1, 12 subproblems learned>
        """
        learner = cls.__new__(cls)
        learner._use(read_chain(path))
        return learner

    def analyse(self, *, progress: Optional[Progress] = None) -> Analysis:
        """Count all boards by class and solution length, from the value functions, without solving any board.

        Parameters
        ----------
        progress : callable, optional
            Called with the share of the work that is done (0 .. 1), and the name of what is being done.

        Returns
        -------
        Analysis

        Examples
        --------
        >>> analysis = LocalValueIteration(shape=(3, 3)).analyse()
        >>> analysis.board_count, analysis.stages[2].sizes
        (181440, {1: Fraction(1, 6), 2: Fraction(5, 6)})
        >>> analysis.classes
        {1: Fraction(1, 24), 2: Fraction(7, 24), 3: Fraction(2, 3)}
        >>> print(f"{analysis.mean():.2f} {analysis.maximum()} {analysis.bounds}")
        40.49 74 {1: 43, 2: 72, 3: 91}
        """
        return analyse_chain(self._chain, progress)


def _solve_chunk(learner: LocalValueIteration, packed: NDArray[np.uint64]) -> tuple[NDArray[Any], NDArray[Any]]:
    """The work of a worker other than a thread."""
    batch = learner.solve_many(packed)
    return batch.lengths, batch.largest


@lru_cache(maxsize=4)
def _arrived(initial_size: int, gamma: float, goal: Board) -> LocalValueIteration:
    """The learner of a pickle: the same one for the same settings."""
    return LocalValueIteration(initial_size=initial_size, gamma=gamma, goal=goal)
