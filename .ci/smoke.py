"""What a new installation must be able to do: run by the interpreter that has it, outside the source tree."""

import importlib
import pkgutil
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import numpy as np

import puzzle15
from puzzle15 import Board, Solver, search, solve
from puzzle15.board import korf100
from puzzle15.learning import AnnDistance, network_names

BOARD = "5 3 8 9/0 2 4 1/7 10 14 13/12 11 6 15"

home = Path(puzzle15.__file__).parent
assert home.parent.name in ("site-packages", "dist-packages"), f"{home} is no installed package"

modules = [module.name for module in pkgutil.walk_packages([str(home)], "puzzle15.")]
for name in modules:
    if not name.endswith("__main__"):
        try:
            importlib.import_module(name)
        except ImportError as error:
            if "torch" not in str(error):  # only training needs it
                raise

extensions = [path for path in home.glob("_core/*/*") if path.name.endswith(tuple(EXTENSION_SUFFIXES))]
stubs = list(home.glob("_core/*/*.pyi"))
assert {(path.parent, path.name.split(".")[0]) for path in extensions} == {(path.parent, path.stem) for path in stubs}
assert (home / "py.typed").exists()

assert solve(BOARD).length == 53
assert search(BOARD, heuristic="ann", prove=True).length == 53
assert Solver("embedded").solve(Board.random(1), max_nodes=100).status == "limit"
assert len(korf100()) == 100
assert network_names() == ["best", "paper", "paper-6m"]
for network in network_names():
    assert np.isfinite(AnnDistance(network).many([BOARD])).all()

for command in ([sys.executable, "-m", "puzzle15"], [str(Path(sys.executable).parent / "puzzle15")]):
    for arguments in (["--help"], ["info"], ["solve", BOARD]):
        assert subprocess.run([*command, *arguments], check=True, capture_output=True).stdout

print(f"puzzle15 {puzzle15.__version__}, numpy {np.__version__}: {len(modules)} modules, {len(extensions)} extensions")
