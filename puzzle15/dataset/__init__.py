"""Data sets of labelled boards: draw, label, store, read and check millions of boards.

>>> import tempfile
>>> from puzzle15 import Solver
>>> dataset = write(tempfile.mkdtemp(), 2000, seed=1, distribution="distance:5-20", solver=Solver(shape=(3, 3)))
>>> dataset
<Dataset of 2,000 boards (distance:5-20) for 1 2 3/4 5 6/7 8 0: board, distance, solution>
>>> for shard in dataset.shards():
...     print({name: array.shape for name, array in shard.items()})
{'board': (2000, 9), 'distance': (2000,), 'solution': (2000, 40)}

`puzzle15.dataset.distributions` lists which boards can be drawn, `puzzle15.dataset.writing` describes the files of a
folder, and `puzzle15.solver.labelling` the columns.
"""

from ..board import random_walk, uniform
from .batches import Batches
from .checking import ShardReport, check
from .distances import at_distances
from .distributions import Distances, Distribution, Uniform, Walk, parse_distribution
from .export import to_csv, to_parquet
from .levels import levels_to
from .manifest import FORMATS
from .parquet import read_parquet
from .published import Published, PublishedReport, WrongRow, check_published, read_published
from .reading import Dataset, load
from .training import Targets, targets
from .writing import write

__all__ = [
    "Batches",
    "Dataset",
    "Distances",
    "Distribution",
    "FORMATS",
    "Published",
    "PublishedReport",
    "ShardReport",
    "Targets",
    "Uniform",
    "Walk",
    "WrongRow",
    "at_distances",
    "check",
    "check_published",
    "levels_to",
    "load",
    "parse_distribution",
    "random_walk",
    "read_parquet",
    "read_published",
    "targets",
    "to_csv",
    "to_parquet",
    "uniform",
    "write",
]
