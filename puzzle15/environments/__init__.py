"""Environments for learning: one board or thousands, with the interface of gymnasium.

Importing this room makes ``puzzle15/Puzzle-v0`` known to gymnasium, if that is installed.
"""

from .gym import register
from .options import Options
from .single import PuzzleEnv
from .vector import PuzzleVectorEnv

__all__ = ["Options", "PuzzleEnv", "PuzzleVectorEnv"]

register()
