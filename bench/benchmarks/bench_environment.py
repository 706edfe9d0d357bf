"""How many boards per second does the vector environment step?"""

import numpy as np
import pytest

pytest.importorskip("gymnasium", reason='gymnasium is missing: pip install ".[gym]"')
from puzzle15.environments import PuzzleVectorEnv  # noqa: E402

BOARDS, STEPS = 10_000, 100

CASES = {
    "15-puzzle": {},
    "8-puzzle": {"shape": (3, 3)},
    "8-puzzle, distance 1-20": {"shape": (3, 3), "distance": (1, 20)},
    "8-puzzle, reward by distance": {"shape": (3, 3), "reward": "distance"},
    "8-puzzle, oracle": {"shape": (3, 3), "oracle": True},
    "15-puzzle, one-hot": {"observation": "one-hot"},
}


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("case", CASES)
def test_vector_steps(benchmark, noted, case, threads):
    """Random actions, with episodes of at most 200 steps: moves, rewards, masks, observations and new episodes."""
    envs = PuzzleVectorEnv(BOARDS, max_episode_steps=200, workers=threads, **CASES[case])
    rng = np.random.default_rng(1)
    actions = [rng.integers(0, 4, BOARDS) for _ in range(STEPS)]
    observations, _ = envs.reset(seed=1)
    assert len(np.unique(observations, axis=0)) > BOARDS // 10

    def play():
        for some in actions:
            _, rewards, terminations, _, _ = envs.step(some)
        return rewards, terminations

    rewards, _ = benchmark.pedantic(play, rounds=7, warmup_rounds=1)
    assert np.isfinite(rewards).all()
    envs.close()
    noted(boards_per_second=BOARDS * STEPS / benchmark.stats["median"])
