"""Writing labelled boards: chunks, shards, and the manifest that tells what they are.

The boards are a row of chunks, each with random numbers of its own, `numpy.random.SeedSequence` (seed,
spawn_key=(chunk,)): what a chunk holds depends on nothing but the request.  A folder holds::

    manifest.json        what was asked for; of each shard the rows, size, SHA-256 and distances
    shard-00000.npz ..   the columns of `shard` boards each, in order
    parts/               finished chunks of unfinished shards; gone at the end

Every file is written under a temporary name, synced and renamed, so that a process that is killed loses
the chunks at work, no more.  Nothing depends on who made a chunk, on when, or on how many times it was tried.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import NDArray

from ..errors import DatasetError, TableMissingError
from ..parallel import spread
from ..solver import Solver, label
from ..system.arrays import ArraysError, read_arrays
from ..system.files import write_atomically
from ..system.quantities import whole
from .distributions import Distribution, parse_distribution
from .files import LOCK, TEMPORARY, Column, lock_folder, remove_leftovers, sha256_of, write_arrays
from .manifest import FIRST_MOVES, FIXED, FORMAT_VERSION, KIND, MANIFEST, add_histograms, read_manifest, shard_name
from .reading import Dataset, load

__all__ = ["describe_tables", "write"]

_PARTS = "parts"
_MOST_PIECES = 10**6  # of a folder: chunks, and files; each is kept in mind, and in the manifest

#: What can be asked for beside distance and solution, and the column that tells of it.
_FLAGS = {"first_moves": "first_moves", "table_values": "table_values", "along_path": "start"}


def write(
    directory: Union[str, os.PathLike],
    count: int,
    *,
    seed: int,
    distribution: Union[str, Distribution] = "uniform",
    solver: Optional[Solver] = None,
    first_moves: bool = False,
    table_values: bool = False,
    along_path: bool = False,
    shard: int = 100_000,
    workers: Any = None,
    resume: bool = False,
    progress: Optional[Callable[[int, int], Any]] = None,
) -> Dataset:
    """Draw boards, label them, and write them to a folder.

    Parameters
    ----------
    directory : path
        Made if it is not there; else empty, unless `resume`.
    count : int
        Boards to draw.
    seed : int
        The same one always gives the same boards.
    distribution : str or distribution
        Which boards; see `puzzle15.dataset.distributions`.
    solver : Solver, optional
        By default for the 4x4 board, with the best tables that are there.
    first_moves, table_values, along_path : bool
        What to label beside distance and solution; see `puzzle15.solver.label`. With `along_path` there are as many
        rows as moves, and the column `start` is the number of the board that was drawn, 0 .. count-1.
    shard : int
        Boards drawn, not rows, of a shard.
    workers : optional
        Who labels: a number of threads, or anything that `puzzle15.parallel.spread` takes. The bytes do not depend
        on it.
    resume : bool
        Go on with what is there: keep sound shards and finished chunks, make what is missing or damaged. The bytes
        are those of a run that was not stopped.
    progress : callable, optional
        Called with (boards done, boards) after each chunk.

    Returns
    -------
    Dataset

    Raises
    ------
    ValueError
        Boards that cannot be drawn.
    DatasetError
        The folder is not empty, holds other boards than those asked for, or another process writes there.
    TableMissingError
        A worker has other tables than `solver`.
    ChunkError
        Labelling a chunk failed twice.

    Notes
    -----
    One chunk's columns are held at a time, and those that the workers are at: memory depends neither on `count` nor
    on `shard`.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> dataset = write(folder, 1000, seed=1, solver=Solver(shape=(3, 3)), first_moves=True)
    >>> dataset.array("board").shape, int(dataset.array("distance").max())
    ((1000, 9), 30)
    """
    count, seed, shard = whole("count", count, 1), whole("seed", seed), whole("shard", shard, 1)
    if isinstance(distribution, str):
        distribution = parse_distribution(distribution)
    for what, size in (("chunks", distribution.chunk), ("files", shard)):
        if count > _MOST_PIECES * size:
            raise ValueError(
                f"count {count:,}: expected at most {_MOST_PIECES * size:,}, which makes {_MOST_PIECES:,} "
                f"{what} of {size:,} boards; write several folders, each with a seed of its own"
            )
    solver = Solver() if solver is None else solver
    distribution.check(solver.goal)
    flags = {"first_moves": first_moves, "table_values": table_values, "along_path": along_path}
    maker = _Maker(solver, describe_tables(solver), distribution, seed, count, flags)
    folder = Path(directory)
    folder.mkdir(parents=True, exist_ok=True)
    with lock_folder(folder):
        _Writing(folder, maker, shard, resume).run(workers, progress)
    return load(folder)


def describe_tables(solver: Solver) -> dict[str, Any]:
    """What decides which of several shortest solutions a solver finds, and what its views say."""
    return {
        "format": solver.format,
        "partitions": solver.partitions,
        "views": solver.view_count,
        "files": {table.path.name: f"{table.checksum:08x}" for table in solver.table_files},
    }


@dataclass(frozen=True)
class _Maker:
    """Makes a chunk by its number; travels to the workers."""

    solver: Solver
    tables: dict[str, Any]
    distribution: Distribution
    seed: int
    count: int
    flags: dict[str, bool]

    def boards(self, chunk: int) -> NDArray[np.uint64]:
        size = self.distribution.chunk
        sequence = np.random.SeedSequence(self.seed, spawn_key=(chunk,))
        rng = np.random.Generator(np.random.PCG64(sequence))
        return self.distribution.draw(min(size, self.count - chunk * size), rng, self.solver)

    def __call__(self, chunk: int) -> dict[str, NDArray[Any]]:
        here = describe_tables(self.solver)
        if here != self.tables:  # of a process or machine of its own
            raise TableMissingError(
                f"this worker has other tables than were asked for: {here} instead of "
                f"{self.tables}; build or copy them there"
            )
        return label(self.solver, self.boards(chunk), **self.flags)

    def columns(self) -> list[dict[str, Any]]:
        """Name, type and shape of a row's entry of every column."""
        columns = label(self.solver, [self.solver.goal], **self.flags)
        return [
            {"name": name, "dtype": array.dtype.name, "shape": list(array.shape[1:])} for name, array in columns.items()
        ]


class _Writing:
    """One run of `write`, the folder being locked."""

    def __init__(self, folder: Path, maker: _Maker, shard: int, resume: bool) -> None:
        self._folder, self._parts = folder, folder / _PARTS
        self._maker, self._count, self._shard, self._chunk = maker, maker.count, shard, maker.distribution.chunk
        self._manifest = self._head()
        #: Types and shapes, as a chunk has them: any number of rows.
        self._columns = {
            column["name"]: (np.dtype(column["dtype"]), (None, *column["shape"]))
            for column in self._manifest["columns"]
        }
        #: Of each shard its entry in the manifest, or None.
        self._shards: list[Optional[dict[str, Any]]] = [None] * -(-self._count // shard)
        self._take_up(resume)

    def _head(self) -> dict[str, Any]:
        """The manifest up to the results: what was asked for."""
        from ..system.version import __version__

        maker, goal = self._maker, self._maker.solver.goal
        return {
            "kind": KIND,
            "format_version": FORMAT_VERSION,
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

    # ---------------------------------------------------------------- what is there already

    def _take_up(self, resume: bool) -> None:
        there = sorted(path.name for path in self._folder.iterdir() if path.name != LOCK)
        if there and not resume:
            raise DatasetError(f"{self._folder}: not empty; to go on with what was begun there, resume (--resume)")
        if (self._folder / MANIFEST).exists():
            self._compare(read_manifest(self._folder))
        else:
            strange = [name for name in there if name != _PARTS and not name.endswith(TEMPORARY)]
            if strange:
                raise DatasetError(f"{self._folder}: nothing to resume, there is no {MANIFEST} beside {strange[0]}")
        remove_leftovers(self._folder)
        self._parts.mkdir(exist_ok=True)
        remove_leftovers(self._parts)

    def _compare(self, old: dict[str, Any]) -> None:
        new, mends = self._manifest, []
        names = [{column["name"] for column in manifest["columns"]} for manifest in (old, new)]
        for flag, column in _FLAGS.items():
            there, asked = (column in some for some in names)
            option = f"--{flag.replace('_', '-')} ({flag}=True)"
            if there != asked:
                mends.append(f"begun with {option}; add it" if there else f"begun without {option}; leave it out")
        if old["tables"] != new["tables"]:
            there, asked = (
                f"{' + '.join(tables['partitions'])} {tables['format']}{'' if tables['files'] else ', embedded'}"
                for tables in (old["tables"], new["tables"])
            )
            mends.append(
                f"begun with the tables {there}, not with {asked}; name them (--partition)"
                if there != asked
                else f"begun with other files of the tables {there}; put them there again"
            )
        # not: what says the same, and what older versions did not say
        said = {"tables", "columns", "along_path", "first_moves"}
        if old["distribution"] == getattr(self._maker.distribution, "without_checksum", None):
            said.add("distribution")
        differing = [
            f"{name} {json.dumps(old[name])} there, {json.dumps(value)} asked for"
            for name, value in new.items()
            if name not in said and old[name] != value
        ]
        if differing:
            mends.append(f"begun with other settings: {'; '.join(differing)}; ask for the same ones")
        if mends:
            raise DatasetError(f"{self._folder}: {'; '.join(mends)}, or name another folder")
        for index, entry in enumerate(old["shards"][: len(self._shards)]):
            path = self._folder / shard_name(index)
            if (
                entry["complete"]
                and path.exists()
                and path.stat().st_size == entry["bytes"]
                and sha256_of(path) == entry["sha256"]
            ):
                self._shards[index] = entry

    def _part(self, chunk: int) -> Path:
        return self._parts / f"chunk-{chunk:07d}.npz"

    def _sound_part(self, chunk: int) -> bool:
        try:
            arrays = read_arrays(self._part(chunk), self._columns)
        except (FileNotFoundError, ArraysError):
            return False
        rows = {len(array) for array in arrays.values()}
        return len(rows) == 1 and (self._maker.flags["along_path"] or rows == {self._boards_in(chunk)})

    # ---------------------------------------------------------------- making the rest

    def run(self, workers: Any, progress: Optional[Callable[[int, int], Any]]) -> None:
        self._write_manifest()
        waiting = [index for index, entry in enumerate(self._shards) if entry is None]
        uses = Counter(chunk for index in waiting for chunk in self._chunks_of(index))
        wanted = {self._part(chunk) for chunk in uses}
        for path in self._parts.glob("chunk-*.npz"):
            if path not in wanted:
                path.unlink()
        missing = [chunk for chunk in uses if not self._sound_part(chunk)]
        absent = set(missing)
        done = self._count - sum(map(self._boards_in, missing))

        def advance() -> None:
            """Write the shards that are complete, and drop what only they needed."""
            if progress:
                progress(done, self._count)
            while waiting and absent.isdisjoint(self._chunks_of(waiting[0])):
                index = waiting.pop(0)
                self._shards[index] = self._write_shard(index)
                self._write_manifest()
                for chunk in self._chunks_of(index):
                    uses[chunk] -= 1
                    if not uses[chunk]:
                        self._part(chunk).unlink()

        advance()
        chunks: Any = spread(self._maker, iter(missing), workers, boards_of=self._maker.boards)
        with contextlib.closing(chunks) as results:
            for columns, chunk in zip(results, missing):
                self._write_part(chunk, columns)
                absent.discard(chunk)
                done += self._boards_in(chunk)
                advance()
        with contextlib.suppress(OSError):  # a temporary file of another machine, which may be at work
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
        if "start" in columns:  # there, of the chunk; here, of all boards
            columns["start"] += np.uint32(chunk * self._chunk)
        pieces = ((name, columns[name].dtype, columns[name].shape, [columns[name]]) for name in self._columns)
        write_arrays(self._part(chunk), pieces, compress=False)

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

        def columns() -> Iterator[Column]:
            for column in self._manifest["columns"]:
                name = column["name"]
                pieces = (self._read(chunk, name)[some] for chunk, some in zip(chunks, rows))
                yield name, np.dtype(column["dtype"]), (total, *column["shape"]), pieces

        path = self._folder / shard_name(index)
        write_arrays(path, columns(), compress=True)
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
        entries = [entry or {"name": shard_name(index), "complete": False} for index, entry in enumerate(self._shards)]
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
