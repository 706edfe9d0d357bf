"""gymnasium, and what both environments share: options, spaces, observations and frames."""

from __future__ import annotations

from dataclasses import fields
from importlib import import_module
from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from ..pictures import Look, board_box, board_pixels, board_svg
from .options import Options, read_scramble
from .simulation import Simulation, View

__all__ = ["Env", "Shared", "VectorEnv", "gymnasium", "register", "reset_options", "row_of"]

ID = "puzzle15/Puzzle-v0"
RENDER_MODES = ["ansi", "rgb_array", "svg"]

gymnasium: Any = None
Env: Any
VectorEnv: Any


class _Missing:
    def __init__(self, *_: Any, **__: Any) -> None:
        raise ImportError('an environment needs gymnasium, 1.1 or newer: pip install "gymnasium>=1.1"')


try:
    gymnasium = import_module("gymnasium")
    Env, VectorEnv = gymnasium.Env, gymnasium.vector.VectorEnv
    gymnasium.vector.AutoresetMode  # noqa: B018 - older ones have none
except (ImportError, AttributeError):
    gymnasium, Env, VectorEnv = None, _Missing, _Missing


def register() -> None:
    """Register the environments for `gymnasium.make` and `make_vec`, with episodes of at most 200 steps."""
    if gymnasium is not None and ID not in gymnasium.registry:
        gymnasium.register(
            ID,
            entry_point="puzzle15.environments:PuzzleEnv",
            vector_entry_point="puzzle15.environments:PuzzleVectorEnv",
            max_episode_steps=200,
        )


class Shared:
    """A base class of both environments; `_take` and `_simulation` are set by their constructors."""

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 4}
    _simulation: Simulation

    def _take(self, render_mode: Optional[str], options: dict[str, Any]) -> None:
        """Check the arguments, and keep them."""
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"render_mode {render_mode!r}: expected one of {', '.join(RENDER_MODES)}, or None")
        expected = [field.name for field in fields(Options)]
        if unknown := set(options) - set(expected):
            raise TypeError(f"option {min(unknown)!r}: expected {', '.join(expected)}")
        self.render_mode, self.options = render_mode, Options(**options)
        self._begun = False

    def _space(self) -> Any:
        """The space of one board's observations."""
        spaces, cells = gymnasium.spaces, len(self.options.target)
        if self.options.observation == "one-hot":
            board = spaces.Box(0, 1, (cells, cells), np.uint8)
        else:
            board = spaces.Box(0, cells - 1, (cells,), np.uint8)
        if not self.options.mask_in_observation:
            return board
        return spaces.Dict({"board": board, "action_mask": spaces.Box(0, 1, (4,), np.int8)})

    def _observations(self, view: View) -> Any:
        """The observations of all boards, in the shape of the space."""
        boards = view.observations
        if self.options.observation == "one-hot":
            cells = len(self.options.target)
            boards = boards.reshape(-1, cells, cells)
        return {"board": boards, "action_mask": view.masks.copy()} if self.options.mask_in_observation else boards

    def _begin(self, given: dict[str, Any], indices: Optional[NDArray[Any]], boards: Any) -> View:
        """Begin episodes with the options of a reset."""
        distribution = read_scramble(given.get("scramble"), given.get("distance"))
        if distribution is not None:
            self._simulation.scramble(distribution)
        self._simulation.begin(indices, boards)
        self._begun = True
        return self._simulation.observe()

    def _frames(self) -> tuple[Any, ...]:
        """Each board as lines of text, pixels, or SVG."""
        goal, mode = self.options.target, self.render_mode
        boards = self._simulation.tiles().tolist()
        if mode == "ansi":
            return tuple("\n".join(board_box(tiles, goal.shape)) for tiles in boards)
        if mode == "rgb_array":
            return tuple(board_pixels(tiles, goal.shape, goal=goal.tiles) for tiles in boards)
        return tuple(str(board_svg(tiles, goal.shape, Look(goal=goal.tiles))) for tiles in boards)


def reset_options(given: Optional[dict[str, Any]], *others: str) -> dict[str, Any]:
    """The options of a reset; ValueError for one that is neither `scramble` nor `distance` nor one of the others."""
    expected = ("scramble", "distance", *others)
    if unknown := set(given or ()) - set(expected):
        raise ValueError(f"reset option {min(unknown)!r}: expected {', '.join(expected)}")
    return given or {}


def row_of(observations: Any, index: int) -> Any:
    """A copy of one board's observation."""
    if isinstance(observations, dict):
        return {name: rows[index].copy() for name, rows in observations.items()}
    return observations[index].copy()
