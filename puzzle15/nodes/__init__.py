"""Boards as arrays, for your own algorithms: children, tables of boards, a bucket queue, frontier operations.

>>> from puzzle15 import Board
>>> from puzzle15.nodes import children
>>> made = children([Board.goal((2, 2)).packed], (2, 2))
>>> [hex(board) for board in made.packed.tolist()], made.parent.tolist(), made.direction.tolist()
(['0x2301', '0x3021'], [0, 0], [0, 1])
"""

from .._system.lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __path__)
