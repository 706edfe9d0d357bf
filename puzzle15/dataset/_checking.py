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

from .._core.base import board as _board
from .._system.quantities import whole
from .._system.threads import slices
from .._system.workers import Workers, map_chunks
from ..board import Board, blank_cells, legal_directions, pack_boards
from ..errors import DatasetCorruptError, OptionError
from ..solver import Solver, label
from ._parquet import import_pyarrow
from ._reading import Dataset, load
from ._rows import Rows, directions_of, file_problem
from ._writing import describe_tables

_ROWS = 1 << 16  # replayed at once


@dataclass
class ShardReport:
    """A shard: rows whose solutions were followed to the goal, the sample solved again, and problems, if any."""

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
    workers: Workers = 1,
    progress: Optional[Callable[[int, int], Any]] = None,
) -> list[ShardReport]:
    """Check the shards of a folder; there is a report for each, in order.

    Size, SHA-256, columns, rows and distances of each shard are compared with the manifest. Every board must be valid,
    and its solution must lead to the goal in as many moves as its distance. A shard that was not made yet counts as a
    problem, too.

    Parameters
    ----------
    folder : path
    sample : int
        Rows to solve again, spread over all shards.
    solver : Solver, optional
        It solves the sample; by default a solver with the best installed tables.
    workers : optional
        Threads, or an executor (see `connect`); each worker checks a shard at a time, and reads the file in the same
        folder.
    progress : callable, optional
        Called with (shards done, shards).

    Examples
    --------
    >>> import tempfile
    >>> from puzzle15.dataset import write
    >>> dataset = write(tempfile.mkdtemp(), 100, seed=1, solver=Solver(shape=(3, 3)))
    >>> [report] = check(dataset.folder)
    >>> report.sound, report.rows, report.sample
    (True, 100, 100)
    """
    dataset, sample = load(folder), whole("sample", sample)
    if solver is None:
        solver = Solver(goal=dataset.goal, shape=dataset.goal.shape)
    elif solver.goal != dataset.goal:
        raise OptionError(
            f"the solver's goal is {solver.goal}, expected {dataset.goal}, the goal of {dataset.folder}; "
            f"check with a solver for that goal"
        )
    if dataset.format == "parquet":
        import_pyarrow()
    count = len(dataset.manifest["shards"])
    # Of a billion boards, the entries take megabytes, so a worker gets the one of its shard.
    head = Dataset(dataset.folder, {**dataset.manifest, "shards": []})
    check_one = partial(_check_shard, head, solver)
    checked: Any = map_chunks(check_one, _tasks(dataset, sample), workers=workers, boards_of=lambda task: None)
    progress = progress or (lambda done, count: None)
    reports: list[ShardReport] = []
    progress(0, count)
    with closing(checked):
        for report in checked:
            reports.append(report)
            progress(len(reports), count)
    return reports


class _Task(NamedTuple):
    """A shard to check: its entry in the manifest, the number of its first board, and the rows to solve again."""

    entry: dict[str, Any]
    first: int
    chosen: NDArray[np.int64]


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
    if problem := file_problem(report.path, task.entry):
        report.problems.append(problem)
        return report
    try:
        rows = dataset._read(task.entry, list(dataset.columns))
        report.problems += _row_problems(report, rows, dataset, solver, task)
    except DatasetCorruptError as error:
        report.problems.append(str(error))
    return report


def _row_problems(report: ShardReport, rows: Rows, dataset: Dataset, solver: Solver, task: _Task) -> Iterator[str]:
    """Yield what is wrong with the rows of a shard."""
    if np.bincount(rows["distance"]).tolist() != task.entry["distances"]:
        yield "its distances are not those of the manifest"
        return
    for some in slices(task.entry["rows"], _ROWS):
        wrong = _wrong_rows({name: array[some] for name, array in rows.items()}, dataset.goal)
        for what, bad in wrong.items():
            yield f"{what}, first in row {some.start + int(np.flatnonzero(bad)[0]):,}"
        if wrong:
            return
        report.rows += some.stop - some.start
    if "start" in rows:
        yield from _path_problems(rows, task, dataset.goal)
    if len(task.chosen):
        report.sample = len(task.chosen)
        yield from _sample_problems(rows, task.chosen, dataset, solver)


def _wrong_rows(rows: Rows, goal: Board) -> dict[str, NDArray[np.bool_]]:
    """Return each thing that is wrong with a row, and the rows where it is."""
    packed, _, _ = pack_boards(rows["board"], goal.shape, on_error="mark")
    if (packed == 0).any():
        return {"invalid boards": packed == 0}
    ends = replay(packed, rows["solution"], rows["distance"], goal)
    wrong: dict[str, NDArray[np.bool_]] = {"solutions that do not lead to the goal": ends != goal.packed}
    if "first_moves" in rows:
        first, moves = rows["first_moves"], rows["distance"] > 0  # of the goal none is legal
        legal = np.where(moves, legal_directions(goal.shape)[blank_cells(packed, goal.shape)], 0)
        known = np.where(moves, 1 << (rows["solution"][:, 0] & 3), 0)
        wrong["illegal first moves, or none for the solution's"] = (first & ~legal != 0) | (first & known != known)
    if "table_values" in rows:
        values, distance = rows["table_values"], rows["distance"][:, None]
        bad = (values > distance) | ((values ^ distance) & 1 != 0)
        wrong["table values above the distance, or of the wrong parity"] = bad.any(axis=1)
    return {what: bad for what, bad in wrong.items() if bad.any()}


def replay(
    packed: NDArray[np.uint64], solutions: NDArray[np.uint8], distances: NDArray[np.uint8], goal: Board
) -> NDArray[np.uint64]:
    """Return the packed boards that the packed solutions lead to, after as many moves as the distances.

    It is 0, which is not a board, where a move leads off the board or the solution is too short.
    """
    directions = directions_of(solutions, distances)
    moves = directions[np.arange(directions.shape[1], dtype=np.uint8) < distances[:, None]]
    ends = np.cumsum(np.minimum(distances, directions.shape[1]), dtype=np.uint64)
    along = np.empty(len(packed) + len(moves), dtype=np.uint64)
    made = np.empty(len(packed), dtype=np.uint64)
    _board.follow_many(packed, goal.shape, moves.tobytes(), ends, along, made)
    return np.where(made == distances, along[ends.astype(np.int64) + np.arange(len(packed))], np.uint64(0))


def _path_problems(rows: Rows, task: _Task, goal: Board) -> Iterator[str]:
    """Yield what is wrong unless the rows of each drawn board follow its solution, down to distance 1."""
    start, distance = rows["start"], rows["distance"].astype(np.int64)
    first = np.append(True, start[1:] != start[:-1])
    last = np.append(first[1:], True)
    if not np.array_equal(start[first], np.arange(task.first, task.first + task.entry["boards"])):
        yield "the drawn boards are not numbered in order"
    following = np.flatnonzero(~first)
    one = np.ones(len(following), dtype=np.uint8)
    packed, _, _ = pack_boards(rows["board"], goal.shape)
    moved = replay(packed[following - 1], rows["solution"][following - 1], one, goal)
    nearer = distance[following] + 1 == distance[following - 1]
    if not ((moved == packed[following]) & nearer).all() or (distance[last] > 1).any():
        yield "the rows of a drawn board do not follow its solution"


def _sample_problems(rows: Rows, chosen: NDArray[np.int64], dataset: Dataset, solver: Solver) -> Iterator[str]:
    """Solve the rows `chosen` again, and compare the labels."""
    same_tables = describe_tables(solver) == dataset.manifest["tables"]
    flags = {"first_moves": "first_moves" in rows, "table_values": "table_values" in rows and same_tables}
    again = label(solver, rows["board"][chosen], **flags)
    for name in ("distance", *(name for name, flag in flags.items() if flag)):
        different = np.flatnonzero((again[name] != rows[name][chosen]).reshape(len(chosen), -1).any(axis=1))
        if len(different):
            yield (
                f"{name.replace('_', ' ')} of {len(different)} of {len(chosen)} rows solved again differ, first in "
                f"row {chosen[different[0]]:,}"
            )
