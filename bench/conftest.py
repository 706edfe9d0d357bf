"""Board sets and tables that the benchmarks share; the sets are the same on every machine."""

import os
import subprocess
from pathlib import Path
from types import SimpleNamespace

import figures
import pytest
import shared

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
def tables():
    """The folder of the 7-8 tables: $PUZZLE15_BENCH_TABLES, or a temporary folder."""
    with shared.tables_7_8(os.environ.get("PUZZLE15_BENCH_TABLES")) as folder:
        yield folder


@pytest.fixture(scope="session")
def random_boards():
    """1,000 uniform random boards, packed, of the seeds 0 .. 999."""
    return shared.random_boards(1000)


@pytest.fixture
def noted(benchmark):
    """A function that records facts, or the results of a batch, beside the times of a benchmark, and prints them."""

    def noted(batch=None, **facts):
        if batch is not None:
            facts.update(
                boards=len(batch),
                mean_length=float(batch.lengths.mean()),
                mean_expanded=float(batch.expanded.mean()),
                mean_generated=float(batch.generated.mean()),
            )
        benchmark.extra_info.update(facts)
        print({name: round(value, 3) for name, value in benchmark.extra_info.items()})

    return noted


@pytest.fixture(scope="session")
def plain_program(tmp_path_factory):
    """Compiles a plain C program of benchmarks; gives a function from boards to its lines of output, each split."""

    def program(name):
        binary = shared.compiled(Path(__file__).parent / "benchmarks" / name, tmp_path_factory.mktemp("plain"), "-O3")

        def run(boards):
            text = "".join(" ".join(map(str, board.tiles)) + "\n" for board in boards)
            output = subprocess.run([binary], input=text, capture_output=True, text=True, check=True).stdout
            return [line.split() for line in output.splitlines()]

        return run

    return program
