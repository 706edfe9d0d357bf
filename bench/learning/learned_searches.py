"""Solves many boards by searches that a policy or values of moves guide, and compares the answers with shortest ones.

python bench/learning/learned_searches.py [--boards N]

It takes N boards of 3x3 at distances 0 to 31 (by default 2,000), and a tenth as many random ones of 3x4.

The heuristic max(walking-distance,linear-conflict) stands for a network: its values of the boards after each move are
the values of moves, and the policy is exp(-2 value), scaled. Every answer is replayed, Levin tree search is held to
its bound, and Q* to shortest solutions.
"""

import argparse
import math
import time

import numpy as np

from puzzle15 import Board, Solver, heuristic, search_many
from puzzle15.board import pack_boards, uniform
from puzzle15.dataset import at_distances
from puzzle15.nodes import children
from puzzle15.searches import register_policy, register_values

HEURISTIC = "max(walking-distance,linear-conflict)"


def guides(shape):
    """(values of moves, policy) of boards of a shape."""
    h = heuristic(HEURISTIC, shape=shape)

    def values(boards):
        packed, _, _ = pack_boards(boards, shape)
        made = children(packed, shape)
        after = np.full((len(packed), 4), np.inf)
        after[made.parent, made.direction] = h.many(made.packed)
        return after

    def policy(boards):
        after = values(boards)
        return np.exp(-2 * (after - after.min(axis=1, keepdims=True)))

    return values, policy


def bound(policy, board, moves):
    """The most expansions of Levin tree search with batch 1, by a solution."""
    probability = 1.0
    for move in moves:
        shares = policy(np.array([board.tiles], dtype=np.uint8))[0]
        probability *= shares["DRLU".index(move)] / shares.sum()
        board = board.move(move)
    return 1 + math.exp(1 / 16) * len(moves) / probability


def run(title, boards, shape, batch):
    """Print a row for each search."""
    values, policy = guides(shape)
    register_policy(policy, name="levin", informed=False, batch=batch)
    register_policy(policy, name="phs*", batch=batch)
    register_values(values, name="q*", admissible=True, batch=batch)
    register_values(lambda boards: 1.5 * values(boards), name="1.5-q*", batch=batch)
    shortest = Solver(shape=shape).solve_many(boards)
    exact = shortest.lengths
    runs = {"levin": None, "phs*": HEURISTIC, "q*": None, "1.5-q*": None, "a*": HEURISTIC}
    for name, given in runs.items():
        began = time.process_time()
        solutions = search_many(boards, algorithm=name, goal=Board.goal(shape), heuristic=given, batch=batch)
        seconds = time.process_time() - began
        assert (solutions.lengths >= exact).all() and all(each.status == "solved" for each in solutions)
        assert name not in ("q*", "a*") or (solutions.lengths == exact).all()
        if name == "levin":
            for each, best in zip(solutions, shortest):
                bounds = (bound(policy, each.board, moves) for moves in (each.moves, best.moves))
                assert each.expanded <= batch * min(bounds)
        equal, longest = (solutions.lengths == exact).mean(), (solutions.lengths / np.maximum(exact, 1)).max()
        print(f"| {title} | `{name}` | {equal:.1%} | {longest:.2f} | {solutions.expanded.mean():,.0f} | "
              f"{seconds / solutions.expanded.sum() * 1e6:.1f} |", flush=True)  # fmt: skip


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--boards", type=int, default=2000, metavar="N", help="of 3x3 (default: 2000)")
    count = parser.parse_args().boards
    print("| boards | search | shortest solutions | longest / shortest | expansions | microseconds per expansion |")
    print("|---|---|---|---|---|---|")
    eight = at_distances(np.arange(count) % 32, 1, Solver(shape=(3, 3)))
    run(f"{count:,} of 3x3", eight, (3, 3), 16)
    run(f"{count // 10:,} of 3x4", uniform(count // 10, 1, goal=Board.goal((3, 4))), (3, 4), 256)
