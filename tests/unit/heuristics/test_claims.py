"""Checks of heuristics: ours are what they claim to be, and others are refuted by right counter-examples."""

import math

import numpy as np
import pytest
import twins

from puzzle15 import Board, Solver, heuristic, heuristics
from puzzle15.board import pack_boards
from puzzle15.errors import BoardError, HeuristicError, UnsolvableError
from puzzle15.heuristics import NAMES, HeuristicFunction, TableSum
from puzzle15.heuristics._report import KEPT
from puzzle15.heuristics._samples import along_solutions

SHAPES = {4: (2, 2), 6: (2, 3), 9: (3, 3), 12: (3, 4), 16: (4, 4)}


def changed(change, admissible=True, consistent=True, name="changed"):
    """Manhattan distance for any goal, changed by a function of (packed boards, values)."""

    def function(boards, goal):
        base = heuristic("manhattan", goal=Board(goal.tolist(), SHAPES[len(goal)]))
        packed, _, _ = pack_boards(boards, goal=base.goal)
        return change(packed, base.many(packed).astype(np.int64))

    return HeuristicFunction(function, name=name, admissible=admissible, consistent=consistent, goal="any")


def doubled(packed, values):
    return 2 * values


def for_half(packed, values):
    """0 for half of the boards."""
    return np.where(packed % np.uint64(7) < 4, values, 0)


# ---------------------------------------------------------------- small shapes: against the definition


@pytest.mark.parametrize("goal", ["1 2 3/4 5 0", "4 1 2/0 3 5", "3 0/1 2"])
@pytest.mark.parametrize("change", [doubled, for_half])
def test_every_counter_example_is_found(goal, change):
    goal = Board(goal)
    h = heuristic(changed(change), goal=goal)
    known = twins.distances(goal.shape, goal.tiles)
    boards = list(known)
    value = dict(zip(boards, h.many([Board(tiles, goal.shape) for tiles in boards]).tolist()))
    over = {board for board in boards if value[board] > known[board]}
    steep = {
        (board, letter, after)
        for board in boards
        for letter, after in twins.neighbours(goal.shape, board).items()
        if value[board] > value[after] + 1
    }
    report = heuristics.check_heuristic(h)
    (trial,) = report.trials
    assert (trial.goal, trial.boards, trial.total) == (goal, len(boards), len(boards)) and trial.complete
    assert trial.moves == sum(len(twins.neighbours(goal.shape, board)) for board in boards) // 2
    assert (trial.overestimate_count, trial.jump_count, trial.change_count) == (len(over), len(steep), 0)
    assert len(trial.overestimates) == min(len(over), KEPT) and len(trial.jumps) == min(len(steep), KEPT)
    for board, found, distance in trial.overestimates:
        assert board.tiles in over and (found, distance) == (value[board.tiles], known[board.tiles])
    for board, move, neighbour, found, after in trial.jumps:
        assert (board.tiles, move, neighbour.tiles) in steep
        assert (found, after) == (value[board.tiles], value[neighbour.tiles]) and board.apply(move) == neighbour
    assert [example.distance for example in trial.overestimates] == sorted(map(known.get, over))[:KEPT]
    assert math.isclose(trial.mean_h, np.mean(list(value.values())))
    assert math.isclose(trial.mean_distance, np.mean(list(known.values())))
    assert trial.exact == np.mean([value[board] == known[board] for board in boards])
    assert (report.admissible, report.consistent) == (not over, not steep)
    assert bool(report) == (not over and not steep)


@pytest.mark.parametrize("admissible", [True, False])
@pytest.mark.parametrize("consistent", [True, False])
def test_what_is_not_claimed_cannot_be_refuted(admissible, consistent):
    report = heuristics.check_heuristic(changed(doubled, admissible, consistent), shape=(2, 3))
    assert not report.admissible and not report.consistent and bool(report) == (not admissible and not consistent)
    report = heuristics.check_heuristic(changed(for_half, admissible, consistent), shape=(2, 3))
    assert report.admissible and not report.consistent and bool(report) == (not consistent)
    assert (report.claims_admissible, report.claims_consistent) == (admissible, consistent)


def test_h_of_the_goal():
    """A constant never jumps, but it is not consistent, since the goal's distance is 0."""
    report = heuristics.check_heuristic(changed(lambda packed, values: 0 * values + 3), shape=(2, 2))
    (trial,) = report.trials
    assert trial.goal_h == 3 and trial.jump_count == 0 and not trial.consistent
    assert [(example.distance, example.h) for example in trial.overestimates[:2]] == [(0, 3), (1, 3)]
    assert "2x2: not consistent: h of the goal is 3" in str(report)


def test_a_value_that_changes_is_reported(rng):
    h = changed(lambda packed, values: values + rng.integers(2, size=len(values)))
    report = heuristics.check_heuristic(h, shape=(2, 3))
    assert not report and not report.stable and "not the same twice" in repr(report)
    (trial,) = report.trials
    assert trial.change_count and all(change.h != change.again for change in trial.changes)
    assert f"not the same twice on {trial.change_count} boards" in str(report)


@pytest.mark.parametrize("name", [*NAMES, "tables:embedded", "max(linear-conflict,walking-distance)"])
def test_our_heuristics_are_what_they_claim_to_be(name):
    for goal, boards in ((Board("4 1 2 3/0 5 6 7"), "all 20,160"), (Board("3 1 2/4 0 5/7 6 8"), "all 181,440")):
        report = heuristics.check_heuristic(name, goal=goal)
        assert report and report.admissible and report.consistent and report.stable
        assert report.trials[0].boards_text() == boards
    assert report.trials[0].exact == 1 if name.startswith("tables") else report.trials[0].exact < 0.1


# ---------------------------------------------------------------- large shapes: samples


def test_a_sample_of_a_large_shape():
    told, seen = [], {}

    def look(packed, values):
        seen.update(zip(packed.tolist(), values.tolist()))
        return values

    options = {"goal": "0 1 2 3/4 5 6 7/8 9 10 11", "boards": 600, "progress": lambda *call: told.append(call)}
    report = heuristics.check_heuristic(changed(look), **options)
    *small, trial = report.trials
    assert [each.shape for each in report.trials] == [(2, 2), (2, 3), (3, 3), (3, 4)]
    assert report and all(each.complete for each in small) and not trial.complete
    assert 300 < trial.boards < 1000 < trial.moves < len(seen)
    shares = [share for share, _ in told]
    assert shares == sorted(shares) and shares[0] > 0 and shares[-1] == 1
    assert {what for _, what in told if what.startswith("3x4")} == {"3x4: solving boards", "3x4: evaluating boards"}


def test_a_sample_of_boards_that_are_not_solved_is_the_goal():
    sample = along_solutions(np.array([Board("5 4 3/2 1 0").packed], np.uint64), Solver(shape=(2, 3)), deadline=0.0)
    assert sample.packed.tolist() == [Board.goal((2, 3)).packed] and sample.distances.tolist() == [0]


def test_counter_examples_of_a_sample_are_right():
    h = heuristic(changed(doubled), shape=(3, 4))
    report = heuristics.check_heuristic(h, boards=1000, small_shapes=False)
    (trial,) = report.trials
    assert not report and trial.overestimates and trial.jumps
    solver = Solver(shape=(3, 4))
    for board, value, distance in trial.overestimates:
        assert value == h.many([board])[0] > distance == solver.solve(board).length
    for board, move, neighbour, value, after in trial.jumps:
        assert board.apply(move) == neighbour
        assert [value, after] == h.many([board, neighbour]).tolist() and value > after + 1


def test_the_same_seed_draws_the_same_boards():
    first, again, other = (
        heuristics.check_heuristic("manhattan", shape=(3, 4), boards=400, seed=seed, small_shapes=False)
        for seed in (1, 1, 2)
    )
    assert first == again != other


def test_given_boards():
    board = Board.random(1, (3, 4))
    length = Solver(shape=(3, 4)).solve(board).length
    (trial,) = heuristics.check_heuristic("manhattan", shape=(3, 4), boards=[board], small_shapes=False).trials
    assert trial.boards == length + 1 and trial.mean_distance == length / 2
    for boards, error in (([Board.goal()], BoardError), (["2 1 3 4/5 6 7 8/9 10 11 0"], UnsolvableError)):
        with pytest.raises(error, match="board 0"):
            heuristics.check_heuristic("manhattan", shape=(3, 4), boards=boards)


def test_limits():
    report = heuristics.check_heuristic("manhattan", time_limit_s=0)
    assert report and [trial.boards for trial in report.trials] == [1, 1, 1, 1]  # the goals
    for options in ({"boards": 0}, {"boards": True}, {"time_limit_s": -1}, {"time_limit_s": "soon"}):
        with pytest.raises(ValueError, match=next(iter(options))):
            heuristics.check_heuristic("manhattan", shape=(2, 2), **options)


@pytest.mark.slow
def test_networks_and_classic_tables_on_4x4(classic_small_tables):
    report = heuristics.check_heuristic("ann")
    assert report and not report.admissible and not report.consistent and len(report.trials) == 1
    report = heuristics.check_heuristic("tables:5-5-5:classic", tables=classic_small_tables)
    assert report and report.admissible and not report.consistent and not report.claims_consistent


# ---------------------------------------------------------------- reports


def test_reports_as_text_and_as_records():
    report = heuristics.check_heuristic(changed(doubled), shape=(2, 2))
    assert repr(report) == "<HeuristicReport of changed: not admissible, not consistent>"
    assert repr(report.trials[0]) == "<2x2: all 12 boards: not admissible, not consistent>"
    assert str(report).splitlines() == [
        "changed claims to be admissible and consistent. It is not admissible and not consistent.",
        "shape  boards  moves  admissible  consistent  mean h  mean distance  exact",
        "2x2    all 12     12          no          no    6.00           3.00    8 %",
        "2x2: not admissible on 11 boards: h is 2 on 1 0/3 2, whose distance is 1",
        "2x2: not consistent on 12 moves: h is 2 on 1 0/3 2, and 0 after U, on 1 2/3 0",
    ]
    record = report.to_dict()
    assert record["holds"] is False and record["claims"] == {"admissible": True, "consistent": True}
    trial = record["trials"][0]
    assert trial["overestimates"][0] == {"board": "1 0/3 2", "h": 2, "distance": 1}
    assert trial["jumps"][0] == {"board": "1 0/3 2", "move": "U", "neighbour": "1 2/3 0", "h": 2, "neighbour_h": 0}


# ---------------------------------------------------------------- what is tried


def test_small_shapes_are_tried_where_the_heuristic_can_be_made():
    def shapes(h, **options):
        return [trial.shape for trial in heuristics.check_heuristic(h, boards=50, time_limit_s=0, **options).trials]

    small = [(2, 2), (2, 3), (3, 3)]
    assert shapes(changed(for_half), shape=(3, 4)) == [*small, (3, 4)]
    assert shapes(changed(for_half), shape=(3, 4), small_shapes=False) == [(3, 4)]
    assert shapes(heuristic("zero", shape=(3, 4)).toward("0 1 2 3/4 5 6 7/8 9 10 11")) == [*small, (3, 4)]
    assert shapes(lambda boards: np.zeros(len(boards)), shape=(3, 4)) == [(3, 4)]  # for one goal
    assert shapes("max(zero,sum(tables:1-4))", shape=(3, 4)) == [(2, 3), (3, 3), (3, 4)]  # 2x2 has three tiles
    assert shapes(TableSum(["tables:7,8"], shape=(3, 4))) == [(3, 3), (3, 4)]


def test_another_goal_and_functions_that_fail():
    h = heuristic("manhattan", shape=(2, 3))
    assert heuristics.check_heuristic(h, goal="0 1 2/3 4 5").trials[0].goal == Board("0 1 2/3 4 5")
    with pytest.raises(BoardError):
        heuristics.check_heuristic(h, goal="0 1 2/3 4 5/6 7 8")
    with pytest.raises(HeuristicError, match="expected"):
        heuristics.check_heuristic(lambda boards: np.full(len(boards), np.nan), shape=(2, 2))
    with pytest.raises(ZeroDivisionError):
        heuristics.check_heuristic(lambda boards: 1 // 0, shape=(2, 2))
