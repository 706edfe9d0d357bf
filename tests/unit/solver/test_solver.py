"""Solving: goals, limits, threads, interruptions, damaged tables, and which tables are picked."""

import dataclasses
import gc
import os
import pickle
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import twins
from interrupting import interrupted_after
from timing import at_most, timed, within

import puzzle15
from puzzle15 import Board, Solver, cli, tables
from puzzle15._core.search.best_first import beam, best_first
from puzzle15._core.search.deepening import deepening
from puzzle15._core.search.evaluator import Evaluator
from puzzle15.board import pack_boards, parse_moves, unpack_boards
from puzzle15.errors import BoardError, TableCorruptError, TableMissingError, UnsolvableError
from puzzle15.published import KORF_GOAL, korf100
from puzzle15.solver import engine
from puzzle15.tables import HEADER_BYTES, NAMED

#: 70 moves, and hard even with the 7-8 tables; with small ones out of reach.
HARD = Board("0 15 8 3/12 11 7 4/14 10 6 5/9 13 2 1")
EASY = Board("1 5 3 4/2 6 8 12/9 10 7 11/13 14 15 0")


def random_boards(rng, count, shape=(4, 4), goal=None):
    """Boards from which the goal can be reached."""
    boards = [Board(rng.permutation(shape[0] * shape[1]).tolist(), shape) for _ in range(count)]
    return [board if board.is_solvable(goal) else swapped(board) for board in boards]


def swapped(board):
    tiles = list(board.tiles)
    one, two = tiles.index(1), tiles.index(2)
    tiles[one], tiles[two] = 2, 1
    return Board(tiles, board.shape)


def random_goal(rng, shape, home):
    tiles = rng.permutation(range(1, shape[0] * shape[1])).tolist()
    return Board([*tiles[:home], 0, *tiles[home:]], shape)


def counts(solution):
    return solution.length, solution.moves, solution.expanded, solution.generated


def check_path(solution):
    """By the twin: the moves are legal, lead to the goal, and are as many as it says."""
    letters = parse_moves(solution.moves)
    board, goal = solution.board, solution.goal
    assert twins.replay(board.shape, board.tiles, letters) == goal.tiles
    assert solution.length == len(letters) == solution.lower_bound
    assert solution.status == "solved" and solution.optimal


# ---------------------------------------------------------------- goals


@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 2)])
def test_every_board_to_goals_with_every_home(shape, rng):
    for home in range(shape[0] * shape[1]):
        goal = random_goal(rng, shape, home)
        solver = Solver(goal=goal)
        for distance, level in enumerate(twins.levels(shape, goal.tiles)):
            batch = solver.solve_many([Board(tiles, shape) for tiles in level])
            assert batch.lengths.tolist() == [distance] * len(level)
            for solution in batch:
                check_path(solution)
                assert solver.lower_bound(solution.board) <= distance


@pytest.mark.parametrize("shape, depth", [((3, 3), 11), ((2, 4), 13), ((4, 2), 12), ((3, 4), 9), ((4, 4), 7)])
@pytest.mark.sweep(3)
def test_boards_near_goals_with_every_home(shape, depth, rng):
    for home in range(shape[0] * shape[1]):
        goal = random_goal(rng, shape, home)
        solver = Solver(goal=goal, reflection=home % 2 == 0)
        for distance, level in zip(range(depth + 1), twins.levels(shape, goal.tiles)):
            boards = [Board(tiles, shape) for tiles in level]
            assert solver.distance_many(boards).tolist() == [distance] * len(level)
        check_path(solver.solve(boards[-1]))
        check_path(solver.solve_many(boards)[0])


def test_blank_first_is_the_same_problem_turned_around(rng):
    """Turn the board by 180 degrees and replace tile t by 16 - t."""
    first, last = Solver(goal=KORF_GOAL), Solver()
    for board in random_boards(rng, 6, goal=KORF_GOAL):
        turned = Board([(16 - tile) % 16 for tile in reversed(board.tiles)], (4, 4))
        one, other = first.solve(board), last.solve(turned)
        check_path(one)
        check_path(other)
        assert (one.length, one.expanded, one.generated) == (other.length, other.expanded, other.generated)
        opposite = str.maketrans("UDLR", "DURL")
        assert parse_moves(one.moves).translate(opposite) == parse_moves(other.moves)


@pytest.mark.parametrize("shape", [(2, 5), (3, 4), (4, 3), (2, 6), (3, 5), (2, 7), (2, 8), (8, 2)])
@pytest.mark.sweep(6)
def test_shapes_without_a_table(shape, rng):
    goal = random_goal(rng, shape, int(rng.integers(shape[0] * shape[1])))
    solver = Solver(goal=goal)
    walk = goal
    for _ in range(40):
        walk = walk.move(walk.legal_moves()[int(rng.integers(len(walk.legal_moves())))])
    solution = solver.solve(walk)
    check_path(solution)
    assert solution.length <= 40 and solution.length % 2 == 0
    back = Solver(goal=walk).solve(goal)
    check_path(back)
    assert back.length == solution.length


def test_goals_and_shapes():
    assert Solver().goal == Board.goal()
    assert Solver(shape=(2, 3)).goal == Board.goal((2, 3))
    assert Solver(goal="0 1 2/3 4 5").shape == (2, 3)
    assert Solver(goal="012345678").goal == Board.goal((3, 3), home=0)
    assert Solver(goal=list(range(6)), shape=(3, 2)).goal == Board.goal((3, 2), home=0)
    with pytest.raises(BoardError):
        Solver(goal="0 1 2/3 4 5", shape=(3, 2))
    for shape in ((1, 4), (4, 5), (0, 0), (3, 6)):
        with pytest.raises(BoardError):
            Solver(shape=shape)
    with pytest.raises(BoardError):
        Solver(goal="1 2 3/4 5 5")


def test_solve_without_a_solver():
    assert puzzle15.solve("1 2 3/0 5 6/4 7 8").moves == "ULL"
    assert puzzle15.solve(EASY).length == Solver().distance(EASY)
    assert puzzle15.solve(Board.goal((4, 4), home=0), goal=Board.goal((4, 4), home=0)).length == 0
    solution = puzzle15.solve("0 1 2/3 4 5", goal=[1, 0, 2, 3, 4, 5])
    assert (solution.moves, solution.goal) == ("L", Board("1 0 2/3 4 5"))
    with pytest.raises(UnsolvableError):
        puzzle15.solve("1 2 3/4 5 6/8 7 0")
    with pytest.raises(BoardError):
        puzzle15.solve("1 2 3/4 5 6/7 8 0", goal=Board.goal())


def test_solving_takes_what_a_solver_takes():
    seen = []
    solution = puzzle15.solve(EASY, workers=2, max_nodes=10**9, time_limit_s=60, on_iteration=seen.append)
    assert counts(solution) == counts(Solver().solve(EASY)) and tuple(seen) == solution.iterations
    assert puzzle15.solve(EASY, max_length=solution.length - 2).status == "limit"
    assert puzzle15.solve([1, 0, 2, 3, 4, 5], shape=(2, 3), goal=list(range(6))).moves == "R"
    with pytest.raises(BoardError):
        puzzle15.solve("1 2 3/4 5 6/7 8 0", shape=(4, 4))


def test_solving_sees_tables_that_came_later(tables_7_8, tmp_path, monkeypatch):
    monkeypatch.setenv("PUZZLE15_TABLES", str(tmp_path / "new"))

    def solver():
        puzzle15.solve(EASY)
        return puzzle15.solver.best_solver(Board.goal())

    first = solver()
    assert first.tables.embedded and solver() is first
    (tmp_path / "new").mkdir()
    for path in tables_7_8.glob("*.p15"):
        shutil.copyfile(path, tmp_path / "new" / path.name)
    second = solver()
    assert second.tables.partitions == ["1-8/9-15"]
    shutil.rmtree(tmp_path / "new")
    assert solver().tables.embedded
    monkeypatch.setenv("PUZZLE15_TABLES", str(tables_7_8))
    assert not solver().tables.embedded


@pytest.mark.parametrize(
    "given, error, message",
    [
        ((3, 3), TypeError, r"partition \(3, 3\): expected text, such as '7-8'.*shape=\(3, 3\), goal="),
        (Board.goal(), TypeError, "goal="),
        (8, TypeError, "expected text"),
        ("0 1 2/3 4 5/6 7 8", ValueError, "this is a board.*goal='0 1 2/3 4 5/6 7 8'"),
        ("012345678", ValueError, "this is a board.*goal='0 1 2/3 4 5/6 7 8'"),
        ("8-7", ValueError, "expected a name"),
    ],
)
@pytest.mark.parametrize("shape", [None, (3, 3)])
def test_what_is_no_partition(given, error, message, shape):
    for build in (False, True):
        with pytest.raises(error, match=message if shape is None or given != "8-7" else "'8-7'"):
            Solver(given, shape=shape, build=build)


def test_unsolvable_boards_say_so():
    board = swapped(Board.goal())
    with pytest.raises(UnsolvableError, match="2 1 3 4/.* cannot reach the goal 1 2 3 4/.*exchanging"):
        Solver().solve(board)
    check_path(Solver(goal=board).solve(board))
    with pytest.raises(UnsolvableError):
        Solver(goal=board).solve(Board.goal())


# ---------------------------------------------------------------- one answer, however it is computed


def kinds(tables_7_8, small_tables, classic_small_tables):
    yield Solver("7-8", tables=tables_7_8), 24, (4, 4)
    yield Solver("7-8", tables=tables_7_8, plain=True), 8, (4, 4)
    yield Solver("7-8", tables=tables_7_8, reflection=False), 8, (4, 4)
    yield Solver("6-6-3", tables=small_tables), 4, (4, 4)
    yield Solver("6-6-3", tables=classic_small_tables), 4, (4, 4)
    yield Solver("embedded", goal=Board.goal((4, 4), home=1)), 2, (4, 4)
    yield Solver(shape=(3, 4)), 8, (3, 4)
    yield Solver(shape=(2, 5), plain=True), 8, (2, 5)
    yield Solver(shape=(3, 3)), 20, (3, 3)


def test_threads_workers_and_batches_change_nothing(tables_7_8, small_tables, classic_small_tables, rng):
    for solver, count, shape in kinds(tables_7_8, small_tables, classic_small_tables):
        boards = random_boards(rng, count, shape, solver.goal)
        one = [solver.solve(board) for board in boards]
        expected = [counts(solution) for solution in one]
        for solution in one:
            check_path(solution)
        for workers in (1, 2, 3):
            batch = solver.solve_many(boards, workers=workers)
            assert [counts(solution) for solution in batch] == expected
        reversed_batch = solver.solve_many(boards[::-1])
        assert [counts(solution) for solution in reversed_batch][::-1] == expected
        for threads in (2, 3, 5):
            again = [solver.solve(board, workers=threads) for board in boards[:3]]
            assert [counts(solution) for solution in again] == expected[:3]
            assert [s.iterations for s in again] == [s.iterations for s in one[:3]]


def test_a_hard_board_with_many_threads(tables_7_8):
    """Enough subtrees for the threads to meet in one iteration, and to stop each other."""
    solver = Solver("7-8", tables=tables_7_8)
    board = korf100()[87].board  # 66 moves
    solver = Solver("7-8", goal=KORF_GOAL, tables=tables_7_8)
    expected = solver.solve(board)
    check_path(expected)
    for threads in (2, 4):
        solution = solver.solve(board, workers=threads)
        assert counts(solution) == counts(expected) and solution.iterations == expected.iterations


def test_large_searches_go_on_with_longer_words(monkeypatch, tables_7_8, small_tables, classic_small_tables, rng):
    of_kinds, saved = (tables_7_8, small_tables, classic_small_tables), 0
    boards = [random_boards(rng, count, shape, solver.goal) for solver, count, shape in kinds(*of_kinds)]
    before = [[solver.solve(board) for board in some] for (solver, *_), some in zip(kinds(*of_kinds), boards)]
    monkeypatch.setattr("puzzle15.solver.opened._LARGE", 2000)
    for (solver, *_), some, short in zip(kinds(*of_kinds), boards, before):
        long = [solver.solve(board) for board in some]
        assert [solution.length for solution in long] == [solution.length for solution in short]
        for one, other in zip(long, short):
            for here, there in zip(
                one.iterations[:-1], other.iterations[:-1]
            ):  # the last one ends where it meets the goal
                assert here.generated <= there.generated
                saved += there.generated - here.generated
        for workers in (1, 2, 3):
            assert [counts(solution) for solution in solver.solve_many(some, workers=workers)] == list(
                map(counts, long)
            )
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


def test_every_kind_of_array(rng):
    boards = random_boards(rng, 20, (3, 3))
    solver = Solver(shape=(3, 3))
    packed, _ = pack_boards(boards)
    flat = unpack_boards(packed, (3, 3))
    expected = solver.distance_many(boards).tolist()
    for given in (packed, flat, flat.reshape(-1, 3, 3), flat.astype(int), iter(boards), [str(b) for b in boards]):
        assert solver.distance_many(given, workers=2).tolist() == expected
    for given in (packed, flat, flat.reshape(-1, 3, 3)):
        assert solver.lower_bound_many(given).tolist() == [solver.lower_bound(board) for board in boards]
    with pytest.raises(BoardError):
        solver.solve_many(np.zeros((2, 16), np.uint8))


def test_progress_of_a_batch(tables_7_8, rng):
    boards = random_boards(rng, 50)
    for workers in (1, 2):
        calls = []
        Solver(tables=tables_7_8).solve_many(boards, workers=workers, progress=lambda *call: calls.append(call))
        assert calls[-1] == (50, 50) and calls == sorted(calls)

        def stop(done, count):
            raise RuntimeError("enough")

        with pytest.raises(RuntimeError, match="enough"):
            Solver(tables=tables_7_8).solve_many(boards, workers=workers, progress=stop)


# ---------------------------------------------------------------- kinds of tables and searches


def test_all_kinds_agree_on_lengths(tables_7_8, classic_7_8, small_tables, classic_small_tables, rng):
    easy = [record for record in korf100() if record.length <= 46]
    boards = [record.board for record in easy]
    expected = [record.length for record in easy]
    goal = KORF_GOAL
    for folder, partition, format in [
        (tables_7_8, "7-8", "zero-aware"),
        (classic_7_8, "7-8", "classic"),
        (small_tables, "5-5-5", None),
        (small_tables, "6-6-3", None),
        (classic_small_tables, "5-5-5", "classic"),
        (classic_small_tables, "6-6-3", "classic"),
    ]:
        for options in ({}, {"reflection": False}, {"plain": True}):
            if options and partition == "5-5-5":
                continue
            solver = Solver(partition, goal=goal, tables=folder, format=format, **options)
            assert solver.tables.format == (format or "zero-aware")
            batch = solver.solve_many(boards)
            assert batch.lengths.tolist() == expected
            check_path(batch[0])


@pytest.mark.parametrize("format", ["zero-aware", "classic"])
def test_the_plain_search_is_the_textbook_one(format, tmp_path, rng):
    """Patterns of one tile are Manhattan distance: node for node what the twin opens."""
    shape, partition = (3, 3), "1/2/3/4/5/6/7/8"
    puzzle15.build_tables(partition, shape=shape, format=format, tables=tmp_path)
    where = {"shape": shape, "format": format, "tables": tmp_path, "reflection": False}
    plain, other = Solver(partition, plain=True, **where), Solver(partition, **where)
    boards = [board for board in random_boards(rng, 60, shape) if other.distance(board) <= 22]
    assert len(boards) > 10
    for board in boards:
        expected = twins.textbook_ida_star(shape, board.tiles, Board.goal(shape).tiles)
        assert [tuple(iteration) for iteration in plain.solve(board).iterations] == expected
    batch = plain.solve_many(boards)
    assert batch.generated.tolist() == [plain.solve(board).generated for board in boards]
    assert other.solve_many(boards).generated.sum() < batch.generated.sum()


def test_heuristics_compare_as_they_must(tables_7_8, classic_7_8, rng):
    boards = random_boards(rng, 500)

    def h(folder, **options):
        return Solver("7-8", tables=folder, **options).lower_bound_many(boards).astype(int)

    zero, zero_one = h(tables_7_8), h(tables_7_8, reflection=False)
    classic, classic_one = h(classic_7_8), h(classic_7_8, reflection=False)
    lengths = Solver("7-8", tables=tables_7_8).distance_many(boards)
    manhattan = [twins.manhattan((4, 4), board.tiles, Board.goal().tiles) for board in boards]
    for lower, higher in [
        (manhattan, classic_one),
        (classic_one, classic),
        (classic_one, zero_one),
        (classic, zero),
        (zero_one, zero),
        (zero, lengths),
    ]:
        assert (np.asarray(lower) <= higher).all() and (np.asarray(lower) < higher).any()
        assert (np.asarray(lower) % 2 == higher % 2).all()
    assert (h(tables_7_8, plain=True) == zero).all()
    generated = [
        Solver("7-8", tables=tables_7_8, **options).solve_many(boards[:100]).generated.sum()
        for options in ({}, {"reflection": False}, {"plain": True, "reflection": False})
    ]
    assert 2 * generated[0] < generated[1] < generated[2]


def test_views_and_sizes(tables_7_8, small_tables):
    solver = Solver(tables=tables_7_8)
    assert (solver.tables.partitions, solver.tables.format, solver.tables.embedded) == (
        ["1-8/9-15"],
        "zero-aware",
        False,
    )
    assert solver.tables.lookups == 2 and solver.tables.bytes == 195_882_752 - 2 * HEADER_BYTES
    assert repr(solver).endswith("zero-aware 1-8/9-15, 2 lookups>")
    assert Solver(tables=tables_7_8, reflection=False).tables.lookups == 1
    embedded = Solver()
    assert embedded.tables.embedded and embedded.tables.lookups == 4 and embedded.tables.bytes <= 16e6
    assert embedded.lower_bound(HARD) >= Solver("6-6-3", tables=small_tables).lower_bound(HARD) - 4
    assert Solver(reflection=False).tables.lookups == 1
    assert Solver(shape=(3, 3)).tables.partitions == ["1-8"]


# ---------------------------------------------------------------- limits


def check_limited(solver, solution, length):
    assert (solution.status, solution.moves, solution.length) == ("limit", None, None)
    assert not solution.optimal and list(solution.boards()) == []
    h = solver.lower_bound(solution.board)
    assert h <= solution.lower_bound <= length and solution.lower_bound % 2 == length % 2
    bounds = [iteration.bound for iteration in solution.iterations]
    assert bounds == list(range(h, solution.lower_bound, 2))
    assert sum(iteration.generated for iteration in solution.iterations) <= solution.generated
    assert sum(iteration.expanded for iteration in solution.iterations) <= solution.expanded


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("max_nodes", [0, 1, 1000, 100_000, 3_000_000])
def test_a_limit_of_nodes(max_nodes, threads, tables_7_8):
    solver = Solver(tables=tables_7_8)
    solution = solver.solve(HARD, max_nodes=max_nodes, workers=threads)
    check_limited(solver, solution, 70)
    assert max_nodes <= solution.generated
    # looked at every few milliseconds
    assert solution.generated <= max_nodes + (1_000_000 if threads == 1 else 4_000_000)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("seconds", [0, 0.05, 0.4])
@pytest.mark.sweep(4)
@timed
def test_a_limit_of_time(seconds, threads, tables_7_8):
    for solver in (Solver(tables=tables_7_8), Solver("embedded")):
        start = time.monotonic()
        solution = solver.solve(HARD, time_limit_s=seconds, workers=threads)
        took = time.monotonic() - start
        check_limited(solver, solution, 70)
        assert seconds <= took and solution.seconds <= took
        at_most(took, seconds + 0.15)
        at_most(took, solution.seconds + 0.05)


def test_limits_that_are_not_reached_change_nothing(tables_7_8, rng):
    solver = Solver(tables=tables_7_8)
    for board in random_boards(rng, 10):
        free = solver.solve(board)
        limited = solver.solve(board, max_nodes=free.generated + 1, time_limit_s=60)
        assert counts(limited) == counts(free) and limited.iterations == free.iterations


def test_a_higher_limit_proves_no_less(tables_7_8):
    solver = Solver(tables=tables_7_8)
    bounds = [solver.solve(HARD, max_nodes=nodes).lower_bound for nodes in (0, 10**3, 10**4, 10**5, 10**6)]
    assert bounds == sorted(bounds) and bounds[0] < bounds[-1]


@pytest.mark.parametrize("threads", [1, 2])
def test_a_limit_of_moves(threads, tables_7_8, small_tables, rng):
    for solver in (
        Solver("7-8", tables=tables_7_8),
        Solver("7-8", tables=tables_7_8, plain=True),
        Solver("6-6-3", tables=small_tables, goal="0 1 2 3/4 5 6 7/8 9 10 11/12 13 14 15"),
        Solver(goal="1 2 3/8 0 4/7 6 5"),
    ):
        board = random_boards(rng, 1, solver.shape, solver.goal)[0]
        free = solver.solve(board)
        h = solver.lower_bound(board)
        for limit in {0, h - 1, h, h + 1, free.length - 2, free.length - 1} & set(range(free.length)):
            limited = solver.solve(board, max_length=limit, workers=threads)
            check_limited(solver, limited, free.length)
            finished = [iteration for iteration in free.iterations if iteration.bound <= limit]
            assert limited.lower_bound == max(h, h + 2 * len(finished)) > limit
            assert limited.iterations == tuple(finished)
            assert limited.generated == sum(iteration.generated for iteration in finished)
        for limit in (free.length, free.length + 1, 160, 255, 10**30):
            limited = solver.solve(board, max_length=limit, workers=threads)
            check_path(limited)
            assert counts(limited) == counts(free) and limited.iterations == free.iterations
        assert solver.solve(solver.goal, max_length=0, workers=threads).moves == ""


def test_limits_of_moves_and_nodes_together(tables_7_8):
    solver = Solver(tables=tables_7_8)
    few = solver.solve(HARD, max_length=69, max_nodes=1000)
    check_limited(solver, few, 70)
    assert few.lower_bound < 70 and few.generated < 1_000_000


@pytest.mark.parametrize("threads", [1, 2])
def test_on_iteration(threads, tables_7_8, rng):
    solver = Solver(tables=tables_7_8)
    board = random_boards(rng, 1)[0]
    seen = []
    solution = solver.solve(board, workers=threads, on_iteration=seen.append)
    assert tuple(seen) == solution.iterations and len(seen) > 1
    assert [iteration.bound for iteration in seen] == list(range(solver.lower_bound(board), solution.length + 1, 2))

    def stop(iteration):
        raise LookupError(f"bound {iteration.bound}")

    with pytest.raises(LookupError, match=f"bound {seen[0].bound}"):
        solver.solve(board, workers=threads, on_iteration=stop)
    assert counts(solver.solve(board)) == counts(solution)


def test_numbers_that_make_no_sense():
    solver = Solver(shape=(2, 2))
    for threads in (0, -1):
        with pytest.raises(ValueError, match="from 1 to 1024"):
            solver.solve("1 2/3 0", workers=threads)
        with pytest.raises(ValueError, match="from 1 to 1024"):
            solver.solve_many(["1 2/3 0"], workers=threads)
    with pytest.raises(ValueError, match="max_length -1: expected a whole number of at least 0"):
        solver.solve("1 2/3 0", max_length=-1)
    with pytest.raises(ValueError, match="zero-aware or classic"):
        Solver(format="nibble")
    with pytest.raises(ValueError, match="expected a name"):
        Solver("nine")


# ---------------------------------------------------------------- limits of batches


def numbers(batch):
    """What no number of threads may change."""
    return [
        column.tolist() for column in (batch.status, batch.lengths, batch.lower_bounds, batch.expanded, batch.generated)
    ]


def test_a_limit_of_nodes_is_exact(tables_7_8, rng):
    solver = Solver(tables=tables_7_8)
    for board in random_boards(rng, 6):
        free = solver.solve(board)
        for nodes in (free.generated - 1, free.generated, free.generated + 1, 10**30):
            enough = nodes >= free.generated
            for threads in (1, 2, 3):
                solution = solver.solve(board, max_nodes=nodes, workers=threads)
                assert solution.status == ("solved" if enough else "limit")
                assert not enough or (counts(solution), solution.iterations) == (counts(free), free.iterations)
            assert solver.solve_many([board], max_nodes=nodes).status.tolist() == [solution.status]


@pytest.mark.parametrize("max_nodes", [0, 1, 100, 5_000, 100_000])
def test_one_board_and_many_within_a_limit_of_nodes(max_nodes, small_tables, rng):
    """The twin: what the iterations of the search without a limit tell."""
    for solver in (Solver("6-6-3", tables=small_tables), Solver("embedded", shape=(3, 4), plain=True)):
        boards = [*random_boards(rng, 12, solver.shape), solver.goal]
        batch = solver.solve_many(boards, max_nodes=max_nodes)
        for workers in (2, 3):
            assert numbers(solver.solve_many(boards, max_nodes=max_nodes, workers=workers)) == numbers(batch)
        reversed_batch = solver.solve_many(boards[::-1], max_nodes=max_nodes)
        assert numbers(reversed_batch[::-1]) == numbers(batch)
        for index, board in enumerate(boards):
            free = solver.solve(board)
            made = np.cumsum([iteration.generated for iteration in free.iterations], dtype=int)
            finished = int((made <= max_nodes).sum())
            solution = batch[index]
            if free.generated <= max_nodes:
                assert counts(solution) == counts(free) and solution.optimal
            else:
                check_limited(solver, dataclasses.replace(solution, iterations=free.iterations[:finished]), free.length)
                assert max_nodes < solution.generated <= max_nodes + 64  # the children of a group
            for threads in (1, 2):
                alone = solver.solve(board, max_nodes=max_nodes, workers=threads)
                assert (alone.status, alone.lower_bound) == (solution.status, solution.lower_bound)
                assert alone.iterations == free.iterations[: len(alone.iterations)]
                assert len(alone.iterations) == (len(free.iterations) if solution.optimal else finished)


def test_limits_of_each_board(small_tables, rng):
    solver = Solver("6-6-3", tables=small_tables)
    boards = random_boards(rng, 8)
    free = solver.solve_many(boards)
    lengths, generated = free.lengths.astype(int), free.generated.astype(int)
    shorter, fewer = [True, False] * 4, [True, True, False, False] * 2
    limit, max_nodes = lengths - 2 * np.array(shorter), generated - np.array(fewer)
    for workers in (1, 2, ThreadPoolExecutor(2)):
        batch = solver.solve_many(boards, max_length=limit, max_nodes=max_nodes.tolist(), workers=workers)
        assert (batch.status == "limit").tolist() == [a or b for a, b in zip(shorter, fewer)]
        for index, solution in enumerate(batch):
            alone = solver.solve(boards[index], max_length=int(limit[index]), max_nodes=int(max_nodes[index]))
            assert (solution.status, solution.lower_bound) == (alone.status, alone.lower_bound)
            assert solution.optimal or solution.lower_bound == batch.lower_bounds[index] <= lengths[index]
        batch = solver.solve_many(
            boards, max_length=10**30, max_nodes=10**30, time_limit_s=float("inf"), workers=workers
        )
        assert numbers(batch) == numbers(free)
    batch = solver.solve_many(
        [boards[0], "no board", solver.goal], on_error="mark", max_length=[0, 0, 0], time_limit_s=60
    )
    assert batch.status.tolist() == ["limit", "error", "solved"]
    assert batch.lower_bounds.tolist() == [solver.lower_bound(boards[0]), 0, 0]
    assert repr(batch) == "<SolutionBatch of 3 boards, 1 solved>"


@timed
def test_a_limit_of_time_for_many_boards(small_tables, rng):
    solver = Solver("6-6-3", tables=small_tables)
    boards = [*random_boards(rng, 4), *([HARD] * 8), solver.goal, *random_boards(rng, 20)]
    free = [None if board is HARD else solver.solve(board).length for board in boards]
    bounds = solver.lower_bound_many(boards)
    for workers in (1, 2, ThreadPoolExecutor(2)):
        for seconds in (0, 0.2):
            calls = []
            start = time.monotonic()
            with within(seconds + 0.5):
                batch = solver.solve_many(
                    boards, workers=workers, time_limit_s=seconds, progress=lambda *c: calls.append(c)
                )
            assert seconds <= time.monotonic() - start and calls[-1] == (len(boards), len(boards))
            assert set(batch.status.tolist()) == {"solved", "limit"} and batch.status[12] == "solved"
            assert (batch.lower_bounds >= bounds).all()
            for solution, length in zip(batch, free):
                if solution.status == "solved":
                    assert solution.length == length
                else:
                    assert solution.lower_bound <= (length or 70)
            if seconds == 0:
                assert batch.lower_bounds.tolist() == bounds.tolist() and not batch.generated.any()


@pytest.mark.parametrize(
    "limits, message",
    [
        ({"max_length": -1}, "max_length -1: expected a whole number of at least 0"),
        ({"max_length": 1.5}, "max_length 1.5: expected a whole number"),
        ({"max_nodes": "many"}, "max_nodes 'many': expected a whole number"),
        ({"max_nodes": True}, "max_nodes True: expected a whole number"),
        ({"max_length": [30]}, "max_length: 1 numbers; expected one whole number, or an array of 2, one per board"),
        ({"max_nodes": np.zeros((2, 1), int)}, r"max_nodes: an array of shape \(2, 1\); expected"),
        ({"max_nodes": [5, -1]}, "max_nodes: int64 numbers from -1; expected whole numbers of at least 0"),
        ({"max_length": [5.0, 1.0]}, "max_length: float64 numbers from 1.0; expected whole numbers"),
        ({"time_limit_s": -1}, "time_limit_s -1: expected a number of seconds"),
    ],
)
def test_limits_of_batches_that_make_no_sense(limits, message):
    with pytest.raises(ValueError, match=message):
        Solver(shape=(2, 2)).solve_many(["1 2/3 0", "1 0/3 2"], **limits)


# ---------------------------------------------------------------- Ctrl-C


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="has no timer signals")
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("call", ["solve", "solve_many"])
@pytest.mark.sweep(1)
@timed
def test_ctrl_c_acts_within_a_tenth_of_a_second(call, threads):
    solver = Solver("embedded")
    running = threading.active_count()
    with within(0.2 + 0.1), pytest.raises(KeyboardInterrupt), interrupted_after(0.2, KeyboardInterrupt):
        if call == "solve":
            solver.solve(HARD, workers=threads)
        else:
            solver.solve_many([HARD] * 20, workers=threads)
    assert threading.active_count() <= running  # those of other tests may end
    check_path(solver.solve(EASY))


INTERRUPTED = """
import sys, puzzle15
solver = puzzle15.Solver("embedded")
print(flush=True)
solver.solve(sys.argv[1], workers=int(sys.argv[2]))
"""


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.sweep(1)
@timed
def test_ctrl_c_ends_a_process(start, threads):
    process = start("-c", INTERRUPTED, HARD, threads)
    process.stdout.readline()
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    with within(1):  # Python's own end included
        error = process.communicate()[1]
    assert b"KeyboardInterrupt" in error and process.returncode in (1, -signal.SIGINT, 130)


# ---------------------------------------------------------------- which tables


def test_without_any_table(no_tables):
    assert not no_tables.exists()
    for solver in (Solver(), Solver("embedded"), Solver(tables=no_tables)):
        assert solver.tables.embedded and solver.tables.format == "zero-aware"
        check_path(solver.solve(EASY))
    assert not no_tables.exists()


@pytest.mark.parametrize("goal", [Board.goal(), Board.goal((4, 4), 1), Board.goal((4, 4), 5), Board.goal((3, 4), 3)])
def test_missing_tables_say_how_to_build_them(goal, tmp_path, capsys):
    """The command in the message, run as it stands, mends it."""
    folder = tmp_path / "my tables"
    partition = "5-5-5" if goal.shape == (4, 4) else "1-4/5-7/8-11"
    for options in ({"partition": partition}, {"partition": partition, "format": "classic"}):
        with pytest.raises(TableMissingError) as caught:
            Solver(goal=goal, tables=folder, **options)
        assert isinstance(caught.value, FileNotFoundError)
        message = str(caught.value)
        assert str(folder) in message and partition in message
        command = shlex.split(message.partition("build them: ")[2])
        assert command[:2] == ["puzzle15", "build"]
        assert cli.main([*command[1:], "--quiet"]) == 0
        solver = Solver(goal=goal, tables=folder, **options)
        assert not solver.tables.embedded
        assert solver.distance(goal) == 0
    with pytest.raises(TableMissingError, match="puzzle15 build .*--format classic"):
        Solver(goal=goal, tables=tmp_path, format="classic")


def test_a_damaged_header_is_a_missing_table_that_says_why(tmp_path):
    first = puzzle15.build_tables("5-5-5", tables=tmp_path)[0]
    first.path.write_bytes(first.path.read_bytes()[:5000])
    with pytest.raises(TableMissingError, match=f"{first.path.name}.*bytes instead of"):
        Solver("5-5-5", tables=tmp_path)
    assert Solver(tables=tmp_path).tables.embedded


def test_the_best_tables_that_are_there(tables_7_8, classic_7_8, tmp_path):
    def picked(**options):
        solver = Solver(tables=tmp_path, **options)
        name = next((name for name, tiles in NAMED.items() if sizes(tiles) == sizes_of(solver)), None)
        return name, solver.tables.format, solver.tables.embedded

    def sizes(tiles):
        return sorted(map(len, tiles))

    def sizes_of(solver):
        from puzzle15.tables import parse_partition

        (patterns,) = parse_partition(solver.tables.partitions[0], (4, 4), 15)
        return sorted(bin(cells).count("1") for cells in patterns)

    def link(folder):
        for path in folder.iterdir():
            (tmp_path / path.name).symlink_to(path)

    assert picked()[1:] == ("zero-aware", True)
    puzzle15.build_tables("5-5-5", format="classic", tables=tmp_path)
    puzzle15.build_tables("5-5-5", tables=tmp_path)
    puzzle15.build_tables("6-6-3", tables=tmp_path)
    assert picked()[1:] == ("zero-aware", True)  # they have more views
    assert picked(format="classic") == ("5-5-5", "classic", False)
    assert picked(format="zero-aware") == ("6-6-3", "zero-aware", False)
    link(classic_7_8)
    assert picked() == ("7-8", "classic", False)
    link(tables_7_8)
    assert picked() == ("7-8", "zero-aware", False)
    assert picked(format="classic") == ("7-8", "classic", False)
    assert picked(partition="5-5-5") == ("5-5-5", "zero-aware", False)
    assert picked(partition="5-5-5", format="classic") == ("5-5-5", "classic", False)
    assert picked(partition="embedded")[2]
    with pytest.raises(TableMissingError, match="6-6-3"):
        picked(partition="6-6-3", format="classic")
    # tables of other homes and shapes do not count
    assert Solver(goal=Board.goal((4, 4), 1), tables=tmp_path).tables.embedded
    assert Solver(shape=(3, 4), tables=tmp_path).tables.embedded


def test_tables_of_every_home_are_used(tmp_path):
    for home, goal_home in (("edge", 4), ("center", 5)):
        puzzle15.build_tables("1-5/6-10/11-15", home=home, tables=tmp_path)
        solver = Solver("1-5/6-10/11-15", goal=Board.goal((4, 4), goal_home), tables=tmp_path)
        assert not solver.tables.embedded and solver.tables.partitions == ["1-5/6-10/11-15"]
        check_path(solver.solve(Board.goal((4, 4), goal_home).apply("R" if goal_home % 4 else "L")))


@pytest.mark.slow
def test_one_folder_for_homes_with_the_same_cells(tmp_path):
    """Patterns on the same cells that shut the blank in on one side or the other."""
    for goal, partition in [
        (Board.goal(), "12,15/1-8/9-11,13,14"),
        (Board.goal((4, 4), 10), "11,14/1-8/9,10,12,13,15"),
    ]:
        files = puzzle15.build_tables(partition, home=goal.blank, tables=tmp_path)
        assert files[0].cells == 1 << 11 | 1 << 14
    for goal, partition in [
        (Board.goal(), "12,15/1-8/9-11,13,14"),
        (Board.goal((4, 4), 10), "11,14/1-8/9,10,12,13,15"),
    ]:
        solver = Solver(partition, goal=goal, tables=tmp_path)
        for level, depth in zip(twins.levels((4, 4), goal.tiles), range(8)):
            boards = [Board(tiles, (4, 4)) for tiles in level]
            assert solver.distance_many(boards).tolist() == [depth] * len(level)


def test_second_partitions_are_second_views(tmp_path):
    puzzle15.build_tables(shape=(3, 4), tables=tmp_path)
    solver = Solver(shape=(3, 4), tables=tmp_path)
    assert not solver.tables.embedded and solver.tables.lookups == 2 == len(solver.tables.partitions)
    assert Solver(shape=(3, 4), tables=tmp_path, reflection=False).tables.lookups == 1


# ---------------------------------------------------------------- damaged tables


@pytest.mark.parametrize("format", ["zero-aware", "classic"])
@pytest.mark.parametrize(
    "shape, partition",
    [((2, 3), "1-3/4-5"), ((2, 3), "1-5"), ((3, 3), "1-3/4-6/7-8"), ((3, 3), "1-4/5-8"), ((2, 4), "1-4/5-7")],
)
@pytest.mark.sweep(1)
def test_damaged_payloads_neither_crash_nor_hang(shape, partition, format, tmp_path, rng):
    """What a wrong entry may do: lengthen the answer, or be noticed. Never a path that is none, and
    never one that is too short."""
    files = puzzle15.build_tables(partition, shape=shape, format=format, tables=tmp_path)
    whole = [table.path.read_bytes() for table in files]
    boards = random_boards(rng, 12, shape)
    right = Solver("embedded", shape=shape).distance_many(boards).tolist()
    outcomes = {"right": 0, "longer": 0, "noticed": 0, "limit": 0}
    for trial in range(60):
        for table, content in zip(files, whole):
            damaged = bytearray(content)
            flips = (1, 3, 30, len(damaged))[trial % 4]
            for place in rng.integers(HEADER_BYTES, len(damaged), flips).tolist():
                damaged[place] ^= 1 << int(rng.integers(8))
            table.path.write_bytes(damaged)
        try:
            solver = Solver(partition, shape=shape, format=format, tables=tmp_path, check="never")
        except TableCorruptError as error:
            assert "puzzle15 verify" in str(error)
            outcomes["noticed"] += len(boards)
            continue
        for board, length in zip(boards, right):
            try:
                solution = solver.solve(board, max_nodes=5_000_000, workers=1 + trial % 2)
            except TableCorruptError as error:
                assert "puzzle15 verify" in str(error) and str(tmp_path) in str(error)
                outcomes["noticed"] += 1
                continue
            if solution.status == "limit":
                outcomes["limit"] += 1
                continue
            check_path(solution)
            assert solution.length >= length and solution.length % 2 == length % 2
            outcomes["right" if solution.length == length else "longer"] += 1
    assert outcomes["right"] > 0 and outcomes["noticed"] > 0
    assert outcomes["limit"] <= 3, outcomes
    with pytest.raises(TableCorruptError, match="puzzle15 verify"):
        for trial in range(100):
            noise = rng.integers(0, 256, len(whole[0]) - HEADER_BYTES, dtype=np.uint8).tobytes()
            files[0].path.write_bytes(whole[0][:HEADER_BYTES] + noise)
            solver = Solver(partition, shape=shape, format=format, tables=tmp_path, check="never")
            solver.solve(boards[trial % 12], max_nodes=5_000_000)
            solver.lower_bound_many(boards)
    for table, content in zip(files, whole):
        table.path.write_bytes(content)
    assert Solver(partition, shape=shape, format=format, tables=tmp_path).distance_many(boards).tolist() == right


def test_a_damaged_goal_is_noticed_at_once(tmp_path):
    """A search that the goal itself misleads would not end."""
    for table in puzzle15.build_tables("1-3/4-5", shape=(2, 3), format="classic", tables=tmp_path):
        content = bytearray(table.path.read_bytes())
        content[HEADER_BYTES:] = b"\x11" * table.payload_bytes
        table.path.write_bytes(content)
    with pytest.raises(TableCorruptError, match="puzzle15 verify"):
        Solver("1-3/4-5", shape=(2, 3), tables=tmp_path, check="never")


def test_batches_on_damaged_tables(tmp_path, rng):
    files = puzzle15.build_tables("1-4/5-8", shape=(3, 3), tables=tmp_path)
    boards = random_boards(rng, 300, (3, 3))
    for workers in (1, 2):
        content = files[0].path.read_bytes()
        zeros = content[:HEADER_BYTES] + bytes(files[0].payload_bytes)
        files[0].path.write_bytes(zeros)
        solver = Solver("1-4/5-8", shape=(3, 3), tables=tmp_path, check="never")
        with pytest.raises(TableCorruptError, match=r"board [\d /]+: .*puzzle15 verify"):
            solver.solve_many(boards, workers=workers)
        with pytest.raises(TableCorruptError, match=r"board [\d /]+: .*puzzle15 verify"):
            solver.lower_bound_many(boards)
        files[0].path.write_bytes(content)
    assert tables.verify(tmp_path)[0].sound


def replaced(path, share, rng):
    """Damage a table: replace a share of its payload's bytes."""
    content = bytearray(path.read_bytes())
    count = len(content) - HEADER_BYTES
    places = HEADER_BYTES + rng.choice(count, max(1, int(share * count)), replace=False)
    for place, value in zip(places.tolist(), rng.integers(0, 256, len(places)).tolist()):
        content[place] = value
    path.write_bytes(content)


@pytest.mark.parametrize("format", ["zero-aware", "classic"])
def test_damaged_tables_prove_nothing_wrong(format, tmp_path):
    """Checked, a damaged table is never searched with; unchecked, no bound is above that of the farthest board.

    The first of the classic ones made a search run for 19 seconds, and report bounds of 49 to 53.
    """
    files = puzzle15.build_tables("1-4/5-8", shape=(3, 3), format=format, tables=tmp_path)
    whole = [table.path.read_bytes() for table in files]
    boards = [*random_boards(np.random.default_rng(3), 10, (3, 3)), Board("8 6 7/2 5 4/3 0 1")]
    lengths = Solver(shape=(3, 3)).distance_many(boards).tolist()
    found = wrong = 0
    for seed, share in [(266, 0.03), *((seed, 10 ** -(seed % 5)) for seed in range(25))]:
        rng = np.random.default_rng(seed)
        for table, content in zip(files, whole):
            table.path.write_bytes(content)
            replaced(table.path, share, rng)
        damaged = [table.path.read_bytes() for table in files] != whole
        for check in ("once", "always", "once"):
            if damaged:
                with pytest.raises(TableCorruptError, match="checksum"):
                    Solver("1-4/5-8", shape=(3, 3), format=format, tables=tmp_path, check=check)
                found += 1
        try:
            solver = Solver("1-4/5-8", shape=(3, 3), format=format, tables=tmp_path, check="never")
        except TableCorruptError:  # at the goal
            continue
        for board, length in zip(boards, lengths):
            try:
                solution = solver.solve(board, max_nodes=300_000)
            except TableCorruptError as error:
                assert "puzzle15 verify" in str(error)
            else:
                assert solution.lower_bound <= 31
                wrong += solution.optimal and solution.length != length
    assert found > 60 and wrong > 0


def test_a_bound_above_that_of_the_farthest_board_is_corruption():
    """Here sound tables, and a solver that knows of no board that far."""
    solver, far = Solver(shape=(3, 3)), "8 6 7/2 5 4/3 0 1"
    assert solver.engine._farthest == 31 == solver.distance(far)
    for least in (4, 21, 30):
        solver.engine._farthest = least
        told = f"moves at least, but no board needs more than {least}; find the damaged file .*puzzle15 verify"
        for call in (
            lambda: solver.solve(far),
            lambda: solver.solve(far, workers=2),
            lambda: solver.solve(far, max_length=40),
            lambda: solver.solve_many([far]),
            lambda: solver.solve_many(["1 2 3/4 5 6/7 8 0", far], workers=2),
        ):
            with pytest.raises(TableCorruptError, match=told):
                call()
        assert solver.solve_many(["1 2 3/4 5 6/7 0 8"]).lengths.tolist() == [1]
    embedded = Solver("embedded", shape=(3, 4))
    board = Board.random(1, (3, 4))
    expected = embedded.solve(board)
    embedded.engine._farthest = expected.length
    assert counts(embedded.solve(board)) == counts(expected)
    embedded.engine._farthest = expected.length - 1
    with pytest.raises(TableCorruptError, match="no board needs more"):
        embedded.solve(board)


def test_a_solver_that_travels_checks_as_it_was_told(tmp_path):
    files = puzzle15.build_tables("1-4/5-8", shape=(3, 3), tables=tmp_path)
    solvers = {check: Solver("1-4/5-8", shape=(3, 3), tables=tmp_path, check=check) for check in tables.CHECKS}
    content = bytearray(files[0].path.read_bytes())
    content[-1] ^= 1
    files[0].path.write_bytes(content)
    for check, solver in solvers.items():
        arrived = pickle.loads(pickle.dumps(solver))
        if check == "never":
            assert arrived.tables.lookups == solver.tables.lookups
        else:
            with pytest.raises(TableCorruptError, match="checksum"):
                arrived.solve("1 2 3/4 5 6/7 8 0")
    with pytest.raises(ValueError, match="check 'sometimes': expected once, always, never"):
        Solver(check="sometimes")


def test_a_table_that_is_cut_off_while_it_is_mapped(small_tables, tmp_path):
    """A search would end the process when it reads what is no longer there."""
    folder = shutil.copytree(small_tables, tmp_path / "tables")
    program = (
        "import sys, time, os, numpy, puzzle15\n"
        "from puzzle15 import Board, Solver, heuristic\n"
        "solver = Solver('6-6-3', tables=sys.argv[1])\n"
        "h = heuristic('tables:6-6-3', tables=sys.argv[1])\n"
        "board = Board.random(1)\n"
        "boards = [Board.random(seed) for seed in range(10)]\n"
        "solver.lower_bound(board)\n"
        "for file in solver.tables.files: os.truncate(file.path, 5000)\n"
        "told = 0\n"
        "for call in (lambda: solver.solve(board, max_nodes=1000), lambda: solver.lower_bound(board),\n"
        "             lambda: h(board), lambda: solver.solve_many(boards), lambda: solver.lower_bound_many(boards),\n"
        "             lambda: h.many(boards)):\n"
        "    time.sleep(0.02)\n"
        "    try: call()\n"
        "    except puzzle15.errors.TableCorruptError as error: told += 'cut off' in str(error)\n"
        "print(told)\n"
    )
    run = subprocess.run([sys.executable, "-c", program, str(folder)], capture_output=True, text=True, cwd=tmp_path)
    assert (run.returncode, run.stdout) == (0, "6\n"), run.stderr


# ---------------------------------------------------------------- tables in memory ---


@pytest.fixture
def much_memory(monkeypatch):
    """Tables are read into memory only where much of it is free."""
    monkeypatch.setattr("puzzle15.solver.opened.available_memory", lambda: 1 << 40)


def walked_boards(rng, count, moves=45):
    """Boards some random moves from the goal, so that small tables are enough."""
    boards = []
    for _ in range(count):
        board = Board.goal()
        for _ in range(moves):
            board = board.move(rng.choice(list(board.legal_moves())))
        boards.append(board)
    return boards


def test_tables_are_read_when_there_is_much_to_do(much_memory, small_tables, rng, monkeypatch):
    """Same answers and counts, from mapped files and from memory, in a batch and within one search."""
    boards = walked_boards(rng, 20)
    mapped = Solver("6-6-3", tables=small_tables)
    expected = [counts(mapped.solve(board)) for board in boards]
    assert mapped.tables._mapped and not mapped.tables.embedded

    monkeypatch.setattr(engine, "_MANY_BOARDS", 10)
    reading = Solver("6-6-3", tables=small_tables)
    assert [counts(solution) for solution in reading.solve_many(boards)] == expected
    assert not reading.tables._mapped

    monkeypatch.setattr(engine, "_MANY_NODES", 0)
    reading = Solver("6-6-3", tables=small_tables)
    assert [counts(reading.solve(board, workers=1 + number % 2)) for number, board in enumerate(boards)] == expected
    assert not reading.tables._mapped


def test_tables_are_read_after_many_nodes_of_calls_with_some_boards(much_memory, small_tables, rng, monkeypatch):
    boards = walked_boards(rng, 9)
    expected = [counts(solution) for solution in Solver("6-6-3", tables=small_tables).solve_many(boards)]
    monkeypatch.setattr(engine, "_SOME_BOARDS", 3)
    monkeypatch.setattr(engine, "_MANY_NODES_OF_CALLS", sum(count[-1] for count in expected[3:]))
    solver, found = Solver("6-6-3", tables=small_tables), []
    for begin, end in ((0, 1), (1, 3), (3, 6), (6, 9)):  # the first two are too few boards to be counted
        found += solver.solve_many(boards[begin:end])
    assert [counts(solution) for solution in found] == expected and solver.tables._mapped
    assert [counts(solver.solve(board)) for board in boards] == expected and solver.tables._mapped
    assert [counts(solution) for solution in solver.solve_many(boards)] == expected and not solver.tables._mapped


def test_tables_stay_mapped_while_others_search(small_tables, rng):
    mapped = Solver("6-6-3", tables=small_tables)
    moved = {table: file.load() for table, file in mapped.tables._mapped.items()}
    problem, seen = mapped.tables.problem, []
    problem.solve(
        mapped.engine.orientation.turn_one(walked_boards(rng, 1)[0]),
        on_iteration=lambda *_: seen.append(problem.move_tables(moved)),
    )
    assert seen and not any(seen)
    assert problem.move_tables(moved)


@pytest.mark.slow
def test_tables_stay_mapped_while_textbook_searches_look_at_them(small_tables):
    mapped = Solver(tables=small_tables)
    moved = {table: file.load() for table, file in mapped.tables._mapped.items()}
    problem, evaluator, order = mapped.tables.problem, Evaluator((4, 4), Board.goal().packed), bytes(range(4))
    evaluator.add_views(problem)
    hard = mapped.engine.orientation.turn_one(Board.random(3))
    many, room = np.full(300_000, hard, dtype=np.uint64), np.empty((2, 300_000), dtype=np.uint8)
    seen = []
    deepening(evaluator, hard, order, on_iteration=lambda *_: seen.append(problem.move_tables(moved)))
    assert seen and not any(seen)
    for work in (
        lambda: evaluator.boards(many, *room),
        lambda: best_first(evaluator, hard, order, g_weight=1, h_weight=1, ties=0, max_nodes=300_000, max_bytes=10**9),
        lambda: beam(evaluator, hard, order, width=100_000, max_nodes=300_000, max_bytes=10**9),
    ):
        thread = threading.Thread(target=work)
        thread.start()
        while thread.is_alive() and not problem.running:
            time.sleep(0.001)
        assert not problem.move_tables(moved)
        thread.join()
    assert problem.move_tables(moved)


def test_tables_that_cannot_move_are_kept(small_tables):
    """After an error every place looks at memory that is still held."""
    mapped = Solver("5-5-5", tables=small_tables)
    problem, board = mapped.tables.problem, Board.random(5)
    expected = mapped.lower_bound(board)
    moved = {table: file.load() for table, file in mapped.tables._mapped.items()}
    first, second = list(mapped.tables._mapped)[:2]
    with pytest.raises(ValueError):
        problem.move_tables({first: moved[first], second: moved[first]})
    assert any(moved[first] in held for held in gc.get_referents(problem) if isinstance(held, list))
    assert mapped.lower_bound(board) == expected


def test_other_tables_are_not_looked_up_instead(small_tables, rng):
    mapped = Solver("5-5-5", tables=small_tables)
    one, other = list(mapped.tables._mapped)[:2]
    with pytest.raises(ValueError):
        mapped.tables.problem.move_tables({one: other})


@pytest.mark.parametrize("work", ["one hard board", "many boards"])
def test_tables_are_checked_when_they_are_read(work, much_memory, small_tables, rng, tmp_path, monkeypatch):
    folder = shutil.copytree(small_tables, tmp_path / "tables")
    solver = Solver("6-6-3", tables=folder, check="never")
    path = solver.tables.files[0].path
    with open(path, "r+b") as file:
        file.seek(-1, os.SEEK_END)
        last = file.read(1)[0]
        file.seek(-1, os.SEEK_END)
        file.write(bytes([last ^ 1]))
    monkeypatch.setattr(engine, "_MANY_BOARDS", 10)
    monkeypatch.setattr(engine, "_MANY_NODES", 0)
    with pytest.raises(TableCorruptError, match=f"{path.name}.*checksum"):
        solver.solve_many(walked_boards(rng, 20)) if work == "many boards" else solver.solve(walked_boards(rng, 1)[0])


def test_tables_whose_files_are_gone_stay_mapped(much_memory, small_tables, rng, tmp_path):
    folder = shutil.copytree(small_tables, tmp_path / "tables")
    mapped = Solver("6-6-3", tables=folder)
    board = walked_boards(rng, 1)[0]
    expected = counts(mapped.solve(board))
    shutil.rmtree(folder)
    mapped.tables.load()
    assert not mapped.tables._mapped and counts(mapped.solve(board)) == expected
