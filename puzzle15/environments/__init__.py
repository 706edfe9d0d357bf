"""Environments for learning: one board or thousands, with the interface of gymnasium.

Importing this package registers ``puzzle15/Puzzle-v0`` with gymnasium, if that is installed.
"""

from .._system.lazy import attach_stub
from ._gym import register

__getattr__, __dir__, __all__ = attach_stub(__name__, __path__)

register()
