"""The table file: a header of one page, then the payload.

Numbers are little-endian; offsets are in bytes.

==========  =======  =====================================================================
offset      bytes    field
==========  =======  =====================================================================
0           8        ``P15TABLE``
8           4        version: 1
12          4        bytes of the header, where the payload begins: 4096
16          1        format: 1 zero-aware, 2 classic, 3 multi-tile
17          3        rows, columns, tiles of the pattern
20          2        the goal cells of the pattern's tiles, bit i for cell i
22          2        the cells that the blank can be at in the goal: one region
24          16       maps, blocks, rows (permutations), bytes of a payload row
40          8        bytes of the payload
48          4        largest value
52          4        bytes of a chunk
56          4        checksum: CRC-32 of the chunks' CRC-32s
64          2048     entries of each value 0 .. 255: states (zero-aware), placements (classic), states and
                     axes of the first move (multi-tile)
4092        4        CRC-32 of the header up to here
==========  =======  =====================================================================

csrc/tables/table.h and csrc/multitile/table.h describe the payload. Equal tables are equal files.
"""

from __future__ import annotations

import errno
import mmap
import os
import stat
import struct
import zlib
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Union

from .._core.tables.tables import Space, Table
from .._system.machine import new_bytes
from .._system.threads import slices
from ..errors import TableCorruptError

if TYPE_CHECKING:
    from .._core.multitile.multitile import Lines
    from .._core.multitile.multitile import Table as MultiTileTable

#: The formats of additive tables.
Format = Literal["zero-aware", "classic", "multi-tile"]
FORMATS: tuple[Format, ...] = ("zero-aware", "classic")

#: The format of tables of the multi-tile metric.
MULTI_TILE: Literal["multi-tile"] = "multi-tile"

_CODES: dict[Format, int] = {"zero-aware": 1, "classic": 2, MULTI_TILE: 3}
HEADER_BYTES = 4096
_READ_BYTES = 1 << 22  # at a time: some milliseconds
_MAGIC = b"P15TABLE"
_VERSION = 1
_FIELDS = struct.Struct("<8sIIBBBBHHIIIIQIII4x256Q")
_OUR_FAULT = (errno.EMFILE, errno.ENFILE, errno.ENOMEM)  # errors that do not mean that the file is damaged

#: A table in memory, of either metric.
AnyTable = Union[Table, "MultiTileTable"]

_spaces: dict[tuple[tuple[int, int], int, bool], Union[Space, Lines]] = {}


def space_of(shape: tuple[int, int], cells: int, format: Format) -> Any:
    """Return the space of a pattern's size and a format; all tables of that size share one object."""
    tiles = bin(cells).count("1")
    key = (shape, tiles, format == MULTI_TILE)
    if key not in _spaces:
        if format == MULTI_TILE:
            from .._core.multitile.multitile import Lines

            _spaces[key] = Lines(shape, tiles)
        else:
            _spaces[key] = Space(shape, tiles)
    return _spaces[key]


def file_name(shape: tuple[int, int], format: Format, cells: int, region: int) -> str:
    """Return the name of a table's file, which contains everything that identifies the table."""
    return f"{shape[0]}x{shape[1]}-{format}-{cells:04x}-{region:04x}.p15"


def open_regular(path: os.PathLike[str]) -> BufferedReader:
    """Open a file for reading, without ever waiting for a pipe or a device; TableCorruptError if it is one of these."""

    def without_waiting(path: str, flags: int) -> int:
        return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))

    try:
        file = open(path, "rb", opener=without_waiting)  # noqa: SIM115 - callers close it
    except FileNotFoundError:
        raise
    except OSError as error:
        if error.errno in _OUR_FAULT:
            raise
        raise TableCorruptError(f"{path}: it cannot be read: {error.strerror}; repair that, or remove it") from None
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise TableCorruptError(f"{path}: it is not a regular file; remove it")
    return file


@dataclass(frozen=True)
class TableFile:
    """The header of a table file, and the file's path.

    Attributes
    ----------
    path : Path
    shape : (int, int)
    format : {"zero-aware", "classic", "multi-tile"}
    cells : int
        The goal cells of the pattern's tiles, bit i for cell i.
    region : int
        The cells where the blank may be in the goal.
    counts : tuple of int
        How many entries have the value 0, 1, 2, ..; the last is not 0.
    chunk_bytes, checksum : int
    """

    path: Path
    shape: tuple[int, int]
    format: Format
    cells: int
    region: int
    counts: tuple[int, ...]
    chunk_bytes: int
    checksum: int

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "path": self.path.absolute()}  # other processes may have started elsewhere

    @property
    def space(self) -> Any:
        return space_of(self.shape, self.cells, self.format)

    @property
    def classic(self) -> bool:
        return self.format == "classic"

    @property
    def payload_bytes(self) -> int:
        count: int = self.space.payload_bytes(self.classic)
        return count

    @property
    def file_bytes(self) -> int:
        return HEADER_BYTES + self.payload_bytes

    @property
    def max_value(self) -> int:
        return len(self.counts) - 1

    def header(self) -> bytes:
        """Return the file's first page."""
        space = self.space
        rows = space.map_count if self.classic else space.row_count
        pattern = _CODES[self.format], *self.shape, space.tiles, self.cells, self.region
        sizes = space.map_count, space.block_count, rows, space.row_bytes(self.classic), self.payload_bytes
        counts = *self.counts, *[0] * (256 - len(self.counts))
        payload = self.max_value, self.chunk_bytes, self.checksum
        page = _FIELDS.pack(_MAGIC, _VERSION, HEADER_BYTES, *pattern, *sizes, *payload, *counts)
        page = page.ljust(HEADER_BYTES - 4, b"\0")
        return page + struct.pack("<I", zlib.crc32(page))

    @classmethod
    def read(cls, path: os.PathLike[str]) -> TableFile:
        """Read and check a header, and the size of the file; TableCorruptError, or FileNotFoundError."""
        path = Path(path)
        with open_regular(path) as file:
            try:
                page = file.read(HEADER_BYTES)
            except OSError as error:
                raise TableCorruptError(f"{path}: it cannot be read: {error.strerror}") from None
            size = os.fstat(file.fileno()).st_size

        if page[:8] != _MAGIC:
            raise _corrupt(path, "this is not a table file of puzzle15")
        if len(page) < HEADER_BYTES:
            raise _corrupt(path, f"the header is cut off after {len(page)} of {HEADER_BYTES} bytes")
        version = struct.unpack_from("<I", page, 8)[0]
        if version != _VERSION:
            raise _corrupt(path, f"version {version} of the table file, this program reads {_VERSION}")
        if zlib.crc32(page[:-4]) != struct.unpack_from("<I", page, HEADER_BYTES - 4)[0]:
            raise _corrupt(path, "the header is damaged: its checksum is wrong")
        (_, _, _, code, rows, cols, _, cells, region, _, _, _, _, payload, largest, chunk, checksum, *counts) = (
            _FIELDS.unpack_from(page)
        )
        try:
            format = next(name for name, number in _CODES.items() if number == code)
            known = 1 <= largest < 256 and counts[largest] and region and 0 < chunk <= payload
            header = cls(path, (rows, cols), format, cells, region, tuple(counts[: largest + 1]), chunk, checksum)
            known = known and not cells >> rows * cols and header.header() == page
            if not known or region != header.space.region(cells, _lowest(region)):
                raise ValueError
        except (StopIteration, ValueError):
            raise _corrupt(path, "the header describes no table") from None
        if size != header.file_bytes:
            raise _corrupt(path, f"the file has {size:,} bytes instead of {header.file_bytes:,}")
        return header

    def open(self) -> AnyTable:
        """Map the file read-only, shared with every process that uses it."""
        return self.over(self.mapped()[0])

    def mapped(self) -> tuple[memoryview, os.stat_result]:
        """Return the payload, mapped read-only, and the state of the file that was mapped."""
        with open_regular(self.path) as file:
            status = os.fstat(file.fileno())
            if status.st_size != self.file_bytes:
                raise self.corrupt("the file's size has changed")
            memory = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        return memoryview(memory)[HEADER_BYTES:], status

    def load(self) -> AnyTable:
        """Read the file into memory of this process, which may have larger pages than a mapped file, and check it."""
        payload = new_bytes(self.payload_bytes)
        with open_regular(self.path) as file:
            file.seek(HEADER_BYTES)
            for part in slices(self.payload_bytes, _READ_BYTES):
                if file.readinto(payload[part]) != part.stop - part.start:
                    raise self.corrupt("the file's size has changed")
        self.check(payload)
        return self.over(payload.toreadonly())

    def is_sound(self, payload: memoryview) -> bool:
        """Return whether the payload has the checksum that the header has."""
        chunks = [zlib.crc32(payload[part]) for part in slices(self.payload_bytes, self.chunk_bytes)]
        return combine_checksums(chunks) == self.checksum

    def check(self, payload: memoryview) -> None:
        """TableCorruptError unless `is_sound`."""
        if not self.is_sound(payload):
            raise self.corrupt("the payload is damaged: its checksum is wrong")

    def corrupt(self, what: str) -> TableCorruptError:
        """Return an error that names the file."""
        return _corrupt(self.path, what)

    def over(self, payload: Any) -> AnyTable:
        """Return the table over a payload in memory."""
        if self.format == MULTI_TILE:
            from .._core.multitile.multitile import Table as MultiTileTable

            return MultiTileTable(self.space, payload, self.cells, _lowest(self.region))
        return Table(self.space, payload, self.classic, self.max_value, self.cells, _lowest(self.region))


def combine_checksums(chunks: list[int]) -> int:
    """Return the checksum of a payload from those of its chunks."""
    return zlib.crc32(struct.pack(f"<{len(chunks)}I", *chunks))


def _corrupt(path: Path, what: str) -> TableCorruptError:
    return TableCorruptError(f"{path}: {what}; build it again: puzzle15 build --force")


def _lowest(cells: int) -> int:
    return (cells & -cells).bit_length() - 1
