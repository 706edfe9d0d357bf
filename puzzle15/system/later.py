"""numpy as ``np``, imported when it is first used, because the import takes longer than solving a board."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

__all__ = ["np"]


class _Later(ModuleType):
    """A module that is imported when one of its names is first used; the name is then kept."""

    def __getattr__(self, name: str) -> Any:
        value = getattr(import_module(self.__name__), name)
        setattr(self, name, value)
        return value


if TYPE_CHECKING:
    import numpy as np
else:
    np = _Later("numpy")
