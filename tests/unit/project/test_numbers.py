"""numpy's numbers are numbers: every numeric option of every public call takes them, and gives the same answer."""

import inspect
import itertools
import math
import re
from collections.abc import Iterable
from functools import partial
from itertools import islice

import numpy as np
import pytest

from puzzle15 import (
    Board,
    LocalValueIteration,
    Solver,
    board,
    build_tables,
    dataset,
    environments,
    search,
    search_many,
    solve,
    tables,
)
from puzzle15._system.workers import worker_count
from puzzle15.board._notation import check_shape
from puzzle15.board._orientation import home_cell
from puzzle15.dataset._distances import levels_to
from puzzle15.heuristics import HeuristicFunction, check_heuristic
from puzzle15.learning import AnnDistance, value_iteration
from puzzle15.searches import SearchOptions, SearchTree, compare
from puzzle15.solver import label, scramble

NEAR = "1 2 3/0 5 6/4 7 8"
FAR_4X4 = "5 1 2 4/9 6 3 8/13 10 7 11/0 14 15 12"
EIGHT = Solver(shape=(3, 3))
GOAL = Board.goal((3, 3))
LEARNER = LocalValueIteration(shape=(3, 3))
LIMITS = {"max_nodes": 100, "time_limit_s": 30, "workers": 2}
SEARCHES = {"max_nodes": 100, "time_limit_s": 30, "max_memory": 10**8}

#: The options that only some algorithms take: name, algorithm, number.
OWN = [
    ("weight", "weighted-a*", 3),
    ("weight", "anytime-a*", 1.25),
    ("weight", "ara*", 1.2),
    ("weight_step", "ara*", 1),
    ("weight_step", "ara*", 1 / 3),
    ("width", "beam", 20),
    ("width", "beam-stack", 20),
    ("max_length", "depth-first", 7),
    ("batch", "a*", 3),
]


def given(value):
    """What a call has given, as values that can be compared."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    is_one = not isinstance(value, Iterable) or isinstance(value, (str, tuple, Board))
    return value if is_one else [given(each) for each in islice(value, 7)]


def compared(board, algorithm, **options):
    return compare(board, algorithms=[algorithm], **options)


def cells_and_shapes(number):
    return (
        GOAL[number],
        GOAL[number, number],
        number in GOAL,
        Board([number, 1, 0, 3]),
        check_shape((number, 3)),
        home_cell(number, (3, 3)),
        board.symmetries((3, 3), number),
        board.farthest((number, 3), number),
        board.depth_counts((3, number)),
        given(board.pack_boards([[1, 2, 3, 4, 5, 0]], (number, 3))[0]),
        search([1, 2, 3, 4, 5, 0], shape=(number, 3)),
    )


#: Calls, and their options with a number of each.
CALLS = [
    (partial(EIGHT.solve, NEAR), {"max_length": 9, **LIMITS}),
    (partial(solve, NEAR), {"max_length": 9, **LIMITS}),
    (partial(EIGHT.hint, NEAR), LIMITS),
    (partial(EIGHT.all_solutions, NEAR), LIMITS),
    (partial(EIGHT.analyse, NEAR, "ULL"), LIMITS),
    (partial(EIGHT.solve_many, [NEAR] * 3), {"max_length": 9, **LIMITS}),
    (partial(EIGHT.hint_many, [NEAR] * 3), LIMITS),
    (partial(EIGHT.analyse_many, [NEAR] * 3, ["U"] * 3), LIMITS),
    (partial(EIGHT.distance_many, [NEAR]), {"workers": 2}),
    (partial(label, EIGHT, [NEAR]), {"workers": 2}),
    (partial(scramble, distance=7, solver=EIGHT, seed=1), {"distance": 7, "time_limit_s": 30}),
    (partial(search, NEAR), SEARCHES),
    (partial(search_many, [NEAR]), {"workers": 2, **SEARCHES}),
    (partial(compare, NEAR, algorithms=["a*"]), {"workers": 2, **SEARCHES}),
    *((partial(search, NEAR, algorithm=kind), {option: number}) for option, kind, number in OWN),
    *((partial(search_many, [NEAR], algorithm=kind), {option: number}) for option, kind, number in OWN),
    *((partial(compared, NEAR, kind), {option: number}) for option, kind, number in OWN),
    (partial(Board.goal, (3, 3)), {"home": 4}),
    (partial(Board.random), {"seed": 5}),
    (partial(GOAL.svg), {"size": 100}),
    (partial(EIGHT.solve(NEAR).animation), {"tiles_per_second": 2, "size": 100}),
    (partial(cells_and_shapes), {"number": 2}),
    (partial(Board, shape=(2, 2)), {"board": 0x321}),
    (partial(board.uniform, seed=1, shape=(3, 3)), {"count": 5}),
    (partial(board.random_walk, count=3, lengths=4, seed=1, shape=(3, 3)), {"count": 5, "lengths": 6}),
    (partial(levels_to, GOAL), {"farthest": 3}),
    (
        partial(check_heuristic, "zero", shape=(2, 3), boards=9),
        {"boards": 20, "seed": 5, "time_limit_s": 30},
    ),
    (partial(LEARNER.solve_many, [NEAR]), {"workers": 2}),
    (partial(worker_count), {"workers": 2}),
]


def labels(folder, **options):
    made = dataset.write(folder, **{"count": 20, "seed": 1, "shard": 7, **options}, solver=EIGHT)
    return [made.shard(number)["distance"].tolist() for number in range(made.shard_count)]


def read(function):
    """A function of labels, of some that are written first."""

    def call(folder, **options):
        labels(folder)
        return given(function(folder, **options))

    return call


#: What needs a new folder, or gives what cannot be compared: functions, their calls, options.
OTHER_CALLS = [
    (SearchTree, lambda _, **o: repr(vars(SearchTree(**o))), {"max_expansions": 5}),
    (
        build_tables,
        lambda folder, **o: len(build_tables("1-4/5-8", **{"shape": (3, 3), **o}, tables=folder)),
        {"home": 8, "workers": 1, "max_memory": 10**9},
    ),
    (tables.verify, lambda folder, **o: tables.verify(tables=folder, **o), {"workers": 1}),
    (dataset.write, labels, {"count": 8, "seed": 3, "shard": 4, "workers": 1, "chunks_per_task": 2}),
    (
        dataset.Batches,
        read(lambda folder, **o: map(str, dataset.Batches(folder, **{"batch_size": 4, "policy": None, **o}))),
        {"batch_size": 3, "buffer": 5, "seed": 2},
    ),
    (
        dataset.check,
        read(lambda folder, **o: [(each.rows, each.sample) for each in dataset.check(folder, **o)]),
        {"sample": 3, "workers": 1},
    ),
    (
        environments.Options,
        lambda _, **o: [str(each) for each in vars(environments.Options(shape=(3, 3), **o)).values()],
        {"illegal_reward": -1.5, "max_episode_steps": 20, "pool": 30, "distance": 3},
    ),
    (value_iteration, lambda _, **o: repr(value_iteration([1], shape=(2, 3), **o)), {"gamma": 0.5}),
    (AnnDistance, lambda _, **o: AnnDistance(**o).lowered, {"lowered": 2}),
    (HeuristicFunction, lambda _, **o: HeuristicFunction(len, **o).claims, {"batch": 2}),
    (
        LocalValueIteration,
        lambda _, **o: repr({**vars(LocalValueIteration(shape=(2, 3), **o)), "_plan": None}),
        {"initial_size": 2, "gamma": 0.5},
    ),
]

ROWS = [(call.func, lambda _, call=call, **o: given(call(**o)), options) for call, options in CALLS] + OTHER_CALLS

#: Options that take any number, not whole ones only.
REAL = {"time_limit_s", "weight", "weight_step", "size", "tiles_per_second", "gamma", "lowered", "illegal_reward"}

#: Options whose errors speak of boards and cells, or that are checked where they are used.
OTHERS = {"home", "number", "board", "size", "tiles_per_second", "lowered", "lengths", "farthest", "illegal_reward"}
OTHERS |= {"boards", "worker_count workers", "LocalValueIteration.solve_many workers"}


@pytest.mark.parametrize("name", sorted({function.__qualname__ for function, _, _ in ROWS}))
def test_numbers_of_numpy(name, tmp_path):
    folders = map(tmp_path.joinpath, map(str, itertools.count()))
    for function, call, options in ROWS:
        if function.__qualname__ == name:
            for option, number in options.items():
                print(option, number)
                check_numbers(function, call, option, number, folders)


def check_numbers(function, call, option, number, folders):
    def answer(number):
        return call(next(folders), **{option: number})

    expected = answer(number)
    kinds = [np.int64, np.uint64, np.int32] if isinstance(number, int) else []
    kinds += [np.uint8] if number in range(256) else []
    kinds += [np.float64, np.float32, np.float16] if option in REAL else []
    for kind in kinds:
        found = answer(kind(number))
        assert found == expected and "np." not in repr(found), kind
    if not {option, f"{function.__qualname__} {option}"} & OTHERS:
        for wrong in [-1, math.nan, True, np.True_, "5x", b"5", [5], 5j, *([] if option in REAL else [1.5, math.inf])]:
            with pytest.raises((ValueError, TypeError), match=rf"^{option}\b.*expected"):
                answer(wrong)
        if option == "time_limit_s":
            answer(math.inf)


def test_no_numeric_option_is_forgotten():
    tried = {}
    for function, _, options in [*ROWS, (SearchOptions, None, SEARCHES)]:
        tried.setdefault(function, {option for option, _, _ in OWN}).update(options)
    for function, options in tried.items():
        for parameter in inspect.signature(function).parameters.values():
            words = set(re.findall(r"\w+", str(parameter.annotation)))
            number = words & {"int", "float", "Size"} and not words & {"Sequence", "Iterable", "Callable"}
            if number or parameter.name in LIMITS:
                assert parameter.name in options, f"{function.__qualname__} {parameter.name}"
