"""Many boards in episodes of their own, stepped in C; both environments are made of them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple, Optional

import numpy as np
from numpy.typing import NDArray

from .._core.learning.environment import Episodes, Scramble
from .._core.nodes.nodes import ranks
from .._system.threads import Team, result_of, thread_count
from ..board import Board, blank_cells, legal_directions, unpack_boards
from ..board._solvability import pack_solvable
from ..dataset import Distances, Walk, at_distances
from ..dataset._distances import levels_to
from ..dataset._distributions import Distribution
from ..errors import OptionError
from ..nodes import children
from ..solver import Solver, label
from ..solver._solver import best_solver
from ._options import REWARDS, Options

_LEAST_PER_THREAD = 12_500  # boards: fewer take less time than another thread needs to begin
_MOST_LISTED_CELLS = 10  # boards of so many cells have a table of all distances: at most 1.8 MB
_MOST_LISTED = 13_000_000  # boards, 8 bytes each: all up to distance 22 on 4x4
_POOL_SEED = 15


class View(NamedTuple):
    """The observations of all boards, in new arrays that belong to the caller."""

    observations: NDArray[np.uint8]
    masks: NDArray[np.int8]
    distances: Optional[NDArray[Any]]  # or estimates
    optimal: Optional[NDArray[np.int8]]  # or greedy actions


class Simulation:
    """Many boards that are stepped together. What is computed does not depend on the number of threads.

    One thread at a time begins episodes, steps or observes; others wait.

    `ended`, bool (count,), marks boards whose episode has ended; their next step begins a new one.
    """

    def __init__(self, count: int, options: Options, threads: int = 1) -> None:
        self.options, self.count = options, count
        self._lock = threading.Lock()
        self._threads = thread_count(threads)
        self._team: Optional[Team] = None
        self._goal = goal = options.target
        self._all = np.arange(count, dtype=np.uint64)
        progress = options.reward == "distance"
        table: Optional[NDArray[np.uint8]] = None
        self._solver: Optional[Solver] = None
        if not options.approximate and (progress or options.oracle):
            if len(goal) <= _MOST_LISTED_CELLS:
                table = all_distances(goal)
            else:
                self._solver = best_solver(goal) if options.solver is None else options.solver
        self._episodes = Episodes(
            goal.shape,
            goal.packed,
            count,
            (*REWARDS[options.reward], float(options.illegal_reward)),
            options.max_episode_steps or 0,
            options.observation == "one-hot",
            progress,
            table,
        )
        # What the solver or the heuristic found: distances and optimal actions, or estimates and greedy actions.
        self._finds = options.approximate or self._solver is not None
        found: Any = np.float32 if options.approximate else np.uint8
        self._found = np.zeros(count, dtype=found), np.zeros((count, 4), dtype=np.int8)
        self.scramble(options.distribution)

    def scramble(self, distribution: Distribution) -> None:
        """Draw the boards of later episodes from this distribution."""
        self._distribution = distribution
        self._scramble = scramble_of(distribution, self._goal, self.options.pool, self.options.solver)

    @property
    def boards(self) -> NDArray[np.uint64]:
        """Packed boards, not to be changed."""
        return self._episodes.boards

    @property
    def ended(self) -> NDArray[np.bool_]:
        return self._episodes.ended.view(np.bool_)

    def tiles(self) -> NDArray[np.uint8]:
        return unpack_boards(self.boards, self._goal.shape)

    def seed(self, seeds: Any, indices: Optional[NDArray[Any]] = None) -> None:
        """Seed the random generators of some boards, by default of all."""
        with self._lock:
            self._episodes.seed(np.ascontiguousarray(seeds, dtype=np.uint64), self._indices(indices))

    def begin(self, indices: Optional[NDArray[Any]] = None, boards: Any = None) -> None:
        """Begin new episodes of some boards, by default of all; at random boards, or at given ones."""
        where = self._indices(indices)
        if boards is not None:
            packed, _ = pack_solvable(boards, self._goal, "raise")
            if len(packed) != len(where):
                raise OptionError(f"boards: {len(packed)} given; expected {len(where)}, one per episode that begins")
        with self._lock:
            if boards is None:
                self._episodes.begin(self._scramble, where)
            else:
                self._episodes.place(packed, where)
            self._find(where)

    def step(
        self, actions: NDArray[np.uint8]
    ) -> tuple[tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_]], View]:
        """Take an action per board: ((rewards, terminated, truncated), view).

        A board whose episode has ended begins a new one instead, with reward 0.
        """
        with self._lock:
            return self._step(actions)

    def _step(self, actions: NDArray[np.uint8]) -> tuple[tuple[NDArray[Any], NDArray[Any], NDArray[Any]], View]:
        rewards = np.empty(self.count, dtype=np.float32)
        terminated, truncated = np.empty(self.count, dtype=np.uint8), np.empty(self.count, dtype=np.uint8)
        began = self.ended.copy() if self._finds else None

        def work(begin: int, end: int) -> None:
            self._episodes.step(self._scramble, actions, begin, end, rewards, terminated, truncated)

        view = self._seen_after(work)
        if began is not None:
            before = self._found[0].astype(np.float32)
            self._find(self._all)
            view = self._with_found(view)
            if self.options.reward == "distance":
                rewards += np.where(began, np.float32(0), before - self._found[0])
        return (rewards, terminated.view(np.bool_), truncated.view(np.bool_)), view

    def observe(self) -> View:
        """Return the observations of all boards."""
        with self._lock:
            return self._with_found(self._seen_after(lambda begin, end: None))

    def check_actions(self, given: Any) -> NDArray[np.uint8]:
        """Return the actions for the kernel; ValueError if there is not one per board, or one is not allowed."""
        actions = np.asarray(given)
        if actions.shape != (self.count,) or actions.dtype.kind not in "iu":
            given = f"{actions.dtype} {actions.shape}"
            raise OptionError(
                f"actions: an array of {given}; expected whole numbers, one for each of {self.count} boards"
            )
        if actions.min() < 0 or actions.max() > 3:
            self._refuse(actions, (actions < 0) | (actions > 3), "0 up, 1 left, 2 right, 3 down, where the blank goes")
        actions = np.ascontiguousarray(actions, dtype=np.uint8)
        if self.options.illegal == "raise":
            legal = legal_directions(self._goal.shape)[blank_cells(self.boards, self._goal.shape)]
            self._refuse(actions, (legal >> actions & 1 == 0) & ~self.ended, "one that its action mask allows")
        return actions

    def close(self) -> None:
        """End the threads; the next step would start them again."""
        if self._team is not None:
            self._team.stop()
            self._team = None

    def __getstate__(self) -> dict[str, Any]:
        episodes = self._episodes
        arrays = episodes.boards.copy(), episodes.randoms.copy(), episodes.steps.copy(), episodes.ended.copy()
        own = (self.options, self.count, self._threads, self._distribution, self._found)
        return {"own": own, "arrays": arrays}

    def __setstate__(self, state: dict[str, Any]) -> None:
        options, count, threads, distribution, found = state["own"]
        Simulation.__init__(self, count, options, threads)
        self.scramble(distribution)
        episodes, (boards, randoms, steps, ended) = self._episodes, state["arrays"]
        episodes.place(boards, self._all)
        episodes.randoms[:], episodes.steps[:], episodes.ended[:] = randoms, steps, ended
        self._found = found

    def _refuse(self, actions: NDArray[Any], wrong: NDArray[np.bool_], expected: str) -> None:
        """Raise ValueError for the first action that is wrong, if there is one."""
        if not wrong.any():
            return
        index = int(np.flatnonzero(wrong)[0])
        which = f" of board {index}" if self.count > 1 else ""
        raise OptionError(f"action {actions[index]}{which}: expected {expected}")

    def _indices(self, indices: Optional[NDArray[Any]]) -> NDArray[np.uint64]:
        return self._all if indices is None else indices.astype(np.uint64)

    def _seen_after(self, work: Callable[[int, int], None]) -> View:
        """Return the observations after some work; each thread does both for a part, this one for the first."""
        episodes, goal = self._episodes, self._goal
        width = len(goal) * (len(goal) if self.options.observation == "one-hot" else 1)
        observations = np.empty((self.count, width), dtype=np.uint8)
        masks, optimal = (np.empty((self.count, 4), dtype=np.int8) for _ in range(2))
        distances = np.empty(self.count, dtype=np.uint8)
        seen = (distances, optimal) if self.options.oracle and not self._finds else (None, None)

        def step(begin: int, end: int) -> None:
            work(begin, end)
            episodes.observe(begin, end, observations, masks, *seen)

        parts = max(min(self._threads, self.count // _LEAST_PER_THREAD), 1)
        if parts > 1 and self._team is None:
            self._team = Team(self._threads - 1)
        ends = [self.count * part // parts for part in range(parts + 1)]
        futures = [self._team.submit(step, *part) for part in zip(ends[1:], ends[2:]) if self._team is not None]
        step(0, ends[1])
        for future in futures:
            result_of(future)
        return View(observations, masks, *seen)

    def _with_found(self, view: View) -> View:
        """Return the view with the distances and moves that the solver or the heuristic found."""
        if not self._finds or not (self.options.approximate or self.options.oracle):
            return view
        return view._replace(distances=self._found[0].copy(), optimal=self._found[1].copy())

    def _find(self, where: NDArray[np.uint64]) -> None:
        """Find the distances of some boards by the solver, if there is one; and their optimal actions for an oracle."""
        packed, (distances, optimal) = self.boards[where], self._found
        if self.options.approximate:
            distances[where], optimal[where] = self._estimated(packed)
        elif self._solver is None:
            return
        elif self.options.oracle:
            columns = label(self._solver, packed, first_moves=True, workers=self._threads)
            distances[where] = columns["distance"]
            optimal[where] = columns["first_moves"][:, None] >> np.arange(4, dtype=np.uint8) & 1
        else:
            distances[where] = self._solver.engine.solve(packed, threads=self._threads)["length"]

    def _estimated(self, packed: NDArray[np.uint64]) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
        """Return the heuristic's value of each board, and the actions after which it is smallest; none at the goal."""
        made = children(packed, self._goal.shape)
        values = np.asarray(self.options.oracle.many(np.concatenate([packed, made.packed])), dtype=np.float32)
        after = np.full((len(packed), 4), np.inf, dtype=np.float32)
        after[made.parent, made.direction] = values[len(packed) :]
        greedy = (after == after.min(axis=1, keepdims=True)) & (packed != self._goal.packed)[:, None]
        return values[: len(packed)], greedy.astype(np.int8)


@lru_cache(maxsize=2)
def scramble_of(distribution: Distribution, goal: Board, pool: int, solver: Optional[Solver]) -> Scramble:
    """Return an object that draws the boards of a distribution; ValueError if no board is at such a distance.

    Boards at given distances are listed if they are few enough, and each is equally likely. Otherwise `pool` boards are
    drawn once, always the same ones, with the distances that the solver finds.
    """
    if isinstance(distribution, Walk):
        return Scramble(goal.shape, goal.packed, walk=(distribution.least, distribution.most))
    if not isinstance(distribution, Distances):
        return Scramble(goal.shape, goal.packed)
    distribution.check(goal)
    distances, weights = map(np.array, zip(*distribution.weights))
    levels = None
    if distribution.are_listed(goal):
        all_levels = levels_to(goal, int(distances.max()))
        levels = [all_levels[distance] for distance in distances.tolist()]
    if levels is None or sum(map(len, levels)) > _MOST_LISTED:
        numbers = np.ceil(pool * weights / weights.sum()).astype(np.int64)
        finder = best_solver(goal) if solver is None else solver
        boards = at_distances(np.repeat(distances, numbers), _POOL_SEED, finder)
    else:
        numbers = np.array([len(level) for level in levels])
        boards = np.concatenate(levels)
    ends = np.cumsum(numbers).astype(np.uint64)
    shares = np.cumsum(weights) / weights.sum()
    chances = np.array([min(int(share * 2.0**64), 2**64 - 1) for share in [*shares[:-1].tolist(), 1.0]], np.uint64)
    return Scramble(goal.shape, goal.packed, levels=(np.ascontiguousarray(boards), ends, chances))


@lru_cache(maxsize=4)
def all_distances(goal: Board) -> NDArray[np.uint8]:
    """Return the distance of every board that reaches the goal, by the board's number (`ranks`)."""
    levels = levels_to(goal, 255)
    table = np.empty(sum(map(len, levels)), dtype=np.uint8)
    for distance, boards in enumerate(levels):
        table[ranks(boards, goal.shape)] = distance
    table.flags.writeable = False
    return table
