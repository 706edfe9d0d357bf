"""Labels in parquet files: everything that .npz files have, and what other programs read of them."""

import json
import sys

import numpy as np
import pytest

from puzzle15 import Solver
from puzzle15.cli import main
from puzzle15.dataset import check, load, parquet, read_parquet, to_parquet, write
from puzzle15.errors import DatasetCorruptError, DatasetError

EIGHT = Solver(shape=(3, 3))
ALL = {"first_moves": True, "table_values": True, "along_path": True}


@pytest.fixture(autouse=True)
def pyarrow(request):
    if request.node.get_closest_marker("extra"):
        return pytest.importorskip("pyarrow", reason='pyarrow is missing: pip install ".[parquet]"')
    return None


def made(folder, count=2_300, **options):
    settings = {"seed": 7, "distribution": "distance:2-25", "solver": EIGHT, "shard": 1_000, **options}
    return write(folder, count, **settings)


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def joined(pieces):
    pieces = list(pieces)
    return {name: np.concatenate([piece[name] for piece in pieces]) for name in pieces[0]}


def assert_equal(columns, others):
    assert list(columns) == list(others)
    for name in columns:
        assert columns[name].dtype == others[name].dtype and columns[name].shape == others[name].shape
        assert columns[name].tobytes() == others[name].tobytes()


@pytest.mark.extra
@pytest.mark.parametrize("options", [{}, ALL])
def test_the_same_labels_in_both_formats(options, tmp_path, monkeypatch):
    monkeypatch.setattr(parquet, "GROUP", 700)
    npz = made(tmp_path / "a", **options)
    other = made(tmp_path / "b", format="parquet", **options)
    assert (npz.format, other.format) == ("npz", "parquet")
    assert sorted(contents(tmp_path / "b")) == ["manifest.json", *(f"shard-0000{n}.parquet" for n in range(3))]
    for shard, again in zip(npz.shards(), other.shards()):
        assert_equal(shard, again)
    assert_equal({"distance": npz.array("distance")}, {"distance": other.array("distance")})
    reports = check(tmp_path / "b")
    assert all(report.sound for report in reports) and sum(report.rows for report in reports) == len(other)


@pytest.mark.extra
def test_into_one_file_and_back(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet, "GROUP", 700)
    steps = []
    for kind in ("npz", "parquet"):
        dataset = made(tmp_path / kind, format=kind, **ALL)
        path = to_parquet(tmp_path / kind, tmp_path / f"{kind}.file", progress=lambda *some: steps.append(some))
        back = list(read_parquet(path))
        assert [len(piece["distance"]) for piece in back[:-1]] == [700] * (len(back) - 1)
        assert_equal(joined(dataset.shards()), joined(back))
        assert_equal(joined(dataset.shards(["start"])), joined(read_parquet(path, columns="start")))
        assert steps[-1] == (len(dataset), len(dataset))
    assert (tmp_path / "npz.file").read_bytes() == (tmp_path / "parquet.file").read_bytes()


@pytest.mark.extra
def test_the_schema_tells_what_the_labels_are(tmp_path, pyarrow):
    from pyarrow import parquet as reader

    made(tmp_path / "a", format="parquet", first_moves=True)
    file = to_parquet(tmp_path / "a", tmp_path / "a.parquet")
    for path in (file, tmp_path / "a" / "shard-00000.parquet"):
        schema = reader.read_schema(path)
        about = json.loads(schema.metadata[b"puzzle15"])
        assert about["shape"] == [3, 3] and about["goal"] == "1 2 3/4 5 6/7 8 0"
        assert (about["convention"], about["metric"], about["seed"], about["version"]) == ("blank", "stm", 7, "0.1.0")
        assert "bit d" in about["first_moves"] and "2 bits a move" in about["solution"]
        assert [str(field.type) for field in schema] == [
            "fixed_size_list<element: uint8 not null>[9]",
            "uint8",
            "binary",
            "uint8",
        ]


@pytest.mark.extra
def test_the_bytes_do_not_depend_on_who_works_and_on_pauses(tmp_path):
    made(tmp_path / "a", format="parquet", **ALL)

    def stop(done, count):
        if done >= 1_500:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        made(tmp_path / "b", format="parquet", workers=2, progress=stop, **ALL)
    assert len(load(tmp_path / "b")) < len(load(tmp_path / "a"))
    with pytest.raises(DatasetError, match='begun with format "parquet", not with "npz"; ask for the same'):
        made(tmp_path / "b", resume=True, **ALL)
    made(tmp_path / "b", format="parquet", resume=True, **ALL)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


@pytest.mark.extra
def test_damage_is_found_and_mended(tmp_path, rng):
    dataset = made(tmp_path / "a", format="parquet")
    sound = contents(tmp_path / "a")
    path = tmp_path / "a" / "shard-00001.parquet"
    data = path.read_bytes()
    for place in [*rng.integers(0, len(data), 40).tolist(), 0, len(data) - 1]:
        changed = bytearray(data)
        changed[place] ^= 1 << int(rng.integers(8))
        path.write_bytes(bytes(changed))
        assert [report.sound for report in check(tmp_path / "a", sample=0)] == [True, False, True]
        try:  # without the manifest's SHA-256, what is read is right or refused
            assert_equal(joined(read_parquet(path)), joined([dataset.shard(1)]))
        except DatasetCorruptError as error:
            assert "damaged" in str(error)
        except AssertionError:
            assert bytes(changed[:4]) == data[:4]  # a byte of the footer, which has no checksum
    path.write_bytes(data[:-100])
    with pytest.raises(DatasetCorruptError, match="shard-00001.parquet: damaged .*--resume"):
        load(tmp_path / "a").array("distance")
    made(tmp_path / "a", format="parquet", resume=True)
    assert contents(tmp_path / "a") == sound


@pytest.mark.extra
def test_files_that_are_others(tmp_path, pyarrow):
    from pyarrow import parquet as writer

    made(tmp_path / "a", format="parquet")
    path = tmp_path / "other.parquet"
    with pytest.raises(DatasetCorruptError, match="other.parquet: missing"):
        read_parquet(path)
    path.write_bytes(b"PAR1 no parquet")
    with pytest.raises(DatasetCorruptError, match="damaged .*no parquet file"):
        read_parquet(path)
    writer.write_table(pyarrow.table({"board": [1, 2]}), path)
    with pytest.raises(DatasetCorruptError, match="its schema does not say"):
        read_parquet(path)
    with pytest.raises(KeyError, match="column 'start': .* has board, distance, solution"):
        read_parquet(tmp_path / "a" / "shard-00000.parquet", columns=["start"])
    # The rows of another shard under this one's name, and columns of another type.
    first, third = (tmp_path / "a" / f"shard-0000{n}.parquet" for n in (0, 2))
    types = load(tmp_path / "a").columns
    for count, columns, told in [
        (1_000, types, "it has 300 rows, not 1,000"),
        (300, {"board": (np.dtype("uint8"), (16,))}, r"column board is .*\[9\], not .*\[16\]"),
        (300, {"first_moves": (np.dtype("uint8"), ())}, "it has no column first_moves"),
    ]:
        with pytest.raises(DatasetCorruptError, match=told):
            parquet.read_columns(third, columns, count)
    assert parquet.read_columns(first, types, 1_000)["board"].shape == (1_000, 9)


@pytest.mark.extra
def test_other_programs_read_them(tmp_path):
    pandas = pytest.importorskip("pandas")
    dataset = made(tmp_path / "a", format="parquet")
    frame = pandas.read_parquet(tmp_path / "a" / "shard-00000.parquet")
    assert np.array_equal(np.stack(frame["board"]), dataset.shard(0)["board"])
    assert frame["distance"].dtype == np.uint8


@pytest.mark.extra
def test_the_command(tmp_path, capsys):
    folder, words = str(tmp_path / "a"), ["--count", "300", "--distance", "5", "--shape", "3x3"]
    assert main(["label", *words, "--output", folder, "--file-format", "parquet", "--shard", "200"]) == 0
    assert main(["label", *words, "--output", folder, "--file-format", "parquet", "--shard", "200", "--resume"]) == 0
    capsys.readouterr()
    assert main(["label", "--check", folder, "--csv", "--quiet"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "path,sound,rows,sample,problems" and out[1].endswith("shard-00000.parquet,true,200,134,[]")
    assert main(["label", *words, "--output", folder, "--shard", "200", "--resume"]) == 2
    assert 'begun with format "parquet", not with "npz"' in capsys.readouterr().err


def test_without_pyarrow(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match="parquet files need pyarrow: pip install pyarrow"):
        made(tmp_path / "a", format="parquet")
    assert not (tmp_path / "a").exists()
    words = ["label", "--count", "9", "--shape", "2x2", "--output", str(tmp_path / "a"), "--file-format", "parquet"]
    assert main(words) == 2
    assert "error: parquet files need pyarrow: pip install" in capsys.readouterr().err
    with pytest.raises(ValueError, match="format 'csv': expected npz or parquet"):
        made(tmp_path / "a", format="csv")


def test_manifests_of_parquet_files(tmp_path):
    """Programs that know .npz files alone refuse them; a manifest of a format that nobody knows is damaged."""
    made(tmp_path, count=10)
    path = tmp_path / "manifest.json"
    manifest = json.loads(path.read_text())
    path.write_text(json.dumps({**manifest, "format_version": 2, "format": "xyz"}))
    with pytest.raises(DatasetCorruptError, match="format is 'xyz', expected 'parquet'"):
        load(tmp_path)
    path.write_text(json.dumps({**manifest, "format_version": 2, "format": "parquet"}))
    with pytest.raises(DatasetCorruptError, match="name is 'shard-00000.npz', expected 'shard-00000.parquet'"):
        load(tmp_path)
    path.write_text(json.dumps({**manifest, "format_version": 3}))
    with pytest.raises(DatasetError, match="version 3 of the format, expected at most 2; install a newer puzzle15"):
        load(tmp_path)
