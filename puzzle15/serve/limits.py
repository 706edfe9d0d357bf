"""The limits of a server: what one client, one request and one search may take."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields

from ..system.machine import processor_count
from ..system.quantities import number, whole

__all__ = ["Limits"]


@dataclass(frozen=True)
class Limits:
    """What a server allows.

    Attributes
    ----------
    workers, waiting : int
        Searches that run at once, by default one per processor; searches that wait. Further ones are refused.
    wait_s, time_limit_s : float
        The longest wait of a search, and its time limit.
    max_memory : int
        Bytes that the nodes of one search may take.
    connections : int
        Open connections.
    head, body : int
        Bytes of a request's head and of its body.
    request_s, send_s : float
        Seconds in which a whole request must arrive, and in which a client must take its answer.
    idle_s : float
        Seconds that a connection stays open between two requests.

    Raises
    ------
    ValueError
        A limit is negative or no number.

    Examples
    --------
    >>> Limits(workers=2).time_limit_s
    10.0
    """

    workers: int = field(default_factory=processor_count)
    waiting: int = 64
    wait_s: float = 30.0
    time_limit_s: float = 10.0
    max_memory: int = 256 * 1024**2
    connections: int = 200
    head: int = 8 * 1024
    body: int = 32 * 1024
    request_s: float = 10.0
    send_s: float = 30.0
    idle_s: float = 60.0

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            checked = number(each.name, value, 0, math.inf) if each.type == "float" else whole(each.name, value)
            object.__setattr__(self, each.name, checked)  # the dataclass is frozen
