"""A lock between processes, and building under it; locks between threads, and forks while some have them."""

import errno
import multiprocessing
import os
import pickle
import signal
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import chunks
import numpy as np
import pytest

import puzzle15
from puzzle15 import Solver
from puzzle15._system import locking
from puzzle15._system.locking import ThreadLock, locked
from puzzle15.dataset import _distances as distances
from puzzle15.dataset import at_distances
from puzzle15.solver import _engine as engine
from puzzle15.solver import _opened as opened


def test_processes_that_miss_the_same_tables_build_them_once(tmp_path):
    with ProcessPoolExecutor(3) as pool:
        assert sorted(pool.map(chunks.build_tables, [tmp_path] * 3)) == [0, 0, 3]
    assert {path.suffix for path in tmp_path.iterdir()} == {".p15", ".checked"}


def test_a_lock_goes_with_a_killed_process(tmp_path):
    path = tmp_path / "lock"
    process = multiprocessing.Process(target=chunks.take_lock, args=(path,))
    process.start()
    try:
        process.join()
    finally:
        process.kill()
    assert process.exitcode == -signal.SIGKILL and path.exists()

    waits = []
    inside = []

    def enter(number):
        with locked(path, lambda: waits.append(number)):
            inside.append(number)
            assert len(inside) == 1
            time.sleep(0.02)
            inside.remove(number)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(enter, range(12)))
    assert waits and not path.exists()


needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="no processes are forked here")


@needs_fork
def test_a_forked_process_does_not_keep_the_lock(tmp_path):
    """Such as one of a pool, whose parent is killed."""
    path = tmp_path / "lock"
    with locked(path):
        child = os.fork()
        if not child:
            time.sleep(60)
            os._exit(0)
    try:
        with locked(path, on_wait=lambda: pytest.fail("the child has it")):
            pass
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


# ---------------------------------------------------------------- forks while a thread is at it


def works_when_forked(work):
    """Whether `work`, called in a forked process, ends there, and well, within a minute."""
    child = os.fork()
    if not child:
        signal.alarm(60)
        try:
            work()
            os._exit(0)
        finally:
            os._exit(1)
    return os.waitpid(child, 0)[1] == 0


@pytest.fixture
def thread_inside(monkeypatch):
    """thread_inside(place, name, work): a thread calls `work`, and is inside the function of that name until the test
    ends; forked processes do not stop there."""
    leave = threading.Event()
    threads = []

    def thread_inside(place, name, work):
        real, parent, inside = getattr(place, name), os.getpid(), threading.Event()

        def wait(*arguments):
            if os.getpid() == parent:
                inside.set()
                assert leave.wait(300)
            return real(*arguments)

        monkeypatch.setattr(place, name, wait)
        threads.append(threading.Thread(target=work))
        threads[-1].start()
        assert inside.wait(30)

    yield thread_inside
    leave.set()
    for thread in threads:
        thread.join()


@needs_fork
def test_a_forked_process_that_leaves_the_context_has_no_lock_to_end(tmp_path):
    path = tmp_path / "lock"
    context = locked(path)
    context.__enter__()
    assert works_when_forked(lambda: context.__exit__(None, None, None))
    with pytest.raises(BlockingIOError), locked(path, on_wait=refuse):
        pass
    assert path.exists() and locking._held
    context.__exit__(None, None, None)
    assert not path.exists() and not locking._held


def refuse():
    raise BlockingIOError


@pytest.mark.skipif(os.name == "nt", reason="another function locks there")
def test_file_systems_without_locks_keep_nobody_waiting(tmp_path, monkeypatch):
    def fail(number):
        def flock(descriptor, operation):
            raise OSError(number, os.strerror(number))

        monkeypatch.setattr("fcntl.flock", flock)

    fail(errno.ENOLCK)
    with locked(tmp_path / "lock", on_wait=refuse), locked(tmp_path / "lock", on_wait=refuse):
        assert (tmp_path / "lock").stat().st_mode & 0o133 == 0  # nobody runs it, and nobody else writes it
    fail(errno.EIO)
    with pytest.raises(OSError, match=os.strerror(errno.EIO)), locked(tmp_path / "lock"):
        pass
    assert not locking._held


@needs_fork
def test_a_fork_while_a_thread_opens_a_solver(thread_inside):
    arrived = pickle.loads(pickle.dumps(Solver(goal="8 7 6/5 4 3/2 1 0")))
    thread_inside(Solver, "_open", lambda: arrived.distance(arrived.goal))
    other = pickle.dumps(Solver(goal="8 7 6/5 4 3/1 2 0"))
    assert works_when_forked(lambda: arrived.distance_many([arrived.goal] * 3))
    assert works_when_forked(lambda: pickle.loads(other).open_tables.partitions)


@needs_fork
def test_a_fork_while_a_thread_loads_tables(thread_inside, tmp_path):
    puzzle15.build_tables("1-4/5-8", shape=(3, 3), tables=tmp_path)
    one = Solver("1-4/5-8", shape=(3, 3), tables=tmp_path)
    thread_inside(opened, "available_memory", one.open_tables.load)
    many = ["8 6 7/2 5 4/3 0 1"] * engine._MANY_BOARDS
    assert works_when_forked(lambda: one.solve_many(many))


@needs_fork
def test_a_fork_while_a_thread_lists_boards(thread_inside):
    three = Solver(goal="5 6 7/4 0 8/3 2 1")  # no other test lists boards of this goal, whose lists a process keeps

    def check():
        assert three.distance_many(at_distances([12], np.random.default_rng(1), three)).tolist() == [12]

    thread_inside(distances, "next_plane", check)
    assert works_when_forked(check)


@needs_fork
def test_a_thread_that_forks_keeps_its_locks():
    lock, free = ThreadLock(), ThreadLock()

    def check():
        took = []

        def take():
            with lock:
                took.append(True)

        thread = threading.Thread(target=take)
        with free, lock:
            pass
        thread.start()
        thread.join(0.3)
        assert not took
        lock.__exit__()
        thread.join(10)
        assert took

    with lock:
        assert works_when_forked(check)
