"""Data sets of labelled boards: draw, label, store, read and check millions of boards.

>>> import tempfile
>>> from puzzle15 import Solver
>>> from puzzle15.dataset import write
>>> dataset = write(tempfile.mkdtemp(), 2000, seed=1, distribution="distance:5-20", solver=Solver(shape=(3, 3)))
>>> dataset
<Dataset of 2,000 boards (distance:5-20) for 1 2 3/4 5 6/7 8 0: board, distance, solution>
>>> for shard in dataset.shards():
...     print({name: array.shape for name, array in shard.items()})
{'board': (2000, 9), 'distance': (2000,), 'solution': (2000, 40)}

The page "Data sets" says which boards can be drawn, and describes the files of a folder; `puzzle15.solver.label`
describes the columns.
"""

from .._system.lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __path__)
