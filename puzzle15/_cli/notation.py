"""Commands on boards and moves, line by line: apply, moves, convert and check."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from typing import Any, Optional

from .._system.quantities import abbreviated
from ..board import (
    Board,
    Orientation,
    count_moves,
    format_moves,
    invert_moves,
    parse_moves,
    simplify_moves,
    solvable,
    swap_to_solvable,
)
from ..board._board import GoalOf
from ..board._moves import MOVE_CONVENTIONS
from ..board._notation import BOARD_STYLES, write_tiles
from ..board._solvability import unsolvable_reason
from ..errors import BoardError, OptionError
from .console import FAILED, say
from .options import RECORDS, read_goal
from .runner import TAB, Answer, Lines, Reader, given_line, run

APPLY = f"""
[board=BOARD]    a quoted board, in any form that solve reads
[moves=MOVES]    letters U D L R, where L2 means LL; without BOARD and MOVES, lines are read from
    standard input, each a board, a tab and moves; blank lines and # comments are skipped; with --set, MOVES are made
    on each of its boards
--along    print the board after each move, the given one first, each on its own line
--shape RxC    rows and columns (default: those of each board)
--input --set --convention {RECORDS}

examples:
  puzzle15 apply "1 2 3/4 0 6/7 5 8" UL
  puzzle15 apply -i games.txt --json
"""


def apply(args: argparse.Namespace) -> int:
    boards = Reader(args.shape)

    def answer(line: str) -> Answer:
        text, tab, moves = line.partition(TAB)
        if not tab:
            raise BoardError(f"{abbreviated(line)}: expected a board, a tab and moves")
        board = boards.read(text)
        after = board.apply(moves, convention=args.convention)
        if not (args.along or args.records):
            return str(after)
        letters = parse_moves(moves, convention=args.convention)
        along = list(map(str, accumulate(letters, Board.move, initial=board))) if args.along else []
        if not args.records:
            return "\n".join(along)
        shown = format_moves(letters, convention=args.convention)
        record = {"board": str(board), "moves": shown, "convention": args.convention, "after": str(after)}
        return {**record, "along": along} if args.along else record

    fields = ["board", "moves", "convention", "after", *(["along"] if args.along else [])]
    return run(args, given_line(args), Lines(args, answer, fields, boards.prepare))


MOVES = f"""
[lines=MOVES..]    letters U D L R, of the tiles or of the blank, where L2 means LL; without MOVES,
    they are read from standard input, one solution per line; a blank line is a solution of no moves; # comments are
    skipped
--simplify    drop moves that the next move undoes, until there are none
--invert    print the moves that undo the moves
--length    print the number of moves instead, as --metric counts them
--input --no-digits --metric {RECORDS}

examples:
  puzzle15 moves URDL2 --invert
  cut -f2 games.txt | puzzle15 moves --simplify --length
  puzzle15 moves URDL2 --length --metric mtm
"""


def moves(args: argparse.Namespace) -> int:
    def answer(line: str) -> Answer:
        given = result = parse_moves(line)
        if args.simplify:
            result = simplify_moves(result)
        if args.invert:
            result = invert_moves(result)
        length = count_moves(result, args.metric)
        if args.records:
            return {"moves": given, "result": result, "length": length, "metric": args.metric}
        return str(length) if args.length else format_moves(result, compress=not args.no_digits)

    return run(args, args.lines, Lines(args, answer, ["moves", "result", "length", "metric"], blank=True))


CONVERT = f"""
[lines=LINE..]    a board, moves (which begin with a letter U D L R), or a board, a tab and moves; without LINE, lines
    are read from standard input; blank lines stay, and # comments are skipped
--to {"|".join(BOARD_STYLES)}=slash    how boards are written
--blank MARK=0    how the blank is written: 0 _ . - x b, or the number of cells
--grids    read grids: a board is all lines up to a blank one
--shape RxC    rows and columns (default: those of each board)
--from-convention {"|".join(MOVE_CONVENTIONS)}=tile    what the letters read are directions of
--to-convention {"|".join(MOVE_CONVENTIONS)}    what the letters written are directions of (default: as read)
--from-goal BOARD    the goal of the boards read: a board, blank-last, or blank-first, which is also called korf
    (default: blank-last)
--to-goal BOARD    the goal of the boards written, likewise
--input --set --no-digits {RECORDS}

board styles:
  slash   1 2 3/4 5 6/7 8 0
  flat    1 2 3 4 5 6 7 8 0
  grid    one line per row, a blank line after each board; --grids reads it
  hex     123456780                      one digit per cell, a .. f from 10 on
  rows    123 456 780                    the same, with a space between rows
  commas  1,2,3,4,5,6,7,8,0
  list    [1, 2, 3, 4, 5, 6, 7, 8, 0]
  json    [[1, 2, 3], [4, 5, 6], [7, 8, 0]]

With --from-goal and --to-goal, the board is turned or mirrored so that the blank's cell in the one goal becomes its
cell in the other one, and tiles are renamed likewise; so are moves. A solution of the board for the one goal becomes a
solution of the converted board for the other goal, of the same length. The blanks of both goals must lie alike, such
as both in a corner.

examples:
  puzzle15 convert 1348b5726 --to json
  puzzle15 convert --from-goal korf 712043865 | puzzle15 solve
  puzzle15 convert -i boards.txt --to grid --blank _
"""

#: Moves begin with such a letter. So do boards with a tile 13, written d; these have a tile 10, too.
_MOVES = re.compile(r"\s*[UDLRudlr](?![^\t]*[aA])")


def _to_mark(text: str) -> str:
    if not re.fullmatch(r"[0_.xb-]|\d{1,2}", text):
        raise OptionError(f"{text!r}: expected one of 0 _ . - x b, or the number of cells, such as 16")
    return text


TYPES = {"MARK": _to_mark}


def convert(args: argparse.Namespace) -> int:
    from_convention, to_convention = args.from_convention, args.to_convention or args.from_convention
    turns = args.from_goal is not None or args.to_goal is not None
    from_goal, args.shape = read_goal(args, "from_goal")
    to_goal, shape = read_goal(args, "to_goal")
    usual = shape or (4, 4)  # the blanks of goals with names are turned alike in any shape
    orientation = cache(lambda shape: Orientation(from_goal(shape), to_goal(shape)))
    if shape is not None:
        orientation(shape)  # so that goals that do not fit are refused before any line is read
    boards = Reader(shape, from_goal if turns else None)

    def answer(line: str) -> Answer:
        has_board = bool(line.strip()) and not _MOVES.match(line)
        text, tab, moves = line.partition(TAB) if has_board else ("", TAB, line)
        record = dict.fromkeys(fields)
        own_shape = usual
        if has_board:
            board = boards.read(text)
            own_shape = board.shape
            if turns:
                board = Board(orientation(own_shape).turn_one(board), own_shape)
            record["board"] = write_tiles(board.tiles, own_shape, args.to, args.blank)
        if tab:
            letters = parse_moves(moves, convention=from_convention)
            if turns:
                letters = orientation(own_shape).turn_moves(letters)
            digits = not (args.no_digits or args.records)
            record["moves"] = format_moves(letters, convention=to_convention, compress=digits)
            record["convention"] = to_convention
        if args.records:
            return record
        end = "\n" if args.to == "grid" and has_board else ""
        return TAB.join(part for part in (record["board"], record["moves"]) if part is not None) + end

    fields = ["board", "moves", "convention"]
    lines = Lines(args, answer, fields, boards.prepare, blank=not args.grids, grids=args.grids)
    return run(args, args.lines, lines)


CHECK = f"""
[boards=BOARD..]    a quoted board, as for solve; without BOARD, boards are read from standard input, one per line
--input --set --goal --shape {RECORDS}

answers:
  solvable
  unsolvable, an exchange, the board after it, the reason; with tabs between
  error: what is wrong with text that is not a board

Any exchange of two tiles makes an unsolvable board solvable. The one that is printed leaves the tiles
nearest to their places. The exit code is 1 if a board is unsolvable or unreadable.

examples:
  puzzle15 check "1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0"
  puzzle15 check -i boards.txt --quiet
"""


def check(args: argparse.Namespace) -> int:
    goal_of, shape = read_goal(args)
    goal_of = cache(goal_of)
    boards = Reader(shape, goal_of)
    mended: dict[str, Optional[_Mended]] = {}
    unsolvable = 0

    def prepare(lines: Sequence[str]) -> None:
        boards.prepare(lines)
        mended.clear()
        mended.update(_mended(boards.plain, goal_of))

    def answer(line: str) -> Answer:
        nonlocal unsolvable
        text = line.strip()
        change = mended[text] if text in mended else _mended({text: boards.read(text)}, goal_of)[text]
        if change is None and not args.records:
            return "solvable"
        board = boards.read(text)
        goal = goal_of(board.shape)
        record: dict[str, Any] = {"board": str(board), "solvable": change is None, "goal": str(goal)}
        if change is None:
            return record | dict.fromkeys(found)
        unsolvable += 1
        exchange, after = change
        why = unsolvable_reason(board.blank, goal)
        if args.records:
            return record | dict(zip(found, (why, exchange, str(after))))
        return f"unsolvable\texchange {exchange[0]} and {exchange[1]}\t{after}\t{why}"

    found = ["reason", "exchange", "mended"]
    code = run(args, args.boards, Lines(args, answer, ["board", "solvable", "goal", *found], prepare))
    if unsolvable and not args.boards and not args.quiet:
        say(f"unsolvable boards: {unsolvable:,}")
    return FAILED if unsolvable else code


#: The exchange of two tiles that makes a board solvable, and the board after it.
_Mended = tuple[list[int], Board]


def _mended(boards: dict[str, Board], goal_of: GoalOf) -> dict[str, Optional[_Mended]]:
    """Return how each board becomes solvable, by its text; None if it is."""
    mended: dict[str, Optional[_Mended]] = dict.fromkeys(boards)
    for shape in {board.shape for board in boards.values()}:
        some, goal = {text: board.packed for text, board in boards.items() if board.shape == shape}, goal_of(shape)
        bad = [text for text, is_good in zip(some, solvable(list(some.values()), goal)) if not is_good]
        exchanges, after = swap_to_solvable([some[text] for text in bad], goal)
        mended.update(zip(bad, zip(exchanges.tolist(), (Board._of(board, shape) for board in after.tolist()))))
    return mended
