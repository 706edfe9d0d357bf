"""The random boards of all benchmarks and of the signature: those that `Board.random` drew at the first measurement."""

import numpy as np

from puzzle15 import Board


def random_board(seed, shape=(4, 4)):
    """The board of a seed, uniform over those that reach the default goal."""
    tiles = np.random.default_rng(seed).permutation(shape[0] * shape[1]).tolist()
    if not Board(tiles, shape).is_solvable():
        one, two = tiles.index(1), tiles.index(2)
        tiles[one], tiles[two] = 2, 1
    return Board(tiles, shape)


def random_boards(count, shape=(4, 4)):
    """The packed boards of the seeds 0 .. count-1."""
    return np.array([random_board(seed, shape).packed for seed in range(count)], dtype=np.uint64)
