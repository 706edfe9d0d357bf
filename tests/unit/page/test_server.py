"""The server under good and bad clients: each request gets its status, and the next one is answered at once."""

import contextlib
import json
import re
import socket
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path

import pytest
from timing import timed, within

from puzzle15 import Board, Solver
from puzzle15.serve import Limits, Server

FAR = "8 6 7/2 5 4/3 0 1"  # 31 moves
HARD = "0 15 8 3/12 11 7 4/14 10 6 5/9 13 2 1"  # 70 moves; minutes without stored tables
PATIENCE_S = 30  # of a client; no test waits so long, unless the server fails
SAFETY = [
    *(b"content-security-policy", b"cross-origin-embedder-policy", b"cross-origin-opener-policy"),
    *(b"cross-origin-resource-policy", b"referrer-policy", b"x-content-type-options"),
]


@pytest.fixture(scope="module")
def server():
    limits = Limits(workers=2, waiting=4, wait_s=300, time_limit_s=300, request_s=0.5, idle_s=0.4, send_s=0.5)
    with Server(limits=limits) as server:
        ask(server, "hint", board=FAR)
        ask(server, "hint", board=str(Board.goal()))
        yield server


@pytest.fixture
def at_once(server):
    """After the test the next requests are answered: what it left would keep the server longer than clients wait."""
    yield
    assert get(server, "/").status == 200
    assert ask(server, "hint", board=FAR)[0] == 200


def place(server):
    host, _, port = server.address[7:-1].rpartition(":")
    return host.strip("[]"), int(port)


@contextlib.contextmanager
def connected(server):
    with socket.create_connection(place(server), timeout=PATIENCE_S) as line:
        yield line


def talk(server, *pieces):
    """All that the server answers to these bytes until it closes the connection."""
    with connected(server) as line:
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


def request(server, method, path, body=None, **headers):
    line = HTTPConnection(*place(server), timeout=PATIENCE_S)
    with contextlib.closing(line):
        line.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
        answer = line.getresponse()
        answer.body = answer.read()
        return answer


def get(server, path, **headers):
    return request(server, "GET", path, **headers)


def post(server, path, body, **headers):
    return request(server, "POST", path, body, **{"Content_Type": "application/json", **headers})


def ask(server, name, **fields):
    """(status, record) of an endpoint."""
    answer = post(server, f"/api/{name}", json.dumps(fields))
    return answer.status, json.loads(answer.body)


def message(fields, path="/api/hint", *lines):
    """The bytes of a request."""
    body = json.dumps(fields).encode()
    head = [f"POST {path} HTTP/1.1", "Host: localhost", "Content-Type: application/json"]
    head.append(f"Content-Length: {len(body)}")
    return "\r\n".join([*head, *lines, "", ""]).encode() + body


def raw(first, *lines, host="localhost", body=b""):
    """The bytes of a request after which the connection ends."""
    text = "\r\n".join([f"{first} HTTP/1.1", f"Host: {host}", *lines, "Connection: close", "", ""])
    return text.encode("latin-1") + body


PATHS = ["/nothing", "/../limits.py", "/%2e%2e/limits.py", "/page/index.html", "//etc/passwd", "/api/", "/ÿ", "*"]
FOREIGN = ["evil.example", "evil.example:8015", "localhost.evil.example", "", "127.0.0.2", "["]
OWN = ["localhost", "LOCALHOST:1234", "127.0.0.1:80", "[::1]:99"]
ORIGINS = ["http://evil.example", "null", "http://localhost:99", "http://127.0.0.1", "file://"]
HINT = json.dumps({"board": FAR}).encode()


def posted(*lines, kind="application/json", body=HINT):
    return raw("POST /api/hint", f"Content-Type: {kind}", *lines, f"Content-Length: {len(body)}", body=body)


#: By the status of their answers.
REQUESTS = {
    200: [
        *(raw("GET /?again", host=host) for host in OWN),
        raw("GET http://localhost/", host="evil.example"),
        posted(kind="Application/JSON; charset=utf-8"),
        b"GET / HTTP/1.0\nHost: localhost\n\nGET / HTTP/1.0\nHost: localhost\n\n",  # an old client gets one answer
    ],
    400: [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",  # how HTTPS begins
        b"GET /\r\n\r\n",
        b"GET / HTTP/1.0\r\n\r\n",  # no host
        raw("GET /", "host: evil.example"),  # two
        raw("GET /", host="local\x00host"),
        raw("GET /", "Host localhost"),
        raw("GET /", " folded: 1"),
        raw("POST /api/hint", "Content-Length: -1"),
        raw("POST /api/hint", "Content-Length: 1", "Content-Length: 2", body=b"{}"),
        raw("POST /api/hint", "Content-Length: 99999999999999999999"),
    ],
    403: [
        request for origin in ORIGINS for request in (raw("GET /", f"Origin: {origin}"), posted(f"Origin: {origin}"))
    ],
    404: [raw(f"GET {path}") for path in PATHS],
    405: [raw(first) for first in ("POST /", "DELETE /api", "GET /api/hint", "OPTIONS /api/hint")],
    411: [raw("POST /api/hint", "Transfer-Encoding: chunked", body=b"0\r\n\r\n")],
    413: [raw("POST /api/hint", "Content-Length: 99999999999"), posted(body=b" " * 1_000_000)],  # while it is sent
    415: [posted(kind=kind) for kind in ("", "text/plain", "application/x-www-form-urlencoded", "application/jsonp")],
    417: [raw("POST /api/hint", "Expect: a miracle")],
    421: [*(raw("GET /", host=host) for host in FOREIGN), raw("GET http://evil.example/")],
    431: [raw("GET /" + "a" * 10_000), raw("GET /", *["A: b"] * 5_000)],
    505: [b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
}


def test_every_request_has_its_status(server, at_once):
    for status, requests in REQUESTS.items():
        for data in requests:
            answer = talk(server, data)
            assert statuses(answer) == [status] and b"Connection: close" in answer, data[:200]
            assert status == 200 or b'"status": "error", "error": ' in answer
            assert all(name in answer.lower() for name in SAFETY)


def test_headers(server):
    answer = get(server, "/")
    assert answer.status == 200 and b"<!doctype html>" in answer.body.lower()
    assert answer.headers["content-type"] == "text/html; charset=utf-8" and "server" not in answer.headers
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
    head = request(server, "HEAD", "/")
    assert head.body == b"" and head.headers["content-length"] == str(len(answer.body))
    assert request(server, "POST", "/").headers["allow"] == "GET, HEAD"
    assert get(server, "/api/hint").headers["allow"] == "POST"
    refused = get(server, "/nothing")
    assert refused.headers["cache-control"] == "no-store" and json.loads(refused.body)["error"].startswith("/nothing: ")
    assert post(server, "/api/hint", HINT, Origin=server.address[:-1]).status == 200


def test_other_names_and_addresses():
    """A name leads a browser here from elsewhere; an address does not."""
    with Server(names=["puzzle.example"]) as server:
        assert get(server, "/", Host="puzzle.example:80").status == 200
        assert get(server, "/", Host="evil.example").status == get(server, "/", Host="192.0.2.1").status == 421
    with Server("0.0.0.0") as server:
        assert server.address.startswith("http://127.0.0.1:") and not server.is_local
        assert get(server, "/", Host="192.0.2.1:80").status == get(server, "/", Host="[2001:db8::1]").status == 200
        assert get(server, "/", Host="evil.example").status == 421


def test_requests_one_after_the_other_and_all_at_once(server):
    """Answers come in the order of the requests, on one connection."""
    boards = [Board.goal((3, 3)).apply("DRUL"[:length]) for length in (1, 2, 3, 4)] * 5
    with connected(server) as line:
        line.sendall(b"\r\n" + b"".join(message({"board": str(board)}) for board in boards[:-1]))
        line.sendall(message({"board": str(boards[-1])}, "/api/hint", "Connection: close"))
        answer = rest(line)
    assert list(map(int, re.findall(rb'"distance": (\d+)', answer))) == [1, 2, 3, 4] * 5


def test_a_client_that_waits_with_its_body(server):
    lines = ("Expect: 100-continue", "Connection: close")
    head, _, body = message({"board": FAR}, "/api/hint", *lines).partition(b"\r\n\r\n")
    with connected(server) as line:
        line.sendall(head + b"\r\n\r\n")
        assert line.recv(1000) == b"HTTP/1.1 100 Continue\r\n\r\n"
        line.sendall(body)
        assert statuses(rest(line)) == [200]


@pytest.mark.parametrize("begin", [b"", raw("POST /api/hint", "Content-Length: 100")], ids=["head", "body"])
@timed
def test_a_byte_at_a_time(server, at_once, begin):
    """A request has its time, however often something arrives."""
    with within(3), connected(server) as line:
        line.sendall(begin)
        line.settimeout(0.05)
        answer = b""
        for byte in b"GET /" + b"a" * 100:
            with contextlib.suppress(OSError):
                line.sendall(bytes([byte]))
                answer = line.recv(1000)
            if answer:
                break
    assert statuses(answer) == [408]
    with connected(server) as line:
        assert rest(line) == b""  # to a client that sends nothing


def test_a_client_that_takes_no_answers(server, at_once):
    with connected(server) as line, pytest.raises(ConnectionError):  # noqa: PT012 - the server ends the connection
        while True:
            line.sendall(b"GET /api HTTP/1.1\r\nHost: localhost\r\n\r\n" * 100)


def test_a_client_that_leaves(server, at_once):
    """Its searches end at once: the fixture's hint gets a place."""
    lines = [socket.create_connection(place(server), timeout=PATIENCE_S) for _ in range(6)]
    for line in lines:
        line.sendall(message({"board": HARD}))
    assert wait_for(lambda: len(server.places) == 6)
    for line in lines:
        line.close()
    assert wait_for(lambda: len(server.places) == 0)


def wait_for(true, seconds=PATIENCE_S):
    end = time.monotonic() + seconds
    while not true() and time.monotonic() < end:
        time.sleep(0.01)
    return true()


@timed
def test_fifty_at_once(server, at_once):
    """Two search, four wait, and the others are told to come again; the page is there all the time."""
    body = f'{{"board": "{HARD}", "time_limit_s": 0.15}}'
    with ThreadPoolExecutor(50) as pool:
        answers = [pool.submit(post, server, "/api/solve", body) for _ in range(50)]
        assert wait_for(lambda: len(server.places) > 2)
        with within(0.5):  # beside fifty threads of this process
            assert get(server, "/").status == 200
        answers = [answer.result() for answer in answers]
    solved = [answer for answer in answers if answer.status == 200]
    refused = [answer for answer in answers if answer.status == 503]
    assert len(solved) + len(refused) == 50 and len(solved) >= 6 and refused
    records = [json.loads(answer.body) for answer in solved]
    assert all(record["status"] == "limit" and record["lower_bound"] >= 40 for record in records)
    assert all(answer.headers["retry-after"] == "1" for answer in refused)


def test_too_many_connections():
    """The oldest that is not being answered makes room, even if it is about to ask; else a new one is refused."""
    with Server(limits=Limits(connections=80)) as server, contextlib.ExitStack() as stack:
        lines = [stack.enter_context(connected(server)) for _ in range(90)]
        assert all(rest(line) == b"" for line in lines[:10])
        for line in lines[10:]:
            line.sendall(b"G")
        time.sleep(0.1)
        assert get(server, "/").status == 200
    with Server(limits=Limits(workers=1, connections=2)) as server, contextlib.ExitStack() as stack:
        for _ in range(2):
            stack.enter_context(connected(server)).sendall(message({"board": HARD}))
        assert wait_for(lambda: len(server.places) == 2)
        assert statuses(talk(server)) == [503]


def test_a_search_may_not_wait_for_ever():
    with Server(limits=Limits(workers=1, time_limit_s=300, wait_s=0.2)) as server:
        ask(server, "hint", board=str(Board.goal()))
        with connected(server) as line:
            line.sendall(message({"board": HARD}))
            assert wait_for(lambda: len(server.places) == 1)
            assert ask(server, "hint", board=FAR)[0] == 503
        assert wait_for(lambda: ask(server, "hint", board=FAR)[0] == 200)


@timed
def test_it_ends_while_searches_run():
    threads = threading.active_count()
    with Server() as server, connected(server) as line:
        for _ in range(20):
            assert ask(server, "hint", board=FAR)[0] == 200
        assert threading.active_count() <= threads + 3
        line.sendall(message({"board": HARD}))
        assert wait_for(lambda: len(server.places) == 1)
        with within(1):
            server.close()
        assert rest(line) == b""
    with pytest.raises(OSError):
        socket.create_connection(place(server), timeout=1)
    assert wait_for(lambda: threading.active_count() <= threads + 1)


def test_a_fault_of_the_server(monkeypatch):
    def fail(*_, **__):
        raise RuntimeError("a\nfault")

    lines, faults = [], []
    monkeypatch.setattr(Solver, "hint", fail)
    with Server(log=lines.append, complain=faults.append) as server:
        assert wait_for(lambda: faults == ["RuntimeError: a fault"])  # from opening the tables
        status, record = ask(server, "hint", board=FAR)
        assert status == 500 and "a fault" not in record["error"].replace("has a fault", "")
        assert ask(server, "solve", board=FAR)[0] == 200
    assert faults == ["RuntimeError: a fault"] * 2
    assert [line.split()[:4] for line in lines] == [
        ["127.0.0.1", "POST", "/api/hint", "500"],
        ["127.0.0.1", "POST", "/api/solve", "200"],
    ]


def test_the_log_is_one_plain_line_per_request():
    lines = []
    with Server(log=lines.append) as server:
        talk(server, b"GET /\x1b[31m\xe9 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        talk(server, b"\x16\x03\r\n\r\n")
    assert [line.rsplit(" ", 2)[0] for line in lines] == ["127.0.0.1 GET /\\x1b[31m\\xe9 404", "127.0.0.1 - 400"]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_memory_stays_where_it_was():
    """After 4,000 requests of all kinds, good and bad."""
    boards = [str(Board.random(seed, (3, 3))) for seed in range(50)]
    more = {"hint": {}, "solve": {"metric": "mtm"}, "search": {"algorithm": "a*"}}
    requests = [(name, {"board": board, **fields}) for name, fields in more.items() for board in boards]
    requests.append(("analyse", {"board": FAR, "moves": "LRLR" * 500}))
    requests.append(("scramble", {"shape": "3x3", "distance": 20}))
    requests += [("hint", {"board": "x" * 5000}), ("hint", {"board": "2 1 3/4 5 6/7 8 0"})]
    with Server() as server:

        def many(count):
            line = HTTPConnection(*place(server), timeout=PATIENCE_S)
            for number in range(count):
                name, fields = requests[number % len(requests)]
                line.request("POST", f"/api/{name}", json.dumps(fields), {"Content-Type": "application/json"})
                assert line.getresponse().read()
                if number % 100 == 0:
                    line.close()
                    talk(server, b"nonsense\r\n\r\n")

        many(1000)
        before = resident_pages()
        many(4_000)
        assert resident_pages() < 1.05 * before


def resident_pages():
    return int(Path("/proc/self/statm").read_text().split()[1])
