"""Commands that answer each line of their input with one: where the lines come from, and how the answers are written.

A line that cannot be answered gets ``error: ..`` as its answer, so that answers stay beside their lines. Such an answer
of an earlier command in a pipe is handed on.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Optional, Union

from ..board import Board, GoalOf, Shape, abbreviated, format_moves, read_board, read_plain
from ..errors import BoardError
from ..system.later import np
from ..system.streams import read_blocks, standard_input
from .console import FAILED, OK, UsageError, flush_output, reason, say, write_line
from .options import Container
from .records import add_records

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "Answer",
    "MOVES_WORD",
    "TAB",
    "add_lines",
    "add_plain",
    "answer_lines",
    "by_shape",
    "columns_of",
    "read_boards",
    "written_moves",
]

#: What a command makes of a line: text, a record for --json and --csv, or what is wrong with the line.
Answer = Union[str, dict[str, Any], Exception]

LONGEST = 1 << 20  # characters of a line: no solution is as long
_ERROR = "error: "

#: Between the board and the moves of a line.
TAB = "\t"

#: One word of moves, as a regular expression.
MOVES_WORD = "[UDLRudlr][1-9]?"


def add_lines(parser: Container, what: str, record: str) -> None:
    """The options of a command that answers lines."""
    parser.add_argument(
        "-i", "--input", metavar="FILE", help=f"read {what} from FILE, one per line; - is standard input"
    )
    add_records(parser, f"print one JSON record per {record}")
    parser.add_argument("--quiet", action="store_true", help="do not say on standard error how many lines are bad")


def answer_lines(
    args: argparse.Namespace,
    given: Optional[Sequence[str]],
    answer: Callable[[list[str]], Sequence[Answer]],
    fields: Sequence[str],
    *,
    blank: bool = False,
    grids: bool = False,
) -> int:
    """Answer the lines of the command line, a file or standard input, and return the exit code.

    Parameters
    ----------
    args : argparse.Namespace
        With the options of `add_lines`.
    given : sequence of str, or None
        The lines, if they were given on the command line.
    answer : callable
        Takes lines, without comments and without spaces around them, and returns the answer of each.
    fields : sequence of str
        The keys of a record. In the record of a bad line they are null.
    blank : bool
        Whether a blank line is a line like others. By default blank lines are skipped.
    grids : bool
        Whether a line stands for all lines up to the next blank one.
    """
    if given is not None and args.input is not None:
        raise UsageError("expected lines from one source: the command line or --input; name one of them")
    count = bad = first = 0
    source = [(range(1, len(given) + 1), list(given))] if given is not None else _cleaned(args, blank, grids)
    for numbers, texts in source:
        answers = _answers(texts, answer)
        for number, each in zip(numbers, answers):
            if isinstance(each, Exception):
                bad, first = bad + 1, first or number
        count += len(texts)
        if args.records:
            records = (_record(text, each, fields) for text, each in zip(texts, answers))
            args.records.write(records, ["given", *fields, "error"])
        elif answers:
            lines = [_ERROR + reason(each) if isinstance(each, Exception) else str(each) for each in answers]
            write_line("\n".join(lines))
        flush_output()
    if bad and given is None and not args.quiet:
        say(f"bad lines: {bad:,} of {count:,}; the first is line {first:,}")
    return FAILED if bad else OK


def _answers(texts: list[str], answer: Callable[[list[str]], Sequence[Answer]]) -> list[Answer]:
    """The answers of lines, and the errors of those that no command can answer."""
    errors: dict[int, Answer] = {}
    for index, text in enumerate(texts):
        if text.startswith(_ERROR):
            errors[index] = BoardError(text[len(_ERROR) :])
        elif len(text) > LONGEST:
            errors[index] = BoardError(
                f"{abbreviated(text[:100])}: a line of more than {LONGEST:,} characters, which no board and no "
                "solution needs; write one board or one solution per line"
            )
    if not errors:
        return list(answer(texts))
    others = iter(answer([text for index, text in enumerate(texts) if index not in errors]))
    return [errors[index] if index in errors else next(others) for index in range(len(texts))]


def _record(text: str, answer: Answer, fields: Sequence[str]) -> dict[str, Any]:
    if isinstance(answer, Exception):
        return {"given": text, **dict.fromkeys(fields), "error": reason(answer)}
    assert isinstance(answer, dict)
    return {"given": text, **answer, "error": None}


def _cleaned(args: argparse.Namespace, blank: bool, grids: bool) -> Iterator[tuple[list[int], list[str]]]:
    """(numbers, texts) of the lines that have come, without comments."""
    last, grid, start = 0, "", 0
    for lines in _blocks(args):
        numbers: list[int] = []
        texts: list[str] = []
        for number, line in enumerate(lines, last + 1):
            if "#" in line:
                line = line.partition("#")[0]
                if not line.strip():
                    continue
            text = line.strip(" ")
            if grids and text.strip():
                grid, start = grid + text + "\n" if grid else text + "\n", start if grid else number
                continue
            if grids:
                number, text, grid = start, grid, ""
            if blank or text.strip():
                numbers.append(number)
                texts.append(text)
        last += len(lines)
        yield numbers, texts
    if grid:
        yield [start], [grid]


def _blocks(args: argparse.Namespace) -> Iterator[list[str]]:
    """The lines of the file or of standard input, as they come."""
    if args.input in (None, "-"):
        file = standard_input()
        if file.isatty() and not args.quiet:
            say("type lines, and end them with Ctrl-D:")
        yield from read_blocks(file, LONGEST)
    else:
        try:
            opened = open(args.input, "rb")
        except OSError as error:
            raise UsageError(f"cannot read {args.input}: {error.strerror}") from None
        with opened:
            yield from read_blocks(opened, LONGEST)


# What lines hold.


def add_plain(parser: Container) -> None:
    parser.add_argument("--plain", action="store_true", help="print one letter per move, and no digits")


def written_moves(letters: Sequence[str], convention: str, plain: bool) -> list[str]:
    """Moves as text."""
    return format_moves("\n".join(letters), convention, compress=not plain).split("\n") if letters else []


def columns_of(texts: Sequence[str]) -> tuple[list[str], list[str]]:
    """What stands before the first tab of each line, and what stands behind it."""
    parts = [text.partition(TAB) for text in texts]
    return [board.strip() for board, _, _ in parts], [moves for _, _, moves in parts]


# Boards of any shape.


def read_boards(
    texts: Sequence[str], shape: Optional[Shape], goal_of: Optional[GoalOf] = None
) -> tuple[NDArray[np.uint64], NDArray[np.uint8], dict[int, Exception]]:
    """(packed boards, their shapes, errors by index); a message about a wrong shape names the goal, if there is one."""
    packed, shapes = read_plain(texts, shape)
    errors: dict[int, Exception] = {}
    for index in np.flatnonzero(packed == 0).tolist():
        try:
            board = Board(texts[index], shape) if goal_of is None else read_board(texts[index], goal_of, shape)
        except BoardError as error:
            errors[index] = error
        else:
            packed[index], shapes[index] = board.packed, board.shape
    return packed, shapes, errors


def by_shape(shapes: NDArray[np.uint8]) -> Iterator[tuple[Shape, list[int]]]:
    """Each shape with the indices of its boards."""
    keys = 16 * shapes[:, 0].astype(np.int64) + shapes[:, 1]
    for key in np.unique(keys[keys > 0]).tolist():
        yield (key // 16, key % 16), np.flatnonzero(keys == key).tolist()
