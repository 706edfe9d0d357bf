"""Small sound files of every kind that the package reads, always the same."""

import numpy as np

import puzzle15
from puzzle15 import Solver, dataset
from puzzle15.learning._network_file import write_network


def make_goods(folder):
    """Write tables of 2x3 in folders of their own and together, a network, and labels twice."""
    for letter, options in (("z", {"format": "zero-aware"}), ("c", {"format": "classic"}), ("m", {"metric": "mtm"})):
        partition = "1-3" if letter == "m" else "1-3/4-5"
        for place in (folder, folder / f"tables-{letter}"):
            puzzle15.build_tables(partition, shape=(2, 3), tables=place, patterns=letter == "m", **options)
    draw = np.random.default_rng(15)
    arrays = {
        "w0": draw.normal(size=(256, 3)).astype(np.float16),
        "b0": draw.normal(size=3).astype(np.float32),
        "w1": draw.normal(size=(3, 1)).astype(np.float32),
        "b1": draw.normal(size=1).astype(np.float32),
    }
    layers = [
        {"inputs": 256, "outputs": 3, "activation": "relu"},
        {"inputs": 3, "outputs": 1, "activation": "none"},
    ]
    meta = {"format": 1, "kind": "float", "target": "distance", "lowered": 0, "layers": layers}
    write_network(folder / "network.npz", arrays, meta=meta)
    solver = Solver("1-3/4-5", shape=(2, 3), format="zero-aware", tables=folder)
    for name in ("labels", "labels-2"):
        dataset.write(folder / name, 30, seed=1, solver=solver, shard=20 if name == "labels" else 30)
