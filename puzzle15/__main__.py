"""``python -m puzzle15`` is the ``puzzle15`` command."""

from puzzle15.cli import run

if __name__ == "__main__":
    run()
