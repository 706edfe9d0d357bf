"""Completions for shells: each shell is asked what it completes; one that is not installed is left out."""

import shutil
import subprocess
import sys

import pytest

from puzzle15._cli.parser import make_whole_parser

#: What is typed -> what must be among the words that complete it, and what must not be.
TYPED = {
    "so": (["solve"], ["hint"]),
    "solve --al": (["--all", "--algorithm"], ["--quiet"]),
    "solve --ties l": (["lifo", "larger-g"], ["fifo"]),
    "solve --algorithm b": (["breadth-first", "beam"], ["astar"]),
    "solve --heuristic m": (["manhattan", "misplaced"], ["zero"]),
    "reproduce k": (["kantz", "kunkle"], ["cahlik"]),
    "solve -i boa": (["boards.txt"], ["other.txt"]),
}

BASH = """
source ./completions
COMP_WORDS=(puzzle15 "$@") COMP_CWORD=$#
_shtab_puzzle15 puzzle15 "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""
FISH = 'source ./completions; complete -C "puzzle15 $argv" | string split -f 1 \\t'


@pytest.fixture
def completed(tmp_path, run):
    """Return a function of a shell and what is typed that returns the words which complete it."""
    pytest.importorskip("shtab")
    (tmp_path / "boards.txt").touch()
    (tmp_path / "other.txt").touch()

    def completed(shell, script, typed):
        if shutil.which(shell) is None:
            pytest.skip(f"there is no {shell}")
        code, text, err = run("completions", shell)
        assert (code, err) == (0, "")
        (tmp_path / "completions").write_text(text)
        words = typed.split(" ") if shell == "bash" else [typed]
        command = [shell, "-c", script, *([shell] if shell == "bash" else []), *words]
        asked = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
        assert asked.stderr == ""
        return asked.stdout.split()

    return completed


@pytest.mark.skipif(sys.platform == "win32", reason="no POSIX shell")
@pytest.mark.parametrize("typed", TYPED)
@pytest.mark.parametrize("shell, script", [("bash", BASH), ("fish", FISH)])
def test_a_shell_completes(completed, shell, script, typed):
    words, others = TYPED[typed]
    found = completed(shell, script, typed)
    assert set(words) <= set(found) and not set(others) & set(found)


def test_zsh_reads_them(tmp_path, run):
    """What zsh completes needs a terminal; its text must be one that zsh takes, with all commands."""
    pytest.importorskip("shtab")
    code, text, _ = run("completions", "zsh")
    assert code == 0 and text.startswith("#compdef puzzle15")
    assert all(f"{command.prog.split()[1]}:" in text for command in make_whole_parser()[1])
    if shutil.which("zsh"):
        (tmp_path / "_puzzle15").write_text(text)
        subprocess.run(["zsh", "-n", tmp_path / "_puzzle15"], check=True)


def test_without_shtab_it_says_what_to_install(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "shtab", None)
    code, out, err = run("completions", "bash")
    assert (code, out) == (2, "") and "pip install shtab" in err
