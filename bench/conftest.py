"""Board sets and tables that the benchmarks share; the sets are the same on every machine."""

import os
import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace

import boards
import figures
import pytest

from puzzle15 import build_tables

HARD = "0 15 8 3/12 11 7 4/14 10 6 5/9 13 2 1"  # 70 moves; hard for the 7-8 tables

MEASURED = {}  # what each benchmark has measured, for --write-figures


def pytest_addoption(parser):
    parser.addoption("--write-figures", action="store_true", help="write what is measured into the table of README.md")


def pytest_runtest_makereport(item, call):
    benchmark = item.funcargs.get("benchmark")
    if call.when == "call" and not call.excinfo and benchmark and benchmark.stats:
        seconds = benchmark.stats.stats.median
        MEASURED[item.nodeid.rpartition("/")[2]] = SimpleNamespace(seconds=seconds, **benchmark.extra_info)


def pytest_sessionfinish(session):
    if session.config.getoption("--write-figures"):
        figures.write(MEASURED)


@pytest.fixture(scope="session")
def tables(tmp_path_factory):
    """The folder of the 7-8 tables: $PUZZLE15_BENCH_TABLES, or a temporary folder."""
    named = os.environ.get("PUZZLE15_BENCH_TABLES")
    folder = Path(named) if named else tmp_path_factory.mktemp("tables")
    build_tables("7-8", tables=folder)
    return folder


@pytest.fixture(scope="session")
def random_boards():
    """1,000 uniform random boards, packed, of the seeds 0 .. 999."""
    return boards.random_boards(1000)


def note(benchmark, batch):
    """Record the results of the search beside the times."""
    benchmark.extra_info.update(
        boards=len(batch),
        mean_length=float(batch.lengths.mean()),
        mean_expanded=float(batch.expanded.mean()),
        mean_generated=float(batch.generated.mean()),
    )
    print({name: round(value, 2) for name, value in benchmark.extra_info.items()})


@pytest.fixture
def noted():
    return note


@pytest.fixture(scope="session")
def plain_program(tmp_path_factory):
    """Compiles a plain C program of this folder; gives a function from boards to its lines of output, each split."""
    compiler = next(filter(shutil.which, [os.environ.get("CC", "cc"), "gcc", "clang"]))

    def program(name):
        binary = tmp_path_factory.mktemp("plain") / Path(name).stem
        subprocess.run([compiler, "-O3", "-std=c11", Path(__file__).with_name(name), "-o", binary], check=True)

        def run(boards):
            text = "".join(" ".join(map(str, board.tiles)) + "\n" for board in boards)
            output = subprocess.run([binary], input=text, capture_output=True, text=True, check=True).stdout
            return [line.split() for line in output.splitlines()]

        return run

    return program
