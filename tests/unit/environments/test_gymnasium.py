"""The environments as gymnasium sees them: its own checker, its own vector environments, its wrappers."""

import numpy as np
import pytest
from readmes import ROOT, blocks

from puzzle15 import Board, Solver, heuristic

gymnasium = pytest.importorskip("gymnasium", reason='gymnasium is missing: pip install ".[gym]"')
from gymnasium.error import ResetNeeded  # noqa: E402
from gymnasium.utils.env_checker import check_env, data_equivalence  # noqa: E402
from gymnasium.vector import AutoresetMode, SyncVectorEnv  # noqa: E402

from puzzle15.environments import PuzzleEnv, PuzzleVectorEnv  # noqa: E402

# What the checker finds is no more than a warning, mostly.
pytestmark = [pytest.mark.extra, pytest.mark.filterwarnings("error")]

OPTIONS = [
    {},
    {"shape": (3, 3), "reward": "sparse"},
    {"shape": (3, 3), "observation": "one-hot", "mask_in_observation": True, "oracle": True, "reward": "distance"},
    {"shape": (2, 8), "scramble": "walk:5-50"},
    {"shape": (2, 2), "distance": 6},
    {"goal": "0 1 2/3 4 5/6 7 8", "distance": (3, 9), "mask_in_observation": True},
    {"distance": (1, 8), "oracle": True, "reward": "distance"},
    {"scramble": "walk:9", "oracle": heuristic("ann"), "reward": "distance"},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_the_checker_has_nothing_to_say(options):
    """All render modes are among what it tries."""
    check_env(gymnasium.make("puzzle15/Puzzle-v0", **options).unwrapped)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize(
    "options",
    [
        {"shape": (3, 3), "distance": (1, 4), "max_episode_steps": 7, "reward": "distance", "oracle": True},
        {"shape": (2, 3), "mask_in_observation": True, "observation": "one-hot", "max_episode_steps": 9},
        {"scramble": "walk:1-3", "reward": "sparse", "max_episode_steps": 4},
        {"scramble": "walk:1-9", "reward": "distance", "max_episode_steps": 4, "oracle": heuristic("linear-conflict")},
    ],
    ids=str,
)
def test_the_vector_is_what_gymnasium_makes_of_single_environments(mode, options, rng):
    envs = PuzzleVectorEnv(6, autoreset_mode=mode, **options)
    expected = SyncVectorEnv([lambda: PuzzleEnv(**options)] * 6, autoreset_mode=AutoresetMode(mode))
    assert envs.observation_space == expected.observation_space and envs.action_space == expected.action_space
    assert envs.metadata["autoreset_mode"] == AutoresetMode(mode)
    results = [each.reset(seed=5) for each in (envs, expected)]
    assert data_equivalence(results[0][0], results[1][0], exact=True)
    assert_same_infos(*(result[1] for result in results))
    finals = 0
    for _ in range(80):
        actions = rng.integers(0, 4, 6)
        ours, theirs = envs.step(actions), expected.step(actions)
        assert data_equivalence(ours[0], theirs[0], exact=True) and ours[0] in envs.observation_space
        for one, other in zip(ours[1:4], theirs[1:4]):
            assert one.tolist() == other.tolist()
        assert_same_infos(ours[4], theirs[4])
        finals += "final_obs" in ours[4]
    assert (finals > 10) == (mode == "SameStep")


def assert_same_infos(ours, theirs):
    assert set(ours) == set(theirs)
    for name, value in ours.items():
        if name.startswith("_"):
            assert value.tolist() == theirs[name].tolist()
        elif name == "final_info":
            assert_same_infos(value, theirs[name])
        else:
            where = ours[f"_{name}"]
            pairs = zip(value[where], theirs[name][where])
            assert value.dtype == theirs[name].dtype and all(data_equivalence(*pair, exact=True) for pair in pairs)


def test_disabled_autoreset():
    envs = PuzzleVectorEnv(3, autoreset_mode=AutoresetMode.DISABLED, shape=(3, 3))
    with pytest.raises(ResetNeeded, match="no episode has begun"):
        envs.step([0, 0, 0])
    envs.reset(options={"boards": ["1 2 3/4 5 6/7 0 8"] * 3})
    _, _, terminations, _, _ = envs.step([2, 1, 2])
    assert terminations.tolist() == [True, False, True]
    with pytest.raises(ResetNeeded, match="board 0 has ended its episode"):
        envs.step([0, 0, 0])
    observations, infos = envs.reset(options={"reset_mask": terminations, "distance": 3})
    assert observations[1].tolist() == [1, 2, 3, 4, 5, 6, 0, 7, 8]
    assert infos["_action_mask"].tolist() == terminations.tolist()
    assert Solver(shape=(3, 3)).distance_many(observations).tolist() == [3, 2, 3]
    for mask in (np.zeros(2, dtype=bool), [1, 0, 0]):
        with pytest.raises(ValueError, match=r"reset_mask: .*; expected bool \(3,\)"):
            envs.reset(options={"reset_mask": mask})


def test_make_vec(rng):
    envs = gymnasium.make_vec("puzzle15/Puzzle-v0", num_envs=4, shape=(3, 3), distance=31, autoreset_mode="SameStep")
    assert isinstance(envs, PuzzleVectorEnv) and envs.options.max_episode_steps == 200
    envs = gymnasium.wrappers.vector.RecordEpisodeStatistics(envs)
    envs.reset(seed=1)
    for _ in range(200):
        *_, truncations, infos = envs.step(np.zeros(4, dtype=np.int64))
    assert truncations.all() and infos["episode"]["l"].tolist() == [200] * 4
    envs.close()


def test_seeds():
    envs = PuzzleVectorEnv(4, shape=(3, 3))
    first = envs.reset(seed=7)[0]
    assert np.array_equal(envs.reset(seed=[7, 8, 9, 10])[0], first) and not np.array_equal(envs.reset()[0], first)
    assert np.array_equal(PuzzleEnv(shape=(3, 3)).reset(seed=9)[0], first[2])
    some = envs.reset(seed=[7, None, None, 7])[0]
    assert np.array_equal(some[0], first[0]) and np.array_equal(some[3], first[0])
    assert len({PuzzleVectorEnv(1, shape=(3, 3)).reset()[0].tobytes() for _ in range(5)}) > 1
    with pytest.raises(ValueError, match="seed: 2 numbers; expected one, or 4"):
        envs.reset(seed=[1, 2])
    assert np.array_equal(envs.reset(seed=np.arange(7, 11))[0], first)
    assert np.array_equal(envs.reset(seed=np.int64(7))[0], first)
    assert np.array_equal(PuzzleEnv(shape=(3, 3)).reset(seed=np.uint8(9))[0], first[2])
    for seed in (-1, 1.5, True, "7"):
        for env, given in ((PuzzleEnv(), seed), (PuzzleVectorEnv(2), seed), (PuzzleVectorEnv(2), [seed, 3])):
            with pytest.raises(ValueError, match="^seed .*: expected a whole number of at least 0"):
                env.reset(seed=given)


def test_an_episode_by_the_oracle():
    """Optimal actions lead to the goal in as many steps as the distance was."""
    env = PuzzleEnv(distance=12, oracle=True, reward="distance")
    for seed in range(3):
        _, info = env.reset(seed=seed)
        total, terminated = 0.0, False
        for left in range(12, 0, -1):
            assert info["distance"] == left and not terminated
            _, reward, terminated, _, info = env.step(int(info["optimal_actions"].argmax()))
            total += reward
        assert terminated and total == 12 and info["distance"] == 0 and not info["optimal_actions"].any()
        with pytest.raises(ResetNeeded, match="the episode has ended"):
            env.step(0)


def test_masks_are_what_spaces_sample_from():
    env = PuzzleEnv(illegal="raise")
    _, info = env.reset(seed=1)
    env.action_space.seed(1)
    for _ in range(50):
        action = env.action_space.sample(info["action_mask"])
        assert env.action_masks()[action]
        _, _, terminated, _, info = env.step(action)
        assert not terminated
    env.reset(options={"board": Board.goal()})  # whose blank is in a corner
    with pytest.raises(ValueError, match="expected one that its action mask allows"):
        env.step(int(env.action_masks().argmin()))


def test_reset_options():
    env = PuzzleEnv(shape=(3, 3))
    assert env.reset(options={"board": "867254301"})[0].tolist() == [8, 6, 7, 2, 5, 4, 3, 0, 1]
    solver = Solver(shape=(3, 3))
    for _ in range(3):
        assert solver.distance(env.reset(options={"distance": 4})[0]) == 4
        assert solver.distance(env.reset()[0]) == 4
    with pytest.raises(ValueError, match="reset option 'level': expected scramble, distance, board"):
        env.reset(options={"level": 3})


def test_frames():
    frames = {}
    for mode in PuzzleEnv.metadata["render_modes"]:
        env = PuzzleEnv(goal="0 1 2/3 4 5", render_mode=mode)
        env.reset(options={"board": "1 0 2/3 4 5"})
        frames[mode] = env.render()
        envs = PuzzleVectorEnv(2, goal="0 1 2/3 4 5", render_mode=mode)
        envs.reset(options={"boards": ["1 0 2/3 4 5"] * 2})
        assert data_equivalence(list(envs.render()), [frames[mode]] * 2, exact=True)
    assert "│ 1 │   │ 2 │" in frames["ansi"] and frames["svg"].startswith("<svg")
    assert frames["rgb_array"].shape == (88, 128, 3)
    with pytest.raises(ValueError, match="render_mode 'human': expected one of ansi, rgb_array, svg, or None"):
        PuzzleEnv(render_mode="human")
    envs = PuzzleVectorEnv(2)
    envs.reset()
    assert envs.render() is None


def test_what_a_vector_refuses():
    with pytest.raises(ValueError, match="autoreset_mode 'Later': expected NextStep, SameStep or Disabled"):
        PuzzleVectorEnv(2, autoreset_mode="Later")
    envs = PuzzleVectorEnv(2, shape=(3, 3), autoreset_mode="Disabled")
    with pytest.raises(ResetNeeded, match="no episode has begun"):
        envs.reset(options={"reset_mask": np.array([True, False])})
    for mask, found in ((np.ones(3, bool), r"bool \(3,\)"), (np.ones(2, np.int8), r"int8 \(2,\)")):
        with pytest.raises(ValueError, match=rf"reset_mask: {found}; expected bool \(2,\)"):
            envs.reset(options={"reset_mask": mask})


def test_the_examples_of_the_readme():
    for block in blocks(ROOT / "puzzle15/environments/README.md", "python"):
        exec(compile(block, "README", "exec"), globals())


def test_without_gymnasium_an_error_says_what_to_install(python):
    code = "import sys; sys.modules['gymnasium'] = None; import puzzle15.environments as e; e.PuzzleEnv(shape=(3, 3))"
    assert python("-c", code).stderr.endswith(
        'ImportError: an environment needs gymnasium, 1.1 or newer: pip install "gymnasium>=1.1"\n'
    )
