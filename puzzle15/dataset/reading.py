"""Reading labelled boards, shard by shard or column by column."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Union

import numpy as np
from numpy.typing import NDArray

from ..board import Board
from ..errors import DatasetCorruptError, DatasetError
from .files import read_arrays

__all__ = ["Dataset", "load"]

MANIFEST = "manifest.json"
KIND = "boards labelled by puzzle15"
FORMAT_VERSION = 1


class Dataset:
    """Labelled boards in a folder; `load` opens one.

    Attributes
    ----------
    folder : Path
    manifest : dict
        What ``manifest.json`` says.
    columns : dict of str to (dtype, tuple of int)
        Of each column the type, and the shape of a row's entry.
    complete : bool
        Whether all boards that were asked for are there. If not, the rest of this object is about the shards that
        are.
    goal : Board
    """

    def __init__(self, folder: Path, manifest: dict[str, Any]) -> None:
        self.folder = folder
        self.manifest = manifest
        self.columns = {column["name"]: (np.dtype(column["dtype"]), tuple(column["shape"]))
                        for column in manifest["columns"]}
        self.complete: bool = manifest["complete"]
        self.goal = Board(manifest["goal"], manifest["shape"])
        self._entries = [entry for entry in manifest["shards"] if entry["complete"]]

    def __len__(self) -> int:
        """Rows."""
        return sum(entry["rows"] for entry in self._entries)

    @property
    def histogram(self) -> NDArray[np.int64]:
        """ndarray of int64: the rows of each distance 0, 1, 2, .."""
        return np.array(add_histograms(entry["distances"] for entry in self._entries), dtype=np.int64)

    def shards(self, columns: Union[str, Iterable[str], None] = None) -> Iterator[dict[str, NDArray[Any]]]:
        """The columns of one shard after another, each read when it is its turn.

        Parameters
        ----------
        columns : str or iterable of str, optional
            Those to read; by default all.

        Raises
        ------
        KeyError
            There is no such column.
        DatasetCorruptError
        """
        names = list(self.columns) if columns is None else [columns] if isinstance(columns, str) else list(columns)
        for name in names:
            self._column(name)
        return (self._read(entry, names) for entry in self._entries)

    def array(self, name: str) -> NDArray[Any]:
        """A whole column, of all shards.

        Examples
        --------
        >>> import tempfile
        >>> from puzzle15 import Solver
        >>> from puzzle15.dataset import write
        >>> dataset = write(tempfile.mkdtemp(), 50, seed=1, solver=Solver(shape=(2, 2)), shard=20)
        >>> dataset.array("distance").shape, [len(shard["distance"]) for shard in dataset.shards()]
        ((50,), [20, 20, 10])
        """
        dtype, shape = self._column(name)
        whole = np.empty((len(self), *shape), dtype=dtype)
        begin = 0
        for shard in self.shards(name):
            whole[begin : begin + len(shard[name])] = shard[name]
            begin += len(shard[name])
        return whole

    def _column(self, name: str) -> tuple[np.dtype, tuple[int, ...]]:
        if name not in self.columns:
            raise KeyError(f"column {name!r}: {self.folder} has {', '.join(self.columns)}")
        return self.columns[name]

    def _read(self, entry: dict[str, Any], names: list[str]) -> dict[str, NDArray[Any]]:
        path = self.folder / entry["name"]
        try:
            arrays = read_arrays(path, names)
        except (FileNotFoundError, DatasetCorruptError) as error:
            what = "missing" if isinstance(error, FileNotFoundError) else "damaged"
            raise DatasetCorruptError(f"{path}: {what}; make it again: puzzle15 label --resume, with the options of "
                                      f"the first run") from None
        for name, array in arrays.items():
            dtype, shape = self.columns[name]
            if array.dtype != dtype or array.shape != (entry["rows"], *shape):
                raise DatasetCorruptError(f"{path}: column {name} is {array.dtype} {array.shape}, not what {MANIFEST} "
                                          f"says: {dtype} {(entry['rows'], *shape)}")
        return arrays

    def __repr__(self) -> str:
        manifest = self.manifest
        rows = f"{len(self):,} rows" if manifest["along_path"] else f"{manifest['boards']:,} boards"
        part = "" if self.complete else (f", incomplete: {len(self._entries)} of {len(manifest['shards'])} shards, "
                                         f"{manifest['boards']:,} of {manifest['count']:,} boards")
        return (f"<Dataset of {rows} ({manifest['distribution']}) for {self.goal}: {', '.join(self.columns)}{part}>")


def load(directory: Union[str, os.PathLike]) -> Dataset:
    """Open a folder of labelled boards.

    Of one that is not complete, what there is: see `Dataset.complete`.

    Raises
    ------
    DatasetError
        There are none in this folder, or in a form that this version does not know.
    DatasetCorruptError
        The manifest is damaged.
    """
    folder = Path(directory)
    return Dataset(folder, read_manifest(folder))


def read_manifest(folder: Path) -> dict[str, Any]:
    path = folder / MANIFEST
    try:
        text = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        raise DatasetError(f"{folder}: no labelled boards, there is no {MANIFEST}; puzzle15 label makes some") from None
    try:
        manifest = json.loads(text)
        if manifest["kind"] != KIND:
            raise ValueError
        version = manifest["format_version"]
        if version == FORMAT_VERSION:
            list(map(_check_entry, manifest["shards"]))
    except (ValueError, KeyError, TypeError):
        raise DatasetCorruptError(f"{path}: damaged, or nothing of puzzle15; the shards beside it cannot be trusted "
                                  f"without it: label again, to a new folder") from None
    if version != FORMAT_VERSION:
        raise DatasetError(f"{path}: version {version} of the format, this program reads {FORMAT_VERSION}")
    return manifest


def _check_entry(entry):
    if entry["complete"]:
        entry["rows"], entry["boards"], entry["bytes"], entry["sha256"], entry["distances"]


def shard_name(index: int) -> str:
    return f"shard-{index:05d}.npz"


def add_histograms(histograms: Iterable[list[int]]) -> list[int]:
    """How many there are at each distance, in all."""
    total: list[int] = []
    for counts in histograms:
        total += [0] * (len(counts) - len(total))
        for distance, count in enumerate(counts):
            total[distance] += count
    return total
