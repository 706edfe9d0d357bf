"""What holds for every textbook search, whatever board, goal, heuristic, order and limit."""

import twins
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples, solver_of, tasks

from puzzle15 import ALGORITHMS, search
from puzzle15.board import parse_moves
from puzzle15.heuristics import NAMES
from puzzle15.searches._algorithms import TIES

VALUES = {
    "heuristic": st.sampled_from([*NAMES, "tables:embedded", "max(misplaced,linear-conflict)"]),
    "ties": st.sampled_from(TIES),
    "weight": st.sampled_from([1, 1.5, 2, 5]),
    "width": st.sampled_from([1, 3, 50]),
    "max_length": st.integers(0, 40),
}


@st.composite
def searches(draw):
    """(goal, board, options of a search)"""
    goal, board = draw(tasks(st.sampled_from([(2, 2), (2, 3), (3, 2), (2, 4), (3, 3), (5, 2)])))
    algorithm = ALGORITHMS[draw(st.sampled_from(list(ALGORITHMS)))]
    options = {"algorithm": algorithm.name, "goal": goal, "move_order": "".join(draw(st.permutations("ULRD")))}
    for name, values in VALUES.items():
        if name in algorithm.options or (name == "heuristic" and algorithm.informed):
            options[name] = draw(values)
    return goal, board, options


def check(solution, board, goal, distance):
    assert solution.lower_bound <= distance and (distance - solution.lower_bound) % 2 == 0
    assert solution.optimal == (solution.length == solution.lower_bound)
    if solution.moves is not None:
        letters = parse_moves(solution.moves)
        assert len(letters) == solution.length >= distance
        assert twins.replay(board.shape, board.tiles, letters) == goal.tiles


@given(searches(), st.integers(0, 3000), st.integers(0, 100_000))
@examples(5 / 3)
def test_every_search_tells_the_truth_and_limits_never_lie(task, max_nodes, max_memory):
    goal, board, options = task
    distance = solver_of(goal).distance(board)
    solution = search(board, max_nodes=1_000_000, **options)
    check(solution, board, goal, distance)
    algorithm = ALGORITHMS[options["algorithm"]]
    if algorithm.optimal and solution.status != "limit":
        assert solution.optimal
    if solution.status == "failed":
        assert options.get("max_length", 0) < distance or algorithm.name != "depth-first"
    if algorithm.name == "weighted-a*" and solution.status == "solved":
        assert solution.length <= options["weight"] * distance
    limited = search(board, max_nodes=max_nodes, max_memory=max_memory, **options)
    check(limited, board, goal, distance)
    if limited.status == "solved" and options["algorithm"] not in ("sma*", "ida*-tt"):  # these do more with less memory
        assert (limited.moves, limited.generated) == (solution.moves, solution.generated)
