"""The files of the page, read once: nothing that a client sends becomes the name of a file."""

from __future__ import annotations

from pathlib import Path

from .http.messages import Response

__all__ = ["page_files"]

_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


def page_files() -> dict[str, Response]:
    """The answers with the files of the page, by their paths.

    >>> page_files()["/"].content_type
    'text/html; charset=utf-8'
    """
    return {
        "/" if file.name == "index.html" else f"/{file.name}": Response(
            200, _TYPES[file.suffix], file.read_bytes(), {"Cache-Control": "no-cache"}
        )
        for file in (Path(__file__).parent / "page").iterdir()
        if file.suffix in _TYPES
    }
