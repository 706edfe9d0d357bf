"""Checking labelled boards: whatever is wrong with one row alone is told, with its number, and nothing else is."""

import json
from functools import partial

import labels
import numpy as np
import pytest
import twins

from puzzle15 import Board, Solver
from puzzle15.board import blank_cells, legal_directions, pack_boards
from puzzle15.dataset import _checking as checking
from puzzle15.dataset import _rows as rows
from puzzle15.dataset import at_distances, check, load
from puzzle15.solver import label

FIRST_MOVES = {"first_moves": True}
VALUES = {"table_values": True, "solver": Solver(shape=(2, 5)), "distribution": "walk:9"}  # of several views

NO_FIRST_MOVES = "illegal first moves, or none for the solution's"
NO_VALUES = "table values above the distance, or of the wrong parity"
NOT_NUMBERED = "the drawn boards are not numbered in order"
NOT_FOLLOWING = "the rows of a drawn board do not follow its solution"


@pytest.fixture(autouse=True)
def some_at_once(monkeypatch):
    """The rows are replayed in several pieces."""
    monkeypatch.setattr(checking, "_ROWS", 64)


def made(folder, **options):
    return labels.made(folder, 300, **{"distribution": "distance:0-25", **options})


def falsify(folder, change):
    """Rewrite the only shard, and the manifest so that it fits; what `change` returns."""
    dataset = load(folder)
    [columns] = dataset.shards()
    told = change(columns)
    path = folder / "shard-00000.npz"
    rows.write_arrays(path, dataset.columns, [columns])
    manifest, distances = dataset.manifest, np.bincount(columns["distance"]).tolist()
    counts = {"rows": len(columns["distance"]), "distances": distances}
    manifest["shards"][0].update(bytes=path.stat().st_size, sha256=rows.sha256_of(path), **counts)
    manifest.update(counts)
    (folder / "_manifest.json").write_text(json.dumps(manifest))
    return told


def row_where(condition):
    """A row of the second piece at least."""
    return int(np.flatnonzero(condition)[np.flatnonzero(condition) > 100][0])


def legal_moves(columns):
    return legal_directions((3, 3))[blank_cells(pack_boards(columns["board"])[0], (3, 3))]


# ---------------------------------------------------------------- what is changed; each returns what the report names


def a_board_that_is_none(columns):
    columns["board"][130] = 1
    return [130]


def one_move_wrong(columns):
    row = row_where(columns["distance"] > 0)
    columns["solution"][row, 0] ^= 3  # the first move the other way: off the board, or to elsewhere
    return [row]


def other_first_moves(columns):
    """Legal ones, but not the solution's."""
    own = 1 << (columns["solution"][:, 0] & 3)
    row = row_where((columns["distance"] > 0) & (legal_moves(columns) != own))
    columns["first_moves"][row] = legal_moves(columns)[row] & ~own[row]
    return [row]


def a_first_move_off_the_board(move, columns):
    row = row_where((columns["distance"] > 0) & (legal_moves(columns) & move == 0))
    columns["first_moves"][row] |= move
    return [row]


def a_first_move_of_the_goal(columns):
    row = row_where(columns["distance"] == 0)
    columns["first_moves"][row] = legal_moves(columns)[row]
    return [row]


def all_first_moves(columns):
    moves, before = columns["distance"] > 0, columns["first_moves"].copy()
    columns["first_moves"][moves] = legal_moves(columns)[moves]
    wrong = np.flatnonzero(columns["first_moves"] != before)
    return [len(wrong), wrong[0]]


def another_value(change, columns):
    row = row_where(columns["table_values"][:, 1] > 1)
    columns["table_values"][row, 1] = change(columns["table_values"][row, 1], columns["distance"][row])
    return [row]


def rows_in_another_order(columns):
    for array in columns.values():
        array[:] = array[::-1].copy()


def a_number_left_out(columns):
    columns["start"][columns["start"] > 7] += 1


def another_board_as_far_away(columns):
    """As a row in the middle of a path."""
    row = row_where((columns["distance"] > 1) & np.append(False, np.diff(columns["start"]) == 0))
    same = columns["distance"] == columns["distance"][row]
    other = np.flatnonzero(same & (columns["board"] != columns["board"][row]).any(axis=1))[0]
    for name in columns.keys() - {"start"}:
        columns[name][row] = columns[name][other]


def a_detour(columns):
    """The first row of a path makes its first move, undoes it, and makes it again."""
    row = row_where((columns["distance"] > 1) & np.append(True, np.diff(columns["start"]) == 1))
    every_solution_with_a_detour(columns, slice(row, row + 1))


def every_solution_with_a_detour(columns, rows=slice(None)):
    """They lead to the goal, but are not the shortest."""
    solution = columns["solution"][rows]
    first = solution[:, :1] & 3
    solution[:, 1:] = solution[:, 1:] << 4 | solution[:, :-1] >> 4
    solution[:, :1] = solution[:, :1] << 4 | (3 - first) << 2 | first
    columns["distance"][rows] += 2
    return [300, 0]


def a_path_that_ends_early(columns):
    row = row_where((columns["distance"] == 1) & np.append(False, np.diff(columns["start"]) == 0))
    for name, array in columns.items():
        columns[name] = np.delete(array, row, axis=0)


@pytest.mark.parametrize(
    "change, options, told",
    [
        (a_board_that_is_none, {}, "invalid boards"),
        (one_move_wrong, {}, "solutions that do not lead to the goal"),
        (other_first_moves, FIRST_MOVES, NO_FIRST_MOVES),
        *((partial(a_first_move_off_the_board, 1 << bit), FIRST_MOVES, NO_FIRST_MOVES) for bit in range(5)),
        (a_first_move_of_the_goal, FIRST_MOVES, NO_FIRST_MOVES),
        (partial(another_value, lambda value, distance: distance + 2), VALUES, NO_VALUES),
        (partial(another_value, lambda value, distance: value - 1), VALUES, NO_VALUES),
    ],
)
def test_a_wrong_row_is_found(change, options, told, tmp_path):
    made(tmp_path, **options)
    [row] = falsify(tmp_path, change)
    [report] = check(tmp_path, sample=0)
    assert report.problems == [f"{told}, first in row {row}"] and not report.sound
    assert report.rows == row // 64 * 64 and report.sample == 0


@pytest.mark.parametrize(
    "change, told",
    [
        (lambda columns: None, []),
        (rows_in_another_order, [NOT_NUMBERED, NOT_FOLLOWING]),
        (a_number_left_out, [NOT_NUMBERED]),
        (another_board_as_far_away, [NOT_FOLLOWING]),
        (a_detour, [NOT_FOLLOWING]),
        (a_path_that_ends_early, [NOT_FOLLOWING]),
    ],
)
def test_a_wrong_path_is_found(change, told, tmp_path):
    """Its rows are right one by one."""
    made(tmp_path, along_path=True)
    falsify(tmp_path, change)
    [report] = check(tmp_path, sample=0)
    assert report.problems == told and report.rows == len(load(tmp_path))


@pytest.mark.parametrize(
    "change, options, told",
    [
        (every_solution_with_a_detour, {"distribution": "distance:1-25"}, "distance of {} of"),
        (all_first_moves, FIRST_MOVES, "first moves of {} of"),
        (partial(another_value, lambda value, distance: value - 2), VALUES, "table values of 1 of"),
    ],
)
def test_rows_that_are_solved_again(change, options, told, tmp_path):
    """What only the solver can find out."""
    dataset = made(tmp_path, **options)
    told = f"{told} 300 rows solved again differ, first in row {{}}".format(*falsify(tmp_path, change))
    [report] = check(tmp_path, sample=1000, solver=Solver(goal=dataset.goal))
    assert report.problems == [told] and report.rows == report.sample == 300
    assert check(tmp_path, sample=0)[0].sound
    if options is VALUES:  # those of other tables are not compared
        assert check(tmp_path, sample=1000, solver=Solver(shape=(2, 5), reflection=False))[0].sound


# ---------------------------------------------------------------- replaying


@pytest.mark.parametrize("shape", [(3, 3), (2, 4)])
def test_replaying_against_its_twin(shape, rng):
    """Solutions, half of them with a move that may lead off the board, all of them cut off after some bytes."""
    goal, solver = Board.goal(shape), Solver(shape=shape)
    columns = label(solver, at_distances(rng.integers(0, 22, 400), rng, solver))
    packed, _, _ = pack_boards(columns["board"], shape)
    columns["solution"][::2, 0] ^= rng.integers(0, 256, 200, dtype=np.uint8)
    outcomes = set()
    for size in (0, 1, 3, 40):
        ends = checking.replay(packed, columns["solution"][:, :size], columns["distance"], goal)
        for row, end in enumerate(ends.tolist()):
            count = columns["distance"][row]
            moves = [int(columns["solution"][row, move // 4]) >> 2 * (move % 4) & 3 for move in range(count)]
            assert end == (replayed(shape, columns["board"][row].tolist(), moves) if count <= 4 * size else 0)
            outcomes.add((size, end == 0, end == goal.packed))
    assert {(40, True, False), (40, False, True), (40, False, False), (1, True, False), (1, False, True)} <= outcomes


def replayed(shape, tiles, directions):
    """The packed board after moves of the blank; 0 after one that leads off the board."""
    for direction in directions:
        cell = tiles.index(0)
        to = twins.neighbour(shape, cell, direction)
        if to < 0:
            return 0
        tiles[cell], tiles[to] = tiles[to], 0
    return Board(tiles, shape).packed


def test_distances_that_the_manifest_does_not_count(tmp_path):
    """The file is whole, and it is the manifest's."""
    made(tmp_path)
    path = tmp_path / "_manifest.json"
    manifest = json.loads(path.read_text())
    for counts in (manifest["distances"], manifest["shards"][0]["distances"]):
        counts[10], counts[12] = counts[10] + 1, counts[12] - 1
    path.write_text(json.dumps(manifest))
    [report] = check(tmp_path, sample=0)
    assert report.problems == ["its distances are not those of the manifest"] and report.rows == 0


def test_a_solver_of_another_goal_is_refused(tmp_path):
    made(tmp_path)
    with pytest.raises(ValueError, match="the solver's goal is 0 1 2.*expected 1 2 3.*check with a solver for that"):
        check(tmp_path, solver=Solver(goal="0 1 2/3 4 5/6 7 8"))


def test_a_shard_that_goes_while_it_is_read(tmp_path):
    dataset = made(tmp_path)
    (tmp_path / "shard-00000.npz").unlink()
    with pytest.raises(OSError, match="shard-00000.npz: missing; make it again: puzzle15 label --resume"):
        next(dataset.shards())
