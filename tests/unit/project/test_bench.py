"""The programs of bench: each runs once, at its smallest size, so that none of them rots."""

import re
import shlex

import pytest
from readmes import ROOT, text_of

BENCH = ROOT / "bench"

#: Of each program the words that make it short, in which TABLES is the folder of the 7-8 tables; and what it needs.
PROGRAMS = {
    "anytime.py": ("--seconds 0.1 --algorithms ara* -o curves.png", "matplotlib"),
    "beside.py": ("boards.txt 'echo 3 {file}' --rounds 1", None),
    "damage.py": ("--sets 1", None),
    "growth.py": ("--tables TABLES --quick", None),
    "interrupt.py": ("--tables TABLES --tries 1 --only hint", None),
    "korf_bidirectional.py": ("--algorithms nbs --boards 79", None),
    "own_heuristics.py": ("--algorithm astar --board '1 2 3 4/5 6 7 8/9 10 11 12/0 13 14 15'", None),
    "processes.py": ("--tables TABLES --rounds 1", None),
    "signature.py": ("--small", None),
    "yardstick.py": ("--tables TABLES --rounds 1", None),
    "at_scale/at_scale.py": ("labels --tables TABLES --json figures.json", None),
    "at_scale/data.py": ("--rows 500", None),
    "at_scale/page.py": ("--loads 1 --boards 2", "playwright"),
    "at_scale/serving.py": ("--tables TABLES --rate 5 --seconds 1", None),
    "learning/learn_8_puzzle.py": ("--distance 3 --boards 100", "gymnasium"),
    "learning/learned_searches.py": ("--boards 20", None),
}


def test_every_program_is_tried():
    there = {str(path.relative_to(BENCH)) for path in BENCH.rglob("*.py") if "__main__" in text_of(path)}
    assert there == {*PROGRAMS, "tour.py"}  # that one has a test of its own


#: These take ten seconds and more, even so.
LONG = {"damage.py", "growth.py", "own_heuristics.py"} | {
    f"at_scale/{name}.py" for name in ("at_scale", "data", "serving")
}


def marks_of(name):
    return [pytest.mark.nightly if name in LONG else pytest.mark.slow, *[pytest.mark.extra] * bool(PROGRAMS[name][1])]


@pytest.mark.parametrize("program", [pytest.param(name, marks=marks_of(name)) for name in PROGRAMS])
def test_a_program_runs(program, python, tables_7_8, tmp_path):
    words, needs = PROGRAMS[program]
    if needs:
        pytest.importorskip(needs)
    (tmp_path / "boards.txt").write_text("1 2 3/0 5 6/4 7 8\n")
    ended = python(BENCH / program, *shlex.split(words.replace("TABLES", str(tables_7_8))), timeout=240)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert ended.stdout or len(list(tmp_path.iterdir())) > 1


@pytest.mark.parametrize("name", ["anytime", "growth"])
def test_a_picture_of_figures_says_what_was_measured_and_where(name):
    text = text_of(BENCH / "pictures" / f"{name}.svg")
    (words,) = re.findall(r'<svg [^>]*width="540pt"[^>]* role="img"><title>[^<]+</title><desc>([^<]+)</desc>', text)
    (machine,) = re.findall(r"Measured on (.*?)\.", words)
    assert re.fullmatch(r".*, \d+ cores, \S+; \d{4}-\d\d-\d\d; C core of commit \w+(; .*)?", machine)
    assert machine in text.replace(words, "") and "prefers-color-scheme:dark" in text
    assert min(float(size) for size in re.findall(r"font-size: ([\d.]+)px", text)) >= 8.25  # points: 11 pixels
