"""``puzzle15 page`` and ``puzzle15 serve``: the file; the address, the signals, and one line about what cannot be."""

import json
import os
import signal
import socket
import sys
import tempfile
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from shell import error_of

from puzzle15._cli import main
from puzzle15.page import page


@pytest.fixture
def serving(start):
    """A function that starts a process that serves, and gives it with its address."""

    def serving(*words):
        process = start("-m", "puzzle15", "serve", "--port", "0", *words, text=True)
        return process, process.stdout.readline().strip()

    return serving


def hint(address, board):
    question = Request(
        f"{address}api/hint", json.dumps({"board": board}).encode(), {"Content-Type": "application/json"}
    )
    with urlopen(question, timeout=20) as answer:
        return json.load(answer)


@pytest.mark.skipif(os.name == "nt", reason="no POSIX signals")
@pytest.mark.parametrize("number, code", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_it_serves_until_a_signal_ends_it(serving, number, code):
    process, address = serving("--verbose", "--quiet")
    assert address.startswith("http://127.0.0.1:") and address.endswith("/")
    assert hint(address, "8 6 7/2 5 4/3 0 1")["moves"] == "DLR"
    process.send_signal(number)
    out, err = process.communicate()
    assert process.returncode == code and out == ""
    lines = err.splitlines()
    assert len(lines) == 2 and lines[0].startswith("puzzle15: 127.0.0.1 POST /api/hint 200 ")


def test_it_tells_how_it_becomes_faster(serving):
    process, _ = serving()
    assert "puzzle15 build" in process.stderr.readline()


def test_stored_tables_are_used(serving, tables_7_8):
    """They need fewer nodes than those that are built in memory."""
    board = "5 3 8 9/0 2 4 1/7 10 14 13/12 11 6 15"
    (_, stored), (_, embedded) = serving("--tables", tables_7_8), serving()
    with_them, without = hint(stored, board), hint(embedded, board)
    assert with_them["distance"] == without["distance"] == 53
    assert with_them["generated"] < without["generated"]


def test_a_port_in_use(capsys):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert main(["serve", "--port", str(port)]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.startswith(f"puzzle15: error: cannot listen at port {port} of 127.0.0.1: ")


def test_the_page_as_a_file_and_on_standard_output(run, tmp_path):
    for name in ("a.html", "a page"):
        code, out, err = run("page", "-o", name)
        assert (code, err) == (0, "") and out == f"{name}: {len(page().encode()) / 1000:.0f} kB\n"
        assert (tmp_path / name).read_text(encoding="utf-8") == page()
    assert run("page") == run("page", "-o", "-") == (0, page(), "")


def test_the_page_needs_a_place(run, monkeypatch):
    assert "no/a.html: No such file" in error_of(run("page", "-o", "no/a.html"), 2)
    assert "expected the name of a file" in error_of(run("page", "-o", "-", "--open"), 2)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert "expected the name of a file" in error_of(run("page"), 2)


def test_the_page_is_opened(run, tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)  # returns None, as if there were no browser
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    code, _, err = run("page", "--open", "-o", "a b.html")
    assert code == 0 and opened == [(tmp_path / "a b.html").as_uri()] and opened[0] in err
    code, out, _ = run("page", "--open")
    assert code == 0 and Path(out.partition(": ")[0]).as_uri() == opened[1]
    assert Path(out.partition(": ")[0]).read_text(encoding="utf-8") == page()


@pytest.mark.parametrize(
    "words, note, code", [((), "is off without --api", 403), (("--api",), "nothing is encrypted", 200)]
)
def test_others_get_the_page_and_only_with_api_the_interface(serving, words, note, code):
    process, address = serving("--host", "0.0.0.0", "--verbose", *words)
    assert note in process.stderr.readline()
    if code == 200:
        assert hint(address, "8 6 7/2 5 4/3 0 1")["moves"] == "DLR"
    else:
        with pytest.raises(HTTPError, match="403"):
            hint(address, "8 6 7/2 5 4/3 0 1")
    with urlopen(address, timeout=20) as answer:
        assert answer.read().decode() == page()
