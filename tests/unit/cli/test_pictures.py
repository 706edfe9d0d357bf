"""The shell's pictures: draw and show."""

import sys
import xml.etree.ElementTree as ElementTree

import pytest
from shell import FAR, GOAL, THREE, error_of, rows, write_lines


def test_a_board(run, tmp_path):
    assert run("draw", FAR, "-o", "board.svg") == (0, f"board.svg: {FAR}\n", "")
    picture = (tmp_path / "board.svg").read_text()
    assert ElementTree.fromstring(picture).get("width") == "240"
    assert run("draw", FAR) == run("draw", FAR, "-o", "-") == run("draw", stdin=f"{FAR}\n") == (0, f"{picture}\n", "")
    code, page, _ = run("draw", FAR, "-o", "board.html", "--size", "100", "--no-numbers")
    assert code == 0 and page == f"board.html: {FAR}\n"
    page = (tmp_path / "board.html").read_text()
    assert page.startswith("<!DOCTYPE html>") and 'width="100"' in page and "<text" not in page
    assert sorted(path.name for path in tmp_path.iterdir()) == ["board.html", "board.svg"]


#: Command lines, and what they print.
ANSWERS = r"""
draw FAR --hint -o hint.svg => hint.svg: FAR, optimal moves DLR\n
draw FAR --hint --convention blank -o a.svg => a.svg: FAR, optimal moves URL\n
draw THREE UL2 -o moves.html => moves.html: 3 moves to the goal\n
draw THREE D --convention blank -o a.svg => a.svg: 1 move to NEAR\n
draw THREE UL2 --metric mtm -o a.svg => a.svg: 2 moves to the goal\n
draw THREE --solve -o a.html --speed 4 => a.html: 3 moves: UL2\n
draw THREE --solve -o a.svg --convention blank => a.svg: 3 moves: DR2\n
draw THREE --solve --metric mtm --quiet -o a.svg => a.svg: 2 moves: UL2\n
"""


def test_answers(run, tmp_path):
    for words, answer in rows(ANSWERS):
        assert run(*words)[:2] == (0, answer)
    assert "3 moves to the goal." in (tmp_path / "moves.html").read_text()
    assert "&quot;delay&quot;:250" in (tmp_path / "a.html").read_text()
    assert run("draw", FAR, "--hint")[1].count('class="a"') == 3
    assert "@keyframes" in run("draw", stdin=f"{THREE}\tUL2\n")[1]
    assert run("draw", GOAL, "--solve") == run("draw", GOAL)
    assert 'class="c8"' in run("draw", FAR, "--colours", "plain")[1]
    assert run("draw", FAR, "--goal", "korf")[1] != run("draw", FAR)[1]


@pytest.mark.extra
def test_png(run, tmp_path):
    pytest.importorskip("matplotlib")
    assert run("draw", FAR, "--hint", "-o", "a.png")[:2] == (0, f"a.png: {FAR}, optimal moves DLR\n")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.extra
def test_pdf_and_gif(run, tmp_path):
    pytest.importorskip("matplotlib")
    image = pytest.importorskip("PIL.Image")
    assert run("draw", FAR, "--hint", "-o", "a.pdf")[0] == 0 and (tmp_path / "a.pdf").read_bytes().startswith(b"%PDF")
    for words, frames in ((["--solve"], 32), (["DR"], 3), (["DR", "--metric", "mtm", "--no-numbers"], 3)):
        assert run("draw", FAR, *words, "-o", "a.gif", "--size", "60", "--speed", "4")[0] == 0
        with image.open(tmp_path / "a.gif") as played:
            assert (played.n_frames, played.size, played.info["duration"]) == (frames, (60, 60), 250)
    assert "a .gif file plays moves" in error_of(run("draw", FAR, "-o", "a.gif"), 2)
    assert "a .pdf file holds one board" in error_of(run("draw", FAR, "--solve", "-o", "a.pdf"), 2)


def test_what_a_picture_needs(run, monkeypatch):
    """An extra for PNG, and the name of a file where standard output is a terminal."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert error_of(run("draw", FAR, "-o", "a.png"), 2).endswith("drawing needs matplotlib: pip install matplotlib")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert "expected the name of a file: -o draw.svg, -o draw.html, -o draw.png, " in error_of(run("draw", THREE), 2)


BOX = """\
┌───┬───┬───┐
│ 8 │ 6 │ 7 │
├───┼───┼───┤
│ 2 │ 5 │ 4 │
├───┼───┼───┤
│ 3 │   │ 1 │
└───┴───┴───┘
"""
ALONG = """\
start      1 D        2 R
+---+---+  +---+---+  +---+---+
| 1 | 2 |  | 1 |   |  |   | 1 |
+---+---+  +---+---+  +---+---+
| 3 |   |  | 3 | 2 |  | 3 | 2 |
+---+---+  +---+---+  +---+---+
"""


def test_boxes(run, tmp_path, monkeypatch):
    assert run("show", FAR) == run("show", stdin=f"# far\n{FAR}\n") == (0, BOX, "")
    code, out, _ = run("show", "-i", write_lines(tmp_path, *[FAR] * 6))
    assert code == 0 and [len(line) for line in out.splitlines()] == [73] * 7 + [0] + [13] * 7
    assert run("show", "1 2/3 0", "--along", "DR", "--ascii") == (0, ALONG, "")
    assert run("show", "1 2/3 0", "--along", "U", "--convention", "blank")[1].startswith("start      1 U\n")
    monkeypatch.setattr(type(sys.stdout), "encoding", "latin-1", raising=False)
    assert run("show", FAR)[1].isascii()


def test_boxes_in_colour(run, monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    code, out, _ = run("show", FAR)
    assert code == 0 and out.count("\x1b[0m") == 8
    assert out != run("show", FAR, "--colours", "rings")[1] != run("show", FAR, "--goal", "korf")[1]
    for name, value in (("NO_COLOR", "1"), ("TERM", "dumb")):
        with monkeypatch.context() as changed:
            changed.setenv(name, value)
            assert run("show", FAR)[1] == BOX


def test_what_cannot_be_shown(run):
    code, out, err = run("show", "xx", FAR, "2 2")
    assert (code, out) == (1, BOX) and len(err.splitlines()) == 2 and "error: 'xx'" in err
    assert "move 2 (U) is illegal on 1 2 3/4 5 6/0 7 8" in error_of(run("show", THREE, "--along", "UU"), 1)
    for words in (["8", "6", "7"], [FAR, THREE, "--along", "U"], ["--along", "U"], [FAR, "-i", "boards.txt"]):
        error_of(run("show", *words), 2)
