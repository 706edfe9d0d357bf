"""What does an expansion of the seven algorithms of OWN_ALGORITHMS.md cost, beside ours, and beside A* with tuples?

pytest bench -k own_algorithms
"""

import heapq

import own_algorithms
import pytest

from puzzle15 import Board, heuristic, search
from puzzle15.board import KORF_GOAL, korf100

KORF = {record.number: record.board for record in korf100()}

#: name -> (board, goal, options, the package's algorithm, its options)
RUNS = {
    "breadth_first": ("1 2 4 7/5 6 3 0/13 9 11 15/10 14 12 8", None, {}, "breadth-first", {}),
    "a_star": (KORF[9], KORF_GOAL, {}, "a*", {"ties": "lifo"}),
    "weighted_a_star": (KORF[15], KORF_GOAL, {}, "weighted-a*", {"ties": "lifo"}),
    "batch_a_star": (KORF[9], KORF_GOAL, {}, "a*", {"ties": "lifo", "batch": 1024}),
    "bidirectional": ("7 8 4 2/1 5 12 6/13 10 0 3/14 9 11 15", None, {}, "bidirectional", {}),
    "beam": (KORF[9], KORF_GOAL, {"width": 4000}, "beam", {"width": 4000}),
    "ida_star": (KORF[42], KORF_GOAL, {}, "ida*", {}),
}


def run_own(name):
    """(length, expansions) of one of the page's algorithms."""
    board, goal, options, _, _ = RUNS[name]
    board, goal, counts = Board(board), goal or Board.goal(), {}
    h = heuristic("manhattan", goal=goal)
    moves = getattr(own_algorithms, name)(board, goal, h, lambda **now: counts.update(now), **options)
    assert board.apply(moves) == goal
    return len(moves), counts["expanded"]


def run_ours(name):
    """The same of the package's."""
    board, goal, _, algorithm, options = RUNS[name]
    solution = search(board, goal=goal, algorithm=algorithm, **options)
    return solution.length, solution.expanded


def run_tuples(board, goal):
    """A* with Manhattan distance, boards as tuples, and heapq."""
    start, target = board.tiles, goal.tiles
    home = {tile: divmod(cell, 4) for cell, tile in enumerate(target)}
    near = [[to for to in range(16) if abs(to // 4 - at // 4) + abs(to % 4 - at % 4) == 1] for at in range(16)]
    cost = [[abs(at // 4 - home[tile][0]) + abs(at % 4 - home[tile][1]) for tile in range(16)] for at in range(16)]
    h = sum(cost[at][tile] for at, tile in enumerate(start) if tile)
    g_of, expanded, heap = {start: 0}, 0, [(h, h, start, start.index(0))]
    while heap:
        f, h, tiles, blank = heapq.heappop(heap)
        g = f - h
        if tiles == target:
            return g, expanded
        if g > g_of[tiles]:
            continue
        expanded += 1
        for to in near[blank]:
            moved = tiles[to]
            made = list(tiles)
            made[blank], made[to] = moved, 0
            child = tuple(made)
            if g + 1 < g_of.get(child, 999):
                g_of[child] = g + 1
                h_child = h + cost[blank][moved] - cost[to][moved]
                heapq.heappush(heap, (g + 1 + h_child, h_child, child, to))
    return None


@pytest.mark.parametrize("name", RUNS)
@pytest.mark.parametrize("whose", [run_own, run_ours], ids=["own", "ours"])
def test_own_algorithms(benchmark, noted, name, whose):
    whose(name)
    length, expanded = benchmark.pedantic(whose, [name], rounds=3)
    noted(length=length, expanded=expanded, us_per_expansion=benchmark.stats["median"] * 1e6 / expanded)


def test_own_a_star_of_tuples(benchmark, noted):
    length, expanded = benchmark.pedantic(run_tuples, [KORF[12], KORF_GOAL], rounds=3)
    assert length == 45
    noted(expanded=expanded, us_per_expansion=benchmark.stats["median"] * 1e6 / expanded)
