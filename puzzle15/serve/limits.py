"""The limits of a server: what one client, one request and one search may take."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields

from ..system.machine import processor_count
from ..system.quantities import number, whole


@dataclass(frozen=True)
class Limits:
    """What a server allows: numbers, seconds and bytes. ValueError if one is negative or no number.

    >>> Limits(workers=2).time_limit_s
    10.0
    """

    workers: int = field(default_factory=processor_count)  # searches that run at once
    waiting: int = 64  # searches that wait; further ones are refused
    wait_s: float = 30.0  # of a search
    time_limit_s: float = 10.0  # of a search
    max_memory: int = 256 * 1024**2  # for the nodes of one search
    connections: int = 200
    head: int = 8 * 1024  # of a request
    body: int = 32 * 1024
    request_s: float = 10.0  # in which a whole request must arrive
    send_s: float = 30.0  # in which a client must take its answer
    idle_s: float = 60.0  # that a connection stays open between two requests

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            checked = number(each.name, value, 0, math.inf) if each.type == "float" else whole(each.name, value)
            object.__setattr__(self, each.name, checked)  # the dataclass is frozen
