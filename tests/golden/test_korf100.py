"""Korf's 100 boards: the known lengths, and the nodes of the textbook search."""

import pytest
import twins

import puzzle15
from puzzle15 import Solver
from puzzle15.board import KORF_GOAL, korf100, parse_moves

RECORDS = korf100()
BOARDS = [record.board for record in RECORDS]
LENGTHS = [record.length for record in RECORDS]


def check(batch, lengths):
    assert batch.lengths.tolist() == lengths
    for solution in batch:
        letters = parse_moves(solution.moves)
        assert twins.replay((4, 4), solution.board.tiles, letters) == KORF_GOAL.tiles
        assert len(letters) == solution.length and solution.optimal


@pytest.mark.parametrize("options", [{}, {"reflection": False}, {"plain": True}])
@pytest.mark.parametrize("tables", ["tables_7_8", pytest.param("classic_7_8", marks=pytest.mark.slow)])
def test_all_lengths(options, tables, request):
    solver = Solver("7-8", goal=KORF_GOAL, tables=request.getfixturevalue(tables), **options)
    assert solver.open_tables.format == {"tables_7_8": "zero-aware", "classic_7_8": "classic"}[tables]
    batch = solver.solve_many(BOARDS)
    check(batch, LENGTHS)
    assert batch.lengths.sum() == 5305


def test_the_shorter_ones_without_stored_tables():
    short = [record for record in RECORDS if record.length <= 49]
    assert len(short) >= 12
    solver = Solver("embedded", goal=KORF_GOAL)
    check(solver.solve_many([record.board for record in short]), [record.length for record in short])


@pytest.mark.slow
def test_the_textbook_search_opens_the_published_nodes(tmp_path):
    """Patterns of one tile are Manhattan distance, and `plain` is the search of Korf's paper.

    The published count is that of the finished iterations, which does not depend on the order of
    the moves, of a part of the last, and 1 for the root. Here the moves are tried in the order of
    the canonical goal, so the last iteration differs.
    """
    partition = "/".join(map(str, range(1, 16)))
    puzzle15.build_tables(partition, home=0, tables=tmp_path)
    solver = Solver(partition, goal=KORF_GOAL, tables=tmp_path, plain=True, reflection=False)
    assert solver.lower_bound_many(BOARDS).tolist() == [record.manhattan for record in RECORDS]
    known = [record for record in RECORDS if record.nodes < 3_000_000]
    assert len(known) >= 6
    for record in known:
        solution = solver.solve(record.board)
        assert solution.length == record.length
        finished = sum(iteration.generated for iteration in solution.iterations[:-1])
        growth = solution.iterations[-2].generated / solution.iterations[-3].generated
        last = record.nodes - 1 - finished
        assert 0 < last < 1.5 * growth * solution.iterations[-2].generated
