"""The READMEs of the repository, and what tests take from them."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]

#: README.md, those of the folders, and further pages beside them.
READMES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")] + sorted(
    path
    for folder in ("puzzle15", "csrc", "tests", "bench")
    for path in (ROOT / folder).rglob("*.md")
    if not any(part.startswith(".") for part in path.relative_to(ROOT).parts)  # caches
)


def name(path):
    """`puzzle15/_cli/README.md`."""
    return path.relative_to(ROOT).as_posix()


def text_of(path):
    return path.read_text(encoding="utf-8")


def blocks(path, language):
    """The code blocks of a README that are in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text_of(path), flags=re.MULTILINE | re.DOTALL)


def example(path, word):
    """Run the Python block of a README that imports a package: what it defines."""
    (text,) = [block for block in blocks(path, "python") if f"import {word}\n" in block]
    defined: dict = {}
    exec(compile(text, word, "exec"), defined)
    return defined


def shell_lines(path):
    """The lines of its shell blocks, each a command."""
    return [line for block in blocks(path, "sh") for line in block.splitlines()]


def console_examples(path):
    """(command, output) of each ``$`` line of its console blocks; ``...`` in the output stands for what is left out."""
    for block in blocks(path, "console"):
        for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = example.partition("\n")
            yield command, output
