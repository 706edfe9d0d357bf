"""One board as an environment of gymnasium."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from ..system.quantities import whole
from .common import Env, Shared, gymnasium, reset_options, row_of
from .simulation import Simulation, View

__all__ = ["PuzzleEnv"]


class PuzzleEnv(Shared, Env):  # type: ignore[misc]  # gymnasium is not always there
    """One sliding-tile puzzle.

    Once `puzzle15.environments` is imported, ``gymnasium.make("puzzle15/Puzzle-v0", ..)`` makes it, too, with episodes
    of at most 200 steps.

    Parameters
    ----------
    render_mode : {"ansi", "rgb_array", "svg"}, optional
        A board as lines of text, as pixels, or as the text of a picture.
    **options
        Those of `Options`: goal, shape, scramble, reward and others.

    Notes
    -----
    *Actions* are directions of the blank, as in all arrays of this package: 0 up, 1 left, 2 right, 3 down. Letters
    of moves name the opposite direction, that of the tile; `puzzle15.board.moves_from_directions` turns actions into
    letters.

    *Observations* are the tiles, uint8 (cells,); ``observation="one-hot"`` has one row per cell, uint8 (cells, cells).

    *info* holds ``action_mask``, int8 (4,), which ``action_space.sample`` takes; with ``oracle=True`` also
    ``distance`` and ``optimal_actions``.

    An episode terminates with the move that makes the goal. It begins at another board than the goal, except with
    ``distance=0``.

    ``reset(options=..)`` takes ``scramble`` or ``distance``, which stay in force until others are given, and ``board``,
    which is for one episode.
    """

    def __init__(self, *, render_mode: Optional[str] = None, **options: Any) -> None:
        super().__init__()
        self._take(render_mode, options)
        self.action_space = gymnasium.spaces.Discrete(4)
        self.observation_space = self._space()
        self._simulation = Simulation(1, self.options)

    def reset(self, *, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None) -> tuple[Any, Any]:
        """Begin an episode: (observation, info)."""
        seed = None if seed is None else whole("seed", seed)
        super().reset(seed=seed)
        given = reset_options(options, "board")
        if seed is not None or not self._begun:
            self._simulation.seed([self.np_random.integers(2**63) if seed is None else seed % 2**64])
        board = given.get("board")
        return self._seen(self._begin(given, None, None if board is None else [board]))

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Take an action: (observation, reward, terminated, truncated, info)."""
        if not self._begun or self._simulation.ended[0]:
            why = "the episode has ended" if self._begun else "no episode has begun"
            raise gymnasium.error.ResetNeeded(f"{why}: call reset() before step()")
        actions = self._simulation.check_actions(np.asarray(action).reshape(-1))
        (rewards, terminated, truncated), view = self._simulation.step(actions)
        observation, info = self._seen(view)
        return observation, float(rewards[0]), bool(terminated[0]), bool(truncated[0]), info

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions move a tile, bool (4,), under the name that MaskablePPO of sb3-contrib expects."""
        mask: NDArray[np.bool_] = self._simulation.observe().masks[0].astype(np.bool_)
        return mask

    def render(self) -> Any:
        """The board, as `render_mode` says."""
        return None if self.render_mode is None else self._frames()[0]

    def _seen(self, view: View) -> tuple[Any, dict[str, Any]]:
        """(observation, info)"""
        info: dict[str, Any] = {"action_mask": view.masks[0]}
        if view.distances is not None and view.optimal is not None:
            info.update(distance=int(view.distances[0]), optimal_actions=view.optimal[0])
        return row_of(self._observations(view), 0), info
