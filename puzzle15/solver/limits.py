"""What ends a search before it has solved its board."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace
from typing import Any, Optional

from ..system.quantities import seconds, whole, whole_each

__all__ = ["Limits"]


@dataclass(frozen=True)
class Limits:
    """The limits of a search for one board, or as arrays those of the searches for several."""

    max_length: Any = None
    max_nodes: Any = None
    deadline: float = math.inf
    """The `time.monotonic` at which all searches end."""

    @classmethod
    def check(
        cls,
        *,
        max_length: Any = None,
        max_nodes: Any = None,
        time_limit_s: Optional[float] = None,
        count: Optional[int] = None,
        start: Optional[float] = None,
    ) -> Limits:
        """The limits that a user gave, for `count` boards if there are several; the time counts from `start` or now."""

        def checked(name: str, value: Any) -> Any:
            if value is None:
                return None
            return whole(name, value) if count is None else whole_each(name, value, count)

        limit = seconds("time_limit_s", time_limit_s)
        start = time.monotonic() if start is None else start
        return cls(
            checked("max_length", max_length),
            checked("max_nodes", max_nodes),
            math.inf if limit is None else start + limit,
        )

    @property
    def seconds_left(self) -> float:
        """float: until the deadline."""
        return self.deadline - time.monotonic()

    @property
    def any(self) -> bool:
        """bool: whether there is a limit."""
        return self.max_length is not None or self.max_nodes is not None or self.deadline < math.inf

    def after(self, generated: int) -> Limits:
        """The limits for further searches, after one that generated so many nodes."""
        return self if self.max_nodes is None else replace(self, max_nodes=max(self.max_nodes - generated, 0))

    def of(self, rows: Any) -> Limits:
        """The limits of some of the boards, by an array of their indices; or of one."""
        length, nodes = (None if each is None else each[rows] for each in (self.max_length, self.max_nodes))
        if isinstance(rows, int):
            length, nodes = (None if each is None else int(each) for each in (length, nodes))
        return Limits(length, nodes, self.deadline)

    def __getstate__(self) -> dict[str, Any]:
        # All processes and machines share the wall clock, and each has a monotonic clock of its own.
        return {**self.__dict__, "deadline": self.seconds_left + time.time()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, deadline=state["deadline"] - time.time() + time.monotonic())
