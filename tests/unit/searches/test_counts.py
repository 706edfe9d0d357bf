"""The nodes of searches by layer, against what the searches tell of each expansion."""

import json
from collections import Counter

import numpy as np
import pytest
from searching import FAR, MEETING, near, same

from puzzle15 import ALGORITHMS, Board, search
from puzzle15.searches import SearchBatch, algorithm_of, compare, register
from puzzle15.searches._algorithms import EXAMPLES

SIDES = ("start", "goal")
OURS = [name for name, kind in ALGORITHMS.items() if kind.function is None]


def twin(solution, told, batch=1):
    """{(side, layer): (expanded, generated)} by f and by g, from the expansions."""
    by_f, by_g = (Counter(), Counter()), (Counter(), Counter())
    unmade = {}
    if algorithm_of(solution.algorithm).kernel == "deepening" and solution.moves and batch == 1:
        # Of a node on the way to the goal, the children after the one on the way are not made. The way is the last one.
        path = list(solution.boards())
        way = {each.g: each for each in told if each.iteration == told[-1].iteration and each.board == path[each.g]}
        for each in list(way.values())[:-1]:
            boards = [child.board for child in each.children]
            unmade[each.number] = len(boards) - boards.index(path[each.g + 1]) - 1
    for each in told:
        if each.fate == "expanded":
            made = len(each.children) - unmade.get(each.number, 0)
            for layers, layer in ((by_f, each.g + (each.h or 0)), (by_g, each.g)):
                layers[0][SIDES.index(each.side), layer] += 1
                layers[1][SIDES.index(each.side), layer] += made
    return by_f, by_g


def dense(layers, like):
    made = np.zeros_like(like)
    for at, count in layers.items():
        made[at] = count
    return made.tolist()


def check(board, **options):
    told = []
    traced = search(board, counts=True, on_expand=told.append, **options)
    solution = search(board, counts=True, **options)
    plain = {**same(solution), "counts": None}
    assert plain == {**same(traced), "counts": None} == same(search(board, **options))
    counts, (by_f, by_g) = solution.counts, twin(traced, told, options.get("batch", 1))
    assert counts.expanded.shape[0] == (2 if "goal" in {each.side for each in told[:-1]} else 1)
    assert counts.expanded.tolist() == dense(by_f[0], counts.expanded)
    assert counts.expanded_by_g.tolist() == dense(by_g[0], counts.expanded_by_g)
    if solution.moves or algorithm_of(solution.algorithm).kernel != "deepening":  # else it stopped among the children
        assert counts.generated.tolist() == dense(by_f[1], counts.generated)
        assert counts.generated_by_g.tolist() == dense(by_g[1], counts.generated_by_g)
    assert (int(counts.expanded.sum()), int(counts.generated.sum())) == (solution.expanded, solution.generated)
    return solution, counts


@pytest.mark.parametrize("algorithm", OURS)
def test_layers_are_those_of_the_expansions(algorithm):
    kind = ALGORITHMS[algorithm]
    most = {"depth-first": 9, "iterative-deepening": 9, "breadth-first": 12}.get(algorithm, 16)
    for name in ("manhattan", "linear-conflict") if kind.informed else (None,):
        for seed, shape in [(0, (2, 3)), (2, (3, 3))]:
            board = near(Board.goal(shape), seed, min(most, 7 * shape[0]))
            given = {"heuristic": name} if name else {}
            if "max_length" in kind.options:
                given["max_length"] = most
            if algorithm == "beam-stack":
                given["width"] = 20
            check(board, algorithm=algorithm, **given)
            if seed == 2:
                check(board, algorithm=algorithm, max_nodes=50, **given)
                batch = {"batch": 5} if "batch" in kind.options else {}
                solution, counts = check(board, algorithm=algorithm, **batch, **given)
                if solution.optimal:
                    above = int(counts.expanded[:, counts.shortest + 1 :].sum())
                    assert counts.expanded_below + counts.expanded_at + above == solution.expanded


def test_trees_are_counted_by_f():
    board = near(Board.goal((4, 4)), 6, 90)
    with_trees = search(board, algorithm="ida*", counts=True)
    walked = search(board, algorithm="ida*", heuristic="max(manhattan,misplaced)", counts=True)
    assert with_trees.expanded == walked.expanded > 200_000
    assert with_trees.counts.expanded.tolist() == walked.counts.expanded.tolist()
    assert with_trees.counts.generated.tolist() == walked.counts.generated.tolist()
    assert with_trees.counts.expanded_by_g is None and with_trees.counts.to_dict()["by_g"] is None
    assert walked.counts.expanded_by_g.sum() == walked.expanded


@pytest.mark.parametrize("algorithm", ["branch-and-bound", "a*"])
def test_the_first_solution_and_the_proof(algorithm):
    told = []
    counts = search("8 0 6/5 4 7/2 3 1", algorithm=algorithm, counts=True, on_expand=told.append).counts
    goals = [index for index, each in enumerate(told) if each.fate == "goal"]
    assert counts.expanded_to_first == goals[0]
    assert counts.expanded_to_best == goals[-1] - len(goals) + 1


@pytest.mark.parametrize("algorithm", [*MEETING, "bidirectional"])
def test_the_first_meeting_and_the_proof(algorithm):
    told = []
    solution = search("8 0 6/5 4 7/2 3 1", algorithm=algorithm, counts=True, on_expand=told.append)
    counts = solution.counts
    assert 0 < counts.expanded_to_first <= counts.expanded_to_best <= solution.expanded
    seen, best = ({told[0].board: 0}, {Board.goal((3, 3)): 0}), []  # g of the boards that each side knows
    for number, each in enumerate(told[:-1], 1):
        side = SIDES.index(each.side)
        for child in each.children:
            if child.fate in ("open", "reopened"):
                seen[side][child.board] = child.g
                best.append((child.g + seen[1 - side].get(child.board, 1000), number))
    lengths = [length for length, _ in best]
    assert counts.expanded_to_first == next(number for length, number in best if length < 1000)
    assert counts.expanded_to_best == best[lengths.index(min(lengths))][1]


def test_without_a_solution_or_nodes():
    counts = search(FAR, algorithm="a*", counts=True, max_nodes=100).counts
    assert (counts.shortest, counts.expanded_below, counts.expanded_at, counts.expanded_to_best) == (None,) * 4
    for algorithm in OURS:
        counts = search(Board.goal((3, 3)), algorithm=algorithm, counts=True).counts
        assert counts.expanded.shape[1] == 0 and counts.expanded_to_best == 0
        assert counts.to_dict()["by_f"] == counts.to_dict()["by_g"] == []
    assert search(FAR, algorithm="a*").counts is None


def test_registered_algorithms_have_them_if_they_tell_of_all_expansions():
    @register(name="counted-steps")
    def steps(start, goal, heuristic, progress):
        progress(expanded=1)

    solution = search(FAR, algorithm="counted-steps", counts=True)
    assert solution.counts is None and solution.to_dict()["counts"] is None
    for algorithm in EXAMPLES:
        for board in (near(Board.goal((2, 3)), 1, 14), near(Board.goal((3, 3)), 2, 12)):
            check(board, algorithm=algorithm)


def test_records():
    batch = SearchBatch(compare(FAR, algorithms=["mm", "a*"], heuristics=["manhattan"], counts=True, workers=2))
    assert json.loads(json.dumps(batch.to_dict()["counts"])) == [each.counts.to_dict() for each in batch]
    rows = batch[0].counts.to_dict()["by_f"]
    assert sum(row["generated"] for row in rows) == batch.generated[0]
    assert {row["side"] for row in rows} == {"start", "goal"}
    assert batch.optimal.tolist() == [True, True]
    assert batch.largest_open.tolist() == [each.largest_open for each in batch]
    assert batch[1:].memory_bytes.tolist() == [batch[1].memory_bytes]
