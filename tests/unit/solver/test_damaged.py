"""Damaged tables: never a wrong proof, a crash or an endless search."""

import pickle
import re
import shutil
from functools import partial

import pytest
from damaging import flip
from solving import check_path, far_boards, random_boards, walk

import puzzle15
from puzzle15 import Solver
from puzzle15.board import farthest
from puzzle15.errors import TableCorruptError
from puzzle15.tables._file import HEADER_BYTES
from puzzle15.tables._folder import CHECKS


def write(files, payloads):
    for file, payload in zip(files, payloads):
        file.path.write_bytes(file.path.read_bytes()[:HEADER_BYTES] + bytes(payload))


def damaged(payload, share, rng):
    """A payload in which a share of the bytes differ."""
    payload = bytearray(payload)
    cells = rng.choice(len(payload), max(1, int(share * len(payload))), replace=False)
    for cell, bits in zip(cells.tolist(), rng.integers(1, 256, len(cells)).tolist()):
        payload[cell] ^= bits
    return payload


KINDS = [
    ((3, 3), "1-4/5-8", {"format": "classic"}),
    ((3, 3), "1-4/5-8", {"format": "zero-aware"}),
    ((3, 3), "1-4/5-8", {"metric": "mtm"}),
    ((2, 3), "1-3/4-5", {"format": "classic"}),
    ((2, 3), "1-5", {"format": "zero-aware"}),
    ((3, 3), "1-3/4-6/7-8", {"format": "classic"}),
    ((2, 4), "1-4/5-7", {"format": "zero-aware"}),
]


@pytest.mark.parametrize("shape, partition, options", KINDS, ids=str)
def test_damaged_tables_prove_nothing_wrong(shape, partition, options, tmp_path, rng):
    """Checked, they are never searched with. Unchecked, an answer may be too long, or the damage is noticed; no path is
    illegal or too short, no bound is above that of the farthest board, and no search crashes or goes on for ever."""
    options = {"shape": shape, "tables": tmp_path, **options}
    files = puzzle15.build_tables(partition, **options)
    whole = [file.path.read_bytes()[HEADER_BYTES:] for file in files]
    sound = Solver(partition, **options)
    boards = far_boards(sound, rng, 12)
    right, walks = sound.distance_many(boards).tolist(), [walk(rng, board, 12)[0] for board in boards]
    most = farthest(shape, sound.goal.blank, metric=sound.metric)
    outcomes = dict.fromkeys(("right", "longer", "noticed", "limit"), 0)
    for trial in range(12):
        write(files, [damaged(payload, 10.0 ** -(trial % 5), rng) for payload in whole])
        for check in ("once", "always"):
            with pytest.raises(TableCorruptError, match="checksum"):
                Solver(partition, check=check, **options)
        try:
            solver = Solver(partition, check="never", **options)
        except TableCorruptError as error:  # at the goal
            assert "puzzle15 verify" in str(error)
            outcomes["noticed"] += 1
            continue
        for board, length in zip(boards, right):
            try:
                solution = solver.solve(board, max_nodes=300_000, workers=1 + trial % 2)
            except TableCorruptError as error:
                assert "puzzle15 verify" in str(error) and str(tmp_path) in str(error)
                outcomes["noticed"] += 1
                continue
            assert solution.lower_bound <= most
            if solution.status == "solved":
                check_path(solution)
                assert solution.length >= length
            outcomes[{"limit": "limit"}.get(solution.status, "right" if solution.length == length else "longer")] += 1
        for call in (
            partial(solver.solve_many, boards, max_nodes=100_000, workers=2),
            partial(solver.lower_bound_many, boards),
            partial(solver.hint_many, boards, max_nodes=50_000),
            partial(solver.analyse_many, boards, walks, max_nodes=50_000),
            lambda: solver.all_solutions(boards[0], max_nodes=50_000).count(),
        ):
            try:
                call()
            except TableCorruptError as error:
                assert re.search("puzzle15 (verify|build)", str(error))
    assert outcomes["right"] + outcomes["longer"] > 0 and outcomes["noticed"] > 12, outcomes
    write(files, whole)
    assert Solver(partition, **options).distance_many(boards).tolist() == right


def test_damage_is_noticed_at_once_or_names_the_board(tmp_path, rng):
    """A search that the goal itself misleads would not end."""
    files = puzzle15.build_tables("1-3/4-5", shape=(2, 3), format="classic", tables=tmp_path)
    write(files, [b"\x11" * file.payload_bytes for file in files])
    with pytest.raises(TableCorruptError, match="puzzle15 verify"):
        Solver("1-3/4-5", shape=(2, 3), tables=tmp_path, check="never")
    files = puzzle15.build_tables("1-4/5-8", shape=(3, 3), tables=tmp_path)
    boards = random_boards(rng, 300, (3, 3))
    write(files[:1], [bytes(files[0].payload_bytes)])
    solver = Solver("1-4/5-8", shape=(3, 3), tables=tmp_path, check="never")
    for call in (solver.solve_many, partial(solver.solve_many, workers=2), solver.lower_bound_many):
        with pytest.raises(TableCorruptError, match=r"board [\d /]+: .*puzzle15 verify"):
            call(boards)


@pytest.mark.parametrize("metric, farthest, smaller", [("stm", 31, (4, 21, 30)), ("mtm", 24, (4, 19))])
def test_a_bound_above_that_of_the_farthest_board_is_corruption(metric, farthest, smaller):
    """Here sound tables, and a solver that knows of no board that far."""
    solver, far = Solver(shape=(3, 3), metric=metric), "8 6 7/2 5 4/3 0 1"
    assert solver.engine._farthest == farthest >= solver.distance(far)
    for least in smaller:
        solver.engine._farthest = least
        message = f"moves at least, but no board needs more than {least}; find the damaged file .*puzzle15 verify"
        for call, *options in (
            (solver.solve, far),
            (partial(solver.solve, workers=2), far),
            (partial(solver.solve, max_length=40), far),
            (solver.solve_many, [far]),
            (partial(solver.solve_many, workers=2), ["1 2 3/4 5 6/7 8 0", far]),
        ):
            with pytest.raises(TableCorruptError, match=message):
                call(*options)
        assert solver.solve_many(["1 2 3/4 5 6/7 0 8"]).lengths.tolist() == [1]


def test_a_solver_in_another_process_checks_likewise(tmp_path):
    files = puzzle15.build_tables("1-4/5-8", shape=(3, 3), tables=tmp_path)
    solvers = {check: Solver("1-4/5-8", shape=(3, 3), tables=tmp_path, check=check) for check in CHECKS}
    flip(files[0].path)
    for check, solver in solvers.items():
        arrived = pickle.loads(pickle.dumps(solver))
        if check == "never":
            assert arrived.open_tables.lookups == solver.open_tables.lookups
        else:
            with pytest.raises(TableCorruptError, match="checksum"):
                arrived.solve("1 2 3/4 5 6/7 8 0")
    with pytest.raises(ValueError, match="check 'sometimes': expected one of once, always, never"):
        Solver(check="sometimes")


def test_a_table_that_is_cut_off_while_it_is_mapped(small_tables, python, tmp_path):
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
        "for file in solver.open_tables.files: os.truncate(file.path, 5000)\n"
        "found = 0\n"
        "for call in (lambda: solver.solve(board, max_nodes=1000), lambda: solver.lower_bound(board),\n"
        "             lambda: h(board), lambda: solver.solve_many(boards), lambda: solver.lower_bound_many(boards),\n"
        "             lambda: h.many(boards)):\n"
        "    time.sleep(0.02)\n"
        "    try: call()\n"
        "    except puzzle15.errors.TableCorruptError as error: found += 'cut off' in str(error)\n"
        "print(found)\n"
    )
    run = python("-c", program, folder)
    assert (run.returncode, run.stdout) == (0, "6\n"), run.stderr
