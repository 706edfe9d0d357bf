"""The options of the environments, checked once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Optional, Union

import numpy as np

from .._system.quantities import check_choice, number, whole
from ..board import Board, BoardLike
from ..board._board import goal_of
from ..dataset import Distances
from ..dataset._distributions import Distribution, parse_distribution
from ..errors import OptionError
from ..solver import Solver
from ..solver._solver import check_single_tile

#: The rewards of a move, and of the move that makes the goal in addition to it.
REWARDS = {"sparse": (0.0, 1.0), "per-move": (-1.0, 0.0), "distance": (0.0, 0.0)}
_CHOICES = {"reward": tuple(REWARDS), "illegal": ("stay", "raise"), "observation": ("tiles", "one-hot")}
_MOST_STEPS = 2**32 - 2


@dataclass(frozen=True)
class Options:
    """The options of `PuzzleEnv` and of `PuzzleVectorEnv`.

    Parameters
    ----------
    goal : board, optional
        By default the tiles in order, the blank last.
    shape : (int, int), optional
        Rows and columns, if `goal` does not determine them; by default 4x4. At most 16 cells.
    scramble : str or Distribution
        The boards with which episodes begin, as `puzzle15.dataset` names them: ``uniform``, ``walk:10-40``,
        ``distance:5``, ``distance:1-20``. Boards at given distances are exactly that far from the goal.
    distance : int or (int, int), optional
        Short for ``scramble="distance:A-B"``.
    reward : {"per-move", "sparse", "distance"}
        -1 for each move; 1 for the move that makes the goal, otherwise 0; or 1 for a move towards the goal, -1 for one
        away from it.
    illegal : {"stay", "raise"}
        Whether an action that moves no tile leaves the board as it is, or raises ValueError.
    illegal_reward : float
        The reward of such an action, instead of a move's.
    observation : {"tiles", "one-hot"}
        One number per cell, 0 for the blank; or, for each cell, one byte per tile, 1 for the tile in it.
    mask_in_observation : bool
        Whether an observation is a dictionary of ``board`` and ``action_mask``. `info` always has the mask.
    oracle : bool or heuristic
        Whether `info` holds the ``distance`` of the goal, and in ``optimal_actions`` 1 for each action that begins a
        shortest solution. A heuristic, or another object whose method ``many`` gives packed boards one number each,
        replaces both: `info` then holds its ``estimate``, and in ``greedy_actions`` 1 for each action after which that
        is smallest. The reward ``distance`` then is what a move takes off the estimate.
    max_episode_steps : int, optional
        The steps after which an episode is truncated; by default there is no limit.
    pool : int
        How many boards are drawn for scrambles at distances whose boards cannot all be listed.
    solver : Solver, optional
        Finds distances of boards of more than 10 cells; by default the one with the best installed tables.

    Examples
    --------
    >>> options = Options(shape=(3, 3), distance=(1, 5), reward="sparse")
    >>> print(options.target, options.distribution)
    1 2 3/4 5 6/7 8 0 distance:1-5
    >>> Options(reward="dense")
    Traceback (most recent call last):
        ...
    puzzle15.errors.OptionError: reward 'dense': expected one of sparse, per-move, distance
    """

    goal: Optional[BoardLike] = None
    shape: Optional[Sequence[int]] = None
    scramble: Union[str, Distribution, None] = None
    distance: Any = None
    reward: str = "per-move"
    illegal: str = "stay"
    illegal_reward: float = -1.0
    observation: str = "tiles"
    mask_in_observation: bool = False
    oracle: Any = False
    max_episode_steps: Optional[int] = None
    pool: int = 256
    solver: Optional[Solver] = None

    def __post_init__(self) -> None:
        for name, expected in _CHOICES.items():
            check_choice(name, getattr(self, name), expected)
        steps = self.max_episode_steps
        checked: dict[str, Any] = {
            "illegal_reward": number("illegal_reward", self.illegal_reward, -1e9, 1e9),
            "pool": whole("pool", self.pool, 1),
            "max_episode_steps": None if steps is None else whole("max_episode_steps", steps, 1, _MOST_STEPS),
        }
        for name, each in checked.items():
            object.__setattr__(self, name, each)  # the dataclass is frozen
        if self.approximate and not callable(getattr(self.oracle, "many", None)):
            raise TypeError(f"oracle {self.oracle!r}: expected True, False or a heuristic, such as heuristic('ann')")
        if self.approximate and getattr(self.oracle, "goal", self.target) != self.target:
            raise OptionError(f"oracle of the goal {self.oracle.goal}: expected one of the goal {self.target}")
        if self.solver is not None:
            check_single_tile(self.solver)
            if self.solver.goal != self.target:
                raise OptionError(f"solver of the goal {self.solver.goal}: expected one of the goal {self.target}")
        _ = self.target, self.distribution  # which checks them

    @property
    def approximate(self) -> bool:
        """Whether the oracle is a heuristic."""
        return not isinstance(self.oracle, (bool, np.bool_))

    @cached_property
    def target(self) -> Board:
        """The goal."""
        return goal_of(self.goal, self.shape)

    @cached_property
    def distribution(self) -> Distribution:
        """What `scramble` or `distance` names."""
        return read_scramble(self.scramble, self.distance) or parse_distribution("uniform")


def read_scramble(scramble: Any, distance: Any) -> Optional[Distribution]:
    """Return the distribution that one of two options names; None if neither is given."""
    if distance is None:
        return scramble if scramble is None or isinstance(scramble, Distribution) else parse_distribution(str(scramble))
    if scramble is not None:
        raise OptionError(f"scramble {str(scramble)!r} and distance {distance!r}: expected only one of the two")
    ends = list(distance) if isinstance(distance, Sequence) and not isinstance(distance, str) else [distance, distance]
    if len(ends) == 2:
        least, most = whole("distance", ends[0]), whole("distance", ends[1])
        if least <= most:
            return Distances(range(least, most + 1))
    raise OptionError(f"distance {distance!r}: expected a number, or the least and the most: (1, 10)")
