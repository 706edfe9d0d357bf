"""Pictures of boards, solutions and searches, drawn from plain data: tiles, shapes, moves, numbers."""

from .._system.lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __path__)
