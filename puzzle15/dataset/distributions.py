"""Which boards: uniform, at the end of random walks, or at given distances.

A distribution is written as text, on the command line as in a manifest:

==========================  ==============================================================================
``uniform``                 every board that can reach the goal, equally likely
``walk:N``, ``walk:A-B``    the last board of a walk of N random moves from the goal, none undoing the one
                            before; each N of A .. B equally likely. Distances are at most N
``distance:D``              boards that are exactly D moves from the goal, each equally likely
``distance:A-B``            the same, each D of A .. B equally likely
``distance:A-B,C,D=W``      several of these; a distance with a weight is drawn W times as often
``climbed:D``, ..           boards exactly D moves away, found by random moves that each lead one farther;
                            the label is exact, but boards of that distance are not equally likely
==========================  ==============================================================================

How boards at distance D are drawn, each of them equally likely:

*Enumeration*: as far as no distance has more than 6 million boards (D <= 22 on 4x4), all of them are
listed by breadth-first search, once a process: 2 s and 100 MB at most.

*Steps away from the goal*: a uniform board at distance D-1, moved away in one of at most three directions,
is a board b at distance D with a probability proportional to the number of its neighbours at D-1; kept with
the inverse of that number as probability, b is uniform again. One step keeps N(D) / (3 N(D-1)) of the boards,
N being their numbers.

*Rejection*: of uniform boards, those at distance D are kept; lower bounds drop most that are farther before
any is solved. Up to the commonest distance, the cheaper one of the last two is taken. Beyond, rejection is all there
is, at most 2,500 boards solved for one that is kept: D <= 68 on 4x4 (67 with the blank's home not in the
corner). Farther boards are refused, but can be climbed to.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import factorial
from typing import Any, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..board import (
    Board,
    blank_cells,
    legal_directions,
    neighbours,
    random_walk,
    slide,
    symmetries,
    uniform,
    unpack_boards,
)
from ..parallel import ThreadLock, check_stop
from ..published import depth_counts
from ..solver import Solver, label

__all__ = ["Distances", "Uniform", "Walk", "at_distances", "parse_distribution"]

Packed = NDArray[np.uint64]

_MOST_LISTED = 6_000_000  # boards of one distance
_MOST_REJECTED = 2_500  # boards solved for one that is kept
_STEP_COST = 10.0  # of a board that is moved and labelled, in uniform boards that are drawn and mostly dropped at once
_ROUND = 1 << 14  # boards that are tried together


# ---------------------------------------------------------------- boards at given distances ---


def at_distances(distances: ArrayLike, rng: np.random.Generator, solver: Solver, *, climbed: bool = False) -> Packed:
    """A board at each of the distances asked for.

    Parameters
    ----------
    distances : array of int, shape (n,)
        Moves from the goal of `solver`.
    rng : numpy.random.Generator
    solver : Solver
        Tells distances where boards are not listed.
    climbed : bool
        Whether to climb, see the module; then boards at one distance are not equally likely.

    Returns
    -------
    ndarray of uint64, shape (n,)

    Raises
    ------
    ValueError
        A distance that no board has, or at which boards are too rare.

    Examples
    --------
    >>> solver = Solver(shape=(3, 3))
    >>> boards = at_distances([0, 31, 20, 31], np.random.default_rng(1), solver)
    >>> solver.distances(boards).tolist()
    [0, 31, 20, 31]
    """
    distances = np.asarray(distances, dtype=np.int64)
    wanted = np.unique(distances).tolist()
    ways = _plan(wanted, solver.goal, climbed)
    boards = np.empty(len(distances), dtype=np.uint64)
    rejected = np.zeros(len(distances), dtype=bool)
    listed = _levels_to(solver.goal, max((way[1] for way in ways.values() if way[0] != "reject"), default=-1))
    for distance in wanted:
        kind, start = ways[distance]
        places = np.flatnonzero(distances == distance)
        if kind == "reject":
            rejected[places] = True
        elif kind == "list":
            boards[places] = _some(listed[distance], len(places), rng)
        elif kind == "step":
            first = listed[start]
            boards[places] = _gather(
                len(places), lambda number: _step_away(_some(first, number, rng), start, distance, rng, solver)
            )
        else:
            boards[places] = _gather(len(places), lambda number: _climb(distance, rng, solver))
    if rejected.any():
        boards[rejected] = _reject(distances[rejected], rng, solver)
    return boards


def _some(boards, count, rng):
    return boards[(rng.random(count) * len(boards)).astype(np.int64)]


def _gather(count, draw):
    """`count` boards from draws that give any number each."""
    parts, missing, number = [], count, max(count, 256)
    while missing > 0:
        check_stop()
        parts.append(draw(min(number, _ROUND))[:missing])
        missing -= len(parts[-1])
        number *= 2
    return np.concatenate(parts) if parts else np.empty(0, dtype=np.uint64)


def _step_away(packed, distance, target, rng, solver):
    """Uniform boards at `distance`: those that become uniform boards at `target`."""
    first = _first_moves(packed, solver)
    for _ in range(distance, target):
        # Of at most three directions away (one at least leads to the goal) each is taken with a third.
        packed, kept = _move_away(packed, first, (rng.random(len(packed)) * 3).astype(np.int64), solver.shape)
        first = _first_moves(packed, solver)
        keep = rng.random(len(packed)) * _BITS[first] < 1
        packed, first = packed[keep], first[keep]
    return packed


def _climb(target, rng, solver):
    """Boards at `target`, from uniform boards nearer to the goal."""
    packed = uniform(_ROUND // 16, rng, goal=solver.goal)
    columns = label(solver, packed, first_moves=True)
    distance, first = columns["distance"].astype(np.int64), columns["first_moves"]
    found = [packed[distance == target]]
    packed, first, distance = (values[distance < target] for values in (packed, first, distance))
    while len(packed):
        blank = blank_cells(packed, solver.shape)
        away = _BITS[legal_directions(solver.shape)[blank] & ~first].astype(np.int64)
        packed, kept = _move_away(packed, first, (rng.random(len(packed)) * away).astype(np.int64), solver.shape)
        distance = distance[kept] + 1
        found.append(packed[distance == target])
        packed, distance = packed[distance < target], distance[distance < target]
        first = _first_moves(packed, solver)
    return np.concatenate(found)


def _move_away(packed, first, number, shape):
    """(boards moved in the direction away from the goal of that number, which of the boards have one)"""
    blank = blank_cells(packed, shape)
    away = legal_directions(shape)[blank] & ~first
    kept = number < _BITS[away]
    packed, blank = packed[kept], blank[kept]
    to = neighbours(shape)[blank, _NTH_BIT[away[kept], number[kept]]].astype(np.int64)
    return slide(packed, blank, to), kept


_BITS = np.array([bin(mask).count("1") for mask in range(16)], dtype=np.uint8)
#: The n-th direction of a mask.
_NTH_BIT = np.array([([d for d in range(4) if mask >> d & 1] + [0] * 4)[:4] for mask in range(16)], dtype=np.int64)


def _first_moves(packed, solver):
    if not len(packed):
        return np.empty(0, dtype=np.uint8)
    return label(solver, packed, first_moves=True)["first_moves"]


def _reject(distances, rng, solver):
    """Uniform boards, kept as far as their distances are wanted."""
    missing = np.bincount(distances)
    boards = np.empty(len(distances), dtype=np.uint64)
    places = {distance: np.flatnonzero(distances == distance) for distance in np.flatnonzero(missing).tolist()}
    while missing.any():
        check_stop()
        packed = uniform(_ROUND, rng, goal=solver.goal)
        # Lower bounds, the cheaper one first. Both have the distance's parity; -1 where none of that is wanted.
        farthest = np.array([2 * np.flatnonzero(missing[parity::2]).max(initial=-1) + parity for parity in (0, 1)])
        for bound_of in (lambda packed: _manhattan(packed, solver.goal), solver.heuristics):
            bound = bound_of(packed)
            packed = packed[bound <= farthest[bound & 1]]
        found = solver.distances(packed)
        for distance in np.flatnonzero(missing).tolist():
            some = packed[found == distance][: missing[distance]]
            begin = len(places[distance]) - missing[distance]
            boards[places[distance][begin : begin + len(some)]] = some
            missing[distance] -= len(some)
    return boards


def _manhattan(packed, goal):
    """The sum of the tiles' taxicab distances to their goal cells."""
    tiles = unpack_boards(packed, goal.shape)
    return _taxicab(goal)[np.arange(tiles.shape[1]), tiles].sum(axis=1)


@lru_cache(maxsize=8)
def _taxicab(goal):
    cells = range(goal.shape[0] * goal.shape[1])
    home = [divmod(goal.tiles.index(tile), goal.shape[1]) for tile in cells]
    place = [divmod(cell, goal.shape[1]) for cell in cells]
    return np.array(
        [[tile and abs(row - home[tile][0]) + abs(col - home[tile][1]) for tile in cells] for row, col in place]
    )


def _plan(distances, goal, climbed):
    """{distance: (how its boards are drawn, the distance to step from)}"""
    shape = goal.shape
    total = factorial(shape[0] * shape[1]) // 2
    everything = total <= _MOST_LISTED
    # Of the homes for which nothing is published, the corner is near enough to know what is cheap.
    counts = depth_counts(shape, _home_kind(goal)) or depth_counts(shape)
    if everything:
        counts = tuple(map(len, _levels_to(goal, 1000)))
    listed = next((d - 1 for d, count in enumerate(counts) if count > _MOST_LISTED), len(counts) - 1)
    commonest = int(np.argmax(counts))
    ways, rare = {}, []
    for distance in distances:
        if not 0 <= distance < len(counts):
            raise ValueError(
                f"distance {distance}: boards of {shape[0]}x{shape[1]} are 0 .. {len(counts) - 1} moves "
                f"from the goal {goal}"
            )
        share = total / counts[distance]
        if climbed:
            if distance < commonest:
                raise ValueError(
                    f"climbed:{distance}: only for distances from the commonest on, {commonest}; "
                    f"distance:{distance} draws boards that are equally likely"
                )
            ways[distance] = ("climb", 0)
        elif distance <= listed:
            ways[distance] = ("list", distance)
        elif distance <= commonest:
            pairs = zip(counts[listed:distance], counts[listed + 1 : distance + 1])
            steps = np.cumprod([3 * before / after for before, after in list(pairs)[::-1]])
            ways[distance] = ("step", listed) if _STEP_COST * steps.sum() < share else ("reject", 0)
        elif share <= _MOST_REJECTED:
            ways[distance] = ("reject", 0)
        else:
            rare.append((distance, share))
    if rare:
        text = ", ".join(str(distance) for distance, _ in rare)
        least, most = min(rare)[1], max(rare)[1]
        raise ValueError(
            f"distance:{text}: so far from the goal, one uniform board in {least:,.0f}"
            f"{f' .. {most:,.0f}' if len(rare) > 1 else ''} would be kept, all being solved; climbed:{text} finds "
            f"boards at exactly that distance, which are not equally likely"
        )
    return ways


def _home_kind(goal):
    """What the published numbers call the cell of the goal's blank."""
    cells = {symmetry[goal.blank] for symmetry in symmetries(goal.shape)}
    rows, cols = goal.shape
    if 0 in cells:
        return "corner"
    edge = any(cell // cols in (0, rows - 1) or cell % cols in (0, cols - 1) for cell in cells)
    # Only where all edge cells, or all inner ones, are alike are there such names.
    alike = {(2, 3): 2, (2, 4): 4, (3, 3): 4, (4, 4): 8} if edge else {(3, 3): 1, (4, 4): 4}
    return ("edge" if edge else "center") if alike.get(goal.shape) == len(cells) else "other"


_levels_lock = ThreadLock()

#: The boards of one goal, as far as they were listed: (goal, those of each distance, the last two by the blank's cell).
_listed: Any = (None, (), {}, {})


def _levels_to(goal, farthest):
    """The boards at distance 0, 1, .. `farthest`, or as far as there are any."""
    global _listed
    with _levels_lock:  # or every thread would list them all
        if _listed[0] != goal:
            first = np.array([goal.packed], dtype=np.uint64)
            _listed = goal, (first,), {}, {goal.blank: first}
        while len(_listed[1]) <= farthest and _listed[3]:
            _, levels, before, last = _listed
            plane = _next_plane(before, last, goal.shape)
            if plane:
                levels = (*levels, np.concatenate(list(plane.values())))
            _listed = goal, levels, last, plane
        return _listed[1][: farthest + 1]


def _next_plane(before, level, shape):
    """The boards one farther than `level`, by the blank's cell, sorted; `before` holds those one nearer."""
    cells = shape[0] * shape[1]
    result = {}
    for to in range(cells):
        check_stop()
        parts = [
            slide(level[cell], np.full(1, cell), np.full(1, to))
            for cell in range(cells)
            if cell in level and to in neighbours(shape)[cell]
        ]
        if parts:
            boards = np.sort(np.concatenate(parts), kind="stable")  # merges, a third of the time for some sorted runs
            check_stop()
            boards = boards[np.append(True, boards[1:] != boards[:-1])]  # np.unique may take several times as long
            known = before.get(to)
            if known is not None:
                check_stop()
                place = np.minimum(np.searchsorted(known, boards), len(known) - 1)
                boards = boards[known[place] != boards]
            if len(boards):
                result[to] = boards
    return result


# ---------------------------------------------------------------- as text ---


@dataclass(frozen=True)
class Uniform:
    """All boards that can reach the goal, equally likely.

    >>> print(Uniform())
    uniform
    """

    chunk = 2_000  # boards

    def check(self, goal: Board) -> None:
        """ValueError if boards of this goal cannot be drawn."""

    def draw(self, count: int, rng: np.random.Generator, solver: Solver) -> Packed:
        """Packed boards, uint64 (count,)."""
        return uniform(count, rng, goal=solver.goal)

    def __str__(self) -> str:
        return "uniform"


@dataclass(frozen=True)
class Walk:
    """Walks of `least` .. `most` random moves, each number equally likely.

    >>> print(Walk(20), Walk(20, 30))
    walk:20 walk:20-30
    """

    least: int
    most: int = -1

    chunk = 2_000

    def __post_init__(self) -> None:
        if self.most == -1:
            object.__setattr__(self, "most", self.least)
        if not 0 <= self.least <= self.most:
            raise ValueError(f"walks of {self.least} .. {self.most} moves: expected 0 <= least <= most")

    def check(self, goal: Board) -> None:
        """ValueError if boards of this goal cannot be drawn."""

    def draw(self, count: int, rng: np.random.Generator, solver: Solver) -> Packed:
        """Packed boards, uint64 (count,)."""
        lengths = self.least + (rng.random(count) * (self.most - self.least + 1)).astype(np.int64)
        return random_walk(count, lengths, rng, goal=solver.goal)

    def __str__(self) -> str:
        return f"walk:{_span(self.least, self.most)}"


@dataclass(frozen=True)
class Distances:
    """Boards at given distances.

    Parameters
    ----------
    weights : mapping of int to float, or iterable of int
        How often each distance is to be drawn, in proportion; or just the distances.
    climbed : bool
        Whether to climb to them; see the module.

    Examples
    --------
    >>> print(Distances({20: 1, 21: 1, 22: 1, 50: 3}))
    distance:20-22,50=3
    >>> print(Distances([70], climbed=True))
    climbed:70
    """

    weights: Any
    climbed: bool = False

    chunk = 500  # each may be much work

    def __post_init__(self) -> None:
        weights = self.weights
        if not isinstance(weights, tuple) or not all(isinstance(pair, tuple) for pair in weights):
            weights = weights.items() if isinstance(weights, Mapping) else [(distance, 1) for distance in weights]
        pairs = tuple(sorted((int(distance), float(weight)) for distance, weight in weights))
        if not pairs or len({distance for distance, _ in pairs}) != len(pairs):
            raise ValueError("distances: expected at least one, and each of them once")
        if not all(distance >= 0 and 0 < weight < float("inf") for distance, weight in pairs):
            raise ValueError("distances: expected numbers of at least 0, with weights above 0")
        object.__setattr__(self, "weights", pairs)

    def check(self, goal: Board) -> None:
        """ValueError if boards of this goal cannot be drawn."""
        _plan([distance for distance, _ in self.weights], goal, self.climbed)

    def draw(self, count: int, rng: np.random.Generator, solver: Solver) -> Packed:
        """Packed boards, uint64 (count,)."""
        distances, weights = map(np.array, zip(*self.weights))
        ends = np.cumsum(weights)
        places = np.searchsorted(ends, rng.random(count) * ends[-1], side="right")
        return at_distances(distances[np.minimum(places, len(ends) - 1)], rng, solver, climbed=self.climbed)

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
        return ("climbed:" if self.climbed else "distance:") + ",".join(texts)


Distribution = Union[Uniform, Walk, Distances]


def parse_distribution(text: str) -> Distribution:
    """The distribution that a text names; see the module.

    Raises
    ------
    ValueError

    Examples
    --------
    >>> parse_distribution("walk:10-40")
    Walk(least=10, most=40)
    >>> print(parse_distribution("distance:7,3-5=0.5"))
    distance:3-5=0.5,7
    """
    kind, _, rest = text.replace(" ", "").partition(":")
    if kind == "uniform" and not rest:
        return Uniform()
    spans = [re.fullmatch(r"(\d{1,6})(?:-(\d{1,6}))?(?:=(\d+\.?\d*(?:e[+-]?\d+)?))?", term) for term in rest.split(",")]
    ends = [(int(span[1]), int(span[2] or span[1])) for span in spans if span]
    if len(ends) == len(spans) and all(least <= most for least, most in ends):
        if kind == "walk" and len(spans) == 1 and spans[0] and spans[0][3] is None:
            return Walk(*ends[0])
        if kind in ("distance", "climbed"):
            pairs = [
                (distance, float(span[3] or 1))
                for span, (least, most) in zip(spans, ends)
                if span
                for distance in range(least, most + 1)
            ]
            return Distances(tuple(pairs), kind == "climbed")
    raise ValueError(
        f"distribution {text!r}: expected uniform, walk:N, walk:A-B, distance:D, distance:A-B, several "
        f"of these such as distance:10,20-30,50=2.5, or climbed: with such distances"
    )


def _span(least, most):
    return str(least) if least == most else f"{least}-{most}"
