"""Labels in parquet files: everything that .npz files have, and what other programs read of them."""

import json
import sys

import numpy as np
import pytest
from labels import assert_equal, contents, interrupted, made

from puzzle15._cli import main
from puzzle15._system.arrays import ArraysError
from puzzle15._system.version import __version__
from puzzle15.dataset import _parquet as parquet
from puzzle15.dataset import check, load, to_parquet
from puzzle15.errors import DatasetCorruptError, DatasetError

ALL = {"first_moves": True, "table_values": True, "along_path": True}


@pytest.fixture
def pyarrow(request):
    return pytest.importorskip("pyarrow", reason='pyarrow is missing: pip install ".[parquet]"')


@pytest.mark.extra
@pytest.mark.parametrize("options", [{}, ALL])
def test_the_same_labels_in_both_formats(options, tmp_path, monkeypatch, pyarrow):
    monkeypatch.setattr(parquet, "GROUP", 700)
    npz, other = made(tmp_path / "npz", **options), made(tmp_path / "parquet", format="parquet", **options)
    assert (npz.format, other.format) == ("npz", "parquet")
    assert sorted(contents(other.folder)) == ["_manifest.json", *(f"shard-0000{n}.parquet" for n in range(3))]
    for shard, again in zip(npz.shards(), other.shards()):
        assert_equal(shard, again)
    whole = {name: npz.array(name) for name in npz.columns}
    assert_equal(whole, {name: other.array(name) for name in other.columns})
    reports = check(other.folder)
    assert all(report.sound for report in reports) and sum(report.rows for report in reports) == len(other)
    steps = []
    for kind in ("npz", "parquet"):
        file = to_parquet(tmp_path / kind, tmp_path / f"{kind}.file", progress=lambda *some: steps.append(some))
        assert steps[-1] == (len(npz), len(npz))
        assert_equal(whole, parquet.read_columns(file, npz.columns, len(npz)))
    assert (tmp_path / "npz.file").read_bytes() == file.read_bytes()


@pytest.mark.extra
def test_other_programs_read_the_folder(tmp_path, pyarrow):
    """They skip a file whose name begins with _ or a dot."""
    from pyarrow import parquet as reader

    dataset = made(tmp_path / "a", format="parquet")
    (dataset.folder / ".p15-0.tmp").write_bytes(b"half a file")
    table = reader.read_table(dataset.folder)
    assert table.column("distance").to_pylist() == dataset.array("distance").tolist()
    pandas = pytest.importorskip("pandas")
    frame = pandas.read_parquet(dataset.folder)
    assert np.array_equal(np.stack(frame["board"]), dataset.array("board")) and frame["distance"].dtype == np.uint8


@pytest.mark.extra
def test_the_schema_describes_the_labels(tmp_path, pyarrow):
    from pyarrow import parquet as reader

    made(tmp_path / "a", format="parquet", first_moves=True)
    file = to_parquet(tmp_path / "a", tmp_path / "a.parquet")
    for path in (file, tmp_path / "a" / "shard-00000.parquet"):
        schema = reader.read_schema(path)
        about = json.loads(schema.metadata[b"puzzle15"])
        assert about["shape"] == [3, 3] and about["goal"] == "1 2 3/4 5 6/7 8 0"
        assert (about["convention"], about["metric"], about["seed"], about["version"]) == (
            "blank",
            "stm",
            7,
            __version__,
        )
        assert "bit d" in about["first_moves"] and "2 bits a move" in about["solution"]
        board = "fixed_size_list<element: uint8 not null>[9]"
        assert [str(field.type) for field in schema] == [board, "uint8", "binary", "uint8"]


@pytest.mark.extra
def test_the_bytes_do_not_depend_on_workers_and_on_pauses(tmp_path, pyarrow):
    made(tmp_path / "a", format="parquet", **ALL)
    interrupted(tmp_path / "b", format="parquet", workers=2, **ALL)
    assert len(load(tmp_path / "b")) < len(load(tmp_path / "a"))
    with pytest.raises(DatasetError, match='begun with format "parquet", not with "npz"; ask for the same'):
        made(tmp_path / "b", resume=True, **ALL)
    made(tmp_path / "b", format="parquet", resume=True, **ALL)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


@pytest.mark.extra
def test_damage_is_found_and_repaired(tmp_path, rng, pyarrow):
    dataset = made(tmp_path, format="parquet")
    sound, columns = contents(tmp_path), dataset.shard(1)
    path = tmp_path / "shard-00001.parquet"
    data = path.read_bytes()
    for place in [*rng.integers(0, len(data), 40).tolist(), 0, len(data) - 1]:
        changed = bytearray(data)
        changed[place] ^= 1 << int(rng.integers(8))
        path.write_bytes(bytes(changed))
        assert [report.sound for report in check(tmp_path, sample=0)] == [True, False, True]
        try:  # without the manifest's SHA-256, what is read is right or refused
            assert_equal(dataset.shard(1), columns)
        except DatasetCorruptError as error:
            assert "damaged" in str(error)
        except AssertionError:
            assert bytes(changed[:4]) == data[:4]  # a byte of the footer, which has no checksum
    path.write_bytes(data[:-100])
    with pytest.raises(DatasetCorruptError, match="shard-00001.parquet: damaged .*--resume"):
        load(tmp_path).array("distance")
    made(tmp_path, format="parquet", resume=True)
    assert contents(tmp_path) == sound


@pytest.mark.extra
def test_files_that_are_others(tmp_path, pyarrow):
    types = made(tmp_path, format="parquet").columns
    path = tmp_path / "shard-00002.parquet"
    for count, columns, told in [
        (1_000, types, "it has 300 rows, not 1,000"),
        (300, {"board": (np.dtype("uint8"), (16,))}, r"column board is .*\[9\], not .*\[16\]"),
        (300, {"first_moves": (np.dtype("uint8"), ())}, "it has no column first_moves"),
    ]:
        with pytest.raises(ArraysError, match=told):
            parquet.read_columns(path, columns, count)
    path.write_bytes(b"PAR1 no parquet")
    with pytest.raises(ArraysError, match="not a parquet file"):
        parquet.read_columns(path, types, 300)


def test_without_pyarrow(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match="parquet files need pyarrow: pip install pyarrow"):
        made(tmp_path / "a", format="parquet")
    words = ["label", "--count", "9", "--shape", "2x2", "--output", str(tmp_path / "a"), "--file-format", "parquet"]
    assert main(words) == 2
    assert "error: parquet files need pyarrow: pip install" in capsys.readouterr().err
    with pytest.raises(ValueError, match="format 'csv': expected npz or parquet"):
        made(tmp_path / "a", format="csv")
    assert not (tmp_path / "a").exists()
