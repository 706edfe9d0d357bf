"""The page of ``puzzle15 page`` and ``puzzle15 serve``: one file of HTML that plays, solves and shows searches."""

from .assembling import assemble, page

__all__ = ["assemble", "page"]
