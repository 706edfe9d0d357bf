"""What a network learns from labels: inputs, the distance as the value, and optimal first moves as the policy.

`Batches` streams them shard by shard, shuffled.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, Optional, Union

import numpy as np
from numpy.typing import NDArray

from .._system.quantities import Seed, check_choice, seed_number, whole
from .._system.threads import slices
from ..board import Shape
from ..errors import OptionError
from ._reading import load
from ._rows import Rows, regrouped

PathLike = Union[str, "os.PathLike[str]"]

_SHUFFLED = 1 << 16  # rows that are shuffled at once, in some milliseconds

#: The forms of inputs and of policies that `targets` makes.
_INPUTS = ("tiles", "one-hot")
_POLICIES = ("distribution", "mask", "solution")


class Targets(NamedTuple):
    """Inputs and targets of N boards."""

    inputs: NDArray[np.uint8]
    value: NDArray[np.float32]
    policy: Optional[NDArray[Any]]


def _columns_for(inputs: str, policy: Optional[str], known: Iterable[str], where: str = "") -> list[str]:
    """Return the columns of labels that `targets` needs, of those that are `known`; ValueError if one is missing."""
    check_choice("inputs", inputs, _INPUTS)
    if policy is not None:
        check_choice("policy", policy, _POLICIES, ", or None")
    if policy in (None, "solution"):
        return ["board", "distance", *(["solution"] if policy else [])]
    if "first_moves" not in known:
        raise OptionError(
            f"{where}no column first_moves, which the policy {policy!r} needs; label with --first-moves "
            f"(first_moves=True), or take the policy 'solution' or None"
        )
    return ["board", "distance", "first_moves"]


def targets(
    rows: Mapping[str, NDArray[Any]], shape: Shape, *, inputs: str = "tiles", policy: Optional[str] = "distribution"
) -> Targets:
    """Return inputs, values and policies from columns of labels.

    Parameters
    ----------
    rows : mapping of str to ndarray
        Columns as `puzzle15.solver.label` and `Dataset.shards` give them, of N boards of this shape.
    inputs : {"tiles", "one-hot"}
        The tiles, cell by cell; or a plane per tile, in which the cell of the tile is 1.
    policy : {"distribution", "mask", "solution"} or None
        All optimal first moves, as probabilities that are equal or as a mask; they need labels with `first_moves`. Or
        the first move of the one solution that is stored, as a probability of 1. Or no policy.

    Returns
    -------
    Targets
        inputs: uint8 (N, cells), or one-hot (N, cells, rows, columns), the plane of the blank first; value: the
        distance, float32 (N,); policy: float32, or bool for a mask, (N, 4), of the blank's directions 0 up, 1 left,
        2 right, 3 down, and 0 everywhere for the goal.

    Examples
    --------
    >>> from puzzle15 import Solver
    >>> from puzzle15.solver import label
    >>> rows = label(Solver(shape=(3, 3)), ["8 6 7/2 5 4/3 0 1", "1 2 3/4 5 6/7 0 8"], first_moves=True)
    >>> inputs, value, policy = targets(rows, (3, 3), inputs="one-hot")
    >>> inputs.shape, value.tolist(), policy.round(2).tolist()[1]
    ((2, 9, 3, 3), [31.0, 1.0], [0.0, 0.0, 1.0, 0.0])
    >>> targets(rows, (3, 3), policy="mask").policy.tolist()[0]
    [True, True, True, False]
    """
    _columns_for(inputs, policy, rows)
    board, chosen = rows["board"], None
    if inputs == "one-hot":
        count, cells = board.shape
        planes = np.zeros((count, cells, *shape), dtype=np.uint8)
        ones = board.astype(np.int64) * cells  # new arrays would double the time
        ones += np.arange(cells)
        ones += np.arange(0, planes.size, cells * cells)[:, None]
        planes.reshape(-1)[ones] = 1
        board = planes
    if policy == "solution":
        chosen = _SHARES[np.where(rows["distance"] > 0, 1 << (rows["solution"][:, 0] & 3), 0)]
    elif policy is not None:
        chosen = (_MASKS if policy == "mask" else _SHARES)[rows["first_moves"]]
    return Targets(board, rows["distance"].astype(np.float32), chosen)


#: Of each set of directions: which belong to it, and probabilities that are equal.
_MASKS = (np.arange(16)[:, None] >> np.arange(4) & 1).astype(bool)
_SHARES = (_MASKS / np.maximum(_MASKS.sum(axis=1, keepdims=True), 1)).astype(np.float32)


# ---------------------------------------------------------------- batches


class Batches:
    """Batches of labelled boards, one epoch after the other.

    Iterating gives one epoch: every row once, as `Targets`. The shards come in another order in each epoch. Their rows
    are collected in a buffer, and leave it in random order. The seed and the epoch alone decide the order.

    Parameters
    ----------
    folders : path or iterable of path
        Labels for one goal that `write` has stored, as .npz or parquet files.
    batch_size : int
        Rows of a batch. Larger batches take less time per row.
    inputs, policy
        As for `targets`.
    shuffle : bool
        Whether the rows come in a random order, which `seed` decides; otherwise as they are stored.
    buffer : int
        Rows that are shuffled together; memory holds them and one shard.
    drop_last : bool
        Whether to drop the last batch of an epoch if it has fewer rows.

    Attributes
    ----------
    epoch : int
        Of the next iteration; each iteration adds one. Set it to continue a training.
    goal : Board
    rows : int

    Examples
    --------
    >>> import tempfile
    >>> from puzzle15 import Solver
    >>> from puzzle15.dataset import write
    >>> dataset = write(tempfile.mkdtemp(), 1000, seed=1, solver=Solver(shape=(3, 3)), first_moves=True)
    >>> for inputs, value, policy in Batches(dataset.folder, batch_size=600, inputs="one-hot"):
    ...     print(inputs.shape, value.shape, policy.shape)
    (600, 9, 3, 3) (600,) (600, 4)
    (400, 9, 3, 3) (400,) (400, 4)
    """

    def __init__(
        self,
        folders: Union[PathLike, Iterable[PathLike]],
        *,
        batch_size: int = 4096,
        inputs: str = "tiles",
        policy: Optional[str] = "distribution",
        shuffle: bool = True,
        buffer: int = 500_000,
        seed: Seed = 0,
        drop_last: bool = False,
    ) -> None:
        several = [folders] if isinstance(folders, (str, os.PathLike)) else list(folders)
        if not several:
            raise OptionError("folders: expected at least one folder of labels")
        self._datasets = list(map(load, several))
        self._batch_size, self._buffer = whole("batch_size", batch_size, 1), whole("buffer", buffer, 1)
        self._seed, self._shuffle, self._drop_last = seed_number(seed), bool(shuffle), bool(drop_last)
        self._inputs, self._policy = inputs, policy
        self.goal = self._datasets[0].goal
        for dataset in self._datasets:
            if dataset.goal != self.goal:
                raise OptionError(
                    f"{dataset.folder}: labels for the goal {dataset.goal}, expected {self.goal}, the goal of "
                    f"{self._datasets[0].folder}; name folders for one goal"
                )
            self._columns = _columns_for(inputs, policy, dataset.columns, f"{dataset.folder}: ")
        self.rows = sum(map(len, self._datasets))
        self.epoch = 0

    def __iter__(self) -> Iterator[Targets]:
        epoch, self.epoch = self.epoch, self.epoch + 1
        return self.part(epoch)

    def part(self, epoch: int, *, number: int = 0, parts: int = 1) -> Iterator[Targets]:
        """Yield an epoch's batches for one of several workers: the share `number`, from 0, of `parts` of the shards."""
        rows: Iterator[Rows] = self._shards(epoch, number, parts)
        if self._shuffle:
            rows = self._shuffled(rows, np.random.default_rng([self._seed, epoch, number]))
        for batch in regrouped(rows, self._batch_size):
            if len(batch["distance"]) == self._batch_size or not self._drop_last:
                yield targets(batch, self.goal.shape, inputs=self._inputs, policy=self._policy)

    def _shards(self, epoch: int, number: int, parts: int) -> Iterator[Rows]:
        """Yield the shards of a share, in the order of an epoch."""
        shards = [(dataset, index) for dataset in self._datasets for index in range(dataset.shard_count)]
        order = np.arange(len(shards))
        if self._shuffle:
            np.random.default_rng([self._seed, epoch]).shuffle(order)
        for shard in order[number::parts].tolist():
            dataset, index = shards[shard]
            yield dataset.shard(index, columns=self._columns)

    def _shuffled(self, shards: Iterable[Rows], rng: np.random.Generator) -> Iterator[Rows]:
        """Yield the same rows, each buffer in random order."""
        for buffer in regrouped(shards, self._buffer):
            order = rng.permutation(len(buffer["distance"]))
            for some in slices(len(order), _SHUFFLED):
                yield {name: array.take(order[some], axis=0) for name, array in buffer.items()}
