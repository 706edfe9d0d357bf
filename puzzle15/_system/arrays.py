"""Arrays in .npz files that anybody may have written: each is checked before memory is taken for it."""

from __future__ import annotations

import contextlib
import math
import os
import stat
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Optional

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from ..errors import OptionError

#: Of an array; None where any length will do.
Shape = tuple[Optional[int], ...]

#: Headers are Python literals. CPython 3.11 reads one at a time: two threads would find their depths mixed up.
_headers = threading.Lock()

#: Deflate makes two bits of 258 bytes at best.
MOST_RATIO = 1032


class ArraysError(Exception):
    """A file of arrays is missing something or damaged. Callers turn it into an error of their own."""


@contextlib.contextmanager
def open_arrays(path: Path, most_bytes: Optional[int] = None) -> Iterator[Arrays]:
    """Return a context with the arrays of a file, which must not take more than `most_bytes` together.

    It raises FileNotFoundError; and ArraysError if the file is not such a file, damaged or too large.
    """
    with _one_error():
        if not stat.S_ISREG(os.stat(path).st_mode):  # reading a device or a pipe may never end
            raise ArraysError("it is not a regular file")
        file = zipfile.ZipFile(path)
    with file:
        total = sum(member.file_size for member in file.infolist())
        if most_bytes is not None and total > most_bytes:
            raise ArraysError(f"its arrays take {total:,} bytes, expected at most {most_bytes:,}")
        yield Arrays(file, os.stat(path).st_size)


class Arrays:
    """The arrays of an open file, by their `names`; `open_arrays` makes it."""

    def __init__(self, file: zipfile.ZipFile, file_bytes: int) -> None:
        self._file, self._file_bytes = file, file_bytes
        self.names = [name[: -len(".npy")] for name in file.namelist() if name.endswith(".npy")]

    def read(self, name: str, types: str, shape: Shape) -> NDArray[Any]:
        """Return one array in the byte order of this machine; ArraysError if it is missing, damaged, or another one.

        `types` are names of the allowed dtypes, between spaces; ``str`` is text. None in `shape` is any length.
        """
        if name not in self.names:
            raise ArraysError(f"it has no array {name}")
        with _one_error():
            member = self._file.getinfo(f"{name}.npy")
            if member.file_size > MOST_RATIO * min(member.compress_size, self._file_bytes):
                raise ArraysError(f"{name} takes {member.file_size:,} bytes; so many cannot be in this file")
            with self._file.open(member) as content:
                if npy.read_magic(content) != (1, 0):  # others are for names and types that no array of ours has
                    raise OptionError(f"{name} has another header")
                with _headers:
                    found, is_fortran, dtype = npy.read_array_header_1_0(content)
                kind = "str" if dtype.kind == "U" else dtype.name
                fits = len(found) == len(shape) and all(want in (None, has) for has, want in zip(found, shape))
                if kind not in types.split() or not fits:
                    expected = ", ".join("any" if length is None else str(length) for length in shape)
                    raise ArraysError(f"{name} is {kind} {found}, not {types.replace(' ', ' or ')} ({expected})")
                left = member.file_size - content.tell()
                if math.prod(found) * dtype.itemsize != left:  # at the very end, zipfile compares the checksum
                    raise ArraysError(f"{name} is {kind} {found}, and {left:,} bytes long")
                array = np.frombuffer(content.read(), dtype)
            return array.reshape(found, order="F" if is_fortran else "C").astype(dtype.newbyteorder("="))


@contextlib.contextmanager
def _one_error() -> Iterator[None]:
    """Whatever zipfile, zlib and numpy find in a damaged file is one error."""
    try:
        yield
    except (ArraysError, FileNotFoundError, MemoryError):
        raise
    except Exception as error:
        what = " ".join(str(error).split()) or type(error).__name__
        raise ArraysError(f"it is damaged, or no .npz file of plain arrays ({what})") from None
