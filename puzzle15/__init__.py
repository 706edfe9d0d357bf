"""Solve sliding-tile puzzles of up to 16 cells optimally.

>>> from puzzle15 import Board
>>> Board("5 3 8 9/0 2 4 1/7 10 14 13/12 11 6 15").is_solvable()
True
"""

from ._system.interruption import is_command, take_over

if is_command():
    take_over()

from ._system.import_guard import use_compiled

use_compiled(__name__, __path__)

from ._system.lazy import attach_stub
from ._system.version import __version__ as __version__

__getattr__, __dir__, __all__ = attach_stub(__name__, __path__)
