"""Compiles and runs the C programs of the tests."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
ROOT = TESTS.parent
CSRC = ROOT / "csrc"


def compiler():
    """The C compiler's command, as a list: $CC, or what the system has."""
    for name in filter(None, (os.environ.get("CC"), "cc", "gcc", "clang")):
        command = name.split()
        if shutil.which(command[0]):
            return command
    pytest.fail("the C tests need a C compiler with AddressSanitizer and UBSan: install gcc or clang, or set CC")


def run(command, text=None):
    """What a command prints when it is given a text; the test fails if the command does."""
    result = subprocess.run(command, input=text, capture_output=True, text=True)
    output = result.stdout + result.stderr
    assert result.returncode == 0, f"{' '.join(map(str, command))}\n{output}"
    return output
