"""Every entry of small tables, held against the twin; listing, planning, verifying."""

import os
import shutil
import zlib
from dataclasses import replace
from pathlib import Path

import pytest
import twins

import puzzle15
from puzzle15 import Solver, tables
from puzzle15.errors import DiskFullError, TableCorruptError
from puzzle15.tables import FORMATS, HEADER_BYTES, MULTI_TILE, build_in_memory
from puzzle15.tables.file import combine_checksums

#: shape, goal cells of the tiles, home: corners, edges and centers, tiles near and far from the
#: blank, in one piece and scattered, and patterns that leave 2, 1 and 0 other tiles.
PATTERNS = [
    ((2, 2), (0, 1), 3),
    ((2, 2), (0, 2, 3), 1),
    ((2, 3), (0, 2, 5), 4),
    ((2, 3), (0, 1, 2, 3), 5),
    ((2, 3), (0, 1, 2, 3, 4), 5),
    ((3, 2), (0, 3, 4), 2),
    ((2, 4), (0, 1, 4), 7),
    ((4, 2), (1, 2, 5, 6), 4),
    ((2, 5), (2, 7, 9), 0),
    ((2, 8), (0, 8, 15), 7),
    ((3, 3), (0, 1, 2, 3), 8),
    ((3, 3), (1, 3, 5, 7), 4),
    ((3, 3), (0, 2, 6, 8), 7),
    ((3, 3), (0, 1, 3, 4, 5), 2),
    ((3, 4), (0, 5, 10), 11),
    ((3, 5), (6, 7, 8), 14),
    ((4, 3), (2, 5, 8, 11), 1),
    ((4, 4), (0,), 15),
    ((4, 4), (5, 10), 14),
    ((4, 4), (0, 3, 12), 6),
    ((4, 4), (10, 11, 13, 14), 15),
]


#: By format, the options that build it.
METRICS = {**{format: {"format": format} for format in FORMATS}, MULTI_TILE: {"metric": "mtm"}}


def bits(cells):
    return sum(1 << cell for cell in cells)


def name(pattern):
    shape, cells, home = pattern
    return f"{shape[0]}x{shape[1]}-{','.join(map(str, cells))}-home{home}"


@pytest.mark.parametrize("pattern", PATTERNS, ids=name)
@pytest.mark.sweep(13)
def test_every_entry_equals_the_twin(pattern):
    shape, cells, home = pattern
    values = twins.pattern_values(shape, cells, home)
    table = build_in_memory(shape, bits(cells), home, "zero-aware")
    for (where, region), value in values.items():
        for blank in region:
            assert table.value(where, blank) == value
    counts = table.value_counts(0, table.space.row_count)
    expected = list(values.values())
    assert counts == [expected.count(value) for value in range(256)]
    assert table.max_value == max(expected)

    least = twins.classic_values(values)
    classic = build_in_memory(shape, bits(cells), home, "classic")
    for where, value in least.items():
        blank = next(cell for cell in range(shape[0] * shape[1]) if cell not in where)
        assert classic.value(where, blank) == value
    assert classic.max_value == max(least.values())


def test_states_that_no_board_shows_have_no_value():
    """With all tiles in the pattern, half of the placements cannot be reached."""
    values = twins.pattern_values((2, 3), range(5), 5)
    table = build_in_memory((2, 3), 0b11111, 5)
    swapped = (1, 0, 2, 3, 4)
    assert (swapped, frozenset({5})) not in values
    with pytest.raises(TableCorruptError):
        table.value(swapped, 5)


@pytest.mark.parametrize("format", METRICS)
def test_no_state_is_no_look_up(format):
    table = build_in_memory((4, 4), 0b111, 15, format)
    for cells in ((0, 1), (0, 1, 1), (0, 1, 2, 3), (0, 1, 5), (0, 1, 16), (-1, 1, 2)):
        with pytest.raises((ValueError, OverflowError)):
            table.value(cells, 5)
    with pytest.raises(ValueError):
        table.value((0, 1, 2), 16)


# ---------------------------------------------------------------- the folder


def test_the_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("PUZZLE15_TABLES", str(tmp_path / "named"))
    assert tables.table_folder() == tmp_path / "named"
    assert tables.table_folder(tmp_path / "given") == tmp_path / "given"
    monkeypatch.setenv("PUZZLE15_TABLES", "")
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert tables.table_folder() == tmp_path / "cache" / "puzzle15"
    monkeypatch.setenv("HOME", str(tmp_path))
    for without in ("", "cache", "./cache"):  # a relative one does not count
        monkeypatch.setenv("XDG_CACHE_HOME", without)
        assert tables.table_folder() == tmp_path / ".cache" / "puzzle15"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert tables.table_folder() == tmp_path / ".cache" / "puzzle15"
    assert tables.table_folder("~/tables") == tmp_path / "tables"


def test_a_user_that_is_none(monkeypatch, folder="~no_such_user/tables"):
    with pytest.raises(ValueError, match="'~no_such_user.*home folder of ~no_such_user is not known.*write"):
        tables.table_folder(folder)
    monkeypatch.setenv("PUZZLE15_TABLES", folder)
    with pytest.raises(ValueError, match="PUZZLE15_TABLES='~no_such_user.*expected a folder"):
        tables.find_tables()
    monkeypatch.delenv("PUZZLE15_TABLES")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr(Path, "home", lambda: (_ for _ in ()).throw(RuntimeError("no home")))
    with pytest.raises(ValueError, match=r"no home folder; name one: --tables, or \$PUZZLE15_TABLES"):
        tables.table_folder()


def hostile(folder):
    """A folder with things that are named like tables, and one table."""
    (table,) = puzzle15.build_tables("1-5", shape=(2, 3), tables=folder)
    (folder / "folder.p15").mkdir()
    (folder / "self-link.p15").symlink_to("self-link.p15")
    (folder / "dangling.p15").symlink_to("nothing")
    (folder / "device.p15").symlink_to("/dev/zero")
    os.mkfifo(folder / "pipe.p15")
    return table, ["device.p15", "folder.p15", "pipe.p15", "self-link.p15"]


def test_what_is_no_table_is_passed_over_and_named(tmp_path):
    table, others = hostile(tmp_path)
    found, broken = tables.find_tables(tmp_path)
    assert found == [table]
    assert [str(error).partition(": ")[0] for error in broken] == [str(tmp_path / name) for name in others]
    reports = tables.verify(tmp_path)
    assert [(report.path.name, report.sound) for report in reports] == sorted(
        [(table.path.name, True), *((name, False) for name in others)]
    )
    assert tables.plan_build("1-5", shape=(2, 3), tables=tmp_path).present == [table]
    assert Solver("1-5", shape=(2, 3), tables=tmp_path).distance("1 2 3/4 5 0") == 0
    assert tables.folder_state(tmp_path) == tables.folder_state(tmp_path)


def test_building_where_something_else_stands(tmp_path):
    (table,) = puzzle15.build_tables("1-5", shape=(2, 3), tables=tmp_path)
    for put in (os.mkfifo, lambda path: path.symlink_to(path)):
        table.path.unlink()
        put(table.path)
        assert puzzle15.build_tables("1-5", shape=(2, 3), tables=tmp_path) == [table]
        assert [report.sound for report in tables.verify(tmp_path)] == [True]
    table.path.unlink()
    table.path.mkdir()
    calls = []
    with pytest.raises(TableCorruptError, match=f"{table.path}: it is a folder.*remove it"):
        puzzle15.build_tables("1-5", shape=(2, 3), tables=tmp_path, progress=lambda *call: calls.append(call))
    assert calls == []


def test_patterns_may_share_tiles_and_leave_some_out(tmp_path):
    built = tables.build_tables("1-3/2,4", shape=(3, 3), patterns=True, tables=tmp_path)
    assert [table.cells for table in built] == [0b111, 0b1010]
    for table in built:
        assert tables.find_table((3, 3), table.cells, 8, "zero-aware", tables=tmp_path) == table
        assert tables.find_table((3, 3), table.cells, 8, "classic", tables=tmp_path) is None
    assert [report.sound for report in tables.verify(tmp_path)] == [True] * 2
    for text, message in (
        (None, "patterns: expected tiles"),
        ("1-3/3,3", "names a tile twice"),
        ("1-9", "'1-9' names no tiles of 1 .. 8"),
    ):
        with pytest.raises(ValueError, match=message):
            tables.build_tables(text, shape=(3, 3), patterns=True, tables=tmp_path)
    with pytest.raises(ValueError, match="patterns of tables have at most 8"):
        tables.build_tables("1-9", patterns=True, tables=tmp_path)


@pytest.mark.parametrize("format", METRICS)
def test_building_says_what_is_there_and_leaves_it(format, tmp_path):
    options = {"shape": (3, 3), "tables": tmp_path, **METRICS[format]}
    first = puzzle15.build_tables("1-4/5-8", **options)
    times = [table.path.stat().st_mtime_ns for table in first]
    plan = tables.plan_build("1-4/5-8", **options)
    assert plan.missing == [] and [table.cells for table in plan.present] == [0xF, 0xF0]
    assert (plan.format, plan.disk_bytes) == (format, 0)
    assert puzzle15.build_tables("1-4/5-8", **options) == first
    assert [table.path.stat().st_mtime_ns for table in first] == times
    assert tables.plan_build("1-4/5-8", force=True, **options).missing == [0xF, 0xF0]
    assert puzzle15.build_tables("1-4/5-8", force=True, **options) == first
    assert [table.path.stat().st_mtime_ns for table in first] != times
    assert tables.find_tables(tmp_path) == (sorted(first, key=lambda table: table.path.name), [])


@pytest.mark.parametrize("format", METRICS)
def test_a_damaged_table_is_built_again(format, tmp_path):
    options = {"shape": (2, 3), "tables": tmp_path, **METRICS[format]}
    (table,) = puzzle15.build_tables("1-5", **options)
    whole = table.path.read_bytes()
    for damage in (100, HEADER_BYTES + 5, -1, "cut"):
        table.path.write_bytes(whole[:-1]) if damage == "cut" else flip(table.path, damage)
        assert tables.plan_build("1-5", **options).missing == [table.cells]
        puzzle15.build_tables("1-5", **options)
        assert table.path.read_bytes() == whole


def flip(path, place=-1):
    """Damage a byte of a file."""
    content = bytearray(path.read_bytes())
    content[place] ^= 1
    path.write_bytes(content)


@pytest.mark.parametrize("format", FORMATS)
def test_tables_are_checked_when_they_are_opened(format, tmp_path, monkeypatch):
    (table,) = puzzle15.build_tables("1-5", shape=(2, 3), format=format, tables=tmp_path)
    read = []
    really = tables.TableFile.check
    monkeypatch.setattr(tables.TableFile, "check", lambda self, payload: (read.append(self), really(self, payload)))
    for check, times in {"once": 0, "never": 0, "always": 1}.items():
        tables.open_table(table, check=check)
        tables.open_table(table, check=check)
        assert len(read) == 2 * times
    os.utime(table.path)
    read.clear()
    tables.open_table(table)
    tables.open_table(table)
    assert len(read) == 1
    flip(table.path)
    assert tables.open_table(table, check="never").cells == table.cells
    for check in ("once", "always", "once"):
        with pytest.raises(TableCorruptError, match=f"{table.path.name}.*checksum.*puzzle15 build --force"):
            tables.open_table(table, check=check)
    flip(table.path)
    tables.open_table(table)
    with pytest.raises(ValueError, match="'sometimes': expected once, always, never"):
        tables.open_table(table, check="sometimes")


def test_verifying_renews_stamps(folder):
    stamps = {path: path.read_bytes() for path in folder.glob(".*.checked")}
    assert len(stamps) == 9
    for path in stamps:
        path.unlink()
    assert [report.sound for report in tables.verify(folder)] == [True] * 9
    assert {path: path.read_bytes() for path in folder.glob(".*.checked")} == stamps
    path = sorted(folder.glob("*.p15"))[0]
    flip(path)
    tables.verify(folder)
    assert {path.name for path in stamps} - {path.name for path in folder.glob(".*.checked")} == {
        f".{path.name}.checked"
    }


def test_the_state_of_a_folder_tells_what_comes_and_goes(tmp_path):
    states = [tables.folder_state(tmp_path / "new")]
    (table,) = puzzle15.build_tables("1-5", shape=(2, 3), tables=tmp_path / "new")
    states.append(tables.folder_state(tmp_path / "new"))
    assert tables.folder_state(tmp_path / "new") == states[-1]
    puzzle15.build_tables("1-3/4-5", shape=(2, 3), tables=tmp_path / "new")
    states.append(tables.folder_state(tmp_path / "new"))
    puzzle15.build_tables("1-3/4-5", shape=(2, 3), tables=tmp_path / "new", force=True)
    states.append(tables.folder_state(tmp_path / "new"))
    table.path.unlink()
    states.append(tables.folder_state(tmp_path / "new"))
    states.append(tables.folder_state(tmp_path))
    os.utime(tmp_path, (1, 1))  # one that nobody has changed lately
    states.append(tables.folder_state(tmp_path))
    puzzle15.build_tables("1-5", shape=(2, 3), tables=tmp_path)
    states.append(tables.folder_state(tmp_path))
    assert len(set(states)) == len(states)


def test_homes_that_are_alike_share_tables(tmp_path):
    for count, options in enumerate(METRICS.values(), start=1):
        options = {"shape": (2, 3), "tables": tmp_path, **options}
        found = [puzzle15.build_tables("1-5", home=home, **options) for home in (0, 2, 3, 5, "corner")]
        assert all(each == found[0] for each in found) and len(list(tmp_path.glob("*.p15"))) == count


def test_the_plan_adds_up():
    plan = tables.plan_build("7-8", tables="/nonexistent/puzzle15")
    assert [plan.pattern(cells) for cells in plan.missing] == ["1-8", "9-15"]
    assert plan.disk_bytes == 195_882_752 <= 210e6
    assert plan.memory_bytes <= 1.8 * 2**30
    assert plan.free_bytes > 0
    bounded = tables.plan_build("7-8", tables="/nonexistent/puzzle15", max_memory=256 << 20)
    assert bounded.memory_bytes == bounded.memory_limit == 256 << 20
    assert bounded.disk_bytes > plan.disk_bytes  # the scratch file
    roomy = tables.plan_build("7-8", tables="/nonexistent/puzzle15", max_memory=8 << 30)
    assert (roomy.memory_limit, roomy.disk_bytes) == (None, plan.disk_bytes)


def test_progress_goes_up_to_one(tmp_path):
    calls = []
    puzzle15.build_tables("5-5-5", tables=tmp_path, workers=1, progress=lambda *call: calls.append(call))
    shares = [share for share, _ in calls]
    assert shares == sorted(shares) and shares[0] >= 0 and shares[-1] == 1
    assert {text.split(":")[0] for _, text in calls} >= {"tiles 1-2,5,9,13", "tiles 6,10-11,14-15"}


@pytest.mark.parametrize(
    "options, message",
    [
        ({"partition": "8-7"}, "tile"),
        ({"partition": "1-8/9-14"}, "tile 15 missing"),
        ({"partition": "1-9/10-15"}, "at most 8 tiles"),
        ({"format": "nibbles"}, "zero-aware or classic"),
        ({"home": 16}, "cells 0 .. 15"),
        ({"home": "middle"}, "center, corner, edge"),
        ({"workers": 0}, "from 1 to 1024"),
        ({"max_memory": 1000}, "at least"),
        ({"shape": (3, 6)}, "16 cells"),
        ({"shape": (3, 3), "partition": "7-8"}, "3x3"),
        ({"metric": "xyz"}, "metric 'xyz': expected stm"),
        ({"metric": "mtm", "max_memory": "1M"}, r"max_memory 1.05 MB: building this with 1 thread takes at least"),
        ({"metric": "mtm", "format": "classic"}, "tables of the multi-tile metric have the format multi-tile only"),
        ({"format": MULTI_TILE}, "format 'multi-tile': expected zero-aware or classic"),
        ({"metric": "mtm", "partition": "1-8/9-15"}, "'1-8' has 8 tiles; .* multi-tile tables have at most 6"),
    ],
)
def test_builds_that_make_no_sense(options, message, tmp_path):
    with pytest.raises(ValueError, match=message):
        puzzle15.build_tables(tables=tmp_path / "new", **options)
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_is_too_full(tmp_path, monkeypatch):
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage._replace(free=100_000_000))
    with pytest.raises(DiskFullError, match=r"196 MB of disk, 100 MB are free.*--tables") as caught:
        puzzle15.build_tables("7-8", tables=tmp_path / "new")
    assert isinstance(caught.value, OSError) and caught.value.errno is not None
    with pytest.raises(DiskFullError, match="building takes .* of disk"):
        puzzle15.build_tables("1-6/10-15/1-2,5-6,9-10", metric="mtm", tables=tmp_path / "new")
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


def test_sound_tables_verify(folder):
    calls = []
    reports = tables.verify(folder, workers=1, progress=lambda *call: calls.append(call))
    assert len(reports) == 9
    for report in reports:
        assert report.sound and report.seconds > 0 and report.entries == sum(report.table.counts)
    shares = [share for share, _ in calls]
    assert shares == sorted(shares) and shares[-1] <= 1


def only_problem(folder, path):
    reports = tables.verify(folder, workers=2)
    assert len(reports) == 9
    bad = [report for report in reports if not report.sound]
    assert [report.path for report in bad] == [path]
    return "; ".join(bad[0].problems)


@pytest.mark.parametrize("format", METRICS)
def test_any_flipped_payload_bit_is_found(format, folder, rng):
    path = sorted(folder.glob(f"*-{format}-*.p15"))[0]
    whole = path.read_bytes()
    for place in rng.integers(HEADER_BYTES, len(whole), 5).tolist() + [HEADER_BYTES, len(whole) - 1]:
        damaged = bytearray(whole)
        damaged[place] ^= 1 << int(rng.integers(8))
        path.write_bytes(damaged)
        assert "checksum" in only_problem(folder, path)
    path.write_bytes(whole)
    assert [report.sound for report in tables.verify(folder)] == [True] * 9


@pytest.mark.parametrize("format", METRICS)
def test_verifying_finds_what_a_wrong_builder_writes(format, folder, rng):
    """A payload with a fitting checksum: with a wrong goal, or one wrong bit if the table is built again."""
    path = sorted(folder.glob(f"*-{format}-*.p15"))[0]
    header, whole = tables.TableFile.read(path), path.read_bytes()
    aware, everywhere = format == "zero-aware", range(header.payload_bytes)
    for wrong in [everywhere] if aware else [[each] for each in rng.choice(everywhere, 5)]:
        payload = bytearray(whole[HEADER_BYTES:])
        for offset in wrong:
            payload[offset] ^= 0xFF if aware else 1
        pieces = range(0, len(payload), header.chunk_bytes)
        checksum = combine_checksums([zlib.crc32(payload[begin : begin + header.chunk_bytes]) for begin in pieces])
        path.write_bytes(replace(header, checksum=checksum).header() + payload)
        problem = only_problem(folder, path)
        if aware:
            assert "checksum" not in problem and ("goal" in problem or "closer" in problem)
        else:
            assert problem == "the entries differ from those of a new build"


def test_a_wrong_name_is_found(folder):
    path = sorted(folder.glob("*.p15"))[0]
    other = path.with_name("3x3-classic-ffff-0001.p15")
    path.rename(other)
    assert f"should be {path.name}" in only_problem(folder, other)


def test_a_broken_header_is_reported_not_raised(folder):
    path = sorted(folder.glob("*.p15"))[0]
    path.write_bytes(b"garbage")
    assert "no table file" in only_problem(folder, path)
    found, broken = tables.find_tables(folder)
    assert len(found) == 8 and len(broken) == 1 and str(path) in str(broken[0])


def test_an_empty_folder_verifies(tmp_path):
    assert tables.verify(tmp_path) == []
    assert tables.verify(tmp_path / "none") == []
    assert tables.find_tables(tmp_path / "none") == ([], [])


@pytest.mark.slow
def test_verifying_the_real_tables(tables_7_8):
    reports = tables.verify(tables_7_8)
    assert [report.path.name for report in reports] == [
        "4x4-zero-aware-00ff-ff00.p15",
        "4x4-zero-aware-7f00-8000.p15",
    ]
    assert [report.problems for report in reports] == [[], []]
    assert [report.entries for report in reports] == [1_425_191_040, 139_849_920]
    assert [report.table.max_value + 1 for report in reports] == [39, 35]
