"""``puzzle15 tree``: pictures and pages of searches, from the command line."""

import json
import re
import xml.etree.ElementTree as ElementTree

from shell import FAR, MIDDLE, read_records, rows


def test_a_picture(run, tmp_path):
    assert run("tree", MIDDLE, "-o", "tree.svg") == (
        0,
        "tree.svg: all 21 expansions of a* with manhattan; the search found 12 moves\n",
        "",
    )
    assert "data-number" in (tmp_path / "tree.svg").read_text(encoding="utf-8")
    root = ElementTree.parse(tmp_path / "tree.svg").getroot()
    assert root.find("{http://www.w3.org/2000/svg}title").text == "all 21 expansions of a* with manhattan"
    assert [path.name for path in tmp_path.iterdir()] == ["tree.svg"]  # no temporary file is left
    again = run("tree", FAR, "-o", "tree.svg", "--colours", "rows", "--expansions", "5", "--quiet")
    assert again[0] == 0 and again[2] == "" and "5 of 6,728" in (tmp_path / "tree.svg").read_text(encoding="utf-8")


def test_a_page_and_the_options_of_the_search(run, tmp_path):
    words = ["--algorithm", "weighted-astar", "--heuristic", "misplaced", "--weight", "3", "--ties", "fifo"]
    code, out, _ = run("tree", MIDDLE, "-o", "TREE.HTML", *words, "--move-order", "drlu", "--expansions", "3")
    assert code == 0 and re.search(r"3 of \d+ expansions of weighted-a\* with misplaced; the search went on and", out)
    page = (tmp_path / "TREE.HTML").read_text(encoding="utf-8")
    start = json.loads(re.search('<script type="text/plain" id="start">(.*)</script>', page)[1])
    assert start["title"] in out and len(start["expansions"]) == 3
    assert {round((each["f"] - each["g"]) / each["h"], 3) for each in start["expansions"]} == {3}
    assert run("tree", MIDDLE, "-o", "tree.html", "--colours", "rings")[2] == (
        "puzzle15: error: tree.html: --colours rings is for pictures; expected a name that ends in .svg\n"
    )
    words = ["--goal", "korf", "--algorithm", "dfs", "--max-length", "3"]
    code, out, _ = run("tree", "1 2 0/3 4 5/6 7 8", "-o", "tree.svg", *words)
    assert code == 0 and "expansions of depth-first; the search" in out


ENDS = """
tree MIDDLE --algorithm hill-climbing -o t.svg => the search found no solution; a solution has at least 8 moves
tree FAR --max-nodes 100 -o t.svg => the search went on and reached a limit; a solution has at least 25 moves
tree EASY -o t.svg => the search found 1 move
tree EASY --expansions 1 -o t.svg => the search found 1 move
tree GOAL -o t.svg => the search found 0 moves
"""


def test_how_the_search_ended(run):
    for words, end in rows(ENDS):
        code, out, err = run(*words)
        assert (code, err) == (0, "") and out.endswith(f"; {end}\n")


def test_records(run, tmp_path):
    code, out, err = run("tree", MIDDLE, "--json", "--expansions", "4", "--algorithm", "idastar")
    records = read_records(out)
    assert code == 0 and err == "" and list(tmp_path.iterdir()) == []
    steps = [(record["number"], record["iteration"], record["bound"]) for record in records]
    assert steps == [(1, 1, 8), (2, 2, 10), (3, 2, 10), (4, 2, 10)]
    assert records[0]["board"] == MIDDLE and [child["fate"] for child in records[0]["children"]] == ["cut"] * 4
    assert run("tree", MIDDLE, "--json", "--expansions", "1", "-o", "tree.svg")[1].count("\n") == 1
    assert (tmp_path / "tree.svg").exists()


def test_standard_output_and_a_folder_in_the_way(run, tmp_path, monkeypatch):
    for words in ([], ["-o", "-"]):
        code, out, err = run("tree", MIDDLE, *words)
        assert code == 0 and ElementTree.fromstring(out).get("role") == "img"
        assert err == "puzzle15: all 21 expansions of a* with manhattan; the search found 12 moves\n"
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    code, out, err = run("tree", MIDDLE)
    assert (code, out) == (2, "") and err == (
        "puzzle15: error: expected the name of a file: -o tree.svg or -o tree.html\n"
    )
    (tmp_path / "tree.svg").mkdir()
    assert re.fullmatch(r"puzzle15: error: cannot write tree.svg: .+\n", run("tree", MIDDLE, "-o", "tree.svg")[2])
    assert [path.name for path in tmp_path.iterdir()] == ["tree.svg"]
