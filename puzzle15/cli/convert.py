"""``puzzle15 convert``: boards and moves in other forms, and for other goals."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence

from ..board import BOARD_STYLES, MOVE_CONVENTIONS, Orientation, Shape, format_boards, read_moves
from ..system.quantities import option_type
from .notation import by_shape, columns_of, read_boards, written_moves
from .options import RECORDS, declare, read_goal
from .parser import Parser
from .runner import TAB, Answer, Lines, run

#: Moves begin with such a letter. So do boards with a tile 13, written d; these have a tile 10, too.
_MOVES = re.compile(r"\s*[UDLRudlr](?![^\t]*[aA])")


@option_type
def to_mark(text: str) -> str:
    if not re.fullmatch(r"[0_.xb-]|\d{1,2}", text):
        raise ValueError(f"{text!r}: expected one of 0 _ . - x b, or the number of cells, such as 16")
    return text


def add_convert(parser: Parser) -> None:
    declare(
        parser,
        _convert,
        f"""
[lines=LINE..]    a board, moves, or a board, a tab and moves; without LINE, lines are read from standard input
--to {"|".join(BOARD_STYLES)}    how boards are written (default: slash)
--blank MARK    how the blank is written: 0 _ . - x b, or the number of cells (default: 0)
--grids    read grids: a board is all lines up to a blank one
--shape RxC    rows and columns (default: those of each board)
--from-convention {"|".join(MOVE_CONVENTIONS)}    what the letters read are directions of (default: tile)
--to-convention {"|".join(MOVE_CONVENTIONS)}    what the letters written are directions of (by default as read)
--from-goal BOARD    the goal of the boards read: a board, blank-last (the default), or blank-first, also called korf
--to-goal BOARD    the goal of the boards written, likewise
--input --no-digits {RECORDS}

lines:
  A line is a board, in any form that solve reads; or moves, which begin with a letter U D L R; or a
  board, a tab and moves. Blank lines stay, and # comments are skipped. Without options, boards are
  written as rows joined by /, and moves with digits for repetitions.

board styles:
  slash   1 2 3/4 5 6/7 8 0              the default
  flat    1 2 3 4 5 6 7 8 0
  grid    one line per row, with a blank line after each board; --grids reads it
  hex     123456780                      one digit per cell, a .. f from 10 on
  rows    123 456 780                    the same, with a space between rows
  commas  1,2,3,4,5,6,7,8,0
  list    [1, 2, 3, 4, 5, 6, 7, 8, 0]
  json    [[1, 2, 3], [4, 5, 6], [7, 8, 0]]

goals:
  With --from-goal and --to-goal, the board is turned or mirrored so that the blank's cell in the one
  goal becomes its cell in the other one, and tiles are renamed so that the one goal becomes the other
  one. Moves are turned likewise. So a solution of the board for the one goal becomes a solution of the
  converted board for the other goal, of the same length. From Korf's goal to blank-last it is half a
  turn: on 4x4 tile t becomes 16 - t, U becomes D, and L becomes R. The blanks of both goals must lie
  alike, such as both in a corner.

examples:
  puzzle15 convert "1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0" --to hex
  puzzle15 convert 1348b5726 --to json
  puzzle15 convert URDL2U --no-digits --to-convention blank
  puzzle15 convert --from-goal korf 712043865 | puzzle15 solve
  puzzle15 convert -i boards.txt --to grid --blank _
""",
        blank=to_mark,
    )


def _convert(args: argparse.Namespace) -> int:
    fields = ["board", "moves", "convention"]
    converter = _Converter(args)
    return run(args, args.lines, Lines(args, converter.answer, fields, blank=not args.grids, grids=args.grids))


class _Converter:
    """Converts lines, for goals that are known when it is made."""

    def __init__(self, args: argparse.Namespace) -> None:
        self._args = args
        self._from_convention, self._to_convention = args.from_convention, args.to_convention or args.from_convention
        self._turns = args.from_goal is not None or args.to_goal is not None
        self._from_goal, shape = read_goal(args.from_goal, args.shape)
        self._to_goal, self._shape = read_goal(args.to_goal, shape)
        self._orientations: dict[Shape, Orientation] = {}
        if self._shape is not None:
            self._orientation(self._shape)  # so that goals that do not fit are refused before any line is read

    def _orientation(self, shape: Shape) -> Orientation:
        if shape not in self._orientations:
            self._orientations[shape] = Orientation(self._from_goal(shape), self._to_goal(shape))
        return self._orientations[shape]

    def answer(self, texts: list[str]) -> list[Answer]:
        has_board = [bool(text.strip()) and not _MOVES.match(text) for text in texts]
        boards, moves = columns_of(texts)
        moves = [behind if has else text for has, behind, text in zip(has_board, moves, texts)]
        with_board = [index for index, has in enumerate(has_board) if has]
        with_moves = [index for index, has in enumerate(has_board) if not has or TAB in texts[index]]
        errors: dict[int, Exception] = {}
        new_boards, shapes = self._boards(boards, with_board, errors)
        new_moves = self._moves(moves, with_moves, shapes, errors)
        answers: list[Answer] = []
        for index in range(len(texts)):
            if index in errors:
                answers.append(errors[index])
            elif self._args.records:
                convention = self._to_convention if index in new_moves else None
                found = {"board": new_boards.get(index), "moves": new_moves.get(index)}
                answers.append({**found, "convention": convention})
            else:
                end = "\n" if self._args.to == "grid" and has_board[index] else ""
                answers.append(TAB.join(found[index] for found in (new_boards, new_moves) if index in found) + end)
        return answers

    def _boards(
        self, texts: Sequence[str], wanted: list[int], errors: dict[int, Exception]
    ) -> tuple[dict[int, str], dict[int, Shape]]:
        """The boards of the lines with boards, as text, and their shapes; both by index."""
        args = self._args
        goal_of = self._from_goal if self._turns else None
        written: dict[int, str] = {}
        shape_of: dict[int, Shape] = {}
        packed, shapes, bad = read_boards([texts[index] for index in wanted], self._shape, goal_of)
        errors.update((wanted[number], error) for number, error in bad.items())
        for shape, numbers in by_shape(shapes):
            some = self._orientation(shape).turn(packed[numbers]) if self._turns else packed[numbers]
            indices = [wanted[number] for number in numbers]
            shape_of.update(dict.fromkeys(indices, shape))
            try:
                formatted = format_boards(some, shape, args.to, args.blank)
            except ValueError as error:
                errors.update(dict.fromkeys(indices, error))
                continue
            written.update(zip(indices, formatted))
        return written, shape_of

    def _moves(
        self, texts: Sequence[str], wanted: list[int], shapes: dict[int, Shape], errors: dict[int, Exception]
    ) -> dict[int, str]:
        """The moves of the lines with moves, as text, by index."""
        letters, bad = read_moves([texts[index] for index in wanted], convention=self._from_convention)
        for number, error in bad.items():
            errors.setdefault(wanted[number], error)
        if self._turns:
            usual = self._shape or (4, 4)  # the blanks of goals with names are turned alike in any shape
            turns = [self._orientation(shapes.get(index, usual)).turn_moves for index in wanted]
            letters = [turn(each) for turn, each in zip(turns, letters)]
        return dict(
            zip(wanted, written_moves(letters, self._to_convention, not (self._args.no_digits or self._args.records)))
        )
