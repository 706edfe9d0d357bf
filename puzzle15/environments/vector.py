"""Many boards as one environment of gymnasium."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from ..system.machine import available_memory
from ..system.quantities import format_size, whole
from .common import Shared, VectorEnv, gymnasium, reset_options, row_of
from .simulation import Simulation, View

__all__ = ["PuzzleVectorEnv"]

# Per board, as measured: arrays of the width of an observation, most of them in spaces; and all else, most in a reset.
_COPIES, _OTHER_BYTES = 8, 150


class PuzzleVectorEnv(Shared, VectorEnv):  # type: ignore[misc]  # gymnasium is not always there
    """Many sliding-tile puzzles that are stepped together, in C.

    Once `puzzle15.environments` is imported, ``gymnasium.make_vec("puzzle15/Puzzle-v0", num_envs=10_000, ..)`` makes
    it, too, with episodes of at most 200 steps.

    Parameters
    ----------
    num_envs : int
        How many boards. Each takes some 300 bytes, or 2 kB with ``observation="one-hot"``.
    autoreset_mode : gymnasium.vector.AutoresetMode or str
        When a board whose episode has ended gets a new one: with the next step (``"NextStep"``), which ignores its
        action; with the same step (``"SameStep"``), where `info` keeps ``final_obs`` and ``final_info``; or with
        ``reset(options={"reset_mask": mask})`` (``"Disabled"``).
    workers : int
        Threads that share each step. Each takes at least 12,500 boards. What is computed does not depend on them.
    render_mode : {"ansi", "rgb_array", "svg"}, optional
        As for `PuzzleEnv`.
    **options
        Those of `Options`: goal, shape, scramble, reward and others.

    Raises
    ------
    ValueError, MemoryError
        An option is out of its range; so many boards take more than the available memory.

    Notes
    -----
    Actions, observations, rewards and `info` are those of `PuzzleEnv`, in arrays with one row per board. Board i of
    ``reset(seed=s)`` has the episodes of a `PuzzleEnv` with the seed s + i.
    """

    def __init__(
        self,
        num_envs: int = 1,
        *,
        autoreset_mode: Any = "NextStep",
        workers: int = 1,
        render_mode: Optional[str] = None,
        **options: Any,
    ) -> None:
        super().__init__()
        self.num_envs = whole("num_envs", num_envs, 1)
        try:
            mode = gymnasium.vector.AutoresetMode(autoreset_mode)
        except ValueError:
            raise ValueError(f"autoreset_mode {autoreset_mode!r}: expected NextStep, SameStep or Disabled") from None
        self._mode = mode.value
        self.metadata = {**self.metadata, "autoreset_mode": mode}
        self._take(render_mode, options)
        self._check_memory()
        self.single_action_space = gymnasium.spaces.Discrete(4)
        self.single_observation_space = self._space()
        batch = gymnasium.vector.utils.batch_space
        self.action_space = batch(self.single_action_space, self.num_envs)
        self.observation_space = batch(self.single_observation_space, self.num_envs)
        self._simulation = Simulation(self.num_envs, self.options, workers)

    def reset(self, *, seed: Any = None, options: Optional[dict[str, Any]] = None) -> tuple[Any, dict[str, Any]]:
        """Begin episodes: (observations, infos).

        Parameters
        ----------
        seed : int or list of (int or None), optional
            With a number, board i gets seed + i.
        options : dict, optional
            ``scramble`` or ``distance``, which stay in force until others are given; ``boards``, one for each episode
            that begins; ``reset_mask``, bool (num_envs,): the boards whose episodes begin, by default all.
        """
        several = np.ndim(seed) > 0
        seeds: list[Any] = [None if each is None else whole("seed", each) for each in (seed if several else [seed])]
        super().reset(seed=None if several else seeds[0])
        given = reset_options(options, "boards", "reset_mask")
        where = self._chosen(given.get("reset_mask"))
        if several and len(seeds) != self.num_envs:
            raise ValueError(f"seed: {len(seeds)} numbers; expected one, or {self.num_envs}, one per board")
        if not self._begun and None in seeds:
            self._simulation.seed(self.np_random.integers(2**63, size=self.num_envs, dtype=np.uint64))
        if several or seed is not None:
            numbers = seeds if several else range(seeds[0], seeds[0] + self.num_envs)
            chosen = [at for at in np.flatnonzero(where).tolist() if numbers[at] is not None]
            taken = np.array([numbers[at] % 2**64 for at in chosen], dtype=np.uint64)
            self._simulation.seed(taken, np.array(chosen))
        view = self._begin(given, np.flatnonzero(where), given.get("boards"))
        return self._observations(view), self._infos(view, where)

    def step(self, actions: Any) -> tuple[Any, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Take an action for each board: (observations, rewards, terminations, truncations, infos)."""
        simulation = self._simulation
        if not self._begun:
            raise gymnasium.error.ResetNeeded("no episode has begun: call reset() before step()")
        if self._mode == "Disabled" and simulation.ended.any():
            index = int(np.flatnonzero(simulation.ended)[0])
            raise gymnasium.error.ResetNeeded(
                f"board {index} has ended its episode: call reset() with options={{'reset_mask': mask}}"
            )
        results, view = simulation.step(simulation.check_actions(actions))
        infos: dict[str, Any] = {}
        if self._mode == "SameStep" and simulation.ended.any():
            ended = simulation.ended.copy()
            infos = self._final(view, ended)
            simulation.begin(np.flatnonzero(ended))
            view = simulation.observe()
        infos.update(self._infos(view, np.ones(self.num_envs, dtype=np.bool_)))
        return (self._observations(view), *results, infos)

    def render(self) -> Optional[tuple[Any, ...]]:
        """All boards, as `render_mode` says."""
        return None if self.render_mode is None else self._frames()

    def close_extras(self, **_: Any) -> None:
        """End the threads."""
        self._simulation.close()

    def _check_memory(self) -> None:
        """Raise MemoryError now, since a system that overcommits memory would end the process later."""
        cells = len(self.options.target)
        width = cells * (cells if self.options.observation == "one-hot" else 1)
        needed, there = self.num_envs * (_COPIES * width + _OTHER_BYTES), available_memory()
        if needed > there:
            raise MemoryError(
                f"num_envs {self.num_envs:,}: these boards take some {format_size(needed)}, and {format_size(there)} "
                f"of memory are available; take at most {self.num_envs * there // needed:,}"
            )

    def _chosen(self, mask: Any) -> NDArray[np.bool_]:
        """The boards whose episodes a reset begins."""
        if mask is None:
            return np.ones(self.num_envs, dtype=np.bool_)
        chosen = np.asarray(mask)
        if chosen.shape != (self.num_envs,) or chosen.dtype != np.bool_:
            raise ValueError(f"reset_mask: {chosen.dtype} {chosen.shape}; expected bool ({self.num_envs},)")
        if not self._begun and not chosen.all():
            raise gymnasium.error.ResetNeeded("reset_mask: no episode has begun; call reset() without it before")
        return chosen

    def _infos(self, view: View, of: NDArray[np.bool_]) -> dict[str, Any]:
        """The arrays, and for each whether a board has its row filled."""
        infos: dict[str, Any] = {"action_mask": view.masks, "_action_mask": of}
        if view.distances is not None and view.optimal is not None:
            infos.update(distance=view.distances.astype(np.int64), _distance=of.copy())
            infos.update(optimal_actions=view.optimal, _optimal_actions=of.copy())
        return infos

    def _final(self, view: View, ended: NDArray[np.bool_]) -> dict[str, Any]:
        """What is kept of episodes that are begun anew in the same step."""
        rows, final = self._observations(view), np.full(self.num_envs, None, dtype=object)
        for index in np.flatnonzero(ended).tolist():
            final[index] = row_of(rows, index)
        return {
            "final_obs": final,
            "_final_obs": ended.copy(),
            "final_info": self._infos(view, ended.copy()),
            "_final_info": ended.copy(),
        }
