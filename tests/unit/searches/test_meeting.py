"""MM, MMe and NBS: against their twins, true distances, limits; heuristics that look at turned boards."""

from functools import cache

import meeting_twins
import numpy as np
import pytest
import twins
from searching import FAR, ORDERS, check_twin, definition, near

from puzzle15 import Board, Solver, build_tables, search
from puzzle15._core.search.searches import RULES, meeting
from puzzle15.board._moves import order_of
from puzzle15.heuristics import HeuristicFunction, heuristic


def check(board, goal, h, h_back, algorithm, order, batch=1, **options):
    """Every expansion, and what the search counts."""
    ends = board.tiles, goal.tiles
    twin = meeting_twins.meeting(board.shape, *ends, h, h_back, order_of(order), rule=algorithm, batch=batch)
    options = {**options, "algorithm": algorithm, "move_order": order, "batch": batch}
    solution, told = check_twin(board, goal, twin, **options)
    assert solution.optimal and solution.expanded == len(told) - 1
    return solution, told


@pytest.mark.parametrize("name", ["zero", "misplaced", "manhattan", "linear-conflict"])
@pytest.mark.parametrize("algorithm", RULES)
def test_every_expansion(algorithm, name):
    most = {"zero": 8, "misplaced": 12}.get(name, 16)
    for seed, shape in enumerate([(2, 2), (2, 3), (3, 3), (3, 3), (2, 5), (3, 4), (4, 4)]):
        goal = Board.goal(shape, 3 * seed % (shape[0] * shape[1]))
        board = near(goal, seed, min(5 * seed, most))
        h, h_back = definition(name, goal), definition(name, board)
        for batch in (1, 3 if seed % 2 else 8):
            check(board, goal, h, h_back, algorithm, ORDERS[seed % 4], batch, heuristic=name)


@pytest.mark.parametrize("algorithm", RULES)
def test_inconsistent_heuristics_reopen_and_stay_optimal(algorithm, tmp_path):
    """Classic tables let the bound fall by more than one per move. They look at turned boards."""
    goal = Board.goal((3, 3), 6)
    build_tables("1-4/5-8", shape=(3, 3), format="classic", tables=tmp_path)
    again = 0
    for seed in (18, 27, 58):
        board = near(goal, seed, 40)
        assert board.blank in (0, 2, 6, 8)  # otherwise other tables are needed
        estimates = [heuristic("tables:1-4/5-8:classic", goal=end, tables=tmp_path) for end in (goal, board)]
        assert not estimates[0].consistent
        h, h_back = [cache(lambda tiles, h=h: h(Board(tiles, (3, 3)))) for h in estimates]
        options = {"heuristic": "tables:1-4/5-8:classic", "tables": tmp_path}
        solution, told = check(board, goal, h, h_back, algorithm, "ULRD", **options)
        assert solution.length == Solver(goal=goal).distance(board)
        again += len(told) - len({(expansion.side, expansion.board) for expansion in told})
    assert again > 0


def test_a_mean_of_expansions():
    """MMe and NBS need fewer expansions than MM."""
    boards = [Board.random(seed, (3, 3)) for seed in range(10)]
    expanded = {rule: sum(search(board, algorithm=rule).expanded for board in boards) for rule in RULES}
    assert expanded["nbs"] < expanded["mme"] < expanded["mm"]


def test_a_proof_after_a_limit():
    """`prove` completes what a limit of memory left open."""
    assert search(FAR, algorithm="nbs", max_memory=150_000).status == "limit"
    solution = search(FAR, algorithm="mm", prove=True)
    assert (solution.optimal, solution.length) == (True, 31)


# ---------------------------------------------------------------------------------------------------- errors


def test_a_heuristic_that_knows_one_goal_only():
    board = near(Board.goal(), 1, 9)
    assert board.blank not in (0, 3, 12, 15)
    with pytest.raises(ValueError, match="^heuristic: nbs needs it toward the board, too: .*networks are for 4x4"):
        search(board, algorithm="nbs", heuristic="ann")


def test_a_function_for_one_goal_is_refused_and_one_for_any_is_taken():
    def taxicab(boards, goal):
        return [twins.manhattan((3, 3), board, goal.tolist()) for board in boards.tolist()]

    board = "1 5 2/4 0 3/7 8 6"
    with pytest.raises(
        ValueError, match="^heuristic: mm needs it toward the board, too: .*expected a function for any"
    ):
        search(board, algorithm="mm", heuristic=lambda boards: taxicab(boards, np.array(Board.goal((3, 3)).tiles)))
    own = HeuristicFunction(taxicab, admissible=True, consistent=True, goal="any")
    for algorithm in RULES:
        solution, plain = search(board, algorithm=algorithm, heuristic=own), search(board, algorithm=algorithm)
        assert (solution.length, solution.expanded, solution.optimal) == (plain.length, plain.expanded, True)


def test_networks_from_corner_to_corner():
    board = next(board for seed in range(99) if (board := near(Board.goal(), seed, 12)).blank in (0, 3, 12))
    solution = search(board, algorithm="mme", heuristic="ann")
    assert solution.status == "solved" and board.apply(solution.moves) == Board.goal()


def test_arguments_are_checked():
    evaluator, _, back = heuristic("manhattan", shape=(3, 3)).prepare()
    other = heuristic("manhattan", goal=FAR).prepare()[0]
    good = {"rule": 0, "goal": evaluator.goal, "backward": other, "backs": (back, back), "max_bytes": 1 << 30}
    assert meeting(evaluator, FAR.packed, bytes(range(4)), **good)["status"] == "solved"
    for bad in (
        {"rule": 3},
        {"backs": (back, b"\0\1")},
        {"backs": (back, bytes([1, 0, 3, 2]))},
        {"backs": (back, bytes([1, 0, 2, 3]))},
        {"backs": (back, bytes([0, 1, 2, 9]))},
        {"backward": heuristic("manhattan").prepare()[0]},
    ):
        with pytest.raises(ValueError):
            meeting(evaluator, FAR.packed, bytes(range(4)), **{**good, **bad})
    assert meeting(evaluator, FAR.packed, bytes(range(4)), **{**good, "max_bytes": 1000}) is None
