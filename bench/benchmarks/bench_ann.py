"""How long does a network take per board, in batches and for a node's children, on every instruction set?

    pytest bench/benchmarks/bench_ann.py

The networks are as wide as the paper's network and the small one. Their weights are random, because times do not depend
on weights. A* also runs with the networks of the package, if there are any.
"""

import numpy as np
import pytest
from shared import random_board

from puzzle15 import Solver, heuristic, search
from puzzle15._core.base.board import CPU_LEVELS
from puzzle15._core.learning.network import Network
from puzzle15.learning import network_names

PAPER = (256, 1024, 1024, 512, 128, 64, 1)
NETWORKS = {
    "paper, floats": PAPER,
    "512-64, floats": (256, 512, 64, 1),
    "512-32, bytes": (256, 512, 32, 1),
    "896-32, bytes": (256, 896, 32, 1),
}
BOARDS = 20  # of A*
INSTRUCTIONS = ["portable", "x86-64-v3", "x86-64-v4", "x86-64-v4 with VNNI"][: len(CPU_LEVELS)]


def made(name):
    """A network with random weights."""
    rng = np.random.default_rng(15)
    widths, layers, first = NETWORKS[name], [], None
    if name.endswith("bytes"):
        hidden, outputs = widths[1:3]
        first = (
            rng.integers(-60, 61, (256, hidden)).astype(np.int8),
            np.zeros(hidden, np.int16),
            2,
            rng.integers(-127, 128, (hidden, outputs)).astype(np.int8),
            np.zeros(outputs, np.int32),
            1 / 4096,
            1,
        )
        widths = widths[2:]
    for inputs, outputs in zip(widths, widths[1:]):
        weights = (rng.normal(size=(inputs, outputs)) / inputs**0.5).astype(np.float32)
        layers.append((weights, np.zeros(outputs, np.float32), 2 if outputs > 1 else 0))
    return Network(layers, first)


@pytest.mark.parametrize("level", CPU_LEVELS, ids=INSTRUCTIONS)
@pytest.mark.parametrize("batch", [1, 4, 128])
@pytest.mark.parametrize("name", NETWORKS)
def test_boards(benchmark, noted, random_boards, name, batch, level, monkeypatch):
    monkeypatch.setattr("puzzle15._core.base.board.CPU", CPU_LEVELS.index(level))
    network = made(name)
    packed = random_boards[:256]
    outputs = np.empty(len(packed), dtype=np.float32)
    benchmark.pedantic(network.outputs, (packed, outputs, batch), rounds=5 if "paper" in name else 100, warmup_rounds=1)
    assert np.isfinite(outputs).all() and outputs.std() > 0
    noted(microseconds=benchmark.stats["median"] / len(packed) * 1e6)


@pytest.mark.parametrize("name", NETWORKS)
def test_children(benchmark, noted, name):
    """Evaluate the two to four children of each board of a walk together."""
    network = made(name)
    rng, board, nodes = np.random.default_rng(15), random_board(1), []
    for _ in range(100):
        blank = board.tiles.index(0)
        children = [board.move(letter) for letter in board.legal_moves()]
        moves = np.array([(blank, child.tiles.index(0)) for child in children], dtype=np.uint8)
        nodes.append((board.packed, moves, np.empty(len(moves), dtype=np.float32)))
        board = children[int(rng.integers(len(children)))]

    def run():
        for node in nodes:
            network.child_outputs(*node)

    benchmark.pedantic(run, rounds=5 if "paper" in name else 100, warmup_rounds=1)
    evaluations = sum(len(outputs) for _, _, outputs in nodes)
    noted(microseconds=benchmark.stats["median"] / evaluations * 1e6)


@pytest.mark.parametrize("batch", [1, 16])
@pytest.mark.parametrize("name", network_names())
def test_a_star(benchmark, noted, name, batch):
    boards = [random_board(seed) for seed in range(1000, 1000 + BOARDS)]
    lengths = Solver().distance_many(boards)
    h = heuristic(f"ann:{name}")
    solutions = benchmark.pedantic(lambda: [search(board, heuristic=h, batch=batch) for board in boards], rounds=1)
    excess = np.array([solution.length for solution in solutions]) - lengths
    assert (excess >= 0).all() and excess.mean() < 2
    noted(
        milliseconds=benchmark.stats["median"] / BOARDS * 1e3,
        optimal=float((excess == 0).mean()),
        excess=float(excess.mean()),
        expanded=sum(solution.expanded for solution in solutions),
        generated=sum(solution.generated for solution in solutions),
    )
