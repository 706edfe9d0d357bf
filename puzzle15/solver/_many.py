"""Many boards: checked together, answered by any workers, in chunks."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, Optional

from .._core.optimal.graph import Graph
from .._system.lazy import np
from .._system.threads import thread_count
from .._system.workers import spread
from ..board import Board, BoardsLike, Shape, parse_moves
from ..board._moves import directions_from_moves
from ..board._solvability import pack_solvable
from ..errors import BoardError, OptionError, Puzzle15Error
from ._analysis import Analysis, analysis_of, chunks, follow
from ._batches import AnswerBatch
from ._engine import Engine, Limits, Progress, letters_of_set
from ._hints import Hint, hint_of
from ._paths import turn_paths

if TYPE_CHECKING:
    from numpy.typing import NDArray

_CHUNKS = 64  # so that workers end together;
_MOST_IN_CHUNK = 256  # more, if a chunk would be longer: with the 7-8 tables, a tenth of a second's work


class Chunk(NamedTuple):
    """Boards for one worker, their limits, and for an analysis the moves from each."""

    packed: NDArray[np.uint64]
    limits: Limits
    moves: Sequence[Any]

    def boards(self, shape: Shape) -> list[Board]:
        return [Board._of(board, shape) for board in self.packed.tolist()]


#: Answers a chunk. It is called with (engine, chunk, threads, progress), and can be pickled.
Answer = Callable[[Engine, Chunk, int, Progress], Any]


class Many:
    """The checked boards of a call with the options of `Solver.solve_many`; any workers answer them."""

    def __init__(
        self, solver: Any, boards: BoardsLike, workers: Any, on_error: str, progress: Progress, **limits: Any
    ) -> None:
        start = time.monotonic()
        self._solver, self._workers, self._progress = solver, workers, progress
        self.goal = solver.goal
        in_threads = workers is None or hasattr(workers, "__index__")
        self._threads = thread_count(workers) if in_threads else None
        self.marks = on_error == "mark"
        self.packed, errors = pack_solvable(boards, solver.goal, on_error)
        self.errors: dict[int, Puzzle15Error] = dict(errors)
        self.limits = Limits.check(**limits, count=len(self.packed), start=start)

    def board(self, index: int) -> Optional[Board]:
        """A board; None if it is unreadable."""
        packed = int(self.packed[index])
        return Board._of(packed, self.goal.shape) if packed else None

    def good(self) -> NDArray[np.int64]:
        """The indices of the boards without errors."""
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
            Chunk(self.packed[part], self.limits.of(part), () if moves is None else moves[part].tolist())
            for part in parts
        )
        answers: Iterator[Any]
        if self._threads is not None and len(parts) == 1:
            answers = (answer(self._solver.engine, chunk, self._threads, self._report) for chunk in chunks)
        else:
            answers = spread(
                partial(_answer_alone, answer, self._solver),
                chunks,
                workers=self._workers,
                boards_of=lambda chunk: chunk.boards(self.goal.shape),
            )
        done = 0
        for part, found in zip(parts, answers):
            yield part, found
            done += len(part)
            self._report(done)

    def _report(self, done: int, count: int = 0) -> None:
        if self._progress:
            self._progress(len(self.errors) + done, len(self.packed))


def solutions(many: Many) -> dict[str, NDArray[Any]]:
    """Solutions as the columns of `Engine.solve`, with 0 for bad boards."""
    found: dict[str, NDArray[Any]] = {}
    for part, columns in many.answers(solve_chunk):
        for name, column in columns.items():
            if len(part) == len(many.packed):
                found[name] = column
                continue
            if name not in found:
                found[name] = np.zeros((len(many.packed), *column.shape[1:]), column.dtype)
            found[name][part] = column
    return found


def hints(many: Many) -> AnswerBatch[Hint]:
    """The hints for the boards."""
    answers = many.answers(hint_chunk, together=not many.limits.any)
    bad = {i: Hint(many.board(i), many.goal, "error", None, "", 0, error=error) for i, error in many.errors.items()}
    return _batch(many, answers, bad, Hint(None, many.goal, "limit", None, "", 0))


def analyses(many: Many, texts: Sequence[str], convention: str) -> AnswerBatch[Analysis]:
    """The analyses of moves from the boards."""
    if len(texts) != len(many.packed):
        raise OptionError(f"{len(texts)} moves: expected one text for each of {len(many.packed)} boards")
    letters = np.full(len(texts), "", dtype=object)
    for index in many.good().tolist():
        board = many.board(index)
        assert board is not None
        try:
            letters[index] = parse_moves(texts[index], convention=convention)
            board.apply(texts[index], convention=convention)
        except BoardError as error:
            many.errors[index] = BoardError(f"board {index}: {error}")
            if not many.marks:
                raise many.errors[index] from None
    parts = None
    if many.limits.max_nodes is None:
        counts = np.array([len(each) + 1 for each in letters], dtype=np.int64)
        parts = chunks(many.good(), many.packed, counts)
    answers = many.answers(analyse_chunk, moves=letters, together=False, parts=parts)
    bad = {
        index: Analysis(many.board(index), many.goal, letters[index], (), (), "", "error", error)
        for index, error in many.errors.items()
    }
    return _batch(many, answers, bad, Analysis(None, many.goal, "", (), (), "", "limit"))


def _batch(
    many: Many, answers: Iterable[tuple[NDArray[np.int64], Any]], bad: dict[int, Any], empty: Any
) -> AnswerBatch[Any]:
    found = dict(bad)
    for part, some in answers:
        found.update(zip(part.tolist(), some))
    return AnswerBatch([found[index] for index in range(len(many.packed))], empty)


def solve_chunk(engine: Engine, chunk: Chunk, threads: int, progress: Progress) -> dict[str, NDArray[Any]]:
    """Solutions, as the columns of `Engine.solve`."""
    return engine.solve(chunk.packed, chunk.limits, threads, progress)


def hint_chunk(engine: Engine, chunk: Chunk, threads: int, progress: Progress) -> list[Hint]:
    """Hints; without limits, the boards share their searches."""
    boards = chunk.boards(engine.goal.shape)
    if chunk.limits.any:
        return list(_hints_within_limits(engine, chunk, boards, threads))
    results = engine.solve(chunk.packed, threads=threads)
    distance, path = results["length"], results["path"]
    turn_paths(distance, engine.orientation.direction_back, path)
    first, expanded, generated = engine.first_moves(chunk.packed, distance, path, threads=threads, progress=progress)
    order = directions_from_moves("UDLR")
    return [
        Hint(board, engine.goal, "solved", length, letters_of_set(directions, order), length, *counts)
        for board, length, directions, *counts in zip(
            boards,
            distance.tolist(),
            first.tolist(),
            (results["expanded"] + expanded).tolist(),
            (results["generated"] + generated).tolist(),
        )
    ]


def _hints_within_limits(engine: Engine, chunk: Chunk, boards: Sequence[Board], threads: int) -> Iterator[Hint]:
    for index, board in enumerate(boards):
        if chunk.limits.seconds_left <= 0:
            bounds = engine.solve(chunk.packed[index:], chunk.limits, threads)["lower_bound"].tolist()
            yield from (Hint(each, engine.goal, "limit", None, "", h) for each, h in zip(boards[index:], bounds))
            return
        yield hint_of(engine, board, chunk.limits.of(index), threads)


def analyse_chunk(engine: Engine, chunk: Chunk, threads: int, progress: Progress) -> list[Analysis]:
    """Analyses; without a limit of nodes, those of the same board share what is learned."""
    walks = list(zip(chunk.boards(engine.goal.shape), chunk.moves))
    if chunk.limits.max_nodes is not None:
        return [analysis_of(engine, *walk, chunk.limits.of(i), threads) for i, walk in enumerate(walks)]
    starts = np.unique(chunk.packed)
    results = engine.solve(starts, chunk.limits, threads)
    graph = Graph(engine.tables.problem, threads)
    solved = results["solved"] == 1
    lengths, turned = results["length"][solved].tolist(), engine.orientation.turn(starts[solved]).tolist()
    for start, path, length in zip(turned, results["path"][solved], lengths):
        graph.add(start, engine.tables.problem.directions_of_path(path, length))
    known = np.isin(chunk.packed, starts[solved])
    followed = iter(follow(engine, graph, [walk for walk, is_known in zip(walks, known) if is_known], chunk.limits))
    return [
        next(followed) if is_known else Analysis(board, engine.goal, moves, (), (), "", "limit")
        for (board, moves), is_known in zip(walks, known)
    ]


def _answer_alone(answer: Answer, solver: Any, chunk: Chunk) -> Any:
    return answer(solver.engine, chunk, 1, None)


def _parts_of(rows: NDArray[np.int64]) -> Iterable[NDArray[np.int64]]:
    size = min(max(-(-len(rows) // _CHUNKS), 1), _MOST_IN_CHUNK)
    return (rows[begin : begin + size] for begin in range(0, len(rows), size))
