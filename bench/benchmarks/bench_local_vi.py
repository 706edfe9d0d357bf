"""How long does local value iteration take to learn, and to solve many boards?"""

import numpy as np
import pytest

from puzzle15 import LocalValueIteration

SIZES = [1, 5]


def trained(size):
    learner = LocalValueIteration(initial_size=size)
    learner.train()
    return learner


@pytest.mark.parametrize("size", SIZES)
def test_learning(benchmark, size):
    learner = benchmark.pedantic(trained, [size], rounds=5, warmup_rounds=1)
    states = [function.state_count for function in learner.functions]
    assert (len(states), max(states)) == {1: (27, 20_160), 5: (5, 5_765_760)}[size]


@pytest.mark.parametrize("size", SIZES)
def test_some_solution(benchmark, noted, random_boards, size):
    """Solve 100,000 boards: the 1,000 boards a hundred times, in different orders."""
    learner = trained(size)
    rng = np.random.default_rng(1)
    boards = np.concatenate([rng.permutation(random_boards) for _ in range(100)])
    batch = benchmark.pedantic(learner.solve_many, [boards], rounds=5, warmup_rounds=1)
    assert batch.lengths.sum() == 100 * learner.solve_many(random_boards).lengths.sum()
    noted(boards=len(batch), mean_length=float(batch.lengths.mean()))
