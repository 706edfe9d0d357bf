"""Verifying the tables of a folder: each is built again and compared."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Optional

from .._system.threads import thread_count
from ..errors import TableCorruptError
from ._construction import construct_in_memory
from ._file import TableFile, file_name
from ._folder import Folder, table_paths
from ._stamps import checking


@dataclass
class Verification:
    """The result of `verify` for one table file.

    Attributes
    ----------
    path : Path
    table : TableFile or None
        None if the header is unreadable.
    entries : int
        How many were compared with a new build.
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
    tables: Folder = None,
    *,
    workers: Optional[int] = None,
    progress: Optional[Callable[[float, str], None]] = None,
) -> list[Verification]:
    """Check every table of a folder: build it again in memory, and compare. The reports are ordered by name.

    The parameters are those of `build_tables`.
    """
    reports = []
    paths = table_paths(tables)
    threads = thread_count(workers)
    for number, path in enumerate(paths):

        def report(share: float, what: str, number: int = number, name: str = path.name) -> None:
            if progress:
                progress((number + share) / len(paths), f"{name}: {what}")

        start = time.perf_counter()
        result = Verification(path, None)
        try:
            result.table = table = TableFile.read(path)
            with checking(table):
                _verify_table(result, table, threads, report)
        except FileNotFoundError:
            continue  # taken away, or a link to nothing
        except TableCorruptError as error:
            result.problems = result.problems or [str(error)]
        result.seconds = time.perf_counter() - start
        reports.append(result)
    return reports


def _verify_table(result: Verification, table: TableFile, threads: int, report: Callable[[float, str], None]) -> None:
    expected = file_name(table.shape, table.format, table.cells, table.region)
    if table.path.name != expected:
        result.problems.append(f"the file's name should be {expected}")
    if not table.is_sound(table.mapped()[0]):
        result.problems.append("the payload is damaged: its checksum is wrong")
    home = table.region.bit_length() - 1
    new, _ = construct_in_memory(table.shape, table.cells, home, table.format, threads, report)
    result.entries = sum(table.counts)
    if replace(new, path=table.path) != table:
        result.problems.append("it differs from a new build")
    if result.problems:
        raise TableCorruptError("; ".join(result.problems))
