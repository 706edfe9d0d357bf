"""A search on many boards: the same answers as one by one, whoever works."""

import multiprocessing
import pickle
import threading
import time
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import numpy as np
import own_heuristics
import pytest
from timing import at_most, timed

from puzzle15 import ALGORITHMS, Board, Heuristic, LocalValueIteration, build_tables, heuristic, search, search_many
from puzzle15._core.search import searches
from puzzle15.errors import BoardError, ChunkError, HeuristicError, UnsolvableError
from puzzle15.heuristics import HeuristicFunction, TableSum
from puzzle15.searches import SearchBatch, compare
from puzzle15.searches import _run as run

NEAR, FAR = "1 2 3/0 5 6/4 7 8", "8 6 7/2 5 4/3 0 1"
UNSOLVABLE = "1 2 3/4 5 6/8 7 0"
KORF = Board.goal((3, 3), home=0)
BOARDS = [NEAR, FAR, *(Board.random(seed, shape=(3, 3)) for seed in range(3)), Board.goal((3, 3))]
LIMITS = {"max_nodes": 20_000, "max_memory": "64M"}


class Courier:
    """An executor as another process: what it receives and returns is pickled."""

    num_workers = 2

    def submit(self, *call):
        future = Future()
        try:
            function, *arguments = pickle.loads(pickle.dumps(call))
            future.set_result(pickle.loads(pickle.dumps(function(*arguments))))
        except Exception as error:
            future.set_exception(error)
        return future


@pytest.fixture(scope="module")
def processes():
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield pool


def same(batch, singles):
    """Equal in everything but seconds."""

    def record(solution):
        left_out = {"seconds": None, "improvements": [step._replace(seconds=0) for step in solution.improvements]}
        return {**solution.to_dict(), **left_out}, solution.board, solution.goal, solution.iterations

    return [record(each) for each in batch] == [record(each) for each in singles]


def test_the_answers_are_those_of_single_searches():
    with ThreadPoolExecutor(2) as threads:
        for algorithm in ALGORITHMS:
            singles = [search(board, algorithm=algorithm, **LIMITS) for board in BOARDS]
            for workers in (1, 2, Courier()):
                assert same(search_many(BOARDS, algorithm=algorithm, workers=workers, **LIMITS), singles), algorithm
            assert same(search_many(BOARDS[:2], algorithm=algorithm, workers=threads, **LIMITS), singles[:2])


#: (options, the goal of the boards)
OPTIONS = [
    ({"heuristic": own_heuristics.in_batches}, None),
    ({"heuristic": HeuristicFunction(own_heuristics.Scaled(2)), "algorithm": "weighted-a*", "weight": 3}, None),
    ({"heuristic": ["manhattan", TableSum(["tables:1-4", "tables:5-8"], goal=KORF)]}, KORF),
    (
        {"heuristic": heuristic("linear-conflict", goal=KORF), "algorithm": "greedy", "prove": True, "ties": "lifo"},
        KORF,
    ),
    (
        {"heuristic": "tables:1-4/5-8", "goal": KORF, "algorithm": "ara*", "weight_step": 0.5, "move_order": "DRUL"},
        KORF,
    ),
    ({"algorithm": "dfs", "max_length": 12, "goal": str(KORF)}, KORF),
    ({"algorithm": "beam", "width": 5, "batch": None}, None),
]


def test_options_reach_the_workers(processes, tmp_path):
    build_tables("1-4/5-8", shape=(3, 3), home=0, tables=tmp_path)
    for options, goal in OPTIONS:
        boards = [Board.random(seed, goal=goal, shape=None if goal else (3, 3)) for seed in range(6)]
        options = {"goal": goal, "tables": tmp_path, **options}
        singles = [search(board, **options) for board in boards]
        for workers in (None, 2, processes):
            assert same(search_many(boards, workers=workers, **options), singles)


def test_a_process_makes_the_heuristic_once(monkeypatch):
    opened, boards = [], [NEAR, *(Board.goal((3, 3)) for _ in range(5))]
    open_it = Heuristic._open
    monkeypatch.setattr(Heuristic, "_open", lambda self, *given: (opened.append(self), open_it(self, *given)))
    for function in (own_heuristics.in_batches, HeuristicFunction(own_heuristics.Scaled(1))):
        del opened[:]
        search_many(boards, heuristic=function, workers=Courier())
        assert len(opened) == 2  # here, and where the search arrives


def busy_seconds():
    """Of each thread, how long it has run or has waited for a processor: not for the interpreter lock."""
    tasks = Path("/proc/self/task")
    return {task.name: sum(map(int, (task / "schedstat").read_text().split()[:2])) / 1e9 for task in tasks.iterdir()}


@pytest.mark.skipif(not Path("/proc/self/schedstat").exists(), reason="this system does not tell")
@timed
def test_two_threads_search_without_the_interpreter_lock():
    """Also where other processes keep the processors busy, two threads are as good as always at work."""
    boards, options = [Board.random(3)] * 4, {"algorithm": "ida*", "heuristic": "misplaced", "max_nodes": 2_000_000}
    before, busy = busy_seconds(), {}
    begun = time.perf_counter()
    searching = threading.Thread(target=search_many, args=(boards,), kwargs={**options, "workers": 2})
    searching.start()
    while searching.is_alive():
        time.sleep(0.005)
        with suppress(OSError):  # a thread ended
            busy.update(busy_seconds())
    wall = time.perf_counter() - begun
    del busy[str(threading.get_native_id())]
    at_most(wall, sum(seconds - before.get(thread, 0) for thread, seconds in busy.items()) / 1.5)


# ---------------------------------------------------------------- boards, errors, limits


@pytest.mark.parametrize("workers", [1, 2])
def test_bad_boards(workers):
    boards = [NEAR, "nonsense", UNSOLVABLE, FAR]
    for some, message in ((boards, "^board 1: 'nonsense'"), ([NEAR, UNSOLVABLE], "^board 1: .*/8 7 0 cannot reach")):
        with pytest.raises((BoardError, UnsolvableError), match=message):
            search_many(some, workers=workers)
    batch = search_many(boards, workers=workers, on_error="mark")
    assert batch.status.tolist() == ["solved", "error", "error", "solved"] and batch.lengths.tolist() == [3, -1, -1, 31]
    assert sorted(batch.errors) == [1, 2] and batch[1].board is None and batch[2].board == Board(UNSOLVABLE)
    assert (batch[1].algorithm, batch[1].heuristic, batch[1].lower_bound) == ("a*", "manhattan", 0)
    everything = search_many(["nonsense"], workers=workers, on_error="mark", shape=(3, 3))
    assert len(everything) == 1 and list(everything.errors) == [0]
    with pytest.raises(ValueError, match="on_error 'drop': expected one of raise, mark"):
        search_many(boards, on_error="drop")


def test_what_boards_can_be():
    expected = search_many([NEAR, FAR]).lengths.tolist()
    tiles = np.array([Board(NEAR).tiles, Board(FAR).tiles], dtype=np.uint8)
    packed = np.array([Board(NEAR).packed, Board(FAR).packed], dtype=np.uint64)
    assert expected == [3, 31] == search_many(board for board in (NEAR, FAR)).lengths.tolist()
    assert search_many(tiles).lengths.tolist() == search_many(tiles.reshape(2, 3, 3)).lengths.tolist() == expected
    assert search_many(packed, shape=(3, 3)).lengths.tolist() == expected
    assert search_many([[1, 2, 3, 4, 5, 0]], goal="5 4 3 2 1 0", shape=(2, 3))[0].goal == Board("5 4 3/2 1 0")
    with pytest.raises(TypeError, match="one str: expected many boards"):
        search_many(NEAR)
    assert len(search_many([])) == len(search_many([], goal=KORF, workers=2)) == 0


def test_functions_are_told_the_index_of_the_board():
    told = []
    boards = [NEAR, UNSOLVABLE, FAR, BOARDS[-1]]
    batch = search_many(boards, algorithm="ida*", on_error="mark", on_iteration=lambda *each: told.append(each))
    assert told == [(index, each) for index, solution in enumerate(batch) for each in solution.iterations]
    assert {index for index, _ in told} == {0, 2}

    def stop(index, better):
        told.append((index, better))
        return index != 0  # ends the search of this board alone

    told.clear()
    batch = search_many([FAR, FAR], algorithm="anytime-a*", on_improvement=stop)
    assert batch.status.tolist() == ["limit", "solved"] and batch.optimal.tolist() == [False, True]
    assert [index for index, _ in told] == [0] + [1] * len(batch[1].improvements)
    assert [better for _, better in told[1:]] == list(batch[1].improvements)


def test_what_search_refuses():
    for options in ({"algorithm": "ida*", "ties": "fifo"}, {"max_nodes": -1}, {"algorithm": "quick"}, {"weight": 2}):
        with pytest.raises(ValueError) as single:
            search(NEAR, **options)
        with pytest.raises(ValueError) as many_:
            search_many([NEAR], **options)
        assert str(many_.value) == str(single.value)
    with pytest.raises(TypeError, match="on_expand"):
        search_many([NEAR], on_expand=print)
    for name, algorithm in (("on_iteration", "ida*"), ("on_improvement", "ara*")):
        with pytest.raises(ValueError, match=f"{name}: several workers"):
            search_many([NEAR], algorithm=algorithm, workers=2, **{name: print})
    for workers, error in (("two", TypeError), (2.5, TypeError), (0, ValueError), (2000, ValueError)):
        with pytest.raises(error, match=f"workers {workers!r}: expected a whole number"):
            search_many([NEAR], workers=workers)


class Fails:
    """A heuristic that raises where the blank is in the middle of the board."""

    def __call__(self, boards):
        if (boards[:, 4] == 0).any():
            raise KeyError("an example")
        return own_heuristics.home_last(boards)


@pytest.mark.parametrize(
    "function, error", [(Fails(), KeyError), (own_heuristics.Scaled(float("nan")), HeuristicError)]
)
def test_what_a_search_raises_is_raised_whoever_works(function, error):
    with pytest.raises(error) as single:
        search(FAR, heuristic=function)
    for workers in (1, 2, Courier()):
        with pytest.raises(error) as caught:
            search_many([FAR, Board.goal((3, 3)), FAR], heuristic=function, workers=workers)
        assert str(caught.value) == str(single.value)


def test_workers_that_fail():
    class Broken:
        def submit(self, *call):
            raise OSError("no worker is left")

    with pytest.raises(ChunkError, match="chunk 0 .1 boards, the first 1 2 3/0 5 6/4 7 8. failed twice; then with OS"):
        search_many([NEAR], workers=Broken())


def test_limits_are_those_of_each_board():
    batch = search_many([FAR, NEAR, FAR], max_nodes=100, workers=2)
    assert batch.status.tolist() == ["limit", "solved", "limit"] and batch.generated.tolist() == [100, 6, 100]
    batch = search_many([FAR, NEAR], time_limit_s=0, algorithm="ida*")
    assert batch.status.tolist() == ["limit", "limit"] and batch.lower_bounds.tolist() == [21, 3]


def limits_of_a_star(monkeypatch):
    """The limits on memory that a* gets from now on."""
    given, kernel = [], searches.best_first

    def noted(*what, **how):
        given.append(how["max_bytes"])
        return kernel(*what, **how)

    monkeypatch.setattr(searches, "best_first", noted)
    return given


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_searches_share_the_memory(workers, monkeypatch):
    """Without a limit, all workers together take three quarters of the memory."""
    given = limits_of_a_star(monkeypatch)
    monkeypatch.setattr(run, "_available_memory", lambda second: 64_000_000)
    search_many([NEAR, FAR], workers=workers)
    assert given == [48_000_000 // workers] * 2
    search_many([NEAR], workers=workers, max_memory=10_000)
    assert given[-1] == 10_000


def test_progress():
    told = []
    for workers in (1, 2):
        del told[:]
        search_many([NEAR, "nonsense", FAR], on_error="mark", workers=workers, progress=lambda *now: told.append(now))
        assert told == [(2, 3), (3, 3)]
    search_many([], progress=lambda *now: told.append(now))
    assert told[-1] == (0, 0)


# ---------------------------------------------------------------- the answers


def test_a_batch_is_a_sequence():
    batch = search_many([NEAR, UNSOLVABLE, FAR], algorithm="greedy", on_error="mark")
    assert [each.length for each in batch] == [3, None, 47] and len(batch) == 3 and batch[-1] is batch[2]
    assert list(batch[1:].errors) == [0] and batch[::-1].lengths.tolist() == [47, -1, 3] and batch[0] in batch
    assert isinstance(batch[:0], SearchBatch) and len(batch[:0]) == 0
    assert repr(batch) == "<SearchBatch of 3 boards, 2 solved>"
    again = pickle.loads(pickle.dumps(batch))
    assert [each.to_dict() for each in again] == batch.to_dicts()
    with pytest.raises(IndexError, match="board 3 of 3"):
        batch[3]


def test_no_boards_have_the_same_columns():
    for solve_many in (search_many, LocalValueIteration(shape=(3, 3)).solve_many):
        some, none = solve_many([NEAR]), solve_many([])
        assert none.to_dict() == some[:0].to_dict() == {name: [] for name in some.to_dict()}


def test_a_batch_as_columns():
    batch = search_many([NEAR, UNSOLVABLE, FAR], algorithm="greedy", on_error="mark", max_nodes=100)
    columns = batch.to_dict()
    assert columns["length"] == [3, None, None] and columns["algorithm"] == ["greedy"] * 3
    assert columns["status"] == batch.status.tolist() and columns["expanded"][::2] == batch.expanded[::2].tolist()
    page = batch._repr_html_()
    assert "3 boards: 1 solved, 3.00 moves on average" in page and NEAR in page


# ---------------------------------------------------------------- several workers compare


def test_a_comparison_by_several_workers(processes):
    options = {"heuristics": ["manhattan", own_heuristics.in_batches], "max_nodes": 2_000, "max_memory": "1G"}
    algorithms = ["ida*", "a*", "bidirectional", "ara*", "nbs", "dfs"]
    singles = list(compare(FAR, algorithms=algorithms, **options))
    for workers in (2, Courier(), processes):
        assert same(list(compare(FAR, algorithms=algorithms, workers=workers, **options)), singles)


def test_workers_of_a_comparison_divide_the_memory(monkeypatch):
    given = limits_of_a_star(monkeypatch)
    for workers, share in ((1, 8_000), (2, 4_000), (4, 2_000)):
        list(compare(FAR, algorithms=["a*"], heuristics=["manhattan"], max_memory=8_000, workers=workers))
        assert given[-1] == share


def test_several_workers_call_no_functions():
    for name in ("on_expand", "on_iteration", "on_improvement"):
        with pytest.raises(ValueError, match=f"{name}: several workers call no function; expected workers=1"):
            compare(FAR, workers=2, **{name: print})
    assert next(compare(NEAR, algorithms=["a*"], workers=1, on_expand=lambda expansion: None)).length == 3
