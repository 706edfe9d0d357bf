"""Boards that the tests of the shell share, and readers of what a command prints."""

import json
import re
import shlex

from puzzle15.solver._solution import SEARCH_FIELDS

GOAL = "1 2 3/4 5 6/7 8 0"
EASY = "1 2 3/4 5 6/7 0 8"
NEAR = "1 2 3/4 5 6/0 7 8"  # LL
THREE = "1 2 3/0 5 6/4 7 8"  # ULL
MIDDLE = "2 3 5/4 0 6/1 7 8"  # 12 moves
FAR = "8 6 7/2 5 4/3 0 1"  # 31 moves
UNSOLVABLE = "1 2 3/4 5 6/8 7 0"
HARD = "0 15 8 3/12 11 7 4/14 10 6 5/9 13 2 1"  # 70 moves: a minute and more without stored tables
LONG = 70 * "x" + ".example"  # a name of a machine
KORF = "5 3 8 9/0 2 4 1/7 10 14 13/12 11 6 15"

#: The keys of the records of solve and of textbook searches.
_KEYS = "board goal length moves convention metric optimal lower_bound expanded generated seconds status error"
KEYS = _KEYS.split()
SEARCH_KEYS = [*KEYS, *SEARCH_FIELDS]


def read_records(out):
    """The records of --json."""
    return [json.loads(line) for line in out.splitlines()]


def error_of(result, code):
    """The one line that a failed command says."""
    assert result[0] == code
    assert result[1] == ""
    (line,) = result[2].splitlines()
    assert line.startswith("puzzle15: error: ")
    return line


def rows(text):
    r"""(words, answer) of each line ``command => answer``; names stand for boards, and \t and \n are as in Python."""
    boards = {name: value for name, value in globals().items() if name.isupper() and isinstance(value, str)}
    for line in text.strip().splitlines():
        command, _, answer = line.partition(" =>")
        words = [boards.get(word, word) for word in shlex.split(command)]
        answer = re.sub(r"[A-Z]{3,}", lambda name: boards.get(name[0], name[0]), answer.removeprefix(" "))
        yield words, answer.replace(r"\n", "\n").replace(r"\t", "\t")


def check_lines(text, *expected):
    """Check the lines of a text; of a line that is expected to end in two dots, only the beginning."""
    lines = text.splitlines()
    assert len(lines) == len(expected), text
    for line, wanted in zip(lines, expected):
        assert line == wanted or (wanted.endswith("..") and line.startswith(wanted[:-2])), (line, wanted)


def write_lines(folder, *lines):
    """A file of lines, such as boards."""
    file = folder / "lines.txt"
    file.write_text("".join(f"{line}\n" for line in lines))
    return file
