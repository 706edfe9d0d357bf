"""An algorithm of one's own: found by its name wherever ours are, stopped like ours, and never believed."""

import multiprocessing
import pickle
import re
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import get_args

import batch_a_star as own
import numpy as np
import pytest
from interrupting import interrupted_after
from searching import boards_of_all_distances
from timing import timed, within

from puzzle15 import ALGORITHMS, Board, compare, search, search_many
from puzzle15._system.threads import Team
from puzzle15.errors import AlgorithmError, ChunkError
from puzzle15.heuristics import HeuristicFunction
from puzzle15.nodes import children
from puzzle15.searches import SearchOptions, SearchTree, algorithm_of, register
from puzzle15.searches import _algorithms as algorithms
from puzzle15.searches._algorithms import EXAMPLES

NEAR, FAR = "1 2 3/4 0 6/7 5 8", "8 6 7/2 5 4/3 0 1"
HARD = Board("0 15 8 3/12 11 7 4/14 10 6 5/9 13 2 1")  # 70 moves
BOARDS = [NEAR, FAR, *(Board.random(seed, shape=(3, 3)) for seed in range(4))]


@pytest.fixture
def mine():
    register(name="mine*", summary="expand some", **own.CLAIMS)(own.batch_a_star)
    return "mine*"


def register_breadth():
    calls = {"on_improvement": None, "on_iteration": None}
    register(name="breadth", f="g", shortest="yes", options=calls)(own.breadth_first)


# ---------------------------------------------------------------- found by name, and run


def test_it_solves_all_distances(mine):
    for distance, board in enumerate(boards_of_all_distances()):
        for batch in (None, 1) if distance < 16 else (64,):
            solution = search(board, algorithm=mine, batch=batch)
            assert solution.optimal and solution.length == solution.lower_bound == distance
            assert solution.algorithm == mine and solution.heuristic == "manhattan"
    assert 0 < solution.expanded < solution.generated and solution.largest_open < solution.largest_closed


def test_it_is_found_by_name(mine):
    assert algorithm_of("MINE star") is algorithm_of("minestar") is ALGORITHMS[mine]
    assert "did you mean 'mine\\*'" in pytest.raises(ValueError, algorithm_of, "mime*").value.args[0].replace(
        "*", "\\*"
    )
    own_heuristic = HeuristicFunction(Board.manhattan, takes="board", batch=64)
    assert search(NEAR, algorithm=mine, heuristic=own_heuristic).length == 2
    solutions = list(compare(FAR, algorithms=[mine, "a*"], heuristics=["manhattan", "linear-conflict"], batch=4))
    assert [each.length for each in solutions] == [31] * 4
    assert mine in {each.algorithm for each in compare(NEAR, heuristics="manhattan")}


@pytest.mark.parametrize("method", ["threads", "spawn"])
def test_many_boards_by_two_workers(mine, method, no_cloudpickle):
    alone = [search(board, algorithm=mine) for board in BOARDS]
    if method == "threads":
        batch = search_many(BOARDS, algorithm=mine, workers=2)
    else:
        with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(method)) as pool:
            batch = search_many(BOARDS, algorithm=mine, workers=pool)
            register(name=mine, options={"batch": 64})(own.batch_a_star)  # the workers have the one before
            expanded = search_many([FAR], algorithm=mine, workers=pool).expanded.tolist()
            assert expanded == [search(FAR, algorithm=mine).expanded] != [alone[1].expanded]
            register(name="here")(lambda *given: "UL")
            with pytest.raises(ChunkError, match="algorithm 'here': other processes cannot find the function .*lambda"):
                search_many([NEAR], algorithm="here", workers=pool)
    assert list(batch) == alone


def test_any_callable_is_an_algorithm():
    class Fixed:
        def solve(self, start, goal, heuristic, progress, moves="UL"):
            return moves

    register(name="method")(Fixed().solve)
    register(name="partial")(partial(Fixed().solve, moves="ul"))
    assert [search(NEAR, algorithm=name).moves for name in ("method", "partial")] == ["UL", "UL"]


def test_what_is_sent_brings_its_algorithm(mine):
    options = SearchOptions(algorithm=mine, batch=4)
    sent = pickle.dumps(options)
    assert pickle.loads(sent).kind is ALGORITHMS[mine]  # known here
    algorithms.unregister(mine)
    received = pickle.loads(sent)
    assert received == options and search(NEAR, received).length == 2 and ALGORITHMS[mine] is received.kind
    assert pickle.loads(pickle.dumps(SearchOptions(algorithm="a*").kind)) is ALGORITHMS["a*"]


# ---------------------------------------------------------------- stopped


def test_limits(mine):
    assert search(FAR, algorithm=mine, max_nodes=500).generated in range(500, 600)
    for limit in ({"max_nodes": 500}, {"time_limit_s": 0}, {"max_memory": 10_000}):
        solution = search(FAR, algorithm=mine, **limit)
        assert solution.status == "limit" and solution.moves is None and 21 <= solution.lower_bound <= 31


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no timers that send signals")
@timed
def test_it_is_interrupted(mine):
    with within(0.04 + 0.3), pytest.raises(KeyboardInterrupt), interrupted_after(0.04, KeyboardInterrupt):
        search(HARD, algorithm=mine)


def test_it_ends_with_its_team(mine):
    """A function that handles every `Exception` ends, too."""

    @register(name="stubborn")
    def stubborn(start, goal, heuristic, progress):
        while True:
            try:
                begun.set()
                progress(expanded=1)
            except Exception:
                pass

    begun = threading.Event()
    with Team(1) as team:
        future = team.submit(partial(search, HARD, algorithm="stubborn"))
        begun.wait(10)
    assert "Stopped" in repr(future.exception(10))
    assert search(HARD, algorithm="stubborn", time_limit_s=0.01).status == "limit"


# ---------------------------------------------------------------- what it tells


def test_a_trace(mine):
    tree = SearchTree()
    tree.solution = search("2 3 5/4 0 6/1 7 8", algorithm=mine, batch=1, on_expand=tree.add)
    assert tree.solution == search("2 3 5/4 0 6/1 7 8", algorithm=mine, batch=1)
    assert [each.fate for each in tree.expansions[-1:]] == ["goal"] and len(tree.expansions) > 10
    assert sum(len(each.children) for each in tree.expansions) == tree.solution.generated
    for number, each in enumerate(tree.expansions, 1):
        assert each.number == number and each.f == each.g + each.h and each.h == each.board.manhattan()
        if each.parent:
            parent = tree.expansions[each.parent - 1]
            assert parent.board.move(each.move) == each.board and parent.g == each.g - 1
        following = {board for _, board in each.board.neighbours()}
        assert {child.board for child in each.children} == (following if each.fate == "expanded" else set())
    assert f"of {mine} with manhattan" in tree.title
    few = SearchTree(max_expansions=3)
    search("2 3 5/4 0 6/1 7 8", algorithm=mine, batch=1, on_expand=few.add)
    assert few.expansions == tree.expansions[:3] and few.truncated


def test_solutions_that_are_found_and_iterations():
    register_breadth()
    told, rounds = [], []
    solution = search(NEAR, algorithm="breadth", on_improvement=told.append, on_iteration=rounds.append)
    assert solution.moves == "UL" and solution.optimal and [each.length for each in told][:1] == [2]
    assert [each[:2] for each in rounds][:3] == [(0, 0), (1, 1), (2, 4)] and rounds == list(solution.iterations)
    ours = search(NEAR, algorithm="breadth-first", max_nodes=10)
    stopped = search(NEAR, algorithm="breadth", on_improvement=lambda better: False)
    assert stopped.moves == "UL" and stopped.optimal and stopped.generated == 13 > ours.generated
    with pytest.raises(ValueError, match=r"heuristic: breadth does not use it"):
        search(NEAR, algorithm="breadth", heuristic="manhattan")


def test_a_solution_that_is_found_is_the_answer_at_a_limit():
    @register(name="goes-on", options={"on_improvement": None})
    def goes_on(start, goal, heuristic, progress):
        progress.found("RLUL")
        while True:
            progress(expanded=1, generated=10)

    solution = search(NEAR, algorithm="goes-on", max_nodes=10)
    assert (solution.status, solution.moves, solution.optimal, solution.lower_bound) == ("limit", "RLUL", False, 2)


def test_what_counts_of_several_solutions():
    """The shortest one is the answer, one of the same length is no better, and the first one is remembered."""

    @register(name="three", options={"on_improvement": None})
    def three(start, goal, heuristic, progress):
        boards = np.array([start.packed], np.uint64)
        for moves in solutions:
            progress.expand(boards, 0, 0, children(boards, start.shape))
            progress.found(moves)

    told, solutions = [], ["RLUL", "LRUL", "UL", "ULRL"]
    solution = search(NEAR, algorithm="three", on_improvement=told.append, counts=True)
    assert [each.moves for each in told] == ["RLUL", "UL"] and solution.moves == "UL"
    assert (solution.counts.expanded_to_first, solution.counts.expanded_to_best, solution.expanded) == (1, 3, 4)
    del solutions[2:]
    assert search(NEAR, algorithm="three").moves == "RLUL"


def test_memory_up_to_the_limit_is_not_too_much():
    @register(name="tells")
    def tells(start, goal, heuristic, progress):
        progress(memory_bytes=1000)
        return "UL"

    assert search(NEAR, algorithm="tells", max_memory=1000).status == "solved"
    assert search(NEAR, algorithm="tells", max_memory=999).status == "limit"


def test_a_limit_ends_the_search_that_it_belongs_to():
    """A search within a search is ended by its own limits, and by those of the outer one."""
    outer, found, limits = [], [], {}

    @register(name="inner")
    def inner(start, goal, heuristic, progress):
        for count in range(1, 1000):
            progress(generated=count)
            outer[0](generated=count)

    @register(name="outer")
    def run(start, goal, heuristic, progress):
        outer[:] = [progress]
        found.append(search(start, "inner", **limits))
        return "UL"

    assert search(NEAR, "outer", max_nodes=100).status == "limit" and not found
    limits["max_nodes"] = 20
    assert search(NEAR, "outer", max_nodes=100).status == "solved" and found[0].status == "limit"


def test_children_beyond_a_bound_are_cut_and_layers_are_clamped():
    """And without a bound, they are known."""

    @register(name="tells", f="g")
    def tells(start, goal, heuristic, progress):
        boards = np.array([start.packed], np.uint64)
        made = children(boards, start.shape)
        kept = made.packed == made.packed[0]
        progress.expand(boards, 0, 0, made, 0, kept, bound=bound)
        progress.expand(made.packed[:1], 1, 10**6, children(made.packed[:1], start.shape))
        return "UL"

    for bound, fate in ((None, "known"), (5, "cut")):
        told = []
        solution = search(NEAR, "tells", on_expand=told.append, counts=True)
        assert [each.fate for each in told[0].children] == ["open", *[fate] * 3] and told[0].bound == bound
        assert solution.counts.expanded.sum() == 2


# ---------------------------------------------------------------- never believed

#: What an algorithm returns for a board whose shortest solution is UL -> what the error says.
WRONG = {
    "ULL": "its solution of the board {near} is wrong: moves 'ULL': move 3 \\(L\\) is illegal on 1 2 3/4 5 6/7 8 0",
    "U": "wrong: its moves lead to 1 2 3/4 5 6/7 0 8, and not to the goal 1 2 3/4 5 6/7 8 0",
    "": "wrong: its moves lead to {near}, and not to the goal",
    "UX": "its solution of the board {near} is wrong: .*'X'",
    5: "it returned 5 for the board {near}; expected the moves of tiles as text, such as 'URDL', or None",
    "UL" + "RL" * 16: "by it, the board {near} needs 34 moves at least, but 31 are enough",
}


@pytest.mark.parametrize("returned", WRONG)
def test_an_answer_is_replayed(returned):
    register(name="mine", shortest="yes")(lambda *given: returned)
    with pytest.raises(AlgorithmError, match=f"^algorithm 'mine': .*{WRONG[returned].format(near=re.escape(NEAR))}"):
        search(NEAR, algorithm="mine")


def test_a_corrupted_answer_is_refused_whoever_works():
    register(name="mine", **own.CLAIMS)(own.reversed_moves)
    for run in (search, partial(search_many, workers=2), partial(compare, algorithms=["mine"])):
        with pytest.raises(AlgorithmError, match=r"algorithm 'mine': its solution of the board .* is wrong: moves"):
            named = {} if "algorithms" in getattr(run, "keywords", {}) else {"algorithm": "mine"}
            list(run([FAR] if "workers" in getattr(run, "keywords", {}) else FAR, **named))


@pytest.mark.parametrize("shortest", ["no", "if h is admissible"])
def test_a_promise_is_tried(shortest):
    """A solution that is too long is one that is not optimal, or a broken promise, which others show."""
    register(name="long", shortest=shortest)(lambda *given: "RLUL")
    solution, promised = search(NEAR, algorithm="long"), shortest != "no"
    assert (solution.length, solution.optimal, solution.lower_bound) == (4, promised, 4 if promised else 2)
    assert not search(NEAR, algorithm="long", heuristic=Board.manhattan).optimal  # it claims nothing
    register(name="longest")(lambda *given: "RL" * 10**5 + "UL")
    assert search_many([NEAR], algorithm="longest").lengths.tolist() == [200_002]
    both = partial(compare, NEAR, algorithms=["long", "a*"], heuristics="manhattan")
    if promised:
        for run in (partial(search, NEAR, algorithm="long", prove=True), lambda: list(both())):
            with pytest.raises(AlgorithmError, match=r"algorithm 'long': .* needs 4 moves at least, but 2 are enough"):
                run()
    else:
        assert search(NEAR, algorithm="long", prove=True).moves == "UL"
        assert [each.length for each in both()] == [4, 2]


@pytest.mark.parametrize("claims", [{}, {"consistent": True}, {"admissible": True}])
def test_a_promise_for_consistent_heuristics(claims):
    """A detour is not optimal with a heuristic for which nothing is promised."""
    register(name="long", shortest="if h is consistent")(lambda *given: "RLUL")
    nothing = HeuristicFunction(lambda boards: np.zeros(len(boards)), **claims)
    solution = search(NEAR, algorithm="long", heuristic=nothing)
    assert (solution.optimal, solution.lower_bound) == (False, 2)
    assert search(NEAR, algorithm="long", heuristic="manhattan").optimal  # the promise is believed


def test_the_docstring_has_what_an_algorithm_may_promise():
    kinds = {"f": algorithms.Compared, "shortest": algorithms.Shortest, "remembers": algorithms.Memory}
    for name, kind in kinds.items():
        (listed,) = re.findall(rf"^    {name} : {{(.*)}}$", register.__doc__, flags=re.MULTILINE)
        assert re.findall('"([^"]+)"', listed) == [*get_args(kind)]
    for kind in map(algorithm_of, [*ALGORITHMS, *EXAMPLES]):
        values = kind.f, kind.shortest, kind.memory
        assert all(value in get_args(each) for value, each in zip(values, kinds.values())), kind.name


def test_a_lower_bound_is_tried():
    @register(name="bound")
    def bound(start, goal, heuristic, progress):
        progress(lower_bound=told)
        return "UL"

    for told, refused in ((2, False), (4, True), (32, True)):
        if refused:
            with pytest.raises(AlgorithmError, match=f"needs {told} moves at least, but {2 if told < 31 else 31} are"):
                search(NEAR, algorithm="bound")
        assert search(NEAR, algorithm="bound", heuristic=lambda boards: boards[:, 0]).lower_bound == 2  # no proof


#: What a function does wrong with its progress -> the error.
MISUSE = {
    "progress(generated=-1)": "generated -1: expected a whole number of at least 0",
    "progress(open='many')": "largest_open 'many': expected a whole number",
    "progress.expand([goal.packed], 3)": "it expands the board 1 2 3/4 5 6/7 8 0 with g = 3; expected the start, or",
    "progress.expand([start.packed], 0, 0, children([start.packed], (3, 3)), fates='lost')": "a child's fate is 'lost'",
    "1 / 0": "division by zero",
}


@pytest.mark.parametrize("does", MISUSE)
def test_misuse_is_explained(does):
    def misuse(start, goal, heuristic, progress):
        exec(does)

    register(name="misuse")(misuse)
    with pytest.raises((ValueError, ZeroDivisionError), match=MISUSE[does]) as caught:
        search(NEAR, algorithm="misuse", on_expand=lambda expansion: None)
    notes = getattr(caught.value, "__notes__", ())
    assert (
        isinstance(caught.value, AlgorithmError) or f"algorithm 'misuse' was searching from the board {NEAR}" in notes
    )


def test_the_registry_is_read_only(mine):
    """Nothing but `register` and `unregister` changes it, and these leave the package's own algorithms alone."""
    for change in (
        lambda: ALGORITHMS.pop("a*"),
        lambda: ALGORITHMS.__delitem__("a*"),
        lambda: EXAMPLES.update(mine="nowhere"),
        lambda: ALGORITHMS["a*"].options.update(batch=9),
        lambda: ALGORITHMS[mine].options.clear(),
    ):
        with pytest.raises((AttributeError, TypeError)):
            change()
    for name in ("a*", "bae*", "nothing"):
        with pytest.raises(ValueError, match=r"expected one that was registered: mine\*"):
            algorithms.unregister(name)
    algorithms.unregister(mine)
    assert mine not in ALGORITHMS and search(FAR, algorithm="a*").length == 31


#: Claims that `register` refuses -> the error.
REFUSED = {
    "{'name': 'a*'}": "puzzle15 has one of this name",
    "{'name': 'bfs'}": "puzzle15 has one of this name",
    "{'name': 'a b'}": "expected a name without spaces and commas",
    "{'options': {'depth': 3}}": "option 'depth': expected some of move_order, .*functools.partial",
    "{'options': {'batch': 0}}": "batch 0: expected",
    "{'f': 'g + weight h'}": "f 'g \\+ weight h': the option weight is missing; expected options=",
    "{'f': 'h * g'}": "f 'h \\* g': expected one of g, h, 'g \\+ h', 'g \\+ weight h'",
    "{'shortest': 'sometimes'}": "shortest 'sometimes': expected one of yes, 'if h is admissible', 'if h is ",
    "{'shortest': 'Not always'}": "shortest 'Not always': expected one of yes",
    "{'shortest': True}": "shortest True: expected one of yes",
    "{'remembers': 'one or two boards'}": "remembers 'one or two boards': expected one of 'every board', ",
}


@pytest.mark.parametrize("claims", REFUSED)
def test_claims_that_are_refused(claims, mine):
    with pytest.raises(ValueError, match=REFUSED[claims]):
        register(**eval(claims))(own.batch_a_star)
    with pytest.raises(TypeError, match="algorithm 5: expected a function"):
        register(name="five")(5)
    with pytest.raises(ValueError, match="batch_a_star.batch_a_star has one of this name"):
        register(name=mine)(own.breadth_first)
    for option in ({"move_order": "DRUL"}, {"ties": "fifo"}):
        with pytest.raises(ValueError, match=f"{next(iter(option))}: mine\\* does not use it"):
            search(NEAR, algorithm=mine, **option)
