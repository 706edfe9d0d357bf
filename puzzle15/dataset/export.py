"""One file for other programs from a folder of labels: parquet, or CSV."""

from __future__ import annotations

import contextlib
import gzip
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import NDArray

from ..board import MOVE_CONVENTIONS
from ..errors import DatasetError
from ..parallel import slices
from ..system.files import write_atomically
from .manifest import about
from .parquet import write_parquet
from .reading import Dataset, load

__all__ = ["to_csv", "to_parquet"]

Rows = dict[str, NDArray[Any]]
PathLike = Union[str, "os.PathLike[str]"]
Progress = Callable[[int, int], Any]

_ROWS = 1 << 14  # written at once, in some hundredths of a second


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
        Of the file.

    Raises
    ------
    DatasetError, DatasetCorruptError
        There are no labels, not all of them yet, or they are damaged.
    ImportError
        pyarrow is not installed.

    Notes
    -----
    Memory holds one shard. The types of the columns are those of `puzzle15.dataset.parquet`.

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
    write_parquet(file, dataset.columns, _told(dataset, progress), about(dataset.manifest))
    return file


def to_csv(folder: PathLike, file: PathLike, *, convention: str = "tile", progress: Optional[Progress] = None) -> Path:
    """Write a folder of labels into one CSV file.

    The columns are ``cell_0``, ``cell_1`` .. with the tiles, 0 for the blank; ``distance``; ``solution``, one letter
    per move; and those that were asked for: ``first_moves``, a letter for each; ``table_value_0`` ..; and ``start``.
    `read_published` reads boards and distances back.

    Parameters
    ----------
    folder : path
        Labels that `write` has stored, all of them.
    file : path
        It appears when it is complete; a file of that name is replaced. If its name ends in ``.gz``, it is compressed.
    convention : {"tile", "blank"}
        Whether a letter is the direction of the tile or that of the blank.
    progress : callable, optional
        Called with (rows written so far, all rows).

    Returns
    -------
    Path
        Of the file.

    Raises
    ------
    DatasetError, DatasetCorruptError
        There are no labels, not all of them yet, or they are damaged.

    Notes
    -----
    Memory holds one shard. Lines end with a line feed.

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
    letters = _LETTERS[convention]
    with write_atomically(file) as raw, _compressed(raw, file) as out:
        out.write(",".join(name for column in dataset.columns for name in _names(column, dataset)).encode() + b"\n")
        for shard in _told(dataset, progress):
            for some in slices(len(shard["distance"]), _ROWS):
                out.write(_lines({name: array[some] for name, array in shard.items()}, letters))
    return file


def _complete(folder: PathLike) -> Dataset:
    dataset = load(folder)
    if not dataset.complete:
        raise DatasetError(
            f"{dataset.folder}: {dataset.manifest['boards']:,} of {dataset.manifest['count']:,} boards are labelled, "
            f"expected all; finish it: puzzle15 label --resume, with the options of the first run"
        )
    return dataset


def _told(dataset: Dataset, progress: Optional[Progress]) -> Iterator[Rows]:
    """The shards; `progress` is told when the next one is asked for."""
    done = 0
    for shard in dataset.shards():
        yield shard
        done += len(shard["distance"])
        if progress:
            progress(done, len(dataset))


# ---------------------------------------------------------------- lines of CSV ---

#: The letter of each direction of the blank.
_LETTERS = {name: np.frombuffer(text, dtype=np.uint8) for name, text in (("blank", b"ULRD"), ("tile", b"DRLU"))}

_ORDER = b"UDLR"  # of several first moves

_COMMA, _LINE_FEED = ord(","), ord("\n")

#: The digits of 0 .. 255; bytes of 0 stand for nothing.
_DIGITS = np.array([list(str(number).encode().ljust(3, b"\0")) for number in range(256)], dtype=np.uint8)


def _names(column: str, dataset: Dataset) -> list[str]:
    """The names in the header of a column of labels."""
    several = {"board": "cell", "table_values": "table_value"}
    if column not in several:
        return [column]
    return [f"{several[column]}_{number}" for number in range(dataset.columns[column][1][0])]


def _lines(rows: Rows, letters: NDArray[np.uint8]) -> bytes:
    """Rows as text: a matrix of characters with gaps, which are dropped at the end."""
    count = len(rows["distance"])
    fields: list[NDArray[np.uint8]] = []
    for name, array in rows.items():
        if name == "solution":
            fields.append(_solutions(array, rows["distance"], letters))
        elif name == "first_moves":
            directions = np.array([letters.tobytes().index(letter) for letter in _ORDER], dtype=np.uint8)
            there = (array[:, None] >> directions & 1).astype(bool)
            fields.append(np.where(there, letters[directions], np.uint8(0)))
        elif array.dtype == np.uint8:
            fields.extend(_DIGITS[array.reshape(count, -1)].transpose(1, 0, 2))
        else:
            text = np.char.mod(b"%d", array)
            fields.append(text.view(np.uint8).reshape(count, text.itemsize))
    widths = [field.shape[1] + 1 for field in fields]
    matrix = np.full((count, sum(widths)), _COMMA, dtype=np.uint8)
    begin = 0
    for field, width in zip(fields, widths):
        matrix[:, begin : begin + width - 1] = field
        begin += width
    matrix[:, -1] = _LINE_FEED
    lines: bytes = matrix[matrix != 0].tobytes()
    return lines


def _solutions(
    packed: NDArray[np.uint8], distances: NDArray[np.uint8], letters: NDArray[np.uint8]
) -> NDArray[np.uint8]:
    """Packed solutions as letters, with 0 after their ends."""
    longest = min(int(distances.max(initial=0)), 4 * packed.shape[1])
    used = packed[:, : -(-longest // 4), None] >> np.array([0, 2, 4, 6], dtype=np.uint8) & 3
    text: NDArray[np.uint8] = letters[used.reshape(len(packed), -1)[:, :longest]]
    text[np.arange(longest) >= distances[:, None]] = 0
    return text


@contextlib.contextmanager
def _compressed(raw: Any, file: Path) -> Iterator[Any]:
    """A context with a file to write, which is compressed if the name says so."""
    if file.suffix != ".gz":
        yield raw
        return
    # Neither name nor time, so that the same labels give the same bytes.
    with gzip.GzipFile("", "wb", compresslevel=6, fileobj=raw, mtime=0) as packed:
        yield packed
