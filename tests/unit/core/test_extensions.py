"""The extension modules' own entry points: what is outside their contracts is refused, and harms nothing.

Each of these once crashed, hung, or wrote beyond its memory.
"""

import gc
import sys

import numpy as np
import pytest

from puzzle15 import Board, Solver
from puzzle15._core.base import board as _board
from puzzle15._core.learning.network import Network
from puzzle15._core.learning.value_iteration import DONE, NONE, Plan, Subproblem
from puzzle15._core.optimal.problem import Batch, Problem, Search, StateMachine
from puzzle15._core.search.evaluator import Evaluator
from puzzle15._core.tables.tables import MAX_LEVELS, SEGMENTS, Build, Space, Table
from puzzle15.errors import BoardError, TableCorruptError

GOAL = Board.goal((3, 3))
NO_BOARDS = [0, 2**64 - 1, 0x022345678, GOAL.packed | 1 << 60]


def words(*boards):
    return np.array(boards, dtype=np.uint64)


def bytes_of(*numbers):
    return np.array(numbers, dtype=np.uint8)


@pytest.fixture(scope="module")
def problem():
    return Solver("embedded", shape=(3, 3)).open_tables.problem


# ---------------------------------------------------------------- boards and arrays


@pytest.mark.parametrize("word", [*NO_BOARDS, 0x111111111], ids=hex)
def test_words_that_are_no_boards(word):
    """Each board of each call in turn."""
    goal, shape, identity = GOAL.packed, (3, 3), list(range(9))
    for call, *given in (
        (lambda board: _board.blank(board, shape), goal),
        (lambda *pair: _board.solvable(*pair, shape), goal, goal),
        (lambda board: _board.solvable_many(words(goal), board, shape, bytes_of(0)), goal),
        (lambda *pair: _board.manhattan(*pair, shape), goal, goal),
        (lambda board: _board.transform(board, shape, identity, identity), goal),
        (lambda board: _board.apply(board, shape, b"\0"), goal),
        (Plan(shape, goal, range(8), 1).solve, goal),
    ):
        for number in range(len(given)):
            with pytest.raises(BoardError, match="a board holds each of 0 .. cells-1 exactly once"):
                call(*given[:number], word, *given[number + 1 :])
    solvable = bytes_of(9, 9)
    _board.solvable_many(words(word, goal), goal, shape, solvable)
    assert solvable.tolist() == [0, 1]
    status = bytes_of(0)
    Plan(shape, goal, range(8), 1).solve_many(words(word), status, np.zeros(1, np.uint16), bytes_of(0))
    with pytest.raises(BoardError):
        _board.raise_status(status[0])


def test_none_is_no_array_and_no_object(problem):
    """For each array or object of each call in turn."""
    one, byte, shape, goal = words(GOAL.packed), bytes_of(0), (3, 3), GOAL.packed
    space, machine = Space(shape, 2), StateMachine(shape, 2)
    evaluator, subproblem, plan = Evaluator(shape, goal), Subproblem(shape, [0], []), Plan(shape, goal, range(8), 1)
    for function, *arguments in (
        (_board.pack, bytes(9), shape),
        (_board.apply, goal, shape, b""),
        (_board.check_many, one, shape, byte),
        (_board.pack_many, np.zeros((1, 9), np.uint8), shape, one, byte),
        (_board.unpack_many, one, shape, np.zeros((1, 9), np.uint8)),
        (_board.solvable_many, one, goal, shape, byte),
        (Build, space, 3, 8, False),
        (Table, space, bytes(space.payload_bytes(False)), False, 9, 3, 8),
        (Build(space, 3, 8, False).transpose, one, byte),
        (Problem, shape, 8, [], machine, False, 1),
        (problem.heuristics, one, byte, byte),
        (Search, problem, 1),
        (Batch, problem, one, byte),
        (Network, []),
        (evaluator.boards, one, byte, byte),
        (evaluator.children, one, byte[:, np.newaxis], np.zeros(1, np.int64), byte, byte[:, np.newaxis]),
        (subproblem.ends, np.zeros(72, np.uint8)),
        (plan.add, 0, 0, byte),
        (plan.solve_many, one, byte, np.zeros(1, np.uint16), byte),
    ):
        for number, argument in enumerate(arguments):
            if not isinstance(argument, (int, tuple)):
                with pytest.raises((TypeError, ValueError)):
                    function(*arguments[:number], None, *arguments[number + 1 :])


# ---------------------------------------------------------------- searches


def test_workers_are_counted(problem):
    with pytest.raises(ValueError, match="threads=0: at least one is needed"):
        problem.solve(GOAL.packed, threads=0)
    search = Search(problem, 2)
    for worker in (1, 2, 99, 2**32 - 1):  # the second one is made for a long iteration
        with pytest.raises(IndexError, match=f"worker {worker} of 1"):
            search.work(worker)


def test_a_lookup_takes_a_symmetry_that_keeps_the_home():
    tables = Solver("embedded", shape=(3, 3)).open_tables._tables[0][0]
    for cells in ([1, 0, *range(2, 9)], [0] * 8 + [8], [200, *range(1, 9)], list(range(8, -1, -1)), [0]):
        with pytest.raises(ValueError, match="lookup"):
            Problem((3, 3), 8, [(tables, cells)], StateMachine((3, 3), 2), False, 1)


# ---------------------------------------------------------------- tables


def test_states_beyond_the_board():
    space = Space((3, 3), 2)
    for cells, cell in ((0b11, 9), (0b11, 40), (0b11, 0), (1 << 9 | 1, 2)):
        with pytest.raises(ValueError, match="with the blank at"):
            space.region(cells, cell)
    table = Table(space, bytes(space.payload_bytes(True)), True, 50, 0b11, 8)
    for cells in ([0, 9], [0, 40], [0, 2**31], [-1, 0], [1, 1], [0], list(range(20))):
        with pytest.raises(ValueError, match="with the blank at"):
            table.value(cells, 8)
    assert table.value([0, 1], 8) == 0


def test_levels_words_and_memory_of_a_construction():
    space = Space((3, 3), 3)
    build = Build(space, 0b111, 8, True)
    with pytest.raises(IndexError):
        build.collect(
            build.goal_segment, 0, space.word_count + 1, np.zeros((9, (space.block_count + 63) // 64 * 64), "u8")
        )
    for level in (0, MAX_LEVELS, 2**32 - 1):
        with pytest.raises(ValueError, match=f"level {level}: expected 1 .. 255"):
            build.level(level, 0, SEGMENTS)
    size = space.plane_bytes(build.goal_segment)
    room = np.zeros(size + 16, np.uint8)
    shifted = room[1 : size + 1] if room.ctypes.data % 8 == 0 else room[: size - 1]
    for plane, memory in ((0, room[: size + 8]), (1, room[:0]), (2, room[:size]), (0, room[: size - 1]), (0, shifted)):
        needed = space.nibble_bytes(build.goal_segment) if plane == 2 else size
        with pytest.raises(ValueError, match=f"plane {plane} .* takes {needed} bytes of 64-bit words"):
            build.hold(plane, build.goal_segment, memory)
    for call, given in (
        (build.hold, (3, 0, room)),
        (build.hold, (0, SEGMENTS, room)),
        (build.level, (1, 0, SEGMENTS + 1)),
    ):
        with pytest.raises(IndexError):
            call(*given)


# ---------------------------------------------------------------- policies


@pytest.fixture(scope="module")
def corner():
    """The first tile of 3x3, its policy, and states on a path of some moves."""
    space = Subproblem((3, 3), [0], [])
    return space, space.learn(0.9)[1]


def test_a_policy_that_leads_off_the_board(corner):
    space, policy = corner
    for action in (0, 1, 2, 3, 6, 77, 255):
        with pytest.raises(TableCorruptError, match="policy"):
            space.ends(np.full_like(policy, action))
    circle = np.where(policy < 4, 3 - policy, policy).astype(np.uint8)  # away from home, and back
    with pytest.raises(TableCorruptError, match="policy"):
        space.ends(circle)
    dead = np.where(policy == DONE, NONE, policy).astype(np.uint8)  # to states from which no moves lead on
    with pytest.raises(TableCorruptError, match="policy"):
        space.ends(dead)
    for length in (0, 1, len(policy) + 1):
        with pytest.raises(ValueError, match="array length"):
            space.ends(np.zeros(length, np.uint8))


def test_boards_by_policies_that_lead_nowhere():
    """Whatever bytes a plan is given, a board ends: at home, or with an error."""
    rng, order = np.random.default_rng(4), list(range(8))
    boards = [Board.random(seed, (3, 3)).packed for seed in range(40)]
    fills = [lambda size, byte=byte: np.full(size, byte, np.uint8) for byte in (0, 3, DONE, NONE, 255)]
    fills += [lambda size, most=most: rng.integers(0, most, size).astype(np.uint8) for most in (4, 5, 6, 256)]
    for size, fill in ((size, fill) for size in (1, 3, 8) for fill in fills):
        plan = Plan((3, 3), GOAL.packed, order, size)
        for stage, own in enumerate(range(0, 8, size)):
            for begin in range(own + 1):
                space = Subproblem((3, 3), order[begin : own + size], order[:begin])
                plan.add(stage, begin, fill(space.state_count))
        for board in boards:
            if board != GOAL.packed:
                try:
                    _, directions, _ = plan.solve(board)
                    end, made = _board.apply(board, (3, 3), directions)
                    assert end == GOAL.packed and made == len(directions)
                except TableCorruptError as error:
                    assert str(error).startswith(f"board {board:#x}")
        status, lengths, largest = np.zeros(40, np.uint8), np.zeros(40, np.uint16), np.zeros(40, np.uint8)
        assert plan.solve_many(words(*boards), status, lengths, largest) is None


def test_states_of_cells_that_are_no_state():
    space = Subproblem((3, 3), [4, 5], [0, 1])
    assert (space.cells(space.states([[4, 5, 8], [2, 3, 4]])) == [[4, 5, 8], [2, 3, 4]]).all()
    for cells in ([4, 4, 8], [4, 5, 5], [0, 5, 8], [4, 5, 1], [4, 5, 9], [20, 5, 8], [4, 5, 255]):
        with pytest.raises(ValueError, match="expected cells that differ"):
            space.states([[4, 5, 8], cells])


def test_a_graph_among_garbage_frees_its_workers(monkeypatch):
    complaints = []
    monkeypatch.setattr(sys, "unraisablehook", complaints.append)
    solutions = Solver(shape=(3, 3)).all_solutions("8 6 7/2 5 4/3 0 1")
    next(solutions)
    solutions.itself = solutions
    del solutions
    gc.collect()
    assert not complaints
