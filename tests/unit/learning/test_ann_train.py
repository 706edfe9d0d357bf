"""Training of networks.  What needs PyTorch is skipped without it."""

import hashlib
import json
import sys
from pathlib import Path

import learning_twins
import numpy as np
import pytest
from solving import reflected

from puzzle15 import Board, Solver
from puzzle15._core.base import board as _board
from puzzle15.board import pack_boards, uniform, unpack_boards
from puzzle15.dataset import write
from puzzle15.learning import AnnDistance, network_names, train
from puzzle15.learning._ann import DEFAULT_NETWORK
from puzzle15.learning._network_file import write_network
from puzzle15.learning.train import __main__ as command
from puzzle15.learning.train.rows import REFLECTED, TAXICAB, Drawer, inputs_of

SEED = 20
GOAL = Board.goal()
WEIGHTS = Path(train.__file__).parent.parent / "weights"
ONE_BOARD = np.array([GOAL.tiles], dtype=np.uint8)


@pytest.fixture(scope="module")
def rows():
    """Boards along 300 random walks from the goal, with their distances; each walk stands for a path."""
    rng = np.random.default_rng(SEED)
    boards, firsts = [], []
    for _ in range(300):
        firsts.append(len(boards))
        board = GOAL
        for _ in range(rng.integers(1, 40)):
            board = board.apply(rng.choice(list(board.legal_moves())))
            boards.append(board.tiles)
    boards = np.array(boards, dtype=np.uint8)
    return train.Rows(boards, Solver("embedded").distance_many(boards).astype(np.uint8), np.array(firsts))


def forward(path, boards):
    """(distances by the twin of what is done with a weight file, its description, its arrays)"""
    with np.load(path, allow_pickle=False) as file:
        meta = json.loads(file["meta"].tobytes())
        weights = {name: file[name] for name in file.files if name != "meta"}
    outputs = learning_twins.network_outputs(meta["layers"], weights, boards)
    far = TAXICAB[inputs_of(boards)].sum(axis=1)
    return outputs if meta["target"] == "distance" else far + 2 * outputs, meta, weights


def test_inputs_of_the_reflected_board_and_the_manhattan_distance():
    for seed in range(50):
        board = Board.random(seed)
        inputs = inputs_of(np.array([board.tiles], dtype=np.uint8))[0]
        assert sorted(inputs) == sorted(16 * tile + cell for cell, tile in enumerate(board.tiles))
        assert TAXICAB[inputs].sum() == _board.manhattan(board.packed, GOAL.packed, (4, 4))
        other = inputs_of(np.array([reflected(board).tiles], dtype=np.uint8))[0]
        assert sorted(REFLECTED[inputs]) == sorted(other)


def test_rows_of_datasets_with_and_without_paths(tmp_path):
    solver = Solver("embedded")
    dataset = write(tmp_path / "a", 40, seed=SEED, distribution="walk:5-25", solver=solver, along_path=True, shard=15)
    rows = train.read_rows(tmp_path / "a")
    start = dataset.array("start")
    assert np.array_equal(rows.board, dataset.array("board"))
    assert np.array_equal(rows.distance, dataset.array("distance"))
    assert np.array_equal(rows.first, np.unique(start, return_index=True)[1]) and len(rows.first) == 40
    write(tmp_path / "b", 30, seed=SEED, distribution="walk:5-25", solver=solver)
    assert np.array_equal(train.read_rows(tmp_path / "b").first, np.arange(30))
    write(tmp_path / "c", 5, seed=SEED, solver=Solver(shape=(3, 3)))
    with pytest.raises(ValueError, match="goal 1 2 3/4 5 6/7 8 0"):
        train.read_rows(tmp_path / "c")


def test_rows_split_between_paths(rows):
    kept, held = rows.split(30)
    assert len(kept.first) == 270 and len(held.first) == 30
    assert np.array_equal(np.concatenate([kept.board, held.board]), rows.board)
    assert np.array_equal(np.concatenate([kept.distance, held.distance]), rows.distance)
    assert np.array_equal(held.board[held.first], rows.board[rows.first[270:]])
    with pytest.raises(ValueError, match=r"300 paths held out of 300: .*; give --held-out 1 \.\. 299"):
        rows.split(300)


def test_what_is_drawn_depends_on_the_step_and_keeps_its_labels(rows):
    drawer = Drawer([rows], [1.0], 500, SEED)
    inputs, distances = drawer.draw(7)
    again, _ = drawer.draw(7)
    other, _ = drawer.draw(8)
    assert np.array_equal(inputs, again) and not np.array_equal(inputs, other)
    assert len(inputs) == len(distances) == 500
    boards = np.empty((500, 16), dtype=np.uint8)
    np.put_along_axis(boards, inputs % 16, (inputs // 16).astype(np.uint8), axis=1)
    known = dict(zip(pack_boards(rows.board, (4, 4))[0].tolist(), rows.distance.tolist()))
    turned = 0
    for tiles, distance in zip(boards, distances):
        board = Board(tiles)
        if known.get(board.packed) != distance:
            assert known[reflected(board).packed] == distance
            turned += 1
    assert turned > 50
    # a third begin paths, here one move from the goal; of the rest, far ones are drawn more often than they are there
    assert (distances[:167] == 1).all()
    assert distances[167:].mean() > rows.distance.mean() + 1


def test_without_paths_no_board_is_drawn_for_beginning_one():
    """Then the goal is never drawn, whose distance is 0."""
    boards = train.Rows(np.repeat(ONE_BOARD, 2, axis=0), np.array([0, 1], dtype=np.uint8), np.arange(2))
    for step in range(20):
        assert Drawer([boards], [1.0], 10, SEED).draw(step)[1].tolist() == [1] * 10


def test_each_dataset_gets_its_share(rows):
    one = train.Rows(
        np.tile(np.array(GOAL.tiles, dtype=np.uint8), (3, 1)), np.full(3, 50, dtype=np.uint8), np.arange(3)
    )
    _, distances = Drawer([rows, one], [3.0, 1.0], 1000, SEED).draw(0)
    assert (distances == 50).sum() == 250
    _, distances = Drawer([one, rows], [1.0, 1.0], 1001, SEED).draw(0)
    assert (distances == 50).sum() in (500, 501)


def test_weight_files_hold_no_pickles_and_a_checksum(tmp_path):
    arrays = {"w0": np.arange(6, dtype=np.int8).reshape(2, 3), "b0": np.ones(3, dtype=np.float32)}
    write_network(tmp_path / "a.npz", arrays, meta={"name": "a"})
    with np.load(tmp_path / "a.npz", allow_pickle=False) as file:
        meta = json.loads(file["meta"].tobytes())
        assert np.array_equal(file["w0"], arrays["w0"]) and np.array_equal(file["b0"], arrays["b0"])
    text = b"b0" + arrays["b0"].tobytes() + b"w0" + arrays["w0"].tobytes()
    assert meta == {"name": "a", "checksum": hashlib.sha256(text).hexdigest()}
    assert [path.name for path in tmp_path.iterdir()] == ["a.npz"]


def test_shares_are_of_each_dataset(tmp_path, capsys):
    with pytest.raises(SystemExit) as stopped:
        command.main(["a", "b", "--shares", "1", "--output", str(tmp_path / "a.npz")])
    assert stopped.value.code == 2 and "1 for 2 datasets" in capsys.readouterr().err


@pytest.mark.parametrize(
    "name, why", [("none/a.npz", "none is not a folder where"), ("a.txt", "ends in .npz, as ann:")]
)
def test_a_file_that_cannot_be_written_or_read_is_refused_at_once(name, why, tmp_path, capsys):
    with pytest.raises(SystemExit) as caught:
        command.main([str(tmp_path), "-o", str(tmp_path / name)])
    assert caught.value.code == 2 and why in capsys.readouterr().err


def test_says_what_is_missing_without_torch(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(SystemExit, match=r"PyTorch: pip install torch"):
        command.main([str(tmp_path), "--output", str(tmp_path / "a.npz")])


@pytest.fixture
def run(rows, monkeypatch, tmp_path, capsys):
    """Trains on `rows` with further arguments; (the answer, the path of the file)."""
    pytest.importorskip("torch")
    monkeypatch.setattr(command, "read_rows", lambda folder: rows)
    monkeypatch.setitem(train.NETWORKS, "test", train.Design((24, 16, 8), quantized=True, batch=128))
    monkeypatch.setitem(train.NETWORKS, "test-float", train.Design((24, 16, 8), batch=128, dropout=0.1))

    def train_to(name, *arguments):
        path = tmp_path / name
        assert (
            command.main(["data", "--output", str(path), "--held-out", "50", "--quiet", "--workers", "1", *arguments])
            == 0
        )
        return json.loads(capsys.readouterr().out), path

    return train_to


@pytest.mark.parametrize("network", ["test", "test-float"])
@pytest.mark.parametrize("target", ["residual", "distance"])
def test_files_predict_what_torch_predicts(run, rows, network, target, monkeypatch):
    from puzzle15.learning.train.training import Training

    told = []
    validate = Training.validate

    def tell(self):
        told.append(self.predict(inputs_of(rows.board[:200])))
        return validate(self)

    monkeypatch.setattr(Training, "validate", tell)
    answer, path = run("a.npz", "--network", network, "--target", target, "--steps", "60")
    predicted, meta, weights = forward(path, rows.board[:200])
    # float weights are stored with 8 bits
    assert np.abs(predicted - told[-1]).max() < (1e-3 if network == "test" else 0.3)
    assert np.abs(AnnDistance(path).many(rows.board[:200]) - predicted).max() < 1e-3
    assert meta["distances"] == np.bincount(rows.distance[: meta["boards"]]).tolist()
    assert meta["target"] == target and meta["steps"] == 60 and meta["samples"] == 60 * 128
    assert meta["kind"] == ("quantized" if network == "test" else "float")
    assert f"--network {network} --target {target} --steps 60" in meta["command"]
    assert set(meta["validation"]) == {"data", "data, starts"}
    for name, figures in meta["validation"].items():
        assert sum(row["boards"] for row in figures.pop("by_distance")) == figures["boards"]
        assert figures == answer[name]
    assert weights["w0"].dtype == np.int8 and ("s0" in weights) == (network != "test")
    assert len(meta["curve"]) == 20


def test_training_learns(run):
    few, _ = run("few.npz", "--network", "test", "--steps", "20")
    many, path = run("many.npz", "--network", "test", "--steps", "400")
    assert many["data"]["rmse"] < 0.8 * few["data"]["rmse"]
    curve = forward(path, ONE_BOARD)[1]["curve"]
    assert curve[-1]["loss"] < 0.5 * curve[0]["loss"]


@pytest.mark.parametrize("network", ["test", "test-float"])
def test_a_resumed_run_gives_the_same_weights(run, network, monkeypatch):
    from puzzle15.learning.train.training import Training

    _, whole = run("whole.npz", "--network", network, "--steps", "40")
    step, stop_at, began = Training.step, 25, []  # between two reports, after which all is saved, too

    def interrupted(self):
        if self.steps == stop_at:
            raise KeyboardInterrupt
        return step(self)

    def resumed(self):
        began.append(self.steps)
        return step(self)

    monkeypatch.setattr(Training, "step", interrupted)
    part = whole.with_name("part.npz")
    words = ["--held-out", "50", "--quiet", "--workers", "1", "--steps", "40"]
    arguments = ["data", "--output", str(part), "--network", network, *words]
    assert command.main(arguments) == 130
    assert not part.exists()
    monkeypatch.setattr(Training, "step", resumed)
    run("part.npz", "--network", network, "--steps", "40", "--resume", f"{part}.checkpoint")
    assert began == [*range(stop_at, 40)]
    assert " --steps 40 && python -m puzzle15.learning.train data" in forward(part, ONE_BOARD)[1]["command"]
    for name, array in forward(whole, ONE_BOARD)[2].items():
        assert np.array_equal(array, forward(part, ONE_BOARD)[2][name]), name


def test_a_device_that_is_none_is_refused(run, tmp_path, capsys):
    arguments = ["data", "--output", str(tmp_path / "b.npz"), "--held-out", "50", "--device", "rubbish"]
    assert command.main(arguments) == 1 and "--device rubbish: " in capsys.readouterr().err


def test_a_checkpoint_of_another_network_is_refused(run, tmp_path, capsys):
    _, path = run("a.npz", "--network", "test", "--steps", "5")
    words = ["--held-out", "50", "--steps", "5", "--network", "test-float"]
    arguments = ["data", "--output", str(tmp_path / "b.npz"), *words]
    assert command.main([*arguments, "--resume", f"{path}.checkpoint"]) == 1
    assert "--network test, not test-float" in capsys.readouterr().err
    assert command.main([*arguments, "--resume", str(path)]) == 1
    assert "a.npz: it is damaged, or not a checkpoint" in capsys.readouterr().err
    assert command.main([*arguments, "--resume", str(tmp_path / "none")]) == 1
    assert "none: No such file" in capsys.readouterr().err


def test_predictions_too_high_become_rare_below_the_middle_expectile(run):
    middle, _ = run("a.npz", "--network", "test", "--steps", "150")
    low, _ = run("b.npz", "--network", "test", "--steps", "150", "--expectile", "0.1")
    assert low["data"]["high"] < middle["data"]["high"]


def test_shipped_networks_tell_how_they_were_made():
    assert DEFAULT_NETWORK in network_names() and "paper" in network_names()
    sizes = {name: AnnDistance(name).bytes for name in network_names()}
    assert sizes[DEFAULT_NETWORK] <= 256 * 1024 and sum(sizes.values()) <= 5 * 10**6
    for name in sizes:
        meta = AnnDistance(name).meta
        assert meta["name"] == name and "puzzle15.ann.train" in meta["command"] and meta["data"]
        assert meta["hours"] > 0 and meta["boards"] > 10**6 and meta["lowered"] >= 0
        assert len(meta["curve"]) > 10
        for figures in meta["validation"].values():
            assert sum(row["boards"] for row in figures["by_distance"]) == figures["boards"] >= 1_000
            assert figures["spread"] < 2.5
    for name in ("paper", "paper-6m"):
        assert [layer["outputs"] for layer in AnnDistance(name).meta["layers"]] == [1024, 1024, 512, 128, 64, 1]
    meta = AnnDistance("paper-6m").meta
    assert (meta["target"], meta["boards"]) == ("distance", sum(meta["distances"])) and meta["boards"] > 5.9e6


@pytest.mark.parametrize("name", network_names())
def test_shipped_networks_predict_what_the_twin_predicts(name):
    boards = unpack_boards(uniform(100, np.random.default_rng(SEED)), (4, 4))
    predicted, _, _ = forward(WEIGHTS / f"{name}.npz", boards)
    assert np.abs(AnnDistance(name).many(boards) - predicted).max() < 1e-3
