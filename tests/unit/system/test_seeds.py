"""Random input: an int or a generator, wherever a function takes a seed."""

import numpy as np
import pytest

from puzzle15 import Board, Solver, heuristics
from puzzle15.board import random_walk, uniform
from puzzle15.dataset import Batches, at_distances, write
from puzzle15.papers import reproduce, spagnoletto
from puzzle15.solver import scramble

EIGHT = Solver(shape=(3, 3))


def labels(folder, seed):
    return write(folder / f"labels-{len(list(folder.iterdir()))}", 50, seed=seed, solver=EIGHT)


def batches(folder, seed):
    return [batch.value.tolist() for batch in Batches(labels(folder, 1).folder, seed=seed, policy=None)]


def reproduced(folder, seed):
    """The figures of random boards, without those that take most of the time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spagnoletto, "_facts", list)
        patch.setattr(spagnoletto, "_MAX_MEMORY", "1M")
        rows = reproduce("spagnoletto", boards=1, samples=1, seed=seed)
    return [row.here for row in rows if not row.is_time]


#: Functions of a folder and a seed.
DRAWN = {
    "Board.random": lambda folder, seed: str(Board.random(seed, (3, 3))),
    "uniform": lambda folder, seed: uniform(9, seed, shape=(3, 3)).tolist(),
    "random_walk": lambda folder, seed: random_walk(9, 20, seed).tolist(),
    "at_distances": lambda folder, seed: at_distances([20] * 9, seed, EIGHT).tolist(),
    "heuristics.check_heuristic": lambda folder, seed: repr(
        heuristics.check_heuristic("manhattan", boards=300, seed=seed, time_limit_s=None, small_shapes=False).trials
    ),
    "reproduce": reproduced,
}
#: Those that need an int: a generator draws it.
SEEDED = {
    "scramble": lambda folder, seed: str(scramble(20, EIGHT, seed)),
    "write": lambda folder, seed: labels(folder, seed).array("board").tolist(),
    "Batches": batches,
}


@pytest.mark.parametrize("draw", DRAWN.values(), ids=DRAWN)
def test_an_int_and_its_generator_draw_the_same(draw, tmp_path):
    assert draw(tmp_path, 1) == draw(tmp_path, np.int64(1)) == draw(tmp_path, np.random.default_rng(1))


@pytest.mark.parametrize("draw", SEEDED.values(), ids=SEEDED)
def test_a_generator_draws_an_int(draw, tmp_path):
    rng = np.random.default_rng(1)
    drawn = [draw(tmp_path, rng) for _ in range(4)]
    number = int(np.random.default_rng(1).integers(2**63))
    assert drawn[0] == draw(tmp_path, number) == draw(tmp_path, np.int64(number))
    assert any(other != drawn[0] for other in drawn)


@pytest.mark.parametrize("draw", [*DRAWN.values(), *SEEDED.values()], ids=[*DRAWN, *SEEDED])
@pytest.mark.parametrize("seed", [-1, 1.5, True, "5", [5]], ids=repr)
def test_what_is_no_seed(draw, seed, tmp_path):
    with pytest.raises(ValueError, match="^seed .*: expected a whole number of at least 0"):
        draw(tmp_path, seed)
