"""Packages that import a name when it is first used; their stub ``__init__.pyi`` is the only list of their names."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from os import path
from typing import Any


def attach_stub(
    package: str, folders: Sequence[str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """``__getattr__``, ``__dir__`` and ``__all__`` of a package (PEP 562), from its ``__name__`` and ``__path__``."""
    with open(path.join(folders[0], "__init__.pyi"), encoding="utf-8") as stub:
        lines = [line.split() for line in stub if line.startswith("from ")]
    modules = {words[-1]: words[1] for words in lines}  # from .module import name as name

    def get(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        if modules[name] == ".":
            value: Any = import_module(f"{package}.{name}")
        else:
            value = getattr(import_module(modules[name], package), name)
        setattr(sys.modules[package], name, value)  # Python does not call this function again
        return value

    def names() -> list[str]:
        own = [name for name in vars(sys.modules[package]) if name.startswith("__")]
        return sorted({*own, *modules})

    return get, names, [name for name, module in modules.items() if module != "."]
