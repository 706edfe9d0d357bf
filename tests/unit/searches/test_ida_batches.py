"""IDA* in batches: the iterations of IDA* without them, right answers, limits, what a function is given at once."""

import itertools
from functools import cache

import numpy as np
import own_heuristics
import pytest
import twins
from own_heuristics import HARDER
from searching import ORDERS, boards_of_all_distances, near, some_boards

from puzzle15 import Board, search
from puzzle15.heuristics import HeuristicFunction
from puzzle15.searches import SearchTree

GOAL = Board.goal((3, 3))
BATCHES = (2, 3, 7, 64, 1000, 16384)


def uneven(boards, goal):
    """Up to six more or less than Manhattan distance: neither admissible nor consistent."""
    values = own_heuristics.taxicab(boards, goal)
    return np.where(values == 0, 0, values + (boards[:, 0].astype(int) * 5 + boards[:, 4] * 3) % 13 - 6).clip(0)


OWN = HeuristicFunction(uneven, goal="any", takes="array")


def boards_of(h):
    """Nearer ones for a function in Python."""
    return [near(GOAL, seed, 12) for seed in range(4)] if h == OWN else some_boards(GOAL, 5)


#: Without batches, a board is searched once.
single = cache(search)


def replayed(solution):
    return twins.replay(solution.board.shape, solution.board.tiles, solution.moves) == solution.goal.tiles


@pytest.mark.parametrize("h", ["manhattan", "linear-conflict", OWN], ids=str)
def test_iterations_are_those_of_single_nodes(h):
    for (number, board), batch in itertools.product(enumerate(boards_of(h)), BATCHES):
        options = {"algorithm": "ida*", "heuristic": h, "move_order": ORDERS[number % 4]}
        one, many = single(board, **options), search(board, **options, batch=batch)
        assert many.iterations[:-1] == one.iterations[:-1] and many.iterations[-1].bound == one.iterations[-1].bound
        assert many.expanded == sum(each.expanded for each in many.iterations)
        assert many.generated == sum(each.generated for each in many.iterations)
        assert replayed(many) and many.optimal == one.optimal
        assert many.length == one.length if h != OWN else many.length <= one.iterations[-1].bound


def test_shortest_solutions_at_every_distance():
    for distance, board in enumerate(boards_of_all_distances()):
        solution = search(board, algorithm="ida*", batch=1 + distance)
        assert (solution.length, solution.optimal) == (distance, True) and replayed(solution)
    assert search(GOAL, algorithm="ida*", batch=5).moves == ""


@pytest.mark.slow
def test_shortest_solutions_of_many_boards():
    for board in some_boards(GOAL, 300):
        for batch in (2, 50):
            solution = search(board, algorithm="ida*", batch=batch, heuristic="walking-distance")
            assert solution.length == search(board).length and replayed(solution)


def test_the_function_is_given_many_boards_at_once():
    sizes = []

    def counted(boards):
        sizes.append(len(boards))
        return own_heuristics.home_last(boards)

    own = HeuristicFunction(counted, admissible=True, batch=256)
    solution = search(HARDER, algorithm="ida*", heuristic=own)
    ours = search(HARDER, algorithm="ida*", batch=256)
    assert (solution.moves, solution.iterations) == (ours.moves, ours.iterations) and replayed(solution)
    assert max(sizes) > 400 and sum(sizes) <= solution.generated + 4 * 256 and len(sizes) < solution.generated / 50


def test_limits():
    """A limit of memory is tried in tests/c/search/test_searches.c."""
    for max_nodes in (0, 1, 2, 5, 100, 1001):
        one, many = (search(HARDER, algorithm="ida*", max_nodes=max_nodes, batch=batch) for batch in (1, 100))
        assert one.status == many.status == "limit" and many.lower_bound == one.lower_bound
        assert max_nodes <= many.generated <= max_nodes + 3
        assert [each for each in many.iterations if each not in one.iterations] == []


def test_expansions_are_recorded():
    """Those of the iterations that end are the same, in another order."""

    def nodes(batch):
        tree = SearchTree()
        solution = search(HARDER, algorithm="ida*", batch=batch, on_expand=tree.add)
        made = [e for e in tree.expansions if e.fate == "expanded"]
        assert len(made) == solution.expanded and tree.expansions[-1].fate == "goal"
        for e in tree.expansions:  # their parents are those that made them
            if e.parent is not None:
                parent = tree.expansions[e.parent - 1]
                assert (e.board, e.g, e.move) in [(child.board, child.g, child.move) for child in parent.children]
        done = [e for e in made if e.iteration < len(solution.iterations)]
        return sorted((e.iteration, str(e.board), e.g, [(c.move, c.h, c.fate) for c in e.children]) for e in done)

    assert nodes(1) == nodes(9) == nodes(300)


def test_no_batches_where_there_are_none():
    for algorithm in ("ida*-tt", "iterative-deepening"):
        with pytest.raises(ValueError, match="batch: .* does not use it"):
            search(HARDER, algorithm=algorithm, batch=2)
