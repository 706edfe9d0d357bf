"""Searches of the literature that are written with `puzzle15.nodes`; `algorithm_of` imports one by its name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from ..algorithms import move_example
from ..registering import register

_Function = TypeVar("_Function", bound=Callable[..., Any])


def example(**given: Any) -> Callable[[_Function], _Function]:
    """`register`, for one of `EXAMPLES`."""

    def enter(function: _Function) -> _Function:
        register(**given)(function)
        move_example(given["name"])
        return function

    return enter
