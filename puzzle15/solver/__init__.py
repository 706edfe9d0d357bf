"""The optimal solver: it chooses tables, solves boards, and labels many of them."""

from .._system.lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __path__)
