"""Runs the command of `puzzle15.ann.train`."""

import sys

from . import main

if __name__ == "__main__":
    sys.exit(main())
