"""What tests have other processes do, and hand-written workers: those processes can import this module."""

import os
import signal
from pathlib import Path
from types import SimpleNamespace

import puzzle15
from puzzle15._system.locking import locked


def double(chunk):
    return [2 * number for number in chunk]


def process(chunk):
    return os.getpid()


def first_time(path):
    """Whether nobody else called this with the same path yet."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return False
    return True


def fail_once(folder, chunk):
    if chunk[0] % 3 == 0 and first_time(Path(folder) / f"failed-{chunk[0]}"):
        raise OSError("this time only")
    return double(chunk)


def fail_always(chunk):
    if chunk[0] == 4:
        raise ValueError(f"no luck with {chunk}")
    return double(chunk)


def die(chunk):
    if chunk[0] == 4:
        os.kill(os.getpid(), signal.SIGKILL)
    return double(chunk)


def distances_with_death(folder, solver, boards):
    """The distances; the first worker that gets so far is killed over its third chunk, or its fourth."""
    count = Path(folder) / f"count-{os.getpid()}"
    with open(count, "a") as file:
        file.write(".")
    if count.stat().st_size >= 3 and first_time(Path(folder) / "killed"):
        os.kill(os.getpid(), signal.SIGKILL)
    return solver.distance_many(boards)


def build_tables(folder):
    """How many tables this process had to write."""
    written = []
    puzzle15.build_tables("5-5-5", tables=folder, workers=1, progress=lambda share, what: written.append(what))
    return sum(what.endswith(": done") for what in written)


def take_lock(path):
    """Be killed while holding the lock of a file."""
    with locked(path):
        os.kill(os.getpid(), signal.SIGKILL)


class Foreign:
    """An executor with as little as there can be: `submit`, and futures whose `result` does the work."""

    def __init__(self, begin=lambda: None):
        self.waiting = self.most = self.submitted = 0
        self._begin = begin

    def submit(self, function, *arguments):
        def result():
            self.waiting -= 1
            return function(*arguments)

        self._begin()
        self.submitted += 1
        self.waiting += 1
        self.most = max(self.most, self.waiting)  # how many futures waited
        return SimpleNamespace(result=result)


class CancellableForeign(Foreign):
    """The same, and remembers which chunks were cancelled."""

    def __init__(self):
        super().__init__()
        self.cancelled = []

    def submit(self, function, *arguments):
        future = super().submit(function, *arguments)
        future.cancel = lambda: self.cancelled.append(arguments[-1])
        return future
