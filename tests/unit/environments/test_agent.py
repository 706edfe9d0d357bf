"""The example agent of bench, in a short form: it learns the boards near the goal."""

import importlib.util

import numpy as np
import pytest
from readmes import ROOT

from puzzle15 import Solver
from puzzle15.board import uniform, unpack_boards

pytest.importorskip("gymnasium", reason='gymnasium is missing: pip install ".[gym]"')
from puzzle15.environments import PuzzleVectorEnv  # noqa: E402

pytestmark = pytest.mark.extra


@pytest.fixture(scope="module")
def example():
    spec = importlib.util.spec_from_file_location("learn_8_puzzle", ROOT / "bench" / "learning" / "learn_8_puzzle.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_numbers_differ(example, rng):
    boards = np.unique(unpack_boards(uniform(5000, rng, shape=(3, 3)), (3, 3)), axis=0)
    numbers = example.numbers(boards)
    assert len(np.unique(numbers)) == len(boards) and numbers.min() >= 0 and numbers.max() < 362_880
    assert example.numbers(np.array([range(9), range(8, -1, -1)])).tolist() == [0, 362_879]


def test_it_learns_the_boards_up_to_distance_12(example):
    agent, reached = example.Agent(1), []
    example.learn(agent, 12, lambda distance, steps: reached.append(distance))
    assert reached == list(range(1, 13))
    envs = PuzzleVectorEnv(1000, shape=(3, 3), distance=(1, 12), autoreset_mode="SameStep")
    boards, lengths = example.play(agent, envs, seed=2)
    solved = lengths > 0
    excess = lengths[solved] - Solver(shape=(3, 3)).distance_many(boards[solved])
    assert solved.mean() > 0.98 and excess.min() == 0 and (excess == 0).mean() > 0.97
