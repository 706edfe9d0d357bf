"""Arrays in .npz files that anybody may have written: each is checked before memory is taken for it."""

from __future__ import annotations

import contextlib
import math
import os
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any, Literal, Optional

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

__all__ = ["MOST_RATIO", "Arrays", "ArraysError", "open_arrays", "read_arrays"]

#: Of an array; None where any length will do.
Shape = tuple[Optional[int], ...]

#: Deflate makes two bits of 258 bytes at best.
MOST_RATIO = 1032

_METHODS = zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED
_MOST_TEXT_BYTES = 4096
_BLOCK = 1 << 20
_ENCRYPTED = 1  # a bit of a member's flags


class ArraysError(Exception):
    """What is wrong with a file of arrays. Callers raise an error of their own that says so."""


def read_arrays(path: Path, columns: Mapping[str, tuple[np.dtype, Shape]]) -> dict[str, NDArray[Any]]:
    """Some arrays of a file, by their types and shapes; see `Arrays.read`.

    Raises
    ------
    FileNotFoundError
    ArraysError
    """
    with open_arrays(path) as file:
        return {name: file.read(name, dtype.name, shape) for name, (dtype, shape) in columns.items()}


@contextlib.contextmanager
def open_arrays(path: Path, most_bytes: Optional[int] = None) -> Iterator[Arrays]:
    """A context with the arrays of a file.

    Parameters
    ----------
    path : Path
    most_bytes : int, optional
        A limit for all arrays together.

    Raises
    ------
    FileNotFoundError
    ArraysError
        It is no such file, is damaged, or is too large.
    """
    with _understood():
        if not stat.S_ISREG(os.stat(path).st_mode):  # reading others may never end
            raise ArraysError("it is no regular file")
        archive = zipfile.ZipFile(path)
    with archive:
        arrays = Arrays(archive, path)
        if most_bytes is not None and arrays.bytes > most_bytes:
            raise ArraysError(f"its arrays take {arrays.bytes:,} bytes, expected at most {most_bytes:,}")
        yield arrays


class Arrays:
    """The arrays of an open file; `open_arrays` makes it.

    Attributes
    ----------
    names : list of str
    bytes : int
        What the arrays and their headers say they take.
    """

    def __init__(self, archive: zipfile.ZipFile, path: Path) -> None:
        self._archive, self._file_bytes = archive, os.stat(path).st_size
        self._members = {
            member.filename[:-4]: member for member in archive.infolist() if member.filename.endswith(".npy")
        }
        self.names = list(self._members)
        self.bytes = sum(member.file_size for member in archive.infolist())

    def read(self, name: str, types: str, shape: Shape) -> NDArray[Any]:
        """One array, its checksum being checked.

        Parameters
        ----------
        name : str
        types : str
            Names of the dtypes that it may have, between spaces; ``str`` for a short text.
        shape : tuple of (int or None)
            That it must have.

        Returns
        -------
        ndarray
            In the byte order of this machine.

        Raises
        ------
        ArraysError
            It is missing, damaged, or another array.
        """
        member = self._members.get(name)
        if member is None:
            raise ArraysError(f"it has no array {name}")
        if member.flag_bits & _ENCRYPTED or member.compress_type not in _METHODS:
            raise ArraysError(f"{name} is encrypted, or compressed by another method than deflate")
        if member.file_size > MOST_RATIO * min(member.compress_size, self._file_bytes):
            raise ArraysError(f"{name} takes {member.file_size:,} bytes; so many cannot be in this file")
        with _understood(), self._archive.open(member) as file:
            dtype, found, order = _read_header(name, file)
            kind = dtype.name if dtype.kind != "U" else "str" if dtype.itemsize <= _MOST_TEXT_BYTES else "long str"
            if (
                kind not in types.split()
                or len(found) != len(shape)
                or any(has < 0 if wanted is None else has != wanted for has, wanted in zip(found, shape))
            ):
                expected = ", ".join("any" if length is None else str(length) for length in shape)
                raise ArraysError(
                    f"{name} is {kind} {found}, not {types.replace(' ', ' or ')} ({expected}{',' * (len(shape) == 1)})"
                )
            count = math.prod(found)
            if count * dtype.itemsize > member.file_size:
                raise ArraysError(f"{name} is {kind} {found}, and only {member.file_size:,} bytes long")
            array = np.empty(count, dtype=dtype)
            left = array.view(np.uint8).data
            while left:
                block = file.read(min(len(left), _BLOCK))
                if not block:
                    raise EOFError("it ends too early")
                left[: len(block)] = block
                left = left[len(block) :]
            if file.read(1):  # which reads the checksum, too
                raise ArraysError(f"{name} is longer than its shape {found} tells")
        return array.reshape(found, order=order).astype(dtype.newbyteorder("="), copy=False)


def _read_header(name: str, file: IO[bytes]) -> tuple[np.dtype[Any], tuple[int, ...], Literal["F", "C"]]:
    """(dtype, shape, order) of an array."""
    try:
        version = npy.read_magic(file)
        if version != (1, 0):  # others are for names and types that no array of ours has
            raise ValueError
        shape, fortran_order, dtype = npy.read_array_header_1_0(file)
    except (OSError, EOFError, zipfile.BadZipFile, zlib.error):
        raise
    except Exception:  # it is Python's text, and anything can go wrong in it
        raise ArraysError(f"{name} has no readable header") from None
    return dtype, shape, "F" if fortran_order else "C"


@contextlib.contextmanager
def _understood() -> Iterator[None]:
    """Whatever zipfile, zlib and numpy find in a damaged file is one error."""
    try:
        yield
    except FileNotFoundError:
        raise
    except (
        OSError,
        ValueError,
        EOFError,
        LookupError,
        RuntimeError,
        ArithmeticError,
        struct.error,
        zipfile.BadZipFile,
        zlib.error,
    ) as error:
        what = " ".join(str(error).split()) or type(error).__name__
        raise ArraysError(f"it is damaged, or no .npz file of plain arrays ({what})") from None
