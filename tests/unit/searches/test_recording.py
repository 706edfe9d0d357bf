"""What searches tell of their expansions: against the twins, with limits, errors and other callables."""

import itertools
import time
from fractions import Fraction
from functools import cache, partial

import pytest
import search_twins
from searching import FAR, HARD, INFORMED, MEETING, ORDERS, cases, check_twin, heuristic_of, near, recorded, same
from timing import timed, within

from puzzle15 import ALGORITHMS, Board, build_tables, search
from puzzle15.heuristics import heuristic
from puzzle15.searches import SearchTree

SHAPES = [(2, 2), (2, 3), (3, 3), (2, 4), (4, 4)]
GOOD = ["misplaced", "manhattan", "linear-conflict"]
#: Options of every search: of algorithm, those of `search`, and of its twin.
BREADTH = {"g_weight": 1, "h_weight": 0}
BEST_FIRST = {
    "a*": {"g_weight": 1, "h_weight": 1},
    "weighted-a*": {"g_weight": 1, "h_weight": 2},
    "greedy": {"g_weight": 0, "h_weight": 1},
    "branch-and-bound": {"g_weight": 0, "h_weight": 1, "prove": True, "f_of": lambda g, h: g + h},
}


@pytest.mark.parametrize("algorithm", BEST_FIRST)
def test_best_first_searches(algorithm):
    """Every heuristic with every rule for ties; the shapes take turns with two sizes of batches."""
    turn = itertools.count()
    for name, ties in itertools.product(["zero", "manhattan", "linear-conflict"], ["fifo", "lifo", "larger-g"]):
        most = 8 if algorithm == "branch-and-bound" else 16  # it visits most boards
        most = 6 if name == "zero" and algorithm in ("branch-and-bound", "greedy") else most
        for board, goal, start, order in cases(name, 2, 7 if name == "zero" else 14):
            batch = 1 + 2 * (next(turn) // 2 % 2)  # two boards for each shape
            if len(board) <= most:
                twin = search_twins.best_first(*start, ties=ties, batch=batch, **BEST_FIRST[algorithm])
                options = {"ties": ties, "move_order": order, **({"batch": batch} if batch > 1 else {})}
                check_twin(board, goal, twin, algorithm=algorithm, heuristic=name, **options)


@pytest.mark.parametrize("weight", [1, 1.25, "4/3", 64, "1.333", "100"])
def test_f_of_weighted_a_star(weight):
    weights = {"g_weight": Fraction(weight).denominator, "h_weight": Fraction(weight).numerator}
    for board, goal, start, order in cases("manhattan", 3, 16, fewer=1):
        twin = search_twins.best_first(*start, ties="larger-g", **weights)
        options = {"weight": weight, "heuristic": "manhattan", "move_order": order}
        check_twin(board, goal, twin, algorithm="weighted-a*", **options)


@pytest.mark.parametrize("priority", ["xdp", "xup"])
@pytest.mark.parametrize("weight", ["1.1", "2"])
def test_priorities_that_curve(priority, weight):
    curve = search_twins.curve(priority, weight)
    for name, ties, batch in (("manhattan", "larger-g", 1), ("linear-conflict", "fifo", 1), ("misplaced", "lifo", 3)):
        for board, goal, start, order in cases(name, 2, 14):
            twin = search_twins.best_first(*start, ties=ties, batch=batch, row_of=curve, f_of=curve)
            options = {"weight": weight, "priority": priority, "heuristic": name, "move_order": order, "ties": ties}
            check_twin(board, goal, twin, algorithm="weighted-a*", batch=batch, **options)


def depth_first(*start, limit):
    return search_twins.deepening(*start, first_bound=limit, last_bound=limit, iterates=False, informed=False)


def bidirectional(shape, start, goal, h, order):
    return search_twins.bidirectional(shape, start, goal, order)


#: algorithm, heuristics, (count, steps) of the cases, its twin, options of the twin, options of the search
OTHERS = [
    ("breadth-first", [None], (3, 8), partial(search_twins.best_first, ties="fifo", informed=False), BREADTH, {}),
    ("bidirectional", [None], (4, 12), bidirectional, {}, {}),
    ("iterative-deepening", [None], (3, 7), partial(search_twins.deepening, informed=False), {}, {}),
    *(("depth-first", [None], (3, 7), depth_first, {"limit": n}, {"max_length": n}) for n in (0, 3, 7)),
    ("ida*", GOOD, (3, 12), search_twins.deepening, {}, {}),
    ("hill-climbing", GOOD, (6, 9), search_twins.hill_climbing, {}, {}),
    *(("beam", ["manhattan", "zero"], (3, 10), search_twins.beam, {"width": n}, {"width": n}) for n in (1, 2, 7, 100)),
    ("rbfs", GOOD, (3, 12), search_twins.rbfs, {}, {}),
    *(("sma*", GOOD, (3, 14), search_twins.sma, {"room": n}, {"max_memory": n * 48}) for n in (32, 40, 300)),
    ("ida*-tt", GOOD, (3, 12), search_twins.remembering, {}, {}),
]


@pytest.mark.parametrize(
    "algorithm, names, size, twin, own, options", OTHERS, ids=[f"{row[0]}-{row[5]}" for row in OTHERS]
)
def test_every_expansion_is_that_of_the_twin(algorithm, names, size, twin, own, options):
    for name in names:
        shapes = [(2, 2), (2, 3)] if (algorithm, name) == ("beam", "zero") else SHAPES  # it would visit most boards
        for board, goal, start, order in cases(name or "zero", *size, shapes=shapes):
            given = {"algorithm": algorithm, "move_order": order, **options, **({"heuristic": name} if name else {})}
            check_twin(board, goal, twin(*start, **own), **given)


# ------------------------------------------------------------------------- every heuristic, seen from the outside


def check_chain(told, start, goal, forward):
    """What holds for the expansions of any search."""
    by_number, of_side = {}, {"start": cache(forward)}
    if any(expansion.side == "goal" for expansion in told):
        of_side["goal"] = cache(forward.toward(start))
    for expansion in told:
        board, g, estimate = expansion.board, expansion.g, of_side[expansion.side]
        if expansion.parent is None:
            assert board == (start if expansion.side == "start" else goal) and (g, expansion.move) == (0, None)
        else:
            parent = by_number[expansion.parent]
            (child,) = [child for child in parent.children if child.board == board]
            assert child[1:5] == (expansion.move, g, expansion.h, expansion.f)
            assert child.fate in ("open", "reopened") and parent.iteration == expansion.iteration
            assert parent.side == expansion.side
        assert expansion.h == estimate(board)
        for child in expansion.children:
            assert child.board == board.move(child.move) and child.g == g + 1
            assert child.h == estimate(child.board)
        by_number[expansion.number] = expansion


@pytest.mark.parametrize("algorithm", INFORMED)
def test_heuristics_that_turn_the_board_or_have_several_values(algorithm):
    names = ["tables:embedded", "max(misplaced,walking-distance)", "ann", "max(ann,manhattan)"]
    for name in names[:2] if algorithm in MEETING else names:  # no network is for both sides
        for seed, home in enumerate([15, 0] if name != "tables:embedded" else [15, 5]):
            goal = Board.goal((4, 4), home)
            board = near(goal, seed, 14)
            estimate = heuristic_of(name, goal)
            options = {"batch": 4} if seed and "batch" in ALGORITHMS[algorithm].options else {}
            options |= {"max_nodes": 200, "goal": goal, "heuristic": estimate, "move_order": ORDERS[seed]}
            solution, told = recorded(board, algorithm=algorithm, **options)
            check_chain(told, board, goal, estimate)
            if solution.moves is not None and told[-1].fate == "goal":
                assert told[-1].board == goal or algorithm in MEETING


def test_inconsistent_heuristics_reopen(tmp_path):
    """Classic tables let the bound fall by more than one per move, so closed nodes are expanded again."""
    goal = Board.goal((3, 3))
    build_tables("1-4/5-8", shape=(3, 3), format="classic", tables=tmp_path)
    estimate = heuristic("tables:1-4/5-8:classic", goal=goal, tables=tmp_path)
    again = 0
    for seed in range(12):
        board = Board.random(seed, (3, 3))
        _, told = recorded(board, algorithm="a*", heuristic=estimate)
        check_chain(told, board, goal, estimate)
        again += len(told) - len({expansion.board for expansion in told})
    assert again > 0


# ------------------------------------------------------------------------------------------ ends, limits, errors

SOME = {"depth-first": {"max_length": 31, "max_nodes": 50_000}, "iterative-deepening": {"max_nodes": 50_000}}
SOME["beam"] = {"width": 20}


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_search_goes_on_after_the_recording(algorithm):
    options = {"algorithm": algorithm, **SOME.get(algorithm, {})}
    alone = search(FAR, **options)
    everything = []
    for wanted in (1, 2, 7, 100):
        told = []

        def until(expansion, told=told, wanted=wanted):
            told.append(expansion)
            return len(told) < wanted

        assert same(search(FAR, on_expand=until, **options)) == same(alone)
        everything.append(told)
        assert len(told) == wanted or algorithm == "hill-climbing"
    assert all(longer[: len(told)] == told for told, longer in zip(everything, everything[1:]))


def test_ida_star_goes_on_with_trees_or_stops_at_its_limit():
    for options in ({"max_nodes": 300_000}, {"max_nodes": 1_000_003}):
        alone = search(HARD, algorithm="ida*", **options)
        for wanted in (1, 1000):
            tree = SearchTree(max_expansions=wanted)
            assert same(search(HARD, algorithm="ida*", on_expand=tree.add, **options)) == same(alone)
            assert len(tree.expansions) == wanted and tree.truncated


class Surprise(Exception):
    pass


@pytest.mark.parametrize(
    "name, board, last",
    [("on_expand", "1 2 3/0 5 6/4 7 8", 3), *((name, FAR, 1) for name in ("on_iteration", "on_improvement"))],
)
def test_an_error_of_the_callable_ends_the_search(name, board, last):
    callers = [each for each, kind in ALGORITHMS.items() if name == "on_expand" or kind.takes(name)]
    for algorithm, error in itertools.product(callers, [Surprise, KeyboardInterrupt, MemoryError]):
        told = []

        def fail(news, told=told, error=error):
            told.append(news)
            if len(told) == last:
                raise error("enough")

        with pytest.raises(error, match="enough"):
            search(board, algorithm=algorithm, **{name: fail})
        assert len(told) == last, algorithm


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@timed
def test_limits_hold_while_recording(algorithm):
    depth = {"max_length": 60} if algorithm == "depth-first" else {}
    for nodes in (0, 1, 2, 100, 2001):
        recorded(HARD, algorithm=algorithm, max_nodes=nodes, **depth)
    with within(5 if algorithm == "beam" else 1):
        search(HARD, algorithm=algorithm, time_limit_s=0.05, on_expand=lambda expansion: time.sleep(0.001), **depth)


@pytest.mark.parametrize("algorithm", ["breadth-first", "bidirectional", "a*", "beam"])
def test_the_limit_on_memory_holds_while_recording(algorithm):
    width = {"width": 2000} if algorithm == "beam" else {}
    statuses = [recorded(FAR, algorithm=algorithm, max_memory=1 << bits, **width)[0].status for bits in (10, 16, 17)]
    assert statuses == ["limit"] * 3


def test_the_callable_may_search():
    inner = []
    outer = search("1 2 3/0 5 6/4 7 8", on_expand=lambda e: inner.append(search(e.board, algorithm="ida*").length))
    assert outer.length == 3 and inner == [3, 2, 1, 0]


# -------------------------------------------------------------------------------------------------- SearchTree


def test_a_tree_keeps_the_first_expansions():
    for limit in (1, 5, 10_000):
        tree = SearchTree(max_expansions=limit)
        solution = search(FAR, heuristic="linear-conflict", on_expand=tree.add)
        assert len(tree.expansions) == min(limit, solution.expanded + 1)
        assert tree.truncated == (limit <= solution.expanded)
        assert not tree.add(tree.expansions[0]) or limit == 10_000
    assert repr(SearchTree()) == "<SearchTree: 0 expansions>"
    for bad in (0, -1, 1.5, "many"):
        with pytest.raises(ValueError, match="max_expansions .*: expected a whole number of at least 1"):
            SearchTree(max_expansions=bad)
