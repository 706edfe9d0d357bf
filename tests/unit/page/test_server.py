"""The server under good and bad clients: each request gets its status, and the next one is answered at once."""

import contextlib
import json
import re
import socket
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path

import numpy as np
import pytest
from timing import PATIENCE_S, timed, wait_for, within

from puzzle15 import Board, Solver
from puzzle15.page import Server, page
from puzzle15.page import _server as server

FAR = "8 6 7/2 5 4/3 0 1"  # 31 moves
HARD = "0 15 8 3/12 11 7 4/14 10 6 5/9 13 2 1"  # 70 moves; minutes without stored tables


@pytest.fixture(scope="module")
def served():
    with Server(workers=2, time_limit_s=300) as found:
        ask(found, "hint", board=FAR)
        ask(found, "hint", board=str(Board.goal()))
        yield found


@pytest.fixture
def at_once(served):
    """After the test the next requests are answered: what it left would keep the server longer than clients wait."""
    yield
    assert request(served, "GET", "/health").status == ask(served, "hint", board=FAR)[0] == 200


def place(served):
    host, _, port = served.address[7:-1].rpartition(":")
    return host.strip("[]"), int(port)


@contextlib.contextmanager
def connected(served):
    with socket.create_connection(place(served), timeout=PATIENCE_S) as line:
        yield line


def talk(served, *pieces):
    """All that the server answers to these bytes until it closes the connection."""
    with connected(served) as line:
        with contextlib.suppress(ConnectionError):  # refused before all was sent
            for piece in pieces:
                line.sendall(piece)
        return rest(line)


def rest(line):
    answer = b""
    with contextlib.suppress(ConnectionResetError):
        while data := line.recv(65536):
            answer += data
    return answer


def statuses(answer):
    """Of the answers in these bytes; bodies here hold no such text."""
    return [int(part[:3]) for part in answer.split(b"HTTP/1.1 ")[1:]]


def request(served, method, path, body=None, **headers):
    line = HTTPConnection(*place(served), timeout=PATIENCE_S)
    with contextlib.closing(line):
        line.request(method, path, body, headers)
        answer = line.getresponse()
        answer.body = answer.read()
        return answer


def ask(served, name, **fields):
    """(status, record) of an endpoint."""
    answer = request(served, "POST", f"/api/{name}", json.dumps(fields))
    return answer.status, json.loads(answer.body)


def message(fields, path="/api/hint", *lines):
    """The bytes of a question."""
    body = json.dumps(fields).encode()
    head = [f"POST {path} HTTP/1.1", "Host: localhost", f"Content-Length: {len(body)}", *lines, "", ""]
    return "\r\n".join(head).encode() + body


def raw(first, *lines, host="localhost", body=b""):
    """The bytes of a request after which the connection ends."""
    text = "\r\n".join([f"{first} HTTP/1.1", f"Host: {host}", *lines, "Connection: close", "", ""])
    return text.encode("latin-1") + body


def posted(*lines, body=b'{"board": "8 6 7/2 5 4/3 0 1"}'):
    return raw("POST /api/hint", *lines, f"Content-Length: {len(body)}", body=body)


PATHS = ["/nothing", "/../api.py", "/%2e%2e/api.py", "/index.html", "//etc/passwd", "/api/", "/api/answer", "/ÿ", "*"]
FOREIGN = ["evil.example", "evil.example:8015", "localhost.evil.example", "127.0.0.2", "[", "a@localhost"]
OWN = ["localhost", "LOCALHOST:1234", "127.0.0.1:80", "[::1]:99"]
ORIGINS = ["http://evil.example", "null", "http://localhost:99", "http://127.0.0.1", "file://", ""]
#: Requests by the status of their answers.
REQUESTS = {
    200: [
        *(raw("GET /?again", host=host) for host in OWN),
        posted("Origin: http://localhost"),
        posted("Expect: 100-continue")[:-1] + b"}",
        b"GET / HTTP/1.0\nHost: localhost\n\nGET / HTTP/1.0\nHost: localhost\n\n",  # an old client gets one answer
        raw("HEAD /"),
    ],
    400: [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",  # how HTTPS begins
        b"POST /\r\n\r\n",
        b"GET / HTTP/1.0\r\n\r\n",  # no host
        raw("GET /", host=""),
        raw("GET /", "host: evil.example"),  # two
        raw("GET /", "Host localhost"),
        raw("POST /api/hint", "Content-Length: 1", "Content-Length: 2", body=b"{}"),
        posted(body=b'{"board": ' + b"[" * 10_000 + b"]" * 10_000 + b"}"),
        posted(body=b'{"board": NaN}'),
        posted(body=b'{"board": '),
        raw("POST /api/hint"),  # no body
    ],
    403: [made for origin in ORIGINS for made in (raw("GET /", f"Origin: {origin}"), posted(f"Origin: {origin}"))],
    404: [raw(f"GET {path}") for path in PATHS],
    405: [raw(first) for first in ("POST /", "DELETE /api", "GET /api/hint", "OPTIONS /api/hint")],
    411: [
        raw("POST /api/hint", "Transfer-Encoding: chunked", body=b"2\r\n{}\r\n0\r\n\r\n"),
        *(raw("POST /api/hint", f"Content-Length: {length}") for length in ("-1", "1e3", "9" * 20, "")),
    ],
    413: [raw("POST /api/hint", "Content-Length: 99999999999"), posted(body=b" " * 3_000_000)],  # while it is sent
    414: [raw("GET /" + "a" * 100_000)],
    421: [raw("GET /", host=host) for host in FOREIGN],
    422: [posted(body=b'{"board": "1 2 3/4 5 6/8 7 0"}')],
    431: [raw("GET /" + "a" * 10_000), raw("GET /", *["A: b"] * 5_000), raw("GET /", "A: " + "b" * 3_000_000)],
    501: [raw("CONNECT localhost:80")],
    505: [b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
}


def test_every_request_has_its_status(served, at_once):
    for status, requests in REQUESTS.items():
        for data in requests:
            answer = talk(served, data)
            found = [each for each in statuses(answer) if each != 100]
            assert found == [status] and b"Connection: close" in answer, (data[:200], answer[:200])
            assert status == 200 or b'"status": "error", "error": "' in answer
            assert b"X-Content-Type-Options: nosniff" in answer and b"Referrer-Policy: no-referrer" in answer


def test_the_page(served):
    answer = request(served, "GET", "/")
    assert answer.status == 200 and answer.body.decode() == page()
    assert answer.headers["content-type"] == "text/html; charset=utf-8" and "server" not in answer.headers
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src ") and policy.endswith("; frame-ancestors 'none'")
    head = request(served, "HEAD", "/")
    assert head.body == b"" and head.headers["content-length"] == str(len(answer.body))
    assert request(served, "POST", "/").headers["allow"] == "GET, HEAD"
    assert request(served, "GET", "/api/hint").headers["allow"] == "POST"
    assert json.loads(request(served, "GET", "/health").body)["status"] == "ok"
    assert set(json.loads(request(served, "GET", "/api").body)["paths"]) > {"/api/hint", "/api/search"}


def test_other_names_and_addresses():
    """A name leads a browser here from elsewhere; an address does not. Others get the page, and no answers."""
    with Server(names=["puzzle.example"]) as served:
        assert request(served, "GET", "/", Host="puzzle.example:80").status == 200
        assert request(served, "GET", "/", Host="192.0.2.1").status == 421
    for api, status in ((False, 403), (True, 200)):
        with Server("0.0.0.0", api=api) as served:
            assert served.address.startswith("http://127.0.0.1:") and not served.is_local
            for host in ("192.0.2.1:80", "[2001:db8::1]"):
                assert request(served, "GET", "/", Host=host).status == 200
                assert request(served, "GET", "/health", Host=host).status == 200
            assert request(served, "GET", "/", Host="evil.example").status == 421
            assert request(served, "GET", "/api").status == ask(served, "hint", board=FAR)[0] == status


def test_requests_one_after_the_other_and_all_at_once(served):
    """Answers come in the order of the requests, on one connection."""
    boards = [Board.goal((3, 3)).apply("DRUL"[:length]) for length in (1, 2, 3, 4)] * 5
    with connected(served) as line:
        line.sendall(b"".join(message({"board": str(board)}) for board in boards[:-1]))
        line.sendall(message({"board": str(boards[-1])}, "/api/hint", "Connection: close"))
        answer = rest(line)
    assert list(map(int, re.findall(rb'"distance": (\d+)', answer))) == [1, 2, 3, 4] * 5


@pytest.mark.parametrize("begin", [b"", raw("POST /api/hint", "Content-Length: 100")], ids=["head", "body"])
@timed
def test_a_slow_client(served, at_once, monkeypatch, begin):
    """A request has its time, however often something arrives; so has a client that sends nothing."""
    monkeypatch.setattr(server, "_ARRIVE_S", 0.5)
    monkeypatch.setattr(server, "_LINGER_S", 0.1)
    with within(3), connected(served) as line, connected(served) as silent:
        line.sendall(begin)
        with contextlib.suppress(ConnectionError):
            while True:
                line.sendall(b"G")
                time.sleep(0.05)
        assert rest(silent) == b""


def test_a_client_that_takes_no_answers(served, at_once, monkeypatch):
    monkeypatch.setattr(server, "_SEND_S", 0.5)
    with connected(served) as line, pytest.raises(ConnectionError):  # noqa: PT012 - the server ends the connection
        while True:
            line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" * 100)


def test_clients_that_leave(served, at_once):
    """Their searches end at once, and others get their places."""
    for leave in (socket.socket.close, lambda line: line.shutdown(socket.SHUT_WR), reset):
        lines = [socket.create_connection(place(served), timeout=PATIENCE_S) for _ in range(2)]
        for line in lines:
            line.sendall(message({"board": HARD}, "/api/solve"))
        assert wait_for(lambda: free(served) == 0)
        for line in lines:
            leave(line)
        assert wait_for(lambda: free(served) == 2)
        for line in lines:
            line.close()


def reset(line):
    line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    line.close()


def free(served, hints=False):
    """How many places for questions or hints are free."""
    return served._lanes[hints][1]._value


def test_a_hint_beside_long_searches_and_waiting_clients(monkeypatch):
    """Further searches are told to come again; a hundred clients that pause keep nobody waiting."""
    monkeypatch.setattr(server, "_WAIT_S", 0.2)
    with Server(workers=4, time_limit_s=60) as served, contextlib.ExitStack() as stack:
        ask(served, "hint", board=str(Board.goal()))
        for _ in range(100):
            stack.enter_context(connected(served)).sendall(b"POST /api/hint HTTP/1.1\r\n")
        for _ in range(4):
            line = stack.enter_context(connected(served))
            line.sendall(message({"board": HARD, "algorithm": "ida*"}, "/api/search"))
        assert wait_for(lambda: free(served) == 0)
        refused = request(served, "POST", "/api/solve", json.dumps({"board": HARD}))
        assert refused.status == 503 and refused.headers["retry-after"] == "1"
        assert ask(served, "hint", board="1 2 3 4/5 6 7 8/9 10 11 12/0 13 14 15")[1]["distance"] == 3
        assert free(served) == 0  # the searches still run


def test_too_many_questions(monkeypatch):
    """Few of them wait, and the others are told to come again at once, so that hints and the page are there."""
    monkeypatch.setattr(server, "_QUESTIONS", 3)
    monkeypatch.setattr(server, "_CONNECTIONS", 8)
    with Server(workers=1, time_limit_s=60) as served, ThreadPoolExecutor(4) as pool, contextlib.ExitStack() as stack:
        monkeypatch.setattr(server, "_WAIT_S", PATIENCE_S)
        for _ in range(3):
            stack.enter_context(connected(served)).sendall(message({"board": HARD}, "/api/solve"))
        assert wait_for(lambda: served._lanes[0][0]._value == 0)
        answers = list(pool.map(lambda _: ask(served, "solve", board=HARD)[0], range(20)))
        assert answers == [503] * 20
        assert ask(served, "hint", board=FAR)[0] == request(served, "GET", "/").status == 200


def test_too_many_connections(monkeypatch):
    """The one that has waited longest makes room, unless it is answered; else a new one is refused."""
    monkeypatch.setattr(server, "_CONNECTIONS", 3)
    monkeypatch.setattr(server, "_ARRIVE_S", 9 * PATIENCE_S)  # no connection ends by itself
    with Server(workers=3, time_limit_s=60) as served, contextlib.ExitStack() as stack:
        first, *lines = [stack.enter_context(connected(served)) for _ in range(3)]
        lines[0].sendall(message({"board": HARD}, "/api/solve"))
        assert wait_for(lambda: free(served) == 2)
        assert request(served, "GET", "/health").status == 200
        assert rest(first) == b"" and wait_for(lambda: len(served._deadlines) == 2)  # both are forgotten
        lines.append(stack.enter_context(connected(served)))
        for line in lines[1:]:
            line.sendall(message({"board": HARD}, "/api/solve"))
        assert wait_for(lambda: free(served) == 0)
        assert talk(served) == b""


@timed
def test_it_ends_while_searches_run():
    threads = threading.active_count()
    with Server(workers=1) as served, connected(served) as line:
        for _ in range(20):
            assert ask(served, "hint", board=FAR)[0] == 200
        line.sendall(message({"board": HARD}))
        assert wait_for(lambda: free(served, hints=True) == 3)
        with within(1):
            served.close()
        assert rest(line) == b""
    with pytest.raises(OSError):
        socket.create_connection(place(served), timeout=1)
    assert wait_for(lambda: threading.active_count() <= threads)


def test_a_fault_of_the_server(monkeypatch):
    def fail(*_, **__):
        raise RuntimeError("a\nfault")

    lines, faults = [], []
    monkeypatch.setattr(Solver, "hint", fail)
    with Server(log=lines.append, complain=faults.append) as served:
        status, record = ask(served, "hint", board=FAR)
        assert status == 500 and "a fault" not in record["error"].replace("has a fault", "")
        assert ask(served, "solve", board=FAR)[0] == 200
    assert list(map(repr, faults)) == ["RuntimeError('a\\nfault')"]
    assert [line.split()[:4] for line in lines] == [
        ["127.0.0.1", "POST", "/api/hint", "500"],
        ["127.0.0.1", "POST", "/api/solve", "200"],
    ]


def test_the_log_is_one_plain_line_per_request():
    lines = []
    with Server(log=lines.append) as served:
        talk(served, b"GET /\x1b[31m\xe9 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        talk(served, b"\x16\x03\r\n\r\n")
    assert [line.rsplit(" ", 2)[0] for line in lines] == ["127.0.0.1 GET /\\x1b[31m\\xe9 404", "127.0.0.1 - 400"]


def test_options_are_checked():
    for bad in ({"workers": 0}, {"time_limit_s": -1}, {"time_limit_s": "soon"}, {"max_memory": 1.5}):
        with pytest.raises((ValueError, TypeError), match=next(iter(bad))):
            Server(**bad)


@pytest.mark.nightly
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_memory_stays_where_it_was():
    """After thousands of requests of all kinds, good and bad."""
    boards = [str(Board.random(seed, (3, 3))) for seed in range(50)]
    more = {"hint": {}, "solve": {"metric": "mtm"}, "search": {"algorithm": "a*"}}
    requests = [(name, {"board": board, **fields}) for name, fields in more.items() for board in boards]
    requests.append(("analyse", {"board": FAR, "moves": "LRLR" * 500}))
    requests.append(("scramble", {"shape": "3x3", "distance": 20}))
    requests += [("hint", {"board": "x" * 5000}), ("hint", {"board": "2 1 3/4 5 6/7 8 0"})]
    with Server() as served:

        def many(count):
            line = HTTPConnection(*place(served), timeout=PATIENCE_S)
            for number in range(count):
                name, fields = requests[number % len(requests)]
                line.request("POST", f"/api/{name}", json.dumps(fields))
                assert line.getresponse().read()
                if number % 100 == 0:
                    line.close()
                    talk(served, b"nonsense\r\n\r\n")

        many(1000)
        before = resident_pages()
        many(4_000)
        assert resident_pages() < 1.05 * before


@pytest.mark.parametrize("count", [2_000, pytest.param(10_000, marks=pytest.mark.nightly)])
@pytest.mark.slow
def test_damaged_requests(served, at_once, count):
    """Bytes changed, taken out, put in, cut off and doubled, from eight clients: never a fault of the server's."""
    bodies = [json.dumps({"board": FAR}), json.dumps({"board": FAR, "moves": "LR", "metric": "mtm"}), "[" * 50, ""]
    good = [
        f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n{body}"
        for method, path in (("POST", "/api/hint"), ("POST", "/api/analyse"), ("GET", "/health"), ("GET", "/api"))
        for body in bodies
    ]
    words = [
        b"\r\n",
        b"\0",
        b"\xff",
        b"{",
        b'"',
        b"Content-Length: 9\r\n",
        b"Transfer-Encoding: chunked\r\n",
        b"9" * 30,
    ]

    def damaged(seed):
        rng = np.random.default_rng(seed)
        text = good[rng.integers(len(good))].encode()
        for _ in range(rng.integers(1, 5)):
            at, end = sorted(rng.integers(0, len(text) + 1, 2))
            kinds = [text[:at] + text[at + 1 :], text[:at] + bytes([rng.integers(256)]) + text[at + 1 :], text[:at]]
            kinds += [text[:end] + text[at:], text[:at] + words[rng.integers(len(words))] + text[at:]]
            text = kinds[rng.choice(5, p=[0.2, 0.4, 0.05, 0.05, 0.3])]
        return text

    def ask_with(seed):
        with connected(served) as line:
            with contextlib.suppress(ConnectionError):
                line.sendall(damaged(seed))
                line.shutdown(socket.SHUT_WR)
            return statuses(rest(line))

    with ThreadPoolExecutor(8) as clients:
        found = Counter(status for each in clients.map(ask_with, range(count)) for status in each)
    assert found.total() > 0.8 * count and {status // 100 for status in found} <= {2, 4, 5} and not found[500], found
    assert found[200] > count / 20 and found[400] > count / 20


def resident_pages():
    return int(Path("/proc/self/statm").read_text().split()[1])
