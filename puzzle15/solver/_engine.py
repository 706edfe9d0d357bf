"""Answers about boards: boards are turned so that their goal is the canonical one, and the answers of the C search are
turned back."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Optional

from .._core.base import board as _board
from .._core.optimal.problem import Batch
from .._system.lazy import np
from .._system.quantities import seconds, whole, whole_each
from .._system.threads import Team, check_stop, result_of, slices
from ..board import Board, Orientation, farthest, moves_from_directions
from ..board._distances import check_bound
from ..board._moves import Metric, directions_from_moves
from ..tables._file import MULTI_TILE
from ._opened import OpenTables
from ._solution import Iteration, Solution

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Called with (boards done, boards).
Progress = Optional[Callable[[int, int], Any]]

# When it pays to read tables into memory of large pages: before a call with many boards, after many nodes of one board,
# whose next iteration will be larger, and after many nodes of calls with some boards. Otherwise tables stay mapped,
# because processes share what is mapped.
_MANY_BOARDS, _MANY_MULTI_TILE_BOARDS, _MANY_NODES = 2_000, 10, 5_000_000
_SOME_BOARDS, _MANY_NODES_OF_CALLS = 100, 20_000_000
_LOAD_SECONDS = 1.0  # that a limit of time must leave
_ROWS = 1 << 15  # boards whose children are searched together: some ten megabytes, and work enough for every thread
_PROGRESS_SECONDS = 0.2
_TILES = range(1, 8)  # that a move may slide


@dataclass(frozen=True)
class Limits:
    """The limits of a search for one board, or as arrays those of the searches for several."""

    max_length: Any = None
    max_nodes: Any = None
    deadline: float = math.inf
    """The `time.monotonic` at which all searches end."""

    @classmethod
    def check(
        cls,
        *,
        max_length: Any = None,
        max_nodes: Any = None,
        time_limit_s: Optional[float] = None,
        count: Optional[int] = None,
        start: Optional[float] = None,
    ) -> Limits:
        """The limits that a user gave, for `count` boards if there are several; the time counts from `start` or now."""

        def checked(name: str, value: Any) -> Any:
            if value is None:
                return None
            return whole(name, value) if count is None else whole_each(name, value, count)

        if max_length is max_nodes is time_limit_s is None:
            return _NO_LIMITS
        limit = seconds("time_limit_s", time_limit_s)
        start = time.monotonic() if start is None else start
        return cls(
            checked("max_length", max_length),
            checked("max_nodes", max_nodes),
            math.inf if limit is None else start + limit,
        )

    @property
    def seconds_left(self) -> float:
        """float: until the deadline."""
        return self.deadline - time.monotonic()

    @property
    def any(self) -> bool:
        """bool: whether there is a limit."""
        return self.max_length is not None or self.max_nodes is not None or self.deadline < math.inf

    def after(self, generated: int) -> Limits:
        """Return the limits for further searches, after one that generated so many nodes."""
        return self if self.max_nodes is None else replace(self, max_nodes=max(self.max_nodes - generated, 0))

    def of(self, rows: Any) -> Limits:
        """Return the limits of some of the boards, by an array of their indices; or of one."""
        length, nodes = (None if each is None else each[rows] for each in (self.max_length, self.max_nodes))
        if isinstance(rows, int):
            length, nodes = (None if each is None else int(each) for each in (length, nodes))
        return Limits(length, nodes, self.deadline)

    def __getstate__(self) -> dict[str, Any]:  # processes and machines share the wall clock only
        return {**self.__dict__, "deadline": self.seconds_left + time.time()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, deadline=state["deadline"] - time.time() + time.monotonic())


_NO_LIMITS = Limits()


class Engine:
    """Solves boards of one goal with open tables. It takes boards that reach the goal, and limits that are checked."""

    def __init__(self, tables: OpenTables, orientation: Orientation) -> None:
        self.tables, self.orientation = tables, orientation
        self.goal = orientation.goal
        self.metric: Metric = "mtm" if tables.format == MULTI_TILE else "stm"
        self._farthest = farthest(self.goal.shape, orientation.home, metric=self.metric)
        self._to, self._back = (
            bytes.maketrans(bytes(range(4)), directions)
            for directions in (orientation.direction_to, orientation.direction_back)
        )
        self.order = self.directions("UDLR")  # of letters

    def directions(self, letters: str) -> bytes:
        """Return the directions of moves on the turned board."""
        return directions_from_moves(letters).translate(self._to)

    def letters(self, directions: bytes) -> str:
        """Return the moves of directions on the turned board."""
        return moves_from_directions(directions.translate(self._back))

    def letters_of_path(self, path: NDArray[np.uint8], length: int) -> str:
        """Return the moves of a row of the column ``path`` of `solve`."""
        return self.letters(self.tables.problem.directions_of_path(path, length))

    def solve_one(
        self,
        board: Board,
        limits: Limits,
        threads: int = 1,
        on_iteration: Optional[Callable[[Iteration], Any]] = None,
    ) -> Solution:
        """Return a shortest solution of a board; see `Solver.solve`."""
        start = time.monotonic()
        generated = 0
        iterations: list[Iteration] = []

        def after_iteration(*counts: int) -> None:
            nonlocal generated
            iterations.append(Iteration(*counts))
            if on_iteration is not None:
                on_iteration(iterations[-1])
            generated += counts[-1]
            if generated > _MANY_NODES and limits.seconds_left > _LOAD_SECONDS:
                self.tables.load(running=1)

        with self.tables.explain_table_errors(board):
            answer = self.tables.problem.solve(
                self.orientation.turn_one(board),
                limits.max_nodes,
                limits.deadline,
                threads,
                after_iteration,
                self._farthest if limits.max_length is None else min(limits.max_length, self._farthest),
            )
            check_bound(answer["lower_bound"], self._farthest, board)
        solved = answer["solved"]
        return Solution._of(
            board=board,
            goal=self.goal,
            status="solved" if solved else "limit",
            moves=self.letters(answer["directions"]) if solved else None,
            optimal=solved,
            lower_bound=answer["lower_bound"],
            expanded=answer["expanded"],
            generated=answer["generated"],
            seconds=time.monotonic() - start,
            iterations=tuple(iterations),
            metric=self.metric,
        )

    def lower_bound(self, board: Board) -> int:
        """Return the largest of the bounds that the tables give."""
        with self.tables.explain_table_errors():
            bound: int = self.tables.problem.heuristic(self.orientation.turn_one(board))
        return bound

    def solve(
        self,
        packed: NDArray[np.uint64],
        limits: Limits = Limits(),  # noqa: B008
        threads: int = 1,
        progress: Progress = None,
    ) -> dict[str, NDArray[Any]]:
        """Shortest solutions of packed boards, as the columns of `Batch.arrays`; see `Solver.solve_many`."""
        self.tables.check_sizes()
        self.load_for(len(packed), limits)
        lengths = np.full(len(packed), self._farthest, dtype=np.uint8)
        if limits.max_length is not None:
            lengths = np.minimum(limits.max_length, lengths).astype(np.uint8)
        batch = Batch(self.tables.problem, self.orientation.turn(packed), lengths, limits.max_nodes)
        _run(batch, partial(batch.work, deadline=limits.deadline), threads, progress, len(packed))
        results: dict[str, NDArray[Any]] = batch.arrays()
        if len(packed) >= _SOME_BOARDS:
            self.tables.generated += int(results["generated"].sum())
        self._check(results["status"], packed)
        for index in np.flatnonzero(results["lower_bound"] > self._farthest)[:1]:
            with self.tables.explain_table_errors():
                check_bound(results["lower_bound"][index], self._farthest, self._board(packed[index]))
        return results

    def lower_bounds(self, packed: NDArray[np.uint64], values: Optional[NDArray[np.uint8]] = None) -> NDArray[np.uint8]:
        """The largest bounds that the tables give for packed boards; `values` is filled with those of each lookup."""
        self.tables.check_sizes()
        bounds, status = np.empty(len(packed), dtype=np.uint8), np.empty(len(packed), dtype=np.uint8)
        self.tables.problem.heuristics(self.orientation.turn(packed), bounds, status, values)
        self._check(status, packed)
        return bounds

    def first_moves(
        self,
        packed: NDArray[np.uint64],
        distance: NDArray[np.uint8],
        path: NDArray[np.uint8],
        known: Optional[NDArray[np.uint8]] = None,
        threads: int = 1,
        progress: Progress = None,
    ) -> tuple[NDArray[np.uint8], NDArray[np.uint64], NDArray[np.uint64]]:
        """First moves of shortest solutions of packed boards, and the (expanded, generated) nodes of the searches.

        Bit d is set if the blank's move in direction d begins a shortest solution. For a board at distance d, the child
        on its solution in `path` is at distance d - 1, and any other child at d - 1 or d + 1: a search of that child,
        limited to d - 1 moves, finds out which. Moves in `known` lead to d + 1.
        """
        from ..nodes import children  # it imports numpy, which one board does not need

        own = np.where(distance > 0, np.uint8(1) << (path[:, 0] & 3), 0).astype(np.uint8)
        known = own if known is None else own | known
        first = own.copy()
        expanded, generated = np.zeros(len(packed), dtype=np.uint64), np.zeros(len(packed), dtype=np.uint64)
        to = np.frombuffer(self.orientation.direction_to, dtype=np.uint8)
        for rows in slices(len(packed), _ROWS):
            made = children(packed[rows], self.goal.shape)
            row = rows.start + made.parent
            asked = (known[row] >> made.direction & 1 == 0) & (distance[row] > 0)
            boards, row, bit = made.packed[asked], row[asked], np.uint8(1) << made.direction[asked]
            self.tables.check_sizes()
            turned, moves = self.orientation.turn(boards), to[made.direction[asked]]
            batch = Batch(self.tables.problem, turned, distance[row] - np.uint8(1), moves=moves)
            _run(batch, batch.work, threads, None, len(boards))
            results = batch.arrays()
            self._check(results["status"], boards)
            yes = results["solved"] == 1
            np.bitwise_or.at(first, row[yes], bit[yes])
            np.add.at(expanded, row, results["expanded"])
            np.add.at(generated, row, results["generated"])
            if progress:
                progress(min(rows.stop, len(packed)), len(packed))
        return first, expanded, generated

    def load_for(self, count: int, limits: Limits) -> None:
        """Read the tables into memory of large pages before a call with so many boards, if that pays."""
        many = _MANY_MULTI_TILE_BOARDS if self.metric == "mtm" else _MANY_BOARDS
        late = count >= _SOME_BOARDS and self.tables.generated >= _MANY_NODES_OF_CALLS
        if (count >= many or late) and limits.seconds_left > _LOAD_SECONDS:
            self.tables.load()

    def _check(self, status: NDArray[np.uint8], packed: NDArray[np.uint64]) -> None:
        """Raise the error of the first board that has one."""
        for index in np.flatnonzero(status)[:1]:
            board = self._board(packed[index])
            with self.tables.explain_table_errors(board):
                _board.raise_status(int(status[index]), f"board {board}")

    def _board(self, packed: np.uint64) -> Board:
        return Board._of(int(packed), self.goal.shape)


def turn_paths(lengths: NDArray[np.uint8], to: bytes, paths: NDArray[np.uint8]) -> None:
    """Replace every move m of the column ``path`` of `Engine.solve` by to[m]."""
    if to == bytes(range(4)):
        return
    four = np.array([sum(to[byte >> bit & 3] << bit for bit in (0, 2, 4, 6)) for byte in range(256)], dtype=np.uint8)
    for rows in slices(len(paths), _ROWS):
        left = lengths[rows, None].astype(np.int16) - 4 * np.arange(paths.shape[1], dtype=np.int16)  # from a byte on
        paths[rows] = four[paths[rows]] & ((1 << 2 * left.clip(0, 4)) - 1).astype(np.uint8)


def moves_of_set(moves: int, order: bytes) -> list[str]:
    """Return the letters of each move of a set, numbered as in csrc/optimal/graph.h; `order` is that of `Engine`."""
    numbers = [
        (letter * tiles, direction + 4 * tiles - 4) for letter, direction in zip("UDLR", order) for tiles in _TILES
    ]
    return [letters for letters, number in numbers if moves >> number & 1]


def _run(batch: Batch, work: Callable[..., None], threads: int, progress: Progress, count: int) -> None:
    """Let threads work on a batch."""
    last = time.monotonic()

    def report() -> None:
        nonlocal last
        if progress and time.monotonic() - last > _PROGRESS_SECONDS:
            last = time.monotonic()
            progress(batch.done, count)

    threads = min(threads, count)  # each board is one thread's
    if threads <= 1:
        work(report)
    else:
        from concurrent.futures import wait  # one thread needs none of it

        with Team(threads) as team:
            futures = [team.submit(work) for _ in range(threads)]
            while wait(futures, timeout=0.05).not_done:
                check_stop()
                report()
            for future in futures:
                result_of(future)
