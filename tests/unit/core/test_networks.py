"""The kernels of networks: widths that fill no vector, numbers at the ends of their ranges, what is refused."""

import learning_twins
import numpy as np
import pytest

from puzzle15 import Board
from puzzle15._core.base.board import CPU_LEVELS
from puzzle15._core.learning.network import ACTIVATIONS, Network
from puzzle15.board import unpack_boards

BOARDS = np.array([Board.random(seed).packed for seed in range(9)], dtype=np.uint64)


def odd_network(rng, widths, activation):
    """(layers, arrays) of any widths, quantized ones of extreme weights; `activation` is that of the first layer."""
    layers, arrays, inner = [], {}, "relu" if activation == "clipped-relu" else activation
    for i, (inputs, outputs) in enumerate(zip((256, *widths), widths)):
        shape = inputs, outputs
        layers.append({"inputs": inputs, "outputs": outputs, "activation": inner if i + 1 < len(widths) else "none"})
        if inner != activation and i < 2:
            layers[i].update([{"activation": activation, "shift": 3}, {"scale": 4096.0}][i])
            largest = np.where(rng.random(shape) < 0.5, 127, rng.integers(0, 128, shape))
            arrays[f"w{i}"] = (largest * rng.choice([-1, 1], shape)).astype(np.int8)
            most = (30735, 1 << 30)[i]
            arrays[f"b{i}"] = rng.integers(-most, most + 1, outputs).astype((np.int16, np.int32)[i])
        else:
            arrays[f"w{i}"] = (rng.uniform(-1, 1, shape) * (2 if i == 0 else 0.25)).astype(np.float32)
            arrays[f"b{i}"] = rng.uniform(-1, 1, outputs).astype(np.float32)
    return layers, arrays


def core_network(layers, arrays):
    """The network of the core."""
    numbers = [ACTIVATIONS.index(layer["activation"].replace("clipped-", "")) for layer in layers]
    floats = [(arrays[f"w{i}"], arrays[f"b{i}"], numbers[i]) for i in range(len(layers))]
    first = None
    if layers[0]["activation"] == "clipped-relu":
        first = *floats[0][:2], layers[0]["shift"], *floats[1][:2], 1 / layers[1]["scale"], numbers[1]
        floats = floats[2:]
    return Network(floats, first)


@pytest.mark.parametrize("activation", ["none", "relu", "elu", "clipped-relu"])
@pytest.mark.parametrize(
    "widths",
    [(1,), (64, 1), (7, 1), (70, 20, 1), (65, 130, 33, 1), (3, 1, 16, 1), (192, 65, 1), (100, 16, 20, 1), (512, 32, 1)],
    ids=str,
)
def test_widths_that_fill_no_vector(rng, widths, activation, monkeypatch):
    """All levels and batches agree to the last bit. Layers 0 and 1 have sums at the ends of their ranges."""
    if len(widths) == 1 and activation == "clipped-relu":
        widths = (1, 1)
    layers, arrays = odd_network(rng, widths, activation)
    expected = learning_twins.network_outputs(layers, arrays, unpack_boards(BOARDS, (4, 4)))
    for name in CPU_LEVELS:
        monkeypatch.setattr("puzzle15._core.base.board.CPU", CPU_LEVELS.index(name))
        network = core_network(layers, arrays)
        for batch in range(1, 10):
            outputs = np.empty_like(expected)
            network.outputs(BOARDS, outputs, batch)
            if activation != "clipped-relu" and (name, batch) in (("plain", 1), ("v3", 1)):  # plain rounds products
                assert np.abs(outputs - expected).max() < 1e-4 * (10 + np.abs(expected).max())
                expected = outputs
            assert outputs.tobytes() == expected.tobytes(), (name, batch)


def test_numbers_at_the_ends_of_their_ranges(rng):
    floats, quantized = odd_network(rng, (8, 4, 1), "relu"), odd_network(rng, (8, 4, 1), "clipped-relu")
    for (layers, arrays), name, end, *beyond in (
        (floats, "w1", 1e6, 1.1e6, np.nan),
        (floats, "b0", -1e6, -np.inf, -1.1e6),
        (quantized, "w0", -127, -128),
        (quantized, "w1", -127, -128),
        (quantized, "b0", 30735, 30736),
        (quantized, "b0", -30736, -30737),
        (quantized, "b1", 1 << 30, (1 << 30) + 1),
        (quantized, "b1", -(1 << 30), -(1 << 30) - 1),
        (quantized, "w2", 1e6, np.inf),
    ):
        for place in (0, -1):
            changed = {**arrays, name: arrays[name].copy()}
            changed[name].flat[place] = end
            core_network(layers, changed)
            for value in beyond:
                changed[name].flat[place] = value
                with pytest.raises(ValueError, match="argument is outside its range"):
                    core_network(layers, changed)


def test_layers_that_do_not_fit(rng):
    layers, arrays = odd_network(rng, (8, 4, 1), "relu")
    network = core_network(layers, arrays)
    last = (np.zeros((4, 1), np.float32), np.zeros(1, np.float32), 0)
    first, second = ((arrays[f"w{i}"], arrays[f"b{i}"], 0) for i in range(2))
    wide = (
        (np.zeros((256, 2049), np.float32), np.zeros(2049, np.float32), 0),
        (np.zeros((2049, 1), np.float32), last[1], 0),
    )
    arrays = odd_network(rng, (8, 4, 1), "clipped-relu")[1]
    good = [arrays["w0"], arrays["b0"], 2, arrays["w1"], arrays["b1"], 1.0, 1]
    Network([last], good)
    for floats, quantized in (
        ([], None),
        ([first, last], None),
        ([first, second], None),
        ([second, last], None),
        ([first, (*second[:2], 3), last], None),
        (list(wide), None),
        ([first, second, *[last] * 7], None),
        ([], good),
        ([second, last], good),
        *(([last], [*good[:at], value, *good[at + 1 :]]) for at, value in ((2, 16), (5, np.nan), (6, 2))),
    ):
        with pytest.raises(ValueError):
            Network(floats, quantized)
    for batch in (0, 4097):
        with pytest.raises(ValueError, match=f"batch {batch}"):
            network.outputs(BOARDS[:1], np.zeros(1, np.float32), batch)
