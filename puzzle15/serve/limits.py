"""The limits of a server: what one client, one request and one search may take."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..system.machine import processor_count

__all__ = ["Limits"]


@dataclass(frozen=True)
class Limits:
    """What a server allows.

    Attributes
    ----------
    searches : int
        Searches that run at once, each with one thread; by default as many as there are processors.
    waiting : int
        Searches that wait for a place; further ones are refused.
    wait_s : float
        The longest wait for a place.
    seconds : float
        Of one search.
    memory : int
        Bytes that the nodes of one search may take.
    connections : int
        Open connections.
    head, body : int
        Bytes of a request's head and of its body.
    request_s, send_s : float
        Seconds in which a whole request must arrive, and in which a client must take its answer.
    idle_s : float
        Seconds that a connection stays open between two requests.

    Examples
    --------
    >>> Limits(searches=2).seconds
    10.0
    """

    searches: int = field(default_factory=processor_count)
    waiting: int = 16
    wait_s: float = 30.0
    seconds: float = 10.0
    memory: int = 256 * 1024**2
    connections: int = 200
    head: int = 8 * 1024
    body: int = 32 * 1024
    request_s: float = 10.0
    send_s: float = 30.0
    idle_s: float = 60.0
