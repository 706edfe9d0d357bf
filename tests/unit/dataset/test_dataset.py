"""Labelled boards: which are drawn, and that folders of them survive whatever happens to them."""

import contextlib
import json
import os
import re
import signal
import tracemalloc
import zipfile
from collections import Counter
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest
import twins

from puzzle15 import Board, Solver
from puzzle15.board import unpack_boards
from puzzle15.cli import main
from puzzle15.dataset import (
    Distances,
    Uniform,
    Walk,
    at_distances,
    check,
    chunks,
    distances,
    files,
    load,
    parse_distribution,
    random_walk,
    uniform,
    write,
)
from puzzle15.dataset.distances import plan_draws
from puzzle15.dataset.levels import levels_to
from puzzle15.errors import DatasetCorruptError, DatasetError, TableMissingError
from puzzle15.published import depth_counts

EIGHT = Solver(shape=(3, 3))


def chi_squared(observed, expected):
    """How many standard deviations the statistic is above its mean."""
    freedom = len(observed) - 1
    statistic = sum((o - e) ** 2 / e for o, e in zip(observed, expected))
    return (statistic - freedom) / (2 * freedom) ** 0.5


def is_uniform(boards, number):
    _, counts = np.unique(boards, return_counts=True)
    assert len(counts) == number
    return chi_squared(counts, [len(boards) / number] * number) < 4


@pytest.fixture
def few_listed(monkeypatch):
    """Levels of the 3x3 board are listed up to 20 boards only: up to distance 5."""
    monkeypatch.setattr(distances, "_MOST_LISTED", 20)


# ---------------------------------------------------------------- boards ---


@pytest.mark.parametrize("goal", ["1 2/3 0", "0 3/2 1"])
def test_uniform_boards(goal, rng):
    boards = uniform(12_000, rng, goal=goal)
    assert is_uniform(boards, 12)
    assert all(Board(board, (2, 2)).is_solvable(goal) for board in np.unique(boards).tolist())


def test_uniform_boards_of_the_15_puzzle():
    boards = uniform(20_000, np.random.default_rng(1))
    assert all(Board(int(board)).is_solvable() for board in boards[:500])
    assert len(np.unique(boards)) == len(boards)
    assert np.array_equal(uniform(100, np.random.default_rng(1)), boards[:100])
    assert not np.array_equal(uniform(100, np.random.default_rng(2)), boards[:100])


@pytest.mark.parametrize("shape", [(2, 8), (4, 4), (5, 3)])
def test_uniform_boards_have_every_tile_everywhere(shape, rng):
    tiles = unpack_boards(uniform(20_000, rng, shape=shape), shape)
    cells = shape[0] * shape[1]
    for cell in range(cells):
        counts = np.bincount(tiles[:, cell], minlength=cells)
        assert chi_squared(counts, [20_000 / cells] * cells) < 5
    assert uniform(0, rng, shape=shape).shape == (0,)


def test_walks_take_every_way_but_back(rng):
    shape, start = (3, 3), twins.goal((3, 3), 4)

    def walks(board, last, share, left):
        if not left:
            yield board, share
            return
        cell = board.index(0)
        ways = [d for d in range(4) if twins.neighbour(shape, cell, d) >= 0 and d != 3 - last]
        for direction in ways:
            to, tiles = twins.neighbour(shape, cell, direction), list(board)
            tiles[cell], tiles[to] = tiles[to], 0
            yield from walks(tuple(tiles), direction, share / len(ways), left - 1)

    expected = Counter()
    for board, share in walks(start, 9, 1.0, 5):
        expected[board] += share
    boards = random_walk(20_000, 5, rng, goal=start, shape=shape)
    found = Counter(map(tuple, unpack_boards(boards, shape).tolist()))
    assert set(found) == set(expected)
    assert chi_squared([found[b] for b in expected], [20_000 * share for share in expected.values()]) < 4


def test_walks_of_many_lengths(rng):
    boards = random_walk(4, [0, 1, 2, 3], rng, shape=(3, 3))
    assert EIGHT.distance_many(boards).tolist() == [0, 1, 2, 3]
    distances = EIGHT.distance_many(Walk(2, 4).draw(3000, rng, EIGHT))
    assert chi_squared(np.bincount(distances)[2:], [1000] * 3) < 4


@pytest.mark.parametrize("lengths", [-1, [1, 2, -3], 1.5])
def test_walks_that_are_none(lengths, rng):
    with pytest.raises(ValueError, match="whole numbers of moves"):
        random_walk(3, lengths, rng)


@pytest.mark.parametrize("distance", [0, 1, 30, 31])
def test_boards_at_a_distance_that_are_listed(distance, rng):
    number = depth_counts((3, 3))[distance]
    boards = at_distances(np.full(50 * number, distance), rng, EIGHT)
    assert (EIGHT.distance_many(boards) == distance).all()
    assert number == 1 or is_uniform(boards, number)


def test_boards_at_a_distance_by_steps(few_listed, rng):
    """Boards that have several shortest solutions are not drawn more often for it."""
    assert plan_draws([10], EIGHT.goal) == ({10: "step"}, 5)
    number = depth_counts((3, 3))[10]
    boards = at_distances(np.full(25 * number, 10), rng, EIGHT)
    assert (EIGHT.distance_many(boards) == 10).all() and is_uniform(boards, number)


@pytest.mark.slow
def test_boards_at_a_distance_by_rejection(few_listed, rng):
    assert plan_draws([30], EIGHT.goal) == ({30: "reject"}, 5)
    number = depth_counts((3, 3))[30]
    boards = at_distances(np.full(8 * number, 30), rng, EIGHT)
    assert (EIGHT.distance_many(boards) == 30).all() and is_uniform(boards, number)


def test_boards_at_many_distances_lie_where_they_were_asked_for(few_listed, rng):
    wanted = rng.permutation(np.repeat([0, 5, 9, 10, 20, 23, 24, 28], 7))
    plan, _ = plan_draws(wanted.tolist(), EIGHT.goal)
    assert set(plan.values()) == {"list", "step", "reject"}
    assert (EIGHT.distance_many(at_distances(wanted, rng, EIGHT)) == wanted).all()


def test_boards_that_are_climbed_to(few_listed, monkeypatch, rng):
    monkeypatch.setattr(distances, "_MOST_REJECTED", 0)
    wanted = [30, 27, 30, 31]
    plan, _ = plan_draws(wanted, EIGHT.goal)
    assert set(plan.values()) == {"climb"} and not Distances([3, 30]).equally_likely(EIGHT.goal)
    assert EIGHT.distance_many(at_distances(wanted, rng, EIGHT)).tolist() == wanted
    assert at_distances([], rng, EIGHT).shape == (0,)


def test_how_every_distance_of_the_15_puzzle_is_drawn():
    plan, listed = plan_draws(range(81), Board.goal())
    kinds = list(plan.values())
    steps = kinds.count("step")
    assert listed == 22 and kinds == ["list"] * 23 + ["step"] * steps + ["reject"] * (46 - steps) + ["climb"] * 12
    assert Distances(range(69)).equally_likely(Board.goal()) and not Distances([69]).equally_likely(Board.goal())
    with pytest.raises(ValueError, match="0 .. 80 moves"):
        plan_draws([81], Board.goal())


@pytest.mark.parametrize("home, kind", [(15, "corner"), (3, "corner"), (7, "edge"), (9, "center")])
def test_the_published_numbers_of_a_home(home, kind):
    goal = Board.goal((4, 4), home)
    assert tuple(map(len, levels_to(goal, 12))) == depth_counts((4, 4), kind)[:13]
    with pytest.raises(ValueError, match=rf"expected 0 \.\. {len(depth_counts((4, 4), kind)) - 1},"):
        plan_draws([90], goal)


def test_the_numbers_are_the_published_ones():
    path = os.path.join(os.path.dirname(__file__), "..", "..", "data", "depth_counts.json")
    with open(path, encoding="ascii") as file:
        published = json.load(file)
    for entry in published.values():
        shape, metric = (entry["rows"], entry["cols"]), {"single": "stm", "multi": "mtm"}[entry["metric"]]
        for either in (shape, shape[::-1]):
            assert list(depth_counts(either, entry["blank_home"], metric=metric)) == entry["counts"]
    assert depth_counts((3, 4), "edge", metric="mtm") is None
    with pytest.raises(ValueError, match="metric 'xyz': expected stm"):
        depth_counts((3, 4), metric="xyz")
    assert depth_counts((3, 4), "edge") is None


@pytest.mark.parametrize(
    "text",
    ["uniform", "walk:7", "walk:0-100", "distance:53", "distance:1-3,7=2.5", "distance:1=3,2-3=0.1,4"],
)
def test_distributions_as_text(text):
    distribution = parse_distribution(text)
    assert str(distribution) == text and parse_distribution(str(distribution)) == distribution
    assert len({distribution, parse_distribution(f" {text} ")}) == 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "uniform:3",
        "walk",
        "walk:",
        "walk:3-2",
        "walk:1,2",
        "walk:3=2",
        "distance:-4",
        "distance:a",
        "distance:5,5",
        "distance:5=0",
        "distances:5",
        "distance:",
    ],
)
def test_texts_that_are_no_distribution(text):
    with pytest.raises(ValueError, match="expected"):
        parse_distribution(text)


def test_distances_are_drawn_by_their_weights(rng):
    distances = EIGHT.distance_many(Distances({3: 1, 10: 2, 20: 5}).draw(8000, rng, EIGHT))
    assert chi_squared(np.bincount(distances)[[3, 10, 20]], [1000, 2000, 5000]) < 4


# ---------------------------------------------------------------- folders ---


def contents(folder):
    """The bytes of every file."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def make(folder, count=2_300, **options):
    settings = {"seed": 7, "distribution": "distance:2-25", "solver": EIGHT, "shard": 1_000, **options}
    return write(folder, count, **settings)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"first_moves": True, "table_values": True},
        {"along_path": True, "first_moves": True},
        {"solver": Solver(goal="3 1 2/0 4 5/8 7 6"), "along_path": True},
        {"solver": Solver(shape=(2, 4)), "table_values": True},
    ],
)
def test_what_is_written(options, tmp_path):
    dataset = make(tmp_path / "a", **options)
    solver = options.get("solver", EIGHT)
    flags = {name: value for name, value in options.items() if name != "solver"}
    assert dataset.complete and dataset.goal == solver.goal
    there = sorted(path.name for path in (tmp_path / "a").iterdir())
    assert there == ["manifest.json", *(f"shard-0000{n}.npz" for n in range(3))]
    boards = [
        Distances(range(2, 26)).draw(
            min(500, 2_300 - 500 * chunk),
            np.random.Generator(np.random.PCG64(np.random.SeedSequence(7, spawn_key=(chunk,)))),
            solver,
        )
        for chunk in range(5)
    ]
    expected = solver.label(np.concatenate(boards), **flags)
    assert list(dataset.columns) == list(expected)
    for name, column in expected.items():
        found = dataset.array(name)
        assert found.dtype == column.dtype and np.array_equal(found, column)
    assert len(dataset) == len(expected["board"])
    assert dataset.histogram.tolist() == np.bincount(expected["distance"]).tolist()
    reports = check(tmp_path / "a")
    assert [report.problems for report in reports] == [[]] * 3
    assert sum(report.rows for report in reports) == len(dataset)
    assert sum(report.sample for report in reports) == 200


def test_the_bytes_do_not_depend_on_who_works(tmp_path):
    make(tmp_path / "one")
    make(tmp_path / "two", workers=2)
    with ProcessPoolExecutor(2) as pool:
        make(tmp_path / "pool", workers=pool)
    assert contents(tmp_path / "one") == contents(tmp_path / "two") == contents(tmp_path / "pool")


@pytest.mark.parametrize("along_path", [False, True])
def test_shards_cut_the_same_boards_anywhere(along_path, tmp_path):
    """Chunks of 500 boards, shards of 130 and of 1,201."""
    datasets = [make(tmp_path / str(shard), shard=shard, along_path=along_path) for shard in (130, 1_201, 9_999)]
    for name in datasets[0].columns:
        columns = [dataset.array(name) for dataset in datasets]
        assert np.array_equal(columns[0], columns[1]) and np.array_equal(columns[0], columns[2])
    assert [entry["boards"] for entry in datasets[1].manifest["shards"]] == [1_201, 1_099]


_SCRIPT = """
import sys
from puzzle15 import Solver
from puzzle15.dataset import write
write(sys.argv[1], 4_000, seed=7, distribution="distance:2-25", solver=Solver(shape=(3, 3)), shard=900, resume=True,
      along_path=True, progress=lambda done, count: print(done, flush=True))
"""


@pytest.fixture
def start(start):
    """Start a script with the name of a folder."""
    return lambda script, folder: start("-c", script, folder, cwd=folder.parent, text=True)


@pytest.mark.slow
def test_killed_at_any_moment_and_resumed(start, tmp_path, rng):
    options = {"count": 4_000, "shard": 900, "along_path": True}
    make(tmp_path / "whole", **options)
    folder = tmp_path / "killed"
    for _ in range(5):
        process = start(_SCRIPT, folder)
        for _ in range(int(rng.integers(2, 7))):
            process.stdout.readline()
        process.kill()
        process.wait()
    finished = load(folder).shard_count
    seen = []
    dataset = make(folder, resume=True, progress=lambda done, count: seen.append(done), **options)
    assert dataset.complete and seen[-1] == 4_000
    assert seen[0] >= 900 * finished - 500  # what was finished is not made again
    assert contents(folder) == contents(tmp_path / "whole")


@pytest.mark.parametrize("workers", [None, 2])
@pytest.mark.parametrize("options", [{"shard": 900}, {"along_path": True}], ids=str)
def test_bytes_do_not_depend_on_the_size_of_tasks(workers, options, tmp_path, monkeypatch):
    make(tmp_path / "whole", **options)
    for size in (2, 100):
        interrupt(tmp_path / str(size), monkeypatch, after=2, workers=workers, chunks_per_task=size, **options)
        make(tmp_path / str(size), resume=True, workers=workers, chunks_per_task=3, **options)
        assert contents(tmp_path / str(size)) == contents(tmp_path / "whole")


def save(path, columns, count=1):
    """Write columns as a shard, in so many pieces."""
    types = {name: (array.dtype, array.shape[1:]) for name, array in columns.items()}
    rows = np.array_split(np.arange(len(columns["distance"])), count)
    files.write_arrays(path, types, [{name: array[some] for name, array in columns.items()} for some in rows])


def test_nothing_of_the_day_or_the_machine_is_in_a_file(tmp_path):
    save(tmp_path / "a.npz", {"distance": np.arange(6, dtype=np.uint16).reshape(3, 2)})
    with zipfile.ZipFile(tmp_path / "a.npz") as archive:
        [entry] = archive.infolist()
        header, numbers = archive.read(entry)[:-12], archive.read(entry)[-12:]
    assert (entry.filename, entry.date_time, entry.create_system) == ("distance.npy", (1980, 1, 1, 0, 0, 0), 3)
    assert (entry.compress_type, entry.external_attr) == (8, 0o644 << 16)
    assert header.startswith(b"\x93NUMPY\1\0") and numbers == bytes([0, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0])


@pytest.mark.parametrize("kind, smaller", [("random", True), ("repeated", False)])
def test_columns_are_compressed_as_suits_them(kind, smaller, tmp_path, rng):
    """Random boards become smaller than by plain deflate, and rows that repeat one another do not become larger."""
    boards = unpack_boards(uniform(4_000, rng), (4, 4))
    if kind == "repeated":
        boards = boards[np.arange(4_000) // 50]
    save(tmp_path / "a.npz", {"distance": boards}, count=2)
    np.savez_compressed(tmp_path / "b.npz", distance=boards)
    assert np.array_equal(np.load(tmp_path / "a.npz")["distance"], boards)
    plain = (tmp_path / "b.npz").stat().st_size
    assert (tmp_path / "a.npz").stat().st_size < (0.95 * plain if smaller else plain + 50)


def test_damage_is_found_and_mended(tmp_path, rng):
    make(tmp_path)
    sound = contents(tmp_path)
    flipped, cut, gone = (tmp_path / f"shard-0000{n}.npz" for n in range(3))
    data = bytearray(flipped.read_bytes())
    data[int(rng.integers(len(data)))] ^= 1 << int(rng.integers(8))
    flipped.write_bytes(data)
    cut.write_bytes(cut.read_bytes()[:-100])
    gone.unlink()
    reports = check(tmp_path)
    assert [report.sound for report in reports] == [False] * 3
    assert [report.path.name for report in reports] == [flipped.name, cut.name, gone.name]
    assert [text for report in reports for text in report.problems] == [
        "its SHA-256 is not that of the manifest",
        f"{cut.stat().st_size:,} bytes instead of {cut.stat().st_size + 100:,}",
        "missing",
    ]
    for name in ("board", "solution"):
        with pytest.raises(DatasetCorruptError, match="--resume"):
            load(tmp_path).array(name)
    make(tmp_path, resume=True)
    assert contents(tmp_path) == sound
    assert [report.sound for report in check(tmp_path)] == [True] * 3


def interrupt(folder, monkeypatch, after, **options):
    """Write, and be interrupted after so many chunks."""

    def stop(done, count, calls=[]):  # noqa: B006
        calls.append(done)
        if len(calls) > after:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make(folder, progress=stop, **options)


def test_what_there_is_of_an_incomplete_one(tmp_path, monkeypatch):
    interrupt(tmp_path, monkeypatch, after=3)
    dataset = load(tmp_path)
    assert not dataset.complete and len(dataset) == 1_000 == len(dataset.array("board")) == dataset.histogram.sum()
    assert "incomplete: 1 of 3 shards, 1,000 of 2,300 boards" in repr(dataset)
    assert [report.problems for report in check(tmp_path)] == [[], ["not made yet"], ["not made yet"]]


def test_other_settings_are_refused(tmp_path):
    make(tmp_path)
    before = contents(tmp_path)
    with pytest.raises(DatasetError, match="not empty"):
        make(tmp_path)
    for option, text in [
        ({"seed": 8}, "begun with seed 7, not with 8; ask for the same, or name another folder"),
        ({"shard": 999}, "shard 1000, not with 999"),
        ({"first_moves": True}, "begun without --first-moves .*; leave it out"),
        ({"count": 2_301}, "count 2300, not with 2301"),
        ({"distribution": "uniform"}, 'distribution "distance:2-25", not with "uniform"'),
        ({"solver": Solver(goal="0 1 2/3 4 5/6 7 8")}, "goal"),
    ]:
        with pytest.raises(DatasetError, match=text):
            make(tmp_path, resume=True, **option)
    assert contents(tmp_path) == before


def test_other_tables_are_refused(tmp_path, small_tables):
    options = {"count": 20, "distribution": "walk:20"}
    make(tmp_path, solver=Solver("6-6-3", tables=small_tables), **options)
    assert len(load(tmp_path).manifest["tables"]["files"]) == 3
    with pytest.raises(DatasetError, match="tables"):
        make(tmp_path, resume=True, solver=Solver("5-5-5", tables=small_tables), **options)
    # the same boards, whoever tells their distances
    assert [report.sound for report in check(tmp_path, solver=Solver("embedded"))] == [True]


def test_a_worker_with_other_tables_stops_it(tmp_path, small_tables):
    solver = Solver("6-6-3", tables=small_tables)
    maker = chunks.ChunkMaker(Solver("embedded"), chunks.describe_tables(solver), Uniform(), 1, 10, {})
    with pytest.raises(TableMissingError, match="other tables"):
        maker([0])


def test_one_writes_at_a_time(start, tmp_path):
    script = (
        "import sys; from pathlib import Path; from puzzle15.parallel import locked\n"
        "with locked(Path(sys.argv[1], '.lock')): print('locked', flush=True); sys.stdin.read()"
    )
    process = start(script, tmp_path)
    assert process.stdout.readline() == "locked\n"
    with pytest.raises(DatasetError, match="another process is writing here"):
        make(tmp_path, resume=True)
    process.kill()
    process.wait()
    make(tmp_path)


_POOL_SCRIPT = """
import sys
from concurrent.futures import ProcessPoolExecutor
from puzzle15 import Solver
from puzzle15.dataset import write
with ProcessPoolExecutor(2) as pool:
    write(sys.argv[1], 200_000, seed=7, distribution="distance:2-25", solver=Solver(shape=(3, 3)), workers=pool,
          progress=lambda done, count: print(done, *pool._processes, flush=True))
"""


def test_the_orphans_of_a_killed_process_do_not_keep_the_folder(start, tmp_path):
    process = start(_POOL_SCRIPT, tmp_path)
    process.stdout.readline()
    orphans = [int(word) for word in process.stdout.readline().split()[1:]]
    process.kill()
    process.wait()
    try:
        assert orphans and (tmp_path / ".lock").exists()
        with pytest.raises(DatasetError, match="begun with count 200000, not with 2300"):
            make(tmp_path, resume=True)
    finally:
        for orphan in orphans:
            with contextlib.suppress(ProcessLookupError):
                os.kill(orphan, signal.SIGKILL)


def test_folders_that_are_none(tmp_path):
    with pytest.raises(DatasetError, match="expected labelled boards, but there is no manifest.json"):
        load(tmp_path)
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(DatasetError, match="nothing to resume, .* letter.txt"):
        make(tmp_path, resume=True)
    (tmp_path / "manifest.json").write_text("{}")
    with pytest.raises(DatasetCorruptError, match="damaged"):
        load(tmp_path)
    (tmp_path / "manifest.json").unlink()
    (tmp_path / "letter.txt").unlink()
    make(tmp_path, resume=True)
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    (tmp_path / "manifest.json").write_text(json.dumps({**manifest, "format_version": 3}))
    with pytest.raises(DatasetError, match="version 3 of the format"):
        load(tmp_path)


@pytest.mark.parametrize("options", [{"count": 0}, {"seed": -1}, {"shard": 0}, {"distribution": "distance:32"}])
def test_settings_that_are_none(options, tmp_path):
    with pytest.raises(ValueError):
        make(tmp_path / "new", **options)
    assert not (tmp_path / "new").exists()


# ---------------------------------------------------------------- manifests that cannot be believed ---

_OTHERS = (
    "gone",
    None,
    True,
    False,
    -1,
    0,
    1.5,
    10**22,
    10**400,
    float("nan"),
    float("inf"),
    "x",
    "../../../../etc/passwd",
    "\x1b[2J",
    [],
    [[]],
    {},
    {"x": 1},
    [1, 2, 3, "x"],
    "deep",
)


def fields(value, path=()):
    """The paths of all values in a manifest; of lists the first and the last."""
    yield path
    keys = value if isinstance(value, dict) else {0, len(value) - 1} - {-1} if isinstance(value, list) else ()
    for key in keys:
        yield from fields(value[key], (*path, key))


def changed(manifest, path, value):
    manifest = json.loads(json.dumps(manifest))
    place = manifest
    for key in path[:-1]:
        place = place[key]
    if value == "gone":
        del place[path[-1]]
    else:
        for _ in range(400 if value == "deep" else 0):
            value = [value]
        place[path[-1]] = value
    return manifest


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"along_path": True, "first_moves": True, "table_values": True},
        pytest.param({"format": "parquet", "first_moves": True, "table_values": True}, marks=pytest.mark.extra),
    ],
)
@pytest.mark.slow
def test_no_manifest_leads_to_another_error(options, tmp_path):
    """Each value removed, and replaced by values of other types and sizes: that is damage, or it does not matter."""
    if "format" in options:
        pytest.importorskip("pyarrow")
    make(tmp_path, 30, shard=20, **options)
    path = tmp_path / "manifest.json"
    text = path.read_text()
    shards = {name: bytes for name, bytes in contents(tmp_path).items() if name != path.name}
    outcomes = Counter()
    for place in fields(json.loads(text)):
        for value in _OTHERS if place else ():
            path.write_text(json.dumps(changed(json.loads(text), place, value)))
            try:
                dataset = load(tmp_path)
            except DatasetCorruptError as error:
                assert str(path) in str(error) and "expected" in str(error) and "label again" in str(error)
                with pytest.raises(DatasetCorruptError):
                    make(tmp_path, 30, shard=20, resume=True, **options)
                outcomes["corrupt"] += 1
            except DatasetError as error:
                assert place == ("format_version",), error
            else:
                outcomes["sound"] += 1
                with contextlib.suppress(DatasetCorruptError):
                    list(dataset.shards())
                    dataset.array("board")
                    repr(dataset), dataset.histogram
                check(tmp_path, sample=2, solver=EIGHT)
                with contextlib.suppress(DatasetError):
                    make(tmp_path, 30, shard=20, resume=True, **options)
    assert outcomes["corrupt"] > 500 and outcomes["sound"] > 0
    assert {name: bytes for name, bytes in contents(tmp_path).items() if name != path.name} == shards


@pytest.mark.parametrize(
    "change, told",
    [
        ({"columns": "gone"}, "'columns' is missing"),
        ({"rows": "x"}, "rows is 'x', expected 30"),
        ({"rows": 10**22}, "rows is 10000000000000000000000, expected 30"),
        ({"count": 10**22}, "count 10000000000000000000000: expected a whole number from 1 to "),
        ({"goal": "1 2 3"}, "'1 2 3': 3 numbers, but a 3x3 board has 9"),
        ({"format_version": 2}, "format is missing, expected 'parquet'"),
    ],
)
def test_what_is_said_of_a_manifest(change, told, tmp_path):
    manifest = make(tmp_path, 30).manifest
    for name, value in change.items():
        manifest = changed(manifest, (name,), value)
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(DatasetCorruptError, match=f"manifest.json: damaged: {told}.*; restore it from a copy, or"):
        load(tmp_path)


@pytest.mark.parametrize(
    "place, value, told",
    [
        (("columns", 0, "dtype"), "foo", r"columns\[0\].dtype is 'foo', expected 'uint8'"),
        (("shards", 0, "name"), "gone", r"shards\[0\].name is missing, expected 'shard-00000.npz'"),
        (("shards", 0, "name"), "../../../../etc/passwd", r"shards\[0\].name is '../../../../etc/passwd', expected"),
        (("shards", 0, "rows"), 10**13, r"shards\[0\].rows is 10000000000000, expected 30"),
        (("shards", 0, "sha256"), "0", r"shards\[0\].sha256 is '0', expected 64 hexadecimal"),
    ],
)
def test_what_is_said_of_an_entry(run, place, value, told, tmp_path):
    manifest = make(tmp_path, 30).manifest
    (tmp_path / "manifest.json").write_text(json.dumps(changed(manifest, place, value)))
    with pytest.raises(DatasetCorruptError, match=told):
        load(tmp_path)
    code, out, err = run("--check", tmp_path)
    assert code not in (0, None) and out == "" and re.search(told, err)


@pytest.mark.parametrize("text", ["", "[" * 200_000, "{", "null", "3", "\xff", '"' + "x" * 10**6, '{"kind": "other"}'])
def test_manifests_that_are_no_json(text, tmp_path):
    make(tmp_path, 30)
    (tmp_path / "manifest.json").write_bytes(text.encode("latin-1"))
    for call in (load, check, lambda folder: make(folder, 30, resume=True)):
        with pytest.raises(DatasetCorruptError, match="restore it from a copy"):
            call(tmp_path)


def test_a_shard_that_is_smaller_than_its_rows(tmp_path):
    """No memory is taken for rows that cannot be in the file, whatever manifest and file say."""
    manifest = make(tmp_path, 30).manifest
    entry = manifest["shards"][0]
    entry.update(boards=10**12, rows=10**12, distances=[10**12], bytes=10**11)
    manifest.update(count=10**12, shard=10**12, boards=10**12, rows=10**12, distances=[10**12])
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(DatasetCorruptError, match="shard-00000.npz: damaged .*expected 100,000,000,000"):
        load(tmp_path).array("board")
    entry["bytes"] = (tmp_path / "shard-00000.npz").stat().st_size
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(DatasetCorruptError, match=r"shards\[0\].bytes "):
        load(tmp_path)


@pytest.mark.parametrize(
    "along_path, rows, sound",
    [(False, 29, False), (False, 30, True), (False, 31, False)]
    + [(True, rows, 30 <= rows <= 30 * 256) for rows in (29, 30, 30 * 256, 30 * 256 + 1)],
)
def test_how_many_rows_boards_may_have(along_path, rows, sound, tmp_path):
    manifest = make(tmp_path, 30, along_path=along_path).manifest
    manifest["shards"][0].update(rows=rows, distances=[0, rows])
    manifest.update(rows=rows, distances=[0, rows])
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    if sound:
        assert len(load(tmp_path)) == rows
    else:
        with pytest.raises(DatasetCorruptError, match=rf"shards\[0\].distances sum up to {rows}, expected 30 \.\. "):
            load(tmp_path)


def test_forgotten_options_are_named(run, tmp_path, small_tables):
    run("--output", tmp_path / "a", *SETTINGS, "--first-moves", "--along-path")
    code, _, err = run("--output", tmp_path / "a", *SETTINGS, "--resume", "--table-values")
    assert code == 2 and "columns" not in err
    for told in (
        "begun with --first-moves (first_moves=True); add it",
        "begun with --along-path (along_path=True); add it",
        "begun without --table-values (table_values=True); leave it out",
        "; ask for the same, or name another folder",
    ):
        assert told in err
    options = "--count", 10, "--walk", "5"
    run("--output", tmp_path / "b", *options, "--partition", "6-6-3", "--tables", small_tables)
    code, _, err = run(
        "--output", tmp_path / "b", *options, "--tables", small_tables, "--partition", "5-5-5", "--resume"
    )
    assert code == 2 and re.search('begun with tables {.*"partitions": .*}, not with {.*}; ask for the same', err)


def test_columns_by_name(tmp_path):
    dataset = make(tmp_path, count=10)
    assert [list(shard) for shard in dataset.shards("distance")] == [["distance"]]
    assert [list(shard) for shard in dataset.shards(["solution", "board"])] == [["solution", "board"]]
    for call in (dataset.array, dataset.shards):
        with pytest.raises(KeyError, match="has board, distance, solution"):
            call("distances")


def test_memory_does_not_grow_with_the_number(tmp_path, monkeypatch):
    monkeypatch.setattr(Walk, "chunk", 200)
    peaks = []
    for count in (1_000, 10_000):
        tracemalloc.start()
        make(tmp_path / str(count), count=count, distribution="walk:4", shard=400)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.2 * peaks[0] + 100_000


# ---------------------------------------------------------------- the command ---


@pytest.fixture
def run(capsys):
    """Run `puzzle15 label`: (exit code, output, errors)."""

    def run(*argv):
        try:
            code = main(["label", *map(str, argv)])
        except SystemExit as end:  # argparse
            code = end.code
        return (code, *capsys.readouterr())

    return run


SETTINGS = ("--count", "2k", "--seed", 7, "--distance", "2-25", "--shape", "3x3", "--shard", 900)


def test_the_command(run, tmp_path):
    folder = tmp_path / "boards"
    code, out, err = run("--output", folder, *SETTINGS, "--first-moves", "--table-values", "--along-path")
    dataset = load(folder)
    assert code == 0 and out == (
        f"{folder}: 2,000 boards, {len(dataset):,} rows, mean distance {dataset.array('distance').mean():.3f}\n"
    )
    assert re.search(r"2,000 boards labelled in .*, [\d,]+ boards per second\n$", err)
    first, _, rest = err.partition("\n")  # said beforehand
    assert re.search("--first-moves: labelling takes 2 to 3 times as long, or 5 to 10", first) and rest
    assert list(dataset.columns) == ["board", "distance", "solution", "start", "first_moves", "table_values"]
    make(tmp_path / "same", 2_000, shard=900, first_moves=True, table_values=True, along_path=True)
    assert contents(folder) == contents(tmp_path / "same")


def test_the_command_resumes_and_checks(run, tmp_path):
    folder = tmp_path / "boards"
    assert run("--output", folder, *SETTINGS, "--quiet")[::2] == (0, "")
    sound = contents(folder)
    code, out, err = run("--check", folder, "--sample", 30)
    assert (code, err) == (0, "") and out.count("sound, ") == 3
    (folder / "shard-00001.npz").write_bytes(b"")
    code, out, err = run("--check", folder, "--json", "--sample", 0)
    records = [json.loads(line) for line in out.splitlines()]
    assert code == 1 and [record["sound"] for record in records] == [True, False, True]
    assert records[0] == {
        "path": str(folder / "shard-00000.npz"),
        "sound": True,
        "rows": 900,
        "sample": 0,
        "problems": [],
    }
    assert "1 of 3 shards are unsound; make them again: puzzle15 label --resume" in err
    code, out, err = run("--output", folder, *SETTINGS, "--resume", "--json", "--quiet", "--workers", 2)
    record = json.loads(out)
    assert (code, err) == (0, "") and contents(folder) == sound
    assert record["boards"] == record["rows"] == 2_000 and record["labelled"] == 1_500  # three chunks
    assert set(record) == {
        "folder",
        "boards",
        "rows",
        "labelled",
        "seconds",
        "boards_per_second",
        "mean_distance",
        "shards",
    }
    code, out, err = run("--output", folder, *SETTINGS, "--resume")
    assert code == 0 and err.endswith("puzzle15: 0 boards labelled\n")


@pytest.mark.parametrize(
    "words, message",
    [
        ((), "expected --output FOLDER, or --check WHAT"),
        (("--output", "new"), "add --count"),
        (("--output", "new", "--count", "0"), "count 0: expected a whole number of at least 1"),
        (("--output", "new", "--count", "9", "--shard", "0"), "shard 0: expected a whole number of at least 1"),
        (
            ("--output", "new", "--count", "9", "--chunks-per-task", "0"),
            "--chunks-per-task 0: expected a whole number of",
        ),
        (("--check", "new", "--chunks-per-task", "2"), "--chunks-per-task: cannot be used with --check"),
        (("--output", "new", "--count", "5", "--sample", "3"), "--sample: cannot be used with --output"),
        (("--output", "new", "--count", "5", "--distance", "far"), "expected distances such as 30"),
        (("--output", "new", "--count", "5", "--distance", "81"), "distance 81: expected 0 .. 80"),
        (("--output", "new", "--count", "5", "--seed", "-1"), "expected a whole number of at least 0"),
        (
            ("--output", "new", "--count", "5", "--workers", "2", "--dask", "tcp://h:1"),
            "--workers: cannot be used with --dask",
        ),
        (("--check", "new", "--count", "5", "--resume"), "--count, --resume: cannot be used with --check"),
        (("--check", "new"), "new: expected labelled boards"),
        (("--output", ".", "--count", "5"), "not empty"),
    ],
)
def test_commands_that_make_no_sense(words, message, run, tmp_path, monkeypatch):
    (tmp_path / "letter.txt").write_text("dear")
    monkeypatch.chdir(tmp_path)
    code, out, err = run(*words)
    assert code == 2 and out == "" and message in err
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


@pytest.mark.extra
def test_the_command_on_a_cluster(run, tmp_path):
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs="CRITICAL"
    ) as cluster:
        assert run("--output", tmp_path / "a", *SETTINGS, "--dask", cluster.scheduler_address)[0] == 0
    assert run("--output", tmp_path / "b", *SETTINGS)[0] == 0
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
