"""The import of the package needs compiled C modules, which a source folder does not have."""

from __future__ import annotations

import sys
from importlib.machinery import EXTENSION_SUFFIXES, PathFinder
from os import path


def use_compiled(package: str, folders: list[str]) -> None:
    """If a package is imported from its source folder, without C modules, use the installed one in its place, and warn.

    `folders` is the package's ``__path__``, which is changed. It raises ImportError if the package is not installed.
    """
    source = path.abspath(folders[0])
    if not _is_compiled(source):
        elsewhere = [entry for entry in sys.path if path.abspath(entry) != path.dirname(source)]
        spec = PathFinder.find_spec(package, elsewhere)
        folders[:] = spec.submodule_search_locations or () if spec is not None else ()
        if not folders or not _is_compiled(folders[0]):
            raise ImportError(f"{source}: the C modules of {package} are not compiled; compile them: pip install .")
        import warnings

        text = f"{source}: its C modules are not compiled, so {folders[0]} is used, and edits have no effect here"
        warnings.warn(f"{text}; compile them: pip install -e .", RuntimeWarning, stacklevel=3)


def _is_compiled(folder: str) -> bool:
    return any(path.exists(path.join(folder, "_core", "base", f"board{suffix}")) for suffix in EXTENSION_SUFFIXES)
