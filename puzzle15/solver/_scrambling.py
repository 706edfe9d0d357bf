"""A random board at an exact distance for a game, at once; `puzzle15.dataset` draws such boards equally likely."""

from __future__ import annotations

import math
import time
from random import Random
from typing import Optional

from .._system.quantities import Seed, seconds, seed_number, whole
from ..board import Board, farthest
from ..errors import OptionError
from ._solver import Solver, check_single_tile

#: Shortest ways from the goal to boards that are 80 moves away; their reflections lead to further ones.
_FARTHEST = """
RRDRDDLLULUURRRDDDLLLUURRURDDLLLURRRDLDLULURRDDLLUURURRDDLLULURRRDDDLLLUUURRRDDD
RDRDDLUUURRDDDLLULUURRRDLDLLDRULUURRRDDLLURRDLDLULUURRDDLLUURRRDDDLLLUUURRRDDLDR
RDRRDLDLULURRDRDLLLUURRDLDLUURURRDDLLUULDRURDRDLDLUUURDDLUURRDDDLLLURDLUUURRRDDD
DRDDLURDRURULULDDRULDLDRRRUULURDLULDDDRUULLDRDRURULLLURDLDRRULLDDRRRULUULLDDDRRR
DRRDLUURDRDDLURDLLLURRULDDLUURULDRDRULURDRULDRDDLUURDDLLURDLUURDLLDRRULLURURDRDD
RRRDDDLLLUUURRRDDDLLLUUURRDDDLLUUURRDRDLLURRDLDLLUURULDRRDDLLUURURRDDDLULUURDRDD
RRRDDLDLULURRDLUURRDDDLLLURDLUUURRDRDLLLURRRDLDLULUURRDDLLUURRRDDDLLLUUURRRDDLDR
DDRDRRUUULLLDDDRURULULDDRRULLDRDRRUULLDDRRUUULDLDDRRUUULLDDLUURDLDDRRURULLLDDRRR
DDDRRURUULLLDRDLDRRRUULLDRRULURDLLURDLLDRDRUULLDRDRRULULULDDRULDDRRRUUULLLDDRDRR
"""
_REFLECTION = str.maketrans("UDLR", "LRUD")

#: The farthest boards whose distance random moves reach on 4x4: one climb in 60,000 gets there.
MOST_CLIMBED = 76


def known_boards(distance: int, goal: Board) -> list[Board]:
    """Boards at this distance, without a search: on shortest ways to known farthest boards. Empty if none is known.

    They are known for 4x4 goals with the blank in a corner.

    >>> [len(known_boards(distance, Board.goal())) for distance in (80, 79, 1)], known_boards(8, Board.goal((3, 3)))
    ([14, 16, 2], [])
    """
    row, col = divmod(goal.blank, goal.shape[1])
    if goal.shape != (4, 4) or not {row, col} <= {0, 3}:
        return []
    turned = str.maketrans("UDLR", ("UD" if row else "DU") + ("LR" if col else "RL"))
    ways = [way[:distance] for each in _FARTHEST.split() for way in (each, each.translate(_REFLECTION))]
    return sorted({goal.apply(way.translate(turned)) for way in ways}, key=lambda board: board.packed)


def scramble(
    distance: int, solver: Solver, seed: Optional[Seed], *, time_limit_s: Optional[float] = 10.0
) -> Optional[Board]:
    """A random board at exactly this distance from the goal; None if there was not enough time, and none is known.

    A random board is solved. If it is farther away than `distance`, the answer is the board on its solution that has
    `distance` moves left. If it is nearer, random moves lead away from the goal. So boards at one distance are not
    equally likely. Beyond `MOST_CLIMBED`, and when the time is over, it is one of `known_boards`.

    Parameters
    ----------
    distance : int
        Single-tile moves of a shortest solution; ValueError if no board has such a distance.
    solver : Solver
        It has the goal, and finds the distances; it counts single-tile moves.
    seed : int, numpy.random.Generator or None
        As for `Board.random`.
    time_limit_s : float, optional
        Stop after this many seconds: the farthest boards are rare, and their distances take long to find.

    Examples
    --------
    >>> solver = Solver(shape=(3, 3))
    >>> solver.distance(scramble(20, solver, 1))
    20
    """
    check_single_tile(solver)
    most = farthest(solver.shape, solver.goal.blank)
    try:
        distance = whole("distance", distance, 0, most)
    except ValueError:
        rows, cols = solver.shape
        raise OptionError(
            f"distance {distance!r}: expected 0 .. {most}, the distance of the farthest {rows}x{cols} board"
        ) from None
    limit = seconds("time_limit_s", time_limit_s)
    rng = Random(None if seed is None else seed_number(seed))
    deadline = math.inf if limit is None else time.monotonic() + limit
    known = known_boards(distance, solver.goal)
    found = None if known and distance > MOST_CLIMBED else _climb(distance, solver, rng, deadline)
    return rng.choice(known) if found is None and known else found


def _climb(distance: int, solver: Solver, rng: Random, deadline: float) -> Optional[Board]:
    while (left := deadline - time.monotonic()) > 0:
        board = _random_board(solver.goal, rng)
        solution = solver.solve(board, time_limit_s=left)
        if solution.moves is None:
            return None
        if len(solution.moves) >= distance:
            return board.apply(solution.moves[: len(solution.moves) - distance])
        for _ in range(distance - len(solution.moves)):
            hint = solver.hint(board, time_limit_s=max(deadline - time.monotonic(), 0.0))
            if hint.status != "solved":
                return None
            away = [move for move in board.legal_moves() if move not in hint.best_moves]
            if not away:  # no board beside it is farther
                break
            board = board.apply(rng.choice(away))
        else:
            return board
    return None


def _random_board(goal: Board, rng: Random) -> Board:
    """Return a board drawn uniformly from those that reach the goal."""
    tiles = list(goal.tiles)
    rng.shuffle(tiles)
    board = Board(tiles, goal.shape)
    if not board.is_solvable(goal):
        first, second = (cell for cell in range(3) if tiles[cell] != 0) if 0 in tiles[:3] else (0, 1)
        tiles[first], tiles[second] = tiles[second], tiles[first]
        board = Board(tiles, goal.shape)
    return board
