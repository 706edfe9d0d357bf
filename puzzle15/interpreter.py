"""Which interpreter this runs in: the package, as numpy does, keeps state that one of a process can have."""

from __future__ import annotations

__all__ = ["check_interpreter"]


def check_interpreter() -> None:
    """ImportError in any interpreter but the first of the process."""
    try:
        import _interpreters  # since Python 3.13
    except ImportError:
        try:
            import _xxsubinterpreters as _interpreters
        except ImportError:
            return  # a Python that has only one
    if _interpreters.get_current() != _interpreters.get_main():
        raise ImportError("puzzle15 was imported in a sub-interpreter, but works only in the main interpreter of a process, "
                          "as numpy does; use threads or processes, and with mod_wsgi, WSGIApplicationGroup %{GLOBAL}")
