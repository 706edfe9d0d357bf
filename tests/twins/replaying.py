"""Replays many solutions at once, by code that shares nothing with puzzle15."""

import numpy as np

#: By letter: where the blank goes, in rows and columns, when a tile moves.
STEPS = {"U": (1, 0), "D": (-1, 0), "L": (0, 1), "R": (0, -1)}


def replay(shape, boards, moves):
    """The boards, uint8 (N, cells), after the moves of tiles of each; it fails where one is illegal."""
    rows, cols = shape
    boards, every = np.array(boards), np.arange(len(boards))
    lengths = np.array([len(letters) for letters in moves])
    letters = np.zeros((len(boards), lengths.max(initial=0)), dtype="U1")
    for index, text in enumerate(moves):
        letters[index, : len(text)] = list(text)
    row, col = np.divmod(boards.argmin(axis=1), cols)
    for at in range(letters.shape[1]):
        down, right = np.zeros_like(row), np.zeros_like(col)
        for letter, (more_rows, more_cols) in STEPS.items():
            down[letters[:, at] == letter], right[letters[:, at] == letter] = more_rows, more_cols
        assert np.array_equal(abs(down) + abs(right), at < lengths), "a letter that is no move"
        blank, row, col = row * cols + col, row + down, col + right
        assert ((row >= 0) & (row < rows) & (col >= 0) & (col < cols)).all(), "a move beyond the edge"
        cell = row * cols + col
        boards[every, blank], boards[every, cell] = boards[every, cell], boards[every, blank]
    return boards


def check(batch, metric):
    """How many boards of a batch are solved; every solution is replayed, and has the length that is said."""
    solved = np.flatnonzero(batch.status == "solved")
    if len(solved) == 0:
        return 0
    moves = [batch[int(index)].moves for index in solved]
    boards = np.array([batch[int(index)].board.tiles for index in solved], dtype=np.uint8)
    goal = batch[0].goal
    assert (replay(goal.shape, boards, moves) == np.array(goal.tiles, dtype=np.uint8)).all()
    counted = [len(text) if metric == "stm" else runs(text) for text in moves]
    assert counted == batch.lengths[solved].tolist()
    return len(solved)


def runs(letters):
    return sum(a != b for a, b in zip(letters, " " + letters))


def random_goal(shape, rng):
    from puzzle15 import Board

    return Board(rng.permutation(shape[0] * shape[1]).tolist(), shape)


def halves(shape):
    """The partition of all tiles into those of the first and of the last rows."""
    tiles = shape[0] * shape[1] - 1
    first = min(8, (tiles + 1) // 2)
    return f"1-{first}/{first + 1}-{tiles}"


def solvers(shape, tables, rng):
    """Solvers of every kind for a shape, with their names."""
    from puzzle15 import Board, Solver

    cells = shape[0] * shape[1]
    yield "embedded", Solver(shape=shape, tables=None)
    yield "embedded, other goal", Solver(goal=random_goal(shape, rng), tables=None)
    yield "one view, other goal", Solver(goal=random_goal(shape, rng), tables=None, reflection=False)
    if cells <= 12 or shape == (4, 4):
        yield "plain", Solver(shape=shape, tables=None, plain=True)
    if cells > 4 and shape != (8, 2):  # its tables are those of 2x8, turned
        partition = "1-5/6-10/11-14" if cells == 15 else halves(shape)  # eight tiles among 15 cells take seconds
        yield "built", Solver(partition, shape=shape, tables=tables, build=True)
        yield "built, one view", Solver(partition, shape=shape, tables=tables, reflection=False)
    yield "multi-tile", Solver(shape=shape, tables=None, metric="mtm")
    goal = Board([0, *rng.permutation(range(1, cells)).tolist()], shape)  # a home for which others build tables, too
    yield "multi-tile, other goal", Solver(goal=goal, tables=None, metric="mtm")


def far_boards(solver, count, rng, least, max_nodes, draws=200_000):
    """Batches of boards until `count` of at least `least` moves are solved: boards whose tables promise that, and those
    around them."""
    from puzzle15.board import random_walk, uniform

    found = 0
    while found < count:
        boards = uniform(draws, rng, goal=solver.goal)
        batch = solver.solve_many(boards[solver.lower_bound_many(boards) >= least - 2], max_nodes=max_nodes, workers=2)
        yield batch
        for index in np.flatnonzero(batch.lengths >= least):
            far, most = batch[int(index)], int(batch.lengths[index]) - least + 1
            around = random_walk(20, rng.integers(0, most + 1, 20), rng, goal=far.board)
            near = solver.solve_many(np.unique(around), max_nodes=10 * max_nodes, workers=2)
            found += int((near.lengths >= least).sum())
            yield near
            if found >= count:
                return
