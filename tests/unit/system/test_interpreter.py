"""Sub-interpreters: refused in plain words, before anything else is imported."""

import subprocess
import sys

import pytest

PROGRAM = """
try:
    import _interpreters as interpreters  # since Python 3.13
except ImportError:
    import _xxsubinterpreters as interpreters
{before}
text = '''
import sys
try:
    import puzzle15
except ImportError as error:
    print(error, flush=True)
    assert "numpy" not in sys.modules
'''
assert interpreters.run_string(interpreters.create(), text) is None
import puzzle15  # which works here, whatever was tried there
print(puzzle15.solve("1 2 3/0 5 6/4 7 8").moves)
"""


@pytest.mark.parametrize("before", ["", "import puzzle15"])
def test_a_sub_interpreter_is_refused(tmp_path, before):
    program = PROGRAM.format(before=before)
    ended = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (0, "")
    refused, solved = ended.stdout.splitlines()
    assert (
        refused.startswith("puzzle15 was imported in a sub-interpreter, but works only in the main") and solved == "ULL"
    )
