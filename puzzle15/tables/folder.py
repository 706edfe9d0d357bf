"""The folder of the tables: where it is, and what is in it; building and verifying tables there."""

from __future__ import annotations

import errno
import os
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Optional, Union

from .._core.tables.tables import Table
from ..board import check_shape, home_cell
from ..errors import DiskFullError, TableCorruptError
from ..parallel import Team, locked, result_of, thread_count
from ..system.machine import processor_count
from ..system.quantities import Size, format_size, size
from . import construction
from .file import FORMATS, TableFile, combine_checksums, file_name, space_of
from .partitions import Partition, parse_partition, pattern_name
from .stamps import LONGEST_TICK_NS, cache_folder, checking, is_checked

__all__ = [
    "BuildPlan",
    "CHECKS",
    "Verification",
    "build",
    "find_tables",
    "folder_state",
    "open_table",
    "plan_build",
    "table_folder",
    "verify",
]

Folder = Union[str, os.PathLike, None]

CHECKS = ("once", "always", "never")

_SPARE_DISK_BYTES = 16 << 20


def table_folder(directory: Folder = None) -> Path:
    """The folder of the tables: `directory`, else ``$PUZZLE15_TABLES``, else the user's cache folder.

    Raises
    ------
    ValueError
        It begins with ``~`` and a user that the system does not know.
    """
    if directory is not None:
        return _expanded(directory)
    named = os.environ.get("PUZZLE15_TABLES")
    if named:
        return _expanded(named, "PUZZLE15_TABLES=")
    try:
        return cache_folder()
    except RuntimeError:
        raise ValueError(
            "the folder of the tables: the user has no home folder; name one: --dir, or $PUZZLE15_TABLES"
        ) from None


def _expanded(folder, what=""):
    """A folder's path, ``~`` and ``~user`` written out."""
    try:
        return Path(folder).expanduser()
    except RuntimeError:
        user = Path(folder).parts[0]
        raise ValueError(
            f"{what}{os.fspath(folder)!r}: expected a folder, but the home folder of {user} is not known; "
            f"write the folder out"
        ) from None


def find_tables(directory: Folder = None) -> tuple[list[TableFile], list[TableCorruptError]]:
    """The sound table files of a folder, by name, and what is wrong with all else that is named ``*.p15``.

    Only headers and sizes are looked at; `open_table` reads everything once, `verify` each time.
    """
    sound: list[TableFile] = []
    broken: list[TableCorruptError] = []
    for path in sorted(table_folder(directory).glob("*.p15")):
        try:
            sound.append(TableFile.read(path))
        except TableCorruptError as error:
            broken.append(error)
        except FileNotFoundError:
            continue  # taken away between listing and reading
    return sound, broken


def open_table(table: TableFile, check: str = "once") -> Table:
    """Map a table file whose bytes can be trusted.

    Parameters
    ----------
    table : TableFile
    check : {"once", "always", "never"}
        When to compare all bytes with the checksum: once for a file, as long as it does not change, see
        `puzzle15.tables.stamps`; whenever it is opened; or never.

    Raises
    ------
    TableCorruptError
        The file is damaged.
    """
    if check not in CHECKS:
        raise ValueError(f"check {check!r}: expected {', '.join(CHECKS)}")
    payload, status = table.mapped()
    if check == "always" or check == "once" and not is_checked(table, status):
        with checking(table, status):
            table.check(payload)
    return table.over(payload)


def folder_state(directory: Folder = None) -> tuple[Any, ...]:
    """What changes when tables come or go; it takes some microseconds to find out."""
    folder = table_folder(directory).absolute()
    try:
        changed = os.stat(folder).st_mtime_ns
        if abs(time.time_ns() - changed) > LONGEST_TICK_NS:
            return folder, changed
        with os.scandir(folder) as entries:  # it may change again without another time
            return folder, changed, *sorted(_entry_state(entry) for entry in entries if entry.name.endswith(".p15"))
    except OSError:
        return (folder,)


def _entry_state(entry):
    try:
        status = entry.stat()
    except OSError:
        return (entry.name,)
    return entry.name, status.st_ino, status.st_size, status.st_mtime_ns


@dataclass(frozen=True)
class BuildPlan:
    """What `build` would do.

    Attributes
    ----------
    folder : Path
    shape : (int, int)
    home : int
        The cell that stands for the home.
    format : str
    partitions : list of tuple of int
    missing : list of int
        The goal cells of the patterns whose tables are to be built.
    present : list of TableFile
        Those that are there already.
    disk_bytes : int
        Finished files and scratch file.
    memory_bytes : int
        Peak working memory.
    free_bytes : int
        What the disk has.
    memory_limit : int or None
    threads : int
    """

    folder: Path
    shape: tuple[int, int]
    home: int
    format: str
    partitions: list[Partition]
    missing: list[int]
    present: list[TableFile]
    disk_bytes: int
    memory_bytes: int
    free_bytes: int
    memory_limit: Optional[int]
    threads: int

    def pattern(self, cells: int) -> str:
        """A pattern's tiles as text."""
        return pattern_name(cells, self.home)


def plan_build(
    partition: Optional[str] = None,
    *,
    shape: Sequence[int] = (4, 4),
    home: Union[int, str] = "corner",
    format: str = "zero-aware",
    directory: Folder = None,
    threads: Optional[int] = None,
    memory: Optional[Size] = None,
    force: bool = False,
) -> BuildPlan:
    """What `build` with the same parameters would do, and what it needs."""
    shape = check_shape(shape)
    if format not in FORMATS:
        raise ValueError(f"format {format!r}: expected {' or '.join(FORMATS)}")
    most = _thread_count(threads)
    memory = None if memory is None else size("memory", memory)
    cell = home_cell(home, shape)
    partitions = parse_partition(partition, shape, cell)
    folder = table_folder(directory)
    patterns = list(dict.fromkeys(cells for partition in partitions for cells in partition))
    missing, present = [], []
    for cells in patterns:
        table = None if force else _existing(folder, shape, format, cells, cell)
        if table is None:
            missing.append(cells)
        else:
            present.append(table)

    def needs_with(threads: int) -> list[construction.Requirements]:
        return [construction.requirements(shape, cells, format, threads) for cells in missing]

    needs = needs_with(most)
    if memory is not None:
        # Each thread takes its share: without a number asked for, as many as the bound allows.
        while threads is None and most > 1 and _least(needs) > memory:
            most -= 1
            needs = needs_with(most)
        if _least(needs) > memory:
            raise ValueError(
                f"memory {format_size(memory)}: building this with {most} thread{'s' * (most > 1)} "
                f"takes at least {format_size(_least(needs))}"
            )
    working = max((need.memory for need in needs), default=0)
    bounded = memory is not None and memory < working
    scratch = max((need.scratch for need in needs), default=0) if bounded else 0
    return BuildPlan(
        folder=folder,
        shape=shape,
        home=cell,
        format=format,
        partitions=partitions,
        missing=missing,
        present=present,
        disk_bytes=sum(need.file for need in needs) + scratch,
        memory_bytes=working if memory is None else min(memory, working),
        free_bytes=shutil.disk_usage(_existing_parent(folder)).free,
        memory_limit=memory if bounded else None,
        threads=most,
    )


def build(
    partition: Optional[str] = None,
    *,
    shape: Sequence[int] = (4, 4),
    home: Union[int, str] = "corner",
    format: str = "zero-aware",
    directory: Folder = None,
    threads: Optional[int] = None,
    memory: Optional[Size] = None,
    force: bool = False,
    progress: Optional[Callable[[float, str], None]] = None,
) -> list[TableFile]:
    """Build the tables of a partition, those that are not there yet.

    Parameters
    ----------
    partition : str, optional
        ``7-8``, ``7-7-1``, ``6-6-3``, ``5-5-5``, or tiles such as ``1-8/9-15``; by default what the
        shape is solved with.
    shape : (int, int)
    home : int or {"corner", "edge", "center"}
        Where the goal has its blank; cells that symmetries carry into each other share tables.
    format : {"zero-aware", "classic"}
    directory : path, optional
        See `table_folder`.
    threads : int, optional
        By default as many as there are processors. The files do not depend on it.
    memory : int or str, optional
        A bound for the working memory: bytes, or text such as ``"256M"``; a scratch file in the folder takes the rest.
    force : bool
        Build tables that are there, too.
    progress : callable, optional
        Called with the share of the work done (0 .. 1) and what is going on.

    Returns
    -------
    list of TableFile
        All tables of the partition. Each file appears complete or not at all. Of several processes
        that build in one folder, one does so at a time, and the others take what is there then.

    Raises
    ------
    ValueError
        Unknown partition, home or format; a memory bound that is too small.
    DiskFullError
        The disk has too little room, with the figures; nothing was written.
    """

    def plan_now() -> BuildPlan:
        plan = plan_build(
            partition,
            shape=shape,
            home=home,
            format=format,
            directory=directory,
            threads=threads,
            memory=memory,
            force=force,
        )
        _check_folder(plan)
        return plan

    def say_waiting() -> None:
        if progress:
            progress(0.0, "waiting for another process that builds here")

    plan = plan_now()
    tables = {}
    if plan.missing:
        plan.folder.mkdir(parents=True, exist_ok=True)
        with locked(plan.folder / ".p15-build.lock", say_waiting):
            plan = plan_now()  # the other one may have built them
            tables = _build_missing(plan, progress)
    tables.update((table.cells, table) for table in plan.present)
    return [tables[cells] for cells in dict.fromkeys(c for p in plan.partitions for c in p)]


def _check_folder(plan):
    """Raise what would stop the build at its end."""
    for cells in plan.missing:
        path = _path(plan.folder, plan.shape, plan.format, cells, plan.home)
        if path.is_dir() and not path.is_symlink():
            raise TableCorruptError(f"{path}: it is a folder, but a table belongs there; remove it")
    if plan.missing and plan.free_bytes < plan.disk_bytes + _SPARE_DISK_BYTES:
        raise DiskFullError(
            errno.ENOSPC,
            f"{plan.folder}: building takes {format_size(plan.disk_bytes)} of disk, {format_size(plan.free_bytes)} are "
            f"free; make room, or name another folder (--dir)",
        )


def _build_missing(plan, progress):
    """The tables that the plan says are missing, by the goal cells of their patterns."""
    needs = [construction.requirements(plan.shape, cells, plan.format).scratch for cells in plan.missing]
    done = 0
    tables = {}
    for cells, need in zip(plan.missing, needs):
        name = f"tiles {plan.pattern(cells)}"

        def report(share: float, what: str, done: int = done, need: int = need, name: str = name) -> None:
            if progress:
                progress((done + share * need) / sum(needs), f"{name}: {what}")

        table = construction.build_file(
            plan.shape, cells, plan.home, plan.format, plan.folder, plan.threads, plan.memory_limit, report
        )
        with checking(table):
            tables[cells] = table  # its checksum was made of the bytes when they were written
        done += need
        report(0.0, "done", done)
    return tables


@dataclass
class Verification:
    """What `verify` found about one table file.

    Attributes
    ----------
    path : Path
    table : TableFile or None
        None when the header is unreadable.
    entries : int
        Entries held against all their neighbours.
    problems : list of str
        Empty for a sound table.
    seconds : float
    """

    path: Path
    table: Optional[TableFile]
    entries: int = 0
    problems: list[str] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def sound(self) -> bool:
        return not self.problems


def verify(
    directory: Folder = None,
    *,
    threads: Optional[int] = None,
    progress: Optional[Callable[[float, str], None]] = None,
) -> list[Verification]:
    """Check every table of a folder: checksums, and all entries against all their neighbours.

    The invariants: value 0 exactly at the goal; every other entry has a neighbour that is one
    closer; neighbours differ by one.  (A classic entry is a minimum over the blank's regions; there
    the neighbour may be more than one closer.)

    Returns
    -------
    list of Verification
        One a file, in order of names.
    """
    reports = []
    paths = sorted(table_folder(directory).glob("*.p15"))
    with Team(_thread_count(threads)) as team:
        for number, path in enumerate(paths):

            def report(share: float, what: str, number: int = number, name: str = path.name) -> None:
                if progress:
                    progress((number + share) / len(paths), f"{name}: {what}")

            start = time.perf_counter()
            result = Verification(path, None)
            try:
                result.table = TableFile.read(path)
                with checking(result.table):
                    _verify_table(result, team, report)
            except FileNotFoundError:
                continue  # taken away, or a link to nothing
            except TableCorruptError as error:
                result.problems = result.problems or [str(error)]
            result.seconds = time.perf_counter() - start
            reports.append(result)
    return reports


def _verify_table(result, team, report):
    table = result.table
    expected = file_name(table.shape, table.format, table.cells, table.region)
    if table.path.name != expected:
        result.problems.append(f"the file's name should be {expected}")
    chunks = -(-table.payload_bytes // table.chunk_bytes)
    pieces = [(begin, min(begin + 32, chunks)) for begin in range(0, chunks, 32)]
    checksums = []
    for future in [team.submit(table.chunk_checksums, *piece) for piece in pieces]:
        checksums += result_of(future)
        report(0.1 * len(checksums) / chunks, "checksum")
    if combine_checksums(checksums) != table.checksum:
        result.problems.append("the payload is damaged: its checksum is wrong")
    opened = table.open()
    rows = opened.payload_rows
    opened.check(0, 0)  # lists the moves once, before the threads share them
    step = max(1, min(64, rows // 64))
    totals: dict[str, int] = {}
    begins = range(0, rows, step)
    futures = [team.submit(opened.check, begin, min(begin + step, rows)) for begin in begins]
    for begin, future in zip(begins, futures):
        for name, count in result_of(future).items():
            totals[name] = totals.get(name, 0) + count
        report(0.1 + 0.9 * begin / rows, "neighbours")
    result.entries = totals["entries"]
    texts = {
        "false_goals": "the goal has not the value 0",
        "stuck": "{} entries have no neighbour closer to the goal",
    }
    result.problems += [text.format(f"{totals[name]:,}") for name, text in texts.items() if totals[name]]
    if totals["entries"] - totals["unreachable"] != sum(table.counts):
        result.problems.append("the header's counts do not add up to the entries")
    if result.problems:
        raise TableCorruptError("; ".join(result.problems))


def _path(folder, shape, format, cells, home):
    region = space_of(shape, bin(cells).count("1")).region(cells, home)
    return folder / file_name(shape, format, cells, region)


def _existing(folder, shape, format, cells, home):
    """The sound table file of a pattern, or None."""
    path = _path(folder, shape, format, cells, home)
    try:
        table = TableFile.read(path)
        if table.path.name != file_name(table.shape, table.format, table.cells, table.region):
            return None
        open_table(table)
    except (FileNotFoundError, TableCorruptError):
        return None
    return table


def _existing_parent(folder):
    folder = folder.absolute()
    while not folder.exists():
        folder = folder.parent
    return folder


def _least(needs):
    """The smallest memory bound that all of these can be built under."""
    return max((need.least_memory for need in needs), default=0)


def _thread_count(threads):
    return processor_count() if threads is None else thread_count(threads)
