"""`Unsendable`: objects that belong to one process, and refuse to be pickled or copied."""

from __future__ import annotations

from typing import Any, ClassVar, NoReturn, SupportsIndex


class Unsendable:
    """A base class of objects that cannot be pickled or copied; `instead` explains why, and what to send.

    >>> import copy
    >>> class Lamp(Unsendable, instead="it is lit; send its number"): ...
    >>> copy.copy(Lamp())
    Traceback (most recent call last):
        ...
    TypeError: a Lamp cannot be pickled or copied: it is lit; send its number
    """

    _instead: ClassVar[str] = ""

    def __init_subclass__(cls, instead: str = "", **options: Any) -> None:
        super().__init_subclass__(**options)
        if instead:
            cls._instead = instead

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        refuse(type(self), self._instead)


def refuse(kind: type, instead: str) -> NoReturn:
    """Raise the TypeError about an object of this kind, for classes in C."""
    article = "an" if kind.__name__[0] in "AEIOU" else "a"
    raise TypeError(f"{article} {kind.__name__} cannot be pickled or copied: {instead}")
