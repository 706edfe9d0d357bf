"""``puzzle15 check-heuristic``: what it prints, and what its exit code says."""

import json

import pytest

from puzzle15 import Board, checks


def test_the_table_and_the_record(run):
    expected = checks.check_heuristic("manhattan", shape=(2, 3))
    assert run("check-heuristic", "Manhattan", "--shape", "2x3", "--quiet") == (0, f"{expected}\n", "")
    code, out, _ = run("check-heuristic", "manhattan", "--goal", "1 2 3/4 5 0", "--json", "--quiet")
    record, wanted = json.loads(out), expected.to_dict()
    for trial in (*record["trials"], *wanted["trials"]):
        del trial["seconds"]
    assert code == 0 and record == wanted


def test_a_larger_shape(run):
    code, out, err = run("check-heuristic", "zero", "--shape", "3x4", "--boards", "100", "--seed", "3")
    assert code == 0 and [line.split()[0] for line in out.splitlines()[2:]] == ["2x2", "2x3", "3x3", "3x4"]
    assert "check-heuristic:" in err
    code, out, err = run(
        "check-heuristic", "zero", "--shape", "3x4", "--boards", "100", "--seed", "3", "--own-shape", "--quiet"
    )
    assert code == 0 and len(out.splitlines()) == 3 and err == ""


def test_a_refuted_claim(run, monkeypatch):
    goal = Board.goal((2, 2))
    trial = checks.Trial(goal, 12, 12, 12, 1, 3.0, 3.0, 0.5, (checks.Overestimate(goal, 1, 0),), 1, (), 0, (), 0, 0.1)
    monkeypatch.setattr(checks, "check_heuristic", lambda *_, **__: checks.HeuristicReport("it", True, True, (trial,)))
    code, out, _ = run("check-heuristic", "manhattan", "--quiet")
    assert code == 1 and "2x2: not admissible on 1 board: h is 1 on 1 2/3 0, whose distance is 0" in out


def test_a_function_of_ones_own(run, tmp_path):
    """A deliberately inadmissible one, by reference."""
    file = tmp_path / "mine.py"
    file.write_text(
        "from puzzle15.heuristics import heuristic_function\n"
        "@heuristic_function(admissible=True, goal='any')\n"
        "def doubled(boards, goal):\n"
        "    return 2 * ((boards != goal) & (boards != 0)).sum(axis=1)\n"
    )
    code, out, _ = run("check-heuristic", f"{file}:doubled", "--shape", "2x3", "--quiet")
    assert code == 1 and out.startswith(f"{file}:doubled claims to be admissible. It is not admissible and not cons")
    assert "2x3: not admissible on" in out
    code, out, err = run("check-heuristic", f"{file}:trebled", "--quiet")
    assert code == 2 and "has no function trebled" in err and not out


def test_claims_for_a_function_that_claims_nothing(run, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("def halves(board):\n    return board.manhattan() // 2 * 2 + 3 * (board[0] == 1)\n")
    words = ["check-heuristic", f"{file}:halves", "--shape", "2x3", "--quiet"]
    code, out, _ = run(*words)
    assert code == 0 and out.startswith(f"{file}:halves claims nothing. It is not admissible and not consistent.\n")
    for claims in (["admissible"], ["consistent"], ["admissible", "consistent"]):
        code, out, _ = run(*words, *(f"--claim={claim}" for claim in claims))
        assert code == 1 and f":halves claims to be {' and '.join(claims)}. It is not ad" in out
        code, out, _ = run(*words, *(f"--claim={claim}" for claim in claims), "--json")
        assert code == 1 and json.loads(out)["claims"] == {
            claim: claim in claims for claim in ("admissible", "consistent")
        }
    assert run("check-heuristic", "manhattan", "--shape", "2x3", "--claim", "admissible", "--quiet")[0] == 0
    assert run(*words, "--claim", "perfect")[0] == 2


@pytest.mark.parametrize(
    "words, message",
    [
        (["manhatan"], "did you mean 'manhattan'"),
        (["manhattan", "--boards", "0"], "at least 1"),
        (["manhattan", "--goal", "nowhere"], "nowhere"),
        (["manhattan", "--time-limit", "-1"], "expected seconds"),
        ([], "required"),
    ],
)
def test_usage_errors(run, words, message):
    code, out, err = run("check-heuristic", *words, "--quiet")
    assert (code, out) == (2, "") and message in err and len(err.splitlines()) == 1
