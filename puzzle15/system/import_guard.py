"""What the import of the package needs: the main interpreter of a process, and compiled C modules."""

from __future__ import annotations

import sys
from contextlib import suppress
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES, PathFinder
from os import path
from typing import Any

__all__ = ["check_interpreter", "is_compiled", "leave_source"]


def check_interpreter() -> None:
    """ImportError in any interpreter but the first of the process."""
    interpreters = _interpreters()
    if interpreters is not None and interpreters.get_current() != interpreters.get_main():
        raise ImportError(
            "puzzle15 was imported in a sub-interpreter, but works only in the main interpreter of a process, "
            "as numpy does; use threads or processes, and with mod_wsgi, WSGIApplicationGroup %{GLOBAL}"
        )


def _interpreters() -> Any:
    """The module that knows of interpreters; None in a Python that has only one."""
    for name in ("_interpreters", "_xxsubinterpreters"):  # since Python 3.13, and before
        with suppress(ImportError):
            return import_module(name)
    return None


def leave_source(package: str, folders: list[str]) -> None:
    """Under ``python -m``, go on with the installed package; else ImportError says what to do.

    Python looks for packages in the folder where it is started before it looks where they are installed.

    Parameters
    ----------
    package : str
        The package's name.
    folders : list of str
        Its ``__path__``, which is changed.
    """
    source = path.abspath(folders[0])
    others = [entry for entry in sys.path if path.abspath(entry) != path.dirname(source)]
    spec = PathFinder.find_spec(package, others)
    installed = list(spec.submodule_search_locations or ()) if spec is not None else []
    if _is_module_run() and installed and is_compiled(installed[0]):
        sys.path[:] = others
        folders[:] = installed
        return
    advice = (
        "start Python in another folder, where it finds the installed package"
        if installed and is_compiled(installed[0])
        else "install the package (pip install .), and start Python in another folder"
    )
    raise ImportError(
        f"{package} is imported from its source folder, {source}, where its C modules are not compiled. "
        f"Either {advice}; or compile them here: pip install -e ."
    )


def _is_module_run() -> bool:
    """Whether the process was started by ``python -m``, with this package or with another module, such as doctest."""
    main = sys.modules.get("__main__")
    return sys.argv[:1] == ["-m"] or getattr(main, "__spec__", None) is not None


def is_compiled(folder: str) -> bool:
    """Whether a folder has the package's C modules."""
    return any(path.exists(path.join(folder, "_core", "base", f"board{suffix}")) for suffix in EXTENSION_SUFFIXES)
