"""What is imported when it is first used: names of packages, which their stubs ``__init__.pyi`` list, and numpy."""

from __future__ import annotations

import sys
from contextlib import suppress
from importlib import import_module
from os import path
from types import ModuleType

__all__ = ["attach_stub", "np"]

TYPE_CHECKING = False  # as typing has it, which takes long to import
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Optional


def attach_stub(
    package: str, folders: Sequence[str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return ``__getattr__``, ``__dir__`` and ``__all__`` of a package (PEP 562) of this ``__name__`` and ``__path__``.

    Without the stub, as in a program that is frozen with its modules alone, names are searched for in these.
    """
    lines: list[list[str]] = []
    with suppress(OSError), open(path.join(folders[0], "__init__.pyi"), encoding="utf-8") as stub:
        lines = [line.split() for line in stub if line.startswith("from ")]
    modules = {words[-1]: words[1] for words in lines}  # from .module import name as name

    def get(name: str) -> Any:
        module = modules.get(name) if modules or name.startswith("__") else _module_with(name, package, folders)
        if module is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value: Any = import_module(f"{package}.{name}" if module == "." else module, package)
        if module != ".":
            value = getattr(value, name)
        setattr(sys.modules[package], name, value)  # Python does not call this function again
        return value

    def names() -> list[str]:
        own = [name for name in vars(sys.modules[package]) if name.startswith("__")]
        return sorted({*own, *modules})

    return get, names, [name for name, module in modules.items() if module != "."]


def _module_with(name: str, package: str, folders: Sequence[str]) -> Optional[str]:
    """Return the module of a package that offers a name, else the last one that has it. It imports all of them."""
    from pkgutil import iter_modules

    found = None
    for entry in iter_modules(folders):
        if entry.name == name:
            return "."
        with suppress(ImportError):  # an extra is missing
            module = None if entry.name.startswith("__") else import_module(f".{entry.name}", package)
            if name in getattr(module, "__all__", ()):
                return f".{entry.name}"
            found = f".{entry.name}" if hasattr(module, name) else found
    return found


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
