"""``puzzle15 build``, ``verify`` and ``info``, and tables that cannot be used."""

import json
import os
import re
from collections import namedtuple

import pytest
from damaging import flip
from shell import EASY, FAR, error_of, read_records

from puzzle15 import Board, Solver, __version__, tables

SMALL = ["build", "1-4/5-8", "--shape", "3x3"]
FOUR = "1-4/5-8/9-12/13-15"


def build_small(folder, **options):
    return tables.build_tables("1-4/5-8", shape=(3, 3), tables=folder, **options)


def test_build_says_what_it_takes_and_what_came_of_it(run, tmp_path):
    folder = tmp_path / "new" / "tables"
    words = [*SMALL, "--tables", folder]
    code, out, err = run(*words)
    assert code == 0
    assert [line.split("  ")[0] for line in out.splitlines()] == [str(path) for path in sorted(folder.glob("*.p15"))]
    assert "  4,864 bytes  " in out.splitlines()[0]
    assert all(part in err for part in ("tiles 1-4, tiles 5-8", "of disk", "of memory", str(folder), "tiles 1-4: done"))
    again = run(*words)
    assert again[:2] == (0, out) and again[2].count("already built") == 2
    assert not re.search("building|built 2", again[2])
    assert "built 2 tables in " in run(*words, "--force")[2] and run(*words, "--force", "--quiet") == (0, out, "")


def test_build_records(run, tmp_path):
    words = [*SMALL, "--format", "classic", "--tables", tmp_path, "--json"]
    first, second = read_records(run(*words)[1])
    assert first["path"].startswith(str(tmp_path)) and os.path.getsize(first["path"]) == first["bytes"]
    known = {"shape": "3x3", "format": "classic", "home": 8, "tiles": "1-4", "entries": 3024, "built": True}
    assert first | known == first and second["tiles"] == "5-8"
    assert not read_records(run(*words)[1])[0]["built"]
    words = ["build", "--patterns", "1-3/3-5", "--shape", "3x3", "--tables", tmp_path, "--json", "--quiet"]
    assert [record["tiles"] for record in read_records(run(*words)[1])] == ["1-3", "3-5"]


def test_build_homes_threads_and_memory_bounds(run, tmp_path):
    for name, options in (("a", ["--workers", "2"]), ("b", ["--workers", "1", "--max-memory", "72M"])):
        assert run("build", "6-6-3", "--quiet", "--home", "center", "--tables", tmp_path / name, *options)[0] == 0
    files = [{path.name: path.read_bytes() for path in (tmp_path / name).glob("*.p15")} for name in "ab"]
    assert len(files[0]) == 3 and files[0] == files[1]


def test_builds_and_verifications_that_would_take_more_memory_than_there_is(run, tmp_path, monkeypatch):
    build_small(tmp_path)
    for module in ("_building", "_construction"):
        monkeypatch.setattr(f"puzzle15.tables.{module}.available_memory", lambda: 60_000_000)
    monkeypatch.setattr("puzzle15.tables._construction._WORTH_ASKING", 0)
    text = error_of(run("build", "--metric", "mtm", "--tables", tmp_path / "new"), 2)
    assert "--max-memory 45.0 MB (three quarters of the available memory): building this with 1 thread takes at" in text
    assert run("verify", "--tables", tmp_path)[0] == 0
    monkeypatch.setattr("puzzle15.tables._construction.available_memory", lambda: 40_000_000)
    text = error_of(run("verify", "--tables", tmp_path), 3)
    assert re.search(r"out of memory; a table takes 50\.\d MB of memory, and 40.0 MB are available", text)


def listed(run, folder):
    """The rows of the list of tables, in words, and the records of the tables."""
    rows = [line.split() for line in run("info", "--tables", folder)[1].splitlines() if line.endswith(".p15")]
    return rows, json.loads(run("info", "--tables", folder, "--json")[1])["tables"]


def test_info_and_verify(run, tmp_path):
    none = f"puzzle15: no tables in {tmp_path}; build them: puzzle15 build\n"
    code, out, err = run("info", "--tables", tmp_path)
    assert (code, err) == (0, none) and "tables:       none\n" in out
    assert "no tables in" in error_of(run("verify", "--tables", tmp_path), 3)
    build_small(tmp_path)
    code, out, _ = run("verify", "--tables", tmp_path, "--workers", "1")
    assert code == 0 and out.count(": sound, ") == 2
    records = read_records(run("verify", "--tables", tmp_path, "--json", "--quiet")[1])
    assert [(record["sound"], record["problems"]) for record in records] == [(True, []), (True, [])]
    rows, records = listed(run, tmp_path)
    assert rows[0][:6] == ["3x3", "zero-aware", "tiles", "1-4", "5,520", "entries"]
    assert [record["tiles"] for record in records] == [row[3] for row in rows] == ["1-4", "5-8"]
    (tmp_path / "junk.p15").write_bytes(b"junk")
    code, out, _ = run("info", "--tables", tmp_path)
    assert code == 0 and __version__ in out and str(tmp_path) in out and "tables:       2, 9.73 kB\n" in out
    assert "broken:       1\n" in out and f"{tmp_path / 'junk.p15'}: this is not a table file" in out
    record = json.loads(run("info", "--tables", tmp_path, "--json")[1])
    assert record["version"] == __version__ and len(record["tables"]) == 2 and len(record["broken"]) == 1
    assert record["compiler"] and record["processors"] >= 1
    assert record["instructions"] in ("portable", "x86-64-v3", "x86-64-v4")


@pytest.mark.parametrize("home", ["corner", "edge", "center"])
def test_what_info_lists_a_solver_reads(run, tmp_path, home):
    """The tiles of all tables make a partition, for whatever home they were built."""
    run("build", FOUR, "--home", home, "--tables", tmp_path, "--quiet")
    rows, records = listed(run, tmp_path)
    (cell,) = {record["home"] for record in records}
    assert [row[3] for row in rows] == [record["tiles"] for record in records]
    goal = Board.goal((4, 4), cell)
    solver = Solver("/".join(record["tiles"] for record in records), goal=goal, tables=tmp_path)
    assert solver.distance(goal) == 0 and len(solver.open_tables.files) == len(records)


@pytest.mark.slow
def test_a_table_of_two_homes_is_listed_for_both(run, tmp_path):
    """The upper half's table serves the corner and the center."""
    for home, tiles in (("corner", "1-8 13-15 9-12"), ("center", "1-8 1-8 13-15 13-15 9-12 9-12")):
        run("build", "1-8/9-12/13-15", "--home", home, "--tables", tmp_path, "--quiet")
        assert sorted(row[3] for row in listed(run, tmp_path)[0]) == tiles.split()


def test_info_says_which_tables_are_used(run, tmp_path):
    def used():
        record = json.loads(run("info", "--tables", tmp_path, "--json")[1])
        return [choice for choice in record["choices"] if choice["used"]]

    run("build", FOUR, "--tables", tmp_path, "--quiet")
    out = run("info", "--tables", tmp_path)[1]
    first, second = out.partition("on average:\n")[2].splitlines()
    assert "4x4 boards whose goal has the blank at cell 15 are solved with the first of these" in out
    assert re.fullmatch(r"    43\.0  embedded zero-aware .*, 4 lookups", first)
    assert re.fullmatch(r"    39\.\d  zero-aware 1-4/5-8/9-12/13-15, 2 lookups", second) and " 3x3" not in out
    run("build", "7-7-1", "--tables", tmp_path, "--quiet")
    assert [(choice["tables"], choice["embedded"]) for choice in used()] == [("zero-aware 1-7/8/9-15", False)]
    assert Solver(tables=tmp_path).open_tables.partitions == ["1-7/8/9-15"]
    build_small(tmp_path)
    assert [choice["mean_lower_bound"] for choice in used() if choice["shape"] == "3x3"] == [None]
    assert "   exact  embedded zero-aware 1-8, 1 lookup\n" in run("info", "--tables", tmp_path)[1]


def test_the_search_can_be_varied(run, tmp_path):
    for format in ("zero-aware", "classic"):
        build_small(tmp_path, format=format)
    words = ["solve", FAR, "--partition", "1-4/5-8", "--tables", tmp_path, "--json"]
    ways = ([], ["--no-reflection"], ["--plain"], ["--format", "classic"])
    records = [json.loads(run(*words, *way)[1]) for way in ways]
    assert {record["length"] for record in records} == {31} and len({record["generated"] for record in records}) == 4


#: Ways to damage a table's file, and parts of the errors.
DAMAGES = {
    "missing": (lambda path: path.unlink(), None),
    "truncated": (lambda path: path.write_bytes(path.read_bytes()[:-100]), "bytes instead of"),
    "header": (lambda path: flip(path, 100, 1), "its checksum is wrong"),
    "version": (lambda path: flip(path, 8, 98), "version "),
    "junk": (lambda path: path.write_bytes(b"no table at all"), "not a table file of puzzle15"),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_unusable_tables(run, tmp_path, name):
    """Named where they are asked for, done without where they are not, built again by build."""
    damage, message = DAMAGES[name]
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
    words = ["solve", FAR, "--partition", "1-4/5-8", "--format", format, "--tables", tmp_path, "--max-nodes", "20k"]
    for _ in range(6):
        table.path.write_bytes(sound)
        flip(table.path, rng.integers(4096, len(sound)), int(rng.integers(1, 256)))
        code, out, _ = run("verify", "--tables", tmp_path)
        assert code == 3 and "the payload is damaged" in out
        for check in ("once", "always"):
            message = error_of(run(*words, "--quiet", "--check-tables", check), 3)
            assert f"{table.path}: the payload is damaged" in message and "puzzle15 build --force" in message
    assert "invalid choice: 'often'" in error_of(run(*words, "--check-tables", "often"), 2)
    flip(table.path, -1, 1)
    assert run("solve", EASY, *words[2:], "--check-tables", "never")[0] == 0


def test_a_disk_that_cannot_be_written(run, tmp_path, monkeypatch):
    def refuse(*args, **options):
        raise PermissionError(13, "Permission denied", str(tmp_path))

    usage = namedtuple("usage", "total used free")
    with monkeypatch.context() as changed:
        changed.setattr("puzzle15.tables._construction.write_atomically", refuse)  # chmod would not stop root
        assert f"{tmp_path}: Permission denied" in error_of(run("build", "5-5-5", "--tables", tmp_path, "--quiet"), 3)
    monkeypatch.setattr("shutil.disk_usage", lambda path: usage(10**9, 9 * 10**8, 10**8))
    message = error_of(run("build", "--quiet", "--tables", tmp_path / "new"), 3)
    assert "takes 196 MB of disk, 100 MB are free" in message and not (tmp_path / "new").exists()


def test_folders_that_cannot_be_written(run, tmp_path, monkeypatch):
    file = tmp_path / "file"
    file.write_text("here already")
    for words in (["build"], ["solve", EASY], ["verify"], ["info"]):
        assert "is not a folder" in error_of(run(*words, "--tables", file), 2)
    assert "Not a directory" in error_of(run("build", "5-5-5", "--tables", file / "below", "--quiet"), 3)
    assert file.read_text() == "here already"
    monkeypatch.delenv("PUZZLE15_TABLES")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("HOME", str(file))
    message = error_of(run("build", "1-5", "--shape", "2x3", "--quiet"), 3)
    assert message.endswith("(Not a directory); name another folder (--tables, or $PUZZLE15_TABLES)")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr("os.access", lambda *_: False)  # modes would not stop root
    assert "(Permission denied); name another folder (--tables, or" in run("build", "1-5", "--shape", "2x3")[2]
