"""Doors of rooms whose names are imported when they are first asked for, so that nobody pays for what he does not use.

A door tells checkers what it offers by imports under ``TYPE_CHECKING``, and Python by `on_demand`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

__all__ = ["on_demand"]


def on_demand(package: str, **modules: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` of a package (PEP 562).

    Parameters
    ----------
    package : str
        Its name.
    **modules : str
        Each module of the package by its name, and the names that it offers, between spaces. The modules themselves
        are attributes of the package, too.

    Examples
    --------
    >>> ask, names = on_demand("puzzle15.system", version="__version__", names="plain_name")
    >>> ask("plain_name")("A Star")
    'a-star'
    >>> {"plain_name", "names"} <= set(names())
    True
    >>> ask("nonsense")
    Traceback (most recent call last):
        ...
    AttributeError: module 'puzzle15.system' has no attribute 'nonsense'
    """
    homes = {name: module for module, names in modules.items() for name in names.split()}

    def ask(name: str) -> Any:
        if name in modules:
            return import_module(f"{package}.{name}")
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(f"{package}.{homes[name]}"), name)
        setattr(sys.modules[package], name, value)  # Python does not ask again
        return value

    def names() -> list[str]:
        own = {name for name in vars(sys.modules[package]) if name.startswith("__")}
        return sorted({*own, *modules, *homes})

    return ask, names
