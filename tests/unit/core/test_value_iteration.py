"""Value iteration in the core: in the smallest pieces, and with damaged policies."""

from contextlib import suppress

import numpy as np
import pytest

import puzzle15._core.learning.value_iteration as core
from puzzle15 import Board
from puzzle15._core.learning.value_iteration import DONE, NONE, Plan, Subproblem
from puzzle15._system.threads import StepSizer
from puzzle15.errors import TableCorruptError

SUBPROBLEMS = [
    ((4, 4), (2, 3), (0, 1), 0.9),
    ((4, 4), (12, 8, 11), (0, 1, 2, 3, 4, 5, 6, 7), 0.5),
    ((4, 4), (13,), tuple(range(13)), 0.01),
    ((3, 3), (8, 0), (1, 3), 0.9),  # cell 0 is cut off
    ((2, 3), (5, 4, 3, 2, 1), (), 0.999),
]


class SevenSteps(StepSizer):
    """Pieces of seven steps, which never grow."""

    __slots__ = ()

    def __init__(self, steps=7):
        super().__init__(7)

    def check_stop(self, counts=True):
        pass


@pytest.mark.parametrize("shape, goal, fixed, gamma", SUBPROBLEMS)
def test_pieces_and_damaged_policies(shape, goal, fixed, gamma, rng, monkeypatch):
    space = Subproblem(shape, goal, fixed)
    learned = space.learn(gamma), space.ends(space.learn(gamma)[1])
    monkeypatch.setattr(core, "StepSizer", SevenSteps)
    (values, policy), ends = space.learn(gamma), space.ends(learned[0][1])
    assert all(np.array_equal(*pair) for pair in zip((*learned[0], learned[1]), (values, policy, ends)))
    assert (
        np.array_equal(ends == 16, policy == NONE)
        and (ends[policy == DONE] == space.cells(np.flatnonzero(policy == DONE))[:, -1]).all()
    )
    for turn in range(20):  # whatever bytes they are, following them ends
        policy[rng.integers(space.state_count, size=1 + space.state_count // 20)] = rng.integers(
            256 if turn % 2 else NONE + 1
        )
        with suppress(TableCorruptError):
            assert space.ends(policy).max() <= 16
    with pytest.raises(TableCorruptError):
        space.ends(np.zeros_like(policy))


@pytest.mark.parametrize("shape, initial_size", [((3, 3), 2), ((5, 2), 1), ((2, 2), 3)])
def test_damaged_policies_bring_a_board_home_or_lead_nowhere(shape, initial_size, rng):
    goal = Board.goal(shape)
    order = list(range(len(goal) - 1))
    plan, policies = Plan(shape, goal.packed, order, initial_size), []
    boards = np.array([Board.random(rng, shape).packed for _ in range(10)], dtype=np.uint64)
    status, lengths, largest = np.zeros(10, np.uint8), np.zeros(10, np.uint16), np.zeros(10, np.uint8)
    while needed := plan.solve_many(boards, status, lengths, largest):
        stage, begin = needed
        policies.append(Subproblem(shape, order[begin : (stage + 1) * initial_size], order[:begin]).learn(0.9)[1])
        plan.add(stage, begin, policies[-1])
        status[:] = 0
    assert not status.any()
    exchanged = goal.packed ^ 0x33  # tiles 1 and 2
    status = np.array([0, 77, 0], np.uint8)
    assert (
        plan.solve_many(np.array([exchanged, goal.packed, goal.packed], np.uint64), status, lengths[:3], largest[:3])
        is None
    )
    assert status.tolist() == [3, 77, 0] and lengths[2] == 0
    seen = set()
    for turn in range(2000):
        policy = policies[rng.integers(len(policies))]
        policy[rng.integers(len(policy))] = rng.integers(256 if turn % 3 == 0 else NONE + 1)
        board = Board._of(int(boards[turn % 10]), shape)
        try:
            missing, directions, _ = plan.solve(board.packed)
        except TableCorruptError:
            seen.add("nowhere")
            continue
        if missing is None:
            seen.add("home")
            assert board.apply("".join("DRLU"[direction] for direction in directions)) == goal
    assert seen == {"home", "nowhere"}


def test_what_makes_no_sense():
    goal = Board.goal((4, 4)).packed
    assert Subproblem((4, 4), range(8), ()).state_count == 4151347200
    assert Subproblem((4, 4), (9, 10), range(9)).states([[14, 10, 11]]) == (5 * 6 + 1) * 5 + 1  # as in subproblem.h
    for cells, fixed, error in (
        ((), (), ValueError),
        (range(16), (), ValueError),
        ((0, 1), (1,), ValueError),
        ((3, 3), (), ValueError),
        ((16,), (), ValueError),
        ((1,), (16,), ValueError),
        (range(8), range(8, 16), ValueError),
        (range(9), (), MemoryError),
    ):
        with pytest.raises(error):
            Subproblem((4, 4), cells, fixed)
    for gamma in (0.0099, 0.9991, np.nan):
        with pytest.raises(ValueError):
            Subproblem((4, 4), (0,), ()).learn(gamma)
    for order in (b"", b"\0\1\2", b"\0\1\2\2", b"\0\1\2\4", b"\0\1\2\3\3"):
        with pytest.raises(ValueError):
            Subproblem((4, 4), (0,), ()).learn(0.9, order)
    for board, order, size in ((0, range(15), 1), (goal, range(15), 0), (goal, range(15), 16), (goal, range(1, 16), 1)):
        with pytest.raises(ValueError):
            Plan((4, 4), board, order, size)
    plan = Plan((4, 4), goal, range(15), 1)
    for stage, begin, states in ((15, 0, 240), (0, 1, 210), (0, 0, 239), (14, 0, 240)):
        with pytest.raises((ValueError, MemoryError)):
            plan.add(stage, begin, np.zeros(states, np.uint8))
