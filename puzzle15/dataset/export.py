"""One file for other programs from a folder of labels: parquet, or CSV."""

from __future__ import annotations

import contextlib
import csv
import gzip
import io
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Optional, Union

import numpy as np

from ..board import MOVE_CONVENTIONS
from ..errors import DatasetError
from ..parallel import slices
from ..system.files import write_atomically
from .manifest import about
from .parquet import write_parquet
from .reading import Dataset, load
from .rows import Rows

__all__ = ["to_csv", "to_parquet"]

PathLike = Union[str, "os.PathLike[str]"]
Progress = Callable[[int, int], Any]

_ROWS = 1 << 14  # written at once, in some hundredths of a second

#: The letter of each direction of the blank.
_LETTERS = {"blank": "ULRD", "tile": "DRLU"}

#: The names of columns that hold several numbers, in a header.
_SEVERAL = {"board": "cell", "table_values": "table_value"}


def to_parquet(folder: PathLike, file: PathLike, *, progress: Optional[Progress] = None) -> Path:
    """Write a folder of labels into one parquet file.

    `read_parquet` reads it back: the same columns, with the same bytes.

    Parameters
    ----------
    folder : path
        Labels that `write` has stored, all of them.
    file : path
        It appears when it is complete; a file of that name is replaced.
    progress : callable, optional
        Called with (rows written so far, all rows).

    Returns
    -------
    Path

    Raises
    ------
    DatasetError, DatasetCorruptError
        There are no labels, not all of them yet, or they are damaged.
    ImportError
        pyarrow is not installed.

    Examples
    --------
    >>> import tempfile
    >>> from puzzle15 import Solver
    >>> from puzzle15.dataset import read_parquet, write
    >>> folder = tempfile.mkdtemp()
    >>> dataset = write(folder, 1000, seed=1, solver=Solver(shape=(3, 3)))
    >>> file = to_parquet(folder, folder + ".parquet")          # doctest: +SKIP
    >>> [rows["board"].shape for rows in read_parquet(file)]    # doctest: +SKIP
    [(1000, 9)]
    """
    dataset, file = _complete(folder), Path(file)
    write_parquet(file, dataset.columns, _shards(dataset, progress), about(dataset.manifest))
    return file


def to_csv(folder: PathLike, file: PathLike, *, convention: str = "tile", progress: Optional[Progress] = None) -> Path:
    """Write a folder of labels into one CSV file.

    The columns are ``cell_0``, ``cell_1`` .. with the tiles, 0 for the blank; ``distance``; ``solution``, one letter
    per move; and, if they were requested, ``first_moves``, a letter for each; ``table_value_0`` ..; and ``start``.
    `read_published` reads boards and distances back.

    Parameters
    ----------
    folder, file, progress
        As for `to_parquet`. If the file's name ends in ``.gz``, it is compressed.
    convention : {"tile", "blank"}
        Whether a letter is the direction of the tile or that of the blank.

    Returns
    -------
    Path

    Raises
    ------
    DatasetError, DatasetCorruptError
        There are no labels, not all of them yet, or they are damaged.

    Examples
    --------
    >>> import tempfile
    >>> from puzzle15 import Solver
    >>> from puzzle15.dataset import write
    >>> folder = tempfile.mkdtemp()
    >>> dataset = write(folder, 2, seed=3, distribution="distance:2-3", solver=Solver(shape=(2, 2)))
    >>> print(to_csv(folder, folder + ".csv").read_text())
    cell_0,cell_1,cell_2,cell_3,distance,solution
    3,1,0,2,3,DLU
    0,2,1,3,2,UL
    <BLANKLINE>
    """
    if convention not in MOVE_CONVENTIONS:
        raise ValueError(f"convention {convention!r}: expected {' or '.join(MOVE_CONVENTIONS)}")
    dataset, file = _complete(folder), Path(file)
    header: list[str] = []
    for name, (_, shape) in dataset.columns.items():
        header += [f"{_SEVERAL[name]}_{number}" for number in range(shape[0])] if name in _SEVERAL else [name]
    with contextlib.ExitStack() as stack:
        out: Any = stack.enter_context(write_atomically(file))
        if file.suffix == ".gz":  # neither name nor time, so that the same labels give the same bytes
            out = stack.enter_context(gzip.GzipFile("", "wb", compresslevel=6, fileobj=out, mtime=0))
        out.write(_lines([header]))
        for shard in _shards(dataset, progress):
            for some in slices(len(shard["distance"]), _ROWS):
                out.write(_lines(_fields({name: array[some] for name, array in shard.items()}, _LETTERS[convention])))
    return file


def _lines(rows: Iterable[Sequence[Any]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode("ascii")


def _complete(folder: PathLike) -> Dataset:
    dataset = load(folder)
    if not dataset.complete:
        raise DatasetError(
            f"{dataset.folder}: {dataset.manifest['boards']:,} of {dataset.manifest['count']:,} boards are labelled, "
            f"expected all; finish it: puzzle15 label --resume, with the options of the first run"
        )
    return dataset


def _shards(dataset: Dataset, progress: Optional[Progress]) -> Iterator[Rows]:
    """The shards; `progress` is called after each."""
    done = 0
    for shard in dataset.shards():
        yield shard
        done += len(shard["distance"])
        if progress:
            progress(done, len(dataset))


def _fields(rows: Rows, letters: str) -> Iterator[tuple[Any, ...]]:
    """The fields of each line."""
    columns: list[list[Any]] = []
    for name, array in rows.items():
        if name == "solution":
            columns.append(_solutions(rows, letters))
        elif name == "first_moves":
            directions = [letters.index(letter) for letter in "UDLR"]  # the order of several first moves
            masks = ["".join(letters[d] for d in directions if mask >> d & 1) for mask in range(16)]
            columns.append([masks[mask] for mask in array.tolist()])
        else:
            columns += array.reshape(len(array), -1).T.tolist()
    return zip(*columns)


def _solutions(rows: Rows, letters: str) -> list[str]:
    """The moves of each solution as text."""
    distances = rows["distance"]
    packed = rows["solution"][:, : 1 + int(distances.max(initial=0)) // 4]
    moves = (packed[:, :, None] >> np.array([0, 2, 4, 6], dtype=np.uint8) & 3).reshape(len(packed), -1)
    texts = np.frombuffer(letters.encode(), dtype=np.uint8)[moves]
    texts[np.arange(texts.shape[1]) >= distances[:, None]] = 0
    ended: list[str] = texts.view(f"S{texts.shape[1]}").ravel().astype(str).tolist()  # without zeros at their ends
    return ended
