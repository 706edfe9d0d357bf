"""Random boards: drawn uniformly, or at the end of random walks from the goal."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Optional, Union

from .._system.lazy import np
from .._system.quantities import Seed, random_generator, whole
from .._system.threads import check_stop
from ..errors import OptionError
from ._board import BoardLike, goal_of
from ._notation import Shape
from ._packed import neighbours, shuffled, slide

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


def uniform(
    count: int,
    seed: Optional[Seed],
    *,
    goal: Optional[BoardLike] = None,
    shape: Optional[Sequence[int]] = None,
) -> NDArray[np.uint64]:
    """Boards drawn uniformly from all that can reach the goal: uint64 (count,), packed as by `pack_boards`.

    `seed`, `goal` and `shape` are as for `Board.random`.

    >>> boards = uniform(1000, 1, shape=(2, 2))
    >>> len(np.unique(boards))
    12
    """
    count, target = whole("count", count), goal_of(goal, shape)
    return shuffled(count, random_generator(seed), target.packed, target.shape)


def random_walk(
    count: int,
    lengths: Union[int, ArrayLike],
    seed: Optional[Seed],
    *,
    goal: Optional[BoardLike] = None,
    shape: Optional[Sequence[int]] = None,
) -> NDArray[np.uint64]:
    """The last boards of random walks from the goal: uint64 (count,), packed; no move of a walk undoes the one before.

    `lengths` is the number of moves of all walks, or of each, int (count,). A board's distance is at most its walk's
    length, and has the same parity. The other arguments are those of `uniform`.

    >>> from puzzle15 import Solver
    >>> boards = random_walk(100, 12, 1)
    >>> int(Solver("embedded").distance_many(boards).max())
    12
    """
    count, start = whole("count", count), goal_of(goal, shape)
    steps = np.broadcast_to(np.asarray(lengths), (count,))
    if steps.dtype.kind not in "iu" or (steps < 0).any():
        raise OptionError("lengths: expected whole numbers of moves, at least 0")
    packed = np.full(count, start.packed, dtype=np.uint64)
    blank = np.full(count, start.blank, dtype=np.int64)
    last = np.full(count, 4, dtype=np.int64)
    rng = random_generator(seed)
    allowed, numbers = _directions(start.shape)
    for step in range(int(steps.max(initial=0))):
        check_stop()
        draws = rng.random(count)
        walking = np.flatnonzero(steps > step)
        cell, before = blank[walking], last[walking]
        drawn = (draws[walking] * numbers[cell, before]).astype(np.int64)
        direction = allowed[cell, before, drawn]
        to = neighbours(start.shape)[cell, direction].astype(np.int64)
        packed[walking] = slide(packed[walking], cell, to)
        blank[walking], last[walking] = to, direction
    return packed


@cache
def _directions(shape: Shape) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the blank's directions from a cell that do not undo the last one (4: there is none), and their number."""
    is_allowed = np.repeat(neighbours(shape)[:, None, :] >= 0, 5, axis=1)
    for last in range(4):
        is_allowed[:, last, 3 - last] = False
    return np.argsort(~is_allowed, axis=2, kind="stable"), is_allowed.sum(axis=2)
