"""Keywords that functions do not have, and what is meant by them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

if TYPE_CHECKING:
    Function = TypeVar("Function", bound=Callable[..., Any])

#: What users of other programs write, and its name here.
_OTHER_NAMES = {
    "timeout": "time_limit_s",
    "time_limit": "time_limit_s",
    "node_limit": "max_nodes",
    "max_expanded": "max_nodes",
    "max_depth": "max_length",
    "depth_limit": "max_length",
    "memory_limit": "max_memory",
    "threads": "workers",
    "n_jobs": "workers",
    "algo": "algorithm",
    "h": "heuristic",
    "tie_breaking": "ties",
}
#: What only textbook searches have.
_OF_SEARCHES = ("algorithm", "heuristic", "weight", "ties", "width", "prove", "counts", "max_memory")


def unknown_keyword(function: Callable[..., Any], name: str) -> TypeError:
    """Return the error about a keyword that a function does not have, with what is meant, if that is known."""
    from difflib import get_close_matches
    from inspect import signature

    known = [each for each in signature(function).parameters if each != "self"]
    meant = _OTHER_NAMES.get(name)
    if meant not in known:
        meant = next(iter(get_close_matches(name, known, 1, 0.7)), None)
    expected = f"write {meant}" if meant else f"expected one of {', '.join(known)}"
    if meant is None and name in _OF_SEARCHES:
        expected = "puzzle15.search() has"
    return TypeError(f"{function.__name__}() has no {name}; {expected}")


def explains_keywords(function: Function) -> Function:
    """Decorate a function, to say what is meant by a keyword that it does not have."""
    code: Any = function.__code__
    names = frozenset(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])

    @wraps(function)
    def call(*arguments: Any, **named: Any) -> Any:
        if named and not named.keys() <= names:
            raise unknown_keyword(function, min(named.keys() - names))
        return function(*arguments, **named)

    return cast("Function", call)
