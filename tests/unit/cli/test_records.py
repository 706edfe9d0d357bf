"""Records as CSV: the same fields as JSON has, one row per record, also where something is wrong."""

import argparse
import csv
import io
import json
import re

import pytest
from readmes import ROOT, text_of
from shell import EASY, FAR, error_of, read_records, write_lines
from shell import rows as rows_of

from puzzle15 import build_tables
from puzzle15._cli.output import CsvRecords
from puzzle15._cli.parser import make_parser
from puzzle15.papers import Row, kantz2005


def cell(value):
    """What stands in the cell of a value of JSON."""
    return "" if value is None else value if isinstance(value, str) else json.dumps(value)


MEASURED = {"seconds", "boards_per_second"}


def both(run, *words, stdin=""):
    """(exit code, header of --csv, its rows, rows made of the records of --json), without what is measured."""
    code, out, _ = run(*words, "--csv", stdin=stdin)
    other, lines, _ = run(*words, "--json", stdin=stdin)
    assert code == other
    header, *rows = csv.reader(io.StringIO(out, newline=""))
    records = read_records(lines)
    assert all(set(record) <= set(header) for record in records)
    kept = [index for index, name in enumerate(header) if name not in MEASURED]
    expected = [[cell(record.get(header[index])) for index in kept] for record in records]
    return code, header, [[row[index] for index in kept] for row in rows], expected


#: Command lines, and their standard input.
COMMANDS = r"""
solve FAR =>
solve FAR EASY --convention blank --algorithm astar =>
solve EASY --algorithm local-value-iteration =>
solve --all EASY FAR =>
hint => FAR\n
analyse FAR DRULDRUL =>
compare EASY --algorithms idastar,astar --heuristics manhattan =>
apply EASY L --along =>
moves URDL2 --invert =>
moves --simplify => UD\n\nLR\n
convert --to grid => EASY\nU2\nEASY\tU\n
check FAR UNSOLVABLE =>
scramble --count 3 --seed 1 =>
subproblem 3 --fixed 1,2 --shape 3x3 =>
subproblem --shape 2x3 =>
tree EASY =>
algorithms =>
algorithms arastar bfs =>
heuristics =>
info =>
"""


def test_the_fields_are_those_of_json(run):
    """They are described; those of tree are the attributes of Expansion, and those of info speak for themselves."""
    described = set(re.findall(r"`(\w+)`", text_of(ROOT / "puzzle15/guide/output.md")))
    for words, stdin in rows_of(COMMANDS):
        code, header, rows, expected = both(run, *words, stdin=stdin)
        assert code == (words[0] == "check") and len(header) == len(set(header))
        assert rows == expected != []
        assert words[0] in ("info", "tree") or set(header) <= described, words


@pytest.mark.parametrize("words", ["solve", "solve --all", "solve --algorithm astar", "hint", "check", "convert"])
def test_a_bad_line_keeps_its_place(run, words):
    good, bad = f"{EASY}\n", 'q, "w"\n'
    for stdin, place in ((good + bad + good, 1), (bad + good, 0)):
        code, header, rows, expected = both(run, *words.split(), "--quiet", stdin=stdin)
        assert code == 1 and rows == expected and [row[0] for row in rows].index('q, "w"') == place
        assert [len(row) for row in rows] == [len(header) - ("seconds" in header)] * stdin.count("\n")


def test_files(run, tmp_path):
    """One header, however many chunks there are; sound and broken tables; labels."""
    file = write_lines(tmp_path, *[EASY, FAR, "xx"] * 300)
    code, out, _ = run("solve", "-i", file, "--csv", "--quiet")
    header, *rows = csv.reader(io.StringIO(out))
    assert code == 1 and [row[header.index("length")] for row in rows] == ["1", "31", ""] * 300
    build_tables("1-4/5-8", shape=(3, 3), tables=tmp_path)
    (tmp_path / "broken.p15").write_bytes(b"no table")
    for words, count in ((["build", "1-4/5-8", "--shape", "3x3"], 2), (["verify"], 3), (["info"], 1)):
        _, header, rows, expected = both(run, *words, "--tables", tmp_path)
        assert rows == expected and len(rows) == count
    assert "broken.p15" in rows[0][header.index("broken")]
    words = ["--count", "20", "--shape", "2x2", "--quiet", "--output", "a", "--csv"]
    assert run("label", *words)[1].startswith("folder,boards,rows,labelled,seconds,")
    _, header, rows, expected = both(run, "label", "--check", "a", "--quiet")
    assert rows == expected and rows[0][header.index("sound")] == "true"


def test_rows_of_a_paper(run, monkeypatch):
    told = [Row("a", "b", 1, None), Row("a, b", "c", "UD", 2.5, "it was tried"), Row("c", "s", 0.1, 2e-7, is_time=True)]
    monkeypatch.setattr(kantz2005, "reproduce", lambda **options: told)
    header, *rows = csv.reader(io.StringIO(run("reproduce", "kantz", "--csv", "--quiet")[1]))
    (record,) = read_records(run("reproduce", "kantz", "--json", "--quiet")[1])
    assert header == list(record["rows"][0]) and header[:3] == ["case", "quantity", "paper"]
    assert rows == [list(map(cell, row.values())) for row in record["rows"]] and len(rows) == 3


def test_every_command_with_json_has_csv(run):
    (commands,) = (action for action in make_parser()._actions if isinstance(action, argparse._SubParsersAction))
    for parser in commands.choices.values():
        parser.fill()
    options = [set(parser._option_string_actions) for parser in commands.choices.values()]
    assert [("--json" in some) for some in options] == [("--csv" in some) for some in options]
    assert sum("--csv" in some for some in options) == 19
    assert "argument --csv: not allowed with argument --json" in error_of(run("solve", EASY, "--json", "--csv"), 2)


def test_cells(capsys):
    records = CsvRecords()
    records.write([{"a": 'say "x", y', "b": "two\nlines", "c": None, "d": True, "e": [1, None], "f": {"g": 2.5}}])
    records.write([{"a": 1e-07, "b": "", "c": " ", "d": False, "e": [], "f": {}}])
    out = capsys.readouterr().out
    assert out == ('a,b,c,d,e,f\n"say ""x"", y","two\nlines",,true,"[1, null]","{""g"": 2.5}"\n1e-07,, ,false,[],{}\n')
