"""Commands on boards and moves, line by line: apply, invert, simplify and check."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from itertools import starmap
from typing import TYPE_CHECKING, NamedTuple

from ..board import (
    MOVE_CONVENTIONS,
    Board,
    abbreviated,
    apply_moves,
    blank_cells,
    boards_along,
    format_boards,
    format_moves,
    invert_moves,
    mend,
    parse_goal,
    read_moves,
    simplify_moves,
    solvable,
    unsolvable_reason,
)
from ..errors import BoardError
from ..system.later import np
from .console import FAILED, UsageError, say
from .lines import (
    MOVES_WORD,
    TAB,
    Answer,
    add_lines,
    add_plain,
    answer_lines,
    by_shape,
    columns_of,
    read_boards,
    written_moves,
)
from .options import Container, add_goal, to_shape
from .parser import Parser, set_command
from .sources import check_quoted

if TYPE_CHECKING:
    from numpy.typing import NDArray

# ---------------------------------------------------------------- apply ---


def add_apply(parser: Parser) -> None:
    set_command(
        parser,
        _apply,
        [
            'puzzle15 apply "1 2 3/4 0 6/7 5 8" UL',
            "puzzle15 apply 123456789abcdef0 D2R --along",
            "puzzle15 apply -i games.txt --json",
        ],
    )
    parser.add_argument(
        "board",
        nargs="?",
        metavar="BOARD",
        help="a quoted board, in any form that solve reads; without BOARD and MOVES, lines are read from standard "
        "input, each a board, a tab and moves; blank lines and # comments are skipped",
    )
    parser.add_argument(
        "moves", nargs="?", metavar="MOVES", help="letters U D L R; a digit repeats the letter before it"
    )
    add_lines(parser, "boards and their moves", "line")
    parser.add_argument(
        "--along", action="store_true", help="print every board on the way, the given one first, each on its own line"
    )
    parser.add_argument("--shape", type=to_shape, metavar="RxC", help="rows and columns (default: those of each board)")
    parser.add_argument(
        "--moves",
        dest="convention",
        choices=MOVE_CONVENTIONS,
        default="tile",
        help="whether a move letter is the direction of the tile or of the blank (default: tile)",
    )


def _apply(args: argparse.Namespace) -> int:
    if (args.board is None) != (args.moves is None):
        raise UsageError('expected a board and moves, such as: puzzle15 apply "1 2 3/4 0 6/7 5 8" UL')
    given = None if args.board is None else [f"{args.board}{TAB}{args.moves}"]
    fields = ["board", "moves", "convention", "after", *(["along"] if args.along else [])]
    return answer_lines(args, given, partial(_apply_lines, args), fields)


def _apply_lines(args: argparse.Namespace, texts: list[str]) -> list[Answer]:
    boards, moves = columns_of(texts)
    packed, shapes, errors = read_boards(boards, args.shape)
    answers: list[Answer] = [errors.get(index, "") for index in range(len(texts))]
    for shape, indices in by_shape(shapes):
        some, own = packed[indices], [moves[index] for index in indices]
        if args.along:
            ways, bad = boards_along(some, own, args.convention, shape=shape, on_error="mark")
            along = [format_boards(way, shape) for way in ways]
            after = [way[-1] if way else "" for way in along]
        else:
            ends, bad = apply_moves(some, own, args.convention, shape=shape, on_error="mark")
            after = format_boards(ends, shape)
        if args.records:
            starts, letters = format_boards(some, shape), read_moves(own, args.convention)[0]
        for place, index in enumerate(indices):
            if place in bad:  # the error names the board's place in the group, which means nothing to the user
                answers[index] = _error_of(Board(int(some[place]), shape), own[place], args.convention)
            elif args.records:
                answers[index] = {
                    "board": starts[place],
                    "moves": format_moves(letters[place], args.convention),
                    "convention": args.convention,
                    "after": after[place],
                    **({"along": along[place]} if args.along else {}),
                }
            else:
                answers[index] = "\n".join(along[place]) if args.along else after[place]
    for index, text in enumerate(texts):
        if TAB not in text:
            answers[index] = BoardError(f"{abbreviated(text)}: expected a board, a tab and moves")
    return answers


def _error_of(board: Board, text: str, convention: str) -> BoardError:
    try:
        board.apply(text, convention)
    except BoardError as error:
        return error
    raise AssertionError(f"{text} was marked, but can be applied to {board}")


# ---------------------------------------------------------------- invert, simplify ---


def add_invert(parser: Parser) -> None:
    set_command(
        parser,
        partial(_transform, invert_moves, "inverse"),
        ["puzzle15 invert URDL2", "puzzle15 invert -i solutions.txt --plain"],
    )
    _add_moves(parser)


def add_simplify(parser: Parser) -> None:
    set_command(
        parser,
        partial(_transform, simplify_moves, "simple"),
        ["puzzle15 simplify UDR3L", "cut -f2 games.txt | puzzle15 simplify --json"],
    )
    _add_moves(parser)


def _add_moves(parser: Container) -> None:
    parser.add_argument(
        "moves",
        nargs="*",
        metavar="MOVES",
        help="letters U D L R, of the tiles or of the blank; a digit repeats the letter before it; without MOVES, they "
        "are read from standard input, one solution per line; a blank line is a solution of no moves; # comments are "
        "skipped",
    )
    add_lines(parser, "moves", "line")
    add_plain(parser)


def _transform(transform: Callable[[str], str], name: str, args: argparse.Namespace) -> int:
    def answer(texts: list[str]) -> list[Answer]:
        letters, errors = read_moves(texts)
        results = [transform(each) for each in letters]
        answers: list[Answer]
        if args.records:
            answers = [{"moves": each, name: result} for each, result in zip(letters, results)]
        else:
            answers = [*written_moves(results, "tile", args.plain)]
        for index, error in errors.items():
            answers[index] = error
        return answers

    check_quoted(args.command, args.moves, "line", MOVES_WORD)
    return answer_lines(args, args.moves or None, answer, ["moves", name], blank=True)


# ---------------------------------------------------------------- check ---


def add_check(parser: Parser) -> None:
    set_command(
        parser,
        _check,
        [
            'puzzle15 check "1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0"',
            'puzzle15 check "0 1 2/3 4 5/6 7 8" --goal korf --json',
            "puzzle15 check -i boards.txt --quiet",
        ],
    )
    parser.epilog = f"{_CHECK.strip()}\n\n{parser.epilog}"
    parser.add_argument(
        "boards",
        nargs="*",
        metavar="BOARD",
        help="a quoted board, in any form that solve reads; without BOARD, boards are read from standard input, one "
        "per line; blank lines and # comments are skipped",
    )
    add_lines(parser, "boards", "board")
    add_goal(parser, "those of the goal, else those of each board")


_CHECK = """
answers:
  solvable
  unsolvable, a tab, the exchange of two tiles that makes it solvable, a tab, the board after it, a tab, the reason
  error: what is wrong with text that is not a board

Any exchange of two tiles makes an unsolvable board solvable. The one that is printed leaves the tiles
nearest to their places: the sum of their taxicab distances is the least. If several do, it is that of
the smallest tiles. The exit code is 1 if a board is unsolvable or unreadable.
"""


def _check(args: argparse.Namespace) -> int:
    check_quoted("check", args.boards, "line")
    goal_of, shape = parse_goal(args.goal or "blank-last", args.shape)
    sound = dict.fromkeys(_Mending._fields)
    unsolvable = 0

    def answer(texts: list[str]) -> list[Answer]:
        nonlocal unsolvable
        packed, shapes, errors = read_boards(texts, shape, goal_of)
        answers: list[Answer] = [errors.get(index, "solvable") for index in range(len(texts))]
        for own_shape, indices in by_shape(shapes):
            goal = goal_of(own_shape)
            mendings = _mendings(packed[indices], goal)
            unsolvable += len(mendings)
            if args.records:
                for place, (index, board) in enumerate(zip(indices, format_boards(packed[indices], own_shape))):
                    record = {"board": board, "solvable": place not in mendings, "goal": str(goal)}
                    answers[index] = record | (mendings[place]._asdict() if place in mendings else sound)
            else:
                for place, (reason, exchange, mended) in mendings.items():
                    answers[indices[place]] = (
                        f"unsolvable\texchange {exchange[0]} and {exchange[1]}\t{mended}\t{reason}"
                    )
        return answers

    code = answer_lines(args, args.boards or None, answer, ["board", "solvable", "goal", *sound])
    if unsolvable and not args.boards and not args.quiet:
        say(f"unsolvable boards: {unsolvable:,}")
    return FAILED if unsolvable else code


class _Mending(NamedTuple):
    """Why a board is unsolvable, and how it is mended."""

    reason: str
    exchange: list[int]
    mended: str


def _mendings(packed: NDArray[np.uint64], goal: Board) -> dict[int, _Mending]:
    """How those of the boards that are unsolvable are mended, by index."""
    bad = np.flatnonzero(~solvable(packed, goal))
    reasons = [unsolvable_reason(blank, goal) for blank in range(len(goal.tiles))]
    exchanges, mended = mend(packed[bad], goal)
    texts = format_boards(mended, goal.shape)
    blanks = blank_cells(packed[bad], goal.shape).tolist()
    mendings = zip((reasons[blank] for blank in blanks), exchanges.tolist(), texts)
    return dict(zip(bad.tolist(), starmap(_Mending, mendings)))
