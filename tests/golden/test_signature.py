"""The optimal searches expand the nodes that they did, with every level of instructions.

A search that has become weaker still finds the right lengths; only these counts show it. Whoever changes the search on
purpose writes the file anew (``python bench/signature.py --small``), and says so in the commit.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from puzzle15._core.base.board import CPU_LEVELS

EXPECTED = Path(__file__).with_name("signature.txt").read_text("ascii")
SCRIPT = Path(__file__).parent.parent.parent / "bench" / "signature.py"


@pytest.mark.parametrize(
    "level", [*(pytest.param(level, marks=pytest.mark.slow) for level in CPU_LEVELS[:-1]), CPU_LEVELS[-1]]
)
def test_the_signature_is_that_of_the_file(level):
    command = [sys.executable, str(SCRIPT), "--small"]
    variables = {**os.environ, "PUZZLE15_CPU": level}
    assert subprocess.run(command, env=variables, stdout=subprocess.PIPE, text=True, timeout=120).stdout == EXPECTED
