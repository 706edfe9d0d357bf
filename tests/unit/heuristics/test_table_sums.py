"""Sums of pattern tables: their values, which sums are lower bounds, and how they travel."""

from math import perm

import numpy as np
import pytest
from damaging import flip
from searching import check_children

from puzzle15 import Board, Solver, build_tables, heuristic, search
from puzzle15.board import KORF_GOAL, Orientation, uniform, unpack_boards
from puzzle15.board._orientation import home_cell
from puzzle15.errors import HeuristicError, TableCorruptError, TableMissingError
from puzzle15.heuristics import TableSum
from puzzle15.heuristics._evaluation import full_name
from puzzle15.heuristics._names import listed_names
from puzzle15.searches import compare
from puzzle15.tables import PatternTable, placement_ranks
from puzzle15.tables._file import HEADER_BYTES


def drawn(rng, tiles, goal, blank, counts="own", **claims):
    """An array of random values."""
    goal = Board(goal)
    values = rng.integers(40, size=perm(len(goal.tiles), len(tiles) + blank))
    return PatternTable(tiles, values, counts=counts, blank=blank, goal=goal, admissible=False, **claims)


# ---------------------------------------------------------------- values


@pytest.mark.parametrize(
    "goal", ["1 2 3/4 5 6/7 8 0", "3 1 2/4 0 5/7 6 8", "4 1/0 2/3 5", KORF_GOAL, "9 1 2 3/4 5 0 7/8 6 10 11"]
)
def test_sums_of_arrays(goal, rng):
    """Of boards and of children, beside other heuristics, whose boards may be turned."""
    goal = Board(goal)
    tables = [drawn(rng, [2, 1], goal, False), drawn(rng, [4], goal, True), drawn(rng, [3, 5], goal, True)]
    boards = uniform(200, rng, goal=goal)
    expected = np.zeros(200, dtype=int)
    for table in tables:
        cells = [[tiles.index(tile) for tile in table.listed] for tiles in unpack_boards(boards, goal.shape).tolist()]
        expected += table.values[placement_ranks(cells, goal.shape)]
    assert heuristic(TableSum(tables)).many(boards).tolist() == expected.tolist()
    h = heuristic(["walking-distance", TableSum(tables), "zero"])
    other = heuristic("walking-distance", goal=goal).many(boards)
    assert h.many(boards).tolist() == np.maximum(expected, other).tolist() and h.goal == goal
    for board in (goal, Board(int(boards[0]), goal.shape)):
        check_children(h, rng, board, 150)


@pytest.mark.parametrize("goal", ["1 2 3/4 5 6/7 8 0", "3 1 2/4 0 5/7 6 8"])
@pytest.mark.parametrize("format", ["zero-aware", "classic"])
def test_sums_of_named_tables(goal, format, rng, tmp_path):
    """Of all tiles they are what the optimal solver looks up without its reflection; also in files."""
    goal = Board(goal)
    build_tables("1-4/5-8", shape=(3, 3), home=Orientation(goal).home, format=format, tables=tmp_path)
    solver = Solver("1-4/5-8", goal=goal, format=format, tables=tmp_path, reflection=False)
    boards = uniform(300, rng, goal=goal)
    for name in (f"sum(tables:1-4:{format}, tables:5-8:{format})", f"sum(tables:1-4/5-8:{format})"):
        for folder in (None, tmp_path):
            h = heuristic(name, goal=goal, tables=folder)
            assert h.many(boards).tolist() == solver.lower_bound_many(boards).tolist()
            assert h.admissible and h.consistent == (format == "zero-aware")
            check_children(h, rng, goal, 100)
    assert heuristic("sum(tables:1-4)", goal=goal, tables=tmp_path).consistent == (format == "zero-aware")


def test_named_tables_and_arrays_of_the_same_patterns(rng):
    for goal, tiles in (
        ("1 2 3/4 5 6/7 8 0", (1, 2, 3)),
        ("8 7 6/5 4 3/2 1 0", (8, 7, 6)),
        ("0 1 2/3 4 5/6 7 8", (8, 7, 6)),
    ):
        named = TableSum(["tables:1-3"], goal=goal)
        assert set(named.patterns[0]) == set(tiles)
        boards = uniform(100, rng, goal=goal)
        exact = PatternTable.by_search(tiles, goal=goal, blank=True)
        assert heuristic(named).many(boards).tolist() == exact.many(boards).tolist()
        mixed = TableSum(["tables:4-6", exact], goal=goal)
        both = exact.many(boards) + heuristic("sum(tables:4-6)", goal=goal).many(boards)
        assert heuristic(mixed).many(boards).tolist() == both.tolist() and heuristic(mixed).consistent


# ---------------------------------------------------------------- claims


def test_which_sums_are_lower_bounds(rng):
    own = [PatternTable.by_search(tiles, shape=(2, 3), blank=True) for tiles in ([1, 2], [3], [4, 5])]
    least = PatternTable.by_search([4, 5], shape=(2, 3))
    every = PatternTable.by_search([4, 5], shape=(2, 3), blank=True, counts="all")
    guess = drawn(rng, [4, 5], "1 2 3/4 5 0", False)
    for tables, admissible, consistent in (
        (own, True, True),
        ([own[0], least], True, False),
        ([every], True, True),
        ([own[0], guess], False, False),
    ):
        made = heuristic(TableSum(tables))
        assert (made.admissible, made.consistent) == (admissible, consistent)
    for tables, message in (
        ([own[0], own[0]], "tile 1 is in two patterns, so its moves would count twice"),
        ([own[2], every], "tile 4 is in two"),
        ([own[0], every], "array:4-5 counts the moves of all tiles"),
    ):
        with pytest.raises(ValueError, match=message):
            TableSum(tables)


def test_searches_with_sums():
    board = "8 6 7/2 5 4/3 0 1"
    name = "max(manhattan,sum(tables:1-4,tables:5-8:classic))"
    for algorithm in ("a*", "ida*", "branch-and-bound"):
        solution = search(board, algorithm=algorithm, heuristic=name)
        assert (solution.length, solution.optimal, solution.heuristic) == (31, True, name)
    table = PatternTable.by_search([1, 2, 3, 4], shape=(3, 3), name="mine")
    named = TableSum(["tables:5-8"], shape=(3, 3))
    found = list(compare(board, algorithms=["a*"], heuristics=[table, named, TableSum(["tables:5-8", table]), "zero"]))
    assert [solution.heuristic for solution in found] == ["mine", "sum(tables:5-8)", "sum(tables:5-8,mine)", "zero"]
    assert all(solution.length == 31 and solution.optimal for solution in found)
    assert found[2].expanded < min(found[0].expanded, found[1].expanded) and found[3].expanded > found[0].expanded


def test_arrays_that_claim_too_much():
    right = PatternTable.by_search([1, 2, 3], shape=(3, 3))
    wrong = PatternTable([1, 2, 3], 5 * right.values, counts="own", shape=(3, 3), name="wrong")
    for board, needs, enough in (("8 6 7/2 5 4/3 0 1", 51, 39), ("1 2 0/4 5 3/7 8 6", 6, 2)):
        with pytest.raises(HeuristicError, match=f"heuristic 'wrong': claims .* needs {needs} moves .* {enough} are"):
            search(board, heuristic=wrong)


# ---------------------------------------------------------------- names and errors


def test_names():
    assert full_name(" MAX( manhattan , Sum(tables:1,2/5 , Tables:3:classic) )") == (
        "max(manhattan,sum(tables:1,2/5,tables:3:classic))"
    )
    assert listed_names("sum(tables:1,2, tables:3),a") == ["sum(tables:1,2, tables:3)", "a"]
    h = heuristic("sum(tables:1,2/3, tables:5)", shape=(3, 3))
    assert (h.name, len(h.parts)) == ("sum(tables:1,2/3,tables:5)", 1) and h.prepare()[0].count == 1
    again = eval(repr(h), {"heuristic": heuristic})
    assert (again.name, again.goal) == (h.name, h.goal)
    table = PatternTable.by_search([1], shape=(3, 3))
    assert heuristic(table).name == "array:1" and heuristic([table, "zero"]).name == "max(array:1,zero)"
    assert repr(TableSum([table])) == "<TableSum array:1 for 1 2 3/4 5 6/7 8 0>"


def test_another_goal(rng):
    h = heuristic("max(zero,sum(tables:1-4))", shape=(3, 3)).toward("3 1 2/4 0 5/7 6 8")
    assert h.goal == Board("3 1 2/4 0 5/7 6 8") and h(h.goal) == 0
    named = TableSum(["tables:1-4"], shape=(3, 3))
    assert heuristic(named, goal="0 1 2/3 4 5/6 7 8").goal.blank == 0


@pytest.mark.parametrize("shape", [(2, 3), (3, 3), (3, 4)])
@pytest.mark.parametrize("blank", [False, True])
def test_arrays_toward_boards_whose_blank_a_symmetry_carries_there(shape, blank, rng):
    """They are the tables of the tiles that stand there where theirs stand in the goal."""
    goal = Board(int(uniform(1, rng, goal=Board.goal(shape, home=0))[0]), shape)
    tables = [PatternTable.from_table(tiles, goal=goal, blank=blank) for tiles in ([4, 1], [2, 5, 3])]
    h = heuristic(TableSum(tables))
    for start in (Board(int(packed), shape) for packed in uniform(15, rng, goal=goal)):
        other = h.toward(start)
        if home_cell(start.blank, shape) != home_cell(goal.blank, shape):
            continue
        patterns = TableSum(tables).toward(start).patterns
        exact = [PatternTable.from_table(tiles, goal=start, blank=blank) for tiles in patterns]
        boards = uniform(50, rng, goal=start)
        assert other.many(boards).tolist() == sum(table.many(boards).astype(int) for table in exact).tolist()
        assert (other.admissible, other.consistent, other(start)) == (True, blank, 0)


@pytest.mark.parametrize("counts", ["own", "all"])
def test_arrays_toward_any_board(counts, rng):
    """Against the distances of all boards of 3x3: a lower bound that no move changes by more than one."""
    shape, goal = (3, 3), Board("0 3 1/4 2 5/6 8 7")
    boards = uniform(2000, rng, goal=goal)
    h = heuristic(PatternTable.by_search([3, 1, 4, 2], counts=counts, blank=True, goal=goal))
    starts = {board.blank: board for board in (Board(int(packed), shape) for packed in boards)}
    means = []
    for start in starts.values():
        other = h.toward(start)
        values = other.many(boards)
        assert (values <= Solver(goal=start).distance_many(boards)).all() and other(start) == 0
        along = other.many(check_children(other, rng, start, 200)).astype(int)
        assert other.consistent and abs(np.diff(along)).max() == 1
        means.append(values.mean())
    assert len(means) == 9 and min(means) > max(means) - 2.1  # the blank is at most two moves from a corner


def test_searches_from_both_ends_with_arrays(rng):
    """Start boards of every home, tables that were halved, and tables by name beside them."""
    table = PatternTable.from_table("1-4", shape=(3, 3))
    least = table.values.reshape(2, -1).min(axis=0)
    halved = PatternTable("1-4", least, counts="own", modulo=len(least), shape=(3, 3), name="halved")
    boards = list(
        {each.blank: each for each in (Board(int(one), (3, 3)) for one in uniform(40, rng, shape=(3, 3)))}.values()
    )
    lengths = Solver(shape=(3, 3)).distance_many(boards).tolist()
    for algorithm in ("a*", "ida*", "mm", "mme", "nbs"):
        for given in (
            halved,
            ["manhattan", TableSum([halved, PatternTable.from_table("5-8", shape=(3, 3), blank=True)])],
        ):
            found = [search(board, algorithm=algorithm, heuristic=given) for board in boards]
            assert [solution.length for solution in found] == lengths and all(each.optimal for each in found)


def test_named_tables_beside_arrays_toward_any_board(rng):
    """They follow the arrays, so no tile is in two patterns: for every home, the sums are those of arrays alone."""
    array, other = (PatternTable.from_table(tiles, shape=(3, 3)) for tiles in ("1-6", "7,8"))
    mixed, arrays = heuristic(TableSum([array, "tables:7,8"])), heuristic(TableSum([array, other]))
    boards = uniform(300, rng, shape=(3, 3))
    starts = {board.blank: board for board in (Board(int(packed), (3, 3)) for packed in boards)}
    for start in starts.values():
        values = mixed.toward(start).many(boards)
        assert (values <= Solver(goal=start).distance_many(boards)).all()
        assert (values >= arrays.toward(start).many(boards)).all() and values.mean() > 10
    assert len(starts) == 9


def test_tables_that_are_not_there(tmp_path):
    with pytest.raises(TableMissingError, match="tiles 1-7 for 4x4 .*puzzle15 build --patterns 1-7 --tables"):
        heuristic("sum(tables:1-7)", tables=tmp_path)
    command = "build them: puzzle15 build --patterns 1-7 --shape 3x4 --format classic"
    with pytest.raises(TableMissingError, match=f"no classic tables of tiles 1-7 .*{command}"):
        heuristic("sum(tables:1-7:classic)", shape=(3, 4))


def test_damaged_tables_are_told_of(tmp_path):
    (file,) = build_tables("1-3", patterns=True, shape=(3, 3), tables=tmp_path)
    flip(file.path, HEADER_BYTES + 9, 4)
    with pytest.raises(TableCorruptError, match=file.path.name):
        heuristic("sum(tables:1-3)", shape=(3, 3), tables=tmp_path)


def test_sums_that_are_too_large(rng):
    values = np.full(9, 200)
    tables = [
        PatternTable([tile], values, counts="own", shape=(3, 3), admissible=False, name=f"t{tile}") for tile in (1, 2)
    ]
    with pytest.raises(ValueError, match=r"sum\(t1,t2\): the largest values add up to 400; expected at most 255"):
        heuristic(TableSum(tables))
    with pytest.raises(ValueError, match="16 patterns; expected 1 .. 15"):
        TableSum([tables[0]] * 16)
    with pytest.raises(ValueError, match="'manhattan': expected a PatternTable, or tables of patterns"):
        TableSum(["manhattan"])
