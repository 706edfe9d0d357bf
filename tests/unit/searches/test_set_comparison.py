"""Several searches on a set of boards: means, distances, tables; and the fields of their options as keywords."""

import inspect
import math
import re

import numpy as np
import pytest

from puzzle15 import Board, SearchOptions, compare, search, search_many
from puzzle15.board import KORF_GOAL, random_walk, unpack_boards
from puzzle15.errors import AlgorithmError, BoardError, OptionError, UnsolvableError
from puzzle15.searches import Comparison, compare_many, register, unregister
from puzzle15.searches._options import CommonFields, SearchFields

BOARDS = ["8 6 7/2 5 4/3 0 1", "1 2 3/0 5 6/4 7 8", "1 2 3/4 0 5/7 8 6", "1 2 3/4 5 6/0 7 8", "1 2 3/4 5 6/7 8 0"]
DISTANCES = [31, 3, 2, 2, 0]


@pytest.mark.parametrize("workers", [1, 2])
def test_the_batches_are_those_of_search_many(workers):
    comparison = compare_many(BOARDS, ["a*", "bfs", "greedy"], heuristics=["zero", "manhattan"], workers=workers)
    assert comparison.names == [
        *(("a*", "zero"), ("a*", "manhattan"), ("breadth-first", None)),
        *(("greedy", "zero"), ("greedy", "manhattan")),
    ]
    for (algorithm, heuristic), batch in zip(comparison.names, comparison):
        assert batch == search_many(BOARDS, algorithm=algorithm, heuristic=heuristic)
    assert comparison.distances.tolist() == DISTANCES and len(comparison[1:3]) == 2


def test_means_are_over_the_boards_that_are_solved():
    boards = unpack_boards(random_walk(30, [0, 5, 40] * 10, seed=1, shape=(3, 3)), (3, 3))
    comparison = compare_many(boards, ["ida*", "greedy"], heuristics="manhattan", max_nodes=40)
    for by_distance in (False, True):
        for row in comparison.rows(by_distance=by_distance):
            batch = comparison[comparison.names.index((row["algorithm"], row["heuristic"]))]
            at = range(len(boards))
            if by_distance:
                wanted = -1 if row["distance"] is None else row["distance"]
                at = [index for index in at if comparison.distances[index] == wanted]
            solved = [batch[index] for index in at if batch[index].moves is not None]
            assert row["boards"] == len(at) and math.isclose(row["solved"], len(solved) / len(at))
            assert math.isclose(row["optimal"], sum(batch[index].optimal for index in at) / len(at))
            for name in ("length", "expanded", "generated"):
                known = [getattr(each, name) for each in solved]
                assert row[name] == (pytest.approx(np.mean(known)) if known else None)
    rows = [*comparison.rows(by_distance=True)]
    assert rows[0]["distance"] is None  # of boards that no search solved
    assert sum(row["boards"] for row in rows) == 2 * len(boards)
    assert [*comparison.to_dict()] == [*rows[0]]


def test_tables_have_a_line_per_row():
    comparison = compare_many(BOARDS, ["a*", "depth-first"], heuristics="manhattan", max_nodes=10)
    lines = comparison.table(by_distance=True).splitlines()
    assert len({len(line) for line in lines}) == 1 and len(lines) == 1 + len([*comparison.rows(by_distance=True)])
    assert lines[0].split()[:4] == ["algorithm", "heuristic", "distance", "boards"]
    assert "distance" not in str(comparison) and str(comparison).splitlines()[1].split()[:3] == ["a*", "manhattan", "5"]
    assert repr(comparison) == "<Comparison of 2 searches on 5 boards>"
    assert re.findall(r'scope="col">(\w+)', comparison._repr_html_())[:3] == ["algorithm", "heuristic", "boards"]


def test_progress_counts_the_boards_of_all_searches():
    seen = []
    compare_many(BOARDS, ["a*", "bfs"], heuristics="zero", progress=lambda *counts: seen.append(counts))
    assert seen == sorted(seen) and seen[-1] == (10, 10)


@pytest.mark.extra
def test_a_picture_of_expansions_by_distance(tmp_path):
    pytest.importorskip("matplotlib")
    comparison = compare_many(BOARDS, ["a*", "bfs"], heuristics=["zero", "manhattan"])
    comparison.plot(tmp_path / "means.svg")
    text = (tmp_path / "means.svg").read_text()
    assert "<svg" in text and "a* with manhattan" in text and "breadth-first" in text
    with pytest.raises(OptionError, match="ends in .png"):
        comparison.plot(tmp_path / "means.txt")


@pytest.mark.extra
def test_a_picture_shows_no_expansion_as_one(tmp_path, monkeypatch):
    """Its axis has no 0."""
    pytest.importorskip("matplotlib")
    drawn = []
    monkeypatch.setattr("puzzle15._pictures.figures.save_panels", lambda figure, *_: drawn.append(figure))
    compare_many(["1 2 3/4 5 6/7 8 0"], ["a*", "bfs"], heuristics="zero").plot(tmp_path / "means.svg")
    [axes] = drawn[0].axes
    assert [line.get_xydata().tolist() for line in axes.lines] == [[[0, 1]]] * 2
    drawn[0].draw_without_rendering()
    assert axes.get_position().width > 0.7  # of the picture


def test_bad_boards_and_options():
    with pytest.raises(BoardError, match="board 1"):
        compare_many([BOARDS[0], "no board"], ["a*"])
    with pytest.raises(UnsolvableError, match="board 0"):
        compare_many(["2 1 3/4 5 6/7 8 0"], ["a*"])
    marked = compare_many([BOARDS[1], "no board"], ["a*"], heuristics="zero", on_error="mark")
    assert marked[0].errors.keys() == {1} and marked.distances.tolist() == [3, -1]
    assert marked.to_dict()["solved"] == [0.5]
    with pytest.raises(OptionError, match="on_expand: compare_many"):
        compare_many(BOARDS, ["a*"], on_expand=print)
    with pytest.raises(OptionError, match="expected at least one search; there are none"):
        compare_many(BOARDS, [])
    assert len(compare_many([], ["a*"], heuristics="zero", shape=(3, 3)).distances) == 0
    assert isinstance(compare_many([Board(BOARDS[0])] * 2, "greedy")[:0], Comparison)


def test_a_lower_bound_that_another_search_refutes():
    @register(name="too-sure", f="g")
    def too_sure(start, goal, heuristic, progress):
        progress(lower_bound=21)

    try:
        with pytest.raises(AlgorithmError, match="too-sure"):
            compare_many([BOARDS[1]], ["too-sure", "bfs"])
    finally:
        unregister("too-sure")


def test_the_goal_of_a_set_of_other_goals():
    comparison = compare_many([KORF_GOAL], ["ida*"], heuristics="manhattan", goal=KORF_GOAL)
    assert comparison.distances.tolist() == [0]


# ---------------------------------------------------------------- keywords


def test_every_field_of_options_is_a_keyword():
    """The fields stand in `SearchOptions`, and again with types for checkers; the types are the same."""
    assert SearchOptions("bfs").algorithm == "breadth-first"
    fields = {name: each for name, each in SearchOptions.__annotations__.items() if name != "kind"}
    assert {**CommonFields.__annotations__, **SearchFields.__annotations__}.keys() == fields.keys()
    assert fields.keys() - CommonFields.__annotations__.keys() == {"algorithm", "heuristic"}
    for name, known in SearchFields.__annotations__.items():
        if not name.startswith("on_i"):  # search_many calls these with an index, too
            assert getattr(known, "__forward_arg__", known) == fields[name]


@pytest.mark.parametrize("function, lacking", [(search, 0), (search_many, 0), (compare, 2), (compare_many, 2)])
def test_signatures_list_the_fields(function, lacking):
    shown = inspect.signature(function).parameters
    own = [name for name in inspect.signature(SearchOptions).parameters if name not in ("algorithm", "heuristic")]
    assert [name for name in shown if name in own] == own
    assert len({"algorithm", "heuristic"} - shown.keys()) == lacking
    assert not any(each.kind == each.VAR_KEYWORD for each in shown.values())
