"""Pattern tables: their folder, and how they are built, listed, opened and verified."""

from .._system.lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __path__)
