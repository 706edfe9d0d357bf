"""Rows of labels as columns of arrays: their types, joining and cutting them, and their files."""

from __future__ import annotations

import contextlib
import hashlib
import io
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from pathlib import Path
from typing import Any, BinaryIO, Optional

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from .._system.arrays import ArraysError
from .._system.files import write_atomically
from .._system.threads import check_stop, slices
from ..errors import DatasetCorruptError

#: Columns of some rows.
Rows = dict[str, NDArray[Any]]

#: The type of each column, and the shape of its entry in a row.
Types = Mapping[str, tuple["np.dtype[Any]", tuple[int, ...]]]

_BLOCK_BYTES = 1 << 18  # compressed at once, in some milliseconds

#: The four directions in each byte of a solution, as the bytes of one number.
_FOUR_DIRECTIONS = (np.arange(256)[:, None] >> np.arange(0, 8, 2) & 3).astype(np.uint8).view(np.uint32)[:, 0]


def regrouped(pieces: Iterable[Rows], size: int) -> Iterator[Rows]:
    """Yield the same rows in pieces of `size` rows; the last piece has the rest."""
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
    """Return the blank's directions, one row for each packed solution; those beyond its distance mean nothing."""
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
    with write_atomically(path) as file, zipfile.ZipFile(file, "w") as archive:
        for name, (dtype, shape) in types.items():
            head = io.BytesIO()
            header = {"descr": npy.dtype_to_descr(dtype), "fortran_order": False, "shape": (count, *shape)}
            npy.write_array_header_1_0(head, header)
            data = [np.ascontiguousarray(piece[name], dtype=dtype).reshape(-1).view(np.uint8) for piece in pieces]
            blocks = [some[block].data for some in data for block in slices(len(some), _BLOCK_BYTES)]
            _add(archive, file, f"{name}.npy", [head.getbuffer(), *blocks])


def _add(archive: zipfile.ZipFile, file: BinaryIO, name: str, blocks: Sequence[memoryview]) -> None:
    """Add a member to an archive, compressed by zlib's best strategy, which zipfile does not offer."""
    member = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    member.compress_type, member.create_system, member.external_attr = zipfile.ZIP_DEFLATED, 3, 0o644 << 16
    # Random boards do not repeat one another: looking for runs alone compresses them better, three times as fast: from
    # 57 to 22 bytes, a million rows per second. Boards along a path do repeat one another.
    strategies = zlib.Z_RLE, zlib.Z_DEFAULT_STRATEGY
    best = min(strategies, key=lambda strategy: sum(map(len, _deflated(blocks[1:2], strategy))))
    compressed = list(_deflated(blocks, best))
    member.CRC = reduce(lambda crc, block: zlib.crc32(block, crc), blocks, 0)
    member.file_size, member.compress_size = sum(block.nbytes for block in blocks), sum(map(len, compressed))
    member.header_offset = archive.start_dir
    file.writelines([member.FileHeader(zip64=True), *compressed])
    archive.filelist.append(member)
    archive.start_dir = file.tell()


def _deflated(blocks: Sequence[memoryview], strategy: int) -> Iterator[bytes]:
    wbits, level = -zlib.MAX_WBITS, zlib.Z_DEFAULT_COMPRESSION
    deflate = zlib.compressobj(level, zlib.DEFLATED, wbits, zlib.DEF_MEM_LEVEL, strategy)
    for block in blocks:
        check_stop()
        yield deflate.compress(block)
    yield deflate.flush()


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def file_problem(path: Path, entry: Mapping[str, Any]) -> Optional[str]:
    """Return what is wrong with the file of a shard, as its entry in the manifest describes it."""
    if not entry["complete"]:
        return "not made yet"
    if not path.exists():
        return "missing"
    if path.stat().st_size != entry["bytes"]:
        return f"{path.stat().st_size:,} bytes instead of {entry['bytes']:,}"
    return None if sha256_of(path) == entry["sha256"] else "its SHA-256 is not that of the manifest"
