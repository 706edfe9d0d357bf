"""Which tables are chosen: what a choice is said to be worth against boards, and the best one against nodes."""

import numpy as np
import pytest

import puzzle15
from puzzle15 import Board, Solver
from puzzle15.board import home_cell
from puzzle15.solver import choice, choices, embedded_choice
from puzzle15.tables import FORMATS, find_tables, parse_partition, partition_name

SMALL = "1-4/5-8/9-12/13-15"


def drawn(rng, count, goal):
    """Boards from which the goal can be reached."""
    tiles = (rng.permutation(goal.shape[0] * goal.shape[1]).tolist() for _ in range(4 * count))
    boards = (Board(board, goal.shape) for board in tiles)
    return [board for board in boards if board.is_solvable(goal)][:count]


def solver_of(picked, goal, folder):
    """The solver that uses this choice."""
    if picked.embedded:
        return Solver("embedded", goal=goal)
    return Solver(
        partition_name(picked.lookups[0].partition, goal.blank), goal=goal, tables=folder, format=picked.format
    )


@pytest.mark.parametrize(
    "shape, home, parts",
    [
        ((4, 4), "corner", ["6-6-3", "5-5-5", SMALL]),
        ((4, 4), "center", ["6-6-3", "5-5-5"]),
        ((3, 4), "corner", ["1-8/9-11"]),
        ((3, 5), "edge", ["1-6/7-12/13-14"]),
    ],
)
@pytest.mark.slow
def test_worth_is_near_the_mean_bound_of_boards(shape, home, parts, tmp_path, rng):
    cell = home_cell(home, shape)
    goal = Board.goal(shape, cell)
    for part in parts:
        for format in ("zero-aware", "classic"):
            puzzle15.build_tables(part, shape=shape, home=home, format=format, tables=tmp_path)
    boards = drawn(rng, 1000, goal)
    ranked = choices(find_tables(tmp_path)[0], shape, cell)
    assert len(ranked) > 2 * len(parts)
    for picked in ranked:
        if len({lookup.partition for lookup in picked.lookups}) == 1 or picked.embedded:
            mean = solver_of(picked, goal, tmp_path).lower_bound_many(boards).mean()
            assert abs(mean - picked.worth) < 0.6, picked.name(cell)


def homes():
    for rows, cols in [(4, 4), (3, 4), (4, 3), (2, 5), (2, 6), (5, 2)]:
        for home in sorted({home_cell(cell, (rows, cols)) for cell in range(rows * cols)}):
            yield (rows, cols), home


@pytest.mark.parametrize("shape, home", list(homes()), ids=lambda value: str(value).replace(" ", ""))
@pytest.mark.sweep(2)
def test_the_known_means_of_embedded_tables(shape, home, tmp_path):
    """As the headers of the same tables in files tell them."""
    parts = list(dict.fromkeys(lookup.partition for lookup in embedded_choice(shape, home).lookups))
    assert len(parts) == len(choice._embedded_means(shape, home))
    for part, mean in zip(parts, choice._embedded_means(shape, home)):
        files = puzzle15.build_tables(partition_name(part, home), shape=shape, home=home, tables=tmp_path)
        assert round(choice._mean_of_all(part, {table.cells: table for table in files}), 2) == mean


def test_every_embedded_choice_has_a_worth():
    for rows in range(2, 9):
        for cols in range(2, 16 // rows + 1):
            for home in {home_cell(cell, (rows, cols)) for cell in range(rows * cols)}:
                both, one = (
                    embedded_choice((rows, cols), home).worth,
                    embedded_choice((rows, cols), home, reflection=False).worth,
                )
                assert both == one == float("inf") if rows * cols <= 9 else 28 < one <= both < 80


@pytest.mark.parametrize("home, format", [("corner", "zero-aware"), ("center", "classic"), ("edge", "zero-aware")])
@pytest.mark.sweep(1)
def test_worse_tables_do_not_replace_the_embedded_ones(home, format, tmp_path):
    goal = Board.goal(home=home_cell(home, (4, 4)))
    for part in (SMALL, "6-6-3"):
        puzzle15.build_tables(part, home=home, format=format, tables=tmp_path)
    assert Solver(goal=goal, tables=tmp_path).tables.embedded
    named = Solver(goal=goal, tables=tmp_path, format=format)
    assert not named.tables.embedded and named.tables.partitions[0] == "1-3/4,7-8,11-12,15/5-6,9-10,13-14"
    boards = [walked(goal, seed) for seed in range(20)]
    nodes = {
        solver: int(Solver(solver, goal=goal, tables=tmp_path).solve_many(boards).generated.sum())
        for solver in (SMALL, None)
    }
    assert nodes[SMALL] > 1.5 * nodes[None]


def walked(goal, seed):
    """A board near the goal."""
    rng, board = np.random.default_rng(seed), goal
    for _ in range(80):
        board = board.move(rng.choice(list(board.legal_moves())))
    return board


def test_better_tables_do_replace_the_embedded_ones(tmp_path):
    puzzle15.build_tables(SMALL, tables=tmp_path)
    puzzle15.build_tables("7-7-1", tables=tmp_path)
    solver = Solver(tables=tmp_path)
    assert (solver.tables.embedded, solver.tables.partitions) == (False, ["1-7/8/9-15"])
    assert repr(solver).endswith("zero-aware 1-7/8/9-15, 2 lookups>")
    puzzle15.build_tables(shape=(3, 4), tables=tmp_path)
    assert Solver(shape=(3, 4), tables=tmp_path).tables.partitions == ["1-3,5-7,9-10/4,8,11", "1-8/9-11"]
    assert Solver(shape=(3, 4), tables=tmp_path, reflection=False).tables.partitions == ["1-3,5-7,9-10/4,8,11"]


def test_the_larger_of_several_bounds():
    """Against draws of normally distributed bounds."""
    rng = np.random.default_rng(1)
    for means in ([40.0], [40.0, 40.0], [40.0, 38.0], [40.0, 30.0], [41.0, 40.0, 40.0, 39.0]):
        bounds = rng.normal(means, choice._DEVIATION / 2**0.5, (200_000, len(means)))
        assert abs(choice._worth(means) - bounds.max(axis=1).mean()) < 0.1
    assert choice._worth([30.0, 40.0]) == choice._worth([40.0, 30.0])


def test_embedded_tables_are_not_built_to_be_compared(tables_7_8, monkeypatch):
    def build(*_):
        raise AssertionError("built embedded tables")

    monkeypatch.setattr(puzzle15.tables, "table_in_memory", build)
    assert Solver(tables=tables_7_8).tables.partitions == ["1-8/9-15"]


@pytest.mark.parametrize(
    "installed, expected",
    [
        ([], None),
        (["A zero-aware 1"], None),
        (["A zero-aware"], ("zero-aware", "A")),
        (["A classic"], ("classic", "A")),
        (["B zero-aware", "B classic"], None),
        (["A zero-aware", "B zero-aware"], ("zero-aware", "AB")),
        (["B zero-aware", "A classic"], ("classic", "A")),
        (["A classic", "A zero-aware", "B classic"], ("zero-aware", "A")),
    ],
)
def test_the_first_partition_that_is_named_decides_the_format(installed, expected, tmp_path):
    """A and B are asked for, in this order; the number is that of the tables that are there, of two."""
    shape, names = (2, 4), {"A": "1-3/4-7", "B": "1-4/5-7"}
    tables = []
    for name, format, *count in map(str.split, installed):
        tables += puzzle15.build_tables(names[name], shape=shape, format=format, tables=tmp_path)[: int(*count or "2")]
    wanted = {name: parse_partition(text, shape, 7)[0] for name, text in names.items()}
    found = choice.named_choice(list(wanted.values()), tables, shape, 7, True, list(FORMATS))
    parts = found and dict.fromkeys(
        name for lookup in found.lookups for name in "AB" if lookup.partition == wanted[name]
    )
    assert (found and (found.format, "".join(parts))) == expected
