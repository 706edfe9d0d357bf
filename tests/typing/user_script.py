"""A user's script, as a type checker reads it: `mypy --strict` must find nothing here.  It is not run.

It uses the public interface as the README does.  Each annotation is what a user may rely on.
"""

from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from puzzle15 import (
    Board,
    Hint,
    LocalValueIteration,
    Solution,
    SolutionBatch,
    Solver,
    build_tables,
    compare,
    heuristic,
    heuristics,
    search,
    search_many,
    solve,
)
from puzzle15.board import pack_boards, uniform, unpack_boards
from puzzle15.dataset import connect, load, write
from puzzle15.errors import BoardError
from puzzle15.heuristics import HeuristicFunction, TableSum, heuristic_function
from puzzle15.learning import AnnDistance
from puzzle15.searches import Child, Expansion, SearchTree
from puzzle15.tables import PatternTable

TEXT = "5 3 8 9/0 2 4 1/7 10 14 13/12 11 6 15"


def one_board() -> None:
    solution: Solution = solve(TEXT)
    length: Optional[int] = solution.length
    moves: Optional[str] = solution.moves
    bound: int = solution.lower_bound
    print(length, moves, bound, solution.optimal, solution.status)
    if solution.moves is not None:
        end: Board = Board(TEXT).apply(solution.moves)
        print(end == Board.goal(), end.shape, end.tiles, f"{end:grid}")
    moved: list[str] = [move for move in solution if move != "U"]
    for move, board, moves_left in solution.path():
        print(move.lower(), board.manhattan() <= moves_left, board.neighbours()[0][1].is_goal())
    record: dict[str, Any] = solution.to_dict()
    print(len(solution), moved, record["metric"], solution.multi_tile_length)
    tile: int = Board(TEXT)[1, 2] + Board(TEXT)[np.int64(5)]
    row: tuple[int, ...] = Board(TEXT)[4:8]
    print(tile, row, list(Board(TEXT)), np.asarray(Board(TEXT)).shape)
    Board([[1, 2, 3], [4, 5, 6], [7, 8, 0]])
    Board(np.arange(16).reshape(4, 4))


def many_boards(solver: Solver) -> None:
    """Lists may mix all that tells a board, with a name of their own or without."""
    batch = solver.solve_many([[1, 0, 2, 3, 4, 5, 6, 7, 8], "712043865"], workers=2)
    mixed = [[1, 0, 2, 3, 4, 5, 6, 7, 8], "712043865", Board.goal((3, 3), 0), np.arange(9)]
    batch = solver.solve_many(mixed)
    lengths: NDArray[np.int32] = batch.lengths
    found: NDArray[np.bool_] = batch.solved & batch.optimal
    print(found, search_many(mixed, "greedy").memory_bytes, LocalValueIteration().solve_many(mixed).optimal)
    distances: NDArray[np.int32] = solver.distance_many(mixed)
    estimates: NDArray[np.uint8] = solver.lower_bound_many(np.array([[1, 0, 2, 3, 4, 5, 6, 7, 8]]))
    print(lengths, distances, estimates, batch[0].moves)
    some: Solution = batch[-1]
    few: SolutionBatch = solver.solve_many(mixed, max_length=[3, 4, 5, 6], max_nodes=1000, time_limit_s=1)[1:]
    bounds: NDArray[np.int32] = few.lower_bounds
    print(some, bounds, few.to_dicts(), LocalValueIteration().solve_many(mixed)[:2][0].parts)
    packed = pack_boards(mixed)[0]
    tiles: NDArray[np.uint8] = unpack_boards(packed, (3, 3))
    print(tiles)


def searches() -> None:
    solution = search("8 6 7/2 5 4/3 0 1", algorithm="a*", heuristic="linear-conflict")
    print(solution.length, solution.optimal, solution.expanded)
    for row in compare("4 1 2/7 5 3/0 8 6", algorithms=["ida*", "breadth-first"], heuristics=["zero"]):
        print(row.length)
    tree = SearchTree(max_expansions=100)
    tree.solution = search("4 1 2/7 5 3/0 8 6", algorithm="ida*", on_expand=tree.add)
    first: Expansion = tree.expansions[0]
    child: Child = first.children[0]
    print(first.bound, first.parent, child.board.packed, child.f + 1, child.fate, tree.title)

    @heuristic_function(admissible=True, goal="any", batch=64)
    def misplaced(boards: NDArray[np.uint8], goal: NDArray[np.uint8]) -> NDArray[np.int64]:
        wrong: NDArray[np.int64] = ((boards != goal) & (boards != 0)).sum(axis=1)
        return wrong

    own = HeuristicFunction(lambda boards: [0] * len(boards), name="nothing", takes="array")
    for row in compare("4 1 2/7 5 3/0 8 6", heuristics=["manhattan", misplaced, own, [misplaced, "zero"]]):
        print(row.heuristic)
    print(search("4 1 2/7 5 3/0 8 6", heuristic=misplaced).optimal, heuristic(own).toward("4 1 2/7 5 3/0 8 6").name)
    values: NDArray[np.uint8] = heuristic("manhattan", shape=(3, 3)).many(
        ["8 6 7/2 5 4/3 0 1", [1, 2, 3, 4, 5, 6, 7, 8, 0]]
    )
    print(values)


def own_tables() -> None:
    table = PatternTable([1, 2], np.zeros(72, dtype=np.uint8), counts="own", shape=(3, 3))
    values: NDArray[np.uint8] = table.many(["8 6 7/2 5 4/3 0 1"])
    h = heuristic(["manhattan", TableSum([table, "tables:5-8"])], shape=(3, 3))
    report: heuristics.HeuristicReport = heuristics.check_heuristic(h, boards=100)
    trial: heuristics.Trial = heuristics.check_heuristic(lambda boards: boards.max(axis=1), shape=(2, 2)).trials[0]
    right: bool = report.admissible and search("1 2/3 0", heuristic=table).optimal
    print(values, trial.overestimates, [jump.move for jump in trial.jumps], right, report.to_dict())


def learning() -> None:
    learner = LocalValueIteration(initial_size=2)
    learner.train()
    print(learner.solve(TEXT).length, learner.solve_many([TEXT, list(range(16))]).lengths)
    predictions: NDArray[np.float32] = AnnDistance().many([TEXT])
    print(predictions)


def data() -> None:
    write("boards", 1000, seed=1, distribution="distance:5-20", solver=Solver(shape=(3, 3)), first_moves=True)
    for shard in load("boards").shards(["board", "distance"]):
        print(shard["board"].shape)
    with connect("tcp://scheduler:8786") as cluster:
        print(Solver("7-8", build=True).distance_many([TEXT], workers=cluster))


def random_input_and_errors() -> None:
    boards = [Board.random(), Board.random(1), Board.random(np.random.default_rng(1))]
    hint: Hint = Solver().hint(boards[0])
    print(uniform(5, 1).tolist(), uniform(5, np.random.default_rng()), hint.best_moves)
    try:
        print(build_tables("1-4/5-8", shape=(3, 3), workers=1)[0].path)
    except BoardError as error:
        print(error)
