"""What do labels cost on their way to other programs: parquet and back, CSV and back, and batches for training?

    python bench/at_scale/data.py [--rows N] [--distribution D] [--folder FOLDER]

Boards are labelled with all first moves, once into .npz and once into .parquet shards. Each step runs in a process
of its own, whose peak of memory is told, and what it was before the step. What is read back is compared byte by byte.
Batches are counted over a whole epoch, shuffled; those for PyTorch come through its loader, in the second epoch. Steps
whose program is not installed are left out.
"""

import argparse
import hashlib
import importlib.util
import resource
import sys
import tempfile
import time
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from puzzle15._system.quantities import format_size, parse_count
from puzzle15.dataset import Batches, load, read_published, to_csv, to_parquet, write

SHARD = 100_000
BATCH = 8192


def label(folder, rows, distribution, kind):
    options = {"seed": 1, "distribution": distribution, "first_moves": True, "shard": SHARD, "workers": 2}
    seconds = timed(lambda: write(folder / kind, rows, format=kind, **options))
    return seconds, sum(path.stat().st_size for path in (folder / kind).iterdir())


def store_parquet(folder):
    seconds = timed(lambda: to_parquet(folder / "npz", folder / "labels.parquet"))
    return seconds, (folder / "labels.parquet").stat().st_size


def read_back(folder):
    return timed(lambda: [None for _ in load(folder / "parquet").shards()]), None


def compare_bytes(folder):
    """All columns of all rows, in shards of both formats."""
    digests = []
    for pieces in (load(folder / "npz").shards(), load(folder / "parquet").shards()):
        columns = defaultdict(hashlib.sha256)
        for rows in pieces:
            for name, array in rows.items():
                columns[name].update(np.ascontiguousarray(array))
        digests.append({name: column.hexdigest() for name, column in columns.items()})
    assert digests[0] == digests[1]
    return None, None


def store_csv(folder):
    seconds = timed(lambda: to_csv(folder / "npz", folder / "labels.csv"))
    return seconds, (folder / "labels.csv").stat().st_size


def read_csv(folder):
    found = []
    seconds = timed(lambda: found.append(read_published(folder / "labels.csv")))
    dataset = load(folder / "npz")
    assert found[0].boards.tobytes() == dataset.array("board").tobytes()
    assert np.array_equal(found[0].distances, dataset.array("distance"))
    return seconds, None


def numpy_batches(folder, kind, inputs):
    return timed(
        lambda: sum(len(batch.value) for batch in Batches(folder / kind, batch_size=BATCH, inputs=inputs))
    ), None


def torch_batches(folder, kind, inputs, workers):
    from torch.utils.data import DataLoader

    from puzzle15.dataset.torch import TorchBatches

    data = TorchBatches(folder / kind, batch_size=BATCH, inputs=inputs)
    loader = DataLoader(data, batch_size=None, num_workers=workers, persistent_workers=workers > 0)

    def epoch():
        assert sum(len(value) for _, value, _ in loader) == data.rows

    epoch()  # its workers start
    data.set_epoch(1)
    return timed(epoch), None


def timed(work):
    """Seconds."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def measured(step, *arguments):
    """(seconds, bytes, the peak of memory in bytes), each None where it says nothing; in a process of its own."""
    if importlib.util.find_spec("pyarrow") is not None:
        import pyarrow.parquet  # noqa: F401 (its import takes longer than some steps)
    before = peak()
    seconds, size = step(*arguments)
    return seconds, size, before, peak()


def peak():
    """The most memory that this process has had, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rows", type=parse_count, default=10**6, metavar="N", help="labels (default: 1M)")
    parser.add_argument(
        "--distribution", default="distance:1-22", metavar="D", help="of the boards (default: distance:1-22)"
    )
    parser.add_argument("--folder", type=Path, help="an empty folder for the labels, which stay (default: none)")
    args = parser.parse_args()
    has = {name: importlib.util.find_spec(name) is not None for name in ("pyarrow", "torch")}
    kinds = ["npz"] + ["parquet"] * has["pyarrow"]
    steps = [(f"label into .{kind} shards", label, (args.rows, args.distribution, kind)) for kind in kinds]
    if has["pyarrow"]:
        steps += [("to_parquet", store_parquet, ()), ("read .parquet shards", read_back, ())]
        steps += [("compare all bytes", compare_bytes, ())]
    steps += [("to_csv", store_csv, ()), ("read_published, compared", read_csv, ())]
    for kind in kinds:
        for inputs in ("tiles", "one-hot"):
            steps.append((f"Batches, .{kind}, {inputs}", numpy_batches, (kind, inputs)))
            for workers in (0, 2) if has["torch"] else ():
                title = f"TorchBatches, .{kind}, {inputs}, {workers} workers"
                steps.append((title, torch_batches, (kind, inputs, workers)))
    with tempfile.TemporaryDirectory() as scratch:
        folder = args.folder or Path(scratch)
        for title, step, arguments in steps:
            with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
                seconds, size, before, most = process.submit(measured, step, folder, *arguments).result()
            parts = [f"{title:42}"]
            if seconds is not None:
                parts.append(f"{seconds:7.2f} s {args.rows / seconds:12,.0f} rows/s")
            else:
                parts.append(f"{'equal':>30}")
            parts.append(f"{format_size(most):>8} of memory, {format_size(before):>7} before")
            if size is not None:
                parts.append(f"{size:,} bytes, {size / args.rows:.1f} per row")
            print("  ".join(parts), flush=True)


if __name__ == "__main__":
    main()
