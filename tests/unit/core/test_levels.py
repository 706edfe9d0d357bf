"""PUZZLE15_CPU selects a level of instructions that this processor has; anything else is an error."""

import os
import subprocess
import sys

import pytest

from puzzle15._core.base.board import CPU_LEVELS, cpu

INSTRUCTIONS = {"plain": "portable", "v3": "x86-64-v3", "v4": "x86-64-v4", "vnni": "x86-64-v4"}


def info(name, folder):
    """What ``puzzle15 info`` prints on a machine without tables, with the variable set."""
    command = [sys.executable, "-m", "puzzle15", "info", "--tables", str(folder)]
    variables = {**os.environ, "PUZZLE15_CPU": name}
    return subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("name", CPU_LEVELS)
def test_a_level_of_this_processor_is_used_and_shown(name, monkeypatch, tmp_path):
    monkeypatch.setenv("PUZZLE15_CPU", name)
    assert cpu() == name
    assert f"instructions: {INSTRUCTIONS[name]} (PUZZLE15_CPU={name})\n" in info(name, tmp_path).stdout


def test_without_the_variable_the_highest_level_is_used(monkeypatch, tmp_path):
    for unset in (lambda: monkeypatch.setenv("PUZZLE15_CPU", ""), lambda: monkeypatch.delenv("PUZZLE15_CPU")):
        unset()
        assert cpu() == CPU_LEVELS[-1]
    assert "PUZZLE15_CPU" not in info("", tmp_path).stdout


@pytest.mark.parametrize("name", ["v5", "V3", "v3 ", "avx2", *sorted(INSTRUCTIONS.keys() - set(CPU_LEVELS))])
def test_nothing_works_with_another_word(name, tmp_path):
    ended = info(name, tmp_path)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == (
        f"puzzle15: error: PUZZLE15_CPU={name!r}: expected a level of instructions that this processor has "
        f"({', '.join(CPU_LEVELS)}); correct the variable, or unset it\n"
    )
