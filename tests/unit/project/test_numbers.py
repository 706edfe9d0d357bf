"""numpy's numbers are numbers: every numeric option of every public call takes them, and gives the same answer."""

import dataclasses
import inspect
import itertools
import math
import re

import numpy as np
import pytest

from puzzle15 import (
    Board,
    LocalValueIteration,
    Solver,
    ann,
    board,
    build_tables,
    checks,
    dataset,
    environments,
    heuristics,
    parallel,
    published,
    search,
    search_many,
    serve,
    solve,
    solver,
    tables,
)
from puzzle15.local_vi import value_iteration
from puzzle15.searches import SearchOptions, SearchTree, compare
from puzzle15.solver import label

NEAR = "1 2 3/0 5 6/4 7 8"
FAR_4X4 = "5 1 2 4/9 6 3 8/13 10 7 11/0 14 15 12"
EIGHT = Solver(shape=(3, 3))
GOAL = Board.goal((3, 3))
LEARNER = LocalValueIteration(shape=(3, 3))
TABLE = tables.PatternTable.by_search([1, 2, 3], shape=(3, 3))
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


def rng():
    return np.random.default_rng(1)


def one_search(algorithm, **options):
    return search(NEAR, algorithm=algorithm, **options)


def many_searches(algorithm, **options):
    return list(search_many([NEAR], algorithm=algorithm, **options))


def compared(algorithm, **options):
    return list(compare(NEAR, algorithms=[algorithm], **options))


def write(folder, **options):
    made = dataset.write(folder / str(len(list(folder.iterdir()))), **{"count": 8, "seed": 1, **options}, solver=EIGHT)
    return [shard["distance"].tolist() for shard in map(made.shard, range(made.shard_count))]


def built(folder, **options):
    where = folder / str(len(list(folder.iterdir())))
    return len(build_tables("1-4/5-8", **{"shape": (3, 3), **options}, tables=where))


def labels(folder):
    return dataset.write(folder / str(len(list(folder.iterdir()))), count=20, seed=1, shard=7, solver=EIGHT).folder


def options_of(made):
    return made.illegal_reward, made.max_episode_steps, made.pool, str(made.distribution)


def batches(folder, **options):
    found = dataset.Batches(labels(folder), **{"batch_size": 4, "policy": None, **options})
    return [str(each) for each in itertools.islice(found, 7)]


#: By name: the function, a call of it with a folder and with options, and the options with a number of each.
CALLS = {
    "Solver.solve": (Solver.solve, lambda _, **o: EIGHT.solve(NEAR, **o), {"max_length": 9, **LIMITS}),
    "solve": (solve, lambda _, **o: solve(NEAR, **o), {"max_length": 9, **LIMITS}),
    "Solver.hint": (Solver.hint, lambda _, **o: EIGHT.hint(NEAR, **o), LIMITS),
    "Solver.all_solutions": (
        Solver.all_solutions,
        lambda _, **o: list(EIGHT.all_solutions(NEAR, **o)),
        {"max_solutions": 2, **LIMITS},
    ),
    "Solver.analyse": (Solver.analyse, lambda _, **o: EIGHT.analyse(NEAR, "ULL", **o), LIMITS),
    "Solver.solve_many": (
        Solver.solve_many,
        lambda _, **o: list(EIGHT.solve_many([NEAR] * 3, **o)),
        {"max_length": 9, **LIMITS},
    ),
    "Solver.hint_many": (Solver.hint_many, lambda _, **o: list(EIGHT.hint_many([NEAR] * 3, **o)), LIMITS),
    "Solver.analyse_many": (
        Solver.analyse_many,
        lambda _, **o: list(EIGHT.analyse_many([NEAR] * 3, ["U"] * 3, **o)),
        LIMITS,
    ),
    "Solver.distance_many": (
        Solver.distance_many,
        lambda _, **o: EIGHT.distance_many([NEAR], **o).tolist(),
        {"workers": 2},
    ),
    "label": (
        label,
        lambda _, **o: label(EIGHT, [NEAR], **o)["distance"].tolist(),
        {"workers": 2},
    ),
    "scramble": (
        solver.scramble,
        lambda _, distance=7, **o: solver.scramble(distance, EIGHT, 1, **o),
        {"distance": 7, "time_limit_s": 30},
    ),
    "search": (SearchOptions, lambda _, **o: search(NEAR, **o), SEARCHES),
    "search_many": (search_many, lambda _, **o: list(search_many([NEAR], **o)), {"workers": 2, **SEARCHES}),
    "compare": (compare, lambda _, **o: list(compare(NEAR, algorithms=["a*"], **o)), {"workers": 2, **SEARCHES}),
    **{
        f"{caller.__name__} {kind} {option}={number}": (
            None,
            lambda _, caller=caller, kind=kind, **o: caller(kind, **o),
            {option: number},
        )
        for caller in (one_search, many_searches, compared)
        for option, kind, number in OWN
    },
    "SearchTree": (SearchTree, lambda _, **o: repr(vars(SearchTree(**o))), {"max_expansions": 5}),
    "Board.goal": (Board.goal, lambda _, **o: Board.goal((3, 3), **o), {"home": 4}),
    "Board.random": (Board.random, lambda _, **o: Board.random(**o), {"seed": 5}),
    "Board.svg": (Board.svg, lambda _, **o: GOAL.svg(**o), {"size": 100}),
    "Solution.animation": (
        type(EIGHT.solve(NEAR)).animation,
        lambda _, **o: EIGHT.solve(NEAR).animation(**o),
        {"tiles_per_second": 2, "size": 100},
    ),
    "board, cells and shapes": (
        None,
        lambda _, number: (
            GOAL[number],
            GOAL[number, number],
            number in GOAL,
            Board([number, 1, 0, 3]),
            board.check_shape((number, 3)),
            board.home_cell(number, (3, 3)),
            board.symmetries((3, 3), number),
            published.farthest((number, 3), number),
            published.depth_counts((3, number)),
            board.pack_boards([[1, 2, 3, 4, 5, 0]], (number, 3))[0].tolist(),
            search([1, 2, 3, 4, 5, 0], shape=(number, 3)),
        ),
        {"number": 2},
    ),
    "Board, packed": (None, lambda _, word: Board(word, (2, 2)), {"word": 0x321}),
    "board.uniform": (
        board.uniform,
        lambda _, count: board.uniform(count, rng(), shape=(3, 3)).tolist(),
        {"count": 5},
    ),
    "board.random_walk": (
        board.random_walk,
        lambda _, count=3, lengths=4: board.random_walk(count, lengths, rng(), shape=(3, 3)).tolist(),
        {"count": 5, "lengths": 6},
    ),
    "build": (build_tables, built, {"home": 8, "workers": 1, "max_memory": 10**9}),
    "verify": (tables.verify, lambda folder, **o: tables.verify(tables=folder, **o), {"workers": 1}),
    "dataset.write": (
        dataset.write,
        write,
        {"count": 8, "seed": 3, "shard": 4, "workers": 1, "chunks_per_task": 2},
    ),
    "Batches": (dataset.Batches, batches, {"batch_size": 3, "buffer": 5, "seed": 2}),
    "levels_to": (
        dataset.levels_to,
        lambda _, farthest: [level.tolist() for level in dataset.levels_to(GOAL, farthest)],
        {"farthest": 3},
    ),
    "dataset.check": (
        dataset.check,
        lambda folder, **o: [(each.rows, each.sample) for each in dataset.check(labels(folder), **o)],
        {"sample": 3, "workers": 1},
    ),
    "environments.Options": (
        environments.Options,
        lambda _, **o: options_of(environments.Options(shape=(3, 3), **o)),
        {"illegal_reward": -1.5, "max_episode_steps": 20, "pool": 30, "distance": 3},
    ),
    "serve.Limits": (
        serve.Limits,
        lambda _, **o: serve.Limits(**o),
        {each.name: 20 for each in dataclasses.fields(serve.Limits)},
    ),
    "AnnDistance": (ann.AnnDistance, lambda _, **o: ann.AnnDistance(**o)(FAR_4X4), {"lowered": 2}),
    "HeuristicFunction": (
        heuristics.HeuristicFunction,
        lambda _, **o: heuristics.HeuristicFunction(len, **o).claims,
        {"batch": 2},
    ),
    "checks.check_heuristic": (
        checks.check_heuristic,
        lambda _, **o: checks.check_heuristic("zero", **{"shape": (2, 3), "boards": 9, **o}).admissible,
        {"boards": 20, "seed": 5, "time_limit_s": 30},
    ),
    "checks.check_table": (
        checks.check_table,
        lambda _, **o: repr(checks.check_table(TABLE, **o)),
        {"boards": 9, "seed": 5},
    ),
    "LocalValueIteration": (
        LocalValueIteration,
        lambda _, **o: repr({**vars(LocalValueIteration(shape=(2, 3), **o)), "_plan": None}),
        {"initial_size": 2, "gamma": 0.5},
    ),
    "LocalValueIteration.solve_many": (
        LocalValueIteration.solve_many,
        lambda _, **o: LEARNER.solve_many([NEAR], **o).lengths.tolist(),
        {"workers": 2},
    ),
    "value_iteration": (value_iteration, lambda _, **o: repr(value_iteration([1], shape=(2, 3), **o)), {"gamma": 0.5}),
    "worker_count": (parallel.worker_count, lambda _, workers: parallel.worker_count(workers), {"workers": 2}),
}

#: Options that take any number, not whole ones only.
REAL = {"time_limit_s", "weight", "weight_step", "size", "tiles_per_second", "gamma", "lowered", "illegal_reward"}
REAL |= {each.name for each in dataclasses.fields(serve.Limits) if each.name.endswith("_s")}

CASES = [(name, option) for name, (_, _, options) in CALLS.items() for option in options]

#: Options whose errors speak of boards and cells, or that are checked where they are used.
OTHERS = {"home", "number", "word", "size", "tiles_per_second", "lowered", "lengths", "farthest", "illegal_reward"}
OTHERS |= {"boards", "worker_count workers", "checks.check_table seed", "LocalValueIteration.solve_many workers"}


@pytest.mark.parametrize("name, option", CASES, ids=map(" ".join, CASES))
def test_numbers_of_numpy(name, option, tmp_path):
    _, call, options = CALLS[name]
    number = options[option]
    expected = call(tmp_path, **{option: number})
    kinds = [np.int64, np.uint64, np.int32] if isinstance(number, int) else []
    kinds += [np.uint8] if number in range(256) else []
    kinds += [np.float64, np.float32, np.float16] if option in REAL else []
    for kind in kinds:
        found = call(tmp_path, **{option: kind(number)})
        assert found == expected and "np." not in repr(found), kind
    if not {option, f"{name} {option}"} & OTHERS:
        for wrong in [-1, math.nan, True, np.True_, "5x", b"5", [5], 5j, *([] if option in REAL else [1.5, math.inf])]:
            with pytest.raises((ValueError, TypeError), match=rf"^{option}\b.*expected"):
                call(tmp_path, **{option: wrong})
        if option == "time_limit_s":
            call(tmp_path, **{option: math.inf})


def test_no_numeric_option_is_forgotten():
    of_some = {option for option, _, _ in OWN}
    for name, (function, _, options) in CALLS.items():
        for parameter in inspect.signature(function).parameters.values() if function else ():
            words = set(re.findall(r"\w+", str(parameter.annotation)))
            number = words & {"int", "float", "Size"} and not words & {"Sequence", "Iterable", "Callable"}
            if number or parameter.name in LIMITS:
                assert parameter.name in of_some.union(options), f"{name} {parameter.name}"
