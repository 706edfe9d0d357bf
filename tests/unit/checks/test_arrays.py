"""Checks of tables given as arrays: right ones pass, and wrong ones are refuted by right counter-examples."""

import numpy as np
import pytest
import twins

from puzzle15 import checks
from puzzle15.board import Board
from puzzle15.checks import arrays
from puzzle15.checks.report import KEPT
from puzzle15.errors import TableMissingError
from puzzle15.tables import UNREACHED, PatternTable, placement_ranks, placements, search_placements


def changed(table, values, **claims):
    claims = {"counts": table.counts, "blank": table.blank, "goal": table.goal, "name": "changed", **claims}
    return PatternTable(table.tiles, values, **claims)


@pytest.mark.parametrize("counts", ["own", "all"])
@pytest.mark.parametrize("blank", [False, True])
def test_tables_of_a_search_are_what_they_claim_to_be(counts, blank):
    for goal in ("4 1 2/0 3 5", "1 2 3/4 5 6/7 8 0"):
        table = PatternTable.by_search([3, 1], counts=counts, blank=blank, goal=goal)
        report = checks.check_table(table)
        assert report and report.admissible and report.consistent >= blank
        assert (report.exact == 1) == blank and report.placements == len(placements(table.shape, 3))


def test_a_minimum_over_the_blank_is_not_consistent():
    table = PatternTable.by_search([1, 2, 3], shape=(3, 3))
    report = checks.check_table(table)
    assert report and report.jump_count > 0 == report.overestimate_count
    assert not checks.check_table(changed(table, table.values, consistent=True))


def test_values_that_are_too_large():
    right = PatternTable.by_search([1, 2], shape=(2, 3), blank=True)
    values = right.values.copy()
    wrong = np.flatnonzero(values > 3)[::7]
    values[wrong] += 2
    report = checks.check_table(changed(right, values))
    assert not report and report.overestimate_count == len(wrong) and len(report.overestimates) == min(KEPT, len(wrong))
    for cells, value, moves in report.overestimates:
        (rank,) = placement_ranks([cells], (2, 3))
        assert rank in wrong and (value, moves) == (values[rank], right.values[rank])
    assert [each.moves for each in report.overestimates] == sorted(right.values[wrong].tolist())[:KEPT]
    assert checks.check_table(changed(right, values, admissible=False)) and not report.consistent


@pytest.mark.parametrize("counts", ["own", "all"])
def test_every_jump_is_found(counts, rng):
    goal = Board("4 1 2/0 3 5")
    table = PatternTable.by_search([5, 2], goal=goal, blank=True, counts=counts)
    values = table.values - (rng.random(len(table.values)) < 0.2) * np.minimum(table.values, 2)
    expected = 0
    for *cells, blank in placements(goal.shape, 3).tolist():
        here = values[placement_ranks([[*cells, blank]], goal.shape)[0]]
        for direction in range(4):
            to = twins.neighbour(goal.shape, blank, direction)
            if to >= 0:
                after = [blank if cell == to else cell for cell in cells]
                cost = counts == "all" or to in cells
                expected += int(here) - int(values[placement_ranks([[*after, to]], goal.shape)[0]]) > cost
    report = checks.check_table(changed(table, values, consistent=True))
    assert report.admissible and not report and report.jump_count == expected > KEPT == len(report.jumps)
    for cells, after, value, value_after in report.jumps:
        assert [value, value_after] == values[placement_ranks([cells, after], goal.shape)].tolist()


def test_placements_that_no_board_shows_are_left_out():
    """With every tile in the pattern, half of the placements cannot be reached."""
    table = PatternTable.by_search([1, 2, 3], shape=(2, 2), blank=True)
    report = checks.check_table(table)
    assert repr(report) == "<TableReport of array:1-3: all 12 placements: admissible, consistent>"
    assert report.placements == 12 == len(table.values) // 2
    shown = search_placements([1, 2, 3], table.goal, "own") != UNREACHED
    assert checks.check_table(changed(table, np.where(shown, table.values, 200)))


@pytest.mark.parametrize("goal", ["1 2 3/4 5 6/7 8 0", "8 7 6/5 4 3/2 1 0", "3 1 2/4 0 5/7 6 8"])
@pytest.mark.parametrize("blank", [False, True])
def test_larger_tables_are_compared_with_ours(goal, blank, monkeypatch):
    monkeypatch.setattr(arrays, "MOST_SEARCHED", 100)
    right = PatternTable.by_search([3, 1, 4], goal=goal, blank=blank)
    report = checks.check_table(right, boards=500)
    assert report and report.placements == 500 and not report.complete and report.consistent >= blank
    assert (report.exact == 1) == blank
    values = right.values.copy()
    values[values > 5] += 1
    report = checks.check_table(changed(right, values), boards=500)
    assert not report and report.jump_count
    truth = PatternTable.by_search([3, 1, 4], goal=goal, blank=True)
    for cells, value, moves in report.overestimates:
        assert (
            moves
            == truth.values_of(np.array([cells]))[0]
            < value
            == changed(right, values).values_of(np.array([cells]))[0]
        )


def test_larger_tables_that_cannot_be_compared(tmp_path):
    table = PatternTable(range(1, 8), np.zeros(57_657_600, np.uint8), counts="own")
    with pytest.raises(TableMissingError, match="puzzle15 build --patterns 1-7 --format zero-aware"):
        checks.check_table(table, tables=tmp_path)
    table = PatternTable(range(1, 7), np.zeros(5_765_760, np.uint8), counts="all")
    with pytest.raises(ValueError, match="counts the moves of all tiles, and has more than 6,000,000 placements"):
        checks.check_table(table)
    with pytest.raises(ValueError, match="boards 0: expected a whole number of at least 1"):
        checks.check_table(table, boards=0)
