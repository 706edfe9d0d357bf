"""Anytime searches from the command line: each improvement on standard error, and in the record."""

import json

import pytest

from puzzle15.cli import main

FAR = "8 6 7/2 5 4/3 0 1"  # 31 moves
KORF = "5 3 8 9/0 2 4 1/7 10 14 13/12 11 6 15"


@pytest.fixture
def run(capsys):
    """Run a command line: (exit code, output, errors)."""

    def run(*argv):
        try:
            code = main(list(argv))
        except SystemExit as end:  # argparse
            code = end.code
        return (code, *capsys.readouterr())

    return run


@pytest.mark.parametrize("algorithm", ["anytime-astar", "arastar", "beam-stack"])
def test_improvements_are_said(run, algorithm):
    code, out, errors = run("solve", FAR, "--algorithm", algorithm)
    lines = errors.splitlines()
    assert code == 0 and out.startswith("31\t") and "31 moves, at least 31" in lines[-2]
    assert len(lines) > 2 and all("moves, at least" in line and "nodes expanded" in line for line in lines[:-1])
    code, out, errors = run("solve", FAR, "--algorithm", algorithm, "--json", "--quiet")
    record = json.loads(out)
    assert (code, errors, record["length"]) == (0, "", 31)
    assert len(record["improvements"]) == len(lines) - 1
    assert {"length", "lower_bound", "weight", "expanded", "generated", "seconds"} == set(record["improvements"][0])


def test_a_limit_leaves_the_best_solution(run):
    code, out, _ = run("solve", KORF, "--algorithm", "awastar", "--weight", "3", "--max-nodes", "100k", "--quiet")
    assert code == 1 and out.startswith("limit: at least ") and ", at most " in out and "\t" in out


def test_steps_of_weights(run):
    code, _, errors = run("solve", FAR, "--algorithm", "arastar", "--weight", "3", "--weight-step", "1")
    assert code == 0 and {"weight 3", "weight 2", "weight 1"} <= {
        part for line in errors.splitlines() for part in line.split("; ")
    }
    for wrong, message in [
        (("anytime-astar", "--weight-step", "1"), "--weight-step: anytime-a* does not use it; ara* does"),
        (("arastar", "--weight-step", "0"), "--weight-step 0: expected a positive number up to 64"),
        (("arastar", "--weight-step", "x"), "'x': expected a number such as 2, 1.25 or 4/3"),
        (("beam-stack", "--width", "0"), "0"),
        (("bfhs", "--width", "3"), "width: breadth-first-heuristic does not use it; beam, beam-stack do"),
    ]:
        code, _, errors = run("solve", FAR, "--algorithm", *wrong)
        assert code == 2 and message in errors and errors.count("\n") == 1


def test_comparing_and_drawing_them(run, tmp_path):
    code, out, _ = run("compare", FAR, "--algorithms", "awastar,arastar,bfhs,beam-stack", "--weight", "3", "--quiet")
    assert code == 0 and [line.split()[2:4] for line in out.splitlines()[1:]] == [["31", "yes"]] * 8
    for algorithm in ("awastar", "arastar", "bfhs", "beam-stack"):
        for kind in ("svg", "html"):
            file = tmp_path / f"tree.{kind}"
            assert run("tree", FAR, "--algorithm", algorithm, "--expansions", "200", "-o", str(file))[0] == 0
            assert file.stat().st_size > 10_000
