"""What a heuristic of one's own costs: Manhattan distance as the package's, and as functions, one of them compiled.

    python bench/own_heuristics.py [--board BOARD] [--algorithm A]

One 4x4 board is solved with each, in batches of 1, 64 and 1,024 nodes. Length and expansions must be equal for a batch.
The last column has nanoseconds per generated node.
PyTorch and numba are left out where they are not installed. `rbfs` takes no batches, and gets a row without any.
"""

import argparse
from functools import partial

import numpy as np

from puzzle15 import search
from puzzle15.heuristics import HeuristicFunction
from puzzle15.searches import algorithm_of

BOARD = "3 2 4 5/13 9 6 10/0 7 1 12/8 14 11 15"  # 42 moves
BATCHES = (1, 64, 1024)


def by_numpy(boards):
    """Tile by tile: where it is, and where it belongs."""
    at, to = np.argsort(boards, axis=1)[:, 1:], np.arange(15)
    return (abs(at // 4 - to // 4) + abs(at % 4 - to % 4)).sum(axis=1)


def torch_function():
    """The same as weights of a module, None without PyTorch."""
    try:
        import torch
    except ImportError:
        return None
    at, to = torch.arange(16)[:, None], (torch.arange(16)[None, :] - 1) % 16
    weights = torch.where(torch.arange(16) == 0, 0, abs(at // 4 - to // 4) + abs(at % 4 - to % 4)).float()
    network = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(256, 1, bias=False)).eval()
    network[1].weight = torch.nn.Parameter(weights.reshape(1, 256))

    def by_torch(boards):
        with torch.inference_mode():
            cells = torch.nn.functional.one_hot(torch.from_numpy(boards).long(), 16).float()
            return network(cells)[:, 0].numpy()

    return by_torch


def compiled_function():
    """Manhattan distance by numba, of a board and of a child; None without numba."""
    try:
        import numba
    except ImportError:
        return None
    cells, goal_of = np.arange(16), (np.arange(16)[:, None] - 1) % 16
    away = abs(cells // 4 - goal_of // 4) + abs(cells % 4 - goal_of % 4)  # [tile, cell]
    away[0] = 0

    @numba.cfunc("int32(uint64, uint64, voidptr)")
    def of_board(board, goal, data):
        total = 0
        for cell in range(16):
            total += away[board >> np.uint64(4 * cell) & np.uint64(15), cell]
        return total

    @numba.cfunc("int32(uint64, uint64, voidptr, int32, int32, int32, int32)")
    def of_child(parent, goal, data, value, tile, start, to):
        return value - away[tile, start] + away[tile, to]

    return partial(HeuristicFunction, of_board, child=of_child)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--board", default=BOARD, help=f"default: {BOARD}")
    parser.add_argument("--algorithm", type=lambda text: algorithm_of(text).name, default="a*", help="default: a*")
    args = parser.parse_args()
    functions = {"numpy function": partial(HeuristicFunction, by_numpy)}
    if torch := torch_function():
        functions["PyTorch module"] = partial(HeuristicFunction, torch)
    if compiled := compiled_function():
        functions["numba function"] = compiled
    own = {name: make(name=name, admissible=True, consistent=True) for name, make in functions.items()}
    heuristics = {"the package's": "manhattan", **own}
    print(f"{args.algorithm} on {args.board}")
    print(f"{'batch':>5}  {'Manhattan as':14}  {'length':>6}  {'expanded':>10}  {'generated':>10}  seconds  {'ns':>6}")
    for batch in BATCHES if "batch" in algorithm_of(args.algorithm).options else (None,):
        counts = set()
        for name, estimate in heuristics.items():
            search("1 2 3 4/5 6 7 8/9 10 11 12/13 14 0 15", algorithm=args.algorithm, heuristic=estimate, batch=batch)
            found = search(args.board, algorithm=args.algorithm, heuristic=estimate, batch=batch)
            counts.add((found.length, found.expanded, found.generated))
            print(
                f"{batch or '-':>5}  {name:14}  {found.length:6}  {found.expanded:10,}  {found.generated:10,}  "
                f"{found.seconds:7.3f}  {found.seconds / found.generated * 1e9:6.0f}",
                flush=True,
            )
        assert len(counts) == 1, counts


if __name__ == "__main__":
    main()
