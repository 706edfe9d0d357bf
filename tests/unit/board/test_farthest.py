"""The farthest boards: against counts of all boards where there are some, and bounds elsewhere."""

import pytest
import twins

from puzzle15 import Board
from puzzle15.published import depth_counts, farthest


@pytest.mark.sweep(5)
@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 2), (2, 4), (4, 2), (3, 3)])
def test_small_shapes_are_counted(shape):
    """Over all homes: the value is one that a board has, and none has more."""
    depths = {}
    for home in range(shape[0] * shape[1]):
        depths[home] = sum(1 for _ in twins.levels(shape, Board.goal(shape, home).tiles)) - 1
        assert depths[home] <= farthest(shape, home)
    assert max(depths.values()) == farthest(shape, 0) == depths[0]


@pytest.mark.sweep(5)
@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 2), (2, 4), (4, 2), (3, 3)])
def test_small_shapes_are_counted_in_multi_tile_moves(shape):
    for home in range(shape[0] * shape[1]):
        goal = Board.goal(shape, home).tiles
        most = sum(1 for _ in twins.levels_of_arrays(shape, goal, farthest(shape, home, metric="mtm") + 1, "mtm")) - 1
        assert most <= farthest(shape, home, metric="mtm")
        assert most == farthest(shape, home, metric="mtm") or home not in (0, len(goal) - 1)


def test_all_shapes_as_counted_elsewhere():
    for shape in [(2, cols) for cols in range(2, 9)] + [(3, 3), (3, 4), (3, 5), (4, 4)]:
        for metric in ("stm", "mtm"):
            most = len(depth_counts(shape, metric=metric)) - 1
            assert farthest(shape, 0, metric=metric) == farthest(shape[::-1], 0, metric=metric) == most
    for home, cell in {"edge": 14, "center": 10}.items():
        assert len(depth_counts((4, 4), home)) - 1 <= farthest((4, 4), cell) <= 82


def test_every_shape_and_home_has_a_bound():
    for rows in range(2, 9):
        for cols in range(2, 16 // rows + 1):
            corner = farthest((rows, cols), 0)
            for home in range(rows * cols):
                assert corner <= farthest((rows, cols), home) <= corner + 3 <= 160
                assert farthest((rows, cols), home) == farthest((rows, cols), rows * cols - 1 - home)
