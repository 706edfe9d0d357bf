"""Files of arrays, the same bytes for the same arrays, and the folder that they are in."""

from __future__ import annotations

import contextlib
import hashlib
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from ..errors import DatasetError
from ..parallel import locked, slices
from ..system import files
from ..system.files import write_atomically

__all__ = ["LOCK", "TEMPORARY", "lock_folder", "remove_leftovers", "sha256_of", "write_arrays"]

#: How the name of a file ends that is being written.
TEMPORARY = ".tmp"

#: Of the folder; not there when nobody writes, unless a process was killed.
LOCK = ".lock"

_BLOCK_BYTES = 1 << 18  # that are compressed together: some milliseconds

Column = tuple[str, np.dtype, tuple[int, ...], Iterable[NDArray[Any]]]


def remove_leftovers(folder: Path) -> None:
    """Remove what killed processes were writing; under the folder's lock only."""
    files.remove_leftovers(folder)
    for path in folder.glob(f"[!.]*{TEMPORARY}"):  # names that older versions gave
        path.unlink()


def write_arrays(path: Path, columns: Iterable[Column], compress: bool) -> None:
    """Write arrays as `numpy.load` reads them, without pickles, piece by piece.

    Parameters
    ----------
    path : Path
    columns : iterable of (name, dtype, shape, pieces)
        The pieces follow one another along the first axis; one at a time is held.
    compress : bool

    Notes
    -----
    Unlike those of `numpy.savez`, the bytes do not depend on the time or the system; only on the versions
    of numpy and zlib.
    """
    # Of random boards, 57 bytes a row become 22, at 400,000 rows a second.
    method = zipfile.ZIP_DEFLATED if compress else zipfile.ZIP_STORED
    with write_atomically(path) as file, zipfile.ZipFile(file, "w", method) as archive:
        for name, dtype, shape, pieces in columns:
            entry = zipfile.ZipInfo(f"{name}.npy", (1980, 1, 1, 0, 0, 0))
            entry.compress_type, entry.create_system, entry.external_attr = method, 3, 0o644 << 16
            with archive.open(entry, "w", force_zip64=True) as member:
                header = {"descr": npy.dtype_to_descr(dtype), "fortran_order": False, "shape": shape}
                npy.write_array_header_1_0(member, header)
                for piece in pieces:
                    data = np.ascontiguousarray(piece, dtype=dtype).reshape(-1).view(np.uint8)
                    for block in slices(len(data), _BLOCK_BYTES):
                        member.write(data[block])


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest()


@contextlib.contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Keep others from writing here; the lock goes with the process, however it ends.

    Raises
    ------
    DatasetError
        Somebody else has it.
    """

    def refuse() -> None:
        raise DatasetError(f"{folder}: somebody else is writing here; wait for that to end, or name another folder")

    with locked(folder / LOCK, on_wait=refuse):
        yield
