"""``puzzle15 compare``, ``puzzle15 check-heuristic`` and ``puzzle15 subproblem``."""

import json
import re

import pytest
from shell import EASY, FAR, SEARCH_KEYS, UNSOLVABLE, read_records

from puzzle15 import Board, LocalValueIteration, heuristics
from puzzle15.heuristics import HeuristicReport
from puzzle15.heuristics._report import Overestimate, Trial
from puzzle15.learning import value_iteration


@pytest.mark.slow
def test_a_comparison(run, tmp_path):
    code, out, err = run("compare", FAR, "--max-nodes", "3000")
    lines = out.splitlines()
    assert (code, err) == (0, "") and len(lines) == 1 + 4 + 2 * 17 and lines[0].split()[0] == "algorithm"
    words = ["compare", FAR, "--algorithms", "idastar,bidirectional", "--heuristics", "zero,max(misplaced,reversal)"]
    code, out, err = run(*words, "--json", "--quiet")
    records = read_records(out)
    assert (code, err) == (0, "") and all(list(record) == SEARCH_KEYS for record in records)
    assert [record["algorithm"] for record in records] == ["ida*", "ida*", "bidirectional"]
    assert {record["length"] for record in records} == {31}
    assert run("compare", UNSOLVABLE)[:2] == (1, "") and run("compare", "nonsense")[:2] == (1, "")


def test_a_comparison_by_two_threads(run):
    words = ["compare", FAR, "--algorithms", "idastar,astar,nbs", "--heuristics", "manhattan", "--json"]
    alone, both = (read_records(run(*words, "--workers", workers)[1]) for workers in "12")
    assert len(both) == 3
    assert all(one | {"seconds": 0} == other | {"seconds": 0} for one, other in zip(alone, both))
    assert run(*words, "--workers", "0")[:2] == (2, "")


def test_counts_by_layer(run):
    words = ["--counts", "--json", "--quiet", FAR]
    both = read_records(run("compare", "--algorithms", "mm,astar", "--heuristics", "manhattan", *words)[1])
    (alone,) = read_records(run("solve", "--algorithm", "mm", *words)[1])
    assert both[0]["counts"] == alone["counts"] != both[1]["counts"]
    for record in both:
        for layers in (record["counts"]["by_f"], record["counts"]["by_g"]):
            assert sum(layer["expanded"] for layer in layers) == record["expanded"]
            assert sum(layer["generated"] for layer in layers) == record["generated"]


def test_the_progress_of_a_comparison(run, monkeypatch):
    """Where there is no terminal, a line now and then: the rows tell what is done."""
    words = ["compare", FAR, "--algorithms", "idastar,astar", "--heuristics", "manhattan,reversal"]
    assert run(*words)[2] == ""
    monkeypatch.setattr("puzzle15._cli.console._PLAIN_INTERVAL_S", 0.0)  # as if every run took long
    code, out, err = run(*words)
    assert code == 0 and len(out.splitlines()) == 5
    runs = [f"{algorithm} with {heuristic}" for algorithm in ("ida*", "a*") for heuristic in ("manhattan", "reversal")]
    assert [re.split(r" %  |  \(", line)[1] for line in err.splitlines()] == runs


def test_what_a_comparison_ends_with(run):
    words = ["compare", FAR, "--quiet", "--json", "--heuristics", "manhattan", "--algorithms"]
    for names, limits, code in [
        ("astar", [], 0),
        ("astar,idastar", ["--max-nodes", "100"], 1),
        ("hill-climbing", [], 1),
        ("hill-climbing,greedy", [], 0),
        ("astar,greedy", ["--max-nodes", "1500"], 0),
    ]:
        result = run(*words, names, *limits)
        assert result[0] == code and len(result[1].splitlines()) == len(names.split(","))


def test_a_comparison_on_a_set(run, tmp_path):
    boards = tmp_path / "boards.txt"
    boards.write_text(f"{EASY}\n# a comment\n{FAR}\n")
    words = ["compare", "--set", boards, "--algorithms", "astar,bfs", "--heuristics", "manhattan"]
    code, out, err = run(*words)
    lines = out.splitlines()
    assert (
        (code, err) == (0, "") and len(lines) == 3 and lines[1].split()[:5] == ["a*", "manhattan", "2", "100%", "100%"]
    )
    records = read_records(run(*words, "--by-distance", "--json")[1])
    assert [(record["algorithm"], record["distance"]) for record in records[::3]] == [("a*", 1), ("breadth-first", 31)]
    assert run(*words, "--by-distance")[1].count("breadth-first") == 3
    korf = ["compare", "--set", "korf100", "--easiest", "2", "--algorithms", "idastar", "--heuristics", "tables"]
    (record,) = read_records(run(*korf, "--json", "--quiet")[1])
    assert (record["boards"], record["length"], record["optimal"]) == (2, 41.5, 1.0)


@pytest.mark.parametrize(
    "words, code, expected",
    [
        ([], 2, "expected a board"),
        ([EASY, "--set", "korf100"], 2, "one source"),
        ([EASY, "--easiest", "2"], 2, "--easiest: add --set"),
        (["--set", "BOARDS", "--easiest", "2"], 2, "--easiest: expected --set korf100"),
        (["--set", "BOARDS"], 1, "line 2: 1 2/3 0: expected 3x3"),
        (["--set", "BOARDS", "--counts", "--json"], 2, "--counts: it is for one board"),
        (["--set", "EMPTY"], 1, "there are none"),
        (["--set", "BOARDS", "--shape", "2x2"], 1, "line 1: "),
    ],
)
def test_sets_that_cannot_be_compared(run, tmp_path, words, code, expected):
    (tmp_path / "BOARDS").write_text(f"{EASY}\n1 2/3 0\n")
    (tmp_path / "EMPTY").write_text("")
    paths = [str(tmp_path / word) if word in ("BOARDS", "EMPTY") else word for word in words]
    found, out, err = run("compare", *paths)
    assert (found, out) == (code, "") and expected in err


@pytest.mark.extra
def test_a_drawn_comparison(run, tmp_path):
    pytest.importorskip("matplotlib")
    file = tmp_path / "nodes.svg"
    assert run("compare", EASY, "--algorithms", "ida*", "--output", file, "--quiet")[0] == 0
    text = file.read_text()  # matplotlib writes what it draws as shapes beside them
    assert "<!-- nodes generated -->" in text and text.count("<!-- 3 nodes, 1 move, ") == 2


def test_the_table_and_the_record(run):
    expected = heuristics.check_heuristic("manhattan", shape=(2, 3))
    assert run("check-heuristic", "Manhattan", "--shape", "2x3", "--quiet") == (0, f"{expected}\n", "")
    code, out, _ = run("check-heuristic", "manhattan", "--goal", "1 2 3/4 5 0", "--json", "--quiet")
    record, wanted = json.loads(out), expected.to_dict()
    for trial in (*record["trials"], *wanted["trials"]):
        del trial["seconds"]
    assert code == 0 and record == wanted


def test_a_larger_shape(run):
    words = ["check-heuristic", "zero", "--shape", "3x4", "--boards", "100", "--seed", "3"]
    for more, shapes in (([], ["2x2", "2x3", "3x3", "3x4"]), (["--own-shape"], ["3x4"])):
        code, out, err = run(*words, *more)
        assert code == 0 and [line.split()[0] for line in out.splitlines()[2:]] == shapes and "check-heuristic:" in err


def test_a_refuted_claim(run, monkeypatch):
    goal = Board.goal((2, 2))
    trial = Trial(goal, 12, 12, 12, 1, 3.0, 3.0, 0.5, (Overestimate(goal, 1, 0),), 1, (), 0, (), 0, 0.1)
    monkeypatch.setattr(heuristics, "check_heuristic", lambda *_, **__: HeuristicReport("it", True, True, (trial,)))
    code, out, _ = run("check-heuristic", "manhattan", "--quiet")
    assert code == 1 and "2x2: not admissible on 1 board: h is 1 on 1 2/3 0, whose distance is 0" in out


def test_claims_for_a_function_that_claims_nothing(run, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("def halves(board):\n    return board.manhattan() // 2 * 2 + 3 * (board[0] == 1)\n")
    words = ["check-heuristic", f"{file}:halves", "--shape", "2x3", "--quiet"]
    code, out, _ = run(*words)
    assert code == 0 and out.startswith(f"{file}:halves claims nothing. It is not admissible and not consistent.\n")
    for claims in (["admissible"], ["consistent"], ["admissible", "consistent"]):
        given = [f"--claim={claim}" for claim in claims]
        code, out, _ = run(*words, *given)
        assert code == 1 and f":halves claims to be {' and '.join(claims)}. It is not ad" in out
        (record,) = read_records(run(*words, *given, "--json")[1])
        assert record["claims"] == {claim: claim in claims for claim in ("admissible", "consistent")}
    assert run("check-heuristic", "manhattan", "--shape", "2x3", "--claim", "admissible", "--quiet")[0] == 0
    assert run(*words, "--claim", "perfect")[0] == 2


@pytest.mark.parametrize("convention, letters", [("tile", "DRLU"), ("blank", "ULRD")])
def test_the_states_of_a_subproblem(run, convention, letters):
    words = ["subproblem", "2,3", "--fixed", "1", "--shape", "3x3", "--move-order", "rldu", "--convention", convention]
    code, out, _ = run(*words, "--json")
    records, learned = read_records(out), value_iteration([2, 3], [1], shape=(3, 3), move_order="RLDU")
    assert code == 0 and [record["state"] for record in records] == list(range(learned.state_count))
    assert [record["value"] for record in records] == learned.values.tolist()
    assert [[*record["cells"], record["blank"]] for record in records] == learned.cells(range(len(records))).tolist()
    moves = [*letters, "", None]
    assert [record["move"] for record in records] == [moves[action] for action in learned.policy]
    assert [-1 if record["length"] is None else record["length"] for record in records] == learned.lengths.tolist()
    assert (
        run(*words)[1]
        == "tiles 2,3, fixed 1: 336 states, 336 lead to the goal, in 12.26 moves on average and 21 at most\n"
    )
    assert '"length": null, "move": null' in run("subproblem", "3", "--fixed", "1,2", "--shape", "3x3", "--json")[1]


def test_the_stages_and_classes_of_local_value_iteration(run):
    words = ["subproblem", "--shape", "3x3", "--initial-size", "2", "--move-order", "DLUR"]
    records = read_records(run(*words, "--json", "--quiet")[1])
    counts = LocalValueIteration(shape=(3, 3), initial_size=2, move_order="DLUR").count_boards()
    stages = [record for record in records if record["stage"]]
    assert [tuple(record["tiles"]) for record in stages] == [
        f.tiles for stage in counts.stages for f in stage.functions
    ]
    assert {
        record["class"]: (record["share"], record["average"], record["longest"]) for record in records[len(stages) :]
    } == {k: (str(share), counts.mean(k), counts.maximum(k)) for k, share in counts.classes.items()}
    code, out, err = run(*words, "--quiet")
    assert (code, err) == (0, "") and len(out.splitlines()) == 1 + len(stages) + 2 + len(counts.classes)
    assert out.splitlines()[0].split() == ["stage", "tiles", "states", "reachable", "longest", "average", "share"]
    assert run("subproblem", "--shape", "2x3") == run("subproblem", "--shape", "2x3", "--initial-size", "1")
