"""`check_heuristic`, which tries what a heuristic claims against exact distances."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import NDArray

from .._system.quantities import Seed, check_choice, random_generator, seconds, whole
from .._system.threads import check_stop, slices
from ..board import Board, BoardLike, BoardsLike, Shape, moves_from_directions
from ..board._solvability import pack_solvable
from ..errors import TableMissingError
from ..nodes import Children, children
from ..solver._solver import best_solver
from ..tables._folder import Folder
from ._evaluation import Heuristic, HeuristicLike, heuristic
from ._report import CLAIMS, KEPT, Change, HeuristicReport, Jump, Overestimate, Trial
from ._samples import MOST_LISTED, Sample, along_solutions, board_count, drawn, nearest_boards

_SMALL_SHAPES = ((2, 2), (2, 3), (3, 3))
_SMALL_CELLS = 9
_FIRST_BATCH, _LARGEST_BATCH = 1 << 8, 1 << 14  # boards that are evaluated together
_WANTED_S = 0.1  # of a batch
_TWICE = (100, 1000)  # boards, a tenth of them all, but at least and at most so many: a callable may have a state
_ROWS = 1 << 16  # boards whose neighbours are looked up together
_LISTED = np.array([3, 1, 0, 2])  # the place of each direction in the order of listed moves


def check_heuristic(
    h: Union[HeuristicLike, Heuristic],
    *,
    goal: Optional[BoardLike] = None,
    shape: Optional[Sequence[int]] = None,
    boards: Union[int, BoardsLike] = 10_000,
    claims: Sequence[str] = (),
    small_shapes: bool = True,
    seed: Optional[Seed] = 0,
    time_limit_s: Optional[float] = 30.0,
    tables: Folder = None,
    progress: Optional[Callable[[float, str], Any]] = None,
) -> HeuristicReport:
    """Try whether a heuristic is admissible and consistent, and report counter-examples.

    On shapes of up to 2 million boards, such as 3x3 and 2x5, all boards and all moves are tried: without a
    counter-example, there is none. On larger shapes, these are the boards nearest to the goal, those on shortest
    solutions of random boards, and all their moves.

    Parameters
    ----------
    h : Heuristic, str, callable, TableSum, or list of these
        What `puzzle15.heuristic` takes or makes. A bare function claims nothing.
    goal, shape
        As for `puzzle15.heuristic`; by default those of `h`.
    boards : int or boards
        About how many boards of a large shape are tried; or boards, which are tried with those on their solutions.
    claims : list of {"admissible", "consistent"}
        What is claimed for the heuristic, beside what it claims itself.
    small_shapes : bool
        Whether to try a heuristic of a larger shape also on 2x2, 2x3 and 3x3, if it can be made for them.
    seed : int, numpy.random.Generator or None
        The seed of the random boards. The same seed draws the same boards, unless time runs out.
    time_limit_s : float, optional
        About how many seconds the check may take; then fewer boards are tried. None means no limit.
    tables : path, optional
        The folder of the tables.
    progress : callable, optional
        Called with the share of the work that is done, 0 .. 1, and the name of the current step.

    Examples
    --------
    >>> check_heuristic("tables:embedded", shape=(2, 3)).trials[0].exact
    1.0
    >>> print(check_heuristic("ann", boards=500, small_shapes=False).claims_admissible)
    False
    """
    claims = [claims] if isinstance(claims, str) else claims
    for claim in claims:
        check_choice("claims", claim, CLAIMS)
    if not isinstance(h, Heuristic):
        h = heuristic(h, goal=goal, shape=shape, tables=tables)
    elif goal is not None:
        h = h.toward(goal)
    given = None if isinstance(boards, (int, np.integer)) else pack_solvable(boards, h.goal, "raise")[0]
    count = whole("boards", boards, 1) if given is None else 0
    rng, limit = random_generator(seed), seconds("time_limit_s", time_limit_s)
    start = time.monotonic()
    of_all = [*(_on_small_shapes(h, tables) if small_shapes else []), h]
    trials = []
    for number, each in enumerate(of_all):

        def report(done: float, what: str, number: int = number, shape: Shape = each.shape) -> None:
            check_stop()
            if progress:
                progress((number + done) / len(of_all), f"{shape[0]}x{shape[1]}: {what} boards")

        # The small shapes take half of the time at most, and so does drawing boards.
        ends = [
            np.inf if limit is None else start + share * limit for share in ((0.5, 1.0) if each is h else (0.25, 0.5))
        ]
        if each is h and given is not None:
            sample = along_solutions(given, best_solver(each.goal, tables=tables), ends[0])
        elif board_count(each.shape) <= MOST_LISTED:
            sample = nearest_boards(each.goal, MOST_LISTED)
        else:
            solver = best_solver(each.goal, tables=tables)
            sample = drawn(each.goal, count, rng, solver, ends[0], lambda done: report(done / 2, "solving"))
        trials.append(_try(each, sample, rng, ends[1], lambda done: report((1 + done) / 2, "evaluating")))
    admissible, consistent = (getattr(h, claim) or claim in claims for claim in CLAIMS)
    return HeuristicReport(h.name, admissible, consistent, tuple(trials))


def _on_small_shapes(h: Heuristic, tables: Folder) -> list[Heuristic]:
    """Return the heuristic on the shapes that are always tried, as far as it can be made for them."""
    found: list[Heuristic] = []
    if h.shape[0] * h.shape[1] > _SMALL_CELLS and all(function.any_goal for function in h.functions):
        for shape in _SMALL_SHAPES:
            # a network, a partition, an array or a function may be for its own shape only
            with suppress(ValueError, TableMissingError):
                found.append(heuristic(h.parts, goal=Board.goal(shape), tables=tables))
    return found


def _try(
    h: Heuristic, sample: Sample, rng: np.random.Generator, deadline: float, report: Callable[[float], None]
) -> Trial:
    """Compare the heuristic with the distances of a sample, and along all moves from its boards."""
    start = time.monotonic()
    shape, total = h.shape, board_count(h.shape)
    packed, distances = sample
    if len(packed) < total:
        packed = np.unique(np.concatenate([packed, children(packed, shape).packed]))
        distances = np.full(len(packed), -1, dtype=np.int64)
        distances[np.searchsorted(packed, sample.packed)] = sample.distances
    order = rng.permutation(len(packed))
    at_goal = int(np.searchsorted(packed, np.uint64(h.goal.packed)))
    values = np.full(len(packed), -1, dtype=np.int64)
    values[at_goal] = h.many(packed[at_goal : at_goal + 1])[0]
    _evaluate(h, packed, order, values, deadline, report)

    def board(index: int) -> Board:
        return Board(int(packed[index]), shape)

    tried = np.flatnonzero((values >= 0) & (distances >= 0))
    over = tried[values[tried] > distances[tried]]
    over = over[np.lexsort((-values[over], distances[over]))]
    jumps, moves = _jumps(packed, values, distances, shape)
    changed, again = _changes(h, packed, values, rng)
    return Trial(
        goal=h.goal,
        boards=len(tried),
        total=total,
        moves=moves,
        goal_h=int(values[at_goal]),
        mean_h=float(values[tried].mean()),
        mean_distance=float(distances[tried].mean()),
        exact=float((values[tried] == distances[tried]).mean()),
        overestimates=tuple(Overestimate(board(i), int(values[i]), int(distances[i])) for i in over[:KEPT].tolist()),
        overestimate_count=len(over),
        jumps=tuple(
            Jump(board(i), moves_from_directions([direction]), board(j), int(values[i]), int(values[j]))
            for i, j, direction in jumps[:KEPT].tolist()
        ),
        jump_count=len(jumps),
        changes=tuple(
            Change(board(i), int(values[i]), value) for i, value in zip(changed[:KEPT].tolist(), again.tolist())
        ),
        change_count=len(changed),
        seconds=time.monotonic() - start,
    )


def _evaluate(
    h: Heuristic,
    packed: NDArray[np.uint64],
    order: NDArray[np.int64],
    values: NDArray[np.int64],
    deadline: float,
    report: Callable[[float], None],
) -> None:
    """Fill in the values of boards in an order, as many as there is time for."""
    done, batch = 0, _FIRST_BATCH
    while done < len(order) and (now := time.monotonic()) < deadline:
        some = order[done : done + batch]
        values[some] = h.many(packed[some])
        done += len(some)
        report(done / len(order))
        took = time.monotonic() - now
        batch = min(2 * batch, _LARGEST_BATCH) if took < _WANTED_S else max(batch // 2, 1)


def _jumps(
    packed: NDArray[np.uint64], values: NDArray[np.int64], distances: NDArray[np.int64], shape: Shape
) -> tuple[NDArray[np.int64], int]:
    """Return the moves that lower h by more than one, as rows (board, next board, direction), nearest to the goal
    first; and how many moves were looked at, a move and its undo once."""
    found, count = [np.empty((0, 3), dtype=np.int64)], 0
    for rows in slices(len(packed), _ROWS):
        after, parent, direction = children(packed[rows], shape)
        here = rows.start + parent
        there = np.minimum(np.searchsorted(packed, after), len(packed) - 1)
        known = (packed[there] == after) & (values[here] >= 0) & (values[there] >= 0)
        known &= (distances[here] >= 0) | (distances[there] >= 0)
        count += int(known.sum())
        steep = known & (values[here] - values[there] > 1)
        found.append(np.column_stack([here[steep], there[steep], direction[steep]]))
    jumps = np.concatenate(found)
    near = np.maximum(distances[jumps[:, 0]], distances[jumps[:, 1]])
    return jumps[np.lexsort((_LISTED[jumps[:, 2]], jumps[:, 0], near))], count // 2


def _changes(
    h: Heuristic, packed: NDArray[np.uint64], values: NDArray[np.int64], rng: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(the boards whose values differ when the heuristic is called again, these values)"""
    known = np.flatnonzero(values >= 0)
    least, most = _TWICE
    some = rng.choice(known, min(max(len(known) // 10, least), most, len(known)), replace=False)
    again = np.asarray(h.many(packed[some]), dtype=np.int64)
    if any(function.has_child for function in h.functions):
        again = np.where(again == values[some], _as_children(h, packed[some], rng), again)
    changed = again != values[some]
    return some[changed], again[changed]


def _as_children(h: Heuristic, packed: NDArray[np.uint64], rng: np.random.Generator) -> NDArray[np.int64]:
    """Return the values of boards as children, each of a board beside it."""
    beside = children(packed, h.shape)
    rows = np.arange(len(packed))
    first, end = np.searchsorted(beside.parent, rows), np.searchsorted(beside.parent, rows, side="right")
    chosen = rng.integers(first, end)
    parents = beside.packed[chosen]
    made = Children(packed, rows, 3 - beside.direction[chosen])  # by the move back
    values = h.of_children(made, parents, h.components(parents))
    return np.asarray(values.max(axis=1), dtype=np.int64)
