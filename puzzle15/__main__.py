"""``python -m puzzle15`` is the ``puzzle15`` command."""

from puzzle15._cli import run

if __name__ == "__main__":
    run()
