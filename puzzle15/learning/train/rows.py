"""Labelled rows: reading them from data sets, and drawing the boards of a step as inputs of networks."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import NamedTuple, Union

import numpy as np
from numpy.typing import NDArray

from ...board import Board
from ...dataset import load
from ...errors import OptionError
from .._network_file import INPUTS

__all__ = ["CELLS", "REFLECTED", "TAXICAB", "Drawer", "Rows", "inputs_of", "read_rows"]

CELLS = 16

#: Input of tile t on cell c: 16 t + c.
_CELL = np.arange(CELLS)


def _input_tables() -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """For each input, the input of the reflected board, and the taxicab distance of the tile to its goal cell."""
    tile, cell = np.divmod(np.arange(INPUTS), CELLS)
    turned = cell % 4 * 4 + cell // 4
    goal = (tile - 1) % CELLS
    renamed = np.where(tile == 0, 0, goal % 4 * 4 + goal // 4 + 1)
    far = np.abs(cell // 4 - goal // 4) + np.abs(cell % 4 - goal % 4)
    return renamed * CELLS + turned, np.where(tile == 0, 0, far).astype(np.float32)


REFLECTED, TAXICAB = _input_tables()


def inputs_of(boards: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return the inputs that are 1 for each board: (N, 16)."""
    return boards * np.int64(CELLS) + _CELL


class Rows(NamedTuple):
    """Labelled boards: uint8 `board` (N, 16) and `distance` (N,), and the rows `first` (K,) that begin a path."""

    board: NDArray[np.uint8]
    distance: NDArray[np.uint8]
    first: NDArray[np.int64]

    def split(self, held_out: int) -> tuple[Rows, Rows]:
        """(All paths but the last `held_out`, the last ones); ValueError if no path would be left."""
        if not 0 < held_out < len(self.first):
            fitting = f"--held-out 1 .. {len(self.first) - 1}" if len(self.first) > 1 else "a dataset with more boards"
            raise OptionError(
                f"{held_out} paths held out of {len(self.first)}: some must be left to train on, "
                f"and some to validate on; give {fitting}"
            )
        at = self.first[-held_out]
        return (
            Rows(self.board[:at], self.distance[:at], self.first[:-held_out]),
            Rows(self.board[at:], self.distance[at:], self.first[-held_out:] - at),
        )


def read_rows(folder: Union[str, os.PathLike[str]]) -> Rows:
    """Read all rows of a dataset of 4x4 boards, from `puzzle15.dataset.load`; ValueError if it has another goal."""
    dataset = load(folder)
    if dataset.goal != Board.goal():
        raise OptionError(f"{os.fspath(folder)}: boards with the goal {dataset.goal}; networks are for {Board.goal()}")
    board, distance = dataset.array("board"), dataset.array("distance")
    if "start" not in dataset.columns:
        return Rows(board, distance, np.arange(len(board)))
    # Within a shard, rows of one path have the same start, and the next path has another one.
    begins = [np.diff(shard["start"].astype(np.int64), prepend=-1) != 0 for shard in dataset.shards("start")]
    return Rows(board, distance, np.flatnonzero(np.concatenate(begins)))


class Drawer:
    """Draws the boards of a step, from each dataset its share.

    In a dataset with paths, some of the boards that are drawn begin a path. All other boards are drawn with a
    probability that is proportional to their distance, up to `LEVEL` moves: a search spends its time far from the goal,
    and labels near the goal are learned easily.
    """

    START_SHARE = 1 / 3
    LEVEL = 40

    def __init__(self, datasets: Sequence[Rows], shares: Sequence[float], batch: int, seed: int) -> None:
        self._datasets, self._seed = datasets, seed
        ends = np.rint(np.cumsum([0.0, *shares]) / sum(shares) * batch).astype(int)
        self._counts = np.diff(ends).tolist()

    def draw(self, step: int) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
        """Inputs (batch, 16) and distances (batch,)."""
        rng = np.random.default_rng([self._seed, step])
        boards, distances = [], []
        for rows, count in zip(self._datasets, self._counts):
            index = self._draw_rows(rows, count, rng)
            boards.append(rows.board[index])
            distances.append(rows.distance[index])
        inputs = inputs_of(np.concatenate(boards))
        reflected = rng.random(len(inputs)) < 0.5
        inputs[reflected] = REFLECTED[inputs[reflected]]
        return inputs, np.concatenate(distances)

    def _draw_rows(self, rows: Rows, count: int, rng: np.random.Generator) -> NDArray[np.int64]:
        starts = round(self.START_SHARE * count) if len(rows.first) < len(rows.distance) else 0
        chosen, missing = [rows.first[rng.integers(len(rows.first), size=starts)]], count - starts
        while missing:
            drawn = rng.integers(len(rows.distance), size=missing)
            drawn = drawn[rng.random(missing) * self.LEVEL < rows.distance[drawn]]
            chosen.append(drawn)
            missing -= len(drawn)
        return np.concatenate(chosen)
