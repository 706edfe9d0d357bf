"""Stamps: records of checked table files, so that all bytes of a table are read once and not at every opening.

A *stamp* is a small file that describes a table file at the time when all of its bytes were checked: its size, times
and inode, and the checksum in its header. It lies beside the table as ``.NAME.checked``, or in the user's cache folder
if the tables' folder cannot be written. While the stamp agrees with the file, nobody has changed the file through the
file system. A copy has another inode and another time, so it is checked once, too. If a stamp is damaged, foreign or
missing, the table is only checked again.

File systems measure times in ticks of some milliseconds or more. A file that is changed twice within one tick looks
unchanged, so a check counts only if it began in a later tick than the one in which the file was last changed.
"""

from __future__ import annotations

import os
import sys
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Optional

from ..errors import TableCorruptError
from ..system.files import write_atomically
from .file import TableFile, open_regular

__all__ = ["LONGEST_TICK_NS", "cache_folder", "checking", "is_checked"]

_MOST_BYTES = 200  # of a stamp
_PATIENCE_S = 0.1  # how long to wait for the next tick

LONGEST_TICK_NS = 2_000_000_000  # of the clock of any file system


def cache_folder() -> Path:
    """The user's cache folder of puzzle15; RuntimeError if the user has no home folder."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        named = os.environ.get("XDG_CACHE_HOME", "")
        # A relative one does not count, by the XDG base directory specification.
        base = named if os.path.isabs(named) else Path.home() / ".cache"
    return Path(base) / "puzzle15"


def is_checked(table: TableFile, status: os.stat_result) -> bool:
    """Whether the file has a stamp that agrees with its state `status`."""
    text = _text(table, status)
    return any(_read(stamp) == text for stamp in _stamps_of(table.path))


@contextmanager
def checking(table: TableFile, status: Optional[os.stat_result] = None) -> Iterator[None]:
    """A context in which a table is checked: the file gets a stamp, or loses it if TableCorruptError is raised.

    Parameters
    ----------
    table : TableFile
    status : os.stat_result, optional
        The state of the file that is checked, if the path may lead to another file by now.
    """
    status = os.stat(table.path) if status is None else status
    stamp = _writable_stamp(table.path, status)
    try:
        yield
    except TableCorruptError:
        for stamp in _stamps_of(table.path):
            with suppress(OSError):
                stamp.unlink()
        raise
    with suppress(OSError):
        if stamp is not None and _text(table, os.stat(table.path)) == _text(table, status):
            with write_atomically(stamp) as file:
                file.write(_text(table, status))


def _text(table: TableFile, status: os.stat_result) -> bytes:
    """What a stamp of this file holds. Not the device: network folders have another one on every machine."""
    fields = status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino
    return f"puzzle15 {' '.join(map(str, fields))} {table.checksum:08x}\n".encode("ascii")


def _stamps_of(path: Path) -> Iterator[Path]:
    """Where the stamp of a table may be."""
    yield path.with_name(f".{path.name}.checked")
    with suppress(RuntimeError):
        whole = os.path.abspath(path)
        yield cache_folder() / "checked" / f"{zlib.crc32(os.fsencode(whole)):08x}-{path.name}.checked"


def _read(stamp: Path) -> Optional[bytes]:
    with suppress(OSError), open_regular(stamp) as file:
        return file.read(_MOST_BYTES)
    return None


def _writable_stamp(path: Path, status: os.stat_result) -> Optional[Path]:
    """Where a stamp can be written, once the file cannot change any more without its times changing."""
    # A change sets the time of the change, which Windows does not record.
    changed = status.st_mtime_ns if sys.platform == "win32" else status.st_ctime_ns
    for stamp in _stamps_of(path):
        with suppress(OSError):
            if stamp.parent != path.parent:
                stamp.parent.mkdir(parents=True, exist_ok=True)
                return stamp if _now(stamp.parent) > changed + LONGEST_TICK_NS else None
            give_up = time.monotonic() + _PATIENCE_S
            while _now(stamp.parent) <= changed:
                if time.monotonic() > give_up:
                    return None
                time.sleep(0.001)
            return stamp
    return None


def _now(folder: Path) -> int:
    """The time by the clock of a folder's file system, in nanoseconds."""
    from tempfile import TemporaryFile  # needed once per file

    with TemporaryFile(dir=folder) as file:
        return os.fstat(file.fileno()).st_mtime_ns
