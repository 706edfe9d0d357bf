"""Locks: one between processes, and one between threads that a fork does not break."""

from __future__ import annotations

import errno
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Optional

from .threads import check_stop
from .unsendable import Unsendable

#: The errors of file systems without locks, such as some network folders.
_NO_LOCKS = {errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP}
_WAIT_SECONDS = 0.1
_THREAD_WAIT_SECONDS = 0.05  # between two checks of signals


@contextmanager
def locked(path: os.PathLike[str], on_wait: Optional[Callable[[], Any]] = None) -> Iterator[None]:
    """Return a context that only one thread of one process can be in at a time.

    `path` is a file that exists while the lock is held. The operating system releases the lock if the process is
    killed. `on_wait` is called once before waiting, if another thread or process is in the context. On file systems
    without locks nobody waits.
    """
    descriptor = _open_locked(path, on_wait)
    _held.add(descriptor)
    try:
        yield
    finally:
        if descriptor in _held:  # not in a forked process
            _held.discard(descriptor)
            with suppress(OSError):  # Windows keeps files that others have opened
                os.unlink(path)
            os.close(descriptor)


_held: set[int] = set()


class ThreadLock(Unsendable, instead="its threads are of this process; `locked` keeps other processes out"):
    """A lock that one thread of this process has at a time; the same thread may take it again.

    If another thread holds it while this one forks, it is free in the forked process, where that thread does not
    exist. So what it guards must be valid at any time: make the new value, then put it in place by one assignment.
    Use it only for locks that live as long as the process.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        _thread_locks.append(self)

    def __enter__(self) -> None:
        while not self._lock.acquire(timeout=_THREAD_WAIT_SECONDS):
            check_stop()

    def __exit__(self, *error: object) -> None:
        self._lock.release()


_thread_locks: list[ThreadLock] = []


def _after_fork() -> None:
    """In a forked process, close the files that would keep the parent's locks, and free the locks of other threads."""
    while _held:
        with suppress(OSError):
            os.close(_held.pop())
    for lock in _thread_locks:
        if lock._lock.acquire(blocking=False):
            lock._lock.release()
        else:
            lock._lock = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def _open_locked(path: os.PathLike[str], on_wait: Optional[Callable[[], Any]]) -> int:
    waited = False
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            while not _try_lock(descriptor):
                if on_wait is not None and not waited:
                    on_wait()
                waited = True
                time.sleep(_WAIT_SECONDS)
            if _is_at(descriptor, path):
                return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)


def _is_at(descriptor: int, path: os.PathLike[str]) -> bool:
    """Return whether the file is still there: a lock on a deleted file keeps nobody out."""
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(path))
    except FileNotFoundError:
        return False


if sys.platform == "win32":
    import msvcrt

    def _try_lock(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try_lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError as error:
            if error.errno not in _NO_LOCKS:
                raise
        return True
