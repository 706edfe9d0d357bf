"""Finds the C sources that those of this commit are compared with in speed.

    python tests/helpers/parent.py FOLDER     puts them into a folder, or says why there are none and exits with 1

The tests take them from the folder in $PUZZLE15_PARENT; without it, from git. A folder of the sdist has no git, so
.ci/run sets the variable.
"""

import os
import subprocess
import sys
import tarfile
from io import BytesIO
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NEEDED = ["csrc", "tests/c", "tests/speed"]


class NoParent(Exception):
    """There is nothing to compare with, and why."""


def git(*words):
    """What git prints, or None where it fails or is missing."""
    try:
        return subprocess.run(["git", "-C", ROOT, *words], capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return None


def commits():
    """Where to look for C sources other than these: in what has landed, so that commits which land together are
    compared as one; in the last commit; and before the last commit that changed some."""
    yield git("merge-base", "HEAD", "origin/HEAD")
    yield git("rev-parse", "HEAD")
    last = git("log", "-1", "--format=%H", "--", "csrc")
    yield last and git("rev-parse", "--verify", "--quiet", f"{last.decode().strip()}^")


def put_parent(folder):
    """Put the parent's sources into a folder.

    Raises
    ------
    NoParent
    """
    if not (ROOT / ".git").exists():
        raise NoParent("these sources are not in a git repository; $PUZZLE15_PARENT can name the parent's")
    for commit in filter(None, commits()):
        commit = commit.decode().strip()
        if git("diff", "--quiet", commit, "--", "csrc") is None:
            with tarfile.open(fileobj=BytesIO(git("archive", commit, *NEEDED))) as archive:
                archive.extractall(folder)
            print(f"compared with commit {commit[:12]}")
            return
    raise NoParent("git has no commit with other C sources")


def parent_folder(empty):
    """The folder of the parent's sources; an empty folder is used if they come from git."""
    named = os.environ.get("PUZZLE15_PARENT")
    if named:
        return Path(named)
    put_parent(empty)
    return empty


if __name__ == "__main__":
    try:
        put_parent(sys.argv[1])
    except NoParent as error:
        sys.exit(str(error))
