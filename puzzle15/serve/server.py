"""The server: its socket, its thread, its names, the page, and the answer of each path."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import threading
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any, Optional, Union

from ..errors import Puzzle15Error
from ..page import page
from ..solver import Solver
from ..system.unsendable import Unsendable
from ..tables import Folder
from .http.connection import Connection
from .http.messages import Refused, Request, Response, json_response
from .http.places import Places
from .interface.api import Api
from .interface.endpoints import describe
from .limits import Limits

_LOCAL_NAMES = {"localhost", "127.0.0.1", "::1"}
_BACKLOG = 128
_PATHS = {"/", "/api"}


class Server(Unsendable, instead="its socket and its threads are of this process; send its address"):
    """Serves the page and the interface until it is closed, in a thread of its own.

    Parameters
    ----------
    host : str
        The address to listen at; by default one that only this machine reaches.
    port : int
        0 takes any free port.
    tables : path, optional
        The folder of the tables.
    limits : Limits, optional
    names : iterable of str
        Further names of the host. A request for another name comes from a page of another site, and is refused.
    log, complain : callable, optional
        Called with one line per answer; called with one line per fault of the server.
    ready : callable, optional
        Called with the solver of the 15-puzzle once its tables are open; the server listens before.

    Raises
    ------
    OSError
        The port is in use, or the address is not one of this machine.

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
        tables: Folder = None,
        limits: Optional[Limits] = None,
        names: Iterable[str] = (),
        log: Optional[Callable[[str], Any]] = None,
        complain: Optional[Callable[[str], Any]] = None,
        ready: Optional[Callable[[Solver], Any]] = None,
    ) -> None:
        self.limits = limits or Limits()
        self._log, self._complain, self._ready = log, complain, ready
        family, _, _, _, where = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        self._socket = socket.create_server((str(where[0]), port), family=family, backlog=_BACKLOG)
        own = ipaddress.ip_address(str(where[0]))
        self.is_local = own.is_loopback  # whether only this machine reaches the server
        if own.is_unspecified:  # all addresses of this machine
            host = "127.0.0.1" if family == socket.AF_INET else "::1"
        self.address = f"http://{f'[{host}]' if ':' in host else host}:{self._socket.getsockname()[1]}/"
        self._names = _LOCAL_NAMES | {name.lower().strip("[]") for name in (host, str(own), *names)}
        self._api = Api(self.limits, tables)
        self.connections: dict[Connection, None] = {}
        self._loop = asyncio.new_event_loop()
        self.places = Places(self._loop, self.limits)
        self._has_begun = threading.Event()
        self._thread = threading.Thread(target=self._run, name="puzzle15 serve", daemon=True)
        self._thread.start()
        threading.Thread(target=self._warm, daemon=True).start()

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def wait(self, seconds: float) -> bool:
        """Wait for some seconds; whether the server still serves."""
        self._thread.join(seconds)
        return self._thread.is_alive()

    def close(self) -> None:
        """Stop listening, end all searches and connections, and wait for that."""
        if self._thread.is_alive():
            self._has_begun.wait()
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()

    def _run(self) -> None:
        try:
            self._loop.run_until_complete(self._loop.create_server(lambda: Connection(self), sock=self._socket))
            self._has_begun.set()
            self._loop.run_forever()
        finally:
            self._has_begun.set()
            self._socket.close()
            for connection in list(self.connections):
                connection.close()
            self._loop.run_until_complete(self.places.close())
            self._loop.close()

    def _warm(self) -> None:
        """Open tables before the first request."""
        try:
            solver = self._api.warm()
            if self._ready is not None:
                self._ready(solver)
        except Exception as error:  # requests will raise it, too
            self.failed(error)

    def answer(self, request: Request) -> Union[Response, Callable[[], dict[str, Any]]]:
        """The answer to a request, or the search that makes the record of the answer; Refused for a bad request."""
        self._check_host(request)
        path = request.path
        is_search = path in self._api.endpoints
        if not is_search and path not in _PATHS:
            raise Refused(
                404, f"{path[:60]}: nothing is there; the page is at /, and the interface is described at /api"
            )
        methods = ["POST"] if is_search else ["GET", "HEAD"]
        if request.method not in methods:
            sentence = f"{request.method[:20]} {path}: expected {' or '.join(methods)}"
            raise Refused(405, sentence, Allow=", ".join(methods))
        if is_search:
            kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
            if kind != "application/json":
                raise Refused(415, f"Content-Type {kind[:40]!a}: expected application/json")
            return self._api.ask(path, request.body)
        return self._description if path == "/api" else self._page

    @cached_property
    def _description(self) -> Response:
        return json_response(200, describe(self._api.endpoints))

    @cached_property
    def _page(self) -> Response:
        return Response(200, "text/html; charset=utf-8", page().encode(), {"Cache-Control": "no-cache"})

    def failed(self, error: BaseException) -> Refused:
        """The refusal that reports the error of a search."""
        if isinstance(error, MemoryError):
            return Refused(503, "the server is out of memory; try again in a second", Retry_After="1")
        if self._complain is not None:
            kind = "" if isinstance(error, Puzzle15Error) else f"{type(error).__name__}: "
            self._complain(kind + " ".join(str(error).split()))
        return Refused(500, "the server has a fault, which its log describes; other requests may be answered")

    def log(self, peer: str, line: str, status: int, seconds: float) -> None:
        """Log an answer."""
        if self._log is not None:
            self._log(f"{peer} {ascii(line)[1:-1]} {status} {seconds * 1000:.1f} ms")

    def _check_host(self, request: Request) -> None:
        """Refuse requests of pages of other sites, by their origin or by a foreign name that leads here."""
        host = request.headers.get("host")
        if host is None:
            raise Refused(400, "the header Host: it is missing; expected the name of this server")
        name = host.lower()
        name = name[1:].partition("]")[0] if name.startswith("[") else name.partition(":")[0]
        if name not in self._names and (self.is_local or not _is_address(name)):
            raise Refused(421, f"Host {host[:60]!a}: expected {self.address[7:-1]}; others need --allow-host")
        origin = request.headers.get("origin")
        if origin is not None and origin.lower() not in (f"http://{host.lower()}", f"https://{host.lower()}"):
            raise Refused(403, f"Origin {origin[:60]!a}: expected a page of this server, {self.address[:-1]}")


def _is_address(name: str) -> bool:
    """Whether a host is written as an address, which no other site can redirect as it can a name."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
