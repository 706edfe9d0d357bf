"""Verifying the tables of a folder: every byte, and every entry against its neighbours."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Optional

from .._core.tables.tables import Table
from ..errors import TableCorruptError
from ..parallel import Team, result_of, threads_or_all
from .construction import construct_in_memory
from .file import TableFile, file_name
from .folder import Folder, table_folder
from .stamps import checking

__all__ = ["Verification", "verify"]


@dataclass
class Verification:
    """The result of `verify` for one table file.

    Attributes
    ----------
    path : Path
    table : TableFile or None
        None if the header is unreadable.
    entries : int
        How many were compared with all their neighbours, or with a new build.
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
    """Check every table of a folder: all checksums, and all entries. The reports are ordered by name.

    A sound zero-aware table has value 0 exactly at the goal; every other entry has a neighbour that is one closer.
    Tables of other formats are built again and compared. The parameters are those of `build_tables`.
    """
    reports = []
    paths = sorted(table_folder(tables).glob("*.p15"))
    with Team(threads_or_all(workers)) as team:
        for number, path in enumerate(paths):

            def report(share: float, what: str, number: int = number, name: str = path.name) -> None:
                if progress:
                    progress((number + share) / len(paths), f"{name}: {what}")

            start = time.perf_counter()
            result = Verification(path, None)
            try:
                result.table = table = TableFile.read(path)
                with checking(table):
                    _verify_table(result, table, team, report)
            except FileNotFoundError:
                continue  # taken away, or a link to nothing
            except TableCorruptError as error:
                result.problems = result.problems or [str(error)]
            result.seconds = time.perf_counter() - start
            reports.append(result)
    return reports


def _verify_table(result: Verification, table: TableFile, team: Team, report: Callable[[float, str], None]) -> None:
    expected = file_name(table.shape, table.format, table.cells, table.region)
    if table.path.name != expected:
        result.problems.append(f"the file's name should be {expected}")
    if not table.is_sound(table.mapped()[0]):
        result.problems.append("the payload is damaged: its checksum is wrong")
    report(0.1, "checksum")
    if table.format == "zero-aware":
        _check_neighbours(result, table, team, report)
    else:  # entries that are minima, or differences of values, so neighbours prove little
        report(0.1, "building it again")
        home = table.region.bit_length() - 1
        new, _ = construct_in_memory(table.shape, table.cells, home, table.format)
        result.entries = sum(table.counts)
        if replace(new, path=table.path) != table:
            result.problems.append("the entries differ from those of a new build")
    if result.problems:
        raise TableCorruptError("; ".join(result.problems))


def _check_neighbours(result: Verification, table: TableFile, team: Team, report: Callable[[float, str], None]) -> None:
    opened = table.open()
    assert isinstance(opened, Table)
    rows = opened.space.row_count
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
