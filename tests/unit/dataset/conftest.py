"""The command that labels and checks."""

import pytest

from puzzle15.cli import main


@pytest.fixture
def run(capsys):
    """Run `puzzle15 label`: (exit code, output, errors)."""

    def run(*argv):
        try:
            code = main(["label", *map(str, argv)])
        except SystemExit as end:  # argparse
            code = end.code
        return (code, *capsys.readouterr())

    return run
