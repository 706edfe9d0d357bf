"""The priorities of weighted-a*: functions of g and h whose first solutions are at most `weight` times too long.

All are w h at g = 0 and g at h = 0. Between these ends, linear weighs h by w everywhere; xdp weighs it by 1 near the
start, as A* does, and by up to 2 w - 1 near the goal; xup does so the other way round.

J. Chen, N. R. Sturtevant: Conditions for avoiding node re-expansions in bounded suboptimal search, IJCAI 2019;
Necessary and sufficient conditions for avoiding reopenings in best first suboptimal search with general bounding
functions, AAAI 2021. There they are divided by w.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Union

from .._core.search.searches import MAX_G
from .._system.lazy import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_DIGITS = 9  # beyond them, values are equal
_PARTS = 10**_DIGITS


def _xdp(w: Any, g: Any, h: Any) -> Any:
    return (g + (2 * w - 1) * h + ((g - h) ** 2 + 4 * w * g * h) ** 0.5) / 2


def _xup(w: Any, g: Any, h: Any) -> Any:
    return (g + h + ((g + h) ** 2 + 4 * w * (w - 1) * h**2) ** 0.5) / 2


_CURVES: dict[str, Callable[[Any, Any, Any], Any]] = {"xdp": _xdp, "xup": _xup}


def value_of(priority: str, weight: Fraction, g: int, h: int) -> Union[int, float]:
    """Return the value of a priority.

    >>> value_of("linear", Fraction(3, 2), 10, 6), value_of("xdp", Fraction(2), 4, 3)
    (19, 11.424428901)
    """
    if priority == "linear":
        exact = g + weight * h
        return exact.numerator if exact.denominator == 1 else float(exact)
    value = round(_CURVES[priority](float(weight), g, h), _DIGITS)
    return int(value) if value.is_integer() else value


@lru_cache(maxsize=4)
def priority_rows(priority: str, weight: Fraction) -> dict[str, NDArray[Any]]:
    """``rows[g, h]``: the rank of each value among all, in which nodes are expanded; ``bounds[row]``: what it proves.

    Some open node on a shortest path of C moves has a value of at most weight * C.
    """
    g, h = np.arange(MAX_G + 1)[:, None], np.arange(256)
    if priority == "linear":
        values, scale = weight.denominator * g + weight.numerator * h, weight.numerator
    else:
        values, scale = np.rint(_CURVES[priority](float(weight), g, h) * _PARTS), float(weight) * _PARTS
    known, rows = np.unique(values, return_inverse=True)
    bounds = np.ceil(known / scale - 1e-6)  # rounded values prove no more
    return {"rows": rows.reshape(values.shape).astype(np.uint32), "bounds": bounds.astype(np.uint16)}
