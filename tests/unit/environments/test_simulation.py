"""Boards that are stepped in C, against the plain twin, step by step. No test here needs gymnasium."""

import copy
import math
import pickle
from collections import Counter

import environment_twins as plain
import numpy as np
import pytest
import twins

from puzzle15 import Board, Solver, heuristic
from puzzle15._core.learning.environment import Episodes, Scramble
from puzzle15._core.nodes.nodes import ranks
from puzzle15.board import pack_boards, unpack_boards
from puzzle15.dataset._distances import levels_to
from puzzle15.environments import Options
from puzzle15.environments._simulation import Simulation, all_distances, scramble_of
from puzzle15.errors import BoardError, UnsolvableError

CENTER = "1 2 3/8 0 4/7 6 5"


def begun(count, threads=1, seed=0, **options):
    """A simulation at the begin of its first episodes."""
    simulation = Simulation(count, Options(**options), threads)
    simulation.seed(np.arange(seed, seed + count))
    simulation.begin()
    return simulation


def draws(distribution, goal):
    """What draws the boards of a distribution in the twin."""
    kind, _, numbers = distribution.partition(":")
    if kind == "uniform":
        return plain.not_the_goal(lambda random: plain.uniform(random, goal.shape, goal.tiles), goal.tiles)
    least, most = (int(number) for number in (numbers.split("-") * 2)[:2])
    if kind == "walk":
        return plain.not_the_goal(lambda random: plain.walk(random, goal.shape, goal.tiles, least, most), goal.tiles)
    levels = [list(map(tuple, unpack_boards(level, goal.shape).tolist())) for level in levels_to(goal, most)[least:]]
    chances = [2**64 * (level + 1) // len(levels) - (level + 1 == len(levels)) for level in range(len(levels))]
    return lambda random: plain.listed(random, levels, chances)


CASES = [
    {"shape": (2, 2), "scramble": "uniform", "reward": "sparse"},
    {"shape": (2, 2), "scramble": "walk:12", "reward": "per-move"},
    {"shape": (3, 2), "scramble": "walk:1-9", "reward": "distance", "max_episode_steps": 5},
    {"shape": (2, 4), "scramble": "distance:1-4", "reward": "distance", "illegal_reward": -7.5},
    {"goal": CENTER, "scramble": "distance:0-3", "reward": "sparse", "max_episode_steps": 1},
    {"shape": (4, 2), "scramble": "uniform", "reward": "distance", "observation": "one-hot"},
    {"shape": (3, 3), "scramble": "uniform", "reward": "per-move"},
    {"shape": (3, 4), "scramble": "walk:3", "reward": "per-move", "max_episode_steps": 9},
    {"shape": (2, 8), "scramble": "uniform", "reward": "sparse", "max_episode_steps": 20},
    {"shape": (4, 4), "scramble": "distance:1-2", "reward": "per-move", "observation": "one-hot"},
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_step_is_that_of_the_twin(case, rng):
    count, steps = 23, 40
    simulation = begun(count, **case, oracle=math.prod(case.get("shape", (3, 3))) <= 8)
    options = simulation.options
    goal = options.target
    far = twins.distances(goal.shape, goal.tiles) if options.oracle else None
    draw = draws(case["scramble"], goal)
    twin = [plain.Episode(goal.shape, goal.tiles, draw, seed, options, far) for seed in range(count)]
    view = simulation.observe()
    for _ in range(steps):
        assert simulation.tiles().tolist() == [list(episode.tiles) for episode in twin]
        expected = simulation.tiles()
        if options.observation == "one-hot":
            expected = np.eye(len(goal), dtype=np.uint8)[expected].reshape(count, -1)
        assert np.array_equal(view.observations, expected)
        assert view.masks.tolist() == [episode.mask() for episode in twin]
        if far:
            assert view.distances.tolist() == [far[episode.tiles] for episode in twin]
            assert view.optimal.tolist() == [episode.optimal() for episode in twin]
        actions = rng.integers(0, 4, count)
        step, view = simulation.step(simulation.check_actions(actions))
        results = [episode.step(action) for episode, action in zip(twin, actions.tolist())]
        assert list(zip(*(array.tolist() for array in step))) == results
        assert simulation.ended.tolist() == [episode.ended for episode in twin]


@pytest.mark.parametrize("reward", ["sparse", "distance"])
def test_threads_change_nothing(reward, rng):
    options = {"shape": (3, 3), "reward": reward, "oracle": True, "max_episode_steps": 4}
    simulations = [begun(40_000, threads, **options) for threads in (1, 2, 3)]
    for _ in range(6):
        actions = rng.integers(0, 4, 40_000, dtype=np.uint8)
        steps = [simulation.step(actions) for simulation in simulations]
        for step, view in steps[1:]:
            assert all(np.array_equal(one, other) for one, other in zip((*step, *view), (*steps[0][0], *steps[0][1])))
    for simulation in simulations:
        simulation.close()


def test_the_solver_is_the_oracle_of_large_boards(rng):
    """Rewards, distances and moves of 4x4 boards that begin anew, against the solver asked about each board."""
    options = {"scramble": "walk:1-12", "reward": "distance", "max_episode_steps": 3, "illegal_reward": -3}
    simulation, solver = begun(8, oracle=True, **options), Solver()
    view = simulation.observe()
    for _ in range(8):
        hints = solver.hint_many(simulation.boards)
        assert view.distances.tolist() == [hint.distance for hint in hints]
        assert view.optimal.tolist() == [[int(letter in hint.best_moves) for letter in "DRLU"] for hint in hints]
        actions, ended, masks = rng.integers(0, 4, 8), simulation.ended.copy(), view.masks
        before = view.distances.astype(int)
        (rewards, _, _), view = simulation.step(simulation.check_actions(actions))
        legal = masks[np.arange(8), actions] == 1
        change = before - view.distances
        assert rewards.tolist() == np.where(ended, 0, np.where(legal, change, -3)).tolist()


def test_rewards_by_distance_without_an_oracle(rng):
    """Of 4x4 boards, whose distances no list has: the view shows none, and rewards are their changes."""
    simulation, solver = begun(4, scramble="walk:5-12", reward="distance"), Solver()
    for _ in range(4):
        before = solver.distance_many(simulation.boards).astype(int)
        actions = simulation.observe().masks.argmax(axis=1)
        (rewards, _, _), _ = simulation.step(simulation.check_actions(actions))
        assert rewards.tolist() == (before - solver.distance_many(simulation.boards)).tolist()


@pytest.mark.parametrize(
    "name, options",
    [
        ("ann", {}),
        ("max(walking-distance,tables:embedded)", {"shape": (3, 4)}),
        ("linear-conflict", {"goal": CENTER}),
    ],
    ids=str,
)
def test_a_heuristic_is_the_oracle(name, options, rng):
    """Estimates, greedy actions and rewards, against the heuristic asked about each board and each neighbour."""
    goal = Options(**options).target
    h = heuristic(name, goal=goal)
    options = {**options, "scramble": "walk:1-12", "reward": "distance", "max_episode_steps": 3, "illegal_reward": -3}
    simulation = begun(8, oracle=h, **options)
    view = simulation.observe()
    for _ in range(8):
        boards = [Board(tiles.tolist(), goal.shape) for tiles in simulation.tiles()]
        for board, estimate, greedy in zip(boards, view.distances.tolist(), view.optimal.tolist()):
            after = {letter: h(child) for letter, child in board.neighbours()}
            least = None if board.is_goal(goal) else min(after.values())
            best = [letter for letter, value in after.items() if value == least]
            assert estimate == h(board) and greedy == [int(letter in best) for letter in "DRLU"]
        actions, ended, masks, before = rng.integers(0, 4, 8), simulation.ended.copy(), view.masks, view.distances
        (rewards, _, _), view = simulation.step(simulation.check_actions(actions))
        legal = masks[np.arange(8), actions] == 1
        assert rewards.tolist() == np.where(ended, 0, np.where(legal, before - view.distances, -3)).tolist()
    again = pickle.loads(pickle.dumps(simulation))
    for one, other in zip(again.step(np.ones(8, np.uint8))[1], simulation.step(np.ones(8, np.uint8))[1]):
        assert np.array_equal(one, other)


def test_what_is_no_oracle():
    for oracle in ("ann", None, Board.manhattan):
        with pytest.raises(TypeError, match="oracle .*: expected True, False or a heuristic"):
            Options(oracle=oracle)
    with pytest.raises(ValueError, match="oracle of the goal 1 2 3/4 5 6/7 8 0: expected one of the goal 1 2 3 4/"):
        Options(oracle=heuristic("manhattan", shape=(3, 3)))


@pytest.mark.parametrize("goal", [Board.goal((2, 4)), Board("1 2/3 0"), Board("3 1 2/0 5 4")], ids=str)
def test_ranks_number_all_boards_and_index_their_distances(goal):
    far = twins.distances(goal.shape, goal.tiles)
    numbers = ranks(pack_boards(np.array(list(far)), goal.shape)[0], goal.shape)
    assert sorted(numbers.tolist()) == list(range(math.factorial(len(goal)) // 2))
    assert numbers[:500].tolist() == [plain.rank(board) for board in list(far)[:500]]
    assert all_distances(goal)[numbers].tolist() == list(far.values())


def test_uniform_boards_are_equally_likely():
    """All 360 boards of 2x3 but the goal, with counts as chance has them."""
    counts = Counter(begun(36_000, shape=(2, 3)).boards.tolist())
    assert len(counts) == 359 and Board.goal((2, 3)).packed not in counts
    square = sum((count - 36_000 / 359) ** 2 for count in counts.values()) / (36_000 / 359)
    assert 250 < square < 480  # 358 on average, with a deviation of 27


def test_distances_of_scrambles_are_exact():
    def drawn(count, **scramble):
        return Counter(solver.distance_many(begun(count, shape=(3, 3), **scramble).boards).tolist())

    solver = Solver(shape=(3, 3))
    assert [set(drawn(50, distance=distance)) for distance in (1, 14, 31)] == [{1}, {14}, {31}]
    weighted = drawn(4000, scramble="distance:5=3,6")
    assert set(weighted) == {5, 6} and 2850 < weighted[5] < 3150


def test_a_pool_of_far_boards():
    """3x4 boards at distance 30 are too many to list; the pool is the same for every environment."""
    options = {"shape": (3, 4), "scramble": "distance:30", "pool": 5}
    one, other = (set(begun(200, seed=seed, **options).boards.tolist()) for seed in (0, 100))
    assert one == other and len(one) == 5
    assert Solver(shape=(3, 4)).distance_many(np.array(list(one), dtype=np.uint64)).tolist() == [30] * 5


def test_given_boards():
    simulation = Simulation(2, Options(shape=(3, 3)))
    simulation.begin(boards=["1 2 3/4 5 6/7 0 8", "867254301"])
    assert simulation.tiles().tolist() == [[1, 2, 3, 4, 5, 6, 7, 0, 8], [8, 6, 7, 2, 5, 4, 3, 0, 1]]
    with pytest.raises(UnsolvableError, match="board 0"):
        simulation.begin(np.array([1]), ["1 2 3/4 5 6/8 7 0"])
    with pytest.raises(ValueError, match="boards: 2 given; expected 1, one per"):
        simulation.begin(np.array([1]), ["867254301", "867254301"])


def test_copies_go_on_alike(rng):
    simulation = begun(30, shape=(2, 3), oracle=True, max_episode_steps=5)
    simulation.scramble(Options(shape=(2, 3), distance=4).distribution)
    for _ in range(7):
        simulation.step(rng.integers(0, 4, 30, dtype=np.uint8))
    copies = [simulation, copy.deepcopy(simulation), pickle.loads(pickle.dumps(simulation))]
    for _ in range(20):
        actions = rng.integers(0, 4, 30, dtype=np.uint8)
        first, *others = [(*step, *view) for step, view in (each.step(actions) for each in copies)]
        assert all(np.array_equal(a, b) for other in others for a, b in zip(first, other))


# ------------------------------------------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    "given, message",
    [
        ({"reward": "dense"}, "reward 'dense': expected one of sparse, per-move, distance"),
        ({"observation": "image"}, "observation 'image': expected one of tiles, one-hot"),
        ({"illegal": "ignore"}, "illegal 'ignore': expected one of stay, raise"),
        ({"max_episode_steps": 0}, "max_episode_steps 0: expected a whole number from 1"),
        ({"distance": (5, 2)}, r"distance \(5, 2\): expected a number, or the least and the most"),
        ({"distance": "5"}, "distance '5': expected a whole number"),
        ({"distance": 5, "scramble": "uniform"}, "scramble 'uniform' and distance 5: expected only one"),
        ({"scramble": "near"}, "distribution 'near': expected uniform"),
        ({"scramble": 5}, "distribution '5': expected uniform"),
        ({"shape": (5, 5)}, "shape 5x5: expected"),
        ({"goal": "1 2/3 0", "solver": Solver(shape=(3, 3))}, "solver of the goal 1 2 3/.*: expected one of the goal"),
    ],
    ids=str,
)
def test_options_that_are_refused(given, message):
    with pytest.raises(ValueError, match=message):
        Options(**given)


def test_distances_that_no_board_has():
    with pytest.raises(ValueError, match=r"distance 32: expected 0 .. 31"):
        Simulation(1, Options(shape=(3, 3), distance=32))


def test_actions_that_are_refused():
    simulation = Simulation(3, Options(shape=(3, 3), illegal="raise"))
    simulation.begin(boards=["1 2 3/4 5 6/7 8 0"] * 3)
    before = simulation.boards.copy()
    for actions, message in [
        ([0, 1], r"an array of int64 \(2,\); expected whole numbers, one for each of 3 boards"),
        ([0.0, 1.0, 1.0], "float64"),
        ([0, 4, 0], "action 4 of board 1: expected 0 up, 1 left, 2 right, 3 down"),
        ([0, 0, -1], "action -1 of board 2"),
        (np.array([9, 0, 0], dtype=np.uint8), "action 9 of board 0"),
        ([0, 2, 0], "action 2 of board 1: expected one that its action mask allows"),
    ]:
        with pytest.raises(ValueError, match=message):
            simulation.check_actions(actions)
    assert np.array_equal(simulation.boards, before)


def test_the_core_refuses_what_would_lead_outside_of_arrays():
    goal = Board.goal((2, 3)).packed
    episodes = Episodes((2, 3), goal, 4, (0, 0, 0), 0, False, False, None)
    one, four, most = np.zeros(1, dtype=np.uint64), np.zeros(4, dtype=np.uint8), np.full(1, 2**64 - 1, dtype=np.uint64)
    pair = np.zeros(2, dtype=np.uint64)
    uniform, floats = Scramble((2, 3), goal), np.zeros(4, dtype=np.float32)
    masks, rows = np.zeros((4, 4), dtype=np.int8), np.zeros((4, 6), dtype=np.uint8)
    for call in (
        lambda: episodes.begin(uniform, one + 4),
        lambda: episodes.seed(one, one + 4),
        lambda: episodes.step(uniform, four, 0, 5, floats, four, four),
        lambda: episodes.step(uniform, four + 4, 0, 4, floats, four, four),
        lambda: episodes.step(uniform, four, 0, 4, floats[1:], four, four),
        lambda: episodes.observe(0, 4, rows[:, :5].copy(), masks),
        lambda: episodes.observe(2, 1, rows, masks),
        lambda: episodes.observe(0, 4, rows, masks, four, masks),
        lambda: Episodes((2, 3), goal, 4, (0, 0, 0), 0, False, False, np.zeros(359, dtype=np.uint8)),
        lambda: Episodes((2, 3), goal, 0, (0, 0, 0), 0, False, False, None),
        lambda: Scramble((2, 3), goal, walk=(4, 3)),
        lambda: Scramble((2, 3), goal, levels=(one + goal, one + 2, most)),
        lambda: Scramble((2, 3), goal, levels=(one + goal, one + 1, one)),
        lambda: Scramble((2, 3), goal, levels=(pair + goal, pair + 2, pair - 1)),
        lambda: Scramble((2, 3), goal, levels=(pair + goal, pair.cumsum() + 1, np.append(most, most - 1))),
        lambda: Scramble((2, 3), goal, walk=(0, 2**32 - 1)),
    ):
        with pytest.raises(ValueError):
            call()
    for call in (
        lambda: episodes.begin(Scramble((3, 2), Board.goal((3, 2)).packed), one),
        lambda: episodes.place(one, one),
        lambda: Scramble((2, 3), goal, levels=(one, one + 1, most)),
        lambda: Scramble((2, 3), 7),
    ):
        with pytest.raises(BoardError):
            call()
    with pytest.raises(ValueError, match="read-only"):
        episodes.boards[0] = 0


def test_every_shape_steps():
    for shape in twins.SHAPES:
        simulation = begun(5, shape=shape, max_episode_steps=30)
        for action in [0, 1, 2, 3] * 10:
            _, view = simulation.step(np.full(5, action, dtype=np.uint8))
            assert np.array_equal(np.sort(view.observations), np.tile(np.arange(math.prod(shape)), (5, 1)))
        rows, masks = np.full((6, math.prod(shape)), 99, dtype=np.uint8), np.zeros((5, 4), dtype=np.int8)
        simulation._episodes.observe(0, 5, rows[:5], masks)
        assert np.array_equal(rows[:5], view.observations) and (rows[5] == 99).all()


def test_scrambles_are_made_once():
    one, other = (Options(shape=(3, 3), distance=9) for _ in range(2))
    args = [(each.distribution, each.target, each.pool, None) for each in (one, other)]
    assert scramble_of(*args[0]) is scramble_of(*args[1])
