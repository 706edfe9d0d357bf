"""Labels against breadth-first search, against boards moved one by one, and against plain solving."""

import numpy as np
import pytest
import twins
from solving import walk

from puzzle15 import Board, Solver
from puzzle15.board import KORF_GOAL, korf100, pack_boards, parse_moves
from puzzle15.board._moves import directions_from_moves
from puzzle15.errors import BoardError, UnsolvableError
from puzzle15.solver import _engine as engine
from puzzle15.solver import label, moves


def first_moves_of(solver, boards):
    """As in a column, from hints."""
    hints = solver.hint_many(boards)
    return [sum(1 << direction for direction in directions_from_moves(hint.best_moves)) for hint in hints]


def check_solutions(solver, columns):
    """Each is as long as the distance, packed as said, and leads to the goal."""
    for tiles, distance, solution in zip(columns["board"].tolist(), columns["distance"], columns["solution"]):
        letters = parse_moves(moves(solution, distance))
        assert len(letters) == distance
        assert twins.replay(solver.shape, tuple(tiles), letters) == solver.goal.tiles
        packed = sum(direction << 2 * i for i, direction in enumerate(directions_from_moves(letters)))
        assert solution.tobytes() == packed.to_bytes(40, "little")


def same(one, other):
    assert list(one) == list(other)
    for name in one:
        assert one[name].dtype == other[name].dtype and one[name].tobytes() == other[name].tobytes()


def walked(rng, goal, count, length):
    return [walk(rng, goal, int(rng.integers(length)))[1] for _ in range(count)]


def check_columns(solver, depth, rng):
    """Labels of boards near the goal against breadth-first search."""
    levels = list(twins.levels_of_arrays(solver.shape, solver.goal.tiles, depth))
    boards, distances = np.concatenate(levels), np.repeat(np.arange(len(levels)), [len(level) for level in levels])
    some = [0, 1, *rng.permutation(len(boards))[:200]]
    given = boards[some].astype(np.uint8)
    columns = label(solver, pack_boards(given, solver.shape)[0], first_moves=True, table_values=True, workers=2)
    assert (columns["board"] == given).all()
    assert (columns["distance"] == distances[some]).all()
    assert columns["first_moves"].tolist() == first_moves_of(solver, columns["board"])
    values = columns["table_values"]
    assert values.shape == (len(given), solver.open_tables.lookups) and values.dtype == np.uint8
    assert (values.max(axis=1) == solver.lower_bound_many(pack_boards(given, solver.shape)[0])).all()
    check_solutions(solver, columns)


@pytest.mark.parametrize(
    "goal", ["1 2 3/8 0 4/7 6 5", "4 0 2/3 5 1", "1 2/3 0", "1 4/2 0/3 5", "1 2 3/4 5 6/7 8 0", "5 1 2/0 3 4/8 6 7"]
)
@pytest.mark.sweep(3)
def test_boards_with_a_complete_table(goal, rng):
    check_columns(Solver(goal=goal), 31, rng)


def test_boards_with_small_tables(small_tables, classic_small_tables, rng):
    for depth, solver in (
        (12, Solver("5-5-5", tables=small_tables)),
        (9, Solver("5-5-5", tables=small_tables, plain=True)),
        (10, Solver("6-6-3", tables=classic_small_tables, goal=KORF_GOAL)),
        (9, Solver(goal="9 2 3 4/5 0 7 8/1 10 11 12/13 14 6 15")),
        (12, Solver(goal=Board.goal((2, 8), home=5), reflection=False)),
    ):
        check_columns(solver, depth, rng)


def test_labels_agree_with_solving(tables_7_8):
    solver = Solver("7-8", tables=tables_7_8, goal=KORF_GOAL)
    boards = [record.board for record in korf100() if record.length <= 52]
    columns, batch = label(solver, boards, first_moves=True), solver.solve_many(boards)
    assert columns["board"].tolist() == [list(board.tiles) for board in boards]
    assert (columns["distance"] == batch.lengths).all()
    assert [moves(row, d) for row, d in zip(columns["solution"], columns["distance"])] == [s.moves for s in batch]
    assert columns["first_moves"].tolist() == first_moves_of(solver, boards)
    assert sum(mask & (mask - 1) != 0 for mask in columns["first_moves"].tolist()) > 3


@pytest.mark.parametrize("goal", [None, "5 1 2 3/0 6 7 4/9 10 11 8/13 14 15 12", "2 1 5 0/7 4 3 6"])
def test_along_the_path(goal, rng):
    solver = Solver(goal=goal)
    boards = [*walked(rng, solver.goal, 12, 60), solver.goal, *walked(rng, solver.goal, 3, 60)]
    alone = label(solver, boards, first_moves=True, table_values=True)
    columns = label(solver, boards, first_moves=True, table_values=True, along_path=True)
    types = {name: np.uint32 if name == "start" else np.uint8 for name in [*alone, "start"]}
    assert {name: column.dtype for name, column in columns.items()} == types
    row = 0
    for start, board in enumerate(boards):
        distance = int(alone["distance"][start])
        letters = parse_moves(moves(alone["solution"][start], distance))
        for name in alone:
            assert (columns[name][row] == alone[name][start]).all()
        for gone in range(max(distance, 1)):
            assert columns["start"][row] == start
            assert columns["distance"][row] == distance - gone
            assert tuple(columns["board"][row]) == board.tiles
            assert parse_moves(moves(columns["solution"][row], distance - gone)) == letters[gone:]
            if distance:
                board = board.move(letters[gone])
            row += 1
        assert board == solver.goal
    assert all(len(column) == row for column in columns.values())
    check_solutions(solver, columns)
    again = label(solver, columns["board"].reshape(-1, *solver.shape), first_moves=True, table_values=True)
    for name in ("board", "distance", "first_moves", "table_values"):
        assert (again[name] == columns[name]).all()


def test_threads_and_portions_change_nothing(rng, monkeypatch):
    solver = Solver("embedded")
    boards = walked(rng, solver.goal, 40, 80)
    options = {"first_moves": True, "table_values": True, "along_path": True}
    expected = label(solver, boards, **options)
    assert len(expected["board"]) > 500
    same(label(solver, boards, **options, workers=2), expected)
    monkeypatch.setattr(engine, "_ROWS", 7)
    same(label(solver, boards, **options, workers=3), expected)
    same(label(solver, boards, **options), expected)


def test_the_goal_itself_and_no_boards():
    options = {"first_moves": True, "table_values": True}
    for goal in (Board.goal((3, 3)), Board("1 0/3 2")):
        for along_path in (False, True):
            columns = label(Solver(goal=goal), [goal], along_path=along_path, **options)
            assert columns["board"].tolist() == [list(goal.tiles)] and columns["distance"].tolist() == [0]
            assert not any(columns[name].any() for name in ("solution", "first_moves", "table_values"))
    shapes = {"board": (0, 6), "distance": (0,), "solution": (0, 40), "start": (0,), "first_moves": (0,)}
    for given in ([], np.empty(0, np.uint64), np.empty((0, 6), np.uint8)):
        columns = label(Solver(shape=(2, 3)), given, along_path=True, **options)
        assert {name: column.shape for name, column in columns.items()} == {**shapes, "table_values": (0, 1)}


def test_what_is_given_stays_as_it_is():
    solver = Solver(goal="1 2/0 3")
    packed = np.array([solver.goal.move("L").packed, solver.goal.packed], dtype=np.uint64)
    kept = packed.copy()
    label(solver, packed, first_moves=True, along_path=True)
    assert (packed == kept).all()


def test_bad_boards_are_named():
    solver = Solver(shape=(3, 3))
    good, unsolvable = "1 2 3/4 5 6/7 8 0", "1 2 3/4 5 6/8 7 0"
    with pytest.raises(UnsolvableError, match="board 1: .*cannot reach"):
        label(solver, [good, unsolvable, unsolvable])
    with pytest.raises(BoardError, match="board 1: "):
        label(solver, np.array([[1, 2, 3, 4, 5, 6, 7, 8, 0], [1, 2, 3, 4, 5, 6, 7, 8, 8]]), first_moves=True)
    with pytest.raises(ValueError, match="from 1 to 1024"):
        label(solver, [good], workers=0)


def test_solutions_that_are_none():
    for wrong, distance in ((np.zeros(0, np.uint8), 1), (np.zeros(40, np.uint8), 161)):
        with pytest.raises(ValueError, match="a path of"):
            moves(wrong, distance)
