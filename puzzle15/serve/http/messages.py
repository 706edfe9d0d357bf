"""The messages of HTTP/1.1 as values: requests read from bytes, responses written as bytes."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, NamedTuple, Optional

from ..limits import Limits

#: What tells a client that waits with its body to send it.
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"

_END = re.compile(rb"\r?\n\r?\n")
_FIRST_LINE = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+) (\S+) HTTP/([0-9])\.([0-9])")
_HEADER = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\x00-\x08\x0a-\x1f\x7f]*)")
_ONCE = {"host", "origin", "content-length", "content-type", "transfer-encoding"}
_DAYS = "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"
_MONTHS = "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"

#: Sent with every response. The page may load nothing, and no other site may frame, read or share a process with it.
_SAFETY = (
    b"Content-Security-Policy: default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; "
    b"worker-src blob:; style-src 'unsafe-inline'; img-src data: blob:; "
    b"base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n"
    b"Cross-Origin-Embedder-Policy: require-corp\r\n"
    b"Cross-Origin-Opener-Policy: same-origin\r\n"
    b"Cross-Origin-Resource-Policy: same-origin\r\n"
    b"Referrer-Policy: no-referrer\r\n"
    b"X-Content-Type-Options: nosniff\r\n"
)


class Refused(Exception):
    """A request that gets an error for an answer: its status, and a sentence."""

    def __init__(self, status: int, sentence: str, **headers: str) -> None:
        super().__init__(sentence)
        self.status, self.headers = status, {name.replace("_", "-"): value for name, value in headers.items()}


class Request(NamedTuple):
    """A whole request."""

    method: str
    path: str
    headers: dict[str, str]
    """By names in lower case."""
    body: bytes
    last: bool
    """Whether the client wants the connection to be closed after the answer."""


class Response(NamedTuple):
    """An answer."""

    status: int
    content_type: str
    body: bytes
    headers: Mapping[str, str] = {}

    def to_bytes(self, with_body: bool = True, last: bool = False) -> bytes:
        """The answer as it is sent; `last` tells the client that the connection is closed after it."""
        lines = [f"HTTP/1.1 {self.status} {HTTPStatus(self.status).phrase}", f"Date: {_date(int(time.time()))}"]
        lines += [f"Content-Type: {self.content_type}", f"Content-Length: {len(self.body)}"]
        lines += [f"{name}: {value}" for name, value in self.headers.items()]
        if last:
            lines.append("Connection: close")
        head = "\r\n".join(lines).encode("ascii") + b"\r\n" + _SAFETY + b"\r\n"
        return head + self.body if with_body else head


def json_response(status: int, record: Mapping[str, Any], headers: Optional[Mapping[str, str]] = None) -> Response:
    """A record as an answer, which no cache keeps."""
    body = json.dumps(record, allow_nan=False).encode("ascii") + b"\n"
    return Response(status, "application/json", body, {"Cache-Control": "no-store", **(headers or {})})


def failure(refused: Refused) -> Response:
    """The answer to a request that is refused."""
    return json_response(refused.status, {"status": "error", "error": str(refused)}, refused.headers)


class Head(NamedTuple):
    """What a request says of itself before its body."""

    method: str
    path: str
    headers: dict[str, str]
    length: int
    """Bytes of the body."""
    last: bool
    waits: bool
    """Whether the client sends the body when it is asked to."""


def take_request(data: bytearray, head: Head) -> Request:
    """Take the body of a request from the begin of `data`, which holds it whole."""
    body = bytes(data[: head.length])
    del data[: head.length]
    return Request(head.method, head.path, head.headers, body, head.last)


def read_head(data: bytearray, limits: Limits) -> Optional[Head]:
    """Take the head of a request from the begin of `data`, if it is there.

    Raises
    ------
    Refused
        The bytes are no request, or more than is allowed. Nobody knows where the next request would begin.

    Examples
    --------
    >>> data = bytearray(b"POST /api/hint HTTP/1.1\\r\\nHost: localhost\\r\\nContent-Length: 2\\r\\n\\r\\n{}GET")
    >>> head = read_head(data, Limits())
    >>> take_request(data, head).body, bytes(data), read_head(data, Limits())
    (b'{}', b'GET', None)
    """
    while data[:2] == b"\r\n" or data[:1] == b"\n":  # between requests
        del data[: 2 if data[:1] == b"\r" else 1]
    end = _END.search(data, 0, limits.head)
    if end is None:
        if len(data) >= limits.head:
            raise Refused(431, f"the head of the request: more than {limits.head} bytes; send fewer or shorter headers")
        return None
    first, *lines = re.split(r"\r?\n", data[: end.start()].decode("latin-1"))
    del data[: end.end()]
    match = _FIRST_LINE.fullmatch(first)
    if not match:
        raise Refused(400, "the first line of the request: expected such as POST /api/hint HTTP/1.1")
    method, target, major, minor = match.groups()
    if major != "1":
        raise Refused(505, f"HTTP/{major}.{minor}: expected HTTP/1.1")
    headers = _headers(lines)
    authority, path = _parts(target)
    if authority is not None:
        headers["host"] = authority
    if "transfer-encoding" in headers:
        raise Refused(411, "Transfer-Encoding: expected a body of known length; send Content-Length")
    length = headers.get("content-length", "0")
    if not re.fullmatch(r"[0-9]{1,18}", length):
        raise Refused(400, f"Content-Length {length[:40]!a}: expected a number of bytes")
    if int(length) > limits.body:
        raise Refused(413, f"the body: {int(length)} bytes; at most {limits.body} are read")
    expected = headers.get("expect", "100-continue").lower()
    if expected != "100-continue":
        raise Refused(417, f"Expect {expected[:40]!a}: nothing but 100-continue can be expected")
    wishes = {wish.strip().lower() for wish in headers.get("connection", "").split(",")}
    last = "close" in wishes or minor == "0"
    return Head(method, path, headers, int(length), last, "expect" in headers and minor != "0")


def _headers(lines: list[str]) -> dict[str, str]:
    headers: dict[str, str] = {}
    for line in lines:
        match = _HEADER.fullmatch(line)
        if not match:
            raise Refused(400, f"the header {line[:40]!a}: expected a name, a colon and a value")
        name, value = match[1].lower(), match[2].rstrip(" \t")
        if name in headers:
            if name in _ONCE:
                raise Refused(400, f"the header {match[1]}: it is there twice; send it once")
            value = f"{headers[name]}, {value}"
        headers[name] = value
    return headers


def _parts(target: str) -> tuple[Optional[str], str]:
    """(the authority if the target names one, the path without its query)"""
    authority: Optional[str] = None
    if not target.startswith("/"):
        match = re.fullmatch(r"https?://([^/?#]+)(.*)", target, flags=re.IGNORECASE)
        if match:
            authority, target = match[1], match[2] or "/"
    return authority, target.partition("?")[0]


def _date(second: int) -> str:
    """A time as HTTP writes it, in English whatever the locale."""
    now = time.gmtime(second)
    day, month = _DAYS[now.tm_wday], _MONTHS[now.tm_mon - 1]
    return f"{day}, {now.tm_mday:02} {month} {now.tm_year} {now.tm_hour:02}:{now.tm_min:02}:{now.tm_sec:02} GMT"
