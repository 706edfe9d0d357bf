"""The places of searches: how many run at once, who waits for one, and how a search ends that nobody waits for."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Optional

from ...errors import ThreadsError
from ...parallel import Stopped, Team
from ..limits import Limits
from .messages import Refused

_GRACE_S = 10.0  # beyond the limit of a search: tables that are built in memory for it take their own time
_ENDING_S = 1.0  # for all searches, when the server ends

#: Called in the thread of the loop with what the work returned, or with its error.
Done = Callable[[Any, Optional[BaseException]], None]


class Ticket:
    """One search that waits or runs."""

    def __init__(self, work: Callable[[], Any], done: Done) -> None:
        self.work, self.done = work, done
        self.team: Optional[Team] = None
        self.timer: Optional[asyncio.TimerHandle] = None
        self.late = False

    def stop(self) -> None:
        """Let the search end within some milliseconds, if it runs."""
        if self.team is not None:
            self.team.stopped = True


class Places:
    """Runs searches in threads, a few at once. Its methods are for the thread of the loop.

    Parameters
    ----------
    loop : asyncio.AbstractEventLoop
    limits : Limits
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, limits: Limits) -> None:
        self._loop, self._limits = loop, limits
        self._waiting: deque[Ticket] = deque()
        self._running: set[Ticket] = set()

    def __len__(self) -> int:
        """Searches that run or wait."""
        return len(self._running) + len(self._waiting)

    def enter(self, work: Callable[[], Any], done: Done) -> Ticket:
        """Run `work` as soon as there is a place, and call `done` after it.

        Raises
        ------
        Refused
            All places are taken, and enough searches wait.
        """
        ticket = Ticket(work, done)
        if len(self._running) < self._limits.workers:
            self._start(ticket)
        elif len(self._waiting) < self._limits.waiting:
            self._waiting.append(ticket)
            ticket.timer = self._loop.call_later(self._limits.wait_s, self._give_up, ticket)
        else:
            raise _busy()
        return ticket

    def leave(self, ticket: Ticket) -> None:
        """Forget a search: nobody waits for it any more, and `done` is not called."""
        ticket.done = _nothing
        if ticket in self._waiting:
            self._waiting.remove(ticket)
            _cancel(ticket)
        ticket.stop()

    async def close(self) -> None:
        """Stop all searches, and wait until they have ended. No timer is left."""
        for ticket in (*self._waiting, *self._running):
            _cancel(ticket)
            ticket.stop()
        self._waiting.clear()
        end = self._loop.time() + _ENDING_S
        while self._running and self._loop.time() < end:
            await asyncio.sleep(0.005)

    def _start(self, ticket: Ticket) -> None:
        _cancel(ticket)
        ticket.team = Team(1)
        try:
            future = ticket.team.submit(ticket.work)
        except ThreadsError:
            self._loop.call_soon(ticket.done, None, _busy())
            return
        self._running.add(ticket)
        ticket.timer = self._loop.call_later(self._limits.time_limit_s + _GRACE_S, self._end_late, ticket)
        future.add_done_callback(lambda future: self._tell(ticket, future))

    def _tell(self, ticket: Ticket, future: Future[Any]) -> None:
        """Called in the thread of the search."""
        try:
            self._loop.call_soon_threadsafe(self._ended, ticket, future)
        except RuntimeError:  # the loop has been closed
            return

    def _ended(self, ticket: Ticket, future: Future[Any]) -> None:
        assert ticket.team is not None
        ticket.team.stop()
        self._running.remove(ticket)
        _cancel(ticket)
        while self._waiting and len(self._running) < self._limits.workers:
            self._start(self._waiting.popleft())
        error = future.exception()
        if isinstance(error, Stopped) and ticket.late:
            error = _busy()
        ticket.done(None if error is not None else future.result(), error)

    def _give_up(self, ticket: Ticket) -> None:
        self._waiting.remove(ticket)
        ticket.done(None, _busy())

    def _end_late(self, ticket: Ticket) -> None:
        ticket.late = True
        ticket.stop()


def _nothing(answer: Any, error: Optional[BaseException]) -> None:
    pass


def _cancel(ticket: Ticket) -> None:
    if ticket.timer is not None:
        ticket.timer.cancel()


def _busy() -> Refused:
    return Refused(503, "the server is busy with other searches; try again in a second", Retry_After="1")
