"""Batches of inputs and targets for training, streamed from labels shard by shard and shuffled."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Optional, Union

import numpy as np

from ..parallel import slices
from ..system.quantities import whole
from ..system.seeds import Seed, seed_number
from .reading import load
from .rows import Rows, joined, regrouped
from .training import Targets, check_columns, columns_for, targets

__all__ = ["Batches"]

PathLike = Union[str, "os.PathLike[str]"]

_SHUFFLED = 1 << 16  # rows that are shuffled at once, in some milliseconds


class Batches:
    """Batches of labelled boards, one epoch after the other.

    Iterating gives one epoch: every row once, as `Targets`. The shards come in another order in each epoch. Their rows
    are collected in a buffer, and leave it in random order. So memory holds the buffer and one shard, however many
    shards there are. The seed and the epoch decide the order, and nothing else does.

    Parameters
    ----------
    folders : path or iterable of path
        Labels for one goal that `write` has stored, as .npz or parquet files.
    batch_size : int
        Rows of a batch. Larger batches take less time per row.
    inputs, policy
        As for `targets`.
    shuffle : bool
        Whether the rows come in random order; otherwise as they are stored.
    buffer : int
        Rows that are shuffled together. The shard that fills the buffer comes in as a whole, so it may hold more.
    seed : int or numpy.random.Generator
    drop_last : bool
        Whether to drop the last batch of an epoch if it has less rows.

    Attributes
    ----------
    epoch : int
        Of the next iteration; each iteration adds one. Set it to continue a training.
    goal : Board
    rows : int

    Raises
    ------
    ValueError
        The folders are for different goals, or lack the labels for the policy; or an option has no such value.

    Examples
    --------
    >>> import tempfile
    >>> from puzzle15 import Solver
    >>> from puzzle15.dataset import write
    >>> folder = tempfile.mkdtemp()
    >>> dataset = write(folder, 1000, seed=1, solver=Solver(shape=(3, 3)), first_moves=True)
    >>> batches = Batches(folder, batch_size=300, inputs="one-hot")
    >>> for inputs, value, policy in batches:
    ...     print(inputs.shape, value.shape, policy.shape)
    (300, 9, 3, 3) (300,) (300, 4)
    (300, 9, 3, 3) (300,) (300, 4)
    (300, 9, 3, 3) (300,) (300, 4)
    (100, 9, 3, 3) (100,) (100, 4)
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
            raise ValueError("folders: expected at least one folder of labels")
        self._datasets = list(map(load, several))
        self._batch_size, self._buffer = whole("batch_size", batch_size, 1), whole("buffer", buffer, 1)
        self._seed, self._shuffle, self._drop_last = seed_number(seed), bool(shuffle), bool(drop_last)
        self._inputs, self._policy = inputs, policy
        self._columns = columns_for(inputs, policy)
        self.goal = self._datasets[0].goal
        for dataset in self._datasets:
            if dataset.goal != self.goal:
                raise ValueError(
                    f"{dataset.folder}: labels for the goal {dataset.goal}, expected {self.goal}, the goal of "
                    f"{self._datasets[0].folder}; name folders for one goal"
                )
            check_columns(dataset.columns, policy, f"{dataset.folder}: ")
        self.rows = sum(map(len, self._datasets))
        self.epoch = 0

    def __iter__(self) -> Iterator[Targets]:
        epoch, self.epoch = self.epoch, self.epoch + 1
        return self.part(epoch)

    def part(self, epoch: int, *, number: int = 0, parts: int = 1) -> Iterator[Targets]:
        """The batches of a share of the shards, for one of several workers.

        Parameters
        ----------
        epoch : int
        number, parts : int
            The share `number` of `parts`, counted from 0. All shares together hold every row once.
        """
        rows: Iterator[Rows] = self._shards(epoch, number, parts)
        if self._shuffle:
            rows = self._shuffled(rows, np.random.default_rng([self._seed, epoch, number]))
        for batch in regrouped(rows, self._batch_size):
            if len(batch["distance"]) == self._batch_size or not self._drop_last:
                yield targets(batch, self.goal.shape, inputs=self._inputs, policy=self._policy)

    def _shards(self, epoch: int, number: int, parts: int) -> Iterator[Rows]:
        """The shards of a share, in the order of an epoch."""
        shards = [(dataset, index) for dataset in self._datasets for index in range(dataset.shard_count)]
        order = np.arange(len(shards))
        if self._shuffle:
            np.random.default_rng([self._seed, epoch]).shuffle(order)
        for shard in order[number::parts].tolist():
            dataset, index = shards[shard]
            yield dataset.shard(index, columns=self._columns)

    def _shuffled(self, shards: Iterable[Rows], rng: np.random.Generator) -> Iterator[Rows]:
        """The same rows, each buffer in random order."""
        waiting: list[Rows] = []
        for shard in shards:
            waiting.append(shard)
            if sum(len(rows["distance"]) for rows in waiting) >= self._buffer:
                yield from _in_any_order(joined(waiting), rng)
                waiting = []
        if waiting:
            yield from _in_any_order(joined(waiting), rng)


def _in_any_order(rows: Rows, rng: np.random.Generator) -> Iterator[Rows]:
    order = rng.permutation(len(rows["distance"]))
    for some in slices(len(order), _SHUFFLED):
        yield {name: array.take(order[some], axis=0) for name, array in rows.items()}
