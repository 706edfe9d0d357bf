"""The manifest of labelled boards, and the check of all its fields.

``manifest.json`` is a JSON object: first the request, then the shards that exist so far.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from reprlib import repr as shorten
from typing import Any

import numpy as np

from ..board import Board, check_shape
from ..errors import BoardError, DatasetCorruptError, DatasetError
from ..system.arrays import MOST_RATIO

__all__ = [
    "FIRST_MOVES",
    "FIXED",
    "FORMATS",
    "FORMAT_VERSIONS",
    "KIND",
    "MANIFEST",
    "about",
    "add_histograms",
    "format_of",
    "read_manifest",
    "shard_name",
]

MANIFEST = "manifest.json"
KIND = "boards labelled by puzzle15"

#: The formats of shards, and the version of a manifest of such shards. Programs that know version 1 alone say so of
#: others.
FORMAT_VERSIONS = {"npz": 1, "parquet": 2}
FORMATS = tuple(FORMAT_VERSIONS)

#: What every manifest says about its columns.
FIXED = {
    "metric": "stm",
    "convention": "blank",
    "solution": "2 bits a move, move i in bits 2 (i % 4) of byte i // 4: 0 up, 1 left, 2 right, 3 down",
}

#: What it says about the column of that name, if there is one; older versions said nothing.
FIRST_MOVES = "bit d: the blank's move in direction d begins a shortest solution: 0 up, 1 left, 2 right, 3 down"

_MOST = 1 << 48  # boards, bytes and so on: their sums fit into 64 bits
_MOST_TEXT = 100_000
_MOST_DISTANCES = 256
_SOLUTION_BYTES = 40


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a folder, with every field checked.

    Raises
    ------
    DatasetError
        There is no manifest, or this version does not know its format.
    DatasetCorruptError
        A field is wrong; the message names the first one.
    """
    path = folder / MANIFEST
    if not path.is_file():
        raise DatasetError(f"{folder}: expected labelled boards, but there is no {MANIFEST}; make some: puzzle15 label")
    try:
        try:
            manifest: dict[str, Any] = json.loads(path.read_bytes())
        except OSError as error:
            raise DatasetError(f"{path}: cannot be read ({error.strerror})") from None
        except (ValueError, RecursionError):
            raise _Wrong("expected JSON text") from None
        fields = _Fields(manifest, "")
        fields.same("kind", KIND)
        version = fields.whole("format_version", 1)
        known = {number: name for name, number in FORMAT_VERSIONS.items()}
        if version in known:
            _check(fields, known[version])
    except _Wrong as wrong:
        raise DatasetCorruptError(
            f"{path}: damaged: {wrong}; restore it from a copy, or label again into a new folder, "
            f"because only the manifest describes the files beside it"
        ) from None
    if version not in known:
        raise DatasetError(
            f"{path}: version {version} of the format, expected at most {max(known)}; install a newer puzzle15"
        )
    return manifest


def shard_name(index: int, format: str) -> str:
    return f"shard-{index:05d}.{format}"


def format_of(manifest: dict[str, Any]) -> str:
    """The format of the shards; a manifest of .npz files does not name it."""
    format: str = manifest.get("format", "npz")
    return format


def about(manifest: dict[str, Any]) -> dict[str, Any]:
    """What a manifest tells of every row, for a file that holds rows without their manifest."""
    names = (
        "kind",
        "version",
        "count",
        "seed",
        "distribution",
        "shape",
        "goal",
        *FIXED,
        "first_moves",
        "along_path",
        "columns",
    )
    return {name: manifest[name] for name in names if name in manifest}


def add_histograms(histograms: Iterable[list[int]]) -> list[int]:
    """The sum of histograms of different lengths."""
    total: list[int] = []
    for counts in histograms:
        total += [0] * (len(counts) - len(total))
        for distance, count in enumerate(counts):
            total[distance] += count
    return total


# ---------------------------------------------------------------- the schema


class _Wrong(Exception):
    """A field is wrong; the message says which, and what was expected."""


class _Fields:
    """An object of a manifest; each method returns a field after checking its value."""

    def __init__(self, fields: Any, name: str) -> None:
        if not isinstance(fields, dict):
            raise _Wrong(f"{name or 'it'} is {shorten(fields)}, expected an object")
        self._fields, self._prefix = fields, name and f"{name}."

    def __contains__(self, name: str) -> bool:
        return name in self._fields

    def take(self, name: str, fits: Callable[[Any], bool], expected: str) -> Any:
        if name not in self._fields:
            raise _Wrong(f"{self._prefix}{name} is missing, expected {expected}")
        value = self._fields[name]
        if not fits(value):
            raise _Wrong(f"{self._prefix}{name} is {shorten(value)}, expected {expected}")
        return value

    def whole(self, name: str, least: int, most: int = _MOST) -> int:
        value: int = self.take(name, lambda value: _is_whole(value, least, most), f"a whole number, {least} .. {most}")
        return value

    def same(self, name: str, value: Any) -> None:
        self.take(name, lambda found: type(found) is type(value) and found == value, json.dumps(value))

    def text(self, name: str, pattern: str = ".*") -> str:
        expected = "a text" if pattern == ".*" else f"a text of the form {pattern}"
        value: str = self.take(name, lambda value: _is_text(value) and bool(re.fullmatch(pattern, value)), expected)
        return value

    def flag(self, name: str) -> bool:
        value: bool = self.take(name, lambda value: isinstance(value, bool), "true or false")
        return value

    def counts(self, name: str) -> list[int]:
        counts: list[int] = self.take(
            name,
            lambda value: (
                isinstance(value, list)
                and len(value) <= _MOST_DISTANCES
                and all(_is_whole(count, 0, _MOST) for count in value)
            ),
            f"a list of at most {_MOST_DISTANCES} whole numbers",
        )
        return counts

    def items(self, name: str) -> list[_Fields]:
        values = self.take(name, lambda value: isinstance(value, list), "a list")
        return [_Fields(value, f"{self._prefix}{name}[{index}]") for index, value in enumerate(values)]


def _is_whole(value: Any, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= _MOST_TEXT and value.isprintable()


def _is_texts(values: Any) -> bool:
    return isinstance(values, list) and all(map(_is_text, values))


def _check(fields: _Fields, format: str) -> None:
    """Check all fields of a manifest of shards of this format."""
    fields.text("version")
    if format != "npz" or "format" in fields:
        fields.same("format", format)
    count, shard = fields.whole("count", 1), fields.whole("shard", 1)
    fields.take(
        "seed",
        lambda value: isinstance(value, int) and not isinstance(value, bool) and value >= 0,
        "a whole number of at least 0",
    )
    fields.text("distribution")
    fields.whole("chunk", 1)
    shape = fields.take("shape", _is_shape, "rows and columns, such as [4, 4]")
    fields.take("goal", lambda value: _is_board(value, shape), f"a board of shape {shape[0]}x{shape[1]}, as text")
    for name, value in FIXED.items():
        fields.same(name, value)
    along_path = fields.flag("along_path")
    tables = _Fields(fields.take("tables", lambda value: isinstance(value, dict), "an object"), "tables")
    tables.text("format")
    tables.take("partitions", _is_texts, "a list of texts")
    views = tables.whole("views", 1, 255)
    tables.take(
        "files", lambda value: isinstance(value, dict) and _is_texts([*value, *value.values()]), "an object of texts"
    )
    row_bytes = _check_columns(fields, shape[0] * shape[1], along_path, views)
    # A parquet file of equal rows may be smaller than any ratio.
    _check_shards(fields, count, shard, along_path, row_bytes if format == "npz" else 0, format)


def _is_shape(value: Any) -> bool:
    try:
        return isinstance(value, list) and all(_is_whole(side, 2, 8) for side in value) and bool(check_shape(value))
    except BoardError:
        return False


def _is_board(value: Any, shape: list[int]) -> bool:
    try:
        return _is_text(value) and str(Board(value, shape)) == value
    except BoardError:
        return False


def _check_columns(fields: _Fields, cells: int, along_path: bool, views: int) -> int:
    """Check the columns; returns the bytes per row."""
    known: dict[str, tuple[str, list[int]]] = {
        "board": ("uint8", [cells]),
        "distance": ("uint8", []),
        "solution": ("uint8", [_SOLUTION_BYTES]),
        "start": ("uint32", []),
        "first_moves": ("uint8", []),
        "table_values": ("uint8", [views]),
    }
    found: list[str] = []
    for column in fields.items("columns"):
        name = column.take(
            "name",
            lambda value: isinstance(value, str) and value in known and value not in found,
            f"one of {', '.join(other for other in known if other not in found)}",
        )
        column.same("dtype", known[name][0])
        column.same("shape", known[name][1])
        found.append(name)
    missing = {"board", "distance", "solution", *(["start"] if along_path else [])} - set(found)
    if missing or ("start" in found) != along_path:
        raise _Wrong(
            f"columns are {', '.join(found)}, expected board, distance, solution, and start only if along_path is true"
        )
    if "first_moves" in fields:
        fields.same("first_moves", FIRST_MOVES)
    return sum(np.dtype(known[name][0]).itemsize * math.prod(known[name][1]) for name in found)


def _check_shards(fields: _Fields, count: int, shard: int, along_path: bool, row_bytes: int, format: str) -> None:
    shards = fields.items("shards")
    number = -(-count // shard)
    if len(shards) != number:
        raise _Wrong(f"shards has {len(shards)} entries, expected {number} for {count} boards, {shard} per shard")
    complete, boards, rows = True, 0, 0
    distances: list[list[int]] = []
    for index, entry in enumerate(shards):
        entry.same("name", shard_name(index, format))
        if not entry.flag("complete"):
            complete = False
            continue
        size = min(shard, count - index * shard)
        entry.same("boards", size)
        counts = entry.counts("distances")
        total = sum(counts)
        most = size * _MOST_DISTANCES if along_path else size
        if not size <= total <= most:
            raise _Wrong(
                f"shards[{index}].distances sum up to {total}, expected {size} .. {most} rows of {size} boards"
            )
        entry.same("rows", total)
        entry.whole("bytes", max(1, total * row_bytes // MOST_RATIO))
        entry.text("sha256", "[0-9a-f]{64}")
        boards, rows, distances = boards + size, rows + total, [*distances, counts]
    for name, value in (
        ("complete", complete),
        ("boards", boards),
        ("rows", rows),
        ("distances", add_histograms(distances)),
    ):
        fields.same(name, value)
