"""One connection: requests one after the other, each whole within its time, and each with an answer."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Optional, Protocol, Union, cast

from ..limits import Limits
from .messages import CONTINUE, Head, Refused, Request, Response, failure, json_response, read_head, take_request
from .places import Places, Ticket

_LINGER_S = 1.0  # in which what a refused client still sends is read: an early end would destroy the answer on its way


class Site(Protocol):
    """What connections need to know of their server."""

    limits: Limits
    places: Places
    connections: dict[Connection, None]

    def answer(self, request: Request) -> Union[Response, Callable[[], dict[str, Any]]]:
        """The answer to a request, or the search that makes the record of the answer. Refused is raised for others."""

    def failed(self, error: BaseException) -> Refused:
        """What a client is told of the error of a search."""

    def log(self, peer: str, line: str, status: int, seconds: float) -> None:
        """Take note of an answer."""


class Connection(asyncio.Protocol):
    """The server's end of one connection.

    It is in one of four states: between two requests, while a request arrives, while its search runs, and at the end,
    when the answer is on its way and what the client still sends is read and dropped. The timer of the state ends it.

    Parameters
    ----------
    site : Site
    """

    def __init__(self, site: Site) -> None:
        self._site, self._loop = site, asyncio.get_running_loop()
        self._data = bytearray()
        self._head: Optional[Head] = None  # of the request that arrives
        self._request: Optional[Request] = None  # that is being answered
        self._ticket: Optional[Ticket] = None
        self._timer: Optional[asyncio.TimerHandle] = None
        self._ending = self._full = False
        self._began = 0.0

    @property
    def answers(self) -> bool:
        """Whether a request is being answered."""
        return self._request is not None

    def close(self) -> None:
        """End the connection now."""
        self._transport.abort()

    # ---------------------------------------------------------------- what happens to the connection

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._peer = str((transport.get_extra_info("peername") or ("-",))[0])
        connections = self._site.connections
        if len(connections) >= self._site.limits.connections:
            oldest = next((other for other in connections if not other.answers), None)
            if oldest is None:
                self._refuse(Refused(503, "too many connections; try again in a second", Retry_After="1"))
                return
            oldest.close()  # who has something to ask does so at once
            del connections[oldest]
        connections[self] = None
        self._next()

    def connection_lost(self, error: Optional[Exception]) -> None:
        self._ending = True
        self._site.connections.pop(self, None)
        self._leave()
        self._set_timer(None)

    def data_received(self, data: bytes) -> None:
        if self._ending:
            return
        self._data += data
        self._advance()
        if len(self._data) > self._site.limits.head + self._site.limits.body:  # requests enough for later
            self._transport.pause_reading()

    def eof_received(self) -> None:
        """Nobody waits for an answer any more: a client that only ends its own half is not told from one that left."""
        self._leave()
        self._set_timer(self._site.limits.send_s, self.close)  # what was answered before is on its way

    def pause_writing(self) -> None:
        self._full = True
        self._set_timer(self._site.limits.send_s, self.close)

    def resume_writing(self) -> None:
        self._full = False
        if not self._ending:
            self._next()

    # ---------------------------------------------------------------- requests and answers

    def _advance(self) -> None:
        """Answer the next request, if it is there and the one before it was answered."""
        if self._request or self._ending or self._full:
            return
        try:
            request = self._take()
        except Refused as refused:
            self._refuse(refused)
            return
        if request is not None:
            self._set_timer(None)
            self._answer(request)

    def _next(self) -> None:
        """Wait for the next request; one that is there gets its turn after those of other connections."""
        self._transport.resume_reading()
        self._set_timer(self._site.limits.idle_s, self.close)
        if self._data:
            self._loop.call_soon(self._advance)

    def _take(self) -> Optional[Request]:
        """The next request, if it is there."""
        limits = self._site.limits
        if self._head is None and self._data:
            if not self._began:
                self._began = time.monotonic()
                self._set_timer(limits.request_s, self._too_slow)
            self._head = read_head(self._data, limits)
            if self._head is not None and self._head.waits and len(self._data) < self._head.length:
                self._transport.write(CONTINUE)
        if self._head is None or len(self._data) < self._head.length:
            return None
        request = take_request(self._data, self._head)
        self._head = None
        return request

    def _answer(self, request: Request) -> None:
        self._request = request
        try:
            answer = self._site.answer(request)
            if isinstance(answer, Response):
                self._send(answer)
            else:
                self._ticket = self._site.places.enter(answer, self._found)
        except Refused as refused:
            self._send(failure(refused))
        except Exception as error:
            self._send(failure(self._site.failed(error)))

    def _found(self, record: Optional[dict[str, Any]], error: Optional[BaseException]) -> None:
        """The search of the request has ended."""
        self._ticket = None
        if error is None:
            assert record is not None
            self._send(json_response(200, record))
        else:
            self._send(failure(error if isinstance(error, Refused) else self._site.failed(error)))

    def _send(self, response: Response) -> None:
        request = self._request
        assert request is not None
        self._request = None
        self._note(f"{request.method} {request.path}", response)
        self._began = 0.0
        self._transport.write(response.to_bytes(request.method != "HEAD", request.last))
        if request.last:
            self._end()
        elif not self._full:
            self._next()

    def _refuse(self, refused: Refused) -> None:
        """Answer what is no request, and end."""
        response = failure(refused)
        self._note("-", response)
        self._transport.write(response.to_bytes(last=True))
        self._end()

    def _end(self) -> None:
        """Send what is left to send, and no more; drop what still comes."""
        self._ending = True
        self._data.clear()
        with suppress(OSError):  # the client is gone
            if self._transport.can_write_eof():
                self._transport.write_eof()
        self._set_timer(self._site.limits.send_s if self._transport.get_write_buffer_size() else _LINGER_S, self.close)

    def _too_slow(self) -> None:
        self._refuse(
            Refused(
                408, f"the request took longer than {self._site.limits.request_s:g} seconds to arrive; send it whole"
            )
        )

    def _leave(self) -> None:
        if self._ticket is not None:
            self._site.places.leave(self._ticket)
            self._ticket = None

    def _note(self, line: str, response: Response) -> None:
        seconds = time.monotonic() - self._began if self._began else 0.0
        self._site.log(self._peer, line, response.status, seconds)

    def _set_timer(self, seconds: Optional[float], act: Optional[Callable[[], None]] = None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None if seconds is None or act is None else self._loop.call_later(seconds, act)
