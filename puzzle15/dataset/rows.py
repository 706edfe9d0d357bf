"""Rows of labels as columns of arrays: their types, joining and cutting them, and files of them that are damaged."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import DatasetCorruptError
from ..system.arrays import ArraysError

__all__ = ["Rows", "Types", "joined", "regrouped", "reporting_damage"]

#: Columns of some rows.
Rows = dict[str, NDArray[Any]]

#: The type of each column, and the shape of its entry in a row.
Types = Mapping[str, tuple["np.dtype[Any]", tuple[int, ...]]]


def joined(pieces: Sequence[Rows]) -> Rows:
    """The rows of several pieces."""
    if len(pieces) == 1:
        return pieces[0]
    return {name: np.concatenate([piece[name] for piece in pieces]) for name in pieces[0]}


def regrouped(pieces: Iterable[Rows], size: int) -> Iterator[Rows]:
    """The same rows in pieces of `size` rows; the last piece has the rest."""
    waiting: list[Rows] = []
    count = 0
    for piece in pieces:
        begin, end = 0, len(piece["distance"])
        while begin < end:
            some = slice(begin, min(end, begin + size - count))
            waiting.append({name: array[some] for name, array in piece.items()})
            count += some.stop - begin
            begin = some.stop
            if count == size:
                yield joined(waiting)
                waiting, count = [], 0
    if count:
        yield joined(waiting)


@contextlib.contextmanager
def reporting_damage(path: Path) -> Iterator[None]:
    """Raise DatasetCorruptError if a file is missing or damaged."""
    again = "make it again: puzzle15 label --resume, with the options of the first run, or to_parquet"
    try:
        yield
    except FileNotFoundError:
        raise DatasetCorruptError(f"{path}: missing; {again}") from None
    except ArraysError as error:
        raise DatasetCorruptError(f"{path}: damaged ({error}); {again}") from None
