"""What the tests of the shell share."""

import io
import sys

import pytest

from puzzle15.cli import main


@pytest.fixture
def run(capsys, monkeypatch):
    """Run a command line: (exit code, output, errors)."""

    def run(*argv, stdin=""):
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        try:
            code = main([str(word) for word in argv])
        except SystemExit as end:  # argparse
            code = end.code
        return (code, *capsys.readouterr())

    return run
