"""A lock between processes, and building under it."""

import multiprocessing
import os
import signal
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import chunks
import pytest

from puzzle15.locking import locked


def test_processes_that_miss_the_same_tables_build_them_once(tmp_path):
    with ProcessPoolExecutor(3) as pool:
        assert sorted(pool.map(chunks.build_tables, [tmp_path] * 3)) == [0, 0, 3]
    assert all(path.suffix == ".p15" for path in tmp_path.iterdir())


def test_a_lock_goes_with_a_killed_process(tmp_path):
    path = tmp_path / "lock"
    process = multiprocessing.Process(target=chunks.take_lock, args=(path,))
    process.start()
    process.join(30)
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


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no processes are forked here")
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
