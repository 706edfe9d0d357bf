"""The places of searches, in a loop of their own."""

import asyncio
import threading

from puzzle15.serve import Limits
from puzzle15.serve.http.places import Places


def test_closing_leaves_no_timer():
    """A timer that fires later would answer somebody who has gone, or fail in a loop that goes on."""

    async def close():
        loop, go, fired = asyncio.get_running_loop(), threading.Event(), []
        loop.set_exception_handler(lambda _, context: fired.append(context))
        places = Places(loop, Limits(workers=1, waiting=2, wait_s=0.02, time_limit_s=60))
        tickets = [places.enter(go.wait, lambda *_: None) for _ in range(3)]
        loop.call_later(0.01, go.set)
        await places.close()
        await asyncio.sleep(0.05)
        return fired, [ticket.timer.cancelled() for ticket in tickets], len(places)

    assert asyncio.run(close()) == ([], [True] * 3, 0)
