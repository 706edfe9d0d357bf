"""Keywords that functions do not have."""

import re

import pytest

from puzzle15 import Board, Solver, compare, search, search_many
from puzzle15.searches import compare_many

BOARD = Board("1 2 3/4 5 6/7 0 8")


@pytest.mark.parametrize(
    "function, name, expected",
    [
        (search, "timeout", "search() has no timeout; write time_limit_s"),
        (search_many, "n_jobs", "search_many() has no n_jobs; write workers"),
        (search, "heuristics", "search() has no heuristics; write heuristic"),
        (compare, "algorithm", "compare() has no algorithm; write algorithms"),
        (compare_many, "depth_limit", "compare_many() has no depth_limit; write max_length"),
        (Solver(shape=(3, 3)).solve, "weight", "solve() has no weight; puzzle15.search() has"),
        (search, "zzz", "search() has no zzz; expected one of board, options, goal, shape, algorithm"),
    ],
)
def test_unknown_keywords_are_answered_with_what_is_meant(function, name, expected):
    with pytest.raises(TypeError, match=re.escape(expected)):
        function([BOARD] if "many" in function.__name__ else BOARD, **{name: 1})
