"""The files of the page, read once: nothing that a client sends becomes the name of a file."""

from __future__ import annotations

import hashlib
from pathlib import Path

from .http.messages import Request, Response

__all__ = ["Page"]

_FOLDER = Path(__file__).parent / "page"
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


class Page:
    """The files that a server sends, by their paths.

    >>> page = Page()
    >>> page.answer(Request("GET", "/", {}, b"", False)).status
    200
    >>> "/../limits.py" in page
    False
    """

    def __init__(self) -> None:
        self._answers: dict[str, Response] = {}
        for file in sorted(_FOLDER.iterdir()):
            if file.suffix in _TYPES:
                body = file.read_bytes()
                tag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
                answer = Response(200, _TYPES[file.suffix], body, {"Cache-Control": "no-cache", "ETag": tag})
                self._answers["/" if file.name == "index.html" else f"/{file.name}"] = answer

    def __contains__(self, path: str) -> bool:
        return path in self._answers

    def answer(self, request: Request) -> Response:
        """The file of a known path, or 304 if the client has it."""
        answer = self._answers[request.path]
        known = request.headers.get("if-none-match", "")
        if answer.headers["ETag"] in {tag.strip().removeprefix("W/") for tag in known.split(",")}:
            return Response(304, "", b"", answer.headers)
        return answer
