"""Folders of labels of the 8-puzzle, whole or interrupted, and what they hold."""

from hashlib import sha256

import numpy as np
import pytest

from puzzle15 import Solver
from puzzle15.dataset import write

EIGHT = Solver(shape=(3, 3))


def made(folder, count=2_300, **options):
    """Labels in chunks of 500 boards, and shards of 1,000."""
    settings = {"seed": 7, "distribution": "distance:2-25", "solver": EIGHT, "shard": 1_000, **options}
    return write(folder, count, **settings)


def interrupted(folder, boards=1_500, **options):
    """The same, interrupted when so many boards are labelled."""

    def stop(done, count):
        if done >= boards:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        made(folder, progress=stop, **options)


def contents(folder):
    """The SHA-256 of every file."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): sha256(path.read_bytes()).hexdigest() for path in files}


def assert_equal(columns, others):
    assert list(columns) == list(others)
    for name in columns:
        assert columns[name].dtype == others[name].dtype and np.array_equal(columns[name], others[name])
