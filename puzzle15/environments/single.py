"""One board as an environment of gymnasium."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from ..system.quantities import whole
from .frames import RENDER_MODES, check_render_mode, frame_of, observation_space, shaped
from .gym import Env, gymnasium
from .options import check_reset_options, read_options, read_scramble
from .simulation import Simulation, View

__all__ = ["PuzzleEnv"]


class PuzzleEnv(Env):  # type: ignore[misc]  # gymnasium is not always there
    """One sliding-tile puzzle.

    ``gymnasium.make("puzzle15/Puzzle-v0", ..)`` makes it, too, once `puzzle15.environments` is imported; then an
    episode has 200 steps at most.

    Parameters
    ----------
    render_mode : {"ansi", "rgb_array", "svg"}, optional
        A board as lines of text, as pixels, or as the text of a picture.
    **options
        Those of `Options`: goal, shape, scramble, reward and others.

    Notes
    -----
    *Actions* are directions of the blank, as in all arrays of this package: 0 up, 1 left, 2 right, 3 down. The letters
    of moves name the direction of the tile, which is the opposite: `puzzle15.board.moves_from_directions` turns actions
    into letters.

    *Observations* are the tiles, uint8 (cells,); ``observation="one-hot"`` has one row per cell, uint8 (cells, cells).

    *info* holds ``action_mask``, int8 (4,), which ``action_space.sample`` takes; with ``oracle=True`` also
    ``distance`` and ``optimal_actions``.

    An episode terminates with the move that makes the goal. It begins with another board than the goal, if not
    ``distance=0`` is asked for.

    ``reset(options=..)`` takes ``scramble`` or ``distance``, which stay in force until others are given, and ``board``,
    which is for one episode.

    Examples
    --------
    ::

        env = PuzzleEnv(shape=(3, 3), distance=(1, 5), reward="distance", oracle=True)
        observation, info = env.reset(seed=1)
        action = info["optimal_actions"].argmax()
        observation, reward, terminated, truncated, info = env.step(action)
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 4}

    def __init__(self, *, render_mode: Optional[str] = None, **options: Any) -> None:
        super().__init__()
        self.render_mode = check_render_mode(render_mode)
        self.options = read_options(options)
        self.action_space = gymnasium.spaces.Discrete(4)
        self.observation_space = observation_space(self.options)
        self._simulation = Simulation(1, self.options)
        self._state = "new"

    def reset(self, *, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None) -> tuple[Any, Any]:
        """Begin an episode: (observation, info)."""
        seed = None if seed is None else whole("seed", seed)
        super().reset(seed=seed)
        given = check_reset_options(options, "board")
        if seed is not None or self._state == "new":
            self._simulation.seed([self.np_random.integers(2**63) if seed is None else seed % 2**64])
        distribution = read_scramble(given.get("scramble"), given.get("distance"))
        if distribution is not None:
            self._simulation.scramble(distribution)
        board = given.get("board")
        self._simulation.begin(boards=None if board is None else [board])
        self._state = "playing"
        return self._seen(self._simulation.observe())

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Take an action: (observation, reward, terminated, truncated, info)."""
        if self._state != "playing":
            why = "the episode has ended" if self._state == "ended" else "no episode has begun"
            raise gymnasium.error.ResetNeeded(f"{why}: call reset() before step()")
        step, view = self._simulation.step(self._simulation.check_actions(np.asarray(action).reshape(-1)))
        observation, info = self._seen(view)
        terminated, truncated = bool(step.terminated[0]), bool(step.truncated[0])
        self._state = "ended" if terminated or truncated else "playing"
        return observation, float(step.rewards[0]), terminated, truncated, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions move a tile, bool (4,), under the name that MaskablePPO of sb3-contrib asks for."""
        mask: NDArray[np.bool_] = self._simulation.observe().masks[0].astype(np.bool_)
        return mask

    def render(self) -> Any:
        """The board, as `render_mode` says."""
        return frame_of(self._simulation.tiles()[0], self.options.target, self.render_mode)

    def _seen(self, view: View) -> tuple[Any, dict[str, Any]]:
        """(observation, info)"""
        mask = view.masks[0]
        info: dict[str, Any] = {"action_mask": mask}
        if view.distances is not None and view.optimal is not None:
            info.update(distance=int(view.distances[0]), optimal_actions=view.optimal[0])
        board = shaped(view.observations, self.options)[0]
        return ({"board": board, "action_mask": mask.copy()} if self.options.mask_in_observation else board), info
