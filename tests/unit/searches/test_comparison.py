"""Several searches on one board: which ones, their rows, and the drawing."""

import re
import sys

import pytest
from searching import INFORMED

from puzzle15 import ALGORITHMS, Board
from puzzle15._cli.research import plot_comparison
from puzzle15._pictures import figures as plots
from puzzle15.errors import BoardError, UnsolvableError
from puzzle15.searches import _comparison as comparison
from puzzle15.searches import compare
from puzzle15.searches._comparison import format_row, plan_runs

NEAR = "1 2 3/0 5 6/4 7 8"
FAR = "8 6 7/2 5 4/3 0 1"


def names(runs):
    return [(run.algorithm.name, run.heuristic) for run in runs]


def test_all_searches_of_a_small_board():
    runs = names(plan_runs((3, 3)))
    assert list(dict.fromkeys(name for name, _ in runs)) == list(ALGORITHMS)
    assert len(runs) == len(ALGORITHMS) + len(INFORMED) == len(set(runs))


def test_the_searches_that_are_asked_for():
    chosen = {name for name, _ in names(plan_runs((4, 4)))}
    assert {"ida*", "a*", "greedy"} <= chosen and not {"depth-first", "breadth-first"} & chosen
    algorithms, two = ["greedy", "bidirectional", "astar", "greedy"], ["zero", "max(misplaced,manhattan)"]
    runs = names(plan_runs((4, 4), algorithms=algorithms, heuristics=two))
    assert runs == [*(("greedy", name) for name in two), ("bidirectional", None), *(("a*", name) for name in two)]
    with pytest.raises(ValueError, match="none of bidirectional uses one"):
        plan_runs((4, 4), algorithms=["bidirectional"], heuristics=["zero"])
    with pytest.raises(ValueError, match="expected one of"):
        plan_runs((4, 4), algorithms=["quick"])


def test_goals_shapes_options_and_limits():
    goal = "8 6 7/2 5 4/0 3 1"
    (solution,) = compare(FAR, algorithms=["a*"], heuristics=["manhattan"], goal=goal)
    assert (solution.length, str(solution.goal)) == (1, goal)
    (solution,) = compare("1 2 3 4 0 5", shape=(2, 3), algorithms=["ida*"], heuristics=["manhattan"])
    assert solution.moves == "L"
    beam, greedy = compare(FAR, algorithms=["beam", "greedy"], heuristics=["manhattan"], width=10**6, move_order="DRLU")
    assert beam.length == 31 < greedy.length
    for limit in ({"max_nodes": 100}, {"time_limit_s": 0}, {"max_memory": 0}):
        assert all(solution.status == "limit" for solution in compare(FAR, algorithms=["a*", "breadth-first"], **limit))


def test_each_algorithm_has_the_memory_that_it_has_alone(monkeypatch):
    given = {}

    def run_all(runs, workers):
        given.update((search.algorithm.name, search._memory()) for search, _ in runs)
        return []

    monkeypatch.setattr(comparison, "run_all", run_all)
    own = ALGORITHMS["ida*-tt"].default_memory
    for fields, table, others in (({}, own, 2**30), ({"workers": 4}, own, 2**30), ({"max_memory": "2G"}, 2**31, 2**31)):
        list(compare(FAR, algorithms=["ida*-tt", "a*"], heuristics=["manhattan"], **fields))
        assert given["ida*-tt"] == table and given["a*"] <= others, fields


@pytest.mark.slow
def test_iterations_are_told():
    told = []
    algorithms = ["ida*", "a*", "iterative-deepening", "bidirectional"]
    for solution in compare(FAR, algorithms=algorithms, heuristics=["manhattan"], on_iteration=told.append):
        assert told == list(solution.iterations) and bool(told) == (
            solution.algorithm in ("ida*", "iterative-deepening")
        )
        told.clear()
    with pytest.raises(ValueError, match="on_iteration: a\\* does not use it; iterative-deepening, ida"):
        compare(FAR, algorithms=["a*"], on_iteration=told.append)


def test_options_of_all_and_of_none():
    greedy, beam = compare(FAR, algorithms=["greedy", "beam"], heuristics="manhattan", prove=True)
    assert greedy.optimal and beam.optimal and greedy.length == beam.length == 31
    for name in ("frobnicate", "heuristic", "algorithm"):
        with pytest.raises(TypeError, match=f"has no {name}"):
            compare(FAR, **{name: "manhattan"})


def test_what_cannot_be_compared():
    with pytest.raises(UnsolvableError):
        compare("1 2 3/4 5 6/8 7 0")
    with pytest.raises(BoardError):
        compare("1 2 3/4 5 6/8 8 0")
    with pytest.raises(ValueError, match="width: a\\* does not use it; beam, beam-stack do"):
        compare(FAR, algorithms=["a*"], width=10)
    with pytest.raises(ValueError, match="weight 0.5"):
        compare(FAR, weight=0.5)
    with pytest.raises(ValueError, match="max_length: depth-first needs one on a 4x4 board"):
        compare(Board.random(1), algorithms=["a*", "depth-first"])


def test_rows():
    runs = plan_runs((3, 3))
    solutions = list(compare(FAR, max_nodes=1000))
    assert [(solution.algorithm, solution.heuristic) for solution in solutions] == names(runs)
    lines = [format_row(runs), *(format_row(runs, solution) for solution in solutions)]
    starts = {line.rindex("  ") for line in lines}
    assert len(starts) == 1  # the last column, behind all others
    assert [line.split()[0] for line in lines] == ["algorithm", *(run.algorithm.name for run in runs)]
    limited = next(line for line in lines if line.startswith("breadth-first"))
    assert re.search(r" - +>=\d+ +- .* limit$", limited)
    failed = [line for line in lines if line.startswith("hill-climbing")][-1].split()
    assert failed[:2] == ["hill-climbing", "linear-conflict"] and failed[-1] == "failed"


def test_files_that_cannot_be_drawn(tmp_path, monkeypatch):
    with pytest.raises(ValueError, match=r"ends in \.png, \.svg, \.pdf"):
        plots.check_file(tmp_path / "nodes.txt")
    with pytest.raises(FileNotFoundError, match="is not a folder"):
        plots.check_file(tmp_path / "none" / "nodes.png")
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ImportError, match="pip install matplotlib"):
        plots.check_file(tmp_path / "nodes.png")


@pytest.mark.extra
def test_each_bar_says_what_it_took_where_it_can_be_read(tmp_path, monkeypatch):
    figures = pytest.importorskip("matplotlib.figure")
    solutions = list(compare(FAR, max_nodes=3000))
    drawn = []
    monkeypatch.setattr(figures.Figure, "savefig", lambda figure, *_, **__: drawn.append(figure))
    plot_comparison(solutions, tmp_path / "nodes.png")
    (figure,) = drawn
    figure.draw_without_rendering()
    axes = figure.axes[0]
    assert len(axes.texts) == len(axes.patches) == len(solutions)
    whole, places = figure.bbox, []
    for bar, text, solution in zip(axes.patches, axes.texts, solutions):
        words = text.get_text().split(", ")
        assert words[0] == f"{solution.generated:,} node{'s' * (solution.generated != 1)}"
        outcome = [f"{solution.length} moves"]
        if solution.status != "solved":
            least = "at least" if solution.moves is None else f"{solution.lower_bound} to"
            most = solution.lower_bound if solution.moves is None else solution.length
            outcome = [solution.status, f"{least} {most} move{'s' * (most != 1)}"]
        assert words[1 : 1 + len(outcome)] == outcome
        assert words[-1].split()[-1] in (["bytes", "kB", "MB"] if solution.memory_bytes else ["µs", "ms", "s"])
        place = text.get_window_extent()
        assert place.x0 >= bar.get_window_extent().x1 and whole.x0 <= place.x0 and place.x1 <= whole.x1
        assert not any(place.overlaps(other) for other in places)
        places.append(place)
