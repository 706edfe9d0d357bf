"""Every public way to ask for answers about a board; each takes a problem, and compares its answers with the oracle."""

import itertools
import json
import math
from functools import lru_cache
from importlib.util import find_spec

import numpy as np
import truth
from page_worker import NODE, ask
from problems import check_path, check_solution, solver_of

from puzzle15 import ALGORITHMS, Board, LocalValueIteration, heuristic, search, search_many
from puzzle15.environments import PuzzleVectorEnv
from puzzle15.errors import UnsolvableError
from puzzle15.heuristics import NAMES
from puzzle15.learning import value_iteration
from puzzle15.page._api import Api
from puzzle15.searches._algorithms import TIES
from puzzle15.solver import label, scramble, solve_pattern
from puzzle15.solver import moves as moves_of_path
from puzzle15.tables import PatternTable, placements

WAYS = {}
LEFT_OUT = [name for name, module in {"environments": "gymnasium"}.items() if find_spec(module) is None]
LEFT_OUT += ["page"] if NODE is None else []
_MANY = 200  # boards of a batch
_LISTED = 300  # shortest solutions


def way(**options):
    """Register a way; options are those of `problems.draw`."""

    def register(function):
        WAYS[function.__name__.replace("_", " ")] = function, options
        return function

    return register


# ------------------------------------------------------------------------------------------------- the solver


@way(large=True)
def solve(problem, check):
    solver, about = solver_of(problem)
    workers = problem.one_of(1, 1, 2)
    for board in problem.boards:
        solution = solver.solve(problem.board(board), workers=workers)
        check_solution(problem, check, board, solution, about)
        check.holds(solution.status == "solved" and solution.optimal, board, about)


@way(large=True)
def solve_with_limits(problem, check):
    solver, about = solver_of(problem)
    for board in problem.boards:
        distance = problem.known(board)
        limit = int(problem.rng.integers(0, 40))
        solution = solver.solve(problem.board(board), max_length=limit)
        check_solution(problem, check, board, solution, about, limit)
        check.equal(solution.status, "solved" if distance <= limit else "limit", board, limit, about)
        solution = solver.solve(problem.board(board), max_nodes=limit, workers=problem.one_of(1, 2))
        check_solution(problem, check, board, solution, about, limit)


@way(large=True)
def solve_many(problem, check):
    solver, about = solver_of(problem)
    boards = problem.known.drawn(problem.rng, _MANY)
    packed = truth.keys_of(np.array(boards))  # they are our packed boards, too
    expected, workers = problem.known.many(boards), problem.one_of(1, 2)
    check.equal(solver.distance_many(packed, workers=workers), expected, about, boards)
    check.holds((solver.lower_bound_many(packed) <= expected).all(), about, boards)
    limits = problem.rng.integers(0, 40, _MANY) if problem.rng.random() < 0.5 else None
    batch = solver.solve_many(packed, workers=workers, max_length=limits)
    for number, (board, solution) in enumerate(zip(boards, batch)):
        within = limits is None or expected[number] <= limits[number]
        check_solution(problem, check, board, solution, about, limits)
        check.equal(solution.status, "solved" if within else "limit", board, about)


@way()
def boards_of_the_other_half(problem, check):
    solver, about = solver_of(problem)
    boards = []
    for number, board in enumerate(problem.boards):
        other = list(board)
        if number % 2:
            at = other.index(1), other.index(2)
            other[at[0]], other[at[1]] = 2, 1
        boards.append(problem.board(other))
    batch = solver.solve_many(boards, on_error="mark")
    hints = solver.hint_many(boards, on_error="mark")
    for number, (board, solution, hint) in enumerate(zip(boards, batch, hints)):
        expected = "error" if number % 2 else "solved"
        check.equal([solution.status, hint.status], [expected, expected], board, about)
        if number % 2:
            check.holds(isinstance(solution.error, UnsolvableError), board, about)
        check.equal(board.is_solvable(problem.target), number % 2 == 0, board, about)


def check_hint(problem, check, board, hint, about):
    check.equal(hint.distance, problem.known(board), board, about)
    found = hint.best_moves.split(" ") if problem.multi_tile and hint.best_moves else hint.best_moves
    check.equal(set(found), problem.known.first_moves(board), board, about)


@way(large=True)
def hint(problem, check):
    solver, about = solver_of(problem)
    for board in problem.boards:
        check_hint(problem, check, board, solver.hint(problem.board(board)), about)


@way()
def hint_many(problem, check):
    solver, about = solver_of(problem)
    boards = problem.known.drawn(problem.rng, 30)
    for board, found in zip(boards, solver.hint_many([problem.board(each) for each in boards])):
        check_hint(problem, check, board, found, about)


@way(count=4)
def all_solutions(problem, check):
    solver, about = solver_of(problem)
    for board in problem.boards:
        count = problem.known.count_solutions(board)
        check.equal(solver.all_solutions(problem.board(board)).count(), count, board, about)
        listed = list(itertools.islice(solver.all_solutions(problem.board(board)), _LISTED))
        check.equal(len(set(listed)), min(count, _LISTED), board, about)
        for letters in listed:
            check_path(problem, check, board, letters, about)
            length = truth.count_multi_tile(letters) if problem.multi_tile else len(letters)
            check.equal(length, problem.known(board), board, letters, about)


def random_walk(problem, board, length):
    """(the letters of random moves, the boards before, between and after them)"""
    letters, boards = [], [board]
    while len(letters) < length:
        after = truth.moves(problem.shape, boards[-1], problem.multi_tile)
        move = problem.one_of(*after)
        if problem.multi_tile and letters and letters[-1][0] == move[0]:
            continue  # it would be one move
        letters.append(move)
        boards.append(after[move])
    return letters, boards


@way(count=4)
def analyse(problem, check):
    solver, about = solver_of(problem)
    walks = [random_walk(problem, board, int(problem.rng.integers(0, 25))) for board in problem.boards]
    starts, texts = [problem.board(board) for board in problem.boards], ["".join(letters) for letters, _ in walks]
    found = solver.analyse_many(starts, texts)
    for start, text, (letters, boards), together in zip(starts, texts, walks, found):
        analysis, expected = solver.analyse(start, text), problem.known.many(boards).tolist()
        lost = [after + 1 - before for before, after in itertools.pairwise(expected)]
        mistakes = [(number + 1, letters[number], value) for number, value in enumerate(lost) if value > 0]
        for each in (analysis, together):
            check.equal(list(each.distances), expected, start, text, about)
            check.equal([mistake[:3] for mistake in each.mistakes], mistakes, start, text, about)
            for board, finish in [(boards[-1], each.finish), *((m.board.tiles, m.finish) for m in each.mistakes)]:
                check_path(problem, check, board, finish, about)


@way(single_tile=True)
def labels(problem, check):
    solver, about = solver_of(problem)
    boards = problem.known.drawn(problem.rng, 50)
    rows = label(solver, [problem.board(board) for board in boards], first_moves=True, along_path=True)
    tiles = [tuple(row) for row in rows["board"].tolist()]
    check.equal(rows["distance"], problem.known.many(tiles).astype(np.uint8), about)
    for board, first, path in zip(tiles, rows["first_moves"], zip(rows["solution"], rows["distance"])):
        expected = sum(1 << "DRLU".index(letter) for letter in problem.known.first_moves(board))
        check.equal(int(first), expected, board, about)
        check_path(problem, check, board, moves_of_path(*path), about)


@way(single_tile=True, count=2)
def scrambles(problem, check):
    solver, about = solver_of(problem)
    distances = problem.known.known.distances
    distance = int(problem.rng.choice(distances))
    seed = int(problem.rng.integers(1 << 30))
    check.equal(problem.known(scramble(distance, solver, seed).tiles), distance, about, seed)


@lru_cache(maxsize=40)
def pattern_of(shape, goal, tiles):
    return truth.pattern(shape, goal, tiles)


@way(single_tile=True)
def pattern(problem, check):
    tiles = tuple(sorted(problem.rng.permutation(len(problem.goal) - 1)[: problem.rng.integers(1, 5)] + 1))
    known = pattern_of(problem.shape, problem.goal, tuple(map(int, tiles)))
    for board in problem.boards:
        limit = problem.one_of(None, int(problem.rng.integers(0, 20)))
        options = {} if limit is None else {"max_length": limit}
        solution = solve_pattern(problem.board(board), tiles, goal=problem.target, **options)
        about, distance = (board, tiles, limit, solution), known(board)
        check.equal(solution.status, "solved" if limit is None or distance <= limit else "limit", *about)
        check.holds(solution.lower_bound <= distance, *about)
        if solution.moves is not None:
            end = truth.replay(problem.shape, board, solution.moves)
            check.equal([solution.length, solution.lower_bound], [distance, distance], *about)
            check.equal(solution.goal.tiles, end, *about)
            check.equal([end.index(tile) for tile in tiles], [problem.goal.index(tile) for tile in tiles], *about)


# ------------------------------------------------------------------------------------------------- searches

OPTIONS = {
    "ties": TIES,
    "weight": (1, 1.5, 2, 5),
    "width": (1, 3, 50),
    "batch": (1, 1, 7),
    "max_length": (5, 20, 40),
}


def draw_search(problem):
    """(an algorithm, options of a search)"""
    algorithm = ALGORITHMS[problem.one_of(*ALGORITHMS)]
    options = {"algorithm": algorithm.name, "goal": problem.target}
    options["move_order"] = "".join(problem.rng.permutation(list("ULRD")))
    for name, values in OPTIONS.items():
        if name in algorithm.options and (name != "batch" or problem.rng.random() < 0.3):
            options[name] = problem.one_of(*values)
    if algorithm.informed:
        names = (*NAMES, "tables:embedded", "max(misplaced,linear-conflict)")
        options["heuristic"] = problem.one_of(*names)
    return algorithm, options


@way(single_tile=True, count=6)
def searches(problem, check):
    algorithm, options = draw_search(problem)
    limit = problem.one_of(None, None, int(problem.rng.integers(0, 3000)))
    options["max_nodes"] = 1_000_000 if limit is None else limit
    boards = [problem.board(board) for board in problem.boards]
    many = search_many(boards, **options, workers=problem.one_of(1, 2))
    for board, together in zip(problem.boards, many):
        solution = search(problem.board(board), **options)
        about = (board, options)
        check.equal((solution.moves, solution.generated), (together.moves, together.generated), *about)
        check_solution(problem, check, board, solution, *about, optimal=False)
        if algorithm.optimal and solution.status not in ("limit",) and options.get("heuristic") != "ann":
            check.equal(solution.length, problem.known(board), *about)
        if algorithm.name == "weighted-a*" and solution.status == "solved":
            check.holds(solution.length <= options["weight"] * problem.known(board), *about)


@way(single_tile=True)
def heuristics(problem, check):
    """Values that promise to be lower bounds are; those of consistent heuristics change by one move at most."""
    boards = problem.known.drawn(problem.rng, _MANY)
    packed = truth.keys_of(np.array(boards))  # they are our packed boards, too
    expected = problem.known.many(boards)
    for name in (*NAMES, "tables:embedded"):
        values = heuristic(name, goal=problem.target)
        if values.admissible:
            check.holds((values.many(packed) <= expected).all(), name, boards)
            check.equal(values(problem.target), 0, name)


@way(single_tile=True, count=4)
def arrays(problem, check):
    """Tables as arrays: values of one's own, from the oracle, as the heuristic of a search."""
    count = min(3, len(problem.goal) - 2)
    tiles = tuple(sorted(map(int, problem.rng.permutation(len(problem.goal) - 1)[:count] + 1)))
    built = PatternTable.by_search(tiles, goal=problem.target)
    known = pattern_of(problem.shape, problem.goal, tiles)
    for board in problem.boards:
        check.holds(built(problem.board(board)) <= problem.known(board), board, tiles)  # the blank is home, too
    cells, numbers = placements(problem.shape, count), len(problem.goal) ** np.arange(count)
    order = np.argsort(cells @ numbers)
    where = np.argsort(truth.boards_of(known.keys, len(problem.goal)), axis=1)[:, list(tiles)] @ numbers
    rows = order[np.searchsorted((cells @ numbers)[order], where)]
    values = np.full(len(cells), 255, np.uint8)
    np.minimum.at(values, rows, known.distances)
    table = PatternTable(tiles, values, counts="all", goal=problem.target)
    algorithm = problem.one_of("a*", "ida*", "nbs")
    for board in problem.boards:
        value = values[rows[np.searchsorted(known.keys, truth.keys_of(np.array([board])))[0]]]
        check.equal(table(problem.board(board)), int(value), board, tiles)
        solution = search(problem.board(board), algorithm=algorithm, heuristic=table, goal=problem.target)
        check_solution(problem, check, board, solution, tiles, algorithm)


# ------------------------------------------------------------------------------------------------- learning


@way(single_tile=True, corner=True)
def local_value_iteration(problem, check):
    solver = learned(problem.shape, problem.goal, problem.one_of(1, 2))
    for board in problem.boards:
        solution = solver.solve(problem.board(board))
        check_solution(problem, check, board, solution, optimal=False)
        check.equal(solution.status, "solved", board)


@lru_cache(maxsize=20)
def learned(shape, goal, size):
    return LocalValueIteration(goal=Board(goal, shape), initial_size=size)


@lru_cache(maxsize=20)
def valued(shape, goal, gamma):
    return value_iteration(range(1, math.prod(shape)), goal=Board(goal, shape), gamma=gamma)


@way(single_tile=True, most_cells=8)
def value_functions(problem, check):
    """With all tiles in one group, the value tells the distance, and the policy a first move of a shortest solution."""
    values = valued(problem.shape, problem.goal, problem.one_of(0.5, 0.9))
    for board in problem.boards:
        state = values.state(problem.board(board))
        distance = problem.known(board)
        check.equal(int(values.lengths[state]), distance, board)
        policy = int(values.policy[state])
        expected = {"DRLU".index(letter) for letter in problem.known.first_moves(board)}
        check.holds(policy in expected if distance else policy == 4, board, policy)


@way(single_tile=True)
def environments(problem, check):
    count, reward = 20, problem.one_of("per-move", "sparse", "distance")
    env = PuzzleVectorEnv(count, goal=problem.target, reward=reward, oracle=True, autoreset_mode="Disabled")
    observation, info = env.reset(seed=int(problem.rng.integers(1 << 30)))
    ended = np.zeros(count, bool)
    for _ in range(6):
        boards = [tuple(row) for row in observation.tolist()]
        for row, board in enumerate(boards):
            best = problem.known.first_moves(board)
            after = truth.moves(problem.shape, board)
            check.equal(int(info["distance"][row]), problem.known(board), board)
            check.equal([int(letter in best) for letter in "DRLU"], info["optimal_actions"][row].tolist(), board)
            check.equal([int(letter in after) for letter in "DRLU"], info["action_mask"][row].tolist(), board)
        if ended.any():
            break
        actions = problem.rng.integers(0, 4, count)
        observation, rewards, done, _, info = env.step(actions)
        for row, (board, action) in enumerate(zip(boards, actions)):
            after = truth.moves(problem.shape, board).get("DRLU"[action], board)
            check.equal(tuple(observation[row].tolist()), after, board, action)
            check.equal(bool(done[row]), after == problem.goal and after != board, board, action)
            nearer = problem.known(board) - problem.known(after)
            per_move = {"per-move": -1, "sparse": int(after == problem.goal), "distance": nearer}[reward]
            if after != board:
                check.equal(float(rewards[row]), float(per_move), board, action, reward)
        ended = done


# ------------------------------------------------------------------------------------------------- the page

_api = Api(60.0, 1 << 28)


@way(count=5)
def requests(problem, check):
    """The JSON interface of `puzzle15 serve`."""

    def answer(name, board, **fields):
        record = {"board": str(problem.board(board)), "goal": str(problem.target), "metric": problem.metric, **fields}
        return _api.answer(name, json.dumps(record).encode())

    for board in problem.boards:
        solved, hinted = answer("solve", board), answer("hint", board)
        distance = problem.known(board)
        check.equal([solved["length"], hinted["distance"], solved["lower_bound"]], [distance] * 3, board, problem.goal)
        check_path(problem, check, board, solved["moves"])
        found = hinted["moves"].split(" ") if problem.multi_tile and hinted["moves"] else hinted["moves"]
        check.equal(set(found), problem.known.first_moves(board), board)
        letters, boards = random_walk(problem, board, 6)
        analysed = answer("analyse", board, moves="".join(letters))
        check.equal(analysed["distances"], problem.known.many(boards).tolist(), board, letters)


@way(single_tile=True, count=6)
def page(problem, check):
    """The core of the page, under node."""
    names = [name for name, kind in ALGORITHMS.items() if kind.optimal and kind.function is None]
    questions = []
    for board in problem.boards:
        question = {"board": str(problem.board(board)), "goal": str(problem.target), "most": 5}
        questions += [{**question, "kind": kind} for kind in ("hint", "solve", "solutions")]
        searching = {"algorithm": problem.one_of(*names), "heuristics": ["manhattan"]}
        questions.append({**question, "kind": "search", **searching})
    answers = iter(ask(questions))
    for board in problem.boards:
        found, solved, listed, searched = (next(answers)["answer"] for _ in range(4))
        distance = problem.known(board)
        lengths = [found["distance"], solved["distance"], len(solved["moves"]), searched["length"]]
        check.equal(lengths, [distance] * 4, board, problem.goal)
        check.equal(set(found["moves"]), problem.known.first_moves(board), board)
        check.equal(listed["count"], problem.known.count_solutions(board), board)
        for letters in (solved["moves"], searched["moves"]):
            check_path(problem, check, board, letters)
