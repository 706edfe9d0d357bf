"""Checks of heuristics that users bring: whether they are what they claim to be."""

from ..system.lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __path__)
