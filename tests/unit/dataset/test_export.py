"""Labels as one CSV file: against a slow twin, and what happens when it is stopped or cannot be written."""

import csv
import gzip

import numpy as np
import pytest

from puzzle15 import Solver
from puzzle15.dataset import export, load, read_published, to_csv, write
from puzzle15.errors import DatasetError
from puzzle15.solver import moves

EIGHT = Solver(shape=(3, 3))
DIRECTIONS = {"tile": "DRLU", "blank": "ULRD"}
OTHER = str.maketrans("UDLR", "DURL")


def made(folder, count=300, **options):
    settings = {"seed": 3, "distribution": "distance:0-31", "solver": EIGHT, "shard": 100, **options}
    return write(folder, count, **settings)


def twin(dataset, convention):
    """The rows of a CSV file, one by one."""
    for shard in dataset.shards():
        for index in range(len(shard["distance"])):
            row = {name: array[index] for name, array in shard.items()}
            cells = [f"{tile}" for tile in row["board"]]
            solution = moves(row["solution"], row["distance"])
            fields = {"distance": row["distance"], "solution": solution}
            if convention == "blank":
                fields["solution"] = solution.translate(OTHER)
            if "start" in row:
                fields["start"] = row["start"]
            if "first_moves" in row:
                letters = [DIRECTIONS[convention][d] for d in range(4) if row["first_moves"] >> d & 1]
                fields["first_moves"] = "".join(sorted(letters, key="UDLR".index))
            values = row.get("table_values", [])
            yield [*cells, *(str(fields[name]) for name in fields), *map(str, values)]


@pytest.mark.parametrize("convention", ["tile", "blank"])
@pytest.mark.parametrize("options", [{}, {"along_path": True, "first_moves": True, "table_values": True}])
def test_csv_against_its_twin(options, convention, tmp_path, monkeypatch):
    monkeypatch.setattr(export, "_ROWS", 64)
    dataset = made(tmp_path / "a", **options)
    steps = []
    path = to_csv(
        tmp_path / "a", tmp_path / "a.csv", convention=convention, progress=lambda *numbers: steps.append(numbers)
    )
    with open(path, newline="") as file:
        header, *rows = csv.reader(file)
    assert header[:11] == [*(f"cell_{n}" for n in range(9)), "distance", "solution"]
    assert header[11:] == (["start", "first_moves", "table_value_0"] if options else [])
    assert rows == list(twin(dataset, convention))
    assert b"\r" not in path.read_bytes()
    assert len(steps) == 3 and steps[-1] == (len(dataset), len(dataset))


def test_csv_with_two_table_values(tmp_path):
    """On 4x4, tiles have two digits."""
    dataset = write(tmp_path / "a", 30, seed=1, distribution="walk:12", solver=Solver(), table_values=True)
    path = to_csv(tmp_path / "a", tmp_path / "a.csv")
    with open(path, newline="") as file:
        assert list(csv.reader(file))[1:] == list(twin(dataset, "tile"))


def test_a_compressed_one_has_the_same_text_and_always_the_same_bytes(tmp_path):
    dataset = made(tmp_path / "a")
    text = to_csv(tmp_path / "a", tmp_path / "a.csv").read_bytes()
    paths = [to_csv(tmp_path / "a", tmp_path / name) for name in ("b.csv.gz", "c.csv.gz")]
    assert gzip.decompress(paths[0].read_bytes()) == text
    assert paths[0].read_bytes() == paths[1].read_bytes()
    published = read_published(paths[0])
    assert np.array_equal(published.boards, dataset.array("board"))
    assert np.array_equal(published.distances, dataset.array("distance"))
    assert published.lines.tolist() == list(range(2, 302))


def test_a_file_appears_when_it_is_complete(tmp_path):
    made(tmp_path / "a")
    (tmp_path / "a.csv").write_text("before")

    def stop(done, count):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        to_csv(tmp_path / "a", tmp_path / "a.csv", progress=stop)
    assert (tmp_path / "a.csv").read_text() == "before"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "a.csv"]


def test_what_is_refused(tmp_path):
    with pytest.raises(DatasetError, match="no manifest.json"):
        to_csv(tmp_path, tmp_path / "a.csv")
    made(tmp_path / "a")
    with pytest.raises(ValueError, match="convention='both': expected one of tile, blank"):
        to_csv(tmp_path / "a", tmp_path / "a.csv", convention="both")
    with pytest.raises(FileNotFoundError):
        to_csv(tmp_path / "a", tmp_path / "none" / "a.csv")


def test_an_incomplete_folder_is_refused(tmp_path):
    def stop(done, count):
        if done >= 100:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        made(tmp_path / "a", distribution="distance:3", progress=stop, count=1000)
    assert not load(tmp_path / "a").complete
    with pytest.raises(DatasetError, match="of 1,000 boards are labelled, expected all; finish it: .* --resume"):
        to_csv(tmp_path / "a", tmp_path / "a.csv")
