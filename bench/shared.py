"""What benchmarks and programs of this folder share: boards, tables, compiled programs, new processes, pictures."""

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from puzzle15 import Board, build_tables


def random_board(seed, shape=(4, 4)):
    """The board of a seed, uniform over those that reach the default goal, for all benchmarks and the signature."""
    tiles = np.random.default_rng(seed).permutation(shape[0] * shape[1]).tolist()
    if not Board(tiles, shape).is_solvable():
        one, two = tiles.index(1), tiles.index(2)
        tiles[one], tiles[two] = 2, 1
    return Board(tiles, shape)


def random_boards(count, shape=(4, 4)):
    """The packed boards of the seeds 0 .. count-1."""
    return np.array([random_board(seed, shape).packed for seed in range(count)], dtype=np.uint64)


@contextlib.contextmanager
def tables_7_8(folder=None):
    """The folder of the 7-8 tables, which are built there, or in a temporary folder."""
    with tempfile.TemporaryDirectory() as temporary:
        build_tables("7-8", tables=folder or temporary)
        yield Path(folder or temporary)


def compiled(source, folder, *options):
    """The path of a program of one C file, compiled into a folder."""
    compiler = next(filter(shutil.which, [os.environ.get("CC", "cc"), "gcc", "clang"]))
    binary = Path(folder) / source.stem
    subprocess.run([compiler, *options, "-std=c11", source, "-o", binary], check=True)
    return binary


def in_new_process(code, folder, *words):
    """The words that Python code prints; it runs in a folder, because the source folder holds another puzzle15."""
    command = [sys.executable, "-c", code, str(folder), *words]
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=folder).stdout.split()


def save(figure, path, name):
    """Store a figure of matplotlib; as SVG, equal figures are equal files."""
    from matplotlib import rc_context

    with rc_context({"svg.fonttype": "none", "svg.hashsalt": name}):  # text as text: a file of half the size
        figure.savefig(path, dpi=110, metadata={"Date": None} if str(path).endswith("svg") else None)
