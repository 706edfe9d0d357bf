"""Label the boards that a search with a network meets: ``python -m puzzle15.ann.gather DIRECTORY --network NAME ...``.

A network that has only seen boards on shortest paths takes those beside them for nearer than they are, by four moves
and more: they look like boards on a path. A search goes exactly where it is told too little, so that such boards
are most of what it expands. Trained on them as well (`puzzle15.ann.train` takes several datasets), a
network is right where the search asks it, and a small part of the expansions is left. That is the idea of aggregating
what a policy itself runs into [1]_; twice is worth while, the second time with the better network.

The searches are beams from uniform boards, which many boards go through together: after each move, the boards are
kept that the network thinks nearest. Of all boards made, a sample is drawn, the same number for each start.

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

from ..board import Board, blank_cells, neighbours, slide
from ..dataset import uniform, write
from ..errors import Puzzle15Error
from ..solver import Solver
from ..system import streams
from ..system.quantities import option_type, parse_whole
from .distance import AnnDistance

__all__ = ["Met", "main", "met"]

Packed = NDArray[np.uint64]

_SHAPE = (4, 4)
_MOST_MOVES = 100  # of a beam; nearly all have long reached the goal


def met(
    starts: Packed, predict: Callable[[Packed], NDArray[Any]], width: int, each: int, rng: np.random.Generator
) -> Packed:
    """A sample of the boards that beams from `starts` make.

    Parameters
    ----------
    starts : ndarray of uint64, shape (N,)
        Packed boards.
    predict : callable
        Packed boards to distances, as far as they go.
    width : int
        Boards kept after each move, for each start.
    each : int
        Boards drawn for each start, of all that its beam made, without those of two moves before.
    rng : numpy.random.Generator

    Returns
    -------
    ndarray of uint64, shape (N * each,) or less
        Less where a start is so near that its beam makes fewer.
    """
    goal = np.uint64(Board.goal(_SHAPE).packed)
    front, owner = starts, np.arange(len(starts))
    before = starts[:0]
    done = np.zeros(len(starts), dtype=bool)
    made, owners = [], []
    for _ in range(_MOST_MOVES):
        blank = blank_cells(front, _SHAPE)
        to = neighbours(_SHAPE)[blank]
        at, direction = np.nonzero(to >= 0)
        children = slide(front[at], blank[at], to[at, direction].astype(np.int64))
        # Boards of different beams are different: only the same start's make duplicates.
        order = np.lexsort((children, owner[at]))
        children, whose = children[order], owner[at][order]
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
        # what is predicted alike is kept by chance
        order = np.lexsort((predict(children) + 0.5 * rng.random(len(children)), whose))
        children, whose = children[order], whose[order]
        kept = np.arange(len(whose)) - np.searchsorted(whose, whose) < width
        before, front, owner = front, children[kept], whose[kept]
    boards, whose = np.concatenate(made), np.concatenate(owners)
    order = np.lexsort((rng.random(len(boards)), whose))
    boards, whose = boards[order], whose[order]
    return boards[np.arange(len(whose)) - np.searchsorted(whose, whose) < each]


@dataclass(frozen=True)
class Met:
    """The boards that beams with a network meet, as a distribution for `puzzle15.dataset.write`.

    Parameters
    ----------
    network : str
        A name or a path, as `AnnDistance` takes it; the file's checksum belongs to the distribution's description.
    width : int
        Of the beams: A* with a good network expands about as many boards at each depth.
    """

    network: str
    width: int = 20
    _ann: AnnDistance = field(init=False, repr=False, compare=False)

    chunk = 20_000
    EACH = 100

    def __post_init__(self) -> None:
        object.__setattr__(self, "_ann", AnnDistance(self.network))

    def check(self, goal: Board) -> None:
        """ValueError if boards of this goal cannot be drawn."""
        if goal != Board.goal(_SHAPE):
            raise ValueError(f"goal {goal}: networks are for {Board.goal(_SHAPE)}")

    def draw(self, count: int, rng: np.random.Generator, solver: Solver) -> Packed:
        """Packed boards, uint64 (count,)."""
        boards = np.zeros(0, dtype=np.uint64)
        while len(boards) < count:
            starts = uniform(-(-(count - len(boards)) // self.EACH), rng)
            boards = np.concatenate([boards, met(starts, self._ann.predict, self.width, self.EACH, rng)])
        return boards[:count]

    @property
    def without_checksum(self) -> str:
        """str: how older versions described it; what they began can be resumed."""
        return f"met:{Path(self.network).name},width={self.width}"

    def __str__(self) -> str:
        return f"{self.without_checksum},checksum={self._ann.checksum[:16]}"


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Run the command; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m puzzle15.ann.gather", description=__doc__.partition("\n")[0])
    positive = option_type(parse_whole, 1)
    parser.add_argument("directory", help="where the labelled boards go")
    parser.add_argument("--network", required=True, help="a name, or the path of a file")
    parser.add_argument("--count", type=positive, required=True, help="boards")
    parser.add_argument("--seed", type=option_type(parse_whole), required=True)
    parser.add_argument("--width", type=positive, default=Met.width, help="of the beams (default: %(default)s)")
    parser.add_argument("--workers", type=positive, default=1, help="threads")
    parser.add_argument("--resume", action="store_true", help="go on with what is there")
    options = parser.parse_args(arguments)

    def tell(done: int, count: int) -> None:
        streams.tell(f"gather: {done:,} of {count:,} boards\n")

    try:
        distribution: Any = Met(options.network, options.width)
        dataset = write(
            options.directory,
            options.count,
            seed=options.seed,
            distribution=distribution,
            solver=Solver(),
            workers=options.workers,
            resume=options.resume,
            progress=tell,
        )
    except (Puzzle15Error, ValueError) as error:
        streams.tell(f"gather: {error}\n")
        return 1
    print(dataset)
    return 0


if __name__ == "__main__":
    sys.exit(main())
