"""Threads, locks, and work spread over threads, processes or machines.

`spread` and `connect` are for users. The package itself uses the threads and the locks.
"""

from typing import TYPE_CHECKING

from ..system.doors import on_demand

if TYPE_CHECKING:
    from .cluster import connect
    from .locking import ThreadLock, locked
    from .parcels import Parcel
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
    from .workers import spread, worker_count
else:
    __getattr__, __dir__ = on_demand(
        __name__,
        cluster="connect",
        locking="ThreadLock locked",
        parcels="Parcel",
        threads="MAX_THREADS QUICK_STEPS Pace Stopped Team check_stop raise_later raises_later result_of slices"
        " thread_count threads_or_all",
        workers="spread worker_count",
    )

__all__ = [
    "MAX_THREADS",
    "Pace",
    "Parcel",
    "QUICK_STEPS",
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
