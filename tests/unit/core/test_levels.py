"""PUZZLE15_CPU selects a level of instructions that this processor has; anything else is an error."""

import os

import pytest

from puzzle15 import Board, Solver
from puzzle15._core.base.board import CPU_LEVELS, cpu

INSTRUCTIONS = {"plain": "portable", "v3": "x86-64-v3", "v4": "x86-64-v4", "vnni": "x86-64-v4"}


@pytest.fixture
def info(python, tmp_path):
    """What ``puzzle15 info`` prints on a machine without tables, with the variable set."""
    words = "-m", "puzzle15", "info", "--tables", tmp_path
    return lambda name: python(*words, env={**os.environ, "PUZZLE15_CPU": name})


@pytest.mark.parametrize("name", CPU_LEVELS)
def test_a_level_of_this_processor_is_used_and_shown(name, info):
    assert f"instructions: {INSTRUCTIONS[name]} (PUZZLE15_CPU={name})\n" in info(name).stdout


def test_without_the_variable_the_highest_level_is_used(info):
    shown = info("").stdout
    assert "PUZZLE15_CPU" not in shown and f"instructions: {INSTRUCTIONS[CPU_LEVELS[-1]]}" in shown


def test_the_variable_is_read_once(monkeypatch):
    """A name that is set later, right or wrong, changes nothing."""
    before, board = cpu(), Board.random(15, shape=(3, 3))
    length = Solver(shape=(3, 3)).solve(board).length
    for name in ("v9", CPU_LEVELS[0], CPU_LEVELS[-1]):
        monkeypatch.setenv("PUZZLE15_CPU", name)
        assert cpu() == before and Solver(shape=(3, 3)).solve(board).length == length


@pytest.mark.parametrize("name", ["v5", "V3", "v3 ", "avx2", *sorted(INSTRUCTIONS.keys() - set(CPU_LEVELS))])
def test_nothing_works_with_another_word(name, info):
    ended = info(name)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == (
        f"puzzle15: error: PUZZLE15_CPU={name!r}: expected a level of instructions that this processor has "
        f"({', '.join(CPU_LEVELS)}); correct the variable, or unset it\n"
    )
