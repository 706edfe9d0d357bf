"""Old names of functions and arguments, which stay for one release and say what they are called now.

>>> import warnings
>>> @renamed("goal", threads="workers")
... def count(board, *, goal=None, workers=1):
...     return goal, workers
>>> with warnings.catch_warnings(record=True) as told:
...     warnings.simplefilter("always")
...     count("board", "the goal", threads=2)
('the goal', 2)
>>> print(*(each.message for each in told), sep="\\n")
count(): the argument 'goal' is given by name: goal=..; the next release takes it in no other way
count(): 'threads' is now 'workers'; the next release does not know the old name
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

__all__ = ["old_name", "renamed"]

Function = TypeVar("Function", bound=Callable[..., Any])


def renamed(*by_place: str, **names: str) -> Callable[[Function], Function]:
    """A decorator for a function some of whose arguments had other names, or could be given by place.

    Parameters
    ----------
    *by_place : str
        Names of keyword-only arguments that followed the others by place, in this order.
    **names : str
        The new name of each old one.
    """

    def decorate(function: Function) -> Function:
        places = function.__code__.co_argcount
        title = function.__qualname__.replace(".__init__", "")

        @wraps(function)
        def call(*arguments: Any, **named: Any) -> Any:
            if len(arguments) > places:
                for name, value in zip(by_place, arguments[places:]):
                    if name in named:
                        raise TypeError(f"{title}() got multiple values for argument {name!r}")
                    named[name] = value
                    _warn(
                        f"{title}(): the argument {name!r} is given by name: {name}=..; the next release takes it in "
                        f"no other way"
                    )
                arguments = arguments[:places] + arguments[places + len(by_place) :]
            for old, new in names.items():
                if old in named:
                    if new in named:
                        raise TypeError(f"{title}() got both {old!r} and {new!r}, which mean the same")
                    _warn(f"{title}(): {old!r} is now {new!r}; the next release does not know the old name")
                    named[new] = named.pop(old)
            return function(*arguments, **named)

        return cast(Function, call)

    return decorate


def old_name(name: str, function: Function, **options: Any) -> Function:
    """The same function or method by its old name, which stood for a call with some options."""
    now = f"{function.__name__}({', '.join(f'{option}={value!r}' for option, value in options.items())})"

    @wraps(function)
    def call(*arguments: Any, **named: Any) -> Any:
        _warn(f"{name}() is now {now}; the next release does not know the old name")
        return function(*arguments, **options, **named)

    call.__name__ = name
    call.__qualname__ = function.__qualname__.replace(function.__name__, name)
    call.__doc__ = f"The old name of `{function.__name__}`."
    return cast(Function, call)


def _warn(text: str) -> None:
    import warnings

    warnings.warn(text, DeprecationWarning, stacklevel=3)
