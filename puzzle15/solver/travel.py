"""What is sent of a solver to other processes."""

from __future__ import annotations

import os
from typing import NamedTuple, Optional

from ..board import Shape
from ..tables import Folder, Partition

__all__ = ["Description", "whole_path"]


class Description(NamedTuple):
    """What another process needs to open the same solver: the names of its tables, not their bytes."""

    goal: int
    shape: Shape
    folder: Optional[str]
    format: str
    embedded: bool
    views: tuple[tuple[Partition, tuple[int, ...]], ...]
    """Of each view the partition, and the symmetry that it is seen through."""
    plain: bool
    build: bool
    check: str


def whole_path(folder: Folder) -> Optional[str]:
    """A folder's path for processes that start in other folders; each expands ``~`` itself."""
    if folder is None:
        return None
    folder = os.fspath(folder)
    return folder if folder.startswith("~") else os.path.abspath(folder)
