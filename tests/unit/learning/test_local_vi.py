"""Value iteration on subproblems, and boards solved by chains of them: against twins, and against every board."""

import math
import signal
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import partial
from itertools import permutations

import learning_twins
import numpy as np
import pytest
import twins
from interrupting import interrupted_after
from timing import timed, within

from puzzle15 import Board, LocalValueIteration
from puzzle15.board import pack_boards, parse_moves, solvable
from puzzle15.errors import BoardError, OptionError, UnsolvableError
from puzzle15.learning import _local_vi as learners
from puzzle15.learning import value_iteration

# shape, goal cells, fixed cells, gamma
SUBPROBLEMS = [
    ((4, 4), (2, 3), (0, 1), 0.5),
    ((4, 4), (0,), (), 0.9),
    ((4, 4), (3,), (0, 1, 2), 0.9),
    ((4, 4), (9, 8, 10), (0, 1, 2, 3, 4, 5, 6, 7), 0.3),
    ((4, 4), (13,), tuple(range(13)), 0.9),
    ((3, 3), (0, 1, 2), (), 0.5),
    ((2, 3), (0, 3, 1, 4, 2), (), 0.6),  # every tile has a name: half of the placements cannot be
    ((3, 5), (9, 4), (0, 1, 2, 3, 5, 6, 7, 8), 0.99),
    ((3, 3), (8, 0), (1, 3), 0.5),  # one tile in a corner of its own
    ((2, 8), (15, 0), (1, 2, 3, 4, 5, 6), 0.7),
]


def learn(shape, goal, fixed, gamma):
    blank = next(cell for cell in range(math.prod(shape)) if cell not in goal + fixed)
    target = Board.goal(shape, blank)
    return value_iteration(
        [target.tiles[cell] for cell in goal], [target.tiles[cell] for cell in fixed], gamma=gamma, goal=target
    )


@pytest.mark.parametrize("shape, goal, fixed, gamma", SUBPROBLEMS)
@pytest.mark.sweep(1)
def test_values_are_the_sums_of_the_paper(shape, goal, fixed, gamma):
    """In every state: gamma^k + gamma^(k+1) + .., k being the distance by breadth-first search."""
    learned = learn(shape, goal, fixed, gamma)
    states = learning_twins.local_states(shape, goal, fixed)
    distances = learning_twins.local_distances(shape, goal, fixed)
    assert learned.state_count == len(states) == len(learned.values) == len(learned.policy)
    assert (learned.values.dtype, learned.policy.dtype) == (np.float64, np.uint8)
    totals = [math.fsum(gamma**t for t in range(length, 5000)) for length in range(max(distances.values()) + 1)]
    sums = [totals[distances[state]] if state in distances else 0 for state in states]
    np.testing.assert_allclose(learned.values, sums, rtol=1e-9, atol=0)
    lengths = [distances.get(state, -1) for state in states]
    assert learned.lengths.tolist() == lengths and learned.max_length == max(lengths)
    assert learned.cells(np.arange(len(states))).tolist() == [list(state) for state in states]
    for state, length, action in zip(states, lengths, learned.policy.tolist()):
        best = [d for d, n in learning_twins.local_moves(shape, fixed, state) if distances.get(n) == length - 1]
        assert action == (5 if length < 0 else best[0] if length else 4)


@pytest.mark.parametrize("shape, goal, fixed", [((3, 3), (1, 2), (0,)), ((3, 4), (4, 8), (0, 1, 2, 3))])
def test_a_policy_prefers_moves_in_the_order(shape, goal, fixed):
    """All 24 orders: of the moves to a smaller distance, the policy takes the first one."""
    states = learning_twins.local_states(shape, goal, fixed)
    distances = learning_twins.local_distances(shape, goal, fixed)
    far = [number for number, state in enumerate(states) if distances.get(state, 0) > 0]
    policies = set()
    for directions in permutations(range(4)):
        order = "".join("ULRD"[direction] for direction in directions)
        learned = value_iteration(
            [cell + 1 for cell in goal], [cell + 1 for cell in fixed], shape=shape, move_order=order
        )
        for number in far:
            moves = learning_twins.local_moves(shape, fixed, states[number], directions)
            best = next(d for d, n in moves if distances.get(n) == distances[states[number]] - 1)
            assert learned.policy[number] == best
        policies.add(learned.policy.tobytes())
        assert learned.move_order == order
    assert len(policies) > 10


def test_a_board_s_state():
    learned = value_iteration([3, 4], [1, 2])
    board = Board("1 2 15 0/5 6 7 3/9 10 4 12/13 14 11 8")
    assert learned.cells([learned.state(board)]).tolist() == [[7, 10, 3]]
    with pytest.raises(BoardError, match="tile 2 is fixed, but not at home"):
        learned.state("1 15 2 0/5 6 7 3/9 10 4 12/13 14 11 8")
    assert repr(learned) == "<ValueFunction of tiles {3,4}, fixed {1,2}: 2,184 states>"


SMALL = [((3, 3), 1), ((3, 3), 3), ((2, 4), 1), ((4, 2), 2), ((2, 2), 1)]
LARGE = [((4, 4), 1), ((4, 4), 2), ((3, 5), 1), ((5, 3), 1)]


@pytest.mark.parametrize("move_order", ["ULRD", "RLDU", "DLUR"])
@pytest.mark.parametrize(
    "shape, initial_size", [*SMALL, *(pytest.param(*each, marks=pytest.mark.slow) for each in LARGE)]
)
def test_boards_are_solved_as_by_the_algorithm(shape, initial_size, move_order):
    learner = LocalValueIteration(initial_size=initial_size, shape=shape, move_order=move_order.lower())
    directions = ["ULRD".index(letter) for letter in move_order]
    order = [tile - 1 for tile in learner.order]
    for seed in range(25):
        board = Board.random(seed, shape)
        letters, parts = learning_twins.local_value_iteration(shape, board.tiles, initial_size, order, directions)
        solution = learner.solve(board)
        assert parse_moves(solution.moves) == letters
        assert [tuple(part) for part in solution.parts] == parts
        assert solution.largest == max(len(part[0]) for part in parts)
        assert board.apply(solution.moves) == learner.goal
    gammas = LocalValueIteration(initial_size=initial_size, gamma=0.02, shape=shape, move_order=move_order)
    assert gammas.solve(board).moves == solution.moves


def test_the_order_of_the_tiles():
    assert LocalValueIteration().order == tuple(range(1, 16))
    assert LocalValueIteration(shape=(5, 2)).order == tuple(range(1, 10))
    assert LocalValueIteration(shape=(2, 5)).order == (1, 6, 2, 7, 3, 8, 4, 9, 5)
    assert LocalValueIteration(goal=Board.goal((4, 4), 0)).order == tuple(range(15, 0, -1))
    assert LocalValueIteration(goal="3 5 0/1 2 4").order == (1, 3, 2, 5, 4)


@pytest.mark.parametrize("shape", twins.SHAPES, ids=str)
@pytest.mark.sweep(13)
def test_every_shape(shape, rng):
    tiles = math.prod(shape) - 1
    for initial_size in (1, 2, min(4, tiles)):
        learner = LocalValueIteration(initial_size=initial_size, shape=shape)
        batch = learner.solve_many([Board.random(rng, shape) for _ in range(20)])
        for solution in batch:
            assert solution.status == "solved" and solution.board.apply(solution.moves) == learner.goal
            assert solution.length == sum(part.length for part in solution.parts) >= solution.lower_bound
            assert [part.tiles[-1] for part in solution.parts] == [
                learner.order[min(end, tiles) - 1] for end in range(initial_size, tiles + initial_size, initial_size)
            ]
        learned = len(learner.functions)
        learner.train()
        assert learned <= len(learner.functions)


@pytest.mark.parametrize("home", [0, 2, 6])
def test_goals_with_the_blank_in_any_corner(home):
    tiles = [8, 3, 5, 1, 7, 2, 4, 6]
    goal = Board([*tiles[:home], 0, *tiles[home:]], (3, 3))
    learner = LocalValueIteration(goal=goal)
    solutions = learner.solve_many([Board.random(seed, goal=goal) for seed in range(12)])
    assert len(solutions) == 12
    for solution in solutions:
        assert solution.board.apply(solution.moves) == goal == solution.goal


def test_optimal_only_where_it_is_proved():
    learner = LocalValueIteration(initial_size=2, shape=(3, 3))
    near = learner.solve("1 2 3/4 5 6/0 7 8")
    assert (near.length, near.optimal, near.lower_bound) == (2, True, 2)
    assert learner.solve(Board.goal((3, 3))).moves == ""
    far = learner.solve("8 6 7/2 5 4/3 0 1")
    assert far.length > 31 and not far.optimal and far.lower_bound == 21
    assert (far.expanded, far.generated, far.status) == (0, 0, "solved")


def test_training_learns_what_boards_need_and_no_more():
    trained, lazy, shares = LocalValueIteration(shape=(3, 3)), LocalValueIteration(shape=(3, 3)), []
    trained.train(progress=lambda share, what: shares.append(share))
    assert shares == sorted(shares) and shares[-1] == 1
    lazy.solve_many(solvable_boards((3, 3)))
    assert [repr(f) for f in lazy.functions] == [repr(f) for f in trained.functions]
    assert repr(trained).endswith(f": initial size 1, move order ULRD, {len(lazy.functions)} subproblems learned>")


def solvable_boards(shape):
    """All of them, packed."""
    packed = pack_boards(np.array(list(twins.all_boards(shape)), dtype=np.uint8), shape)[0]
    return packed[solvable(packed, Board.goal(shape))]


@pytest.mark.parametrize(
    "shape, initial_size", [((2, 3), 1), ((2, 3), 2), ((3, 3), 1), ((3, 3), 2), ((3, 3), 5), ((4, 2), 1), ((3, 3), 8)]
)
@pytest.mark.sweep(2)
def test_the_analysis_counts_every_board(shape, initial_size):
    """Against all of them solved, one after another."""
    learner = LocalValueIteration(initial_size=initial_size, shape=shape)
    analysis = learner.count_boards()
    boards = solvable_boards(shape)
    batch = learner.solve_many(boards)
    assert analysis.board_count == len(boards) == math.factorial(math.prod(shape)) // 2
    assert set(analysis.histograms) == set(batch.largest.tolist())
    for k, counts in analysis.histograms.items():
        lengths = batch.lengths[batch.largest == k]
        assert np.bincount(lengths).tolist() == np.trim_zeros(counts, "b").tolist()
        assert analysis.classes[k] == Fraction(len(lengths), len(boards))
        assert analysis.mean(k) == pytest.approx(lengths.mean(), rel=1e-12)
        assert analysis.maximum(k) == lengths.max() <= analysis.bounds[k]
    assert analysis.mean() == pytest.approx(batch.lengths.mean(), rel=1e-12)
    assert analysis.maximum() == batch.lengths.max()
    some = [batch[index] for index in range(0, len(batch), 97)]
    for number, stage in enumerate(analysis.stages):
        assert sum(stage.sizes.values()) == 1
        assert {len(solution.parts[number].tiles) for solution in some} <= set(stage.sizes)


def test_a_batch_is_its_boards_and_does_not_depend_on_the_threads():
    boards = [Board.random(seed, (3, 3)) for seed in range(50)]
    learner = LocalValueIteration(shape=(3, 3))
    batch, again = learner.solve_many(boards * 700), learner.solve_many(boards * 700, workers=3)
    assert np.array_equal(batch.lengths, again.lengths) and np.array_equal(batch.largest, again.largest)
    for board, solution in zip(boards, batch):
        alone = learner.solve(board)
        assert (alone.moves, alone.parts, alone.largest) == (solution.moves, solution.parts, solution.largest)
    assert batch[-1].board == boards[-1] and batch[49].largest == batch.largest[49]
    with pytest.raises(IndexError):
        batch[len(batch)]
    assert len(learner.solve_many([])) == 0
    seen = []
    learner.solve_many(boards, progress=lambda *counts: seen.append(counts))
    assert seen == [(50, 50)]


def test_bad_boards():
    learner = LocalValueIteration(shape=(3, 3))
    bad = ["1 2 3/4 5 6/7 8 0", "1 2 3/4 5 6/8 7 0", "1 2 3/4 5 6/7 7 0"]
    with pytest.raises(UnsolvableError, match="half of all arrangements"):
        learner.solve(bad[1])
    with pytest.raises(UnsolvableError, match="^board 1: "):
        learner.solve_many(bad)
    with pytest.raises(BoardError):
        learner.solve("1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0")
    batch = learner.solve_many(bad, on_error="mark", workers=2)
    assert batch.status.tolist() == ["solved", "error", "error"] and batch.lengths.tolist() == [0, -1, -1]
    assert isinstance(batch[1].error, UnsolvableError) and batch[1].moves is None and batch[2].board is None
    for wrong in ({"workers": 0}, {"on_error": "ignore"}):
        with pytest.raises(ValueError):
            learner.solve_many(bad[:1], **wrong)


def test_arguments_that_make_no_sense():
    for size in (0, -1, 9, 1.5, "2", None):
        with pytest.raises(ValueError, match="initial_size .*: expected a whole number from 1 to 8"):
            LocalValueIteration(initial_size=size, shape=(3, 3))
    for gamma in (0, 1, -0.5, float("nan")):
        with pytest.raises(ValueError, match="gamma"):
            LocalValueIteration(gamma=gamma)
    for order in ("ULR", "ULRU", "ULRDD", "", None, 5, b"ULRD", ["U", "L", "R", "D"]):
        for refuse in (LocalValueIteration, partial(value_iteration, [1])):
            with pytest.raises(OptionError, match="move_order .*: expected each of the letters U, L, R and D once"):
                refuse(move_order=order)
    with pytest.raises(BoardError, match="blank in a corner"):
        LocalValueIteration(goal=Board.goal((3, 3), 1))
    with pytest.raises(BoardError):
        LocalValueIteration(shape=(5, 5))
    for tiles, fixed in (([], [1]), ([1, 1], []), ([1], [1]), ([16], []), ([0], []), ([3], [0])):
        with pytest.raises(BoardError):
            value_iteration(tiles, fixed)


def test_what_does_not_fit_into_memory_is_told_in_numbers():
    learner = LocalValueIteration(initial_size=9)
    with pytest.raises(MemoryError, match=r"9 tiles on 16 cells has 29,059,430,400 states, and takes 286\.4 GB"):
        learner.solve(Board.random(1))
    with pytest.raises(MemoryError, match=r"15 tiles on 16 cells has 20,922,789,888,000 states"):
        value_iteration(range(1, 16))


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no timers")
@timed
def test_learning_and_solving_can_be_interrupted():
    class Stop(Exception):
        pass

    learner = LocalValueIteration(shape=(3, 3))
    boards = np.full(5_000_000, Board("8 6 7/2 5 4/3 0 1").packed, dtype=np.uint64)
    for work in (lambda: value_iteration(range(1, 6)), lambda: learner.solve_many(boards)):
        with within(2), pytest.raises(Stop), interrupted_after(0.1, Stop):
            work()


@pytest.mark.parametrize("trained", [True, False])
def test_threads_may_share_it(trained, monkeypatch):
    """No subproblem is learned twice."""
    boards, learned, learn = [Board.random(seed, (3, 4)) for seed in range(30)], [], learners.learn
    expected = [solution.moves for solution in LocalValueIteration(shape=(3, 4)).solve_many(boards)]
    monkeypatch.setattr(learners, "learn", lambda *subproblem: learned.append(subproblem[1:3]) or learn(*subproblem))
    for _ in range(3):
        learned.clear()
        learner = LocalValueIteration(shape=(3, 4))
        if trained:
            learner.train()
        with ThreadPoolExecutor(4) as pool:
            assert [solution.moves for solution in pool.map(learner.solve, boards)] == expected
        assert len(learned) == len(set(learned)) == len(learner.functions)
