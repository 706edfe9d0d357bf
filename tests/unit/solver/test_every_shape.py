"""Solutions on every shape, near the goal and far from it, replayed by code of the tests' own; lengths against a second
search."""

from itertools import islice
from types import SimpleNamespace

import numpy as np
import pytest
import twins
from solving import check_path, random_goal

from puzzle15 import Solver, search
from puzzle15._cli.console import exit_code_of
from puzzle15._core.optimal.graph import Graph
from puzzle15.board import random_walk, uniform
from puzzle15.board._moves import split_moves
from puzzle15.errors import InternalError

#: Boards of 2x8, 90 moves away and more, whose solutions were wrong: a search kept the first 64 moves of a node that it
#: cut off, and took those that followed from elsewhere.
FAR = [
    "3 8 4 15 14 5 12 11/6 7 2 1 0 13 10 9",
    "11 8 4 3 1 14 12 9/6 2 7 5 15 13 10 0",
    "8 4 6 7 15 14 10 9/13 0 3 2 5 12 1 11",
    "8 5 4 1 14 15 11 6/3 7 2 0 12 10 13 9",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """For tables, which are built once."""
    return tmp_path_factory.mktemp("tables")


#: Long shapes take the most time; upright ones are the others turned.
SHAPES = [
    pytest.param(shape, id=f"{shape[0]}x{shape[1]}", marks=[pytest.mark.slow] * (shape[1] > 6 or shape[0] > 4))
    for shape in twins.SHAPES
]


def halves(shape):
    """The partition of all tiles into those of the first and of the last rows."""
    tiles = shape[0] * shape[1] - 1
    first = min(8, (tiles + 1) // 2)
    return f"1-{first}/{first + 1}-{tiles}"


def solvers(shape, tables, rng):
    """Solvers of every kind for a shape, with their names."""
    cells = shape[0] * shape[1]
    goals = [random_goal(rng, shape, int(rng.integers(cells))) for _ in range(2)]
    yield "embedded", Solver(shape=shape, tables=None)
    yield "embedded, other goal", Solver(goal=goals[0], tables=None)
    yield "one view, other goal", Solver(goal=goals[1], tables=None, reflection=False)
    if cells <= 12 or shape == (4, 4):
        yield "plain", Solver(shape=shape, tables=None, plain=True)
    if cells > 4 and shape != (8, 2):  # its tables are those of 2x8, turned
        partition = "1-5/6-10/11-14" if cells == 15 else halves(shape)  # eight tiles among 15 cells take seconds
        yield "built", Solver(partition, shape=shape, tables=tables, build=True)
        yield "built, one view", Solver(partition, shape=shape, tables=tables, reflection=False)
    yield "multi-tile", Solver(shape=shape, tables=None, metric="mtm")
    # a home for which others build tables, too
    yield "multi-tile, other goal", Solver(goal=random_goal(rng, shape, 0), tables=None, metric="mtm")


def check_solved(batch):
    """How many boards of a batch are solved, by legal moves to the goal."""
    solved = [solution for solution in batch if solution.status == "solved"]
    for solution in solved:
        check_path(solution)
    return len(solved)


def longest_slide(board, line):
    """The move that takes the blank to the farther end of its row (LR) or column (UD)."""
    legal = [letter * tiles for letter in line for tiles in range(1, 8)]
    return max((moves for moves in legal if twins.replay(board.shape, board.tiles, moves)), key=len)


def check_multi_tile_moves(solver, board):
    """Hints, lists and analyses against each other."""
    hint, some = solver.hint(board), list(islice(solver.all_solutions(board), 20))
    assert hint.status == "solved" and {split_moves(moves, "mtm")[0] for moves in some} <= {*hint.best_moves.split()}
    for moves in some:
        assert solver.analyse(board, moves).distances == tuple(range(hint.distance, -1, -1))


@pytest.mark.parametrize("shape", SHAPES)
def test_solutions_are_solutions(shape, rng, folder, tables_7_8):
    small = shape[0] * shape[1] <= 9
    for name, solver in solvers(shape, tables_7_8 if shape == (4, 4) else folder, rng):
        walks = random_walk(40, rng.integers(0, 40, 40), rng, goal=solver.goal)
        boards = np.concatenate([walks, uniform(40 if small else 4, rng, goal=solver.goal)])
        batch = solver.solve_many(boards, max_nodes=100_000, workers=2)
        assert check_solved(batch) >= 35, name
        if solver.metric == "stm":
            for index in [0, 20, np.flatnonzero(batch.status == "solved")[-1].item()]:
                other = search(batch[index].board, goal=solver.goal, heuristic="manhattan", max_nodes=50_000)
                assert other.length == batch.lengths[index] or other.status == "limit" and index > 20, name
        else:  # moves through whole lines, too
            boards = [batch[np.flatnonzero(batch.lengths > 0)[0]].board]
            for board in [solver.goal.apply(longest_slide(solver.goal, line)) for line in ("LR", "UD")] + boards:
                check_multi_tile_moves(solver, board)


@pytest.mark.nightly
def test_boards_far_from_the_goal_of_2x8(folder, rng):
    partition = halves((2, 8))
    solver = Solver(partition, shape=(2, 8), tables=folder, build=True)
    batch = solver.solve_many(FAR)
    assert check_solved(batch) == len(FAR)
    for board, length in zip(FAR, batch.lengths):
        alone = solver.solve(board, workers=2)
        other = search(board, algorithm="ida*", heuristic=f"tables:{partition}", tables=folder)
        assert alone.length == other.length == length >= 90
        check_path(alone)
    boards = uniform(20_000, rng, goal=solver.goal)
    check_solved(solver.solve_many(boards[solver.lower_bound_many(boards) >= 90], max_nodes=50_000, workers=2))


def test_what_is_no_solution_is_never_given(monkeypatch):
    """Paths that a graph takes in are replayed in C, too; what a search finds is, by tests/c."""
    solver, board = Solver(shape=(3, 3)), "1 2 3/4 5 6/0 7 8"
    graph, packed = Graph(solver.open_tables.problem), solver.solve(board).board.packed
    right, left, up = 2, 1, 0
    for directions in ([right], [right, left], [right, up], [left, right], [right, right, right]):
        with pytest.raises(
            InternalError, match=f"packed board {packed:#x}: the moves that were found do not lead to the goal"
        ):
            graph.add(packed, bytes(directions))
    assert len(graph) == 0
    graph.add(packed, bytes([right, right]))
    assert graph.known(packed)[0] == 2

    def fail(*_, **__):
        raise InternalError("the moves that were found do not lead to the goal")

    monkeypatch.setitem(vars(solver.open_tables), "problem", SimpleNamespace(solve=fail))
    with pytest.raises(InternalError, match=f"^board {board}: the moves") as caught:
        solver.solve(board)
    assert exit_code_of(caught.value) == 1
    monkeypatch.setattr("puzzle15._core.search.searches.best_first", fail)
    with pytest.raises(InternalError, match=f"^board {board}: the moves"):
        search(board)
