"""One subproblem, and its value function, which value iteration learns."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Optional

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._core.learning.value_iteration import MAX_GAMMA, MIN_GAMMA, Subproblem
from .._system.machine import available_memory
from .._system.quantities import number
from .._system.threads import slices
from ..board import Board, BoardLike, pack_boards, solvable
from ..board._board import goal_of, read_board_like
from ..board._moves import MOVE_ORDER, order_of
from ..errors import BoardError

CHUNK = 1 << 20  # states that are looked at together: some 100 MB

#: Memory for learning: a placement of the tiles has as many states as there are cells for the blank.
_STATE_BYTES, _PLACEMENT_BYTES = 9, 6


class ValueFunction:
    """What value iteration learned about one subproblem.

    Attributes
    ----------
    goal : Board
    tiles, fixed : tuple of int
        The tiles of G, in the order in which a state names their cells, and those of R.
    gamma : float
        The discount factor.
    values : ndarray of float64, shape (states,)
        The sum of gamma^t from t = k on, for a state that is k moves from the goal; 0 where no moves lead there.
    policy : ndarray of uint8, shape (states,)
        The blank's direction (0 up, 1 left, 2 right, 3 down) that leads to the highest value; the first one of
        `move_order` if there are several. It is 4 in goal states, and 5 where the value is 0.
    move_order : str
        The blank's directions in the order in which the policy prefers equally good moves.
    space : Subproblem
        The numbering of the states.
    """

    def __init__(
        self,
        space: Subproblem,
        goal: Board,
        gamma: float,
        move_order: str,
        values: NDArray[np.float64],
        policy: NDArray[np.uint8],
    ) -> None:
        self.space = space
        self.goal = goal
        self.tiles = tuple(goal.tiles[cell] for cell in space.goal)
        self.fixed = tuple(goal.tiles[cell] for cell in space.fixed)
        self.gamma = gamma
        self.move_order = move_order
        self.values = values
        self.policy = policy

    @property
    def state_count(self) -> int:
        """int: placements of the tiles of G and the blank on the cells outside R."""
        return self.space.state_count

    @property
    def lengths(self) -> NDArray[np.int16]:
        """int16 (states,): moves to the goal, from the values; -1 if it cannot be reached."""
        lengths = np.full(len(self.values), -1, dtype=np.int16)
        for some in slices(len(lengths), CHUNK):
            values = self.values[some]
            known = values > 0
            lengths[some][known] = np.rint(np.log(values[known] * (1 - self.gamma)) / np.log(self.gamma))
        return lengths

    @cached_property
    def max_length(self) -> int:
        """int: the largest distance to the goal, over all states that can reach it."""
        return int(self.lengths.max())

    def cells(self, states: ArrayLike) -> NDArray[np.uint8]:
        """Return the cells of the tiles of G, in their order, and of the blank: uint8 (N, tiles + 1)."""
        return self.space.cells(states)

    def state(self, board: BoardLike) -> int:
        """Return the state of a board, which is its index in the arrays; BoardError if a tile of R is not at home."""
        board = read_board_like(self.goal, board)
        tiles = board.tiles
        for cell in self.space.fixed:
            if tiles[cell] != self.goal.tiles[cell]:
                raise BoardError(f"{board}: tile {self.goal.tiles[cell]} is fixed, but not at home")
        return int(self.space.states([[tiles.index(tile) for tile in (*self.tiles, 0)]])[0])

    def __repr__(self) -> str:
        return (
            f"<ValueFunction of tiles {format_tiles(self.tiles)}, fixed {format_tiles(self.fixed)}: "
            f"{self.state_count:,} states>"
        )


def value_iteration(
    tiles: Iterable[int],
    fixed: Iterable[int] = (),
    *,
    gamma: float = 0.9,
    move_order: str = MOVE_ORDER,
    goal: Optional[BoardLike] = None,
    shape: Optional[Sequence[int]] = None,
) -> ValueFunction:
    """Learn how to bring some tiles home without moving others.

    Parameters
    ----------
    tiles : iterable of int
        The tiles of G, which are brought home.
    fixed : iterable of int
        The tiles of R, which are at home and stay there.
    gamma : float
        The discount factor, 0.01 to 0.999.
    move_order : str
        The blank's directions in the order in which the policy prefers equally good moves.
    goal : board, optional
        Any arrangement; by default the tiles in order, the blank last.
    shape : (int, int), optional
        Rows and columns, if `goal` does not determine them; by default 4x4.

    Raises
    ------
    BoardError, MemoryError
        The goal does not have one of the tiles, or a tile is in both sets; the subproblem has too many states.

    Notes
    -----
    The reward is 1 in every state that has the tiles of G at home, and 0 elsewhere. These states are absorbing.

    Examples
    --------
    >>> learned = value_iteration([3, 4], fixed=[1, 2])
    >>> learned.state_count, learned.max_length
    (2184, 32)
    >>> print(f"{learned.values[learned.state('1 2 3 0/5 6 7 4/8 9 10 11/12 13 14 15')]:.3f}")
    9.000
    """
    target = goal_of(goal, shape)
    sets = tuple(tiles), tuple(fixed)
    both = [*sets[0], *sets[1]]
    for tile in both:
        if tile not in target.tiles or tile == 0:
            raise BoardError(
                f"tile {tile}: a {target.shape[0]}x{target.shape[1]} board has the tiles 1 .. {len(target.tiles) - 1}"
            )
    if not sets[0] or len(set(both)) < len(both):
        raise BoardError(
            f"tiles {format_tiles(sets[0])}, fixed {format_tiles(sets[1])}: expected at least one tile, and none twice"
        )
    cells, home = ([target.tiles.index(tile) for tile in some] for some in sets)
    return learn(target, cells, home, number("gamma", gamma, MIN_GAMMA, MAX_GAMMA), move_order)


def learn(goal: Board, cells: Sequence[int], fixed: Sequence[int], gamma: float, move_order: str) -> ValueFunction:
    """Learn the value function of the subproblem with these goal cells of G and R; MemoryError for too many states."""
    order = order_of(move_order)
    free = len(goal.tiles) - len(fixed)
    count = math.prod(range(free - len(cells), free + 1))
    needed = count * _STATE_BYTES + count // (free - len(cells)) * _PLACEMENT_BYTES
    if needed > available_memory():  # a system that overcommits memory would not refuse the allocation
        raise MemoryError(
            f"the subproblem of {len(cells)} tiles on {free} cells has {count:,} states, and takes "
            f"{needed / 1e9:,.1f} GB to learn; fewer tiles need less"
        )
    space = Subproblem(goal.shape, cells, fixed)
    return ValueFunction(space, goal, gamma, move_order.upper(), *space.learn(gamma, order))


def solvable_states(function: ValueFunction) -> NDArray[np.int64]:
    """Return the states of solvable boards: all, unless fewer than two tiles are neither in G nor in R."""
    space, goal = function.space, function.goal
    states, count = np.arange(space.state_count), len(goal.tiles)
    if space.free_count - space.tile_count > 2:
        return states
    cells = space.cells(states)
    boards = np.full((len(states), count), count, dtype=np.uint8)
    for cell, tile in zip(space.fixed, function.fixed):
        boards[:, cell] = tile
    for column, tile in enumerate((*function.tiles, 0)):
        boards[states, cells[:, column]] = tile
    unnamed = set(range(1, count)).difference(function.fixed, function.tiles)
    boards[boards == count] = min(unnamed, default=0)
    packed, _, _ = pack_boards(boards, goal.shape)
    return states[solvable(packed, goal)]


def format_tiles(tiles: Iterable[int]) -> str:
    """Return a set of tiles as text: ``{3,4}``."""
    return "{" + ",".join(map(str, tiles)) + "}"
