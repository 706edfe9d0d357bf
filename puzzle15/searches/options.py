"""The options and limits of a search: checking their values, and translating them for the kernels."""

from __future__ import annotations

import sys
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Optional, TypedDict, Union

from .._core.search.anytime import MAX_WIDTH as MAX_STACK_WIDTH
from .._core.search.best_first import MAX_EXPANDED, MAX_WEIGHT, MAX_WIDTH
from .._core.search.deepening import MAX_BOUND
from ..board import Shape
from ..published import farthest
from ..solver import Improvement, Iteration
from ..system.quantities import Size, ratio, size, whole
from ..system.quantities import seconds as to_seconds
from .algorithms import TIES, Algorithm

__all__ = ["DIRECTIONS", "Limits", "Weight", "check_limits", "kernel_options", "order_of"]

#: The letters of the blank's directions: 0 up, 1 left, 2 right, 3 down.
DIRECTIONS = "ULRD"

_DEFAULT_WEIGHT = 2
_DEFAULT_STEP = Fraction(1, 5)
_DEFAULT_WIDTH = 100
_DEFAULT_STACK_WIDTH = 1000

#: What may be given as the weight of h.
Weight = Union[int, float, str, Fraction]


class Limits(TypedDict):
    """The limits of a search by their names; None stands for no limit."""

    max_nodes: Optional[int]
    time_limit_s: Optional[float]
    max_memory: Optional[int]


def order_of(letters: str) -> bytes:
    """The blank's directions, as the kernels number them, from a permutation of ``ULRD``."""
    if not isinstance(letters, str) or sorted(letters.upper()) != sorted(DIRECTIONS):
        raise ValueError(f"move_order {letters!r}: expected each of the letters U, L, R and D once")
    return bytes(DIRECTIONS.index(letter) for letter in letters.upper())


def check_limits(max_nodes: Optional[int], time_limit_s: Optional[float], max_memory: Optional[Size]) -> Limits:
    """The limits of a search, checked; ValueError if a value is not possible."""
    return {
        "max_nodes": None if max_nodes is None else whole("max_nodes", max_nodes),
        "time_limit_s": to_seconds("time_limit_s", time_limit_s),
        "max_memory": None if max_memory is None else min(size("max_memory", max_memory), sys.maxsize),
    }


def kernel_options(
    algorithm: Algorithm,
    shape: Shape,
    ties: Optional[str] = None,
    weight: Optional[Weight] = None,
    width: Optional[int] = None,
    max_length: Optional[int] = None,
    batch: Optional[int] = None,
    on_iteration: Optional[Callable[[Iteration], Any]] = None,
    weight_step: Optional[Weight] = None,
    on_improvement: Optional[Callable[[Improvement], Any]] = None,
) -> dict[str, Any]:
    """What the kernel of an algorithm takes besides its limits; ValueError if a value is not possible.

    The kernels of anytime searches do not take the caller's `on_improvement`: see `Improvements`.
    """
    if algorithm.name in ("anytime-a*", "ara*"):
        return _anytime_options(algorithm, weight, weight_step, batch)
    if algorithm.name == "beam-stack":
        return {"width": _DEFAULT_STACK_WIDTH if width is None else whole("width", width, 1, MAX_STACK_WIDTH)}
    if algorithm.name == "beam":
        return {"width": _DEFAULT_WIDTH if width is None else whole("width", width, 1, MAX_WIDTH)}
    if algorithm.name == "depth-first":
        if max_length is None:
            if shape[0] * shape[1] > 9:
                raise ValueError(f"max_length: depth-first needs one on a {shape[0]}x{shape[1]} board")
            max_length = farthest(shape, 0)
        max_length = whole("max_length", max_length, 0, MAX_BOUND)
        return {"first_bound": max_length, "last_bound": max_length}
    if on_iteration is not None:
        return {"on_iteration": lambda *counts: on_iteration(Iteration(*counts))}
    if "batch" in algorithm.options:
        batch = 1 if batch is None else whole("batch", batch, 1, MAX_EXPANDED)
    if "ties" not in algorithm.options:
        return {"batch": batch} if "batch" in algorithm.options else {}
    ties = algorithm.ties if ties is None else ties
    if ties not in TIES:
        raise ValueError(f"ties {ties!r}: expected one of {', '.join(TIES)}")
    g_weight, h_weight = {"greedy": (0, 1), "branch-and-bound": (0, 1)}.get(algorithm.name, (1, 1))
    if algorithm.name == "weighted-a*":
        h_weight, g_weight = _fraction_of(_DEFAULT_WEIGHT if weight is None else weight)
    return {
        "ties": TIES.index(ties),
        "g_weight": g_weight,
        "h_weight": h_weight,
        "batch": batch,
        "prove": algorithm.name == "branch-and-bound",
    }


def _anytime_options(
    algorithm: Algorithm, weight: Optional[Weight], weight_step: Optional[Weight], batch: Optional[int]
) -> dict[str, Any]:
    h_weight, g_weight = _fraction_of(_DEFAULT_WEIGHT if weight is None else weight)
    if algorithm.name == "anytime-a*":
        batch = 1 if batch is None else whole("batch", batch, 1, MAX_EXPANDED)
        return {"g_weight": g_weight, "h_weight": h_weight, "batch": batch}
    step = _DEFAULT_STEP if weight_step is None else ratio(weight_step, MAX_WEIGHT)
    if step is None or not 0 < step <= MAX_WEIGHT:
        raise ValueError(
            f"weight_step {weight_step}: expected a positive number up to {MAX_WEIGHT} that is a fraction of numbers "
            f"up to {MAX_WEIGHT}, such as 0.2 or 1/3"
        )
    parts = g_weight * step.denominator
    return {"g_weight": parts, "h_weight": h_weight * step.denominator, "h_step": step.numerator * g_weight}


def _fraction_of(weight: Weight) -> tuple[int, int]:
    """The numerator and denominator of a weight; 1.2 is 6/5, although the float 1.2 is not exactly that."""
    near = ratio(weight, MAX_WEIGHT)
    if near is None or near < 1 or near.numerator > MAX_WEIGHT:
        raise ValueError(
            f"weight {weight!r}: expected a number of at least 1 that is a fraction of numbers up to "
            f"{MAX_WEIGHT}, such as 2, 1.25 or 4/3"
        )
    return near.numerator, near.denominator
