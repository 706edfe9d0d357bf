"""The old names of arguments in the data sets' room give what the new ones give, and say so."""

import numpy as np
import pytest

from puzzle15 import Solver
from puzzle15.dataset import Batches, check, load, read_parquet, write


def test_names_of_one_release_ago(tmp_path):
    labels = {"count": 20, "seed": 1, "solver": Solver(shape=(2, 2))}
    folder = tmp_path / "a"
    made = write(folder, **labels)
    cases = [
        (lambda: len(write(directory=tmp_path / "b", **labels)), len(made)),
        (lambda: load(directory=folder).manifest, made.manifest),
        (lambda: check(directory=folder), check(folder)),
        (lambda: check(folder, threads=2), check(folder, workers=2)),
        (lambda: list(made.shard(0, ["distance"])), ["distance"]),
        (lambda: [len(batch.value) for batch in Batches(folder, 8, policy=None)], [8, 8, 4]),
        (lambda: [len(batch.value) for batch in Batches(folder, policy=None).part(0, 1, 2)], []),
    ]
    for old, new in cases:
        with pytest.warns(DeprecationWarning, match="; the next release "):
            assert old() == new


def test_columns_of_parquet_by_place(tmp_path):
    pytest.importorskip("pyarrow")
    made = write(tmp_path, 20, seed=1, solver=Solver(shape=(2, 2)), format="parquet")
    with pytest.warns(DeprecationWarning, match="'columns' is given by name"):
        (rows,) = read_parquet(tmp_path / "shard-00000.parquet", "distance")
    assert list(rows) == ["distance"] and np.array_equal(rows["distance"], made.array("distance"))
