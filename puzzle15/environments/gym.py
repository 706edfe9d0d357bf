"""gymnasium, and the classes that environments derive from; without it, a class that says how to install it."""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["Env", "VectorEnv", "gymnasium", "register"]

ID = "puzzle15/Puzzle-v0"

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
    """Make the environments known to `gymnasium.make` and `gymnasium.make_vec`, if gymnasium is there.

    An episode has 200 steps at most, unless ``max_episode_steps`` says otherwise.
    """
    if gymnasium is not None and ID not in gymnasium.registry:
        gymnasium.register(
            ID,
            entry_point="puzzle15.environments:PuzzleEnv",
            vector_entry_point="puzzle15.environments:PuzzleVectorEnv",
            max_episode_steps=200,
        )
