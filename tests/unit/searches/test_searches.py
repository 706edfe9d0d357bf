"""Textbook searches by name: every algorithm, on every kind of goal and shape, within its limits."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
import twins
from searching import FAR, HARD, INFORMED, MEETING, boards_of_all_distances, heuristic_of, near
from strategies import solver_of
from timing import at_most, timed

from puzzle15 import ALGORITHMS, Board, Solver, build_tables, search
from puzzle15.board import KORF_GOAL, parse_moves
from puzzle15.errors import BoardError, TableCorruptError, UnsolvableError
from puzzle15.heuristics import heuristic
from puzzle15.searches import _run as run
from puzzle15.searches import compare
from puzzle15.searches._algorithms import TIES
from puzzle15.searches._comparison import format_row, plan_runs

OPTIMAL = [name for name, algorithm in ALGORITHMS.items() if algorithm.optimal]
REMEMBERING = [name for name, algorithm in ALGORITHMS.items() if algorithm.remembers]
GOING_ON = ["branch-and-bound", "anytime-a*", "ara*", "beam-stack"]  # when they have a solution


def check(solution, board, goal):
    """Everything that a solution must be, whatever the search."""
    assert (solution.board, solution.goal) == (board, goal)
    parity = twins.manhattan(board.shape, board.tiles, goal.tiles) % 2
    assert solution.lower_bound % 2 == parity
    assert solution.generated >= solution.expanded >= 0
    if solution.moves is not None:
        letters = parse_moves(solution.moves)
        assert twins.replay(board.shape, board.tiles, letters) == goal.tiles
        assert solution.length == len(letters) >= solution.lower_bound
    assert solution.optimal == (solution.length == solution.lower_bound)
    assert solution.status in ("solved", "limit", "failed")
    assert solution.status != "solved" or solution.moves is not None
    assert not solution.optimal or solution.status == "solved"


def shuffled(seed, shape):
    return Board(np.random.default_rng(seed).permutation(math.prod(shape)).tolist(), shape)


# ---------------------------------------------------------------- right answers


@pytest.mark.parametrize(
    "shape", [(5, 2), (4, 4), *(pytest.param(each, marks=pytest.mark.slow) for each in ((3, 4), (2, 7)))]
)
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_every_algorithm_on_every_shape(algorithm, shape):
    """With the usual goal and with any other."""
    options = {"max_length": 14} if algorithm == "depth-first" else {}
    solved = 0
    for goal in (Board.goal(shape), shuffled(7, shape)):
        for steps, name in ((1, None), (6, "tables:embedded"), (14, None), (14, "walking-distance")):
            if name and algorithm not in INFORMED:
                continue
            board, estimate = near(goal, steps, steps), name and heuristic_of(name, goal)
            solution = search(board, algorithm=algorithm, goal=goal, heuristic=estimate, max_nodes=2_000_000, **options)
            check(solution, board, goal)
            solved += solution.status == "solved"
            assert solution.algorithm == algorithm
            assert solution.heuristic == (name or "manhattan" if algorithm in INFORMED else None)
            if ALGORITHMS[algorithm].optimal:
                assert solution.optimal and solution.length == solver_of(goal).distance(board)
            elif algorithm != "hill-climbing":
                assert solution.status == "solved"
    assert solved


def agree(boards, goal, names, tables=None, leave_out=()):
    """Every algorithm against the complete table, with each heuristic. `leave_out` are those that take long."""
    lengths = solver_of(goal).distance_many(boards).tolist()
    estimates = [heuristic(name, goal=goal, tables=tables) for name in names]
    for kind in ALGORITHMS.values():
        for estimate in estimates if kind.informed else [None]:
            if kind.name in leave_out:
                continue
            for board, length in zip(boards, lengths):
                if kind.name == "iterative-deepening" and length > 20:  # it would generate millions of nodes
                    continue
                solution = search(board, algorithm=kind.name, heuristic=estimate, goal=goal)
                check(solution, board, goal)
                assert solution.lower_bound <= length
                if kind.optimal:
                    assert (solution.optimal, solution.length) == (True, length)
                elif solution.optimal:
                    assert solution.length == length
                elif kind.name not in ("beam", "hill-climbing"):
                    assert solution.status == "solved" and solution.length >= length
                if kind.takes("on_improvement"):
                    check_improvements(solution, length, estimate.consistent)
                else:
                    assert solution.improvements == ()


def check_improvements(solution, distance, consistent=True):
    """The promises of every improvement, and of the last one."""
    improvements = solution.improvements
    assert improvements and improvements[-1].moves == solution.moves
    for moves in {improvements[0].moves, solution.moves}:
        assert twins.replay(solution.board.shape, solution.board.tiles, parse_moves(moves)) == solution.goal.tiles
    for better, before in zip(improvements, [None, *improvements]):
        assert better.lower_bound <= distance <= better.length == len(better.moves) and better.ratio >= 1
        if solution.algorithm == "ara*" and better.weight is not None and consistent:
            assert better.length <= better.weight * distance
        if before:
            assert better.length <= before.length and better.lower_bound >= before.lower_bound
            assert better.expanded >= before.expanded and better.seconds >= before.seconds
            assert better[1:3] != before[1:3] or better.length < before.length


#: Searches that need a good heuristic.
WEAK = ["ida*", "branch-and-bound", "rbfs", "sma*", "ida*-tt", "anytime-a*", "ara*", "beam-stack"]


def test_agreement_at_every_distance(tmp_path):
    """Classic tables are not consistent."""
    goal, boards = Board.goal((3, 3)), boards_of_all_distances()
    for home in range(9):  # the sides of mm have other goals
        build_tables("1-4/5-8", shape=(3, 3), home=home, format="classic", tables=tmp_path)
    names = ["manhattan", "tables:1-4/5-8:classic", "tables:embedded", "max(misplaced,walking-distance)"]
    for first, name in enumerate(names):
        agree(boards[first::4], goal, [name], tmp_path)
    agree(boards[3::7], goal, ["zero"], leave_out=[name for name in ALGORITHMS if name in WEAK or name not in INFORMED])


@pytest.mark.parametrize("home", [0, 5, 8, 4, 1, 2, 3, 6, 7])
@pytest.mark.sweep(0, 2)
def test_agreement_on_300_boards_of_the_8_puzzle(home):
    """300 boards over all homes, and those farthest from each; two heuristics for each home."""
    goal = Board.goal((3, 3), home)
    boards = [board for seed in range(200) if (board := shuffled([home, seed], (3, 3))).is_solvable(goal)][:33]
    other = ("misplaced", "reversal", "linear-conflict", "walking-distance")[home % 4]
    agree([*boards, farthest(goal)], goal, ("manhattan", other))


def farthest(goal):
    return Board(list(twins.levels(goal.shape, goal.tiles))[-1][0], goal.shape)


def test_the_goal_itself():
    goal = shuffled(3, (3, 3))
    for algorithm in ALGORITHMS:
        solution = search(goal, algorithm=algorithm, goal=goal)
        check(solution, goal, goal)
        assert (solution.status, solution.moves, solution.optimal) == ("solved", "", True), algorithm
        assert (solution.expanded, solution.generated) == (0, 0), algorithm


@pytest.mark.slow
def test_the_default_max_length_is_enough_for_every_goal_of_the_shape():
    """Other homes than these are their reflections."""
    for shape in [(2, 2), (2, 3), (3, 2), (3, 3), (2, 4), (4, 2)]:
        ends = []
        for row, col in itertools.product(range((shape[0] + 1) // 2), range((shape[1] + 1) // 2)):
            goal = Board.goal(shape, row * shape[1] + col)
            board = farthest(goal)
            solution = search(board, algorithm="depth-first", goal=goal)
            check(solution, board, goal)
            assert solution.status == "solved"
            ends.append(solver_of(goal).distance(board))
        assert search(board, algorithm="depth-first", goal=goal, max_length=max(ends)).status == "solved"


def test_unsolvable_and_unreadable_boards():
    for algorithm in ALGORITHMS:
        with pytest.raises(UnsolvableError, match="cannot reach the goal"):
            search("1 2 3/4 5 6/8 7 0", algorithm=algorithm)
    with pytest.raises(BoardError):
        search("1 2 3/4 5 6/8 8 0")
    with pytest.raises(BoardError):
        search("1 2 3/4 5 6/7 8 0", goal="1 2/3 0")


# ---------------------------------------------------------------- the same search, seen through a symmetry


def turned(board):
    return Board(board.tiles[::-1], board.shape)


@pytest.mark.parametrize("name", ["tables:embedded", "linear-conflict"])
def test_a_board_upside_down(name):
    """Turning board, goal and move order changes neither counts nor, turned back, moves.

    With tables, one of the two goals is the canonical one, and the other is turned before the search.
    """
    goal, half_turn = Board.goal(), str.maketrans("ULRD", "DRLU")
    first, second = heuristic_of(name, goal), heuristic_of(name, turned(goal))
    for algorithm, (seed, order) in itertools.product(INFORMED, enumerate(("ULRD", "RDUL", "DLUR"))):
        if (algorithm, name) == ("beam-stack", "linear-conflict"):
            continue  # it breaks ties by the board
        board, options = near(goal, seed, 24), {"algorithm": algorithm, "max_nodes": 10_000}
        one = search(board, heuristic=first, move_order=order, **options)
        two = search(turned(board), heuristic=second, move_order=order.translate(half_turn), **options)
        for field in ("status", "expanded", "generated", "lower_bound"):
            assert getattr(one, field) == getattr(two, field), algorithm
        assert one.moves == (None if two.moves is None else two.moves.translate(half_turn))


# ---------------------------------------------------------------- options


def test_move_orders_differ_in_nodes():
    assert len({search(FAR, algorithm="ida*", move_order=order).generated for order in ("ULRD", "DRLU", "lrud")}) == 3


def test_iterations_in_korfs_order():
    """Board 79 of Korf's: 540,860 nodes generated, the root counted."""
    board = "0 1 9 7/11 13 5 3/14 12 4 2/8 6 10 15"
    told = []
    solution = search(board, algorithm="ida*", goal=KORF_GOAL, on_iteration=told.append)
    assert (solution.length, solution.generated + 1) == (42, 540_860)
    assert tuple(told) == solution.iterations
    assert [iteration.bound for iteration in told] == list(range(told[0].bound, 43, 2))
    assert sum(iteration.generated for iteration in told) == solution.generated


def test_default_ties():
    expected = {"a*": "larger-g", "weighted-a*": "larger-g", "greedy": "fifo", "branch-and-bound": "fifo"}
    for algorithm, ties in expected.items():
        counts = {name: search(FAR, algorithm=algorithm, ties=name).generated for name in TIES}
        assert search(FAR, algorithm=algorithm).generated == counts[ties]
        assert len(set(counts.values())) > 1


def test_weights():
    lengths = {}
    for weight in (1, 1.25, "4/3", 2, Fraction(7, 2), 64):
        solution = search(FAR, algorithm="weighted-a*", weight=weight)
        assert 31 <= solution.length <= 31 * Fraction(weight) and solution.lower_bound <= 31
        lengths[weight] = solution.length
    assert lengths[1] == 31 < lengths[64]
    assert search(FAR, algorithm="weighted-a*", weight=1).optimal
    assert search(FAR, algorithm="weighted-a*").length == lengths[2]


@pytest.mark.parametrize("weight", [2, 3, Fraction(3, 2)])
@pytest.mark.parametrize("max_nodes", [None, 50, 200])
def test_what_weighted_a_star_proves(weight, max_nodes):
    """The largest of the least values that were ever open, by the weight and rounded up; then the parity is known."""
    for board in (Board.random(seed, (2, 4)) for seed in range(6)):
        told = []
        options = {"algorithm": "weighted-a*", "weight": weight, "heuristic": "misplaced", "max_nodes": max_nodes}
        solution = search(board, on_expand=told.append, **options)
        bound = math.ceil(max(Fraction(each.f) for each in told) / weight)
        assert solution.lower_bound == bound + (bound + board.manhattan()) % 2


def test_a_proof_has_the_nodes_that_the_search_left():
    first = search(HARD, algorithm="greedy", max_nodes=10**6)
    for more in (50, 2000):
        both = search(HARD, algorithm="greedy", max_nodes=first.generated + more, prove=True)
        assert both.status == "limit" and both.length == first.length
        proof = Solver().solve(HARD, max_length=first.length - 2, max_nodes=more)
        assert both.generated == first.generated + proof.generated


def test_default_width():
    assert search(HARD, algorithm="beam").expanded == search(HARD, algorithm="beam", width=100).expanded


def test_paths_longer_than_g_counts():
    """Without a heuristic, the last node goes first. A better solution may be found before the limit."""
    board = Board.random(3, (3, 3))
    solution = search(board, algorithm="greedy", heuristic="zero", ties="lifo")
    check(solution, board, Board.goal((3, 3)))
    assert solution.length > 3 * 1023 and solution.lower_bound <= 2
    options = {"algorithm": "branch-and-bound", "heuristic": "zero", "ties": "lifo"}
    for more in (0, 20_000):
        better = search(board, max_nodes=solution.generated + more, **options)
        check(better, board, Board.goal((3, 3)))
        assert better.moves is None or better.length <= solution.length


def test_searches_that_find_nothing():
    board, farther = Board("1 2 3/4 5 6/0 7 8"), Board("2 3 5/4 0 6/1 7 8")  # 2 and 12 moves
    assert search(FAR, algorithm="hill-climbing").status == "failed"
    for depth, bound in ((0, 2), (1, 2), (11, 12)):
        solution = search(farther if depth == 11 else board, algorithm="depth-first", max_length=depth)
        assert (solution.status, solution.moves, solution.lower_bound) == ("failed", None, bound)
        assert not solution.optimal and solution.length is None and list(solution.boards()) == []
    assert search(board, algorithm="depth-first", max_length=2).moves == "LL"


def test_depth_first_reports_its_limit():
    """On 3x3 it stops at the farthest board's distance by itself, so an answer of 31 moves would look optimal."""
    solution = search("1 2 3/4 5 6/0 7 8", algorithm="depth-first")
    assert solution.max_length == 31 and not solution.optimal and solution.to_dict()["max_length"] == 31
    assert str(solution).startswith(f"{solution.length} moves within the depth limit 31: ")
    runs = plan_runs((3, 3), algorithms=["depth-first", "a*"])
    rows = [format_row(runs, each) for each in compare("1 2 3/4 5 6/0 7 8", algorithms=["depth-first", "a*"])]
    assert rows[0].endswith("  solved within 31 moves") and rows[1].endswith("  solved")
    assert search(FAR).max_length is None
    assert str(search(FAR, algorithm="depth-first", max_length=9)).startswith("failed within the depth limit 9: at")
    proved = search("1 2 3/4 5 6/0 7 8", algorithm="depth-first", prove=True)
    assert str(proved) == "2 moves: L2"


def test_one_heuristic_for_many_boards():
    goal = shuffled(3, (3, 4))
    estimate = heuristic("walking-distance", goal=goal)
    board = near(goal, 1, 10)
    solution = search(board.tiles, heuristic=estimate)  # goal and shape are the heuristic's
    check(solution, board, goal)
    with pytest.raises(ValueError, match="it is for the goal"):
        search(board, heuristic=estimate, goal=board)


# ---------------------------------------------------------------- limits


#: All but hill-climbing, which ends after two nodes. The greedy search solves the board in a millisecond, with 4 MB.
LIMITED = [
    *((name, {"max_nodes": 1000}) for name in ALGORITHMS if name != "hill-climbing"),
    *((name, {"time_limit_s": 0.01}) for name in ALGORITHMS if name not in ("hill-climbing", "greedy")),
    *((name, {"max_memory": 10_000_000}) for name in REMEMBERING if name not in ("greedy", "beam", "sma*", "ida*-tt")),
]


@pytest.mark.parametrize("algorithm, limit", LIMITED)
@timed
def test_limits(algorithm, limit):
    options = {"max_length": 40} if algorithm == "depth-first" else {"width": 10**6} if "beam" in algorithm else {}
    solution = search(HARD, algorithm=algorithm, **options, **limit)
    check(solution, HARD, Board.goal())
    assert solution.status == "limit" and (solution.moves is None or algorithm in GOING_ON)
    assert solution.lower_bound <= 70
    if algorithm in INFORMED:
        assert solution.lower_bound >= twins.manhattan((4, 4), HARD.tiles, Board.goal().tiles)
    if "max_nodes" in limit:
        assert 1000 <= solution.generated < 1010
    if "max_memory" in limit:
        assert 8_000_000 < solution.memory_bytes <= 10_000_000
    if "time_limit_s" in limit:
        at_most(solution.seconds, 1)


def test_too_little_memory_to_begin_with():
    for algorithm, size in itertools.product(REMEMBERING, (0, 1000)):
        solution = search(HARD, algorithm=algorithm, max_memory=size)
        check(solution, HARD, Board.goal())
        assert (solution.status, solution.memory_bytes) == ("limit", 0), algorithm
        assert solution.lower_bound == (34 if algorithm in INFORMED else 2), algorithm


def test_a_limit_proves_more_with_more_nodes():
    for algorithm in ("a*", *MEETING):
        bounds = [search(HARD, algorithm=algorithm, max_nodes=nodes).lower_bound for nodes in (0, 1000, 100_000)]
        assert 34 <= bounds[0] <= bounds[1] < bounds[2] <= 70, algorithm


def test_limits_between_the_meeting_and_the_proof():
    for algorithm in MEETING:
        whole, found = search(FAR, algorithm=algorithm).generated, 0
        for nodes in range(0, whole, whole // 20):
            solution = search(FAR, algorithm=algorithm, max_nodes=nodes)
            check(solution, FAR, Board.goal((3, 3)))
            assert nodes <= solution.generated < nodes + 6 and solution.lower_bound <= 31
            found += solution.moves is not None
        assert found or algorithm != "mm"


def test_sma_star_and_the_table_of_ida_star_keep_to_their_memory():
    for algorithm, size in itertools.product(("sma*", "ida*-tt"), (40 * 48, 20_000, "1M")):
        solution = search(FAR, algorithm=algorithm, max_memory=size)
        check(solution, FAR, Board.goal((3, 3)))
        enough = (algorithm, size) != ("ida*-tt", 40 * 48)
        assert (solution.status, solution.length) == (("solved", 31) if enough else ("limit", None))
    solution = search(HARD, algorithm="sma*", max_memory=40 * 48)
    check(solution, HARD, Board.goal())
    assert (solution.status, solution.moves) == ("limit", None)
    assert 40 <= solution.lower_bound <= 70 and solution.memory_bytes <= 40 * 48


def test_branch_and_bound_has_a_solution_before_it_ends():
    board = near(Board.goal(), 5, 60)
    free = search(board, algorithm="greedy")
    solution = search(board, algorithm="branch-and-bound", max_nodes=free.generated + 1000)
    check(solution, board, Board.goal())
    assert solution.status == "limit" and not solution.optimal
    assert solution.lower_bound < solution.length <= free.length


def test_what_is_remembered():
    for algorithm in ALGORITHMS:
        solution = search(FAR, algorithm=algorithm, max_nodes=50_000)
        if algorithm in REMEMBERING and algorithm != "ida*-tt":
            assert solution.largest_open > 0 and solution.largest_closed > 0, algorithm
            assert solution.memory_bytes >= 8 * max(solution.largest_open, solution.largest_closed), algorithm
        elif algorithm != "hill-climbing":
            assert (solution.largest_open, solution.largest_closed) == (0, 0), algorithm
        assert solution.seconds > 0


def test_proofs_use_tables_that_came_later(tables_7_8, tmp_path):
    board = near(Board.goal(), 5, 200)
    proofs = [search(board, algorithm="greedy", prove=True, tables=tmp_path)]
    for path in tables_7_8.glob("*.p15"):
        (tmp_path / path.name).symlink_to(path)
    proofs += [search(board, algorithm="greedy", prove=True, tables=folder) for folder in (tmp_path, tables_7_8)]
    assert [proof.optimal for proof in proofs] == [True] * 3
    assert proofs[0].generated != proofs[1].generated == proofs[2].generated


@pytest.mark.parametrize("algorithm", ["a*", "ida*", "branch-and-bound"])
def test_a_bound_above_that_of_the_farthest_board_is_corruption(algorithm, monkeypatch):
    """Here a sound table, and a search that knows of no board that far."""
    h = heuristic("tables:embedded", shape=(3, 3))
    assert search(FAR, algorithm=algorithm, heuristic=h).length == 31
    monkeypatch.setattr(run, "farthest", lambda shape, home: 30)
    with pytest.raises(
        TableCorruptError, match="31 moves at least, but no board needs more than 30; .*puzzle15 verify"
    ):
        search(FAR, algorithm=algorithm, heuristic=h)
