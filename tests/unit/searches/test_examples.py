"""The example searches: against their twins and true distances; what they refuse; walks of RTA* and LRTA*."""

import math
from functools import partial
from pathlib import Path

import example_twins
import numpy as np
import pytest
from searching import FAR, definition, near

from puzzle15 import Board, Solver, build_tables, search, search_many
from puzzle15.board import KORF_GOAL, apply_moves, korf100
from puzzle15.heuristics import HeuristicFunction
from puzzle15.nodes import children, minus
from puzzle15.papers import kantz2005
from puzzle15.searches import SearchTree, algorithm_of, compare, register, unregister
from puzzle15.searches._algorithms import EXAMPLES
from puzzle15.searches._comparison import plan_runs
from puzzle15.searches.examples import path_list
from puzzle15.searches.examples.real_time import lrta_star, rta_star

MEETING = {"bae*": example_twins.bae, "bs*": example_twins.bs, "dvcbs": example_twins.dvcbs}


@pytest.mark.parametrize("algorithm", MEETING)
@pytest.mark.parametrize("name", ["zero", "misplaced", "manhattan"])
def test_expansions_are_those_of_the_twin(algorithm, name):
    for seed, shape in enumerate([(2, 2), (2, 3), (3, 3), (3, 3), (2, 5), (3, 4), (4, 4)]):
        goal = Board.goal(shape, 3 * seed % math.prod(shape))
        board = near(goal, seed, min(5 * seed, {"zero": 8, "misplaced": 10}.get(name, 16)))
        ends = board.tiles, goal.tiles
        length, expanded = MEETING[algorithm](shape, *ends, definition(name, goal), definition(name, board))
        for batch in (1, 8):
            solution = search(board, goal=goal, algorithm=algorithm, heuristic=name, batch=batch)
            assert (solution.length, solution.optimal, solution.lower_bound) == (length, True, length)
            assert batch > 1 or solution.expanded == expanded


def boards_by_distance(shape, count, seed):
    """(boards, distances): about as many of each distance from the goal, as packed boards."""
    rng = np.random.default_rng(seed)
    known, level = np.empty(0, dtype=np.uint64), np.array([Board.goal(shape).packed], dtype=np.uint64)
    boards, distances = [], []
    while len(level):
        taken = rng.permutation(level)[:count]
        boards, distances = (
            [*boards, *taken.tolist()],
            [*distances, *[len(distances) and distances[-1] + 1] * len(taken)],
        )
        known, level = level, np.unique(minus(children(level, shape).packed, known, level))
    return boards, distances


def check_lengths(algorithm, boards, distances, shape):
    packed = np.array(boards, dtype=np.uint64)
    batch = search_many(packed, algorithm=algorithm, shape=shape, goal=Board.goal(shape))
    assert batch.lengths.tolist() == list(distances) and all(each.optimal for each in batch)
    ends, _ = apply_moves(packed, [each.moves for each in batch], shape=shape)
    assert set(ends.tolist()) == {Board.goal(shape).packed}


@pytest.mark.parametrize("algorithm", MEETING)
def test_distances_of_the_8_puzzle(algorithm):
    boards, distances = boards_by_distance((3, 3), 1, 7)
    assert distances == [*range(32)]
    check_lengths(algorithm, boards[1::5], distances[1::5], (3, 3))


@pytest.mark.nightly
@pytest.mark.parametrize("algorithm", MEETING)
def test_boards_of_the_8_puzzle_of_every_distance(algorithm):
    boards, distances = boards_by_distance((3, 3), 82, 8)
    assert len(boards) == 2_040 and set(distances) == set(range(32))
    check_lengths(algorithm, boards, distances, (3, 3))


@pytest.mark.parametrize("count", [3, pytest.param(15, marks=pytest.mark.nightly)])
@pytest.mark.slow
@pytest.mark.parametrize("algorithm", MEETING)
def test_random_boards_of_3x4(algorithm, count):
    boards = [Board.random(seed, (3, 4)) for seed in range(count)]
    distances = Solver(shape=(3, 4)).solve_many(boards).lengths
    check_lengths(algorithm, [board.packed for board in boards], distances.tolist(), (3, 4))


#: What searches from both ends expand on board 79 of Korf's. It is a signature: another one is another search.
EXPANDED = {"bae*": 51_512, "bs*": 68_967, "dvcbs": 88_961, "mm": 99_502, "mme": 99_502, "nbs": 98_800}


@pytest.mark.parametrize("algorithm", EXPANDED)
def test_korfs_easiest_board(algorithm):
    solution = search(korf100()[78].board, goal=KORF_GOAL, algorithm=algorithm)
    assert (solution.optimal, solution.length, solution.expanded) == (True, 42, EXPANDED[algorithm])


@pytest.mark.parametrize("algorithm", MEETING)
def test_a_limit_leaves_a_bound(algorithm):
    bounds = [search(FAR, algorithm=algorithm, max_nodes=nodes).lower_bound for nodes in (1, 100, 1000)]
    assert bounds == sorted(bounds) and 21 <= bounds[0] < bounds[-1] <= 31
    assert search(FAR, algorithm=algorithm, max_memory=20_000).status == "limit"
    assert search(FAR, algorithm=algorithm, max_nodes=1000, prove=True).length in (None, 31)


def test_a_heuristic_that_is_not_consistent(tmp_path):
    """Only DVCBS takes it, and expands boards again that it reaches by fewer moves."""
    goal = Board.goal((3, 3), 6)
    build_tables("1-4/5-8", shape=(3, 3), format="classic", tables=tmp_path)
    options = {"goal": goal, "heuristic": "tables:1-4/5-8:classic", "tables": tmp_path}
    for algorithm in ("bae*", "bs*"):
        with pytest.raises(ValueError, match="^heuristic 'tables:1-4/5-8:classic': it is not consistent, so "):
            search(near(goal, 18, 40), algorithm=algorithm, **options)
    for seed in (18, 27, 58):
        board = near(goal, seed, 40)
        assert search(board, algorithm="dvcbs", **options).length == Solver(goal=goal).distance(board)


def test_names_and_workers():
    names = "BAE star", "bsstar", "DVCBS", "rtastar", "lrta*", *list(EXAMPLES)[5:-1], "Kantz-A-star"
    assert [algorithm_of(name).name for name in names] == list(EXAMPLES)
    with pytest.raises(ValueError, match="did you mean 'bae\\*'. expected one of breadth-first, .* bs\\*, dvcbs"):
        algorithm_of("baa")
    assert not set(EXAMPLES) & {run.algorithm.name for run in plan_runs((2, 2))}
    with pytest.raises(ValueError, match="^algorithm .bae\\*.: puzzle15 has one of this name"):
        register(name="bae*")(lambda *given: None)
    runs = compare(near(Board.goal((3, 3)), 1, 12), algorithms=list(MEETING), heuristics=["manhattan"])
    assert {solution.length for solution in runs} == {12}
    boards = [near(Board.goal((3, 3)), seed, 15) for seed in range(4)]
    plain = [search(board, algorithm="bae*").expanded for board in boards]
    assert search_many(boards, algorithm="bae*", workers=2).expanded.tolist() == plain


@pytest.mark.parametrize("algorithm", MEETING)
def test_every_expansion_is_told(algorithm):
    tree = SearchTree(max_expansions=1000)
    tree.solution = search("2 3 5/4 0 6/1 7 8", algorithm=algorithm, on_expand=tree.add)
    assert len(tree.expansions) == tree.solution.expanded and {each.side for each in tree.expansions} == {
        "start",
        "goal",
    }


def test_dvcbs_with_values_up_to_255():
    """Its bounds are sums of such a value and g."""

    def far(boards, goal):
        return np.where((boards == goal).all(axis=1), 0, 255 - boards[:, 0])

    own = HeuristicFunction(far, goal="any")
    solution = search("8 6 7/2 5 4/3 0 1", algorithm="dvcbs", heuristic=own)
    assert solution.status == "solved" and solution.length >= 31


def test_walks_of_any_length_tell_their_expansions():
    """`rta*` goes on for many times the number of moves to which the core's searches count."""
    told = []
    solution = search("3 1 2 6/0 7 4 5", algorithm="rta*", heuristic="misplaced", on_expand=told.append)
    assert solution.length > 4000 and [each.g for each in told] == list(range(len(told)))
    assert [each.move for each in told[1:]] == list(solution.moves[: len(told) - 1])


#: What is searched with 64 MB: the algorithm, or a call.
TOO_LARGE = ["pattern", "q*", "phs*", "dvcbs", "bs*", "bae*"]


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="only Linux says how much memory was taken")
@pytest.mark.parametrize("what", TOO_LARGE)
@pytest.mark.sweep(2, 4)
def test_max_memory_is_kept(what, python):
    """The process grows by no more than that, and a tenth."""
    done = python("-c", GROWTH, what, timeout=120)
    assert not done.returncode, done.stderr
    status, growth = done.stdout.split()
    assert status == "limit" and 0.5 * 64e6 < int(growth) < 1.1 * 64e6


GROWTH = r"""
import re, sys
import numpy as np
from puzzle15 import Board, search
from puzzle15.solver import solve_pattern
from puzzle15.searches import register_policy, register_values

def evenly(boards):
    return np.ones((len(boards), 4))

register_values(evenly, name="q*", batch=1024)
register_policy(evenly, name="phs*", batch=1024)

def taken(name):
    with open("/proc/self/status") as file:
        return int(re.search(rf"{name}:\s*(\d+)", file.read())[1]) * 1024

def run(board, size):
    if sys.argv[1] == "pattern":
        return solve_pattern(board, "1-7", max_memory=size)
    return search(board, sys.argv[1], max_memory=size)

run("5 1 2 4/9 6 3 8/13 10 7 11/0 14 15 12", 5_000_000)
before = taken("VmRSS")
with open("/proc/self/clear_refs", "w") as file:
    file.write("5")
status = run("0 15 8 3/12 11 7 4/14 10 6 5/9 13 2 1", 64_000_000).status
print(status, taken("VmHWM") - before)
"""


@pytest.fixture
def deep():
    """The name of an algorithm, which is gone afterwards."""
    yield "rta*-deep"
    unregister("rta*-deep")


@pytest.mark.parametrize("depth", [1, 2, 5])
def test_walks_of_rta_star(depth, deep):
    register(name=deep)(partial(rta_star, depth=depth))
    for seed in range(3):
        board, goal = Board.random(seed, (3, 3)), Board.goal((3, 3))
        solution = search(board, algorithm="rta*" if depth == 1 else deep)
        walk = example_twins.rta((3, 3), board.tiles, goal.tiles, definition("manhattan", goal), depth)
        assert solution.length == len(walk) - 1
        for letter, tiles in zip(solution.moves, walk[1:]):
            board = board.move(letter)
            assert board.tiles == tiles
    with pytest.raises(ValueError, match="^depth 0: expected a whole number of at least 1"):
        register(name=deep)(partial(rta_star, depth=0))
        search(board, algorithm=deep)


def test_lrta_star_learns_the_distance():
    goal = Board.goal((2, 3))
    for seed in range(3):
        board, learned, walks = Board.random(seed, (2, 3)), {}, []
        solution = search(board, algorithm="lrta*")
        assert solution.optimal and solution.length == Solver(shape=(2, 3)).distance(board)
        while not walks or len(walks[-1]) - 1 != learned[board.tiles]:
            given = (2, 3), board.tiles, goal.tiles, definition("manhattan", goal), 1, learned
            walks.append(example_twins.rta(*given, second=False))
        best = [min(map(len, walks[: number + 1])) - 1 for number in range(len(walks))]
        assert [each.length for each in solution.improvements if each.length is not None][-1] == best[-1]
        assert {each.length for each in solution.improvements} == set(best)


def test_lrta_star_ends_at_a_limit():
    """It answers with its shortest trial, and with what it has proved."""
    register(name="rta*-deep", options={"on_iteration": None})(partial(lrta_star, trials=2))
    for options in ({"algorithm": "lrta*", "on_improvement": lambda better: False}, {"algorithm": "rta*-deep"}):
        solution = search(FAR, **options)
        assert solution.status == "limit" and solution.length >= 31 >= solution.lower_bound
    assert solution.length == min(trial.expanded for trial in solution.iterations) and len(solution.iterations) == 2


def test_trials_of_lrta_star():
    """As many as the README says, or fewer; an iteration begins with what the one before has proved."""
    board = "7 4 2/1 3 6/8 5 0"
    solution = search(board, algorithm="lrta*", counts=True)
    bounds = [trial.bound for trial in solution.iterations]
    assert bounds == sorted(bounds) and Board(board).manhattan() == bounds[0] < bounds[-1] <= solution.length == 14
    assert len(bounds) <= 12 and solution.expanded == int(solution.counts.expanded_by_g.sum()) <= 3_770


@pytest.mark.parametrize(
    "algorithm, heuristic, width, expanded, length",
    [
        ("kantz-breadth-first", None, None, 48, 5),
        pytest.param("kantz-depth-first", None, None, 49_129, 48_551, marks=pytest.mark.nightly),
        ("kantz-beam", "zero", None, 150, None),
        ("kantz-beam", kantz2005.out_counts, None, 182, None),
        ("kantz-beam", kantz2005.out_counts, 3, 5527, 5477),
        ("kantz-best-first", kantz2005.out_counts, None, 39, 15),
        ("kantz-a*", kantz2005.out_counts, None, 19, 5),
    ],
)
def test_kantzs_searches(algorithm, heuristic, width, expanded, length):
    """They expand what the paper's program expands, and tell of it: the tree is the paper's."""
    tree = SearchTree(max_expansions=60)
    options = {"goal": kantz2005.EASY_GOAL, "algorithm": algorithm, "heuristic": heuristic, "width": width}
    solution = search(kantz2005.EASY, counts=True, on_expand=tree.add, **options)
    assert (solution.expanded, solution.length) == (expanded, length)
    assert solution.counts.expanded_by_g.sum() == expanded
    boards = [each.board.tiles for each in tree.expansions if each.fate == "expanded"]
    combine = {
        "kantz-breadth-first": path_list.breadth_first,
        "kantz-depth-first": path_list.depth_first,
        "kantz-beam": path_list.beam(width or 1, kantz2005._outs if heuristic != "zero" else lambda path: 0),
        "kantz-best-first": path_list.best_first(kantz2005._outs),
        "kantz-a*": path_list.best_first(kantz2005._f),
    }[algorithm]
    extend, expected = kantz2005._extension(), []

    def expand(path):
        expected.append(path.board)
        return extend(path)

    kantz2005.search(kantz2005.EASY, kantz2005.EASY_GOAL, combine, expand)
    assert boards == expected[: len(boards)] and len(boards) >= min(expanded, 59)


def test_kantzs_searches_end_at_limits():
    for algorithm in list(EXAMPLES)[5:]:
        width = {"width": 9} if algorithm == "kantz-beam" else {}
        board = korf100()[0].board
        for limit in ({"max_nodes": 300}, {"max_memory": 40_000}):
            solution = search(board, goal=KORF_GOAL, algorithm=algorithm, **width, **limit)
            assert solution.status == "limit" and solution.moves is None and 250 < solution.generated < 600
    boards = [near(Board.goal((3, 3)), seed, 12) for seed in range(4)]
    plain = [search(board, algorithm="kantz-a*").expanded for board in boards]
    assert search_many(boards, algorithm="kantz-a*", workers=2).expanded.tolist() == plain
    assert search_many(boards, algorithm="kantz-breadth-first").lengths.tolist() == [12] * 4
