"""Damaged tables: never a wrong proof, a crash or an endless search."""

import pickle
import shutil
import subprocess
import sys

import numpy as np
import pytest
from solving import check_path, counts, random_boards

import puzzle15
from puzzle15 import Board, Solver, tables
from puzzle15.errors import TableCorruptError
from puzzle15.tables import HEADER_BYTES


@pytest.mark.parametrize("format", ["zero-aware", "classic"])
@pytest.mark.parametrize(
    "shape, partition",
    [((2, 3), "1-3/4-5"), ((2, 3), "1-5"), ((3, 3), "1-3/4-6/7-8"), ((3, 3), "1-4/5-8"), ((2, 4), "1-4/5-7")],
)
@pytest.mark.sweep(1)
def test_damaged_payloads_neither_crash_nor_hang(shape, partition, format, tmp_path, rng):
    """What a wrong entry may do: lengthen the answer, or be noticed. Never a path that is none, and
    never one that is too short."""
    files = puzzle15.build_tables(partition, shape=shape, format=format, tables=tmp_path)
    whole = [table.path.read_bytes() for table in files]
    boards = random_boards(rng, 12, shape)
    right = Solver("embedded", shape=shape).distance_many(boards).tolist()
    outcomes = {"right": 0, "longer": 0, "noticed": 0, "limit": 0}
    for trial in range(60):
        for table, content in zip(files, whole):
            damaged = bytearray(content)
            flips = (1, 3, 30, len(damaged))[trial % 4]
            for place in rng.integers(HEADER_BYTES, len(damaged), flips).tolist():
                damaged[place] ^= 1 << int(rng.integers(8))
            table.path.write_bytes(damaged)
        try:
            solver = Solver(partition, shape=shape, format=format, tables=tmp_path, check="never")
        except TableCorruptError as error:
            assert "puzzle15 verify" in str(error)
            outcomes["noticed"] += len(boards)
            continue
        for board, length in zip(boards, right):
            try:
                solution = solver.solve(board, max_nodes=5_000_000, workers=1 + trial % 2)
            except TableCorruptError as error:
                assert "puzzle15 verify" in str(error) and str(tmp_path) in str(error)
                outcomes["noticed"] += 1
                continue
            if solution.status == "limit":
                outcomes["limit"] += 1
                continue
            check_path(solution)
            assert solution.length >= length and solution.length % 2 == length % 2
            outcomes["right" if solution.length == length else "longer"] += 1
    assert outcomes["right"] > 0 and outcomes["noticed"] > 0
    assert outcomes["limit"] <= 3, outcomes
    with pytest.raises(TableCorruptError, match="puzzle15 verify"):
        for trial in range(100):
            noise = rng.integers(0, 256, len(whole[0]) - HEADER_BYTES, dtype=np.uint8).tobytes()
            files[0].path.write_bytes(whole[0][:HEADER_BYTES] + noise)
            solver = Solver(partition, shape=shape, format=format, tables=tmp_path, check="never")
            solver.solve(boards[trial % 12], max_nodes=5_000_000)
            solver.lower_bound_many(boards)
    for table, content in zip(files, whole):
        table.path.write_bytes(content)
    assert Solver(partition, shape=shape, format=format, tables=tmp_path).distance_many(boards).tolist() == right


def test_a_damaged_goal_is_noticed_at_once(tmp_path):
    """A search that the goal itself misleads would not end."""
    for table in puzzle15.build_tables("1-3/4-5", shape=(2, 3), format="classic", tables=tmp_path):
        content = bytearray(table.path.read_bytes())
        content[HEADER_BYTES:] = b"\x11" * table.payload_bytes
        table.path.write_bytes(content)
    with pytest.raises(TableCorruptError, match="puzzle15 verify"):
        Solver("1-3/4-5", shape=(2, 3), tables=tmp_path, check="never")


def test_batches_on_damaged_tables(tmp_path, rng):
    files = puzzle15.build_tables("1-4/5-8", shape=(3, 3), tables=tmp_path)
    boards = random_boards(rng, 300, (3, 3))
    for workers in (1, 2):
        content = files[0].path.read_bytes()
        zeros = content[:HEADER_BYTES] + bytes(files[0].payload_bytes)
        files[0].path.write_bytes(zeros)
        solver = Solver("1-4/5-8", shape=(3, 3), tables=tmp_path, check="never")
        with pytest.raises(TableCorruptError, match=r"board [\d /]+: .*puzzle15 verify"):
            solver.solve_many(boards, workers=workers)
        with pytest.raises(TableCorruptError, match=r"board [\d /]+: .*puzzle15 verify"):
            solver.lower_bound_many(boards)
        files[0].path.write_bytes(content)
    assert tables.verify(tmp_path)[0].sound


def replaced(path, share, rng):
    """Damage a table: replace a share of its payload's bytes."""
    content = bytearray(path.read_bytes())
    count = len(content) - HEADER_BYTES
    places = HEADER_BYTES + rng.choice(count, max(1, int(share * count)), replace=False)
    for place, value in zip(places.tolist(), rng.integers(0, 256, len(places)).tolist()):
        content[place] = value
    path.write_bytes(content)


@pytest.mark.parametrize("format", ["zero-aware", "classic"])
def test_damaged_tables_prove_nothing_wrong(format, tmp_path):
    """Checked, a damaged table is never searched with; unchecked, no bound is above that of the farthest board.

    The first of the classic ones made a search run for 19 seconds, and report bounds of 49 to 53.
    """
    files = puzzle15.build_tables("1-4/5-8", shape=(3, 3), format=format, tables=tmp_path)
    whole = [table.path.read_bytes() for table in files]
    boards = [*random_boards(np.random.default_rng(3), 10, (3, 3)), Board("8 6 7/2 5 4/3 0 1")]
    lengths = Solver(shape=(3, 3)).distance_many(boards).tolist()
    found = wrong = 0
    for seed, share in [(266, 0.03), *((seed, 10 ** -(seed % 5)) for seed in range(25))]:
        rng = np.random.default_rng(seed)
        for table, content in zip(files, whole):
            table.path.write_bytes(content)
            replaced(table.path, share, rng)
        damaged = [table.path.read_bytes() for table in files] != whole
        for check in ("once", "always", "once"):
            if damaged:
                with pytest.raises(TableCorruptError, match="checksum"):
                    Solver("1-4/5-8", shape=(3, 3), format=format, tables=tmp_path, check=check)
                found += 1
        try:
            solver = Solver("1-4/5-8", shape=(3, 3), format=format, tables=tmp_path, check="never")
        except TableCorruptError:  # at the goal
            continue
        for board, length in zip(boards, lengths):
            try:
                solution = solver.solve(board, max_nodes=300_000)
            except TableCorruptError as error:
                assert "puzzle15 verify" in str(error)
            else:
                assert solution.lower_bound <= 31
                wrong += solution.optimal and solution.length != length
    assert found > 60 and wrong > 0


@pytest.mark.parametrize("metric, farthest, smaller", [("stm", 31, (4, 21, 30)), ("mtm", 24, (4, 19))])
def test_a_bound_above_that_of_the_farthest_board_is_corruption(metric, farthest, smaller):
    """Here sound tables, and a solver that knows of no board that far."""
    solver, far = Solver(shape=(3, 3), metric=metric), "8 6 7/2 5 4/3 0 1"
    assert solver.engine._farthest == farthest >= solver.distance(far)
    for least in smaller:
        solver.engine._farthest = least
        told = f"moves at least, but no board needs more than {least}; find the damaged file .*puzzle15 verify"
        for call in (
            lambda: solver.solve(far),
            lambda: solver.solve(far, workers=2),
            lambda: solver.solve(far, max_length=40),
            lambda: solver.solve_many([far]),
            lambda: solver.solve_many(["1 2 3/4 5 6/7 8 0", far], workers=2),
        ):
            with pytest.raises(TableCorruptError, match=told):
                call()
        assert solver.solve_many(["1 2 3/4 5 6/7 0 8"]).lengths.tolist() == [1]
    embedded = Solver("embedded", shape=(3, 4))
    board = Board.random(1, (3, 4))
    expected = embedded.solve(board)
    embedded.engine._farthest = expected.length
    assert counts(embedded.solve(board)) == counts(expected)
    embedded.engine._farthest = expected.length - 1
    with pytest.raises(TableCorruptError, match="no board needs more"):
        embedded.solve(board)


def test_a_solver_that_travels_checks_as_it_was_told(tmp_path):
    files = puzzle15.build_tables("1-4/5-8", shape=(3, 3), tables=tmp_path)
    solvers = {check: Solver("1-4/5-8", shape=(3, 3), tables=tmp_path, check=check) for check in tables.CHECKS}
    content = bytearray(files[0].path.read_bytes())
    content[-1] ^= 1
    files[0].path.write_bytes(content)
    for check, solver in solvers.items():
        arrived = pickle.loads(pickle.dumps(solver))
        if check == "never":
            assert arrived.tables.lookups == solver.tables.lookups
        else:
            with pytest.raises(TableCorruptError, match="checksum"):
                arrived.solve("1 2 3/4 5 6/7 8 0")
    with pytest.raises(ValueError, match="check 'sometimes': expected once, always, never"):
        Solver(check="sometimes")


def test_a_table_that_is_cut_off_while_it_is_mapped(small_tables, tmp_path):
    """A search would end the process when it reads what is no longer there."""
    folder = shutil.copytree(small_tables, tmp_path / "tables")
    program = (
        "import sys, time, os, numpy, puzzle15\n"
        "from puzzle15 import Board, Solver, heuristic\n"
        "solver = Solver('6-6-3', tables=sys.argv[1])\n"
        "h = heuristic('tables:6-6-3', tables=sys.argv[1])\n"
        "board = Board.random(1)\n"
        "boards = [Board.random(seed) for seed in range(10)]\n"
        "solver.lower_bound(board)\n"
        "for file in solver.tables.files: os.truncate(file.path, 5000)\n"
        "told = 0\n"
        "for call in (lambda: solver.solve(board, max_nodes=1000), lambda: solver.lower_bound(board),\n"
        "             lambda: h(board), lambda: solver.solve_many(boards), lambda: solver.lower_bound_many(boards),\n"
        "             lambda: h.many(boards)):\n"
        "    time.sleep(0.02)\n"
        "    try: call()\n"
        "    except puzzle15.errors.TableCorruptError as error: told += 'cut off' in str(error)\n"
        "print(told)\n"
    )
    run = subprocess.run([sys.executable, "-c", program, str(folder)], capture_output=True, text=True, cwd=tmp_path)
    assert (run.returncode, run.stdout) == (0, "6\n"), run.stderr
