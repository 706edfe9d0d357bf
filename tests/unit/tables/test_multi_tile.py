"""Tables of the multi-tile metric: their entries against the twin, their files, building and verifying them."""

import math
import shutil
from itertools import permutations

import pytest

from puzzle15 import tables
from puzzle15.errors import TableCorruptError
from puzzle15.tables import MULTI_TILE, TableFile, build_in_memory


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made")
    tables.build_tables("1-3/4-6/6-8", shape=(3, 3), metric="mtm", tables=folder)
    return folder


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.glob("*.p15")}


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


def test_headers_count_both_axes_of_every_state(made):
    for path in made.glob("*.p15"):
        table = TableFile.read(path)
        assert sum(table.counts) == 2 * math.perm(9, 4) and table.counts[0] == 2
        found = distances((3, 3), [cell for cell in range(9) if table.cells >> cell & 1], 8)
        assert table.counts == tuple(list(found.values()).count(value) for value in range(table.max_value + 1))


def test_equal_bytes_however_it_is_done(made, tmp_path):
    for threads in (1, 2):
        folder = tmp_path / str(threads)
        tables.build_tables("4-6/1-3/6-8", shape=(3, 3), metric="mtm", tables=folder, workers=threads)
        assert contents(folder) == contents(made)


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
    assert [table.path.name for table in found] == ["4x4-multi-tile-003f-8000.p15", "4x4-multi-tile-7e00-8000.p15"]
    assert sum(table.file_bytes for table in found) <= 60_000_000
    assert all(sum(table.counts) == 2 * math.perm(16, 7) for table in found)
    reports = tables.verify(tmp_path)
    assert all(report.sound for report in reports) and len(reports) == 2
