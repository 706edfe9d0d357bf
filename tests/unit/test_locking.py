"""A lock between processes, and building under it."""

import multiprocessing
import signal
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import chunks

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
