"""Boards: one or many, their text, their moves, the symmetries of their shape, random boards, and published facts."""

from .._system.lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __path__)
