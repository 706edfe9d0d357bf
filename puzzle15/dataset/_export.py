"""One file for other programs from a folder of labels: parquet, or CSV."""

from __future__ import annotations

import contextlib
import gzip
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Optional, Union

import numpy as np

from .._system.files import write_output
from .._system.threads import slices
from ..errors import DatasetError
from ._manifest import about
from ._parquet import write_parquet
from ._reading import Dataset, load
from ._rows import Rows, directions_of

PathLike = Union[str, "os.PathLike[str]"]
Progress = Callable[[int, int], Any]

_ROWS = 1 << 14  # written at once, in some hundredths of a second

_LETTERS = "DRLU"  # of the tile, by the direction of the blank

#: The names of columns that hold several numbers, in a header.
_SEVERAL = {"board": "cell", "table_values": "table_value"}

_NUMBERS = np.array([str(number) for number in range(256)], dtype=object)
_MASKS = np.array(["".join([x for x in "UDLR" if mask >> _LETTERS.index(x) & 1]) for mask in range(16)], dtype=object)


def to_parquet(folder: PathLike, file: PathLike, *, progress: Optional[Progress] = None) -> Path:
    """Write a folder of labels, which must be complete, into one parquet file with the same columns.

    The file appears when it is complete; a file of that name is replaced, but a pipe or a device is written directly.
    `progress` is called with (rows written so far, all rows). DatasetError or DatasetCorruptError is raised if labels
    are missing or damaged.
    """
    dataset, file = _complete(folder), Path(file)
    with write_output(file) as out:
        write_parquet(out, dataset.columns, _shards(dataset, progress), about(dataset.manifest))
    return file


def to_csv(folder: PathLike, file: PathLike, *, progress: Optional[Progress] = None) -> Path:
    """Write a folder of labels into one CSV file.

    The columns are ``cell_0``, ``cell_1`` .. with the tiles, 0 for the blank; ``distance``; ``solution``, one letter
    per move, which is the tile's direction; and, if they were requested, ``first_moves``, a letter for each;
    ``table_value_0`` ..; and ``start``. `read_published` reads boards and distances back.

    Parameters and errors are those of `to_parquet`. If the file's name ends in ``.gz``, it is compressed.

    Examples
    --------
    >>> import tempfile
    >>> from puzzle15 import Solver
    >>> from puzzle15.dataset import write
    >>> folder = write(tempfile.mkdtemp(), 2, seed=3, distribution="distance:2-3", solver=Solver(shape=(2, 2))).folder
    >>> print(to_csv(folder, folder.with_suffix(".csv")).read_text())
    cell_0,cell_1,cell_2,cell_3,distance,solution
    3,1,0,2,3,DLU
    0,2,1,3,2,UL
    <BLANKLINE>
    """
    dataset, file = _complete(folder), Path(file)
    header: list[str] = []
    for name, (_, shape) in dataset.columns.items():
        header += [f"{_SEVERAL[name]}_{number}" for number in range(shape[0])] if name in _SEVERAL else [name]
    with contextlib.ExitStack() as stack:
        out: Any = stack.enter_context(write_output(file))
        if file.suffix == ".gz":  # neither name nor time, so that the same labels give the same bytes
            out = stack.enter_context(gzip.GzipFile("", "wb", compresslevel=6, fileobj=out, mtime=0))
        out.write(f"{','.join(header)}\n".encode())
        for shard in _shards(dataset, progress):
            for some in slices(len(shard["distance"]), _ROWS):
                fields = _fields({name: array[some] for name, array in shard.items()})
                out.write("".join(f"{','.join(row)}\n" for row in zip(*fields)).encode())
    return file


def _complete(folder: PathLike) -> Dataset:
    dataset = load(folder)
    if not dataset.complete:
        raise DatasetError(
            f"{dataset.folder}: {dataset.manifest['boards']:,} of {dataset.manifest['count']:,} boards are labelled, "
            f"expected all; finish it: puzzle15 label --resume, with the options of the first run"
        )
    return dataset


def _shards(dataset: Dataset, progress: Optional[Progress]) -> Iterator[Rows]:
    """Yield the shards; `progress` is called after each."""
    done = 0
    for shard in dataset.shards():
        yield shard
        done += len(shard["distance"])
        if progress:
            progress(done, len(dataset))


def _fields(rows: Rows) -> list[list[str]]:
    """Return the text of each column of the file."""
    fields: list[list[str]] = []
    for name, array in rows.items():
        if name == "solution":
            moves = np.frombuffer(_LETTERS.encode(), dtype=np.uint8)[directions_of(array, rows["distance"])]
            moves[np.arange(moves.shape[1]) >= rows["distance"][:, None]] = 0
            fields.append(moves.view(f"S{moves.shape[1]}").ravel().astype(str).tolist())  # without zeros at their ends
        elif name == "first_moves":
            fields.append(_MASKS[array].tolist())
        elif name == "start":
            fields.append(list(map(str, array.tolist())))
        else:
            fields += _NUMBERS[array.reshape(len(array), -1).T].tolist()
    return fields
