"""What people meet first in the shell: slips of the fingers, streams that are closed or full, interrupts."""

import os
import signal
import subprocess
import sys
import time

import pytest

from puzzle15.cli.console import Terminated, signals_as_exceptions
from puzzle15.cli.runner import growing_chunks

EASY = "1 2 3/4 5 6/7 0 8"
posix = pytest.mark.skipif(sys.platform == "win32", reason="no POSIX signals, shells and terminals")


@pytest.mark.parametrize(
    "words, message",
    [
        ("slove", "'slove'; did you mean solve? (try: puzzle15 --help)"),
        ("solve --metrc mtm", "unrecognized arguments: --metrc; did you mean --metric? (try: puzzle15 solve --help)"),
        ("hint --metr=mtm", "unrecognized arguments: --metr=mtm (try: puzzle15 hint --help)"),
        ("solve --algorithm astar --max-mem 1G", "--max-mem; did you mean --max-memory?"),
        ("solve --moves tiles", "argument --moves: invalid choice: 'tiles'; did you mean tile?"),
        ("solve --moves x", "argument --moves: invalid choice: 'x'; expected tile, blank"),
        ("solve 1 2 3 4 5 6 7 8 b", 'a board is one argument; quote it: puzzle15 solve "1 2 3 4 5 6 7 8 b"'),
        ("solve 1 2 3/4 5 6/7 8 0", 'quote it: puzzle15 solve "1 2 3/4 5 6/7 8 0"'),
        ("hint [1, 2, 3, 0]", 'quote it: puzzle15 hint "[1, 2, 3, 0]"'),
        ("tree 8 6 7/2 5 4/3 0 1", 'quote it: puzzle15 tree "8 6 7/2 5 4/3 0 1"'),
        ("analyse 8 6 7/2 5 4/3 0 1 DRUL", 'quote it: puzzle15 analyse "8 6 7/2 5 4/3 0 1" DRUL'),
        ("compare --quiet 1 2 3 0", 'quote it: puzzle15 compare "1 2 3 0"'),
        ("draw 1 2/3 0 U2 -o x.svg", 'quote it: puzzle15 draw "1 2/3 0" U2'),
        ("moves U R2", 'a line of moves is one argument; quote it: puzzle15 moves "U R2"'),
        ("hint --shape 2x9 12345670", "argument --shape: shape 2x9: expected 2 .. 8 rows and columns, and at most 16"),
        ("build 5-5", "partition '5-5': the sizes add up to 10 instead of 15; expected a name (7-8, "),
        ("solve --algorithm depth-first 123456789abcdef0", "error: --max-length: depth-first needs one"),
    ],
)
def test_slips(run, words, message):
    code, out, err = run(*words.split())
    assert (code, out, err.count("\n")) == (2, "", 1) and message in err


def test_boards_that_are_not_pieces_of_one(run):
    assert run("solve", "1,2,3,0", "1,2/0,3", "--quiet") == (0, "0\t\n1\tL\n", "")


def test_a_row_of_numbers_is_answered_in_words_of_the_shell(run):
    out = run("solve", "12345670", "1/2/3/0", "--quiet")[1]
    assert "or give the shape: 2x4 or 4x2\n" in out and "(" not in out


@pytest.mark.parametrize("words", ["solve -i boards", "hint -i boards", "analyse -i games"])
def test_a_limit_that_is_as_good_as_none(run, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "boards").write_text(f"{EASY}\n{EASY}\n{EASY}\n")
    (tmp_path / "games").write_text(f"{EASY}\tL\n")
    assert run(*words.split(), "--time-limit", "1e303", "--quiet")[0] == 0


def test_a_home_that_cannot_be_written(run, tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.delenv("PUZZLE15_TABLES")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("HOME", str(tmp_path / "file"))
    code, out, err = run("build", "1-5", "--shape", "2x3", "--quiet")
    assert (code, out, err.count("\n")) == (3, "", 1)
    assert "(Not a directory); name another folder (--tables, or $PUZZLE15_TABLES)\n" in err
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr("os.access", lambda *_: False)  # modes would not stop root
    assert "(Permission denied); name another folder (--tables, or" in run("build", "1-5", "--shape", "2x3")[2]


def test_a_library_that_cannot_be_loaded(run, monkeypatch):
    """As numpy says it where there is too little memory: a page of advice, and the cause behind it."""

    def fail(*_, **__):
        try:
            raise ImportError("libblas.so: failed to map segment from shared object")
        except ImportError as error:
            raise ImportError("IMPORTANT:\n\nPLEASE READ THIS\n") from error

    monkeypatch.setattr("puzzle15.cli.options.Solver", fail)
    code, out, err = run("solve", EASY)
    assert (code, out, err.count("\n")) == (3, "", 1)
    assert err.startswith("puzzle15: error: a library cannot be loaded: libblas.so: failed to map segment")


# Streams.


@posix
@pytest.mark.parametrize("buffered", ["", "1"])
@pytest.mark.parametrize("words", ["--version", "--help", "solve --help", "info", f"solve '{EASY}'"])
@pytest.mark.parametrize("where, reason", [(">/dev/full", "No space left on device"), (">&-", "Bad file descriptor")])
def test_answers_are_not_lost_without_a_word(words, where, reason, buffered, tmp_path):
    if "/dev" in where and not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full")
    script = f'"{sys.executable}" -m puzzle15 {words} {where}'
    environment = {**os.environ, "PYTHONUNBUFFERED": buffered}
    ended = subprocess.run(script, shell=True, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, timeout=60)
    assert ended.returncode == 3
    assert ended.stderr.decode().splitlines()[-1] == f"puzzle15: error: standard output: {reason}"


# Signals.

#: The command, and an interrupt when a module is first looked for.
INTERRUPTED = """
import signal, sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == wanted:
            signal.raise_signal(signal.SIGINT)
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.meta_path.insert(0, Finder())
program, wanted = sys.argv[1:]
sys.argv = [program, "info"]
from puzzle15.cli import run
run()
"""


@posix
@pytest.mark.parametrize(
    "module",
    ["puzzle15.system.import_guard", "puzzle15.system.lazy", "puzzle15.cli", "puzzle15.cli.parser"]
    + ["puzzle15.cli.tables", "puzzle15.solver", "numpy", "numpy.linalg"],
)
def test_an_interrupt_during_imports(module, tmp_path):
    assert interrupted("/usr/bin/puzzle15", module, tmp_path) == (130, "", "puzzle15: interrupted\n")


def interrupted(program, module, folder):
    ended = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, program, module], cwd=folder, capture_output=True, text=True, timeout=60
    )
    return ended.returncode, ended.stdout, ended.stderr


@posix
def test_an_interrupt_during_the_imports_of_other_programs(tmp_path):
    """``python -m puzzle15`` is the command, too; the package in other programs leaves an interrupt to them."""
    assert interrupted("-m", "puzzle15.cli", tmp_path) == (130, "", "puzzle15: interrupted\n")
    code, _, err = interrupted("/home/user/puzzles.py", "puzzle15.cli", tmp_path)
    assert code == -signal.SIGINT and err.startswith("Traceback") and err.endswith("KeyboardInterrupt\n")


@posix
@pytest.mark.parametrize("number, kind", [(signal.SIGINT, KeyboardInterrupt), (signal.SIGTERM, Terminated)])
def test_a_signal_where_nobody_can_take_an_exception(number, kind):
    """As in a callback of Python's import system, after which Python would go on."""

    class Deleted:
        def __del__(self):
            signal.raise_signal(number)

    with pytest.raises(kind), signals_as_exceptions():
        Deleted()
        time.sleep(5)


# Files of boards.


def test_chunks_grow_while_they_are_quick(monkeypatch):
    now, sizes = [0.0], []
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    for chunk, took in zip(growing_chunks(iter("x" * 100), 16), [0, 0.4, 0, 0, 0, 2.1, 0.6, 9, 9, 9, 9, 0]):
        sizes.append(len(chunk))
        now[0] += took
    assert sizes == [1, 2, 4, 8, 16, 16, 8, 8, 4, 2, 1, 1]


@posix
def test_answers_come_as_they_are_found(tmp_path):
    """Boards that take long each, behind one that does not."""
    from pseudo_terminal import PseudoTerminal

    boards = tmp_path / "boards"
    boards.write_text("1 2 3 4/5 6 7 8/9 10 11 12/13 14 0 15\n" + "0 15 8 3/12 11 7 4/14 10 6 5/9 13 2 1\n" * 300)
    with PseudoTerminal("solve", "-i", boards, "--metric", "mtm") as terminal:
        terminal.wait_for("(?m)^1 +L\n(.*\n)*solve: 1 boards", timeout_s=60)


@posix
def test_a_line_of_progress_does_not_mix_with_answers(tmp_path):
    from pseudo_terminal import PseudoTerminal

    (tmp_path / "boards").write_text(f"{EASY}\n" * 10)
    with PseudoTerminal("solve", "-i", tmp_path / "boards", columns=200) as terminal:
        assert terminal.wait() == 0
        assert b"solve: 1 boards" in terminal.raw
        *answers, summary, lengths = str(terminal.screen).splitlines()
    assert [answer.split() for answer in answers] == [["1", "L"]] * 10 and summary.startswith("puzzle15: 10 boards")
    assert lengths == "puzzle15: boards by length: 1: 10"
