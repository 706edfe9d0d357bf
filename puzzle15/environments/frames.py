"""How boards are seen: the space and the shape of observations, and what is rendered."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from ..board import Board
from ..pictures import board_box, board_pixels, board_svg
from .gym import gymnasium
from .options import Options

__all__ = ["RENDER_MODES", "check_render_mode", "frame_of", "observation_space", "shaped"]

RENDER_MODES = ["ansi", "rgb_array", "svg"]


def check_render_mode(mode: Optional[str]) -> Optional[str]:
    """The mode; ValueError unless it is None or one of `RENDER_MODES`."""
    if mode not in (None, *RENDER_MODES):
        raise ValueError(f"render_mode {mode!r}: expected one of {', '.join(RENDER_MODES)}, or None")
    return mode


def frame_of(tiles: NDArray[np.uint8], goal: Board, mode: Optional[str]) -> Any:
    """A board as lines of text, pixels, or SVG; None without a mode."""
    numbers = tiles.tolist()
    if mode == "ansi":
        return "\n".join(board_box(numbers, goal.shape))
    if mode == "svg":
        return str(board_svg(numbers, goal.shape, goal=goal.tiles))
    return board_pixels(numbers, goal.shape, goal=goal.tiles) if mode == "rgb_array" else None


def observation_space(options: Options) -> Any:
    """The space of one board's observations."""
    spaces, cells = gymnasium.spaces, len(options.target)
    if options.observation == "one-hot":
        board = spaces.Box(0, 1, (cells, cells), np.uint8)
    else:
        board = spaces.Box(0, cells - 1, (cells,), np.uint8)
    if not options.mask_in_observation:
        return board
    return spaces.Dict({"board": board, "action_mask": spaces.Box(0, 1, (4,), np.int8)})


def shaped(observations: NDArray[np.uint8], options: Options) -> NDArray[np.uint8]:
    """Rows of observations, in the shape that the space tells."""
    cells = len(options.target)
    return observations.reshape(-1, cells, cells) if options.observation == "one-hot" else observations
