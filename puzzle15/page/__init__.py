"""The page of ``puzzle15 page`` and ``puzzle15 serve``: one file of HTML that plays, solves and shows searches."""

from .._system.lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __path__)
