"""Files that appear complete or not at all, and survive a power failure."""

from __future__ import annotations

import contextlib
import errno
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

_PREFIX, _SUFFIX = ".p15-", ".tmp"

_ABANDONED_SECONDS = 86_400.0  # longer than any pause of a writer
_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


@contextlib.contextmanager
def write_atomically(path: Path, *, sync: bool = True) -> Iterator[BinaryIO]:
    """Return a context with a temporary file to write and read, which replaces `path` at the end.

    Readers see the old file or the whole new one, also after a power failure. After an exception, the old file is as it
    was, and the temporary one is gone. Without `sync`, a power failure may leave a damaged file; that suits files that
    are checked when they are read, and can be made again.
    """
    temporary = path.parent / f"{_PREFIX}{os.urandom(8).hex()}{_SUFFIX}"
    try:
        with open(temporary, "x+b") as file:
            yield file
            if sync:
                file.flush()
                os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException as error:
        with contextlib.suppress(OSError):
            temporary.unlink()
        if isinstance(error, OSError) and (error.filename == str(temporary) or error.errno in _NO_ROOM):
            error.filename, error.filename2 = str(path), None  # the name that users know
        raise
    if sync:
        _sync_folder(path.parent)


@contextlib.contextmanager
def write_output(path: Path) -> Iterator[BinaryIO]:
    """Write a file that a user names: `write_atomically`, but links are followed, and pipes and devices are written."""
    if os.path.exists(path) and not os.path.isfile(path):
        try:
            with open(path, "wb") as file:
                yield file
        except OSError as error:
            if error.errno in _NO_ROOM:
                error.filename = str(path)
            raise
    else:
        with write_atomically(Path(os.path.realpath(path)) if path.is_symlink() else path) as file:
            yield file


def remove_leftovers(folder: Path, *, alone: bool = False) -> None:
    """Remove the temporary files of processes that were killed: those without a change for a day; all of them where
    nobody else writes, as behind a lock.
    """
    for path in folder.glob(f"{_PREFIX}*{_SUFFIX}"):
        with contextlib.suppress(OSError):  # another process has removed it, or it belongs to another user
            if alone or time.time() - path.stat().st_mtime > _ABANDONED_SECONDS:
                path.unlink()


def _sync_folder(folder: Path) -> None:
    """Make a renaming permanent; some systems cannot open a folder, and need not."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
