"""Makes sure that what is tested is a puzzle15 with its compiled extensions."""

from importlib.util import find_spec

import pytest


def pytest_configure(config):
    package = find_spec("puzzle15")
    if package is None:
        where, problem = "nowhere on sys.path", "it is not installed"
    elif find_spec("puzzle15._board") is None:
        where = package.submodule_search_locations[0]
        problem = "its extensions have not been compiled there"
    else:
        return
    raise pytest.UsageError(
        f"puzzle15 was found {where}: {problem}.\n"
        'Install it, then run bare pytest from the repository\'s root: pip install ".[test]" && pytest\n'
        "(`python -m pytest` tests the source folder instead; that needs pip install -e .)"
    )
