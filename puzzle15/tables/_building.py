"""Building the tables of a partition in a folder: what it takes, and doing it."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Optional, Union

from .._core.tables.tables import MAX_PATTERN
from .._system.locking import locked
from .._system.machine import available_memory
from .._system.quantities import Size, count_text, format_size, size
from .._system.threads import Team, result_of, thread_count
from ..board import Shape
from ..board._moves import Metric, check_metric
from ..board._notation import check_shape
from ..board._orientation import home_cell
from ..errors import DiskFullError, OptionError, TableCorruptError
from ._construction import Progress, Requirements, build_file
from ._file import FORMATS, MULTI_TILE, Format, TableFile, file_name, space_of
from ._folder import Folder, open_table, table_folder
from ._partitions import MAX_MULTI_TILE_PATTERN, Partition, parse_partition, parse_patterns, pattern_name
from ._stamps import checking

_SPARE_DISK_BYTES = 16 << 20


@dataclass(frozen=True)
class BuildPlan:
    """The work of a call of `build_tables`, and what it needs.

    Attributes
    ----------
    folder, shape, home, format, partitions, workers
    missing : list of int
        The goal cells of the patterns whose tables will be built.
    present : list of TableFile
        Tables that exist already.
    disk_bytes, memory_bytes, free_bytes : int
        Room for the finished files and the scratch file; peak working memory; free room on the disk.
    memory_limit : int or None
    """

    folder: Path
    shape: tuple[int, int]
    home: int
    format: Format
    partitions: list[Partition]
    missing: list[int]
    present: list[TableFile]
    disk_bytes: int
    memory_bytes: int
    free_bytes: int
    memory_limit: Optional[int]
    workers: int

    def pattern(self, cells: int) -> str:
        """Return a pattern's tiles as text."""
        return pattern_name(cells, self.home)


def plan_build(
    partition: Optional[str] = None,
    *,
    shape: Sequence[int] = (4, 4),
    home: Union[int, str] = "corner",
    format: Optional[Format] = None,
    metric: Metric = "stm",
    patterns: bool = False,
    tables: Folder = None,
    workers: Optional[int] = None,
    max_memory: Optional[Size] = None,
    force: bool = False,
) -> BuildPlan:
    """Plan a call of `build_tables` with the same parameters, without building anything."""
    shape, cell = check_shape(shape), home_cell(home, shape)
    format = _checked_format(format, metric)
    memory = available_memory() // 4 * 3 if max_memory is None else size("max_memory", max_memory)
    if patterns and partition is None:
        raise OptionError("patterns: expected tiles, such as 1-4/5-8; name the patterns")
    if patterns or format == MULTI_TILE:
        largest = MAX_MULTI_TILE_PATTERN if format == MULTI_TILE else MAX_PATTERN
        each = parse_patterns(partition, shape, cell, largest=largest)
        partitions: list[Partition] = [(cells,) for cells in each]
    else:
        partitions = parse_partition(partition, shape, cell)
    folder = table_folder(tables)
    missing, present = [], []
    for cells in dict.fromkeys(cells for partition in partitions for cells in partition):
        table = None if force else _existing(folder, shape, format, cells, cell)
        if table is None:
            missing.append(cells)
        else:
            present.append(table)
    most = thread_count(workers)
    while True:
        needs = [Requirements(shape, cells, format, most) for cells in missing]
        least = max((need.least_memory for need in needs), default=0)
        if least <= memory:
            break
        if workers is not None or most == 1:
            given = " (three quarters of the available memory)" if max_memory is None else ""
            threads = count_text(most, "thread")
            raise OptionError(
                f"max_memory {format_size(memory)}{given}: building this with {threads} takes at least "
                f"{format_size(least)}"
            )
        most -= 1  # each thread takes memory: without a given number, as many as the bound allows
    working = max((need.memory for need in needs), default=0)
    if format == MULTI_TILE and needs:  # each thread builds a table of its own
        most = max(1, min(most, len(needs), memory // working))
        working *= most
    bounded = memory < working
    scratch = max((need.scratch for need in needs), default=0) if bounded else 0
    whole = folder.absolute()
    return BuildPlan(
        folder=folder,
        shape=shape,
        home=cell,
        format=format,
        partitions=partitions,
        missing=missing,
        present=present,
        disk_bytes=sum(need.file for need in needs) + scratch,
        memory_bytes=min(memory, working),
        free_bytes=shutil.disk_usage(next(filter(Path.exists, (whole, *whole.parents)))).free,
        memory_limit=memory if bounded else None,
        workers=most,
    )


def _checked_format(format: Optional[Format], metric: Metric) -> Format:
    """Return the format of the tables, by default that of the metric."""
    check_metric(metric)
    possible: tuple[Format, ...] = FORMATS if metric == "stm" else (MULTI_TILE,)
    if format not in (None, *possible):
        raise OptionError(f"format {format!r} with metric {metric!r}: expected {' or '.join(possible)}")
    return format or possible[0]


def build_tables(
    partition: Optional[str] = None,
    *,
    shape: Sequence[int] = (4, 4),
    home: Union[int, str] = "corner",
    format: Optional[Format] = None,
    metric: Metric = "stm",
    patterns: bool = False,
    tables: Folder = None,
    workers: Optional[int] = None,
    max_memory: Optional[Size] = None,
    force: bool = False,
    progress: Optional[Callable[[float, str], None]] = None,
) -> list[TableFile]:
    """Build the tables of a partition that do not exist yet.

    Parameters
    ----------
    partition : str, optional
        ``7-8``, ``7-7-1``, ``6-6-3``, ``5-5-5``, or tiles such as ``1-8/9-15``; by default that of the shape. For the
        multi-tile metric, patterns such as ``1-6/10-15``, which may share tiles and leave some out.
    shape : (int, int)
    home : int or {"corner", "edge", "center"}
        The blank's cell in the goal. Cells that symmetries carry into each other share tables.
    format : {"zero-aware", "classic"}, optional
        By default zero-aware. Tables of the multi-tile metric have a format of their own.
    metric : {"stm", "mtm"}
        Whether the tables count single-tile or multi-tile moves.
    patterns : bool
        Whether `partition` names patterns for `puzzle15.heuristics.TableSum`, which may share tiles and leave some out.
    tables : path, optional
        The folder, see `table_folder`.
    workers : int, optional
        A number of threads, as they share one build; by default one per processor. The files do not depend on it.
    max_memory : int or str, optional
        A bound for the working memory: bytes, or text such as ``"256M"``; by default three quarters of the available
        memory. A scratch file in the folder holds the rest.
    force : bool
        Whether to build tables that exist already, too.
    progress : callable, optional
        Called with the share of the work done (0 .. 1) and the current step.

    Returns
    -------
    list of TableFile
        All tables of the partition. Each file appears complete or not at all. Processes that build in one folder take
        turns.

    Raises
    ------
    ValueError
        Unknown partition, home or format; a memory bound, given or by default, that is too small.
    DiskFullError
        The disk has too little room; nothing was written.
    """
    options: dict[str, Any] = {"shape": shape, "home": home, "format": format, "metric": metric, "patterns": patterns}
    options.update(tables=tables, workers=workers, max_memory=max_memory, force=force)
    plan = plan_build(partition, **options)
    _check_folder(plan)
    built = {}
    if plan.missing:
        _make_folder(plan.folder)
        waiting = partial(progress, 0.0, "waiting for another process that builds here") if progress else None
        with locked(plan.folder / ".p15-build.lock", waiting):
            plan = plan_build(partition, **options)  # the other process may have built them
            _check_folder(plan)
            built = _build_missing(plan, progress)
    built.update((table.cells, table) for table in plan.present)
    return [built[cells] for cells in dict.fromkeys(c for p in plan.partitions for c in p)]


def _check_folder(plan: BuildPlan) -> None:
    """Raise errors that would otherwise stop the build only at its end."""
    for cells in plan.missing:
        path = _path(plan.folder, plan.shape, plan.format, cells, plan.home)
        if path.is_dir() and not path.is_symlink():
            raise TableCorruptError(f"{path}: it is a folder, but a table belongs there; remove it")
    if plan.missing and plan.free_bytes < plan.disk_bytes + _SPARE_DISK_BYTES:
        raise DiskFullError(
            errno.ENOSPC,
            f"{plan.folder}: building takes {format_size(plan.disk_bytes)} of disk, {format_size(plan.free_bytes)} are "
            f"free; make room, or name another folder (--tables, or $PUZZLE15_TABLES)",
        )


def _make_folder(folder: Path) -> None:
    """Make the folder of the tables; OSError with advice if it cannot be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        raise OSError(
            error.errno,
            f"{folder}: tables cannot be written there ({error.strerror}); name another folder (--tables, or "
            "$PUZZLE15_TABLES)",
        ) from None


def _build_missing(plan: BuildPlan, progress: Optional[Progress]) -> dict[int, TableFile]:
    """Return the missing tables of the plan, by the goal cells of their patterns."""
    work = {cells: Requirements(plan.shape, cells, plan.format).work for cells in plan.missing}
    done = dict.fromkeys(plan.missing, 0.0)
    together = plan.format == MULTI_TILE and plan.workers > 1

    def build_one(cells: int, threads: int) -> TableFile:
        name = ", ".join(f"tiles {plan.pattern(other)}" for other in (plan.missing if together else [cells]))

        def report(share: float, what: str) -> None:
            done[cells] = share * work[cells]
            if progress:
                progress(sum(done.values()) / sum(work.values()), f"{name}: {what}")

        table = build_file(plan.shape, cells, plan.home, plan.format, plan.folder, threads, plan.memory_limit, report)
        with checking(table):  # its checksum was made of the bytes when they were written
            report(1.0, "done")
        return table

    if not together:
        return {cells: build_one(cells, plan.workers) for cells in plan.missing}
    with Team(plan.workers) as team:
        futures = [team.submit(build_one, cells, 1) for cells in plan.missing]
        return {cells: result_of(future) for cells, future in zip(plan.missing, futures)}


def _path(folder: Path, shape: Shape, format: Format, cells: int, home: int) -> Path:
    region = space_of(shape, cells, format).region(cells, home)
    return folder / file_name(shape, format, cells, region)


def _existing(folder: Path, shape: Shape, format: Format, cells: int, home: int) -> Optional[TableFile]:
    """Return the sound table file of a pattern, or None."""
    path = _path(folder, shape, format, cells, home)
    try:
        table = TableFile.read(path)
        open_table(table)
    except (FileNotFoundError, TableCorruptError):
        return None
    return table if path.name == file_name(table.shape, table.format, table.cells, table.region) else None
