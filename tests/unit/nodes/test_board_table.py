"""Tables of boards against dicts; growth to a limit, in pieces, interrupted; threads."""

import pickle
import signal
import threading

import numpy as np
import pytest

from puzzle15._core.nodes.nodes import INSERT, Table
from puzzle15.errors import BoardError
from puzzle15.nodes import BoardTable

#: Values of every number of slots in a bucket, and of odd sizes.
DTYPES = ["u1", "u2", "S3", "f4", [("g", "u1"), ("f", "f4")], "i8", "V11", "S13", "c16"]


def keys_of(count, rng, few=1 << 60):
    """Random numbers, which tables take for boards; the fewer there are, the more often each comes."""
    return rng.integers(1, few, size=count, dtype=np.uint64) * np.uint64(15)


def values_of(count, dtype, rng):
    """Random values of a type."""
    values = np.zeros(count, dtype)
    octets = rng.integers(1, 64, size=(count, values.dtype.itemsize), dtype=np.uint8)
    values.view(np.uint8).reshape(octets.shape)[:] = octets
    return values


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_a_table_is_a_dict(dtype, rng):
    table, twin = BoardTable(dtype), {}
    for count in (1, 5, 700, 0, 20_000):
        boards, other = keys_of(count, rng, 5000), keys_of(count, rng, 5000)
        values, changed = values_of(count, dtype, rng), values_of(count, dtype, rng)
        is_new = []
        for board, value in zip(boards.tolist(), values.tolist()):
            is_new.append(board not in twin)
            twin.setdefault(board, value)
        assert table.insert(boards, values).tolist() == is_new
        is_new = []
        for board, value in zip(other.tolist(), changed.tolist()):
            is_new.append(board not in twin)
            twin[board] = value
        assert table.update(other, changed).tolist() == is_new
        asked = np.array([*twin, *keys_of(100, rng).tolist()], np.uint64)
        found_values, found = table.get(asked)
        assert found.tolist() == [board in twin for board in asked.tolist()]
        assert found_values[found].tolist() == [*twin.values()]
        assert not found_values[~found].view(np.uint8).any()
        assert sorted(table.keys().tolist()) == sorted(twin) and len(table) == len(twin)
    table.clear()
    assert len(table) == 0 == len(table.keys()) and not table.get(boards)[1].any()


@pytest.mark.parametrize("dtype", ["u1", "u2", "u4", "u8", [("g", "u2"), ("side", "u1")]], ids=str)
def test_lower_keeps_the_least_values(dtype, rng):
    table, twin = BoardTable(dtype), {}
    for _ in range(3):
        boards, numbers = keys_of(3000, rng, 700), rng.integers(0, 256, 3000)
        values = np.zeros(3000, dtype)
        if values.dtype.names:
            values["g"], values["side"] = numbers, rng.integers(0, 9, 3000)
        else:
            values[:] = numbers
        written = []
        for board, number, value in zip(boards.tolist(), numbers.tolist(), values.tolist()):
            written.append(board not in twin or number < twin[board][0])
            if written[-1]:
                twin[board] = number, value
        assert table.lower(boards, values).tolist() == written
    assert table.get(np.array([*twin], np.uint64))[0].tolist() == [value for _, value in twin.values()]


def test_one_value_for_all_and_none():
    table = BoardTable([("g", np.uint8), ("closed", bool)])
    assert table.insert([0x1302, 0x0321], (3, True)).all() and table.insert([0x3021]).all()
    assert table.get([0x0321, 0x3021])[0].tolist() == [(3, True), (0, False)]
    values, found = table.get([0, 0x0321, 0])  # a free slot is not a board
    assert values.tolist() == [(0, False), (3, True), (0, False)] and found.tolist() == [False, True, False]


def test_a_full_table_keeps_its_boards(rng):
    table, boards = BoardTable(np.uint16, max_memory="300k"), keys_of(100_000, rng)
    with pytest.raises(MemoryError, match=r"BoardTable: 2\d,\d{3} boards take 30\d kB, .* max_memory=307,200"):
        table.insert(boards, np.arange(100_000) % 1000)
    count = len(table)
    assert table.memory_bytes <= 307_200 and count > 0.75 * 307_200 / 64 * 6 * 0.8
    values, found = table.get(boards)
    assert found.sum() == count and (values[found] == (np.arange(100_000) % 1000)[found]).all()
    assert not table.insert(boards[found]).any() and table.lower(boards[found], 0).sum() == (values[found] > 0).sum()
    with pytest.raises(MemoryError, match="more do not fit"):
        table.insert(boards[~found])
    with pytest.raises(MemoryError):
        BoardTable(max_memory=1000)


def test_growing_is_interrupted_and_goes_on(rng):
    """The alarm acts inside of insert, at any of its pauses; each time it is begun again."""
    table, boards = BoardTable(np.uint8), np.unique(keys_of(200_000, rng))
    values, interrupts = (boards % np.uint64(251)).astype(np.uint8), 0

    def ring(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, ring)
    try:
        for delay in np.linspace(0.0005, 0.01, 20):
            try:
                signal.setitimer(signal.ITIMER_REAL, delay)
                table.insert(boards, values)
                signal.setitimer(signal.ITIMER_REAL, 0)
            except KeyboardInterrupt:
                interrupts += 1
            if interrupts % 7 == 6:
                table.clear()
            found_values, found = table.get(boards)
            assert found.sum() == len(table) and (found_values[found] == values[found]).all()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    table.insert(boards, values)
    assert interrupts > 3 and len(table) == len(boards)


def test_threads_take_turns(rng):
    table, parts = BoardTable(np.uint8), np.array_split(np.unique(keys_of(100_000, rng)), 4)
    news = []
    threads = [
        threading.Thread(target=lambda part=part: news.append(int(table.insert(part, 1).sum()))) for part in parts * 2
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(news) == len(table) == sum(map(len, parts))


def test_a_table_is_pickled_with_its_boards(rng):
    table, boards = BoardTable(np.uint32, max_memory="10M"), np.unique(keys_of(1000, rng))
    table.insert(boards, np.arange(len(boards)))
    received = pickle.loads(pickle.dumps(table))
    assert received.max_memory == 10 << 20 and (received.get(boards)[0] == np.arange(len(boards))).all()
    assert repr(received).startswith(f"<BoardTable of {len(boards):,} boards, values uint32, ")


#: What C would compare as another number: bytes in the other order, and a first field that is not at the beginning.
OTHER_ORDER = np.dtype("u2").newbyteorder()
BEHIND = np.dtype({"names": ["g"], "formats": ["u1"], "offsets": [2], "itemsize": 4})


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda table: table.insert([0x0321, -1]), BoardError, "^packed boards .*: expected whole numbers"),
        (lambda table: table.insert(["1 2/3 0"]), BoardError, "^packed boards .*: expected whole numbers"),
        (lambda table: table.insert(np.array([5, 0], np.uint64)), BoardError, "board 1: 0 is not a packed board"),
        (lambda table: table.insert([0x0321], [256]), ValueError, "value 256: expected values that uint8 can hold"),
        (lambda table: table.insert([0x0321], -1), ValueError, "value -1: expected values that uint8"),
        (lambda table: table.insert([0x0321], [1, 2]), ValueError, r"values of shape \(2,\): expected \(1,\)"),
        (lambda table: BoardTable(object), ValueError, "values object: expected a dtype of 1 .. 16 bytes"),
        (lambda table: BoardTable("S17"), ValueError, "expected a dtype of 1 .. 16 bytes"),
        (lambda table: BoardTable("i4").lower([0x0321], 1), ValueError, "expected an unsigned integer as first field"),
        (lambda table: BoardTable(OTHER_ORDER).lower([0x0321], 1), ValueError, "expected an unsigned integer as first"),
        (lambda table: BoardTable(BEHIND).lower([0x0321], 1), ValueError, "expected an unsigned integer as first"),
        (lambda table: BoardTable(max_memory=-1), ValueError, "max_memory"),
        (lambda table: Table(8, 3, 0, 1 << 20), ValueError, "values of 8 bytes"),
        (lambda table: Table(2, 0, 0, 1 << 20).put(INSERT, np.ones(2, np.uint64), None, np.ones(1, np.uint8)),
         ValueError, "array length 1"),
    ],
)  # fmt: skip
def test_bad_arguments(call, error, text):
    table = BoardTable()
    with pytest.raises(error, match=text):
        call(table)
    assert len(table) == 0
