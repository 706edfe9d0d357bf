"""How long does a heuristic take for 1,000 random boards, and for the 10,000 children of a random walk?

pytest bench/benchmarks/bench_evaluator.py
"""

import numpy as np
import pytest

from puzzle15 import Board, heuristic

#: The sum of h over the 1,000 random boards.
SUMS = {
    "zero": 0,
    "misplaced": 14_093,
    "manhattan": 36_955,
    "reversal": 37_133,
    "linear-conflict": 38_821,
    "walking-distance": 39_215,
    "max(linear-conflict,walking-distance)": 39_801,
    "tables:embedded": 44_069,
}
#: The blank's moves of a walk of 10,000 from the goal, never straight back.
WALK = 10_000


def random_walk():
    """The directions of the blank on a random walk."""
    rng = np.random.default_rng(15)
    blank, last, directions = (3, 3), None, []
    steps = [(-1, 0), (0, -1), (0, 1), (1, 0)]
    while len(directions) < WALK:
        direction = int(rng.integers(4))
        cell = blank[0] + steps[direction][0], blank[1] + steps[direction][1]
        if last != 3 - direction and min(cell) >= 0 and max(cell) < 4:
            directions.append(direction)
            blank, last = cell, direction
    return bytes(directions)


@pytest.mark.parametrize("name", SUMS)
def test_boards(benchmark, random_boards, name):
    h = heuristic(name)
    values = benchmark(h.many, random_boards)
    assert int(values.sum()) == SUMS[name]
    benchmark.extra_info["mean_h"] = float(values.mean())


@pytest.mark.parametrize("name", SUMS)
def test_children(benchmark, name):
    """Evaluate the children of the walk; the walk itself takes some 20 ns per child."""
    evaluator, turn, _ = heuristic(name).prepare()
    start, directions = turn(Board.goal()), random_walk()
    values = benchmark(evaluator.walk, start, directions)
    assert len(values) == WALK + 1 and values[0] == 0


def test_new_walking_distance(benchmark):
    """Build the table that the first board waits for."""
    from puzzle15._core.search.evaluator import KINDS, Evaluator

    def make():
        evaluator = Evaluator((4, 4), Board.goal().packed)
        evaluator.add(KINDS.index("walking-distance"))
        return evaluator

    assert benchmark(make).count == 1
