"""Threads, locks, and work spread over threads, processes or machines.

`spread` and `connect` are for users. The package itself uses the threads, the locks, and `Sendable`.
"""

from .locking import ThreadLock, locked
from .sendable import Parcel, Sendable
from .threads import (
    MAX_THREADS,
    QUICK_STEPS,
    Pace,
    Stopped,
    Team,
    check_stop,
    raise_later,
    raises_later,
    result_of,
    slices,
    thread_count,
    threads_or_all,
)
from .workers import connect, spread, worker_count

__all__ = [
    "MAX_THREADS",
    "Pace",
    "Parcel",
    "QUICK_STEPS",
    "Sendable",
    "Stopped",
    "Team",
    "ThreadLock",
    "check_stop",
    "connect",
    "locked",
    "raise_later",
    "raises_later",
    "result_of",
    "slices",
    "spread",
    "thread_count",
    "threads_or_all",
    "worker_count",
]
