"""Rows of labels as columns of arrays: their types, joining and cutting them, and their files."""

from __future__ import annotations

import contextlib
import hashlib
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Optional

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from .._system.arrays import ArraysError
from .._system.files import write_atomically
from .._system.threads import slices
from ..errors import DatasetCorruptError

#: Columns of some rows.
Rows = dict[str, NDArray[Any]]

#: The type of each column, and the shape of its entry in a row.
Types = Mapping[str, tuple["np.dtype[Any]", tuple[int, ...]]]

_BLOCK_BYTES = 1 << 18  # compressed at once, in some milliseconds

#: The four directions in each byte of a solution, as the bytes of one number.
_FOUR_DIRECTIONS = (np.arange(256)[:, None] >> np.arange(0, 8, 2) & 3).astype(np.uint8).view(np.uint32)[:, 0]


def regrouped(pieces: Iterable[Rows], size: int) -> Iterator[Rows]:
    """The same rows in pieces of `size` rows; the last piece has the rest."""
    waiting: list[Rows] = []
    count = 0
    for piece in pieces:
        begin, end = 0, len(piece["distance"])
        while begin < end:
            some = slice(begin, min(end, begin + size - count))
            waiting.append({name: array[some] for name, array in piece.items()})
            count += some.stop - begin
            begin = some.stop
            if count == size:
                yield _joined(waiting)
                waiting, count = [], 0
    if count:
        yield _joined(waiting)


def _joined(pieces: list[Rows]) -> Rows:
    if len(pieces) == 1:
        return pieces[0]
    return {name: np.concatenate([piece[name] for piece in pieces]) for name in pieces[0]}


def directions_of(solutions: NDArray[np.uint8], distances: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The blank's directions, one row for each packed solution; those beyond its distance mean nothing."""
    packed = solutions[:, : 1 + int(distances.max(initial=0)) // 4]
    return _FOUR_DIRECTIONS[packed].view(np.uint8)


@contextlib.contextmanager
def reporting_damage(path: Path) -> Iterator[None]:
    """Raise DatasetCorruptError if a file is missing or damaged."""
    again = "make it again: puzzle15 label --resume, with the options of the first run"
    try:
        yield
    except FileNotFoundError:
        raise DatasetCorruptError(f"{path}: missing; {again}") from None
    except ArraysError as error:
        raise DatasetCorruptError(f"{path}: damaged ({error}); {again}") from None


def write_arrays(path: Path, types: Types, pieces: Sequence[Rows]) -> None:
    """Write pieces of rows as one array per column, as `numpy.load` reads them, without pickles.

    Unlike those of `numpy.savez`, the bytes do not depend on the time or the system; only on the versions of numpy and
    zlib.
    """
    count = sum(len(piece["distance"]) for piece in pieces)
    # Rows of random boards shrink from 57 to 22 bytes, at a million rows per second.
    with write_atomically(path) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, (dtype, shape) in types.items():
            entry = zipfile.ZipInfo(f"{name}.npy", (1980, 1, 1, 0, 0, 0))
            entry.compress_type, entry.create_system, entry.external_attr = zipfile.ZIP_DEFLATED, 3, 0o644 << 16
            data = [np.ascontiguousarray(piece[name], dtype=dtype).reshape(-1).view(np.uint8) for piece in pieces]
            # Random boards do not repeat one another: looking for runs alone compresses them better, three times as
            # fast. Boards along a path do repeat one another.
            first = data[0][:_BLOCK_BYTES].data
            best = min(zlib.Z_RLE, zlib.Z_DEFAULT_STRATEGY, key=lambda strategy: len(_deflated(first, strategy)))
            with archive.open(entry, "w", force_zip64=True) as member:
                # zipfile itself has no strategies; without this attribute, it would go on as it is
                member._compressor = _deflate(best)  # type: ignore[attr-defined]
                header = {"descr": npy.dtype_to_descr(dtype), "fortran_order": False, "shape": (count, *shape)}
                npy.write_array_header_1_0(member, header)
                for some in data:
                    for block in slices(len(some), _BLOCK_BYTES):
                        member.write(some[block].data)


def _deflate(strategy: int) -> Any:
    return zlib.compressobj(zlib.Z_DEFAULT_COMPRESSION, zlib.DEFLATED, -zlib.MAX_WBITS, zlib.DEF_MEM_LEVEL, strategy)


def _deflated(data: memoryview, strategy: int) -> bytes:
    deflate = _deflate(strategy)
    return bytes(deflate.compress(data) + deflate.flush())


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest()


def file_problem(path: Path, entry: Mapping[str, Any]) -> Optional[str]:
    """What is wrong with the file of a shard, as its entry in the manifest describes it."""
    if not entry["complete"]:
        return "not made yet"
    if not path.exists():
        return "missing"
    if path.stat().st_size != entry["bytes"]:
        return f"{path.stat().st_size:,} bytes instead of {entry['bytes']:,}"
    return None if sha256_of(path) == entry["sha256"] else "its SHA-256 is not that of the manifest"
