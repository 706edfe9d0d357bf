"""`LocalValueIteration`, which learns subproblems and solves boards with them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from .._core.base import board as _board
from .._core.learning.value_iteration import MAX_GAMMA, MIN_GAMMA, NONE, Plan
from .._system.locking import ThreadLock
from .._system.quantities import number, whole
from .._system.sendable import Sendable
from .._system.threads import slices
from .._system.workers import Workers, map_chunks
from ..board import Board, BoardLike, BoardsLike, format_boards, moves_from_directions
from ..board._board import goal_of
from ..board._moves import MOVE_ORDER, order_of
from ..board._packing import OnError
from ..board._solvability import board_to_solve, pack_solvable
from ..errors import BoardError
from . import LOCAL_VALUE_ITERATION
from ._board_counts import BoardCounts, States, count_boards
from ._local_solutions import LocalSolution, LocalSolutionBatch, Part
from ._value_functions import ValueFunction, format_tiles, learn, solvable_states

#: Called with the share of the stages that are done (0 .. 1), and the name of what is learned now.
Progress = Callable[[float, str], Any]

_SLICE = 1 << 14  # boards that one worker solves at a stretch: some 50 ms

_learning = ThreadLock()  # otherwise two threads learn the same subproblem


class LocalValueIteration(Sendable):
    """Solves boards by a chain of learned subproblems.

    Stage i brings home `initial_size` tiles, or as many as are left: ``order[initial_size * i]`` and those after it.
    First, G is the set of these tiles, and R the set of all earlier ones. As long as this subproblem cannot solve the
    board, the last tile of R moves to G. A subproblem is learned when a board first needs it; `train` learns all.

    Parameters
    ----------
    initial_size : int
        How many tiles a stage brings home, 1 to the number of tiles. With more tiles, solutions are shorter, and
        learning takes longer: on 4x4, sizes up to 5 take a second; 6 takes ten times as long, and 0.8 GB.
    gamma : float
        The discount factor, 0.01 to 0.999. Solutions do not depend on it.
    move_order : str
        The blank's directions in the order in which a policy prefers equally good moves.
    shape : (int, int), optional
        Rows and columns, if `goal` does not determine them; by default 4x4.
    goal : board, optional
        Any arrangement with the blank in a corner; by default the tiles in order, the blank last.

    Raises
    ------
    BoardError
        The shape or the goal is malformed, or the goal's blank is not in a corner.
    ValueError
        `initial_size`, `gamma` or `move_order` is not as above.

    Attributes
    ----------
    order : tuple of int
        The tiles in the order in which they come home: line by line towards the goal's blank. A line is a row, or a
        column if columns are shorter, because longer lines need larger subproblems. On 4x4 it is 1, 2, 3, ...
    functions : list of ValueFunction
        What has been learned.

    Notes
    -----
    Any number of threads may use a learner. It is copied and pickled as its settings, so another process learns again
    what its boards need.

    Examples
    --------
    >>> learner = LocalValueIteration(shape=(3, 3))
    >>> solution = learner.solve("8 6 7/2 5 4/3 0 1")
    >>> solution.length, solution.largest
    (61, 3)
    >>> solution.parts[2]
    Part(tiles=(2, 3), fixed=(1,), length=13)
    """

    def __init__(
        self,
        *,
        initial_size: int = 1,
        gamma: float = 0.9,
        move_order: str = MOVE_ORDER,
        shape: Optional[Sequence[int]] = None,
        goal: Optional[BoardLike] = None,
    ) -> None:
        order_of(move_order)
        self._open(goal_of(goal, shape), initial_size, gamma, move_order.upper())

    def _open(self, goal: Board, initial_size: int, gamma: float, move_order: str) -> None:
        self.goal, self.shape = goal, goal.shape
        self._cells = _order(self.goal)
        self.order = tuple(self.goal.tiles[cell] for cell in self._cells)
        self.initial_size = whole("initial_size", initial_size, 1, len(self.order))
        self.gamma = number("gamma", gamma, MIN_GAMMA, MAX_GAMMA)
        self.move_order = move_order
        self._stage_count = -(-len(self.order) // self.initial_size)
        # By (stage, begin): G has the tiles ``order[begin : end(stage)]``, and R those before them.
        self._functions: dict[tuple[int, int], ValueFunction] = {}
        self._plan = self._new_plan()

    def _new_plan(self) -> Plan:
        """Return a plan with the functions that have been learned so far; it never changes."""
        plan = Plan(self.shape, self.goal.packed, self._cells, self.initial_size)
        for (stage, begin), function in list(self._functions.items()):
            plan.add(stage, begin, function.policy)
        return plan

    def _settings(self) -> tuple[Board, int, float, str]:
        return self.goal, self.initial_size, self.gamma, self.move_order

    @property
    def functions(self) -> list[ValueFunction]:
        return [self._functions[key] for key in sorted(self._functions, key=lambda key: (key[0], -key[1]))]

    def __repr__(self) -> str:
        return (
            f"<LocalValueIteration for {self.goal}: initial size {self.initial_size}, move order {self.move_order}, "
            f"{len(self._functions)} subproblems learned>"
        )

    # ---------------------------------------------------------------- learning

    def _end(self, stage: int) -> int:
        """Return the index in `order` at which a stage ends."""
        return min((stage + 1) * self.initial_size, len(self.order))

    def _function(self, stage: int, begin: int, progress: Optional[Progress] = None) -> ValueFunction:
        """Return the value function of a subproblem, which is learned first if need be."""
        with _learning:
            if (stage, begin) not in self._functions:
                if progress:
                    tiles = format_tiles(self.order[begin : self._end(stage)])
                    progress(stage / self._stage_count, f"tiles {tiles}")
                cells = self._cells[begin : self._end(stage)]
                self._functions[stage, begin] = learn(
                    self.goal, cells, self._cells[:begin], self.gamma, self.move_order
                )
            return self._functions[stage, begin]

    def _growth(self, stage: int, progress: Optional[Progress]) -> Iterator[tuple[ValueFunction, States, States]]:
        """Return the subproblems of a stage for `count_boards`; each is for what those before cannot solve."""
        begin = own = stage * self.initial_size
        function = first = self._function(stage, begin, progress)
        starts = states = solvable_states(first)
        while True:
            yield function, starts, states
            left = function.policy[states] == NONE
            if not left.any():
                return
            begin -= 1
            starts = starts[left]
            cells = first.cells(starts)
            home = np.broadcast_to(np.array(self._cells[begin:own], dtype=np.uint8), (len(cells), own - begin))
            function = self._function(stage, begin, progress)
            states = function.space.states(np.hstack([home, cells]))

    def train(self, *, progress: Optional[Progress] = None) -> None:
        """Learn every subproblem that some board needs; MemoryError if one has too many states.

        `progress` is called with the share of the stages that are done (0 .. 1), and the name of what is learned now.
        """
        for stage in range(self._stage_count):
            for _ in self._growth(stage, progress):
                pass
        if progress is not None:
            progress(1.0, "trained")

    def count_boards(self, *, progress: Optional[Progress] = None) -> BoardCounts:
        """Count all boards by class and solution length, from the value functions, without solving any board.

        `progress` is called as for `train`.

        Examples
        --------
        >>> counts = LocalValueIteration(shape=(3, 3)).count_boards()
        >>> counts.board_count, counts.stages[2].sizes
        (181440, {1: Fraction(1, 6), 2: Fraction(5, 6)})
        >>> counts.classes
        {1: Fraction(1, 24), 2: Fraction(7, 24), 3: Fraction(2, 3)}
        >>> round(counts.mean(), 2), counts.maximum(), counts.bounds
        (40.49, 74, {1: 43, 2: 72, 3: 91})
        """
        stages = (
            (self.order[stage * self.initial_size : self._end(stage)], self._growth(stage, progress))
            for stage in range(self._stage_count)
        )
        return count_boards(len(self.goal.tiles), stages)

    # ---------------------------------------------------------------- solving

    def solve(self, board: BoardLike) -> LocalSolution:
        """Solve one board, in microseconds once its subproblems are learned.

        The lower bound of the solution is the Manhattan distance. It is `optimal` only if its length is equal to that.

        Raises
        ------
        BoardError, UnsolvableError
        MemoryError
            A subproblem that the board needs has too many states.
        """
        return self._solution(board_to_solve(self.goal, board))

    def solve_many(
        self,
        boards: BoardsLike,
        *,
        workers: Workers = 1,
        on_error: OnError = "raise",
        progress: Optional[Callable[[int, int], Any]] = None,
    ) -> LocalSolutionBatch:
        """Solve many boards.

        Parameters
        ----------
        boards, on_error
            As for `Solver.solve_many`.
        workers : int or executor
            Threads, or an executor, whose processes learn what their boards need. Solutions do not depend on it.
        progress : callable, optional
            Called with (boards done, boards).

        Raises
        ------
        BoardError, UnsolvableError
            With the index of the first bad board.
        MemoryError, ChunkError
            A subproblem that a board needs has too many states: in this process, or in another one.

        Examples
        --------
        >>> batch = LocalValueIteration(shape=(3, 3)).solve_many(["8 6 7/2 5 4/3 0 1", "1 2 3/4 5 6/7 8 0"])
        >>> batch.lengths.tolist(), batch.largest.tolist()
        ([61, 0], [3, 1])
        """
        start = time.monotonic()
        packed, errors = pack_solvable(boards, self.goal, on_error)
        good = np.delete(np.arange(len(packed)), list(errors))
        lengths, largest = np.zeros(len(packed), dtype=np.uint16), np.zeros(len(packed), dtype=np.uint8)
        answers = map_chunks(
            self._solve_packed,
            (packed[good[some]] for some in slices(len(good), _SLICE)),
            workers=workers,
            boards_of=lambda chunk: format_boards(chunk, self.shape),
        )
        done = 0
        for found in answers:
            rows = good[done : done + _SLICE]
            lengths[rows], largest[rows] = found
            done += len(rows)
            if progress is not None:
                progress(len(errors) + done, len(packed))
        seconds = time.monotonic() - start
        return LocalSolutionBatch(self.goal, self._solution, packed, lengths, largest, seconds, errors)

    def _solve_packed(self, packed: NDArray[np.uint64]) -> tuple[NDArray[np.uint16], NDArray[np.uint8]]:
        """Return the lengths of solutions, and the tiles of G in their largest subproblems."""
        lengths, largest = np.empty(len(packed), dtype=np.uint16), np.empty(len(packed), dtype=np.uint8)
        while True:  # to solve a board again takes microseconds
            status = np.zeros(len(packed), dtype=np.uint8)
            missing = self._plan.solve_many(packed, status, lengths, largest)
            if missing is None:
                return lengths, largest
            self._learn(missing)

    def _learn(self, missing: tuple[int, int]) -> None:
        self._function(*missing)
        self._plan = self._new_plan()  # other threads may be solving with the old one

    def _solution(self, board: Board, seconds: Optional[float] = None) -> LocalSolution:
        start = time.monotonic()
        missing, directions, lengths = self._plan.solve(board.packed)
        while missing is not None:
            self._learn(missing)
            missing, directions, lengths = self._plan.solve(board.packed)
        assert directions is not None and lengths is not None
        bound = _board.manhattan(board.packed, self.goal.packed, self.shape)
        parts = tuple(
            Part(self.order[begin : self._end(stage)], self.order[:begin], length)
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
            algorithm=LOCAL_VALUE_ITERATION,
            parts=parts,
            largest=max(len(part.tiles) for part in parts),
        )


def _order(goal: Board) -> tuple[int, ...]:
    """Return all goal cells except the blank's, line by line towards it."""
    rows, cols = goal.shape
    row, col = divmod(goal.blank, cols)
    if row not in (0, rows - 1) or col not in (0, cols - 1):
        raise BoardError(f"goal {goal}: local value iteration needs the goal's blank in a corner")
    cells = np.arange(rows * cols).reshape(rows, cols)
    cells = cells[:: 1 if row else -1, :: 1 if col else -1]
    return tuple((cells.T if cols > rows else cells).ravel().tolist())[:-1]
