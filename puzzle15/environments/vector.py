"""Many boards as one environment of gymnasium."""

from __future__ import annotations

from typing import Any, Optional, Union

import numpy as np
from numpy.typing import NDArray

from ..system.machine import available_memory
from ..system.quantities import format_size, whole
from .frames import RENDER_MODES, check_render_mode, frame_of, observation_space, shaped
from .gym import VectorEnv, gymnasium
from .options import check_reset_options, read_options, read_scramble
from .simulation import Simulation, View

__all__ = ["PuzzleVectorEnv"]

# Per board, as measured: arrays of the width of an observation, most of them in spaces; and all else, most in a reset.
_COPIES, _OTHER_BYTES = 8, 150


class PuzzleVectorEnv(VectorEnv):  # type: ignore[misc]  # gymnasium is not always there
    """Many sliding-tile puzzles that are stepped together, in C.

    ``gymnasium.make_vec("puzzle15/Puzzle-v0", num_envs=10_000, ..)`` makes it, too, once `puzzle15.environments` is
    imported; then an episode has 200 steps at most.

    Parameters
    ----------
    num_envs : int
        How many boards. Each takes some 300 bytes, or 2 kB with ``observation="one-hot"``.
    autoreset_mode : gymnasium.vector.AutoresetMode or str
        When a board whose episode has ended gets a new one: with the next step (``"NextStep"``), which ignores its
        action; with the same step (``"SameStep"``), where `info` keeps ``final_obs`` and ``final_info``; or when
        ``reset(options={"reset_mask": mask})`` says so (``"Disabled"``).
    workers : int
        A number of threads, as they share each step. Each takes at least 12,500 boards. What is computed does not
        depend on it.
    render_mode : {"ansi", "rgb_array", "svg"}, optional
        As for `PuzzleEnv`.
    **options
        Those of `Options`: goal, shape, scramble, reward and others.

    Raises
    ------
    ValueError
        An option is out of its range.
    MemoryError
        So many boards take more than the available memory.

    Notes
    -----
    Actions, observations, rewards and `info` are those of `PuzzleEnv`, in arrays with one row per board. Board i of
    ``reset(seed=s)`` has the episodes of a `PuzzleEnv` with the seed s + i.

    Examples
    --------
    ::

        envs = PuzzleVectorEnv(10_000, shape=(3, 3), distance=(1, 10), workers=2)
        observations, infos = envs.reset(seed=1)
        actions = infos["action_mask"].argmax(axis=1)
        observations, rewards, terminations, truncations, infos = envs.step(actions)
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 4}

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
            self._mode = gymnasium.vector.AutoresetMode(autoreset_mode).value
        except ValueError:
            raise ValueError(f"autoreset_mode {autoreset_mode!r}: expected NextStep, SameStep or Disabled") from None
        self.metadata = {**self.metadata, "autoreset_mode": gymnasium.vector.AutoresetMode(self._mode)}
        self.render_mode = check_render_mode(render_mode)
        self.options = read_options(options)
        self._check_memory()
        self.single_action_space = gymnasium.spaces.Discrete(4)
        self.single_observation_space = observation_space(self.options)
        batch = gymnasium.vector.utils.batch_space
        self.action_space = batch(self.single_action_space, self.num_envs)
        self.observation_space = batch(self.single_observation_space, self.num_envs)
        self._simulation = Simulation(self.num_envs, self.options, workers)
        self._begun = False

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
        seeds = [None if each is None else whole("seed", each) for each in (seed if several else [seed])]
        super().reset(seed=None if several else seeds[0])
        given = check_reset_options(options, "boards", "reset_mask")
        where = self._chosen(given.get("reset_mask"))
        self._seed(seeds if several else seeds[0], where)
        distribution = read_scramble(given.get("scramble"), given.get("distance"))
        if distribution is not None:
            self._simulation.scramble(distribution)
        self._simulation.begin(np.flatnonzero(where), given.get("boards"))
        self._begun = True
        view = self._simulation.observe()
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
        step, view = simulation.step(simulation.check_actions(actions))
        infos: dict[str, Any] = {}
        if self._mode == "SameStep" and simulation.ended.any():
            ended = simulation.ended.copy()
            infos = self._final(view, ended)
            simulation.begin(np.flatnonzero(ended))
            view = simulation.observe()
        infos.update(self._infos(view, np.ones(self.num_envs, dtype=np.bool_)))
        return self._observations(view), step.rewards, step.terminated, step.truncated, infos

    def render(self) -> Optional[tuple[Any, ...]]:
        """All boards, as `render_mode` says."""
        if self.render_mode is None:
            return None
        return tuple(frame_of(row, self.options.target, self.render_mode) for row in self._simulation.tiles())

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

    def _seed(self, seed: Union[None, int, list[Optional[int]]], where: NDArray[np.bool_]) -> None:
        """Give generators to the boards that a reset begins; at first to all."""
        if seed is None:
            if not self._begun:
                self._simulation.seed(self.np_random.integers(2**63, size=self.num_envs, dtype=np.uint64))
            return
        if isinstance(seed, list):
            if len(seed) != self.num_envs:
                raise ValueError(f"seed: {len(seed)} numbers; expected one, or {self.num_envs}, one per board")
            if not self._begun and None in seed:
                self._seed(None, where)
            seeds = {index: each for index, each in enumerate(seed) if each is not None and where[index]}
        else:
            seeds = {index: seed + index for index in np.flatnonzero(where).tolist()}
        numbers = np.array([each % 2**64 for each in seeds.values()], dtype=np.uint64)
        self._simulation.seed(numbers, np.array(list(seeds), dtype=np.uint64))

    def _observations(self, view: View) -> Any:
        boards = shaped(view.observations, self.options)
        return {"board": boards, "action_mask": view.masks.copy()} if self.options.mask_in_observation else boards

    def _infos(self, view: View, of: NDArray[np.bool_]) -> dict[str, Any]:
        """The arrays, and for each whether a board has its row filled."""
        infos: dict[str, Any] = {"action_mask": view.masks, "_action_mask": of}
        if view.distances is not None and view.optimal is not None:
            infos.update(distance=view.distances.astype(np.int64), _distance=of.copy())
            infos.update(optimal_actions=view.optimal, _optimal_actions=of.copy())
        return infos

    def _final(self, view: View, ended: NDArray[np.bool_]) -> dict[str, Any]:
        """What is kept of episodes that are begun anew in the same step."""
        observations = self._observations(view)
        final = np.full(self.num_envs, None, dtype=object)
        for index in np.flatnonzero(ended).tolist():
            if isinstance(observations, dict):
                final[index] = {name: rows[index].copy() for name, rows in observations.items()}
            else:
                final[index] = observations[index].copy()
        return {
            "final_obs": final,
            "_final_obs": ended.copy(),
            "final_info": self._infos(view, ended.copy()),
            "_final_info": ended.copy(),
        }
