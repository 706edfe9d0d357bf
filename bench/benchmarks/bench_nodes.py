"""What do operations on arrays of boards cost, in nanoseconds per child or board?

pytest bench/benchmarks/bench_nodes.py
"""

import time

import numpy as np
import pytest

from puzzle15 import heuristic
from puzzle15.board import random_walk
from puzzle15.nodes import BoardTable, BucketQueue, children, minus, ranks, sort_by, unique, unranks

pytestmark = pytest.mark.benchmark(timer=time.process_time)

SHAPE = (4, 4)
NAMES = ["manhattan", "linear-conflict", "walking-distance", "tables:embedded", "ann"]


@pytest.fixture(scope="module")
def walked():
    """20,000 boards of random walks, and their children but the undone."""
    boards = unique(random_walk(20_000, np.arange(20_000) % 200, 1))
    first = children(boards, SHAPE)
    return boards, first, children(first.packed, SHAPE, first.direction)


@pytest.fixture(scope="module")
def scattered():
    """4 million numbers of 60 bits, whose tables of 49 to 86 MB exceed the caches."""
    return np.unique(np.random.default_rng(1).integers(1, 1 << 60, 4_000_000, dtype=np.uint64))


@pytest.fixture
def measured(benchmark, noted):
    """Measures a call, and notes the nanoseconds for each of `count` things."""

    def measured(function, count, **options):
        result = benchmark.pedantic(function, rounds=5, warmup_rounds=1, **options)
        noted(ns=benchmark.stats["min"] * 1e9 / count)
        return result

    return measured


def test_children(measured, walked):
    _, first, made = walked
    again = measured(lambda: children(first.packed, SHAPE, first.direction), len(made.packed))
    assert (again.packed == made.packed).all()


@pytest.mark.parametrize("name", NAMES)
def test_of_children(measured, walked, name):
    boards, first, _ = walked
    h = heuristic(name)
    values = h.components(boards)
    found = measured(lambda: h.of_children(first, boards, values), len(first.packed))
    assert (found[:1000].max(axis=1) == h.many(first.packed[:1000])).all()


@pytest.mark.parametrize("dtype", ["u1", "u8"])
@pytest.mark.parametrize("call", ["insert", "get", "absent"])
def test_table(measured, scattered, call, dtype):
    table, order = BoardTable(dtype), np.random.default_rng(2).permutation(scattered)
    if call == "insert":
        assert measured(lambda: BoardTable(dtype).insert(order), len(order)).all()
        return
    table.insert(order, 1)
    asked = order[::-1] + np.uint64(call == "absent") * np.uint64(1 << 60)
    _, found = measured(lambda: table.get(asked), len(order))
    assert found.all() if call == "get" else not found.any()


def test_unique_minus_and_sort(measured, scattered):
    twice = np.concatenate([scattered[:500_000], scattered[:500_000]])
    assert len(measured(lambda: unique(twice), len(twice))) == 500_000
    assert len(minus(twice, scattered[:1000])) == len(twice) - 2000


def test_sort_by(measured, scattered):
    keys = (scattered[:100_000] % np.uint64(60)).astype(np.uint8)
    sorted_keys, _ = measured(lambda: sort_by(keys, scattered[:100_000]), 100_000)
    assert (np.diff(sorted_keys.astype(int)) >= 0).all()


def test_queue(measured, scattered):
    keys, octets = scattered[:100_000] % np.uint64(60), scattered[:100_000].astype(np.uint8)

    def through():
        queue, count = BucketQueue(), 0
        for begin in range(0, 100_000, 10_000):
            rows = slice(begin, begin + 10_000)
            queue.push(keys[rows], scattered[rows], octets[rows])
        while len(queue):
            count += len(queue.pop(4096)[0])
        return count

    assert measured(through, 100_000) == 100_000


def test_ranks(measured, walked):
    boards = walked[0]
    numbers = measured(lambda: ranks(boards, SHAPE), len(boards))
    assert (unranks(numbers, shape=SHAPE) == boards).all()
