"""What a network learns from labels: inputs, the distance as the value, and optimal first moves as the policy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Optional

import numpy as np
from numpy.typing import NDArray

from ..board import Shape

__all__ = ["Targets", "check_columns", "columns_for", "targets"]

#: The forms of inputs and of policies that `targets` makes.
_INPUTS = ("tiles", "one-hot")
_POLICIES = ("distribution", "mask", "solution")


class Targets(NamedTuple):
    """Inputs and targets of N boards."""

    inputs: NDArray[np.uint8]
    value: NDArray[np.float32]
    policy: Optional[NDArray[Any]]


def columns_for(inputs: str, policy: Optional[str]) -> tuple[str, ...]:
    """The columns of labels that `targets` needs; ValueError if there are no such inputs or policy."""
    if inputs not in _INPUTS:
        raise ValueError(f"inputs {inputs!r}: expected {' or '.join(_INPUTS)}")
    if policy is not None and policy not in _POLICIES:
        raise ValueError(f"policy {policy!r}: expected {', '.join(_POLICIES)}, or None")
    return ("board", "distance", *([] if policy is None else ["solution" if policy == "solution" else "first_moves"]))


def check_columns(columns: Iterable[str], policy: Optional[str], where: str = "") -> None:
    """Raise ValueError if labels of these columns do not have the first moves that a policy needs."""
    if policy not in (None, "solution") and "first_moves" not in columns:
        raise ValueError(
            f"{where}no column first_moves, which the policy {policy!r} needs; label with --first-moves "
            f"(first_moves=True), or take the policy 'solution' or None"
        )


def targets(
    rows: Mapping[str, NDArray[Any]], shape: Shape, *, inputs: str = "tiles", policy: Optional[str] = "distribution"
) -> Targets:
    """Inputs, values and policies from columns of labels.

    Parameters
    ----------
    rows : mapping of str to ndarray
        Columns as `puzzle15.solver.label` and `Dataset.shards` give them, of N rows.
    shape : (int, int)
        Rows and columns of the boards.
    inputs : {"tiles", "one-hot"}
        The tiles, cell by cell; or a plane per tile, in which the cell of the tile is 1.
    policy : {"distribution", "mask", "solution"} or None
        All optimal first moves, as probabilities that are equal or as a mask; they need labels with `first_moves`. Or
        the first move of the one solution that is stored, as a probability of 1. Or no policy.

    Returns
    -------
    Targets
        inputs : uint8, shape (N, cells); one-hot (N, cells, rows, columns), with the plane of the blank first
        value : float32, shape (N,)
            The distance.
        policy : float32, or bool for a mask, shape (N, 4)
            Of the directions of the blank: 0 up, 1 left, 2 right, 3 down. 0 everywhere for the goal.

    Raises
    ------
    ValueError
        An option has no such value, or the labels lack a column that it needs.

    Examples
    --------
    >>> from puzzle15 import Solver
    >>> from puzzle15.solver import label
    >>> rows = label(Solver(shape=(3, 3)), ["8 6 7/2 5 4/3 0 1", "1 2 3/4 5 6/7 0 8"], first_moves=True)
    >>> inputs, value, policy = targets(rows, (3, 3), inputs="one-hot")
    >>> inputs.shape, value.tolist(), policy.round(2).tolist()[1]
    ((2, 9, 3, 3), [31.0, 1.0], [0.0, 0.0, 1.0, 0.0])
    >>> inputs[1, 8].tolist()                     # where is tile 8?
    [[0, 0, 0], [0, 0, 0], [0, 0, 1]]
    >>> targets(rows, (3, 3), policy="mask").policy.tolist()[0]
    [True, True, True, False]
    """
    columns_for(inputs, policy)
    check_columns(rows, policy)
    board, value = rows["board"], rows["distance"].astype(np.float32)
    return Targets(board if inputs == "tiles" else _one_hot(board, shape), value, _policy(rows, policy))


def _one_hot(board: NDArray[np.uint8], shape: Shape) -> NDArray[np.uint8]:
    count, cells = board.shape
    planes = np.zeros((count, cells, cells), dtype=np.uint8)
    np.put_along_axis(planes, board[:, None, :].astype(np.int64), 1, axis=1)
    return planes.reshape(count, cells, *shape)


def _policy(rows: Mapping[str, NDArray[Any]], policy: Optional[str]) -> Optional[NDArray[Any]]:
    if policy is None:
        return None
    if policy == "solution":
        first = np.where(rows["distance"] > 0, 1 << (rows["solution"][:, 0] & 3), 0)
    else:
        first = rows["first_moves"]
    chosen: NDArray[Any] = (_MASKS if policy == "mask" else _SHARES)[first]
    return chosen


#: Of each set of directions: which belong to it, and probabilities that are equal.
_MASKS = (np.arange(16)[:, None] >> np.arange(4) & 1).astype(bool)
_SHARES = (_MASKS / np.maximum(_MASKS.sum(axis=1, keepdims=True), 1)).astype(np.float32)
