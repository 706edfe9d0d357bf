"""Published facts: the standard boards of the literature, and the numbers of boards at each distance."""

from ..system.lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __path__)
