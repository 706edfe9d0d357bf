"""Label the boards that a search with a network meets: ``python -m puzzle15.learning.gather FOLDER --network NAME``.

A network that has only seen boards on shortest paths underestimates the boards beside them, by four moves and more,
because they look like boards on a path. A search goes exactly where distances are underestimated, so most of the boards
that it expands are of this kind. If the network is also trained on them (`puzzle15.learning.train` takes several
datasets), the search expands only a fraction of the boards. This is dataset aggregation [1]_: train on the situations
that a policy itself gets into. A second round, with the better network, pays off too.

The searches are beam searches from uniform boards, many at a time. From all boards that were made, a sample is drawn,
with the same size for each start.

References
----------
.. [1] S. Ross, G. Gordon, D. Bagnell, "A Reduction of Imitation Learning and Structured Prediction to No-Regret
   Online Learning", AISTATS 2011.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from .. import nodes
from .._system import streams
from .._system.quantities import Seed, option_type, parse_whole, random_generator
from ..board import Board, uniform
from ..dataset import write
from ..dataset._distributions import Distribution
from ..errors import OptionError, Puzzle15Error
from ..solver import Solver
from ._ann import AnnDistance

__all__ = ["Met", "main", "met"]

Packed = NDArray[np.uint64]

_SHAPE = (4, 4)
_MOST_MOVES = 100  # of a beam; nearly all beams reach the goal much earlier


def met(
    starts: Packed, predict: Callable[[Packed], NDArray[Any]], *, width: int, each: int, rng: np.random.Generator
) -> Packed:
    """Return a sample of the boards that beam searches make, as ndarray of uint64.

    Parameters
    ----------
    starts : ndarray of uint64, shape (N,)
        Packed boards.
    predict : callable
        From packed boards to predicted distances.
    width : int
        How many boards each beam keeps after each move.
    each : int
        How many boards are drawn for each start, from all that its beam made; fewer if it made fewer.
    rng : numpy.random.Generator
    """
    goal = np.uint64(Board.goal(_SHAPE).packed)
    front, owner = starts, np.arange(len(starts))
    before = starts[:0]
    done = np.zeros(len(starts), dtype=bool)
    made, owners = [], []
    for _ in range(_MOST_MOVES):
        children, parent, _ = nodes.children(front, _SHAPE)
        # Only equal boards of the same beam are duplicates.
        order = np.lexsort((children, owner[parent]))
        children, whose = children[order], owner[parent][order]
        new = np.r_[True, (children[1:] != children[:-1]) | (whose[1:] != whose[:-1])]
        new &= ~np.isin(children, before)
        children, whose = children[new], whose[new]
        made.append(children)
        owners.append(whose)
        done[whose[children == goal]] = True
        going_on = ~done[whose]
        children, whose = children[going_on], whose[going_on]
        if not len(children):
            break
        # chance decides between boards with nearly equal predictions
        order = np.lexsort((predict(children) + 0.5 * rng.random(len(children)), whose))
        children, whose = children[order], whose[order]
        kept = _first_of_each(whose, width)
        before, front, owner = front, children[kept], whose[kept]
    boards, whose = np.concatenate(made), np.concatenate(owners)
    order = np.lexsort((rng.random(len(boards)), whose))
    boards, whose = boards[order], whose[order]
    return boards[_first_of_each(whose, each)]


def _first_of_each(owners: NDArray[np.int64], count: int) -> NDArray[np.bool_]:
    """Return the first entries of each owner, if the owners are sorted."""
    return np.arange(len(owners)) - np.searchsorted(owners, owners) < count


@dataclass(frozen=True)
class Met(Distribution):
    """The boards that beam searches with a network meet, as a distribution for `puzzle15.dataset.write`.

    Parameters
    ----------
    network : str
        A name or a path, as `AnnDistance` takes it.
    width : int
        The width of the beams. A* with a good network expands about 20 boards at each depth.
    """

    network: str
    width: int = 20
    _ann: AnnDistance = field(init=False, repr=False, compare=False)

    chunk = 20_000
    EACH = 100

    def __post_init__(self) -> None:
        object.__setattr__(self, "_ann", AnnDistance(self.network))

    def check(self, goal: Board) -> None:
        if goal != Board.goal(_SHAPE):
            raise OptionError(f"goal {goal}: networks are for {Board.goal(_SHAPE)}")

    def draw(self, count: int, seed: Optional[Seed], solver: Solver) -> Packed:
        rng = random_generator(seed)
        boards = np.zeros(0, dtype=np.uint64)
        while len(boards) < count:
            starts = uniform(-(-(count - len(boards)) // self.EACH), rng)
            boards = np.concatenate([boards, met(starts, self._ann.many, width=self.width, each=self.EACH, rng=rng)])
        return boards[:count]

    def __str__(self) -> str:
        return f"met:{Path(self.network).name},width={self.width},checksum={self._ann.checksum[:16]}"


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Run the command, and return its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m puzzle15.learning.gather", description="Label the boards that a search with a network meets."
    )
    add, positive = parser.add_argument, option_type(parse_whole, 1)
    add("folder", help="the folder for the labelled boards")
    add("--network", required=True, help="the name of a network, or the path of its file")
    add("--count", type=positive, required=True, help="how many boards to label")
    add("--seed", type=option_type(parse_whole), required=True, help="of all random choices")
    add("--width", type=positive, default=Met.width, help="the width of the beams (default: %(default)s)")
    add("--workers", type=positive, default=1, help="threads")
    add("--resume", action="store_true", help="continue a run that was stopped")
    options = parser.parse_args(arguments)

    fields = {name: getattr(options, name) for name in ("folder", "count", "seed", "workers", "resume")}
    try:
        dataset = write(
            **fields,
            distribution=Met(options.network, options.width),
            solver=Solver(),
            progress=lambda done, count: streams.write_message(f"gather: {done:,} of {count:,} boards\n"),
        )
    except (Puzzle15Error, ValueError) as error:
        streams.write_message(f"gather: {error}\n")
        return 1
    print(dataset)
    return 0


if __name__ == "__main__":
    sys.exit(main())
