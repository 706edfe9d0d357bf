"""Many boards: checked together, answered by any workers, and the answers as columns or as a batch."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Protocol

from ..board import Board, BoardsLike, Shape, directions_from_moves, pack_solvable, parse_moves
from ..errors import BoardError, Puzzle15Error
from ..parallel import spread, thread_count
from ..system.later import np
from .analysis import Analyser, Analysis, analysis_of, chunks
from .batches import AnswerBatch
from .engine import Engine, Progress, letters_of_set
from .hints import Explorer, Hint
from .limits import Limits

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Many", "analyses", "hints", "solve_chunk"]

_CHUNKS = 64  # so that workers end together;
_MOST_IN_CHUNK = 256  # more, if a chunk would be longer: with the 7-8 tables, a tenth of a second's work


class Chunk(NamedTuple):
    """Boards for one worker, their limits, and for an analysis the moves from each."""

    packed: NDArray[np.uint64]
    limits: Limits
    moves: Sequence[Any]

    def boards(self, shape: Shape) -> list[Board]:
        """The boards, unpacked."""
        return [Board._of(board, shape) for board in self.packed.tolist()]


class HasEngine(Protocol):
    """What answers need of a solver."""

    goal: Board
    engine: Engine


#: The columns that answer a chunk. It is called with (solver, chunk, threads, progress), and can be pickled.
Answer = Callable[[HasEngine, Chunk, int, Progress], dict[str, "NDArray[Any]"]]


class Many:
    """The checked boards of a call with the options of `Solver.solve_many`; any workers answer them."""

    def __init__(
        self,
        solver: HasEngine,
        boards: BoardsLike,
        workers: Any,
        on_error: str,
        progress: Progress,
        **limits: Any,
    ) -> None:
        start = time.monotonic()
        self._solver, self._workers, self._progress = solver, workers, progress
        self.goal = solver.goal
        self._threads = 1 if workers is None else thread_count(workers) if hasattr(workers, "__index__") else None
        self.marks = on_error == "mark"
        self.packed, errors = pack_solvable(boards, solver.goal, on_error)
        self.errors: dict[int, Puzzle15Error] = dict(errors)
        self.limits = Limits.check(**limits, count=len(self.packed), start=start)

    def board(self, index: int) -> Optional[Board]:
        """A board; None if it is unreadable."""
        packed = int(self.packed[index])
        return Board._of(packed, self._solver.goal.shape) if packed else None

    def good(self) -> NDArray[np.int64]:
        """The indices of the boards without errors."""
        return np.setdiff1d(np.arange(len(self.packed)), list(self.errors))

    def columns(
        self,
        answer: Answer,
        *,
        moves: Optional[NDArray[Any]] = None,
        together: bool = True,
        parts: Optional[Iterable[NDArray[np.int64]]] = None,
    ) -> dict[str, NDArray[Any]]:
        """What `answer` gives for the good boards, as columns of all boards, with 0 for bad ones.

        If `together`, threads of this process share all boards, and not chunks of them. `parts` are the indices of each
        chunk.
        """
        rows = self.good()
        parts = list(_parts_of(rows) if parts is None else parts) or [rows]
        if self._threads is not None:
            self._solver.engine.load_for(len(rows), self.limits)
            parts = [rows] if together else parts
        chunks = (
            Chunk(self.packed[part], self.limits.of(part), () if moves is None else moves[part].tolist())
            for part in parts
        )
        answers: Iterator[dict[str, NDArray[Any]]]
        if self._threads is not None and len(parts) == 1:
            answers = (answer(self._solver, chunk, self._threads, self._report) for chunk in chunks)
        else:
            answers = spread(
                partial(_answer_alone, answer, self._solver),
                chunks,
                workers=None if self._threads == 1 else self._workers,
                boards_of=lambda chunk: chunk.boards(self._solver.goal.shape),
            )
        found: dict[str, NDArray[Any]] = {}
        done = 0
        for part, columns in zip(parts, answers):
            for name, column in columns.items():
                if part is rows and not self.errors:  # these are all boards
                    found[name] = column
                    continue
                if name not in found:
                    found[name] = np.zeros((len(self.packed), *column.shape[1:]), column.dtype)
                found[name][part] = column
            done += len(part)
            self._report(done)
        return found

    def _report(self, done: int, count: int = 0) -> None:
        if self._progress:
            self._progress(len(self.errors) + done, len(self.packed))


def hints(many: Many) -> AnswerBatch[Hint]:
    """The hints for the boards."""
    found = list(many.columns(hint_chunk, together=not many.limits.any)["answer"])
    for index, error in many.errors.items():
        found[index] = Hint(many.board(index), many.goal, "error", None, "", 0, error=error)
    return AnswerBatch(found, Hint(None, many.goal, "limit", None, "", 0))


def analyses(many: Many, texts: Sequence[str], convention: str) -> AnswerBatch[Analysis]:
    """The analyses of moves from the boards."""
    if len(texts) != len(many.packed):
        raise ValueError(f"{len(texts)} moves: expected one text for each of {len(many.packed)} boards")
    letters = np.full(len(texts), "", dtype=object)
    for index in many.good().tolist():
        board = many.board(index)
        assert board is not None
        try:
            letters[index] = parse_moves(texts[index], convention)
            board.apply(texts[index], convention)
        except BoardError as error:
            many.errors[index] = BoardError(f"board {index}: {error}")
            if not many.marks:
                raise many.errors[index] from None
    parts = None
    if many.limits.max_nodes is None:
        counts = np.array([len(each) + 1 for each in letters], dtype=np.int64)
        parts = chunks(many.good(), many.packed, counts)
    found = list(many.columns(analyse_chunk, moves=letters, together=False, parts=parts)["answer"])
    for index, wrong in many.errors.items():
        found[index] = Analysis(many.board(index), many.goal, letters[index], (), (), "", "error", wrong)
    return AnswerBatch(found, Analysis(None, many.goal, "", (), (), "", "limit"))


def solve_chunk(solver: HasEngine, chunk: Chunk, threads: int, progress: Progress) -> dict[str, NDArray[Any]]:
    """Solutions, as the columns of `Engine.solve`."""
    return solver.engine.solve(chunk.packed, chunk.limits, threads, progress)


def hint_chunk(solver: HasEngine, chunk: Chunk, threads: int, progress: Progress) -> dict[str, NDArray[Any]]:
    """Hints; without limits, the boards share their searches."""
    engine, packed = solver.engine, chunk.packed
    boards = chunk.boards(engine.goal.shape)
    if chunk.limits.any:
        return _answers(_hints_within_limits(engine, chunk, boards, threads))
    results = engine.solve(packed, threads=threads)
    back = np.frombuffer(engine.orientation.direction_back, dtype=np.uint8)
    distance = results["length"]
    first = np.where(distance > 0, np.uint8(1) << back[results["path"][:, 0] & 3], 0).astype(np.uint8)
    others, expanded, generated = engine.first_moves(packed, distance, first, threads, progress)
    order = directions_from_moves("UDLR")
    return _answers(
        Hint(board, engine.goal, "solved", length, letters_of_set(directions, order), length, *counts)
        for board, length, directions, *counts in zip(
            boards,
            distance.tolist(),
            (first | others).tolist(),
            (results["expanded"] + expanded).tolist(),
            (results["generated"] + generated).tolist(),
        )
    )


def _hints_within_limits(engine: Engine, chunk: Chunk, boards: Sequence[Board], threads: int) -> Iterator[Hint]:
    bounds = engine.lower_bounds(chunk.packed).tolist()
    for index, board in enumerate(boards):
        if chunk.limits.seconds_left > 0:
            start = time.monotonic()
            yield Hint.of(Explorer(engine, board, chunk.limits.of_each(index), threads), start)
        else:
            yield Hint(board, engine.goal, "limit", None, "", bounds[index])


def analyse_chunk(solver: HasEngine, chunk: Chunk, threads: int, progress: Progress) -> dict[str, NDArray[Any]]:
    """Analyses; without a limit of nodes, those of the same board share what is learned."""
    engine = solver.engine
    walks = list(zip(chunk.boards(engine.goal.shape), chunk.moves))
    if chunk.limits.max_nodes is not None:
        return _answers(
            analysis_of(engine, *walk, chunk.limits.of_each(index), threads) for index, walk in enumerate(walks)
        )
    starts = np.unique(chunk.packed)
    results = engine.solve(starts, chunk.limits, threads)
    analyser = Analyser(engine, threads)
    solved = results["solved"] == 1
    for start, path, length in zip(starts[solved], results["path"][solved], results["length"][solved].tolist()):
        analyser.add(Board._of(int(start), engine.goal.shape), engine.letters_of_path(path, length))
    known = np.isin(chunk.packed, starts[solved])
    followed = iter(analyser.follow([walk for walk, is_known in zip(walks, known) if is_known], chunk.limits))
    return _answers(
        next(followed) if is_known else Analysis(*walk[:1], engine.goal, walk[1], (), (), "", "limit")
        for walk, is_known in zip(walks, known)
    )


def _answers(answers: Iterable[Any]) -> dict[str, NDArray[Any]]:
    """Answers as a column."""
    found = list(answers)
    column = np.empty(len(found), dtype=object)
    column[:] = found
    return {"answer": column}


def _answer_alone(answer: Answer, solver: HasEngine, chunk: Chunk) -> dict[str, NDArray[Any]]:
    return answer(solver, chunk, 1, None)


def _parts_of(rows: NDArray[np.int64]) -> Iterable[NDArray[np.int64]]:
    size = min(max(-(-len(rows) // _CHUNKS), 1), _MOST_IN_CHUNK)
    return (rows[begin : begin + size] for begin in range(0, len(rows), size))
