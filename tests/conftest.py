"""Tests a puzzle15 that has its compiled extensions, with the same examples every time."""

from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec
from pathlib import Path

import hypothesis
import pytest

# The same examples on every run and machine; no deadline, for machines under load.
hypothesis.settings.register_profile("puzzle15", derandomize=True, deadline=None)
hypothesis.settings.load_profile("puzzle15")


def pytest_configure(config):
    package = find_spec("puzzle15")
    if package is None:
        problem = "puzzle15 is not installed."
    else:
        folder = Path(package.origin).parent
        if any((folder / f"_board{suffix}").exists() for suffix in EXTENSION_SUFFIXES):
            return
        problem = f"puzzle15 would be imported from {folder}, which has no compiled extensions."
    raise pytest.UsageError(
        f'{problem}\nInstall it and run bare pytest: pip install ".[test]" && pytest\n'
        "(`python -m pytest` prefers the source folder, which needs pip install -e .)"
    )
