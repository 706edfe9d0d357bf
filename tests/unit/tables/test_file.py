"""The table file: what its header says, and every kind of damage."""

import errno
import os
import re
import struct
import zlib
from dataclasses import replace

import pytest
from damaging import NO_FILES, flip

import puzzle15
from puzzle15.errors import Puzzle15Error, TableCorruptError
from puzzle15.tables import TableFile
from puzzle15.tables import _file as tablefile
from puzzle15.tables._file import FORMATS, HEADER_BYTES, MULTI_TILE

MENDED = "build it again: puzzle15 build --force"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    for options in (*({"format": format} for format in FORMATS), {"metric": "mtm"}):
        puzzle15.build_tables("1-3", shape=(3, 3), patterns=True, tables=folder, **options)
    return folder


@pytest.fixture(params=["3x3-zero-aware-0007-01f8.p15", "3x3-classic-0007-01f8.p15", f"3x3-{MULTI_TILE}-0007-0100.p15"])
def table(request, folder, tmp_path):
    """A table that may be damaged."""
    path = tmp_path / request.param
    path.write_bytes((folder / request.param).read_bytes())
    return TableFile.read(path)


def corrupt(path, whole):
    """What is said of this file."""
    path.write_bytes(whole)
    with pytest.raises(TableCorruptError) as caught:
        TableFile.read(path)
    assert isinstance(caught.value, Puzzle15Error) and isinstance(caught.value, OSError)
    message = str(caught.value)
    assert str(path) in message and MENDED in message
    return message


def signed(page):
    """A header with its checksum made to fit."""
    return page[:-4] + struct.pack("<I", zlib.crc32(page[:-4]))


def values_of(table):
    return [table.value(cells, 8) for cells in ((0, 1, 2), (3, 1, 2), (7, 6, 5))]


def test_the_fields_stand_where_the_manual_says(table):
    opened = table.open()
    assert (opened.cells, opened.classic) == (table.cells, table.classic)
    assert tablefile.file_name(table.shape, table.format, table.cells, table.region) == table.path.name
    page = table.path.read_bytes()[:HEADER_BYTES]
    assert page == table.header()
    code = {"zero-aware": 1, "classic": 2, MULTI_TILE: 3}[table.format]
    assert struct.unpack_from("<8sIIBBBBHH", page) == (b"P15TABLE", 1, 4096, code, 3, 3, 3, 0b111, table.region)
    assert table.region == (0b100000000 if table.format == MULTI_TILE else 0b111111000)
    maps, blocks, rows, row_bytes, payload_bytes = struct.unpack_from("<IIIIQ", page, 24)
    assert (maps, blocks, payload_bytes) == (table.space.map_count, table.space.block_count, table.payload_bytes)
    assert rows * row_bytes == table.payload_bytes or table.format == MULTI_TILE
    assert struct.unpack_from("<III", page, 48) == (table.max_value, table.chunk_bytes, table.checksum)
    assert struct.unpack_from("<256Q", page, 64)[: table.max_value + 1] == table.counts
    assert not any(page[64 + 2048 : -4])
    assert struct.unpack_from("<I", page, 4092) == (zlib.crc32(page[:4092]),)


def test_cut_off_anywhere(table):
    with pytest.raises(FileNotFoundError):
        TableFile.read(table.path.with_name("none.p15"))
    assert "not a table file" in corrupt(table.path, b"PK\3\4" + bytes(10_000))
    whole = table.header() + bytes(table.payload_bytes)
    for size in (0, 1, 7, 8, 11, 12, 16, 100, 4091, 4095, HEADER_BYTES, len(whole) - 1):
        message = corrupt(table.path, whole[:size])
        if size >= HEADER_BYTES:
            assert f"{size:,} bytes instead of {len(whole):,}" in message
        elif size >= 8:
            assert f"cut off after {size} of 4096" in message
    assert "bytes instead of" in corrupt(table.path, whole + b"\0")


def test_every_byte_of_the_header_matters(table):
    whole = table.path.read_bytes()
    with open(table.path, "r+b", buffering=0) as file:
        for place in range(HEADER_BYTES):
            file.seek(place)
            file.write(bytes([whole[place] ^ 1 << place % 8]))
            message = "its checksum is wrong" if place >= 12 else "not a table file|version"
            with pytest.raises(TableCorruptError, match=message):
                TableFile.read(table.path)
            file.seek(place)
            file.write(whole[place : place + 1])
    assert TableFile.read(table.path) == table


@pytest.mark.parametrize(
    "offset, code, values",
    [
        (8, "<I", [0, 2, 256]),  # the version
        (12, "<I", [0, 4095, 8192]),  # where the payload begins
        (16, "<B", [0, 4, 255]),  # the format
        (17, "<B", [0, 1, 2, 4, 255]),  # rows
        (18, "<B", [0, 1, 4, 17]),  # columns
        (19, "<B", [0, 2, 4, 9, 255]),  # tiles
        (20, "<H", [0, 0b11, 0b1111, 0x8003, 0xFFFF]),  # goal cells
        (22, "<H", [0, 1, 0b101111000, 0xFFF8, 0xFFFF]),  # region
        (24, "<I", [0, 2**32 - 1]),  # maps
        (28, "<I", [0, 2**32 - 1]),  # blocks
        (32, "<I", [0, 2**32 - 1]),  # rows
        (36, "<I", [0, 2**32 - 1]),  # bytes of a row
        (40, "<Q", [0, 1, 2**64 - 1]),  # bytes of the payload
        (48, "<I", [0, 1, 255, 256, 2**32 - 1]),  # largest value
        (52, "<I", [0, 2**32 - 1]),  # bytes of a chunk
        (64 + 8 * 255, "<Q", [1]),  # a count beyond the largest value
        (3000, "<B", [1]),  # what should be empty
    ],
)
def test_headers_that_describe_no_table(table, offset, code, values):
    """With a checksum that fits: a header is believed in nothing that its table does not confirm."""
    whole = table.path.read_bytes()
    for value in values:
        page = bytearray(whole[:HEADER_BYTES])
        struct.pack_into(code, page, offset, value)
        if bytes(page) == whole[:HEADER_BYTES]:
            continue
        message = corrupt(table.path, signed(bytes(page)) + whole[HEADER_BYTES:])
        expected = f"version {value} .* reads 1" if offset == 8 else "describes no table|bytes instead of"
        assert re.search(expected, message), (offset, value)


@pytest.mark.parametrize("what", [*NO_FILES, "unreadable"])
def test_what_stands_where_a_file_should(what, table, monkeypatch):
    if what == "unreadable":
        refuse_to_open(monkeypatch, errno.EACCES)  # the superuser may read anything
    else:
        table.path.unlink()
        NO_FILES[what](table.path)
    for read in (lambda: TableFile.read(table.path), table.open, table.load):
        with pytest.raises(TableCorruptError, match=f"{table.path.name}.*remove it"):
            read()


def refuse_to_open(monkeypatch, number):
    def refuse(name, *args, **options):
        raise OSError(number, os.strerror(number), os.fspath(name))

    monkeypatch.setattr(os, "open", refuse)


def test_too_many_open_files_say_nothing_about_the_table(table, monkeypatch):
    refuse_to_open(monkeypatch, errno.EMFILE)
    with pytest.raises(OSError, match="Too many open files") as caught:
        TableFile.read(table.path)
    assert not isinstance(caught.value, TableCorruptError)


@pytest.mark.parametrize("place", [HEADER_BYTES, -1])
def test_reading_into_memory_checks_every_byte(place, table):
    assert values_of(table.load()) == values_of(table.open())
    flip(table.path, place)
    with pytest.raises(TableCorruptError, match=f"{table.path.name}.*checksum.*{MENDED}"):
        table.load()


def test_files_that_change_after_their_header_was_read(table):
    opened = table.open()
    before = values_of(opened)
    whole = table.path.read_bytes()
    table.path.unlink()
    assert values_of(opened) == before
    table.path.write_bytes(whole[:-1])
    for read in (table.open, table.load):
        with pytest.raises(TableCorruptError, match=MENDED):
            read()


def test_headers_are_values(table):
    again = TableFile.read(table.path)
    assert again == table and hash(again) == hash(table)
    other = replace(table, checksum=0)
    assert other != table and other.header() != table.header()
    for size in (1, table.payload_bytes - 1, table.payload_bytes + 1):
        with pytest.raises((TableCorruptError, ValueError)):
            table.over(bytes(size))
