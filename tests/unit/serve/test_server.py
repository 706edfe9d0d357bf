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
SAFETY = {
    "content-security-policy",
    "cross-origin-embedder-policy",
    "cross-origin-opener-policy",
    "cross-origin-resource-policy",
    "referrer-policy",
    "x-content-type-options",
}


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


class Answer:
    def __init__(self, response):
        self.status, self.body = response.status, response.read()
        self.headers = {name.lower(): value for name, value in response.getheaders()}

    @property
    def record(self):
        return json.loads(self.body)


def request(server, method, path, body=None, **headers):
    line = HTTPConnection(*place(server), timeout=PATIENCE_S)
    with contextlib.closing(line):
        line.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
        return Answer(line.getresponse())


def get(server, path, **headers):
    return request(server, "GET", path, **headers)


def post(server, path, body, **headers):
    return request(server, "POST", path, body, **{"Content_Type": "application/json", **headers})


def ask(server, name, **fields):
    """(status, record) of an endpoint."""
    answer = post(server, f"/api/{name}", json.dumps(fields))
    return answer.status, answer.record


def message(fields, path="/api/hint", *lines):
    """The bytes of a request."""
    body = json.dumps(fields).encode()
    head = [f"POST {path} HTTP/1.1", "Host: localhost", "Content-Type: application/json"]
    head.append(f"Content-Length: {len(body)}")
    return "\r\n".join([*head, *lines, "", ""]).encode() + body


# ------------------------------------------------------------------------------------------------------- files


def test_the_page(server):
    answer = get(server, "/")
    assert answer.status == 200 and b"<!doctype html>" in answer.body.lower()
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert set(answer.headers) >= SAFETY and "default-src 'self'" in answer.headers["content-security-policy"]
    assert "unsafe" not in answer.headers["content-security-policy"] and "server" not in answer.headers
    head = request(server, "HEAD", "/")
    assert head.body == b"" and head.headers["content-length"] == str(len(answer.body))
    assert get(server, "/?again").body == answer.body


def test_nothing_else_is_there(server):
    paths = [
        "/nothing",
        "/../limits.py",
        "/%2e%2e/limits.py",
        "/page/index.html",
        "//etc/passwd",
        "/api/",
        "/\xff",
        "*",
    ]
    for path in paths:
        answer = talk(server, f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode("latin-1"))
        assert statuses(answer) == [404] and b'"status": "error"' in answer
    answer = get(server, "/nothing")
    assert set(answer.headers) >= SAFETY and answer.headers["cache-control"] == "no-store"
    assert answer.record["status"] == "error" and answer.record["error"].startswith("/nothing: ")


def test_methods(server):
    for method, path, allowed in (
        ("POST", "/", "GET, HEAD"),
        ("DELETE", "/api", "GET, HEAD"),
        ("GET", "/api/hint", "POST"),
        ("OPTIONS", "/api/hint", "POST"),
    ):
        answer = request(server, method, path)
        assert (answer.status, answer.headers["allow"]) == (405, allowed)


# ------------------------------------------------------------------------------------------------------- whose page


FOREIGN = ["evil.example", "evil.example:8015", "localhost.evil.example", "", "127.0.0.2", "["]
OWN = ["localhost", "LOCALHOST:1234", "127.0.0.1:80", "[::1]:99"]


def test_hosts(server, at_once):
    for host in FOREIGN + OWN:
        assert get(server, "/", Host=host).status == (421 if host in FOREIGN else 200), host


def test_a_request_without_a_host(server):
    assert statuses(talk(server, b"GET / HTTP/1.0\r\n\r\n")) == [400]
    assert statuses(talk(server, b"GET / HTTP/1.1\r\nHost: localhost\r\nhost: evil.example\r\n\r\n")) == [400]
    whole = b"GET http://%s/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    assert statuses(talk(server, whole % b"evil.example")) == [421]
    assert statuses(talk(server, whole % b"localhost")) == [200]


def test_origins(server, at_once):
    for origin in ("http://evil.example", "null", "http://localhost", "http://127.0.0.1", "file://"):
        assert get(server, "/", Origin=origin).status == post(server, "/api/hint", "{}", Origin=origin).status == 403
    assert post(server, "/api/hint", f'{{"board": "{FAR}"}}', Origin=server.address[:-1]).status == 200


def test_names_that_are_allowed():
    with Server(names=["puzzle.example"]) as server:
        assert get(server, "/", Host="puzzle.example:80").status == 200
        assert get(server, "/", Host="evil.example").status == get(server, "/", Host="192.0.2.1").status == 421


def test_all_addresses_of_the_machine():
    """Clients name the one that they ask for; a name is needed to lead a browser here from elsewhere."""
    with Server("0.0.0.0") as server:
        assert server.address.startswith("http://127.0.0.1:") and not server.is_local
        assert get(server, "/", Host="192.0.2.1:80").status == get(server, "/", Host="[2001:db8::1]").status == 200
        assert get(server, "/", Host="evil.example").status == 421


# ------------------------------------------------------------------------------------------------------- bad requests


GET, POST = b"GET / HTTP/1.1\r\nHost: localhost\r\n", b"POST /api/hint HTTP/1.1\r\nHost: localhost\r\n"
NO_REQUESTS = [
    (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400),  # how HTTPS begins
    (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
    (b"GET /\r\n\r\n", 400),
    (b"GET / HTTP/1.1\r\nHost localhost\r\n\r\n", 400),
    (GET + b" folded: 1\r\n\r\n", 400),
    (b"GET / HTTP/1.1\r\nHost: local\x00host\r\n\r\n", 400),
    (POST + b"Content-Length: -1\r\n\r\n", 400),
    (POST + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}", 400),
    (POST + b"Content-Length: 99999999999\r\n\r\n", 413),
    (POST + b"Content-Length: 99999999999999999999\r\n\r\n", 400),
    (POST + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 411),
    (POST + b"Expect: a miracle\r\n\r\n", 417),
    (b"GET /" + b"a" * 10_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", 431),
    (GET + b"A: b\r\n" * 5_000, 431),
]


def test_what_is_no_request(server, at_once):
    for data, status in NO_REQUESTS:
        answer = talk(server, data)
        assert statuses(answer) == [status] and b"Connection: close" in answer and b'"error": ' in answer, data[:200]


def test_a_body_that_is_too_long(server, at_once):
    """The answer arrives although the client is still sending."""
    head = b"POST /api/hint HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n"
    assert statuses(talk(server, head, b" " * 1_000_000)) == [413]


def test_kinds_of_bodies(server):
    for kind in ("", "text/plain", "application/x-www-form-urlencoded", "application/jsonp"):
        assert post(server, "/api/hint", f'{{"board": "{FAR}"}}', Content_Type=kind).status == 415
    kind = "Application/JSON; charset=utf-8"
    assert post(server, "/api/hint", f'{{"board": "{FAR}"}}', Content_Type=kind).status == 200


# ------------------------------------------------------------------------------------------------------- connections


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


def test_an_old_client(server):
    assert statuses(talk(server, b"GET / HTTP/1.0\nHost: localhost\n\nGET / HTTP/1.0\nHost: localhost\n\n")) == [200]


@pytest.mark.parametrize("begin", [b"", POST + b"Content-Length: 100\r\n\r\n"], ids=["head", "body"])
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
    body = f'{{"board": "{HARD}", "time_limit_s": 0.25}}'
    with ThreadPoolExecutor(50) as pool:
        answers = [pool.submit(post, server, "/api/solve", body) for _ in range(50)]
        assert wait_for(lambda: len(server.places) > 2)
        with within(0.5):  # beside fifty threads of this process
            assert get(server, "/").status == 200
        answers = [answer.result() for answer in answers]
    solved = [answer for answer in answers if answer.status == 200]
    refused = [answer for answer in answers if answer.status == 503]
    assert len(solved) + len(refused) == 50 and len(solved) >= 6 and refused
    assert all(answer.record["status"] == "limit" and answer.record["lower_bound"] >= 40 for answer in solved)
    assert all(answer.headers["retry-after"] == "1" for answer in refused)


def test_too_many_connections():
    """The oldest that is not being answered makes room, even if it is about to ask."""
    with Server(limits=Limits(connections=80)) as server, contextlib.ExitStack() as stack:
        lines = [stack.enter_context(connected(server)) for _ in range(90)]
        assert all(rest(line) == b"" for line in lines[:10])
        for line in lines[10:]:
            line.sendall(b"G")
        time.sleep(0.1)
        assert get(server, "/").status == 200


def test_too_many_searches_for_another_connection():
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
    with Server() as server, connected(server) as line:
        line.sendall(message({"board": HARD}))
        assert wait_for(lambda: len(server.places) == 1)
        with within(1):
            server.close()
        assert rest(line) == b""
    with pytest.raises(OSError):
        socket.create_connection(place(server), timeout=1)


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
    """After 10,000 requests of all kinds, good and bad."""
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

        many(1500)
        before = resident_pages()
        many(10_000)
        assert resident_pages() < 1.05 * before


def resident_pages():
    return int(Path("/proc/self/statm").read_text().split()[1])


def test_threads_end():
    before = threading.active_count()
    with Server() as server:
        for _ in range(20):
            assert ask(server, "hint", board=FAR)[0] == 200
        assert threading.active_count() <= before + 3
    assert wait_for(lambda: threading.active_count() <= before + 1)
