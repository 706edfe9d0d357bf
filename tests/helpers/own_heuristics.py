"""Heuristics of one's own, in a module, so that other processes find them."""

import numpy as np

from puzzle15.heuristics import heuristic_function


def taxicab(boards, goal):
    """The sum of the tiles' distances to their goal cells."""
    rows, cols = {9: (3, 3), 12: (3, 4), 16: (4, 4)}[len(goal)]
    cells = np.arange(rows * cols)
    at = np.argsort(boards, axis=1)[:, 1:]  # of each tile but the blank
    to = np.argsort(goal)[1:]
    row, col = cells // cols, cells % cols
    return (abs(row[at] - row[to]) + abs(col[at] - col[to])).sum(axis=1)


@heuristic_function(admissible=True, consistent=True, goal="any", batch=64)
def in_batches(boards, goal):
    return taxicab(boards, goal)


def home_last(boards):
    """The same, for one goal; it claims nothing."""
    return taxicab(boards, np.append(np.arange(1, boards.shape[1]), 0))


class Scaled:
    """A callable that is no function."""

    def __init__(self, factor):
        self.factor = factor

    def __call__(self, boards):
        return home_last(boards) * self.factor
