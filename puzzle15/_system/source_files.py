"""`import_file`: Python files that are imported by their paths, also in processes that are sent what they define."""

from __future__ import annotations

import os
import re
import sys
from types import ModuleType
from typing import Optional

#: The path and the checksum of each file that was imported, by the name of its module.
_imported: dict[str, tuple[str, str]] = {}


def import_file(path: str, checksum: Optional[str] = None) -> ModuleType:
    """The module of a Python file, which may import what lies beside it; a file is run again only if it has changed.

    What it defines can be sent to other processes: a `Parcel` also holds the file's path and its checksum.

    Parameters
    ----------
    path : str
    checksum : str, optional
        The SHA-256 that the file should have, in hexadecimal digits.

    Raises
    ------
    OSError
        If the file cannot be read.
    ImportError
        If it has another checksum. It is not run then.
    """
    from hashlib import sha256

    path = os.path.abspath(path)
    folder, file_name = os.path.split(path)
    name = f"{re.sub('[^0-9A-Za-z]', '_', file_name[:-3])}_{sha256(path.encode()).hexdigest()[:12]}"
    if checksum is not None and _imported.get(name) == (path, checksum):
        return sys.modules[name]
    with open(path, "rb") as file:
        source = file.read()
    found = sha256(source).hexdigest()
    if checksum not in (None, found):
        raise ImportError(f"{path} has changed since it was sent")
    if _imported.get(name) == (path, found):
        return sys.modules[name]
    add_to_path(folder)
    module = ModuleType(name)
    module.__file__ = path
    sys.modules[name] = module  # where dataclasses look for it
    try:
        exec(compile(source, path, "exec"), vars(module))  # these bytes, not what the file may have become
    except BaseException:
        del sys.modules[name]
        raise
    _imported[name] = path, found
    return module


def add_to_path(folder: str) -> None:
    """Let modules in a folder be imported, after those that are found without it."""
    if folder not in sys.path:
        sys.path.append(folder)


def files_in(content: bytes) -> tuple[tuple[str, str], ...]:
    """The files whose modules are named in a pickle, as arguments of `import_file`."""
    return tuple(file for name, file in _imported.items() if name.encode() in content)
