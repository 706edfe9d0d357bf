"""Batches for training: inputs and targets against slow twins, and every row once in each epoch, in any order."""

import importlib
import pickle
import sys

import labels
import numpy as np
import pytest
from labels import EIGHT

from puzzle15 import Board, Solver
from puzzle15.board import legal_directions
from puzzle15.dataset import Batches, load, targets
from puzzle15.solver import label


def made(folder, count=1_000, **options):
    settings = {"distribution": "distance:0-31", "shard": 100, "first_moves": True, **options}
    return labels.made(folder, count, **settings)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return made(tmp_path_factory.mktemp("labels") / "a").folder


def keys(found):
    """What tells the rows of batches apart."""
    return [bytes(row) for inputs, *_ in found for row in np.asarray(inputs).reshape(len(inputs), -1)]


# ---------------------------------------------------------------- inputs and targets ---


@pytest.mark.parametrize("shape", [(3, 3), (2, 4), (4, 4)])
def test_targets_against_their_twins(shape, rng):
    solver, goal = Solver(shape=shape), Board.goal(shape)
    boards = [goal, *(goal.apply(goal.legal_moves()[0]), Board.random(1, shape=shape), Board.random(2, shape=shape))]
    rows = label(solver, boards, first_moves=True)
    inputs, value, policy = targets(rows, shape, inputs="one-hot")
    mask = targets(rows, shape, policy="mask").policy
    own = targets(rows, shape, policy="solution").policy
    assert (inputs.dtype, value.dtype, policy.dtype, mask.dtype) == (np.uint8, np.float32, np.float32, bool)
    for index, board in enumerate(boards):
        for tile in range(shape[0] * shape[1]):
            plane = np.zeros(shape, dtype=np.uint8)
            plane[divmod(board.tiles.index(tile), shape[1])] = 1
            assert np.array_equal(inputs[index, tile], plane)
        assert value[index] == solver.distance(board)
        best = {"DRLU".index(letter) for letter in solver.hint(board).best_moves}
        assert set(np.flatnonzero(mask[index])) == best == set(np.flatnonzero(policy[index]))
        assert policy[index].sum() == pytest.approx(1 if best else 0) and len(set(policy[index][mask[index]])) <= 1
        assert own[index].sum() == (1 if best else 0) and own[index][~mask[index]].sum() == 0
        legal = legal_directions(shape)[board.tiles.index(0)]
        assert not any(mask[index][d] and not legal >> d & 1 for d in range(4))
    plain, _, nothing = targets(rows, shape, policy=None)
    assert plain is rows["board"] and nothing is None


# ---------------------------------------------------------------- batches ---


def test_batches_in_order_are_the_rows(folder):
    found = list(Batches(folder, batch_size=64, shuffle=False))
    assert [len(batch.value) for batch in found] == [64] * 15 + [40]
    dataset = load(folder)
    assert np.array_equal(np.concatenate([batch.inputs for batch in found]), dataset.array("board"))
    assert np.array_equal(np.concatenate([batch.value for batch in found]), dataset.array("distance"))
    assert len(list(Batches(folder, batch_size=64, shuffle=False, drop_last=True))) == 15
    assert [len(batch.value) for batch in Batches([folder] * 5)] == [4096, 904]


@pytest.mark.parametrize("buffer", [1, 250, 10_000])
@pytest.mark.parametrize("size", [1, 64, 3_000])
def test_every_row_once_in_each_epoch(folder, buffer, size):
    data = Batches(folder, batch_size=size, buffer=buffer, policy=None)
    stored = keys([(load(folder).array("board"),)])
    first, second = keys(data), keys(data)
    assert data.epoch == 2 and data.rows == 1_000
    assert first != second and first != stored
    assert sorted(first) == sorted(second) == sorted(stored)
    data.epoch = 0
    assert keys(data) == first
    assert keys(Batches(folder, batch_size=size, buffer=buffer, policy=None, seed=1)) != first
    for parts in (3, 20):
        shares = [key for number in range(parts) for key in keys(data.part(4, number=number, parts=parts))]
        assert sorted(shares) == sorted(stored)


def test_workers_shuffle_differently(tmp_path):
    """Two workers that read the same rows give them in two orders."""
    one = made(tmp_path / "one", 100).folder
    data = Batches([one, one], batch_size=100, policy=None)
    first, second = (keys(data.part(0, number=number, parts=2)) for number in range(2))
    assert first != second and sorted(first) == sorted(second)


def shards_of(folder, batches):
    """From which shards the rows of each batch are, by the boards that are there once."""
    stored = keys([(load(folder).array("board"),)])
    place = {key: index // 100 for index, key in enumerate(stored) if stored.count(key) == 1}
    return [{place[key] for key in keys([batch]) if key in place} for batch in batches]


def test_a_buffer_mixes_shards(folder):
    """With a buffer of half the rows, batches hold rows of several shards."""
    mixed = shards_of(folder, Batches(folder, batch_size=100, buffer=500, policy=None))
    assert len(mixed) == 10 and min(map(len, mixed)) >= 4
    assert len(set().union(*mixed[:5])) == 5  # the buffer is full when it holds these rows


def test_the_seed_and_the_epoch_decide_the_order_of_shards(folder):
    """With a buffer of one row, a shard leaves before the next one comes."""
    orders = []
    for seed, epoch in ((0, 0), (0, 1), (1, 0), (0, 0)):
        data = Batches(folder, batch_size=100, buffer=1, policy=None, seed=seed)
        orders.append([shard for shards in shards_of(folder, data.part(epoch)) for shard in shards])
    assert all(sorted(order) == list(range(10)) for order in orders) and orders[0] == orders[3]
    assert len(set(map(tuple, orders))) == 3


def test_several_folders(folder, tmp_path):
    made(tmp_path / "b", 300, seed=6)
    data = Batches([folder, tmp_path / "b"], batch_size=128)
    assert data.rows == 1_300 and len(keys(data)) == 1_300
    with pytest.raises(ValueError, match="labels for the goal 1 2/3 0, expected 1 2 3/4 5 6/7 8 0"):
        Batches([folder, made(tmp_path / "c", 9, solver=Solver(shape=(2, 2)), distribution="uniform").folder])
    made(tmp_path / "d", 9, first_moves=False)
    with pytest.raises(ValueError, match="no column first_moves, which the policy 'distribution' needs; label with"):
        Batches([folder, tmp_path / "d"])
    assert len(keys(Batches([folder, tmp_path / "d"], policy="solution"))) == 1_009


def test_what_is_refused(folder):
    for options in ({"batch_size": 0}, {"buffer": 0}, {"inputs": "x"}, {"policy": "x"}):
        [(name, value)] = options.items()
        with pytest.raises(ValueError, match=f"{name} {value!r}: expected"):
            Batches(folder, **options)
    with pytest.raises(ValueError, match="expected at least one folder"):
        Batches([])
    with pytest.raises(ValueError, match="no column first_moves, which the policy 'mask' needs; label with --first"):
        targets(label(EIGHT, ["8 6 7/2 5 4/3 0 1"]), (3, 3), policy="mask")


# ---------------------------------------------------------------- PyTorch ---


@pytest.fixture
def torch():
    pytest.importorskip("torch", reason='PyTorch is missing: pip install ".[train]"')
    return importlib.import_module("puzzle15.dataset.torch")


@pytest.mark.extra
@pytest.mark.parametrize("workers", [0, 2])
def test_a_loader(folder, torch, workers):
    data = torch.TorchBatches(folder, batch_size=64, inputs="one-hot", seed=3)
    assert data.rows == 1_000

    def epoch(number):
        data.set_epoch(number)
        return list(loader)

    options = {"num_workers": workers, "persistent_workers": workers > 0}
    loader = torch.torch.utils.data.DataLoader(data, batch_size=None, **options)
    first, second, again = epoch(0), epoch(1), epoch(0)
    assert keys(first) == keys(again) != keys(second)
    inputs, value, policy = first[0]
    assert [str(each.dtype) for each in first[0]] == ["torch.uint8", "torch.float32", "torch.float32"]
    assert inputs.shape == (64, 9, 3, 3) and policy.shape == (64, 4)
    assert sorted(keys(first)) == sorted(keys(Batches(folder, batch_size=64, inputs="one-hot")))
    for inputs, value, _ in first:
        boards = inputs.numpy().argmax(axis=1).reshape(len(inputs), 9)
        assert np.array_equal(EIGHT.distance_many(boards), value.numpy())


@pytest.mark.extra
def test_a_loader_whose_workers_start_anew(folder, torch):
    """As on Windows and macOS."""
    data = torch.TorchBatches(folder, batch_size=200, policy=None)
    assert pickle.loads(pickle.dumps(data)).rows == 1_000
    options = {"num_workers": 1, "multiprocessing_context": "spawn"}
    loader = torch.torch.utils.data.DataLoader(data, batch_size=None, **options)
    assert [tuple(map(len, batch)) for batch in loader] == [(200, 200)] * 5


def test_without_pytorch(monkeypatch):
    monkeypatch.delitem(sys.modules, "puzzle15.dataset.torch", raising=False)
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ImportError, match="batches for PyTorch need it: pip install torch"):
        importlib.import_module("puzzle15.dataset.torch")
