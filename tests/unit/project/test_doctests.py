"""The examples in the docstrings of every installed module.

Collected here rather than with --doctest-modules, which would import the
source folder.  A module must import without the optional extras, but for those that use PyTorch.
"""

import doctest
import importlib
import pkgutil

import pytest

import puzzle15

MODULES = ["puzzle15"] + [
    module.name
    for module in pkgutil.walk_packages(puzzle15.__path__, "puzzle15.")
    if not module.name.endswith("__main__")
]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    if name in ("puzzle15.ann.train.networks", "puzzle15.ann.train.training", "puzzle15.dataset.torch"):
        pytest.importorskip("torch")
    result = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert result.failed == 0
