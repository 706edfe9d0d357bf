"""The core's allocations are refused one by one (refusing.py)."""

import os
import platform
import re
import subprocess
import sys
from pathlib import Path

import pytest
from compiling import compiler

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc gives its own malloc a name"),
    pytest.mark.skipif("LD_PRELOAD" in os.environ, reason="another library has taken malloc"),
]


def test_objects_go_on_after_any_allocation_is_refused():
    command = [sys.executable, Path(__file__).with_name("refusing.py")]
    environment = {**os.environ, "CC": " ".join(compiler())}
    ended = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    [refused] = re.findall(r"^all +([\d,]+) refused", ended.stdout, re.M)
    assert int(refused.replace(",", "")) > 900
