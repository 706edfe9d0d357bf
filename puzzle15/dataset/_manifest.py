"""The manifest of labelled boards: ``_manifest.json`` holds the request, and the shards that exist so far.

A few values of a manifest decide all others. So a manifest is checked by making it again from these values, and by
comparing the two.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from reprlib import repr as shorten
from typing import Any, Optional

import numpy as np

from .._system.arrays import MOST_RATIO
from .._system.quantities import whole
from .._system.version import __version__
from ..board import Board
from ..errors import DatasetCorruptError, DatasetError, OptionError

MANIFEST = "_manifest.json"

#: The formats of shards; the version of a manifest is the number of its format, counted from 1.
FORMATS = ("npz", "parquet")

_KIND = "boards labelled by puzzle15"
_FIXED = {
    "metric": "stm",
    "convention": "blank",
    "solution": "2 bits a move, move i in bits 2 (i % 4) of byte i // 4: 0 up, 1 left, 2 right, 3 down",
}
_FIRST_MOVES = "bit d: the blank's move in direction d begins a shortest solution: 0 up, 1 left, 2 right, 3 down"

#: The option that adds a column.
_OPTIONS = {"start": "along_path", "first_moves": "first_moves", "table_values": "table_values"}

_MOST = 1 << 48  # boards, bytes and so on: their sums fit into 64 bits
_MOST_DISTANCES = 256
_SOLUTION_BYTES = 40


def column_names(options: Mapping[str, bool]) -> list[str]:
    """Return the columns of labels with these options."""
    return ["board", "distance", "solution", *(name for name, option in _OPTIONS.items() if options[option])]


def types_of(manifest: dict[str, Any]) -> dict[str, tuple[np.dtype[Any], tuple[int, ...]]]:
    """Return the type of each column, and the shape of its entry in a row."""
    return {column["name"]: (np.dtype(column["dtype"]), tuple(column["shape"])) for column in manifest["columns"]}


def request_of(
    goal: Board,
    columns: Sequence[str],
    tables: dict[str, Any],
    *,
    format: str,
    version: str = __version__,
    **settings: Any,
) -> dict[str, Any]:
    """Return the request in a manifest; `settings` are count, seed, distribution, chunk and shard, in this order."""
    shapes = {"board": [len(goal.tiles)], "solution": [_SOLUTION_BYTES], "table_values": [tables["views"]]}
    return {
        "kind": _KIND,
        "format_version": FORMATS.index(format) + 1,
        **({} if format == "npz" else {"format": format}),
        "version": version,
        **settings,
        "shape": list(goal.shape),
        "goal": str(goal),
        **_FIXED,
        **({"first_moves": _FIRST_MOVES} if "first_moves" in columns else {}),
        "along_path": "start" in columns,
        "columns": [
            {"name": name, "dtype": "uint32" if name == "start" else "uint8", "shape": shapes.get(name, [])}
            for name in columns
        ],
        "tables": tables,
    }


def manifest_of(request: dict[str, Any], shards: Iterable[Optional[dict[str, Any]]]) -> dict[str, Any]:
    """Return a manifest: the request; and for each shard its bytes, sha256 and distances, None if it is missing."""
    count, size = request["count"], request["shard"]
    entries = []
    for index, shard in enumerate(shards):
        entry: dict[str, Any] = {"name": shard_name(index, request), "complete": shard is not None}
        if shard is not None:
            boards, rows = min(size, count - index * size), sum(shard["distances"])
            entry |= {"boards": boards, "rows": rows}
            entry |= {name: shard[name] for name in ("bytes", "sha256", "distances")}
        entries.append(entry)
    known = [entry for entry in entries if entry["complete"]]
    return {
        **request,
        "complete": len(known) == len(entries),
        "boards": sum(entry["boards"] for entry in known),
        "rows": sum(entry["rows"] for entry in known),
        "distances": [sum(counts) for counts in zip_longest(*(entry["distances"] for entry in known), fillvalue=0)],
        "shards": entries,
    }


def shard_name(index: int, request: dict[str, Any]) -> str:
    return f"shard-{index:05d}.{format_of(request)}"


def format_of(manifest: dict[str, Any]) -> str:
    """Return the format of the shards; a manifest of .npz files does not name it."""
    format: str = manifest.get("format", "npz")
    return format


def about(manifest: dict[str, Any]) -> dict[str, Any]:
    """Return the part of a manifest that a file of rows holds itself."""
    names = "kind version count seed distribution shape goal metric convention solution first_moves along_path columns"
    return {name: manifest[name] for name in names.split() if name in manifest}


def request_differences(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """Return how a new request differs from an earlier one; empty if it can resume or extend the earlier run."""
    had, wanted = types_of(old), types_of(new)
    texts = []
    for column, option in _OPTIONS.items():
        if (column in had) != (column in wanted):
            flag = f"--{option.replace('_', '-')} ({option}=True)"
            texts.append(f"begun with {flag}; add it" if column in had else f"begun without {flag}; leave it out")
    compared = [name for name in new if name not in ("columns", "along_path", "first_moves", "format_version")]
    for name in dict.fromkeys([*compared, "format"]):
        before, now = (format_of(each) if name == "format" else each[name] for each in (old, new))
        if before != now and not (name == "count" and before < now):  # more boards extend a run
            texts.append(f"begun with {name} {json.dumps(before)}, not with {json.dumps(now)}")
    return texts


# ---------------------------------------------------------------- reading and checking


def read_manifest(folder: Path) -> dict[str, Any]:
    """Return the manifest of a folder, with every field checked; DatasetCorruptError names the first wrong one."""
    path = folder / MANIFEST
    if not path.is_file():
        raise DatasetError(f"{folder}: expected labelled boards, but there is no {MANIFEST}; make some: puzzle15 label")
    try:
        found = json.loads(path.read_bytes())
        known = found["format_version"] <= len(FORMATS)
        manifest = _made_again(found) if known else {}
        _compare(found, manifest)
    except OSError as error:
        raise DatasetError(f"{path}: cannot be read ({error.strerror})") from None
    except (LookupError, TypeError, ValueError, ArithmeticError, AttributeError, RecursionError) as error:
        wrong = f"{error} is missing" if isinstance(error, KeyError) else error
        raise DatasetCorruptError(
            f"{path}: damaged: {wrong}; expected JSON text as `puzzle15 label` writes it; restore it from a copy, or "
            f"label again into a new folder, because only the manifest describes the files beside it"
        ) from None
    if not known:
        raise DatasetError(
            f"{path}: version {found['format_version']} of the format, expected at most {len(FORMATS)}; install a "
            f"newer puzzle15"
        )
    return manifest


def _made_again(found: dict[str, Any]) -> dict[str, Any]:
    """Return the manifest that follows from the values that decide all others."""
    tables, columns = found["tables"], [column["name"] for column in found["columns"]]
    names = column_names({option: column in columns for column, option in _OPTIONS.items()})
    if columns != names:
        raise OptionError(f"columns are {shorten(columns)}, expected {', '.join(names)}")
    request = request_of(
        Board(found["goal"], found["shape"]),
        columns,
        {
            "format": str(tables["format"]),
            "partitions": list(map(str, tables["partitions"])),
            "views": whole("views", tables["views"], 1, 255),
            "files": {name: str(checksum) for name, checksum in tables["files"].items()},
        },
        format=FORMATS[found["format_version"] - 1],
        version=str(found["version"]),
        count=whole("count", found["count"], 1, _MOST),
        seed=whole("seed", found["seed"]),
        distribution=str(found["distribution"]),
        chunk=whole("chunk", found["chunk"], 1, _MOST),
        shard=whole("shard", found["shard"], 1, _MOST),
    )
    shards, number = found["shards"], -(-request["count"] // request["shard"])
    if len(shards) != number:
        raise OptionError(f"shards has {len(shards)} entries, expected {number}")
    return manifest_of(
        request, [_shard(each, i, request) if each["complete"] else None for i, each in enumerate(shards)]
    )


def _shard(entry: dict[str, Any], index: int, request: dict[str, Any]) -> dict[str, Any]:
    """Return the values that decide all others of a shard's entry."""
    where = f"shards[{index}]."
    distances = [whole(f"{where}distances", count, 0, _MOST) for count in entry["distances"]]
    boards, rows = min(request["shard"], request["count"] - index * request["shard"]), sum(distances)
    most = boards * _MOST_DISTANCES if request["along_path"] else boards
    if not boards <= rows <= most or len(distances) > _MOST_DISTANCES:
        raise OptionError(f"{where}distances sum up to {rows}, expected {boards} .. {most} rows of {boards} boards")
    if not re.fullmatch("[0-9a-f]{64}", entry["sha256"]):
        raise OptionError(f"{where}sha256 is {shorten(entry['sha256'])}, expected 64 hexadecimal digits")
    row_bytes = sum(dtype.itemsize * math.prod(shape) for dtype, shape in types_of(request).values())
    # A parquet file of equal rows may be smaller than any ratio.
    least = rows * row_bytes // MOST_RATIO if format_of(request) == "npz" else 1
    size = whole(f"{where}bytes", entry["bytes"], max(1, least), _MOST)
    return {"bytes": size, "sha256": entry["sha256"], "distances": distances}


def _compare(found: dict[str, Any], expected: dict[str, Any], where: str = "") -> None:
    """Find the first value that is missing or differs; fields that are not expected do not matter."""
    for name, value in expected.items():
        if name not in found:
            raise OptionError(f"{where}{name} is missing, expected {shorten(value)}")
        has = found[name]
        if name == "shards":
            for index, (entry, other) in enumerate(zip(has, value)):
                _compare(entry, other, f"shards[{index}].")
        elif json.dumps(has, sort_keys=True) != json.dumps(value, sort_keys=True):
            raise OptionError(f"{where}{name} is {shorten(has)}, expected {shorten(value)}")
