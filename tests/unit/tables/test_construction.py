"""Building: the same bytes however it is done, and nothing left of what is interrupted."""

import itertools
import os
import signal
import threading
import time
from contextlib import contextmanager
from dataclasses import replace

import pytest
from timing import timed, wait_for, within

import puzzle15
from puzzle15.errors import ThreadsError
from puzzle15.tables import _construction as construction
from puzzle15.tables._file import FORMATS, MULTI_TILE, file_name

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


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.glob("*.p15")}


def build(folder, pattern, format="zero-aware", **options):
    shape, cells, home = pattern
    return construction.build_file(shape, cells, home, format, folder, **options)


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("pattern", PATTERNS, ids=str)
@pytest.mark.sweep(10)
def test_the_same_bytes_however_it_is_done(pattern, format, tmp_path):
    shape, cells, _ = pattern
    header, payload = construction.construct_in_memory(*pattern, format)
    whole = {file_name(shape, format, cells, header.region): header.header() + payload}
    for threads in (1, 2, 3):
        table = build(tmp_path, pattern, format, threads=threads)
        opened = table.open()
        assert (opened.cells, opened.classic, opened.max_value) == (cells, format == "classic", table.max_value)
        assert replace(table, path=header.path) == header and contents(tmp_path) == whole
        if header.space.tiles < 5 or threads == 2:
            assert build(tmp_path, pattern, format, threads=threads, memory=construction._FIXED_BYTES) == table
            assert contents(tmp_path) == whole


def test_multi_tile_tables_have_the_same_bytes_on_any_threads(tmp_path):
    folders = [tmp_path / "1", tmp_path / "2"]
    for partition, folder in zip(("1-3/4-6/6-8", "4-6/1-3/6-8"), folders):
        puzzle15.build_tables(partition, shape=(3, 3), metric="mtm", tables=folder, workers=int(folder.name))
    assert contents(folders[0]) == contents(folders[1]) and len(contents(folders[0])) == 3


@pytest.mark.parametrize("format", [*FORMATS, MULTI_TILE])
def test_tables_in_memory_are_the_same_on_threads_and_where_none_may_start(format, monkeypatch):
    def refuse(*_):
        raise ThreadsError("no more threads")

    def note(*pattern):
        made = in_memory(*pattern)
        found[threading.current_thread() is threading.main_thread(), pattern[1]] = made[0].header(), bytes(made[1])
        return made

    patterns, found, in_memory = [0x0313, 0x0C40], {}, construction.construct_in_memory
    monkeypatch.setattr(construction, "_WORTH_THREADS", 1)
    monkeypatch.setattr(construction, "processor_count", lambda: 2)
    monkeypatch.setattr(construction, "construct_in_memory", note)
    for submit in (construction.Team.submit, refuse):
        monkeypatch.setattr(construction.Team, "submit", submit)
        construction.table_in_memory.cache_clear()
        tables = construction.tables_in_memory((4, 4), patterns, 15, format)
        assert [table.cells for table in tables] == patterns
    assert len(found) == 4 and all(found[True, cells] == found[False, cells] for cells in patterns)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.sweep(1)
def test_a_memory_bound_is_kept(format, threads, tmp_path, monkeypatch):
    """By the planes of a pattern that are mapped at once, at the smallest bound that is let through."""
    mapped = []

    class Counting(construction._Planes):
        @contextmanager
        def held(self, keys):
            with super().held(keys):
                with self._lock:
                    mapped.append(sum(map(len, self.mapped.values())))
                yield

    pattern = (4, 4), 0x1113, 14
    build(tmp_path, pattern, format, threads=2)
    whole = contents(tmp_path)
    monkeypatch.setattr(construction, "_Planes", Counting)
    need = construction.Requirements(*pattern[:2], format, threads)
    build(tmp_path, pattern, format, threads=threads, memory=need.least_memory)
    assert 0 < max(mapped) <= need.least_memory - construction._FIXED_BYTES and contents(tmp_path) == whole


def test_requirements_are_what_it_takes(tmp_path):
    for format in [*FORMATS, MULTI_TILE]:
        need = construction.Requirements((3, 3), 0b1111, format)
        assert build(tmp_path, ((3, 3), 0b1111, 8), format).path.stat().st_size == need.file
        assert need.least_memory <= need.memory
        kind = {"metric": "mtm"} if format == MULTI_TILE else {"format": format}
        puzzle15.build_tables("1-4/5-8", shape=(3, 3), max_memory=need.memory, workers=1, tables=tmp_path, **kind)
    one, two = (
        [construction.Requirements((4, 4), 0x1113, format, threads).memory for format in FORMATS] for threads in (1, 2)
    )
    assert two[0] > one[0] and two[1] == one[1]  # each thread that writes rows needs memory; classic tables have none
    real = [construction.Requirements((4, 4), cells, "zero-aware", 2) for cells in (0x00FF, 0x7F00)]
    assert sum(need.file for need in real) == 195_882_752
    assert max(need.memory for need in real) < 0.8 * 2**30


# ---------------------------------------------------------------- interruptions


def interrupts(error, after):
    """A progress callback that raises an error after so many calls."""
    calls = itertools.count()

    def interrupt(share, what):
        if next(calls) >= after:
            raise error("stop")

    return interrupt


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
@pytest.mark.parametrize("memory", [None, construction._FIXED_BYTES])
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.sweep(2)
def test_nothing_is_left_of_an_interrupted_build(format, threads, memory, error, tmp_path):
    """The progress callback is called by the main thread while searching, by any while writing."""
    options, calls, running = {"format": format, "threads": threads, "memory": memory}, [], threading.active_count()
    build(tmp_path, ((4, 4), 0x0113, 14), progress=lambda *call: calls.append(call), **options)
    (path,) = tmp_path.iterdir()
    before = path.read_bytes(), path.stat().st_mtime_ns
    for after in (0, len(calls) // 2, len(calls) - 1):
        with pytest.raises(error, match="stop"):
            build(tmp_path, ((4, 4), 0x0113, 14), progress=interrupts(error, after), **options)
        assert list(tmp_path.iterdir()) == [path]  # the one that was there
        assert (path.read_bytes(), path.stat().st_mtime_ns) == before
        assert wait_for(lambda: threading.active_count() <= running)


@pytest.mark.parametrize("threads", [1, 2])
def test_nothing_is_left_of_interrupted_multi_tile_tables(threads, tmp_path):
    for after in (0, 5, 12):
        options = {"metric": "mtm", "workers": threads, "progress": interrupts(KeyboardInterrupt, after)}
        with pytest.raises(KeyboardInterrupt, match="stop"):
            puzzle15.build_tables("1-3/4-6", tables=tmp_path, **options)
        assert not list(tmp_path.glob("*.tmp*")) and len(contents(tmp_path)) <= 1


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


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
@timed
def test_ctrl_c_while_threads_build_the_real_tables(start, tmp_path):
    """tests/unit/cli/test_processes.py has the same for one thread, and with a bound of memory."""
    program = "import sys, puzzle15; print(flush=True); puzzle15.build_tables(tables=sys.argv[1], workers=2)"
    process = start("-c", program, tmp_path)
    process.stdout.readline()
    time.sleep(0.25)
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
