"""Many boards in episodes of their own, stepped in C: what both environments are made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Optional

import numpy as np
from numpy.typing import NDArray

from .._core.learning.environment import Episodes
from ..board import blank_cells, legal_directions, pack_solvable, unpack_boards
from ..dataset import Distribution
from ..parallel import Team, result_of, thread_count
from ..solver import Solver, best_solver
from .options import REWARDS, Options
from .oracle import MOST_LISTED_CELLS, all_distances, solved
from .scrambles import scramble_of

__all__ = ["Simulation", "Step", "View"]

_LEAST_PER_THREAD = 12_500  # boards: fewer take less time than another thread needs to begin


class View(NamedTuple):
    """What is seen of all boards. The arrays are new ones, and belong to the caller."""

    observations: NDArray[np.uint8]
    masks: NDArray[np.int8]
    distances: Optional[NDArray[np.uint8]]
    optimal: Optional[NDArray[np.int8]]


class Step(NamedTuple):
    """What a step gives beside the view."""

    rewards: NDArray[np.float32]
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]


class Simulation:
    """Many boards that are stepped together.

    Parameters
    ----------
    count : int
        Boards.
    options : Options
    threads : int
        What is computed does not depend on it.

    Attributes
    ----------
    options : Options
    count : int
    ended : ndarray of bool, shape (count,)
        Boards whose episode has ended. Their next step begins a new one.

    Examples
    --------
    >>> simulation = Simulation(2, Options(shape=(3, 3), distance=1))
    >>> simulation.seed(np.array([1, 2]))
    >>> simulation.begin()
    >>> simulation.observe().masks.tolist()
    [[1, 1, 1, 0], [1, 1, 0, 1]]
    >>> step, view = simulation.step(np.array([2, 3], dtype=np.uint8))
    >>> step.rewards.tolist(), step.terminated.tolist(), view.observations[0].tolist()
    ([-1.0, -1.0], [True, True], [1, 2, 3, 4, 5, 6, 7, 8, 0])
    """

    def __init__(self, count: int, options: Options, threads: int = 1) -> None:
        self.options, self.count = options, count
        self._threads = thread_count(threads)
        self._team: Optional[Team] = None
        self._goal = goal = options.target
        self._width = len(goal) * (len(goal) if options.observation == "one-hot" else 1)
        self._all = np.arange(count, dtype=np.uint64)
        progress = options.reward == "distance"
        table: Optional[NDArray[np.uint8]] = None
        self._solver: Optional[Solver] = None
        if (progress or options.oracle) and len(goal) <= MOST_LISTED_CELLS:
            table = all_distances(goal)
        elif progress or options.oracle:
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
        self._known: Optional[tuple[NDArray[np.uint8], NDArray[np.int8]]] = None  # by the solver, of all boards
        self.scramble(options.distribution)

    def scramble(self, distribution: Distribution) -> None:
        """Let the episodes that begin from now on have other boards."""
        self._distribution = distribution
        self._scramble = scramble_of(distribution, self._goal, self.options.pool, self.options.solver)

    @property
    def boards(self) -> NDArray[np.uint64]:
        """Packed boards, not to be changed."""
        return self._episodes.boards

    @property
    def ended(self) -> NDArray[np.bool_]:
        return self._episodes.ended.view(np.bool_)

    def seed(self, seeds: Any, indices: Optional[NDArray[Any]] = None) -> None:
        """Give boards the generators of these seeds, by default all boards."""
        self._episodes.seed(np.ascontiguousarray(seeds, dtype=np.uint64), self._indices(indices))

    def begin(self, indices: Optional[NDArray[Any]] = None, boards: Any = None) -> None:
        """Begin new episodes, by default of all boards; with scrambles, or with boards that are given."""
        where = self._indices(indices)
        if boards is None:
            self._episodes.begin(self._scramble, where)
        else:
            packed, _ = pack_solvable(boards, self._goal, "raise")
            if len(packed) != len(where):
                raise ValueError(
                    f"boards: {len(packed)} given; expected {len(where)}, one for each episode that begins"
                )
            self._episodes.place(packed, where)
        if self._solver is not None:
            self._ask(self._solver, where)

    def step(self, actions: NDArray[np.uint8]) -> tuple[Step, View]:
        """Take an action for each board. Boards whose episode has ended begin a new one instead, with reward 0."""
        rewards = np.empty(self.count, dtype=np.float32)
        terminated, truncated = np.empty(self.count, dtype=np.uint8), np.empty(self.count, dtype=np.uint8)
        began = self.ended.copy() if self._solver is not None else None
        view = self._new_view()

        def work(begin: int, end: int) -> None:
            self._episodes.step(self._scramble, actions, begin, end, rewards, terminated, truncated)
            self._fill(view, begin, end)

        self._share(work)
        if self._solver is not None:
            assert self._known is not None and began is not None
            before = self._known[0].astype(np.float32)
            self._ask(self._solver, self._all)
            if self.options.reward == "distance":
                rewards += np.where(began, np.float32(0), before - self._known[0])
        return Step(rewards, terminated.view(np.bool_), truncated.view(np.bool_)), self._with_known(view)

    def observe(self) -> View:
        """What is seen of all boards."""
        view = self._new_view()
        self._share(lambda begin, end: self._fill(view, begin, end))
        return self._with_known(view)

    def tiles(self) -> NDArray[np.uint8]:
        """The tiles of all boards, uint8 (count, cells)."""
        return unpack_boards(self.boards, self._goal.shape)

    def check_actions(self, given: Any) -> NDArray[np.uint8]:
        """The actions as the kernel takes them.

        Raises
        ------
        ValueError
            There are not as many as boards, one is no action, or, if ``illegal="raise"``, one moves no tile.
        """
        actions = np.asarray(given)
        if actions.shape != (self.count,) or actions.dtype.kind not in "iu":
            what = f"{actions.dtype} {actions.shape}"
            raise ValueError(
                f"actions: an array of {what}; expected whole numbers, one for each of {self.count} boards"
            )
        if actions.dtype != np.uint8:
            if actions.min() < 0 or actions.max() > 3:
                self._refuse(
                    actions, (actions < 0) | (actions > 3), "0 up, 1 left, 2 right, 3 down, where the blank goes"
                )
            actions = actions.astype(np.uint8)
        elif actions.max() > 3:
            self._refuse(actions, actions > 3, "0 up, 1 left, 2 right, 3 down, where the blank goes")
        if self.options.illegal == "raise":
            legal = legal_directions(self._goal.shape)[blank_cells(self.boards, self._goal.shape)]
            wrong = (legal >> actions & 1 == 0) & ~self.ended
            if wrong.any():
                self._refuse(actions, wrong, "one that its action mask allows")
        return np.ascontiguousarray(actions)

    def close(self) -> None:
        """End the threads; the next step would start them again."""
        if self._team is not None:
            self._team.stop()
            self._team = None

    def __getstate__(self) -> dict[str, Any]:
        episodes = self._episodes
        state = {name: getattr(episodes, name).copy() for name in ("boards", "randoms", "steps", "ended")}
        own = (self.options, self.count, self._threads, self._distribution, self._known)
        return {"own": own, "state": state}

    def __setstate__(self, state: dict[str, Any]) -> None:
        options, count, threads, distribution, known = state["own"]
        Simulation.__init__(self, count, options, threads)
        self.scramble(distribution)
        self._episodes.restore(**state["state"])
        self._known = known

    def _refuse(self, actions: NDArray[Any], wrong: NDArray[np.bool_], expected: str) -> None:
        index = int(np.flatnonzero(wrong)[0])
        which = f" of board {index}" if self.count > 1 else ""
        raise ValueError(f"action {actions[index]}{which}: expected {expected}")

    def _indices(self, indices: Optional[NDArray[Any]]) -> NDArray[np.uint64]:
        return self._all if indices is None else indices.astype(np.uint64)

    def _new_view(self) -> View:
        advised = self.options.oracle and self._solver is None
        return View(
            np.empty((self.count, self._width), dtype=np.uint8),
            np.empty((self.count, 4), dtype=np.int8),
            np.empty(self.count, dtype=np.uint8) if advised else None,
            np.empty((self.count, 4), dtype=np.int8) if advised else None,
        )

    def _fill(self, view: View, begin: int, end: int) -> None:
        self._episodes.observe(begin, end, view.observations, view.masks)
        if view.distances is not None and view.optimal is not None:
            self._episodes.advise(begin, end, view.distances, view.optimal)

    def _with_known(self, view: View) -> View:
        """The view with what the solver found."""
        if self._known is None or not self.options.oracle:
            return view
        return view._replace(distances=self._known[0].copy(), optimal=self._known[1].copy())

    def _ask(self, solver: Solver, where: NDArray[np.uint64]) -> None:
        """Ask the solver about some boards."""
        distances, optimal = solved(self.boards[where], solver, self._threads, self.options.oracle)
        if self._known is None or len(where) == self.count:
            self._known = np.zeros(self.count, dtype=np.uint8), np.zeros((self.count, 4), dtype=np.int8)
        self._known[0][where], self._known[1][where] = distances, optimal

    def _share(self, work: Callable[[int, int], None]) -> None:
        """Let threads do the work for parts of the boards; this one does the first part."""
        parts = min(self._threads, self.count // _LEAST_PER_THREAD)
        if parts < 2:
            work(0, self.count)
            return
        if self._team is None:
            self._team = Team(self._threads - 1)
        ends = [self.count * part // parts for part in range(parts + 1)]
        futures = [self._team.submit(work, begin, end) for begin, end in zip(ends[1:], ends[2:])]
        work(0, ends[1])
        for future in futures:
            result_of(future)
