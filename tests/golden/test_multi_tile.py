"""Boards near the goal at their right distance in multi-tile moves: the published numbers of boards at each."""

import json
from pathlib import Path

import numpy as np
import pytest
import twins

from puzzle15 import Board, Solver, build_tables

COUNTS = json.loads((Path(__file__).parent.parent / "data" / "depth_counts.json").read_text("ascii"))


def levels(shape, depth):
    """The boards at each distance from the goal, as many as published."""
    found = list(twins.levels_of_arrays(shape, Board.goal(shape).tiles, depth, "mtm"))
    assert [len(level) for level in found] == COUNTS["{}x{}/multi/corner".format(*shape)]["counts"][: depth + 1]
    return found


def check(solver, found):
    for depth, level in enumerate(found):
        assert (solver.distance_many(level, workers=2) == depth).all()
        assert (solver.lower_bound_many(level) <= depth).all()


@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (2, 4), (3, 3)])
@pytest.mark.sweep(3)
def test_every_reachable_board(shape):
    found = levels(shape, len(COUNTS["{}x{}/multi/corner".format(*shape)]["counts"]) - 1)
    assert sum(map(len, found)) == COUNTS["{}x{}/multi/corner".format(*shape)]["states"]
    check(Solver(shape=shape, metric="mtm"), found)


@pytest.mark.parametrize("shape, depth", [((4, 4), 8), ((3, 4), 12), ((4, 4), 10), ((3, 5), 11), ((3, 4), 15)])
@pytest.mark.sweep(2)
def test_boards_near_the_goal(shape, depth):
    check(Solver("embedded", shape=shape, metric="mtm"), levels(shape, depth))


@pytest.mark.slow
def test_4x4_boards_near_the_goal_with_the_real_tables(tmp_path):
    build_tables(metric="mtm", tables=tmp_path)
    check(Solver(tables=tmp_path, metric="mtm"), levels((4, 4), 8))
    check(Solver(tables=tmp_path, metric="mtm", reflection=False), levels((4, 4), 7))


def test_the_twin_agrees_with_single_steps():
    """A multi-tile move is a run of equal steps."""
    for shape in ((2, 3), (3, 3)):
        start = Board.goal(shape)
        _, near = twins.levels_of_arrays(shape, start.tiles, 1, "mtm")
        expected = set()
        for letter in "UDLR":
            board = start
            while letter in board.legal_moves():
                board = board.move(letter)
                expected.add(board.tiles)
        assert set(map(tuple, near.tolist())) == expected and len(near) == len(np.unique(near, axis=0))
