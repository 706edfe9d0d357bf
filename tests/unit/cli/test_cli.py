"""The command line: in this process, and as a process of its own where signals and pipes matter."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import tracemalloc
from collections import namedtuple

import pytest
from timing import timed, within

from puzzle15 import Board, Solver, __version__, cli, tables
from puzzle15 import published as data
from puzzle15.cli import main
from puzzle15.cli.console import Terminated, signals_as_exceptions
from puzzle15.solver import SEARCH_FIELDS, solver

KEYS = [
    "board",
    "goal",
    "length",
    "moves",
    "convention",
    "metric",
    "optimal",
    "lower_bound",
    "expanded",
    "generated",
    "seconds",
    "status",
    "error",
]
SEARCH_KEYS = [*KEYS, *SEARCH_FIELDS]

EASY = "1 2 3/4 5 6/7 0 8"
FAR = "8 6 7/2 5 4/3 0 1"  # 31 moves
UNSOLVABLE = "1 2 3/4 5 6/8 7 0"
HARD = "0 15 8 3/12 11 7 4/14 10 6 5/9 13 2 1"  # 70 moves: a minute and more without stored tables


def build_small(folder, **options):
    return tables.build_tables("1-4/5-8", shape=(3, 3), tables=folder, **options)


def error_of(result, code):
    """The one line that a failed command says."""
    assert result[0] == code
    assert result[1] == ""
    (line,) = result[2].splitlines()
    assert line.startswith("puzzle15: error: ")
    return line


# ---------------------------------------------------------------- solve ---


def test_a_board_on_the_command_line(run):
    code, out, err = run("solve", EASY)
    assert (code, out) == (0, "1\tL\n")
    assert "1 board: 1 solved; 1 moves" in err


@pytest.mark.parametrize("text", ["12345678_", "1,2,3,4,5,6,7,8,9", "[[1,2,3],[4,5,6],[7,8,0]]", "1 2 3\n4 5 6\n7 8 0"])
def test_every_notation(run, text):
    assert run("solve", text, "--quiet") == (0, "0\t\n", "")


def test_records(run):
    code, out, _ = run("solve", FAR, UNSOLVABLE, "nonsense", "--json")
    records = [json.loads(line) for line in out.splitlines()]
    assert code == 1
    assert all(list(record) == KEYS for record in records)
    solved, unsolvable, unreadable = records
    assert solved["status"] == "solved" and solved["optimal"] is True and solved["error"] is None
    assert solved["length"] == solved["lower_bound"] == 31
    assert solved["board"] == FAR and solved["goal"] == "1 2 3/4 5 6/7 8 0"
    assert (solved["convention"], solved["metric"]) == ("tile", "stm")
    assert str(Board(FAR).apply(solved["moves"])) == solved["goal"] and len(solved["moves"]) == 31
    assert solved["expanded"] > 0 and solved["generated"] > 0 and solved["seconds"] > 0
    for record in (unsolvable, unreadable):
        assert record["status"] == "error" and record["error"]
        known = {"board", "goal", "convention", "metric", "status", "error"}
        assert all(record[key] is None for key in set(KEYS) - known)
    assert unsolvable["board"] == UNSOLVABLE and "cannot reach the goal" in unsolvable["error"]
    assert unreadable["board"] == "nonsense" and unreadable["goal"] is None


def test_moves_are_short_in_text_and_plain_in_records(run):
    near = str(Board.goal((3, 3)).apply("RDDLU"))
    assert run("solve", near, "--quiet")[1] == "5\tDRU2L\n"
    assert run("solve", near, "--quiet", "--moves", "blank")[1] == "5\tULD2R\n"
    for convention, moves in (("tile", "DRUUL"), ("blank", "ULDDR")):
        assert json.loads(run("solve", near, "--json", "--moves", convention)[1])["moves"] == moves


def test_the_blank_convention(run):
    record = json.loads(run("solve", FAR, "--json", "--moves", "blank")[1])
    assert record["convention"] == "blank"
    assert str(Board(FAR).apply(record["moves"], convention="blank")) == record["goal"]
    tile = json.loads(run("solve", FAR, "--json")[1])
    assert tile["moves"] == record["moves"].translate(str.maketrans("UDLR", "DURL"))


def test_boards_from_standard_input(run):
    lines = f"# a comment\n\n{EASY}\n1 2 3\n{EASY} # another\n{UNSOLVABLE}\n\n1 2/3 0\n"
    for words in (["solve"], ["solve", "-i", "-"]):
        code, out, err = run(*words, stdin=lines)
        answers = out.splitlines()
        assert code == 1
        assert answers[0] == answers[2] == "1\tL" and answers[4] == "0\t"
        assert answers[1].startswith("error: ") and answers[3].startswith("error: ")
        assert "5 boards: 3 solved" in err


@pytest.mark.parametrize("options", [[], ["--workers", "2"], ["--max-nodes", "1M"], ["--json"]])
def test_boards_from_a_file(run, tmp_path, options):
    boards = [Board.random(seed, (3, 3)) for seed in range(300)]
    boards[7] = Board(UNSOLVABLE)
    boards[150] = Board.random(1, (2, 3))
    file = tmp_path / "boards.txt"
    file.write_bytes(
        "\ufeff# boards\r\n".encode() + b"\r\n".join(str(board).encode() for board in boards) + b"\r\n\xff\r\n"
    )
    code, out, err = run("solve", "-i", file, *options)
    lengths = [solver.solve(board).length if board.is_solvable() else None for board in boards] + [None]
    if "--json" in options:
        answers = [json.loads(line)["length"] for line in out.splitlines()]
    else:
        answers = [None if "error" in line else int(line.split("\t")[0]) for line in out.splitlines()]
    assert answers == lengths
    assert code == 1
    assert "301 boards: 299 solved" in err
    messages = [line for line in out.splitlines() if "cannot reach" in line]
    assert len(messages) == 1 and "board 7" not in messages[0]  # its place in a chunk is nobody's business


def test_an_empty_file(run, tmp_path):
    file = tmp_path / "none.txt"
    file.write_text("# nothing\n")
    assert run("solve", "-i", file) == (0, "", "")


def test_korfs_boards(run):
    code, out, err = run("solve", "--set", "korf100", "--workers", "2")
    assert code == 0
    assert [int(line.split("\t")[0]) for line in out.splitlines()] == [r.length for r in data.korf100()]
    assert "all 100 lengths right, total 5305" in err
    assert err.count("puzzle15 build") == 1  # the hint, once


def test_a_wrong_length_in_a_set_is_named(run, monkeypatch):
    monkeypatch.setattr(
        data,
        "korf100",
        lambda: [
            data.KorfBoard(1, data.KORF_GOAL.apply("UL"), 2, 2, None),
            data.KorfBoard(2, data.KORF_GOAL.apply("L"), 1, 3, None),
        ],
    )
    code, _, err = run("solve", "--set", "korf100")
    assert code == 1
    assert "board 2: 1, known: 3" in err and "1 of 2 lengths wrong" in err


def test_goals(run):
    assert run("solve", "0 1 2/3 4 5/6 7 8", "--goal", "blank-first", "--quiet")[1] == "0\t\n"
    assert run("solve", "0 1 2/3 4 5/6 7 8", "--goal", "korf", "--quiet")[1] == "0\t\n"
    assert run("solve", EASY, "--goal", "blank-last", "--quiet")[1] == "1\tL\n"
    assert run("solve", EASY, "--goal", EASY, "--quiet")[1] == "0\t\n"
    assert run("solve", "3 1 2 0 5 4", "--goal", "3 1 2/5 0 4", "--quiet")[1] == "1\tL\n"
    code, out, _ = run("solve", EASY, "--goal", UNSOLVABLE, "--quiet")
    assert code == 1 and "cannot reach the goal 1 2 3/4 5 6/8 7 0" in out


def test_the_shape_decides_flat_boards(run):
    assert run("solve", "1 2 3 4 0 5", "--shape", "2x3", "--quiet")[1] == "1\tL\n"
    assert run("solve", "1 2 3 0 5 4", "--shape", "3x2", "--quiet")[1] == "1\tU\n"
    code, out, _ = run("solve", EASY, "--shape", "4x4", "--quiet")
    assert code == 1 and "error: " in out


def test_limits_are_answers(run):
    code, out, _ = run("solve", HARD, "--max-nodes", "10k")
    assert code == 1
    lower = int(out.removeprefix("limit: at least ").removesuffix(" moves\n"))
    assert 40 < lower <= 80
    record = json.loads(run("solve", HARD, "--time-limit", "0.05", "--workers", "2", "--json")[1])
    assert (record["status"], record["length"], record["moves"]) == ("limit", None, None)
    assert record["optimal"] is False and record["lower_bound"] >= 40 and record["error"] is None


def test_a_limit_of_nodes_for_a_file(run, tmp_path):
    """The boards of a file are solved many at a time, and each answer is that of the board alone."""
    boards = [str(Board.random(seed, (3, 4))) for seed in range(12)] + [UNSOLVABLE, "nonsense", EASY]
    file = tmp_path / "boards.txt"
    file.write_text("\n".join(boards))
    code, out, err = run("solve", "-i", file, "--max-nodes", "300", "--workers", "2")
    assert code == 1 and "15 boards: " in err
    assert out == "".join(run("solve", board, "--max-nodes", "300", "--quiet")[1] for board in boards)
    kinds = {line.split(":")[0] for line in out.splitlines()}
    assert {"limit", "error"} < kinds and len(kinds) > 3
    records = [json.loads(line) for line in run("solve", "-i", file, "--max-nodes", "300", "--json")[1].splitlines()]
    assert all(list(record) == KEYS for record in records)
    for record in records:
        enough = record["generated"] is None or record["generated"] <= 300
        assert (record["status"] == "limit") == (not enough)


def test_a_limit_of_moves(run, tmp_path):
    """What has more moves is not solved, alone or in a file, and not searched again because of another limit."""
    boards = [FAR, EASY, UNSOLVABLE, HARD, "1 2 3/4 5 6/0 7 8"]
    file = tmp_path / "boards.txt"
    file.write_text("\n".join(boards))
    answers = ["limit: at least 31 moves", "1\tL", "error: ", "limit: at least ", "2\tL2"]
    for words in (boards, ["-i", file], ["-i", file, "--time-limit", "60"], ["-i", file, "--workers", "2"]):
        code, out, _ = run("solve", *words, "--max-length", "30")
        lines = out.splitlines()
        assert code == 1 and len(lines) == len(boards)
        assert all(line.startswith(answer) for line, answer in zip(lines, answers)), lines
    assert run("solve", FAR, "--max-length", "31", "--quiet")[:2] == run("solve", FAR, "--quiet")[:2]


def test_textbook_searches_of_a_file_take_workers(run, tmp_path):
    """Each answer is that of the board alone."""
    boards = [str(Board.random(seed, (3, 3))) for seed in range(12)] + [UNSOLVABLE, "nonsense", EASY]
    file = tmp_path / "boards.txt"
    file.write_text("\n".join(boards))
    for limits in ([], ["--max-nodes", "500"], ["--time-limit", "60"]):
        words = ["solve", "-i", file, "--algorithm", "idastar", *limits]
        code, out, err = run(*words, "--workers", "2")
        assert (code, out) == run(*words)[:2] and code == 1 and "15 boards: " in err
        records = [json.loads(line) for line in run(*words, "--workers", "2", "--json")[1].splitlines()]
        alone = [json.loads(line) for line in run(*words, "--json")[1].splitlines()]
        for record in (*records, *alone):
            record.pop("seconds")
        assert records == alone


def test_a_limit_of_time_for_a_file(run, tmp_path):
    """Boards that take long are solved alone, each with the whole time; the others are solved together."""
    boards = [EASY, HARD, UNSOLVABLE, *(str(Board.random(seed, (3, 3))) for seed in range(300)), HARD]
    file = tmp_path / "boards.txt"
    file.write_text("\n".join(boards))
    start = time.monotonic()
    code, out, err = run("solve", "-i", file, "--time-limit", "0.3", "--json")
    assert code == 1 and "304 boards: 301 solved" in err and time.monotonic() - start > 0.6
    records = [json.loads(line) for line in out.splitlines()]
    assert [record["board"] for record in records] == boards
    assert [i for i, record in enumerate(records) if record["status"] == "limit"] == [1, 303]
    assert all(record["seconds"] >= 0.3 for record in records if record["status"] == "limit")
    code, out, err = run("solve", "-i", file, "--time-limit", "60", "--max-nodes", "10k")
    assert [line.split(":")[0] for line in out.splitlines() if ":" in line] == ["limit", "error", "limit"]


def test_the_search_can_be_varied(run, tmp_path):
    build_small(tmp_path)
    build_small(tmp_path, format="classic")
    options = ["--partition", "1-4/5-8", "--tables", tmp_path, "--json"]
    generated = set()
    for more in ([], ["--no-reflection"], ["--plain"], ["--format", "classic"]):
        record = json.loads(run("solve", FAR, *options, *more)[1])
        assert record["length"] == 31
        generated.add(record["generated"])
    assert len(generated) == 4


def test_the_hint_is_given_once_and_not_where_it_would_not_help(run, tmp_path):
    board = str(Board.goal().apply("DR"))
    err = run("solve", board, board, "--tables", tmp_path)[2]
    assert err.count(f"puzzle15 build --tables {tmp_path}") == 1
    assert "--shape 3x4" in run("solve", "1 2 3 4/5 6 7 8/9 10 0 11")[2]
    assert (
        "--home 14"
        in run("solve", "1 2 3 4/5 6 7 8/9 10 11 12/13 0 14 15", "--goal", "1 2 3 4/5 6 7 8/9 10 11 12/13 14 0 15")[2]
    )
    for words in ([board, "--quiet"], [board, "--partition", "embedded"], [EASY]):
        assert "puzzle15 build" not in run("solve", *words)[2]


def test_tables_are_used_where_they_are(run, tmp_path, monkeypatch):
    tables.build_tables("5-5-5", tables=tmp_path)
    monkeypatch.setenv("PUZZLE15_TABLES", str(tmp_path))
    code, out, err = run("solve", Board.goal().apply("DRDRUL"), "--format", "zero-aware")
    assert (code, out) == (0, "6\tRDLULU\n") and "puzzle15 build" not in err


# ---------------------------------------------------------------- searches by name, compare ---


def test_searches_by_name(run):
    for words, length in [
        (["astar"], 31),
        (["ida*", "--heuristic", "walking-distance"], 31),
        (["breadth-first"], 31),
        (["greedy", "--ties", "fifo", "--move-order", "drlu"], None),
    ]:
        code, out, err = run("solve", FAR, "--algorithm", *words)
        assert code == 0 and "1 board: 1 solved" in err
        count, moves = out.removesuffix("\n").split("\t")
        assert str(Board(FAR).apply(moves)) == "1 2 3/4 5 6/7 8 0"
        assert int(count) == (length or int(count)) >= 31
    assert run("solve", EASY, "--algorithm", "bidirectional", "--goal", EASY, "--quiet") == (0, "0\t\n", "")


def test_records_of_searches_by_name(run):
    code, out, _ = run("solve", FAR, UNSOLVABLE, "--json", "--algorithm", "astar", "--moves", "blank")
    solved, unsolvable = [json.loads(line) for line in out.splitlines()]
    assert code == 1 and list(solved) == list(unsolvable) == SEARCH_KEYS
    assert (solved["algorithm"], solved["heuristic"], solved["optimal"]) == ("a*", "manhattan", True)
    assert solved["largest_open"] > 0 and solved["largest_closed"] > 0 and solved["memory_bytes"] > 0
    assert str(Board(FAR).apply(solved["moves"], convention="blank")) == solved["goal"]
    assert (unsolvable["status"], unsolvable["algorithm"], unsolvable["memory_bytes"]) == ("error", "a*", None)
    record = json.loads(run("solve", FAR, "--json", "--algorithm", "bidirectional")[1])
    assert (record["heuristic"], record["length"]) == (None, 31)


def test_searches_of_many_boards(run, tmp_path):
    boards = [Board.random(seed, (3, 3)) for seed in range(20)]
    file = tmp_path / "boards.txt"
    file.write_text("".join(f"{board}\n" for board in boards))
    lengths = [solver.solve(board).length for board in boards]
    for words, stdin in ((["-i", file], ""), ([], file.read_text())):
        code, out, err = run("solve", *words, "--algorithm", "ida*", "--heuristic", "tables:embedded", stdin=stdin)
        assert code == 0 and "20 boards: 20 solved" in err
        assert [int(line.split("\t")[0]) for line in out.splitlines()] == lengths


def test_searches_without_an_answer(run):
    assert run("solve", FAR, "--algorithm", "hill-climbing", "--quiet") == (1, "failed: at least 21 moves\n", "")
    words = ["solve", HARD, "--max-nodes", "10k", "--quiet", "--algorithm"]
    code, out, _ = run(*words, "weighted-astar", "--weight", "1.5", "--max-memory", "100M")
    assert code == 1 and out.startswith("limit: at least ")
    record = json.loads(run(*words, "astar", "--max-memory", "8M", "--json")[1])
    assert (record["status"], record["length"], record["moves"]) == ("limit", None, None)
    assert record["lower_bound"] >= 34 and 0 < record["memory_bytes"] <= 8 * 1024**2


def test_the_best_so_far(run):
    words = ["solve", FAR, "--algorithm", "branch-and-bound", "--max-nodes", "2000", "--quiet"]
    code, out, _ = run(*words)
    match = re.fullmatch(r"limit: at least (\d+) moves, at most (\d+)\t(\S+)\n", out)
    assert code == 1 and int(match[1]) <= 31 <= int(match[2])
    record = json.loads(run(*words, "--json")[1])
    assert record["status"] == "limit" and record["length"] == int(match[2]) and not record["optimal"]


def test_korfs_boards_by_a_search_that_may_go_astray(run, monkeypatch):
    boards = [
        data.KorfBoard(1, data.KORF_GOAL.apply("UL"), 2, 2, None),
        data.KorfBoard(2, data.KORF_GOAL.apply("LURDLURDLURDLU"), 0, 2, None),
    ]
    monkeypatch.setattr(data, "korf100", lambda: boards)
    code, out, err = run("solve", "--set", "korf100", "--algorithm", "depth-first", "--max-length", "14")
    total = sum(int(line.split("\t")[0]) for line in out.splitlines())
    assert code == 0 and f"2 of 2 solved, total {total}; the shortest solutions have 4" in err
    assert "depth limit 14: solutions may be longer than needed" in err
    assert "all 2 lengths right, total 4" in run("solve", "--set", "korf100", "--algorithm", "astar")[2]


def test_local_value_iteration(run):
    words = ["solve", "--algorithm", "local-value-iteration"]
    code, out, err = run(*words, FAR)
    count, moves = out.removesuffix("\n").split("\t")
    assert code == 0 and "1 board: 1 solved" in err
    assert str(Board(FAR).apply(moves)) == "1 2 3/4 5 6/7 8 0" and int(count) > 31
    code, out, _ = run(*words, "--initial-size", "3", FAR, UNSOLVABLE, "--json", "--goal", "blank-first")
    answers = [json.loads(line) for line in out.splitlines()]
    assert code == 1 and all(list(answer) == [*SEARCH_KEYS, "largest", "parts"] for answer in answers)
    failed, solved = sorted(answers, key=lambda answer: answer["status"])
    assert (failed["status"], failed["largest"], failed["parts"]) == ("error", None, None)
    assert str(Board(solved["board"]).apply(solved["moves"])) == solved["goal"] == "0 1 2/3 4 5/6 7 8"
    assert solved["algorithm"] == words[-1] and solved["parts"][0]["tiles"] == [8, 7, 6]
    assert sum(part["length"] for part in solved["parts"]) == solved["length"]
    code, out, err = run(*words, "--set", "korf100")
    assert code == 0 and len(out.splitlines()) == 100 and "the shortest solutions have 5305" in err


@pytest.mark.slow
def test_a_comparison(run, tmp_path):
    code, out, err = run("compare", FAR, "--max-nodes", "3000")
    lines = out.splitlines()
    assert (
        (code, err) == (0, "") and len(lines) == 1 + 4 + 2 * 17 and lines[0].split()[:2] == ["algorithm", "heuristic"]
    )
    words = ["compare", FAR, "--algorithms", "idastar,bidirectional", "--heuristics", "zero,max(misplaced,reversal)"]
    code, out, err = run(*words, "--json", "--quiet")
    records = [json.loads(line) for line in out.splitlines()]
    assert (code, err) == (0, "") and all(list(record) == SEARCH_KEYS for record in records)
    assert [(record["algorithm"], record["length"]) for record in records] == [
        ("ida*", 31),
        ("ida*", 31),
        ("bidirectional", 31),
    ]
    assert run("compare", UNSOLVABLE)[:2] == (1, "") and run("compare", "nonsense")[:2] == (1, "")


def test_a_comparison_by_two_threads(run):
    words = ["compare", FAR, "--algorithms", "idastar,astar,nbs", "--heuristics", "manhattan", "--json"]
    alone, both = (
        [{**json.loads(line), "seconds": None} for line in run(*words, *more)[1].splitlines()]
        for more in ([], ["--workers", "2"])
    )
    assert alone == both and len(both) == 3
    assert run(*words, "--workers", "0")[:2] == (2, "")


def test_the_progress_of_a_comparison(run, monkeypatch):
    """Where there is no terminal, a line now and then: the rows tell what is done."""
    words = ["compare", FAR, "--algorithms", "idastar,astar", "--heuristics", "manhattan,reversal"]
    assert run(*words)[2] == ""
    monkeypatch.setattr("puzzle15.cli.console._PLAIN_INTERVAL_S", 0.0)  # as if every run took long
    code, out, err = run(*words)
    assert code == 0 and len(out.splitlines()) == 5
    assert [re.split(r" %  |  \(", line)[1] for line in err.splitlines()] == [
        "ida* with manhattan",
        "ida* with reversal",
        "a* with manhattan",
        "a* with reversal",
    ]


def test_what_a_comparison_ends_with(run):
    words = ["compare", FAR, "--quiet", "--json", "--heuristics", "manhattan", "--algorithms"]
    for names, limits, code in [
        ("astar", [], 0),
        ("astar,idastar", ["--max-nodes", "100"], 1),
        ("hill-climbing", [], 1),
        ("hill-climbing,greedy", [], 0),
        ("astar,greedy", ["--max-nodes", "1500"], 0),
    ]:
        result = run(*words, names, *limits)
        assert result[0] == code and len(result[1].splitlines()) == len(names.split(","))


def test_names_in_any_case_and_short_ones(run):
    for name, meant in [
        ("BFS", "breadth-first"),
        ("dfs", "depth-first"),
        ("gbfs", "greedy"),
        ("IDA*", "ida*"),
        ("Astar", "a*"),
        ("A-Star", "a*"),
        ("Local Value Iteration", "local-value-iteration"),
    ]:
        assert json.loads(run("solve", EASY, "--json", "--algorithm", name)[1])["algorithm"] == meant
    records = [
        json.loads(line)
        for line in run(
            "compare",
            EASY,
            "--json",
            "--algorithms",
            "BFS, IDAstar,bfs",
            "--heuristics",
            "Manhattan,manhattan,MAX(zero,Misplaced)",
        )[1].splitlines()
    ]
    assert [(record["algorithm"], record["heuristic"]) for record in records] == [
        ("breadth-first", None),
        ("ida*", "manhattan"),
        ("ida*", "max(zero,misplaced)"),
    ]
    line = error_of(run("solve", EASY, "--algorithm", "bredth-first"), 2)
    assert "'bredth-first': did you mean 'breadth-first'? expected one of" in line and "local-value-iteration" in line


def test_boards_of_another_shape_than_the_goal(run):
    message = f"{EASY}: a 3x3 board; expected a 4x4 one, the shape of the goal {Board.goal(home=0)}"
    for words in (["--goal", str(Board.goal(home=0))], ["--goal", "korf", "--shape", "4x4"]):
        assert run("solve", EASY, "--quiet", *words)[:2] == (1, f"error: {message}\n")
        assert run("compare", EASY, *words) == (1, "", f"puzzle15: error: {message}\n")


@pytest.mark.extra
def test_a_drawn_comparison(run, tmp_path):
    pytest.importorskip("matplotlib")
    file = tmp_path / "nodes.svg"
    assert run("compare", EASY, "--algorithms", "ida*", "--output", file, "--quiet")[0] == 0
    text = file.read_text()  # matplotlib writes what it draws as shapes beside them
    assert "<!-- nodes generated -->" in text and text.count("<!-- 3 nodes, 1 move, ") == 2


# ---------------------------------------------------------------- build, verify, tables, info ---


def test_build_says_what_it_takes_and_what_came_of_it(run, tmp_path):
    folder = tmp_path / "new" / "tables"
    code, out, err = run("build", "1-4/5-8", "--shape", "3x3", "--tables", folder)
    assert code == 0
    paths = sorted(folder.glob("*.p15"))
    assert [line.split("  ")[0] for line in out.splitlines()] == [str(path) for path in paths]
    assert "  4,864 bytes  " in out.splitlines()[0]
    assert "tiles 1-4, tiles 5-8" in err and "of disk" in err and "of memory" in err and str(folder) in err
    assert "tiles 1-4: done" in err

    again = run("build", "1-4/5-8", "--shape", "3x3", "--tables", folder)
    assert again[:2] == (code, out)
    assert again[2].count("already built") == 2 and "building" not in again[2]
    assert "building" in run("build", "1-4/5-8", "--shape", "3x3", "--tables", folder, "--force")[2]
    assert run("build", "1-4/5-8", "--shape", "3x3", "--tables", folder, "--force", "--quiet") == (0, out, "")


def test_build_records(run, tmp_path):
    words = ["build", "1-4/5-8", "--shape", "3x3", "--format", "classic", "--tables", tmp_path, "--json"]
    first, second = [json.loads(line) for line in run(*words)[1].splitlines()]
    assert first["path"].startswith(str(tmp_path)) and os.path.getsize(first["path"]) == first["bytes"]
    assert {key: first[key] for key in ("shape", "format", "home", "tiles", "entries", "built")} == {
        "shape": "3x3",
        "format": "classic",
        "home": 8,
        "tiles": "1-4",
        "entries": 3024,
        "built": True,
    }
    assert second["tiles"] == "5-8"
    assert not json.loads(run(*words)[1].splitlines()[0])["built"]


def test_build_patterns(run, tmp_path):
    words = ["build", "--patterns", "1-3/3-5", "--shape", "3x3", "--tables", tmp_path, "--json", "--quiet"]
    code, out, err = run(*words)
    assert (code, err) == (0, "") and [json.loads(line)["tiles"] for line in out.splitlines()] == ["1-3", "3-5"]


def test_build_homes_threads_and_memory_bounds(run, tmp_path):
    words = ["build", "6-6-3", "--quiet", "--home", "center"]
    assert run(*words, "--tables", tmp_path / "a", "--workers", "2")[0] == 0
    assert run(*words, "--tables", tmp_path / "b", "--workers", "1", "--max-memory", "72M")[0] == 0
    files = [{path.name: path.read_bytes() for path in (tmp_path / name).glob("*.p15")} for name in "ab"]
    assert len(files[0]) == 3 and files[0] == files[1]


def listed(run, folder):
    """The rows of the list of tables, in words, and the records of the tables."""
    rows = [line.split() for line in run("info", "--tables", folder)[1].splitlines() if line.endswith(".p15")]
    return rows, json.loads(run("info", "--tables", folder, "--json")[1])["tables"]


def test_info_lists_tables(run, tmp_path):
    code, out, err = run("info", "--tables", tmp_path)
    assert (code, err) == (0, f"puzzle15: no tables in {tmp_path}; build them: puzzle15 build\n")
    assert "tables:       none\n" in out
    build_small(tmp_path)
    assert "tables:       2, 9.73 kB\n" in run("info", "--tables", tmp_path)[1]
    (first, second), records = listed(run, tmp_path)
    assert first[:6] == ["3x3", "zero-aware", "tiles", "1-4", "5,520", "entries"] and second[3] == "5-8"
    assert [record["tiles"] for record in records] == ["1-4", "5-8"]


@pytest.mark.parametrize("home", ["corner", "edge", "center"])
def test_what_tables_lists_a_solver_reads(run, tmp_path, home):
    """The tiles of all tables make a partition, for whatever home they were built."""
    for partition in ("5-5-5", "1-4/5-8/9-12/13-15"):
        built = run("build", partition, "--home", home, "--tables", tmp_path, "--json", "--quiet")[1].splitlines()
        rows, records = listed(run, tmp_path)
        cell = records[0]["home"]
        assert [record["tiles"] for record in map(json.loads, built)] == [
            next(record["tiles"] for record in records if record["path"] == json.loads(line)["path"]) for line in built
        ]
        assert {record["home"] for record in records} == {cell}
        assert [row[3] for row in rows] == [record["tiles"] for record in records]
        goal = Board.goal((4, 4), cell)
        solver = Solver("/".join(record["tiles"] for record in records), goal=goal, tables=tmp_path)
        assert solver.distance(goal) == 0 and len(solver.tables.files) == len(records)
        for path in tmp_path.glob("*.p15"):
            path.unlink()


@pytest.mark.slow
def test_a_table_of_two_homes_is_listed_for_both(run, tmp_path):
    """The upper half's table serves the corner and the center."""
    run("build", "1-8/9-12/13-15", "--tables", tmp_path, "--quiet")
    alone, _ = listed(run, tmp_path)
    run("build", "1-8/9-12/13-15", "--home", "center", "--tables", tmp_path, "--quiet")
    both, _ = listed(run, tmp_path)
    assert len(alone) == 3
    tiles = [row[3] for row in both]
    assert tiles.count("1-8") == 2 and sorted(tiles) == ["1-8", "1-8", "13-15", "13-15", "9-12", "9-12"]


def test_info_tells_which_tables_are_used(run, tmp_path):
    run("build", "1-4/5-8/9-12/13-15", "--tables", tmp_path, "--quiet")
    out = run("info", "--tables", tmp_path)[1]
    first, second = out.partition("on average:\n")[2].splitlines()
    assert "4x4 boards whose goal has the blank at cell 15 are solved with the first of these" in out
    assert re.fullmatch(r"    44\.\d  embedded zero-aware .*, 4 lookups", first)
    assert re.fullmatch(r"    40\.\d  zero-aware 1-4/5-8/9-12/13-15, 2 lookups", second)
    run("build", "7-7-1", "--tables", tmp_path, "--quiet")
    record = json.loads(run("info", "--tables", tmp_path, "--json")[1])
    used = [choice for choice in record["choices"] if choice["used"]]
    assert [(choice["tables"], choice["embedded"]) for choice in used] == [("zero-aware 1-7/8/9-15", False)]
    assert Solver(tables=tmp_path).tables.partitions == ["1-7/8/9-15"]
    build_small(tmp_path)
    record = json.loads(run("info", "--tables", tmp_path, "--json")[1])
    used = [choice for choice in record["choices"] if choice["shape"] == "3x3" and choice["used"]]
    assert [choice["mean_lower_bound"] for choice in used] == [None]
    assert " 3x3" not in out and "   exact  embedded zero-aware 1-8, 1 lookup\n" in run("info", "--tables", tmp_path)[1]


def test_verify(run, tmp_path):
    assert "no tables in" in error_of(run("verify", "--tables", tmp_path), 3)
    build_small(tmp_path)
    code, out, _ = run("verify", "--tables", tmp_path, "--workers", "1")
    assert code == 0 and out.count(": sound, ") == 2
    records = [json.loads(line) for line in run("verify", "--tables", tmp_path, "--json", "--quiet")[1].splitlines()]
    assert [(record["sound"], record["problems"]) for record in records] == [(True, []), (True, [])]


def test_info(run, tmp_path):
    build_small(tmp_path)
    (tmp_path / "junk.p15").write_bytes(b"junk")
    code, out, _ = run("info", "--tables", tmp_path)
    assert code == 0 and __version__ in out and str(tmp_path) in out
    assert "broken:       1\n" in out and f"{tmp_path / 'junk.p15'}: this is no table file" in out
    record = json.loads(run("info", "--tables", tmp_path, "--json")[1])
    assert record["version"] == __version__ and len(record["tables"]) == 2 and len(record["broken"]) == 1
    assert record["compiler"] and record["processors"] >= 1
    assert record["instructions"] in ("portable", "x86-64-v3", "x86-64-v4")


# ---------------------------------------------------------------- bad input ---


@pytest.mark.parametrize(
    "board, message",
    [
        ("nonsense", "cannot read|expected|no tile"),
        ("1 2 3/4 5", "numbers"),
        ("1 2 3", "3 numbers"),
        ("1 2 3/4 5 6/7 8 8", "tile 8 occurs twice"),
        ("1 2 3/4 5 6/7 0 9", "tile 8 is missing"),
        (UNSOLVABLE, "exchanging any two tiles makes it solvable"),
        ("[1, 2", ""),
        ("", ""),
    ],
)
def test_bad_boards(run, board, message):
    code, out, err = run("solve", board, EASY)
    bad, good = out.splitlines()
    assert code == 1 and good == "1\tL"
    assert bad.startswith("error: ") and any(part in bad for part in message.split("|"))
    assert "2 boards: 1 solved" in err


@pytest.mark.parametrize(
    "words, message",
    [
        (["solve", "--goal", "1 2 3/4 5 6/7 8 8", EASY], "tile 8 occurs twice"),
        (["solve", "--goal", "nowhere", EASY], "nowhere"),
        (["solve", "--shape", "9x9", EASY], "at most 16 cells"),
        (["solve", "--shape", "square", EASY], "such as 4x4"),
        (["solve", "--partition", "8-8", "--shape", "4x4"], "expected a name|missing"),
        (["solve", "--partition", "7-8", "--shape", "3x3"], "of the 4x4 board"),
        (["solve", "--max-nodes", "few", EASY], "such as 5000"),
        (["solve", "--time-limit", "nan", EASY], "expected seconds"),
        (["solve", "--workers", "0", EASY], "at least 1"),
        (["solve", "--moves", "both", EASY], "invalid choice"),
        (["solve", "--all", "--max-length", "9", EASY], "--max-length: cannot be used with --all"),
        (["solve", "--algorithm", "astar", "--max-length", "9", EASY], "--max-length: a* does not use it"),
        (
            ["solve", "--algorithm", "astar", "--workers", "2", EASY],
            "--workers: expected boards from a file",
        ),
        (["solve", "--algorithm", "local-value-iteration", "--workers", "2", EASY], "--workers: local-value-iteration"),
        (["solve", "-i", "no/such/file"], "cannot read no/such/file"),
        (["solve", "--set", "korf100", EASY], "name one of them"),
        (["solve", "1", "2", "3", "0"], 'quote it: puzzle15 solve "1 2 3 0"'),
        (["solve", EASY, "--heuristic", "zero"], "--heuristic: add --algorithm"),
        (["solve", EASY, "--ties", "fifo", "--max-memory", "1G"], "--ties, --max-memory: add --algorithm"),
        (
            ["solve", EASY, "--algorithm", "astar", "--plain", "--workers", "2"],
            "--plain: leave out --algorithm",
        ),
        (["solve", EASY, "--algorithm", "astar", "--partition", "7-8"], "tables:7-8"),
        (["solve", EASY, "--algorithm", "dijkstra"], "expected one of breadth-first"),
        (["solve", EASY, "--algorithm", "astar", "--width", "3"], "width: a* does not use it; beam, beam-stack do"),
        (["solve", EASY, "--algorithm", "breadth-first", "--heuristic", "zero"], "breadth-first does not use it"),
        (["solve", EASY, "--algorithm", "astar", "--heuristic", "guess"], "guess"),
        (["solve", EASY, "--algorithm", "astar", "--move-order", "ULRR"], "each of the letters"),
        (["solve", EASY, "--algorithm", "weighted-astar", "--weight", "0.5"], "at least 1"),
        (["solve", EASY, "--algorithm", "weighted-astar", "--weight", "heavy"], "such as 2"),
        (["solve", HARD, "--algorithm", "depth-first"], "needs one on a 4x4 board"),
        (["solve", EASY, "--initial-size", "2"], "--initial-size: add --algorithm local-value-iteration"),
        (["solve", EASY, "--algorithm", "astar", "--initial-size", "2"], "add --algorithm local-value-iteration"),
        (["solve", EASY, "--algorithm", "local-value-iteration", "--initial-size", "0"], "at least 1"),
        (
            ["solve", EASY, "--algorithm", "local-value-iteration", "--initial-size", "16"],
            "expected a whole number from 1 to 8",
        ),
        (["solve", HARD, "--algorithm", "local-value-iteration", "--initial-size", "9"], "29,059,430,400 states"),
        (
            ["solve", EASY, "--algorithm", "local-value-iteration", "--ties", "fifo"],
            "--ties: local-value-iteration does not use it",
        ),
        (
            ["solve", EASY, "--algorithm", "local-value-iteration", "--max-nodes", "9"],
            "--max-nodes: local-value-iteration",
        ),
        (["compare", EASY, "--algorithms", "astar,dijkstra"], "expected one of"),
        (["compare", EASY, "--algorithms", "astar", "--width", "2"], "width: a* does not use it; beam, beam-stack do"),
        (["compare", EASY, "--heuristics", "guess"], "guess"),
        (["compare", EASY, "--output", "nodes.txt"], "ends in .png, .svg, .pdf"),
        (["compare", EASY, "--output", "no/such/nodes.png"], "is not a folder"),
        (["compare", EASY, "--goal", "nowhere"], "nowhere"),
        (["compare"], "required"),
        (["build", "1-8/8-15"], "tile 8 named twice"),
        (["build", "1-9/10-15"], "at most 8 tiles"),
        (["build", "--patterns"], "such as 1-4/5-8"),
        (["build", "--home", "attic"], "center, corner, edge"),
        (["build", "--home", "16"], "cells 0 .. 15"),
        (["build", "--format", "zip"], "invalid choice"),
        (["build", "--max-memory", "much"], "a size such as 256M"),
        (["build", "--max-memory", "1M"], "takes at least"),
        (["frobnicate"], "invalid choice"),
        (["solve", "--frobnicate"], "unrecognized arguments"),
    ],
)
def test_usage_errors(run, words, message):
    line = error_of(run(*words), 2)
    assert any(part in line for part in message.split("|"))


def test_no_command_shows_the_help(run):
    code, out, err = run()
    assert (code, out) == (2, "") and "COMMAND" in err


def damage_missing(path):
    path.unlink()


def damage_truncated(path):
    path.write_bytes(path.read_bytes()[:-100])


def damage_header(path):
    page = bytearray(path.read_bytes())
    page[100] ^= 1
    path.write_bytes(page)


def damage_version(path):
    page = bytearray(path.read_bytes())
    page[8] = 99
    path.write_bytes(page)


def damage_junk(path):
    path.write_bytes(b"no table at all")


@pytest.mark.parametrize(
    "damage, message",
    [
        (damage_missing, None),
        (damage_truncated, "bytes instead of"),
        (damage_header, "its checksum is wrong"),
        (damage_version, "version 99"),
        (damage_junk, "no table file of puzzle15"),
    ],
)
def test_unusable_tables(run, tmp_path, damage, message):
    """Named where they are asked for, done without where they are not, built again by build."""
    first, _ = tables.build_tables("1-6/7-11", shape=(3, 4), tables=tmp_path)
    sound = first.path.read_bytes()
    damage(first.path)
    board = "1 2 3 4/5 6 7 8/9 10 0 11"
    line = error_of(run("solve", board, "--partition", "1-6/7-11", "--tables", tmp_path), 3)
    assert f"build them: puzzle15 build 1-6/7-11 --shape 3x4 --tables {tmp_path}" in line
    assert message is None or message in line
    code, out, err = run("solve", board, "--tables", tmp_path)
    assert (code, out) == (0, "1\tL\n")
    if message:
        assert message in err
        code, out, err = run("info", "--tables", tmp_path)
        assert code == 0 and message in out and "7-11" in out
        code, out, err = run("verify", "--tables", tmp_path)
        assert code == 3 and message in out and "unsound tables: 1 of 2" in err
    assert run("build", "1-6/7-11", "--shape", "3x4", "--tables", tmp_path)[0] == 0
    assert first.path.read_bytes() == sound


def test_a_renamed_table_is_what_its_header_says(run, tmp_path):
    first, second = build_small(tmp_path)
    second.path.unlink()
    first.path.rename(second.path)
    error_of(run("solve", FAR, "--partition", "1-4/5-8", "--tables", tmp_path), 3)
    code, out, _ = run("verify", "--tables", tmp_path)
    assert code == 3 and f"should be {first.path.name}" in out


@pytest.mark.parametrize("format", ["zero-aware", "classic"])
def test_a_flipped_byte_stops_a_solve(run, tmp_path, rng, format):
    (table, _) = build_small(tmp_path, format=format)
    sound = table.path.read_bytes()
    for _ in range(12):
        page = bytearray(sound)
        page[rng.integers(4096, len(page))] ^= int(rng.integers(1, 256))
        table.path.write_bytes(page)
        code, out, _ = run("verify", "--tables", tmp_path)
        assert code == 3 and "the payload is damaged" in out
        words = ["--partition", "1-4/5-8", "--format", format, "--tables", tmp_path, "--max-nodes", "20k", "--quiet"]
        message = error_of(run("solve", FAR, *words), 3)
        assert f"{table.path}: the payload is damaged" in message and "puzzle15 build --force" in message


def test_when_tables_are_checked(run, tmp_path):
    (table, _) = build_small(tmp_path)
    content = bytearray(table.path.read_bytes())
    content[-1] ^= 1
    table.path.write_bytes(content)
    words = ["solve", "1 2 3/4 5 6/7 8 0", "--partition", "1-4/5-8", "--tables", tmp_path]
    for check in ("once", "always"):
        assert "checksum" in error_of(run(*words, "--check-tables", check), 3)
    assert run(*words, "--check-tables", "never")[0] == 0
    assert "invalid choice: 'often'" in error_of(run(*words, "--check-tables", "often"), 2)


def test_a_folder_that_is_none(run, tmp_path):
    file = tmp_path / "file"
    file.write_text("here already")
    for words in (["build"], ["solve", EASY], ["verify"], ["info"]):
        assert "is not a folder" in error_of(run(*words, "--tables", file), 2)
    result = run("build", "5-5-5", "--tables", file / "below", "--quiet")
    assert "Not a directory" in error_of(result, 3)
    assert file.read_text() == "here already"


def test_a_folder_that_cannot_be_written(run, tmp_path, monkeypatch):
    def refuse(*args, **options):
        raise PermissionError(13, "Permission denied", str(tmp_path))

    monkeypatch.setattr("puzzle15.tables.construction.write_atomically", refuse)  # chmod would not stop root
    line = error_of(run("build", "5-5-5", "--tables", tmp_path, "--quiet"), 3)
    assert f"{tmp_path}: Permission denied" in line


def test_a_disk_that_is_too_small(run, tmp_path, monkeypatch):
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr("shutil.disk_usage", lambda path: usage(10**9, 9 * 10**8, 10**8))
    code, out, err = run("build", "--tables", tmp_path / "new")
    assert (code, out) == (3, "")
    last = err.splitlines()[-1]
    assert last.startswith("puzzle15: error: ") and "takes 196 MB of disk, 100 MB are free" in last
    assert not (tmp_path / "new").exists()


def test_errors_have_tracebacks_for_developers(run, monkeypatch, tmp_path):
    monkeypatch.setenv("PUZZLE15_DEBUG", "1")
    with pytest.raises(FileNotFoundError):
        run("solve", FAR, "--partition", "1-4/5-8", "--tables", tmp_path)


# ---------------------------------------------------------------- processes, signals and pipes ---


@pytest.fixture
def start(start, tmp_path):
    """Start a command in a process of its own, away from what the test writes."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    return lambda *words: start("-m", "puzzle15", *words, cwd=elsewhere, text=True)


needs_signals = pytest.mark.skipif(sys.platform == "win32", reason="signals end a process there")


@needs_signals
@pytest.mark.parametrize("number, kind", [(signal.SIGINT, KeyboardInterrupt), (signal.SIGTERM, Terminated)])
def test_a_signal_stays_one_whatever_is_made_of_it(number, kind):
    """An import that a signal interrupts may raise an ImportError of its own."""
    with pytest.raises(kind), signals_as_exceptions():
        try:
            signal.raise_signal(number)
        except BaseException:
            raise ImportError("numpy could not be imported") from None
    with pytest.raises(ImportError), signals_as_exceptions():
        raise ImportError("numpy is not there")


@needs_signals
@pytest.mark.parametrize("number, code", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.sweep(1)
@pytest.mark.parametrize("bound", [[], ["--max-memory", "300M"]])
@timed
def test_an_interrupted_build_leaves_nothing(start, tmp_path, number, code, bound):
    folder = tmp_path / "tables"
    process = start("build", "7-8", "--workers", "1", "--tables", folder, *bound)
    while "level" not in process.stderr.readline():
        assert process.poll() is None
    process.send_signal(number)
    with within(2):  # a tenth of a second on a machine at rest
        out, err = process.communicate()
    assert (process.returncode, out) == (code, "")
    assert "Traceback" not in err
    assert not list(folder.iterdir())


@needs_signals
@pytest.mark.parametrize("number, code", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.sweep(1)
@pytest.mark.parametrize("threads", [2, 1])
@timed
def test_an_interrupted_solve_keeps_its_answers(start, number, code, threads):
    process = start("solve", "--workers", threads)
    process.stdin.write(f"{EASY}\n{HARD}\n")
    process.stdin.flush()
    assert process.stdout.readline() == "1\tL\n"
    while "no tables" not in process.stderr.readline():
        assert process.poll() is None
    time.sleep(0.2)
    process.send_signal(number)
    with within(2):
        out, err = process.communicate()
    assert (process.returncode, out) == (code, "")
    assert "1 board: 1 solved" in err and "Traceback" not in err


def test_a_coprocess_is_answered_line_by_line(start):
    process = start("solve", "--json", "--quiet")
    for length, moves in enumerate(["", "D", "DR", "DRU"]):
        process.stdin.write(f"{Board.goal((3, 3)).apply(moves)}\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["length"] == length
    out, err = process.communicate()
    assert (process.returncode, out, err) == (0, "", "")


def test_bytes_that_are_no_text(start, monkeypatch):
    monkeypatch.setenv("PYTHONIOENCODING", "ascii:strict")
    process = start("solve", "--quiet", "\u00e9\u2026")
    out, err = process.communicate()
    assert (process.returncode, err) == (1, "") and out.startswith("error: ")


def test_a_reader_that_has_had_enough(start, tmp_path):
    file = tmp_path / "boards.txt"
    file.write_text(f"{FAR}\n" * 20_000)
    process = start("solve", "--json", "--quiet", "-i", file)
    assert json.loads(process.stdout.readline())["length"] == 31
    process.stdout.close()
    process.wait()
    assert (process.returncode, process.stderr.read()) == (0, "")


FULL = [path for path in ["/dev/full"] if os.path.exists(path)]  # a full disk, on Linux
needs_shell = pytest.mark.skipif(sys.platform == "win32", reason="no POSIX shell")


@pytest.fixture
def redirected(tmp_path):
    """Run a command under redirections, where {broken} is a pipe that nobody reads: (exit code, output, errors)."""
    reader, writer = os.pipe()
    os.close(reader)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()

    def redirected(redirections, *argv):
        script = f'exec 9>&0 </dev/null; exec "$@" {redirections.format(broken=9)} 9>&-'
        ended = subprocess.run(
            ["sh", "-c", script, "sh", sys.executable, "-m", "puzzle15", *map(str, argv)],
            cwd=elsewhere,
            stdin=writer,
            capture_output=True,
            text=True,
            timeout=60,
        )
        return ended.returncode, ended.stdout, ended.stderr

    yield redirected
    os.close(writer)


@needs_shell
@pytest.mark.parametrize("where", ["2>&{broken}", "2>&-", *(f"2>{path}" for path in FULL)])
@pytest.mark.slow
def test_the_work_is_done_wherever_standard_error_leads(redirected, tmp_path, where):
    folder = tmp_path / "tables"
    code, out, _ = redirected(where, "build", "1-4/5-8", "--shape", "3x3", "--tables", folder)
    assert code == 0 and len(out.splitlines()) == 2
    assert redirected("", "verify", "--tables", folder, "--quiet")[0] == 0  # nothing that was said got into a table
    code, out, _ = redirected(where, "verify", "--tables", folder)
    assert code == 0 and out.count(": sound, ") == 2
    assert redirected(where, "solve", EASY, UNSOLVABLE)[:2] == (
        1,
        f"1\tL\nerror: {UNSOLVABLE} cannot reach the goal 1 2 3/4 5 6/7 8 0: half of all arrangements cannot; "
        "exchanging any two tiles makes it solvable\n",
    )
    code, out, _ = redirected(where, "label", "--count", "100", "--shape", "3x3", "--output", tmp_path / "boards")
    assert code == 0 and "100 boards, 100 rows" in out
    first = next(folder.glob("*.p15"))
    first.write_bytes(first.read_bytes()[:-1])
    code, out, _ = redirected(where, "verify", "--tables", folder)
    assert code == 3 and "UNSOUND" in out
    for words in (["frobnicate"], ["build", "--home", "attic"], []):
        assert redirected(where, *words)[:2] == (2, "")


@needs_shell
@pytest.mark.slow
def test_closed_streams(redirected, tmp_path):
    boards = tmp_path / "boards.txt"
    boards.write_text(f"{EASY}\n")
    for where in ("<&-", "<&- 2>&-"):
        assert redirected(where, "solve", "--quiet") == (0, "", "")  # as with </dev/null
        assert redirected(where, "solve", "--quiet", "-i", boards) == (0, "1\tL\n", "")
    for where in (">&-", ">&- 2>&-", "<&- >&- 2>&-"):  # the work is done, but what it tells is lost
        folder = tmp_path / f"tables {where}"
        assert redirected(where, "build", "1-4/5-8", "--shape", "3x3", "--tables", folder)[:2] == (3, "")
        assert redirected("", "verify", "--quiet", "--tables", folder)[1].count(": sound, ") == 2


@needs_shell
@pytest.mark.slow
def test_output_that_cannot_be_written(redirected, tmp_path):
    for words in (["solve", EASY, "--quiet"], ["info"], ["--help"]):
        assert redirected(">&{broken}", *words)[::2] == (0, "")
    for path in FULL:
        code, _, err = redirected(f">{path}", "solve", EASY, "--quiet")
        assert (code, err) == (3, "puzzle15: error: standard output: No space left on device\n")


@pytest.mark.parametrize("words", [["solve"], ["solve", "-i", "-"], ["solve", "-i", "FILE"]], ids=" ".join)
@pytest.mark.sweep(1)
@timed
def test_a_byte_order_mark_and_lines_that_are_too_long(capsys, monkeypatch, tmp_path, words):
    file = tmp_path / "boards.txt"
    with file.open("w", encoding="utf-8-sig") as stream:
        stream.write(f"{EASY}\n{EASY}{' ' * 5000}\n{EASY} #{'#' * 5000}\n#{'#' * 5000}\n{EASY}{' ' * 4079}\n")
        for _ in range(100):
            stream.write("1 " * 500_000)  # one line of 100 MB
        stream.write(f"\n{EASY}\n{'1' * 5000}")
    tracemalloc.start()
    with within(10), file.open(encoding="ascii", errors="strict") as stdin:  # as a terminal's settings may have it
        monkeypatch.setattr(sys, "stdin", stdin)
        assert main([str(file) if word == "FILE" else word for word in words] + ["--quiet"]) == 1
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 10e6
    out, err = capsys.readouterr()
    answers = out.splitlines()
    assert err == ""
    assert [answer == "1\tL" for answer in answers] == [True, False, True, True, False, True, False]
    for answer in answers:
        assert answer == "1\tL" or ("more than 4096 characters" in answer and len(answer) < 250)


def test_the_version_and_the_help_are_quick(start):
    process = start("--version")
    assert process.communicate()[0] == f"puzzle15 {__version__}\n"
    for command in (
        "",
        "solve",
        "hint",
        "analyse",
        "compare",
        "label",
        "reproduce",
        "build",
        "verify",
        "info",
    ):
        parser = cli.make_parser()
        with pytest.raises(SystemExit) as end:
            parser.parse_args([command, "--help"] if command else ["--help"])
        assert end.value.code == 0
