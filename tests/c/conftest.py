"""Compiles and runs the C programs on a processor of their own, while other tests run; their tests come last."""

import os

import pytest
from compiling import C_TESTS, Programs


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: C_TESTS in item.path.parents)


def pytest_collection_finish(session):
    runs = [item.callspec.params["arguments"] for item in session.items if item.name.startswith("test_program[")]
    if runs and not session.config.option.collectonly:
        alone = all(C_TESTS in item.path.parents for item in session.items)
        session.config.c_programs = Programs(runs, os.cpu_count() if alone else max(1, os.cpu_count() - 1))


def pytest_unconfigure(config):
    if hasattr(config, "c_programs"):
        config.c_programs.stop()


@pytest.fixture(scope="session")
def c_programs(request):
    return request.config.c_programs
