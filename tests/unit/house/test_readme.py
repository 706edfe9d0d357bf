"""What the README shows: its Python runs, its commands parse, its links lead somewhere."""

import doctest
import re
import shlex
from pathlib import Path

import pytest

from puzzle15 import ALGORITHMS, Board, cli
from puzzle15.heuristics import NAMES

ROOT = Path(__file__).parent.parent.parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", README, flags=re.MULTILINE | re.DOTALL)


def commands():
    """Every ``puzzle15 ..`` of the shell blocks, and of the text where it stands alone."""
    lines = [line for block in blocks("sh") for line in block.splitlines()]
    lines += re.findall(r"`(puzzle15 [^`]*)`", README)
    for line in lines:
        words = shlex.shlex(line, posix=True, punctuation_chars=True)
        words.whitespace_split = True
        command: list = []
        for word in [*words, ";"]:
            if re.fullmatch(r"[;&|<>]+", word):
                if command[:1] == ["puzzle15"]:
                    yield command[1:]
                command = []
            else:
                command.append(word)


@pytest.mark.parametrize("number", range(len(blocks("python"))))
def test_python(number):
    text = blocks("python")[number]
    test = doctest.DocTestParser().get_doctest(text, {}, "README.md", "README.md", 0)
    assert test.examples
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
    assert result.failed == 0


COMMANDS = [words for words in commands() if "COMMAND" not in words]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_commands(words):
    args = cli.make_parser().parse_args(words)
    if args.command == "solve" and args.boards:
        for text in args.boards:
            Board(text)


def test_every_command_is_shown():
    assert {words[0] for words in COMMANDS} == {
        "solve",
        "compare",
        "label",
        "reproduce",
        "build",
        "verify",
        "tables",
        "info",
    }


@pytest.mark.parametrize("name", [*ALGORITHMS, *NAMES])
def test_every_search_and_heuristic_is_described(name):
    assert f"| `{name}` |" in README


def test_files_that_are_named_are_there():
    names = re.findall(r"\]\((?!https?:)([^)#]+)\)", README)
    assert names and all((ROOT / name).exists() for name in names)
