"""The examples in the docstrings of every installed module.

Collected here rather than with --doctest-modules, which would import the
source folder.  A module must import without the optional extras, but for those that use PyTorch.
"""

import doctest
import importlib
import pkgutil
from importlib.util import find_spec

import puzzle15

NEED_TORCH = {"puzzle15.learning.train.networks", "puzzle15.learning.train.training", "puzzle15.dataset.torch"}

MODULES = ["puzzle15"] + [
    module.name
    for module in pkgutil.walk_packages(puzzle15.__path__, "puzzle15.")
    if not module.name.endswith("__main__")
]


def test_examples():
    failed = []
    for name in MODULES:
        if name in NEED_TORCH and not find_spec("torch"):
            continue
        if doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS).failed:
            failed.append(name)
    assert failed == []
