"""Random small problems, and what a comparison with the oracle (truth.py) takes."""

import math
import zlib
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np
import truth

from puzzle15 import Board, Solver, build_tables

#: Shapes and how often they are drawn; the oracle takes seconds for one with ten cells.
SHAPES = {(2, 2): 1, (2, 3): 2, (3, 2): 2, (2, 4): 4, (4, 2): 4, (3, 3): 10}
LARGE = {(2, 5): 1, (5, 2): 1}
MOST_OF_PATTERN = {"zero-aware": 8, "classic": 8, "multi-tile": 6}


class Wrong(AssertionError):
    """An answer is not that of the oracle."""


class Check:
    """Comparisons with the oracle, counted."""

    def __init__(self):
        self.count = 0

    def equal(self, found, expected, *about):
        """Arrays and sequences count an entry each."""
        self.count += np.size(expected) if isinstance(expected, (list, tuple, np.ndarray)) else 1
        same = np.array_equal(found, expected) if isinstance(expected, np.ndarray) else found == expected
        if not same:
            raise Wrong(f"{found!r}, and not {expected!r}: {', '.join(map(repr, about))}")

    def holds(self, true, *about):
        self.equal(bool(true), True, *about)


@dataclass
class Problem:
    """A goal and boards of a shape, and a folder for tables; `rng` draws what is asked of them, and how."""

    rng: np.random.Generator
    folder: Path
    shape: tuple
    goal: tuple
    multi_tile: bool
    boards: list

    @cached_property
    def known(self):
        return truth.Renamed(self.shape, self.goal, self.multi_tile)

    @cached_property
    def target(self):
        return Board(self.goal, self.shape)

    def board(self, tiles):
        return Board(tiles, self.shape)

    def one_of(self, *values):
        return values[self.rng.integers(len(values))]

    @property
    def metric(self):
        return "mtm" if self.multi_tile else "stm"


def draw(seed, way, number, folder, *, large=False, most_cells=10, corner=False, single_tile=False, count=8):
    """The problem of this number; the same arguments give the same one. `corner`: the goal's blank is in one."""
    rng = np.random.default_rng([seed, zlib.crc32(way.encode()), number])
    shapes = {shape: often for shape, often in SHAPES.items() if math.prod(shape) <= most_cells}
    shapes |= LARGE if large else {}
    weights = np.array(list(shapes.values()), float)
    shape = list(shapes)[rng.choice(len(shapes), p=weights / weights.sum())]
    cells = math.prod(shape)
    corners = [0, shape[1] - 1, cells - shape[1], cells - 1]
    home = int(rng.choice(corners if corner else cells)) if rng.random() < 0.5 else cells - 1
    goal = truth.goal_of(shape, home)
    if rng.random() < 0.3:
        tiles = iter(rng.permutation(cells - 1).tolist())
        goal = tuple(tile and next(tiles) + 1 for tile in goal)
    multi_tile = not single_tile and rng.random() < 1 / 3
    problem = Problem(rng, folder, shape, goal, multi_tile, [])
    problem.boards = [*problem.known.drawn(rng, count - 1), goal]
    return problem


def partition_of(rng, cells, most):
    """Tiles in groups of at most so many, as text."""
    while True:
        groups = rng.integers(0, rng.integers(1, 5), cells - 1)
        parts = [[str(tile + 1) for tile in np.flatnonzero(groups == group)] for group in np.unique(groups)]
        if all(len(part) <= most and len(part) < cells - (most < 8) for part in parts):
            return "/".join(map(",".join, parts))


@lru_cache(maxsize=200)
def opened(*arguments, **options):
    return Solver(*arguments, **options)


def solver_of(problem):
    """(a solver of the problem with some tables and options, what these are)"""
    goal = problem.target
    format = "multi-tile" if problem.multi_tile else problem.one_of("zero-aware", "classic")
    options = {"goal": goal, "metric": problem.metric, "reflection": bool(problem.rng.integers(2))}
    if not problem.multi_tile:
        options |= {"format": format, "plain": bool(problem.rng.integers(2))}
    partition = "embedded"
    if problem.rng.random() < 0.4:
        partition = partition_of(problem.rng, len(problem.goal), MOST_OF_PATTERN[format])
        where = {"shape": problem.shape, "home": goal.blank, "tables": problem.folder, "workers": 1}
        build_tables(partition, **where, **({"metric": "mtm"} if problem.multi_tile else {"format": format}))
        options["tables"] = problem.folder
    return opened(partition, **options), (partition, options)


def check_path(problem, check, board, letters, *about):
    """Moves of single tiles lead to the goal."""
    check.equal(truth.replay(problem.shape, board, letters), problem.goal, board, letters, *about)


def check_solution(problem, check, board, solution, *about, optimal=True):
    """A solution is one, no shorter than possible, and proves what it says."""
    distance, about = problem.known(board), (board, solution, *about)
    check.holds(solution.lower_bound <= distance, *about)
    check.equal(solution.optimal, solution.length is not None and solution.length == solution.lower_bound, *about)
    if solution.moves is None:
        return
    letters = "".join(solution)
    check_path(problem, check, board, letters, *about)
    count = truth.count_multi_tile(letters) if problem.multi_tile else len(letters)
    check.equal(solution.length, count, *about)
    check.holds(count == distance if optimal or solution.optimal else count >= distance, *about)
