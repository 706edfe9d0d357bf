"""The neural distance: networks against their twin in numpy at every level, files that are refused, and searches."""

import json
import pickle

import learning_twins
import numpy as np
import pytest
import twins
from searching import near, walk

from puzzle15 import Board, Solver, heuristic, search
from puzzle15._cli import main
from puzzle15.board import KORF_GOAL, unpack_boards
from puzzle15.errors import BoardError, NetworkError, UnsolvableError
from puzzle15.learning import AnnDistance, network_names
from puzzle15.learning._network_file import checksum

FLOAT = (("elu", 128), ("elu", 70), ("elu", 33), ("none", 1))
HALF = (("relu", 64), ("relu", 64), ("none", 1))
QUANTIZED = (("clipped-relu", 96), ("relu", 32), ("relu", 20), ("none", 1))
SHORT = (("clipped-relu", 512), ("relu", 32), ("none", 1))
KINDS = {"float": FLOAT, "half": HALF, "bytes": HALF, "quantized": QUANTIZED, "short": SHORT}


def random_network(rng, kind, target="residual", lowered=1.0):
    """The arrays of a network of random weights, whose predictions are about Manhattan and some moves more."""
    layers, arrays, inputs = [], {}, 256
    quantized = kind in ("quantized", "short")
    for i, (activation, outputs) in enumerate(KINDS[kind]):
        layer = {"inputs": inputs, "outputs": outputs, "activation": activation}
        if quantized and i == 0:
            layer["shift"] = 2
            arrays["w0"] = rng.integers(-60, 61, (inputs, outputs)).astype(np.int8)
            arrays["b0"] = rng.integers(-200, 200, outputs).astype(np.int16)
        elif quantized and i == 1:
            layer["scale"] = 3000.0
            arrays["w1"] = rng.integers(-127, 128, (inputs, outputs)).astype(np.int8)
            arrays["b1"] = rng.integers(-2000, 2000, outputs).astype(np.int32)
        else:
            weights = rng.normal(size=(inputs, outputs)) / (4 if i == 0 else inputs**0.5)
            arrays[f"w{i}"] = weights.astype(np.float16 if kind == "half" else np.float32)
            if kind == "bytes":
                arrays[f"s{i}"] = (np.abs(weights).max(axis=0) / 127).astype(np.float32)
                arrays[f"w{i}"] = np.rint(weights / arrays[f"s{i}"]).astype(np.int8)
            arrays[f"b{i}"] = rng.normal(size=outputs).astype(np.float32)
        layers.append(layer)
        inputs = outputs
    middle = learning_twins.network_outputs(layers, arrays, unpack_boards(random_boards(50), (4, 4))).mean()
    arrays[f"b{i}"] += np.float32((45 if target == "distance" else 2) - middle)
    meta = {
        "format": 1,
        "name": "random",
        "kind": "quantized" if quantized else "float",
        "target": target,
        "lowered": lowered,
        "layers": layers,
    }
    return meta, arrays


def save(path, meta, arrays):
    meta = {"checksum": checksum(arrays), **meta}
    np.savez(path, meta=np.frombuffer(json.dumps(meta).encode(), dtype=np.uint8), **arrays)
    return path


@pytest.fixture(params=KINDS)
def network(request, rng, tmp_path):
    """(path, meta, arrays) of each kind."""
    meta, arrays = random_network(rng, request.param)
    return save(tmp_path / "network.npz", meta, arrays), meta, arrays


@pytest.fixture
def quantized(rng, tmp_path):
    return save(tmp_path / "quantized.npz", *random_network(rng, "quantized"))


def random_boards(count, moves=0):
    """Packed boards that can be solved, every other one at most so many moves from the goal."""
    boards = [near(Board.goal(), seed, moves) if moves and seed % 2 else Board.random(seed) for seed in range(count)]
    return np.array([board.packed for board in boards], dtype=np.uint64)


# ---------------------------------------------------------------- predictions


def test_predictions_equal_the_twin(network):
    path, meta, arrays = network
    packed = random_boards(300, moves=12)
    ann = AnnDistance(path)
    outputs = learning_twins.network_outputs(meta["layers"], arrays, unpack_boards(packed, (4, 4)))
    manhattan = heuristic("manhattan").many(packed)
    expected = manhattan.astype(np.float32) + 2 * outputs
    if meta["kind"] == "quantized":
        assert (ann.many(packed) == expected).all()
    else:
        assert np.abs(ann.many(packed) - expected).max() < 1e-4
    assert np.std(outputs) > 0.1


def test_children_equal_boards(network):
    """Along a walk, where a parent's sums come from its own parent's."""
    ann = AnnDistance(network[0])
    rng = np.random.default_rng(1)
    board = Board.random(1)
    for step in range(60):
        blank = board.tiles.index(0)
        cells = [cell for cell in (twins.neighbour((4, 4), blank, direction) for direction in range(4)) if cell >= 0]
        children = [board.move(letter) for letter in board.legal_moves()]
        own = np.empty(len(children), dtype=np.float32)
        ann._network.outputs(np.array(sorted(child.packed for child in children), dtype=np.uint64), own)
        told = np.empty_like(own)
        ann._network.child_outputs(board.packed, np.array([[blank, cell] for cell in cells], dtype=np.uint8), told)
        assert sorted(told.tolist()) == sorted(own.tolist())
        board = children[int(rng.integers(len(children)))] if step % 7 else Board.random(step)


@pytest.mark.parametrize("target", ["distance", "residual"])
@pytest.mark.parametrize("lowered", [None, 0, 2.5])
def test_values_are_the_nearest_of_the_boards_parity(rng, tmp_path, target, lowered):
    path = save(tmp_path / "n.npz", *random_network(rng, "quantized", target, lowered=1.25))
    h = heuristic(f"ann:{path}" if lowered is None else f"ann:{path}:{lowered}")
    packed = random_boards(400, moves=9)
    predicted = AnnDistance(path).many(packed).astype(float) - (1.25 if lowered is None else lowered)
    values, manhattan = (each.many(packed).astype(int) for each in (h, heuristic("manhattan")))
    assert ((values - manhattan) % 2 == 0).all() and (values >= manhattan).all() and (values <= 80).all()
    free = (values > manhattan) & (values < 79)
    assert free.sum() > 50 and (np.abs(values - predicted)[free] <= 1).all()
    assert (predicted <= manhattan + 1)[(values == manhattan) & (packed != Board.goal().packed)].all()
    assert h(Board.goal()) == 0 and h(Board._of(int(packed[0]), (4, 4))) == values[0]


@pytest.mark.parametrize("more", [-1e3, 1e3])
def test_predictions_of_impossible_distances_are_clamped(rng, tmp_path, more):
    """They become the Manhattan distance, or the last distance of the board's parity that a board can have."""
    meta, arrays = random_network(rng, "float")
    arrays[f"b{len(meta['layers']) - 1}"] += np.float32(more)
    packed = random_boards(100)
    manhattan = heuristic("manhattan").many(packed)
    values = heuristic(f"ann:{save(tmp_path / 'n.npz', meta, arrays)}").many(packed)
    assert np.array_equal(values, manhattan if more < 0 else 80 - manhattan % 2)


def test_what_a_network_tells_of_itself(network):
    path, meta, arrays = network
    ann = AnnDistance(str(path))
    assert ann.meta["name"] == "random" and ann.lowered == 1.0
    assert ann.parameters == sum(array.size for name, array in arrays.items() if name[0] in "wb")
    assert ann.bytes == sum(array.nbytes for array in arrays.values())
    again = eval(repr(AnnDistance(path, lowered=2)), {"AnnDistance": AnnDistance})
    assert (again.network, again.lowered) == (str(path), 2)
    assert ann.many([]).shape == (0,)


def test_bad_boards(quantized):
    ann = AnnDistance(quantized)
    with pytest.raises(UnsolvableError, match="^board 1: 1 2 3 4/.*15 14 0 cannot reach"):
        ann.many([Board.goal(), "1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0"])
    for call in (ann, lambda board: ann.many([board])):
        with pytest.raises(BoardError):
            call("1 2 3/4 5 6/7 8 0")


# ---------------------------------------------------------------- files


def test_files_that_are_no_network(rng, tmp_path):
    meta, arrays = random_network(rng, "quantized")
    good = save(tmp_path / "good.npz", meta, arrays).read_bytes()
    bad = tmp_path / "bad.npz"

    def refused(told):
        with pytest.raises(NetworkError, match=told):
            AnnDistance(bad)
        bad.unlink()

    with pytest.raises(NetworkError, match="bad.npz: No such file"):
        AnnDistance(bad)
    for content in (b"", b"no network at all", good[: len(good) // 2], good[:-30], good[30:]):
        bad.write_bytes(content)
        refused("damaged, or no .npz file")
    flipped = bytearray(good)
    flipped[len(good) // 2] ^= 64
    bad.write_bytes(flipped)
    refused("damaged|checksum")
    np.save(tmp_path / "bad.npy", np.zeros(3))
    (tmp_path / "bad.npy").rename(bad)
    refused("no .npz file")
    np.savez(bad, meta=np.array([{}], dtype=object))
    refused("meta is object")
    np.savez(bad, weights=np.zeros(3))
    refused("it has no array meta")
    for text in (b"\xff", b"[1", b"[" * 10**5, b"[]", b"{}", b'{"format": 2}'):
        np.savez(bad, meta=np.frombuffer(text, dtype=np.uint8))
        refused("it holds no network")


@pytest.mark.parametrize(
    "change, expected",
    [
        ({"kind": "double"}, "expected format 1, and a kind and a target"),
        ({"kind": "float"}, "b0 is int16"),
        ({"target": None}, "expected format 1, and a kind and a target"),
        ({"lowered": -1}, "lowered -1: expected a number of moves"),
        ({"lowered": "1"}, "TypeError"),
        ({"lowered": float("nan")}, "lowered nan: expected"),
        ({"checksum": "0" * 64}, "do not have the checksum"),
        ({"layers": []}, "checksum"),
        ({"layers": [{"inputs": 256, "outputs": "1", "activation": "none"}]}, "outputs '1': expected a whole number"),
        ({"layers": [{"inputs": None, "outputs": 1, "activation": "none"}]}, "inputs None: expected a whole number"),
        ({"layers": ["elu"]}, "TypeError"),
        ((0, {"shift": 16}), "ValueError: network"),
        ((0, {"inputs": 255}), r"w0 is int8 \(256, 96\), not int8 \(255, 96\)"),
        ((0, {"outputs": 95}), r"w0 is int8 \(256, 96\), not int8 \(256, 95\)"),
        ((1, {"scale": 0}), "division by zero"),
        ((1, {"activation": "elu"}), "ValueError: network"),
        ((3, {"activation": "softmax"}), "ValueError"),
        (("w0", lambda array: array.astype(np.int16)), "w0 is int16"),
        (("w2", lambda array: array.astype(np.float64)), "w2 is float64"),
        (("b1", lambda array: array[:-1]), r"b1 is int32 \(31,\)"),
        (("w0", lambda array: np.where(array == array.max(), -128, array).astype(np.int8)), "ValueError: network"),
        (("b0", lambda array: array + np.int16(32000)), "ValueError: network"),
        (("w2", lambda array: array * np.float32(np.nan)), "ValueError: network"),
        (("w3", lambda array: array * np.float32(1e9)), "ValueError: network"),
        (("w3", lambda array: None), "it has no array w3"),
        (("x", lambda array: np.zeros(3)), "checksum"),
    ],
)
def test_files_that_are_refused(rng, tmp_path, change, expected):
    """With another `meta`, another layer in it, or another array."""
    meta, arrays = random_network(rng, "quantized")
    if isinstance(change, dict):
        meta.update(change)
    elif isinstance(change[0], int):
        meta["layers"][change[0]].update(change[1])
    else:
        name, changed = change
        arrays = {**arrays, name: changed(arrays.get(name))}
        arrays = {name: array for name, array in arrays.items() if array is not None}
    with pytest.raises(NetworkError, match=expected):
        AnnDistance(save(tmp_path / "bad.npz", meta, arrays))


def test_a_changed_file_is_read_again(rng, tmp_path):
    path = tmp_path / "n.npz"
    board = Board.random(3)
    first = AnnDistance(save(path, *random_network(rng, "quantized"))).many([board])
    assert AnnDistance(path).many([board]) == first
    path.unlink()
    second = AnnDistance(save(path, *random_network(rng, "float"))).many([board])
    assert first != second


def test_wrong_arguments(quantized):
    for lowered in (-1, 81, float("nan")):
        with pytest.raises(ValueError, match="expected a number of moves, 0 .. 80"):
            AnnDistance(quantized, lowered=lowered)
    with pytest.raises(ValueError, match="network 'nonsense': expected the path of an .npz file"):
        AnnDistance("nonsense")


@pytest.mark.parametrize("name", network_names())
def test_networks_that_ship(name):
    """Better than any table at telling distances, and no more than 8 MB."""
    ann = AnnDistance(name)
    boards = [Board.random(seed) for seed in range(100, 140)]
    errors = ann.many(boards) - Solver().distance_many(boards)
    assert np.sqrt((errors**2).mean()) < 4
    assert ann.bytes < 8 << 20 and {"command", "data", "boards", "validation", "curve"} <= set(ann.meta)


# ---------------------------------------------------------------- as a heuristic


def test_names(quantized):
    for name in (f"ann:{quantized}", f"ann:{quantized}:2.5", f"ann:{quantized}:0"):
        h = heuristic(name)
        assert h.name == name and not h.admissible and not h.consistent
        assert eval(repr(h), {"heuristic": heuristic}).name == name
    boards = random_boards(50)
    both = heuristic(f"max(ann:{quantized}:3,linear-conflict)")
    single = [heuristic(name).many(boards) for name in (f"ann:{quantized}:3", "linear-conflict")]
    assert (both.many(boards) == np.maximum(*single)).all() and not both.admissible
    assert np.isin(both.many(boards), single).all()
    for name, told in (
        ("ann:", "expected ann, ann:NETWORK"),
        ("ann::2", "expected ann, ann:NETWORK"),
        (f"ann:{quantized}:-1", "0 .. 80"),
        ("anm", "did you mean 'ann'"),
    ):
        with pytest.raises(ValueError, match=told):
            heuristic(name)


@pytest.mark.parametrize(
    "goal", [KORF_GOAL, "4 3 2 1/8 7 6 5/12 11 10 9/0 15 14 13", "1 2 3 0/4 5 6 7/8 9 10 11/12 15 14 13"]
)
def test_goals_with_the_blank_in_a_corner(quantized, goal):
    """A board is as far from its goal as the board that a symmetry and a renaming make of it."""
    goal = Board(goal)
    h, corner = heuristic(f"max(ann:{quantized}:2,manhattan)", goal=goal), heuristic(f"ann:{quantized}:2")
    boards = [Board.random(seed, goal=goal) for seed in range(60)]
    evaluator, turn, _ = h.prepare()
    turned = np.array([turn(board) for board in boards], dtype=np.uint64)
    assert (h.many(boards) == corner.many(turned)).all() and h(goal) == 0
    start = goal.apply("".join(letter * 2 for letter in goal.legal_moves())[:2])
    for algorithm in ("a*", "ida*", "greedy", "beam", "weighted-a*"):
        solution = search(start, algorithm=algorithm, heuristic=h)
        assert start.apply(solution.moves) == goal


def test_goals_that_no_network_knows(quantized):
    for goal in ("1 2 3 4/5 6 7 8/9 10 0 11/12 13 14 15", "1 2 3/4 5 6/7 8 0", "1 2 3 4 5 6 7 0/8 9 10 11 12 13 14 15"):
        with pytest.raises(ValueError, match="4x4 and goals whose blank is in a corner"):
            heuristic(f"ann:{quantized}", goal=goal)


@pytest.mark.parametrize("batch", [1, 4, 100])
@pytest.mark.sweep(5)
def test_searches_with_a_network(network, batch):
    """Near the goal, where the shortest length is known: paths lead there, none is shorter, errors open nodes again."""
    h = heuristic(f"ann:{network[0]}:0.5")
    rng, longer, solved = np.random.default_rng(3), 0, 0
    for _ in range(25):
        board = walk(rng, Board.goal(), 24)[1][-1]
        shortest = search(board, heuristic="linear-conflict", algorithm="ida*").length
        for algorithm in ("a*", "weighted-a*", "greedy"):
            solution = search(board, algorithm=algorithm, heuristic=h, batch=batch, max_nodes=100_000)
            assert solution.status == "solved" and board.apply(solution.moves) == Board.goal()
            assert solution.length >= shortest >= solution.lower_bound
            assert solution.optimal == (solution.length == solution.lower_bound)
            longer += solution.length > shortest
        for algorithm in ("ida*", "beam"):
            solution = search(board, algorithm=algorithm, heuristic=h, max_nodes=20_000)
            assert solution.status == "limit" or solution.length >= shortest
            solved += solution.status == "solved"
            assert not solution.optimal or solution.length == shortest
    assert solved > 25
    assert longer > 0 or batch == 100  # large batches look at nearly all that is near


def test_solutions_that_are_proved(quantized, small_tables):
    """Found too long, made shorter; found right, proved; stopped before, told so."""
    h = heuristic(f"ann:{quantized}:0")
    seen = set()
    for seed in range(30, 48):
        board = near(Board.goal(), seed, 26)
        shortest = Solver(tables=small_tables).distance(board)
        for algorithm in ("a*", "greedy"):
            first = search(board, algorithm=algorithm, heuristic=h)
            proved = search(board, algorithm=algorithm, heuristic=h, prove=True, tables=small_tables)
            assert (proved.status, proved.optimal) == ("solved", True)
            assert proved.length == proved.lower_bound == shortest
            assert board.apply(proved.moves) == Board.goal() and proved.expanded >= first.expanded
            assert proved.moves == first.moves or proved.length < first.length
            seen.add((first.optimal, first.length == shortest))
    assert seen == {(True, True), (False, True), (False, False)}
    board = Board.random(5)
    found = search(board, heuristic=h, algorithm="greedy")
    limits = {"prove": True, "tables": small_tables, "max_nodes": found.generated + 1}
    stopped = search(board, heuristic=h, algorithm="greedy", **limits)
    assert (stopped.status, stopped.optimal, stopped.moves) == ("limit", False, found.moves)
    assert found.lower_bound <= stopped.lower_bound < found.length


def test_the_command_says_near_optimal(quantized, capsys):
    def run(*options):
        assert main(["solve", str(board), "--algorithm", "astar", "--heuristic", f"ann:{quantized}:0", *options]) == 0
        return capsys.readouterr()

    boards = (Board._of(int(packed), (4, 4)) for packed in random_boards(100, moves=30)[1::2])
    board = next(board for board in boards if not search(board, heuristic=f"ann:{quantized}:0").optimal)
    output, errors = run()
    length, moves = output.split()
    assert (
        board.apply(moves) == Board.goal() and "1 near-optimal: not proved to be shortest; --prove proves it" in errors
    )
    assert not json.loads(run("--json", "--batch", "5").out)["optimal"]
    proved = run("--json", "--prove")
    assert json.loads(proved.out)["optimal"] and "near-optimal" not in proved.err
    assert json.loads(proved.out)["length"] == Solver().distance(board) <= int(length)
    assert main(["solve", str(board), "--prove"]) == 2 and "--prove: add --algorithm" in capsys.readouterr().err


# ---------------------------------------------------------------- in other processes


def test_a_distance_of_another_place_finds_its_file(quantized, tmp_path, monkeypatch):
    monkeypatch.chdir(quantized.parent)
    text = pickle.dumps(AnnDistance(f"./{quantized.name}"))
    monkeypatch.chdir(tmp_path)
    assert pickle.loads(text)(Board.goal()) == AnnDistance(quantized)(Board.goal())


def test_a_network_that_is_another_one_where_it_arrives(rng, tmp_path):
    path = save(tmp_path / "mine.npz", *random_network(rng, "quantized"))
    text = pickle.dumps(AnnDistance(path))
    path.unlink()
    with pytest.raises(NetworkError, match=r"on host .*mine.npz: No such file"):
        pickle.loads(text).many([Board.goal()])
    save(path, *random_network(rng, "float"))
    with pytest.raises(NetworkError, match=r"on host .*mine.npz: its checksum is .*, expected .*; copy its file here"):
        pickle.loads(text).many([Board.goal()])
