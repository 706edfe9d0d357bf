"""Rows of labels as columns of arrays: their types, joining and cutting them, and their files."""

from __future__ import annotations

import contextlib
import hashlib
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from ..errors import DatasetCorruptError
from ..parallel import slices
from ..system.arrays import ArraysError
from ..system.files import write_atomically

__all__ = ["Rows", "Types", "joined", "regrouped", "reporting_damage", "sha256_of", "write_arrays"]

#: Columns of some rows.
Rows = dict[str, NDArray[Any]]

#: The type of each column, and the shape of its entry in a row.
Types = Mapping[str, tuple["np.dtype[Any]", tuple[int, ...]]]

_BLOCK_BYTES = 1 << 18  # compressed at once, in some milliseconds


def joined(pieces: Sequence[Rows]) -> Rows:
    """The rows of several pieces."""
    if len(pieces) == 1:
        return pieces[0]
    return {name: np.concatenate([piece[name] for piece in pieces]) for name in pieces[0]}


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
                yield joined(waiting)
                waiting, count = [], 0
    if count:
        yield joined(waiting)


@contextlib.contextmanager
def reporting_damage(path: Path) -> Iterator[None]:
    """Raise DatasetCorruptError if a file is missing or damaged."""
    again = "make it again: puzzle15 label --resume, with the options of the first run, or to_parquet"
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
            with archive.open(entry, "w", force_zip64=True) as member:
                # zipfile itself has no strategies; without this attribute, it would go on as it is
                member._compressor = _deflate(_best_strategy(data[0]))  # type: ignore[attr-defined]
                header = {"descr": npy.dtype_to_descr(dtype), "fortran_order": False, "shape": (count, *shape)}
                npy.write_array_header_1_0(member, header)
                for some in data:
                    for block in slices(len(some), _BLOCK_BYTES):
                        member.write(some[block].data)


def _deflate(strategy: int) -> Any:
    return zlib.compressobj(zlib.Z_DEFAULT_COMPRESSION, zlib.DEFLATED, -zlib.MAX_WBITS, zlib.DEF_MEM_LEVEL, strategy)


def _best_strategy(data: NDArray[np.uint8]) -> int:
    """How to compress a column that begins so.

    Random boards do not repeat one another, and solutions repeat nothing but runs of zeros. Looking for runs alone
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
