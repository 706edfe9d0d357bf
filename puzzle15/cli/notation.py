"""Commands on boards and moves, line by line: apply, moves and check."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import starmap
from typing import TYPE_CHECKING, NamedTuple, Optional

from ..board import (
    Board,
    GoalOf,
    Shape,
    abbreviated,
    apply_moves,
    blank_cells,
    boards_along,
    format_boards,
    format_moves,
    invert_moves,
    mend,
    read_board,
    read_moves,
    read_plain,
    simplify_moves,
    solvable,
    unsolvable_reason,
)
from ..errors import BoardError
from ..system.later import np
from .console import FAILED, say
from .options import RECORDS, declare, read_goal
from .parser import Parser
from .runner import TAB, Answer, Lines, given_line, run

if TYPE_CHECKING:
    from numpy.typing import NDArray

# ---------------------------------------------------------------- what lines hold ---


def written_moves(letters: Sequence[str], convention: str, digits: bool) -> list[str]:
    """Moves as text."""
    return format_moves("\n".join(letters), convention=convention, compress=digits).split("\n") if letters else []


def columns_of(texts: Sequence[str]) -> tuple[list[str], list[str]]:
    """The parts of each line before and after its first tab."""
    parts = [text.partition(TAB) for text in texts]
    return [board.strip() for board, _, _ in parts], [moves for _, _, moves in parts]


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


# ---------------------------------------------------------------- apply ---


def add_apply(parser: Parser) -> None:
    declare(
        parser,
        _apply,
        f"""
[board=BOARD]    a quoted board, in any form that solve reads
[moves=MOVES]    letters U D L R; a digit repeats the letter before it; without BOARD and MOVES, lines are read from
    standard input, each a board, a tab and moves; blank lines and # comments are skipped
--along    print the board after each move, the given one first, each on its own line
--shape RxC    rows and columns (default: those of each board)
--input --convention {RECORDS}

examples:
  puzzle15 apply "1 2 3/4 0 6/7 5 8" UL
  puzzle15 apply 123456789abcdef0 D2R --along
  puzzle15 apply -i games.txt --json
""",
    )


def _apply(args: argparse.Namespace) -> int:
    fields = ["board", "moves", "convention", "after", *(["along"] if args.along else [])]
    return run(args, given_line(args), Lines(args, partial(_apply_lines, args), fields))


def _apply_lines(args: argparse.Namespace, texts: list[str]) -> list[Answer]:
    boards, moves = columns_of(texts)
    packed, shapes, errors = read_boards(boards, args.shape)
    answers: list[Answer] = [errors.get(index, "") for index in range(len(texts))]
    for shape, indices in by_shape(shapes):
        some, own = packed[indices], [moves[index] for index in indices]
        if args.along:
            paths, bad = boards_along(some, own, convention=args.convention, shape=shape, on_error="mark")
            along = [format_boards(path, shape) for path in paths]
            after = [path[-1] if path else "" for path in along]
        else:
            ends, bad = apply_moves(some, own, convention=args.convention, shape=shape, on_error="mark")
            after = format_boards(ends, shape)
        if args.records:
            starts, letters = format_boards(some, shape), read_moves(own, convention=args.convention)[0]
        for number, index in enumerate(indices):
            if number in bad:  # its error names the number of the board in the group, which the user does not know
                answers[index] = _error_of(Board(int(some[number]), shape), own[number], args.convention)
            elif args.records:
                answers[index] = {
                    "board": starts[number],
                    "moves": format_moves(letters[number], convention=args.convention),
                    "convention": args.convention,
                    "after": after[number],
                    **({"along": along[number]} if args.along else {}),
                }
            else:
                answers[index] = "\n".join(along[number]) if args.along else after[number]
    for index, text in enumerate(texts):
        if TAB not in text:
            answers[index] = BoardError(f"{abbreviated(text)}: expected a board, a tab and moves")
    return answers


def _error_of(board: Board, text: str, convention: str) -> BoardError:
    try:
        board.apply(text, convention=convention)
    except BoardError as error:
        return error
    raise AssertionError(f"{text} was marked, but can be applied to {board}")


# ---------------------------------------------------------------- moves ---


def add_moves(parser: Parser) -> None:
    declare(
        parser,
        _moves,
        f"""
[lines=MOVES..]    letters U D L R, of the tiles or of the blank; a digit repeats the letter before it; without MOVES,
    they are read from standard input, one solution per line; a blank line is a solution of no moves; # comments are
    skipped
--simplify    drop moves that the next move undoes, until there are none
--invert    print the moves that undo the moves
--length    print the number of moves instead
--input --no-digits {RECORDS}

examples:
  puzzle15 moves URDL2 --invert
  puzzle15 moves -i solutions.txt --invert --no-digits
  cut -f2 games.txt | puzzle15 moves --simplify --length
""",
    )


def _moves(args: argparse.Namespace) -> int:
    def answer(texts: list[str]) -> list[Answer]:
        given, errors = read_moves(texts)
        results = [simplify_moves(each) for each in given] if args.simplify else given
        results = [invert_moves(each) for each in results] if args.invert else results
        answers: list[Answer]
        if args.records:
            records = zip(given, results)
            answers = [{"moves": each, "result": result, "length": len(result)} for each, result in records]
        elif args.length:
            answers = [str(len(result)) for result in results]
        else:
            answers = [*written_moves(results, "tile", not args.no_digits)]
        for index, error in errors.items():
            answers[index] = error
        return answers

    return run(args, args.lines, Lines(args, answer, ["moves", "result", "length"], blank=True))


# ---------------------------------------------------------------- check ---


def add_check(parser: Parser) -> None:
    declare(
        parser,
        _check,
        f"""
[boards=BOARD..]    a quoted board, as for solve; without BOARD, boards are read from standard input, one per line
--input --goal --shape {RECORDS}

answers:
  solvable
  unsolvable, a tab, the exchange of two tiles that makes it solvable, a tab, the board after it, a tab, the reason
  error: what is wrong with text that is not a board

Any exchange of two tiles makes an unsolvable board solvable. The one that is printed leaves the tiles
nearest to their places: the sum of their taxicab distances is the least. If several do, it is that of
the smallest tiles. The exit code is 1 if a board is unsolvable or unreadable.

examples:
  puzzle15 check "1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0"
  puzzle15 check "0 1 2/3 4 5/6 7 8" --goal korf --json
  puzzle15 check -i boards.txt --quiet
""",
    )


def _check(args: argparse.Namespace) -> int:
    goal_of, shape = read_goal(args.goal, args.shape)
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
            boards = format_boards(packed[indices], own_shape) if args.records else indices
            for number, (index, board) in enumerate(zip(indices, boards)):
                mending = mendings.get(number)
                if args.records:
                    record = {"board": board, "solvable": mending is None, "goal": str(goal)}
                    answers[index] = record | (sound if mending is None else mending._asdict())
                elif mending is not None:
                    one, other = mending.exchange
                    answers[index] = f"unsolvable\texchange {one} and {other}\t{mending.mended}\t{mending.reason}"
        return answers

    code = run(args, args.boards, Lines(args, answer, ["board", "solvable", "goal", *sound]))
    if unsolvable and not args.boards and not args.quiet:
        say(f"unsolvable boards: {unsolvable:,}")
    return FAILED if unsolvable else code


class _Mending(NamedTuple):
    """Why a board is unsolvable, and the exchange of tiles that makes it solvable."""

    reason: str
    exchange: list[int]
    mended: str


def _mendings(packed: NDArray[np.uint64], goal: Board) -> dict[int, _Mending]:
    """The mendings of those of the boards that are unsolvable, by index."""
    bad = np.flatnonzero(~solvable(packed, goal))
    reasons = [unsolvable_reason(blank, goal) for blank in range(len(goal.tiles))]
    exchanges, mended = mend(packed[bad], goal)
    texts = format_boards(mended, goal.shape)
    blanks = blank_cells(packed[bad], goal.shape).tolist()
    mendings = zip((reasons[blank] for blank in blanks), exchanges.tolist(), texts)
    return dict(zip(bad.tolist(), starmap(_Mending, mendings)))
