"""Twins of local value iteration and of the networks."""

import math
from functools import cache
from itertools import permutations

import numpy as np
import twins


def local_moves(shape, fixed, state, directions=range(4)):
    """(direction of the blank, next state) of a state of a subproblem: the cells of its tiles, then the blank's."""
    for direction in directions:
        cell = twins.neighbour(shape, state[-1], direction)
        if cell >= 0 and cell not in fixed:
            yield direction, (*(state[-1] if other == cell else other for other in state[:-1]), cell)


def local_states(shape, goal, fixed):
    """All states of a subproblem, in the order of their numbers."""
    return list(permutations([cell for cell in range(math.prod(shape)) if cell not in fixed], len(goal) + 1))


@cache
def local_distances(shape, goal, fixed):
    """{state: moves to the goal} of those that can reach it."""
    home = [state for state in local_states(shape, goal, fixed) if state[:-1] == tuple(goal)]
    return twins.numbered(twins.breadth_first(home, lambda s: [n for _, n in local_moves(shape, fixed, s)]))


def local_value_iteration(shape, board, initial_size, order, directions=range(4)):
    """The paper's second algorithm: (letters, [(G, R, moves)]); `order` are goal cells of tiles that are cell + 1."""
    letters, parts = "", []
    for own in range(0, len(order), initial_size):
        end, begin = min(own + initial_size, len(order)), own
        while True:
            goal, fixed = tuple(order[begin:end]), tuple(order[:begin])
            distances = local_distances(shape, goal, fixed)
            state = tuple(board.index(tile) for tile in (*(cell + 1 for cell in goal), 0))
            if state in distances:
                break
            begin -= 1
        parts.append((tuple(cell + 1 for cell in goal), tuple(cell + 1 for cell in fixed), distances[state]))
        for left in range(distances[state] - 1, -1, -1):
            direction, state = next(
                (d, n) for d, n in local_moves(shape, fixed, state, directions) if distances.get(n) == left
            )
            letters += twins.TILE_LETTERS[direction]
            board = twins.replay(shape, board, twins.TILE_LETTERS[direction])
    return letters, parts


def network_outputs(layers, arrays, tiles):
    """The outputs of a network's layers, float32 (N,), of tiles (N, 16).

    Those of quantized layers are exact to the last bit: floats are rounded at every step, and added in the order that
    csrc/learning/network/dense.h tells. Those of float layers are computed in float64, so they are approximate.
    """
    rows = 16 * np.asarray(tiles, dtype=np.int64) + np.arange(16)
    scaled = {f"w{name[1:]}": arrays[f"w{name[1:]}"] * scales for name, scales in arrays.items() if name[0] == "s"}
    arrays = {**arrays, **scaled}
    quantized = layers[0]["activation"] == "clipped-relu"
    kind = np.int64 if quantized else np.float64
    x = arrays["b0"].astype(kind) + arrays["w0"].astype(kind)[rows].sum(axis=1)
    first = 1
    if quantized:
        assert np.abs(x).max() < 1 << 15
        x = np.clip(x >> layers[0]["shift"], 0, 127)
        x = (x @ arrays["w1"].astype(np.int64) + arrays["b1"]).astype(np.float32) * np.float32(1 / layers[1]["scale"])
        x = np.maximum(x, 0) if layers[1]["activation"] == "relu" else x
        kind, first = np.float32, 2
    else:
        x = _activated(x, layers[0]["activation"])
    for i, layer in list(enumerate(layers))[first:]:
        weights, biases = arrays[f"w{i}"].astype(kind), arrays[f"b{i}"].astype(kind)
        if layer["outputs"] == 1:
            padded = np.zeros((len(x), -(-x.shape[1] // 16) * 16), dtype=kind)
            padded[:, : x.shape[1]] = x * weights[:, 0]
            lanes = np.zeros((len(x), 16), dtype=kind)
            for at in range(0, padded.shape[1], 16):
                lanes += padded[:, at : at + 16]
            for half in (8, 4, 2, 1):
                lanes = lanes[:, :half] + lanes[:, half : 2 * half]
            x = biases + lanes
        else:
            sums = np.tile(biases, (len(x), 1))
            for j in range(len(weights)):
                sums += x[:, j : j + 1] * weights[j]
            x = sums
        x = _activated(x, layer["activation"])
    assert x.shape[1] == 1
    return x[:, 0].astype(np.float32)


def _activated(x, name):
    if name == "relu":
        return np.maximum(x, 0)
    return np.where(x > 0, x, np.expm1(np.minimum(x, 0))) if name == "elu" else x
