"""Limits of length, nodes and time, of one board and of many, in both metrics; and Ctrl-C."""

import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from chunks import Foreign
from interrupting import interrupted_after
from solving import HARD, check_limited, check_path, counts, far_boards, nearest, numbers, random_boards
from timing import at_most, timed, wait_for, within

import puzzle15
from puzzle15 import Solver
from puzzle15.board import KORF_GOAL


@pytest.fixture(scope="module", params=["stm", "mtm"])
def solvers(request, tables_7_8, small_tables, tmp_path_factory):
    """Of several shapes and goals, with embedded tables and with those of files."""
    if request.param == "stm":
        return [
            Solver("7-8", tables=tables_7_8),
            Solver("7-8", tables=tables_7_8, plain=True),
            Solver("6-6-3", tables=small_tables, goal=KORF_GOAL),
            Solver(goal="1 2 3/8 0 4/7 6 5"),
            Solver("embedded", shape=(3, 4), plain=True),
        ]
    folder = tmp_path_factory.mktemp("multi-tile")
    puzzle15.build_tables("1-4/12-15", metric="mtm", tables=folder)
    puzzle15.build_tables("1-4/5-8", shape=(3, 3), metric="mtm", tables=folder)
    return [
        Solver("1-4/12-15", tables=folder, metric="mtm"),
        Solver("embedded", goal=KORF_GOAL, metric="mtm"),
        Solver("embedded", shape=(3, 4), metric="mtm", reflection=False),
        Solver("1-4/5-8", shape=(3, 3), tables=folder, metric="mtm"),
    ]


def step_of(solver):
    """How much a bound grows from one iteration to the next."""
    return 2 if solver.metric == "stm" else 1


@pytest.mark.parametrize("threads", [1, 2])
@timed
def test_limits_on_a_hard_board(threads, solvers):
    board, length = HARD[solvers[0].metric]
    embedded = Solver("embedded", metric=solvers[0].metric)
    for solver, limits in (
        *((solvers[0], limits) for limits in ({"max_nodes": 200_000}, {"time_limit_s": 0.05}, {"time_limit_s": 0})),
        *((embedded, limits) for limits in ({"max_nodes": 200_000}, {"time_limit_s": 0})),
    ):
        start = time.monotonic()
        solution = solver.solve(board, workers=threads, **limits)
        took = time.monotonic() - start
        check_limited(solver, solution, length)
        assert limits.get("time_limit_s", 0) <= took and solution.seconds <= took
        assert solution.generated >= limits.get("max_nodes", 0)
        at_most(took, limits.get("time_limit_s", 0.35) + 0.15)
        at_most(took, solution.seconds + 0.05)
        with within(2):
            batch = solver.solve_many([board, board, solver.goal], workers=threads, **limits)
        assert batch.status.tolist() == ["limit", "limit", "solved"]
        assert nearest(solver, [board])[0] <= batch.lower_bounds[0] <= length


@pytest.mark.parametrize("threads", [1, 2])
def test_a_limit_of_moves(threads, solvers, rng):
    for solver in solvers:
        (board,) = far_boards(solver, rng, 1)
        free, h, step = solver.solve(board), solver.lower_bound(board), step_of(solver)
        for limit in {0, h - 1, h, h + 1, free.length - step, free.length - 1} & set(range(free.length)):
            limited = solver.solve(board, max_length=limit, workers=threads)
            check_limited(solver, limited, free.length)
            finished = [iteration for iteration in free.iterations if iteration.bound <= limit]
            assert limited.lower_bound == max(h, h + step * len(finished)) > limit
            assert limited.iterations == tuple(finished)
            assert limited.generated == sum(iteration.generated for iteration in finished)
        for limit in (free.length, free.length + 1, 160, 255, 10**30):
            limited = solver.solve(board, max_length=limit, workers=threads)
            check_path(limited)
            assert counts(limited) == counts(free) and limited.iterations == free.iterations
        assert solver.solve(solver.goal, max_length=0, workers=threads).moves == ""


@pytest.mark.parametrize("max_nodes", [0, 1, 100, 5_000, 100_000])
def test_one_board_and_many_within_a_limit_of_nodes(max_nodes, solvers, rng):
    """The twin: the iterations of the search without a limit."""
    for solver in solvers[2:] if solvers[0].metric == "stm" else solvers:
        boards = [*far_boards(solver, rng, 5), solver.goal]
        batch = solver.solve_many(boards, max_nodes=max_nodes)
        assert numbers(solver.solve_many(boards, max_nodes=max_nodes, workers=3)) == numbers(batch)
        assert numbers(solver.solve_many(boards[::-1], max_nodes=max_nodes)[::-1]) == numbers(batch)
        for board, solution in zip(boards, batch):
            free = solver.solve(board)
            made = np.cumsum([iteration.generated for iteration in free.iterations], dtype=int)
            finished = int((made <= max_nodes).sum())
            if free.generated <= max_nodes:
                assert counts(solution) == counts(free) and solution.optimal
            else:
                assert solution.status == "limit" and solution.moves is None
                beyond = solution.lower_bound - solver.lower_bound(board) - step_of(solver) * finished
                if solver.metric == "stm":
                    assert beyond == 0 and max_nodes < solution.generated <= max_nodes + 64  # the children of a group
                else:  # nodes made to share the next iteration count to the one that ends, but do not end the search
                    assert 0 <= beyond <= 1 and solution.lower_bound <= free.length
            for threads in (1, 2):
                alone = solver.solve(board, max_nodes=max_nodes, workers=threads)
                assert (alone.status, alone.lower_bound) == (solution.status, solution.lower_bound)
                assert alone.iterations == free.iterations[: len(alone.iterations)]


def test_limits_of_each_board(solvers, rng):
    """One move less than the length, one node less than the search takes, both, or neither."""
    for solver in solvers:
        boards = far_boards(solver, rng, 4)
        free = solver.solve_many(boards)
        lengths, generated = free.lengths.astype(int), free.generated.astype(int)
        shorter, fewer = np.array([True, False] * 2), np.array([True, True, False, False])
        limits = {"max_length": lengths - step_of(solver) * shorter, "max_nodes": (generated - fewer).tolist()}
        for workers in (1, 2, ThreadPoolExecutor(2), Foreign())[: 4 if solver is solvers[-1] else 2]:
            batch = solver.solve_many(boards, workers=workers, **limits)
            assert (batch.status == "limit").tolist() == (shorter | fewer).tolist()
            assert batch.generated[3] == free.generated[3]
            for index, solution in enumerate(batch):
                alone = {name: int(values[index]) for name, values in limits.items()}
                for threads in (1, 2):
                    one = solver.solve(boards[index], workers=threads, time_limit_s=60, **alone)
                    assert (one.status, one.lower_bound) == (solution.status, solution.lower_bound)
                    assert not one.optimal or counts(one) == counts(solution)
                assert solution.optimal or solution.lower_bound == batch.lower_bounds[index] <= lengths[index]
            without = {"max_length": 10**30, "max_nodes": 10**30, "time_limit_s": float("inf")}
            assert numbers(solver.solve_many(boards, workers=workers, **without)) == numbers(free)
    some = [boards[0], "no board", solver.goal]
    batch = solver.solve_many(some, on_error="mark", max_length=[0, 0, 0], time_limit_s=60)
    assert batch.status.tolist() == ["limit", "error", "solved"]
    assert batch.lower_bounds.tolist() == [solver.lower_bound(boards[0]), 0, 0]


@timed
def test_a_limit_of_time_for_many_boards(small_tables, rng):
    solver, (hard, most) = Solver("6-6-3", tables=small_tables), HARD["stm"]
    boards = [*random_boards(rng, 4), *([hard] * 8), solver.goal, *random_boards(rng, 10)]
    free = [most if board is hard else solver.solve(board).length for board in boards]
    bounds = nearest(solver, boards)
    for workers in (1, 2, ThreadPoolExecutor(2)):
        for seconds in (0, 0.1):
            calls, start = [], time.monotonic()
            options = {"workers": workers, "time_limit_s": seconds, "progress": lambda *call: calls.append(call)}
            with within(seconds + 0.5):
                batch = solver.solve_many(boards, **options)
            assert seconds <= time.monotonic() - start and calls[-1] == (len(boards), len(boards))
            assert set(batch.status.tolist()) == {"solved", "limit"} and batch.status[12] == "solved"
            assert (batch.lower_bounds >= bounds).all() and (batch.lower_bounds <= free).all()
            assert (batch.lengths == free)[batch.status == "solved"].all()
            if seconds == 0:
                assert batch.lower_bounds.tolist() == bounds and not batch.generated.any()


@timed
def test_boards_that_are_left_take_no_time(solvers, rng):
    """A limit of time ends a call with many boards, whose tables would take long to look at."""
    solver, boards = solvers[0], np.array([board.tiles for board in random_boards(rng, 200)], dtype=np.uint8)
    many, start = np.tile(boards, (200, 1)), time.process_time()
    solver.lower_bound_many(many)
    tables, start = time.process_time() - start, time.process_time()
    batch = solver.solve_many(many, time_limit_s=0)
    at_most(time.process_time() - start, 0.6 * tables)
    assert batch.lower_bounds[:200].tolist() == nearest(solver, boards)
    assert (batch.lower_bounds.reshape(-1, 200) == batch.lower_bounds[:200]).all()
    assert set(batch.status.tolist()) == {"limit"} and not batch.generated.any()
    hints = solver.hint_many(many[:300], time_limit_s=0) if solver.metric == "stm" else []
    assert [hint.lower_bound for hint in hints] == batch.lower_bounds[: len(hints)].tolist()


@pytest.mark.parametrize("threads", [1, 2])
def test_on_iteration(threads, solvers, rng):
    solver, seen = solvers[0], []
    (board,) = far_boards(solver, rng, 1)
    solution = solver.solve(board, workers=threads, on_iteration=seen.append)
    assert tuple(seen) == solution.iterations and len(seen) > 1
    bounds = range(solver.lower_bound(board), solution.length + 1, step_of(solver))
    assert [iteration.bound for iteration in seen] == list(bounds)

    def stop(iteration):
        raise LookupError(f"bound {iteration.bound}")

    with pytest.raises(LookupError, match=f"bound {seen[0].bound}"):
        solver.solve(board, workers=threads, on_iteration=stop)
    assert counts(solver.solve(board)) == counts(solution)


@pytest.mark.parametrize(
    "limits, message",
    [
        ({"max_length": -1}, "max_length -1: expected a whole number of at least 0"),
        ({"max_length": 1.5}, "max_length 1.5: expected a whole number"),
        ({"max_nodes": "many"}, "max_nodes 'many': expected a whole number"),
        ({"max_nodes": True}, "max_nodes True: expected a whole number"),
        ({"max_length": [30]}, "max_length: 1 numbers; expected one whole number, or an array of 2, one per board"),
        ({"max_nodes": np.zeros((2, 1), int)}, r"max_nodes: an array of shape \(2, 1\); expected"),
        ({"max_nodes": np.array([5, -1])}, "max_nodes: int64 numbers from -1; expected whole numbers of at least 0"),
        ({"max_length": np.array([5.0, 1.0])}, "max_length: float64 numbers from 1.0; expected whole numbers"),
        ({"max_length": np.array([5, None])}, "max_length: object numbers; expected whole numbers"),
        ({"max_nodes": [5, -1]}, "max_nodes -1: expected a whole number of at least 0"),
        ({"max_length": [5.0, 1.0]}, "max_length 5.0: expected a whole number"),
        ({"max_length": [31, None]}, "max_length None: expected a whole number"),
        ({"max_nodes": ["3", "4"]}, "max_nodes '3': expected a whole number"),
        ({"max_nodes": [[1], [2, 3]]}, r"max_nodes \[1\]: expected a whole number"),
        ({"time_limit_s": -1}, "time_limit_s -1: expected a number of seconds"),
        ({"workers": 0}, "from 1 to 1024"),
        ({"workers": -1}, "from 1 to 1024"),
    ],
)
def test_limits_that_make_no_sense(limits, message):
    solver = Solver(shape=(2, 2))
    with pytest.raises(ValueError, match=message):
        solver.solve_many(["1 2/3 0", "1 0/3 2"], **limits)
    if not isinstance(next(iter(limits.values())), (list, np.ndarray)):
        with pytest.raises(ValueError, match=message):
            solver.solve("1 2/3 0", **limits)


# ---------------------------------------------------------------- Ctrl-C


CALLS = {
    "solve": lambda solver, board: solver.solve(board),
    "solve, 2 threads": lambda solver, board: solver.solve(board, workers=2),
    "solve_many": lambda solver, board: solver.solve_many([board] * 20),
    "solve_many, 2 threads": lambda solver, board: solver.solve_many([board] * 20, workers=2),
    "hint": lambda solver, board: solver.hint(board),
    "all_solutions": lambda solver, board: solver.all_solutions(board),
}


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="has no timer signals")
@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("metric", ["stm", "mtm"])
@pytest.mark.sweep(3)
@timed
def test_ctrl_c_acts_within_a_tenth_of_a_second(metric, call):
    solver, (board, _) = Solver("embedded", metric=metric), HARD[metric]
    running = threading.active_count()
    with within(0.1 + 0.1), pytest.raises(KeyboardInterrupt), interrupted_after(0.1, KeyboardInterrupt):
        CALLS[call](solver, board)
    assert wait_for(lambda: threading.active_count() <= running)  # a thread may wait for a processor to end on
    assert solver.open_tables.problem.running == 0
    check_path(solver.solve(solver.goal.apply("DRR")))
