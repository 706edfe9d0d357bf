"""The ``puzzle15`` command."""

import argparse

import puzzle15


def main(argv=None):
    """Run the command line `argv` (default: the process's own) and return its exit code."""
    parser = argparse.ArgumentParser(prog="puzzle15", description="Solve sliding-tile puzzles.")
    parser.add_argument("--version", action="version", version=f"puzzle15 {puzzle15.__version__}")
    parser.parse_args(argv)
    parser.print_help()
    return 0
