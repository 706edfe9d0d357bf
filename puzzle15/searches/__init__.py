"""Textbook searches by name: `search` and `search_many` run any of `ALGORITHMS`, `compare` runs several, and
`compare_many` runs several on a set of boards.

>>> from puzzle15.searches import search
>>> solution = search("8 6 7/2 5 4/3 0 1", algorithm="a*", heuristic="linear-conflict")
>>> solution.length, solution.optimal
(31, True)
>>> search("8 6 7/2 5 4/3 0 1", algorithm="greedy").optimal
False
"""

from .._system.lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __path__)
