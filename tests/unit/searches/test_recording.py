"""What searches tell of their expansions: against the twins, with limits, errors and other callables."""

import itertools
import math

import pytest
import search_twins
import twins

from puzzle15 import Board, search
from puzzle15.searches import order_of

SHAPES = [(2, 2), (2, 3), (3, 3), (2, 4), (4, 4)]
ORDERS = ["ULRD", "DRLU", "LDUR", "RUDL"]

H = {
    "zero": lambda shape, board, goal: 0,
    "misplaced": twins.misplaced,
    "manhattan": twins.manhattan,
    "linear-conflict": lambda *args: twins.manhattan(*args) + 2 * twins.linear_conflicts(*args),
    "walking-distance": twins.walking_distance,
}

#: Options of every search: of algorithm, those of `search`, and of its twin.
BEST_FIRST = {
    "breadth-first": {"g_weight": 1, "h_weight": 0},
    "a*": {"g_weight": 1, "h_weight": 1},
    "weighted-a*": {"g_weight": 1, "h_weight": 2},
    "greedy": {"g_weight": 0, "h_weight": 1},
    "branch-and-bound": {"g_weight": 0, "h_weight": 1, "prove": True, "f_of": lambda g, h: g + h},
}


def near(goal, seed, steps):
    """A board some moves from the goal."""
    board, last = goal, None
    for step in range(steps):
        choices = [(letter, child) for letter, child in board.neighbours() if child != last]
        last, (_, board) = board, choices[(seed + step * step) % len(choices)]
    return board


def plain(expansion):
    """An expansion as the twins tell it."""
    children = tuple((child.board.tiles, *child[1:]) for child in expansion.children)
    return (*expansion[:4], expansion.board.tiles, *expansion[5:-1], children)


def recorded(board, **options):
    """The solution and the expansions of a search, after checking that recording changes nothing else."""
    told = []
    solution = search(board, on_expand=told.append, **options)
    alone = search(board, **options)
    assert same(solution) == same(alone)
    fates = [expansion.fate for expansion in told]
    assert fates.count("expanded") == solution.expanded
    assert (fates[-1:] == ["goal"]) == (solution.status == "solved") or options.get("algorithm") == "branch-and-bound"
    assert [expansion.number for expansion in told] == list(range(1, len(told) + 1))
    if not is_deepening(options["algorithm"]):
        assert sum(len(expansion.children) for expansion in told) == solution.generated
    return solution, told


def same(solution):
    """What two equal searches have in common; the bundles of deepening searches take memory, its walks do not."""
    left_out = ["seconds"] + ["memory_bytes"] * is_deepening(solution.algorithm)
    return {name: value for name, value in solution.to_dict().items() if name not in left_out}


def is_deepening(algorithm):
    return algorithm in ("ida*", "iterative-deepening", "depth-first")


def check(board, goal, twin, **options):
    _, told = recorded(board, goal=goal, **options)
    if options.get("heuristic") is None:
        assert all(expansion.h is None for expansion in told)
    expected = list(twin)
    for one, other in itertools.zip_longest(map(plain, told), expected):
        assert one == other
    assert [type(one.f) for one in told] == [type(other[9]) for other in expected]


def cases(name, steps, count):
    """(board, goal, h of the twin, order) on every shape."""
    for number, shape in enumerate(SHAPES):
        for seed in range(count):
            goal = Board.goal(shape, (seed * 3 + number) % math.prod(shape))
            board = near(goal, seed + number, min(steps, 3 * math.prod(shape)) - seed if seed < 4 else 0)
            order = ORDERS[(seed + number) % 4]
            yield board, goal, lambda tiles, goal=goal: H[name](goal.shape, tiles, goal.tiles), order


@pytest.mark.parametrize("ties", ["fifo", "lifo", "larger-g"])
@pytest.mark.parametrize("name", ["zero", "manhattan", "linear-conflict"])
@pytest.mark.parametrize("algorithm", ["a*", "weighted-a*", "greedy", "branch-and-bound"])
def test_best_first_searches(algorithm, name, ties):
    most = {"branch-and-bound": 6, "greedy": 6}.get(algorithm, 16) if name == "zero" else 16
    most = min(most, 8) if algorithm == "branch-and-bound" else most  # it visits most boards
    for board, goal, h, order in cases(name, 7 if name == "zero" else 16, 5):
        for batch in ([1, 3] if algorithm != "branch-and-bound" else [1]) if len(board) <= most else []:
            twin = search_twins.best_first(
                board.shape,
                board.tiles,
                goal.tiles,
                h,
                order_of(order),
                ties=ties,
                batch=batch,
                **BEST_FIRST[algorithm],
            )
            options = {"ties": ties, "move_order": order, **({"batch": batch} if batch > 1 else {})}
            check(board, goal, twin, algorithm=algorithm, heuristic=name, **options)


@pytest.mark.parametrize("weight, g_weight, h_weight", [(1, 1, 1), (1.25, 4, 5), ("4/3", 3, 4), (64, 1, 64)])
def test_f_of_weighted_a_star(weight, g_weight, h_weight):
    for board, goal, h, order in cases("manhattan", 16, 3):
        weights = {"g_weight": g_weight, "h_weight": h_weight}
        twin = search_twins.best_first(
            board.shape, board.tiles, goal.tiles, h, order_of(order), ties="larger-g", **weights
        )
        options = {"weight": weight, "heuristic": "manhattan", "move_order": order}
        check(board, goal, twin, algorithm="weighted-a*", **options)


def test_breadth_first():
    for board, goal, h, order in cases("zero", 8, 6):
        twin = search_twins.best_first(
            board.shape,
            board.tiles,
            goal.tiles,
            h,
            order_of(order),
            ties="fifo",
            informed=False,
            **BEST_FIRST["breadth-first"],
        )
        check(board, goal, twin, algorithm="breadth-first", move_order=order)


def test_bidirectional():
    for board, goal, _, order in cases("zero", 12, 8):
        twin = search_twins.bidirectional(board.shape, board.tiles, goal.tiles, order_of(order))
        check(board, goal, twin, algorithm="bidirectional", move_order=order)


@pytest.mark.parametrize("name", ["misplaced", "manhattan", "linear-conflict", "walking-distance"])
def test_ida_star(name):
    for board, goal, h, order in cases(name, 16, 6):
        twin = search_twins.deepening(board.shape, board.tiles, goal.tiles, h, order_of(order))
        check(board, goal, twin, algorithm="ida*", heuristic=name, move_order=order)


def test_iterative_deepening():
    for board, goal, h, order in cases("zero", 8, 6):
        twin = search_twins.deepening(board.shape, board.tiles, goal.tiles, h, order_of(order), informed=False)
        check(board, goal, twin, algorithm="iterative-deepening", move_order=order)


@pytest.mark.parametrize("limit", [0, 3, 9])
def test_depth_first(limit):
    for board, goal, h, order in cases("zero", 8, 6):
        limits = {"first_bound": limit, "last_bound": limit, "iterates": False, "informed": False}
        twin = search_twins.deepening(board.shape, board.tiles, goal.tiles, h, order_of(order), **limits)
        check(board, goal, twin, algorithm="depth-first", depth_limit=limit, move_order=order)


@pytest.mark.parametrize("width", [1, 2, 7, 100])
@pytest.mark.parametrize("name", ["zero", "manhattan"])
def test_beam(name, width):
    for board, goal, h, order in cases(name, 16 if name == "manhattan" else 6, 6):
        if name == "zero" and len(board) > 6:
            continue  # it would visit most boards
        twin = search_twins.beam(board.shape, board.tiles, goal.tiles, h, order_of(order), width)
        check(board, goal, twin, algorithm="beam", heuristic=name, width=width, move_order=order)


@pytest.mark.parametrize("name", ["misplaced", "manhattan", "linear-conflict"])
def test_hill_climbing(name):
    for board, goal, h, order in cases(name, 9, 12):
        twin = search_twins.hill_climbing(board.shape, board.tiles, goal.tiles, h, order_of(order))
        check(board, goal, twin, algorithm="hill-climbing", heuristic=name, move_order=order)
