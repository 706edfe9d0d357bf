"""Many boards are answered as each alone, with every kind of workers and with the same limits; batches as columns."""

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest
from solving import nearest, walk

from puzzle15 import Solver
from puzzle15.board import Board
from puzzle15.errors import BoardError, TableCorruptError, UnsolvableError
from puzzle15.solver import _analysis as analysis
from puzzle15.solver import _hints as hints

SOLVER = Solver("embedded", shape=(3, 4))
EIGHT = Solver(shape=(3, 3))
BAD, UNSOLVABLE = "no board", "2 1 3 4/5 6 7 8/9 10 11 0"
KINDS = [None, 1, 2, "threads", "processes"]


@pytest.fixture(scope="module")
def workers_of():
    """The workers of a kind."""
    with ThreadPoolExecutor(2) as threads, ProcessPoolExecutor(2) as processes:
        pools = {"threads": threads, "processes": processes}
        yield lambda kind: pools.get(kind, kind) if isinstance(kind, str) else kind


@pytest.fixture(scope="module")
def boards():
    rng = np.random.default_rng(1)
    return [Board.random(rng, shape=(3, 4)) for _ in range(12)]


@pytest.fixture(scope="module")
def walks(boards):
    """Six moves from each board; two begin at the same one."""
    rng = np.random.default_rng(2)
    return [(board, walk(rng, board, 6)[0]) for board in [*boards, boards[0]]]


#: Answers about a board and moves from it, and about many of them.
ANSWERS = {
    "hint": (
        lambda board, moves, **options: SOLVER.hint(board, **options),
        lambda walks, **options: list(SOLVER.hint_many([board for board, _ in walks], **options)),
    ),
    "analyse": (
        SOLVER.analyse,
        lambda walks, **options: list(SOLVER.analyse_many(*zip(*walks), **options)),
    ),
}


@pytest.mark.parametrize("kind", KINDS, ids=str)
@pytest.mark.parametrize("what", ANSWERS)
def test_many_are_answered_as_each_alone(what, kind, walks, workers_of, monkeypatch):
    monkeypatch.setattr(analysis, "_FEW_BOARDS", 20)
    (one, many), workers = ANSWERS[what], workers_of(kind)
    free, together = [one(*each) for each in walks], many(walks, workers=workers)
    if what == "hint":
        assert together == free and many([], workers=workers) == []
    else:  # a finish may be another shortest solution
        assert [found.distances for found in together] == [found.distances for found in free]
    assert together == many(walks) == many(walks, time_limit_s=60, workers=workers)
    # numbers of nodes around those that are needed, a solution but not all moves, and none at all
    rng, nodes = np.random.default_rng(3), [SOLVER.hint(board).generated for board, _ in walks]
    limits = [0, SOLVER.solve(walks[1][0]).generated + 1, *(int(each * rng.uniform(0.3, 2.4)) for each in nodes[2:])]
    expected = [one(*each, max_nodes=limit) for each, limit in zip(walks, limits)]
    assert {found.status for found in expected} == {"solved", "limit"}
    assert many(walks, max_nodes=limits, workers=workers) == expected
    for limit, least in ((0, [one(*each, max_nodes=0) for each in walks]), (10**30, free)):
        assert many(walks, max_nodes=limit, workers=workers) == least


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_answers_when_the_time_is_over(kind, walks, workers_of):
    options = {"time_limit_s": 0, "workers": workers_of(kind)}
    hints = ANSWERS["hint"][1](walks, **options)
    assert {(hint.status, hint.distance, hint.best_moves) for hint in hints} == {("limit", None, "")}
    assert [hint.lower_bound for hint in hints] == nearest(SOLVER, [board for board, _ in walks])
    for limits in ({}, {"max_nodes": 10**9}):
        found = ANSWERS["analyse"][1](walks, **options, **limits)
        assert {(each.status, each.distances) for each in found} == {("limit", ())}
        assert [each.moves for each in found] == [moves for _, moves in walks]


def test_walks_from_one_board_stay_together(monkeypatch):
    rng = np.random.default_rng(1)
    monkeypatch.setattr(analysis, "_FEW_BOARDS", 10)
    monkeypatch.setattr(analysis, "_BOARDS", 100)
    starts, counts = rng.integers(0, 20, 200).astype(np.uint64), rng.integers(1, 9, 200)
    rows = np.flatnonzero(rng.random(200) < 0.8)
    parts = list(analysis.chunks(rows, starts, counts))
    assert sorted(np.concatenate(parts).tolist()) == rows.tolist()
    boards = [set(starts[part].tolist()) for part in parts]
    assert sum(map(len, boards)) == len(set().union(*boards)) > 10
    assert all(counts[part].sum() >= 10 for part in parts[:-1])
    monkeypatch.setattr(analysis, "_BOARDS", 12)
    assert max(counts[part].sum() for part in analysis.chunks(rows, starts * 0, counts)) < 12 + 9
    assert list(analysis.chunks(rows[:0], starts, counts)) == []


# ---------------------------------------------------------------- what all take


#: Calls for many boards, and their lengths or distances.
CALLS = {
    "solve_many": lambda solver, boards, **options: [each.length for each in solver.solve_many(boards, **options)],
    "distance_many": lambda solver, boards, **options: solver.distance_many(boards, **options).tolist(),
    "hint_many": lambda solver, boards, **options: [each.distance for each in solver.hint_many(boards, **options)],
    "analyse_many": lambda solver, boards, **options: [
        each.shortest for each in solver.analyse_many(boards, [""] * len(boards), **options)
    ],
}


@pytest.mark.parametrize("kind", [1, 2, "threads"], ids=str)
@pytest.mark.parametrize("name", CALLS)
def test_bad_boards_and_progress(name, kind, boards, workers_of):
    answer, workers = CALLS[name], workers_of(kind)
    mixed, calls = [BAD, *boards, UNSOLVABLE], []
    answers = answer(SOLVER, mixed, workers=workers, on_error="mark", progress=lambda *call: calls.append(call))
    assert answers[1:-1] == answer(SOLVER, boards)
    assert answers[0] == answers[-1] and answers[0] in (None, -1, "")
    assert calls == sorted(calls) and calls[-1] == (14, 14)
    with pytest.raises(BoardError, match="^board 0: 'no board'"):
        answer(SOLVER, mixed, workers=workers)
    with pytest.raises(UnsolvableError, match="^board 12: "):
        answer(SOLVER, mixed[1:], workers=workers)


def test_threads_fail_as_a_call_alone_does(monkeypatch, boards):
    def fail(*arguments, **named):
        raise TableCorruptError("an example")

    monkeypatch.setattr(hints, "hint_of", fail)
    for workers in (None, 1, 2):
        with pytest.raises(TableCorruptError, match="^an example$"):
            SOLVER.hint_many(boards, max_nodes=1000, workers=workers)


# ---------------------------------------------------------------- as columns


MIXED = ["8 6 7/2 5 4/3 0 1", "1 2 3/4 5 6/8 7 0", "nonsense", "1 2 3/0 5 6/4 7 8", "1 2 3/4 5 6/7 8 0"]


@pytest.fixture(scope="module")
def batch():
    """Boards that are solved, unsolvable, unreadable, and beyond the limit."""
    return EIGHT.solve_many(MIXED, on_error="mark", max_length=30)


@pytest.mark.parametrize("convention", ["tile", "blank"])
def test_columns_are_the_records(batch, convention):
    assert batch.status.tolist() == ["limit", "error", "error", "solved", "solved"]
    for each in (
        batch,
        batch[2:4],
        EIGHT.hint_many(MIXED, on_error="mark"),
        EIGHT.analyse_many(MIXED[3:], ["", ""]),
    ):
        columns = each.to_dict(convention=convention)
        records = [answer.to_dict(convention=convention) for answer in each]
        assert each.to_dicts(convention=convention) == records
        assert columns == {name: [record[name] for record in records] for name in records[0]}
        assert each[:0].to_dict() == {name: [] for name in columns}
    assert batch.lengths.tolist() == [-1, -1, -1, 3, 0] and batch.lower_bounds.tolist() == [31, 0, 0, 3, 0]
    assert EIGHT.hint_many(MIXED, on_error="mark").to_dict()["lower_bound"] == [31, 0, 0, 3, 0]


def test_batches_are_equal_if_their_answers_are():
    hints = EIGHT.hint_many(MIXED[3:])
    assert hints == EIGHT.hint_many(MIXED[3:]) != EIGHT.hint_many(MIXED[4:])
    assert hints != EIGHT.analyse_many(MIXED[3:], ["", ""]) and hints != list(hints)


def test_lower_bounds_of_bad_boards_are_0():
    bounds = EIGHT.lower_bound_many(MIXED, on_error="mark")
    assert bounds.dtype == np.uint8 and bounds[1:].tolist() == [0, 0, 3, 0]
    assert bounds[0] == EIGHT.lower_bound(MIXED[0]) > 0


@pytest.mark.extra
def test_pandas_takes_them(batch):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(batch.to_dict())
    assert len(frame) == 5 and frame["length"].dropna().tolist() == [3, 0]
