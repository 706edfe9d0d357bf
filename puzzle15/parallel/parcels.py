"""`Parcel`: a callable that reaches other processes, or says what keeps it from that."""

from __future__ import annotations

import copy
import pickle
import sys
from collections.abc import Callable
from types import FunctionType
from typing import TYPE_CHECKING, Any

from .locking import ThreadLock

__all__ = ["Parcel"]

_opening = ThreadLock()

_ADVICE = "define it with def or class, at the top level of a module that the other process can import"


class Parcel:
    """A callable for other processes. One that arrives is opened when it is first called.

    What cannot be found raises an error then, and not while it is unpickled: pools break, or wait for ever, if that
    raises. A function is sent as its name in its module, and any other callable as what it holds. What pickle does not
    send, and what stands in ``__main__``, is sent by cloudpickle if that was imported, as it is where Dask is used.

    Parameters
    ----------
    function : callable
    what : str, optional
        What it is, for errors.

    Examples
    --------
    >>> there = pickle.loads(pickle.dumps(Parcel(len)))
    >>> there("abc"), there.function is len
    (3, True)
    """

    function: Callable[..., Any]
    _content: bytes

    def __init__(self, function: Callable[..., Any], what: str = "") -> None:
        self.function = function
        self.__name__ = getattr(getattr(function, "func", function), "__name__", type(function).__name__)
        self._what = f"{what}: " if what else ""

    def __call__(self, *arguments: Any) -> Any:
        """What the callable returns."""
        return self.function(*arguments)

    if not TYPE_CHECKING:  # or type checkers would accept every attribute

        def __getattr__(self, name):
            """Open a parcel that arrived."""
            if name == "function":
                with _opening:
                    if "function" not in self.__dict__:
                        self.function = self._opened()
                        del self._content
            return object.__getattribute__(self, name)

    def _opened(self) -> Any:
        try:
            return pickle.loads(self._content)
        except (ImportError, AttributeError) as error:
            raise pickle.UnpicklingError(
                f"{self._what}this process cannot find {self.__name__} ({error}); {_ADVICE}"
            ) from None

    def __getstate__(self) -> dict[str, Any]:
        content = self.__dict__.get("_content")  # once: another thread may be opening it
        content = content or _packed(self.function, self._what)
        return {"__name__": self.__name__, "_what": self._what, "_content": content}

    def __copy__(self) -> Parcel:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Parcel:
        other = Parcel(copy.deepcopy(self.function, memo))
        other._what = self._what
        return other


def _packed(function: Callable[..., Any], what: str) -> bytes:
    """A pickle of a callable that a process which can find its parts can open."""
    content = refusal = None
    try:
        content = pickle.dumps(function)
    except (pickle.PicklingError, AttributeError) as error:
        refusal = error
    if content is None or b"__main__" in content:
        cloudpickle: Any = sys.modules.get("cloudpickle")
        if cloudpickle is not None:
            by_value: bytes = cloudpickle.dumps(function)
            return by_value
    if content is None:
        is_function = isinstance(function, FunctionType)
        found = f"find the function {function.__qualname__}" if is_function else f"receive it ({refusal})"
        raise pickle.PicklingError(f"{what}other processes cannot {found}; {_ADVICE}")
    return content
