"""Tables of the multi-tile metric: their entries against the twin, their files, building and verifying them."""

import math
import shutil
import struct
import zlib
from itertools import permutations

import pytest
import twins

from puzzle15 import tables
from puzzle15.board import symmetries
from puzzle15.errors import TableCorruptError
from puzzle15.tables import HEADER_BYTES, MULTI_TILE, TableFile, build_in_memory, construction, partitions
from puzzle15.tables.file import combine_checksums

PLACES = [(shape, home) for shape in twins.SHAPES for home in range(math.prod(shape))]
NAME = "4x4-multi-tile-003f-8000.p15"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made")
    tables.build_tables("1-3/4-6/6-8", shape=(3, 3), metric="mtm", tables=folder)
    return folder


@pytest.fixture
def folder(made, tmp_path):
    """A copy that may be damaged."""
    return shutil.copytree(made, tmp_path / "tables")


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.glob("*.p15")}


def flip(path, place):
    content = bytearray(path.read_bytes())
    content[place] ^= 1
    path.write_bytes(content)


def distances(shape, goal_cells, home):
    """{(axis of the first move, cells of the tiles, blank): multi-tile moves}: by breadth-first search."""
    rows, cols = shape

    def lines(axis, blank):
        row, col = divmod(blank, cols)
        return [row * cols + c for c in range(cols)] if axis == 0 else [r * cols + col for r in range(rows)]

    level = [(axis, tuple(goal_cells), home) for axis in (0, 1)]
    found, moves = dict.fromkeys(level, 0), 0
    while level:
        moves += 1
        following = []
        for axis, cells, blank in level:
            # a move along the other axis leads here
            line = lines(1 - axis, blank)
            here = line.index(blank)
            for there, end in enumerate(line):
                if there == here:
                    continue
                step = 1 if there > here else -1
                shift = {line[i]: line[i - step] for i in range(here + step, there + step, step)}
                state = 1 - axis, tuple(shift.get(cell, cell) for cell in cells), end
                if state not in found:
                    found[state] = moves
                    following.append(state)
        level = following
    return found


# ---------------------------------------------------------------- entries


@pytest.mark.parametrize(
    "shape, cells, home",
    [
        ((2, 2), (0, 1), 3),
        ((2, 3), (0, 2), 4),
        ((3, 2), (0, 1, 4), 2),
        ((3, 3), (0, 4, 8), 5),
        ((2, 4), (1, 5, 6), 0),
        ((2, 8), (3, 12), 9),
        ((4, 4), (5, 10), 15),
        ((3, 5), (2, 7, 11), 6),
        ((2, 3), (0, 1, 2, 3, 4), 5),
    ],
)
@pytest.mark.sweep(7)
def test_every_entry_equals_the_twin(shape, cells, home):
    table = build_in_memory(shape, sum(1 << cell for cell in cells), home, MULTI_TILE)
    expected = distances(shape, cells, home)
    for places in permutations(range(math.prod(shape)), len(cells) + 1):
        *tiles, blank = places
        wanted = [expected.get((axis, tuple(tiles), blank)) for axis in (0, 1)]
        if None in wanted:  # a state that no board shows
            with pytest.raises(TableCorruptError):
                table.values(tiles, blank)
        else:
            assert table.values(tiles, blank) == tuple(wanted), (tiles, blank)
            assert table.value(tiles, blank) == min(wanted)


# ---------------------------------------------------------------- files


def test_headers_tell_what_was_built(made):
    assert sorted(contents(made)) == [f"3x3-multi-tile-{cells:04x}-0100.p15" for cells in (0x07, 0x38, 0xE0)]
    for path in made.glob("*.p15"):
        table = TableFile.read(path)
        page = path.read_bytes()[:HEADER_BYTES]
        assert page == table.header() and page[16] == 3 and tuple(page[17:20]) == (3, 3, 3)
        assert struct.unpack_from("<HH", page, 20) == (table.cells, 1 << 8)
        assert path.stat().st_size == table.file_bytes == HEADER_BYTES + table.payload_bytes
        assert combine_checksums(table.chunk_checksums()) == table.checksum
        # both axes of every state, and the goal for both
        assert sum(table.counts) == 2 * math.perm(9, 4) and table.counts[0] == 2
        found = distances((3, 3), [cell for cell in range(9) if table.cells >> cell & 1], 8)
        assert table.counts == tuple(list(found.values()).count(value) for value in range(table.max_value + 1))
        assert table.open().cells == table.load().cells == table.cells
    found, broken = tables.find_tables(made)
    assert [table.format for table in found] == [MULTI_TILE] * 3 and not broken


def test_equal_bytes_however_it_is_done(made, tmp_path):
    for threads in (1, 2):
        folder = tmp_path / str(threads)
        tables.build_tables("4-6/1-3/6-8", shape=(3, 3), metric="mtm", tables=folder, workers=threads)
        assert contents(folder) == contents(made)
    for path in made.glob("*.p15"):
        table = TableFile.read(path)
        assert build_in_memory((3, 3), table.cells, 8, MULTI_TILE).same_payload(table.mapped()[0])


def test_any_damage_of_the_header_is_found(folder):
    path = folder / "3x3-multi-tile-0007-0100.p15"
    whole = path.read_bytes()
    for place in (0, 8, 12, 16, 17, 19, 20, 22, 24, 40, 48, 52, 56, 64, 4092):
        flip(path, place)
        with pytest.raises(TableCorruptError, match="build it again"):
            TableFile.read(path)
        path.write_bytes(whole)
    for code in (0, 1, 2, 4):  # another format, signed
        page = bytearray(whole[:HEADER_BYTES])
        page[16] = code
        page[-4:] = struct.pack("<I", zlib.crc32(page[:-4]))
        path.write_bytes(page + whole[HEADER_BYTES:])
        with pytest.raises(TableCorruptError):
            TableFile.read(path)
    path.write_bytes(whole[:-1])
    with pytest.raises(TableCorruptError, match="bytes instead of"):
        TableFile.read(path)


# ---------------------------------------------------------------- building


def test_the_plan_adds_up(tmp_path):
    plan = tables.plan_build(metric="mtm", tables=tmp_path, workers=2)
    assert [plan.pattern(cells) for cells in plan.missing] == ["1-6", "10-15"] and plan.workers == 2
    assert plan.disk_bytes <= 60_000_000 and plan.memory_bytes < 600_000_000
    one = tables.plan_build(metric="mtm", tables=tmp_path, workers=2, max_memory=plan.memory_bytes - 1)
    assert (one.workers, one.memory_bytes) == (1, plan.memory_bytes // 2)
    assert tables.plan_build(metric="mtm", tables=tmp_path, workers=16).workers == 2


def test_nothing_is_left_of_an_interrupted_build(tmp_path):
    for threads in (1, 2):
        for last in (0, 5, 12):
            left = [last]

            def interrupt(share, what, left=left):
                left[0] -= 1
                if left[0] < 0:
                    raise KeyboardInterrupt("stop")

            with pytest.raises(KeyboardInterrupt, match="stop"):
                tables.build_tables("1-3/4-6", metric="mtm", tables=tmp_path, workers=threads, progress=interrupt)
            assert not list(tmp_path.glob("*.tmp*")) and len(contents(tmp_path)) <= 1
        shutil.rmtree(tmp_path)
        tmp_path.mkdir()


@pytest.mark.slow
def test_the_default_tables(tmp_path):
    found = tables.build_tables(metric="mtm", tables=tmp_path)
    assert [table.path.name for table in found] == [NAME, "4x4-multi-tile-7e00-8000.p15"]
    assert sum(table.file_bytes for table in found) <= 60_000_000
    assert all(sum(table.counts) == 2 * math.perm(16, 7) for table in found)
    reports = tables.verify(tmp_path)
    assert all(report.sound for report in reports) and len(reports) == 2


# ---------------------------------------------------------------- patterns


@pytest.mark.parametrize("largest", [5, 6])
def test_default_patterns_fit_every_shape_and_home(largest):
    for shape, home in PLACES:
        patterns = partitions.default_patterns(shape, home, largest=largest)
        kept = [symmetry for symmetry in twins.symmetries(shape) if symmetry[home] == home]
        views = [{partitions.carry(symmetry, cells) for symmetry in kept} for cells in patterns]
        assert 1 <= sum(map(len, views)) <= 8
        assert all(not one & other for i, one in enumerate(views) for other in views[:i])
        for cells in patterns:
            assert 1 <= bin(cells).count("1") <= largest
            assert not cells >> home & 1 and cells < 1 << math.prod(shape)
        assert set(kept) == set(symmetries(shape, home))


@pytest.mark.parametrize(
    "text, cells",
    [
        (None, [0x3F, 0x7E00]),
        ("1-6/10-15", [0x3F, 0x7E00]),
        (" 1 - 3 , 5 / 3,4", [0x17, 0x0C]),
        ("1/1/2", [1, 2]),
        ("7-8", [0xC0]),
    ],
)
def test_patterns_as_text(text, cells):
    assert partitions.parse_patterns(text, (4, 4), 15) == cells


@pytest.mark.parametrize(
    "text, message",
    [
        ("", "patterns '': expected tiles such as 1-6/10-15, not ''"),
        ("1-3/", "patterns '1-3/': expected tiles"),
        ("5-5-5", "expected tiles such as 1-6/10-15, not '5-5-5'"),
        ("6-5", "'6-5' names no tiles of 1 .. 15"),
        ("0-3", "'0-3' names no tiles"),
        ("1-16", "names no tiles of 1 .. 15"),
        ("1-3,2", "'1-3,2' names a tile twice"),
        ("1-7", "'1-7' has 7 tiles; patterns of multi-tile tables have at most 6"),
    ],
)
def test_patterns_that_are_none(text, message):
    with pytest.raises(ValueError, match=message):
        partitions.parse_patterns(text, (4, 4), 15)


@pytest.mark.parametrize("given", [7, ("1-3",), b"1-3"])
def test_patterns_that_are_no_text(given):
    with pytest.raises(TypeError, match="expected text"):
        partitions.parse_patterns(given, (4, 4), 15)


@pytest.mark.parametrize("cells, home", [(0x8001, 15), (0, 15), (0x7F, 15)])
def test_patterns_that_have_no_table(cells, home):
    with pytest.raises(ValueError):
        construction.build_in_memory((4, 4), cells, home, MULTI_TILE)
