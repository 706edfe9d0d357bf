"""``puzzle15 solve``: boards from anywhere, limits, searches by name, all solutions."""

import json
import re
import time

import pytest
from shell import (
    EASY,
    FAR,
    GOAL,
    HARD,
    KEYS,
    NEAR,
    SEARCH_KEYS,
    THREE,
    UNSOLVABLE,
    check_lines,
    error_of,
    read_records,
    rows,
    write_lines,
)

from puzzle15 import Board, Solver, solve, tables
from puzzle15._cli import runner
from puzzle15.board import KORF_GOAL, korf100
from puzzle15.board._korf import KorfBoard

#: Command lines, which get --quiet, and what they print.
ANSWERS = r"""
solve EASY => 1\tL\n
solve 12345678_ => 0\t\n
solve '1 2 3\n4 5 6\n7 0 8' => 1\tL\n
solve '1 2 3 4 0 5' --goal '1 2 3\n4 5 0' => 1\tL\n
solve 1,2,3,4,5,6,7,8,9 => 0\t\n
solve [[1,2,3],[4,5,6],[7,8,0]] => 0\t\n
solve '1 2 3/4 0 6/7 5 8' --convention blank => 2\tDR\n
solve '0 1 2/3 4 5/6 7 8' --goal blank-first => 0\t\n
solve '0 1 2/3 4 5/6 7 8' --goal korf => 0\t\n
solve EASY --goal blank-last => 1\tL\n
solve EASY --goal EASY => 0\t\n
solve '3 1 2 0 5 4' --goal '3 1 2/5 0 4' => 1\tL\n
solve '1 2 3 4 0 5' --shape 2x3 => 1\tL\n
solve '1 2 3 0 5 4' --shape 3x2 => 1\tU\n
solve EASY --algorithm bidirectional --goal EASY => 0\t\n
solve FAR --pattern 1-3 => 21\tLDRURD2LU2RD2LU2LD2RU\n
solve UNSOLVABLE --pattern 1-6 => 0\t\n
"""
#: Command lines that fail, and parts of what they print.
FAILURES = """
solve EASY --goal UNSOLVABLE => cannot reach the goal UNSOLVABLE
solve EASY --shape 4x4 => error:
solve nonsense => error: 'nonsense'
solve '1 2 3/4 5' => numbers
solve '1 2 3' => 3 numbers
solve '1 2 3/4 5 6/7 8 8' => tile 8 occurs twice
solve '1 2 3/4 5 6/7 0 9' => tile 8 is missing
solve UNSOLVABLE => exchanging any two tiles makes it solvable
solve UNSOLVABLE --pattern 1-8 => exchanging any two tiles makes it solvable
solve FAR --pattern 1-3 --max-length 20 => limit: at least 21 moves
solve '[1, 2' => error:
solve '' => error:
solve 12345670 => or give the shape: 2x4 or 4x2
solve FAR --algorithm hill-climbing => failed: at least 21 moves
solve HARD --max-nodes 10k --algorithm weighted-astar --weight 1.5 --max-memory 100M => limit: at least
solve HARD --all --max-nodes 1000 => limit: at least
solve HARD --max-nodes 10k => limit: at least 5
solve KORF --algorithm awastar --weight 3 --max-nodes 100k => , at most
"""


def test_answers(run):
    for words, answer in rows(ANSWERS):
        assert run(*words, "--quiet") == (0, answer, "")
    assert run("solve", "1 2 3\n4 5 6\n7 8 0", "--quiet") == (0, "0\t\n", "")
    near = str(Board.goal((3, 3)).apply("RDDLU"))
    for convention, short, moves in (("tile", "DRU2L", "DRUUL"), ("blank", "ULD2R", "ULDDR")):
        assert run("solve", near, "--quiet", "--convention", convention)[1] == f"5\t{short}\n"
        record = json.loads(run("solve", near, "--json", "--convention", convention)[1])
        assert (record["moves"], record["convention"]) == (moves, convention)


def test_failures(run):
    for words, answer in rows(FAILURES):
        code, out, err = run(*words, "--quiet")
        assert code == 1 and answer in out and err == "" and out.count("\n") == 1, words


def test_records(run):
    code, out, _ = run("solve", FAR, UNSOLVABLE, "nonsense", "--json")
    records = read_records(out)
    assert code == 1 and all(list(record) == KEYS for record in records)
    solved, unsolvable, unreadable = records
    known = {"status": "solved", "optimal": True, "error": None, "length": 31, "lower_bound": 31, "board": FAR}
    known |= {"goal": GOAL, "convention": "tile", "metric": "stm"}
    assert solved | known == solved and min(solved[key] for key in ("expanded", "generated", "seconds")) > 0
    assert str(Board(FAR).apply(solved["moves"])) == GOAL and len(solved["moves"]) == 31
    for record in (unsolvable, unreadable):
        assert record["status"] == "error" and record["error"]
        given = {"board", "goal", "convention", "metric", "status", "error"}
        assert all(record[key] is None for key in set(KEYS) - given)
    assert unsolvable["board"] == UNSOLVABLE and "cannot reach the goal" in unsolvable["error"]
    assert unreadable["board"] == "nonsense" and unreadable["goal"] is None
    limit = json.loads(run("solve", HARD, "--time-limit", "0.05", "--workers", "2", "--json")[1])
    known = {"status": "limit", "length": None, "moves": None, "optimal": False, "error": None}
    assert limit | known == limit and limit["lower_bound"] >= 40


@pytest.mark.parametrize("options", [[], ["--workers", "2"], ["--max-nodes", "1M"], ["--json"]])
def test_boards_from_a_file(run, tmp_path, options):
    boards = [Board.random(seed, (3, 3)) for seed in range(300)]
    boards[7], boards[150] = Board(UNSOLVABLE), Board.random(1, (2, 3))
    file = tmp_path / "boards.txt"
    lines = ["\ufeff# boards".encode(), *(str(board).encode() for board in boards), b"\xff", b""]
    file.write_bytes(b"\r\n".join(lines))
    code, out, err = run("solve", "-i", file, *options)
    lengths = [solve(board).length if board.is_solvable() else None for board in boards] + [None]
    if "--json" in options:
        answers = [json.loads(line)["length"] for line in out.splitlines()]
    else:
        answers = [None if "error" in line else int(line.split("\t")[0]) for line in out.splitlines()]
    assert code == 1 and answers == lengths and "301 boards: 299 solved" in err
    (message,) = [line for line in out.splitlines() if "cannot reach" in line]
    assert "board 7" not in message  # its place in a chunk is nobody's business


def test_boards_and_moves_for_other_commands(run):
    """What --with-boards prints, other commands read; boards without a solution are errors, which they hand on."""
    lines = run("solve", FAR, EASY, "nonsense", HARD, "--with-boards", "--max-nodes", "1k", "--quiet")[1]
    assert lines.splitlines()[1] == f"{EASY}\tL" and lines.count("error: ") == 2
    assert f"error: {HARD}: limit: at least " in lines
    for command, answers in (
        ("analyse", ["31 moves, shortest 31, lost 0", "1 move, shortest 1, lost 0"]),
        ("apply", [GOAL, GOAL]),
    ):
        out = run(command, "--quiet", stdin=lines)[1].splitlines()
        assert [line for line in out if "error: " not in line] == answers and len(out) == 4


def test_the_summary(run, tmp_path):
    """The same after the boards of a file, of standard input, and of the command line."""
    assert run("solve", "-i", write_lines(tmp_path, "# nothing")) == (0, "", "")
    file = write_lines(tmp_path, FAR, EASY, EASY, "nonsense")
    for words, stdin in ((["-i", file], ""), ([], file.read_text()), ([FAR, EASY, EASY, "nonsense"], "")):
        for command, what in (("solve", "length"), ("hint", "distance")):
            first, second = run(command, *words, stdin=stdin)[2].splitlines()
            assert first.startswith("puzzle15: 4 boards: 3 solved; 33 moves, mean 11.00; ")
            assert " nodes expanded, " in first and first.endswith(" boards per second")
            assert second == f"puzzle15: boards by {what}: 1: 2, 31: 1"


def test_korfs_boards(run):
    code, out, err = run("solve", "--set", "korf100", "--workers", "2")
    assert code == 0 and "100 of 100 lengths right; 100 solved, total 5305; " in err
    assert [int(line.split("\t")[0]) for line in out.splitlines()] == [record.length for record in korf100()]
    assert err.count("puzzle15 build") == 1  # the hint, once


def test_lengths_of_a_set(run, monkeypatch):
    """A wrong one is named, unless the search may find longer solutions."""
    moves = [("UL", 2), ("LURDLURDLURDLU", 2), ("L", 3)]
    boards = [KorfBoard(number, KORF_GOAL.apply(m), 0, n, None) for number, (m, n) in enumerate(moves, 1)]
    for module in ("solve", "runner"):
        monkeypatch.setattr(f"puzzle15._cli.{module}.korf100", lambda: boards)
    code, _, err = run("solve", "--set", "korf100")
    assert code == 1 and "board 3: 1, known: 3" in err and "2 of 3 lengths right" in err
    del boards[2]
    code, out, err = run("solve", "--set", "korf100", "--algorithm", "depth-first", "--max-length", "14")
    total = sum(int(line.split("\t")[0]) for line in out.splitlines())
    assert code == 0 and f"2 solved, total {total}; the shortest solutions have 4" in err
    assert "depth limit 14: solutions may be longer than needed" in err
    assert "2 of 2 lengths right; 2 solved, total 4; " in run("solve", "--set", "korf100", "--algorithm", "astar")[2]


#: Commands that take a set, and their answers for the last of Korf's boards and for `THREE` in a file.
SETS = {
    "solve --max-nodes 50": ("limit: at least 46 moves", "3\tUL2"),
    "hint --max-nodes 50": ("limit: at least 46 moves", "3\tU"),
    "analyse U --max-nodes 50": ("limit: the distance is not known", "1 move, shortest 3, lost 0, 2 to go: L2"),
    "apply U": ("11 4 5 8/6 10 0 13/12 7 14 3/1 2 9 15", NEAR),
    "check": ("solvable", "solvable"),
    "convert": ("11 4 0 8/6 10 5 13/12 7 14 3/1 2 9 15", THREE),
    "convert --to-goal blank-last": ("1 7 14 15/13 2 9 4/3 11 6 10/8 0 12 5", THREE),
}


@pytest.mark.parametrize("line", SETS)
def test_every_command_for_many_boards_takes_sets(run, tmp_path, line):
    """The bundled one, for its own goal; or a file, which is read like that of --input."""
    command, *words = line.split()
    last, near = SETS[line]
    out = run(command, *words, "--set", "korf100", "--quiet")[1].splitlines()
    assert len(out) == 100 and out[-1] == last
    file = write_lines(tmp_path, "# a comment", THREE, "nonsense")
    code, out, err = run(command, *words, "--set", file, "--quiet")
    assert (code, err) == (1, "")
    check_lines(out, near, "error: 'nonsense'..")
    assert "from one source" in error_of(run("show", NEAR, "--set", file), 2)


@pytest.mark.parametrize(
    "options",
    ["--max-nodes 300", *(f"--algorithm idastar {limit}" for limit in ("", "--max-nodes 500", "--time-limit 60"))],
)
def test_each_answer_of_a_file_is_that_of_the_board_alone(run, tmp_path, options):
    shape = (3, 3) if "idastar" in options else (3, 4)
    boards = [*(str(Board.random(seed, shape)) for seed in range(12)), UNSOLVABLE, "nonsense", EASY]
    words = ["solve", *options.split(), "-i", write_lines(tmp_path, *boards), "--workers", "2"]
    code, out, err = run(*words)
    assert (code, out) == run("solve", *boards, *options.split())[:2] and code == 1 and "15 boards: " in err
    records, alone = (read_records(run(*some, "--json")[1]) for some in (words, ["solve", *boards, *options.split()]))
    for one, other in zip(records, alone):
        assert list(one) == list(other) and one["status"] == other["status"]
        changes = {"seconds": 0} if "idastar" in options else {"seconds": 0, "expanded": 0, "generated": 0}
        assert one | changes == other | changes
    for record in records if "nodes 300" in options else ():
        assert (record["status"] == "limit") == ((record["generated"] or 0) > 300)
    assert ("limit" in {record["status"] for record in records}) == ("--max-nodes" in options)


def test_a_limit_of_moves(run, tmp_path):
    """What has more moves is not solved, alone or in a file, and not searched again because of another limit."""
    boards = [FAR, EASY, UNSOLVABLE, HARD, NEAR]
    file = write_lines(tmp_path, *boards)
    answers = ["limit: at least 31 moves", "1\tL", "error: ", "limit: at least ", "2\tL2"]
    for words in (boards, ["-i", file], ["-i", file, "--time-limit", "60"], ["-i", file, "--workers", "2"]):
        code, out, _ = run("solve", *words, "--max-length", "30")
        lines = out.splitlines()
        assert code == 1 and len(lines) == len(boards)
        assert all(line.startswith(answer) for line, answer in zip(lines, answers)), lines
    assert run("solve", FAR, "--max-length", "31", "--quiet")[:2] == run("solve", FAR, "--quiet")[:2]


def test_a_limit_of_time_for_a_file(run, tmp_path):
    """Boards that take long are solved alone, each with the whole time; the others are solved together."""
    boards = [EASY, HARD, UNSOLVABLE, *(str(Board.random(seed, (3, 3))) for seed in range(300)), HARD]
    file = write_lines(tmp_path, *boards)
    start = time.monotonic()
    code, out, err = run("solve", "-i", file, "--time-limit", "0.1", "--json")
    assert code == 1 and "304 boards: 301 solved" in err and time.monotonic() - start > 0.2
    records = read_records(out)
    assert [record["board"] for record in records] == boards
    assert [i for i, record in enumerate(records) if record["status"] == "limit"] == [1, 303]
    # the time of a solution begins with its search, a moment after that of its limit
    assert all(record["seconds"] > 0.09 for record in records if record["status"] == "limit")
    code, out, err = run("solve", "-i", file, "--time-limit", "60", "--max-nodes", "10k")
    assert [line.split(":")[0] for line in out.splitlines() if ":" in line] == ["limit", "error", "limit"]


def test_the_hint_is_given_once_and_not_where_it_would_not_help(run, tmp_path, monkeypatch):
    board, goal = str(Board.goal().apply("DR")), Board.goal().apply("R")
    err = run("solve", board, board, "--tables", tmp_path)[2]
    assert err.count(f"puzzle15 build --tables {tmp_path}") == 1
    assert "--shape 3x4" in run("solve", "1 2 3 4/5 6 7 8/9 10 0 11")[2]
    assert "--home 14" in run("solve", goal.apply("R"), "--goal", goal)[2]
    for words in ([board, "--quiet"], [board, "--partition", "embedded"], [EASY]):
        assert "puzzle15 build" not in run("solve", *words)[2]
    tables.build_tables("5-5-5", tables=tmp_path)
    monkeypatch.setenv("PUZZLE15_TABLES", str(tmp_path))
    code, out, err = run("solve", Board.goal().apply("DRDRUL"), "--format", "zero-aware")
    assert (code, out) == (0, "6\tRDLULU\n") and "puzzle15 build" not in err


def test_boards_of_another_shape_than_the_goal(run):
    message = f"{EASY}: a 3x3 board; expected a 4x4 one, the shape of the goal {Board.goal(home=0)}"
    for words in (["--goal", str(Board.goal(home=0))], ["--goal", "korf", "--shape", "4x4"]):
        assert run("solve", EASY, "--quiet", *words)[:2] == (1, f"error: {message}\n")
        assert run("compare", EASY, *words) == (1, "", f"puzzle15: error: {message}\n")


def test_searches_by_name(run):
    for words, length in {
        "astar": 31,
        "ida* --heuristic walking-distance": 31,
        "breadth-first": 31,
        "greedy --ties fifo --move-order drlu": None,
    }.items():
        code, out, err = run("solve", FAR, "--algorithm", *words.split())
        assert code == 0 and "1 board: 1 solved" in err
        count, moves = out.removesuffix("\n").split("\t")
        assert str(Board(FAR).apply(moves)) == GOAL and int(count) == (length or int(count)) >= 31


def test_records_of_searches_by_name(run):
    code, out, _ = run("solve", FAR, UNSOLVABLE, "--json", "--algorithm", "astar", "--convention", "blank")
    solved, unsolvable = read_records(out)
    assert code == 1 and list(solved) == list(unsolvable) == SEARCH_KEYS
    assert (solved["algorithm"], solved["heuristic"], solved["optimal"]) == ("a*", "manhattan", True)
    assert solved["largest_open"] > 0 and solved["largest_closed"] > 0 and solved["memory_bytes"] > 0
    assert str(Board(FAR).apply(solved["moves"], convention="blank")) == solved["goal"]
    assert (unsolvable["status"], unsolvable["algorithm"], unsolvable["memory_bytes"]) == ("error", "a*", None)
    record = json.loads(run("solve", FAR, "--json", "--algorithm", "bidirectional")[1])
    assert (record["heuristic"], record["length"]) == (None, 31)
    words = ["solve", HARD, "--max-nodes", "10k", "--quiet", "--algorithm", "astar", "--max-memory", "8M", "--json"]
    record = json.loads(run(*words)[1])
    assert (record["status"], record["length"], record["moves"]) == ("limit", None, None)
    assert record["lower_bound"] >= 34 and 0 < record["memory_bytes"] <= 8 * 1024**2
    words = ["solve", FAR, "--algorithm", "branch-and-bound", "--max-nodes", "2000", "--quiet"]
    code, out, _ = run(*words)
    least, most = map(int, re.fullmatch(r"limit: at least (\d+) moves, at most (\d+)\t\S+\n", out).groups())
    record = json.loads(run(*words, "--json")[1])
    assert code == 1 and least <= 31 <= most == record["length"]
    assert record["status"] == "limit" and not record["optimal"]


def test_local_value_iteration(run):
    words = ["solve", "--algorithm", "local-value-iteration"]
    code, out, err = run(*words, FAR)
    count, moves = out.removesuffix("\n").split("\t")
    assert code == 0 and "1 board: 1 solved" in err
    assert str(Board(FAR).apply(moves)) == GOAL and int(count) > 31
    code, out, _ = run(*words, "--initial-size", "3", FAR, UNSOLVABLE, "--json", "--goal", "blank-first")
    answers = read_records(out)
    assert code == 1 and all(list(answer) == [*SEARCH_KEYS, "largest", "parts"] for answer in answers)
    failed, solved = sorted(answers, key=lambda answer: answer["status"])
    assert (failed["status"], failed["largest"], failed["parts"]) == ("error", None, None)
    assert str(Board(solved["board"]).apply(solved["moves"])) == solved["goal"] == "0 1 2/3 4 5/6 7 8"
    assert solved["algorithm"] == words[-1] and solved["parts"][0]["tiles"] == [8, 7, 6]
    assert sum(part["length"] for part in solved["parts"]) == solved["length"]
    orders = {order: run(*words, "--move-order", order, FAR)[1].split()[1] for order in ("ULRD", "dlur")}
    assert orders["ULRD"] == moves != orders["dlur"]
    code, out, err = run(*words, "--set", "korf100")
    assert code == 0 and len(out.splitlines()) == 100 and "the shortest solutions have 5305" in err


def test_names_in_any_case_and_short_ones(run):
    names = {"BFS": "breadth-first", "dfs": "depth-first", "gbfs": "greedy", "IDA*": "ida*", "A-Star": "a*"}
    for name, meant in {**names, "Local Value Iteration": "local-value-iteration"}.items():
        assert json.loads(run("solve", EASY, "--json", "--algorithm", name)[1])["algorithm"] == meant
    names = ["--algorithms", "BFS, IDAstar,bfs", "--heuristics", "Manhattan,manhattan,MAX(zero,Misplaced)"]
    records = read_records(run("compare", EASY, "--json", *names)[1])
    runs = [("breadth-first", None), ("ida*", "manhattan"), ("ida*", "max(zero,misplaced)")]
    assert [(record["algorithm"], record["heuristic"]) for record in records] == runs
    line = error_of(run("solve", EASY, "--algorithm", "bredth-first"), 2)
    assert "'bredth-first': did you mean 'breadth-first'? expected one of" in line and "local-value-iteration" in line


@pytest.mark.parametrize("algorithm", ["anytime-astar", "arastar --weight 3 --weight-step 1", "beam-stack"])
def test_improvements_are_said(run, algorithm):
    words = ["solve", FAR, "--algorithm", *algorithm.split()]
    code, out, errors = run(*words)
    lines = errors.splitlines()
    assert code == 0 and out.startswith("31\t") and "31 moves, at least 31" in lines[-2]
    assert len(lines) > 2 and all("moves, at least" in line and "nodes expanded" in line for line in lines[:-1])
    assert "step" not in algorithm or {"weight 3", "weight 2", "weight 1"} <= set(re.split("; |\n", errors))
    code, out, errors = run(*words, "--json", "--quiet")
    record = json.loads(out)
    assert (code, errors, record["length"]) == (0, "", 31)
    assert len(record["improvements"]) == len(lines) - 1
    assert {"length", "lower_bound", "weight", "expanded", "generated", "seconds"} == set(record["improvements"][0])


def test_all_solutions(run, tmp_path):
    texts = "20\tDRUL2D2R2ULDRU2L2DR2UL2D2R2U2L2\n20\tD2RU2L2D2RURUL2D2RURUL2D2R2U2L2\n"
    assert run("solve", "--all", "--metric", "mtm", "--quiet", FAR) == (0, texts, "")
    expected = list(Solver(shape=(3, 3)).all_solutions(FAR))
    code, out, err = run("solve", "--all", FAR)
    assert code == 0 and ": 1 solved; 31 moves" in err
    assert [line.split("\t")[0] for line in out.splitlines()] == ["31"] * 40
    first, second = read_records(run("solve", "--all", "--json", FAR, NEAR)[1])
    assert first["solutions"] == expected and first["complete"] and first["length"] == 31
    assert second["solutions"] == ["LL"]
    code, out, _ = run("solve", "--all", "--max-solutions", "3", "--json", "--convention", "blank", FAR)
    (record,) = read_records(out)
    assert code == 0 and len(record["solutions"]) == 3 and record["complete"] is False
    assert [Board(FAR).apply(moves, convention="blank") for moves in record["solutions"]] == [Board.goal((3, 3))] * 3
    code, out, _ = run("solve", "--all", "-i", write_lines(tmp_path, NEAR, "xx", EASY), "--quiet")
    assert code == 1 and [line.split(":")[0] for line in out.splitlines()] == ["2\tL2", "error", "1\tL"]
    (record,) = read_records(run("solve", "--all", "--max-nodes", "1000", "--quiet", "--json", HARD)[1])
    assert record["solutions"] == [] and record["status"] == "limit"


def test_the_boards_of_a_file_are_read_together(run, tmp_path, monkeypatch):
    """In chunks of 1, 2, 4, 1: plain ones in C, others one by one, with the same answers as on the command line."""
    alone = []

    def read(text, *given):
        alone.append(text)
        return read_board(text, *given)

    read_board = runner.read_board
    monkeypatch.setattr(runner, "read_board", read)
    boards = [NEAR, EASY, "[[1,2,3],[4,5,6],[7,0,8]]", UNSOLVABLE, "123456708", "1 2 3", "1 2/0 3", f"  {EASY} "]
    code, out, _ = run("solve", "-i", write_lines(tmp_path, *boards), "--quiet")
    assert code == 1 and alone == [boards[0], boards[5], EASY]
    assert out == "".join(run("solve", board, "--quiet")[1] for board in boards)


def test_an_error_shows_each_letter_of_a_line(run):
    assert r"3\\t4" in run("solve", stdin=r"1 2 3\t4 5 6\t7 0 8")[1]
