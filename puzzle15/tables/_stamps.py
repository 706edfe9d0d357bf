"""Stamps: records of checked table files, so that all bytes of a table are read once and not at every opening.

A *stamp* is a small file, ``.NAME.checked`` beside the table. It holds the table file's size, times, inode and checksum
at the time when all its bytes were checked. While it agrees with the file, nobody has changed the file through the file
system. A copy has another inode, so it is checked once, too. Without a sound stamp a table is only checked again.

File systems measure times in ticks of some milliseconds or more. A file that is changed twice within one tick looks
unchanged, so a check counts only if it began in a later tick than the one in which the file was last changed.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Optional

from .._system.files import write_atomically
from ..errors import TableCorruptError
from ._file import TableFile, open_regular

_MOST_BYTES = 200  # of a stamp
_PATIENCE_S = 0.1  # how long to wait for the next tick


def is_checked(table: TableFile, status: os.stat_result) -> bool:
    """Return whether the file has a stamp that agrees with its state `status`."""
    with suppress(OSError), open_regular(_stamp_of(table.path)) as file:
        return file.read(_MOST_BYTES) == _text(table, status)
    return False


@contextmanager
def checking(table: TableFile, status: Optional[os.stat_result] = None) -> Iterator[None]:
    """A context in which a table is checked: the file gets a stamp, or loses it if TableCorruptError is raised.

    `status` is the state of the file that is checked, if the path may lead to another file by now.
    """
    status = os.stat(table.path) if status is None else status
    stamp = _stamp_of(table.path)
    counts = _has_ticked(stamp.parent, status)
    try:
        yield
    except TableCorruptError:
        with suppress(OSError):
            stamp.unlink()
        raise
    with suppress(OSError):
        if counts and _text(table, os.stat(table.path)) == _text(table, status):
            with write_atomically(stamp) as file:
                file.write(_text(table, status))


def _text(table: TableFile, status: os.stat_result) -> bytes:
    """Return what a stamp of this file holds. Not the device: network folders have another one on every machine."""
    fields = status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino
    return f"puzzle15 {' '.join(map(str, fields))} {table.checksum:08x}\n".encode("ascii")


def _stamp_of(path: Path) -> Path:
    return path.with_name(f".{path.name}.checked")


def _has_ticked(folder: Path, status: os.stat_result) -> bool:
    """Whether the file can no longer change without its times changing; False if the folder cannot be written, too."""
    # A change sets the time of the change, which Windows does not record.
    changed = status.st_mtime_ns if sys.platform == "win32" else status.st_ctime_ns
    give_up = time.monotonic() + _PATIENCE_S
    with suppress(OSError):
        while _now(folder) <= changed:
            if time.monotonic() > give_up:
                return False
            time.sleep(0.001)
        return True
    return False


def _now(folder: Path) -> int:
    """Return the time by the clock of a folder's file system, in nanoseconds."""
    from tempfile import TemporaryFile  # needed once per file

    with TemporaryFile(dir=folder) as file:
        return os.fstat(file.fileno()).st_mtime_ns
