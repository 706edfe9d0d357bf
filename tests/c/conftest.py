"""Compiles and runs the C programs of a run, in one of its processes."""

import os
from pathlib import Path

import pytest
from compiling import C_TESTS, Programs


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    """Begin with tests of C, because they take longest."""
    items.sort(key=lambda item: C_TESTS not in item.path.parents)


@pytest.fixture(scope="session")
def c_programs(request):
    if run := os.environ.get("PYTEST_XDIST_TESTRUNUID"):
        Path(os.environ["PUZZLE15_TEST_RUN"], f"c-{run}").touch(exist_ok=False)  # no other process compiles them, too
    tests = [each for each in request.session.items if each.name.startswith("test_program[")]
    runs = [(each.callspec.params["program"], each.callspec.params["kind"]) for each in tests]
    programs = Programs(runs, os.cpu_count())
    yield programs
    programs.stop()
