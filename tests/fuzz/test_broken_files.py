"""Broken files of every kind (broken.py), opened as users do: the documented error names the file and what is wrong."""

import json
import re
import shutil

import broken
import pytest
from goods import make_goods

from puzzle15 import Solver, dataset
from puzzle15.errors import (
    DatasetCorruptError,
    DatasetError,
    NetworkError,
    Puzzle15Error,
    TableCorruptError,
    TableMissingError,
)
from puzzle15.learning import AnnDistance
from puzzle15.tables import TableFile, verify

BOARD = "5 4 3/2 1 0"


@pytest.fixture(scope="module")
def goods(tmp_path_factory):
    folder = tmp_path_factory.mktemp("goods")
    make_goods(folder)
    return folder


def solver_of(format, tables):
    """A solver that needs the table of tiles 1-3."""
    if format == "multi-tile":
        return Solver("1-3", shape=(2, 3), metric="mtm", tables=tables, check="always")
    return Solver("1-3/4-5", shape=(2, 3), format=format, tables=tables, check="always")


@pytest.mark.parametrize("format", broken.TABLES)
def test_tables(format, goods, tmp_path):
    """What has wrong bytes is never searched with; wrong values under right checksums are found by `verify`."""
    tables = tmp_path / "tables"
    shutil.copytree(goods / f"tables-{format[0]}", tables)
    path = tables / broken.TABLES[format]
    whole = path.read_bytes()
    length = solver_of(format, tables).solve(BOARD).length
    count = 0
    for what, content, said in broken.broken_tables(goods, format):
        assert content != whole
        path.write_bytes(content)
        if said is None:
            TableFile.read(path).load()
            [report] = [each for each in verify(tables, workers=1) if each.path == path]
            assert not report.sound and "differs from a new build" in str(report.problems), what
        else:
            with pytest.raises(TableCorruptError, match=f"{path.name}: .*({said}).*puzzle15 build --force"):
                TableFile.read(path).load()
            with pytest.raises((TableCorruptError, TableMissingError), match=f"{path.name}.*({said})"):
                solver_of(format, tables)
        count += 1
    path.write_bytes(whole)
    assert solver_of(format, tables).solve(BOARD).length == length and count >= 70, count
    assert [report.problems for report in verify(tables, workers=1) if not report.sound] == []


def test_networks(goods, tmp_path):
    path, count = tmp_path / "network.npz", 0
    for what, content in broken.broken_networks(goods):
        path.write_bytes(content)
        with pytest.raises(NetworkError, match=f"{re.escape(str(path))}: .+; name another file, or train") as caught:
            AnnDistance(path)
        assert isinstance(caught.value, Puzzle15Error) and "\n" not in str(caught.value), what
        path.unlink()
        count += 1
    assert count >= 90, count
    boards = ["1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0"]
    assert AnnDistance(goods / "network.npz").many(boards).shape == (1,)


def test_shards(goods, tmp_path):
    """The manifest states the size that each of them has."""
    labels = tmp_path / "labels"
    shutil.copytree(goods / "labels-2", labels)
    path, count = labels / "shard-00000.npz", 0
    manifest = json.loads((labels / "_manifest.json").read_text())
    for what, content in broken.broken_shards(goods):
        path.write_bytes(content)
        manifest["shards"][0]["bytes"] = max(len(content), manifest["shards"][0]["bytes"] if content == b"" else 0)
        (labels / "_manifest.json").write_text(json.dumps(manifest))
        with pytest.raises((DatasetCorruptError, DatasetError), match="shard|_manifest.json"):
            list(dataset.load(labels).shards())
        count += 1
        assert what
    assert count >= 40, count


def test_manifests(goods, tmp_path):
    labels = tmp_path / "labels"
    shutil.copytree(goods / "labels-2", labels)
    path, count = labels / "_manifest.json", 0
    for what, content in broken.broken_manifests(goods):
        path.write_bytes(content)
        with pytest.raises(
            DatasetCorruptError, match=f"{re.escape(str(path))}: damaged: .*expected JSON text"
        ) as caught:
            dataset.load(labels)
        assert "label again" in str(caught.value), what
        count += 1
    assert count >= 80, count
    assert len(dataset.load(goods / "labels-2")) == 30
