"""Environments for learning: one board or thousands, with the interface of gymnasium.

Importing this package registers ``puzzle15/Puzzle-v0`` with gymnasium, if that is installed.
"""

from .common import register
from .options import Options
from .single import PuzzleEnv
from .vector import PuzzleVectorEnv

__all__ = ["Options", "PuzzleEnv", "PuzzleVectorEnv"]

register()
