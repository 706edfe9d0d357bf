"""Boards drawn at exact distances from the goal.

Boards at distance D are drawn in one of three ways, each board equally likely:

*Listing*: If no distance up to D has more than 6 million boards (D <= 22 on 4x4), breadth-first search lists them all,
once per process.

*Steps away from the goal*: Take a uniform board at distance D-1 and one of at most three moves that lead away from the
goal. The result is a board b at distance D, with a probability proportional to the number of b's neighbours at distance
D-1. Keep b with the inverse of that number as probability, and b is uniform again. One step keeps N(D) / (3 N(D-1)) of
the boards, where N(D) is the number of boards at distance D.

*Rejection*: Draw uniform boards and keep those at distance D. Lower bounds drop most farther boards
before any is solved.

Up to the commonest distance, the cheaper one of steps and rejection is taken. Beyond it only rejection works, and at
most 2,500 boards are solved for each one that is kept: D <= 68 on 4x4 (67 if the blank's home is not in the corner).
Farther boards are refused.

They can be *climbed* to: from a uniform board, random moves each lead one farther from the goal. The distance is exact,
but boards of that distance are not equally likely.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import factorial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..board import (
    Board,
    Shape,
    blank_cells,
    legal_directions,
    neighbours,
    slide,
    symmetries,
    taxicab,
    uniform,
    unpack_boards,
)
from ..parallel import check_stop
from ..published import depth_counts
from ..solver import Solver, label
from .levels import levels_to

__all__ = ["at_distances", "plan_draws"]

Packed = NDArray[np.uint64]

#: How boards of a distance are drawn: "list", "step", "reject" or "climb"; and the distance to list to or step from.
Way = tuple[str, int]

_MOST_LISTED = 6_000_000  # boards of one distance
_MOST_REJECTED = 2_500  # boards solved for one that is kept
_STEP_COST = 10.0  # of a board that is moved and labelled, in uniform boards that are drawn and mostly dropped at once
_ROUND = 1 << 14  # boards that are tried together
_FIRST_ROUND = 1 << 6  # the same at first, for few boards at common distances


def at_distances(distances: ArrayLike, rng: np.random.Generator, solver: Solver, *, climbed: bool = False) -> Packed:
    """One board for each of the given distances.

    Parameters
    ----------
    distances : array of int, shape (n,)
        Moves from the goal of `solver`.
    rng : numpy.random.Generator
    solver : Solver
        It finds the distances of boards that are not listed.
    climbed : bool
        Whether to climb; see `puzzle15.dataset.distances`. Then boards at one distance are not equally likely.

    Returns
    -------
    ndarray of uint64, shape (n,)

    Raises
    ------
    ValueError
        No board has such a distance, or boards at that distance are too rare.

    Examples
    --------
    >>> solver = Solver(shape=(3, 3))
    >>> boards = at_distances([0, 31, 20, 31], np.random.default_rng(1), solver)
    >>> solver.distance_many(boards).tolist()
    [0, 31, 20, 31]
    """
    distances = np.asarray(distances, dtype=np.int64)
    wanted = np.unique(distances).tolist()
    ways = plan_draws(wanted, solver.goal, climbed)
    levels = levels_to(solver.goal, max((way[1] for way in ways.values() if way[0] != "reject"), default=-1))
    boards = np.empty(len(distances), dtype=np.uint64)
    rejected = np.zeros(len(distances), dtype=bool)
    for distance in wanted:
        places = np.flatnonzero(distances == distance)
        if ways[distance][0] == "reject":
            rejected[places] = True
        else:
            boards[places] = _draw(len(places), distance, ways[distance], levels, rng, solver)
    if rejected.any():
        boards[rejected] = _reject(distances[rejected], rng, solver)
    return boards


def _draw(
    count: int, distance: int, way: Way, levels: tuple[Packed, ...], rng: np.random.Generator, solver: Solver
) -> Packed:
    """Boards at one distance, listed, stepped to or climbed to."""
    kind, start = way
    if kind == "list":
        return _some(levels[distance], count, rng)
    if kind == "step":
        return _gather(
            count, lambda number: _step_away(_some(levels[start], number, rng), start, distance, rng, solver)
        )
    return _gather(count, lambda number: _climb(distance, rng, solver))


def _some(boards: Packed, count: int, rng: np.random.Generator) -> Packed:
    return boards[(rng.random(count) * len(boards)).astype(np.int64)]


def _gather(count: int, draw: Callable[[int], Packed]) -> Packed:
    """`count` boards, at least one, from draws that give any number each."""
    parts: list[Packed] = []
    missing, number = count, max(count, 256)
    while missing > 0:
        check_stop()
        parts.append(draw(min(number, _ROUND))[:missing])
        missing -= len(parts[-1])
        number *= 2
    return np.concatenate(parts)


def _step_away(packed: Packed, distance: int, target: int, rng: np.random.Generator, solver: Solver) -> Packed:
    """Uniform boards at `target`, from uniform boards at `distance`."""
    first = _first_moves(packed, solver)
    for _ in range(distance, target):
        # At most three directions lead away, because one at least leads to the goal; take each with probability 1/3.
        packed, kept = _move_away(packed, first, (rng.random(len(packed)) * 3).astype(np.int64), solver.shape)
        first = _first_moves(packed, solver)
        keep = rng.random(len(packed)) * _BITS[first] < 1
        packed, first = packed[keep], first[keep]
    return packed


def _climb(target: int, rng: np.random.Generator, solver: Solver) -> Packed:
    """Boards at `target`, from uniform boards nearer to the goal."""
    packed = uniform(_ROUND // 16, rng, goal=solver.goal)
    columns = label(solver, packed, first_moves=True)
    distance, first = columns["distance"].astype(np.int64), columns["first_moves"]
    found = [packed[distance == target]]
    nearer = distance < target
    packed, first, distance = packed[nearer], first[nearer], distance[nearer]
    while len(packed):
        blank = blank_cells(packed, solver.shape)
        away = _BITS[legal_directions(solver.shape)[blank] & ~first].astype(np.int64)
        packed, kept = _move_away(packed, first, (rng.random(len(packed)) * away).astype(np.int64), solver.shape)
        distance = distance[kept] + 1
        found.append(packed[distance == target])
        packed, distance = packed[distance < target], distance[distance < target]
        first = _first_moves(packed, solver)
    return np.concatenate(found)


def _move_away(
    packed: Packed, first: NDArray[np.uint8], number: NDArray[np.int64], shape: Shape
) -> tuple[Packed, NDArray[np.bool_]]:
    """Each board after the move of its `number` away from the goal, and which boards have such a move."""
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
    """Masks of the first moves of all shortest solutions."""
    if not len(packed):
        return np.empty(0, dtype=np.uint8)
    return label(solver, packed, first_moves=True)["first_moves"].astype(np.uint8, copy=False)


def _reject(distances: NDArray[np.int64], rng: np.random.Generator, solver: Solver) -> Packed:
    """Uniform boards, of which those with wanted distances are kept."""
    missing = np.bincount(distances)
    boards = np.empty(len(distances), dtype=np.uint64)
    places = {distance: np.flatnonzero(distances == distance) for distance in np.flatnonzero(missing).tolist()}
    number = _FIRST_ROUND  # the boards that are found do not depend on it
    while missing.any():
        check_stop()
        packed = uniform(number, rng, goal=solver.goal)
        number = min(2 * number, _ROUND)
        # Lower bounds, the cheaper one first. Both have the distance's parity; -1 if no such distance is wanted.
        farthest = np.array([2 * np.flatnonzero(missing[parity::2]).max(initial=-1) + parity for parity in (0, 1)])
        for bound_of in (lambda packed: _manhattan(packed, solver.goal), solver.heuristic_many):
            bound = bound_of(packed)
            packed = packed[bound <= farthest[bound & 1]]
        found = solver.distance_many(packed)
        for distance in np.flatnonzero(missing).tolist():
            some = packed[found == distance][: missing[distance]]
            begin = len(places[distance]) - missing[distance]
            boards[places[distance][begin : begin + len(some)]] = some
            missing[distance] -= len(some)
    return boards


def _manhattan(packed: Packed, goal: Board) -> NDArray[np.int64]:
    """The sum of the tiles' taxicab distances to their goal cells."""
    tiles = unpack_boards(packed, goal.shape)
    distances: NDArray[np.int64] = taxicab(goal)[np.arange(tiles.shape[1]), tiles].sum(axis=1)
    return distances


def plan_draws(distances: Iterable[int], goal: Board, climbed: bool) -> dict[int, Way]:
    """How boards of each distance are drawn.

    Raises
    ------
    ValueError
        No board has such a distance, or boards at that distance are too rare.
    """
    shape = goal.shape
    total = factorial(shape[0] * shape[1]) // 2
    if total <= _MOST_LISTED:
        counts = tuple(map(len, levels_to(goal, 1000)))
    else:
        # Where no numbers are published for a home, those of the corner are near enough to tell what is cheap.
        published = depth_counts(shape, _home_kind(goal)) or depth_counts(shape)
        assert published is not None
        counts = published
    listed = next((d - 1 for d, count in enumerate(counts) if count > _MOST_LISTED), len(counts) - 1)
    commonest = int(np.argmax(counts))
    ways: dict[int, Way] = {}
    rare: list[tuple[int, float]] = []
    for distance in distances:
        if not 0 <= distance < len(counts):
            raise ValueError(
                f"distance {distance}: expected 0 .. {len(counts) - 1}, since {shape[0]}x{shape[1]} boards "
                f"are 0 .. {len(counts) - 1} moves from the goal {goal}"
            )
        share = total / counts[distance]
        if climbed:
            if distance < commonest:
                raise ValueError(
                    f"climbed:{distance}: expected a distance of at least {commonest}, which is the commonest one; "
                    f"distance:{distance} draws such boards, and draws them equally likely"
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
            f"distance:{text}: only one uniform board in {least:,.0f}"
            f"{f' .. {most:,.0f}' if len(rare) > 1 else ''} is that far from the goal, expected at least one in "
            f"{_MOST_REJECTED:,}; climbed:{text} finds boards at exactly that distance, but not equally likely"
        )
    return ways


def _home_kind(goal: Board) -> str:
    """What the published numbers call the cell of the goal's blank."""
    cells = {symmetry[goal.blank] for symmetry in symmetries(goal.shape)}
    rows, cols = goal.shape
    if 0 in cells:
        return "corner"
    edge = any(cell // cols in (0, rows - 1) or cell % cols in (0, cols - 1) for cell in cells)
    # A shape has these names only if all its edge cells, or all its inner cells, are alike.
    alike = {(2, 3): 2, (2, 4): 4, (3, 3): 4, (4, 4): 8} if edge else {(3, 3): 1, (4, 4): 4}
    return ("edge" if edge else "center") if alike.get(goal.shape) == len(cells) else "other"
