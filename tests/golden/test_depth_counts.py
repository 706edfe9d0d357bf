"""Every board at its right distance: the published numbers of boards at each."""

import json
import math
from pathlib import Path

import pytest
import twins

from puzzle15 import Board, Solver, build_tables
from puzzle15.board import home_cell

COUNTS = json.loads((Path(__file__).parent.parent / "data" / "depth_counts.json").read_text("ascii"))

KINDS = [
    ((2, 2), "corner"),
    ((2, 3), "corner"),
    ((2, 3), "edge"),
    ((2, 4), "corner"),
    ((2, 4), "edge"),
    ((3, 3), "corner"),
    ((3, 3), "edge"),
    ((3, 3), "center"),
]


def published(shape, kind):
    return COUNTS["{}x{}/single/{}".format(*shape, kind)]["counts"]


def levels(shape, kind, depth=None):
    """(goal, the boards at each distance from it), as many as published."""
    home = home_cell(kind, shape)
    expected = published(shape, kind)[: None if depth is None else depth + 1]
    found = list(twins.levels_of_arrays(shape, twins.goal(shape, home), len(expected) - 1))
    assert [len(level) for level in found] == expected
    return Board.goal(shape, home), found


def check(solver, found):
    for depth, level in enumerate(found):
        assert (solver.distance_many(level) == depth).all()
        assert (solver.lower_bound_many(level) <= depth).all()


@pytest.mark.parametrize("shape, kind", KINDS)
@pytest.mark.sweep(5)
def test_every_reachable_board(shape, kind):
    goal, found = levels(shape, kind)
    assert sum(map(len, found)) == math.factorial(shape[0] * shape[1]) // 2
    check(Solver(goal=goal), found)
    check(Solver(goal=goal, plain=True), found)


@pytest.mark.parametrize("shape, kind", [((2, 4), "edge"), ((3, 3), "corner"), ((3, 3), "center")])
@pytest.mark.parametrize("format", ["zero-aware", "classic"])
@pytest.mark.sweep(1)
def test_every_reachable_board_with_additive_tables(shape, kind, format, tmp_path):
    """By themselves boards of up to 9 cells have a complete table; here they are searched for."""
    goal, found = levels(shape, kind)
    partition = "1-4/5-7" if shape == (2, 4) else "1-4/5-8"
    build_tables(partition, shape=shape, home=kind, format=format, tables=tmp_path)
    check(Solver(partition, goal=goal, format=format, tables=tmp_path), found)


DEPTH = 14


@pytest.mark.parametrize("kind", ["corner", "edge", "center"])
@pytest.mark.sweep(1)
def test_4x4_boards_near_the_goal(kind):
    goal, found = levels((4, 4), kind, DEPTH)
    check(Solver("embedded", goal=goal), found)


@pytest.mark.parametrize("options", [{}, {"plain": True}, {"reflection": False}])
@pytest.mark.slow
def test_4x4_boards_near_the_goal_with_the_real_tables(options, tables_7_8):
    _, found = levels((4, 4), "corner", DEPTH)
    check(Solver("7-8", tables=tables_7_8, **options), found)


def test_the_two_twins_agree():
    start = twins.goal((3, 3), 4)
    lists, arrays = twins.levels((3, 3), start), twins.levels_of_arrays((3, 3), start, 12)
    for level, array in zip(lists, arrays):
        assert set(level) == set(map(tuple, array.tolist())) and len(level) == len(array)
