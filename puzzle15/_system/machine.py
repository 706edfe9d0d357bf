"""The machine: its processors, its free memory, and memory in large pages."""

from __future__ import annotations

import contextlib
import mmap
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Optional

_UNKNOWN_BYTES = 4 * 1024**3  # where the platform does not report it

# Control groups, version 2 and 1: where they are mounted, then the files with the limit and the use.
_GROUPS = {
    "": ("sys/fs/cgroup", "memory.max", "memory.current"),
    "memory": ("sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes"),
}


def processor_count() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def available_memory(root: Path = Path("/")) -> int:
    """Return how many bytes can still be allocated before the machine swaps, or a container is killed.

    It is the least of what the kernel calls available and what the limits of control groups leave; without either,
    the memory of the machine, or 4 GiB if that is unknown. `root` is where ``proc`` and ``sys`` are.
    """
    known = [_of_the_machine(root), *_of_groups(root)]
    return max(0, min((count for count in known if count is not None), default=_UNKNOWN_BYTES))


def new_bytes(count: int) -> memoryview:
    """Return zeroed bytes, in large pages where there are some: beyond some 12 MiB, finding a usual page takes time."""
    length = max(count, 1)
    if not hasattr(mmap, "MAP_PRIVATE"):
        return memoryview(mmap.mmap(-1, length))[:count]
    memory = mmap.mmap(-1, length, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        with contextlib.suppress(OSError):  # a kernel without large pages
            memory.madvise(mmap.MADV_HUGEPAGE)
    return memoryview(memory)[:count]


def _of_the_machine(root: Path) -> Optional[int]:
    match = re.search(r"^MemAvailable:\s*(\d+) kB", _text(root / "proc/meminfo"), flags=re.MULTILINE)
    if match:
        return int(match[1]) * 1024
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return None


def _of_groups(root: Path) -> Iterator[int]:
    """Yield what each control group of this process, parents included, leaves to it."""
    for line in _text(root / "proc/self/cgroup").splitlines():
        _, controllers, path = line.split(":", 2)
        for controller in controllers.split(","):
            if controller not in _GROUPS:
                continue
            mount, limit, use = _GROUPS[controller]
            group = root / mount / path.strip("/")  # in a container the last parts may not be there
            for folder in (group, *group.parents):
                limit_text, use_text = _text(folder / limit).strip(), _text(folder / use).strip()
                if limit_text.isdigit() and use_text.isdigit():
                    yield int(limit_text) - int(use_text) + _reclaimable(folder)
                if folder == root / mount:
                    break


def _reclaimable(group: Path) -> int:
    """Return how many bytes of files the group holds in memory, which the kernel can reclaim."""
    match = re.search(r"^inactive_file (\d+)", _text(group / "memory.stat"), flags=re.MULTILINE)
    return int(match[1]) if match else 0


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii", errors="replace")
    except OSError:
        return ""
