"""How long do hints, all shortest solutions, and analyses of solutions take?"""

from itertools import islice

import numpy as np
import pytest

from puzzle15 import Board, Solver


@pytest.fixture(scope="module")
def solver(tables):
    return Solver(tables=tables)


@pytest.fixture(scope="module")
def boards(random_boards):
    return [Board(int(board)) for board in random_boards]


@pytest.fixture
def told(benchmark, noted):
    """Record the mean time of one of `count` answers."""
    return lambda what, count, **facts: noted(**facts, **{f"ms_per_{what}": 1000 * benchmark.stats["min"] / count})


@pytest.mark.parametrize("workers", [1, 2])
def test_hints(benchmark, told, solver, random_boards, workers):
    hints = benchmark.pedantic(solver.hint_many, [random_boards], {"workers": workers}, rounds=5, warmup_rounds=1)
    assert sum(hint.distance for hint in hints) == 52_445 and sum(len(hint.best_moves) for hint in hints) == 1505
    told("hint", len(hints))


def test_hints_one_by_one(benchmark, told, solver, boards):
    moves = benchmark.pedantic(lambda: [solver.hint(board).best_moves for board in boards], rounds=3, warmup_rounds=1)
    assert sum(map(len, moves)) == 1505
    told("hint", len(boards))


def test_counts_of_all_solutions(benchmark, told, solver, boards):
    counts = benchmark.pedantic(
        lambda: [solver.all_solutions(board).count() for board in boards], rounds=2, warmup_rounds=1
    )
    told("board", len(boards), mean=float(np.mean(counts)), median=float(np.median(counts)), most=max(counts))


def test_the_first_thousand_solutions(benchmark, told, solver, boards):
    lists = benchmark.pedantic(
        lambda: [sum(1 for _ in islice(solver.all_solutions(board), 1000)) for board in boards],
        rounds=2,
        warmup_rounds=1,
    )
    told("board", len(boards), listed=sum(lists))


@pytest.mark.parametrize("start", ["the goal", "random boards"])
def test_analyses_of_random_walks(benchmark, told, solver, boards, start):
    """Walks of 80 moves, each drawn from those that are legal; from random boards a tenth as many."""
    rng = np.random.default_rng(1)
    starts = [Board.goal()] * 1000 if start == "the goal" else boards[:100]
    walks = []
    for board in starts:
        moves = ""
        for draw in rng.random(80):
            legal = board.legal_moves()
            moves += legal[int(draw * len(legal))]
            board = board.move(moves[-1])
        walks.append(moves)
    found = benchmark.pedantic(solver.analyse_many, [starts, walks], rounds=2, warmup_rounds=1)
    for analysis in found:
        lost = [before < after for before, after in zip(analysis.distances, analysis.distances[1:])]
        assert analysis.lost == 2 * sum(lost)
    told("walk", len(walks), lost=float(np.mean([analysis.lost for analysis in found])))
