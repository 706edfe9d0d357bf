"""`search_many`, which runs a search on many boards, and the workers who run searches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Optional, Union

from .._system.lazy import np
from .._system.workers import Workers, map_chunks, worker_count
from ..board import Board, BoardLike, BoardsLike, pack_boards
from ..board._board import goal_of
from ..board._packing import OnError
from ..board._solvability import pack_solvable
from ..errors import OptionError, Puzzle15Error
from ..heuristics._evaluation import own_goal
from ..solver import Solution
from ..solver._batches import Solutions
from ._options import CALLBACKS, SearchFields, SearchOptions, options_of, takes_fields
from ._registering import COUNTS
from ._run import Search

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from typing_extensions import Unpack

#: A search, and the boards that it runs on.
Job = tuple[Search, Sequence[Board]]

_CHUNKS = 64  # that boards are spread in, so that workers end together;
_MOST_IN_CHUNK = 256  # more, if a chunk would be longer


class SearchBatch(Solutions[Solution]):
    """The answers of a textbook search on many boards, with the attributes of `puzzle15.SolutionBatch`.

    Parameters
    ----------
    solutions : iterable of Solution

    Examples
    --------
    >>> batch = search_many(["1 2 3/0 5 6/4 7 8", "8 6 7/2 5 4/3 0 1"], algorithm="greedy")
    >>> batch[0].moves, batch.lengths.tolist(), batch.to_dict()["optimal"]
    ('ULL', [3, 47], [True, False])
    """

    def __init__(self, solutions: Iterable[Solution]) -> None:
        super().__init__(solutions, Solution(None, Board.goal(), "limit", None, False, 0, 0, 0, 0.0))
        known, dtypes = self._answers, dict[str, Any](optimal=bool, seconds=np.float64, status="U6")
        self.lengths = np.array([-1 if each.moves is None else len(each.moves) for each in known], dtype=np.int32)
        self.lower_bounds = np.array([each.lower_bound for each in known], dtype=np.int32)
        for name, dtype in {**dict.fromkeys(COUNTS, np.uint64), **dtypes}.items():
            setattr(self, name, np.array([getattr(each, name) for each in known], dtype=dtype))


@takes_fields(SearchFields)
def search_many(
    boards: BoardsLike,
    options: Union[SearchOptions, str, None] = None,
    *,
    goal: Optional[BoardLike] = None,
    shape: Optional[Sequence[int]] = None,
    workers: Workers = 1,
    on_error: OnError = "raise",
    progress: Optional[Callable[[int, int], Any]] = None,
    **fields: Unpack[SearchFields],
) -> SearchBatch:
    """Search for solutions of many boards with one textbook algorithm.

    The answers and their counts are those of `search` for each board, with any workers.

    Parameters
    ----------
    boards : array or iterable
        As for `Solver.solve_many`. All have the same shape and goal.
    options, goal, shape, **fields
        As for `search`, without `on_expand`. With one worker, `on_iteration` and `on_improvement` are called with the
        index of the board and then the `Iteration` or the `Improvement`. Limits hold per board: the whole call may take
        N times as long as `time_limit_s`, and with several workers, several searches may take `max_memory` at the same
        time. By default, they share three quarters of the available memory.
    workers : int or executor
        Threads, or an executor: anything with ``submit`` (see
        `puzzle15.dataset.connect`). Threads search in parallel, except in your own Python functions, where they
        take turns; processes do not. Each process makes the heuristic once, and opens the tables in the folder that was
        given.
    on_error : {"raise", "mark"}
        Whether the first bad board raises before anything is searched, or each is marked.
    progress : callable, optional
        Called with (boards done, boards) after each board, with several workers after each of 64 chunks or more, and at
        the end.

    Returns
    -------
    SearchBatch

    Raises
    ------
    BoardError, UnsolvableError
        With the index of the first bad board.
    ChunkError
        Workers failed, and not the search.
    Exception
        What `search` raises.

    Examples
    --------
    >>> batch = search_many(["1 2 3/0 5 6/4 7 8", "8 6 7/2 5 4/3 0 1"], algorithm="ida*", max_nodes=100, workers=2)
    >>> batch.status.tolist(), batch.lower_bounds.tolist(), batch.generated.tolist()
    (['solved', 'limit'], [3, 25], [6, 100])
    >>> boards = ["1 2 3/0 5 6/4 7 8", "1 2 3/4 0 5/7 8 6"]
    >>> search_many(boards, algorithm="ida*", on_iteration=lambda index, each: print(index, each.bound))
    0 3
    1 2
    <SearchBatch of 2 boards, 2 solved>
    """
    options = options_of(search_many, options, fields)
    at: list[int] = []  # the index of the board that is searched
    options = _numbered(options, at, workers)
    boards = boards if hasattr(boards, "__len__") else list(boards)
    target = common_goal(boards, own_goal(options.heuristic) if goal is None else goal, shape)
    search = Search(options, target, worker_count(workers))
    packed, errors = pack_solvable(boards, target, on_error)
    return search_packed(search, packed, errors, workers, progress, at)


def search_packed(
    search: Search,
    packed: NDArray[np.uint64],
    errors: Mapping[int, Puzzle15Error],
    workers: Workers,
    progress: Optional[Callable[[int, int], Any]],
    at: Optional[list[int]] = None,
) -> SearchBatch:
    """Return the answers of one search for packed boards; those with errors are marked, and not searched.

    `at` is filled with the indices of the boards that are searched next.
    """
    good = [index for index in range(len(packed)) if index not in errors]
    parts = len(good) if is_alone(workers) else max(min(len(good), _CHUNKS), -(-len(good) // _MOST_IN_CHUNK))
    chunks = [good[part::parts] for part in range(parts)]  # neighbours are often equally hard
    found, goal = {}, search.goal
    for index, error in errors.items():
        board = Board._of(int(packed[index]), goal.shape) if packed[index] else None  # 0: nothing could be read
        names: dict[str, Any] = {"algorithm": search.algorithm.name, "heuristic": search.heuristic_name}
        found[index] = Solution(board, goal, "error", None, False, 0, 0, 0, 0.0, error=error, **names)

    def jobs() -> Iterator[Job]:
        for chunk in chunks:
            if at is not None:
                at[:] = chunk
            yield search, [Board._of(int(packed[index]), goal.shape) for index in chunk]

    for chunk, solutions in zip(chunks, run_all(jobs(), workers)):
        found.update(zip(chunk, solutions))
        if progress and len(found) < len(packed):
            progress(len(found), len(packed))
    if progress:
        progress(len(packed), len(packed))
    return SearchBatch(found[index] for index in range(len(packed)))


def _numbered(options: SearchOptions, at: list[int], workers: Workers) -> SearchOptions:
    """Return the same options, whose functions get the last number of `at` before what they are called with."""
    if options.on_expand is not None:
        raise TypeError("on_expand: search_many() takes only on_iteration and on_improvement; use search()")
    calls: dict[str, Any] = {name: getattr(options, name) for name in CALLBACKS if getattr(options, name) is not None}
    if calls and not is_alone(workers):
        raise OptionError(f"{', '.join(calls)}: several workers call no function; expected workers=1")
    calls = {name: (lambda each, call=call: call(at[-1], each)) for name, call in calls.items()}
    return replace(options, **calls)


def is_alone(workers: Workers) -> bool:
    """Return whether this thread is to do all the work."""
    return not hasattr(workers, "submit") and worker_count(workers) == 1


def run_all(jobs: Iterable[Job], workers: Workers) -> Iterator[list[Solution]]:
    """Yield the solutions of each search for its boards. One worker runs each search when the iterator comes to it.

    What a search raises is raised here, and it is not tried again.
    """
    answers: Any = map_chunks(_run, jobs, workers=workers, boards_of=itemgetter(1))
    with closing(answers):  # by this thread: a thread of a team cannot end the team
        for answer in answers:
            if isinstance(answer, Exception):
                raise answer
            yield answer


def _run(job: Job) -> Union[list[Solution], Exception]:
    search, boards = job
    try:
        return [search.run(board) for board in boards]
    except Exception as error:
        return error


def common_goal(boards: Any, goal: Optional[BoardLike], shape: Optional[Sequence[int]]) -> Board:
    """Return the goal of all boards."""
    if isinstance(goal, Board) and shape is None:
        return goal
    if shape is None and len(boards):
        shape = pack_boards(boards, on_error="mark")[1]
    return goal_of(goal, shape)
