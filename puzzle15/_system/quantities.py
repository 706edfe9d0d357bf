"""Checks of the options that users give: numbers, as values and as text (counts, seconds, bytes), and choices.

A whole number is anything that `operator.index` accepts, such as numpy's integers, except True and False; 1.0 and text
are none. The functions return Python's own int, float and Fraction.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Optional, Union

from ..errors import OptionError
from .lazy import np

if TYPE_CHECKING:
    from fractions import Fraction

    from numpy.typing import NDArray

#: Bytes: a whole number, or text such as ``1G``.
Size = Union[int, str]

_A_SIZE = "a size such as 256M, 1.5G or 300000000"
_A_COUNT = "a whole number such as 5000, 10M or 1e6"
_LONGEST = 40  # characters of a number
_NO_REALS = ("bool", "bool_", "str", "bytes", "bytearray")  # types, numpy's own among them, that float would take
_COUNT_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "b": 10**9}
_SIZE_UNITS = {"": 1, "b": 1}
for _power, _letter in enumerate("kmgt", start=1):
    _SIZE_UNITS |= {_letter: 1024**_power, f"{_letter}ib": 1024**_power, f"{_letter}b": 1000**_power}


def count_text(number: int, noun: str) -> str:
    """Return text such as ``1 move`` and ``1,200 moves``."""
    return f"{number:,} {noun}{'s' * (number != 1)}"


def whole(name: str, value: Any, least: int = 0, most: Optional[int] = None) -> int:
    """Return `value` as an int; ValueError, with the option's name, unless it is a whole number in these bounds."""
    count = whole_or_none(value)
    if count is None or count < least or (most is not None and count > most):
        limits = f"of at least {least}" if most is None else f"from {least} to {most}"
        raise _refusal(value, f"a whole number {limits}", name)
    return count


def whole_each(name: str, given: Any, count: int, most: int = 2**64 - 1) -> NDArray[np.uint64]:
    """Return a whole number for each of `count` things, given as one for all or as an array; larger ones become `most`.

    >>> whole_each("max_nodes", 1000, 3).tolist(), whole_each("max_length", [31, 300], 2, most=255).tolist()
    ([1000, 1000, 1000], [31, 255])
    """
    if isinstance(given, (list, tuple)):
        given = np.array([min(whole(name, each), most) for each in given], dtype=np.uint64)
    numbers = np.asarray(given)
    if numbers.ndim == 0:
        return np.full(count, min(whole(name, given), most), dtype=np.uint64)
    if numbers.shape != (count,):
        size = f"{numbers.size} numbers" if numbers.ndim == 1 else f"an array of shape {numbers.shape}"
        raise OptionError(f"{name}: {size}; expected one whole number, or an array of {count}, one per board")
    if count and (numbers.dtype.kind not in "iu" or int(numbers.min()) < 0):
        least = f" from {numbers.min()}" if numbers.dtype.kind in "if" else ""
        raise OptionError(f"{name}: {numbers.dtype} numbers{least}; expected whole numbers of at least 0")
    return np.minimum(numbers.astype(np.uint64), np.uint64(most))


def check_choice(name: str, value: Any, choices: Iterable[str], meaning: str = "") -> None:
    """Raise OptionError, which names the option, unless `value` is one of the texts `choices`.

    >>> check_choice("metric", "atm", ("stm", "mtm"), ", the moves that count")
    Traceback (most recent call last):
        ...
    puzzle15.errors.OptionError: metric 'atm': expected one of stm, mtm, the moves that count
    """
    if not (isinstance(value, str) and value in choices):
        words = [repr(choice) if " " in choice else choice for choice in choices]
        raise _refusal(value, f"one of {', '.join(words)}{meaning}", name)


def flag(name: str, value: Any) -> bool:
    """Return `value` as a bool; ValueError, which names the option, unless it is True or False, of Python or numpy."""
    if type(value).__name__ not in ("bool", "bool_"):
        raise _refusal(value, "True or False", name)
    return bool(value)


def number(name: str, value: Any, least: float, most: float) -> float:
    """Return `value` as a float; ValueError, which names the option, unless it is a number from `least` to `most`."""
    real = _real(value)
    if not least <= real <= most:
        raise _refusal(value, f"a number from {least} to {most}", name)
    return real


def seconds(name: str, value: Any) -> Optional[float]:
    """Return a time limit in seconds; None for None and for infinity, which mean no limit."""
    real = math.inf if value is None else _real(value)
    if not real >= 0:
        raise _refusal(value, "a number of seconds of at least 0, such as 10 or 0.5", name)
    return None if real == math.inf else real


def ratio(value: Any, most: int) -> Optional[Fraction]:
    """Return the fraction with a denominator of at most `most` that a number or a text such as ``"4/3"`` stands for.

    A float stands for the nearest one, as 1.2 for 6/5. The answer is None if there is none.

    >>> ratio(1.2, 64), ratio(np.float32(1.2), 64), ratio(np.int64(2), 64), ratio("4/3", 64), ratio(3.14159, 64)
    (Fraction(6, 5), Fraction(6, 5), Fraction(2, 1), Fraction(4, 3), None)
    """
    from fractions import Fraction

    text = str(value)
    if len(text) > 2 * _LONGEST or re.search("e[-+]?[0-9_]{4}", text.lower()):  # it would take minutes
        return None
    try:
        exact = Fraction(text)
    except (ValueError, ZeroDivisionError):
        return None
    near = exact.limit_denominator(most)
    is_rough = getattr(getattr(value, "dtype", None), "kind", "") == "f"
    return near if abs(near - exact) <= max(1e-9, np.finfo(value.dtype).eps * near if is_rough else 0) else None


def size(name: str, value: Size) -> int:
    """Return a number of bytes, given as a whole number or as text.

    In texts ``K M G T`` and ``KiB MiB ..`` are powers of 1024, and ``kB MB GB TB`` powers of 1000.
    """
    if isinstance(value, str):
        return math.floor(_parse(value, _SIZE_UNITS, _A_SIZE, name))
    count = whole_or_none(value)
    if count is None or count < 0:
        raise _refusal(value, f"a number of bytes, or {_A_SIZE}", name)
    return count


def parse_count(text: str) -> int:
    """Return a number of things from text such as ``5000``, ``10M`` or ``1e6``."""
    count = _parse(text, _COUNT_UNITS, _A_COUNT)
    if count.denominator != 1:
        raise _refusal(text, _A_COUNT)
    return int(count)


def parse_whole(text: str, least: int = 0) -> int:
    """Return a whole number of at least `least`, from decimal digits."""
    if not re.fullmatch(rf"[0-9]{{1,{_LONGEST}}}", text) or int(text) < least:
        raise _refusal(text, f"a whole number of at least {least}")
    return int(text)


def parse_number(text: str, least: float, most: float) -> float:
    """Return a number from `least` to `most`."""
    try:
        real = float(text)
    except ValueError:
        real = math.nan
    if not least <= real <= most:
        raise _refusal(text, f"a number from {least:g} to {most:g}")
    return real


def format_size(count: int) -> str:
    """Return a number of bytes as text for people, to three digits.

    >>> [format_size(count) for count in (999, 1484416, 195882752, 999_999_999, 1.2e13)]
    ['999 bytes', '1.48 MB', '196 MB', '1.00 GB', '12.0 TB']
    """
    for unit, size in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= 0.9995 * size:
            number = count / size
            return f"{number:.{0 if number >= 99.95 else 1 if number >= 9.995 else 2}f} {unit}"
    return f"{count} bytes"


def option_type(parse: Callable[..., Any], *arguments: Any) -> Callable[[str], Any]:
    """Return `parse` as the type of an option: argparse then shows the message of its ValueError."""

    def convert(text: str) -> Any:
        try:
            return parse(text, *arguments)
        except ValueError as error:
            from argparse import ArgumentTypeError  # not needed by those who import the package

            raise ArgumentTypeError(str(error)) from None

    return convert


def _refusal(value: Any, expected: str, name: str = "") -> OptionError:
    return OptionError(f"{name} {abbreviated(value)}: expected {expected}".lstrip())


def abbreviated(given: Any) -> str:
    """Return a value for a message, on one line and not too long."""
    text = " ".join(re.sub(r"(?<!\\)\\n", " ", repr(given)).split())
    return text if len(text) <= 72 else f"{text[:69]}..."


def whole_or_none(value: Any) -> Optional[int]:
    """Return `value` as an int; None unless it is a whole number."""
    try:
        return None if type(value).__name__ in _NO_REALS else operator.index(value)
    except TypeError:
        return None


def _real(value: Any) -> float:
    """Return `value` as a float; not a number if it is none."""
    try:
        return math.nan if type(value).__name__ in _NO_REALS else float(value)
    except (OverflowError, TypeError, ValueError):
        return math.nan


def _parse(text: str, units: Mapping[str, int], expected: str, name: str = "") -> Fraction:
    match = re.fullmatch(r"([0-9]+(?:\.[0-9]*)?(?:e[0-9]{1,2})?)\s*([a-z]*)", text.strip().lower())
    if not match or match[2] not in units or len(match[1]) > _LONGEST:
        raise _refusal(text, expected, name)
    from fractions import Fraction

    return Fraction(match[1]) * units[match[2]]


def plain_name(name: str) -> str:
    """Return a name in lower case, with hyphens for spaces and underscores.

    >>> plain_name(" Linear_Conflict")
    'linear-conflict'
    """
    return re.sub(r"[\s_]+", "-", name.strip().lower())


# ---------------------------------------------------------------- random input

#: An int always gives the same random numbers; a generator is drawn from.
Seed = Union[int, "np.random.Generator"]


def random_generator(seed: Optional[Seed] = None) -> np.random.Generator:
    """Return a user's generator, or a new one: from an int always the same, from None another each time."""
    if isinstance(seed, np.random.Generator):
        return seed
    return np.random.Generator(np.random.PCG64(None if seed is None else whole("seed", seed)))


def seed_number(seed: Seed) -> int:
    """Return the int that a user gives, or one that a generator draws, for random numbers that are not numpy's."""
    if hasattr(seed, "integers"):  # numpy is not imported for an int
        return int(seed.integers(2**63))
    return whole("seed", seed)
