"""Tests a puzzle15 that has its compiled extensions, with the same examples every time.

No test reads the user's tables: those that it needs are built here, once a run.
"""

import contextlib
import functools
import io
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec
from itertools import chain
from pathlib import Path

import hypothesis
import interrupting
import numpy as np
import pytest
import timing

try:
    import fcntl
except ImportError:
    fcntl = None

# The same examples on every run and machine, or with `--hypothesis-profile nightly` other ones each time; no deadline,
# for machines under load.
hypothesis.settings.register_profile("puzzle15", max_examples=60, derandomize=True, deadline=None)
hypothesis.settings.register_profile("nightly", max_examples=3000, print_blob=True, deadline=None)
hypothesis.settings.load_profile("puzzle15")

SEED = 15

#: The variable that names the folder of this run, which all its processes share: tables are large, so it is not
#: pytest's own temporary folder, of which three runs are kept. `.ci/run` has one for all its stages.
RUN = "PUZZLE15_TEST_RUN"


def pytest_report_header(config):
    return f"seed of every random draw: {SEED}"


@pytest.fixture
def rng():
    """A generator of random numbers, the same for every test."""
    print(f"seed {SEED}")
    return np.random.default_rng(SEED)


@pytest.fixture(scope="session", autouse=True)
def no_tables():
    """The tables' default folder for the whole run: one that is not there."""
    with tempfile.TemporaryDirectory(prefix="puzzle15-") as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("PUZZLE15_TABLES", str(Path(folder) / "none"))
        yield Path(folder) / "none"
        assert not list(Path(folder).iterdir()), "a test built tables in the default folder"


@pytest.fixture
def no_cloudpickle(monkeypatch):
    """As if nothing had imported cloudpickle, which sends more than pickle does."""
    monkeypatch.delitem(sys.modules, "cloudpickle", raising=False)


def built(name, *partitions, **options):
    """The folder of the run's tables by this name. The first process that asks for them builds them."""
    import puzzle15

    folder = Path(os.environ[RUN], name)
    for partition in partitions:
        puzzle15.build_tables(partition, tables=folder, **options)
    return folder


@pytest.fixture(scope="session")
def tables_7_8():
    """The real tables: 7-8, zero-aware, 196 MB."""
    return built("7-8", "7-8")


@pytest.fixture(scope="session")
def classic_7_8():
    """The classic 7-8 tables: 288 MB."""
    return built("classic-7-8", "7-8", format="classic")


@pytest.fixture(scope="session")
def multi_tile_tables():
    """The default multi-tile tables: 58 MB."""
    return built("multi-tile", None, metric="mtm")


@pytest.fixture(scope="session")
def small_tables():
    """5-5-5 and 6-6-3, zero-aware."""
    return built("small", "5-5-5", "6-6-3")


@pytest.fixture(scope="session")
def classic_small_tables():
    """5-5-5 and 6-6-3, classic."""
    return built("classic-small", "5-5-5", "6-6-3", format="classic")


@pytest.fixture(autouse=True)
def registered():
    """What a test registers as an algorithm is gone afterwards."""
    before = _registered()
    yield
    for name in _registered() - before:
        sys.modules["puzzle15.searches._algorithms"].unregister(name)


def _registered():
    known = getattr(sys.modules.get("puzzle15.searches._algorithms"), "ALGORITHMS", {})
    return {name for name, kind in known.items() if kind.function is not None}


@pytest.fixture
def run(capsys, monkeypatch, tmp_path):
    """Run a command line in an empty folder: (exit code, output, errors)."""
    from puzzle15._cli import main

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")

    def run(*argv, stdin=""):
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        code = main([str(word) for word in argv])
        return (code, *capsys.readouterr())

    return run


@pytest.fixture
def start(tmp_path):
    """Start Python with these arguments, in a process that ends with the test at the latest; gives a Popen.

    It is not among the sources, which Python would take for the package. Its streams are pipes.
    """
    processes = []

    def start(*words, **options):
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        command = [sys.executable, *map(str, words)]
        processes.append(subprocess.Popen(command, **{"cwd": tmp_path, **pipes, **options}))
        return processes[-1]

    yield start
    for process in processes:
        process.kill()
    for process in processes:
        for stream in filter(None, (process.stdin, process.stdout, process.stderr)):
            with contextlib.suppress(BrokenPipeError):  # of what was not read
                stream.close()
        process.wait()


@pytest.fixture
def python(tmp_path):
    """Run Python with these arguments in an empty folder, to its end: its code, output and errors."""

    def python(*words, **options):
        settings = {"cwd": tmp_path, "capture_output": True, "text": True, "timeout": 600, **options}
        return subprocess.run([sys.executable, *map(str, words)], **settings)

    return python


CHROMIUM = os.environ.get("PUZZLE15_CHROMIUM") or shutil.which("chromium")
# Pages of tests are the only ones that use the network, and a container has no GPU.
CHROMIUM_ARGUMENTS = [
    *("--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]


@pytest.fixture(scope="session")
def chromium():
    """A browser of playwright, one for the whole run, because only one may be driven at a time."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is missing: pip install --group browser")
    if CHROMIUM is None:
        pytest.skip("Chromium is missing: install it, or name it in PUZZLE15_CHROMIUM")
    arguments = CHROMIUM_ARGUMENTS + ["--no-sandbox"] * (hasattr(os, "geteuid") and os.geteuid() == 0)
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments, timeout=60_000)
        yield browser
        browser.close()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Of a test with the mark sweep(N, M), the first N cases belong to the default run; the others are slow, and all
    but the first M nightly. So are all tests with the mark nightly.

    Tests of time come last, because one that is too slow is tried again alone, when all other processes are done.
    """
    seen = Counter()
    for item in items:
        mark = item.get_closest_marker("sweep")
        if mark is not None:
            seen[item.function] += 1
            for most, name in zip(mark.args, ("slow", "nightly")):
                if seen[item.function] > most:
                    item.add_marker(name)
        if item.get_closest_marker("nightly"):
            item.add_marker(pytest.mark.slow)
    items.sort(key=is_timed)


def is_timed(item):
    return getattr(item.function, "is_timed", False)


@contextlib.contextmanager
def beside_others(item):
    """Let tests of several processes run beside each other, and one that is too slow wait until it is alone."""
    if fcntl and hasattr(item.config, "workerinput"):  # a process of xdist
        with open(Path(os.environ[RUN], "quiet"), "w") as file:
            fcntl.flock(file, fcntl.LOCK_SH)
            timing.wait_until_alone = functools.partial(fcntl.flock, file, fcntl.LOCK_EX)
            yield
    else:
        yield


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item):
    slow = item.get_closest_marker("slow")
    timing.notes = item.user_properties
    with contextlib.ExitStack() as stack:
        stack.enter_context(beside_others(item))
        if not item.config.option.usepdb:
            seconds = interrupting.SLOW_LIMIT_S if slow else interrupting.LIMIT_S
            stack.enter_context(interrupting.time_limit(seconds, item.config.stderr))
        yield


def pytest_terminal_summary(terminalreporter):
    ended = [each for each in chain(*terminalreporter.stats.values()) if getattr(each, "when", None) == "teardown"]
    for what in (timing.TRIED_AGAIN, timing.NOT_MEASURED):
        lines = {each.nodeid: [why for kind, why in each.user_properties if kind == what] for each in ended}
        lines = [f"{name}: {'; again: '.join(whys)}" for name, whys in lines.items() if whys]
        if lines:
            terminalreporter.section(f"{what}: {len(lines)}")
            for line in lines:
                terminalreporter.line(line)


def pytest_xdist_auto_num_workers(config):
    """One process per processor, at most four, which share the run's folder; a few files need one process only."""
    names = [each.partition("::")[0] for each in config.args]
    few = len(names) < 4 and all(Path(name).is_file() for name in names)
    return 0 if few else min(os.cpu_count() or 1, 4)


#: In names of tests that one process has, because what they share takes long to make: programs, samples of boards.
TOGETHER = ["tests/c/", "test_spagnolettos_"]


def pytest_xdist_make_scheduler(config, log):
    """Schedule by `TOGETHER`: from pytest 9.2 on, marks with a group do not reach the process that schedules."""
    from xdist.scheduler import LoadGroupScheduling

    class Scheduling(LoadGroupScheduling):
        def _split_scope(self, nodeid):
            return next((part for part in TOGETHER if part in nodeid), nodeid)

    return Scheduling(config, log) if config.getvalue("dist") == "loadgroup" else None


def pytest_configure(config):
    interrupting.let_signals_act()
    if RUN not in os.environ:  # in the process that starts the others
        os.environ[RUN] = tempfile.mkdtemp(prefix="puzzle15-run-")
        config.add_cleanup(lambda: shutil.rmtree(os.environ.pop(RUN)))
    config.stderr = os.dup(2)  # pytest takes away the first one while a test runs
    package = find_spec("puzzle15")
    if package is None:
        problem = "puzzle15 is not installed."
    else:
        folder = Path(package.origin).parent
        if any((folder / "_core" / "base" / f"board{suffix}").exists() for suffix in EXTENSION_SUFFIXES):
            return
        problem = f"puzzle15 would be imported from {folder}, which has no compiled extensions."
    raise pytest.UsageError(
        f'{problem}\nInstall it and run bare pytest: pip install ".[test]" && pytest\n'
        "(`python -m pytest` prefers the source folder, which needs pip install -e .)"
    )
