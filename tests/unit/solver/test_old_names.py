"""What was called otherwise, or given by place, stays for one release, gives the same, and says so."""

from functools import partial

import numpy as np
import pytest

import puzzle15
from puzzle15.board import pack_boards
from puzzle15.solver import Solver, best_solver, choices, embedded_choice, label

EIGHT = Solver(shape=(3, 3))
FAR, NEAR = "8 6 7/2 5 4/3 0 1", "1 2 3/0 5 6/4 7 8"
GOAL = puzzle15.Board("0 1 2/3 4 5/6 7 8")
PACKED = pack_boards([FAR, NEAR], (3, 3))[0]
LIMITS = np.array([30, 30], dtype=np.uint8)
SOLUTION, HINT, ANALYSIS = EIGHT.solve(FAR), EIGHT.hint(FAR), EIGHT.analyse(NEAR, "ULL")
BATCH = EIGHT.solve_many([FAR, NEAR])

#: A call as it was, and as it is.
CALLS = {
    "solve limit": (partial(EIGHT.solve, FAR, limit=20), partial(EIGHT.solve, FAR, max_length=20)),
    "solve_many limit": (
        lambda: EIGHT.solve_many([FAR, NEAR], limit=30).lower_bounds,
        lambda: EIGHT.solve_many([FAR, NEAR], max_length=30).lower_bounds,
    ),
    "all_solutions limit": (
        lambda: list(EIGHT.all_solutions(FAR, limit=2)),
        lambda: list(EIGHT.all_solutions(FAR, max_solutions=2)),
    ),
    "all_solutions by place": (
        lambda: list(EIGHT.all_solutions(FAR, 2)),
        lambda: list(EIGHT.all_solutions(FAR, max_solutions=2)),
    ),
    "all_solutions threads": (
        lambda: list(EIGHT.all_solutions(FAR, threads=2)),
        lambda: list(EIGHT.all_solutions(FAR, workers=2)),
    ),
    **{
        f"{ask.__name__} threads": (partial(ask, FAR, threads=2), partial(ask, FAR, workers=2))
        for ask in (EIGHT.solve, EIGHT.hint, EIGHT.optimal_moves, EIGHT.count_solutions, EIGHT.fewest_multi_tile)
    },
    "analyse threads": (
        partial(EIGHT.analyse, NEAR, "ULL", threads=2),
        partial(EIGHT.analyse, NEAR, "ULL", workers=2),
    ),
    "distances": (lambda: EIGHT.distances([FAR, NEAR]), lambda: EIGHT.distance_many([FAR, NEAR])),
    "distance_many by place": (
        lambda: EIGHT.distance_many([FAR, NEAR], 2),
        lambda: EIGHT.distance_many([FAR, NEAR], workers=2),
    ),
    "heuristics": (lambda: EIGHT.heuristics([FAR, NEAR]), lambda: EIGHT.heuristic_many([FAR, NEAR])),
    "solve_packed": (
        lambda: EIGHT.solve_packed(PACKED, threads=2, limits=LIMITS)["lower_bound"],
        lambda: EIGHT.solve_packed(PACKED, workers=2, max_length=LIMITS)["lower_bound"],
    ),
    "solve_packed by place": (
        lambda: EIGHT.solve_packed(PACKED, 2, None, LIMITS)["lower_bound"],
        lambda: EIGHT.solve_packed(PACKED, workers=2, max_length=LIMITS)["lower_bound"],
    ),
    "other_first_moves": (
        lambda: EIGHT.other_first_moves(PACKED, BATCH.lengths.astype(np.uint8), LIMITS & 0, threads=2),
        lambda: EIGHT.other_first_moves(PACKED, BATCH.lengths.astype(np.uint8), LIMITS & 0, workers=2),
    ),
    "look_up by place": (
        lambda: EIGHT.look_up(PACKED, np.empty((2, 1), np.uint8)),
        lambda: EIGHT.look_up(PACKED, values=np.empty((2, 1), np.uint8)),
    ),
    "label threads": (
        lambda: label(EIGHT, [FAR, NEAR], threads=2)["solution"],
        lambda: label(EIGHT, [FAR, NEAR], workers=2)["solution"],
    ),
    "puzzle15.solve": (
        partial(puzzle15.solve, NEAR, GOAL, (3, 3), limit=20, threads=2),
        partial(puzzle15.solve, NEAR, goal=GOAL, shape=(3, 3), max_length=20, workers=2),
    ),
    "best_solver": (lambda: best_solver(GOAL, None, "stm"), lambda: best_solver(GOAL, tables=None, metric="stm")),
    "choices": (lambda: choices([], (3, 4), 11, False), lambda: choices([], (3, 4), 11, reflection=False)),
    "embedded_choice": (
        lambda: embedded_choice((3, 4), 11, False),
        lambda: embedded_choice((3, 4), 11, reflection=False),
    ),
    **{
        f"{type(made).__name__}.{name}": (
            lambda made=made, name=name: getattr(made, name)("blank"),
            lambda made=made, name=name: getattr(made, name)(moves="blank"),
        )
        for made, names in {
            SOLUTION: ["to_dict"],
            HINT: ["to_dict", "text"],
            ANALYSIS: ["to_dict", "summary", "table"],
            BATCH: ["to_dict", "to_dicts", "to_structured"],
        }.items()
        for name in names
    },
}


@pytest.mark.parametrize("name", CALLS)
def test_an_old_call_gives_what_the_new_one_gives(name):
    old, new = CALLS[name]
    with pytest.warns(DeprecationWarning, match="the next release"):
        found = old()
    expected = new()
    assert np.array_equal(found, expected) if isinstance(found, np.ndarray) else found == expected


def test_the_new_names_stand_in_the_signatures():
    import inspect

    assert list(inspect.signature(puzzle15.solve).parameters)[:3] == ["board", "goal", "shape"]
    for method in (EIGHT.solve, EIGHT.hint, EIGHT.solve_many):
        assert "workers" in inspect.signature(method).parameters
