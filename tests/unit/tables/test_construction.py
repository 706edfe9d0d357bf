"""Building: the same bytes however it is done, and nothing left of what is interrupted."""

import os
import signal
import threading
import time
from contextlib import contextmanager

import numpy as np
import pytest
from timing import timed, within

import puzzle15
from puzzle15.tables import FORMATS, MULTI_TILE, construction, file_name

#: shape, goal cells, home
PATTERNS = [
    ((2, 2), 0b0001, 3),
    ((2, 3), 0b011111, 5),
    ((3, 3), 0b000001111, 4),
    ((3, 3), 0b011111111, 8),
    ((4, 4), 0x0001, 15),
    ((4, 4), 0x0C40, 15),
    ((4, 4), 0x1113, 14),
    ((4, 4), 0x0317, 10),
]


def name(pattern):
    shape, cells, home = pattern
    return f"{shape[0]}x{shape[1]}-{cells:04x}-home{home}"


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.glob("*.p15")}


def build(folder, pattern, format="zero-aware", **options):
    shape, cells, home = pattern
    return construction.build_file(shape, cells, home, format, folder, **options)


@pytest.fixture
def most_mapped(monkeypatch):
    """A list with the most bytes of the scratch file that were mapped at once."""
    most = [0]

    class Counting(construction._Planes):
        @contextmanager
        def held(self, keys):
            with super().held(keys):
                with self._lock:
                    most[0] = max(most[0], sum(map(len, self.mapped.values())))
                yield

    monkeypatch.setattr(construction, "_Planes", Counting)
    return most


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("pattern", PATTERNS, ids=name)
@pytest.mark.sweep(10)
def test_the_same_bytes_however_it_is_done(pattern, format, tmp_path):
    shape, cells, home = pattern
    table = build(tmp_path, pattern, format)
    whole = table.path.read_bytes()
    assert contents(tmp_path) == {file_name(shape, format, cells, table.region): whole}
    for threads in (1, 2, 3):
        assert build(tmp_path, pattern, format, threads=threads) == table
        assert contents(tmp_path) == {table.path.name: whole}
        if table.space.tiles < 5 or threads == 2:
            again = build(tmp_path, pattern, format, threads=threads, memory=construction._FIXED_BYTES)
            assert again == table
            assert contents(tmp_path) == {table.path.name: whole}


@pytest.mark.parametrize("format", FORMATS)
def test_in_memory_as_in_a_file(format, tmp_path):
    pattern = (3, 4), 0b100000110001, 6
    opened = build(tmp_path, pattern, format).open()
    table = construction.build_in_memory(*pattern, format)
    assert (table.cells, table.classic, table.max_value) == (opened.cells, opened.classic, opened.max_value)
    assert table.value_counts(0, 24) == opened.value_counts(0, 24)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.sweep(1)
def test_a_memory_bound_is_kept(format, threads, tmp_path, most_mapped):
    """By the planes of a pattern, at the smallest bound that is let through."""
    need = construction.Requirements((4, 4), 0x1113, format, threads)
    build(tmp_path, ((4, 4), 0x1113, 14), format, threads=threads, memory=need.least_memory)
    assert 0 < most_mapped[0] <= need.least_memory - construction._FIXED_BYTES
    bounded = contents(tmp_path)
    build(tmp_path, ((4, 4), 0x1113, 14), format, threads=2)
    assert contents(tmp_path) == bounded


def test_requirements_are_what_it_takes(tmp_path):
    for format in FORMATS:
        need = construction.Requirements((3, 3), 0b1111, format)
        assert build(tmp_path, ((3, 3), 0b1111, 8), format).path.stat().st_size == need.file
        assert need.least_memory <= need.memory
        puzzle15.build_tables(
            "1-4/5-8", shape=(3, 3), format=format, max_memory=need.memory, workers=1, tables=tmp_path
        )
    real = [construction.Requirements((4, 4), cells, "zero-aware", 2) for cells in (0x00FF, 0x7F00)]
    assert sum(need.file for need in real) == 195_882_752
    assert max(need.memory for need in real) < 0.8 * 2**30


# ---------------------------------------------------------------- interruptions


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
@pytest.mark.parametrize("memory", [None, construction._FIXED_BYTES])
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.sweep(2)
def test_nothing_is_left_of_an_interrupted_build(format, threads, memory, error, tmp_path):
    """The progress callback is called by the main thread while searching, by any while writing."""
    pattern = (4, 4), 0x0113, 14
    calls = []
    build(tmp_path, pattern, format, threads=threads, memory=memory, progress=lambda *call: calls.append(call))
    (path,) = tmp_path.iterdir()
    before = path.read_bytes(), path.stat().st_mtime_ns
    running = threading.active_count()
    for last in (0, len(calls) // 2, len(calls) - 1):
        left = [last]

        def interrupt(share, what):
            left[0] -= 1
            if left[0] < 0:
                raise error("stop")

        with pytest.raises(error, match="stop"):
            build(tmp_path, pattern, format, threads=threads, memory=memory, progress=interrupt)
        assert list(tmp_path.iterdir()) == [path]  # the one that was there
        assert (path.read_bytes(), path.stat().st_mtime_ns) == before
        assert threading.active_count() == running


def test_a_write_that_fails_in_a_thread(tmp_path, monkeypatch):
    threads = []

    class Failing(construction.Build):
        def transpose(self, column, rows):
            threads.append(threading.current_thread())
            raise OSError("the disk went away")

    monkeypatch.setattr(construction, "Build", Failing)
    with pytest.raises(OSError, match="the disk went away"):
        build(tmp_path, ((4, 4), 0x0317, 10), threads=2)
    assert threads and threading.main_thread() not in threads and list(tmp_path.iterdir()) == []


BUILD = "import sys, puzzle15; print(flush=True); puzzle15.build_tables(tables=sys.argv[1], workers=int(sys.argv[2]))"


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
@pytest.mark.sweep(1)
@pytest.mark.parametrize("threads", [2, 1])
@timed
def test_ctrl_c_while_building_the_real_tables(start, threads, tmp_path):
    process = start("-c", BUILD, tmp_path, threads)
    process.stdout.readline()
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    with within(2):
        error = process.communicate()[1]
    assert b"KeyboardInterrupt" in error and process.returncode != 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("partition, metric, count", [("6-6-3", "stm", 3), ("1-4/5-8", "mtm", 2)])
def test_two_processes_may_build_the_same(partition, metric, count, start, tmp_path):
    given = f"{partition!r}, metric={metric!r}"
    program = f"import sys, puzzle15; puzzle15.build_tables({given}, tables=sys.argv[1], force=True)"
    processes = [start("-c", program, tmp_path) for _ in range(2)]
    assert [process.wait() for process in processes] == [0, 0]
    both = contents(tmp_path)
    assert len(both) == count
    puzzle15.build_tables(partition, metric=metric, tables=tmp_path, force=True)
    assert contents(tmp_path) == both


# ---------------------------------------------------------------- the extension's own checks


def test_planes_of_another_size_are_refused():
    space = construction.space_of((3, 3), 0xF, "zero-aware")
    build = construction.Build(space, 0b1111, 8, True)
    size = space.plane_bytes(build.goal_segment)
    for plane, memory in [(0, np.zeros(size + 8, np.uint8)), (1, np.zeros(0, np.uint8)), (2, np.zeros(size, np.uint8))]:
        with pytest.raises(ValueError, match="takes"):
            build.hold(plane, build.goal_segment, memory)
    odd = np.zeros(size + 16, np.uint8)
    shifted = odd[1 : size + 1] if odd.ctypes.data % 8 == 0 else odd[:size]
    with pytest.raises(ValueError, match="64-bit"):
        build.hold(0, build.goal_segment, shifted)
    with pytest.raises(IndexError):
        build.hold(3, 0, odd)
    with pytest.raises(IndexError):
        build.hold(0, construction.SEGMENTS, odd)
    with pytest.raises(IndexError):
        build.level(1, 0, construction.SEGMENTS + 1)


@pytest.mark.parametrize("format", [*FORMATS, MULTI_TILE])
def test_patterns_that_are_none(format):
    for shape, cells, home in (((4, 4), 0x8001, 15), ((4, 4), 0x1FF, 15), ((3, 3), 0x3000, 8), ((3, 3), 0, 8)):
        with pytest.raises(ValueError):
            construction.build_in_memory(shape, cells, home, format)
