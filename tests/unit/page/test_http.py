"""What ends a search, and what ends a connection, without a server and its clients around them."""

import asyncio
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from unittest.mock import Mock

import pytest

from puzzle15.parallel import Stopped, check_stop
from puzzle15.serve import Limits
from puzzle15.serve.http import places
from puzzle15.serve.http.connection import Connection
from puzzle15.serve.http.messages import Refused, Response


def run_alone(main):
    """Run a coroutine in a thread: that of the tests may have a loop, which drives a browser."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, main).result()


def search(tickets):
    while True:
        time.sleep(0.001)
        check_stop()


def answer_late(tickets):
    while not (tickets and tickets[0].late):
        time.sleep(0.001)
    return {"status": "solved"}


def fail_late(tickets):
    raise ValueError(answer_late(tickets)["status"])


@pytest.mark.parametrize(
    "work, stops, record, error",
    [
        (search, False, None, Refused),
        (search, True, None, Stopped),
        (answer_late, False, {"status": "solved"}, None),
        (fail_late, False, None, ValueError),
    ],
)
def test_only_a_search_that_is_stopped_late_is_refused(work, stops, record, error, monkeypatch):
    monkeypatch.setattr(places, "_GRACE_S", 0.05)

    async def run():
        loop, tickets = asyncio.get_running_loop(), []
        ended = loop.create_future()
        queue = places.Places(loop, Limits(workers=1, time_limit_s=60 if stops else 0.05))
        tickets.append(queue.enter(lambda: work(tickets), lambda *result: ended.set_result(result)))
        if stops:
            tickets[0].stop()
        return await asyncio.wait_for(ended, 10)

    found, raised = run_alone(run())
    assert found == record and type(raised) is (error or type(None))


def test_closing_leaves_no_timer():
    """A timer that fires later would answer somebody who has gone, or fail in a loop that goes on."""

    async def close():
        loop, go, fired = asyncio.get_running_loop(), threading.Event(), []
        loop.set_exception_handler(lambda _, context: fired.append(context))
        queue = places.Places(loop, Limits(workers=1, waiting=2, wait_s=0.02, time_limit_s=60))
        tickets = [queue.enter(go.wait, lambda *_: None) for _ in range(3)]
        loop.call_later(0.01, go.set)
        await queue.close()
        await asyncio.sleep(0.05)
        return fired, [ticket.timer.cancelled() for ticket in tickets], len(queue)

    assert run_alone(close()) == ([], [True] * 3, 0)


def test_a_client_that_ends_its_half_has_some_time_to_take_its_answers():
    left = []

    async def run():
        site = SimpleNamespace(
            limits=Limits(send_s=0.2, idle_s=60, request_s=60),
            connections={},
            answer=lambda request: dict,
            places=SimpleNamespace(enter=lambda work, done: "a ticket", leave=left.append),
        )
        connection, line = Connection(site), Mock(**{"get_extra_info.return_value": None})
        connection.connection_made(line)
        connection.data_received(b"GET /api HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert connection.answers and not left
        began = time.monotonic()
        connection.eof_received()
        assert left == ["a ticket"] and not line.abort.called
        while not line.abort.called and time.monotonic() < began + 10:
            await asyncio.sleep(0.01)
        assert 0.19 < time.monotonic() - began < 10

    run_alone(run())


def test_a_client_that_is_gone_is_no_fault():
    """It may reset the connection while the answer is made."""

    async def run():
        site = Mock(limits=Limits(), connections={}, **{"answer.return_value": Response(200, "text/plain", b"yes", {})})
        connection = Connection(site)
        line = Mock(**{"get_extra_info.return_value": None, "get_write_buffer_size.return_value": 0})
        line.write_eof.side_effect = OSError(107, "Transport endpoint is not connected")
        connection.connection_made(line)
        connection.data_received(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        assert line.write.called and not site.failed.called

    run_alone(run())
