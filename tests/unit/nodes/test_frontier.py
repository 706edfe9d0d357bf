"""Frontier operations and the bucket queue, against lists of Python; boards in heaps."""

import heapq
import pickle
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from puzzle15 import Board
from puzzle15.nodes import BucketQueue, children, minus, sort_by, unique


@pytest.mark.parametrize("few", [1, 50, 1 << 60])
def test_unique_and_minus(few, rng):
    some, others = (rng.integers(0, few, 3000, dtype=np.uint64) + np.uint64(1) for _ in range(2))
    assert unique(some).tolist() == [*dict.fromkeys(some.tolist())]
    assert minus(some, others[:20], some[:10], []).tolist() == [
        board for board in some.tolist() if board not in {*others[:20].tolist(), *some[:10].tolist()}
    ]
    assert minus(some).tolist() == some.tolist() and not len(minus(some, some)) and not len(unique([]))


def test_layers_of_the_8_puzzle_by_frontier_search():
    """Korf's frontier search: two layers at a time, 24 of the 31."""
    before, now, sizes = np.empty(0, np.uint64), np.array([Board.goal((3, 3)).packed], np.uint64), []
    for _ in range(25):
        sizes.append(len(now))
        before, now = now, minus(unique(children(now, (3, 3)).packed), before)
    assert sizes[:10] == [1, 2, 4, 8, 16, 20, 39, 62, 116, 152] and sizes[24] == 24_047


@pytest.mark.parametrize("dtype", ["u1", "i1", "i2", "u2", "i4", "i8", "u8"])
@pytest.mark.parametrize("span", [1, 100, 30_000, 1 << 40])
def test_sort_by_is_stable(dtype, span, rng):
    info = np.iinfo(dtype)
    keys = rng.integers(max(info.min, -span), min(info.max, span), 2000).astype(dtype)
    rows, pairs = np.arange(2000), rng.random((2000, 2))
    sorted_keys, sorted_rows, sorted_pairs = sort_by(keys, rows, pairs)
    expected = sorted(range(2000), key=lambda row: int(keys[row]))
    assert sorted_rows.tolist() == expected and sorted_keys.tolist() == keys[expected].tolist()
    assert sorted_keys.dtype == dtype and (sorted_pairs == pairs[expected]).all()


@pytest.mark.parametrize("span", [255, 256, 65_535, 65_536])
@pytest.mark.parametrize("low", [0, -7])
def test_sort_by_at_the_ends_of_the_fast_ranges(span, low):
    """A key that would not fit into 8 or 16 bits is the largest, and does not come first."""
    keys, rows = sort_by(np.array([span, 0, 1, span, 0]) + low, np.arange(5))
    assert (keys - low).tolist() == [0, 0, 1, span, span] and rows.tolist() == [1, 4, 2, 0, 3]


def test_sort_by_nothing():
    keys, some = sort_by([], np.array([], np.uint64))
    assert len(keys) == len(some) == 0


def test_a_queue_serves_the_least_key_and_of_it_the_last(rng):
    queue, twin, number = BucketQueue(), defaultdict(list), 0
    for step in range(300):
        if step % 3 or not len(queue):
            keys = rng.integers(-5, 300 if step % 2 else 5, size=rng.integers(0, 40))
            numbers = np.arange(number, number + len(keys))
            number += len(keys)
            queue.push(keys, numbers, numbers.astype(np.uint8))
            for key, each in zip(keys.tolist(), numbers.tolist()):
                twin[key].append(each)
        else:
            key, count = min(key for key in twin if twin[key]), int(rng.integers(1, 30))
            assert queue.least == key
            expected, twin[key] = twin[key][-count:], twin[key][:-count]
            numbers, octets = queue.pop(count)
            assert sorted(numbers.tolist()) == expected and (octets == numbers.astype(np.uint8)).all()
            if step % 7 == 0 and len(queue):
                across = sorted((key, -number) for key in twin for number in twin[key])[:count]
                assert sorted(queue.pop(count, across=True)[0].tolist()) == sorted(-number for _, number in across)
                twin = {key: [each for each in twin[key] if (key, -each) not in across] for key in twin}
                twin = defaultdict(list, twin)
        assert len(queue) == sum(map(len, twin.values()))


def test_bad_arguments_leave_a_queue_as_it_is():
    queue = BucketQueue()
    queue.push([1], [2])
    for arguments in (([1], [2], [3]), ([1],), ([1, 2], [1]), ([1.5], [2]), ([[1]], [2]), ([None], [1])):
        with pytest.raises(ValueError, match="keys|arrays?"):
            queue.push(*arguments)
    for count in (0, -1, 1.5, "2", None, True):
        with pytest.raises(ValueError, match=f"count {count!r}: expected a whole number of at least 1"):
            queue.pop(count)
    assert len(queue) == 1 and queue.pop(5)[0].tolist() == [2]
    for ask in (lambda: queue.pop(1), lambda: queue.least):
        with pytest.raises(IndexError, match="the queue is empty"):
            ask()


def test_a_column_keeps_its_dtype():
    """Boards pushed as uint64 and as int64 stay exact, whichever came first; what would change is refused."""
    boards = [0xFEDCBA9876543210 >> 1, 0x123456789ABCDEF1]
    for first, then in ((np.uint64, np.int64), (np.int64, np.uint64)):
        queue = BucketQueue()
        queue.push([], [])  # no nodes, no dtype
        queue.push([1], np.array(boards[:1], first))
        queue.push([1], np.array(boards[1:], then))
        (popped,) = queue.pop(2)
        assert popped.dtype == first and sorted(popped.tolist()) == sorted(boards)
        message = f"^value .*: expected values of {np.dtype(first)}, as were pushed first"
        for wrong in (np.array([-1.5]), np.array([-1 if first is np.uint64 else 1 << 63], then)):
            with pytest.raises(ValueError, match=message):
                queue.push([1], wrong)
        assert not len(queue)


def test_what_interrupts_a_pop_loses_no_node(monkeypatch):
    queue = BucketQueue()
    for key, first in ((3, 20), (3, 30), (4, 40), (5, 50)):
        queue.push([key] * 3, np.arange(3) + first)
    monkeypatch.setattr(np, "concatenate", lambda arrays: 1 / 0)
    for count in (4, 8, 12):
        with pytest.raises(ZeroDivisionError):
            queue.pop(count, across=True)
        assert len(queue) == 12 and queue.least == 3
    monkeypatch.undo()
    assert [queue.pop(3)[0].tolist(), queue.pop(1)[0].tolist()] == [[30, 31, 32], [22]]  # the last that were pushed
    assert sorted(queue.pop(9, across=True)[0].tolist()) == [20, 21, 40, 41, 42, 50, 51, 52]


def test_threads_push_and_pop_every_node_once():
    queue, popped, before = BucketQueue(), [], sys.getswitchinterval()

    def work(first):
        for number in range(first, first + 4_000, 20):
            queue.push(np.arange(20) % 7, np.arange(number, number + 20))
            assert queue.memory_bytes > 0
            popped.extend(queue.pop(12, across=True)[0].tolist())

    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(work, range(0, 16_000, 4_000)))
    finally:
        sys.setswitchinterval(before)
    left = pickle.loads(pickle.dumps(queue))
    assert len(left) == len(queue) == 16_000 - len(popped)
    assert sorted([*popped, *queue.pop(16_000, across=True)[0].tolist()]) == list(range(16_000))
    assert len(left.pop(16_000, across=True)[0]) == 16_000 - len(popped)


def test_memory_of_a_queue():
    """Boards, g and three values take 8 + 1 + 3 bytes a node; arrays take some more, which few nodes in many do."""
    queue = BucketQueue()
    assert queue.memory_bytes == 0
    queue.push(np.arange(1000) % 7, np.zeros(1000, np.uint64), np.zeros(1000, np.uint8), np.zeros((1000, 3), np.uint8))
    assert 12_000 < queue.memory_bytes < 12_000 + 7 * 3 * 300
    queue.pop(500, across=True)
    assert 6000 < queue.memory_bytes < 6000 + 4 * 3 * 300
    queue.pop(500, across=True)
    assert queue.memory_bytes == 0


def test_boards_have_an_order():
    boards = [Board("1 2/3 0"), Board("0 1 2/3 4 5"), Board("3 1/2 0"), Board.goal(), Board("2 1/3 0")]
    heap = [(len(board) // 9, board) for board in boards]
    heapq.heapify(heap)
    ordered = [heapq.heappop(heap)[1] for _ in boards]
    assert ordered == sorted(boards) == sorted(boards, key=lambda board: (board.shape, board.packed))
    assert ordered[0] < ordered[1] <= ordered[1] and ordered[1] > ordered[0] and ordered[1] >= ordered[1]
    with pytest.raises(TypeError):
        boards[0] < "1 2/3 0"  # noqa: B015
