"""``python -m puzzle15`` is the ``puzzle15`` command."""

import sys

from puzzle15.cli import main

if __name__ == "__main__":
    sys.exit(main())
