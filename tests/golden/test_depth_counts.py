"""Every board at its right distance: the published numbers of boards at each, in single and multi-tile moves."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
import twins

from puzzle15 import Board, Solver, build_tables
from puzzle15.board._orientation import home_cell

COUNTS = json.loads((Path(__file__).parent.parent / "data" / "depth_counts.json").read_text("ascii"))
NAMES = {"stm": "single", "mtm": "multi"}


def levels(shape, kind="corner", metric="stm", depth=None):
    """(goal, the boards at each distance from it), as many as published."""
    goal = Board.goal(shape, home_cell(kind, shape))
    expected = COUNTS[f"{shape[0]}x{shape[1]}/{NAMES[metric]}/{kind}"]["counts"][: None if depth is None else depth + 1]
    found = list(twins.levels_of_arrays(shape, goal.tiles, len(expected) - 1, metric))
    assert [len(level) for level in found] == expected
    return goal, found


def check(solver, found):
    for depth, level in enumerate(found):
        assert (solver.distance_many(level, workers=2) == depth).all()
        assert (solver.lower_bound_many(level) <= depth).all()


@pytest.mark.parametrize(
    "shape, kind, metric",
    [
        ((2, 2), "corner", "stm"),
        ((2, 3), "corner", "stm"),
        ((2, 3), "edge", "stm"),
        ((2, 4), "corner", "stm"),
        ((2, 4), "edge", "stm"),
        ((2, 2), "corner", "mtm"),
        ((2, 3), "corner", "mtm"),
        ((2, 4), "corner", "mtm"),
        ((3, 3), "corner", "stm"),
        ((3, 3), "edge", "stm"),
        ((3, 3), "center", "stm"),
        ((3, 3), "corner", "mtm"),
    ],
)
@pytest.mark.sweep(8, 10)
def test_every_reachable_board(shape, kind, metric):
    goal, found = levels(shape, kind, metric)
    assert sum(map(len, found)) == math.factorial(math.prod(shape)) // 2
    check(Solver(goal=goal, metric=metric), found)
    if metric == "stm":
        check(Solver(goal=goal, plain=True), found)


@pytest.mark.parametrize("shape, kind", [((2, 4), "edge"), ((3, 3), "corner"), ((3, 3), "center")])
@pytest.mark.parametrize("format", ["zero-aware", "classic"])
@pytest.mark.sweep(1, 3)
def test_every_reachable_board_with_additive_tables(shape, kind, format, tmp_path):
    """By themselves boards of up to 9 cells have a complete table; here they are searched for."""
    goal, found = levels(shape, kind)
    partition = "1-4/5-7" if shape == (2, 4) else "1-4/5-8"
    build_tables(partition, shape=shape, home=kind, format=format, tables=tmp_path)
    check(Solver(partition, goal=goal, format=format, tables=tmp_path), found)


@pytest.mark.parametrize(
    "shape, kind, metric, depth",
    [
        ((4, 4), "corner", "stm", 11),
        ((4, 4), "corner", "mtm", 6),
        ((3, 4), "corner", "mtm", 9),
        ((4, 4), "corner", "stm", 14),
        ((4, 4), "edge", "stm", 14),
        ((4, 4), "center", "stm", 14),
        ((4, 4), "corner", "mtm", 10),
        ((3, 5), "corner", "mtm", 11),
        ((3, 4), "corner", "mtm", 13),
    ],
)
@pytest.mark.sweep(3, 5)
def test_boards_near_the_goal(shape, kind, metric, depth):
    goal, found = levels(shape, kind, metric, depth)
    check(Solver("embedded", goal=goal, metric=metric), found)


@pytest.mark.slow
def test_4x4_boards_near_the_goal_with_the_real_tables(tables_7_8, multi_tile_tables):
    _, found = levels((4, 4), depth=13)
    for options in ({}, {"plain": True}, {"reflection": False}):
        check(Solver("7-8", tables=tables_7_8, **options), found)
    _, found = levels((4, 4), metric="mtm", depth=8)
    for options in ({}, {"reflection": False}):
        check(Solver(tables=multi_tile_tables, metric="mtm", **options), found)


def test_the_twins_agree():
    start = twins.goal((3, 3), 4)
    for level, array in zip(twins.levels((3, 3), start), twins.levels_of_arrays((3, 3), start, 12)):
        assert set(level) == set(map(tuple, array.tolist())) and len(level) == len(array)
    for shape in ((2, 3), (3, 3)):  # a multi-tile move is a run of equal steps
        start = Board.goal(shape)
        _, near = twins.levels_of_arrays(shape, start.tiles, 1, "mtm")
        expected = set()
        for letter in "UDLR":
            board = start
            while letter in board.legal_moves():
                board = board.move(letter)
                expected.add(board.tiles)
        assert set(map(tuple, near.tolist())) == expected and len(near) == len(np.unique(near, axis=0))
