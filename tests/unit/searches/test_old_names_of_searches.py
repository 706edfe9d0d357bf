"""The old names of searches, heuristics, networks and checks do what the new ones do, and warn."""

import numpy as np
import pytest

from puzzle15 import checks, heuristic, search
from puzzle15.ann import AnnDistance, gather, write_network
from puzzle15.board import Board, pack_boards
from puzzle15.searches import SearchTree, compare, plan_runs

BOARD, GOAL = "1 2 3/4 5 6/0 7 8", "0 1 2/3 4 5/6 7 8"
LARGE = ["5 3 8 9/0 2 4 1/7 10 14 13/12 11 6 15"]


def lengths(solutions):
    return [solution.length for solution in solutions]


def report(found):
    return [(trial.goal, trial.boards) for trial in found.trials]


def met(starts, *settings, **named):
    distance = AnnDistance()
    if settings:
        settings = *settings, np.random.default_rng(1)
    else:
        named["rng"] = np.random.default_rng(1)
    return gather.met(starts, distance.many, *settings, **named).tolist()


def written(folder, write):
    write(folder / "network.npz", {"w0": np.zeros(2)})
    return (folder / "network.npz").read_bytes()


#: name -> (what the warning says, the old call, the new call), each of a folder
CALLS = {
    "search": (
        "'depth_limit' is now 'max_length'",
        lambda _: search(BOARD, algorithm="dfs", depth_limit=2).moves,
        lambda _: search(BOARD, algorithm="dfs", max_length=2).moves,
    ),
    "compare": (
        "'depth_limit' is now 'max_length'",
        lambda _: lengths(compare(BOARD, algorithms=["dfs"], depth_limit=2)),
        lambda _: lengths(compare(BOARD, algorithms=["dfs"], max_length=2)),
    ),
    "SearchTree by name": (
        "'limit' is now 'max_expansions'",
        lambda _: SearchTree(limit=3).max_expansions,
        lambda _: SearchTree(max_expansions=3).max_expansions,
    ),
    "SearchTree by place": (
        "'max_expansions' is given by name",
        lambda _: SearchTree(3).max_expansions,
        lambda _: SearchTree(max_expansions=3).max_expansions,
    ),
    "plan_runs": (
        "'algorithms' is given by name",
        lambda _: plan_runs((3, 3), ["a*"], ["zero"]),
        lambda _: plan_runs((3, 3), algorithms=["a*"], heuristics=["zero"]),
    ),
    "heuristic": (
        "'goal' is given by name",
        lambda folder: repr(heuristic("zero", GOAL, (3, 3), folder)),
        lambda folder: repr(heuristic("zero", goal=GOAL, shape=(3, 3), tables=folder)),
    ),
    "checks.heuristic": (
        "'goal' is given by name",
        lambda _: report(checks.heuristic("zero", "0 1/2 3", (2, 2))),
        lambda _: report(checks.heuristic("zero", goal="0 1/2 3", shape=(2, 2))),
    ),
    "AnnDistance": (
        "'lowered' is given by name",
        lambda _: AnnDistance("best", 7).many(LARGE).tolist(),
        lambda _: AnnDistance("best", lowered=7).many(LARGE).tolist(),
    ),
    "AnnDistance.predict": (
        "predict() is now many(rounded=False);",
        lambda _: AnnDistance().predict(LARGE).tolist(),
        lambda _: AnnDistance().many(LARGE, rounded=False).tolist(),
    ),
    "write_network": (
        "'meta' is given by name",
        lambda folder: written(folder, lambda *what: write_network(*what, {"name": "a"})),
        lambda folder: written(folder, lambda *what: write_network(*what, meta={"name": "a"})),
    ),
    "met": (
        "'width' is given by name",
        lambda _: met(pack_boards([Board.random(1)])[0], 3, 50),
        lambda _: met(pack_boards([Board.random(1)])[0], width=3, each=50),
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_old_names(name, tmp_path):
    text, old, new = CALLS[name]
    with pytest.warns(DeprecationWarning) as told:
        given = old(tmp_path)
    assert text in str(told[0].message) and given == new(tmp_path)
