"""The farthest boards: against counts of all boards where there are some, and bounds elsewhere."""

import pytest
import twins

from puzzle15 import Board
from puzzle15.published import depth_counts, farthest


@pytest.mark.sweep(3)
@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 2), (2, 4), (4, 2), (3, 3)])
def test_small_shapes_are_counted(shape):
    """Over all homes, none has more than the bound, and the corners have as many."""
    corner = Board.goal(shape).blank
    for metric in ("stm", "mtm"):
        for home in range(corner + 1):
            bound, goal = farthest(shape, home, metric=metric), Board.goal(shape, home).tiles
            most = sum(1 for _ in twins.levels_of_arrays(shape, goal, bound + 1, metric)) - 1
            assert most <= bound and (most == bound or home not in (0, corner))


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
