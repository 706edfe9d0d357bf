"""Boards and distances that others published, as rows of numbers: reading them, and checking them with the solver."""

from __future__ import annotations

import io
import lzma
import os
import re
import zlib
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, Optional, Union

import numpy as np
from numpy.typing import NDArray

from .._system.quantities import whole
from .._system.workers import Workers
from ..board import Board, Shape, pack_boards, solvable
from ..board._board import parse_goal
from ..board._notation import check_shape, format_shape
from ..errors import DatasetError
from ..solver import Solver

PathLike = Union[str, "os.PathLike[str]"]

#: The modules that read compressed files, by the end of a name.
_COMPRESSED = {".gz": "gzip", ".bz2": "bz2", ".xz": "lzma"}

#: What the header calls the distance.
_DISTANCES = ("cost", "distance", "length", "moves", "depth")

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_SEPARATORS = str.maketrans(",;", "  ")
_MOST = 10_000  # no distance is as large, in any metric
_NO_TILE = 255
_TRIED = 40  # rows that are solved to find the goal


class Published(NamedTuple):
    """Boards of a file, (N, cells) with 0 for the blank; distances (N,); and the line of each, (N,), counted from 1."""

    boards: NDArray[np.uint8]
    distances: NDArray[np.int64]
    lines: NDArray[np.int64]
    shape: Shape


def read_published(file: PathLike, *, shape: Optional[Sequence[int]] = None) -> Published:
    """Read boards and distances that others published, or that `to_csv` wrote.

    A row has the tiles, cell by cell, 0 for the blank, and then the distance::

        0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,cost
        1,5,2,3,4,0,6,7,8,9,10,11,12,13,14,15,2

    The header may be missing. If there is one, the distance is in the column ``cost``, ``distance``, ``length``,
    ``moves`` or ``depth``, and later columns are not read. Commas, semicolons, tabs and spaces separate numbers; #
    starts a comment. A file whose name ends in ``.gz``, ``.bz2`` or ``.xz`` is compressed. If the header begins with an
    empty name, as pandas writes it, the first column is an index, which is not read.

    `shape` is that of the boards, by default the square with that many cells. DatasetError names a line that cannot be
    read, or holds no board.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "boards.csv"
    >>> _ = path.write_text("0,1,2,3,4,5,6,7,8,cost\\n1,2,5,3,4,0,6,7,8,3\\n3,1,2,0,4,5,6,7,8,1\\n")
    >>> published = read_published(path)
    >>> published.boards.shape, published.distances.tolist(), published.lines.tolist()
    ((2, 9), [3, 1], [2, 3])
    """
    published = _read(Path(file), None if shape is None else check_shape(shape))
    _, problems = _boards(published)
    for row in sorted(problems)[:1]:
        raise _wrong(file, published.lines[row], problems[row])
    return published


def _wrong(file: PathLike, line: int, text: str) -> DatasetError:
    return DatasetError(f"{file}: line {line:,}: {text}")


def _read(file: Path, shape: Optional[Shape]) -> Published:
    """Return the numbers of a file; the boards are not checked."""
    kind = _COMPRESSED.get(file.suffix)
    try:
        opened = (import_module(kind) if kind else io).open
        with opened(file, "rt", encoding="utf-8-sig", errors="replace") as text:
            lines = [line.partition("#")[0].rstrip() for line in text]
    except (OSError, EOFError, lzma.LZMAError, zlib.error) as error:
        if kind is None or getattr(error, "errno", None) is not None:  # of the file itself
            raise
        raise DatasetError(f"{file}: no {kind} file, or damaged ({error}); restore it from a copy") from None
    begins_empty = next(filter(None, lines), "").replace('"', "").startswith((",", ";", "\t"))
    lines = [line.translate(_SEPARATORS).strip() for line in lines]
    numbers = [number for number, line in enumerate(lines, 1) if line]
    if numbers:
        known, is_header = _columns(file, numbers[0], lines[numbers[0] - 1].split(), shape)
        numbers = numbers[is_header:]
        if is_header and begins_empty:
            lines = ["".join(line.split(None, 1)[1:]) for line in lines]
    if not numbers:
        raise DatasetError(f"{file}: no rows; expected the tiles of a board and its distance in each line")
    values = _numbers(file, numbers, [lines[number - 1] for number in numbers], known[0] * known[1] + 1)
    tiles = np.where(values[:, :-1] < 0, _NO_TILE, np.minimum(values[:, :-1], _NO_TILE)).astype(np.uint8)
    return Published(tiles, values[:, -1].astype(np.int64), np.array(numbers), known)


def _numbers(file: Path, numbers: list[int], rows: list[str], width: int) -> NDArray[np.float32]:
    """Return the first `width` numbers of each row; `numbers` are those of the lines."""
    try:
        values = np.loadtxt(rows, np.float32, usecols=range(width), ndmin=2, comments=None)
        if (values % 1 == 0).all() and np.abs(values).max() < _MOST:
            return values
    except ValueError:
        pass
    for number, row in zip(numbers, rows):
        fields = row.split()[:width]
        wrong = [each for each in fields if not _is_number(each)]
        if wrong or len(fields) < width:
            found = f"{wrong[0][:20]!r}" if wrong else f"{len(fields)} numbers"
            raise _wrong(file, number, f"{found}, expected {width} whole numbers: the tiles and the distance")
    raise AssertionError(f"{file}: numpy and Python disagree about its numbers")


def _is_number(text: str) -> bool:
    return _NUMBER.fullmatch(text) is not None and abs(float(text)) < _MOST and np.float32(text) % 1 == 0


def _columns(file: Path, line: int, fields: list[str], shape: Optional[Shape]) -> tuple[Shape, bool]:
    """Return the shape of the boards, and whether the first line is a header."""
    fields = [name for each in fields if (name := each.lower().replace('"', ""))]
    width, is_header = len(fields), not all(map(_is_number, fields))
    if any(not field.isprintable() or "\ufffd" in field for field in fields):
        raise DatasetError(
            f"{file}: it is not text; expected rows of numbers, or such text as {', '.join(_COMPRESSED)}"
        )
    if is_header:
        width = next((index for index, name in enumerate(fields, 1) if name in _DISTANCES), 0)
        if not width:
            names = " or ".join(_DISTANCES)
            raise _wrong(file, line, f"a header without a distance; expected a column {names} behind the tiles")
    shapes = {rows * cols + 1: (rows, cols) for rows, cols in ([(2, 2), (3, 3), (4, 4)] if shape is None else [shape])}
    if width not in shapes:
        expected = " or ".join(f"{count} for {format_shape(each)} boards" for count, each in shapes.items())
        raise _wrong(
            file, line, f"{width} columns up to the distance, expected {expected}; --shape gives another shape"
        )
    return shapes[width], is_header


def _boards(published: Published) -> tuple[NDArray[np.uint64], dict[int, str]]:
    """Return packed boards, and what is wrong with the rows that hold no board, or no distance; they are 0."""
    packed, _, errors = pack_boards(published.boards, published.shape, on_error="mark")
    problems = {row: str(error).rpartition("]: ")[2] for row, error in errors.items()}
    for row in np.flatnonzero(published.distances < 0).tolist():
        problems.setdefault(row, f"distance {published.distances[row]}: expected a number of at least 0")
    packed[list(problems)] = 0
    return packed, problems


# ---------------------------------------------------------------- checking ---


class WrongRow(NamedTuple):
    """A row whose distance is not the shortest, which the solver found, or that has a problem: no solvable board."""

    line: int
    board: str
    distance: int
    shortest: Optional[int]
    problem: Optional[str]

    def __str__(self) -> str:
        wrong = self.problem or f"distance {self.distance}, expected {self.shortest}"
        return f"line {self.line:,}: {self.board}: {wrong}"


class PublishedReport(NamedTuple):
    """What `check_published` found: the rows of the file, the sample of them that was solved, and the wrong ones."""

    path: Path
    goal: Board
    rows: int
    sample: int
    wrong: list[WrongRow]

    @property
    def sound(self) -> bool:
        return not self.wrong


def check_published(
    file: PathLike,
    *,
    goal: Union[Board, str, None] = None,
    shape: Optional[Sequence[int]] = None,
    sample: Optional[int] = None,
    solver_of: Callable[[Board], Solver] = lambda goal: Solver(goal=goal),
    workers: Workers = 1,
    progress: Optional[Callable[[int, int], Any]] = None,
) -> PublishedReport:
    """Check boards and distances that others published: every board, and the distances of a sample or of all.

    Parameters
    ----------
    file, shape
        As for `read_published`.
    goal : board, optional
        A board, ``blank-last`` or ``blank-first``. By default, the one of the last two for which more of the 40 nearest
        rows are right.
    sample : int, optional
        How many rows to solve, spread over the file; by default all.
    solver_of : callable
        From a goal to the solver that is used.
    workers : optional
        As for `Solver.solve_many`.
    progress : callable, optional
        Called with (rows solved so far, rows to solve).

    Raises
    ------
    DatasetError
        The file cannot be read, or no goal fits better than the other.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "boards.csv"
    >>> _ = path.write_text("1,2,5,3,4,0,6,7,8,3\\n3,1,2,0,4,5,6,7,8,1\\n3,1,2,4,0,5,6,7,8,4\\n")
    >>> report = check_published(path)
    >>> print(report.goal, *report.wrong, sep="; ")
    0 1 2/3 4 5/6 7 8; line 3: 3 1 2/4 0 5/6 7 8: distance 4, expected 2
    """
    file = Path(file)
    goal_of, known_shape = parse_goal(
        "blank-last" if goal is None else str(goal), check_shape(shape) if shape else None
    )
    published = _read(file, known_shape)
    packed, problems = _boards(published)
    end = _fitting_goal(file, packed, published, solver_of) if goal is None else goal_of(published.shape)
    fine = solvable(packed, end)
    for row in np.flatnonzero(~fine).tolist():
        problems.setdefault(row, f"it cannot reach the goal {end}")
    rows = np.flatnonzero(fine)
    if sample is not None and whole("sample", sample) < len(rows):
        rows = np.sort(np.random.default_rng(0).choice(rows, sample, replace=False))  # the same rows each time
    shortest = np.full(len(packed), -1, dtype=np.int64)
    shortest[rows] = solver_of(end).distance_many(packed[rows], workers=workers, progress=progress)
    different = rows[shortest[rows] != published.distances[rows]].tolist()
    wrong: list[WrongRow] = []
    for row in sorted([*problems, *different]):
        board = "/".join(" ".join(map(str, each)) for each in published.boards[row].reshape(end.shape).tolist())
        found = None if row in problems else int(shortest[row])
        line, distance = int(published.lines[row]), int(published.distances[row])
        wrong.append(WrongRow(line, board, distance, found, problems.get(row)))
    return PublishedReport(file, end, len(packed), len(rows), wrong)


def _fitting_goal(
    file: Path, packed: NDArray[np.uint64], published: Published, solver_of: Callable[[Board], Solver]
) -> Board:
    """Return the goal that boards and distances are for: the one for which more of the nearest rows are right."""
    candidates = {"blank-last": Board.goal(published.shape), "blank-first": Board.goal(published.shape, home=0)}
    readable = np.flatnonzero(packed)
    # Near boards are solved at once; a wrong goal would make most of them far.
    near = readable[np.argsort(published.distances[readable], kind="stable")[:_TRIED]]
    right = {}
    for name, goal in candidates.items():
        some = near[solvable(packed[near], goal)]
        right[name] = int((solver_of(goal).distance_many(packed[some]) == published.distances[some]).sum())
    best, other = sorted(right, key=lambda name: -right[name])
    if right[best] == right[other] or 2 * right[best] < len(near):
        counts = ", ".join(f"{count} for {name}" for name, count in right.items())
        raise DatasetError(
            f"{file}: the goal is not clear: of {len(near)} rows, this many have the right distance: {counts}; give "
            f"the goal (--goal)"
        )
    return candidates[best]
