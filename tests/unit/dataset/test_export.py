"""Labels as one CSV file: against a slow twin, and what happens when it is stopped or cannot be written."""

import csv
import gzip
import os

import numpy as np
import pytest
from labels import interrupted, made

from puzzle15 import Solver
from puzzle15.dataset import _export as export
from puzzle15.dataset import load, read_published, to_csv
from puzzle15.errors import DatasetError
from puzzle15.solver import moves


def twin(dataset):
    """The rows of a CSV file, one by one."""
    for shard in dataset.shards():
        for index in range(len(shard["distance"])):
            row = {name: array[index] for name, array in shard.items()}
            cells = [f"{tile}" for tile in row["board"]]
            fields = {"distance": row["distance"], "solution": moves(row["solution"], row["distance"])}
            if "start" in row:
                fields["start"] = row["start"]
            if "first_moves" in row:
                letters = ["DRLU"[d] for d in range(4) if row["first_moves"] >> d & 1]
                fields["first_moves"] = "".join(sorted(letters, key="UDLR".index))
            values = row.get("table_values", [])
            yield [*cells, *(str(fields[name]) for name in fields), *map(str, values)]


ALL = {"along_path": True, "first_moves": True, "table_values": True}


@pytest.mark.parametrize(
    "options", [{}, ALL, {"solver": Solver(), "distribution": "walk:12", "count": 30, "table_values": True}]
)
def test_csv_against_its_twin(options, tmp_path, monkeypatch):
    """Tiles have one digit or two."""
    monkeypatch.setattr(export, "_ROWS", 64)
    dataset = made(tmp_path / "a", **{"count": 300, "shard": 100, **options})
    cells = len(dataset.goal)
    steps = []
    path = to_csv(dataset.folder, tmp_path / "a.csv", progress=lambda *step: steps.append(step))
    with open(path, newline="") as file:
        header, *rows = csv.reader(file)
    assert header[: cells + 2] == [*(f"cell_{n}" for n in range(cells)), "distance", "solution"]
    if options == ALL:
        assert header[cells + 2 :] == ["start", "first_moves", "table_value_0"]
    assert rows == list(twin(dataset)) and b"\r" not in path.read_bytes()
    assert len(steps) == dataset.shard_count and steps[-1] == (len(dataset), len(dataset))


def test_a_compressed_one_has_the_same_text_and_always_the_same_bytes(tmp_path):
    dataset = made(tmp_path / "a", 300)
    text = to_csv(tmp_path / "a", tmp_path / "a.csv").read_bytes()
    first, second = (to_csv(tmp_path / "a", tmp_path / name).read_bytes() for name in ("b.csv.gz", "c.csv.gz"))
    assert gzip.decompress(first) == text and first == second
    published = read_published(tmp_path / "b.csv.gz")
    assert np.array_equal(published.boards, dataset.array("board"))
    assert np.array_equal(published.distances, dataset.array("distance"))
    assert published.lines.tolist() == list(range(2, 302))


def test_a_file_appears_when_it_is_complete(tmp_path):
    made(tmp_path / "a", 300)
    (tmp_path / "a.csv").write_text("before")

    def stop(done, count):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        to_csv(tmp_path / "a", tmp_path / "a.csv", progress=stop)
    assert (tmp_path / "a.csv").read_text() == "before"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "a.csv"]


@pytest.mark.skipif(os.name != "posix", reason="named pipes")
@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz"])
def test_a_pipe_gets_the_bytes_of_a_file(name, tmp_path):
    dataset = made(tmp_path / "a", count=10)
    (tmp_path / "pipe").mkdir()
    os.mkfifo(tmp_path / "pipe" / name)
    reader = os.open(tmp_path / "pipe" / name, os.O_RDONLY | os.O_NONBLOCK)
    try:
        to_csv(dataset.folder, tmp_path / "pipe" / name)
        assert os.read(reader, 1 << 16) == to_csv(dataset.folder, tmp_path / name).read_bytes()
    finally:
        os.close(reader)


def test_what_is_refused(tmp_path):
    with pytest.raises(DatasetError, match="no _manifest.json"):
        to_csv(tmp_path, tmp_path / "a.csv")
    interrupted(tmp_path / "a")
    assert not load(tmp_path / "a").complete
    with pytest.raises(DatasetError, match="of 2,300 boards are labelled, expected all; finish it: .* --resume"):
        to_csv(tmp_path / "a", tmp_path / "a.csv")
    made(tmp_path / "a", resume=True)
    with pytest.raises(FileNotFoundError):
        to_csv(tmp_path / "a", tmp_path / "none" / "a.csv")
