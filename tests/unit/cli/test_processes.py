"""The command as a process: signals, pipes, streams that are closed or full, terminals."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
import tracemalloc

import pytest
from shell import EASY, FAR, HARD, UNSOLVABLE, write_lines
from timing import timed, within

from puzzle15 import Board
from puzzle15._cli import main
from puzzle15._cli.console import Terminated, signals_as_exceptions
from puzzle15._cli.runner import growing_chunks

posix = pytest.mark.skipif(sys.platform == "win32", reason="no POSIX signals, shells and terminals")
FULL = [path for path in ["/dev/full"] if os.path.exists(path)]  # a full disk, on Linux


@pytest.fixture
def start(start, tmp_path):
    """Start a command in a process of its own, away from what the test writes."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    return lambda *words: start("-m", "puzzle15", *words, cwd=elsewhere, encoding="utf-8", errors="surrogateescape")


@posix
@pytest.mark.parametrize("number, kind", [(signal.SIGINT, KeyboardInterrupt), (signal.SIGTERM, Terminated)])
def test_a_signal_stays_one_whatever_is_made_of_it(number, kind):
    """An import that it interrupts may raise another error, and a destructor can raise none."""

    class Deleted:
        def __del__(self):
            signal.raise_signal(number)

    with pytest.raises(kind), signals_as_exceptions():
        try:
            signal.raise_signal(number)
        except BaseException:
            raise ImportError("numpy could not be imported") from None
    with pytest.raises(kind), signals_as_exceptions():
        Deleted()
        for _ in range(600):  # a busy machine may take long to start the thread that sends the signal again
            time.sleep(0.1)
    with pytest.raises(kind), signals_as_exceptions():
        with contextlib.suppress(BaseException):  # as functions in C may drop errors
            signal.raise_signal(number)
        for _ in range(600):
            time.sleep(0.1)
    with pytest.raises(ImportError), signals_as_exceptions():
        raise ImportError("numpy is not there")


@posix
def test_what_is_finished_after_a_signal_is_not_disturbed():
    finished = []
    with pytest.raises(KeyboardInterrupt), signals_as_exceptions():
        try:
            signal.raise_signal(signal.SIGINT)
        finally:
            for _ in range(20):
                time.sleep(0.01)
            finished.append(True)
    assert finished and signal.getsignal(signal.SIGINT) is signal.default_int_handler


@posix
@pytest.mark.sweep(2)
@pytest.mark.parametrize("number, code", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize("words", ["build 7-8", "solve --workers 2", "build 7-8 --max-memory 300M", "solve"])
@timed
def test_interrupted_work(start, tmp_path, number, code, words):
    """A build leaves nothing, and boards that are solved keep their answers."""
    folder, is_build = tmp_path / "tables", words.startswith("build")
    process = start(*words.split(), *(["--workers", "1"] if is_build else []), "--tables", folder)
    if not is_build:
        process.stdin.write(f"{EASY}\n{HARD}\n")
        process.stdin.flush()
        assert process.stdout.readline() == "1\tL\n"
    while ("level" if is_build else "no tables") not in process.stderr.readline():
        assert process.poll() is None
    time.sleep(0 if is_build else 0.2)
    process.send_signal(number)
    with within(2):  # a tenth of a second on a machine at rest
        out, err = process.communicate()
    assert (process.returncode, out) == (code, "") and "Traceback" not in err
    assert not list(folder.iterdir()) if is_build else "1 board: 1 solved" in err


@posix
@timed
def test_an_interrupted_draw_of_boards(start):
    process = start("scramble", "--count", "1G", "--quiet")
    assert process.stdout.readline()
    process.send_signal(signal.SIGINT)
    process.stdout.close()
    with within(2):
        assert process.wait() in (130, 0)  # 0 if it noticed first that nobody reads
    assert "Traceback" not in process.stderr.read()


#: What Python imports first: it interrupts the process when a module is looked for.
INTERRUPTING = """
import signal, sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "{}":
            signal.raise_signal(signal.SIGINT)
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.meta_path.insert(0, Finder())
"""
COMMANDS = {
    "puzzle15": "import sys\nfrom puzzle15._cli import run\nsys.argv[1:] = ['info']\nrun()",
    "own.py": "import sys\nfrom puzzle15._cli import main\nsys.exit(main(['info']))",
}
EARLY = [f"puzzle15.{name}" for name in ("_system.import_guard", "_system.lazy", "_cli", "_cli.console")]


@posix
@pytest.mark.parametrize(
    "module, words",
    [
        *((module, ["-m", "puzzle15", "info"]) for module in (EARLY if sys.version_info >= (3, 10) else [])),
        *((module, ["puzzle15"]) for module in (*EARLY, "puzzle15._cli.parser", "puzzle15.solver", "numpy.linalg")),
        ("puzzle15.solver", ["own.py"]),
    ],
)
def test_an_interrupt_during_imports(module, words, python, tmp_path):
    """``python -m puzzle15`` is the command, too, and a script that runs it."""
    for name, text in {**COMMANDS, "sitecustomize.py": INTERRUPTING.format(module)}.items():
        (tmp_path / name).write_text(text)
    ended = python(*words, env={**os.environ, "PYTHONPATH": str(tmp_path)}, timeout=60)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "puzzle15: interrupted\n")


HOST = """
import atexit, signal, sys
hooks = sys.excepthook, sys.unraisablehook, signal.getsignal(signal.SIGINT)
import puzzle15, puzzle15._cli, puzzle15.solver._solver
assert hooks == (sys.excepthook, sys.unraisablehook, signal.getsignal(signal.SIGINT))
atexit.register(print, "atexit")
signal.raise_signal(signal.SIGINT)
"""


@posix
@pytest.mark.parametrize(
    "words", [["-m", "mypkg"], ["-m", "mypkg", "puzzle15"], ["puzzle15"], ["-c", HOST, "puzzle15"]]
)
def test_an_import_leaves_an_interrupt_to_its_host(words, python, tmp_path):
    """Also where ``python -m`` runs a package that imports this one, and in a script of the same name."""
    (tmp_path / "mypkg").mkdir()
    for name, text in {"mypkg/__init__.py": HOST, "mypkg/__main__.py": "", "puzzle15": HOST}.items():
        (tmp_path / name).write_text(text)
    ended = python(*words)
    assert ended.stdout == "atexit\n" and ended.stderr.endswith("KeyboardInterrupt\n"), ended


@pytest.mark.parametrize("command", ["solve", "hint", "check"])
def test_a_coprocess_is_answered_line_by_line(start, command):
    process = start(command, "--json", "--quiet")
    for number in range(3):
        process.stdin.write(f"{Board.goal((3, 3)).apply('DRU'[:number])}\n")
        process.stdin.flush()
        record = json.loads(process.stdout.readline())
        assert record.get("solvable") or number == record.get("length", record.get("distance"))
    out, err = process.communicate()
    assert (process.returncode, out, err) == (0, "", "")


def test_bytes_that_are_no_text(start, monkeypatch):
    monkeypatch.setenv("PYTHONIOENCODING", "ascii:strict")
    process = start("solve", "--quiet", "\u00e9\u2026")
    out, err = process.communicate()
    assert (process.returncode, err) == (1, "") and out.startswith("error: ")


@pytest.mark.parametrize("command", ["solve", "convert"])
def test_a_reader_that_has_had_enough(start, tmp_path, command):
    process = start(command, "-i", write_lines(tmp_path, *[FAR] * 100_000), "--quiet")
    assert process.stdout.readline()
    process.stdout.close()
    assert (process.wait(), process.stderr.read()) == (0, "")


@pytest.mark.parametrize("words", [["solve"], ["solve", "-i", "-"], ["solve", "-i", "FILE"]], ids=" ".join)
@pytest.mark.sweep(1)
@timed
def test_a_byte_order_mark_and_lines_that_are_too_long(capsys, monkeypatch, tmp_path, words):
    file = tmp_path / "boards.txt"
    with file.open("w", encoding="utf-8-sig") as stream:
        stream.write(f"{EASY}\n{EASY}{' ' * 5000}\n{EASY} #{'#' * 5000}\n#{'#' * 5000}\n{EASY}{' ' * 4079}\n")
        for _ in range(100):
            stream.write("1 " * 500_000)  # one line of 100 MB
        stream.write(f"\n{EASY}\n{'1' * 5000}")
    tracemalloc.start()
    with within(10), file.open(encoding="ascii", errors="strict") as stdin:  # as a terminal's settings may have it
        monkeypatch.setattr(sys, "stdin", stdin)
        assert main([str(file) if word == "FILE" else word for word in words] + ["--quiet"]) == 1
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 10e6
    out, err = capsys.readouterr()
    answers = out.splitlines()
    assert err == ""
    assert [answer == "1\tL" for answer in answers] == [True, False, True, True, False, True, False]
    for answer in answers:
        assert answer == "1\tL" or ("more than 4096 characters" in answer and len(answer) < 250)


def test_chunks_grow_while_they_are_quick(monkeypatch):
    now, sizes = [0.0], []
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    for chunk, took in zip(growing_chunks(iter("x" * 100), 16), [0, 0.4, 0, 0, 0, 2.1, 0.6, 9, 9, 9, 9, 0]):
        sizes.append(len(chunk))
        now[0] += took
    assert sizes == [1, 2, 4, 8, 16, 16, 8, 8, 4, 2, 1, 1]


@posix
def test_answers_come_as_they_are_found_and_the_line_of_progress_does_not_mix_with_them(tmp_path):
    """Boards that take long each, behind one that does not; then boards that are quick."""
    from pseudo_terminal import PseudoTerminal

    boards = write_lines(tmp_path, Board.goal().apply("R"), *[HARD] * 300)
    with PseudoTerminal("solve", "-i", boards, "--metric", "mtm") as terminal:
        terminal.wait_for("(?m)^1 +L\n(.*\n)*solve: 1 boards", timeout_s=60)
    with PseudoTerminal("solve", "-i", write_lines(tmp_path, *[EASY] * 10), columns=200) as terminal:
        assert terminal.wait() == 0 and b"solve: 1 boards" in terminal.raw
        *answers, summary, lengths = str(terminal.screen).splitlines()
    assert [answer.split() for answer in answers] == [["1", "L"]] * 10 and summary.startswith("puzzle15: 10 boards")
    assert lengths == "puzzle15: boards by length: 1: 10"


@pytest.fixture
def redirected(tmp_path):
    """Run a command under redirections, where {broken} is a pipe that nobody reads: (exit code, output, errors)."""
    reader, writer = os.pipe()
    os.close(reader)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()

    def redirected(redirections, *argv):
        script = f'exec 9>&0 </dev/null; exec "$@" {redirections.format(broken=9)} 9>&-'
        ended = subprocess.run(
            ["sh", "-c", script, "sh", sys.executable, "-m", "puzzle15", *map(str, argv)],
            cwd=elsewhere,
            stdin=writer,
            capture_output=True,
            text=True,
            timeout=600,
        )
        return ended.returncode, ended.stdout, ended.stderr

    yield redirected
    os.close(writer)


@posix
@pytest.mark.parametrize("where", ["2>&{broken}", "2>&-", *(f"2>{path}" for path in FULL)])
@pytest.mark.slow
def test_the_work_is_done_wherever_standard_error_leads(redirected, tmp_path, where):
    folder = tmp_path / "tables"
    build, check = ["build", "1-4/5-8", "--shape", "3x3", "--tables", folder], ["verify", "--tables", folder]
    code, out, _ = redirected(where, *build)
    assert code == 0 and len(out.splitlines()) == 2
    assert redirected("", *check, "--quiet")[0] == 0  # nothing that was said got into a table
    code, out, _ = redirected(where, *check)
    assert code == 0 and out.count(": sound, ") == 2
    code, out, _ = redirected(where, "solve", EASY, UNSOLVABLE)
    assert code == 1 and out.startswith(f"1\tL\nerror: {UNSOLVABLE} cannot reach the goal")
    code, out, _ = redirected(where, "label", "--count", "100", "--shape", "3x3", "--output", tmp_path / "boards")
    assert code == 0 and "100 boards, 100 rows" in out
    first = next(folder.glob("*.p15"))
    first.write_bytes(first.read_bytes()[:-1])
    code, out, _ = redirected(where, *check)
    assert code == 3 and "UNSOUND" in out
    for words in (["frobnicate"], ["build", "--home", "attic"], []):
        assert redirected(where, *words)[:2] == (2, "")


LOST = "puzzle15: error: standard output: {}\n"
BUILD = "build 1-4/5-8 --shape 3x3 --tables tables --force"
NO_ROOM = [*((f">{path}", "No space left on device") for path in FULL), (">&-", "Bad file descriptor")]
WORDS = ("--version", "solve --help", "info --quiet", "solve -i FILE --quiet")

#: Redirections, a command, and its exit code, output and errors; None if anything may be said.
REDIRECTED = [
    *((where, "solve --quiet", (0, "", "")) for where in ("<&-", "<&- 2>&-")),  # as with </dev/null
    *((where, "solve --quiet -i FILE", (0, "1\tL\n", "")) for where in ("<&-", "<&- 2>&-")),
    *((where, BUILD, (3, "", None)) for where in (">&-", ">&- 2>&-", "<&- >&- 2>&-")),
    *((">&{broken}", words, (0, "", None)) for words in ("solve -i FILE --quiet", "info", "--help")),
    *((where, words, (3, "", LOST.format(why))) for where, why in NO_ROOM for words in WORDS),
]


@posix
@pytest.mark.slow
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_streams_that_are_closed_or_full(redirected, tmp_path, monkeypatch, unbuffered):
    """Work is done even if what it says is lost, and answers are not lost without a word."""
    monkeypatch.setenv("PYTHONUNBUFFERED", unbuffered)
    file = write_lines(tmp_path, EASY)
    for where, words, expected in REDIRECTED:
        found = redirected(where, *words.replace("FILE", str(file)).split())
        assert found[:2] == expected[:2] and expected[2] in (None, found[2]), (where, words, found)
        if "build" in words:
            assert redirected("", "verify", "--quiet", "--tables", "tables")[1].count(": sound, ") == 2
