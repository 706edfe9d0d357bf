"""Searches with a policy or with values of moves, against plain searches with the same, and what they promise."""

import math
import pickle
from functools import cache, partial
from heapq import heappop, heappush

import numpy as np
import pytest

from puzzle15 import ALGORITHMS, Board, heuristic, search, search_many
from puzzle15.board import pack_boards
from puzzle15.dataset._distances import levels_to
from puzzle15.errors import AlgorithmError
from puzzle15.nodes import children
from puzzle15.searches import algorithm_of, register_policy, register_values

SHAPE = (2, 3)
GOAL = Board.goal(SHAPE)
FAR = "8 6 7/2 5 4/3 0 1"


def after_moves(boards, shape=SHAPE, name="manhattan", of_illegal=-5.0):
    """The heuristic of the board after each move."""
    packed = pack_boards(boards, shape)[0]
    made = children(packed, shape)
    values = np.full((len(packed), 4), of_illegal)
    values[made.parent, made.direction] = heuristic(name, shape=shape).many(made.packed)
    return values


def evenly(boards):
    return np.ones((len(boards), 4), dtype=int)


def downhill(boards):
    return np.exp(-after_moves(boards))


def seldom_left(boards):
    return np.where(np.arange(4) == 1, 0.01, downhill(boards))


@cache
def levels():
    """All boards of 2x3 by their distance."""
    return [[Board(int(packed), SHAPE) for packed in level] for level in levels_to(GOAL, 99)]


# ---------------------------------------------------------------- policies


@cache
def probabilities(policy, board):
    """The probability of each move of a board, by its letter."""
    given = policy(np.array([board.tiles], dtype=np.uint8))[0]
    chances = {letter: float(given["DRLU".index(letter)]) for letter, _ in board.neighbours()}
    return {letter: chance / sum(chances.values()) for letter, chance in chances.items()}


def probability(policy, board, moves):
    product = 1.0
    for letter in moves:
        product *= probabilities(policy, board)[letter]
        board = board.move(letter)
    return product


def least_cost(policy, board):
    """The least g / p of a solution: best-first search in the tree of all paths but those that undo a move."""
    waiting = [(0.0, 0, 1.0, board, "")]
    while True:
        cost, g, p, board, last = heappop(waiting)
        if board == GOAL:
            return cost
        for letter, child in board.neighbours():
            chance = p * probabilities(policy, board)[letter]
            if {letter, last} not in ({"U", "D"}, {"L", "R"}) and chance:
                heappush(waiting, ((g + 1) / chance, g + 1, chance, child, letter))


@pytest.mark.parametrize("policy", [downhill, seldom_left, evenly])
def test_levin_tree_search_keeps_its_bound(policy):
    """Boards that are reached again are cut, which must not cut the cheapest solution off."""
    register_policy(policy, name="levin", informed=False)
    for level in levels()[: 8 if policy is evenly else 13]:
        for board in level[:2]:
            solution = search(board, algorithm="levin")
            assert solution.status == "solved" and (not solution.optimal or solution.length == solution.lower_bound)
            cost = least_cost(policy, board) * math.exp(1 / 16)
            assert solution.length / probability(policy, board, solution.moves) <= cost + 1e-9
            assert solution.expanded <= 1 + cost
            batch = search(board, algorithm="levin", batch=5)
            assert batch.status == "solved" and batch.expanded <= 5 * (1 + cost)


def test_a_heuristic_goes_beside_the_policy():
    register_policy(evenly, name="phs*")
    register_policy(evenly, name="levin", informed=False)
    blind = search(FAR, algorithm="levin", batch=512)
    guided = search(FAR, algorithm="phs*", batch=512, heuristic="manhattan")
    assert guided.status == blind.status == "solved" and guided.heuristic == "manhattan" and blind.heuristic is None
    assert guided.expanded < blind.expanded / 4
    assert search(FAR, algorithm="phs*", batch=512, heuristic="zero").expanded == blind.expanded


def test_moves_of_no_probability_are_not_made():
    only = register_policy(lambda boards: np.array([[1.0, 0, 0, 1]] * len(boards)), name="up-down", informed=False)
    assert only.func is not None and search("1 2 0/4 5 3", algorithm="up-down").moves == "U"
    assert search("1 2 3/4 0 5", algorithm="up-down").status == "failed"


# ---------------------------------------------------------------- values of moves


@pytest.mark.parametrize("name, batch", [("zero", 64), ("manhattan", 1), ("manhattan", 7), ("walking-distance", 4096)])
def test_q_star_is_exact(name, batch):
    register_values(partial(after_moves, name=name), name="q*", admissible=True, batch=batch)
    for distance in range(batch % 2, len(levels()), 2):
        solution = search(levels()[distance][0], algorithm="q*")
        assert solution.length == distance and solution.optimal and solution.lower_bound == distance


def test_q_star_proves_its_first_solution():
    """Here a batch can have the goal before a shorter path to it is known."""

    def patchy(boards):
        return after_moves(boards, name="walking-distance") * (boards[:, :1] + boards[:, 4:5] & 1)

    register_values(patchy, name="q*", admissible=True, batch=4)
    assert {search(board, algorithm="q*").length for board in levels()[17][:8]} == {17}


def test_q_star_expands_what_a_star_must():
    """Once for each node, all with f below the length of the solution, and none with a larger one."""
    asked = []

    def values(boards):
        asked.append(boards)
        return after_moves(boards)

    register_values(values, name="q*", admissible=True)
    for board in levels()[14][:2]:
        asked.clear()
        solution = search(board, algorithm="q*")
        seen = [tuple(tiles) for boards in asked for tiles in boards.tolist()]
        f = {}
        for g, level in enumerate(levels_to(board, 99)):
            f.update((Board(int(packed), SHAPE).tiles, g + Board(int(packed), SHAPE).manhattan()) for packed in level)
        assert len(seen) == len(set(seen)) == solution.expanded
        assert {tiles for tiles in f if f[tiles] < 14} <= set(seen) <= {tiles for tiles in f if f[tiles] <= 14}


def test_q_star_ends_where_no_open_board_is_better():
    """Nothing is expanded behind the goal, although boards with the same f are open."""
    register_values(after_moves, name="q*", admissible=True)
    for board in (level[0] for level in levels()[9::3]):
        told = []
        search(board, algorithm="q*", on_expand=told.append)
        assert [each.fate for each in told].index("goal") == len(told) - 1


def test_q_star_rounds_what_it_proves_up():
    """Values that are lower by 1.5 prove as much: f of the first child is h less 1.5, and parity is known."""
    register_values(lambda boards: after_moves(boards) - 1.5, name="q*", admissible=True)
    for board in (level[0] for level in levels()[9::3]):
        assert search(board, algorithm="q*", max_nodes=1).lower_bound == board.manhattan()


def test_values_below_0_count_as_0():
    register_values(lambda boards: after_moves(boards) - 100, name="below", admissible=True)
    register_values(lambda boards: np.zeros((len(boards), 4)), name="zero", admissible=True)
    for board in (level[0] for level in levels()[9::3]):
        below, zero = (search(board, algorithm=name) for name in ("below", "zero"))
        assert (below.moves, below.expanded) == (zero.moves, zero.expanded)


def test_a_policy_is_not_asked_for_nothing():
    """Where all nodes of a batch are boards that were reached by better paths since."""
    asked = []

    def seldom(boards):
        asked.append(len(boards))
        return seldom_left(boards)

    register_policy(seldom, name="levin", informed=False)
    solutions = [search(board, algorithm="levin") for board in levels()[12][:4]]
    assert min(asked) > 0 and sum(asked) == sum(each.expanded for each in solutions)


def test_moves_of_infinite_value_are_not_made():
    register_values(lambda boards: np.array([[0, np.inf, np.inf, 0]] * len(boards)), name="q*", admissible=True)
    assert search("1 2 0/4 5 3", algorithm="q*").moves == "U" and search(FAR, algorithm="q*").status == "failed"


def test_moves_of_a_huge_value_are_made_last():
    """1e30 stands for never, as 1e13 does; as a key it would be the least of all."""

    def seldom(boards, value):
        return after_moves(boards) + value * (np.arange(4) == 1)

    for value in (1e13, 1e30, 1e300):
        register_values(partial(seldom, value=value), name=f"{value}", batch=4)
    for board in [level[0] for level in levels()[::3]]:
        expected, *found = (search(board, algorithm=f"{value}") for value in (1e13, 1e30, 1e300))
        assert all((each.moves, each.expanded) == (expected.moves, expected.expanded) for each in found)


def test_values_that_are_too_large_end_with_the_first_solution():
    register_values(lambda boards: 2.5 * after_moves(boards), name="q*")
    solutions = [search(board, algorithm="q*", batch=3) for board in levels()[15]]
    assert all(each.status == "solved" and not each.optimal for each in solutions if each.length > 15)
    assert any(each.length > 15 for each in solutions) and min(each.length for each in solutions) == 15
    register_values(lambda boards: 2.5 * after_moves(boards), name="q*", admissible=True)
    with pytest.raises(AlgorithmError, match="'q\\*': by it, .* moves at least, but .* are enough"):
        for board in levels()[15]:
            search(board, algorithm="q*")


# ---------------------------------------------------------------- both


def test_limits_and_workers():
    register_policy(downhill, name="levin", informed=False, batch=16)
    register_values(after_moves, name="q*", admissible=True)
    for name in ("levin", "q*"):
        told = []
        solution = search(levels()[12][0], algorithm=name, counts=True, on_expand=told.append)
        assert [each.fate for each in told].count("expanded") == solution.expanded == solution.counts.expanded.sum()
        assert sum(len(each.children) for each in told) == solution.generated == solution.counts.generated.sum()
        assert next(each.g for each in told if each.fate == "goal") == solution.length
        for limit in ({"max_nodes": 20}, {"time_limit_s": 0}, {"max_memory": "1k"}):
            assert search(levels()[18][0], algorithm=name, **limit).status == "limit"
        boards = [level[0] for level in levels()]
        assert pickle.loads(pickle.dumps(algorithm_of(name))).summary == ALGORITHMS[name].summary
        assert [each.status for each in search_many(boards, algorithm=name, workers=2)] == ["solved"] * len(boards)
        assert search(GOAL, algorithm=name).moves == ""


WRONG = [
    (
        lambda boards: np.zeros((len(boards), 3)),
        "an array of float64 of shape \\(1, 3\\) for 1 boards",
    ),
    (lambda boards: None, "an array of object of shape \\(\\)"),
    (lambda boards: np.full((len(boards), 4), np.nan), f"nan.* for {FAR}; expected numbers"),
    (lambda boards: np.full((len(boards), 4), -1.0), f"-1.* for {FAR}; expected numbers of at least 0, not all 0"),
    (lambda boards: np.zeros((len(boards), 4)), f"0.* for {FAR}; expected numbers of at least 0, not all 0"),
    (lambda boards: np.full((len(boards), 4), np.inf), f"inf.* for {FAR}; expected numbers of at least 0"),
]


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_what_is_no_policy(number):
    function, message = WRONG[number]
    register_policy(function, name="mine")
    with pytest.raises(AlgorithmError, match=f"<lambda>: it returned .*{message}"):
        search(FAR, algorithm="mine")
    if number < 3:
        register_values(function, name="other")
        with pytest.raises(AlgorithmError, match=f"<lambda>: it returned .*{message}"):
            search(FAR, algorithm="other")
