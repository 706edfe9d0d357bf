"""Compiles and runs the C programs of a run, in one of its processes."""

import os

import pytest
from compiling import C_TESTS, Programs


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    """One process has all tests of C. It begins with them, because they take longest."""
    for item in items:
        if C_TESTS in item.path.parents:
            item.add_marker(pytest.mark.xdist_group("c"))
    items.sort(key=lambda item: C_TESTS not in item.path.parents)


@pytest.fixture(scope="session")
def c_programs(request):
    tests = [each for each in request.session.items if each.name.startswith("test_program[")]
    runs = [(each.callspec.params["program"], each.callspec.params["kind"]) for each in tests]
    programs = Programs(runs, os.cpu_count())
    yield programs
    programs.stop()
