"""One runner for commands with many boards or lines: it reads them, writes answers in order, counts, and sums up.

A command gives the runner a `Lines` or a `Boards`. Both turn lines into answers. A line that cannot be answered gets
``error: ..`` as its answer, so that answers stay beside their lines. Such an answer of an earlier command in a pipe
is handed on.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, islice
from typing import Any, Optional, Union

from .._system.quantities import abbreviated, count_text
from .._system.streams import MAX_LINE, read_blocks
from ..board import Board, Shape, korf100
from ..board._board import GoalOf, read_board
from ..board._packing import read_plain
from ..board._solvability import check_solvable
from ..errors import BoardError, Puzzle15Error, UnsolvableError
from ..tables._partitions import NAMED
from .console import FAILED, OK, Progress, UsageError, format_duration, reason, say, write_line
from .options import KORF, limits_of, open_solver, read_goal

#: What a command makes of a line: text, or a record for --json and --csv.
Answer = Union[str, dict[str, Any]]

#: A line with its number.
Line = tuple[int, str]

#: Between the board and the moves of a line.
TAB = "\t"

LONGEST = 1 << 20  # characters of a line with moves: no solution is as long
_ERROR = "error: "
_CHUNK_SECONDS = 0.5  # chunks grow until one takes this long
_LARGEST_CHUNK = 10_000  # boards
_NODES_PER_SECOND = 1_000_000  # every search is faster
_MOST_NODES = 200_000  # of a board in a chunk, if it may be answered alone after that: some hundredths of a second


def run(args: argparse.Namespace, given: Sequence[str], command: Union[Lines, Boards]) -> int:
    """Answer lines, which `lines_of` finds, and return the exit code."""
    blocks = lines_of(args, given, command.what, command.longest, blank=command.blank, grids=command.grids)
    with Progress(args.command, quiet=args.quiet) as progress:
        command.progress = progress
        try:
            for lines in command.chunks(blocks, are_many(args)):
                start = time.perf_counter()
                for answers in filter(None, command.answers(lines)):
                    if args.records:
                        args.records.write(answers, command.fields)
                    else:
                        write_line("\n".join(answers))
                command.seconds += time.perf_counter() - start
        finally:
            if not args.quiet:
                command.sum_up(bool(given))
    return FAILED if command.failed else OK


def given_line(args: argparse.Namespace) -> list[str]:
    """Return the line that BOARD and MOVES make; none without them, and for a set, whose boards get MOVES."""
    if args.set is not None and args.moves is None:
        args.board, args.moves = None, args.board
        return []
    if (args.board is None) != (args.moves is None):
        raise UsageError(f'expected a board and moves: puzzle15 {args.command} "{args.board}" URDL')
    return [] if args.board is None else [f"{args.board}{TAB}{args.moves}"]


def are_many(args: argparse.Namespace) -> bool:
    """Return whether all lines can be read at once: of a set or a file, but not of a pipe or of a terminal."""
    name = args.set or args.input
    return name == KORF or (name not in (None, "-") and os.path.isfile(name))


def lines_of(
    args: argparse.Namespace,
    given: Sequence[str],
    what: str = "boards",
    longest: int = MAX_LINE,
    *,
    blank: bool = False,
    grids: bool = False,
) -> Iterator[list[Line]]:
    """Return the given lines, else those of ``--set``, ``--input`` or standard input, numbered, in lists as they come.

    Comments are left out, and so are blank lines unless `blank` is true. With `grids`, a line stands for all lines up
    to the next blank one. A line of more than `longest` characters is cut, but stays too long.
    """
    if bool(given) + (args.input is not None) + (args.set is not None) > 1:
        raise UsageError("expected lines from one source: the command line, --input or --set; name one of them")
    if given:
        return iter([[*enumerate(given, 1)]])
    if args.set == KORF:
        lines = iter([[(record.number, str(record.board)) for record in korf100()]])
    else:
        lines = _numbered(_blocks(args, what, longest), longest, blank, grids)
    behind = "" if args.set is None or args.moves is None else TAB + args.moves
    return ([(number, text + behind) for number, text in block] for block in lines) if behind else lines


def _blocks(args: argparse.Namespace, what: str, longest: int) -> Iterator[list[str]]:
    """Yield the lines of a file, as they come."""
    name = args.set or args.input
    if name in (None, "-"):
        if sys.stdin.isatty() and not args.quiet:
            say(f"type {what}, one per line, and end with Ctrl-D:")
        yield from read_blocks(sys.stdin, longest)
        return
    try:
        file = open(name, "rb")
    except OSError as error:
        raise UsageError(f"cannot read {name}: {error.strerror}") from None
    with file:
        yield from read_blocks(file, longest)


def _numbered(blocks: Iterator[list[str]], longest: int, blank: bool, grids: bool) -> Iterator[list[Line]]:
    last, grid, start = 0, "", 0
    for block in blocks:
        lines: list[Line] = []
        for number, line in enumerate(block, last + 1):
            text, comment, _ = line.partition("#")
            if comment and not text.strip():
                continue
            if comment or len(line) <= longest:
                text = text.strip(" ")
            if grids and text.strip():
                grid, start = f"{grid}{text}\n", start or number
                continue
            if grids:
                number, text, grid, start = start, grid, "", 0
            if blank or text.strip():
                lines.append((number, text))
        last += len(block)
        yield lines
    if grid:
        yield [(start, grid)]


def growing_chunks(
    lines: Iterator[Any], largest: int, first: int = 1, seconds: float = _CHUNK_SECONDS
) -> Iterator[list[Any]]:
    """Yield lines that are answered together: few at first, so that answers come soon, then more and more.

    The next chunk has twice as many lines if the caller took less than `seconds` for the last one, up to `largest`; and
    half as many if the caller took more than four times that.

    >>> [len(chunk) for chunk in growing_chunks(iter("abcdefghij"), 4)]
    [1, 2, 4, 3]
    """
    size = first
    while chunk := list(islice(lines, size)):
        start = time.monotonic()
        yield chunk
        took = time.monotonic() - start
        if took < seconds:
            size = min(2 * size, largest)
        elif took > 4 * seconds:
            size = max(size // 2, 1)


def check_line(text: str, longest: int) -> None:
    """Raise the error of a line that no command answers: that of an earlier command, or that the line is too long."""
    if text.startswith(_ERROR):
        raise BoardError(text[len(_ERROR) :])
    if len(text) > longest:
        raise BoardError(
            f"{abbreviated(text[:100])}: a line of more than {longest} characters, which no board and no solution "
            "needs; write one board or one solution per line"
        )


class Reader:
    """Reads the boards of lines. The `plain` ones of many lines are read together, which is faster."""

    def __init__(self, shape: Optional[Shape], goal_of: Optional[GoalOf] = None) -> None:
        self._shape, self._goal_of = shape, goal_of
        self.plain: dict[str, Board] = {}

    def prepare(self, lines: Sequence[str]) -> None:
        texts = [line.partition(TAB)[0].strip() for line in lines]
        packed, shapes = read_plain(texts, self._shape)
        found = zip(texts, packed.tolist(), shapes.tolist())
        self.plain = {text: Board._of(board, (rows, cols)) for text, board, (rows, cols) in found if board}

    def read(self, text: str) -> Board:
        """Return the board of a text. The message about a wrong shape names the goal, if there is one."""
        if len(text) <= MAX_LINE and (board := self.plain.get(text := text.strip())):
            return board
        return Board(text, self._shape) if self._goal_of is None else read_board(text, self._goal_of, self._shape)


class Lines:
    """Answers each line with one.

    `answer` takes a line, and returns its answer or raises Puzzle15Error. `prepare` gets all lines of a block before.
    `fields` are the keys of a record, besides ``given`` and ``error``; in the record of a bad line they are null.
    `blank` and `grids` are those of `read_lines`.
    """

    what = "lines"
    longest = LONGEST
    seconds = 0.0
    progress: Progress

    def __init__(
        self,
        args: argparse.Namespace,
        answer: Callable[[str], Answer],
        fields: Sequence[str],
        prepare: Optional[Callable[[Sequence[str]], None]] = None,
        *,
        blank: bool = False,
        grids: bool = False,
    ) -> None:
        self._args, self._answer, self._prepare, self._nulls = args, answer, prepare, dict.fromkeys(fields)
        self.fields, self.blank, self.grids = ["given", *fields, "error"], blank, grids
        self._count = self.failed = self._first_failed = 0

    def chunks(self, blocks: Iterator[list[Line]], many: bool) -> Iterator[list[Line]]:
        return blocks

    def answers(self, lines: list[Line]) -> Iterator[list[Any]]:
        """Yield the answers of lines, as text or as records."""
        if self._prepare is not None:
            self._prepare([text for _, text in lines])
        written: list[Any] = []
        for number, text in lines:
            answer: Any = self._nulls
            why: Optional[str] = None
            try:
                check_line(text, LONGEST)
                answer = self._answer(text)
            except Puzzle15Error as error:
                why = reason(error)
                self.failed, self._first_failed = self.failed + 1, self._first_failed or number
            if self._args.records:
                written.append({"given": text, **answer, "error": why})
            else:
                written.append(answer if why is None else _ERROR + why)
        self._count += len(lines)
        yield written

    def sum_up(self, given: bool) -> None:
        """Say how many lines are bad, if they do not stand on the command line."""
        if self.failed and not given:
            say(f"bad lines: {self.failed:,} of {self._count:,}; the first is line {self._first_failed:,}")


@dataclass
class Item:
    """A board that was read, its moves, and what was found for it; or why there is none."""

    text: str
    board: Any = None
    moves: str = ""
    error: Optional[Exception] = None
    found: Any = None


class Boards:
    """Answers boards of any shape, each at once, or many of one shape together. Base class of commands.

    A command finds something for boards in `answer` and `answer_many`, and writes it in `text` and `record`. What is
    found has a ``status``. The constructor raises what is wrong with options, before any board is read if the shape is
    known.
    """

    what = "boards"
    blank = grids = False
    longest = MAX_LINE
    seconds = 0.0
    fields: Sequence[str] = ()
    progress: Progress

    #: The words of the summary: what is counted, what was done with it, what is added up, what the tally is about.
    words = "board", "solved", "moves", "length"

    #: The attribute that the summary adds up; it is None if the number is not known.
    size = "length"

    #: Whether boards are answered, too, that do not reach the goal.
    any_parity = False

    #: Whether the boards of a file are answered together, and whether one board of the command line has a summary.
    together, sums_up_one = True, False

    #: The method of a solver that answers; behind it, ``_many`` answers many boards.
    method = "solve"

    #: Arguments of `growing_chunks`.
    growth: dict[str, Any] = {}

    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args
        self.workers: Any = args.workers
        self.goal_of, self.shape = read_goal(args)
        if self.shape is None and args.partition in NAMED:
            self.shape = (4, 4)
        self._reader = Reader(self.shape, self.goal_of)
        self.opened = cache(self.open)
        self._sizes: Counter[int] = Counter()
        self.solved = self.failed = self.expanded = self.generated = 0
        if self.shape is not None:
            self.opened(self.shape)

    # ---------------------------------------------------------------- what a command changes

    def open(self, shape: Shape) -> Any:
        """Open what answers boards of a shape; `opened` keeps it."""
        return open_solver(self.args, self.goal_of(shape))

    def split(self, text: str) -> tuple[str, str]:
        """Return the board of a line, and its moves; BoardError if the line lacks them."""
        return text, ""

    def answer(self, board: Board, moves: str) -> Any:
        """Return what is found for one board."""
        return getattr(self.opened(board.shape), self.method)(board, **limits_of(self.args))

    def answer_many(self, boards: list[Board], moves: list[str], **options: Any) -> Any:
        """Return what is found for boards of one shape; the options are `workers`, `max_nodes` and `progress`."""
        return getattr(self.opened(boards[0].shape), f"{self.method}_many")(boards, **options)

    def text(self, found: Any) -> str:
        """Return an answer as text."""
        raise NotImplementedError

    def record(self, found: Any) -> dict[str, Any]:
        """Return an answer as a record."""
        record: dict[str, Any] = found.to_dict(convention=self.args.convention)
        return record

    def failure(self, item: Item) -> dict[str, Any]:
        """Return the record of a board that cannot be read or solved."""
        shape = self.shape if item.board is None else item.board.shape
        return dict.fromkeys(self.fields) | {
            "board": str(item.board or item.text),
            "goal": shape and str(self.goal_of(shape)),
            "convention": self.args.convention,
            "metric": getattr(self.args, "metric", "stm"),
            "status": "error",
            "error": item.error and reason(item.error),
        }

    def remarks(self) -> Iterator[str]:
        """Yield further parts of the summary."""
        yield from ()

    # ---------------------------------------------------------------- what the runner does

    def chunks(self, blocks: Iterator[list[Line]], many: bool) -> Iterator[list[Line]]:
        """Yield the lists of boards that are answered together."""
        lines = chain.from_iterable(blocks)
        if not (many and self.together):
            yield from ([line] for line in lines)
            return
        for chunk in growing_chunks(lines, **{"largest": _LARGEST_CHUNK, **self.growth}):
            self.say_progress()
            yield chunk

    def say_progress(self, done: int = 0, total: int = 0) -> None:
        """Show how many boards are answered, with those of the present chunk that are solved."""
        self.progress.update(None, f"{self.solved + self.failed + done:,} {self.words[0]}s")

    def answers(self, lines: list[Line]) -> Iterator[list[Any]]:
        """Yield the answers of lines, as text or as records. A board that takes long keeps none back."""
        if len(lines) > 1:  # one alone needs no numpy
            self._reader.prepare([text for _, text in lines])
        items = [self._item(text) for _, text in lines]
        if len(items) > 1:
            self._answer_together(items)
        ready: list[Any] = []
        for item in items:
            if item.error is not None:
                ready.append(self._failed(item, item.error))
            elif item.found is not None:
                ready.append(self._written(item.found))
            else:
                yield ready
                ready = []
                try:
                    yield from self.alone(item)
                except UnsolvableError as error:  # with `any_parity`
                    ready.append(self._failed(item, error))
        yield ready

    def _failed(self, item: Item, error: Exception) -> Any:
        self.failed += 1
        item.error = error
        return self.failure(item) if self.args.records else _ERROR + reason(error)

    def alone(self, item: Item) -> Iterator[list[Any]]:
        """Yield the answer of one board."""
        yield [self._written(self.answer(item.board, item.moves))]

    def _written(self, found: Any) -> Any:
        self.count(found)
        return self.record(found) if self.args.records else self.text(found)

    def _item(self, text: str) -> Item:
        """Return the board of a line, or why it has none that can be solved."""
        item = Item(text)
        try:
            if text.startswith(_ERROR):
                check_line(text, self.longest)
            item.text, moves = self.split(text)
            item.board = board = self._reader.read(item.text)
            item.moves = moves
            goal = self.goal_of(board.shape)
            if not self.any_parity:
                check_solvable(board, goal)
            if moves:
                board.apply(moves, convention=self.args.convention)
        except (BoardError, UnsolvableError) as error:
            item.error = error
        return item

    def _answer_together(self, items: list[Item]) -> None:
        """Answer the boards of each shape together, except those that need their whole time limit, alone.

        The limit of time holds for a board alone, so that boards with others get few nodes, which take less. Textbook
        searches apply it to each board.
        """
        args = self.args
        most = few = args.max_nodes
        if args.time_limit is not None and getattr(args, "algorithm", None) is None:
            nodes = int(min(args.time_limit * _NODES_PER_SECOND, _MOST_NODES))
            few = nodes if most is None else min(nodes, most)
        groups: dict[Shape, list[Item]] = {}
        for item in items:
            if item.error is None:
                groups.setdefault(item.board.shape, []).append(item)
        for group in groups.values():
            boards, moves = [item.board for item in group], [item.moves for item in group]
            options = {"workers": self.workers, "max_nodes": few, "progress": self.say_progress}
            for item, found in zip(group, self.answer_many(boards, moves, **options)):
                if few == most or found.status != "limit":
                    item.found = found

    def count(self, found: Any) -> None:
        """Count an answer."""
        size: Optional[int] = getattr(found, self.size)
        self.expanded += getattr(found, "expanded", 0)
        self.generated += getattr(found, "generated", 0)
        if found.status == "solved" and size is not None:
            self.solved += 1
            self._sizes[size] += 1
        else:
            self.failed += 1

    def sum_up(self, given: bool) -> None:
        """Say how many boards were answered and how fast, and how many have each length."""
        boards = self.solved + self.failed
        if not boards or (given and boards == 1 and not self.sums_up_one):
            return
        noun, verb, unit, about = self.words
        parts = [f"{count_text(boards, noun)}: {self.solved:,} {verb}", *self.remarks()]
        if self.solved:
            total = sum(self._sizes.elements())
            parts.append(f"{total:,} {unit}, mean {total / self.solved:.2f}")
        if self.generated:
            parts.append(f"{self.expanded:,} nodes expanded, {self.generated:,} generated")
        speed = ""
        if self.seconds > 0 and boards > 1:
            rate = boards / self.seconds
            speed = f", {rate:,.{0 if rate >= 10 else 2}f} {noun}s per second"
        say("; ".join([*parts, format_duration(self.seconds) + speed]))
        if self.solved > 1:
            tally = ", ".join(f"{size}: {count:,}" for size, count in sorted(self._sizes.items()))
            say(f"{noun}s by {about}: {tally}")
