"""`bae*`, `bs*` and `dvcbs`: bidirectional searches of the literature, written with `puzzle15.nodes`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Optional

from ..._system.lazy import np
from ...board import Board
from ...heuristics import Heuristic
from ...nodes import BucketQueue
from .._registering import Progress, register
from .sides import Side, TwoSides

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .sides import Numbers

_LAST = 255

_from_both_ends = partial(register, options={"batch": 4096})


def _key(priority: Numbers, g: Numbers) -> Numbers:
    """Return the priority, and of equal ones the larger g first."""
    return priority << 8 | _LAST - g


def _first(queue: BucketQueue) -> int:
    """Return the least priority."""
    return queue.least >> 8


@_from_both_ends(
    name="bae*",
    summary="search from both ends, the board with the least b = f + (g - backward heuristic) first",
    shortest="if h is consistent",
)
def bae_star(start: Board, goal: Board, heuristic: Heuristic, progress: Progress, *, batch: int) -> Optional[str]:
    """Bidirectional A* with error adjustment.

    b = f + (g - the heuristic backward) never falls along a path, and half of the sum of the least b of both sides is
    a lower bound. Ties: the larger g. Sides: the one that has expanded fewer boards; so they take turns.

    References
    ----------
    S. K. Sadhukhan, "Bidirectional heuristic search based on error estimate", CSI Journal of Computing 2, 2013.
    V. Alcazar, P. J. Riddle, M. Barley, "A unifying view on individual bounds and heuristic inaccuracies in
    bidirectional search", AAAI 2020.
    """
    both = TwoSides(start, goal, heuristic, progress, lambda g, h, back: _key(2 * g + h - back, g), errors=True)
    while both.wait() and both.goes_on((sum(_first(side.queue) for side in both.sides) + 1) // 2):
        side = min(both.sides, key=lambda side: side.expanded)
        both.expand(side, *side.queue.pop(both.batch(side, batch)))
    return both.moves()


@_from_both_ends(
    name="bs*",
    summary="search from both ends like a*, the end with fewer open boards first",
    shortest="if h is consistent",
)
def bs_star(start: Board, goal: Board, heuristic: Heuristic, progress: Progress, *, batch: int) -> Optional[str]:
    """BS*: two A* that leave out what the other one has expanded.

    It ends when the least f of one side is not below the best solution. Ties: the larger g. Sides: the one with fewer
    boards in its queue (Pohl). A board that both sides expand is found at its turn; its descendants on the other side
    stay, as in HOG2, from which the published counts are.

    References
    ----------
    J. B. H. Kwa, "BS*: An admissible bidirectional staged heuristic search algorithm", Artificial Intelligence 38,
    1989.
    """
    both = TwoSides(start, goal, heuristic, progress, lambda g, h, back: _key(g + h, g))
    while both.wait() and both.goes_on(max(_first(side.queue) for side in both.sides)):
        side = min(both.sides, key=lambda side: len(side.queue))
        both.expand(side, *side.queue.pop(both.batch(side, batch)))
    return both.moves()


@_from_both_ends(
    name="dvcbs",
    summary="search from both ends, the boards of a minimum vertex cover of all pairs below the bound first",
    shortest="if h is admissible",
)
def dvcbs(start: Board, goal: Board, heuristic: Heuristic, progress: Progress, *, batch: int) -> Optional[str]:
    """Dynamic vertex cover bidirectional search.

    Of each pair of boards, one on each side, whose bound max(f, f', g + g' + 1) is at most the present one, one must
    be expanded. A minimum vertex cover says which; all boards of its least g on one side are expanded, then a new one
    is computed. Ties: of all minimum covers, the side with fewer boards of its least g, which is the variant that the
    authors' program takes by default.

    References
    ----------
    S. S. Shperberg, A. Felner, N. R. Sturtevant, S. E. Shimony, A. Hayoun, "Enriching non-parametric bidirectional
    search algorithms", AAAI 2019.
    """
    ready = [BucketQueue(), BucketQueue()]  # boards whose f is at most the bound, by g
    both = TwoSides(
        start, goal, heuristic, progress, lambda g, h, back: _key(g + h, _LAST - g), nips=False, ready=ready
    )
    counts = np.zeros((2, 2 * _LAST + 2), dtype=np.int64)  # as many as a bound can have values
    bound = 0
    while all(len(side.queue) + len(queue) for side, queue in zip(both.sides, ready)) and both.goes_on(bound):
        for number, side in enumerate(both.sides):
            while len(side.queue) and _first(side.queue) < bound:
                _make_ready(side, ready[number], counts[number])
        least = sum(queue.least for queue in ready) + 1 if all(map(len, ready)) else None
        if least is None or least > bound:
            equal = [n for n, side in enumerate(both.sides) if len(side.queue) and _first(side.queue) == bound]
            for number in equal:
                _make_ready(both.sides[number], ready[number], counts[number])
            if not equal:
                bounds = [_first(side.queue) for side in both.sides if len(side.queue)]
                bound = min(bounds + ([] if least is None else [least]))
            continue
        number = _side_of_cover(counts, bound)
        g = ready[number].least
        while counts[number, g] and both.goes_on(bound):
            taken = ready[number].pop(both.batch(both.sides[number], batch))
            counts[number, g] -= len(taken[0])
            both.expand(both.sides[number], *taken)
    return both.moves()


def _make_ready(side: Side, ready: BucketQueue, counts: NDArray[np.int64]) -> None:
    """Move the boards of a side's least key to those that may be expanded."""
    packed, g = side.queue.pop(len(side.queue))
    ready.push(g, packed, g)
    counts[g[0]] += len(packed)


def _side_of_cover(counts: NDArray[np.int64], bound: int) -> int:
    """Return the side of which the boards with the least g are expanded, from the numbers of boards by side and g."""
    below = np.zeros((2, bound + 1), dtype=np.int64)  # [side, g]: how many have a smaller g
    below[:, 1:] = counts[:, :bound].cumsum(axis=1)
    # A cover that has all boards with g < t on one side has those with g + t < bound on the other.
    covers = below[0] + below[1, ::-1]
    least = covers == covers.min()
    sizes = [counts[number, counts[number] > 0][0] for number in range(2)]
    used = [below[0, least].any(), below[1, ::-1][least].any()]
    return 0 if used[0] and (not used[1] or sizes[0] < sizes[1]) else 1
