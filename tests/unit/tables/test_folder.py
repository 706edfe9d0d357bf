"""The folder of the tables: listing, planning, building, verifying."""

import errno
import math
import os
import re
import shutil
import zlib
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from damaging import NO_FILES, flip

import puzzle15
from puzzle15 import Solver, tables
from puzzle15.errors import DiskFullError, OptionError, TableCorruptError
from puzzle15.tables._building import plan_build
from puzzle15.tables._file import FORMATS, HEADER_BYTES, MULTI_TILE, combine_checksums
from puzzle15.tables._folder import find_table, folder_state, missing, open_table

#: By format, the options that build it.
METRICS = {**{format: {"format": format} for format in FORMATS}, MULTI_TILE: {"metric": "mtm"}}


def build_one(folder, **options):
    """The table of all tiles of the 2x3 board."""
    (table,) = puzzle15.build_tables("1-5", shape=(2, 3), tables=folder, **options)
    return table


def soundness(folder):
    return [report.sound for report in tables.verify(folder)]


# ---------------------------------------------------------------- the folder


def test_the_folder(monkeypatch, tmp_path):
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("HOME", str(tmp_path))
    default = tmp_path / ".cache" / "puzzle15"
    for given, named, cache, expected in (
        (None, "named", "", Path("named")),
        ("given", "named", "", Path("given")),
        ("~/tables", "", "", tmp_path / "tables"),
        (None, "~/tables", "", tmp_path / "tables"),
        (None, "", str(tmp_path / "cache"), tmp_path / "cache" / "puzzle15"),
        (None, "", "", default),
        (None, "", "cache", default),  # a relative one does not count
        (None, None, None, default),
    ):
        for name, value in (("PUZZLE15_TABLES", named), ("XDG_CACHE_HOME", cache)):
            monkeypatch.delenv(name, raising=False) if value is None else monkeypatch.setenv(name, value)
        assert tables.table_folder(given) == expected


def test_the_folder_of_other_systems(monkeypatch, tmp_path):
    for name in ("PUZZLE15_TABLES", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.setattr("sys.platform", "darwin")
    assert tables.table_folder() == tmp_path / "Library" / "Caches" / "puzzle15"
    monkeypatch.setattr("sys.platform", "win32")
    assert tables.table_folder() == tmp_path / "AppData" / "Local" / "puzzle15"
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    assert tables.table_folder() == tmp_path / "local" / "puzzle15"


def test_a_user_that_is_none(monkeypatch, folder="~no_such_user/tables"):
    with pytest.raises(ValueError, match="'~no_such_user.*home folder of ~no_such_user is not known.*write"):
        tables.table_folder(folder)
    with pytest.raises(ValueError, match="'~no_such_user"):
        find_table((3, 3), 0b1111, 8, "zero-aware", tables=folder)
    monkeypatch.setenv("PUZZLE15_TABLES", folder)
    with pytest.raises(ValueError, match="PUZZLE15_TABLES='~no_such_user.*expected a folder"):
        tables.find_tables()
    for name in ("PUZZLE15_TABLES", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr(Path, "home", lambda: (_ for _ in ()).throw(RuntimeError("no home")))
    with pytest.raises(ValueError, match=r"no home folder; name one: --tables, or \$PUZZLE15_TABLES"):
        tables.table_folder()


def refused(function):
    """A function of the system that may not look at files of another user."""

    def refuse(path, *given, **named):
        if "other" in str(path):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return function(path, *given, **named)

    return refuse


@pytest.fixture(params=["a home of another user", "a user without a home"])
def no_home(request, monkeypatch, tmp_path):
    """A default folder that cannot be searched, as under sudo -u or in a container, or that there is none."""
    for name in ("PUZZLE15_TABLES", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sys.platform", "linux")

    if "another" in request.param:
        monkeypatch.setenv("HOME", str(tmp_path / "other"))
        for name in ("listdir", "scandir", "stat", "open", "mkdir"):
            monkeypatch.setattr(os, name, refused(getattr(os, name)))
    else:
        monkeypatch.setattr(Path, "home", lambda: (_ for _ in ()).throw(RuntimeError("no home")))


def test_a_default_folder_that_cannot_be_read_has_no_tables(no_home, run, tmp_path):
    found, (error,) = tables.find_tables()
    assert found == [] and str(error).startswith("no tables can be read: ")
    assert find_table((3, 3), 0b1111, 8, "zero-aware") is None
    assert Solver(shape=(4, 4)).distance("1 2 3 4/5 6 7 8/9 10 11 12/13 14 0 15") == 1
    code, out, _ = run("info")
    assert code == 0 and re.search("tables: +none\nbroken: +1\n +no tables can be read", out)
    code, out, err = run("solve", "1 2 3 4/5 6 7 8/9 10 11 12/13 14 0 15")
    assert (code, out) == (0, "1\tL\n") and "warning: no tables can be read: " in err
    with pytest.raises((OSError, ValueError)):
        tables.build_tables("1-4/5-8", shape=(3, 3))


def test_a_named_folder_that_cannot_be_read_is_an_error(run, monkeypatch, tmp_path):
    monkeypatch.setattr(os, "listdir", refused(os.listdir))
    code, out, err = run("info", "--tables", tmp_path / "other")
    assert (code, out) == (3, "") and "other: Permission denied" in err


def test_what_is_no_table_is_passed_over_and_named(tmp_path):
    table = build_one(tmp_path)
    others = [f"{name}.p15" for name in sorted(NO_FILES)]
    for name, make in NO_FILES.items():
        make(tmp_path / f"{name}.p15")
    (tmp_path / "dangling.p15").symlink_to("nothing")
    found, broken = tables.find_tables(tmp_path)
    assert found == [table]
    assert [str(error).partition(": ")[0] for error in broken] == [str(tmp_path / name) for name in others]
    reports = {report.path.name: report.sound for report in tables.verify(tmp_path)}
    assert list(reports) == sorted(reports) and reports == {table.path.name: True, **dict.fromkeys(others, False)}
    assert plan_build("1-5", shape=(2, 3), tables=tmp_path).present == [table]
    assert Solver("1-5", shape=(2, 3), tables=tmp_path).distance("1 2 3/4 5 0") == 0
    assert folder_state(tmp_path) == folder_state(tmp_path)


def test_building_where_something_else_stands(tmp_path):
    table = build_one(tmp_path)
    for name in ("pipe", "self-link", "folder"):
        table.path.unlink()
        NO_FILES[name](table.path)
        if name != "folder":
            assert build_one(tmp_path) == table and soundness(tmp_path) == [True]
    calls = []
    with pytest.raises(TableCorruptError, match=f"{table.path}: it is a folder.*remove it"):
        build_one(tmp_path, progress=lambda *call: calls.append(call))
    assert calls == []


def test_patterns_may_share_tiles_and_leave_some_out(tmp_path):
    built = tables.build_tables("1-3/2,4", shape=(3, 3), patterns=True, tables=tmp_path)
    assert [table.cells for table in built] == [0b111, 0b1010]
    for table in built:
        assert find_table((3, 3), table.cells, 8, "zero-aware", tables=tmp_path) == table
        assert find_table((3, 3), table.cells, 8, "classic", tables=tmp_path) is None
    assert soundness(tmp_path) == [True] * 2


@pytest.mark.parametrize("format", METRICS)
def test_building_says_what_is_there_and_leaves_it(format, tmp_path):
    options = {"shape": (3, 3), "tables": tmp_path, **METRICS[format]}
    first = puzzle15.build_tables("1-4/5-8", **options)

    def times():
        return [table.path.stat().st_mtime_ns for table in first]

    built = times()
    plan = plan_build("1-4/5-8", **options)
    assert (plan.missing, plan.present, plan.format, plan.disk_bytes) == ([], first, format, 0)
    assert puzzle15.build_tables("1-4/5-8", **options) == first and times() == built
    assert plan_build("1-4/5-8", force=True, **options).missing == [0xF, 0xF0]
    assert puzzle15.build_tables("1-4/5-8", force=True, **options) == first and times() != built
    assert tables.find_tables(tmp_path) == (sorted(first, key=lambda table: table.path.name), [])


@pytest.mark.parametrize("format", METRICS)
def test_a_damaged_table_is_built_again(format, tmp_path):
    table = build_one(tmp_path, **METRICS[format])
    whole = table.path.read_bytes()
    for damage in (100, HEADER_BYTES + 5, -1, "cut"):
        table.path.write_bytes(whole[:-1]) if damage == "cut" else flip(table.path, damage)
        assert build_one(tmp_path, **METRICS[format]) == table and table.path.read_bytes() == whole


@pytest.mark.parametrize("format", FORMATS)
def test_tables_are_checked_when_they_are_opened(format, tmp_path, monkeypatch):
    table = build_one(tmp_path, format=format)
    read = []
    really = tables.TableFile.check
    monkeypatch.setattr(tables.TableFile, "check", lambda self, payload: (read.append(self), really(self, payload)))

    def reads_of_two(check):
        read.clear()
        for _ in range(2):
            open_table(table, check=check)
        return len(read)

    assert [reads_of_two(check) for check in ("once", "never", "always")] == [0, 0, 2]
    os.utime(table.path)
    assert reads_of_two("once") == 1
    flip(table.path)
    assert open_table(table, check="never").cells == table.cells
    for check in ("once", "always", "once"):
        with pytest.raises(TableCorruptError, match=f"{table.path.name}.*checksum.*puzzle15 build --force"):
            open_table(table, check=check)
    flip(table.path)
    open_table(table)
    with pytest.raises(ValueError, match="'sometimes': expected one of once, always, never"):
        open_table(table, check="sometimes")


def test_the_state_of_a_folder_changes_with_its_tables(tmp_path):
    new = tmp_path / "new"
    steps = [
        (new, lambda: None),
        (new, lambda: build_one(new)),
        (new, lambda: puzzle15.build_tables("1-3/4-5", shape=(2, 3), tables=new)),
        (new, lambda: puzzle15.build_tables("1-3/4-5", shape=(2, 3), tables=new, force=True)),
        (new, lambda: sorted(new.glob("*.p15"))[-1].unlink()),
        (tmp_path, lambda: None),
        (tmp_path, lambda: os.utime(tmp_path, (1, 1))),
        (tmp_path, lambda: (build_one(tmp_path), os.utime(tmp_path, (1, 1)))),  # its clock has not ticked
    ]
    states = []
    for folder, act in steps:
        act()
        states.append(folder_state(folder))
        assert folder_state(folder) == states[-1]
    assert len(set(states)) == len(states)


def test_homes_that_are_alike_share_tables(tmp_path):
    for count, options in enumerate(METRICS.values(), start=1):
        assert len({build_one(tmp_path, home=home, **options) for home in (0, 2, 3, 5, "corner")}) == 1
        assert len(list(tmp_path.glob("*.p15"))) == count


def test_the_plan_adds_up():
    plan = partial(plan_build, tables="/nonexistent/puzzle15")
    whole, bounded, roomy = plan("7-8"), plan("7-8", max_memory=256 << 20), plan("7-8", max_memory=8 << 30)
    assert [whole.pattern(cells) for cells in whole.missing] == ["1-8", "9-15"]
    assert whole.disk_bytes == 195_882_752 and whole.memory_bytes <= 1.8 * 2**30 and whole.free_bytes > 0
    assert bounded.memory_bytes == bounded.memory_limit == 256 << 20
    assert bounded.disk_bytes > whole.disk_bytes  # the scratch file
    assert (roomy.memory_limit, roomy.disk_bytes) == (None, whole.disk_bytes)
    multi = plan(metric="mtm", workers=2)
    assert [multi.pattern(cells) for cells in multi.missing] == ["1-6", "10-15"] and multi.workers == 2
    assert multi.disk_bytes <= 60_000_000 and multi.memory_bytes < 600_000_000
    one = plan(metric="mtm", workers=2, max_memory=multi.memory_bytes - 1)
    assert (one.workers, one.memory_bytes) == (1, multi.memory_bytes // 2)
    assert plan(metric="mtm", workers=16).workers == 2


def test_a_build_without_a_bound_takes_what_is_available(monkeypatch):
    plan = partial(plan_build, tables="/nonexistent/puzzle15", workers=1)
    monkeypatch.setattr("puzzle15.tables._building.available_memory", lambda: 400 << 20)
    assert plan("7-8").memory_limit == 300 << 20
    assert plan("7-8", max_memory="8G").memory_limit is None
    assert plan("5-5-5").memory_limit is None
    monkeypatch.setattr("puzzle15.tables._building.available_memory", lambda: 100_000_000)
    with pytest.raises(OptionError, match=r"max_memory 75.0 MB \(three quarters of the available .* at least 2\d\d MB"):
        plan(metric="mtm")
    assert plan(metric="mtm", max_memory="8G").memory_limit is None


def test_progress_goes_up_to_one(tmp_path):
    calls = []
    puzzle15.build_tables("5-5-5", tables=tmp_path, workers=1, progress=lambda *call: calls.append(call))
    shares = [share for share, _ in calls]
    assert shares == sorted(shares) and shares[0] >= 0 and shares[-1] == 1
    assert {text.split(":")[0] for _, text in calls} >= {"tiles 1-2,5,9,13", "tiles 6,10-11,14-15"}


@pytest.mark.parametrize(
    "options, message",
    [
        ({"format": "nibbles"}, "zero-aware or classic"),
        ({"home": "middle"}, "center, corner, edge"),
        ({"workers": 0}, "from 1 to 1024"),
        ({"max_memory": 1000}, "at least"),
        ({"shape": (3, 6)}, "16 cells"),
        ({"shape": (3, 3), "partition": "7-8"}, "3x3"),
        ({"metric": "xyz"}, "metric 'xyz': expected one of stm, mtm"),
        ({"metric": "mtm", "max_memory": "1M"}, r"max_memory 1.05 MB: building this with 1 thread takes at least"),
        ({"metric": "mtm", "format": "classic"}, "format 'classic' with metric 'mtm': expected multi-tile"),
        ({"format": MULTI_TILE}, "format 'multi-tile' with metric 'stm': expected zero-aware or classic"),
        ({"metric": "mtm", "partition": "1-8/9-15"}, "'1-8' has 8 tiles; .* multi-tile tables have at most 6"),
        ({"patterns": True}, "patterns: expected tiles"),
        ({"patterns": True, "partition": "1-9"}, "patterns of tables have at most 8"),
    ],
)
def test_builds_that_make_no_sense(options, message, tmp_path):
    with pytest.raises(ValueError, match=message):
        puzzle15.build_tables(tables=tmp_path / "new", **options)
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_is_too_full(tmp_path, monkeypatch):
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage._replace(free=100_000_000))
    for metric, partition, message in (
        ("stm", "7-8", r"196 MB of disk, 100 MB are free.*--tables"),
        ("mtm", "1-6/10-15/1-2,5-6,9-10", "building takes .* of disk"),
    ):
        with pytest.raises(DiskFullError, match=message):
            puzzle15.build_tables(partition, metric=metric, tables=tmp_path / "new")
    assert list(tmp_path.iterdir()) == []
    puzzle15.build_tables("1-8", shape=(3, 3), tables=tmp_path / "new")


def test_a_disk_that_fills_up_while_writing(tmp_path, monkeypatch):
    def full(descriptor):
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        puzzle15.build_tables("5-5-5", tables=tmp_path)
    assert list(tmp_path.iterdir()) == []


# ---------------------------------------------------------------- verifying


@pytest.fixture
def folder(tmp_path):
    for options in METRICS.values():
        puzzle15.build_tables("1-3/4-6/7-8", shape=(3, 3), tables=tmp_path, **options)
    return tmp_path


@pytest.fixture(params=METRICS)
def path(request, folder):
    """A table's file in that folder."""
    return min(folder.glob(f"*-{request.param}-*.p15"))


def only_problem(path):
    reports = tables.verify(path.parent, workers=2)
    assert len(reports) == 9
    (bad,) = (report for report in reports if not report.sound)
    assert bad.path == path
    return "; ".join(bad.problems)


def test_sound_tables_verify(folder):
    calls = []
    reports = tables.verify(folder, workers=1, progress=lambda *call: calls.append(call))
    assert len(reports) == 9
    for report in reports:
        assert report.sound and report.seconds > 0 and report.entries == sum(report.table.counts)
    shares = [share for share, _ in calls]
    assert shares == sorted(shares) and shares[-1] <= 1


def test_verifying_renews_stamps(folder):
    def stamps():
        return {path: path.read_bytes() for path in folder.glob(".*.checked")}

    built = stamps()
    assert len(built) == 9
    for stamp in built:
        stamp.unlink()
    assert soundness(folder) == [True] * 9 and stamps() == built
    path = min(folder.glob("*.p15"))
    flip(path)
    tables.verify(folder)
    assert [stamp.name for stamp in built.keys() - stamps().keys()] == [f".{path.name}.checked"]


def test_any_flipped_payload_bit_is_found(path, rng):
    whole = path.read_bytes()
    for place in [HEADER_BYTES, *rng.integers(HEADER_BYTES, len(whole), 2).tolist(), len(whole) - 1]:
        damaged = bytearray(whole)
        damaged[place] ^= 1 << int(rng.integers(8))
        path.write_bytes(damaged)
        assert "checksum" in only_problem(path)


def test_verifying_finds_what_a_wrong_builder_writes(path, rng):
    """One wrong bit with a fitting checksum."""
    header, whole = tables.TableFile.read(path), path.read_bytes()
    for offset in rng.choice(range(header.payload_bytes), 5):
        payload = bytearray(whole[HEADER_BYTES:])
        payload[offset] ^= 1
        pieces = range(0, len(payload), header.chunk_bytes)
        checksum = combine_checksums([zlib.crc32(payload[begin : begin + header.chunk_bytes]) for begin in pieces])
        path.write_bytes(replace(header, checksum=checksum).header() + payload)
        assert only_problem(path) == "it differs from a new build"


def test_wrong_counts_are_found(path):
    header = tables.TableFile.read(path)
    wrong = replace(header, counts=(*header.counts[:-1], header.counts[-1] + 1)).header()
    path.write_bytes(wrong + path.read_bytes()[HEADER_BYTES:])
    assert only_problem(path) == "it differs from a new build"


def test_a_wrong_name_and_a_broken_header_are_reported(folder):
    path = min(folder.glob("*.p15"))
    other = path.rename(path.with_name("3x3-classic-ffff-0001.p15"))
    assert f"should be {path.name}" in only_problem(other)
    other.write_bytes(b"garbage")
    assert "not a table file" in only_problem(other)
    assert tables.verify(folder / "none") == [] and tables.find_tables(folder / "none") == ([], [])


@pytest.mark.nightly
def test_verifying_the_real_tables(tables_7_8, multi_tile_tables, tmp_path):
    """`.ci/run` verifies both of 7-8; here the one of eight tiles would take the most time."""
    (tmp_path / "4x4-zero-aware-7f00-8000.p15").symlink_to(tables_7_8 / "4x4-zero-aware-7f00-8000.p15")
    reports = tables.verify(tmp_path) + tables.verify(multi_tile_tables)
    assert {report.path.name: (report.entries, report.problems) for report in reports} == {
        "4x4-zero-aware-7f00-8000.p15": (139_849_920, []),
        "4x4-multi-tile-003f-8000.p15": (2 * math.perm(16, 7), []),
        "4x4-multi-tile-7e00-8000.p15": (2 * math.perm(16, 7), []),
    }
    assert reports[0].table.max_value + 1 == 35
    assert [file.max_value + 1 for file in tables.find_tables(tables_7_8)[0]] == [39, 35]


@pytest.mark.parametrize(
    "shape, home, format, expected",
    [
        ((4, 4), 15, None, "build 7-8"),
        ((4, 4), 14, "classic", "build 7-8 --home 14 --format classic"),
        ((2, 3), 5, MULTI_TILE, "build 7-8 --shape 2x3 --metric mtm"),
        ((2, 3), 4, None, "build 7-8 --shape 2x3 --home 4"),
    ],
)
def test_the_command_that_builds_what_is_missing(shape, home, format, expected, tmp_path):
    text = missing("7-8", " 7-8", shape, home, format, None)
    assert text.partition("build them: puzzle15 ")[2] == expected
    text = missing("7-8", " 7-8", shape, home, format, tmp_path / "my tables")
    assert text.endswith(f"{expected} --tables '{tmp_path / 'my tables'}'")
