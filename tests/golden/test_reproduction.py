"""Papers run again: rows, their table, the command, Kunkle's program; what the papers found is in golden/."""

import io
import json
import sys
from collections import defaultdict

import numpy as np
import own_heuristics
import pytest

from puzzle15 import Board, Solver, search
from puzzle15.errors import BoardError, TableMissingError, UnsolvableError
from puzzle15.heuristics import HeuristicFunction, heuristic
from puzzle15.learning import AnnDistance
from puzzle15.papers import (
    PAPERS,
    Row,
    cahlik2019,
    kantz2005,
    kunkle2001,
    reproduce,
)
from puzzle15.papers._reproduction import format_rows

KEYS = ["case", "quantity", "paper", "here", "error", "verdict", "remark"]


@pytest.fixture
def fake(monkeypatch):
    """Let the paper `kantz` have these rows; returns the options that it is called with."""

    def fake(*rows):
        called = {}

        def reproduce(*, plots, progress, boards=3):
            called.update(plots=plots, boards=boards)
            progress(0.5, "half")
            return rows

        monkeypatch.setattr(kantz2005, "reproduce", reproduce)
        return called

    return fake


# ---------------------------------------------------------------- rows ---


@pytest.mark.parametrize(
    "row, verdict, remark",
    [
        (Row("a", "b", 1, 1), "equal", ""),
        (Row("a", "b", 1, 1, "not needed"), "equal", ""),
        (Row("a", "b", 1, 2), "no cause", ""),
        (Row("a", "b", 1, 2, note="a note is no cause"), "no cause", "a note is no cause"),
        (Row("a", "b", 1, 2, "it was tried"), "cause", "it was tried"),
        (Row("a", "b", None, 2, "it was tried"), "no figure", ""),
        (Row("a", "b", 1, 2, is_time=True), "time", ""),
        (Row("a", "b", 10.0, 10.6, error=0.2), "equal", "+3.0 standard errors"),
        (Row("a", "b", 10.0, 9.3, error=0.2), "no cause", "-3.5 standard errors"),
        (Row("a", "b", 10.0, None, error=0.2), "no cause", ""),
        (Row("a", "b", 10.0, 10.1, error=0.0), "no cause", ""),
        (Row("a", "b", 10.0, 10.1, error=float("nan")), "no cause", ""),
    ],
)
def test_verdicts(row, verdict, remark):
    assert (row.verdict, row.remark) == (verdict, remark)
    assert row.record() == dict(zip(KEYS, ("a", "b", row.paper, row.here, row.error, verdict, remark)))


def test_the_table_marks_what_differs_without_a_cause():
    lines = format_rows(
        [Row("a", "count", 1000, 1000), Row("long name", "way", "UD", "U", note="shorter")]
    ).splitlines()
    assert lines == [
        "  case       quantity  paper   here  verdict   remark",
        "  a          count     1,000  1,000  equal",
        "! long name  way       UD     U      no cause  shorter",
    ]


def test_papers_that_are_not_here():
    with pytest.raises(ValueError, match="'korf': expected one of kunkle, kantz"):
        reproduce("korf")


# ---------------------------------------------------------------- the command ---


#: Options that make a reproduction short.
SMALL = {
    "kantz": [],
    "kunkle": [],
    "spagnoletto": ["--boards", 20, "--samples", 10],
    "bischoff": ["--boards", 1000],
    "cahlik": ["--boards", 3],
}


@pytest.fixture
def small(request, monkeypatch):
    """Let the paper that is the test's parameter take little."""
    if request.node.callspec.params["name"] == "cahlik":
        monkeypatch.setenv("PUZZLE15_TABLES", str(request.getfixturevalue("classic_7_8")))


def test_a_figure_that_is_not_settled(run, fake):
    fake(Row("a", "b", 1, 1), Row("a", "c", 1, 2))
    code, out, err = run("reproduce", "kantz")
    assert code == 1
    assert out.splitlines()[2].startswith("! a")
    assert "puzzle15: figures of the paper: 1 equal, 0 different with a cause, 1 without one" in err
    code, out, err = run("reproduce", "kantz", "--quiet", "--json")
    assert (code, err) == (1, "") and [row["here"] for row in json.loads(out)["rows"]] == [1, 2]


def test_the_options_of_a_paper(run, fake):
    called = fake(Row("a", "b", 1, 1))
    assert run("reproduce", "kantz")[0] == 0 and called["boards"] == 3
    assert run("reproduce", "kantz", "--boards", "5")[0] == 0 and called["boards"] == 5
    assert run("reproduce", "kunkle", "--boards", "5")[0] == 2


def test_without_a_name_the_papers_are_listed(run):
    code, out, err = run("reproduce")
    assert (code, err) == (0, "") and [line.split()[0] for line in out.splitlines()] == [*PAPERS]
    listed = [json.loads(line) for line in run("reproduce", "--json")[1].splitlines()]
    assert listed == [{"paper": name, "title": paper.title} for name, paper in PAPERS.items()]
    assert run("reproduce", "--boards", "5")[0] == 2


# ---------------------------------------------------------------- drawings ---


@pytest.mark.extra
@pytest.mark.parametrize("name", SMALL)
@pytest.mark.sweep(2)
def test_records_and_plots(run, small, tmp_path, name):
    pytest.importorskip("matplotlib")
    assert set(SMALL) == set(PAPERS)
    code, out, err = run("reproduce", name, "--output", tmp_path / "new" / "folder", "--json", *SMALL[name])
    record = json.loads(out)
    assert code == 0 and list(record) == ["paper", "rows"] and record["paper"] == name
    assert all(list(row) == KEYS and isinstance(row["remark"], str) for row in record["rows"])
    assert "figures of the paper: " in err and " 0 without one" in err
    files = list((tmp_path / "new" / "folder").iterdir())
    assert len(files) == (2 if name == "bischoff" else 1)
    assert all(file.name.startswith(f"{name}-") and file.read_bytes().startswith(b"\x89PNG") for file in files)


def test_plots_without_matplotlib(run, fake, tmp_path, monkeypatch):
    called = fake(Row("a", "b", 1, 1))
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    code, out, err = run("reproduce", "kantz", "--output", tmp_path)
    assert (code, out, called) == (2, "", {}) and "pip install matplotlib" in err
    with pytest.raises(ImportError, match="pip install matplotlib"):
        reproduce("kantz", plots=tmp_path)


@pytest.mark.extra
def test_plots_into_what_is_no_folder(run, fake, tmp_path):
    pytest.importorskip("matplotlib")
    fake(Row("a", "b", 1, 1))
    file = tmp_path / "file"
    file.touch()
    for output, message in [(file, "is not a folder"), (file / "within", "cannot draw into")]:
        code, out, err = run("reproduce", "kantz", "--output", output)
        assert (code, out) == (2, "") and message in err


# ---------------------------------------------------------------- Kunkle's program ---


def test_kunkles_program_takes_other_heuristics():
    pair = kunkle2001.PAIRS[4]
    own = kunkle2001.solve(*pair, "manhattan")
    for other in (own_heuristics.in_batches, heuristic("manhattan", shape=(3, 3)), [own_heuristics.in_batches, "zero"]):
        assert kunkle2001.solve(*pair, other) == own
    with pytest.raises(ValueError, match="'home_last': it is for the goal"):
        kunkle2001.solve(*pair, heuristic(own_heuristics.home_last, shape=(3, 3)))


def test_what_kunkles_program_does_not_solve():
    for pair, error, message in [
        (("123 456 78b", "213 456 78b"), UnsolvableError, "cannot reach"),
        (("123 456 78b", "123 456 78"), BoardError, "3 numbers"),
        (("123 456 78b", "123 456 78b", "best"), ValueError, "heuristic 'best': did you mean"),
    ]:
        with pytest.raises(error, match=message):
            kunkle2001.solve(*pair)
    assert kunkle2001.solve("123 456 78b", "123 456 78b") == ("", 0)


def test_kunkles_program_reads_pairs(monkeypatch, capsys):
    lines = [line for pair in kunkle2001.PAIRS[:2] for line in (*pair, "")]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join([*lines, "123 456 78b"])))
    assert kunkle2001.main(["--heuristic", "none"]) == 1
    out, err = capsys.readouterr()
    assert out.splitlines()[0] == "134 8b5 726 to 123 8b4 765: D R U U L D, 6 moves, 69 states examined"
    assert "3685 states examined" in out.splitlines()[1] and "123 456 78b: expected a goal" in err
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines)))
    assert kunkle2001.main(["--heuristic", "manhattan"]) == 0
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 2 and err == ""


# ---------------------------------------------------------------- Cahlik & Surynek ---


class Remembering(AnnDistance):
    """A network that predicts the distance of each board once: the predictions take most of the time of searches."""

    predictions = defaultdict(dict)  # of each network by board

    def many(self, boards):
        if not isinstance(boards, np.ndarray):
            return super().many(boards)
        known = self.predictions[self.network]
        new = {each.tobytes(): each for each in boards if each.tobytes() not in known}
        if new:
            known.update(zip(new, super().many(np.array([*new.values()]))))
        return np.array([known[each.tobytes()] for each in boards])


@pytest.mark.nightly
def test_cahliks_figures(monkeypatch, classic_7_8):
    """A few boards: the rows agree with each other, and with searches made one by one."""
    monkeypatch.setenv("PUZZLE15_TABLES", str(classic_7_8))
    monkeypatch.setattr(cahlik2019, "AnnDistance", Remembering)
    told = []
    rows = reproduce("cahlik", boards=12, seed=3, progress=lambda share, what: told.append(share))
    assert all(row.verdict != "no cause" for row in rows) and told == sorted(told) and 0 <= told[0] <= told[-1] < 1
    here = {(row.case, row.quantity): row.here for row in rows}
    assert len(here) == len(rows)
    rng = np.random.default_rng(3)
    boards = [Board.random(rng) for _ in range(12)]
    lengths = Solver(tables=classic_7_8).distance_many(boards)
    for name in ("tables", "reflected tables"):
        assert here[f"A*, {name}", "share solved optimally"] == 1
    assert here["A*, reflected tables", "expanded per board"] < here["A*, tables", "expanded per board"]
    network = Remembering("paper-6m")
    assert [network.many(np.array([board.tiles]))[0] for board in boards] == network.many(boards).tolist()
    rounded = HeuristicFunction(lambda tiles: np.rint(network.many(tiles)), takes="array")
    for case, options in (
        ("network", {"heuristic": rounded}),
        ("larger training set", {"heuristic": "ann:paper"}),
    ):
        solutions = [search(board, **options) for board in boards]
        excess = [solution.length - length for solution, length in zip(solutions, lengths)]
        assert here[f"A*, {case}", "share solved optimally"] == np.mean(np.array(excess) == 0) and min(excess) >= 0
        assert here[f"A*, {case}", "expanded per board"] == np.mean([solution.expanded for solution in solutions])
    predicted = np.rint(network.many(boards)).astype(int) - lengths
    for end, quantity in ((min, "smallest"), (max, "largest")):
        assert here["paper-6m alone (Figure 4)", f"{quantity} error, moves"] == end(predicted)
    ends = [row for row in rows if "error, moves" in row.quantity or row.case == "Table 1, extreme"]
    assert all(row.paper is None for row in ends), "ends are compared with those of 1,600 boards only"


def test_boards_like_an_instance_of_table_1():
    """An average of boards, whose standard error is that of one more board; too few boards are not compared."""
    tables = np.array([4_791 * 1.49, 4_791 / 1.49] * 15 + [4_791 * 1.51, 45_135, 4_000_000])
    counts = [np.array([100, 300] * 15 + [7, 7, 7]), tables]
    runs = {
        name: cahlik2019._Run(np.zeros(33), count, np.zeros(33)) for name, count in zip(("network", "tables"), counts)
    }
    easy, medium, hard, *hardest = cahlik2019._table_1(runs, 1)
    assert (easy.paper, easy.here) == (2517, 200) and easy.error == pytest.approx(100 * np.sqrt(1 + 1 / 30))
    assert [row.paper for row in (medium, hard, *hardest)] == [None] * 4
    assert [row.here for row in hardest] == [300, 4_000_000]


def test_cahlik_without_tables():
    with pytest.raises(TableMissingError, match="puzzle15 build 7-8 --format classic"):
        reproduce("cahlik", boards=1)
