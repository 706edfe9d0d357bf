"""What the tests of the shell share."""

import io
import sys

import pytest

from puzzle15.cli import main


@pytest.fixture
def run(capsys, monkeypatch, tmp_path):
    """Run a command line in an empty folder: (exit code, output, errors)."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")

    def run(*argv, stdin=""):
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        code = main([str(word) for word in argv])
        return (code, *capsys.readouterr())

    return run
