"""Boards and distances that others published, as rows of numbers: reading them, and checking them with the solver.

A row has the tiles, cell by cell, 0 for the blank, and then the distance::

    0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,cost
    1,5,2,3,4,0,6,7,8,9,10,11,12,13,14,15,2

The header may be missing. If there is one, the distance is in the column ``cost``, ``distance``, ``length``, ``moves``
or ``depth``, and what stands behind it is not read. Commas, semicolons, tabs and spaces separate numbers; # starts a
comment. A file whose name ends in ``.gz`` is compressed.
"""

from __future__ import annotations

import contextlib
import gzip
import os
import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Optional, Union

import numpy as np
from numpy.typing import NDArray

from ..board import Board, Shape, check_shape, pack_boards, pack_readable, parse_goal, solvable
from ..errors import BoardError, DatasetError
from ..parallel import slices
from ..solver import Solver
from ..system.quantities import whole
from ..system.streams import text_of, whole_lines
from .rows import SEPARATORS, plain_rows

__all__ = ["Published", "PublishedReport", "WrongRow", "check_published", "read_published"]

PathLike = Union[str, "os.PathLike[str]"]

#: What the header calls the distance.
_DISTANCES = ("cost", "distance", "length", "moves", "depth")

_NUMBER = re.compile(r"[+-]?\d+(\.\d*)?([eE][+-]?\d+)?", re.ASCII)
_LONGEST = 1 << 12  # characters of a line; rows of our own CSV files have less than 300
_MOST = 10_000  # no distance is as large, in any metric
_TRIED = 40  # rows that are solved to find the goal
_CHUNK = 500  # boards solved between two calls of progress


class Published(NamedTuple):
    """Boards and distances of a file."""

    boards: NDArray[np.uint8]
    """(N, cells), 0 for the blank."""

    distances: NDArray[np.int64]
    """(N,)"""

    lines: NDArray[np.int64]
    """(N,): the line of each row in the file, counted from 1."""

    shape: Shape


def read_published(file: PathLike, *, shape: Optional[Sequence[int]] = None) -> Published:
    """Read boards and distances that others published.

    Parameters
    ----------
    file : path
        Rows of numbers; see `puzzle15.dataset.published`. Files that `to_csv` wrote are such files, too.
    shape : (int, int), optional
        Rows and columns of the boards; by default the square with that many cells.

    Returns
    -------
    Published

    Raises
    ------
    DatasetError
        A line cannot be read, or holds no board; the message names it.
    OSError
        The file cannot be read.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "boards.csv"
    >>> _ = path.write_text("0,1,2,3,4,5,6,7,8,cost\\n1,2,5,3,4,0,6,7,8,3\\n3,1,2,0,4,5,6,7,8,1\\n")
    >>> published = read_published(path)
    >>> published.boards.shape, published.distances.tolist(), published.lines.tolist()
    ((2, 9), [3, 1], [2, 3])
    """
    published = _read(Path(file), shape)
    bad = _bad_boards(published)
    if bad:
        row = min(bad)
        raise DatasetError(f"{file}: line {published.lines[row]:,}: {bad[row]}")
    return published


def _read(file: Path, shape: Optional[Sequence[int]]) -> Published:
    """The numbers of a file; the boards are not checked."""
    parts: list[tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]]] = []
    width, header, before = 0, 0, 0  # 0: not known yet, no header; lines before the piece
    with _opened(file) as raw:
        for piece in whole_lines(raw, _LONGEST):
            if not width:
                width, header = _begin(file, piece, before, shape)
            if width:
                parts.append(_rows(file, piece, before, width, header))
            before += piece.count(b"\n")
    if not any(len(lines) for _, _, lines in parts):
        raise DatasetError(f"{file}: no rows; expected the tiles of a board and its distance in each line")
    boards, distances, lines = (np.concatenate(arrays) for arrays in zip(*parts))
    side = int(boards.shape[1] ** 0.5)
    return Published(boards, distances, lines, check_shape(shape) if shape is not None else (side, side))


def _text(line: bytes) -> str:
    """A line without its comment, with spaces for all separators."""
    text = text_of(line)[: _LONGEST + 1].partition("#")[0]
    for separator in SEPARATORS:
        text = text.replace(separator, " ")
    return text.strip()


@contextlib.contextmanager
def _opened(file: Path) -> Iterator[Any]:
    """A context with the file to read, whether it is compressed or not."""
    try:
        with open(file, "rb") as raw:
            if file.suffix == ".gz":
                with gzip.GzipFile(fileobj=raw) as unpacked:
                    yield unpacked
            else:
                yield raw
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise DatasetError(f"{file}: no gzip file, or damaged ({error}); restore it from a copy") from None


def _begin(file: Path, piece: bytes, before: int, shape: Optional[Sequence[int]]) -> tuple[int, int]:
    """(how many fields of a line are read, which line is the header or 0), told by the first line that is not blank."""
    for number, line in enumerate(piece.split(b"\n"), before + 1):
        if text := _text(line):
            width, header = _width(file, number, text, shape)
            return width, number if header else 0
    return 0, 0


def _width(file: Path, number: int, text: str, shape: Optional[Sequence[int]]) -> tuple[int, bool]:
    """(how many fields of a line are read, whether the first line is a header)"""
    fields = text.lower().replace('"', "").split()
    header = not all(map(_is_number, fields))
    width = len(fields)
    if header:
        named = [fields.index(name) + 1 for name in _DISTANCES if name in fields]
        if not named:
            raise DatasetError(
                f"{file}: line {number:,}: a header without a distance; expected a column {', '.join(_DISTANCES[:-1])} "
                f"or {_DISTANCES[-1]} behind the tiles"
            )
        width = named[0]
    cells = width - 1
    if shape is not None:
        rows, cols = check_shape(shape)
        if cells != rows * cols:
            raise DatasetError(
                f"{file}: line {number:,}: {width} columns up to the distance, expected {rows * cols + 1}: the tiles "
                f"of a {rows}x{cols} board and its distance"
            )
    elif cells not in (4, 9, 16):
        raise DatasetError(
            f"{file}: line {number:,}: {width} columns up to the distance, expected 5, 10 or 17: the tiles of a board "
            f"and its distance; if the boards are not square, give their shape (--shape)"
        )
    return width, header


def _is_number(text: str) -> bool:
    return (text.isascii() and text.isdigit()) or (_NUMBER.fullmatch(text) is not None and float(text) % 1 == 0)


def _rows(
    file: Path, piece: bytes, before: int, width: int, header: int
) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]]:
    """(tiles, distances, line numbers) of a piece of the file; `before` lines are before it."""
    rows = plain_rows(piece, width)
    for line in np.flatnonzero(~rows.plain).tolist():
        number, text = before + 1 + line, _text(piece[rows.begins[line] : rows.ends[line]])
        if text and number != header:
            rows.values[line] = _numbers(file, number, text, width)
            rows.plain[line] = True
    values = rows.values if rows.plain.all() else rows.values[rows.plain]
    # What is no tile stays none as a byte: without their sign, negative numbers are large.
    tiles = np.minimum(values.view(np.uint16)[:, :-1], 255).astype(np.uint8)
    return tiles, values[:, -1].astype(np.int64), np.flatnonzero(rows.plain) + (before + 1)


def _numbers(file: Path, number: int, text: str, width: int) -> list[int]:
    """The first `width` numbers of a line."""
    fields = text.split()[:width]
    wrong = [each for each in fields if not _is_number(each) or abs(float(each)) >= _MOST]
    if wrong or len(fields) < width:
        found = f"{wrong[0][:20]!r}" if wrong else f"{len(fields)} numbers"
        raise DatasetError(
            f"{file}: line {number:,}: {found}, expected {width} whole numbers: the tiles and the distance"
        )
    return [int(float(each)) for each in fields]


def _bad_boards(published: Published) -> dict[int, BoardError]:
    """What is wrong with the rows that hold no board, or no distance."""
    _, _, errors = pack_readable(published.boards, published.shape)
    bad = {row: BoardError(str(error).partition(": ")[2]) for row, error in errors.items()}
    for row in np.flatnonzero(published.distances < 0).tolist():
        bad.setdefault(row, BoardError(f"distance {published.distances[row]}: expected a number of at least 0"))
    return bad


# ---------------------------------------------------------------- checking ---


class WrongRow(NamedTuple):
    """A row whose distance is wrong, or that holds no solvable board."""

    line: int
    board: str
    distance: int
    shortest: Optional[int]
    """The distance that the solver found, if the board has one."""

    problem: Optional[str]
    """What is wrong with the board."""

    def __str__(self) -> str:
        wrong = self.problem or f"distance {self.distance}, expected {self.shortest}"
        return f"line {self.line:,}: {self.board}: {wrong}"


@dataclass
class PublishedReport:
    """What `check_published` found.

    Attributes
    ----------
    path : Path
    goal : Board
    rows, sample : int
        Rows of the file, and those of them that were solved. Of all others, the boards are known to be solvable.
    wrong : list of WrongRow
        In the order of the file.
    """

    path: Path
    goal: Board
    rows: int
    sample: int
    wrong: list[WrongRow] = field(default_factory=list)

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
    workers: Any = 1,
    progress: Optional[Callable[[int, int], Any]] = None,
) -> PublishedReport:
    """Check boards and distances that others published: every board, and the distances of a sample or of all.

    Parameters
    ----------
    file, shape
        As for `read_published`.
    goal : board, optional
        A board, ``blank-last`` or ``blank-first``. By default, the one of the last two that fits: boards of most shapes
        can reach only one of them; otherwise the 40 nearest rows tell for which one the distances are right.
    sample : int, optional
        How many rows to solve, spread over the file; by default all.
    solver_of : callable
        From a goal to the solver that is used.
    workers : optional
        As for `Solver.solve_many`.
    progress : callable, optional
        Called with (rows solved so far, rows to solve).

    Returns
    -------
    PublishedReport

    Raises
    ------
    DatasetError
        The file cannot be read as such rows, or no goal fits better than the other.

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
    wrong = {row: str(error).rpartition("]: ")[2] for row, error in _bad_boards(published).items()}  # without the board
    readable = np.ones(len(published.boards), dtype=bool)
    readable[list(wrong)] = False
    rows = np.flatnonzero(readable)
    packed, _ = pack_boards(published.boards[rows], published.shape)
    if goal is None:
        end = _fitting_goal(file, packed, published.distances[rows], published.shape, solver_of)
    else:
        end = goal_of(published.shape)
    fine = solvable(packed, end)
    for row in rows[~fine].tolist():
        wrong[row] = f"it cannot reach the goal {end}"
    rows, packed = rows[fine], packed[fine]
    if sample is not None and whole("sample", sample) < len(rows):
        some = np.sort(np.random.default_rng(0).choice(len(rows), sample, replace=False))  # the same rows each time
        rows, packed = rows[some], packed[some]
    solver, shortest = solver_of(end), np.full(len(published.boards), -1, dtype=np.int64)
    for part in slices(len(rows), _CHUNK):
        if progress:
            progress(part.start, len(rows))
        shortest[rows[part]] = solver.distance_many(packed[part], workers=workers)
    if progress:
        progress(len(rows), len(rows))
    report = PublishedReport(file, end, len(published.boards), len(rows))
    different = rows[shortest[rows] != published.distances[rows]].tolist()
    for row in sorted([*wrong, *different]):
        report.wrong.append(
            WrongRow(
                line=int(published.lines[row]),
                board=_text_of(published, row),
                distance=int(published.distances[row]),
                shortest=None if row in wrong else int(shortest[row]),
                problem=wrong.get(row),
            )
        )
    return report


def _text_of(published: Published, row: int) -> str:
    """A board as text, also one that is none."""
    cells = published.boards[row].reshape(published.shape).tolist()
    return "/".join(" ".join(map(str, each)) for each in cells)


def _fitting_goal(
    file: Path,
    packed: NDArray[np.uint64],
    distances: NDArray[np.int64],
    shape: Shape,
    solver_of: Callable[[Board], Solver],
) -> Board:
    """The goal that boards and distances are for."""
    candidates = {"blank-last": Board.goal(shape), "blank-first": Board.goal(shape, home=0)}
    # Near boards are solved at once; a wrong goal would make most of them far.
    near = np.argsort(distances, kind="stable")[:_TRIED]
    right = {}
    for name, goal in candidates.items():
        fine = solvable(packed, goal)
        if 2 * int(fine.sum()) < len(packed):
            right[name] = 0
            continue
        some = near[fine[near]]
        right[name] = int((solver_of(goal).distance_many(packed[some]) == distances[some]).sum())
    best, other = sorted(right, key=lambda name: -right[name])
    if right[best] == right[other] or 2 * right[best] < len(near):
        told = ", ".join(f"{count} for {name}" for name, count in right.items())
        raise DatasetError(
            f"{file}: the goal cannot be told: of {len(near)} rows, this many have the right distance: {told}; give "
            f"the goal (--goal)"
        )
    return candidates[best]
