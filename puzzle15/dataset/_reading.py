"""Reading labelled boards, shard by shard or column by column."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Union

import numpy as np
from numpy.typing import NDArray

from .._system.arrays import ArraysError, open_arrays
from ..board import Board
from ._manifest import format_of, read_manifest, types_of
from ._parquet import read_columns
from ._rows import Rows, reporting_damage


class Dataset:
    """Labelled boards in a folder; `load` opens one.

    Attributes
    ----------
    folder : Path
    manifest : dict
        The content of ``_manifest.json``.
    columns : dict of str to (dtype, tuple of int)
        The type of each column, and the shape of its entry in a row.
    format : {"npz", "parquet"}
    complete : bool
        Whether all requested boards are stored. If not, the object describes only the finished shards.
    goal : Board
    shard_count : int
    """

    def __init__(self, folder: Path, manifest: dict[str, Any]) -> None:
        self.folder = folder
        self.manifest = manifest
        self.columns = types_of(manifest)
        self.format = format_of(manifest)
        self.complete: bool = manifest["complete"]
        self.goal = Board(manifest["goal"], manifest["shape"])
        self._entries = [entry for entry in manifest["shards"] if entry["complete"]]
        self.shard_count = len(self._entries)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "folder": self.folder.absolute()}  # other processes may have started elsewhere

    def __len__(self) -> int:
        """Return the number of rows."""
        rows: int = self.manifest["rows"]
        return rows

    @property
    def histogram(self) -> NDArray[np.int64]:
        """ndarray of int64: the number of rows at each distance 0, 1, 2, .."""
        return np.array(self.manifest["distances"], dtype=np.int64)

    def shard(self, index: int, *, columns: Union[str, Iterable[str], None] = None) -> Rows:
        """Return the columns of the finished shard with this index, 0 .. `shard_count` - 1; as for `shards`."""
        return self._read(self._entries[index], self._names(columns))

    def shards(self, columns: Union[str, Iterable[str], None] = None) -> Iterator[Rows]:
        """Return some columns of each finished shard, by default all, one shard at a time.

        It raises KeyError if there is no such column, and DatasetCorruptError if a shard is damaged or missing.
        """
        names = self._names(columns)
        return (self._read(entry, names) for entry in self._entries)

    def array(self, name: str) -> NDArray[Any]:
        """Return a whole column, over all shards.

        >>> import tempfile
        >>> from puzzle15 import Solver
        >>> from puzzle15.dataset import write
        >>> dataset = write(tempfile.mkdtemp(), 50, seed=1, solver=Solver(shape=(2, 2)), shard=20)
        >>> dataset.array("distance").shape, [len(shard["distance"]) for shard in dataset.shards()]
        ((50,), [20, 20, 10])
        """
        [name] = self._names(name)
        dtype, shape = self.columns[name]
        for entry in self._entries:  # before memory is taken for all of them
            self._read(entry, [])
        whole = np.empty((len(self), *shape), dtype=dtype)
        begin = 0
        for shard in self.shards(name):
            whole[begin : begin + len(shard[name])] = shard[name]
            begin += len(shard[name])
        return whole

    def _names(self, columns: Union[str, Iterable[str], None]) -> list[str]:
        """Return the requested columns; KeyError if there is no such column."""
        names = list(self.columns) if columns is None else [columns] if isinstance(columns, str) else list(columns)
        for name in names:
            if name not in self.columns:
                raise KeyError(f"column {name!r}: {self.folder} has {', '.join(self.columns)}")
        return names

    def _read(self, entry: dict[str, Any], names: list[str]) -> Rows:
        rows, path = entry["rows"], self.folder / entry["name"]
        types = {name: self.columns[name] for name in names}
        with reporting_damage(path):
            if path.stat().st_size != entry["bytes"]:
                raise ArraysError(f"{path.stat().st_size:,} bytes, expected {entry['bytes']:,}")
            if self.format == "parquet":
                return read_columns(path, types, rows)
            with open_arrays(path) as file:
                return {name: file.read(name, dtype.name, (rows, *shape)) for name, (dtype, shape) in types.items()}

    def __repr__(self) -> str:
        manifest = self.manifest
        rows = f"{len(self):,} rows" if manifest["along_path"] else f"{manifest['boards']:,} boards"
        columns = ", ".join(self.columns)
        if not self.complete:
            columns += (
                f", incomplete: {len(self._entries)} of {len(manifest['shards'])} shards, "
                f"{manifest['boards']:,} of {manifest['count']:,} boards"
            )
        return f"<Dataset of {rows} ({manifest['distribution']}) for {self.goal}: {columns}>"


def load(folder: Union[str, os.PathLike[str]]) -> Dataset:
    """Open a folder of labelled boards.

    If the data set is not complete, the finished shards can be read; see `Dataset.complete`. It raises DatasetError if
    the folder holds no labelled boards, or this version does not know their format; and DatasetCorruptError if the
    manifest is damaged.
    """
    return Dataset(Path(folder), read_manifest(Path(folder)))
