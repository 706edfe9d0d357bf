"""What does an expansion of the seven algorithms of OWN_ALGORITHMS.md cost, beside ours, and beside A* with tuples?

pytest bench -k own_algorithms
"""

import heapq

import own_algorithms
import pytest

from puzzle15 import Board, search
from puzzle15.board import KORF_GOAL, korf100
from puzzle15.searches import register

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


for name, (_, _, options, _, _) in RUNS.items():
    register(name=f"own-{name}", options=options)(getattr(own_algorithms, name))


def run_own(name):
    """(length, expansions) of one of the page's algorithms."""
    board, goal, _, _, _ = RUNS[name]
    solution = search(board, goal=goal, algorithm=f"own-{name}")
    return solution.length, solution.expanded


def run_ours(name):
    """The same of the package's."""
    board, goal, _, algorithm, options = RUNS[name]
    solution = search(board, goal=goal, algorithm=algorithm, **options)
    return solution.length, solution.expanded


NEAR = [[to for to in range(16) if abs(to // 4 - at // 4) + abs(to % 4 - at % 4) == 1] for at in range(16)]


def tuples_a_star(board, goal, weight=1):
    """(length, expansions) of A* with boards as tuples, Manhattan distance, and heapq."""
    start, target = board.tiles, goal.tiles
    home = {tile: divmod(cell, 4) for cell, tile in enumerate(target)}
    cost = [[abs(at // 4 - home[tile][0]) + abs(at % 4 - home[tile][1]) for tile in range(16)] for at in range(16)]
    h = sum(cost[at][tile] for at, tile in enumerate(start) if tile)
    g_of, expanded, heap = {start: 0}, 0, [(weight * h, h, start, start.index(0))]
    while heap:
        f, h, tiles, blank = heapq.heappop(heap)
        g = f - weight * h
        if tiles == target:
            return g, expanded
        if g > g_of[tiles]:
            continue
        expanded += 1
        for to in NEAR[blank]:
            moved = tiles[to]
            made = list(tiles)
            made[blank], made[to] = moved, 0
            child = tuple(made)
            if g + 1 < g_of.get(child, 999):
                g_of[child] = g + 1
                h_child = h + cost[blank][moved] - cost[to][moved]
                heapq.heappush(heap, (g + 1 + weight * h_child, h_child, child, to))
    return None


def tuples_breadth_first(board, goal):
    """The same of breadth-first search, with a set."""
    known, layer, expanded = {board.tiles}, [board.tiles], 0
    for length in range(81):
        if goal.tiles in known:
            return length, expanded
        expanded += len(layer)
        before, layer = layer, []
        for tiles in before:
            blank = tiles.index(0)
            for to in NEAR[blank]:
                made = list(tiles)
                made[blank], made[to] = tiles[to], 0
                child = tuple(made)
                if child not in known:
                    known.add(child)
                    layer.append(child)
    return None


#: name -> (the function, what it is given)
TUPLES = {
    "breadth_first": (tuples_breadth_first, (Board(RUNS["breadth_first"][0]), Board.goal())),
    "a_star": (tuples_a_star, (KORF[12], KORF_GOAL)),
    "weighted_a_star": (tuples_a_star, (KORF[15], KORF_GOAL, 2)),
}


def run_tuples(name):
    """(length, expansions) with tuples."""
    function, given = TUPLES[name]
    return function(*given)


CASES = [(whose, name) for whose in (run_own, run_ours) for name in RUNS] + [(run_tuples, name) for name in TUPLES]


@pytest.mark.parametrize("whose, name", CASES)
def test_own_algorithms(benchmark, noted, whose, name):
    length, expanded = benchmark.pedantic(whose, [name], rounds=3)
    noted(length=length, expanded=expanded, us_per_expansion=benchmark.stats["median"] * 1e6 / expanded)
