"""Searches for what was learned: a policy, or values of all moves of a board. They are registered as algorithms."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from .._system.quantities import flag
from ..board import Board, blank_cells, invert_moves, legal_directions, moves_from_directions, unpack_boards
from ..errors import AlgorithmError
from ..heuristics import Heuristic
from ..nodes import NO_MOVE, BoardTable, BucketQueue, children
from ._registering import Progress, register

#: Keys of open lists are whole numbers: so many for each unit of a cost's logarithm, and for each move.
_PER_LOG, _PER_MOVE = 16, 4
_LARGEST = 1 << 40  # larger values count as this one

_LABEL = np.dtype([("g", np.uint32), ("log_p", np.float64)])
_NODE = np.dtype([("packed", np.uint64), *_LABEL.descr, ("h", np.uint8), ("last", np.uint8), ("number", np.int64)])
_STEP = np.dtype([("g", np.uint32), ("last", np.uint8)])
_REACHED = np.dtype([("packed", np.uint64), *_STEP.descr])

#: A function of boards, uint8 (N, cells), that returns a number for each direction of the blank, (N, 4).
OfMoves = Callable[[NDArray[np.uint8]], Any]


def register_policy(policy: OfMoves, *, name: str, informed: bool = True, batch: int = 1) -> Callable[..., Any]:
    """Register a search that a policy guides: PHS*, or Levin tree search, which has no heuristic.

    The probability p of a node is the product of those of its moves. PHS* expands the node with the least
    ``(g + h) / p ** (1 + h / g)`` first [Orseau2021]_, Levin tree search that with the least g / p
    [Orseau2018]_.

    Parameters
    ----------
    policy : callable
        It takes boards, uint8 (N, cells), row-major and 0 for the blank. It returns the probabilities of the blank's
        directions, (N, 4): 0 up, 1 left, 2 right, 3 down. Those of illegal moves do not count; the others are scaled to
        the sum 1. A move with probability 0 is never made.
    name : str
        Of the algorithm.
    informed : bool
        Whether it uses a heuristic, which makes it PHS*.
    batch : int
        How many nodes a search expands at once, with one call of the policy, unless the search has that option.

    Returns
    -------
    callable
        The algorithm, as `register` takes it.

    Raises
    ------
    ValueError
        From `register`. A search raises AlgorithmError if the policy returns something else.

    Notes
    -----
    Solutions need not be shortest. Levin tree search expands at most ``batch * (1 + 1.07 * g / p)`` nodes, with the g
    and p of any solution. (Costs are compared by their logarithms, rounded down to 1/16, hence the factor 1.07.) Boards
    are opened again only with a smaller g or a larger p. A search fails where no moves of positive probability lead to
    the goal.

    Examples
    --------
    >>> from puzzle15 import search
    >>> def evenly(boards):
    ...     return np.ones((len(boards), 4))
    >>> levin = register_policy(evenly, name="levin", informed=False)
    >>> search("1 2 3/0 5 6/4 7 8", algorithm="levin").moves
    'ULL'

    References
    ----------
    .. [Orseau2021] L. Orseau, L. H. S. Lelis, "Policy-guided heuristic search with guarantees", AAAI 2021.
    .. [Orseau2018] L. Orseau, L. H. S. Lelis, T. Lattimore, T. Weber, "Single-agent policy tree search with
       guarantees", NeurIPS 2018.
    """
    return register(
        name=name,
        summary=f"expand the node with the least {'(g + h) / p^(1 + h/g)' if informed else 'g / p'} by a policy first",
        options={"batch": batch},
        f="g + h" if flag("informed", informed) else "g",
    )(partial(_policy_guided, policy=policy))


def register_values(values: OfMoves, *, name: str, admissible: bool = False, batch: int = 1) -> Callable[..., Any]:
    """Register Q*: A* that evaluates a node once for all of its moves.

    A child waits under g plus the value of the move that leads to it. Its own moves are evaluated when it is expanded
    [Agostinelli2024]_. So there is one evaluation for each node that is expanded, in place of one for each child.

    Parameters
    ----------
    values : callable
        Like a policy of `register_policy`, but it returns the distances of the goal after each move, (N, 4). Those
        below 0 count as 0, and a move whose value is infinite is never made.
    name, batch
        As for `register_policy`.
    admissible : bool
        Whether no value is larger than the distance. Solutions are then shortest ones. Otherwise a search ends with the
        first solution.

    Returns
    -------
    callable
        The algorithm, as `register` takes it.

    Raises
    ------
    ValueError
        From `register`. A search raises AlgorithmError if a solution refutes that they are admissible.

    Examples
    --------
    >>> from puzzle15 import search
    >>> def nothing(boards):
    ...     return np.zeros((len(boards), 4))
    >>> algorithm = register_values(nothing, name="q*", admissible=True, batch=64)
    >>> search("1 2 3/0 5 6/4 7 8", algorithm="q*").optimal
    True

    References
    ----------
    .. [Agostinelli2024] F. Agostinelli et al., "Q* search: heuristic search with deep Q-networks", workshop PRL
       of ICAPS 2024.
    """
    return register(
        name=name,
        summary="expand the node with the least g + value of its last move first",
        options={"batch": batch},
        f="g",
        shortest="yes" if flag("admissible", admissible) else "no",
    )(partial(_q_star, values=values, admissible=admissible))


def _policy_guided(
    start: Board, goal: Board, heuristic: Heuristic, progress: Progress, *, policy: OfMoves, batch: int
) -> Optional[str]:
    known = BoardTable(_LABEL, max_memory=progress.max_memory and progress.max_memory // 2)
    queue, expanded = BucketQueue(), 0
    tree: list[tuple[NDArray[np.int64], NDArray[np.uint8]]] = []  # the parents' numbers and the last moves of all nodes
    opened, parents, count = np.zeros(1, dtype=_NODE), np.array([-1]), 0
    opened["packed"], opened["h"], opened["last"] = start.packed, heuristic(start), NO_MOVE
    while True:
        opened["number"] = np.arange(count, count + len(opened))
        count += len(opened)
        tree.append((parents, opened["last"].copy()))
        known.update(opened["packed"], opened[["g", "log_p"]].astype(_LABEL))
        queue.push(np.floor(_PER_LOG * _log_cost(opened)).astype(np.int64), opened)
        memory = known.memory_bytes + 9 * count + queue.memory_bytes
        progress(open=len(queue), closed=expanded, memory_bytes=memory)
        if not len(queue):
            return None
        (nodes,) = queue.pop(batch, across=True)
        nodes = nodes[~_is_worse(nodes, known, or_equal=False)]
        solved = nodes["number"][nodes["packed"] == goal.packed]
        if len(solved):
            progress.expand(goal.packed, nodes["g"][nodes["number"] == solved[0]])
            return _moves_to(int(solved[0]), tree)
        if not len(nodes):
            opened, parents = opened[:0], parents[:0]
            continue
        packed = nodes["packed"]
        probabilities = _probabilities(policy, packed, start.shape)
        made = children(packed, start.shape, nodes["last"])
        opened = np.zeros(len(made.packed), dtype=_NODE)
        opened["packed"], opened["g"], opened["last"] = made.packed, nodes["g"][made.parent] + 1, made.direction
        opened["h"] = heuristic.of_children(made, packed, nodes["h"])
        with np.errstate(divide="ignore"):
            opened["log_p"] = nodes["log_p"][made.parent] + np.log(probabilities[made.parent, made.direction])
        expanded += len(nodes)
        kept = np.isfinite(opened["log_p"]) & ~_is_worse(opened, known, or_equal=True)
        progress.expand(packed, nodes["g"], nodes["h"], made, opened["h"], kept)
        opened, parents = opened[kept], nodes["number"][made.parent[kept]]


def _log_cost(nodes: NDArray[Any]) -> NDArray[np.float64]:
    """Return the logarithm of (g + h) / p ** (1 + h / g); 0 for a start at the goal."""
    g, h = nodes["g"].astype(np.float64), nodes["h"].astype(np.float64)
    logs: NDArray[np.float64] = np.log(np.maximum(g + h, 1)) - (1 + h / np.maximum(g, 1)) * nodes["log_p"]
    return logs


def _is_worse(nodes: NDArray[Any], known: BoardTable, or_equal: bool) -> NDArray[np.bool_]:
    """Return whether the table has each board with g and p as good; without `or_equal`, with one of them better."""
    (labels, found), g, log_p = known.get(nodes["packed"].copy()), nodes["g"], nodes["log_p"]
    worse = found & (labels["g"] <= g) & (labels["log_p"] >= log_p)
    return worse if or_equal else worse & ((labels["g"] < g) | (labels["log_p"] > log_p))


def _moves_to(number: int, tree: list[tuple[NDArray[np.int64], NDArray[np.uint8]]]) -> str:
    """Return the moves from the start to a node of a tree."""
    parents, last = (np.concatenate(column) for column in zip(*tree))
    directions = []
    while number:
        directions.append(int(last[number]))
        number = int(parents[number])
    return moves_from_directions(bytes(directions[::-1]))


def _q_star(
    start: Board,
    goal: Board,
    heuristic: Heuristic,
    progress: Progress,
    *,
    values: OfMoves,
    admissible: bool,
    batch: int,
) -> Optional[str]:
    known = BoardTable(_STEP, max_memory=progress.max_memory and progress.max_memory // 2)
    queue, expanded, best = BucketQueue(), 0, None
    root = np.zeros(1, dtype=_REACHED)
    root["packed"], root["last"] = start.packed, NO_MOVE
    queue.push([0], root)
    while len(queue) and (best is None or queue.least < _PER_MOVE * best):
        (nodes,) = queue.pop(batch, across=True)
        nodes = nodes[known.lower(nodes["packed"].copy(), nodes[["g", "last"]].astype(_STEP))]
        is_goal = nodes["packed"] == goal.packed
        if is_goal.any():
            best = int(nodes["g"][is_goal].min())
            progress.expand(goal.packed, best)
            if not admissible:
                break
        nodes = nodes[~is_goal]
        if len(nodes):
            packed = nodes["packed"].copy()
            numbers = _of_moves(values, packed, start.shape)
            made = children(packed, start.shape, nodes["last"])
            opened = np.zeros(len(made.packed), dtype=_REACHED)
            opened["packed"], opened["g"], opened["last"] = made.packed, nodes["g"][made.parent] + 1, made.direction
            f = opened["g"] + np.maximum(numbers[made.parent, made.direction], 0)
            kept = np.isfinite(f)
            keys = np.floor(_PER_MOVE * np.minimum(f[kept], _LARGEST))
            queue.push(keys.astype(np.int64), opened[kept])
            expanded += len(nodes)
            progress.expand(packed, nodes["g"], 0, made, 0, kept)
        bounds = [-(-queue.least // _PER_MOVE)] if len(queue) else []
        bounds += [] if best is None else [best]
        progress(
            lower_bound=min(bounds, default=0) if admissible else 0,
            open=len(queue),
            closed=expanded,
            memory_bytes=known.memory_bytes + queue.memory_bytes,
        )
    return None if best is None else _moves_back(start, goal, known)


def _moves_back(start: Board, goal: Board, known: BoardTable) -> str:
    """Return the moves from the start to the goal, by the last moves of boards."""
    board, moves = goal, ""
    while board != start:
        move = moves_from_directions(bytes([int(known.get(np.array([board.packed], dtype=np.uint64))[0]["last"][0])]))
        board, moves = board.move(invert_moves(move)), move + moves
    return moves


def _probabilities(policy: OfMoves, packed: NDArray[np.uint64], shape: tuple[int, int]) -> NDArray[np.float64]:
    """Return the probabilities of the moves of boards; their sum is 1."""
    shares = _of_moves(policy, packed, shape)
    sums = shares.sum(axis=1, keepdims=True)
    bad = ~((shares >= 0).all(axis=1) & np.isfinite(sums[:, 0]) & (sums[:, 0] > 0))
    if bad.any():
        row = int(bad.argmax())
        raise _error(policy, shares[row], Board._of(int(packed[row]), shape), "numbers of at least 0, not all 0")
    return np.asarray(shares / sums)


def _of_moves(function: OfMoves, packed: NDArray[np.uint64], shape: tuple[int, int]) -> NDArray[np.float64]:
    """Return the function's numbers for the moves of boards, 0 for illegal ones; AlgorithmError for others."""
    packed = np.ascontiguousarray(packed)
    numbers = np.asarray(function(unpack_boards(packed, shape)))
    if numbers.shape != (len(packed), 4) or numbers.dtype.kind not in "iuf":
        what = f"an array of {numbers.dtype} of shape {numbers.shape}"
        raise _error(function, what, f"{len(packed)} boards", f"numbers of shape ({len(packed)}, 4)")
    legal = legal_directions(shape)[blank_cells(packed, shape)][:, None] >> np.arange(4, dtype=np.uint8) & 1
    numbers = np.where(legal, numbers, 0.0)
    bad = np.isnan(numbers).any(axis=1)
    if bad.any():
        row = int(bad.argmax())
        raise _error(function, numbers[row], Board._of(int(packed[row]), shape), "numbers")
    return numbers


def _error(function: OfMoves, returned: Any, given: Any, expected: str) -> AlgorithmError:
    name = getattr(function, "__name__", type(function).__name__)
    return AlgorithmError(f"{name}: it returned {returned} for {given}; expected {expected}")
