"""``puzzle15 scramble``: draw random boards, and print them."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING, Optional

from ..board import Board, format_boards, parse_goal, random_walk, uniform
from ..dataset import Distances, Distribution, Uniform, Walk, parse_distribution
from ..solver import Solver
from ..system.later import np
from ..system.quantities import option_type, parse_whole
from ..system.seeds import random_generator
from .console import OK, UsageError, flush_output, say, write_line
from .options import add_folder, add_goal, add_output, hint_at_tables, to_count
from .parser import Parser, set_command

if TYPE_CHECKING:
    from numpy.typing import NDArray

_FIRST_CHUNK = 32  # boards: those at a distance may take long to draw
_LARGEST_CHUNK = 1 << 13

_DISTRIBUTIONS = """
distributions:
  Without options, all boards that can reach the goal are equally likely.
  --distance D       boards whose shortest solutions have exactly D moves, all equally likely; also A-B,
                     and several such as 10,20-30,50=2.5, where each distance is equally frequent, or as
                     frequent as its weight. Boards farther than 68 moves on 4x4 are rare, and not equally
                     likely: random moves lead away from the goal, starting at a random board
  --walk N           the board after N random moves from the goal, none of which undoes the one before;
                     it may be much nearer than N moves; also A-B
A move is one tile by one step. Boards up to 22 moves from the goal on 4x4 are listed, which takes up to
2 s; for others, random boards are solved, which is much faster with tables (puzzle15 build).
"""


@option_type
def to_walk(text: str) -> Distribution:
    return _distribution("walk", text)


@option_type
def to_distances(text: str) -> Distribution:
    return _distribution("distance", text)


def _distribution(kind: str, text: str) -> Distribution:
    try:
        return parse_distribution(f"{kind}:{text}")
    except ValueError:
        what = "moves such as 30 or 20-40" if kind == "walk" else "distances such as 30, 20-40 or 10,20-40,50=2.5"
        raise ValueError(f"{text!r}: expected {what}") from None


def add_scramble(parser: Parser) -> None:
    set_command(
        parser,
        _scramble,
        [
            "puzzle15 scramble",
            "puzzle15 scramble --count 10 --seed 1 --shape 3x3 --distance 31",
            "puzzle15 scramble --count 5 --distance 18-20 --goal korf --json",
            "puzzle15 scramble --count 100 --walk 40 | puzzle15 convert --to hex",
        ],
    )
    parser.epilog = f"{_DISTRIBUTIONS.strip()}\n\n{parser.epilog}"
    parser.add_argument(
        "--count", type=to_count, default=1, metavar="N", help="number of boards, such as 100, 50k or 1M (default: 1)"
    )
    parser.add_argument(
        "--seed",
        type=option_type(parse_whole),
        metavar="S",
        help="seed of the random boards; the same seed and options always give the same boards (default: another seed "
        "each time, which is told on standard error)",
    )
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--distance", dest="how", type=to_distances, metavar="D", help="boards at exactly this distance")
    how.add_argument("--walk", dest="how", type=to_walk, metavar="N", help="boards at the ends of random walks")
    add_goal(parser, "those of the goal, else 4x4")
    add_folder(parser)
    add_output(parser, "print one JSON record per board")
    parser.set_defaults(partition=None)


def _scramble(args: argparse.Namespace) -> int:
    goal_of, shape = parse_goal(args.goal or "blank-last", args.shape)
    goal = goal_of(shape or (4, 4))
    distribution = args.how or Uniform()
    try:
        distribution.check(goal)
    except ValueError as error:
        raise UsageError(f"--distance: {error}") from None
    if isinstance(distribution, Distances) and not distribution.equally_likely(goal) and not args.quiet:
        say("boards so far from the goal are not equally likely")
    seed = int(np.random.SeedSequence().generate_state(1)[0]) if args.seed is None else args.seed
    if args.seed is None and not args.quiet:
        say(f"--seed {seed} draws the same boards again")
    distance = _only_distance(distribution)
    for boards in _drawn(args, goal, distribution, random_generator(seed)):
        texts = format_boards(boards, goal.shape)
        if args.records:
            record = {"goal": str(goal), "distribution": str(distribution), "distance": distance}
            args.records.write({"board": text, **record, "metric": "stm", "seed": seed} for text in texts)
        else:
            write_line("\n".join(texts))
        flush_output()
    return OK


def _drawn(
    args: argparse.Namespace, goal: Board, distribution: Distribution, rng: np.random.Generator
) -> Iterator[NDArray[np.uint64]]:
    """The boards, in chunks."""
    solver: Optional[Solver] = None
    if isinstance(distribution, Distances):
        solver = Solver(goal=goal, tables=args.tables)
        if not distribution.are_listed(goal):
            hint_at_tables(solver, args)
    left, chunk = args.count, _FIRST_CHUNK
    while left:
        count = min(left, chunk)
        if isinstance(distribution, Walk):
            yield random_walk(count, distribution.lengths(count, rng), rng, goal=goal)
        elif solver is None:
            yield uniform(count, rng, goal=goal)
        else:
            yield distribution.draw(count, rng, solver)
        left, chunk = left - count, min(2 * chunk, _LARGEST_CHUNK)


def _only_distance(distribution: Distribution) -> Optional[int]:
    """The distance of all boards, if it is known."""
    if isinstance(distribution, Distances) and len(distribution.weights) == 1:
        return int(distribution.weights[0][0])
    return None
