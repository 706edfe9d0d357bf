"""Boards drawn at exact distances from the goal.

Boards at distance D are drawn in one of five ways. The first three draw each board equally likely:

*Listing*: If no distance up to D has more than 6 million boards (D <= 22 on 4x4), breadth-first search lists them all,
once per process.

*Steps away from the goal*: Take a uniform board at distance D-1 and one of at most three moves that lead away from the
goal. The result is a board b at distance D, with a probability proportional to the number of b's neighbours at distance
D-1. Keep b with the inverse of that number as probability, and b is uniform again. One step keeps N(D) / (3 N(D-1)) of
the boards, where N(D) is the number of boards at distance D.

*Rejection*: Draw uniform boards and keep those at distance D. Lower bounds drop most farther boards before any is
solved. At most 2,500 boards are solved for each one that is kept: D <= 68 on 4x4 (67 if the blank's home is not in the
corner).

*Climbing*: From a uniform board, random moves each lead one farther from the goal. The distance is exact, but boards at
that distance are not equally likely. On 4x4, one climb in 500 reaches distance 69, and half as many each distance more.
Beyond 76 moves, boards on shortest ways to known farthest boards take their place, if the goal's blank is in a corner.

Up to the commonest distance, the cheaper one of steps and rejection is taken. Farther boards are drawn by rejection as
long as it is possible, and by climbing beyond.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from math import factorial
from typing import Optional

import numpy as np
from numpy.typing import NDArray

from .._system.locking import ThreadLock
from .._system.quantities import Seed, random_generator, whole, whole_each
from .._system.threads import check_stop
from ..board import (
    Board,
    Shape,
    blank_cells,
    depth_counts,
    legal_directions,
    neighbours,
    slide,
    taxicab,
    uniform,
    unpack_boards,
)
from ..errors import DatasetError, OptionError
from ..nodes._levels import Plane, next_plane
from ..solver import Solver, label
from ..solver._scrambling import MOST_CLIMBED, known_boards

Packed = NDArray[np.uint64]

_MOST_LISTED = 6_000_000  # boards of one distance
_MOST_REJECTED = 2_500  # boards solved for one that is kept
_STEP_COST = 10.0  # of a board that is moved and labelled, in uniform boards that are drawn and mostly dropped at once
_ROUND = 1 << 14  # boards that are tried together
_FIRST_ROUND = 1 << 6  # the same at first, for few boards at common distances
_MOST_IN_VAIN = 200  # rounds of climbs, one after the other, that reach no board: ten minutes with the 7-8 tables


def at_distances(distances: Iterable[int], seed: Optional[Seed], solver: Solver) -> Packed:
    """Return one packed board, uint64, for each of the given distances from the goal of `solver`, an array of int.

    `solver` finds the distances of boards that are not listed. On 4x4, boards farther than 68 moves are not equally
    likely. It raises ValueError if no board has such a distance; and DatasetError if no climb reaches one.

    >>> solver = Solver(shape=(3, 3))
    >>> boards = at_distances([0, 31, 20, 31], 1, solver)
    >>> solver.distance_many(boards).tolist()
    [0, 31, 20, 31]
    """
    given = distances if isinstance(distances, np.ndarray) else list(distances)
    rng, distances = random_generator(seed), whole_each("distance", given, len(given), most=2**62).astype(np.int64)
    wanted = np.unique(distances).tolist()
    plan, listed = plan_draws(wanted, solver.goal)
    needed = [listed if kind == "step" else distance for distance, kind in plan.items() if kind in ("list", "step")]
    levels = levels_to(solver.goal, max(needed, default=0))
    boards = np.empty(len(distances), dtype=np.uint64)
    for distance in wanted:
        rows = np.flatnonzero(distances == distance)
        if plan[distance] == "list":
            boards[rows] = _some(levels[distance], rng, len(rows))
        elif plan[distance] == "step":
            boards[rows] = _gather(
                len(rows), distance, partial(_step_away, levels[listed], listed, distance, rng, solver)
            )
        elif plan[distance] == "climb":
            boards[rows] = _gather(len(rows), distance, partial(_climb, distance, rng, solver))
        elif plan[distance] == "known":
            known = np.array([board.packed for board in known_boards(distance, solver.goal)], dtype=np.uint64)
            boards[rows] = _some(known, rng, len(rows))
    rejected = np.isin(distances, [distance for distance in wanted if plan[distance] == "reject"])
    if rejected.any():
        boards[rejected] = _reject(distances[rejected], rng, solver)
    return boards


def plan_draws(distances: Iterable[int], goal: Board) -> tuple[dict[int, str], int]:
    """Return how boards of each distance are drawn, and the farthest listed distance.

    The ways are "list", "step", "reject", "climb" and "known". It raises ValueError if no board has such a distance.
    """
    rows, cols = goal.shape
    total = factorial(rows * cols) // 2
    if total <= _MOST_LISTED:
        counts = tuple(map(len, levels_to(goal, 1000)))
    else:
        # Where no numbers are published for a home, those of the corner are near enough to compare the costs.
        counts = depth_counts(goal.shape, goal.blank) or depth_counts(goal.shape) or ()
    listed = next((d - 1 for d, count in enumerate(counts) if count > _MOST_LISTED), len(counts) - 1)
    commonest = int(np.argmax(counts))
    plan: dict[int, str] = {}
    for distance in distances:
        if not 0 <= distance < len(counts):
            raise OptionError(
                f"distance {distance}: expected 0 .. {len(counts) - 1}, since {rows}x{cols} boards "
                f"are 0 .. {len(counts) - 1} moves from the goal {goal}"
            )
        solved = total / counts[distance]  # boards for one that rejection keeps
        if distance <= listed:
            plan[distance] = "list"
        elif distance > commonest:
            known = distance > MOST_CLIMBED and known_boards(distance, goal)
            plan[distance] = "reject" if solved <= _MOST_REJECTED else "known" if known else "climb"
        else:
            pairs = zip(counts[listed:distance], counts[listed + 1 : distance + 1])
            steps = np.cumprod([3 * before / after for before, after in list(pairs)[::-1]])
            plan[distance] = "step" if _STEP_COST * steps.sum() < solved else "reject"
    return plan, listed


def _some(boards: Packed, rng: np.random.Generator, count: int) -> Packed:
    return boards[(rng.random(count) * len(boards)).astype(np.int64)]


def _gather(count: int, distance: int, draw: Callable[[int], Packed]) -> Packed:
    """Return `count` boards, at least one, from draws that give any number each."""
    parts: list[Packed] = []
    missing, number, vain = count, max(count, 256), 0
    while missing > 0:
        check_stop()
        parts.append(draw(min(number, _ROUND))[:missing])
        missing -= len(parts[-1])
        number *= 2
        vain = 0 if len(parts[-1]) else vain + 1
        if vain == _MOST_IN_VAIN:
            raise DatasetError(
                f"distance {distance}: {vain:,} rounds of random moves away from the goal reached no such board; "
                "expected a distance that more boards have"
            )
    return np.concatenate(parts)


def _step_away(
    boards: Packed, distance: int, target: int, rng: np.random.Generator, solver: Solver, count: int
) -> Packed:
    """Return uniform boards at `target`, from `count` of all boards at `distance`."""
    packed = _some(boards, rng, count)
    first = _first_moves(packed, solver)
    for _ in range(distance, target):
        # At most three directions lead away, because one at least leads to the goal; take each with probability 1/3.
        packed, kept = _move_away(packed, first, (rng.random(len(packed)) * 3).astype(np.int64), solver.shape)
        first = _first_moves(packed, solver)
        keep = rng.random(len(packed)) * _BITS[first] < 1
        packed, first = packed[keep], first[keep]
    return packed


def _climb(target: int, rng: np.random.Generator, solver: Solver, count: int) -> Packed:
    """Return boards at `target`, any number of them, from uniform boards nearer to the goal."""
    packed = uniform(_ROUND // 16, rng, goal=solver.goal)
    columns = label(solver, packed, first_moves=True)
    distance, first = columns["distance"].astype(np.int64), columns["first_moves"]
    found = [packed[distance == target]]
    nearer = distance < target
    packed, first, distance = packed[nearer], first[nearer], distance[nearer]
    while len(packed):
        away = _BITS[legal_directions(solver.shape)[blank_cells(packed, solver.shape)] & ~first].astype(np.int64)
        packed, kept = _move_away(packed, first, (rng.random(len(packed)) * away).astype(np.int64), solver.shape)
        distance = distance[kept] + 1
        found.append(packed[distance == target])
        packed, distance = packed[distance < target], distance[distance < target]
        first = _first_moves(packed, solver)
    return np.concatenate(found)


def _move_away(
    packed: Packed, first: NDArray[np.uint8], number: NDArray[np.int64], shape: Shape
) -> tuple[Packed, NDArray[np.bool_]]:
    """Return each board after the move of its `number` away from the goal, and which boards have such a move."""
    blank = blank_cells(packed, shape)
    away = legal_directions(shape)[blank] & ~first
    kept = number < _BITS[away]
    packed, blank = packed[kept], blank[kept]
    to = neighbours(shape)[blank, _NTH_BIT[away[kept], number[kept]]].astype(np.int64)
    return slide(packed, blank, to), kept


_BITS = np.array([bin(mask).count("1") for mask in range(16)], dtype=np.uint8)
#: The n-th direction of a mask.
_NTH_BIT = np.array([([d for d in range(4) if mask >> d & 1] + [0] * 4)[:4] for mask in range(16)], dtype=np.int64)


def _first_moves(packed: Packed, solver: Solver) -> NDArray[np.uint8]:
    """Return masks of the first moves of all shortest solutions."""
    first: NDArray[np.uint8] = label(solver, packed, first_moves=True)["first_moves"]
    return first


def _reject(distances: NDArray[np.int64], rng: np.random.Generator, solver: Solver) -> Packed:
    """Return uniform boards, of which those with wanted distances are kept."""
    missing = np.bincount(distances)
    boards = np.empty(len(distances), dtype=np.uint64)
    rows = {distance: np.flatnonzero(distances == distance) for distance in np.flatnonzero(missing).tolist()}
    number = _FIRST_ROUND  # the boards that are found do not depend on it
    while missing.any():
        check_stop()
        packed = uniform(number, rng, goal=solver.goal)
        number = min(2 * number, _ROUND)
        # Lower bounds, the cheaper one first. Both have the distance's parity; -1 if no such distance is wanted.
        farthest = np.array([2 * np.flatnonzero(missing[parity::2]).max(initial=-1) + parity for parity in (0, 1)])
        for bound_of in (partial(_manhattan, solver.goal), solver.lower_bound_many):
            bound = bound_of(packed)
            packed = packed[bound <= farthest[bound & 1]]
        found = solver.distance_many(packed)
        for distance in np.flatnonzero(missing).tolist():
            some = packed[found == distance][: missing[distance]]
            begin = len(rows[distance]) - missing[distance]
            boards[rows[distance][begin : begin + len(some)]] = some
            missing[distance] -= len(some)
    return boards


def _manhattan(goal: Board, packed: Packed) -> NDArray[np.int64]:
    tiles = unpack_boards(packed, goal.shape)
    distances: NDArray[np.int64] = taxicab(goal)[np.arange(tiles.shape[1]), tiles].sum(axis=1)
    return distances


# ---------------------------------------------------------------- all boards at a distance

_lock = ThreadLock()
#: The last goal, the boards at distance 0, 1, ..; and the last two levels as planes, empty after the farthest boards.
_listing: tuple[Optional[Board], tuple[Packed, ...], Plane, Plane] = (None, (), {}, {})


def levels_to(goal: Board, farthest: int) -> tuple[Packed, ...]:
    """Return the boards at each distance from 0 to `farthest`; fewer arrays if no board is that far away.

    A process keeps the lists of the last goal. On 4x4, the boards up to distance 22 take 2 s and 100 MB.

    >>> [len(level) for level in levels_to(Board.goal((2, 2)), 9)]
    [1, 2, 2, 2, 2, 2, 1]
    """
    global _listing
    farthest = whole("farthest", farthest)
    with _lock:  # otherwise every thread lists them all
        if _listing[0] != goal:
            first = np.array([goal.packed], dtype=np.uint64)
            _listing = (goal, (first,), {}, {goal.blank: first})
        _, levels, before, last = _listing
        while len(levels) <= farthest and last:
            before, last = last, next_plane(before, last, goal.shape)
            if last:
                levels = (*levels, np.concatenate(list(last.values())))
            _listing = (goal, levels, before, last)
        return levels[: farthest + 1]
