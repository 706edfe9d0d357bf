"""Makers of instances of each public class, what a copy of an instance must do alike, and what cannot be sent."""

import importlib
import math
import pkgutil
from dataclasses import is_dataclass
from functools import partial
from inspect import isclass

import numpy as np
import own_heuristics
import pytest

import puzzle15
from puzzle15 import (
    Board,
    LocalValueIteration,
    Solver,
    _pictures,
    dataset,
    errors,
    heuristic,
    search,
    tables,
)
from puzzle15._system import sendable
from puzzle15._system.locking import ThreadLock
from puzzle15._system.sendable import PicklableCallable
from puzzle15._system.threads import Stopped, Team
from puzzle15.board import Orientation, korf100
from puzzle15.dataset import Batches, Distances, Uniform, Walk
from puzzle15.environments import Options, PuzzleEnv, PuzzleVectorEnv
from puzzle15.heuristics import HeuristicFunction, TableSum, check_heuristic
from puzzle15.heuristics._report import Change
from puzzle15.learning import AnnDistance, value_iteration
from puzzle15.learning.gather import Met
from puzzle15.learning.train import Design, Rows
from puzzle15.nodes import BoardTable, BucketQueue, children
from puzzle15.page import Server, page
from puzzle15.papers import PAPERS, Row
from puzzle15.searches import (
    ALGORITHMS,
    SearchOptions,
    SearchTree,
    compare_many,
    register,
    search_many,
    unregister,
)
from puzzle15.solver._choice import embedded_choice
from puzzle15.tables import PatternTable
from puzzle15.tables._building import plan_build
from puzzle15.tables._construction import table_in_memory
from puzzle15.tables._file import FORMATS

#: Packages inside packages. (`dataset.torch` would import PyTorch.)
INNER = "learning.gather", "learning.train"

SMALL = (3, 3)
FAR = "8 6 7/2 5 4/3 0 1"
EASY = "1 2 3/4 0 6/7 5 8"
TURNED = "0 1 2/3 4 5/6 7 8"
CENTRE = "1 2 3/4 0 5/6 7 8"


def public():
    """(package, name, value) of all that is public; without what needs an extra that is missing."""
    packages = [module.name for module in pkgutil.iter_modules(puzzle15.__path__) if not module.name.startswith("_")]
    for package in ("", *packages, *INNER):
        module = importlib.import_module(f"puzzle15.{package}".rstrip("."))
        for name in module.__all__:
            try:
                yield package, name, getattr(module, name)
            except ImportError:
                continue


def title(kind):
    """``solver.Solver`` of the class."""
    return f"{kind.__module__.split('.')[1]}.{kind.__name__}"


def public_classes():
    """The titles of all public classes."""
    return {title(value) for _, _, value in public() if isclass(value) and value.__module__.startswith("puzzle15.")}


class Idle(Server):
    """It does not open its tables before somebody asks."""

    def _warm(self):
        pass


class Place:
    """A folder with tables and labels."""

    def __init__(self, folder):
        self.tables, self.labels = folder / "tables", folder / "labels"
        for format in FORMATS:
            puzzle15.build_tables("1-4/5-8", shape=SMALL, format=format, tables=self.tables)
        puzzle15.build_tables("1-4/5-8/9-11", shape=(3, 4), tables=self.tables)
        dataset.write(self.labels, 60, seed=1, solver=Solver(shape=SMALL), first_moves=True, shard=20)
        self.rows = folder / "rows.csv"
        self.rows.write_text("0,1,2,3,4,5,6,7,8,0\n1,0,2,3,4,5,6,7,8,1\n")


def solvers(place):
    yield Solver(shape=SMALL)
    for goal in (TURNED, CENTRE):
        yield Solver("embedded", goal=goal)
    for format in FORMATS:
        yield Solver("1-4/5-8", shape=SMALL, tables=place.tables, format=format)
    yield Solver("1-4/5-8", goal=TURNED, tables=place.tables, plain=True, reflection=False, check="never")
    yield Solver(shape=SMALL, metric="mtm")


def heuristics(place):
    for name in ("zero", "max(linear-conflict,walking-distance)", "tables:1-4/5-8", "sum(tables:1-4,tables:5-8)"):
        yield heuristic(name, goal=TURNED, tables=place.tables)
    yield heuristic("tables:1-4/5-8:classic", shape=SMALL, tables=place.tables)
    yield heuristic(["ann", "manhattan"])
    yield heuristic([*functions(), "manhattan"], shape=SMALL)
    yield from map(heuristic, [*pattern_tables(), *table_sums(place)])


def functions():
    yield HeuristicFunction(own_heuristics.home_last, goal="1 2 3/4 5 6/7 8 0", name="mine")
    yield HeuristicFunction.of(own_heuristics.in_batches)
    yield HeuristicFunction(own_heuristics.Scaled(2))


def pattern_tables():
    yield PatternTable.by_search([1, 2], shape=SMALL)
    yield PatternTable.by_search([3, 4], counts="all", blank=True, goal=TURNED)


def table_sums(place):
    yield TableSum(["tables:1-4", "tables:5-8"], shape=SMALL, tables=place.tables)
    yield TableSum(["tables:3,4", next(pattern_tables())])


def learners():
    trained = LocalValueIteration(initial_size=2, goal=TURNED, move_order="RLDU")
    trained.train()
    yield LocalValueIteration(shape=SMALL)
    yield trained


def environments(place):
    yield {"shape": (2, 3), "scramble": "walk:9", "oracle": True, "reward": "distance"}
    yield {"shape": SMALL, "distance": (1, 4), "observation": "one-hot", "max_episode_steps": 3}
    yield {"shape": (3, 4), "distance": 3, "oracle": True, "solver": Solver(shape=(3, 4), tables=place.tables)}


def begun(env):
    env.reset(seed=1)
    return env


def vectors(place):
    return [begun(PuzzleVectorEnv(3, **options)) for options in environments(place)]


def tree():
    recorded = SearchTree()
    recorded.solution = search(EASY, on_expand=recorded.add)
    return recorded


def progress():
    kept = []
    register(name="kept")(lambda start, goal, heuristic, progress: kept.append(progress))
    search(EASY, algorithm="kept")
    unregister("kept")
    return kept[0]


def batch():
    return Solver(shape=SMALL).solve_many([FAR, EASY, "no board", "1 2 3/4 5 6/8 7 0"], on_error="mark")


def local_batch():
    return LocalValueIteration(shape=SMALL).solve_many([FAR, EASY, "no board"], on_error="mark")


def improved():
    return search("8 0 6/5 4 7/2 3 1", algorithm="anytime-a*", weight=3)


def torch_batches(place):
    from puzzle15.dataset.torch import TorchBatches

    return TorchBatches(place.labels, batch_size=25, seed=1)


def too_large(boards):
    return ((boards != [1, 2, 3, 4, 5, 0]) & (boards != 0)).sum(axis=1) * 4


def report():
    return check_heuristic(too_large, shape=(2, 3))


def wrong_rows(place):
    file = place.rows.with_name("wrong.csv")
    file.write_text("1,0,2,3,4,5,6,7,8,1\n1,2,3,4,5,6,7,0,8,3\n")
    return dataset.check_published(file, shape=SMALL, goal="0 1 2/3 4 5/6 7 8")


def board_table():
    table = BoardTable([("g", np.uint8), ("closed", bool)], max_memory="1M")
    table.insert(children([FAR, EASY], SMALL).packed, (7, True))
    return table


def bucket_queue():
    queue = BucketQueue()
    queue.push([3, 2, 3], children([EASY], SMALL).packed[:3], np.arange(3))
    return queue


def one(make):
    """A maker of one instance that needs no folder."""
    return lambda place: [make()]


#: A maker of instances, by the title of their class.
MAKERS = {
    "learning.AnnDistance": lambda place: [AnnDistance(), AnnDistance(lowered=2)],
    "learning.Design": one(lambda: Design((8, 4), quantized=True)),
    "learning.Met": one(lambda: Met("best", 3)),
    "learning.Rows": one(lambda: Rows(np.zeros((2, 16), np.uint8), np.zeros(2, np.uint8), np.arange(1))),
    "board.Board": lambda place: [Board(FAR), Board.goal((2, 2)), Board.goal((4, 4), home=0)],
    "board.Orientation": lambda place: [Orientation(Board(goal)) for goal in (FAR, CENTRE, TURNED)],
    "heuristics.Change": one(lambda: Change(Board(EASY), 1, 2)),
    "heuristics.HeuristicReport": one(report),
    "heuristics.Jump": one(lambda: report().trials[0].jumps[0]),
    "heuristics.Overestimate": one(lambda: report().trials[0].overestimates[0]),
    "heuristics.Trial": one(lambda: report().trials[0]),
    "dataset.Batches": lambda place: [Batches(place.labels, batch_size=25, seed=seed) for seed in (1, 2)],
    "dataset.Dataset": lambda place: [dataset.load(place.labels)],
    "dataset.Distances": lambda place: [Distances({3: 1, 5: 2}), Distances([7])],
    "dataset.Published": lambda place: [dataset.read_published(place.rows)],
    "dataset.PublishedReport": lambda place: [wrong_rows(place)],
    "dataset.ShardReport": lambda place: dataset.check(place.labels, sample=2),
    "dataset.Targets": lambda place: [next(iter(Batches(place.labels)))],
    "dataset.TorchBatches": lambda place: [torch_batches(place)],
    "dataset.Uniform": one(Uniform),
    "dataset.Walk": one(lambda: Walk(3, 9)),
    "dataset.WrongRow": lambda place: wrong_rows(place).wrong,
    "environments.Options": lambda place: [Options(**options) for options in environments(place)],
    "environments.PuzzleEnv": lambda place: [begun(PuzzleEnv(**options)) for options in environments(place)],
    "environments.PuzzleVectorEnv": vectors,
    **{f"errors.{name}": one(partial(getattr(errors, name), "what was given")) for name in errors.__all__},
    "errors.ChunkError": one(lambda: errors.ChunkError("chunk 3 failed", 3, [EASY])),
    "heuristics.Heuristic": heuristics,
    "heuristics.HeuristicFunction": lambda place: functions(),
    "heuristics.TableSum": table_sums,
    "learning.BoardCounts": one(lambda: LocalValueIteration(shape=SMALL).count_boards()),
    "learning.LocalSolution": one(lambda: LocalValueIteration(shape=SMALL).solve(FAR)),
    "learning.LocalSolutionBatch": lambda place: [local_batch(), local_batch()[1:]],
    "learning.LocalValueIteration": lambda place: learners(),
    "learning.Part": one(lambda: LocalValueIteration(shape=SMALL).solve(FAR).parts[0]),
    "learning.Stage": one(lambda: LocalValueIteration(shape=SMALL).count_boards().stages[0]),
    "learning.ValueFunction": lambda place: [
        value_iteration([2], fixed=[1], shape=SMALL),
        value_iteration([3, 4], goal=TURNED, gamma=0.5),
    ],
    "papers.Paper": lambda place: PAPERS.values(),
    "papers.Row": one(lambda: Row("a*", "seconds", 0.111, 0.00271, "machines differ", False)),
    "nodes.BoardTable": one(board_table),
    "nodes.BucketQueue": one(bucket_queue),
    "nodes.Children": one(lambda: children([Board(EASY).packed], SMALL)),
    "_system.PicklableCallable": lambda place: [
        PicklableCallable(own_heuristics.home_last),
        PicklableCallable(Solver(shape=SMALL).distance),
    ],
    "_system.Stopped": one(Stopped),
    "_pictures.Look": one(lambda: _pictures.Look(colours="rings")),
    "page.Page": one(page),
    "_pictures.Svg": one(lambda: Board(FAR).svg()),
    "_pictures.Tree": one(lambda: _pictures.Tree("iteration 1", [_pictures.TreeNode([1, 2, 0, 3], None, "open")])),
    "_pictures.TreeNode": one(lambda: _pictures.TreeNode([1, 2, 0, 3], None, "open")),
    "board.KorfBoard": one(lambda: korf100()[0]),
    "searches.Child": one(lambda: tree().expansions[0].children[0]),
    "searches.Expansion": one(lambda: tree().expansions[0]),
    "searches.SearchBatch": one(lambda: search_many([FAR, EASY, "no board"], algorithm="greedy", on_error="mark")),
    "searches.Comparison": one(lambda: compare_many([FAR, EASY], ["greedy", "a*"], heuristics="zero")),
    "searches.Algorithm": one(lambda: ALGORITHMS["ara*"]),
    "searches.SearchOptions": one(lambda: SearchOptions(algorithm="ara*", weight="4/3", max_memory="1G")),
    "searches.SearchTree": one(tree),
    "solver.Analysis": one(lambda: Solver(shape=SMALL).analyse(EASY, "DURL")),
    "solver.Counts": one(lambda: search(FAR, counts=True).counts),
    "solver.Hint": one(lambda: Solver(shape=SMALL).hint(FAR)),
    "solver.Improvement": one(lambda: improved().improvements[0]),
    "solver.Iteration": one(lambda: Solver(shape=SMALL).solve(FAR).iterations[0]),
    "solver.Mistake": one(lambda: Solver(shape=SMALL).analyse(EASY, "DURL").mistakes[0]),
    "solver.PathStep": lambda place: Solver(shape=SMALL).solve(EASY).path(),
    "solver.Solution": lambda place: [improved(), *batch(), Solver(shape=SMALL).solve(FAR, max_length=3)],
    "solver.SolutionBatch": lambda place: [batch(), batch()[:2], Solver(shape=SMALL, metric="mtm").solve_many([FAR])],
    "solver.Solver": solvers,
    "solver.AnswerBatch": one(lambda: Solver(shape=SMALL).hint_many([FAR, "no board"], on_error="mark")),
    "solver.Choice": one(lambda: embedded_choice(SMALL, 8)),
    "tables.BuildPlan": lambda place: [plan_build("1-4/5-8", shape=SMALL, tables=place.tables)],
    "tables.PatternTable": lambda place: pattern_tables(),
    "tables.TableFile": lambda place: tables.find_tables(place.tables)[0],
    "tables.Verification": lambda place: tables.verify(place.tables),
}

#: What stays in its process, and a word of the error that says why.
STAY = {
    "_system.Team": (lambda place: Team(1), "threads"),
    "_system.ThreadLock": (lambda place: ThreadLock(), "threads"),
    "searches.Progress": (lambda place: progress(), "one search"),
    "page.Server": (lambda place: Idle(), "its address"),
    "solver.AllSolutions": (lambda place: Solver(shape=SMALL).all_solutions(FAR), "a list of it"),
    "solver.OpenTables": (lambda place: Solver(shape=SMALL).open_tables, "its Solver"),
    "tables.Table": (lambda place: table_in_memory(SMALL, 15, 8, "zero-aware"), "its TableFile"),
    "tables.Table (multi-tile)": (lambda place: table_in_memory((2, 3), 7, 5, "multi-tile"), "its TableFile"),
}

#: What has no instances of its own.
BASES = {"dataset.Distribution", "_system.Sendable", "solver.Solutions"}

#: What several threads may use at once.
SHARED = (
    "learning.AnnDistance",
    "board.Orientation",
    "dataset.Dataset",
    "heuristics.Heuristic",
    "heuristics.HeuristicFunction",
    "heuristics.TableSum",
    "learning.LocalValueIteration",
    "_system.PicklableCallable",
    "solver.Solver",
    "tables.PatternTable",
)

#: The extras that an instance needs.
EXTRAS = {
    "dataset.TorchBatches": "torch",
    "environments.PuzzleEnv": "gymnasium",
    "environments.PuzzleVectorEnv": "gymnasium",
}

#: The most bytes of a pickle: no tables, no weights, and nothing that was learned.
BYTES = {
    "learning.AnnDistance": 250,
    "learning.Met": 400,
    "board.Board": 100,
    "board.Orientation": 400,
    "dataset.Dataset": 5_000,
    "environments.Options": 900,
    "heuristics.Heuristic": 1_500,
    "heuristics.HeuristicFunction": 550,
    "learning.LocalValueIteration": 200,
    "solver.Solver": 500,
    "tables.TableFile": 500,
}


# ---------------------------------------------------------------- what a copy must do alike


def some_boards(goal):
    return [Board.random(seed, goal=goal) for seed in range(3)]


def solved(solver):
    answers = [solver.solve(board) for board in some_boards(solver.goal)]
    opened = [getattr(solver.open_tables, name) for name in ("partitions", "format", "embedded", "lookups")]
    own = [solver.goal, solver.metric, *opened]
    return plain([own, repr(solver), [(each.moves, each.expanded, each.generated) for each in answers]])


def valued(h):
    own = h.name, h.goal, h.shape, h.admissible, h.consistent, h.batch, repr(h)
    answer = search(h.goal.apply("".join(h.goal.legal_moves()[0])), heuristic=h)
    return plain([own, h.many(some_boards(h.goal)), h(h.goal), answer.moves, answer.expanded])


def called(function):
    boards = np.array([Board(FAR).tiles, Board(EASY).tiles], dtype=np.uint8)
    goal = [boards[1]] if function.any_goal else []
    return plain([function.claims, function(boards, *goal)])


def stepped(env):
    if isinstance(env, PuzzleEnv):
        seen = [env.step(action) for action in (0, 1, 2)] + [env.reset(), env.step(3)]
    else:
        seen = [env.step(np.full(3, action, dtype=np.int64)) for action in (0, 1, 2, 3)]
    return plain([env.options, seen])


#: What shows that an instance works, by the title of its class; else, what it holds is compared.
USES = {
    "learning.AnnDistance": lambda ann: plain([repr(ann), ann.meta, ann.many(some_boards(Board.goal()))]),
    "learning.Met": lambda met: plain([str(met), met.draw(50, np.random.default_rng(1), None)]),
    "board.Orientation": lambda turned: plain([turned.turn(np.array([turned.goal.packed], np.uint64)), vars(turned)]),
    "dataset.Batches": lambda batches: plain([batches.goal, batches.rows, list(batches), list(batches)]),
    "dataset.Dataset": lambda data: plain([repr(data), data.array("board"), data.histogram]),
    "dataset.TorchBatches": lambda data: plain([data.rows, [[part.numpy() for part in row] for row in data]]),
    "environments.PuzzleEnv": stepped,
    "environments.PuzzleVectorEnv": stepped,
    "heuristics.Heuristic": valued,
    "heuristics.HeuristicFunction": called,
    "heuristics.TableSum": lambda total: plain([repr(total), valued(heuristic(total))]),
    "learning.LocalSolutionBatch": lambda answers: plain([answers.lengths, answers.largest, alike(answers)]),
    "learning.LocalValueIteration": lambda local: plain(
        [local.goal, local.order, [local.solve(board).moves for board in some_boards(local.goal)]]
    ),
    "learning.ValueFunction": lambda learned: plain(
        [repr(learned), learned.values, learned.policy, learned.lengths, learned.cells([0, 1]), learned.max_length]
    ),
    "nodes.BoardTable": lambda table: plain([table.max_memory, sorted(table.keys()), table.get(np.sort(table.keys()))]),
    "nodes.BucketQueue": lambda queue: plain([len(queue), queue.pop(2), queue.pop(2), len(queue)]),
    "_system.PicklableCallable": lambda parcel: plain([parcel.function.__name__, parcel.__name__]),
    "searches.SearchBatch": lambda answers: plain([answers.lengths, alike(answers)]),
    "searches.SearchTree": lambda recorded: plain([recorded.expansions, recorded.title, recorded.svg()]),
    "solver.SolutionBatch": lambda answers: plain([answers.lengths, alike(answers)]),
    "solver.Solver": solved,
    "tables.TableFile": lambda file: plain([file.path, file.header(), file.checksum]),
}


def alike(batch):
    """What must be the same of a batch's solutions: all but the times."""
    return [{**record, "seconds": 0} for record in batch.to_dicts()]


def plain(value):
    """What an object holds, as values that can be compared."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes() if value.dtype != object else plain(value.tolist())
    if isinstance(value, BaseException):
        return title(type(value)), value.args, plain(vars(value))
    if isinstance(value, dict):
        return {plain(key): plain(each) for key, each in value.items()}
    if isinstance(value, (tuple, list)):
        return type(value).__name__, tuple(map(plain, value))
    if isinstance(value, float) and math.isnan(value):
        return "nan"
    kind = title(type(value)) if type(value).__module__.startswith("puzzle15.") else None
    if kind in USES:
        return USES[kind](value)
    if is_dataclass(value):
        return kind, plain(vars(value))
    return value


def used(kind, instance):
    """What shows that an instance of a class works."""
    return USES.get(kind, plain)(instance)


def there(kind, instance):
    """In another process: (the instance, that it works there)."""
    return instance, used(kind, instance)


def forget():
    """Let what this process receives from now on be unopened."""
    sendable._shared.cache_clear()


def made(kind, place):
    """New instances of a class, and what each of them must do."""
    if kind in EXTRAS:
        pytest.importorskip(EXTRAS[kind])
    instances = list(MAKERS[kind](place))
    assert {title(type(instance)) for instance in instances} == {kind}
    # To use an instance may change it, so others are used.
    twins = list(MAKERS[kind](place)) if kind in USES else instances
    return [(instance, used(kind, twin)) for instance, twin in zip(instances, twins)]
