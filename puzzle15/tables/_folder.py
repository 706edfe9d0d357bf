"""The folder of the tables: its path, the tables in it, and opening them."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, Optional, Union, get_args

from .._system.quantities import check_choice
from ..board import Shape
from ..errors import OptionError, TableCorruptError
from ._file import MULTI_TILE, AnyTable, Format, TableFile, file_name, space_of
from ._stamps import checking, is_checked

#: A folder that users name; None is the default one.
Folder = Union[str, "os.PathLike[str]", None]

#: When `open_table` compares all bytes of a file with its checksum.
Check = Literal["once", "always", "never"]
CHECKS: tuple[Check, ...] = get_args(Check)


def table_folder(tables: Folder = None) -> Path:
    """Return the folder of the tables: `tables`, else ``$PUZZLE15_TABLES``, else the user's cache folder.

    ValueError if it begins with ``~`` and the name of an unknown user.
    """
    named = os.environ.get("PUZZLE15_TABLES") or None if tables is None else os.fspath(tables)
    try:
        return _cache_folder() if named is None else Path(named).expanduser()
    except RuntimeError:
        if named is None:
            what = "the folder of the tables: the user has no home folder; name one: --tables, or $PUZZLE15_TABLES"
        else:
            user, variable = Path(named).parts[0], "PUZZLE15_TABLES=" * (tables is None)
            what = f"{variable}{named!r}: expected a folder, but the home folder of {user} is not known; write it out"
        raise OptionError(what) from None


def _cache_folder() -> Path:
    """Return the user's cache folder of puzzle15; RuntimeError if the user has no home folder."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        given = os.environ.get("XDG_CACHE_HOME", "")
        # A relative one does not count, by the XDG base directory specification.
        base = given if os.path.isabs(given) else Path.home() / ".cache"
    return Path(base) / "puzzle15"


def _is_default(tables: Folder) -> bool:
    """Return whether nobody named the folder."""
    return tables is None and not os.environ.get("PUZZLE15_TABLES")


def table_paths(tables: Folder = None) -> list[Path]:
    """Return the files named ``*.p15`` in a folder, ordered by name; OSError if it is there, but cannot be read."""
    folder = table_folder(tables)
    try:
        return [folder / name for name in sorted(os.listdir(folder)) if name.endswith(".p15")]
    except FileNotFoundError:
        return []


def find_tables(tables: Folder = None) -> tuple[list[TableFile], list[TableCorruptError]]:
    """Return the sound table files of a folder, ordered by name, and an error for each other file named ``*.p15``.

    This looks at headers and sizes only. `open_table` reads all bytes once, `verify` reads them each time. A default
    folder that cannot be read, or that a user without a home lacks, has no tables, and there is an error for it.
    """
    sound: list[TableFile] = []
    broken: list[TableCorruptError] = []
    try:
        paths = table_paths(tables)
    except (OSError, OptionError) as error:
        if not _is_default(tables):
            raise
        why = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) else str(error)
        return [], [TableCorruptError(f"no tables can be read: {why}")]
    for path in paths:
        try:
            sound.append(TableFile.read(path))
        except TableCorruptError as error:
            broken.append(error)
        except FileNotFoundError:
            continue  # taken away between listing and reading
    return sound, broken


def find_table(
    shape: tuple[int, int], cells: int, home: int, format: Format, *, tables: Folder = None
) -> Optional[TableFile]:
    """Return the table file of a pattern, given by its goal cells, or None if it has not been built.

    TableCorruptError if the header is damaged. `open_table` and `TableFile.load` check the other bytes.
    """
    region = space_of(shape, cells, format).region(cells, home)
    try:
        if _is_default(tables):
            table_paths()
        return TableFile.read(table_folder(tables) / file_name(shape, format, cells, region))
    except FileNotFoundError:
        return None
    except (PermissionError, OptionError):  # of the folder
        if _is_default(tables):
            return None
        raise


def missing(what: str, named: str, shape: Shape, home: int, format: Optional[Format], tables: Folder) -> str:
    """Which tables are missing, and the command that builds them; `named` are its words for these tables."""
    from shlex import quote

    rows, cols = shape
    options = {
        "shape": f"{rows}x{cols}" if shape != (4, 4) else None,
        "home": str(home) if home != rows * cols - 1 else None,
        "metric": "mtm" if format == MULTI_TILE else None,
        "format": format if format != MULTI_TILE else None,
        "tables": None if tables is None else quote(os.fspath(tables)),
    }
    given = "".join(f" --{name} {value}" for name, value in options.items() if value is not None)
    return (
        f"no {f'{format} ' if format else ''}tables of {what} for {rows}x{cols} with the blank's home at cell {home} "
        f"in {table_folder(tables)}; build them: puzzle15 build{named}{given}"
    )


def open_table(table: TableFile, *, check: str = "once") -> AnyTable:
    """Map a table file; TableCorruptError if it is damaged. `check` is that of `puzzle15.Solver`."""
    check_choice("check", check, CHECKS)
    payload, status = table.mapped()
    if check == "always" or check == "once" and not is_checked(table, status):
        with checking(table, status):
            table.check(payload)
    return table.over(payload)


def folder_state(tables: Folder = None) -> tuple[Any, ...]:
    """Return a value that changes when tables are added, replaced or removed; finding it takes some microseconds."""
    state: tuple[Any, ...] = ()
    with suppress(OSError, OptionError):
        state = (table_folder(tables).absolute(),)
        names = [path.name for path in table_paths(tables)]
        state = (*state, os.stat(*state).st_mtime_ns, *names)  # the clock of the file system may not have ticked
    return state
