"""The files that keep what has been learned: compressed numpy archives (.npz)."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any, Union

import numpy as np

from .._core.learning.value_iteration import Subproblem
from ..board import goal_of
from ..errors import TableCorruptError
from ..system.arrays import Arrays, ArraysError, open_arrays
from ..system.files import write_atomically
from .chain import Chain
from .functions import ValueFunction

__all__ = ["read_chain", "write_chain"]

_FILE_VERSION = 1
_SETTINGS = "version", "goal", "initial_size", "gamma"  # the arrays beside those of the functions


def write_chain(path: Union[str, os.PathLike[str]], chain: Chain) -> None:
    """Write what has been learned of a chain; the file appears under its name when it is complete."""
    arrays: dict[str, Any] = {
        "version": np.array(_FILE_VERSION),
        "goal": np.array(str(chain.goal)),
        "initial_size": np.array(chain.initial_size),
        "gamma": np.array(chain.gamma),
    }
    for (stage, begin), function in chain.functions.items():
        arrays[f"values-{stage}-{begin}"] = function.values
        arrays[f"policy-{stage}-{begin}"] = function.policy
    with write_atomically(Path(path)) as file:
        np.savez_compressed(file, **arrays)


def read_chain(path: Union[str, os.PathLike[str]]) -> Chain:
    """Read what `write_chain` wrote, and check every value and every action.

    Raises
    ------
    FileNotFoundError
    TableCorruptError
        If the file is damaged, or another kind of file.
    """
    path = Path(path)
    try:
        with open_arrays(path) as file:
            version = int(file.read("version", "int32 int64", ()))
            if version != _FILE_VERSION:
                raise ValueError(f"version {version}: expected {_FILE_VERSION}")
            size, gamma = file.read("initial_size", "int32 int64", ()), file.read("gamma", "float64", ())
            chain = Chain(goal_of(str(file.read("goal", "str", ())), None), int(size), float(gamma))
            for name in file.names:
                place = re.fullmatch("(values|policy)-([0-9]{1,2})-([0-9]{1,2})", name)
                if place and place[1] == "values":
                    stage, begin = int(place[2]), int(place[3])
                    chain.functions[stage, begin] = _read_function(file, chain, stage, begin)
                elif not place and name not in _SETTINGS:
                    raise ValueError(f"unexpected array {name}")
    except (ArraysError, ValueError) as error:
        raise TableCorruptError(
            f"{path}: its learned policies cannot be used ({error}); train and save again"
        ) from None
    return chain


def _read_function(file: Arrays, chain: Chain, stage: int, begin: int) -> ValueFunction:
    name = f"subproblem {stage}-{begin}"
    if not (0 <= stage < chain.stage_count and 0 <= begin <= stage * chain.initial_size):
        raise ValueError(f"{name} does not exist")
    space = Subproblem(chain.goal.shape, *chain.sets(stage, begin))
    values = file.read(f"values-{stage}-{begin}", "float64", (space.state_count,))
    policy = file.read(f"policy-{stage}-{begin}", "uint8", (space.state_count,))
    wrong = space.check(chain.gamma, values, policy)
    if wrong:
        raise ValueError(f"{name} is wrong in {wrong:,} of {space.state_count:,} states")
    return ValueFunction(space, chain.goal, chain.gamma, values, policy)
