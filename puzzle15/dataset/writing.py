"""Writing labelled boards: chunks, shards, and the manifest that describes them.

The boards are drawn in chunks. Each chunk has its own random numbers, `numpy.random.SeedSequence` (seed,
spawn_key=(chunk,)), so its boards depend only on the request. A worker gets a task: some chunks.  A folder holds::

    manifest.json        the request, and the rows, size, SHA-256 and distances of each shard
    shard-00000.npz ..   the columns of `shard` boards each, in order; or .parquet files, see `puzzle15.dataset.parquet`
    parts/               finished chunks of unfinished shards; removed at the end

Every file is written under a temporary name, synced and renamed; only parts are not synced, but checked when a run
resumes. A process that is killed loses only the chunks that it was working on.  The bytes do not depend on who made a
chunk, when, or after how many attempts.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import NDArray

from ..errors import DatasetError
from ..parallel import spread
from ..solver import Solver
from ..system.arrays import ArraysError, read_arrays
from ..system.files import write_atomically
from ..system.quantities import whole
from ..system.seeds import Seed, seed_number
from ..system.version import __version__
from .chunks import ChunkMaker, describe_tables
from .distributions import Distribution, parse_distribution
from .files import LOCK, TEMPORARY, Column, lock_folder, remove_leftovers, sha256_of, write_arrays
from .manifest import (
    FIRST_MOVES,
    FIXED,
    FORMAT_VERSIONS,
    FORMATS,
    KIND,
    MANIFEST,
    about,
    add_histograms,
    read_manifest,
    shard_name,
)
from .parquet import import_pyarrow, write_parquet
from .reading import Dataset, load
from .resuming import request_differences

__all__ = ["write"]

_PARTS = "parts"
_MOST_PIECES = 10**6  # chunks or files per folder; memory and the manifest hold an entry for each
_MANIFEST_SHARE = 0.1  # of the time, at most: with 10,000 shards, writing the manifest takes a second


def write(
    folder: Union[str, os.PathLike[str]],
    count: int,
    *,
    seed: Seed,
    distribution: Union[str, Distribution] = "uniform",
    solver: Optional[Solver] = None,
    first_moves: bool = False,
    table_values: bool = False,
    along_path: bool = False,
    shard: int = 100_000,
    format: str = "npz",
    workers: Any = None,
    chunks_per_task: int = 1,
    resume: bool = False,
    progress: Optional[Callable[[int, int], Any]] = None,
) -> Dataset:
    """Draw boards, label them, and write them to a folder.

    Parameters
    ----------
    folder : path
        It is created if it does not exist; otherwise it must be empty, unless `resume`.
    count : int
        Boards to draw.
    seed : int or numpy.random.Generator
        The same int always gives the same boards; a generator draws an int.
    distribution : str or distribution
        Which boards; see `puzzle15.dataset.distributions`.
    solver : Solver, optional
        By default a solver for the 4x4 board, with the best installed tables.
    first_moves, table_values, along_path : bool
        Labels beside distance and solution; see `puzzle15.solver.label`. With `along_path` there are as many rows as
        moves, and the column `start` holds the number of the drawn board, 0 .. count-1.
    shard : int
        Boards drawn per shard; with `along_path` it has more rows.
    format : {"npz", "parquet"}
        Of the shards. Other programs read parquet files directly; they need the extra ``parquet``, which is pyarrow.
    workers : optional
        A number of threads, or an executor, as for `puzzle15.parallel.spread`. The bytes do not depend on it.
    chunks_per_task : int
        How many chunks a worker gets at once. A chunk has 2,000 boards, or 500 at given distances. Large tasks cost a
        scheduler less; the bytes do not depend on them. See AT_SCALE.md beside this module.
    resume : bool
        Continue an earlier run: keep sound shards and finished chunks, and make those that are missing or damaged.
        The bytes are those of a run that was never stopped.
    progress : callable, optional
        Called with (boards labelled so far, all boards) after each chunk.

    Returns
    -------
    Dataset

    Raises
    ------
    ValueError
        Such boards cannot be drawn.
    DatasetError
        The folder is not empty, holds other boards than the requested ones, or another process writes there.
    TableMissingError
        A worker has other tables than `solver`.
    ChunkError
        Labelling a chunk failed twice.
    ImportError
        The format is parquet, and pyarrow is not installed.

    Notes
    -----
    Memory holds the finished chunks of one task and the tasks that the workers label, so it depends neither on `count`
    nor on `shard`.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> dataset = write(folder, 1000, seed=1, solver=Solver(shape=(3, 3)), first_moves=True)
    >>> dataset.array("board").shape, int(dataset.array("distance").max())
    ((1000, 9), 30)
    """
    count, seed, shard = whole("count", count, 1), seed_number(seed), whole("shard", shard, 1)
    chunks_per_task = whole("chunks_per_task", chunks_per_task, 1)
    if isinstance(distribution, str):
        distribution = parse_distribution(distribution)
    for what, size in (("chunks", distribution.chunk), ("files", shard)):
        if count > _MOST_PIECES * size:
            raise ValueError(
                f"count {count:,}: expected at most {_MOST_PIECES * size:,}, that is {_MOST_PIECES:,} "
                f"{what} of {size:,} boards; write several folders, each with its own seed"
            )
    if format not in FORMATS:
        raise ValueError(f"format {format!r}: expected {' or '.join(FORMATS)}")
    if format == "parquet":
        import_pyarrow()
    solver = Solver() if solver is None else solver
    distribution.check(solver.goal)
    flags = {"first_moves": first_moves, "table_values": table_values, "along_path": along_path}
    maker = ChunkMaker(solver, describe_tables(solver), distribution, seed, count, flags)
    path = Path(folder)
    path.mkdir(parents=True, exist_ok=True)
    with lock_folder(path):
        _Writing(path, maker, shard, format, resume).run(workers, chunks_per_task, progress)
    return load(path)


def _part_name(chunk: int) -> str:
    return f"chunk-{chunk:07d}.npz"


class _Writing:
    """One run of `write`, under the folder's lock."""

    def __init__(self, folder: Path, maker: ChunkMaker, shard: int, format: str, resume: bool) -> None:
        self._folder, self._parts = folder, folder / _PARTS
        self._maker, self._count, self._shard, self._chunk = maker, maker.count, shard, maker.distribution.chunk
        self._format = format
        self._manifest = self._head()
        #: Types and shapes of a chunk's columns, with any number of rows.
        self._columns = {
            column["name"]: (np.dtype(column["dtype"]), (None, *column["shape"]))
            for column in self._manifest["columns"]
        }
        #: The manifest's entry of each shard, None if the shard is missing.
        self._shards: list[Optional[dict[str, Any]]] = [None] * -(-self._count // shard)
        #: Parts that shards hold, too, but the manifest does not name these shards yet.
        self._doubled: list[Path] = []
        self._manifest_due = 0.0
        self._take_up(resume)

    def _head(self) -> dict[str, Any]:
        """The manifest without the shards: the request."""
        maker, goal = self._maker, self._maker.solver.goal
        return {
            "kind": KIND,
            "format_version": FORMAT_VERSIONS[self._format],
            **({} if self._format == "npz" else {"format": self._format}),
            "version": __version__,
            "count": maker.count,
            "seed": maker.seed,
            "distribution": str(maker.distribution),
            "chunk": self._chunk,
            "shard": self._shard,
            "shape": list(goal.shape),
            "goal": str(goal),
            **FIXED,
            **({"first_moves": FIRST_MOVES} if maker.flags["first_moves"] else {}),
            "along_path": maker.flags["along_path"],
            "columns": maker.columns(),
            "tables": maker.tables,
        }

    # ---------------------------------------------------------------- what an earlier run left

    def _take_up(self, resume: bool) -> None:
        there = sorted(path.name for path in self._folder.iterdir() if path.name != LOCK)
        if there and not resume:
            raise DatasetError(
                f"{self._folder}: not empty, expected a new or empty folder; to continue an earlier run there, "
                f"resume (--resume)"
            )
        if (self._folder / MANIFEST).exists():
            old = read_manifest(self._folder)
            differences = request_differences(old, self._manifest, self._maker.distribution)
            if differences:
                raise DatasetError(f"{self._folder}: {'; '.join(differences)}, or name another folder")
            self._keep_shards(old["shards"])
        else:
            strange = [name for name in there if name != _PARTS and not name.endswith(TEMPORARY)]
            if strange:
                raise DatasetError(
                    f"{self._folder}: nothing to resume, because it holds {strange[0]} but no {MANIFEST}; "
                    f"name another folder"
                )
        remove_leftovers(self._folder)
        self._parts.mkdir(exist_ok=True)
        remove_leftovers(self._parts)

    def _keep_shards(self, entries: list[dict[str, Any]]) -> None:
        for index, entry in enumerate(entries[: len(self._shards)]):
            path = self._folder / shard_name(index, self._format)
            if (
                entry["complete"]
                and path.exists()
                and path.stat().st_size == entry["bytes"]
                and sha256_of(path) == entry["sha256"]
            ):
                self._shards[index] = entry

    def _part(self, chunk: int) -> Path:
        return self._parts / _part_name(chunk)

    def _sound_part(self, chunk: int) -> bool:
        try:
            arrays = read_arrays(self._part(chunk), self._columns)
        except ArraysError:
            return False
        rows = {len(array) for array in arrays.values()}
        return len(rows) == 1 and (self._maker.flags["along_path"] or rows == {self._boards_in(chunk)})

    # ---------------------------------------------------------------- making the rest

    def run(self, workers: Any, chunks_per_task: int, progress: Optional[Callable[[int, int], Any]]) -> None:
        self._write_manifest()
        waiting = [index for index, entry in enumerate(self._shards) if entry is None]
        uses = Counter(chunk for index in waiting for chunk in self._chunks_of(index))
        wanted = {_part_name(chunk): chunk for chunk in uses}
        sound = set()
        for path in self._parts.glob("chunk-*.npz"):
            if path.name not in wanted:
                path.unlink()
            elif self._sound_part(wanted[path.name]):
                sound.add(wanted[path.name])
        missing = [chunk for chunk in uses if chunk not in sound]
        absent = set(missing)
        done = self._count - sum(map(self._boards_in, missing))

        def advance() -> None:
            """Write the shards that are complete, and drop what only they needed."""
            if progress:
                progress(done, self._count)
            while waiting and absent.isdisjoint(self._chunks_of(waiting[0])):
                index = waiting.pop(0)
                self._shards[index] = self._write_shard(index)
                for chunk in self._chunks_of(index):
                    uses[chunk] -= 1
                    if not uses[chunk]:
                        self._doubled.append(self._part(chunk))
                if time.monotonic() >= self._manifest_due:
                    self._write_manifest()

        try:
            advance()
            tasks = (missing[begin : begin + chunks_per_task] for begin in range(0, len(missing), chunks_per_task))
            labelled: Any = spread(self._maker, tasks, workers=workers, boards_of=self._maker.boards_of_task)
            with contextlib.closing(labelled) as results:
                for columns, chunk in zip(chain.from_iterable(results), missing):
                    self._write_part(chunk, columns)
                    absent.discard(chunk)
                    done += self._boards_in(chunk)
                    advance()
        finally:
            if self._doubled:
                self._write_manifest()
        with contextlib.suppress(OSError):  # another machine may still write a temporary file
            self._parts.rmdir()

    def _chunks_of(self, index: int) -> range:
        begin, end = self._boards_of(index)
        return range(begin // self._chunk, -(-end // self._chunk))

    def _boards_of(self, index: int) -> tuple[int, int]:
        """The first board of a shard, and the first of the next."""
        return index * self._shard, min((index + 1) * self._shard, self._count)

    def _boards_in(self, chunk: int) -> int:
        return min(self._chunk, self._count - chunk * self._chunk)

    def _write_part(self, chunk: int, columns: dict[str, NDArray[Any]]) -> None:
        if "start" in columns:  # numbers within the chunk become numbers of all boards
            columns["start"] += np.uint32(chunk * self._chunk)
        pieces = ((name, columns[name].dtype, columns[name].shape, [columns[name]]) for name in self._columns)
        write_arrays(self._part(chunk), pieces, compress=False, sync=False)

    def _write_shard(self, index: int) -> dict[str, Any]:
        """Put a shard together; its entry in the manifest."""
        begin, end = self._boards_of(index)
        chunks = self._chunks_of(index)
        rows, distances = [], np.zeros(0, dtype=np.int64)
        for chunk in chunks:
            first = chunk * self._chunk
            if self._maker.flags["along_path"]:
                start = self._read(chunk, "start")
                low, high = np.searchsorted(start, [begin, end]).tolist()
            else:
                low, high = max(begin - first, 0), min(end - first, self._chunk)
            rows.append(slice(low, high))
            counts = np.bincount(self._read(chunk, "distance")[rows[-1]], minlength=len(distances))
            counts[: len(distances)] += distances
            distances = counts
        total = int(distances.sum())
        types = {name: (dtype, shape[1:]) for name, (dtype, shape) in self._columns.items()}
        path = self._folder / shard_name(index, self._format)
        if self._format == "parquet":
            pieces = ({name: self._read(chunk, name)[some] for name in types} for chunk, some in zip(chunks, rows))
            write_parquet(path, types, pieces, about(self._manifest))
        else:

            def columns() -> Iterator[Column]:
                for name, (dtype, shape) in types.items():
                    yield (
                        name,
                        dtype,
                        (total, *shape),
                        (self._read(chunk, name)[some] for chunk, some in zip(chunks, rows)),
                    )

            write_arrays(path, columns())
        return {
            "name": path.name,
            "complete": True,
            "boards": end - begin,
            "rows": total,
            "bytes": path.stat().st_size,
            "sha256": sha256_of(path),
            "distances": distances.tolist(),
        }

    def _read(self, chunk: int, name: str) -> NDArray[Any]:
        return read_arrays(self._part(chunk), {name: self._columns[name]})[name]

    def _write_manifest(self) -> None:
        """Write the manifest, and drop the parts that it makes needless."""
        began = time.monotonic()
        entries = [
            entry or {"name": shard_name(index, self._format), "complete": False}
            for index, entry in enumerate(self._shards)
        ]
        known = [entry for entry in self._shards if entry is not None]
        totals = {
            "complete": len(known) == len(entries),
            "boards": sum(entry["boards"] for entry in known),
            "rows": sum(entry["rows"] for entry in known),
            "distances": add_histograms(entry["distances"] for entry in known),
        }
        text = json.dumps({**self._manifest, **totals, "shards": entries}, indent=1) + "\n"
        with write_atomically(self._folder / MANIFEST) as file:
            file.write(text.encode("ascii"))
        while self._doubled:
            self._doubled.pop().unlink()
        now = time.monotonic()
        self._manifest_due = now + (now - began) * (1 / _MANIFEST_SHARE - 1)
