"""Answers: one solution, and many as arrays."""

import dataclasses
import json
from functools import partial
from itertools import groupby

import numpy as np
import pytest
from solving import check_path

from puzzle15 import Board, LocalValueIteration, Solution, Solver, search, search_many
from puzzle15.board import format_moves
from puzzle15.errors import BoardError, UnsolvableError
from puzzle15.solver import Iteration, label, moves

EIGHT = Solver(shape=(3, 3))
BOARDS = ["1 2 3/4 5 6/7 8 0", "8 6 7/2 5 4/3 0 1", "1 2 3/0 5 6/4 7 8", "6 4 7/8 5 0/3 2 1"]


def test_a_solution():
    solution = EIGHT.solve("1 2 3/0 5 6/4 7 8")
    assert 3 <= solution.expanded <= solution.generated and 0 <= solution.seconds < 1
    nodes = solution.expanded, solution.generated
    expected = Solution(
        Board("1 2 3/0 5 6/4 7 8"), Board.goal((3, 3)), "solved", "ULL", True, 3, *nodes, 0.0, (Iteration(3, *nodes),)
    )
    assert solution == expected and solution.iterations == expected.iterations and solution.length == 3
    assert (solution.algorithm, solution.heuristic, solution.error) == ("ida*", None, None)
    with pytest.raises(dataclasses.FrozenInstanceError):
        solution.moves = ""


def test_moves_are_one_letter_each():
    solver, learner = Solver("embedded"), LocalValueIteration()
    for seed in range(3):
        board = Board.random(seed)
        solutions = [
            solver.solve(board),
            solver.solve_many([board])[0],
            learner.solve(board),
            learner.solve_many([board])[0],
            search(board, algorithm="greedy"),
        ]
        texts, lengths = [each.moves for each in solutions], [each.length for each in solutions]
        columns = label(solver, [board])
        texts.append(moves(columns["solution"][0], columns["distance"][0]))
        assert [len(text) for text in texts] == [*lengths, solver.distance(board)]
        for text in texts:  # both forms are read
            assert board.apply(text) == board.apply(format_moves(text, compress=True)) == Board.goal()


def test_for_people():
    assert str(EIGHT.solve("1 2 3/0 5 6/4 7 8")) == "3 moves: UL2"
    assert str(EIGHT.solve("1 2 3/4 5 6/7 0 8")) == "1 move: L"
    assert str(EIGHT.solve("1 2 3/4 5 6/7 8 0")) == "0 moves"
    assert str(EIGHT.solve(BOARDS[1], max_length=20)) == "limit: at least 31 moves"
    assert str(search(BOARDS[1], algorithm="hill-climbing")) == "failed: at least 21 moves"
    best = search(BOARDS[1], algorithm="branch-and-bound", max_nodes=2000)
    assert str(best) == (
        f"limit: at least {best.lower_bound} moves, at most {best.length}: {format_moves(best.moves, compress=True)}"
    )
    batch = EIGHT.solve_many(["hello"], on_error="mark")
    assert str(batch[0]).startswith("error: board 0: 'hello': ")


def test_equal_answers_compare_equal():
    """A board of a batch is answered as alone, but for its time."""
    learner = LocalValueIteration(shape=(3, 3))
    for one, many in (
        (EIGHT.solve, EIGHT.solve_many),
        (partial(search, algorithm="ida*"), partial(search_many, algorithm="ida*")),
        (learner.solve, learner.solve_many),
    ):
        assert list(many(BOARDS)) == [one(board) for board in BOARDS] and many(BOARDS) == many(BOARDS)
        assert many(BOARDS)[0].to_dict() | {"seconds": 0} == one(BOARDS[0]).to_dict() | {"seconds": 0}
    solution = EIGHT.solve(BOARDS[1])
    later = dataclasses.replace(solution, seconds=solution.seconds + 1)
    assert later == solution and hash(later) == hash(solution)
    for change in ({"moves": "U"}, {"generated": 1}, {"lower_bound": 1}, {"status": "limit"}):
        assert dataclasses.replace(solution, **change) != solution


def test_the_goal_itself():
    goal = Board.goal((3, 3))
    for solution in (EIGHT.solve(goal), EIGHT.solve_many([goal])[0]):
        assert (solution.status, solution.moves, solution.length, solution.lower_bound) == ("solved", "", 0, 0)
        assert (solution.expanded, solution.generated, solution.iterations) == (0, 0, ())
        assert list(solution.boards()) == [goal]


def test_a_batch():
    batch = EIGHT.solve_many(BOARDS)
    assert batch.lengths.tolist() == [0, 31, 3, 31] and batch.errors == {}
    dtypes = batch.lengths.dtype, batch.expanded.dtype, batch.generated.dtype, batch.seconds.dtype
    assert dtypes == (np.int32, np.uint64, np.uint64, np.float64)
    for index, solution in enumerate(batch):
        assert solution == batch[index] == batch[index - 4]
        assert solution.iterations == () and solution.seconds >= 0
        check_path(solution)
    for index in (4, -5):
        with pytest.raises(IndexError):
            batch[index]
    assert repr(batch) == "<SolutionBatch of 4 boards, 4 solved>"


def test_an_empty_batch():
    for boards in ([], np.empty((0, 9), np.uint8), np.empty((0, 3, 3), np.uint8), np.empty(0, np.uint64)):
        batch = EIGHT.solve_many(boards)
        assert len(batch) == 0 and list(batch) == [] and batch.lengths.shape == (0,)
        assert EIGHT.lower_bound_many(boards).shape == EIGHT.distance_many(boards).shape == (0,)


BAD = [
    ("1 2 3/4 5 6/8 7 0", UnsolvableError),
    ("1 2 3/4 5 6/8 8 0", BoardError),
    ("1 2 3/4 5 0", BoardError),
    ("hello", BoardError),
    ("", BoardError),
    (Board.goal((4, 4)), BoardError),
    (Board.goal((2, 3)), BoardError),
]


def test_bad_boards_are_marked_or_raise():
    boards = [BOARDS[0], *(board for board, _ in BAD), BOARDS[1]]
    batch = EIGHT.solve_many(boards, on_error="mark")
    assert batch.lengths.tolist() == [0] + [-1] * len(BAD) + [31] and sorted(batch.errors) == [1, 2, 3, 4, 5, 6, 7]
    for index, (board, error) in enumerate(BAD, 1):
        solution = batch[index]
        assert type(batch.errors[index]) is error and solution.error is batch.errors[index]
        assert str(solution.error).startswith(f"board {index}: ")
        assert (solution.status, solution.moves, solution.length, solution.optimal) == ("error", None, None, False)
        assert (solution.expanded, solution.generated, solution.lower_bound) == (0, 0, 0)
        assert list(solution.boards()) == [] and (solution.board is None) == (error is BoardError)
        for many in (EIGHT.solve_many, EIGHT.distance_many, EIGHT.lower_bound_many):
            with pytest.raises(error, match="^board 1: "):
                many([BOARDS[0], board, "also bad"])
        for one in (EIGHT.solve, EIGHT.lower_bound, EIGHT.distance, EIGHT.hint, EIGHT.all_solutions):
            with pytest.raises(error):
                one(board)
    with pytest.raises(UnsolvableError, match="2 1 3/.* cannot reach the goal 1 2 3/.*exchanging"):
        EIGHT.solve("2 1 3/4 5 6/7 8 0")


def test_what_is_no_list_of_boards():
    for boards in (BOARDS[0], np.full((2, 9), 0.5), 7):
        with pytest.raises(TypeError):
            EIGHT.solve_many(boards, on_error="mark")
    with pytest.raises(ValueError, match="expected one of raise, mark"):
        EIGHT.solve_many([BOARDS[0]], on_error="ignore")


def test_the_moves_of_a_solution():
    solution, goal = EIGHT.solve(BOARDS[1]), EIGHT.solve(Board.goal((3, 3)))
    limited = EIGHT.solve(BOARDS[1], max_length=20)
    assert list(solution) == list(solution.moves) and "".join(solution) == solution.moves
    assert len(solution) == solution.length == solution.single_tile_length == 31
    assert solution.multi_tile_length == len([*groupby(solution.moves)]) < 31
    for nothing, length in ((goal, 0), (limited, None)):
        assert list(nothing) == [] and len(nothing) == 0 and nothing
        assert (nothing.single_tile_length, nothing.multi_tile_length) == (length, length)
    steps = list(solution.path())
    assert [step.board for step in steps] == list(solution.boards())
    assert "".join(step.move for step in steps) == solution.moves and steps[0].move == ""
    assert [step.moves_left for step in steps] == [EIGHT.distance(step.board) for step in steps]
    assert steps[0].board == solution.board and steps[-1].board == solution.goal and len(steps) == 32
    assert list(limited.path()) == []
    greedy = search(BOARDS[1], algorithm="greedy")
    assert [step.moves_left for step in greedy.path()] == list(range(greedy.length, -1, -1))


def test_a_solution_in_multi_tile_moves():
    """The moves, their number and the path follow the metric."""
    solution = dataclasses.replace(EIGHT.solve(BOARDS[2]), metric="mtm", lower_bound=2)
    assert (solution.length, solution.single_tile_length, solution.multi_tile_length) == (2, 3, 2)
    assert list(solution) == ["U", "LL"] and len(solution) == 2 and solution.moves == "ULL"
    assert [(step.move, str(step.board), step.moves_left) for step in solution.path()] == [
        ("", "1 2 3/0 5 6/4 7 8", 2),
        ("U", "1 2 3/4 5 6/0 7 8", 1),
        ("LL", "1 2 3/4 5 6/7 8 0", 0),
    ]
    assert str(solution) == "2 multi-tile moves: UL2"
    assert (solution.to_dict()["length"], solution.to_dict()["metric"]) == (2, "mtm")
    limited = dataclasses.replace(EIGHT.solve(BOARDS[2], max_length=1), metric="mtm")
    assert str(limited) == "limit: at least 3 multi-tile moves"


def test_records():
    for solution in (
        EIGHT.solve(BOARDS[1]),
        EIGHT.solve(BOARDS[1], max_length=20),
        search(BOARDS[1], algorithm="greedy"),
        search(BOARDS[1], algorithm="ara*"),
        LocalValueIteration(shape=(3, 3)).solve(BOARDS[1]),
        *EIGHT.solve_many([BOARDS[0], "1 2 3/4 5 6/8 7 0", "hello"], on_error="mark"),
        *LocalValueIteration(shape=(3, 3)).solve_many([BOARDS[0], "hello"], on_error="mark"),
    ):
        record = solution.to_dict()
        assert json.loads(json.dumps(record)).keys() == record.keys()
        for name in record.keys() - {"board", "goal", "seconds", "error", "parts", "convention", "improvements"}:
            value = getattr(solution, name)
            assert record[name] == value or (record[name] is None and solution.error is not None), name
        improvements = record.get("improvements") or []
        assert [each["lower_bound"] for each in improvements] == [each.lower_bound for each in solution.improvements]
        assert record["board"] == (None if solution.board is None else str(solution.board))
        assert record["goal"] == str(solution.goal) and record["convention"] == "tile"
        assert record["error"] == (None if solution.error is None else str(solution.error))
        assert record["seconds"] is None or record["seconds"] == pytest.approx(solution.seconds, abs=1e-6)
    solution = EIGHT.solve(BOARDS[1])
    blank = solution.to_dict(convention="blank")
    assert blank["convention"] == "blank" and blank["moves"] == format_moves(solution.moves, convention="blank")
    assert list(blank) == list(solution.to_dict())
    record = LocalValueIteration(shape=(3, 3)).solve(BOARDS[1]).to_dict()
    assert sum(part["length"] for part in record["parts"]) == record["length"]
    with pytest.raises(ValueError, match="expected one of tile, blank"):
        solution.to_dict(convention="mine")


@pytest.mark.parametrize("solver", [EIGHT, LocalValueIteration(shape=(3, 3))], ids=["tables", "local"])
def test_slices_of_a_batch(solver):
    boards = [BOARDS[0], "hello", BOARDS[1], "1 2 3/4 5 6/8 7 0", *BOARDS]
    batch = solver.solve_many(boards, on_error="mark")
    everything = list(batch)
    for index in (slice(None), slice(1, 3), slice(-3, None), slice(None, None, -2), slice(5, 2), slice(100, 200)):
        part = batch[index]
        assert type(part) is type(batch) and list(part) == everything[index]
        assert [solution.error for solution in part] == [solution.error for solution in everything[index]]
        for name in ("lengths", "lower_bounds", "expanded", "generated", "seconds", "status"):
            assert getattr(part, name).tolist() == getattr(batch, name)[index].tolist()
    assert sorted(batch.errors) == [1, 3] and sorted(batch[2:][1:].errors) == [0] and batch[4:].errors == {}
    assert list(reversed(batch)) == everything[::-1] and batch[np.int64(-1)] == everything[-1]
    assert batch.to_dicts() == [solution.to_dict() for solution in everything]
    for strange in (1.0, "1", None):
        with pytest.raises(TypeError):
            batch[strange]
    if hasattr(batch, "largest"):
        assert batch[2:5].largest.tolist() == batch.largest.tolist()[2:5]
        assert batch.lower_bounds.tolist() == [solution.lower_bound for solution in batch]


def test_what_a_notebook_shows_of_a_solution():
    solution = EIGHT.solve("1 2 3/0 5 6/4 7 8")
    text = solution._repr_html_()
    assert "3 moves; no solution is shorter." in text and "ULL" in text and "[3,2,1,0]" in text and "<script>" in text
    page = solution.animation(tiles_per_second=5, colours="plain", numbers=False, size=100)
    assert page.startswith("<!DOCTYPE html>") and "200" in page and 'width="100"' in page and "<text" not in page
    assert "1 of 3" in solution.svg(tiles_per_second=5)
    several = Solver(shape=(3, 3), metric="mtm").solve("1 2 3/0 5 6/4 7 8")
    assert "2 multi-tile moves; no solution is shorter." in several._repr_html_() and "UL2" in several._repr_html_()
    greedy = search("8 6 7/2 5 4/3 0 1", algorithm="greedy", heuristic="manhattan")
    assert "47 moves; another solution may be shorter." in greedy._repr_html_()
    assert "&quot;distances&quot;:[]" in greedy._repr_html_()


def test_what_a_notebook_shows_where_there_are_no_moves():
    goal, limited = EIGHT.solve(BOARDS[0]), Solver("embedded").solve(Board.random(1), max_nodes=100)
    unreadable, unsolvable = EIGHT.solve_many(["<x>", "2 1 3/4 5 6/7 8 0"], on_error="mark")
    assert "0 moves; no solution is shorter." in goal._repr_html_()
    assert f"limit: at least {limited.lower_bound} moves." in limited._repr_html_()
    assert "&lt;x&gt;" in unreadable._repr_html_() and "<svg" not in unreadable._repr_html_()
    assert "cannot reach the goal" in unsolvable._repr_html_() and "<svg" in unsolvable.animation()
    for solution in (goal, limited, unreadable, unsolvable):
        assert "<script>" not in solution._repr_html_()
        with pytest.raises(ValueError, match="expected a solution with moves"):
            solution.svg()


def test_what_a_notebook_shows_of_a_batch():
    batch = EIGHT.solve_many([*BOARDS, "<x>", *BOARDS, *BOARDS], on_error="mark")
    text = batch._repr_html_()
    assert text.count("<tr>") == 11 and "3 more. All 13 boards: 12 solved, 16.25 moves on average; " in text
    assert "&lt;x&gt;" in text and "<x>" not in text and "8 6 7/2 5 4/3 0 1" in text
    assert "1 boards" not in EIGHT.solve_many(BOARDS[:1])._repr_html_()
    assert "0 boards: 0 solved; 0 nodes expanded" in EIGHT.solve_many([])._repr_html_()
