"""Writing labelled boards: chunks, shards, and the manifest that describes them.

The boards are drawn in chunks. Each chunk has its own random numbers, `numpy.random.SeedSequence` (seed,
spawn_key=(chunk,)), so its boards depend only on the request. A worker gets a task: some chunks. A folder holds::

    _manifest.json       the request, and the rows, size, SHA-256 and distances of each shard
    shard-00000.npz ..   the columns of `shard` boards each, in order; or .parquet files (dataset/_parquet.py)

Every file is written under a temporary name, synced and renamed. A process that is killed loses only the shard that it
was making. The bytes do not depend on who made a chunk, when, or after how many attempts.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import NDArray

from .._system.files import remove_leftovers, write_atomically
from .._system.locking import locked
from .._system.quantities import Seed, seed_number, whole
from .._system.workers import Workers, map_chunks
from ..board import format_boards
from ..errors import DatasetError, OptionError, TableMissingError
from ..solver import Solver, label
from . import _manifest
from ._distributions import Distribution, parse_distribution
from ._parquet import import_pyarrow, write_parquet
from ._reading import Dataset, load
from ._rows import Rows, file_problem, sha256_of, write_arrays

_LOCK = ".lock"
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
    workers: Workers = 1,
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
        Which boards: a name that the page "Data sets" lists, such as ``"walk:10-40"``, or a `Uniform`, a `Walk` or
        `Distances`.
    solver : Solver, optional
        By default a solver for the 4x4 board, with the best installed tables.
    first_moves, table_values, along_path : bool
        Labels beside distance and solution; see `puzzle15.solver.label`. With `along_path` there are as many rows as
        moves, and the column `start` holds the number of the drawn board, 0 .. count-1.
    shard : int
        Boards drawn per file. A run that is stopped loses the file that it is making.
    format : {"npz", "parquet"}
        Of the files. Other programs read parquet files directly; they need the extra ``parquet``, which is pyarrow.
    workers : optional
        Threads, or an executor: anything with ``submit`` (see `puzzle15.dataset.connect`).
    chunks_per_task : int
        Chunks that a worker gets at once, of 2,000 boards, or 500 at given distances. Large tasks cost a scheduler
        less. The bytes depend neither on the workers nor on the tasks.
    resume : bool
        Continue an earlier run, or extend a finished one to a larger `count`: keep sound files, and make the others.
        The bytes are those of one run; but in the schema of a parquet file, `count` is that of the run that wrote it.
    progress : callable, optional
        Called with (boards labelled so far, all boards) after each chunk.

    Raises
    ------
    DatasetError
        The folder is not empty, holds other boards than the requested ones, or another process writes there.
    TableMissingError
        A worker has other tables than `solver`.
    ChunkError
        Labelling a chunk failed twice.

    Examples
    --------
    >>> import tempfile
    >>> dataset = write(tempfile.mkdtemp(), 1000, seed=1, solver=Solver(shape=(3, 3)), first_moves=True)
    >>> dataset.array("board").shape, int(dataset.array("distance").max())
    ((1000, 9), 30)
    """
    count, seed, shard = whole("count", count, 1), seed_number(seed), whole("shard", shard, 1)
    chunks_per_task = whole("chunks_per_task", chunks_per_task, 1)
    if isinstance(distribution, str):
        distribution = parse_distribution(distribution)
    for what, size in (("chunks", distribution.chunk), ("files", shard)):
        if count > _MOST_PIECES * size:
            raise OptionError(
                f"count {count:,}: expected at most {_MOST_PIECES * size:,}, that is {_MOST_PIECES:,} "
                f"{what} of {size:,} boards; write several folders, each with its own seed"
            )
    if format not in _manifest.FORMATS:
        raise OptionError(f"format {format!r}: expected {' or '.join(_manifest.FORMATS)}")
    if format == "parquet":
        import_pyarrow()
    solver = Solver() if solver is None else solver
    distribution.check(solver.goal)
    options = {"first_moves": first_moves, "table_values": table_values, "along_path": along_path}
    maker = ChunkMaker(solver, describe_tables(solver), distribution, seed, count, options)
    request = _manifest.request_of(
        solver.goal,
        _manifest.column_names(options),
        maker.tables,
        format=format,
        count=count,
        seed=seed,
        distribution=str(distribution),
        chunk=distribution.chunk,
        shard=shard,
    )
    path = Path(folder)
    path.mkdir(parents=True, exist_ok=True)

    def refuse() -> None:
        raise DatasetError(f"{path}: another process is writing here; wait until it ends, or name another folder")

    with locked(path / _LOCK, on_wait=refuse):
        shards = _sound_shards(path, request, resume)
        _Writing(path, request, shards).run(maker, workers, chunks_per_task, progress or (lambda done, count: None))
    return load(path)


def _sound_shards(folder: Path, request: dict[str, Any], resume: bool) -> list[Optional[dict[str, Any]]]:
    """Return the manifest's entries of the shards that an earlier run has finished, None for the others."""
    remove_leftovers(folder, alone=True)  # the folder is locked
    there = sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))
    if there and not resume:
        raise DatasetError(
            f"{folder}: not empty, expected a new or empty folder; to continue an earlier run there, resume (--resume)"
        )
    if there and _manifest.MANIFEST not in there:
        raise DatasetError(
            f"{folder}: nothing to resume, because it holds {there[0]} but no {_manifest.MANIFEST}; name another folder"
        )
    if not there:
        return [None] * -(-request["count"] // request["shard"])
    old = _manifest.read_manifest(folder)
    if differences := _manifest.request_differences(old, request):
        raise DatasetError(f"{folder}: {'; '.join(differences)}; ask for the same, or name another folder")
    shards = [None if file_problem(folder / entry["name"], entry) else entry for entry in old["shards"]]
    if request["count"] > old["count"]:
        # Whoever draws more boards draws the last chunk anew, as a whole.
        chunks_end = (-(-(index + 1) * request["shard"] // request["chunk"]) for index in range(len(shards)))
        same = [end * request["chunk"] <= old["count"] for end in chunks_end]
        shards = [shard if kept else None for shard, kept in zip(shards, same)]
        shards += [None] * (-(-request["count"] // request["shard"]) - len(shards))
    return shards


def describe_tables(solver: Solver) -> dict[str, Any]:
    """Return the tables of a solver, which decide the table values and which of several shortest solutions it finds."""
    return {
        "format": solver.open_tables.format,
        "partitions": solver.open_tables.partitions,
        "views": solver.open_tables.lookups,
        "files": {table.path.name: f"{table.checksum:08x}" for table in solver.open_tables.files},
    }


@dataclass(frozen=True)
class ChunkMaker:
    """Makes chunks from their numbers, which alone decide their boards; it is sent to the workers."""

    solver: Solver
    tables: dict[str, Any]
    distribution: Distribution
    seed: int
    count: int
    options: dict[str, bool]

    def boards(self, chunk: int) -> NDArray[np.uint64]:
        size = self.distribution.chunk
        sequence = np.random.SeedSequence(self.seed, spawn_key=(chunk,))
        rng = np.random.Generator(np.random.PCG64(sequence))
        return self.distribution.draw(min(size, self.count - chunk * size), rng, self.solver)

    def boards_of_task(self, chunks: Sequence[int]) -> list[str]:
        return format_boards(np.concatenate([self.boards(chunk) for chunk in chunks]), self.solver.shape)

    def __call__(self, chunks: Sequence[int]) -> list[Rows]:
        """Return the columns of each of the chunks of a task."""
        here = describe_tables(self.solver)
        if here != self.tables:  # in another process, or on another machine
            raise TableMissingError(
                f"this worker has other tables: {here}, expected {self.tables}; "
                f"build the same tables there, or copy them"
            )
        return [label(self.solver, self.boards(chunk), **self.options) for chunk in chunks]


class _Writing:
    """One run of `write`, under the folder's lock."""

    def __init__(self, folder: Path, request: dict[str, Any], shards: list[Optional[dict[str, Any]]]) -> None:
        self._folder, self._request, self._shards = folder, request, shards
        self._count, self._shard, self._chunk = (int(request[name]) for name in ("count", "shard", "chunk"))
        self._manifest_due = 0.0

    def run(
        self, maker: ChunkMaker, workers: Workers, chunks_per_task: int, progress: Callable[[int, int], Any]
    ) -> None:
        """Make the missing shards."""
        missing = [index for index, shard in enumerate(self._shards) if shard is None]
        chunks = sorted({chunk for index in missing for chunk in self._chunks_of(index)})
        done = self._count - sum(map(self._boards_in, chunks))
        tasks = (chunks[begin : begin + chunks_per_task] for begin in range(0, len(chunks), chunks_per_task))
        labelled: Any = map_chunks(maker, tasks, workers=workers, boards_of=maker.boards_of_task)
        held: dict[int, Rows] = {}
        self._write_manifest()
        progress(done, self._count)
        try:
            with closing(labelled):
                results = zip(chunks, chain.from_iterable(labelled))
                for index in missing:
                    needed = self._chunks_of(index)
                    while needed[-1] not in held:
                        chunk, rows = next(results)
                        held[chunk] = rows
                        done += self._boards_in(chunk)
                        progress(done, self._count)
                    self._shards[index] = self._write_shard(index, [held[chunk] for chunk in needed])
                    held = {chunk: rows for chunk, rows in held.items() if chunk == needed[-1]}
                    if time.monotonic() >= self._manifest_due:
                        self._write_manifest()
        finally:
            self._write_manifest()

    def _chunks_of(self, index: int) -> range:
        end = min((index + 1) * self._shard, self._count)
        return range(index * self._shard // self._chunk, -(-end // self._chunk))

    def _boards_in(self, chunk: int) -> int:
        return min(self._chunk, self._count - chunk * self._chunk)

    def _write_shard(self, index: int, chunks: list[Rows]) -> dict[str, Any]:
        """Write a shard from the rows of its chunks; its entry in the _manifest."""
        pieces = list(self._pieces(index, chunks))
        path = self._folder / _manifest.shard_name(index, self._request)
        types = _manifest.types_of(self._request)
        if _manifest.format_of(self._request) == "parquet":
            with write_atomically(path) as file:
                write_parquet(file, types, pieces, _manifest.about(self._request))
        else:
            write_arrays(path, types, pieces)
        distances = np.bincount(np.concatenate([piece["distance"] for piece in pieces]))
        return {"bytes": path.stat().st_size, "sha256": sha256_of(path), "distances": distances.tolist()}

    def _pieces(self, index: int, chunks: list[Rows]) -> Iterator[Rows]:
        """Yield the rows of a shard: those of its boards in each of its chunks."""
        for chunk, rows in zip(self._chunks_of(index), chunks):
            first = chunk * self._chunk
            low, high = max(index * self._shard - first, 0), (index + 1) * self._shard - first
            if "start" in rows:  # numbers within the chunk become numbers of all boards
                low, high = np.searchsorted(rows["start"], [low, high]).tolist()
                rows = {**rows, "start": rows["start"] + np.uint32(first)}
            yield {name: array[low:high] for name, array in rows.items()}

    def _write_manifest(self) -> None:
        began = time.monotonic()
        text = json.dumps(_manifest.manifest_of(self._request, self._shards), indent=1) + "\n"
        with write_atomically(self._folder / _manifest.MANIFEST) as file:
            file.write(text.encode("ascii"))
        now = time.monotonic()
        self._manifest_due = now + (now - began) * (1 / _MANIFEST_SHARE - 1)
