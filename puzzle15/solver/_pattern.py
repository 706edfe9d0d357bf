"""`solve_pattern`: the fewest moves that bring some tiles home, wherever the other tiles are then."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import permutations
from math import factorial, perm
from typing import NamedTuple, Optional, Union

from .._system.lazy import np
from .._system.machine import available_memory
from .._system.quantities import Size, size, whole
from .._system.threads import check_stop
from ..board import Board, BoardLike, Shape, blank_cells, invert_moves, moves_from_directions, neighbours, slide
from ..board._board import goal_of
from ..board._packing import pack_boards
from ..board._solvability import solvable, unsolvable_text
from ..errors import InternalError, OptionError, UnsolvableError
from ..nodes._levels import Plane, among, next_plane, plane_of
from ..tables._partitions import parse_patterns, pattern_tiles
from ._engine import Limits
from ._solution import Solution
from ._solver import Solver

_CHILD_BYTES = 32  # that a child takes while a level is made
_MOST_FREE = 7  # cells without a named tile, if all boards that have the named ones at home are tried
_FEW_BOARDS = 1_000_000  # the breadth-first searches are quick if boards differ in no more ways


def solve_pattern(
    board: BoardLike,
    tiles: Union[str, Sequence[int]],
    *,
    goal: Optional[BoardLike] = None,
    shape: Optional[Sequence[int]] = None,
    max_length: Optional[int] = None,
    max_nodes: Optional[int] = None,
    time_limit_s: Optional[float] = None,
    max_memory: Optional[Size] = None,
) -> Solution:
    """Bring some tiles home in the fewest moves, wherever the other tiles and the blank are then.

    Parameters
    ----------
    board : board
        Anything that `Board` takes. It need not reach the goal, if two or more tiles are not named.
    tiles : str or sequence of int
        The tiles that are brought home, such as ``"1-4"`` or ``[1, 2, 5]``.
    goal : board, optional
        Its cells are the homes of the tiles; by default the tiles in order, the blank last.
    shape : (int, int), optional
        Rows and columns, if `board` does not determine them.
    max_length, max_nodes, time_limit_s
        As for `Solver.solve`.
    max_memory : int or str, optional
        The most memory that nodes of breadth-first searches may take, in bytes or as text such as ``"2G"``; by default
        three quarters of what is available.

    Returns
    -------
    Solution
        Its `goal` is the board that the moves lead to, which has the tiles at home. If a limit is reached, the
        status is "limit", the goal is the one that was given, and `lower_bound` is proved.

    Raises
    ------
    BoardError, UnsolvableError
    ValueError
        A tile is not on the board, or a limit is not possible.

    Notes
    -----
    If at most seven cells have no named tile, IDA* tries all boards that have the named tiles at home, in the order of
    their lower bounds. It solves them to `board` as their goal, with the tables that `Solver` takes by default. On 4x4,
    nine tiles and more take less than a second.

    Otherwise, and on boards of up to 9 cells, two breadth-first searches, from the board and from all boards that have
    the tiles at home, go on until they meet. Boards that differ only in tiles that are not named are one node. Four
    tiles on 4x4 take 25 ms, and eight take seconds. If all tiles matter, use `solve`.

    Examples
    --------
    >>> solution = solve_pattern("8 6 7/2 5 4/3 0 1", "1-3")
    >>> solution.length, solution.optimal, solution.goal
    (21, True, Board('1 2 3/6 0 7/8 4 5'))
    """
    began = time.monotonic()
    start = Board(board, shape)
    target = goal_of(goal, start.shape)
    limits = Limits.check(max_length=max_length, max_nodes=max_nodes, time_limit_s=time_limit_s)
    room = available_memory() // 4 * 3 if max_memory is None else size("max_memory", max_memory)
    named = _named(tiles, target)
    free = len(target.tiles) - len(named)
    if free <= _MOST_FREE and perm(len(target.tiles), len(named) + 1) > _FEW_BOARDS:
        found = _by_goals(start, named, target, limits)
    else:
        found = _by_meeting(start, named, target, limits, room)
    reached = target
    if found.moves is not None:
        reached = start.apply(found.moves)
        if len(found.moves) != found.lower_bound or any(
            reached.tiles[target.tiles.index(tile)] != tile for tile in named
        ):
            raise InternalError(f"board {start}: the moves {found.moves} do not bring the tiles {named} home")
    return Solution(
        board=start,
        goal=reached,
        status="limit" if found.moves is None else "solved",
        optimal=found.moves is not None,
        seconds=time.monotonic() - began,
        **found._asdict(),
    )


class _Found(NamedTuple):
    """What a search adds to a `Solution`."""

    moves: Optional[str]
    lower_bound: int
    expanded: int
    generated: int
    algorithm: str
    memory_bytes: int = 0


def _by_goals(start: Board, named: Sequence[int], goal: Board, limits: Limits) -> _Found:
    """IDA* over all boards that have the named tiles at home, each solved to `start`."""
    others = sorted(set(goal.tiles) - set(named))
    free = [cell for cell, tile in enumerate(goal.tiles) if tile in others]
    tiles = np.tile(np.array(goal.tiles, dtype=np.uint8), (factorial(len(free)), 1))
    tiles[:, free] = list(permutations(others))
    packed = pack_boards(tiles, goal.shape)[0]
    boards = [Board(board, goal.shape) for board in packed[solvable(packed, start)].tolist()]
    if not boards:
        raise UnsolvableError(unsolvable_text(start, goal))
    solver, expanded, generated = Solver(goal=start), 0, 0
    bounds = solver.solve_many(boards, max_length=0).lower_bounds
    while (bound := int(bounds.min())) <= (bound if limits.max_length is None else limits.max_length):
        for index in np.flatnonzero(bounds == bound):
            solution = solver.engine.solve_one(boards[index], replace(limits.after(generated), max_length=bound))
            expanded, generated = expanded + solution.expanded, generated + solution.generated
            if solution.moves is not None:
                return _Found(invert_moves(solution.moves), bound, expanded, generated, solution.algorithm)
            if solution.lower_bound <= bound:
                return _Found(None, bound, expanded, generated, solution.algorithm)
            bounds[index] = solution.lower_bound
    return _Found(None, bound, expanded, generated, "ida*")


def _by_meeting(start: Board, named: Sequence[int], goal: Board, limits: Limits, room: int) -> _Found:
    """Breadth-first searches from the board and from all that have the named tiles at home, until they meet."""
    shape, goals = start.shape, _goals(start, named, goal)
    unnamed = min(set(goal.tiles) - {0, *named}, default=0)
    root = _packed(tile if tile in named or tile == 0 else unnamed for tile in start.tiles)
    # of each search the levels, after an empty one
    sides: list[list[Plane]] = [[{}, plane_of(np.array(roots, dtype=np.uint64), shape)] for roots in ([root], goals)]
    moves, depth, expanded, generated = None, 0, 0, 0

    def check() -> None:
        check_stop()
        if limits.seconds_left < 0:
            raise _Limit

    def memory() -> int:
        return 8 * sum(_count(level) for levels in sides for level in levels)

    try:
        while (met := _common(sides[0][-1], sides[1][-1])) is None:
            levels = min(sides, key=lambda each: _count(each[-1]))
            ways = (neighbours(shape) >= 0).sum(axis=1) - bool(levels[-2])  # a move that undoes the last one is none
            made = sum(len(boards) * int(ways[cell]) for cell, boards in levels[-1].items())
            if not made:
                raise InternalError("both searches ended without meeting")
            too_long = limits.max_length is not None and depth >= limits.max_length
            too_many = limits.max_nodes is not None and generated + made > limits.max_nodes
            if too_long or too_many or memory() + _CHILD_BYTES * made > room:
                raise _Limit
            expanded, generated = expanded + _count(levels[-1]), generated + made
            levels.append(next_plane(levels[-2], levels[-1], shape, check))
            depth += 1
        there, back = (_directions(levels, met, shape) for levels in sides)
        moves = moves_from_directions([*reversed(there), *(3 - direction for direction in back)])
    except (MemoryError, _Limit):
        pass
    bound = depth + (moves is None and root not in goals)
    return _Found(moves, bound, expanded, generated, "bidirectional", memory())


class _Limit(Exception):
    """A limit was reached."""


def _count(level: Plane) -> int:
    return sum(map(len, level.values()))


def _common(one: Plane, other: Plane) -> Optional[int]:
    """Return the first board that is on both levels."""
    both = [boards[among(boards, other[cell])] for cell, boards in one.items() if cell in other]
    return next((int(boards[0]) for boards in both if len(boards)), None)


def _directions(levels: Sequence[Plane], board: int, shape: Shape) -> list[int]:
    """Return the blank's directions from a board of the last level back to the first one, each as it was made."""
    made = []
    for level in levels[-2:0:-1]:
        packed = np.array([board], dtype=np.uint64)
        blank = blank_cells(packed, shape)
        ways = enumerate(neighbours(shape)[blank[0], ::-1].tolist())  # where the blank was, by its direction from there
        nearer = [(way, slide(packed, blank, np.full(1, cell)), cell) for way, cell in ways if cell in level]
        direction, board = next((way, int(each[0])) for way, each, cell in nearer if among(each, level[cell])[0])
        made.append(direction)
    return made


def _named(tiles: Union[str, Sequence[int]], goal: Board) -> tuple[int, ...]:
    """Return the tiles that are named; ValueError unless they are different tiles of the board."""
    if not isinstance(tiles, (str, Iterable)):
        raise TypeError(f"tiles {tiles!r}: expected tiles, such as '1-4' or [1, 2, 5]")
    text = tiles if isinstance(tiles, str) else ",".join(str(whole("tile", tile)) for tile in tiles)
    cells, *others = parse_patterns(text, goal.shape, goal.blank, largest=len(goal.tiles))
    if others:
        raise OptionError(f"tiles {tiles!r}: expected one pattern, such as '1-4'")
    return pattern_tiles(cells, goal.blank)


def _goals(start: Board, named: Sequence[int], goal: Board) -> list[int]:
    """The packed boards with the named tiles at home, which all others share a number on; UnsolvableError if none."""
    others = sorted(set(goal.tiles) - {0, *named})
    free = [cell for cell, tile in enumerate(goal.tiles) if tile not in named]
    goals = []
    for blank in free:
        tiles = [tile if tile in named else others[0] if others else 0 for tile in goal.tiles]
        tiles[blank] = 0
        # two tiles that are alike can be exchanged, so all these boards can be reached
        if len(others) > 1 or start.is_solvable(Board(tiles, goal.shape)):
            goals.append(_packed(tiles))
    if not goals:
        raise UnsolvableError(unsolvable_text(start, goal))
    return goals


def _packed(tiles: Iterable[int]) -> int:
    return sum(tile << 4 * cell for cell, tile in enumerate(tiles))
