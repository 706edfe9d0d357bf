"""When open tables are read into memory, and that this changes no answer."""

import gc
import shutil
import threading
import time

import numpy as np
import pytest
from damaging import flip
from solving import counts, walk

import puzzle15
from puzzle15 import Board, Solver
from puzzle15._core.search.evaluator import Evaluator
from puzzle15._core.search.searches import beam, best_first, deepening
from puzzle15.errors import TableCorruptError
from puzzle15.solver import _engine as engine
from puzzle15.solver import _opened as opened


def test_tables_are_read_only_where_that_pays(tmp_path, monkeypatch):
    puzzle15.build_tables("1-4/5-8", shape=(3, 3), tables=tmp_path)
    tables = Solver("1-4/5-8", shape=(3, 3), tables=tmp_path).open_tables
    room = 4 * tables.bytes

    def is_read(available, *running):
        monkeypatch.setattr(opened, "available_memory", available)
        tables.load(*running)
        return not tables._mapped

    def not_asked():
        pytest.fail("there was nothing to ask")

    seen = []

    def while_searching(*_):
        if not seen:
            tries = (not_asked,), (not_asked, 0), (lambda: room - 1, 1), (lambda: room, 1), (not_asked, 1)
            seen.extend(is_read(*each) for each in tries)

    assert not is_read(lambda: room - 1)
    tables.problem.solve(Board("8 6 7/2 5 4/3 0 1").packed, on_iteration=while_searching)
    assert seen == [False, False, False, True, True]
    assert is_read(not_asked)


@pytest.fixture
def much_memory(monkeypatch):
    """Tables are read into memory only where much of it is free."""
    monkeypatch.setattr("puzzle15.solver._opened.available_memory", lambda: 1 << 40)


def walked_boards(rng, count, moves=45):
    """Boards some random moves from the goal, so that small tables are enough."""
    return [walk(rng, Board.goal(), moves)[1] for _ in range(count)]


def test_tables_are_read_when_there_is_much_to_do(much_memory, small_tables, rng, monkeypatch):
    """Same answers and counts from mapped files and from memory: in a batch, in a search, and after several calls."""
    boards = walked_boards(rng, 9)
    mapped = Solver("6-6-3", tables=small_tables)
    expected = [counts(mapped.solve(board)) for board in boards]
    assert mapped.open_tables._mapped and not mapped.open_tables.embedded

    with monkeypatch.context() as patch:
        patch.setattr(engine, "_MANY_BOARDS", 9)
        reading = Solver("6-6-3", tables=small_tables)
        assert [counts(solution) for solution in reading.solve_many(boards)] == expected
        assert not reading.open_tables._mapped

    with monkeypatch.context() as patch:
        patch.setattr(engine, "_MANY_NODES", 0)
        reading = Solver("6-6-3", tables=small_tables)
        assert [counts(reading.solve(board, workers=1 + index % 2)) for index, board in enumerate(boards)] == expected
        assert not reading.open_tables._mapped

    monkeypatch.setattr(engine, "_SOME_BOARDS", 3)
    monkeypatch.setattr(engine, "_MANY_NODES_OF_CALLS", sum(count[-1] for count in expected[3:]))
    found = []
    for begin, end in ((0, 1), (1, 3), (3, 6), (6, 9)):  # the first two are too few boards to be counted
        found += mapped.solve_many(boards[begin:end])
    assert [counts(solution) for solution in found] == expected and mapped.open_tables._mapped
    assert [counts(mapped.solve(board)) for board in boards] == expected and mapped.open_tables._mapped
    assert [counts(solution) for solution in mapped.solve_many(boards)] == expected and not mapped.open_tables._mapped


def test_tables_stay_mapped_while_others_search(small_tables, rng):
    mapped = Solver("6-6-3", tables=small_tables)
    moved = {table: file.load() for table, file in mapped.open_tables._mapped.items()}
    problem, seen = mapped.open_tables.problem, []
    problem.solve(
        mapped.engine.orientation.turn_one(walked_boards(rng, 1)[0]),
        on_iteration=lambda *_: seen.append(problem.move_tables(moved)),
    )
    assert seen and not any(seen)
    assert problem.move_tables(moved)


@pytest.mark.slow
def test_tables_stay_mapped_while_textbook_searches_look_at_them(small_tables):
    mapped = Solver(tables=small_tables)
    moved = {table: file.load() for table, file in mapped.open_tables._mapped.items()}
    problem, evaluator, order = mapped.open_tables.problem, Evaluator((4, 4), Board.goal().packed), bytes(range(4))
    evaluator.add_lookups(problem)
    hard = mapped.engine.orientation.turn_one(Board.random(3))
    many = np.full(300_000, hard, dtype=np.uint64)
    values, status = np.empty((300_000, 1), dtype=np.uint8), np.empty(300_000, dtype=np.uint8)
    seen = []
    deepening(evaluator, hard, order, on_iteration=lambda *_: seen.append(problem.move_tables(moved)))
    assert seen and not any(seen)
    for work in (
        lambda: evaluator.boards(many, values, status),
        lambda: best_first(evaluator, hard, order, g_weight=1, h_weight=1, ties=0, max_nodes=300_000, max_bytes=10**9),
        lambda: beam(evaluator, hard, order, width=100_000, max_nodes=300_000, max_bytes=10**9),
    ):
        thread = threading.Thread(target=work)
        thread.start()
        while thread.is_alive() and not problem.running:
            time.sleep(0.001)
        assert not problem.move_tables(moved)
        thread.join()
    assert problem.move_tables(moved)


def test_tables_that_cannot_move_are_kept(small_tables):
    """After an error every lookup reads memory that is still held."""
    mapped = Solver("5-5-5", tables=small_tables)
    problem, board = mapped.open_tables.problem, Board.random(5)
    expected = mapped.lower_bound(board)
    moved = {table: file.load() for table, file in mapped.open_tables._mapped.items()}
    first, second = list(mapped.open_tables._mapped)[:2]
    for wrong in ({first: moved[first], second: moved[first]}, {first: second}):
        with pytest.raises(ValueError):
            problem.move_tables(wrong)
    assert any(moved[first] in held for held in gc.get_referents(problem) if isinstance(held, list))
    assert mapped.lower_bound(board) == expected


@pytest.mark.parametrize("work", ["one hard board", "many boards"])
def test_tables_are_checked_when_they_are_read(work, much_memory, small_tables, rng, tmp_path, monkeypatch):
    folder = shutil.copytree(small_tables, tmp_path / "tables")
    solver = Solver("6-6-3", tables=folder, check="never")
    path = solver.open_tables.files[0].path
    flip(path)
    monkeypatch.setattr(engine, "_MANY_BOARDS", 10)
    monkeypatch.setattr(engine, "_MANY_NODES", 0)
    with pytest.raises(TableCorruptError, match=f"{path.name}.*checksum"):
        solver.solve_many(walked_boards(rng, 20)) if work == "many boards" else solver.solve(walked_boards(rng, 1)[0])


def test_tables_whose_files_are_gone_stay_mapped(much_memory, small_tables, rng, tmp_path):
    folder = shutil.copytree(small_tables, tmp_path / "tables")
    mapped = Solver("6-6-3", tables=folder)
    board = walked_boards(rng, 1)[0]
    expected = counts(mapped.solve(board))
    shutil.rmtree(folder)
    mapped.open_tables.load()
    assert not mapped.open_tables._mapped and counts(mapped.solve(board)) == expected
