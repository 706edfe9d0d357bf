"""The game: a board to play on, on the screen of a terminal or line by line, against the shortest solution."""

from ..system.lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __path__)
