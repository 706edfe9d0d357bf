"""Checking labelled boards: files against the manifest, every solution, and a sample against the solver."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, Optional, Union

import numpy as np
from numpy.typing import NDArray

from ..board import Board, blank_cells, legal_directions, neighbours, pack_boards, slide
from ..errors import DatasetCorruptError
from ..parallel import slices, spread
from ..solver import Solver, label
from ..system.quantities import whole
from .chunks import describe_tables
from .files import sha256_of
from .parquet import import_pyarrow
from .reading import Dataset, load

__all__ = ["ShardReport", "check", "replay"]

_ROWS = 1 << 16  # replayed at once


@dataclass
class ShardReport:
    """What `check` found in one shard.

    Attributes
    ----------
    path : Path
    rows : int
        Rows whose solutions were followed to the goal.
    sample : int
        Rows that were solved again.
    problems : list of str
        Empty for a sound shard.
    """

    path: Path
    rows: int = 0
    sample: int = 0
    problems: list[str] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        return not self.problems


def check(
    folder: Union[str, os.PathLike[str]],
    *,
    sample: int = 200,
    solver: Optional[Solver] = None,
    workers: Any = 1,
    progress: Optional[Callable[[int, int], Any]] = None,
) -> list[ShardReport]:
    """Check the shards of a folder.

    Size, SHA-256, columns, rows and distances of each shard are compared with the manifest. Every board must be valid,
    and its solution must lead to the goal in as many moves as its distance. `sample` rows, spread over all shards, are
    solved again.

    Parameters
    ----------
    folder : path
    sample : int
        Rows to solve again, in all.
    solver : Solver, optional
        It solves the sample; by default a solver with the best installed tables.
    workers : optional
        A number of threads, or an executor, as for `puzzle15.parallel.spread`; each checks a shard at a time. Other
        processes and machines read the files in the same folder.
    progress : callable, optional
        Called with (shards done, shards).

    Returns
    -------
    list of ShardReport
        One per shard, in order. A shard that was not made yet counts as a problem, too.

    Raises
    ------
    DatasetError, DatasetCorruptError
        The manifest is missing or damaged.
    ChunkError
        Workers other than threads failed: see `puzzle15.parallel.spread`.
    ImportError
        The shards are parquet files, and pyarrow is not installed.

    Notes
    -----
    Memory holds one shard per worker.

    Examples
    --------
    >>> import tempfile
    >>> from puzzle15.dataset import write
    >>> folder = tempfile.mkdtemp()
    >>> dataset = write(folder, 100, seed=1, solver=Solver(shape=(3, 3)), along_path=True)
    >>> [report] = check(folder)
    >>> report.sound, report.rows == len(dataset), report.sample
    (True, True, 200)
    """
    dataset, sample = load(folder), whole("sample", sample)
    if solver is None:
        solver = Solver(goal=dataset.goal, shape=dataset.goal.shape)
    elif solver.goal != dataset.goal:
        raise ValueError(
            f"the solver's goal is {solver.goal}, expected {dataset.goal}, the goal of {dataset.folder}; "
            f"check with a solver for that goal"
        )
    if dataset.format == "parquet":
        import_pyarrow()
    count = len(dataset.manifest["shards"])
    head = Dataset(
        dataset.folder, {**dataset.manifest, "shards": []}
    )  # of a billion boards, the entries take megabytes
    reports: list[ShardReport] = []
    if progress:
        progress(0, count)
    checked: Any = spread(
        partial(_check_shard, head, solver), _tasks(dataset, sample), workers=workers, boards_of=lambda task: None
    )
    with closing(checked):
        for report in checked:
            reports.append(report)
            if progress:
                progress(len(reports), count)
    return reports


class _Task(NamedTuple):
    """A shard to check."""

    entry: dict[str, Any]
    """What the manifest says of it."""

    first: int
    """The number of its first board."""

    chosen: NDArray[np.int64]
    """The rows to solve again."""


def _tasks(dataset: Dataset, sample: int) -> Iterator[_Task]:
    total, begin = len(dataset), 0
    # The same rows each time; each shard gets its share.
    chosen = np.sort(np.random.default_rng(dataset.manifest["seed"]).choice(total, min(sample, total), replace=False))
    for index, entry in enumerate(dataset.manifest["shards"]):
        end = begin + (entry["rows"] if entry["complete"] else 0)
        low, high = np.searchsorted(chosen, [begin, end])
        yield _Task(entry, index * dataset.manifest["shard"], chosen[low:high] - begin)
        begin = end


def _check_shard(dataset: Dataset, solver: Solver, task: _Task) -> ShardReport:
    report = ShardReport(dataset.folder / task.entry["name"])
    if task.entry["complete"]:
        _check_rows(report, dataset, solver, task)
    else:
        report.problems.append("not made yet")
    return report


def _check_rows(report: ShardReport, dataset: Dataset, solver: Solver, task: _Task) -> None:
    """Check a shard that has been made."""
    path, problems, entry = report.path, report.problems, task.entry
    if not path.exists():
        problems.append("missing")
        return
    size = path.stat().st_size
    if size != entry["bytes"]:
        problems.append(f"{size:,} bytes instead of {entry['bytes']:,}")
    elif sha256_of(path) != entry["sha256"]:
        problems.append("its SHA-256 is not that of the manifest")
    if problems:  # its contents mean nothing
        return
    try:
        [columns] = [dataset._read(entry, list(dataset.columns))]
    except DatasetCorruptError as error:
        problems.append(str(error))
        return
    if np.bincount(columns["distance"]).tolist() != entry["distances"]:
        problems.append("its distances are not those of the manifest")
    for some in slices(entry["rows"], _ROWS):
        rows = {name: array[some] for name, array in columns.items()}
        wrong = _wrong_rows(rows, dataset.goal)
        problems += [
            f"{what}, first in row {some.start + int(np.flatnonzero(bad)[0]):,}"
            for what, bad in wrong.items()
            if bad.any()
        ]
        if problems:
            return
        report.rows += len(rows["board"])
    if "start" in columns:
        _check_starts(columns, task, dataset, problems)
    if len(task.chosen):
        _check_sample(columns, task.chosen, dataset, solver, problems)
        report.sample = len(task.chosen)


def _wrong_rows(rows: dict[str, NDArray[Any]], goal: Board) -> dict[str, NDArray[np.bool_]]:
    """Each thing that can be wrong with a row, and the rows where it is."""
    packed, _, _ = pack_boards(rows["board"], goal.shape, on_error="mark")
    bad = packed == 0
    if bad.any():
        return {"invalid boards": bad}
    wrong: dict[str, NDArray[np.bool_]] = {
        "solutions that do not lead to the goal": replay(packed, rows["solution"], rows["distance"], goal)
        != goal.packed
    }
    if "first_moves" in rows:
        first, moves = rows["first_moves"], rows["distance"] > 0  # of the goal none is legal
        legal = np.where(moves, legal_directions(goal.shape)[blank_cells(packed, goal.shape)], 0)
        known = np.where(moves, 1 << (rows["solution"][:, 0] & 3), 0)
        wrong["illegal first moves, or none for the solution's"] = (first & ~legal != 0) | (first & known != known)
    if "table_values" in rows:
        values, distance = rows["table_values"], rows["distance"][:, None]
        wrong["table values above the distance, or of the wrong parity"] = (
            (values > distance) | ((values ^ distance) & 1 != 0)
        ).any(axis=1)
    return wrong


def replay(
    packed: NDArray[np.uint64], solutions: NDArray[np.uint8], distances: NDArray[np.uint8], goal: Board
) -> NDArray[np.uint64]:
    """The boards that the solutions lead to.

    Parameters
    ----------
    packed : ndarray of uint64, shape (n,)
        The boards at the start.
    solutions : ndarray of uint8, shape (n, bytes)
        As `puzzle15.solver.label` packs them.
    distances : ndarray of uint8, shape (n,)
        The number of moves to make.
    goal : Board
        Of the same shape.

    Returns
    -------
    ndarray of uint64, shape (n,)
        Packed boards; 0, which is no board, where a move leads off the board or the solution is too short.

    Examples
    --------
    >>> columns = label(Solver(shape=(3, 3)), ["8 6 7/2 5 4/3 0 1"])
    >>> packed, _ = pack_boards(columns["board"])
    >>> goal = Board.goal((3, 3))
    >>> replay(packed, columns["solution"], columns["distance"], goal) == goal.packed
    array([ True])
    """
    order = np.argsort(distances, kind="stable")[::-1]  # longest first: the boards that still move come first
    boards = packed[order]
    blank = blank_cells(boards, goal.shape)
    left = np.sort(distances)[::-1].astype(np.int64)
    for step in range(int(left.max(initial=0))):
        going = int(np.searchsorted(-left, -step))  # boards with more than `step` moves
        if step >= 4 * solutions.shape[1]:
            boards[:going] = 0
            break
        direction = solutions[order[:going], step // 4] >> 2 * (step % 4) & 3
        to = neighbours(goal.shape)[blank[:going], direction].astype(np.int64)
        lost = to < 0
        to[lost] = blank[:going][lost]  # the blank stays; the board becomes invalid below
        moved = slide(boards[:going], blank[:going], to)
        moved[lost | (boards[:going] == 0)] = 0
        boards[:going], blank[:going] = moved, to
    result = np.empty_like(boards)
    result[order] = boards
    return result


def _check_starts(columns: dict[str, NDArray[Any]], task: _Task, dataset: Dataset, problems: list[str]) -> None:
    """Check that the rows of a drawn board follow its solution, down to distance 1."""
    start, distance = columns["start"], columns["distance"]
    first = np.append(True, start[1:] != start[:-1])
    last = np.append(first[1:], True)
    if not np.array_equal(start[first], np.arange(task.first, task.first + task.entry["boards"])):
        problems.append("the drawn boards are not numbered in order")
    following = np.flatnonzero(~first)
    one = np.ones(len(following), dtype=np.uint8)
    packed, _ = pack_boards(columns["board"], dataset.goal.shape)
    moved = replay(packed[following - 1], columns["solution"][following - 1], one, dataset.goal)
    if (
        (moved != packed[following]).any()
        or (distance[following] + 1 != distance[following - 1]).any()
        or (distance[last] > 1).any()
    ):
        problems.append("the rows of a drawn board do not follow its solution")


def _check_sample(
    columns: dict[str, NDArray[Any]],
    chosen: NDArray[np.int64],
    dataset: Dataset,
    solver: Solver,
    problems: list[str],
) -> None:
    """Solve the rows `chosen` again, and compare the labels."""
    flags = {name: name in columns for name in ("first_moves", "table_values")}
    flags["table_values"] &= describe_tables(solver) == dataset.manifest["tables"]
    again = label(solver, columns["board"][chosen], **flags)
    for name in ("distance", "first_moves", "table_values"):
        if name in again:
            different = (again[name] != columns[name][chosen]).reshape(len(chosen), -1).any(axis=1)
            if different.any():
                row = int(chosen[np.flatnonzero(different)[0]])
                problems.append(
                    f"{name.replace('_', ' ')} of {int(different.sum())} of {len(chosen)} rows solved "
                    f"again differ, first in row {row:,}"
                )
