"""The file into which a command draws: checked before the work, written after it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Optional

from ..system.files import write_atomically
from .console import UsageError, write_line

__all__ = ["is_output", "kind_of_file", "write_picture"]


def is_output(name: Optional[str]) -> bool:
    """Whether a picture goes to standard output: no name was given, or ``-``."""
    return name in (None, "-")


def kind_of_file(name: Optional[str], kinds: Sequence[str], example: str) -> str:
    """How the name of a file ends, in lower case; ``.svg`` for standard output.

    Raises
    ------
    UsageError
        If its end is none of `kinds`, if its folder is not there, or if no name was given on a terminal; the last
        message shows `example` with each of `kinds`.
    """
    if name is None and sys.stdout.isatty():
        names = [f"-o {example}{kind}" for kind in kinds]
        raise UsageError(f"expected the name of a file: {', '.join(names[:-1])} or {names[-1]}")
    if name is None or name == "-":
        return ".svg"
    path = Path(name)
    kind = path.suffix.lower()
    if kind not in kinds:
        raise UsageError(f"{name}: expected a name that ends in {', '.join(kinds)}")
    if not path.parent.is_dir():
        raise UsageError(f"cannot write {name}: {path.parent} is not a folder")
    return kind


def write_picture(name: Optional[str], content: bytes) -> None:
    """Write a picture into a file, or to standard output, where it is text."""
    if name is None or name == "-":
        write_line(content.decode())
        return
    try:
        with write_atomically(Path(name)) as file:
            file.write(content)
    except OSError as error:
        raise UsageError(f"cannot write {name}: {error.strerror}") from None
