"""The priorities of weighted-a*: their order is in test_recording.py; here is what they promise."""

import itertools
import math

from searching import FAR, boards_of_all_distances

from puzzle15 import search
from puzzle15.searches._algorithms import PRIORITIES


def test_bounds_of_priorities():
    seen, boards = set(), boards_of_all_distances()
    for priority, weight in itertools.product(PRIORITIES, (1, 1.01, 1.333, 2, math.e, 9, 65_536)):
        for distance, board in list(enumerate(boards))[-9:]:
            options = {"algorithm": "weighted-a*", "weight": weight, "priority": priority}
            solution = search(board, **options)
            assert distance <= solution.length <= weight * distance
            assert search(board, **options, max_nodes=solution.generated // 2).lower_bound <= distance
            assert solution.lower_bound <= distance and solution.lower_bound >= solution.length / weight - 1e-9
            assert solution.optimal or weight > 1
            seen.add((priority, weight, solution.length > distance))
    assert {(priority, weight, True) for priority in PRIORITIES for weight in (2, math.e, 9)} <= seen


def test_a_priority_proves_more_than_the_heuristic():
    solution = search(FAR, algorithm="weighted-a*", weight=1.1, priority="xdp")
    assert FAR.manhattan() < solution.lower_bound <= 31 <= solution.length
