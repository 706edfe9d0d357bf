"""Many boards: checked together, answered by any workers, in chunks."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Optional

from .._system.lazy import np
from .._system.threads import thread_count
from .._system.workers import Workers, map_chunks
from ..board import Board, BoardsLike, parse_moves
from ..board._moves import Convention
from ..board._packing import OnError
from ..board._solvability import pack_solvable
from ..errors import BoardError, OptionError, Puzzle15Error
from ._batches import AnswerBatch
from ._engine import Engine, Limits, Progress

if TYPE_CHECKING:
    from numpy.typing import NDArray

_CHUNKS = 64  # so that workers end together;
_MOST_IN_CHUNK = 256  # more, if a chunk would be longer: with the 7-8 tables, a tenth of a second's work

#: Answers some boards: ``answer(engine, packed, limits, threads=1, progress=None)``, with the moves from the boards
#: after the limits if there are any. It can be pickled.
Answer = Callable[..., Any]


class Many:
    """The checked boards of a call with the options of `Solver.solve_many`; any workers answer them."""

    def __init__(
        self, solver: Any, boards: BoardsLike, workers: Workers, on_error: OnError, progress: Progress, **limits: Any
    ) -> None:
        start = time.monotonic()
        self._solver, self._workers, self._progress = solver, workers, progress
        self.goal = solver.goal
        in_threads = workers is None or hasattr(workers, "__index__")
        self._threads = thread_count(workers) if in_threads else None
        self.packed, errors = pack_solvable(boards, solver.goal, on_error)  # which checks on_error
        self.marks = on_error == "mark"
        self.errors: dict[int, Puzzle15Error] = dict(errors)
        self.limits = Limits.check(**limits, count=len(self.packed), start=start)

    def board(self, index: int) -> Optional[Board]:
        """Return a board; None if it is unreadable."""
        packed = int(self.packed[index])
        return Board._of(packed, self.goal.shape) if packed else None

    def good(self) -> NDArray[np.int64]:
        """Return the indices of the boards without errors."""
        indices = np.arange(len(self.packed))
        return np.delete(indices, list(self.errors)) if self.errors else indices

    def answers(
        self,
        answer: Answer,
        *,
        moves: Optional[NDArray[Any]] = None,
        together: bool = True,
        parts: Optional[Iterable[NDArray[np.int64]]] = None,
    ) -> Iterator[tuple[NDArray[np.int64], Any]]:
        """(indices, what `answer` gives for these good boards) for all chunks, or for those of `parts`.

        If `together`, threads of this process share all boards, and not chunks of them.
        """
        rows = self.good()
        if self._threads is not None:
            self._solver.engine.load_for(len(rows), self.limits)
        if together and self._threads is not None:
            parts = [rows]
        else:
            parts = list(_parts_of(rows) if parts is None else parts) or [rows]
        chunks = (
            (self.packed[part], self.limits.of(part), *([] if moves is None else [moves[part].tolist()]))
            for part in parts
        )
        answers: Iterator[Any]
        if self._threads is not None and len(parts) == 1:
            alone = partial(answer, self._solver.engine, threads=self._threads, progress=self._report)
            answers = (alone(*chunk) for chunk in chunks)
        else:
            answers = map_chunks(
                partial(_answer_alone, answer, self._solver),
                chunks,
                workers=self._workers,
                boards_of=lambda chunk: [Board._of(board, self.goal.shape) for board in chunk[0].tolist()],
            )
        done = 0
        for part, found in zip(parts, answers):
            yield part, found
            done += len(part)
            self._report(done)

    def solutions(self) -> dict[str, NDArray[Any]]:
        """Solutions as the columns of `Engine.solve`, with 0 for bad boards."""
        found: dict[str, NDArray[Any]] = {}
        for part, columns in self.answers(Engine.solve):
            if len(part) == len(self.packed):
                found = columns
                continue
            for name, column in columns.items():
                if name not in found:
                    found[name] = np.zeros((len(self.packed), *column.shape[1:]), column.dtype)
                found[name][part] = column
        return found

    def batch(
        self, answer: Answer, empty: Any, *, moves: Optional[NDArray[Any]] = None, **options: Any
    ) -> AnswerBatch[Any]:
        """Return what `answers` gives, board by board; for bad boards, copies of `empty` with their errors."""
        found: dict[int, Any] = {}
        for part, some in self.answers(answer, moves=moves, **options):
            found.update(zip(part.tolist(), some))
        for index, error in self.errors.items():
            given = {} if moves is None else {"moves": moves[index]}
            found[index] = replace(empty, board=self.board(index), status="error", error=error, **given)
        return AnswerBatch([found[index] for index in range(len(self.packed))], empty)

    def read_moves(self, texts: Sequence[str], convention: Convention) -> NDArray[Any]:
        """Return the letters of moves from the good boards; where they are bad, a further error, or an exception."""
        if len(texts) != len(self.packed):
            raise OptionError(f"{len(texts)} moves: expected one text for each of {len(self.packed)} boards")
        letters = np.full(len(texts), "", dtype=object)
        for index in self.good().tolist():
            board = self.board(index)
            assert board is not None
            try:
                letters[index] = parse_moves(texts[index], convention=convention)
                board.apply(texts[index], convention=convention)
            except BoardError as error:
                self.errors[index] = BoardError(f"board {index}: {error}")
                if not self.marks:
                    raise self.errors[index] from None
        return letters

    def _report(self, done: int, count: int = 0) -> None:
        if self._progress:
            self._progress(len(self.errors) + done, len(self.packed))


def _answer_alone(answer: Answer, solver: Any, chunk: tuple[Any, ...]) -> Any:
    return answer(solver.engine, *chunk)


def _parts_of(rows: NDArray[np.int64]) -> Iterable[NDArray[np.int64]]:
    size = min(max(-(-len(rows) // _CHUNKS), 1), _MOST_IN_CHUNK)
    return (rows[begin : begin + size] for begin in range(0, len(rows), size))
