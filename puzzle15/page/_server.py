"""The server: connections with deadlines, places for questions, and what lies at which path."""

from __future__ import annotations

import io
import ipaddress
import json
import math
import re
import selectors
import socket
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack, suppress
from functools import cached_property
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Semaphore, Thread
from typing import Any, Optional, Union

from .. import page as pages
from .._system.quantities import number, whole
from .._system.threads import Stopped, Team, result_of, thread_count
from .._system.unsendable import Unsendable
from .._system.version import __version__
from ..tables._folder import Folder
from ._api import ENDPOINTS, Api, Refused

_HEAD, _BODY = 8 * 1024, 32 * 1024  # the most bytes of a request
_CONNECTIONS, _QUESTIONS = 256, 64  # the most connections; the most questions at work and waiting, and hints likewise
_ARRIVE_S, _SEND_S = 20.0, 30.0  # in which the next request must arrive, and in which a client must take its answer
_LINGER_S = 1.0  # in which what a refused client still sends is read: an early end would destroy the answer on its way
_WAIT_S, _ENDING_S = 5.0, 1.0  # of a question for its place, and of all connections when the server ends
_BUSY = 503, "the server is busy with other questions; try again in a second"
_HEADERS = {"Cache-Control": "no-cache", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff"}


class Server(Unsendable, ThreadingHTTPServer, instead="its socket and threads are of this process; send its address"):
    """Serves the page and the JSON interface until it is closed. Each connection has a thread, and a time when it ends.

    Parameters
    ----------
    host, port : str, int
        The address to listen at; by default one that only this machine reaches. OSError if the port is in use, or the
        address is not one of this machine; port 0 takes any free one.
    api : bool
        Whether the JSON interface answers although others than this machine reach the server.
    workers : int, optional
        Questions that are answered at once, beside four times as many hints; by default one per processor.
    time_limit_s, max_memory : float, int
        The most seconds of a question, and the most bytes of the nodes of a search.
    tables : path, optional
        The folder of the tables.
    names : iterable of str
        Further names of the host. A request for another name comes from a page of another site, and is refused.
    log, complain : callable
        Called with one line per answer; called with each exception that is a fault of the server.

    Examples
    --------
    >>> from urllib.request import urlopen
    >>> with Server() as server, urlopen(server.address) as answer:
    ...     answer.status
    200
    """

    def __init__(
        self,
        host: str = "127.0.0.1",
        *,
        port: int = 0,
        api: bool = False,
        workers: Optional[int] = None,
        time_limit_s: float = 10.0,
        max_memory: int = 256 * 1024**2,
        tables: Folder = None,
        names: Iterable[str] = (),
        log: Callable[[str], Any] = str,
        complain: Callable[[BaseException], Any] = str,
    ) -> None:
        workers = thread_count(workers)
        self._api = Api(number("time_limit_s", time_limit_s, 0, math.inf), whole("max_memory", max_memory), tables)
        self._log, self._complain = log, complain
        self._lanes = [(Semaphore(_QUESTIONS), Semaphore(places)) for places in (workers, 4 * workers)]
        family, _, _, _, where = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        own = ipaddress.ip_address(str(where[0]))
        self.is_local = own.is_loopback  # whether only this machine reaches the server
        self._has_api = api or self.is_local
        super().__init__((host, port), _Handler, bind_and_activate=False)
        self.socket.close()
        self.socket = socket.create_server((str(where[0]), port), family=family, backlog=128)
        if own.is_unspecified:  # all addresses of this machine
            host = "127.0.0.1" if family == socket.AF_INET else "::1"
        self.address = f"http://{f'[{host}]' if ':' in host else host}:{self.socket.getsockname()[1]}/"
        self._names = {name.lower().strip("[]") for name in ("localhost", "127.0.0.1", "::1", host, str(own), *names)}
        self._deadlines: dict[socket.socket, float] = {}  # of connections; infinite while a question is answered
        self._thread = Thread(target=self.serve_forever, args=(0.1,), daemon=True)
        self._thread.start()

    def wait(self, seconds: float) -> bool:
        """Wait for some seconds; whether the server still serves."""
        self._thread.join(seconds)
        return self._thread.is_alive()

    def close(self) -> None:
        """Stop listening, end all searches and connections, and wait for that."""
        self.shutdown()
        self.server_close()
        end = time.monotonic() + _ENDING_S
        while self._deadlines and time.monotonic() < end:
            self.service_actions(math.inf)
            time.sleep(0.005)

    def __exit__(self, *error: object) -> None:
        self.close()

    def process_request(self, request: Any, client_address: Any) -> None:
        """Make a place for a connection, and start its thread."""
        waiting = self._deadlines.copy()
        if len(waiting) >= _CONNECTIONS:
            first = min(waiting, key=waiting.__getitem__)
            if waiting[first] == math.inf:  # all are being answered
                return self.shutdown_request(request)
            self._end(first)  # who has something to ask does so at once
        self._deadlines[request] = time.monotonic() + _ARRIVE_S
        super().process_request(request, client_address)

    def service_actions(self, now: Optional[float] = None) -> None:
        """End the connections that are late, and forget those that have ended; `serve_forever` calls it."""
        for request, deadline in self._deadlines.copy().items():
            if request.fileno() < 0:
                del self._deadlines[request]
            elif deadline <= (now or time.monotonic()):
                self._end(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Report a fault, unless the client has left."""
        error = sys.exc_info()[1]
        if error is not None and not isinstance(error, OSError):
            self._complain(error)

    def _end(self, request: Any) -> None:
        """Let the thread of a connection see its end."""
        self._deadlines[request] = math.inf
        with suppress(OSError):
            request.shutdown(socket.SHUT_RDWR)

    @cached_property
    def _page(self) -> tuple[bytes, dict[str, str]]:
        text = pages.page()
        policy = " ".join(re.findall(r'Content-Security-Policy" content="([^"]*)"', text)[0].split())
        headers = {"Content-Security-Policy": f"{policy}; frame-ancestors 'none'"}
        return text.encode(), {"Content-Type": "text/html; charset=utf-8", **headers}


class _Handler(BaseHTTPRequestHandler):
    """The server's end of one connection: requests one after the other. An answer that is an error ends it."""

    protocol_version = default_request_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # else the body waits 40 ms until the client acknowledges the head
    server: Server
    raw_requestline: bytes
    _began = 0.0  # the request

    def parse_request(self) -> bool:
        """Parse a head of bounded size."""
        size, lines, stream = len(self.raw_requestline), [b""], self.rfile
        while size <= _HEAD and lines[-1] not in (b"\r\n", b"\n"):
            lines.append(stream.readline(_HEAD))
            size += len(lines[-1]) or _HEAD  # after its end
        self._began, self.rfile = time.monotonic(), io.BufferedReader(io.BytesIO(b"".join(lines)))
        is_request, self.rfile = super().parse_request(), stream
        if is_request and size > _HEAD:
            self.send_error(431, f"the head of the request: more than {_HEAD} bytes, or no end")
        return is_request and size <= _HEAD

    def do_GET(self) -> None:
        try:
            self._respond()
        except Refused as refused:
            self.send_error(*refused.args)
        except Stopped:  # nobody waits for the answer
            self.close_connection = True

    do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = do_GET

    def finish(self) -> None:
        super().finish()
        self._set_deadline(_LINGER_S)
        with suppress(OSError):
            self.connection.shutdown(socket.SHUT_WR)
            while self.connection.recv(65536):
                pass

    def _respond(self) -> None:
        path, length = self.path.partition("?")[0], self._check_head()
        name = path[5:] if path.startswith("/api/") else ""
        if (name or path == "/api") and not self.server._has_api:
            raise Refused(403, "the JSON interface is off where others than this machine reach the server: see --api")
        if name not in ENDPOINTS and path not in ("/", "/api", "/health"):
            raise Refused(404, f"{path[:60]}: nothing is there; the page is at /, and /api describes the interface")
        if self.command not in (("POST",) if name else ("GET", "HEAD")):
            raise Refused(405, f"{self.command} {path}: expected {'POST' if name else 'GET'}")
        body = self.rfile.read(length)
        if name:
            self._send(200, self._answer(name, body))
        elif path == "/":
            self._send(200, self.server._page[0], **self.server._page[1])
        else:
            self._send(200, self.server._api.describe() if path == "/api" else {"status": "ok", "version": __version__})

    def _check_head(self) -> int:
        """Return the length of the body; Refused for pages of other sites, and for what cannot be read."""
        headers, address = self.headers, self.server.address
        host, origin = headers.get("Host", "").lower(), headers.get("Origin")
        twice = any(len(headers.get_all(name, [])) > 1 for name in ("Host", "Origin", "Content-Length"))
        if not host or twice or headers.defects:
            raise Refused(
                400, "the headers: expected one Host, one Origin and Content-Length at most, and no more lines"
            )
        name = host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]
        is_address = re.fullmatch(r"[0-9.]+|[0-9a-f:.]*:[0-9a-f:.]*", name)  # no other site can lead it here
        if name not in self.server._names and (self.server.is_local or not is_address):
            raise Refused(421, f"Host {host[:60]!a}: expected {address[7:-1]}; others need --allow-host")
        if origin is not None and origin.lower() not in (f"http://{host}", f"https://{host}"):
            raise Refused(403, f"Origin {origin[:60]!a}: expected a page of this server, {address[:-1]}")
        length = headers.get("Content-Length", "0")
        if "Transfer-Encoding" in headers or not re.fullmatch(r"[0-9]{1,18}", length):
            raise Refused(411, "the body: expected a known length; send Content-Length, a number of bytes")
        if int(length) > _BODY:
            raise Refused(413, f"the body: {int(length)} bytes; at most {_BODY} are read")
        return int(length)

    def _answer(self, name: str, body: bytes) -> dict[str, Any]:
        """Return the record that answers a question, from a thread that ends when nobody waits for it."""
        self._set_deadline(math.inf)
        with ExitStack() as held:
            for places, seconds in zip(self.server._lanes[name == "hint"], (0, _WAIT_S)):
                if not places.acquire(timeout=seconds):
                    raise Refused(*_BUSY)
                held.callback(places.release)
            try:
                with Team(1) as team:
                    future = team.submit(self.server._api.answer, name, body)
                    record: dict[str, Any] = result_of(future, self._check_client)
            except (Refused, ConnectionError):
                raise
            except Exception as error:
                self.server._complain(error)
                raise Refused(500, "the server has a fault, which its log describes") from None
        return record

    def _check_client(self) -> None:
        """Raise Stopped if the client, or the server, has ended its half of the connection."""
        with selectors.DefaultSelector() as selector:
            selector.register(self.connection, selectors.EVENT_READ)
            if selector.select(0) and not self.connection.recv(1, socket.MSG_PEEK):
                raise Stopped

    def _send(self, status: int, content: Union[bytes, dict[str, Any]], **headers: str) -> None:
        if isinstance(content, dict):
            headers["Content-Type"] = "application/json"
            content = json.dumps(content, allow_nan=False).encode() + b"\n"
        self._set_deadline(_SEND_S)
        self.send_response_only(status)
        more = {"Date": self.date_time_string(), "Content-Length": str(len(content))}
        for name, value in {**_HEADERS, **headers, **more}.items():
            self.send_header(name, value)
        self.send_header("Connection", "close" if self.close_connection else "keep-alive")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)
        line = ascii(f"{self.command} {self.path}" if self.command else "-")[1:-1]
        self.server._log(f"{self.client_address[0]} {line} {status} {(time.monotonic() - self._began) * 1000:.1f} ms")
        self._set_deadline(_ARRIVE_S)

    def send_error(self, code: int, message: Optional[str] = None, explain: Optional[str] = None) -> None:
        self.close_connection = True
        more = {"Allow": "POST" if self.path.startswith("/api/") else "GET, HEAD"} if code == 405 else {}
        more |= {"Retry-After": "1"} if code == 503 else {}
        self._send(code, {"status": "error", "error": (message or HTTPStatus(code).phrase)[:400]}, **more)

    def _set_deadline(self, seconds: float) -> None:
        self.server._deadlines[self.connection] = time.monotonic() + seconds
