"""Optimal solutions, against twins, published lengths, and each other."""

import asyncio
import gc
import os
import shutil
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import twins
from solving import HARD, check_path, counts, far_boards, random_boards, random_goal

import puzzle15
from puzzle15 import Board, Solver
from puzzle15.board import KORF_GOAL, korf100
from puzzle15.errors import BoardError, UnsolvableError
from puzzle15.solver import _solver
from puzzle15.tables._file import HEADER_BYTES

EASY = Board("1 5 3 4/2 6 8 12/9 10 7 11/13 14 15 0")


# ---------------------------------------------------------------- goals


NEAR = [((2, 3), 21), ((3, 2), 21), ((4, 4), 7), ((2, 2), 6), ((3, 3), 11), ((2, 4), 13), ((4, 2), 12), ((3, 4), 9)]


@pytest.mark.parametrize("shape, depth, step", [((4, 4), 6, 7), *((*each, 1) for each in NEAR)])
@pytest.mark.sweep(3)
def test_boards_near_goals_with_every_home(shape, depth, step, rng):
    """Of the smallest shapes, all boards; the first time, 4x4 with a corner and two edges only."""
    for home in range(0, shape[0] * shape[1], step):
        goal = random_goal(rng, shape, home)
        solver = Solver(goal=goal, reflection=home % 2 == 0)
        for distance, level in enumerate(twins.levels_of_arrays(shape, goal.tiles, depth)):
            batch = solver.solve_many(level)
            assert (batch.lengths == distance).all() and (solver.lower_bound_many(level) <= distance).all()
            for index in rng.integers(len(level), size=5).tolist():
                check_path(batch[index])
                assert solver.solve(batch[index].board) == batch[index]


def test_solving_takes_what_a_solver_takes():
    seen = []
    solution = puzzle15.solve(EASY, workers=2, max_nodes=10**9, time_limit_s=60, on_iteration=seen.append)
    assert counts(solution) == counts(Solver().solve(EASY)) and tuple(seen) == solution.iterations
    assert puzzle15.solve(EASY, max_length=solution.length - 2).status == "limit"
    assert puzzle15.solve([1, 0, 2, 3, 4, 5], shape=(2, 3), goal=list(range(6))).moves == "R"
    solution = puzzle15.solve("0 1 2/3 4 5", goal=[1, 0, 2, 3, 4, 5])
    assert (solution.moves, solution.goal) == ("L", Board("1 0 2/3 4 5"))
    with pytest.raises(UnsolvableError):
        puzzle15.solve("1 2 3/4 5 6/8 7 0")
    for options in ({"goal": Board.goal()}, {"shape": (4, 4)}):
        with pytest.raises(BoardError):
            puzzle15.solve("1 2 3/4 5 6/7 8 0", **options)


def test_threads_that_need_the_same_tables_open_them_once(tmp_path):
    def open_them(_):
        return _solver.best_solver(Board.goal(), tables=tmp_path / "none")

    with ThreadPoolExecutor(4) as pool:
        assert len(set(map(id, pool.map(open_them, range(4))))) == 1


def test_solving_sees_tables_that_came_later(tables_7_8, tmp_path, monkeypatch):
    monkeypatch.setenv("PUZZLE15_TABLES", str(tmp_path / "new"))

    def solver():
        puzzle15.solve(EASY)
        return _solver.best_solver(Board.goal())

    first = solver()
    assert first.open_tables.embedded and solver() is first
    shutil.copytree(tables_7_8, tmp_path / "new", copy_function=os.symlink)
    assert solver().open_tables.partitions == ["1-8/9-15"]
    shutil.rmtree(tmp_path / "new")
    assert solver().open_tables.embedded
    monkeypatch.setenv("PUZZLE15_TABLES", str(tables_7_8))
    assert not solver().open_tables.embedded


@pytest.mark.parametrize(
    "given, error, message",
    [
        ((3, 3), TypeError, r"partition \(3, 3\): expected text, such as '1-"),
        (Board.goal(), TypeError, "expected text"),
        ("0 1 2/3 4 5/6 7 8", ValueError, "partition '0 1 2/3 4 5/6 7 8': expected "),
        ("8-7", ValueError, "'8-7'"),
        ("nine", ValueError, "partition 'nine': expected "),
    ],
)
def test_what_is_no_partition(given, error, message):
    for options in ({}, {"build": True}, {"shape": (3, 3)}):
        with pytest.raises(error, match=message):
            Solver(given, **options)


# ---------------------------------------------------------------- one answer, however it is computed


@pytest.fixture
def kinds(tables_7_8, small_tables, classic_small_tables, tmp_path):
    """(solver, boards to solve) of all kinds, in both metrics."""
    build = {"metric": "mtm", "tables": tmp_path}
    puzzle15.build_tables("1-4/12-15", **build)
    puzzle15.build_tables("1-4/5-8", shape=(3, 3), **build)
    return lambda: [
        (Solver("7-8", tables=tables_7_8), 16),
        (Solver("7-8", tables=tables_7_8, plain=True), 8),
        (Solver("7-8", tables=tables_7_8, reflection=False), 8),
        (Solver("6-6-3", tables=small_tables), 4),
        (Solver("6-6-3", tables=classic_small_tables), 4),
        (Solver("embedded", goal=Board.goal((4, 4), home=1)), 2),
        (Solver(shape=(3, 4)), 8),
        (Solver(shape=(2, 5), plain=True), 8),
        (Solver(shape=(3, 3)), 20),
        (Solver("1-4/12-15", **build), 8),
        (Solver("embedded", goal=KORF_GOAL, metric="mtm"), 8),
        (Solver("embedded", shape=(3, 4), metric="mtm", reflection=False), 8),
        (Solver("1-4/5-8", shape=(3, 3), **build), 8),
    ]


def test_threads_workers_and_batches_change_nothing(kinds, rng):
    for solver, count in kinds():
        boards = [*far_boards(solver, rng, count), solver.goal]
        one = [solver.solve(board) for board in boards]
        expected = [counts(solution) for solution in one]
        step = 2 if solver.metric == "stm" else 1
        for solution in one:
            check_path(solution)
            bounds = range(solver.lower_bound(solution.board), solution.length + 1, step) if solution.length else []
            assert [iteration.bound for iteration in solution.iterations] == list(bounds)
            assert sum(iteration.expanded for iteration in solution.iterations) == solution.expanded
        for workers in (1, 3):
            batch = solver.solve_many(boards, workers=workers)
            assert [counts(solution) for solution in batch] == expected
            assert {solution.metric for solution in batch} == {solver.metric}
        reversed_batch = solver.solve_many(boards[::-1])
        assert [counts(solution) for solution in reversed_batch][::-1] == expected
        for threads in (2, 5):
            again = [solver.solve(board, workers=threads) for board in boards[:3]]
            assert [counts(solution) for solution in again] == expected[:3]
            assert [s.iterations for s in again] == [s.iterations for s in one[:3]]


def test_coroutines_share_a_solver(rng):
    solver = Solver(shape=(3, 3))
    boards = random_boards(rng, 20, (3, 3))

    async def ask(question):
        return await asyncio.gather(*(asyncio.to_thread(question, board) for board in boards))

    for question in (solver.solve, solver.hint):
        with ThreadPoolExecutor(1) as pool:  # whose thread has no loop of another test's
            assert pool.submit(asyncio.run, ask(question)).result() == [question(board) for board in boards]


def test_a_hard_board_with_many_threads(tables_7_8):
    """Enough subtrees for the threads to meet in one iteration, and to stop each other."""
    board = korf100()[87].board  # 66 moves
    solver = Solver("7-8", goal=KORF_GOAL, tables=tables_7_8)
    expected = solver.solve(board)
    check_path(expected)
    for threads in (2, 4):
        solution = solver.solve(board, workers=threads)
        assert counts(solution) == counts(expected) and solution.iterations == expected.iterations


def test_large_searches_go_on_with_longer_sequences(monkeypatch, kinds, rng):
    saved, solvers = 0, [(solver, count) for solver, count in kinds() if solver.metric == "stm"]
    boards = [far_boards(solver, rng, count) for solver, count in solvers]
    before = [[solver.solve(board) for board in some] for (solver, _), some in zip(solvers, boards)]
    monkeypatch.setattr("puzzle15.solver._opened._LARGE", 2000)
    for (solver, _), some, short in zip(kinds(), boards, before):
        long = [solver.solve(board) for board in some]
        assert [solution.length for solution in long] == [solution.length for solution in short]
        for one, other in zip(long, short):
            # the last iteration ends where it meets the goal
            for here, there in zip(one.iterations[:-1], other.iterations[:-1]):
                assert here.generated <= there.generated
                saved += there.generated - here.generated
        for workers in (1, 3):
            assert list(map(counts, solver.solve_many(some, workers=workers))) == list(map(counts, long))
            for board, expected in zip(some[:3], long):
                solution = solver.solve(board, workers=workers)
                check_path(solution)
                assert counts(solution) == counts(expected) and solution.iterations == expected.iterations
    assert saved > 10_000


def test_one_solver_serves_several_threads(tables_7_8, rng):
    solver = Solver("7-8", tables=tables_7_8)
    boards = random_boards(rng, 30)
    expected = [counts(solver.solve(board)) for board in boards]
    heuristics = solver.lower_bound_many(boards).tolist()

    def work(number):
        if number % 3 == 0:
            return [counts(solution) for solution in solver.solve_many(boards, workers=2)]
        if number % 3 == 1:
            assert solver.lower_bound_many(boards).tolist() == heuristics
        return [counts(solver.solve(board, workers=1 + number % 2)) for board in boards]

    with ThreadPoolExecutor(6) as pool:
        assert all(result == expected for result in pool.map(work, range(12)))


def test_a_search_that_was_stopped_is_not_used_again(kinds, rng):
    """Searches end, or limits and exceptions stop them; some begin within another one; in one thread and in several."""

    class Enough(Exception):
        pass

    def stop(iteration):
        raise Enough

    for solver, _ in (kinds()[index] for index in (0, 6, -1)):
        boards = [*random_boards(rng, 3, solver.goal.shape, solver.goal), solver.goal]
        expected = [solver.solve(board) for board in boards]

        def ask(index, solver=solver, boards=boards, expected=expected):
            inner = []
            for options in (
                *({"max_nodes": nodes} for nodes in (0, 300)),
                {"time_limit_s": 0},
                {"on_iteration": lambda _: inner.append(solver.solve(boards[index - 1]))},
                {"workers": 2},
                {},
            ):
                solution = solver.solve(boards[index], **options)
                if solution.solved:
                    assert solution == expected[index]
                else:
                    assert solution.status == "limit" and solution.lower_bound <= expected[index].length
            assert all(solution == expected[index - 1] for solution in inner)
            if expected[index].length:
                with pytest.raises(Enough):
                    solver.solve(boards[index], on_iteration=stop)

        for index in range(len(boards)):
            ask(index)
        with ThreadPoolExecutor(12) as pool:  # more than the searches that are kept
            list(pool.map(ask, [*range(len(boards))] * 4))


def test_progress_that_fails():
    def stop(done, count):
        raise RuntimeError("enough")

    for workers in (1, 2):
        with pytest.raises(RuntimeError, match="enough"):
            Solver(shape=(3, 3)).solve_many([Board.goal((3, 3))] * 50, workers=workers, progress=stop)


# ---------------------------------------------------------------- kinds of tables and searches


def test_all_kinds_agree_on_lengths(tables_7_8, small_tables, classic_small_tables):
    easy = [record for record in korf100() if record.length <= 46]
    for folder, partition, format in [
        (tables_7_8, "7-8", "zero-aware"),
        (small_tables, "5-5-5", None),
        (small_tables, "6-6-3", None),
        (classic_small_tables, "5-5-5", "classic"),
        (classic_small_tables, "6-6-3", "classic"),
    ]:
        for options in ({},) if partition == "5-5-5" else ({}, {"reflection": False}, {"plain": True}):
            solver = Solver(partition, goal=KORF_GOAL, tables=folder, format=format, **options)
            assert solver.open_tables.format == (format or "zero-aware")
            batch = solver.solve_many([record.board for record in easy])
            assert batch.lengths.tolist() == [record.length for record in easy]
            check_path(batch[0])


@pytest.mark.parametrize("format", ["zero-aware", "classic"])
def test_the_plain_search_is_the_textbook_one(format, tmp_path, rng):
    """Patterns of one tile are Manhattan distance: node for node what the twin opens."""
    shape, partition = (3, 3), "1/2/3/4/5/6/7/8"
    puzzle15.build_tables(partition, shape=shape, format=format, tables=tmp_path)
    where = {"shape": shape, "format": format, "tables": tmp_path, "reflection": False}
    plain, other = Solver(partition, plain=True, **where), Solver(partition, **where)
    boards = [board for board in random_boards(rng, 100, shape) if other.distance(board) <= 20]
    assert len(boards) > 10
    for board in boards:
        expected = twins.textbook_ida_star(shape, board.tiles, Board.goal(shape).tiles)
        assert [tuple(iteration) for iteration in plain.solve(board).iterations] == expected
    batch = plain.solve_many(boards)
    assert batch.generated.tolist() == [plain.solve(board).generated for board in boards]
    assert other.solve_many(boards).generated.sum() < batch.generated.sum()


@pytest.mark.parametrize(
    "partition, tables",
    [("6-6-3", "small_tables"), pytest.param("7-8", "tables_7_8", marks=pytest.mark.slow)],
)
def test_heuristics_compare_as_they_must(partition, tables, tables_7_8, request, rng):
    boards = random_boards(rng, 500)
    stored, classic = (
        request.getfixturevalue(tables),
        request.getfixturevalue(f"classic_{tables.replace('tables_', '')}"),
    )

    def h(folder, **options):
        return Solver(partition, tables=folder, **options).lower_bound_many(boards).astype(int)

    zero, zero_one = h(stored), h(stored, reflection=False)
    classic, classic_one = h(classic), h(classic, reflection=False)
    lengths = Solver("7-8", tables=tables_7_8).distance_many(boards)
    manhattan = [twins.manhattan((4, 4), board.tiles, Board.goal().tiles) for board in boards]
    pairs = (manhattan, classic_one), (classic_one, classic), (classic_one, zero_one), (classic, zero)
    for lower, higher in (*pairs, (zero_one, zero), (zero, lengths)):
        assert (np.asarray(lower) <= higher).all() and (np.asarray(lower) < higher).any()
        assert (np.asarray(lower) % 2 == higher % 2).all()
    assert (h(stored, plain=True) == zero).all()
    generated = [
        Solver("7-8", tables=tables_7_8, **options).solve_many(boards[:40]).generated.sum()
        for options in ({}, {"reflection": False}, {"plain": True, "reflection": False})
    ]
    assert 2 * generated[0] < generated[1] < generated[2]


def test_lookups_and_sizes(tables_7_8, small_tables):
    tables = Solver(tables=tables_7_8).open_tables
    assert (tables.partitions, tables.format, tables.embedded) == (["1-8/9-15"], "zero-aware", False)
    assert tables.lookups == 2 and tables.bytes == 195_882_752 - 2 * HEADER_BYTES
    assert repr(Solver(tables=tables_7_8)).endswith("zero-aware 1-8/9-15, 2 lookups>")
    assert Solver(tables=tables_7_8, reflection=False).open_tables.lookups == 1
    embedded = Solver()
    assert embedded.open_tables.embedded and embedded.open_tables.lookups == 4 and embedded.open_tables.bytes <= 16e6
    assert embedded.lower_bound(HARD["stm"][0]) >= Solver("6-6-3", tables=small_tables).lower_bound(HARD["stm"][0]) - 4
    assert Solver(reflection=False).open_tables.lookups == 1
    assert Solver(shape=(3, 3)).open_tables.partitions == ["1-8"]


def test_a_search_is_freed_when_it_ends():
    """It takes 300 kB, which must not wait for the garbage collector in a cycle of references."""
    gc.disable()
    gc.freeze()  # what was there before, which takes long to go through
    try:
        for metric in ("stm", "mtm"):
            solver, board = Solver(shape=(3, 3), metric=metric), "8 6 7/2 5 4/3 0 1"
            gc.collect()
            solver.solve(board, max_nodes=100, time_limit_s=60)
            solver.solve(board, workers=2)
            assert gc.collect() == 0, metric
    finally:
        gc.unfreeze()
        gc.enable()
