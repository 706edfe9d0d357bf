"""Threads that work together: how many, what stops them, and how soon."""

import signal
import sys
import tempfile
import threading
import time
from concurrent.futures import Future
from types import SimpleNamespace

import chunks
import pytest
from timing import timed, wait_for, within

from puzzle15 import Solver
from puzzle15._system import threads
from puzzle15._system.threads import (
    MAX_THREADS,
    StepSizer,
    Stopped,
    Team,
    check_stop,
    raise_later,
    raises_later,
    result_of,
    slices,
    thread_count,
)
from puzzle15._system.workers import map_chunks
from puzzle15.errors import ThreadsError

HARD = "0 15 8 3/12 11 7 4/14 10 6 5/9 13 2 1"


def work_on(begun):
    begun.set()
    while True:
        time.sleep(0.001)
        check_stop()


def begin(team, function=work_on):
    begun = threading.Event()
    future = team.submit(function, begun)
    assert begun.wait(30)
    return future


# ---------------------------------------------------------------- teams


@pytest.mark.parametrize("error", [None, KeyError])
def test_the_end_of_the_statement_stops_the_threads(error):
    running = threading.active_count()
    try:
        with Team(2) as team:
            futures = [begin(team), begin(team)]
            waiting = team.submit(divmod, 7, 2)
            if error:
                raise error
    except KeyError:
        assert error
    assert wait_for(lambda: threading.active_count() <= running)
    for future in futures:
        with pytest.raises(Stopped):
            future.result()
    assert waiting.cancelled()


def test_a_team_stops_with_the_team_of_the_thread_that_made_it():
    def lead(begun):
        with Team(1) as team:
            inner = begin(team)
            begun.set()
            return inner.exception(10)  # unlike `result_of`, it would wait on: only the inner team's thread looks

    with Team(1) as team:
        outer = begin(team, lead)
    assert isinstance(outer.result(), Stopped)
    check_stop()  # this thread is of none


@pytest.mark.parametrize(
    "wait", [lambda: result_of(Future()), lambda: [time.sleep(0.001) for _ in slices(10**9, 3)]], ids=["pool", "slices"]
)
def test_an_outer_stop_acts_while_a_foreign_pool_or_numpy_works(wait):
    with Team(1) as team:
        future = begin(team, lambda begun: (begun.set(), wait()))
    assert isinstance(future.exception(), Stopped)


def test_a_lock_that_a_signal_left_taken_keeps_nobody_waiting():
    """Python can lose the lock of a future if a signal comes while a function takes or releases it."""
    with Team(1) as team:
        future = begin(team)
        future._condition.acquire()
    assert not team._at_work and not future.done()
    future._condition.release()
    assert isinstance(future.exception(10), Stopped)


def test_the_end_of_the_statement_waits_for_work_that_looks_at_nothing():
    begun, ended = threading.Event(), []

    def work():
        begun.set()
        time.sleep(0.2)
        ended.append(True)

    with Team(1) as team:
        team.submit(work)
        assert begun.wait(10)
    assert ended


def test_an_exception_waits_for_its_own_thread():
    with Team(1) as team:
        result_of(team.submit(raise_later, KeyError("of the team")))
        check_stop()
        assert not raises_later() and result_of(team.submit(raises_later))
        raise_later(ValueError("mine"))
        with pytest.raises(KeyError, match="of the team"):
            team.submit(check_stop).result()
        with pytest.raises(ValueError, match="mine"):
            check_stop()
        check_stop()  # once is enough


@timed
def test_chunks_at_work_end_with_their_iterator():
    begun = threading.Semaphore(0)

    def work(chunk):
        begun.release()
        if chunk == 0:
            return chunk
        while True:
            time.sleep(0.001)
            check_stop()

    results = map_chunks(work, range(10), workers=2)
    assert next(results) == 0
    assert begun.acquire(timeout=30) and begun.acquire(timeout=30)
    with within(5):
        results.close()


def test_what_is_stopped_is_not_tried_again():
    tries = []

    def stopped(chunk):
        tries.append(chunk)
        raise Stopped

    for workers in (None, chunks.Foreign()):
        with pytest.raises(Stopped):
            list(map_chunks(stopped, [1], workers=workers))
    assert tries == [1, 1]


MOST = 1 << 24


@pytest.mark.parametrize(
    "steps, worked, waited, then",
    [
        (64, 0, 0, 128),
        (64, 0.0019, 0.047, 128),
        (64, 0.001, 0.049, 64),  # it waits, and longer pieces would wait longer
        (64, 0.002, 0, 64),
        (64, 0.01, 0, 64),
        (64, 0.0125, 0, 25),
        (64, 0.02, 1, 16),
        (64, 1, 0, 1),
        (MOST // 2, 0, 0, MOST),
        (MOST - 1, 0, 0, MOST),
        (MOST, 0, 0, MOST),
    ],
)
def test_the_steps_of_a_pace(steps, worked, waited, then, monkeypatch):
    """They follow the time of the third piece of work, and of each after it: the first two only begin the clocks."""
    clock = SimpleNamespace()
    clocks = SimpleNamespace(thread_time=lambda: clock.worked, perf_counter=lambda: clock.now)
    monkeypatch.setattr(threads, "time", clocks)
    pace = StepSizer(steps)
    for clock.worked, clock.now in ((-100.0, -100.0), (0.0, 0.0)):
        pace.check_stop()
    assert pace.steps == steps
    for clock.worked, clock.now in ((worked, worked + waited), (worked + 1, worked + waited + 1)):
        pace.check_stop()
        assert pace.steps == then
        then = max(then * 5 // 1000, 1)


# ---------------------------------------------------------------- how many


@pytest.mark.parametrize("count", [0, -1, MAX_THREADS + 1, 10**20, 1.5, "2", map])
def test_numbers_of_threads_that_make_no_sense(count):
    kind, message = ValueError, f"^workers {count}: expected a whole number from 1 to {MAX_THREADS}"
    if not isinstance(count, int):
        kind, message = TypeError, r"^workers .*: expected a whole number from 1 to 1024, as threads .*$"
    with pytest.raises(kind, match=message):
        thread_count(count)


@pytest.mark.parametrize(
    "words", [["solve", "--workers", "8", HARD], ["label", "--count", "9k", "--output", "new", "--workers", "8"]]
)
def test_a_system_that_refuses_threads(words, monkeypatch, tmp_path, capsys):
    from puzzle15._cli import main

    start = threading.Thread.start
    started = []

    def refuse(thread):
        if len(started) >= 3:
            raise RuntimeError("can't start new thread")
        started.append(thread)
        start(thread)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(threading.Thread, "start", refuse)
    code = main([*words, "--quiet"])
    line = capsys.readouterr().err
    assert code == 3 and line.count("\n") == 1 and "refuses to start more threads" in line
    assert not any(thread.is_alive() for thread in started)
    with pytest.raises(ThreadsError):
        Solver("embedded").solve_many([HARD] * 8, workers=8)


# ---------------------------------------------------------------- signals

needs_signals = pytest.mark.skipif(sys.platform == "win32", reason="signals end a process there")

CLI = "from puzzle15._cli import run; print(flush=True); run()"
PYTHON = """
import numpy as np
from puzzle15 import Board, Solver, heuristic, search
from puzzle15.learning import AnnDistance
boards = np.full(2_000_000, Board.random(1).packed, np.uint64)
solver, network = Solver("embedded"), AnnDistance("paper")
print(flush=True)
while True:
    {}
"""
LABEL = ["label", "--count", "1M", "--output", "new", "--quiet"]
COMMANDS = {
    "far": [*LABEL, "--distance", "75"],
    "distances": [*LABEL, "--distance", "40-60", "--workers", "2"],
    "first moves": [*LABEL, "--first-moves", "--along-path"],
}
CALLS = {
    "solve": f'solver.solve("{HARD}", workers=2)',
    "bounds": "solver.engine.lower_bounds(boards)",
    "heuristic": 'heuristic("tables:embedded").many(boards)',
    "network": "network.many(boards)",
    "rounded": "network.many(boards)",
    "search": f'search("{HARD}", algorithm="ida*", heuristic="ann:paper")',
}


SIGNALS = [
    *((name, signal.SIGINT, {130}) for name in COMMANDS),
    *((name, signal.SIGTERM, {143}) for name in COMMANDS),
    *((name, signal.SIGINT, {1, 130, -signal.SIGINT}) for name in CALLS),
]


@needs_signals
@pytest.mark.parametrize("name, number, codes", SIGNALS)
@pytest.mark.sweep(1)
@timed
def test_a_signal_ends_a_command_or_a_call_at_once(start, name, number, codes, tmp_path):
    if name in COMMANDS:
        process = start("-c", CLI, *COMMANDS[name], cwd=tempfile.mkdtemp(dir=tmp_path))
    else:
        process = start("-c", PYTHON.format(CALLS[name]))
    assert process.stdout.readline()
    time.sleep(0.6)
    assert process.poll() is None
    process.send_signal(number)
    with within(0.5):
        _, error = process.communicate()
    assert process.returncode in codes
    assert (b"Traceback" in error) == (name in CALLS) == (b"KeyboardInterrupt" in error)


STUBBORN = """
import sys, time
from puzzle15 import dataset
from puzzle15._cli import run
from puzzle15._system.workers import map_chunks

def sleep(chunk):
    print(flush=True)
    time.sleep(60)

def write(*arguments, **options):
    for _ in map_chunks(sleep, [1, 2], workers=2):
        pass

dataset.write = write
sys.argv[1:] = ["label", "--count", "10", "--output", "new", "--quiet"]
run()
"""


@needs_signals
@pytest.mark.parametrize(
    "first, second, codes",
    [
        (signal.SIGINT, signal.SIGINT, {130}),
        (signal.SIGTERM, signal.SIGTERM, {143}),
        # a process that gets no time until both are there takes the smaller first
        (signal.SIGTERM, signal.SIGINT, {130, 143}),
    ],
)
@pytest.mark.slow
def test_a_second_signal_does_not_wait_for_anything(start, first, second, codes):
    process = start("-c", STUBBORN)
    assert process.stdout.readline()
    time.sleep(0.3)  # until all threads have started
    process.send_signal(first)
    time.sleep(0.3)
    assert process.poll() is None  # waits for its threads
    process.send_signal(second)
    _, error = process.communicate(timeout=30)  # its threads sleep for 60 seconds
    assert process.returncode in codes and b"Traceback" not in error


def test_work_in_a_thread_of_ones_own_goes_on():
    """Neither signals nor teams concern it."""
    results, boards = [], ["8 6 7/2 5 4/3 0 1"] * 9
    thread = threading.Thread(target=lambda: results.append(Solver(shape=(3, 3)).distance_many(boards)))
    thread.start()
    thread.join()
    assert results[0].tolist() == [31] * 9
