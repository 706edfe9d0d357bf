"""The answers for many boards, as sequences that can be made into tables."""

from __future__ import annotations

import copy
import operator
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Generic, SupportsIndex, TypeVar, Union, cast, overload

from .. import _pictures
from .._system.lazy import np
from .._system.quantities import count_text
from ..board import Board, format_boards, format_moves
from ..board._moves import KINDS, Convention
from ..errors import Puzzle15Error
from ._solution import Solution, Status

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SHOWN = 10  # the rows of a batch that a notebook shows


Each = TypeVar("Each")
EachSolution = TypeVar("EachSolution", bound=Solution)
Self = TypeVar("Self", bound="AnswerBatch[Any]")


class AnswerBatch(Sequence[Each], Generic[Each]):
    """The hints or the analyses of many boards: ``batch[i]`` is one of them, and ``batch[i:j]`` a smaller batch.

    Attributes
    ----------
    errors : dict of int to Puzzle15Error
        What was wrong with the boards that were marked, by index. The messages name indices in the whole batch, also
        those of a slice.

    Examples
    --------
    >>> from puzzle15 import Solver
    >>> hints = Solver(shape=(3, 3)).hint_many(["8 6 7/2 5 4/3 0 1", "1 2 3/4 5 6/7 0 8"])
    >>> hints[1].best_moves, hints.to_dict()["moves"]
    ('L', ['DLR', 'L'])
    """

    def __init__(self, answers: Iterable[Each], empty: Each) -> None:
        self._answers: tuple[Any, ...] = tuple(answers)
        self._empty = empty
        found = {index: answer.error for index, answer in enumerate(self._answers)}
        self.errors = {index: error for index, error in found.items() if error is not None}

    def __len__(self) -> int:
        return len(self._answers)

    def _answer(self, index: int) -> Each:
        """Return the answer at an index from 0 to the length."""
        answer: Each = self._answers[index]
        return answer

    @overload
    def __getitem__(self, index: SupportsIndex) -> Each: ...
    @overload
    def __getitem__(self: Self, index: slice) -> Self: ...
    def __getitem__(self, index: Union[SupportsIndex, slice]) -> Any:
        if isinstance(index, slice):
            return self._part(index)
        index, count = operator.index(index), len(self)
        if not -count <= index < count:
            raise IndexError(f"board {index} of {count}")
        return self._answer(index % count)

    def _part(self: Self, index: slice) -> Self:
        part = copy.copy(self)
        for name, value in vars(self).items():
            if isinstance(value, (np.ndarray, tuple)):  # a value per board
                setattr(part, name, value[index])
        indices = enumerate(range(len(self))[index])
        part.errors = {new: self.errors[old] for new, old in indices if old in self.errors}
        return part

    def __iter__(self) -> Iterator[Each]:
        return map(self._answer, range(len(self)))

    def to_dict(self, *, convention: Convention = "tile") -> dict[str, list[Any]]:
        """The fields of the answers as columns, lists of a value per board; `convention` as for `Solution.to_dict`.

        >>> from puzzle15 import Solver
        >>> batch = Solver(shape=(3, 3)).solve_many(["1 2 3/4 5 6/7 0 8", "1 2 3/0 5 6/4 7 8"])
        >>> batch.to_dict()["board"], batch.to_dict()["moves"]           # pandas.DataFrame makes a table of them
        (['1 2 3/4 5 6/7 0 8', '1 2 3/0 5 6/4 7 8'], ['L', 'ULL'])
        """
        answers: Iterable[Any] = self
        records = [answer.to_dict(convention=convention) for answer in answers]
        empty: Any = self._empty
        return {name: [record[name] for record in records] for name in empty.to_dict()}

    def to_dicts(self, *, convention: Convention = "tile") -> list[dict[str, Any]]:
        """Return the `to_dict` of every answer, in order."""
        columns = self.to_dict(convention=convention)
        return [dict(zip(columns, row)) for row in zip(*columns.values())]

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and list(self) == list(other)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {count_text(len(self), 'board')}, {len(self.errors)} bad>"


class Solutions(AnswerBatch[EachSolution]):
    """The solutions of many boards, as arrays; ``batch[i]`` is a `Solution`, and ``batch[i:j]`` a smaller batch.

    Solvers, searches and local value iteration answer with such batches, all with the same attributes. ``to_dict``
    makes columns of all fields, for `pandas.DataFrame`.

    Attributes
    ----------
    lengths : ndarray of int32, shape (N,)
        Moves of the solutions, shortest or not; -1 where there is none.
    lower_bounds : ndarray of int32, shape (N,)
        No solution is shorter, which is proved; 0 for a board that failed.
    solved, optimal : ndarray of bool, shape (N,)
        Where there is a solution, and where it is proved to be a shortest one.
    expanded, generated, largest_open, memory_bytes : ndarray of uint64, shape (N,)
    seconds : ndarray of float64, shape (N,)
    status : ndarray of str, shape (N,)
        As in `Solution`.
    errors : dict of int to Puzzle15Error
        As in `AnswerBatch`.
    """

    lengths: NDArray[np.int32]
    lower_bounds: NDArray[np.int32]
    optimal: NDArray[np.bool_]
    expanded: NDArray[np.uint64]
    generated: NDArray[np.uint64]
    largest_open: NDArray[np.uint64]
    memory_bytes: NDArray[np.uint64]
    seconds: NDArray[np.float64]
    status: NDArray[np.str_]

    def __len__(self) -> int:
        return len(self.lengths)

    @property
    def solved(self) -> NDArray[np.bool_]:
        solved: NDArray[np.bool_] = self.lengths >= 0
        return solved

    def _repr_html_(self) -> str:
        rows = []
        for index, solution in enumerate(self[:_SHOWN]):
            moves = str(solution.error or format_moves(solution.moves or "", compress=True))
            board = "" if solution.board is None else solution.board
            rows.append((index, board, solution.status, solution.length, moves, solution.expanded))
        header = ("#", "board", "status", "length", "moves", "nodes expanded")
        return _pictures.table_html(header, rows, self._totals())

    def _totals(self) -> str:
        """Return a sentence about all answers."""
        solved = self.lengths[self.status == "solved"]
        boards = count_text(len(self), "board")
        if len(self) > _SHOWN:
            boards = f"{len(self) - _SHOWN:,} more. All {boards}"
        kind = KINDS[self._empty.metric]
        mean = f", {solved.mean():.2f} {kind}s on average" if len(solved) else ""
        return (
            f"{boards}: {len(solved):,} solved{mean}; {int(self.expanded.sum()):,} nodes expanded; "
            f"{self.seconds.sum():,.3f} s."
        )

    def __repr__(self) -> str:
        solved = int((self.status == "solved").sum())
        return f"<{type(self).__name__} of {count_text(len(self), 'board')}, {solved} solved>"


class SolutionBatch(Solutions[Solution]):
    """The answers of a `Solver` for many boards; every solution is optimal. The attributes are those of `Solutions`.

    Examples
    --------
    >>> from puzzle15 import Solver
    >>> batch = Solver(shape=(3, 3)).solve_many(["1 2 3/4 5 6/7 0 8", "8 6 7/2 5 4/3 0 1", "1 2 3/0 5 6/4 7 8"])
    >>> batch[-1].moves, batch[1:].lengths.tolist(), [solution.length for solution in batch]
    ('ULL', [31, 3], [1, 31, 3])
    """

    def __init__(
        self, solver: Any, packed: NDArray[np.uint64], results: dict[str, Any], errors: dict[int, Puzzle15Error]
    ) -> None:
        """Take the columns of `Engine.solve` for packed boards, which are 0 where a board is unreadable."""
        self._solver = solver  # makes moves of paths
        self._empty = Solution(None, solver.goal, "limit", None, False, 0, 0, 0, 0.0, metric=solver.metric)
        self._packed, self._paths = packed, results["path"]
        failed = np.zeros(len(packed), dtype=bool)
        failed[list(errors)] = True
        solved = results["solved"].astype(bool) & ~failed
        self.errors = errors
        self.lengths = np.where(solved, results["length"].astype(np.int32), np.int32(-1))
        self.lower_bounds = np.where(failed, np.int32(0), results["lower_bound"].astype(np.int32))
        self.optimal = solved
        self.expanded, self.generated = results["expanded"], results["generated"]
        self.largest_open = self.memory_bytes = np.zeros(len(packed), dtype=np.uint64)
        self.seconds = results["seconds"]
        self.status = np.where(failed, "error", np.where(solved, "solved", "limit"))

    def _answer(self, index: int) -> Solution:
        length, packed, empty = int(self.lengths[index]), int(self._packed[index]), self._empty
        return Solution(
            board=Board._of(packed, empty.goal.shape) if packed else None,
            goal=empty.goal,
            status=cast("Status", str(self.status[index])),
            moves=self._moves(index, length) if length >= 0 else None,
            optimal=bool(self.optimal[index]),
            lower_bound=int(self.lower_bounds[index]),
            expanded=int(self.expanded[index]),
            generated=int(self.generated[index]),
            seconds=float(self.seconds[index]),
            error=self.errors.get(index),
            metric=empty.metric,
        )

    def _moves(self, index: int, length: int) -> str:
        letters: str = self._solver.engine.letters_of_path(self._paths[index], length)
        return letters

    def to_dict(self, *, convention: Convention = "tile") -> dict[str, list[Any]]:
        lengths = self.lengths.tolist()
        letters = [self._moves(index, length) if length > 0 else "" for index, length in enumerate(lengths)]
        texts = format_moves("\n".join(letters), convention=convention).split("\n")
        columns = {
            **{name: [value] * len(self) for name, value in self._empty.to_dict(convention=convention).items()},
            "board": format_boards(self._packed, self._empty.goal.shape),
            "length": [length if length >= 0 else None for length in lengths],
            "moves": [text if length >= 0 else None for text, length in zip(texts, lengths)],
            "optimal": self.optimal.tolist(),
            "lower_bound": self.lower_bounds.tolist(),
            "expanded": self.expanded.tolist(),
            "generated": self.generated.tolist(),
            "seconds": [round(seconds, 6) for seconds in self.seconds.tolist()],
            "status": self.status.tolist(),
            "improvements": [[] for _ in lengths],
        }
        for index in self.errors:
            for name, value in self._answer(index).to_dict(convention=convention).items():
                columns[name][index] = value
        return columns
