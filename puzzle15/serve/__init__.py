"""The server of ``puzzle15 serve``: the page, and a JSON interface to hints, solutions and searches."""

from .server import Server

__all__ = ["Server"]
