"""Papers run again: rows, their table, the command, Kunkle's program; what the papers found is in golden/."""

import io
import json
import os
import subprocess
import sys
import tempfile

import numpy as np
import own_heuristics
import pytest

from puzzle15 import Board, Solver, cli, search, solve
from puzzle15.errors import TableMissingError, UnsolvableError
from puzzle15.heuristics import heuristic
from puzzle15.papers import PAPERS, Row, cahlik2019, format_rows, kantz2005, kunkle2001, reproduce

KEYS = ["case", "quantity", "paper", "here", "note"]


@pytest.fixture
def run(capsys):
    """Run a command line: (exit code, output, errors)."""

    def run(*argv):
        try:
            code = cli.main([str(word) for word in argv])
        except SystemExit as end:  # argparse
            code = end.code
        return (code, *capsys.readouterr())

    return run


@pytest.fixture
def fake(monkeypatch):
    """Let the paper `kantz` have these rows; returns the options that it is called with."""

    def fake(*rows):
        called = {}

        def reproduce(**options):
            called.update(options)
            options["progress"](0.5, "half")
            return rows

        monkeypatch.setattr(kantz2005, "reproduce", reproduce)
        return called

    return fake


# ---------------------------------------------------------------- rows ---


def test_which_rows_are_settled():
    assert Row("a", "b", 1, 1).is_settled
    assert not Row("a", "b", 1, 2).is_settled
    assert not Row("a", "b", 1, 2, "a note does not excuse it").is_settled
    assert not Row("a", "b", 1, 2, exact=False).is_settled, "not explained"
    assert Row("a", "b", 1, 2, "a word", exact=False).is_settled


def test_the_table_marks_what_is_not_settled():
    lines = format_rows([Row("a", "count", 1000, 1000), Row("long name", "way", "UD", "U", "shorter")]).splitlines()
    assert lines == [
        "  case       quantity  paper   here  note",
        "  a          count     1,000  1,000",
        "! long name  way       UD     U      shorter",
    ]


def test_papers_that_are_not_here():
    with pytest.raises(ValueError, match="'korf': expected one of kunkle, kantz"):
        reproduce("korf")


@pytest.mark.parametrize("name", ["kunkle", "kantz"])
def test_all_is_settled(name):
    told: list = []
    rows = reproduce(name, progress=lambda share, what: told.append((share, what)))
    assert rows and all(row.is_settled for row in rows)
    assert told == sorted(told, key=lambda step: step[0]) and 0 <= told[0][0] <= told[-1][0] < 1
    assert all(row.note for row in rows if row.paper != row.here)


# ---------------------------------------------------------------- the command ---


@pytest.mark.parametrize("name", PAPERS)
@pytest.mark.sweep(2)
def test_records(run, monkeypatch, classic_7_8, name):
    monkeypatch.setattr(kunkle2001, "PAIRS", kunkle2001.PAIRS[:2])
    monkeypatch.setenv("PUZZLE15_TABLES", str(classic_7_8))
    options = {
        "spagnoletto": ["--boards", "10", "--samples", "2"],
        "bischoff": ["--boards", "1000"],
        "cahlik": ["--boards", "3"],
    }.get(name, [])
    code, out, err = run("reproduce", name, "--json", *options)
    record = json.loads(out)
    assert code == 0
    assert list(record) == ["paper", "rows"] and record["paper"] == name
    assert all(list(row) == KEYS and isinstance(row["note"], str) for row in record["rows"])
    assert f"{len(record['rows'])} figures: " in err and err.endswith("0 unexplained\n")


def test_a_figure_that_is_not_settled(run, fake):
    fake(Row("a", "b", 1, 1), Row("a", "c", 1, 2))
    code, out, err = run("reproduce", "kantz")
    assert code == 1
    assert out.splitlines()[2].startswith("! a")
    assert err.endswith("puzzle15: 2 figures: 1 equal, 0 different but explained, 1 unexplained\n")
    code, out, err = run("reproduce", "kantz", "--quiet", "--json")
    assert (code, err) == (1, "") and [row["here"] for row in json.loads(out)["rows"]] == [1, 2]


def test_the_options_of_a_paper(run, fake, monkeypatch):
    called = {}

    def reproduce(*, plots, progress, boards=3):
        called["boards"] = boards
        return [Row("a", "b", 1, 1)]

    monkeypatch.setattr(kantz2005, "reproduce", reproduce)
    assert run("reproduce", "kantz")[0] == 0 and called["boards"] == 3
    assert run("reproduce", "kantz", "--boards", "5")[0] == 0 and called["boards"] == 5
    assert run("reproduce", "kunkle", "--boards", "5")[0] == 2


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ([], "PAPER"),
        (["korf"], "invalid choice: 'korf'"),
        (["spagnoletto", "--boards", "0"], "at least 1"),
    ],
)
def test_usage(run, words, text):
    code, out, err = run("reproduce", *words)
    assert (code, out) == (2, "") and text in err and len(err.splitlines()) == 1


# ---------------------------------------------------------------- drawings ---


@pytest.mark.extra
@pytest.mark.parametrize(
    ("name", "options"),
    [("kunkle", []), ("kantz", []), ("spagnoletto", ["--boards", 5, "--samples", 2]), ("bischoff", ["--boards", 5])],
)
@pytest.mark.sweep(1)
def test_plots(run, tmp_path, monkeypatch, name, options):
    pytest.importorskip("matplotlib")
    monkeypatch.setattr(kunkle2001, "PAIRS", kunkle2001.PAIRS[:2])  # the last takes its time
    code, _, err = run("reproduce", name, "--output", tmp_path / "new" / "folder", "--quiet", *options)
    assert (code, err) == (0, "")
    (file,) = (tmp_path / "new" / "folder").iterdir()
    assert file.name.startswith(f"{name}-") and file.read_bytes().startswith(b"\x89PNG")


def test_plots_without_matplotlib(run, fake, tmp_path, monkeypatch):
    called = fake(Row("a", "b", 1, 1))
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    code, out, err = run("reproduce", "kantz", "--output", tmp_path)
    assert (code, out, called) == (2, "", {}) and "pip install matplotlib" in err
    with pytest.raises(ImportError, match="pip install matplotlib"):
        reproduce("kantz", plots=tmp_path)


@pytest.mark.extra
@pytest.mark.slow
def test_cahliks_plots(run, tmp_path, monkeypatch, classic_7_8):
    pytest.importorskip("matplotlib")
    monkeypatch.setenv("PUZZLE15_TABLES", str(classic_7_8))
    code, _, err = run("reproduce", "cahlik", "--output", tmp_path, "--quiet", "--boards", 5)
    assert (code, err) == (0, "")
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "cahlik-dial.png",
        "cahlik-expanded.png",
        "cahlik-figures.png",
    ]
    assert all(file.read_bytes().startswith(b"\x89PNG") for file in tmp_path.iterdir())


@pytest.mark.extra
def test_plots_into_what_is_no_folder(run, fake, tmp_path):
    pytest.importorskip("matplotlib")
    fake(Row("a", "b", 1, 1))
    file = tmp_path / "file"
    file.touch()
    code, out, err = run("reproduce", "kantz", "--output", file)
    assert (code, out) == (2, "") and "cannot draw into" in err


# ---------------------------------------------------------------- Kunkle's program ---


def program(text, *options):
    """(exit code, output, errors)"""
    words = [sys.executable, "-m", "puzzle15.papers.kunkle2001", *options]
    with tempfile.TemporaryDirectory() as elsewhere:  # `python -m` would look for the package where it is run
        done = subprocess.run(words, input=text, capture_output=True, text=True, timeout=60, cwd=elsewhere)
    return done.returncode, done.stdout, done.stderr


def test_the_program():
    text = (
        "134 8b5 726\n123 8b4 765\n\n"
        "# the same, backwards\n123 8b4 765\r\n134 8b5 726  # here\n"
        "123 8b4 765\n123 8b4 765"
    )
    code, out, err = program(text, "--heuristic", "none")
    first, second, third = out.split("\n\n")[:3]
    assert (code, err) == (0, "")
    assert first.splitlines() == [
        "134 8b5 726 to 123 8b4 765",
        "moves of the blank: D R U U L D",
        "number of moves: 6",
        "states examined: 69",
    ]
    assert second.splitlines()[2] == "number of moves: 6"
    assert third.splitlines()[1:] == ["moves of the blank: none", "number of moves: 0", "states examined: 0"]


def test_the_program_goes_on_after_bad_pairs():
    text = (
        "876 1b5 234\n213 8b4 765\n"
        "123 8b4 76\n123 8b4 765\n"
        "123 8b4 765\n123 8b4 766\n"
        "134 8b5 726\n123 8b4 765\n"
        "123 8b4 765\n"
    )
    code, out, err = program(text)
    assert code == 1
    unsolvable, solved = out.split("\n\n")[:2]
    assert unsolvable.splitlines() == [
        "876 1b5 234 to 213 8b4 765",
        "unsolvable: no moves lead from the one to the other",
    ]
    assert solved.endswith("number of moves: 6\nstates examined: 6")
    lines = err.splitlines()
    assert [line.split(": ")[1] for line in lines] == [f"the pair of line {number}" for number in (3, 5, 9)]
    assert "'123 8b4 76'" in lines[0] and "tile 6 occurs twice" in lines[1]
    assert "a start without a goal" in lines[2]


def test_the_program_without_pairs():
    assert program("\n# nothing\n") == (0, "", "")
    code, _, err = program("", "--heuristic", "best")
    assert code == 2 and "invalid choice" in err


def test_the_program_reads_marks_and_long_lines():
    code, out, err = program(
        "\ufeff134 8b5 726\n123 8b4 765\n" + "1" * 10_000 + "\n123 8b4 765\n134 8b5 726\n123 8b4 765\n"
    )
    assert code == 1 and out.count("number of moves: 6") == 2
    assert "the pair of line 3: '1111" in err and "more than 4096 characters" in err and len(err.splitlines()) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="no POSIX shell")
@pytest.mark.parametrize("where", ["2>&9", "2>&-"])
def test_the_program_answers_wherever_standard_error_leads(tmp_path, where):
    reader, writer = os.pipe()  # 9 is a pipe that nobody reads
    os.close(reader)
    (tmp_path / "pairs.txt").write_text("123 8b4 76\n123 8b4 765\n134 8b5 726\n123 8b4 765\n")
    script = f'exec 9>&0 <pairs.txt; exec "{sys.executable}" -m puzzle15.papers.kunkle2001 {where}'
    done = subprocess.run(["sh", "-c", script], stdin=writer, capture_output=True, text=True, timeout=60, cwd=tmp_path)
    os.close(writer)
    assert done.returncode == 1 and done.stdout.count("number of moves: 6") == 1


def test_the_program_in_process(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.StringIO("134 8b5 726\n123 8b4 765\n"))
    assert kunkle2001.main([]) == 0
    assert "states examined: 6" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["manhattan", "reversal"])
def test_kunkles_heuristics_are_those_of_the_package(rng, name):
    for _ in range(20):
        goal, board = Board.random(rng, (3, 3)), Board.random(rng, (3, 3))
        assert kunkle2001._estimate(name, goal)(bytes(board.tiles)) == heuristic(name, goal=goal)(board)


def test_kunkles_program_takes_other_heuristics():
    pair = kunkle2001.PAIRS[4]
    own = kunkle2001.solve(*pair, "manhattan")
    for other in (own_heuristics.in_batches, heuristic("manhattan", shape=(3, 3)), [own_heuristics.in_batches, "zero"]):
        assert kunkle2001.solve(*pair, other) == own
    with pytest.raises(ValueError, match="'home_last': it is for the goal"):
        kunkle2001.solve(*pair, heuristic(own_heuristics.home_last, shape=(3, 3)))


def test_kunkles_answers_are_optimal(rng):
    for _ in range(5):
        board = Board.random(rng, (3, 3))
        for name in ("manhattan", "reversal"):
            assert len(kunkle2001.solve(board, Board.goal((3, 3)), name).moves) == solve(board).length


def test_kunkles_errors():
    with pytest.raises(UnsolvableError, match="no moves lead"):
        kunkle2001.solve("123 456 78b", "213 456 78b")
    with pytest.raises(ValueError, match="heuristic 'best': did you mean"):
        kunkle2001.solve("123 456 78b", "123 456 78b", "best")


def test_ways_that_are_kept_cost_what_they_cost():
    """A* takes the same ways when f is kept, and works it out once for each."""
    calls = []

    def estimate(tiles):
        calls.append(tiles)
        return kantz2005.out_count(tiles)

    slow, slow_calls = kantz2005.a_star(kantz2005.EASY, kantz2005.EASY_GOAL, estimate), len(calls)
    calls.clear()
    assert kantz2005.a_star_kept(kantz2005.EASY, kantz2005.EASY_GOAL, estimate) == slow
    assert len(calls) < slow_calls / 2


# ---------------------------------------------------------------- Cahlik & Surynek ---


@pytest.mark.slow
def test_cahliks_figures(monkeypatch, classic_7_8):
    """A few boards: the rows agree with each other, and with searches made one by one."""
    monkeypatch.setenv("PUZZLE15_TABLES", str(classic_7_8))
    told = []
    rows = reproduce("cahlik", boards=12, seed=3, progress=lambda share, what: told.append(share))
    assert all(row.is_settled for row in rows) and told == sorted(told) and 0 <= told[0] <= told[-1] < 1
    here = {(row.case, row.quantity): row.here for row in rows}
    assert len(here) == len(rows)
    rng = np.random.default_rng(3)
    boards = [Board.random(rng) for _ in range(12)]
    lengths = Solver(tables=classic_7_8).distance_many(boards)
    assert here["the boards (Figure 2)", "average distance"] == lengths.mean()
    for name in ("tables", "tables and their reflection"):
        assert here[f"A*, {name}", "share solved optimally"] == 1
    assert here["A*, tables and their reflection", "expanded a board"] < here["A*, tables", "expanded a board"]
    solutions = [search(board, heuristic="ann:paper") for board in boards]
    excess = [solution.length - length for solution, length in zip(solutions, lengths)]
    case = "A*, network (Figure 5)"
    assert here[case, "average excess, moves"] == np.mean(excess) and min(excess) >= 0
    assert here[case, "expanded a board"] == np.mean([solution.expanded for solution in solutions])
    weights = [int(row.note.split()[2]) for row in rows if row.quantity == "ratio"]
    averages = [here[f"A*, {name} boards (Table 1)", "expanded, tables"] for name in cahlik2019.CLASSES]
    assert sum(weights) == 12 and len(weights) == len(averages)
    total = sum(weight * average for weight, average in zip(weights, averages) if weight)
    assert total / 12 == pytest.approx(here["A*, tables", "expanded a board"])


def test_cahliks_classes():
    classes = cahlik2019._classes(np.array([1, 10_000, 10_001, 25_000, 100_000, 100_001]))
    assert {name: np.flatnonzero(members).tolist() for name, members in classes.items()} == {
        "easy": [0, 1],
        "medium": [2, 3],
        "hard": [4],
        "extreme": [5],
    }


def test_cahlik_without_tables():
    with pytest.raises(TableMissingError, match="puzzle15 build 7-8 --format classic"):
        reproduce("cahlik", boards=1)
