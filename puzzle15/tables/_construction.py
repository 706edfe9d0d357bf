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
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional

from .._core.tables.tables import MAX_LEVELS, SEGMENTS, Build, Space
from .._system.files import remove_leftovers, write_atomically
from .._system.machine import available_memory, new_bytes, processor_count
from .._system.quantities import format_size
from .._system.threads import Team, check_stop, result_of, slices
from ..errors import ThreadsError
from ._file import HEADER_BYTES, MULTI_TILE, AnyTable, Format, TableFile, combine_checksums, file_name, space_of

if TYPE_CHECKING:
    from .._core.multitile.multitile import Lines

Progress = Callable[[float, str], None]  # called with the share of the work that is done, and the current step
Write = Callable[[int, Any], object]  # writes a part of the payload at an offset

_FIXED_BYTES = 48 << 20  # interpreter, numpy, the space and the search's own arrays
_NIBBLES = 2  # the third plane
_WORDS_A_STEP = 8  # columns transposed at a time: a cache line of each block
_SEARCH_SHARE = 0.8  # of the progress
_WORTH_THREADS = 1 << 20  # bytes of tables that take longer than starting threads
_WORTH_ASKING = 1 << 23  # bytes of a table that may take more memory than there is


class Requirements:
    """What building a table takes, in bytes.

    The file; the memory beside it, the smallest bound of that, and the scratch file; the memory without a file; work.
    """

    def __init__(self, shape: tuple[int, int], cells: int, format: Format, threads: int = 1) -> None:
        space, classic = space_of(shape, cells, format), format == "classic"
        self.file = HEADER_BYTES + space.payload_bytes(classic)
        if format == MULTI_TILE:
            self.memory = self.least_memory = self.in_memory = _FIXED_BYTES + space.build_bytes + space.payload_bytes()
            self.scratch, self.work = 0, space.build_bytes
            return
        sizes = [_plane_sizes(space, classic, segment) for segment in range(SEGMENTS)]
        self.scratch = self.work = sum(map(sum, sizes))
        step = 0 if classic else _step_bytes(space, _WORDS_A_STEP)
        self.memory = _FIXED_BYTES + self.scratch + threads * step
        self.in_memory = self.memory + self.file
        # A segment of a level touches its own planes and one plane of at most 24 others.
        largest = max(map(sum, sizes)) + 24 * max(map(max, sizes))
        self.least_memory = min(self.memory, _FIXED_BYTES + threads * largest + step)


def _plane_sizes(space: Space, classic: bool, segment: int) -> tuple[int, ...]:
    plane = space.plane_bytes(segment)
    return (plane, plane, space.nibble_bytes(segment)) if classic else (plane, plane)


def _column_length(space: Space) -> int:
    return (space.block_count + 63) // 64 * 64


def _word_bytes(space: Space) -> int:
    """Bytes of the rows of a word."""
    return space.row_count // space.word_count * space.row_bytes(False)


def _step_bytes(space: Space, words: int) -> int:
    """Memory of one transposition step: columns and the rows they become."""
    return 8 * words * _column_length(space) + _word_bytes(space)


class _Planes:
    """The planes of all segments, in memory or in a scratch file of a folder; of the file, those in use are mapped."""

    def __init__(self, build: Build, folder: Optional[Path]) -> None:
        self.resident = folder is None
        self.mapped: dict[tuple[int, int], Any] = {}
        self._build = build
        self._extents: dict[tuple[int, int], tuple[int, int]] = {}
        self._lock = threading.Lock()
        self._users: Counter[tuple[int, int]] = Counter()
        step = 8 if self.resident else mmap.ALLOCATIONGRANULARITY
        end = 0
        for segment in range(SEGMENTS):
            for plane, size in enumerate(_plane_sizes(build.space, build.classic, segment)):
                if size:
                    self._extents[plane, segment] = end, size
                    end += -(-size // step) * step
        if self.resident:
            whole = new_bytes(end)
            for key, (start, size) in self._extents.items():
                self._map(key, whole[start : start + size])
            return
        from tempfile import TemporaryFile  # only under a bound

        self._file = TemporaryFile(dir=folder, prefix=".p15-scratch-")  # noqa: SIM115 - see `close`
        if hasattr(os, "posix_fallocate"):  # a full disk is an error now, and would end the process later
            os.posix_fallocate(self._file.fileno(), 0, end)
        else:
            self._file.truncate(end)

    def _map(self, key: tuple[int, int], memory: Any) -> None:
        self.mapped[key] = memory
        self._build.hold(*key, memory)

    @contextmanager
    def held(self, keys: list[tuple[int, int]]) -> Iterator[None]:
        """A context in which these (plane, segment) are in memory."""
        if self.resident:
            yield
            return
        keys = [key for key in dict.fromkeys(keys) if key in self._extents]
        with self._lock:
            self._users.update(keys)
            for key in keys:
                if key not in self.mapped:
                    start, size = self._extents[key]
                    self._map(key, mmap.mmap(self._file.fileno(), size, offset=start))
        try:
            yield
        finally:
            with self._lock:
                self._users.subtract(keys)
                for key in keys:
                    if not self._users[key]:
                        self._build.hold(*key, None)
                        del self.mapped[key]

    def close(self) -> None:
        for key in self.mapped:
            self._build.hold(*key, None)
        self.mapped.clear()
        if not self.resident:
            self._file.close()


def _run(team: Optional[Team], threads: int, work: Callable[[Any], Any], items: Iterable[Any]) -> list[Any]:
    """``[work(item) for item in items]``, in any order, by the threads of a team if there is one."""
    queue = iter(items)

    def take() -> list[Any]:
        results = []
        for item in queue:
            check_stop()
            results.append(work(item))
        return results

    if team is None:
        return take()
    futures = [team.submit(take) for _ in range(threads)]
    return [result for future in futures for result in result_of(future)]


def _search(
    build: Build, store: _Planes, team: Optional[Team], threads: int, progress: Optional[Progress]
) -> list[int]:
    """Find every state; how many entries have each value."""
    space = build.space
    planes = range(3 if build.classic else 2)
    # In small spaces, handing out segments would take longer than the work.
    whole_levels = store.resident and space.row_count <= 720

    def visit(level: int, segment: int) -> tuple[int, int]:
        if store.resident:
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
            results = _run(team, threads, partial(visit, level), segments)
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
    store: _Planes,
    team: Optional[Team],
    threads: int,
    words: int,
    write: Write,
    progress: Optional[Progress],
) -> None:
    """Write the zero-aware payload, the rows of `words` words at a time."""
    space = build.space
    length, word_bytes = _column_length(space), _word_bytes(space)
    segments = [segment for segment in range(SEGMENTS) if space.plane_bytes(segment)]
    memory = threading.local()

    def step(begin: int) -> None:
        end = min(begin + words, space.word_count)
        if not hasattr(memory, "columns"):
            flat = memoryview(bytearray(8 * words * length))
            memory.columns = flat.cast("Q", (words, length))
            memory.words = [flat[8 * length * word :][: 8 * length].cast("Q") for word in range(words)]
            memory.rows = bytearray(word_bytes)
        for segment in segments:
            with store.held([(1, segment)]):
                build.collect(segment, begin, end, memory.columns)
        for word in range(begin, end):
            build.transpose(memory.words[word - begin], memory.rows)
            write(word * word_bytes, memory.rows)
        if progress:
            progress(_SEARCH_SHARE + (1 - _SEARCH_SHARE) * end / space.word_count, "writing")

    _run(team, threads, step, range(0, space.word_count, words))


def _construct(
    shape: tuple[int, int],
    cells: int,
    home: int,
    format: Format,
    write: Write,
    folder: Optional[Path] = None,
    threads: int = 1,
    memory: Optional[int] = None,
    progress: Optional[Progress] = None,
) -> list[int]:
    """Build a table and write its payload; how many entries have each value."""
    space = space_of(shape, cells, format)
    if format == MULTI_TILE:
        return _construct_multi_tile(space, cells, home, write, progress)
    build = Build(space, cells, home, format == "classic")
    with ExitStack() as stack:
        store = stack.enter_context(closing(_Planes(build, None if memory is None else folder)))
        team = stack.enter_context(Team(threads)) if threads > 1 else None
        counts = _search(build, store, team, threads, progress)
        if build.classic:
            offset = 0
            for segment in filter(space.nibble_bytes, range(SEGMENTS)):
                with store.held([(_NIBBLES, segment)]):
                    write(offset, store.mapped[_NIBBLES, segment])
                offset += space.nibble_bytes(segment)
        elif memory is None:
            _write_rows(build, store, team, threads, _WORDS_A_STEP, write, progress)
        else:  # every step reads all of plane 1, so few and large ones; half of the bound is theirs
            words = max(_WORDS_A_STEP, (memory - _FIXED_BYTES) // 2 // _step_bytes(space, 1))
            _write_rows(build, store, None, 1, min(words, space.word_count), write, progress)
    return counts


def _construct_multi_tile(lines: Lines, cells: int, home: int, write: Write, progress: Optional[Progress]) -> list[int]:
    """Return the same for the multi-tile metric: on one thread, in memory."""
    from .._core.multitile.multitile import build as build_multi_tile

    payload = new_bytes(lines.payload_bytes())
    states = 2 * lines.map_count * lines.row_count * lines.shape[0] * lines.shape[1]  # counted once per axis

    def report(found: int, level: int) -> None:
        if progress:
            progress(_SEARCH_SHARE * found / states, f"level {level}")

    counts = build_multi_tile(lines, cells, home, payload, report)
    write(0, payload)
    return counts


def _chunk_bytes(space: Any, format: Format) -> int:
    """Bytes of a payload that have one checksum."""
    return _word_bytes(space) if format == "zero-aware" else min(1 << 20, space.payload_bytes(format == "classic"))


def _described(
    shape: tuple[int, int], cells: int, home: int, format: Format, counts: list[int], chunks: Iterable[Any]
) -> TableFile:
    """Return the header of a table, without a path, from the chunks of its payload."""
    space = space_of(shape, cells, format)
    checksum = combine_checksums([zlib.crc32(chunk) for chunk in chunks])
    region = space.region(cells, home)
    return TableFile(Path(), shape, format, cells, region, tuple(counts), _chunk_bytes(space, format), checksum)


def construct_in_memory(
    shape: tuple[int, int],
    cells: int,
    home: int,
    format: Format,
    threads: int = 1,
    progress: Optional[Progress] = None,
) -> tuple[TableFile, memoryview]:
    """(header without a path, payload) of a pattern's table, built in memory; MemoryError before it takes too much."""
    space = space_of(shape, cells, format)
    payload_bytes = space.payload_bytes(format == "classic")
    if payload_bytes >= _WORTH_ASKING:
        takes = Requirements(shape, cells, format, threads).in_memory
        if takes > (left := available_memory()):
            raise MemoryError(f"a table takes {format_size(takes)} of memory, and {format_size(left)} are available")
    payload = new_bytes(payload_bytes)

    def write(offset: int, part: Any) -> None:
        payload[offset : offset + len(part)] = part

    counts = _construct(shape, cells, home, format, write, None, threads, None, progress)
    chunks = (payload[part] for part in slices(len(payload), _chunk_bytes(space, format)))
    return _described(shape, cells, home, format, counts, chunks), payload


@lru_cache(maxsize=64)
def table_in_memory(shape: tuple[int, int], cells: int, home: int, format: Format = "zero-aware") -> AnyTable:
    """The table of a pattern, given by its goal cells, without a file. The same arguments give the same object."""
    header, payload = construct_in_memory(shape, cells, home, format)
    return header.over(payload)


def tables_in_memory(shape: tuple[int, int], patterns: list[int], home: int, format: Format) -> list[AnyTable]:
    """Return `table_in_memory` of several patterns; threads share the work where it takes longer than they do."""
    table = partial(table_in_memory, shape, home=home, format=format)
    spaces = [space_of(shape, cells, format) for cells in patterns]  # made before threads look for them
    size = sum(space.payload_bytes(format == "classic") for space in spaces)
    threads = min(processor_count(), len(patterns)) if size >= _WORTH_THREADS else 1
    if threads > 1:
        with suppress(ThreadsError), Team(threads) as team:
            return [result_of(future) for future in [team.submit(table, cells) for cells in patterns]]
    return [table(cells) for cells in patterns]


def build_file(
    shape: tuple[int, int],
    cells: int,
    home: int,
    format: Format,
    folder: Path,
    threads: int = 1,
    memory: Optional[int] = None,
    progress: Optional[Progress] = None,
) -> TableFile:
    """Build the table of a pattern as a file in `folder`, which appears complete or not at all.

    `memory` bounds the working memory in bytes: what is beyond it goes to a scratch file. `progress` is called from
    any of the threads.
    """
    remove_leftovers(folder)
    space = space_of(shape, cells, format)
    path = folder / file_name(shape, format, cells, space.region(cells, home))
    lock = threading.Lock()
    with write_atomically(path) as file:

        def write(offset: int, part: Any) -> None:
            with lock:
                file.seek(HEADER_BYTES + offset)
                file.write(part)

        counts = _construct(shape, cells, home, format, write, folder, threads, memory, progress)
        file.seek(HEADER_BYTES)
        chunks = iter(partial(file.read, _chunk_bytes(space, format)), b"")
        header = _described(shape, cells, home, format, counts, chunks).header()
        file.seek(0)
        file.write(header)
    return TableFile.read(path)
