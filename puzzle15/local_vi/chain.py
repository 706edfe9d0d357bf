"""The chain of subproblems that brings a board home, stage by stage, and what has been learned of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Optional, Union

import numpy as np
from numpy.typing import NDArray

from .._core.base import board as _board
from .._core.learning.value_iteration import Plan
from ..board import Board, pack_boards
from ..errors import BoardError
from ..parallel import slices
from ..system.quantities import whole
from .functions import CHUNK, ValueFunction, check_gamma, format_tiles, learn

__all__ = ["Chain", "Growth", "Progress", "rising"]

#: Called with the share of the work that is done (0 .. 1), and the name of what is being done.
Progress = Callable[[float, str], Any]

#: Numbers of states: a range stands for all of them.
States = Union[range, NDArray[np.int64]]


class Growth(NamedTuple):
    """A subproblem of a stage, and the states in which boards come to it."""

    function: ValueFunction

    starts: States
    """The boards' states at the beginning of the stage, in its first subproblem."""

    states: States
    """The states of the same boards in this subproblem."""


class Chain:
    """The subproblems of a goal, named by (stage, begin).

    Stage i brings home the tiles ``order[initial_size * i : end(i)]``. In its subproblem `begin`, G has the tiles
    ``order[begin : end(i)]``, and R has all tiles before these.

    Attributes
    ----------
    goal : Board
    initial_size : int
    gamma : float
    cells : tuple of int
        The goal cells in the order in which their tiles come home.
    order : tuple of int
        The tiles in this order.
    stage_count : int
    functions : dict of (int, int) to ValueFunction
        What has been learned, by (stage, begin).
    """

    def __init__(self, goal: Board, initial_size: int, gamma: float) -> None:
        self.goal = goal
        tiles = len(goal.tiles) - 1
        self.initial_size = whole("initial_size", initial_size, 1, tiles)
        self.gamma = check_gamma(gamma)
        self.cells = _order(goal)
        self.order = tuple(goal.tiles[cell] for cell in self.cells)
        self.stage_count = -(-tiles // self.initial_size)
        self.functions: dict[tuple[int, int], ValueFunction] = {}

    def copy(self) -> Chain:
        """A chain of the same functions, to which others can be added."""
        other = Chain(self.goal, self.initial_size, self.gamma)
        other.functions = dict(self.functions)
        return other

    def end(self, stage: int) -> int:
        """The place in the order at which a stage ends."""
        return min((stage + 1) * self.initial_size, len(self.order))

    def sets(self, stage: int, begin: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The goal cells of a subproblem's G and R."""
        return self.cells[begin : self.end(stage)], self.cells[:begin]

    def function(self, stage: int, begin: int, progress: Optional[Progress] = None) -> ValueFunction:
        """The value function of a subproblem, which is learned if it is not there yet."""
        if (stage, begin) not in self.functions:
            name = f"tiles {format_tiles(self.order[begin : self.end(stage)])}"

            def tell(share: float) -> None:
                if progress is not None:
                    progress((stage + share) / self.stage_count, name)

            cells, fixed = self.sets(stage, begin)
            self.functions[stage, begin] = learn(self.goal, cells, fixed, self.gamma, progress and tell)
        return self.functions[stage, begin]

    def plan(self) -> Plan:
        """What solves boards with the functions that have been learned so far."""
        plan = Plan(self.goal.shape, self.goal.packed, self.cells, self.initial_size)
        for (stage, begin), function in list(self.functions.items()):
            plan.add(stage, begin, function.policy)
        return plan

    def growth(self, stage: int, progress: Optional[Progress] = None) -> Iterator[Growth]:
        """The subproblems of a stage that some board needs, which are learned if they are not there yet.

        Each is for the boards that the one before cannot solve. All boards have the tiles of earlier stages at home.
        """
        begin = own = stage * self.initial_size
        function = first = self.function(stage, begin, progress)
        starts = states = _real_states(first, self.goal)
        while True:
            yield Growth(function, starts, states)
            left = _without_value(function.values, states)
            if not len(left):
                return
            begin -= 1
            starts = left if isinstance(starts, range) else starts[left]
            cells = first.cells(starts)
            home = np.broadcast_to(np.array(self.cells[begin:own], dtype=np.uint8), (len(cells), own - begin))
            function = self.function(stage, begin, progress)
            states = function.space.states(np.hstack([home, cells]))


def rising(progress: Optional[Progress]) -> Optional[Progress]:
    """The same, but shares never fall when a stage turns out to have further subproblems."""
    if progress is None:
        return None
    tell, most = progress, 0.0

    def tell_rising(share: float, what: str) -> None:
        nonlocal most
        most = max(most, share)
        tell(most, what)

    return tell_rising


def _order(goal: Board) -> tuple[int, ...]:
    """All goal cells except the blank's, line by line towards it."""
    rows, cols = goal.shape
    last = rows * cols - 1
    if goal.blank not in (0, cols - 1, last - cols + 1, last):
        raise BoardError(f"goal {goal}: local value iteration needs the goal's blank in a corner")
    downwards, rightwards = goal.blank > last - cols, goal.blank % cols == cols - 1
    across = range(cols) if rightwards else range(cols)[::-1]
    along = range(rows) if downwards else range(rows)[::-1]
    if cols > rows:
        return tuple(row * cols + col for col in across for row in along)[:-1]
    return tuple(row * cols + col for row in along for col in across)[:-1]


def _without_value(values: NDArray[np.float64], states: States) -> NDArray[np.int64]:
    """The indices, in `states`, of those that cannot reach the goal."""
    parts = [
        some.start + np.flatnonzero(values[some if isinstance(states, range) else states[some]] == 0)
        for some in slices(len(states), CHUNK)
    ]
    return np.concatenate(parts)


def _real_states(function: ValueFunction, goal: Board) -> States:
    """The states of boards that can be solved.

    These are all states, unless so few tiles are neither in G nor in R that the parity decides.
    """
    space, tiles = function.space, len(goal.tiles)
    if space.free_count - space.tile_count > 2:
        return range(space.state_count)
    states = np.arange(space.state_count)
    cells = space.cells(states)
    boards = np.full((len(states), tiles), tiles, dtype=np.uint8)
    for cell, tile in zip(space.fixed, function.fixed):
        boards[:, cell] = tile
    for column, tile in enumerate((*function.tiles, 0)):
        boards[states, cells[:, column]] = tile
    unnamed = set(range(tiles)).difference((*function.fixed, *function.tiles, 0))
    boards[boards == tiles] = unnamed.pop() if unnamed else 0
    packed, _ = pack_boards(boards, goal.shape)
    solvable = np.zeros(len(packed), dtype=np.uint8)
    _board.solvable_many(packed, goal.packed, goal.shape, solvable)
    return np.flatnonzero(solvable)
