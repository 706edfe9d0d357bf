"""Building one table: breadth-first search level by level, then writing the rows.

The states' two bit planes (csrc/tables/build.h) are in memory; under a memory bound they are in a scratch file, and
only the segments in use are mapped. Threads share the segments of a level. The result does not depend on which thread
works on which segment.
"""

from __future__ import annotations

import mmap
import os
import threading
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional, Union

from .._core.tables.tables import MAX_LEVELS, SEGMENTS, Build, Space
from ..parallel import Team, check_stop, result_of, slices
from ..system.files import remove_leftovers, write_atomically
from ..system.machine import new_bytes
from .file import HEADER_BYTES, MULTI_TILE, AnyTable, TableFile, combine_checksums, file_name, space_of

if TYPE_CHECKING:
    from .._core.multitile.tables import Lines

__all__ = ["Progress", "Requirements", "build_file", "build_in_memory", "requirements", "table_in_memory"]

#: Called with the share of the work that is done, 0 .. 1, and a word on the current step.
Progress = Callable[[float, str], None]

#: (plane, segment), in a list.
Keys = list[tuple[int, int]]

_FIXED_BYTES = 48 << 20  # interpreter, numpy, the space and the search's own arrays
_NIBBLES = 2  # the third plane
_WORDS_A_STEP = 8  # columns transposed at a time: a cache line of each block
_SEARCH_SHARE = 0.8  # of the progress


class Requirements:
    """The bytes that building a table takes: of the finished file, of memory without a bound, the smallest possible
    bound, and of the scratch file under a bound; and the work, a measure of the time."""

    def __init__(self, space: Union[Space, Lines], classic: bool, threads: int = 1) -> None:
        if not isinstance(space, Space):  # of lines
            self.file = HEADER_BYTES + space.payload_bytes()
            self.memory = self.least_memory = _FIXED_BYTES + space.build_bytes + space.payload_bytes()
            self.scratch, self.work = 0, space.build_bytes
            return
        sizes = [_plane_sizes(space, classic, segment) for segment in range(SEGMENTS)]
        self.scratch = sum(map(sum, sizes))
        self.file = HEADER_BYTES + space.payload_bytes(classic)
        step = _step_bytes(space, classic, _WORDS_A_STEP)
        self.memory = _FIXED_BYTES + self.scratch + threads * step
        # A segment of a level touches its own planes and one plane of at most 24 others.
        largest = max(map(sum, sizes)) + 24 * max(map(max, sizes))
        self.least_memory = min(self.memory, _FIXED_BYTES + threads * largest + step)
        self.work = self.scratch


def requirements(shape: tuple[int, int], cells: int, format: str, threads: int = 1) -> Requirements:
    """The requirements of building the table of a pattern."""
    return Requirements(space_of(shape, cells, format), format == "classic", threads)


def _plane_sizes(space: Space, classic: bool, segment: int) -> tuple[int, ...]:
    plane = space.plane_bytes(segment)
    return (plane, plane, space.nibble_bytes(segment)) if classic else (plane, plane)


def _step_bytes(space: Space, classic: bool, words: int) -> int:
    """Memory of one transposition step: columns and the rows they become."""
    if classic:
        return 0
    column = (space.block_count + 63) // 64 * 64 * 8
    return words * column + _rows_a_word(space) * space.row_bytes(False)


def _rows_a_word(space: Space) -> int:
    return space.row_count // space.word_count


class _Resident:
    """All planes in one piece of memory."""

    def __init__(self, build: Build) -> None:
        space = build.space
        sizes = [_plane_sizes(space, build.classic, segment) for segment in range(SEGMENTS)]
        total = sum((size + 7) // 8 * 8 for planes in sizes for size in planes)
        whole = new_bytes(total)
        self._planes: dict[tuple[int, int], Any] = {}
        start = 0
        for segment, planes in enumerate(sizes):
            for plane, size in enumerate(planes):
                if size:
                    self._planes[plane, segment] = part = whole[start : start + size]
                    build.hold(plane, segment, part)
                    start += (size + 7) // 8 * 8

    @contextmanager
    def held(self, keys: Keys) -> Iterator[None]:
        """A context in which these planes of segments are in memory."""
        yield

    def bytes_of(self, plane: int, segment: int) -> Any:
        return self._planes[plane, segment]

    def close(self) -> None:
        self._planes.clear()


class _Paged:
    """The planes in a scratch file without a name; those in use are mapped into memory."""

    def __init__(self, build: Build, folder: Path) -> None:
        from tempfile import TemporaryFile  # only a bound on the memory asks for one

        self._build = build
        self._places: dict[tuple[int, int], tuple[int, int]] = {}
        end = 0
        for segment in range(SEGMENTS):
            for plane, size in enumerate(_plane_sizes(build.space, build.classic, segment)):
                if size:
                    self._places[plane, segment] = end, size
                    end += -(-size // mmap.ALLOCATIONGRANULARITY) * mmap.ALLOCATIONGRANULARITY
        self._file = TemporaryFile(dir=folder, prefix=".p15-scratch-")  # noqa: SIM115 - see `close`
        if hasattr(os, "posix_fallocate"):  # a full disk is an error now, and would end the process later
            os.posix_fallocate(self._file.fileno(), 0, end)
        else:
            self._file.truncate(end)
        self._lock = threading.Lock()
        self._mapped: dict[tuple[int, int], mmap.mmap] = {}
        self._users: Counter[tuple[int, int]] = Counter()

    @contextmanager
    def held(self, keys: Keys) -> Iterator[None]:
        keys = [key for key in dict.fromkeys(keys) if key in self._places]
        with self._lock:
            self._users.update(keys)
            for key in keys:
                if key not in self._mapped:
                    start, size = self._places[key]
                    self._mapped[key] = memory = mmap.mmap(self._file.fileno(), size, offset=start)
                    self._build.hold(*key, memory)
        try:
            yield
        finally:
            with self._lock:
                self._users.subtract(keys)
                for key in keys:
                    if not self._users[key]:
                        self._build.hold(*key, None)
                        del self._mapped[key]

    def bytes_of(self, plane: int, segment: int) -> Any:
        return self._mapped[plane, segment]

    def close(self) -> None:
        for key in self._mapped:
            self._build.hold(*key, None)
        self._mapped.clear()
        self._file.close()


class _Team:
    """Threads that work through a list of items together; none for one thread."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._team = Team(threads) if threads > 1 else None

    def run(self, work: Callable[[Any], Any], items: list[Any]) -> list[Any]:
        """``[work(item) for item in items]``, in any order."""
        queue = iter(items)

        def take() -> list[Any]:
            results = []
            for item in queue:
                check_stop()
                results.append(work(item))
            return results

        if self._team is None:
            return take()
        futures = [self._team.submit(take) for _ in range(self.threads)]
        return [result for future in futures for result in result_of(future)]

    def close(self) -> None:
        if self._team is not None:
            self._team.stop()


def _search(build: Build, store: Union[_Resident, _Paged], team: _Team, progress: Optional[Progress]) -> list[int]:
    """Find every state; how many entries have each value."""
    space = build.space
    planes = range(3 if build.classic else 2)
    resident = isinstance(store, _Resident)
    # In small spaces, handing out segments would take longer than the work.
    whole_levels = resident and space.row_count <= 720

    def visit(level: int, segment: int) -> tuple[int, int]:
        if resident:
            return build.level(level, segment, segment + 1)
        sources = build.sources(level, segment)
        if not sources:
            return 0, 0
        with store.held([(plane, segment) for plane in planes] + [(level - 1 >> 1 & 1, each) for each in sources]):
            return build.level(level, segment, segment + 1)

    with store.held([(plane, build.goal_segment) for plane in planes]):
        build.start()
    counts, found = [1], 1
    for level in range(1, MAX_LEVELS):
        if whole_levels:
            results = [build.level(level, 0, SEGMENTS)]
        else:
            segments = [segment for segment in range(SEGMENTS) if build.touches(level, segment)]
            results = team.run(partial(visit, level), segments)
        states = sum(result[0] for result in results)
        if states == 0:
            break
        found += states
        counts.append(sum(result[1] for result in results) if build.classic else states)
        if progress:
            progress(_SEARCH_SHARE * found / (space.block_count * space.row_count), f"level {level}")
    while counts[-1] == 0:  # the last states of a classic table may add no placement
        counts.pop()
    return counts


def _write_rows(
    build: Build,
    store: Union[_Resident, _Paged],
    team: _Team,
    words: int,
    write: Callable[[int, Any], None],
    progress: Optional[Progress],
) -> list[int]:
    """Give `write` the zero-aware payload, a chunk (the rows of a word) at a time: (offset, bytes).
    Returns the chunks' checksums."""
    space = build.space
    length = (space.block_count + 63) // 64 * 64
    chunk_bytes = _rows_a_word(space) * space.row_bytes(False)
    segments = [segment for segment in range(SEGMENTS) if space.plane_bytes(segment)]
    memory = threading.local()
    checksums = [0] * space.word_count

    def step(begin: int) -> None:
        end = min(begin + words, space.word_count)
        if not hasattr(memory, "columns"):
            flat = memoryview(bytearray(8 * words * length))
            memory.columns = flat.cast("Q", (words, length))
            memory.words = [flat[8 * length * word :][: 8 * length].cast("Q") for word in range(words)]
            memory.rows = bytearray(chunk_bytes)
        for segment in segments:
            with store.held([(1, segment)]):
                build.collect(segment, begin, end, memory.columns)
        for word in range(begin, end):
            build.transpose(memory.words[word - begin], memory.rows)
            checksums[word] = zlib.crc32(memory.rows)
            write(word * chunk_bytes, memory.rows)
        if progress:
            progress(_SEARCH_SHARE + (1 - _SEARCH_SHARE) * end / space.word_count, "writing")

    team.run(step, list(range(0, space.word_count, words)))
    return checksums


def _write_nibbles(
    build: Build, store: Union[_Resident, _Paged], chunk_bytes: int, write: Callable[[int, Any], None]
) -> list[int]:
    """The same for the classic payload: the segments' nibbles in order."""
    checksums, offset, checksum, filled = [], 0, 0, 0
    for segment in range(SEGMENTS):
        if not build.space.nibble_bytes(segment):
            continue
        with store.held([(_NIBBLES, segment)]):
            piece = store.bytes_of(_NIBBLES, segment)
            write(offset, piece)
            offset += len(piece)
            start = 0
            while start < len(piece):
                part = piece[start : start + chunk_bytes - filled]
                checksum = zlib.crc32(part, checksum)
                start += len(part)
                filled += len(part)
                if filled == chunk_bytes:
                    checksums.append(checksum)
                    checksum = filled = 0
    return checksums + [checksum] * bool(filled)


def _construct(
    shape: tuple[int, int],
    cells: int,
    home: int,
    format: str,
    folder: Optional[Path],
    threads: int,
    memory: Optional[int],
    write: Callable[[int, Any], None],
    progress: Optional[Progress],
) -> TableFile:
    """Build a table and give its payload to `write`; the header without a path."""
    space = space_of(shape, cells, format)
    if format == MULTI_TILE:
        return _construct_multi_tile(space, shape, cells, home, write, progress)
    classic = format == "classic"
    build = Build(space, cells, home, classic)
    words = _WORDS_A_STEP
    if memory is None:
        store: Union[_Resident, _Paged] = _Resident(build)
    else:
        assert folder is not None
        store = _Paged(build, folder)
    team = _Team(threads)
    try:
        counts = _search(build, store, team, progress)
        if classic:
            chunk_bytes = min(1 << 20, space.payload_bytes(True))
            checksums = _write_nibbles(build, store, chunk_bytes, write)
        else:
            if memory is not None:
                # Every step reads all of plane 1, so few and large ones; half of the bound is theirs.
                spare = (memory - _FIXED_BYTES) // 2
                words = max(_WORDS_A_STEP, spare // _step_bytes(space, False, 1))
                words = min(words, space.word_count)
                team.close()
                team = _Team(1)
            chunk_bytes = _rows_a_word(space) * space.row_bytes(False)
            checksums = _write_rows(build, store, team, words, write, progress)
    finally:
        team.close()
        store.close()
    return TableFile(
        Path(),
        shape,
        format,
        cells,
        space.region(cells, home),
        tuple(counts),
        chunk_bytes,
        combine_checksums(checksums),
    )


def _construct_multi_tile(
    lines: Lines,
    shape: tuple[int, int],
    cells: int,
    home: int,
    write: Callable[[int, Any], None],
    progress: Optional[Progress],
) -> TableFile:
    """The same for the multi-tile metric: on one thread, in memory."""
    payload = new_bytes(lines.payload_bytes())
    states = 2 * lines.map_count * lines.row_count * shape[0] * shape[1]  # counted once per axis

    def report(found: int, level: int) -> None:
        if progress:
            progress(_SEARCH_SHARE * found / states, f"level {level}")

    from .._core.multitile.tables import build as build_multi_tile

    counts = build_multi_tile(lines, cells, home, payload, report)
    chunk_bytes = min(1 << 20, len(payload))
    checksums = []
    for part in slices(len(payload), chunk_bytes):
        check_stop()
        checksums.append(zlib.crc32(payload[part]))
        write(part.start, payload[part])
    region = lines.region(cells, home)
    return TableFile(Path(), shape, MULTI_TILE, cells, region, tuple(counts), chunk_bytes, combine_checksums(checksums))


def build_in_memory(shape: tuple[int, int], cells: int, home: int, format: str = "zero-aware") -> AnyTable:
    """The table of a pattern, without a file.

    Parameters
    ----------
    shape : (int, int)
    cells : int
        The goal cells of the pattern's tiles, bit i for cell i.
    home : int
        The blank's cell in the goal.
    format : {"zero-aware", "classic", "multi-tile"}
    """
    payload = bytearray(space_of(shape, cells, format).payload_bytes(format == "classic"))

    def write(offset: int, part: Any) -> None:
        payload[offset : offset + len(part)] = part

    header = _construct(shape, cells, home, format, None, 1, None, write, None)
    return header.over(payload)


@lru_cache(maxsize=64)
def table_in_memory(shape: tuple[int, int], cells: int, home: int, format: str) -> AnyTable:
    """The table of `build_in_memory`, made once."""
    return build_in_memory(shape, cells, home, format)


def build_file(
    shape: tuple[int, int],
    cells: int,
    home: int,
    format: str,
    folder: Path,
    threads: int = 1,
    memory: Optional[int] = None,
    progress: Optional[Progress] = None,
) -> TableFile:
    """Build the table of a pattern as a file in `folder`, which appears complete or not at all.

    Parameters
    ----------
    shape, cells, home, format
        As for `build_in_memory`.
    folder : Path
    threads : int
    memory : int, optional
        A bound for the working memory, in bytes; what is beyond it goes to a scratch file in `folder`.
    progress : callable, optional
        Called from any of the threads with the share done (0 .. 1) and a word on what is done.
    """
    remove_leftovers(folder)
    path = folder / file_name(shape, format, cells, space_of(shape, cells, format).region(cells, home))
    lock = threading.Lock()
    with write_atomically(path) as file:

        def write(offset: int, part: Any) -> None:
            with lock:
                file.seek(HEADER_BYTES + offset)
                file.write(part)

        header = _construct(shape, cells, home, format, folder, threads, memory, write, progress)
        file.seek(0)
        file.write(header.header())
    return TableFile.read(path)
