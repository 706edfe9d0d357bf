"""The folder of the tables: its path, the tables in it, and opening them."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any, Optional, Union

from ..errors import TableCorruptError
from .file import AnyTable, TableFile, file_name, space_of
from .stamps import checking, is_checked

__all__ = ["CHECKS", "Folder", "find_table", "find_tables", "folder_state", "open_table", "table_folder"]

#: A folder that users name; None is the default one.
Folder = Union[str, "os.PathLike[str]", None]

#: When `open_table` compares all bytes of a file with its checksum.
CHECKS = ("once", "always", "never")

_LONGEST_TICK_NS = 2_000_000_000  # of the clock of any file system


def table_folder(tables: Folder = None) -> Path:
    """The folder of the tables: `tables`, else ``$PUZZLE15_TABLES``, else the user's cache folder.

    ValueError if it begins with ``~`` and the name of an unknown user.
    """
    if tables is not None:
        return _expanded(tables)
    named = os.environ.get("PUZZLE15_TABLES")
    if named:
        return _expanded(named, "PUZZLE15_TABLES=")
    try:
        return _cache_folder()
    except RuntimeError:
        raise ValueError(
            "the folder of the tables: the user has no home folder; name one: --tables, or $PUZZLE15_TABLES"
        ) from None


def _cache_folder() -> Path:
    """The user's cache folder of puzzle15; RuntimeError if the user has no home folder."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        named = os.environ.get("XDG_CACHE_HOME", "")
        # A relative one does not count, by the XDG base directory specification.
        base = named if os.path.isabs(named) else Path.home() / ".cache"
    return Path(base) / "puzzle15"


def _expanded(folder: Union[str, os.PathLike[str]], what: str = "") -> Path:
    """A folder's path, ``~`` and ``~user`` written out."""
    try:
        return Path(folder).expanduser()
    except RuntimeError:
        user = Path(folder).parts[0]
        raise ValueError(
            f"{what}{os.fspath(folder)!r}: expected a folder, but the home folder of {user} is not known; write it out"
        ) from None


def find_tables(tables: Folder = None) -> tuple[list[TableFile], list[TableCorruptError]]:
    """The sound table files of a folder, ordered by name, and an error for each other file named ``*.p15``.

    This looks at headers and sizes only. `open_table` reads all bytes once, `verify` reads them each time.
    """
    sound: list[TableFile] = []
    broken: list[TableCorruptError] = []
    for path in sorted(table_folder(tables).glob("*.p15")):
        try:
            sound.append(TableFile.read(path))
        except TableCorruptError as error:
            broken.append(error)
        except FileNotFoundError:
            continue  # taken away between listing and reading
    return sound, broken


def find_table(
    shape: tuple[int, int], cells: int, home: int, format: str, *, tables: Folder = None
) -> Optional[TableFile]:
    """The table file of a pattern, given by its goal cells, or None if it has not been built.

    TableCorruptError if the header is damaged. `open_table` and `TableFile.load` check the other bytes.
    """
    region = space_of(shape, cells, format).region(cells, home)
    try:
        return TableFile.read(table_folder(tables) / file_name(shape, format, cells, region))
    except FileNotFoundError:
        return None


def open_table(table: TableFile, *, check: str = "once") -> AnyTable:
    """Map a table file whose bytes can be trusted.

    Parameters
    ----------
    table : TableFile
    check : {"once", "always", "never"}
        When to compare all bytes with the checksum: once per file, until it changes (see
        `puzzle15.tables.stamps`); whenever it is opened; or never.

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


def folder_state(tables: Folder = None) -> tuple[Any, ...]:
    """A value that changes when tables are added or removed; finding it takes some microseconds."""
    folder = table_folder(tables).absolute()
    try:
        changed = os.stat(folder).st_mtime_ns
        if abs(time.time_ns() - changed) > _LONGEST_TICK_NS:
            return folder, changed
        with os.scandir(folder) as entries:  # it may change again without another time
            return folder, changed, *sorted(_entry_state(entry) for entry in entries if entry.name.endswith(".p15"))
    except OSError:
        return (folder,)


def _entry_state(entry: os.DirEntry[str]) -> tuple[Any, ...]:
    try:
        status = entry.stat()
    except OSError:
        return (entry.name,)
    return entry.name, status.st_ino, status.st_size, status.st_mtime_ns
