"""The project stays small enough to read: no long files, no full folders."""

from collections import defaultdict

from readmes import ROOT

MOST_LINES, MOST_ENTRIES = 500, 18
CACHES = {"__pycache__", ".pytest_cache"}
KINDS = {".py", ".pyx", ".pxd", ".pyi", ".c", ".h", ".js", ".css", ".html"}

#: What is larger, and must not grow further.
LARGER = {
    "puzzle15": 20,
}


def sources():
    """(name of a file, path) of all files of the project, without what builds and tests leave there."""
    for folder in ("bench", "csrc", "puzzle15", "tests"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in {*KINDS, ".md", ".json", ".txt"} and not CACHES & set(path.parts):
                yield path.relative_to(ROOT), path


def too_large(sizes, most):
    return {name: size for name, size in sizes.items() if size > max(most, LARGER.get(name, 0))}


def test_no_file_is_long():
    lines = {
        name.as_posix(): path.read_text(encoding="utf-8").count("\n")
        for name, path in sources()
        if path.suffix in KINDS
    }
    assert len(lines) > 300 and too_large(lines, MOST_LINES) == {}


def test_the_readme_is_short():
    assert (ROOT / "README.md").read_text(encoding="utf-8").count("\n") <= 120


def test_no_folder_is_full():
    """A module's ``.c`` and ``.h``, or ``.pyx``, ``.pxd`` and ``.pyi``, are one entry."""
    entries = defaultdict(set)
    for name, _ in sources():
        for entry, folder in zip([name, *name.parents], name.parents):
            entries[folder.as_posix()].add(entry.stem)
    assert too_large({folder: len(names) for folder, names in entries.items()}, MOST_ENTRIES) == {}
