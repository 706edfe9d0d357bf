"""The server of ``puzzle15 serve``: a page to play on, and a JSON interface to hints, solutions and searches."""

from .limits import Limits
from .server import Server

__all__ = ["Limits", "Server"]
