"""What is sent to other processes: objects, as small settings that are opened there; and files of Python code."""

from __future__ import annotations

import copy
import os
import re
import sys
from collections.abc import Callable
from functools import lru_cache
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, Optional, TypeVar

from .locking import ThreadLock

_opening = ThreadLock()

_Self = TypeVar("_Self", bound="Sendable")

_ADVICE = "define it with def or class, at the top level of a module that the other process can import"


class Sendable:
    """A base class of objects that are pickled as their settings, without the files or tables they have open.

    A subclass defines `_settings` and `_open`. Unpickling opens nothing, because a pool breaks if that raises an error.
    The first use of an attribute opens the object. Equal settings that arrive in a process become the same object.
    Nothing changes an object, so it is its own copy.

    >>> import pickle
    >>> from puzzle15 import Solver
    >>> received = pickle.loads(pickle.dumps(Solver(shape=(2, 3))))
    >>> received.is_open, received.shape, received.is_open
    (False, (2, 3), True)
    """

    def _settings(self) -> tuple[Any, ...]:
        """Return the arguments of `_open`; small, and hashable if equal ones are to be shared."""
        raise NotImplementedError

    def _open(self, *settings: Any) -> None:
        """Set all attributes."""
        raise NotImplementedError

    @property
    def is_open(self) -> bool:
        """bool: whether it has more than its settings; reading this does not open it."""
        return "_unopened" not in self.__dict__

    def __reduce__(self) -> tuple[Any, ...]:
        unopened = self.__dict__.get("_unopened")  # read once, because another thread may be opening it
        return receive, (type(self), self._settings() if unopened is None else unopened)

    def __copy__(self: _Self) -> _Self:
        return self

    def __deepcopy__(self: _Self, memo: dict[int, Any]) -> _Self:
        return self

    if not TYPE_CHECKING:  # otherwise type checkers accept every attribute

        def __getattr__(self, name):
            """Open an object that was received."""
            if not self.is_open and not name.startswith("__"):
                with _opening:
                    if not self.is_open:
                        opened = object.__new__(type(self))  # so that a failure leaves nothing half open
                        opened._open(*self._unopened)
                        self.__dict__.update(opened.__dict__)
                        del self._unopened
            return object.__getattribute__(self, name)


def receive(kind: Any, settings: tuple[Any, ...]) -> Sendable:
    """Return the object of a pickle."""
    with _opening:  # otherwise two threads make two objects
        return _shared(kind, settings)


def _unopened(kind: Any, settings: tuple[Any, ...]) -> Sendable:
    received: Sendable = kind.__new__(kind)
    received.__dict__["_unopened"] = settings
    return received


_shared = lru_cache(maxsize=32)(_unopened)


class PicklableCallable(Sendable):
    """A callable for other processes; `what` is its name in errors.

    A function is sent as its name in its module, and any other callable as what it holds. If pickle cannot send it, or
    if it is defined in ``__main__``, cloudpickle sends it, provided that it was imported, as Dask does. What a file of
    `import_file` defines is sent with the file's path; the other process imports that, if it is the same file.

    >>> import pickle
    >>> pickle.loads(pickle.dumps(PicklableCallable(len)))("abc")
    3
    """

    def __init__(self, function: Callable[..., Any], what: str = "") -> None:
        self.function = function
        self.__name__ = getattr(getattr(function, "func", function), "__name__", type(function).__name__)
        self._what = f"{what}: " if what else ""

    def __call__(self, *arguments: Any) -> Any:
        """Call the function."""
        return self.function(*arguments)

    def _settings(self) -> tuple[Any, ...]:
        content = _packed(self.function, self._what)
        return self.__name__, self._what, content, files_in(content)

    def _open(self, name: str, what: str, content: bytes, files: tuple[tuple[str, str], ...]) -> None:
        import pickle

        try:
            for file in files:
                import_file(*file)
        except (OSError, ImportError) as error:
            advice = "send it again, or keep the file as it was"
            raise pickle.UnpicklingError(f"{what}this process cannot import {name} ({error}); {advice}") from None
        try:
            self.function = pickle.loads(content)
        except (ImportError, AttributeError) as error:
            raise pickle.UnpicklingError(f"{what}this process cannot find {name} ({error}); {_ADVICE}") from None
        self.__name__, self._what = name, what

    def __reduce__(self) -> tuple[Any, ...]:
        return _unopened, super().__reduce__()[1]  # not shared, because a callable may change when it is called

    def __deepcopy__(self, memo: dict[int, Any]) -> PicklableCallable:
        other = PicklableCallable(copy.deepcopy(self.function, memo))
        other._what = self._what
        return other


def _packed(function: Callable[..., Any], what: str) -> bytes:
    """Return a pickle of a callable."""
    import pickle

    content, refusal = b"", None
    try:
        content = pickle.dumps(function)
    except (pickle.PicklingError, AttributeError) as error:
        refusal = error
    if (refusal or b"__main__" in content) and "cloudpickle" in sys.modules:
        by_value: bytes = sys.modules["cloudpickle"].dumps(function)
        return by_value
    if refusal:
        is_function = isinstance(function, FunctionType)
        reason = f"find the function {function.__qualname__}" if is_function else f"receive it ({refusal})"
        raise pickle.PicklingError(f"{what}other processes cannot {reason}; {_ADVICE}")
    return content


# ---------------------------------------------------------------- files of Python code

#: The path and the checksum of each file that was imported, by the name of its module.
_imported: dict[str, tuple[str, str]] = {}


def import_file(path: str, checksum: Optional[str] = None) -> ModuleType:
    """Return the module of a Python file, which may import what lies beside it; it runs again only if it has changed.

    What it defines can be sent to other processes: a `PicklableCallable` also holds the file's path and its checksum,
    the SHA-256 in hexadecimal digits. It raises OSError if the file cannot be read, and ImportError if it has another
    checksum; it is not run then.
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
    """Return the files whose modules are named in a pickle, as arguments of `import_file`."""
    return tuple(file for name, file in _imported.items() if name.encode() in content)
