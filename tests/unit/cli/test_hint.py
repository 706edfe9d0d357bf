"""``puzzle15 hint`` and ``puzzle15 analyse``."""

import re

import pytest
from shell import EASY, FAR, HARD, NEAR, UNSOLVABLE, read_records, rows, write_lines

from puzzle15 import Board


def without_time(answer):
    return (*answer[:2], re.sub(r"[^;]*per second", "", answer[2]))


@pytest.mark.parametrize("limits", [[], ["--max-nodes", "10"], ["--time-limit", "60"]])
def test_files_are_answered_together_as_one_by_one(run, tmp_path, limits):
    boards = [FAR, NEAR, UNSOLVABLE, "nonsense", *(str(Board.random(seed, (3, 3))) for seed in range(10))]
    for command, lines in (("hint", boards), ("analyse", [f"{board}\tD" for board in boards[:2] + boards[3:]])):
        file = write_lines(tmp_path, *lines)
        alone = run(command, *limits, stdin=file.read_text())
        assert alone[0] == 1 and ("limit: " in alone[1]) == (limits[:1] == ["--max-nodes"])
        for workers in ("1", "2"):
            together = run(command, "-i", file, "--workers", workers, *limits)
            assert without_time(together) == without_time(alone)


def test_a_limit_of_time_holds_for_each_board_of_a_file(run, tmp_path):
    code, out, _ = run("hint", "-i", write_lines(tmp_path, HARD, NEAR), "--time-limit", "0.3")
    assert code == 1 and out.startswith("limit: at least ") and out.endswith("\n2\tL\n")


def test_a_limit_that_is_as_good_as_none(run, tmp_path):
    file = write_lines(tmp_path, f"{EASY}\tL")
    assert run("analyse", "-i", file, "--time-limit", "1e303", "--quiet")[0] == 0
    for command in ("solve", "hint"):
        assert run(command, "-i", write_lines(tmp_path, EASY, EASY, EASY), "--time-limit", "1e303", "--quiet")[0] == 0


ANSWERS = r"""
hint FAR => 31\tDLR\n
hint FAR 123456780 --convention blank --quiet => 31\tURL\n0\t\n
hint --goal korf --shape 3x3 '1 0 2/3 4 5/6 7 8' => 1\tR\n
analyse NEAR '' => move  letter  distance\n   0                 2\n0 moves, shortest 2, lost 0, 2 to go: L2\n
"""


def test_answers(run):
    for words, answer in rows(ANSWERS):
        assert run(*words)[:2] == (0, answer)


def test_hints_from_standard_input_and_a_file(run, tmp_path):
    text = f"{FAR}\n# none\nxx\n{UNSOLVABLE}\n\n2 1 3 5/0 4\n1 2 3/4 0 5\n{NEAR} # near\n"
    lines = ["31\tDLR", "error: 'xx'", f"error: {UNSOLVABLE} cannot reach", "error: '2 1 3 5/0 4'", "1\tL", "2\tL"]
    file = tmp_path / "boards.txt"
    file.write_text(text)
    for answer in (run("hint", stdin=text), run("hint", "-i", "-", stdin=text), run("hint", "-i", file)):
        code, out, err = answer
        assert code == 1 and "6 boards: 3 solved; 34 moves, mean 11.33; 99 nodes expanded" in err
        assert err.endswith("\npuzzle15: boards by distance: 1: 1, 2: 1, 31: 1\n")
        assert all(line.startswith(begin) for line, begin in zip(out.splitlines(), lines))
        assert len(out.splitlines()) == len(lines)


def test_hint_records(run, tmp_path):
    code, out, _ = run("hint", "--json", "--convention", "blank", FAR, "xx", UNSOLVABLE)
    good, bad, unsolvable = read_records(out)
    assert code == 1 and list(good) == list(bad) == list(unsolvable)
    assert (good["distance"], good["moves"], good["convention"], good["status"]) == (31, "URL", "blank", "solved")
    assert (bad["board"], bad["goal"], bad["status"]) == ("xx", None, "error") and "'xx'" in bad["error"]
    assert unsolvable["board"] == UNSOLVABLE and unsolvable["goal"] and unsolvable["distance"] is None
    file = write_lines(tmp_path, FAR, "xx", UNSOLVABLE)
    together = read_records(run("hint", "--json", "--convention", "blank", "-i", file)[1])
    for one, other in zip((good, bad, unsolvable), together):
        counts = {"seconds": 0, "expanded": 0, "generated": 0}
        assert {**one, **counts} == {**other, **counts}


# ---------------------------------------------------------------- analyse ---


def test_a_table(run):
    code, out, err = run("analyse", NEAR, "LRLDUL")
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "move  letter  distance",
        "   0                 2",
        "   1  L              1",
        "   2  R              2  lost 2; better: L",
        "   3  L              1",
        "   4  D              2  lost 2; better: L",
        "   5  U              1",
        "   6  L              0",
        "6 moves, shortest 2, lost 4, first at move 2",
    ]


def test_solutions_from_a_file(run, tmp_path):
    text = f"{NEAR}\tL2\n# none\n{NEAR}\tRL2\n{NEAR} LL\nxx\tL\n{NEAR}\tU\n{UNSOLVABLE}\tD\n1 2 3/4 0 5\tl,L\n"
    begins = [
        "2 moves, shortest 2, lost 0",
        f"error: moves 'RL2': move 1 (R) is illegal on {NEAR}",
        f"error: line '{NEAR} LL': no tab; expected a board, a tab and moves",
        "error: 'xx'",
        f"error: moves 'U': move 1 (U) is illegal on {NEAR}",
        f"error: {UNSOLVABLE} cannot reach",
        "error: moves 'l,L': move 2 (L) is illegal",
    ]
    file = tmp_path / "solutions.txt"
    file.write_text(text)
    for answer in (run("analyse", stdin=text), run("analyse", "-i", file, "--workers", "2")):
        code, out, err = answer
        assert code == 1 and len(out.splitlines()) == len(begins)
        assert err.startswith("puzzle15: 7 solutions: 1 analysed; 0 moves lost, mean 0.00; ")
        assert all(line.startswith(begin) for line, begin in zip(out.splitlines(), begins)), out


def test_analysis_records(run, tmp_path):
    code, out, _ = run("analyse", NEAR, "RLR", "--convention", "blank", "--json")
    (record,) = read_records(out)
    assert code == 0 and record["distances"] == [2, 1, 2, 1] and record["moves"] == "RLR"
    assert record["mistakes"] == [{"number": 2, "move": "L", "lost": 2, "distance": 1, "finish": "R"}]
    assert record["finish"] == "R" and record["convention"] == "blank" and not record["reaches_goal"]
    file = write_lines(tmp_path, f"{NEAR}\tRLR", "xx\tR", f"{NEAR}\tRX")
    code, out, _ = run("analyse", "-i", file, "--convention", "blank", "--json")
    same, bad, moves = read_records(out)
    assert code == 1 and same == record and list(bad) == list(moves) == list(record)
    assert bad["board"] == "xx" and moves["board"] == NEAR and "cannot read 'X'" in moves["error"]


def test_a_line_that_is_too_long(run):
    code, out, _ = run("analyse", stdin=f"{NEAR}\t{'LR' * 2100}\n")
    assert code == 1 and out.startswith(f"error: line '{NEAR}") and "4096" in out and out.count("\n") == 1


def test_limits(run):
    assert run("analyse", "--max-nodes", "1000", "--quiet", HARD, "L") == (1, "limit: the distance is not known\n", "")
    code, out, _ = run("hint", "--max-nodes", "1000", "--quiet", HARD)
    assert code == 1 and out.startswith("limit: at least ") and out.endswith(" moves\n")
