"""Folders of labelled boards survive whatever happens to them."""

import json
import re
import time
import tracemalloc
import zipfile
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest
from labels import EIGHT, assert_equal, contents, interrupted, made

from puzzle15 import Solver
from puzzle15.board import uniform, unpack_boards
from puzzle15.dataset import Distances, Uniform, Walk, check, load
from puzzle15.dataset import _rows as rows
from puzzle15.dataset import _writing as writing
from puzzle15.errors import DatasetCorruptError, DatasetError, TableMissingError
from puzzle15.solver import label


@pytest.mark.parametrize(
    "options",
    [
        {"first_moves": True, "table_values": True},
        {"along_path": True, "first_moves": True},
        {"solver": Solver(goal="3 1 2/0 4 5/8 7 6"), "along_path": True},
        {"solver": Solver(shape=(2, 4)), "table_values": True},
    ],
)
def test_what_is_written(options, tmp_path):
    dataset = made(tmp_path / "a", **options)
    solver = options.get("solver", EIGHT)
    flags = {name: value for name, value in options.items() if name != "solver"}
    assert dataset.complete and dataset.goal == solver.goal
    assert sorted(contents(dataset.folder)) == ["_manifest.json", *(f"shard-0000{n}.npz" for n in range(3))]
    boards = [
        Distances(range(2, 26)).draw(
            min(500, 2_300 - 500 * chunk),
            np.random.Generator(np.random.PCG64(np.random.SeedSequence(7, spawn_key=(chunk,)))),
            solver,
        )
        for chunk in range(5)
    ]
    expected = label(solver, np.concatenate(boards), **flags)
    assert_equal(expected, {name: dataset.array(name) for name in dataset.columns})
    assert len(dataset) == len(expected["board"])
    assert dataset.histogram.tolist() == np.bincount(expected["distance"]).tolist()
    reports = check(dataset.folder)
    assert [report.problems for report in reports] == [[]] * 3
    assert sum(report.rows for report in reports) == len(dataset)
    assert sum(report.sample for report in reports) == 200


@pytest.mark.parametrize("along_path", [False, True])
def test_shards_cut_the_same_boards_anywhere(along_path, tmp_path):
    """Chunks of 500 boards, shards of 130 and of 1,201."""
    datasets = [made(tmp_path / str(shard), shard=shard, along_path=along_path) for shard in (130, 1_201, 9_999)]
    columns, *others = ({name: dataset.array(name) for name in dataset.columns} for dataset in datasets)
    for other in others:
        assert_equal(columns, other)
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
    made(tmp_path / "whole", **options)
    folder = tmp_path / "killed"
    for _ in range(5):
        process = start(_SCRIPT, folder)
        for _ in range(int(rng.integers(2, 7))):
            process.stdout.readline()
        time.sleep(rng.uniform(0, 0.03))  # also while a file is written
        process.kill()
        process.wait()
    finished = load(folder).shard_count
    seen = []
    dataset = made(folder, resume=True, progress=lambda done, count: seen.append(done), **options)
    assert dataset.complete and seen[-1] == 4_000
    assert seen[0] >= 900 * finished - 500  # what was finished is not made again
    assert contents(folder) == contents(tmp_path / "whole")


@pytest.mark.parametrize("options", [{"shard": 900}, {"along_path": True}], ids=str)
def test_bytes_do_not_depend_on_workers_tasks_and_pauses(options, tmp_path):
    made(tmp_path / "whole", **options)
    with ProcessPoolExecutor(2) as pool:
        for name, workers, size in (("alone", None, 2), ("threads", 2, 100), ("pool", pool, 2)):
            folder = tmp_path / name
            interrupted(folder, workers=workers, chunks_per_task=size, **options)
            made(folder, resume=True, workers=workers, chunks_per_task=3, **options)
            assert contents(folder) == contents(tmp_path / "whole")


@pytest.mark.parametrize(
    "options",
    [{"shard": 900}, {"shard": 130, "distribution": "uniform"}, {"shard": 500, "along_path": True}, {"shard": 9_000}],
    ids=str,
)
def test_a_finished_data_set_is_extended(options, tmp_path):
    """Chunks of 500 or 2,000 boards; some files end within one."""
    made(tmp_path / "whole", **options)
    for before in (1_000, 1_170):
        folder, seen = tmp_path / str(before), []
        old = made(folder, before, **options).manifest["shards"]
        extended = made(folder, resume=True, progress=lambda done, count, seen=seen: seen.append(done), **options)
        assert contents(folder) == contents(tmp_path / "whole") and extended.manifest["boards"] == seen[-1] == 2_300
        chunk, shard = extended.manifest["chunk"], options["shard"]
        kept = before // chunk * chunk // shard  # files of whole chunks
        assert extended.manifest["shards"][:kept] == old[:kept] and seen[0] == kept * shard // chunk * chunk


def test_an_extension_that_stops_is_continued(tmp_path):
    made(tmp_path / "whole", shard=900)
    made(tmp_path / "a", 1_000, shard=900)
    interrupted(tmp_path / "a", 2_000, shard=900, resume=True)
    assert 900 <= load(tmp_path / "a").manifest["boards"] < 2_300
    with pytest.raises(DatasetError, match="count 2300, not with 1000"):
        made(tmp_path / "a", 1_000, shard=900, resume=True)
    made(tmp_path / "a", shard=900, resume=True)
    assert contents(tmp_path / "a") == contents(tmp_path / "whole")


def test_columns_are_compressed_as_suits_them(tmp_path, rng):
    """Random boards become smaller than by plain deflate, rows that repeat one another do not become larger, and
    nothing of the day or the machine is in the file."""
    random = unpack_boards(uniform(4_000, rng), (4, 4))
    for boards, smaller in ((random, True), (random[np.arange(4_000) // 50], False)):
        pieces = [{"distance": part} for part in np.array_split(boards, 2)]
        rows.write_arrays(tmp_path / "a.npz", {"distance": (boards.dtype, (16,))}, pieces)
        np.savez_compressed(tmp_path / "b.npz", distance=boards)
        assert np.array_equal(np.load(tmp_path / "a.npz")["distance"], boards)
        plain = (tmp_path / "b.npz").stat().st_size
        assert (tmp_path / "a.npz").stat().st_size < (0.95 * plain if smaller else plain + 50)
    with zipfile.ZipFile(tmp_path / "a.npz") as archive:
        [entry] = archive.infolist()
    assert (entry.filename, entry.date_time, entry.create_system) == ("distance.npy", (1980, 1, 1, 0, 0, 0), 3)
    assert (entry.compress_type, entry.external_attr) == (8, 0o644 << 16)


def test_damage_is_found_and_repaired(tmp_path, rng):
    made(tmp_path)
    sound = contents(tmp_path)
    flipped, cut, gone = (tmp_path / f"shard-0000{n}.npz" for n in range(3))
    data = bytearray(flipped.read_bytes())
    data[int(rng.integers(len(data)))] ^= 1 << int(rng.integers(8))
    flipped.write_bytes(data)
    cut.write_bytes(cut.read_bytes()[:-100])
    gone.unlink()
    reports = check(tmp_path)
    assert [report.path.name for report in reports] == [flipped.name, cut.name, gone.name]
    assert [text for report in reports for text in report.problems] == [
        "its SHA-256 is not that of the manifest",
        f"{cut.stat().st_size:,} bytes instead of {cut.stat().st_size + 100:,}",
        "missing",
    ]
    for name in ("board", "solution"):
        with pytest.raises(DatasetCorruptError, match="--resume"):
            load(tmp_path).array(name)
    made(tmp_path, resume=True)
    assert contents(tmp_path) == sound
    assert [report.sound for report in check(tmp_path)] == [True] * 3


def test_what_there_is_of_an_incomplete_one(tmp_path):
    interrupted(tmp_path)
    dataset = load(tmp_path)
    assert not dataset.complete and len(dataset) == 1_000 == len(dataset.array("board")) == dataset.histogram.sum()
    assert "incomplete: 1 of 3 shards, 1,000 of 2,300 boards" in repr(dataset)
    assert [report.problems for report in check(tmp_path)] == [[], ["not made yet"], ["not made yet"]]
    assert [list(shard) for shard in dataset.shards("distance")] == [["distance"]]
    assert [list(shard) for shard in dataset.shards(["solution", "board"])] == [["solution", "board"]]
    for call in (dataset.array, dataset.shards):
        with pytest.raises(KeyError, match="has board, distance, solution"):
            call("distances")


def test_other_settings_are_refused(tmp_path, run):
    made(tmp_path)
    before = contents(tmp_path)
    with pytest.raises(DatasetError, match="not empty"):
        made(tmp_path)
    for option, text in [
        ({"seed": 8}, "begun with seed 7, not with 8; ask for the same, or name another folder"),
        ({"shard": 999}, "shard 1000, not with 999"),
        ({"first_moves": True}, "begun without --first-moves .*; leave it out"),
        ({"count": 2_299}, "count 2300, not with 2299"),
        ({"distribution": "uniform"}, 'distribution "distance:2-25", not with "uniform"'),
        ({"solver": Solver(goal="0 1 2/3 4 5/6 7 8")}, "goal"),
    ]:
        with pytest.raises(DatasetError, match=text):
            made(tmp_path, resume=True, **option)
    assert contents(tmp_path) == before
    run("label", "--output", tmp_path / "a", *SETTINGS, "--first-moves")
    code, _, err = run("label", "--output", tmp_path / "a", *SETTINGS, "--resume", "--table-values")
    assert code == 2 and "columns" not in err and "begun with --first-moves (first_moves=True); add it" in err
    assert "begun without --table-values (table_values=True); leave it out" in err


def test_other_tables_are_refused(run, tmp_path, small_tables):
    options = {"count": 20, "distribution": "walk:20"}
    solver = Solver("6-6-3", tables=small_tables)
    made(tmp_path, solver=solver, **options)
    assert len(load(tmp_path).manifest["tables"]["files"]) == 3
    with pytest.raises(DatasetError, match='begun with tables {.*"partitions": .*}, not with {.*}; ask for the same'):
        made(tmp_path, resume=True, solver=Solver("5-5-5", tables=small_tables), **options)
    # the same boards, whatever solver finds their distances
    assert [report.sound for report in check(tmp_path, solver=Solver("embedded"))] == [True]
    maker = writing.ChunkMaker(Solver("embedded"), writing.describe_tables(solver), Uniform(), 1, 10, {})
    with pytest.raises(TableMissingError, match="other tables"):
        maker([0])


def test_one_writes_at_a_time(start, tmp_path):
    script = (
        "import sys; from pathlib import Path; from puzzle15._system.locking import locked\n"
        "with locked(Path(sys.argv[1], '.lock')): print('locked', flush=True); sys.stdin.read()"
    )
    process = start(script, tmp_path)
    assert process.stdout.readline() == "locked\n"
    with pytest.raises(DatasetError, match="another process is writing here"):
        made(tmp_path, resume=True)
    process.kill()
    process.wait()
    made(tmp_path)


def test_folders_and_settings_that_are_none(tmp_path):
    with pytest.raises(DatasetError, match="expected labelled boards, but there is no _manifest.json"):
        load(tmp_path)
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(DatasetError, match="nothing to resume, .* letter.txt"):
        made(tmp_path, resume=True)
    (tmp_path / "_manifest.json").write_text("{}")
    with pytest.raises(DatasetCorruptError, match="damaged"):
        load(tmp_path)
    for options in ({"count": 0}, {"seed": -1}, {"shard": 0}, {"distribution": "distance:32"}):
        with pytest.raises(ValueError):
            made(tmp_path / "new", **options)
    assert not (tmp_path / "new").exists()


def test_memory_does_not_grow_with_the_number(tmp_path, monkeypatch):
    monkeypatch.setattr(Walk, "chunk", 200)
    peaks = []
    for count in (1_000, 5_000):
        tracemalloc.start()
        made(tmp_path / str(count), count=count, distribution="walk:4", shard=400)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.2 * peaks[0] + 50_000


# ---------------------------------------------------------------- the command ---


SETTINGS = ("--count", "2k", "--seed", 7, "--distance", "2-25", "--shape", "3x3", "--shard", 900)


@pytest.mark.extra
def test_the_histogram(run, tmp_path):
    pytest.importorskip("matplotlib")
    folder, drawn, again = tmp_path / "boards", tmp_path / "drawn.svg", tmp_path / "again.svg"
    assert run("label", "-o", folder, *SETTINGS, "--histogram", drawn)[0] == 0
    assert drawn.read_text().count('<g id="patch_') >= 24  # a bar for each distance
    assert run("label", "--check", folder, "--histogram", again)[0] == 0 and again.exists()
    code, _, err = run("label", "--check", folder, "--histogram", tmp_path / "no.txt")
    assert code == 2 and "no.txt': expected a name that ends in .png, .svg, .pdf" in err


def test_the_command(run, tmp_path):
    folder = tmp_path / "boards"
    words = ("--output", folder, *SETTINGS, "--first-moves", "--table-values", "--along-path")
    code, out, err = run("label", *words)
    dataset, sound = load(folder), contents(folder)
    mean = dataset.array("distance").mean()
    assert (code, out) == (0, f"{folder}: 2,000 boards, {len(dataset):,} rows, mean distance {mean:.3f}\n")
    assert re.search(r"2,000 boards labelled in .*, [\d,]+ boards per second\n$", err)
    assert re.search("^.*--first-moves: labelling takes 2 to 3 times as long, or 5 to 10.*\n.", err)  # beforehand
    assert list(dataset.columns) == ["board", "distance", "solution", "start", "first_moves", "table_values"]
    made(tmp_path / "same", 2_000, shard=900, first_moves=True, table_values=True, along_path=True)
    assert sound == contents(tmp_path / "same")
    (folder / "shard-00001.npz").write_bytes(b"")
    code, out, err = run("label", "--check", folder, "--json", "--sample", 0)
    first, *others = map(json.loads, out.splitlines())
    rows = dataset.manifest["shards"][0]["rows"]
    assert first == {"path": f"{folder / 'shard-00000.npz'}", "sound": True, "rows": rows, "sample": 0, "problems": []}
    assert code == 1 and [record["sound"] for record in others] == [False, True]
    assert "1 of 3 shards are unsound; make them again: puzzle15 label --resume" in err
    code, out, err = run("label", *words, "--resume", "--json", "--quiet", "--workers", 2)
    record = json.loads(out)
    assert (code, err) == (0, "") and contents(folder) == sound
    assert record["boards"] == 2_000 and record["rows"] == len(dataset) and record["labelled"] == 1_500  # three chunks
    names = "folder boards rows labelled seconds boards_per_second mean_distance shards"
    assert list(record) == names.split()
    code, out, err = run("label", *words, "--resume")
    assert code == 0 and err.endswith("puzzle15: 0 boards labelled\n")


@pytest.mark.extra
@pytest.mark.slow
def test_the_command_on_a_cluster(run, tmp_path):
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs="CRITICAL"
    ) as cluster:
        assert run("label", "--output", tmp_path / "a", *SETTINGS, "--dask", cluster.scheduler_address)[0] == 0
    assert run("label", "--output", tmp_path / "b", *SETTINGS)[0] == 0
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
