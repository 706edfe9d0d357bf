"""Boards and distances that others published: files of every kind, and rows that are wrong."""

import bz2
import gzip
import json
import lzma
import re

import numpy as np
import pytest

from puzzle15 import Board, Solver
from puzzle15.board import korf100, random_walk, unpack_boards
from puzzle15.dataset import _published as published
from puzzle15.dataset import check_published, read_published
from puzzle15.errors import DatasetError

COMPRESS = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}


def rows_for(goal, count, rng, most=25):
    """(boards, distances) near a goal."""
    packed = random_walk(count, rng.integers(0, most, count), rng, goal=goal)
    return unpack_boards(packed, goal.shape), Solver(goal=goal).distance_many(packed)


def written(path, boards, distances, header=None, separator=","):
    lines = [separator.join(map(str, [*board, distance])) for board, distance in zip(boards.tolist(), distances)]
    data = "".join(f"{line}\n" for line in ([header] if header else []) + lines).encode()
    path.write_bytes(COMPRESS.get(path.suffix, bytes)(data))
    return path


@pytest.mark.parametrize(
    "name, separator, header",
    [
        ("a.csv", ",", None),
        ("a.csv.gz", ",", "0,1,2,3,4,5,6,7,8,cost"),
        ("a.csv.bz2", ",", None),
        ("a.csv.xz", ",", None),
        ("a.txt", " ", None),
        ("a.tsv", "\t", "\t".join([*map(str, range(9)), "Distance"])),
        ("a.csv", ";", '"a";"b";"c";"d";"e";"f";"g";"h";"i";"moves"'),
        ("a.csv", ", ", "# boards and costs\n\n0, 1, 2, 3, 4, 5, 6, 7, 8, cost"),
    ],
)
def test_every_kind_of_file(name, separator, header, tmp_path, rng):
    boards, distances = rows_for(Board.goal((3, 3), 0), 200, rng)
    found = read_published(written(tmp_path / name, boards, distances, header, separator))
    assert np.array_equal(found.boards, boards) and found.boards.dtype == np.uint8
    assert np.array_equal(found.distances, distances) and found.shape == (3, 3)
    first = 1 + (header.count("\n") + 1 if header else 0)
    assert found.lines.tolist() == list(range(first, first + 200))


def obvious_rows(text, width):
    """(numbers, their lines, the first wrong line and its trouble or None), each number read alone."""
    rows, numbers = [], []
    for number, line in enumerate(re.split("\r\n|\r|\n", text), 1):
        fields = [field for field in re.split(r"[,;\s]", line.partition("#")[0]) if field][:width]
        for field in fields:
            if not re.fullmatch(r"[+-]?[0-9]+([.]0*)?(e[0-9]+)?", field) or not abs(float(field)) < 10_000:
                return rows, numbers, (number, repr(field))
        if 0 < len(fields) < width:
            return rows, numbers, (number, f"{len(fields)} numbers")
        if fields:
            rows.append([int(float(field)) for field in fields])
            numbers.append(number)
    return rows, numbers, None


def any_line(rng, strangeness):
    """A line of rows for 2x2 boards, or of something near."""

    def one(usual, rare):
        return rng.choice(rare if rng.random() < strangeness else usual)

    strange = [*["12.0", "-1", "+2", "007", "255", "9999", "-", "x", "10000", "2.5", ".5", "2e1", "nan", "ÿ", "²"], ""]
    fields = [one(["0", "1", "12"], strange) for _ in range(one([5], range(7)))]
    line = one([","], [";", " ", "\t", ", ", ",,,", "\x0b"]).join(fields)
    return one([""], [" ", ",", "#"]) + line + one([""], [",", " # 1,2", ",UL", ",12", "#", ",,1", "\x0b"])


@pytest.mark.parametrize("strangeness", [0.003, 0.02, 0.2])
def test_rows_against_the_obvious_reader(strangeness, rng, tmp_path):
    path = tmp_path / "a.csv"
    for case in range(100):
        header = ["1,2,3,0,0", "a;b;c;d;cost"][case % 2]
        lines = [header, *(any_line(rng, strangeness) for _ in range(rng.integers(1, 25)))]
        text = ["\n", "\r\n", "\r"][case % 3].join(lines)
        path.write_bytes(b"\xef\xbb\xbf" * (case % 5 == 0) + text.encode())
        rows, numbers, wrong = obvious_rows(text.replace("a;b;c;d;cost", "1,2,3,0,0", 1), 5)
        skipped = case % 2  # the header
        if wrong is None and len(rows) > skipped:
            found = published._read(path, None)
            values = np.array(rows[skipped:])
            tiles = np.where((values < 0) | (values > 255), 255, values)[:, :4]
            assert np.array_equal(found.boards, tiles) and found.boards.dtype == np.uint8, text
            assert np.array_equal(found.distances, values[:, 4]) and found.distances.dtype == np.int64, text
            assert found.lines.tolist() == numbers[skipped:], text
        else:
            told = "no rows" if wrong is None else f": line {wrong[0]}: {wrong[1]}, expected 5 whole numbers"
            with pytest.raises(DatasetError, match=re.escape(told)):
                published._read(path, None)


@pytest.mark.parametrize(
    "text, told",
    [
        ("", "no rows; expected the tiles"),
        ("a,b,c\n", "line 1: a header without a distance; expected a column cost"),
        ("1,2,3,4,5,0,1\n", "line 1: 7 columns up to the distance, expected 5 for 2x2 boards or 10 .*; --shape"),
        ("1,2,3,0,0\n1,2,3,0,99999999999999999999999\n", "line 2: '99999999999999999999', expected 5"),
        ("1,2,3,0,nan\n1,2,3,0,0\n", "line 1: a header without a distance"),
        ("1,2,3,0,0\n1,2,2,0,0\n", "line 2: .*tile 2 occurs twice"),
        ("1,2,3,0,0\n1,2,-3,0,0\n", "line 2: "),
        ("1,2,3,0,0\n1,2,300,0,0\n", "line 2: "),
        ("1,2,3,0,-1\n", "line 1: distance -1: expected a number of at least 0"),
    ],
)
def test_lines_that_cannot_be_read(text, told, tmp_path):
    (tmp_path / "a.csv").write_text(text)
    with pytest.raises(DatasetError, match=told):
        read_published(tmp_path / "a.csv")


def test_a_compressed_file_that_is_damaged(tmp_path, rng):
    for suffix, module in ((".gz", "gzip"), (".bz2", "bz2"), (".xz", "lzma")):
        path = written(tmp_path / f"a.csv{suffix}", *rows_for(Board.goal((3, 3)), 100, rng))
        data = path.read_bytes()
        for changed in (data[:-30], b"0,1" + data):
            path.write_bytes(changed)
            with pytest.raises(DatasetError, match=f"no {module} file, or damaged"):
                read_published(path)
    with pytest.raises(FileNotFoundError):
        read_published(tmp_path / "none.csv.bz2")
    (tmp_path / "a.csv.zst").write_bytes(data)
    with pytest.raises(DatasetError, match="a.csv.zst: it is not text; expected .*, .bz2, .xz"):
        read_published(tmp_path / "a.csv.zst")


@pytest.mark.parametrize("first", ["", '""'])
def test_an_index_of_pandas_is_not_read(first, tmp_path, rng):
    boards, distances = rows_for(Board.goal((3, 3)), 50, rng)
    rows = [f"{number},{','.join(map(str, board))},{cost}" for number, board, cost in zip(range(50), boards, distances)]
    (tmp_path / "a.csv").write_text("\n".join([f"{first},{','.join(map(str, range(9)))},cost", *rows]))
    found = read_published(tmp_path / "a.csv")
    assert np.array_equal(found.boards, boards) and np.array_equal(found.distances, distances)


# ---------------------------------------------------------------- checking ---


@pytest.mark.parametrize("shape", [(3, 3), (4, 4), (2, 3), (2, 2)])
@pytest.mark.parametrize("home", [0, -1])
def test_the_goal_is_found(shape, home, tmp_path, rng):
    goal = Board.goal(shape, home % (shape[0] * shape[1]))
    boards, distances = rows_for(goal, 60, rng)
    report = check_published(written(tmp_path / "a.csv", boards, distances), shape=shape)
    assert (report.goal, report.sound, report.rows, report.sample) == (goal, True, 60, 60)


def test_a_goal_that_is_not_clear(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("1,2,5,3,4,0,6,7,8,30\n3,1,2,0,4,5,6,7,8,28\n")
    with pytest.raises(DatasetError, match=r"the goal is not clear: .* 0 for blank-last, 0 for blank-first; give"):
        check_published(path)
    report = check_published(path, goal="blank-first", sample=2)
    assert [(row.line, row.distance, row.shortest) for row in report.wrong] == [(1, 30, 3), (2, 28, 1)]


def test_wrong_rows_are_named(tmp_path, rng):
    boards, distances = rows_for(Board.goal((3, 3), 0), 300, rng)
    path = written(tmp_path / "a.csv", boards, distances, "0,1,2,3,4,5,6,7,8,cost")
    lines = path.read_text().splitlines()
    wrong = {17: f"{lines[16][:-1].rpartition(',')[0]},27", 40: "1,1,2,3,4,5,6,7,8,4", 90: "0,2,1,3,4,5,6,7,8,9"}
    for number, line in wrong.items():
        lines[number - 1] = line
    path.write_text("\n".join(lines))
    report = check_published(path)
    assert not report.sound and report.rows == 300 and report.sample == 298
    assert [row.line for row in report.wrong] == [17, 40, 90]
    first, second, third = report.wrong
    assert first.problem is None and str(first).endswith(f"distance 27, expected {first.shortest}")
    assert first.shortest == distances[15]
    assert second.shortest is None and second.problem.startswith("tile 1 occurs twice")
    assert "cannot reach the goal 0 1 2/3 4 5/6 7 8" in third.problem


def test_a_sample_and_its_progress(tmp_path):
    """Of the rows that everybody has: Korf's, for the blank first."""
    records = korf100()
    boards = np.array([record.board.tiles for record in records], dtype=np.uint8)
    path, steps = written(tmp_path / "korf.csv", boards, [record.length for record in records]), []
    report = check_published(path, sample=3, progress=lambda *some: steps.append(some))
    assert report.goal == Board.goal(home=0) and report.sound and (report.rows, report.sample) == (100, 3)
    assert steps == sorted(steps) and steps[-1] == (3, 3) and check_published(path, sample=0).sound


# ---------------------------------------------------------------- the command ---


def test_the_command(run, tmp_path, rng):
    boards, distances = rows_for(Board.goal((3, 3), 0), 300, rng)
    path = written(tmp_path / "a.csv", boards, distances, "0,1,2,3,4,5,6,7,8,cost")
    code, out, err = run("label", "--check", path)
    assert code == 0 and "to solve more rows: --sample 300" in err
    assert out.splitlines()[-1] == f"{path}: sound; 300 boards for the goal 0 1 2/3 4 5/6 7 8, 200 of them solved"
    header = "line,board,distance,shortest,problem"
    assert run("label", "--check", path, "--csv", "--quiet") == (0, header + "\n", "")
    words = ["--check", path, "--goal", "blank-last", "--sample", "300", "--quiet"]
    code, out, err = run("label", *words)
    assert code == 1 and not err
    assert "line 2: " in out and out.splitlines()[-1].startswith(f"{path}: UNSOUND, ")
    record = json.loads(run("label", *words, "--json")[1])
    assert not record["sound"] and record["goal"] == "1 2 3/4 5 6/7 8 0" and record["sample"] == 300
    assert list(record["wrong"][0]) == header.split(",") and not record["wrong"][0]["problem"]
    assert len(run("label", *words, "--csv")[1].splitlines()) == 1 + len(record["wrong"])
