"""Solving by multi-tile moves: every board of small shapes against the twin, limits, threads, tables, errors."""

from math import prod

import numpy as np
import pytest
import twins
from solving import check_path, counts, near, random_goal

import puzzle15
from puzzle15 import Board, Solver, tables
from puzzle15.board import farthest, uniform
from puzzle15.errors import TableMissingError
from puzzle15.solver import label, scramble
from puzzle15.tables._file import MULTI_TILE

FAR = "8 6 7/2 5 4/3 0 1"  # 20 moves


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Tables of four tiles."""
    folder = tmp_path_factory.mktemp("multi-tile")
    tables.build_tables("1-4/12-15", metric="mtm", tables=folder)
    tables.build_tables("1-4/5-8", shape=(3, 3), metric="mtm", tables=folder)
    return folder


# ---------------------------------------------------------------- every board


@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (2, 4), (3, 2), (4, 2), (3, 3)])
@pytest.mark.sweep(3)
def test_every_board_to_goals_with_every_home(shape, rng):
    """The goals' tiles are in any order."""
    homes = range(prod(shape)) if prod(shape) < 8 else (0, 1, 4)  # of 3x3 one per kind
    for home in homes:
        goal = random_goal(rng, shape, home)
        solver = Solver(goal=goal, metric="mtm", reflection=home % 2 == 0)
        most = farthest(shape, home, metric="mtm")
        levels = list(twins.levels_of_arrays(shape, goal.tiles, most + 1, "mtm"))
        expected = np.concatenate([np.full(len(level), depth) for depth, level in enumerate(levels)])
        batch = solver.solve_many(np.concatenate(levels))
        assert (batch.lengths == expected).all()
        for index in rng.integers(len(batch), size=20).tolist():
            check_path(batch[index])
        check_path(batch[len(batch) - 1])


@pytest.mark.parametrize("shape", [(4, 4), (4, 3), (2, 5), (3, 4), (2, 8), (5, 3), (7, 2), (6, 2), (3, 5), (2, 7)])
@pytest.mark.sweep(3)
def test_boards_near_goals_of_every_shape(shape, rng):
    for home in rng.integers(prod(shape), size=1 + (prod(shape) < 12)).tolist():
        goal = random_goal(rng, shape, home)
        solver = Solver("embedded", goal=goal, metric="mtm", reflection=home % 2 == 0)
        for depth, level in enumerate(twins.levels_of_arrays(shape, goal.tiles, 4, "mtm")):
            assert (solver.distance_many(level) == depth).all()
        board = near(rng, goal, 14)
        solution, back = solver.solve(board), Solver("embedded", goal=board, metric="mtm").solve(goal)
        for each in (solution, back):
            check_path(each)
        assert back.length == solution.length <= 14


def test_all_tables_agree_on_lengths(folder, rng):
    boards = [near(rng, Board.goal(), 18) for _ in range(30)]
    kinds = [
        Solver("embedded", metric="mtm"),
        Solver("embedded", metric="mtm", reflection=False),
        Solver("1-4/12-15", tables=folder, metric="mtm"),
        Solver("1-4", tables=folder, metric="mtm"),
        Solver(tables=folder, metric="mtm"),
    ]
    assert [solver.open_tables.lookups for solver in kinds] == [4, 2, 4, 2, 4]
    assert [solver.open_tables.embedded for solver in kinds] == [True, True, False, False, False]
    lengths = kinds[0].distance_many(boards)
    for solver in kinds[1:]:
        assert (solver.distance_many(boards) == lengths).all()
        assert (solver.lower_bound_many(boards) <= lengths).all()
        assert solver.lower_bound_many(boards).tolist() == [solver.lower_bound(board) for board in boards]
    assert (Solver("embedded").distance_many(boards) >= lengths).all()


# ---------------------------------------------------------------- threads and batches


def test_a_long_search_on_many_threads(folder):
    """Long enough that the tasks of an iteration are many."""
    solver, board = Solver("1-4/12-15", tables=folder, metric="mtm"), Board("15 14 13 12/11 10 9 8/7 6 5 4/3 1 2 0")
    free = solver.solve(board)
    check_path(free)
    assert free.length == 36 and free.generated > 1_000_000
    shared = solver.solve(board, workers=3)
    assert (counts(shared), shared.iterations) == (counts(free), free.iterations)


# ---------------------------------------------------------------- which tables


def test_default_tables_are_built_beside_others(tmp_path):
    options = {"shape": (2, 5), "metric": "mtm", "tables": tmp_path}
    tables.build_tables("1-3/4,5", **options)
    assert Solver(**options).open_tables.partitions == ["1-3", "4-5"]
    assert Solver(build=True, **options).open_tables.partitions == ["1-6", "4-9", "1-3,6-8", "3-5,7-9"]


def test_which_tables_are_taken(folder, tmp_path, no_tables):
    assert Solver(metric="mtm").open_tables.embedded and Solver(metric="mtm", tables=no_tables).open_tables.embedded
    assert Solver(shape=(3, 3), metric="mtm", tables=folder).open_tables.embedded
    found = Solver(metric="mtm", tables=folder)
    assert found.open_tables.partitions == ["1-4", "12-15"] and not found.open_tables.embedded
    assert Solver(tables=folder).metric == "stm" and Solver(tables=folder).open_tables.embedded
    tables.build_tables("5-5-5", tables=tmp_path)
    assert Solver(metric="mtm", tables=tmp_path).open_tables.embedded
    with pytest.raises(TableMissingError, match="no multi-tile tables of partition 1-4"):
        Solver("1-4", metric="mtm", tables=tmp_path)
    with pytest.raises(TableMissingError, match="no tables of partition 1-4"):
        Solver("1-4/5-8", shape=(3, 3), tables=folder)


@pytest.mark.slow
def test_the_default_tables(multi_tile_tables):
    """The same lengths as the embedded ones; with fewer nodes."""
    solver, embedded = Solver(metric="mtm", tables=multi_tile_tables), Solver("embedded", metric="mtm")
    assert solver.open_tables.partitions == ["1-6", "10-15"] and not solver.open_tables.embedded
    assert sum(file.file_bytes for file in solver.open_tables.files) <= 60_000_000
    boards = uniform(20, np.random.default_rng(1))
    batch, other = (each.solve_many(boards, workers=2) for each in (solver, embedded))
    assert (batch.lengths == other.lengths).all() and batch.generated.sum() < other.generated.sum()
    for solution in batch:
        check_path(solution)


# ---------------------------------------------------------------- damage and errors


@pytest.mark.parametrize(
    "options, message",
    [
        ({"metric": "xyz"}, "metric 'xyz': expected one of stm, mtm"),
        ({"metric": "mtm", "format": "classic"}, "format 'classic' with metric 'mtm': .* leave it out"),
        ({"metric": "mtm", "format": MULTI_TILE}, "format 'multi-tile'"),
        ({"format": MULTI_TILE}, "format 'multi-tile': expected one of zero-aware, classic"),
        ({"metric": "mtm", "plain": True}, "plain=True with metric 'mtm': expected False"),
        ({"metric": "mtm", "partition": "1-7"}, "'1-7' has 7 tiles; .* at most 6"),
    ],
)
def test_what_makes_no_sense(options, message):
    with pytest.raises(ValueError, match=message):
        Solver(**options)


def test_solve_takes_the_metric():
    assert [puzzle15.solve(FAR, metric=metric).length for metric in ("stm", "mtm")] == [31, 20]
    with pytest.raises(ValueError, match="metric 'xyz'"):
        puzzle15.solve(FAR, metric="xyz")


def test_what_counts_single_tile_moves_refuses(tmp_path):
    solver = Solver(shape=(3, 3), metric="mtm")
    for call in (
        lambda: label(solver, [FAR]),
        lambda: scramble(3, solver, 1),
        lambda: puzzle15.dataset.write(tmp_path / "labels", 10, seed=1, distribution="uniform", solver=solver),
    ):
        with pytest.raises(
            ValueError, match="metric 'mtm': labels, .* single-tile moves; use a solver with metric='stm'"
        ):
            call()
