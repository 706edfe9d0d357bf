"""Which boards are drawn: uniformly, by walks and at distances."""

import json
from collections import Counter

import numpy as np
import pytest
import twins
from labels import EIGHT
from readmes import ROOT

from puzzle15 import Board
from puzzle15.board import depth_counts, random_walk, uniform, unpack_boards
from puzzle15.dataset import Distances, Walk, at_distances
from puzzle15.dataset import _distances as distances
from puzzle15.dataset._distances import levels_to, plan_draws
from puzzle15.dataset._distributions import parse_distribution
from puzzle15.errors import DatasetError


def chi_squared(observed, expected):
    """How many standard deviations the statistic is above its mean."""
    freedom = len(observed) - 1
    statistic = sum((o - e) ** 2 / e for o, e in zip(observed, expected))
    return (statistic - freedom) / (2 * freedom) ** 0.5


def is_uniform(boards, number):
    _, counts = np.unique(boards, return_counts=True)
    assert len(counts) == number
    return chi_squared(counts, [len(boards) / number] * number) < 4


@pytest.fixture
def few_listed(monkeypatch):
    """Levels of the 3x3 board are listed up to 20 boards only: up to distance 5."""
    monkeypatch.setattr(distances, "_MOST_LISTED", 20)


# ---------------------------------------------------------------- boards ---


def test_uniform_boards(rng):
    for goal in ("1 2/3 0", "0 3/2 1"):
        boards = uniform(12_000, rng, goal=goal)
        assert is_uniform(boards, 12)
        assert all(Board(board, (2, 2)).is_solvable(goal) for board in np.unique(boards).tolist())
    for shape in ((2, 8), (4, 4), (5, 3)):
        boards = uniform(20_000, np.random.default_rng(1), shape=shape)
        assert all(Board(board, shape).is_solvable() for board in boards[:100].tolist())
        assert len(np.unique(boards)) == len(boards)
        assert np.array_equal(uniform(100, np.random.default_rng(1), shape=shape), boards[:100])
        cells = shape[0] * shape[1]
        for column in unpack_boards(boards, shape).T:
            assert chi_squared(np.bincount(column, minlength=cells), [20_000 / cells] * cells) < 5
        assert uniform(0, rng, shape=shape).shape == (0,)


def test_walks_take_every_move_but_back(rng):
    shape, start = (3, 3), twins.goal((3, 3), 4)

    def walks(board, last, share, left):
        if not left:
            yield board, share
            return
        cell = board.index(0)
        ways = [d for d in range(4) if twins.neighbour(shape, cell, d) >= 0 and d != 3 - last]
        for direction in ways:
            to, tiles = twins.neighbour(shape, cell, direction), list(board)
            tiles[cell], tiles[to] = tiles[to], 0
            yield from walks(tuple(tiles), direction, share / len(ways), left - 1)

    expected = Counter()
    for board, share in walks(start, 9, 1.0, 5):
        expected[board] += share
    boards = random_walk(20_000, 5, rng, goal=start, shape=shape)
    found = Counter(map(tuple, unpack_boards(boards, shape).tolist()))
    assert set(found) == set(expected)
    assert chi_squared([found[b] for b in expected], [20_000 * share for share in expected.values()]) < 4


def test_walks_of_many_lengths(rng):
    boards = random_walk(4, [0, 1, 2, 3], rng, shape=(3, 3))
    assert EIGHT.distance_many(boards).tolist() == [0, 1, 2, 3]
    distances = EIGHT.distance_many(Walk(2, 4).draw(3000, rng, EIGHT))
    assert chi_squared(np.bincount(distances)[2:], [1000] * 3) < 4
    for lengths in (-1, [1, 2, -3], 1.5):
        with pytest.raises(ValueError, match="whole numbers of moves"):
            random_walk(3, lengths, rng)


@pytest.mark.parametrize(
    "distance, share, kind",
    [
        (0, 50, "list"),
        (5, 20, "list"),
        (9, 20, "step"),  # boards that have several shortest solutions are not drawn more often for it
        pytest.param(30, 8, "reject", marks=pytest.mark.slow),
    ],
)
def test_boards_at_a_distance_are_equally_likely(distance, share, kind, few_listed, rng):
    """`share` boards for each that there is."""
    assert plan_draws([distance], EIGHT.goal) == ({distance: kind}, 5)
    number = depth_counts((3, 3))[distance]
    boards = at_distances(np.full(share * number, distance), rng, EIGHT)
    assert (EIGHT.distance_many(boards) == distance).all() and (number == 1 or is_uniform(boards, number))


def test_boards_at_many_distances_lie_where_they_are_wanted(few_listed, rng):
    wanted = rng.permutation(np.repeat([0, 5, 9, 10, 20, 23, 24, 28], 7))
    plan, _ = plan_draws(wanted.tolist(), EIGHT.goal)
    assert set(plan.values()) == {"list", "step", "reject"}
    assert (EIGHT.distance_many(at_distances(wanted, rng, EIGHT)) == wanted).all()


def test_boards_that_are_climbed_to(few_listed, monkeypatch, rng):
    monkeypatch.setattr(distances, "_MOST_REJECTED", 0)
    wanted = [30, 27, 30, 31]
    plan, _ = plan_draws(wanted, EIGHT.goal)
    assert set(plan.values()) == {"climb"} and not Distances([3, 30]).equally_likely(EIGHT.goal)
    assert EIGHT.distance_many(at_distances(wanted, rng, EIGHT)).tolist() == wanted
    assert at_distances([], rng, EIGHT).shape == (0,)
    monkeypatch.setattr(distances, "_climb", lambda target, rng, solver, count: np.empty(0, dtype=np.uint64))
    with pytest.raises(DatasetError, match="distance 31: 200 rounds of .* reached no such board; expected a distance"):
        at_distances([31], rng, EIGHT)


def test_how_every_distance_of_the_15_puzzle_is_drawn():
    plan, listed = plan_draws(range(81), Board.goal())
    kinds = list(plan.values())
    steps = kinds.count("step")
    assert (
        listed == 22
        and kinds == ["list"] * 23 + ["step"] * steps + ["reject"] * (46 - steps) + ["climb"] * 8 + ["known"] * 4
    )
    assert Distances(range(69)).equally_likely(Board.goal()) and not Distances([69]).equally_likely(Board.goal())
    with pytest.raises(ValueError, match="0 .. 80 moves"):
        plan_draws([81], Board.goal())


@pytest.mark.parametrize("home, kind", [(15, "corner"), (3, "corner"), (7, "edge"), (9, "center")])
def test_the_published_numbers_of_a_home(home, kind):
    goal = Board.goal((4, 4), home)
    assert tuple(map(len, levels_to(goal, 12))) == depth_counts((4, 4), kind)[:13]
    with pytest.raises(ValueError, match=rf"expected 0 \.\. {len(depth_counts((4, 4), kind)) - 1},"):
        plan_draws([90], goal)


def test_the_numbers_are_the_published_ones():
    published = json.loads((ROOT / "tests" / "data" / "depth_counts.json").read_text(encoding="ascii"))
    for entry in published.values():
        shape, metric = (entry["rows"], entry["cols"]), {"single": "stm", "multi": "mtm"}[entry["metric"]]
        for either in (shape, shape[::-1]):
            assert list(depth_counts(either, entry["blank_home"], metric=metric)) == entry["counts"]
    assert depth_counts((3, 4), "edge", metric="mtm") is depth_counts((3, 4), "edge") is None
    with pytest.raises(ValueError, match="metric 'xyz': expected one of stm, mtm"):
        depth_counts((3, 4), metric="xyz")


def test_distributions_as_text():
    for text in ["uniform", "walk:7", "walk:0-100", "distance:53", "distance:1-3,7=2.5", "distance:1=3,2-3=0.1,4"]:
        distribution = parse_distribution(text)
        assert str(distribution) == text and len({distribution, parse_distribution(f" {text} ")}) == 1
    wrong = "uniform:3 walk walk: walk:3-2 walk:1,2 walk:3=2 distance:-4 distance:a distance:5,5 distance:5=0"
    for text in ["", *wrong.split(), "distances:5", "distance:", "climbed:70"]:
        with pytest.raises(ValueError, match="expected"):
            parse_distribution(text)


def test_distances_are_drawn_by_their_weights(rng):
    distances = EIGHT.distance_many(Distances({3: 1, 10: 2, 20: 5}).draw(8000, rng, EIGHT))
    assert chi_squared(np.bincount(distances)[[3, 10, 20]], [1000, 2000, 5000]) < 4
