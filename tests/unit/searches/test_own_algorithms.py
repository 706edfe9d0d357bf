"""The seven algorithms of own_algorithms.py: their answers and counts beside those of the package's own searches."""

import importlib.util
import inspect
import textwrap
from collections import Counter
from unittest.mock import MagicMock

import numpy as np
import pytest
import twins
from readmes import ROOT, blocks, text_of
from searching import boards_of_all_distances, near

from puzzle15 import Board, heuristic, search, search_many
from puzzle15.heuristics import HeuristicFunction
from puzzle15.searches import register

FILE = ROOT / "bench/benchmarks/own_algorithms.py"
TUTORIAL = ROOT / "puzzle15/guide/first_a_star.md"
_spec = importlib.util.spec_from_file_location("own_algorithms", FILE)
own = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(own)

SEVEN = ["breadth_first", "a_star", "weighted_a_star", "batch_a_star", "bidirectional", "beam", "ida_star"]
SHORTEST = ["breadth_first", "a_star", "batch_a_star", "bidirectional", "ida_star"]
ALL_DISTANCES = boards_of_all_distances()


@pytest.fixture(autouse=True)
def seven(registered):
    """Each is an algorithm, so its answers are replayed, and its bounds are tried."""
    for name in SEVEN:
        function = getattr(own, name)
        options = inspect.getfullargspec(function).kwonlydefaults or {}
        shortest = "if h is admissible" if name in SHORTEST else "no"
        register(name=f"own-{name}", summary="search", options=options, shortest=shortest)(function)


def run(name, board, **given):
    return search(board, algorithm=f"own-{name}", **given)


def check(name, board, distance, goal=None):
    """The solution of one of the seven is a shortest one, or within its bound."""
    length = run(name, board, goal=goal).length
    most = distance if name in SHORTEST else 2 * distance if name == "weighted_a_star" else 1000
    assert distance <= length <= most and (length - distance) % 2 == 0


@pytest.mark.parametrize("name", SEVEN)
def test_all_distances_of_the_8_puzzle(name):
    """Each second distance; together with the slow test, all of them."""
    for distance in range(SEVEN.index(name) % 2, 32, 2):
        check(name, ALL_DISTANCES[distance], distance)


@pytest.mark.parametrize("name", SEVEN)
@pytest.mark.parametrize("shape, home", [((3, 4), 11), ((4, 4), 0), ((2, 5), 3), ((4, 4), 6)])
def test_other_shapes_and_goals(name, shape, home):
    goal = Board.goal(shape, home)
    for seed, steps in enumerate((10, 15, 17)):
        board = near(goal, seed, steps)
        check(name, board, search(board, goal=goal, algorithm="ida*").length, goal)


@pytest.mark.slow
@pytest.mark.parametrize("name", SEVEN)
def test_many_boards(name):
    """Boards of the 8-puzzle of all distances, and of 3x4. 83 of each distance instead of 5 passed, too."""
    rng, goal, count = np.random.default_rng(26), Board.goal((3, 3)), 2 if name == "breadth_first" else 5
    for distance, level in enumerate(twins.levels_of_arrays((3, 3), goal.tiles, 32)):
        for tiles in rng.permutation(level)[:count].tolist():
            check(name, Board(tiles, (3, 3)), distance)
    for seed in range(10):
        board = near(Board.goal((3, 4)), seed, 10 + seed % (8 if name == "breadth_first" else 20))
        check(name, board, search(board, algorithm="ida*").length)


#: (one of ours, its options, the package's, its options): those that break ties in the same way.
SAME = [
    ("a_star", {"batch": 1}, "a*", {"ties": "lifo"}),
    ("batch_a_star", {"batch": 1}, "a*", {"ties": "lifo"}),
    ("weighted_a_star", {"batch": 1}, "weighted-a*", {"ties": "lifo"}),
    ("weighted_a_star", {"batch": 1, "weight": 5}, "weighted-a*", {"ties": "lifo", "weight": 5}),
    ("beam", {"width": 20}, "beam", {"width": 20}),
    ("beam", {"width": 500}, "beam", {"width": 500}),
]


@pytest.mark.parametrize("mine, options, name, its_options", SAME)
@pytest.mark.parametrize("h", ["manhattan", "max(misplaced,reversal)"])
def test_same_expansions(mine, options, name, its_options, h):
    for distance in (0, 1, 4, 9, 14, 17):
        board = ALL_DISTANCES[distance]
        own, ours = run(mine, board, heuristic=h, **options), search(board, algorithm=name, heuristic=h, **its_options)
        assert (own.length, own.expanded, own.generated) == (ours.length, ours.expanded, ours.generated)


def test_whole_depths():
    """They expand all boards nearer than the solution; the package's searches stop in the middle of the last depth."""
    for distance in (3, 10, 15, 18):
        board = ALL_DISTANCES[distance]
        sizes = [len(level) for level in twins.levels_of_arrays(board.shape, board.tiles, distance + 1)]
        expanded = run("breadth_first", board).expanded
        assert expanded == sum(sizes[:distance])
        assert expanded <= search(board, algorithm="breadth-first").expanded <= expanded + sizes[distance]
        assert run("bidirectional", board).expanded >= search(board, algorithm="bidirectional").expanded


@pytest.mark.parametrize("batch", [1, 7, 4096])
def test_iterations_before_the_last_expand_the_same(batch):
    for distance in (4, 12, 20, 23):
        board = ALL_DISTANCES[distance]
        solution = search(board, algorithm="ida*")
        expanded = run("ida_star", board, batch=batch).expanded
        before = sum(iteration.expanded for iteration in solution.iterations[:-1])
        assert before < expanded and (batch > 1 or expanded == solution.expanded)


@pytest.mark.parametrize("name", ["a_star", "batch_a_star", "ida_star"])
@pytest.mark.parametrize("batch", [1, 30])
def test_a_heuristic_that_is_not_consistent(name, batch):
    """Boards are expanded again where a shorter path to them is found."""
    manhattan = heuristic("manhattan", shape=(3, 3))

    def patchy(boards):
        return manhattan.many(boards) * (boards[:, 0] + boards[:, 4] & 1)

    h = HeuristicFunction(patchy, admissible=True)
    for distance in (8, 11, 14):
        board = ALL_DISTANCES[distance]
        solution = run(name, board, heuristic=h, batch=batch)
        assert solution.length == distance
        if batch == 1 and name == "a_star":
            assert solution.expanded == search(board, heuristic=h, ties="lifo", batch=1).expanded


@pytest.mark.parametrize("name", ["breadth_first", "bidirectional"])
def test_no_solution(name):
    """`search` and heuristics refuse such a board."""
    assert getattr(own, name)(Board("2 1 3/4 5 0"), Board.goal((2, 3)), None, MagicMock()) is None


@pytest.mark.parametrize("name", SEVEN)
def test_registered(name):
    """Each is limited, traced and counted like the package's algorithms."""
    board, told = ALL_DISTANCES[14], []
    solution = run(name, board, heuristic="linear-conflict", counts=True, on_expand=told.append)
    assert solution.optimal == (name in SHORTEST or solution.length == solution.lower_bound)
    by_f, by_g = (Counter((each.side, each.g + h * each.h) for each in told) for h in (1, 0))
    counts = solution.counts.to_dict()
    for layer, twin in (("f", by_f), ("g", by_g)):
        assert {(row["side"], row[layer]): row["expanded"] for row in counts[f"by_{layer}"]} == twin
    assert sum(row["generated"] for row in counts["by_g"]) == sum(len(each.children) for each in told)
    assert (len(told), len({each.side for each in told})) == (solution.expanded, 1 + (name == "bidirectional"))
    assert counts["expanded_to_best"] == solution.expanded and counts["reopened"] is None
    stopped = run(name, board, max_nodes=20)
    assert stopped.status == "limit" and stopped.moves is None and 20 <= stopped.generated < solution.generated
    assert stopped.lower_bound <= 14
    batch = search_many([board, ALL_DISTANCES[9]], algorithm=f"own-{name}", heuristic="linear-conflict", workers=2)
    assert batch[0].moves == solution.moves and batch[1].length >= 9


def test_the_tutorial_shows_the_code():
    first, *others = blocks(TUTORIAL, "python")
    assert f"## In {len(first.strip().splitlines())} lines\n" in text_of(TUTORIAL)
    shown = "\n".join(others)
    for function in (own.root_of, own.path_to, own.a_star):
        assert textwrap.indent(inspect.getsource(function), "... ").replace("...", ">>>", 1) in shown


def test_lines():
    """Each has 15 to 40 lines, but for weighted A*, which is A* with a weight."""
    lines = {name: len(inspect.getsource(getattr(own, name)).splitlines()) for name in SEVEN}
    assert lines.pop("weighted_a_star") < 5
    assert all(12 <= count <= 40 for count in lines.values()), lines
