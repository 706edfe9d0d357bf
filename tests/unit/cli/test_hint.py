"""``puzzle15 hint`` and ``puzzle15 analyse``."""

import re

import pytest
from shell import FAR, HARD, NEAR, UNSOLVABLE, check_lines, read_records, rows, write_lines

from puzzle15 import Board

ANSWERS = r"""
hint FAR => 31\tDLR\n
hint FAR 123456780 --convention blank --quiet => 31\tURL\n0\t\n
hint FAR 123456780 --metric mtm --convention blank --quiet => 20\tU U2\n0\t\n
hint --goal korf --shape 3x3 '1 0 2/3 4 5/6 7 8' => 1\tR\n
analyse NEAR '' => move  letter  distance\n   0                 2\n0 moves, shortest 2, lost 0, 2 to go: L2\n
"""
TABLE = """\
move  letter  distance
   0                 2
   1  L              1
   2  R              2  lost 2; better: L
   3  L              1
   4  D              2  lost 2; better: L
   5  U              1
   6  L              0
6 moves, shortest 2, lost 4, first at move 2
"""
MULTI_TILE = """\
move  letter  distance
   0                 1
   1  L              1  lost 1; better: L2
   2  R              1  lost 1; better: L
   3  L2             0
3 multi-tile moves, shortest 1, lost 2, first at move 1
"""
BOARDS = f"{FAR}\n# none\nxx\n{UNSOLVABLE}\n\n2 1 3 5/0 4\n1 2 3/4 0 5\n{NEAR} # near\n"
GAMES = f"{NEAR}\tL2\n# none\n{NEAR}\tRL2\n{NEAR} LL\nxx\tL\n{NEAR}\tU\n{UNSOLVABLE}\tD\n1 2 3/4 0 5\tl,L\n"
GAMES += f"{NEAR}\t{'LR' * 2100}\n"

#: By command, lines, the answers, and the summary.
FILES = {
    "hint": (
        BOARDS,
        ["31\tDLR", "error: 'xx'..", f"error: {UNSOLVABLE} cannot reach..", "error: '2 1 3 5/0 4'..", "1\tL", "2\tL"],
        [
            "puzzle15: 6 boards: 3 solved; 34 moves, mean 11.33; 99 nodes expanded, ..",
            "puzzle15: boards by distance: 1: 1, 2: 1, 31: 1",
        ],
    ),
    "analyse": (
        GAMES,
        ["2 moves, shortest 2, lost 0", f"error: moves 'RL2': move 1 (R) is illegal on {NEAR}.."]
        + [f"error: line '{NEAR} LL': no tab; expected a board, a tab and moves", "error: 'xx'.."]
        + [f"error: moves 'U': move 1 (U) is illegal on {NEAR}..", f"error: {UNSOLVABLE} cannot reach.."]
        + ["error: moves 'l,L': move 2 (L) is illegal..", f"error: line '{NEAR}.."],
        ["puzzle15: 8 solutions: 1 analysed; 0 moves lost, mean 0.00; .."],
    ),
}


def test_answers(run):
    for words, answer in rows(ANSWERS):
        assert run(*words)[:2] == (0, answer)
    assert run("analyse", NEAR, "LRLDUL") == (0, TABLE, "")
    assert run("analyse", NEAR, "LRLL", "--metric", "mtm") == (0, MULTI_TILE, "")


@pytest.mark.parametrize("command", FILES)
def test_files_and_standard_input(run, tmp_path, command):
    text, answers, summary = FILES[command]
    file = tmp_path / "lines.txt"
    file.write_text(text)
    for words, stdin in (([], text), (["-i", "-"], text), (["-i", file], ""), (["-i", file, "--workers", "2"], "")):
        code, out, err = run(command, *words, stdin=stdin)
        assert code == 1
        check_lines(out, *answers)
        check_lines(err, *summary)


@pytest.mark.parametrize("limits", [[], ["--max-nodes", "10"], ["--time-limit", "60"], ["--time-limit", "1e303"]])
def test_files_are_answered_together_as_one_by_one(run, tmp_path, limits):
    def without_time(answer):
        return (*answer[:2], re.sub(r"[^;]*per second", "", answer[2]))

    boards = [FAR, NEAR, UNSOLVABLE, "nonsense", *(str(Board.random(seed, (3, 3))) for seed in range(10))]
    for command, lines in (("hint", boards), ("analyse", [f"{board}\tD" for board in boards[:2] + boards[3:]])):
        file = write_lines(tmp_path, *lines)
        alone = run(command, *limits, stdin=file.read_text())
        assert alone[0] == 1 and ("limit: " in alone[1]) == (limits[:1] == ["--max-nodes"])
        for workers in ("1", "2"):
            together = run(command, "-i", file, "--workers", workers, *limits)
            assert without_time(together) == without_time(alone)


def test_limits(run, tmp_path):
    code, out, _ = run("hint", "-i", write_lines(tmp_path, HARD, NEAR), "--time-limit", "0.2")
    assert code == 1 and out.startswith("limit: at least ") and out.endswith("\n2\tL\n")  # of each board
    assert run("analyse", "--max-nodes", "1000", "--quiet", HARD, "L") == (1, "limit: the distance is not known\n", "")
    code, out, _ = run("hint", "--max-nodes", "1000", "--quiet", HARD)
    assert code == 1 and out.startswith("limit: at least ") and out.endswith(" moves\n")


def test_records(run, tmp_path):
    file = write_lines(tmp_path, FAR, "xx", UNSOLVABLE)
    for words in ([FAR, "xx", UNSOLVABLE], ["-i", file]):
        code, out, _ = run("hint", "--json", "--convention", "blank", *words)
        good, bad, unsolvable = read_records(out)
        assert code == 1 and list(good) == list(bad) == list(unsolvable)
        known = {"distance": 31, "moves": "URL", "convention": "blank", "status": "solved"}
        assert good | known == good
        assert (bad["board"], bad["goal"], bad["status"]) == ("xx", None, "error") and "'xx'" in bad["error"]
        assert unsolvable["board"] == UNSOLVABLE and unsolvable["goal"] and unsolvable["distance"] is None
        good, bad, _ = read_records(run("hint", "--json", "--metric", "mtm", *words)[1])
        assert (good["distance"], good["moves"]) == (20, "D DD") and good["metric"] == bad["metric"] == "mtm"
    known = {"board": NEAR, "moves": "RLR", "distances": [2, 1, 2, 1], "finish": "R", "convention": "blank"}
    known["mistakes"] = [{"number": 2, "move": "L", "lost": 2, "distance": 1, "finish": "R"}]
    file = write_lines(tmp_path, f"{NEAR}\tRLR", "xx\tR", f"{NEAR}\tRX")
    (alone,) = read_records(run("analyse", NEAR, "RLR", "--convention", "blank", "--json")[1])
    code, out, _ = run("analyse", "-i", file, "--convention", "blank", "--json")
    same, bad, moves = read_records(out)
    assert code == 1 and same == alone == alone | known and list(bad) == list(moves) == list(same)
    (multi_tile,) = read_records(run("analyse", NEAR, "LL", "--metric", "mtm", "--json")[1])
    assert multi_tile["length"] == multi_tile["shortest"] == 1 and multi_tile["metric"] == "mtm"
    assert bad["board"] == "xx" and moves["board"] == NEAR and "cannot read 'X'" in moves["error"]
