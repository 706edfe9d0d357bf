"""Work spread over threads, processes or machines: one adapter for all that can take it.

`spread` and `connect` are for users; the threads, and the locks, are what the package itself works with.
"""

from .locking import ThreadLock, locked
from .threads import (
    MAX_THREADS,
    QUICK_STEPS,
    Pace,
    Stopped,
    Team,
    check_stop,
    result_of,
    slices,
    thread_count,
    threads_or_all,
)
from .workers import connect, spread

__all__ = [
    "MAX_THREADS",
    "Pace",
    "QUICK_STEPS",
    "Stopped",
    "Team",
    "ThreadLock",
    "check_stop",
    "connect",
    "locked",
    "result_of",
    "slices",
    "spread",
    "thread_count",
    "threads_or_all",
]
