"""Every command where the system refuses: interrupts from the first moment on, little memory, few descriptors."""

import itertools
import os
import re
import signal
import subprocess
import time

import pytest

import puzzle15
from puzzle15.tables import find_tables, verify

resource = pytest.importorskip("resource", reason="this system has no limits of processes")

EASY, HARD = "1 2 3 4/5 6 7 8/9 10 11 12/13 0 14 15", "0 15 8 3/12 11 7 4/14 10 6 5/9 13 2 1"
BUILT = "a folder with tables"
COMMANDS = {
    "solve": ["solve", "--partition", "embedded", "--time-limit", "1", HARD],
    "textbook": ["solve", "--algorithm", "a*", "--max-nodes", "2M", HARD],
    "hint": ["hint", "--partition", "embedded", "--metric", "mtm", EASY],
    "build": ["build", "1-6/7-12/13-15", "--tables", "tables"],
    "verify": ["verify", "--tables", BUILT],
    "label": ["label", "--shape", "3x4", "--count", "20000", "--seed", "1", "-o", "labels"],
    "compare": ["compare", EASY],
    "scramble": ["scramble", "--count", "2000"],
    "draw": ["draw", EASY, "-o", "board.svg"],
    "page": ["page", "-o", "page.html"],
    "info": ["info", "--tables", BUILT],
}
#: Exit codes of commands that were not interrupted.
CODES = {0, 1, 2, 3}
#: What runs before the package has taken over interrupts is no fault of its own.
OWN = re.compile(r'File ".*/puzzle15/(?!__init__|_system/__init__|_system/interruption)')


def said(ended):
    """Its exit code and the last line of its errors; the test fails at a traceback through the package."""
    code, errors = ended
    assert not OWN.search(errors), errors
    return code, (errors.strip().splitlines() or [""])[-1]


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("built")
    puzzle15.build_tables(shape=(3, 4), tables=folder)
    return folder


@pytest.fixture
def ended(start, tmp_path, built):
    """Run a command to its end, interrupted `after` seconds, or under a limit (resource, number): its code, errors."""

    numbers = itertools.count()

    def ended(name, *, after=None, limit=None):
        def refuse():
            if limit:
                resource.setrlimit(limit[0], (limit[1], limit[1]))

        (folder := tmp_path / str(next(numbers))).mkdir()
        words = ["-m", "puzzle15", *(built if word == BUILT else word for word in COMMANDS[name])]
        pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
        process = start(*words, text=True, cwd=folder, preexec_fn=refuse, **pipes)
        if after is not None:
            time.sleep(after)
            process.send_signal(signal.SIGINT)
        errors = process.communicate(timeout=60)[1]
        return process.returncode, errors

    return ended


@pytest.mark.parametrize("moments", [8, pytest.param(500, marks=pytest.mark.nightly)])
@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_an_interrupt_from_the_first_moment_on(name, moments, ended):
    """It ends every command, but for what Python's own start makes of it before the first line of the package."""
    kinds = {"interrupted": 0, "before Python": 0, "while Python starts": 0, "done": 0}
    for moment in range(20 * moments):
        if moment >= moments and kinds["interrupted"]:
            break  # under load, Python itself may take longer to start than all of the moments
        code, last = said(ended(name, after=0.3 * moment / moments))
        if code == 130:
            assert last == "puzzle15: interrupted"
            kinds["interrupted"] += 1
        elif "KeyboardInterrupt" in last or "Remainder of file ignored" in last:
            kinds["while Python starts"] += 1
        elif code == -signal.SIGINT:
            kinds["before Python"] += 1
        else:
            assert code in (0, 1), (code, last)
            kinds["done"] += 1
    print(name, kinds)
    assert kinds["interrupted"] > 0


def few_and_all(few, every):
    return [pytest.param(few, id="few"), pytest.param(every, id="all", marks=pytest.mark.nightly)]


@pytest.mark.parametrize("limits", few_and_all((200, 2000), (60, 80, 100, 150, 200, 300, 500, 2000)))
@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_little_memory(name, limits, ended):
    codes = []
    for megabytes in limits:
        code, last = said(ended(name, limit=(resource.RLIMIT_AS, megabytes << 20)))
        assert code in CODES and (code != 3 or last.startswith("puzzle15: error: ")), (megabytes, code, last)
        codes.append(code)
    assert codes[-1] in (0, 1), codes


@pytest.mark.parametrize("limits", few_and_all((8, 32), (4, 5, 6, 7, 8, 9, 10, 12, 16, 32)))
@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_few_descriptors(name, limits, ended):
    codes = []
    for descriptors in limits:
        code, last = said(ended(name, limit=(resource.RLIMIT_NOFILE, descriptors)))
        assert code in CODES and (code != 3 or last.startswith("puzzle15: error: ")), (descriptors, code, last)
        codes.append(code)
    assert codes[-1] in (0, 1), codes


KILLS = pytest.mark.parametrize("kills", [6, pytest.param(30, marks=pytest.mark.nightly)])


def killed(start, folder, after, *words, made=None):
    """Kill a command some seconds after its start, or after it has made a file."""
    process = start("-m", "puzzle15", *words, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while made and not made.exists():
        assert process.poll() is None
        time.sleep(0.01)
    time.sleep(after)
    process.kill()
    process.wait()


@KILLS
@pytest.mark.slow
@pytest.mark.parametrize("bounded", [[], ["--max-memory", "64M"]], ids=["in memory", "bounded"])
def test_builds_that_are_killed(bounded, kills, start, tmp_path, rng):
    """At any moment: files are whole or not there, and a build removes what is a day old."""
    tables = tmp_path / "tables"
    words = ["build", "1-6/7-12/13-15", "--tables", tables, "--workers", "1", *bounded]
    for _ in range(kills):
        killed(start, tmp_path, rng.uniform(0.05, 0.9), *words, "--force")
        found, broken = find_tables(tables) if tables.is_dir() else ([], [])
        assert not broken and all(report.sound for report in verify(tables)) and len(found) <= 3
    for path in tables.glob("*.tmp"):
        os.utime(path, (0, 0))
    puzzle15.build_tables("1-6/7-12/13-15", tables=tables, force=True)
    assert len(find_tables(tables)[0]) == 3 and not list(tables.glob("*.tmp"))


@KILLS
@pytest.mark.slow
def test_labellings_that_are_killed(kills, start, tmp_path, rng):
    """Each run resumes the one before: the files are those of a run that was left alone."""
    words = ["label", "--shape", "3x3", "--count", "400k", "--shard", "8000", "--seed", "1"]
    manifest = tmp_path / "killed" / "_manifest.json"
    killed(start, tmp_path, rng.uniform(0, 0.2), *words, "-o", tmp_path / "killed", made=manifest)
    for _ in range(kills):
        killed(start, tmp_path, rng.uniform(0.2, 0.6), *words, "-o", tmp_path / "killed", "--resume")
    for name, resume in (("killed", ["--resume"]), ("whole", [])):
        process = start("-m", "puzzle15", *words, "-o", tmp_path / name, *resume, stdout=subprocess.DEVNULL)
        assert process.wait(60) == 0
    whole, resumed = (
        {path.name: path.read_bytes() for path in (tmp_path / name).glob("shard*")} for name in ("whole", "killed")
    )
    assert whole == resumed and len(whole) == 50
