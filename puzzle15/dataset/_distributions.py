"""Distributions of boards: their classes, and their form as text.

A distribution has the same text in Python and in a manifest, such as ``distance:1-30,60=5``: see the README.

`puzzle15.dataset._distances` explains how boards at a distance are drawn, and which are equally likely.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from .._system.quantities import Seed, number, random_generator, whole
from ..board import Board, random_walk, uniform
from ..errors import OptionError
from ..solver import Solver
from ._distances import at_distances, plan_draws

#: A distance or a number of moves, or two with a hyphen; and perhaps a weight.
_TERM = re.compile(r"(\d{1,6})(?:-(\d{1,6}))?(?:=(\d+\.?\d*(?:e[+-]?\d+)?))?")


class Distribution:
    """Which boards are drawn; its text names it in a manifest."""

    chunk = 2_000
    """int: boards that `write` draws with the same random numbers."""

    def check(self, goal: Board) -> None:
        """Raise ValueError if boards of this goal cannot be drawn."""

    def draw(self, count: int, seed: Optional[Seed], solver: Solver) -> NDArray[np.uint64]:
        """Return packed boards for the solver's goal, uint64 (count,)."""
        raise NotImplementedError


@dataclass(frozen=True)
class Uniform(Distribution):
    """All boards that can reach the goal, equally likely; its text is ``uniform``."""

    def draw(self, count: int, seed: Optional[Seed], solver: Solver) -> NDArray[np.uint64]:
        return uniform(count, seed, goal=solver.goal)

    def __str__(self) -> str:
        return "uniform"


@dataclass(frozen=True)
class Walk(Distribution):
    """The last boards of walks of `least` .. `most` random moves, each number equally likely.

    >>> print(Walk(20), Walk(20, 30))
    walk:20 walk:20-30
    """

    least: int
    most: int = -1

    def __post_init__(self) -> None:
        object.__setattr__(self, "least", whole("least", self.least))
        object.__setattr__(self, "most", self.least if self.most == -1 else whole("most", self.most, self.least))

    def draw(self, count: int, seed: Optional[Seed], solver: Solver) -> NDArray[np.uint64]:
        rng = random_generator(seed)
        return random_walk(count, self.lengths(count, rng), rng, goal=solver.goal)

    def lengths(self, count: int, seed: Optional[Seed]) -> NDArray[np.int64]:
        """Return the lengths of walks, int64 (count,)."""
        return self.least + (random_generator(seed).random(count) * (self.most - self.least + 1)).astype(np.int64)

    def __str__(self) -> str:
        return f"walk:{_span(self.least, self.most)}"


@dataclass(frozen=True)
class Distances(Distribution):
    """Boards at given distances.

    `weights` is a mapping of each distance to how often it is drawn, in proportion; or the distances alone, which are
    then equally frequent.

    >>> print(Distances({20: 1, 21: 1, 22: 1, 50: 3}))
    distance:20-22,50=3
    """

    weights: Any

    chunk = 500  # each board may take long to draw

    def __post_init__(self) -> None:
        weights = self.weights
        if not isinstance(weights, tuple) or not all(isinstance(pair, tuple) for pair in weights):
            weights = weights.items() if isinstance(weights, Mapping) else [(distance, 1) for distance in weights]
        pairs = tuple(
            sorted((whole("distance", each), number("weight", weight, 0, math.inf)) for each, weight in weights)
        )
        if not pairs or len({distance for distance, _ in pairs}) != len(pairs):
            raise OptionError("distances: expected at least one, and each of them once")
        if not all(0 < weight < math.inf for _, weight in pairs):
            raise OptionError("distances: expected weights above 0")
        object.__setattr__(self, "weights", pairs)

    def check(self, goal: Board) -> None:
        self._kinds(goal)

    def are_listed(self, goal: Board) -> bool:
        """Return whether all boards at these distances are listed, so that none is solved."""
        return self._kinds(goal) == {"list"}

    def equally_likely(self, goal: Board) -> bool:
        """Return whether all boards at one of these distances are equally likely."""
        return not {"climb", "known"} & self._kinds(goal)

    def _kinds(self, goal: Board) -> set[str]:
        return set(plan_draws([distance for distance, _ in self.weights], goal)[0].values())

    def draw(self, count: int, seed: Optional[Seed], solver: Solver) -> NDArray[np.uint64]:
        distances, weights = map(np.array, zip(*self.weights))
        ends = np.cumsum(weights)
        rng = random_generator(seed)
        chosen = np.searchsorted(ends, rng.random(count) * ends[-1], side="right")
        return at_distances(distances[np.minimum(chosen, len(ends) - 1)], rng, solver)

    def __str__(self) -> str:
        terms: list[list[Any]] = []
        for distance, weight in self.weights:
            if terms and terms[-1][1:] == [distance - 1, weight]:
                terms[-1][1] = distance
            else:
                terms.append([distance, distance, weight])
        texts = (
            _span(least, most) + ("" if weight == 1 else "=" + repr(weight).removesuffix(".0"))
            for least, most, weight in terms
        )
        return "distance:" + ",".join(texts)


def parse_distribution(text: str) -> Distribution:
    """Return the distribution that a text names, as the module lists them; ValueError if it names none.

    >>> parse_distribution("walk:10-40")
    Walk(least=10, most=40)
    >>> print(parse_distribution("distance:7,3-5=0.5"))
    distance:3-5=0.5,7
    """
    kind, _, rest = text.replace(" ", "").partition(":")
    if kind == "uniform" and not rest:
        return Uniform()
    terms = [_TERM.fullmatch(term) for term in rest.split(",")]
    spans = [(int(term[1]), int(term[2] or term[1]), term[3]) for term in terms if term]
    if len(spans) == len(terms) and all(least <= most for least, most, _ in spans):
        if kind == "walk" and len(spans) == 1 and spans[0][2] is None:
            return Walk(*spans[0][:2])
        if kind == "distance":
            weights = [(range(least, most + 1), float(weight or 1)) for least, most, weight in spans]
            return Distances(tuple((distance, weight) for distances, weight in weights for distance in distances))
    raise OptionError(
        f"distribution {text!r}: expected uniform, walk:N, walk:A-B, distance:D, distance:A-B, or several "
        f"distances such as distance:10,20-30,50=2.5"
    )


def _span(least: int, most: int) -> str:
    return str(least) if least == most else f"{least}-{most}"
