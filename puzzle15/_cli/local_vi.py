"""``puzzle15 subproblem``: what local value iteration learns about one subproblem, or all that it uses."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from .._system.threads import slices
from ..board import Board, format_moves, moves_from_directions
from ..errors import BoardError
from ..learning import LocalValueIteration, ValueFunction, value_iteration
from ..learning._board_counts import BoardCounts
from ..tables._partitions import parse_patterns, pattern_tiles
from .console import OK, Progress, UsageError, reason, write_line
from .options import RECORDS, read_goal, refuse

_ROWS = 1 << 12  # states whose records are written together
#: What a record has of a subproblem or a class.
_FIELDS = ["stage", "tiles", "fixed", "states", "reachable", "class", "share", "average", "longest", "bound"]

SUBPROBLEM = f"""
[tiles=TILES]    the tiles that are brought home, such as 3,4 or 9-13 (G in the paper); without TILES, the subproblems
    that bring all boards home, and the classes of boards by the most tiles that are moved at once
--fixed TILES    tiles that are at home and stay there (R in the paper)
--initial-size K    the number of tiles that each stage brings home (default: 1)
--shape RxC    rows and columns (default: those of the goal, else 4x4)
--goal --move-order --convention {RECORDS}

With --json and --csv, a subproblem is printed state by state: the cells of its tiles, the blank's cell, the value, the
moves to the goal, and the policy's move. A state without such moves has the value 0.

examples:
  puzzle15 subproblem
  puzzle15 subproblem --initial-size 2 --move-order RLDU
  puzzle15 subproblem 3,4 --fixed 1,2
  puzzle15 subproblem 3,4 --fixed 1,2 --json
"""


def subproblem(args: argparse.Namespace) -> int:
    unused = "--fixed --convention", "add TILES"
    refuse(args, *(unused if args.tiles is None else ("--initial-size", "leave it out, or TILES")))
    goal_of, shape = read_goal(args)
    goal = goal_of(shape or (4, 4))
    chosen = {"goal": goal} | ({} if args.move_order is None else {"move_order": args.move_order})
    try:
        if args.tiles is not None:
            fixed = [] if args.fixed is None else _tiles(args.fixed, goal)
            _print_states(value_iteration(_tiles(args.tiles, goal), fixed, **chosen), args)
            return OK
        learner = LocalValueIteration(initial_size=args.initial_size or 1, **chosen)
        with Progress("subproblem", quiet=args.quiet) as progress:
            counts = learner.count_boards(progress=progress.update)
    except (BoardError, MemoryError) as error:
        raise UsageError(str(error) if isinstance(error, MemoryError) else reason(error)) from None
    if args.records:
        args.records.write([*_stages(counts), *_classes(counts)], _FIELDS)
    else:
        write_line(_table("stage tiles states reachable longest average share", _stages(counts)))
        write_line("\n" + _table("class share average longest bound", _classes(counts)))
    return OK


def _tiles(text: str, goal: Board) -> list[int]:
    patterns = parse_patterns(text, goal.shape, goal.blank, largest=len(goal.tiles))
    return [tile for cells in patterns for tile in pattern_tiles(cells, goal.blank)]


def _print_states(learned: ValueFunction, args: argparse.Namespace) -> None:
    if not args.records:
        found = _found(learned)
        write_line(
            f"tiles {','.join(map(str, learned.tiles))}, fixed {','.join(map(str, learned.fixed)) or 'none'}: "
            f"{found['states']:,} states, {found['reachable']:,} lead to the goal, in {found['average']:.2f} moves on "
            f"average and {found['longest']} at most"
        )
        return
    letters = [*format_moves(moves_from_directions(range(4)), convention=args.convention), "", None]
    lengths, same = learned.lengths, {"convention": args.convention, "metric": "stm"}
    for some in slices(learned.state_count, _ROWS):
        numbers = range(learned.state_count)[some]
        columns = learned.cells(numbers), learned.values[some], lengths[some], learned.policy[some]
        args.records.write(
            {"state": number, "cells": cells[:-1], "blank": cells[-1], "value": value}
            | {"length": length if length >= 0 else None, "move": letters[action], **same}
            for number, cells, value, length, action in zip(numbers, *(column.tolist() for column in columns))
        )


def _found(learned: ValueFunction) -> dict[str, Any]:
    """Return what a record says of a subproblem."""
    lengths = learned.lengths[learned.lengths >= 0]
    found = {"states": learned.state_count, "reachable": len(lengths)}
    return found | {"average": float(np.mean(lengths)), "longest": learned.max_length}


def _stages(counts: BoardCounts) -> Iterator[dict[str, Any]]:
    """Yield the subproblems of each stage."""
    for number, stage in enumerate(counts.stages, 1):
        for learned in stage.functions:
            k = len(learned.tiles)
            own = {"stage": number, "tiles": learned.tiles, "fixed": learned.fixed, "class": k}
            yield dict.fromkeys(_FIELDS) | own | _found(learned) | {"share": str(stage.sizes.get(k, 0))}


def _classes(counts: BoardCounts) -> Iterator[dict[str, Any]]:
    """Yield the classes of boards."""
    for k, share in counts.classes.items():
        own = {"class": k, "share": str(share), "average": counts.mean(k), "longest": counts.maximum(k)}
        yield dict.fromkeys(_FIELDS) | own | {"bound": counts.bounds[k]}


def _table(fields: str, records: Iterable[dict[str, Any]]) -> str:
    lines = [fields.split()]
    lines += [[_cell(record[name]) for name in fields.split()] for record in records]
    widths = [max(map(len, column)) for column in zip(*lines)]
    return "\n".join("  ".join(map(str.rjust, line, widths)) for line in lines)


def _cell(value: Any) -> str:
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    return value if isinstance(value, str) else f"{value:.2f}" if isinstance(value, float) else f"{value:,}"
