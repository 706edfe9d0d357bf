"""Gathering the boards that a search with a network meets."""

import re

import numpy as np
import pytest
from searching import near

from puzzle15 import Board, Solver
from puzzle15._core.base import board as _board
from puzzle15.board import pack_boards
from puzzle15.dataset import load, write
from puzzle15.errors import DatasetError
from puzzle15.learning import gather, train
from puzzle15.learning._network_file import write_network

GOAL = Board.goal()


def manhattan(packed):
    return np.array([_board.manhattan(int(board), GOAL.packed, (4, 4)) for board in packed])


def starts(*seeds):
    return np.array([Board.random(seed).packed for seed in seeds], dtype=np.uint64)


def test_a_beam_of_one_makes_the_boards_beside_its_way():
    board = Board("1 2 3 4/5 6 7 8/9 10 11 12/0 13 14 15")
    packed = np.array([board.packed], dtype=np.uint64)
    boards = gather.met(packed, manhattan, width=1, each=1000, rng=np.random.default_rng(1))
    expected = {board.apply("D"), board.apply("L")}  # moves are letters of tiles
    expected |= {board.apply("LL"), board.apply("LD")} | {board.apply("LLL"), board.apply("LLD")}
    assert sorted(boards.tolist()) == sorted(b.packed for b in expected)


def test_each_start_gives_as_many_boards_and_the_sample_is_fixed_by_the_seed():
    packed = starts(1, 2, 3)
    boards = gather.met(packed, manhattan, width=5, each=40, rng=np.random.default_rng(1))
    assert boards.shape == (120,) and boards.dtype == np.uint64
    again = gather.met(packed, manhattan, width=5, each=40, rng=np.random.default_rng(1))
    assert np.array_equal(boards, again)
    out = np.empty(120, dtype=np.uint8)
    _board.solvable_many(boards, GOAL.packed, (4, 4), out)
    assert out.all()
    assert len(np.unique(boards)) > 100


def test_a_wider_beam_makes_more():
    count = [
        len(gather.met(starts(4), manhattan, width=width, each=10**6, rng=np.random.default_rng(1))) for width in (2, 8)
    ]
    assert 2 * count[0] < count[1]


def write_flat_network(path, bias):
    """A float network of one layer that predicts the Manhattan distance and twice the bias."""
    arrays = {"w0": np.zeros((256, 1), dtype=np.float32), "b0": np.full(1, bias, dtype=np.float32)}
    layers = [{"inputs": 256, "outputs": 1, "activation": "none"}]
    meta = {"format": 1, "kind": "float", "target": "residual", "lowered": 0.0, "layers": layers}
    write_network(path, arrays, meta=meta)
    return path


@pytest.fixture
def network(tmp_path):
    return write_flat_network(tmp_path / "flat.npz", 0)


def near_boards(count, rng):
    """Starts near the goal: the Manhattan distance leads astray, and the small tables take long for far boards."""
    return pack_boards([near(GOAL, seed, 20) for seed in rng.integers(10**6, size=count).tolist()])[0]


@pytest.fixture
def from_near(monkeypatch):
    monkeypatch.setattr(gather.Met, "EACH", 10)
    monkeypatch.setattr(gather.Met, "chunk", 50)
    monkeypatch.setattr(gather, "uniform", near_boards)
    monkeypatch.setattr(gather, "Solver", lambda: Solver("embedded"))


def test_the_command_writes_a_dataset_that_training_reads(network, tmp_path, from_near, capsys):
    folder = tmp_path / "met"
    assert gather.main([str(folder), "--network", str(network), "--count", "200", "--seed", "3", "--width", "3"]) == 0
    assert "met:flat.npz,width=3" in capsys.readouterr().out
    rows = train.read_rows(folder)
    assert rows.board.shape == (200, 16) and len(rows.first) == 200
    assert np.array_equal(Solver("embedded").distance_many(rows.board), rows.distance)
    assert re.fullmatch("met:flat.npz,width=3,checksum=[0-9a-f]{16}", load(folder).manifest["distribution"])


def test_what_is_wrong(network, tmp_path, capsys):
    with pytest.raises(ValueError, match="networks are for"):
        gather.Met(str(network)).check(Board.goal((4, 4), home=0))
    assert gather.main([str(tmp_path / "a"), "--network", str(tmp_path / "no.npz"), "--count", "1", "--seed", "1"]) == 1
    assert "no.npz" in capsys.readouterr().err


def test_networks_of_one_name_are_told_apart(tmp_path, from_near):
    """Or a resumed run would mix what two networks meet."""
    for folder, bias in (("one", 0), ("two", 1)):
        (tmp_path / folder).mkdir()
        write_flat_network(tmp_path / folder / "first.npz", bias)
    one, two = (gather.Met(str(tmp_path / folder / "first.npz"), 3) for folder in ("one", "two"))
    assert str(one) != str(two) and str(one) == str(gather.Met(one.network, 3))
    options = {"seed": 1, "solver": Solver("embedded"), "shard": 50}
    write(tmp_path / "met", 100, distribution=one, **options)
    with pytest.raises(DatasetError, match='distribution "met:first.npz,width=3,checksum=.*, not with ".*checksum='):
        write(tmp_path / "met", 100, distribution=two, resume=True, **options)
    assert write(tmp_path / "met", 100, distribution=one, resume=True, **options).complete
