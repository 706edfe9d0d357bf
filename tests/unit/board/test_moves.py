"""What counts as one move, in both metrics."""

from itertools import groupby

import pytest

from puzzle15.board import METRICS, count_moves, format_moves, parse_moves, split_moves
from puzzle15.errors import BoardError


@pytest.mark.parametrize(
    "text, single, multi",
    [("", 0, 0), ("U", 1, 1), ("UU", 2, 1), ("U2", 2, 1), ("u d", 2, 2), ("URDL2U", 6, 5), ("L3, L3 R", 7, 2)],
)
def test_counts(text, single, multi):
    assert (count_moves(text), count_moves(text, "stm"), count_moves(text, "mtm")) == (single, single, multi)


def test_runs_of_letters(rng):
    for length in range(60):
        letters = "".join(rng.choice(list("UDLR"), length))
        runs = ["".join(run) for _, run in groupby(letters)]
        assert split_moves(letters, "mtm") == runs and split_moves(letters) == list(letters)
        assert count_moves(format_moves(letters, compress=True), "mtm") == len(runs)
        for metric in METRICS:
            assert "".join(split_moves(letters, metric)) == letters
            assert count_moves(format_moves(letters, convention="blank"), metric) == count_moves(letters, metric)


def test_what_cannot_be_counted():
    for call in (count_moves, split_moves):
        with pytest.raises(ValueError, match="metric 'htm': expected stm, .* or mtm"):
            call("U", "htm")
    with pytest.raises(BoardError, match="cannot read 'X'"):
        count_moves("UX")
    assert parse_moves("") == ""
