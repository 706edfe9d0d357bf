"""Array files whose bytes depend only on the arrays, and the lock of the folder that holds them."""

from __future__ import annotations

import contextlib
import hashlib
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from itertools import chain
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

#: The end of the name of a file that is being written.
TEMPORARY = ".tmp"

#: The lock file of the folder. It exists while a process writes, or after a process was killed.
LOCK = ".lock"

_BLOCK_BYTES = 1 << 18  # compressed at once, in some milliseconds

Column = tuple[str, np.dtype[Any], tuple[int, ...], Iterable[NDArray[Any]]]


def remove_leftovers(folder: Path) -> None:
    """Remove the temporary files of killed processes; call it only under the folder's lock."""
    files.remove_leftovers(folder)
    for path in folder.glob(f"[!.]*{TEMPORARY}"):  # names that older versions gave
        path.unlink()


def write_arrays(path: Path, columns: Iterable[Column], *, compress: bool = True, sync: bool = True) -> None:
    """Write arrays as `numpy.load` reads them, without pickles, piece by piece.

    Parameters
    ----------
    path : Path
    columns : iterable of (name, dtype, shape, pieces)
        The pieces follow one another along the first axis; only the first and one more are in memory at a time.
    compress : bool
    sync : bool
        See `write_atomically`.

    Notes
    -----
    Unlike those of `numpy.savez`, the bytes do not depend on the time or the system; only on the versions
    of numpy and zlib.
    """
    # Rows of random boards shrink from 57 to 22 bytes, at a million rows per second.
    method = zipfile.ZIP_DEFLATED if compress else zipfile.ZIP_STORED
    with write_atomically(path, sync=sync) as file, zipfile.ZipFile(file, "w", method) as archive:
        for name, dtype, shape, pieces in columns:
            entry = zipfile.ZipInfo(f"{name}.npy", (1980, 1, 1, 0, 0, 0))
            entry.compress_type, entry.create_system, entry.external_attr = method, 3, 0o644 << 16
            with archive.open(entry, "w", force_zip64=True) as member:
                data = (np.ascontiguousarray(piece, dtype=dtype).reshape(-1).view(np.uint8) for piece in pieces)
                first = next(data, np.zeros(0, dtype=np.uint8))
                if compress:  # zipfile itself has no strategies; without this attribute, it would go on as it is
                    member._compressor = _deflate(_best_strategy(first))  # type: ignore[attr-defined]
                header = {"descr": npy.dtype_to_descr(dtype), "fortran_order": False, "shape": shape}
                npy.write_array_header_1_0(member, header)
                for some in chain([first], data):
                    for block in slices(len(some), _BLOCK_BYTES):
                        member.write(some[block].data)


def _deflate(strategy: int) -> Any:
    return zlib.compressobj(zlib.Z_DEFAULT_COMPRESSION, zlib.DEFLATED, -zlib.MAX_WBITS, zlib.DEF_MEM_LEVEL, strategy)


def _best_strategy(data: NDArray[np.uint8]) -> int:
    """How to compress a column that begins so.

    Random boards do not repeat one another, and runs of zeros are all that solutions repeat. Who looks only for runs
    compresses them better, three times as fast. Boards along a path do repeat one another.
    """

    def compressed(strategy: int) -> int:
        deflate = _deflate(strategy)
        return len(deflate.compress(data[:_BLOCK_BYTES].data)) + len(deflate.flush())

    return min(zlib.Z_RLE, zlib.Z_DEFAULT_STRATEGY, key=compressed)


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest()


@contextlib.contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Keep other processes from writing here; the system frees the lock when the process ends.

    Raises
    ------
    DatasetError
        Another process has the lock.
    """

    def refuse() -> None:
        raise DatasetError(f"{folder}: another process is writing here; wait until it ends, or name another folder")

    with locked(folder / LOCK, on_wait=refuse):
        yield
