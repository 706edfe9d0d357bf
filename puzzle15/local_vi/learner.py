"""The learner: subproblems, what is learned of them, and solutions of whole boards."""

from __future__ import annotations

import math
import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple, Optional, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._core.base import board as _board
from .._core.learning.value_iteration import MAX_GAMMA, MIN_GAMMA, NONE, Plan, Subproblem
from ..board import Board, BoardLike, BoardsLike, board_beside, goal_of, moves_from_directions, pack_boards
from ..errors import BoardError, TableCorruptError, UnsolvableError
from ..parallel import Team, result_of, slices, thread_count
from ..solver import Solution, SolutionBatch, pack_solvable, unsolvable_text
from ..system.arrays import ArraysError, open_arrays
from ..system.files import write_atomically
from ..system.machine import available_memory
from ..system.quantities import number, whole

__all__ = [
    "Analysis",
    "LocalSolution",
    "LocalSolutionBatch",
    "LocalValueIteration",
    "Part",
    "Stage",
    "ValueFunction",
    "value_iteration",
]

#: The name of it all, beside those of `puzzle15.searches`.
ALGORITHM = "local-value-iteration"

Progress = Callable[[float, str], Any]

_FILE_VERSION = 1
_SETTINGS = "version", "goal", "initial_size", "gamma"  # in a file, beside what was learned
_CHUNK = 1 << 20  # states that are looked at together: some 100 MB
_SLICE = 1 << 14  # boards that one thread solves at a stretch: some 50 ms
_SKIPPED = 0xFF  # the status of a board that cannot be solved
_STATE_BYTES, _PLACEMENT_BYTES = 9, 6  # while learning; a placement of the tiles is a state for each cell of the blank


# ---------------------------------------------------------------- one subproblem ---


class ValueFunction:
    """What value iteration learned about one subproblem.

    Attributes
    ----------
    goal : Board
    tiles, fixed : tuple of int
        G, in the order in which a state names their cells, and R.
    gamma : float
    values : ndarray of float64, shape (states,)
        The sum of gamma^t from t = k on for a state that is k moves from the goal; 0 where it cannot be reached.
    policy : ndarray of uint8, shape (states,)
        The blank's direction (0 up, 1 left, 2 right, 3 down) that leads to the highest value, the smallest number of
        those that do; 4 in goal states, 5 where the value is 0.
    """

    def __init__(
        self, space: Subproblem, goal: Board, gamma: float, values: NDArray[np.float64], policy: NDArray[np.uint8]
    ) -> None:
        self._space = space
        self.goal = goal
        self.tiles = tuple(goal.tiles[cell] for cell in space.goal)
        self.fixed = tuple(goal.tiles[cell] for cell in space.fixed)
        self.gamma = gamma
        self.values = values
        self.policy = policy

    @property
    def state_count(self) -> int:
        """int: placements of the tiles of G and the blank on the cells outside R."""
        return self._space.state_count

    @property
    def lengths(self) -> NDArray[np.int16]:
        """ndarray of int16, shape (states,): moves to the goal, from the values; -1 where there are none."""
        lengths = np.full(len(self.values), -1, dtype=np.int16)
        for some in slices(len(lengths), _CHUNK):
            values = self.values[some]
            known = values > 0
            lengths[some][known] = np.rint(np.log(values[known] * (1 - self.gamma)) / np.log(self.gamma))
        return lengths

    @cached_property
    def max_length(self) -> int:
        """int: the most moves that the goal is away from any state that can reach it."""
        least = np.inf
        for some in slices(len(self.values), _CHUNK):
            values = self.values[some]
            least = values.min(where=values > 0, initial=least)
        return int(np.rint(np.log(least * (1 - self.gamma)) / np.log(self.gamma)))

    def cells(self, states: ArrayLike) -> NDArray[np.uint8]:
        """The cells of the tiles of G, in their order, and of the blank: uint8 (N, tiles + 1)."""
        return self._space.cells(states)

    def state(self, board: BoardLike) -> int:
        """The state that a board is in; its index in the arrays.

        Raises
        ------
        BoardError
            If it is no board of the shape, or a tile of R is not at home.
        """
        board = board_beside(self.goal, board)
        tiles = board.tiles
        for cell in self._space.fixed:
            if tiles[cell] != self.goal.tiles[cell]:
                raise BoardError(f"{board}: tile {self.goal.tiles[cell]} is fixed, but not at home")
        return int(self._space.states([[tiles.index(tile) for tile in (*self.tiles, 0)]])[0])

    def __repr__(self) -> str:
        return f"<ValueFunction of tiles {_set(self.tiles)}, fixed {_set(self.fixed)}: {self.state_count:,} states>"


def value_iteration(
    tiles: Iterable[int],
    fixed: Iterable[int] = (),
    *,
    gamma: float = 0.9,
    goal: Optional[BoardLike] = None,
    shape: Optional[Sequence[int]] = None,
) -> ValueFunction:
    """Learn how to bring some tiles home without moving others.

    Parameters
    ----------
    tiles : iterable of int
        G.
    fixed : iterable of int
        R; these tiles are at home.
    gamma : float
        The discount factor, 0.01 to 0.999.
    goal : board, optional
        Any arrangement; by default the tiles in order, the blank last.
    shape : (int, int), optional
        Rows and columns, where `goal` does not tell; by default 4x4.

    Returns
    -------
    ValueFunction

    Raises
    ------
    BoardError
        If the tiles are none of the goal, or in both sets.
    ValueError
        For another gamma.
    MemoryError

    Notes
    -----
    The reward is 1 in every state that has the tiles of G at home, and 0 elsewhere; such states absorb.

    Examples
    --------
    >>> learned = value_iteration([3, 4], fixed=[1, 2])
    >>> learned.state_count, learned.max_length
    (2184, 32)
    >>> print(f"{learned.values[learned.state('1 2 3 0/5 6 7 4/8 9 10 11/12 13 14 15')]:.3f}")
    9.000

    References
    ----------
    B. Bischoff, D. Nguyen-Tuong, H. Markert, A. Knoll, "Solving the 15-puzzle game using local value-iteration",
    SCAI 2013.
    """
    target = goal_of(goal, shape)
    sets = tuple(tiles), tuple(fixed)
    for tile in (*sets[0], *sets[1]):
        if tile not in target.tiles or tile == 0:
            raise BoardError(
                f"tile {tile}: a {target.shape[0]}x{target.shape[1]} board has the tiles 1 .. {len(target.tiles) - 1}"
            )
    if not sets[0] or len({*sets[0], *sets[1]}) < len(sets[0]) + len(sets[1]):
        raise BoardError(f"tiles {_set(sets[0])}, fixed {_set(sets[1])}: expected at least one tile, and none twice")
    cells, home = ([target.tiles.index(tile) for tile in some] for some in sets)
    return _learn(target, cells, home, _check_gamma(gamma))


def _learn(goal, cells, fixed, gamma, progress=None):
    free = len(goal.tiles) - len(fixed)
    count = math.prod(range(free - len(cells), free + 1))
    needed = count * _STATE_BYTES + count // (free - len(cells)) * _PLACEMENT_BYTES
    if needed > available_memory():  # where memory is promised freely, asking for it would not fail
        raise MemoryError(
            f"the subproblem of {len(cells)} tiles on {free} cells has {count:,} states, and takes "
            f"{needed / 1e9:,.1f} GB to learn; a smaller initial size needs less"
        )
    space = Subproblem(goal.shape, cells, fixed)
    return ValueFunction(space, goal, gamma, *space.learn(gamma, progress))


def _check_gamma(gamma):
    return number("gamma", gamma, MIN_GAMMA, MAX_GAMMA)


def _set(tiles):
    return "{" + ",".join(map(str, tiles)) + "}"


# ---------------------------------------------------------------- whole boards ---


class Part(NamedTuple):
    """One subproblem of a solution."""

    tiles: tuple[int, ...]
    """G."""

    fixed: tuple[int, ...]
    """R."""

    length: int
    """Moves that it took."""


@dataclass(frozen=True)
class LocalSolution(Solution):
    """A `Solution`, and how it came about. No nodes are expanded.

    Attributes
    ----------
    parts : tuple of Part
        The subproblems that were solved, one after another.
    largest : int
        The most tiles that one of them had to consider: the k of the paper's class S_k.
    """

    parts: tuple[Part, ...] = ()
    largest: int = 0


class LocalSolutionBatch(SolutionBatch):
    """A `SolutionBatch`, and the classes of the boards; ``batch[i]`` is a `LocalSolution`.

    Attributes
    ----------
    largest : ndarray of uint8, shape (N,)
        The most tiles that a subproblem had to consider: the k of the paper's class S_k; 0 where there is no solution.
    """

    def __init__(
        self,
        learner: LocalValueIteration,
        packed: NDArray[np.uint64],
        lengths: NDArray[np.uint16],
        largest: NDArray[np.uint8],
        seconds: float,
        errors: dict[int, Any],
    ) -> None:
        nothing = np.zeros(len(packed), dtype=np.uint64)
        super().__init__(
            learner.goal,
            packed,
            {
                "path": nothing,
                "length": lengths,
                "expanded": nothing,
                "generated": nothing,
                "seconds": np.full(len(packed), seconds / max(len(packed), 1)),
            },
            errors,
            _no_moves,
        )
        self.largest = largest
        self._learner = learner

    def __getitem__(self, index: int) -> LocalSolution:
        count = len(self)
        if not -count <= index < count:
            raise IndexError(f"board {index} of {count}")
        index %= count
        packed, seconds = int(self._packed[index]), float(self.seconds[index])
        board = Board._of(packed, self._goal.shape) if packed else None
        if index in self.errors:
            return LocalSolution(
                board=board,
                goal=self._goal,
                status="error",
                moves=None,
                optimal=False,
                lower_bound=0,
                expanded=0,
                generated=0,
                seconds=seconds,
                error=self.errors[index],
                algorithm=ALGORITHM,
            )
        assert board is not None
        return self._learner._solution(board, seconds)


class LocalValueIteration:
    """Solves boards by a chain of learned subproblems.

    Stage i brings home the tiles ``order[initial_size * i]`` and so on, `initial_size` of them or as many as are left.
    It first tries G = these tiles and R = all earlier ones. As long as the board at hand cannot be solved so, the last
    tile of R goes over to G. Subproblems are learned when a board first needs them, or all at once by `train`.

    Parameters
    ----------
    initial_size : int
        How many tiles a stage brings home, 1 to the number of tiles. More of them make solutions shorter, and learning
        longer: on 4x4, sizes up to 5 take a second, 6 takes ten times as much and 0.6 GB.
    gamma : float
        The discount factor, 0.01 to 0.999; solutions do not depend on it.
    shape : (int, int), optional
        Rows and columns, where `goal` does not tell; by default 4x4.
    goal : board, optional
        Any arrangement with the blank in a corner; by default the tiles in order, the blank last.

    Raises
    ------
    BoardError
        For a shape or a goal that is none, or a goal whose blank is in no corner.
    ValueError
        For another initial size or gamma.

    Attributes
    ----------
    initial_size : int
    gamma : float
    goal : Board
    shape : (int, int)
    order : tuple of int
        The tiles in the order in which they come home: line by line towards the goal's blank, a line being a row, or a
        column where these are shorter. (The tiles of a line's end can only change places with the help of all cells
        beside them, so longer lines would need larger subproblems.) Where the paper does it, on 4x4, it is 1, 2, 3, ...
    functions : list of ValueFunction
        What has been learned.

    Notes
    -----
    Of equally good moves of a subproblem, the first of the blank's directions up, left, right, down is made. Any number
    of threads may use it; before it is trained, two may learn the same thing.

    It can be pickled: a few hundred bytes of settings. Where they arrive it learns again what boards need, once in a
    process, however often the same settings arrive there. For an `initial_size` of 6 and more, save what was learned to
    a file instead, and load it there.

    Examples
    --------
    >>> learner = LocalValueIteration(shape=(3, 3))
    >>> solution = learner.solve("8 6 7/2 5 4/3 0 1")
    >>> solution.length, solution.largest
    (61, 3)
    >>> for part in solution.parts[:4]:
    ...     print(part)
    Part(tiles=(1,), fixed=(), length=10)
    Part(tiles=(2,), fixed=(1,), length=11)
    Part(tiles=(2, 3), fixed=(1,), length=13)
    Part(tiles=(4,), fixed=(1, 2, 3), length=3)
    """

    def __init__(
        self,
        initial_size: int = 1,
        gamma: float = 0.9,
        shape: Optional[Sequence[int]] = None,
        *,
        goal: Optional[BoardLike] = None,
    ) -> None:
        self.goal = goal_of(goal, shape)
        self.shape = self.goal.shape
        tiles = len(self.goal.tiles) - 1
        self.initial_size = whole("initial_size", initial_size, 1, tiles)
        self.gamma = _check_gamma(gamma)
        self._order = _order(self.goal)
        self.order = tuple(self.goal.tiles[cell] for cell in self._order)
        self._functions: dict[tuple[int, int], ValueFunction] = {}
        self._plan = self._new_plan()

    def __reduce__(self) -> tuple[Any, ...]:
        return _arrived, (self.initial_size, self.gamma, self.goal)

    @property
    def functions(self) -> list[ValueFunction]:
        return [self._functions[key] for key in sorted(self._functions, key=lambda key: (key[0], -key[1]))]

    def __repr__(self) -> str:
        return (
            f"<LocalValueIteration for {self.goal}: initial size {self.initial_size}, "
            f"{len(self._functions)} subproblems learned>"
        )

    # ---------------------------------------------------------------- learning

    def train(self, progress: Optional[Progress] = None) -> None:
        """Learn every subproblem that some board needs.

        Parameters
        ----------
        progress : callable, optional
            Called with a share of the work (0 .. 1) and a word on what is done.

        Raises
        ------
        MemoryError
            A subproblem has too many states.
        """
        tell = _forwards(progress)
        for stage in range(self._plan.stage_count):
            for _ in self._growth(stage, tell):
                pass
        if progress is not None:
            progress(1.0, "trained")

    def _function(self, stage: int, begin: int, progress: Optional[Progress] = None) -> ValueFunction:
        """The value function of a subproblem, learned unless it is there."""
        if (stage, begin) not in self._functions:
            tell = None
            if progress is not None:
                name = f"tiles {_set(self.order[begin : self._plan.end(stage)])}"

                def tell(share):
                    progress((stage + share) / self._plan.stage_count, name)

            cells, fixed = self._cells(stage, begin)
            self._functions[stage, begin] = _learn(self.goal, cells, fixed, self.gamma, tell)
        return self._functions[stage, begin]

    def _cells(self, stage, begin):
        """The cells of G and R."""
        return self._order[begin : self._plan.end(stage)], self._order[:begin]

    def _new_plan(self):
        plan = Plan(self.shape, self.goal.packed, self._order, self.initial_size)
        for (stage, begin), function in list(self._functions.items()):
            plan.add(stage, begin, function.policy)
        return plan

    def _learn_missing(self, missing):
        """Learn what boards need, and take it into a new plan: others may be solving with the old one."""
        for stage, begin in missing:
            self._function(stage, begin)
        self._plan = self._new_plan()

    def _growth(self, stage: int, progress: Optional[Progress] = None) -> Iterator[tuple[ValueFunction, Any, Any]]:
        """The subproblems of a stage, each with the states in which boards come to it.

        Yields (function, starts, states): `starts` numbers the boards' states at the begin of the stage, in its first
        subproblem, and `states` the same in this one. Every board has the tiles of earlier stages at home then.
        """
        begin = own = stage * self.initial_size
        function = first = self._function(stage, begin, progress)
        starts = states = _real_states(first, self.goal)
        while True:
            yield function, starts, states
            left = _without_value(function.values, states)
            if not len(left):
                return
            begin -= 1
            starts = left if isinstance(starts, range) else starts[left]
            cells = first.cells(starts)
            home = np.broadcast_to(np.array(self._order[begin:own], dtype=np.uint8), (len(cells), own - begin))
            function = self._function(stage, begin, progress)
            states = function._space.states(np.hstack([home, cells]))

    # ---------------------------------------------------------------- boards

    def solve(self, board: BoardLike) -> LocalSolution:
        """A solution of one board, in microseconds once its subproblems are learned.

        Parameters
        ----------
        board : board
            Anything that `Board` takes.

        Returns
        -------
        LocalSolution
            `optimal` only if it is as short as the Manhattan distance, which is its lower bound.

        Raises
        ------
        BoardError, UnsolvableError
        MemoryError
            A subproblem that it needs has too many states.
        """
        board = board_beside(self.goal, board)
        if not board.is_solvable(self.goal):
            raise UnsolvableError(unsolvable_text(board, self.goal))
        return self._solution(board)

    def _solution(self, board, seconds=None):
        start = time.monotonic()
        missing, directions, lengths = self._plan.solve(board.packed)
        while missing is not None:
            self._learn_missing([missing])
            missing, directions, lengths = self._plan.solve(board.packed)
        bound = _board.manhattan(board.packed, self.goal.packed, self.shape)
        parts = tuple(
            Part(self.order[begin : self._plan.end(stage)], self.order[:begin], length)
            for stage, (begin, length) in enumerate(lengths)
        )
        return LocalSolution(
            board=board,
            goal=self.goal,
            status="solved",
            moves=moves_from_directions(directions),
            optimal=len(directions) == bound,
            lower_bound=bound,
            expanded=0,
            generated=0,
            seconds=time.monotonic() - start if seconds is None else seconds,
            algorithm=ALGORITHM,
            parts=parts,
            largest=max(len(part.tiles) for part in parts),
        )

    def solve_many(
        self,
        boards: BoardsLike,
        workers: int = 1,
        *,
        on_error: str = "raise",
        progress: Optional[Callable[[int, int], Any]] = None,
    ) -> LocalSolutionBatch:
        """Solutions of many boards.

        Parameters
        ----------
        boards : array or iterable
            Anything that `Board` takes, in a list; or an integer array (N, cells) or (N, rows, cols), or a uint64
            array (N,) of packed boards.
        workers : int
            Threads. The solutions do not depend on it.
        on_error : {"raise", "mark"}
            Whether the first bad board raises before anything is solved, or each is marked.
        progress : callable, optional
            Called with (boards done, boards).

        Returns
        -------
        LocalSolutionBatch

        Raises
        ------
        BoardError, UnsolvableError
            With the index of the first bad board.
        MemoryError
            A subproblem that a board needs has too many states.

        Examples
        --------
        >>> batch = LocalValueIteration(shape=(3, 3)).solve_many(["8 6 7/2 5 4/3 0 1", "1 2 3/4 5 6/7 8 0"])
        >>> batch.lengths.tolist(), batch.largest.tolist()
        ([61, 0], [3, 1])
        """
        workers = thread_count(workers, "workers")
        start = time.monotonic()
        packed, errors = pack_solvable(boards, self.goal, on_error)
        status = np.zeros(len(packed), dtype=np.uint8)
        status[list(errors)] = _SKIPPED
        lengths = np.zeros(len(packed), dtype=np.uint16)
        largest = np.zeros(len(packed), dtype=np.uint8)
        parts = list(slices(len(packed), _SLICE))

        def work(some):
            return self._plan.solve_many(packed[some], status[some], lengths[some], largest[some])

        with Team(workers) as team:
            while True:
                futures = [team.submit(work, some) for some in parts]
                missing = set()
                for future, some in zip(futures, parts):
                    missing.add(result_of(future))
                    if progress is not None:
                        progress(some.stop, len(packed))
                missing.discard(None)
                if not missing:
                    break
                self._learn_missing(missing)
                status[status != _SKIPPED] = 0  # those that are solved take microseconds
        return LocalSolutionBatch(self, packed, lengths, largest, time.monotonic() - start, errors)

    # ---------------------------------------------------------------- files

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Write what has been learned, as a compressed numpy archive (.npz).

        The file appears under its name when it is complete.

        Raises
        ------
        OSError
        """
        arrays: dict[str, Any] = {
            "version": np.array(_FILE_VERSION),
            "goal": np.array(str(self.goal)),
            "initial_size": np.array(self.initial_size),
            "gamma": np.array(self.gamma),
        }
        for (stage, begin), function in self._functions.items():
            arrays[f"values-{stage}-{begin}"] = function.values
            arrays[f"policy-{stage}-{begin}"] = function.policy
        with write_atomically(Path(path)) as file:
            np.savez_compressed(file, **arrays)

    @classmethod
    def load(cls, path: Union[str, os.PathLike[str]]) -> LocalValueIteration:
        """Read what `save` wrote. Every value and every action is checked, whoever wrote the file.

        Raises
        ------
        FileNotFoundError
        TableCorruptError
            It is no such file, or damaged.

        Examples
        --------
        >>> import tempfile
        >>> learner = LocalValueIteration(shape=(3, 3))
        >>> learner.train()
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     learner.save(f"{folder}/3x3.npz")
        ...     LocalValueIteration.load(f"{folder}/3x3.npz")
        <LocalValueIteration for 1 2 3/4 5 6/7 8 0: initial size 1, 12 subproblems learned>
        """
        path = Path(path)
        try:
            with open_arrays(path) as file:
                version = int(file.read("version", "int32 int64", ()))
                if version != _FILE_VERSION:
                    raise ValueError(f"version {version}, this program reads {_FILE_VERSION}")
                size, gamma = file.read("initial_size", "int32 int64", ()), file.read("gamma", "float64", ())
                learner = cls(int(size), float(gamma), goal=str(file.read("goal", "str", ())))
                for name in file.names:
                    place = re.fullmatch("(values|policy)-([0-9]{1,2})-([0-9]{1,2})", name)
                    if place and place[1] == "values":
                        learner._load(int(place[2]), int(place[3]), file)
                    elif not place and name not in _SETTINGS:
                        raise ValueError(f"an array {name} does not belong there")
        except (ArraysError, ValueError) as error:
            raise TableCorruptError(
                f"{path}: no learned policies that can be used ({error}); train and save again"
            ) from None
        return learner

    def _load(self, stage, begin, file):
        name = f"subproblem {stage}-{begin}"
        if not (0 <= stage < self._plan.stage_count and 0 <= begin <= stage * self.initial_size):
            raise ValueError(f"{name} does not exist")
        space = Subproblem(self.shape, *self._cells(stage, begin))
        values = file.read(f"values-{stage}-{begin}", "float64", (space.state_count,))
        policy = file.read(f"policy-{stage}-{begin}", "uint8", (space.state_count,))
        wrong = space.check(self.gamma, values, policy)
        if wrong:
            raise ValueError(f"{name} is wrong in {wrong:,} of {space.state_count:,} states")
        self._functions[stage, begin] = ValueFunction(space, self.goal, self.gamma, values, policy)

    # ---------------------------------------------------------------- analysis

    def analyse(self, progress: Optional[Progress] = None) -> Analysis:
        """What becomes of all boards, counted from the value functions without solving any.

        At the begin of a stage all arrangements of the tiles without names are equally frequent, whatever happened
        before: a policy does not look at them, so it only renames them. What matters of a board is therefore where the
        blank is, and the largest subproblem and the number of moves so far. The boards with the same three are counted,
        from stage to stage.

        Parameters
        ----------
        progress : callable, optional
            Called with a share of the work (0 .. 1) and a word on what is done.

        Returns
        -------
        Analysis

        Examples
        --------
        >>> analysis = LocalValueIteration(shape=(3, 3)).analyse()
        >>> analysis.board_count, analysis.stages[2].sizes
        (181440, {1: Fraction(1, 6), 2: Fraction(5, 6)})
        >>> analysis.classes
        {1: Fraction(1, 24), 2: Fraction(7, 24), 3: Fraction(2, 3)}
        >>> print(f"{analysis.mean():.2f} {analysis.maximum()} {analysis.bounds}")
        40.49 74 {1: 43, 2: 72, 3: 91}
        """
        cells = len(self.goal.tiles)
        per_blank = math.factorial(cells - 1) // 2
        total = per_blank * cells
        # (blank, class) -> boards by number of moves
        counts = {(blank, 0): np.array([per_blank], dtype=np.int64) for blank in range(cells)}
        stages = []
        tell = _forwards(progress)
        for stage in range(self._plan.stage_count):
            functions, table = self._transitions(stage, tell)
            after: dict[tuple[int, int], NDArray[np.int64]] = {}
            sizes: dict[int, int] = {}
            for (blank, largest), boards in counts.items():
                share = boards // table[blank].sum()
                for end, size in zip(*np.nonzero(table[blank].any(axis=2))):
                    moves = np.trim_zeros(table[blank][end, size], "b")
                    key = (int(end), max(largest, int(size)))
                    sizes[int(size)] = sizes.get(int(size), 0) + int(share.sum()) * int(moves.sum())
                    _accumulate(after, key, np.convolve(share, moves))
            counts = after
            own = self.order[stage * self.initial_size : self._plan.end(stage)]
            stages.append(Stage(own, functions, {size: Fraction(sizes[size], total) for size in sorted(sizes)}))
        histograms: dict[int, NDArray[np.int64]] = {}
        for (_, largest), boards in counts.items():
            _accumulate(histograms, largest, boards)
        return Analysis(total, tuple(stages), {largest: histograms[largest] for largest in sorted(histograms)})

    def _transitions(self, stage, progress):
        """(the stage's functions, how many of its starts lead from a blank's cell to another by a size and a length)"""
        cells = len(self.goal.tiles)
        table = np.zeros((cells, cells, cells, 256), dtype=np.int64)
        functions = []
        for function, starts, states in self._growth(stage, progress):
            first = functions[0] if functions else function
            functions.append(function)
            ends = function._space.ends(function.policy)
            size = len(function.tiles)
            lengths = function.lengths
            for some in slices(len(states), _CHUNK):
                there = np.asarray(states[some])
                blanks = first.cells(np.asarray(starts[some]))[:, -1]
                solved = function.policy[there] != NONE
                there = there[solved]
                key = (blanks[solved].astype(np.int64) * cells + ends[there]) * 256 + lengths[there]
                table[:, :, size] += np.bincount(key, minlength=cells * cells * 256).reshape(cells, cells, 256)
        return tuple(functions), table


class Stage(NamedTuple):
    """A stage of the chain of subproblems."""

    tiles: tuple[int, ...]
    """Those that it brings home."""

    functions: tuple[ValueFunction, ...]
    """Its subproblems, each for the boards that the one before could not solve."""

    sizes: dict[int, Fraction]
    """The share of all boards for which it has to consider so many tiles."""


@dataclass(frozen=True)
class Analysis:
    """What becomes of all boards; made by `LocalValueIteration.analyse`.

    Attributes
    ----------
    board_count : int
        All that can be solved.
    stages : tuple of Stage
    histograms : dict of int to ndarray of int64
        For each class k, how many boards take 0, 1, 2, .. moves. The class of a board is the most tiles that a stage
        had to consider for it.
    """

    board_count: int
    stages: tuple[Stage, ...]
    histograms: dict[int, NDArray[np.int64]]

    @property
    def classes(self) -> dict[int, Fraction]:
        """dict of int to Fraction: the share of each class."""
        return {k: Fraction(int(counts.sum()), self.board_count) for k, counts in self.histograms.items()}

    @property
    def bounds(self) -> dict[int, int]:
        """dict of int to int: no board of a class takes more moves than the longest ways of its stages' subproblems.

        Subproblems that solve no board which comes to them do not count.
        """
        return {
            k: sum(
                max(f.max_length for f in stage.functions if len(f.tiles) <= k and stage.sizes.get(len(f.tiles)))
                for stage in self.stages
            )
            for k in self.histograms
        }

    def mean(self, largest: Optional[int] = None) -> float:
        """The average number of moves, of a class or of all boards."""
        counts = self._counts(largest)
        moves = sum(length * count for length, count in enumerate(counts.tolist()))
        return float(Fraction(moves, int(counts.sum())))

    def maximum(self, largest: Optional[int] = None) -> int:
        """The most moves that any board takes, of a class or of all."""
        return int(np.flatnonzero(self._counts(largest))[-1])

    @property
    def counts(self) -> NDArray[np.int64]:
        """ndarray of int64: how many boards take 0, 1, 2, .. moves."""
        together: dict[None, NDArray[np.int64]] = {}
        for counts in self.histograms.values():
            _accumulate(together, None, counts)
        return together[None]

    def _counts(self, largest):
        return self.counts if largest is None else self.histograms[largest]


@lru_cache(maxsize=4)
def _arrived(initial_size, gamma, goal):
    """The learner of a pickle: the same one for the same settings."""
    return LocalValueIteration(initial_size, gamma, goal.shape, goal=goal)


def _no_moves(path, length):
    """Of a batch's board: they are made when they are asked for, by `LocalSolutionBatch.__getitem__`."""
    return ""


def _forwards(progress):
    """The same, but shares never fall: a stage turns out to have further subproblems."""
    most = 0.0

    def tell(share, what):
        nonlocal most
        most = max(most, share)
        progress(most, what)

    return None if progress is None else tell


def _accumulate(sums, key, counts):
    """Add counts to those of a key; the shorter array has zeros behind it."""
    old = sums.get(key, counts[:0])
    sums[key] = np.pad(old, (0, max(len(counts) - len(old), 0))) + np.pad(counts, (0, max(len(old) - len(counts), 0)))


def _order(goal):
    """The goal cells but the blank's, line by line towards it."""
    rows, cols = goal.shape
    last = rows * cols - 1
    if goal.blank not in (0, cols - 1, last - cols + 1, last):
        raise BoardError(f"goal {goal}: local value iteration needs the goal's blank in a corner")
    downwards, rightwards = goal.blank > last - cols, goal.blank % cols == cols - 1
    lines = [
        [row * cols + col for col in (range(cols) if rightwards else reversed(range(cols)))]
        for row in (range(rows) if downwards else reversed(range(rows)))
    ]
    if cols > rows:
        lines = list(zip(*lines))
    return tuple(cell for line in lines for cell in line)[:-1]


def _without_value(values: NDArray[np.float64], states: Any) -> NDArray[np.int64]:
    """The indices in `states`, a range of all or an array, of those that cannot be solved."""
    parts = [
        some.start + np.flatnonzero(values[some if isinstance(states, range) else states[some]] == 0)
        for some in slices(len(states), _CHUNK)
    ]
    return np.concatenate(parts)


def _real_states(function: ValueFunction, goal: Board) -> Any:
    """The states of boards that can be solved: a range of all, unless so few tiles have no names that parity tells."""
    space, tiles = function._space, len(goal.tiles)
    if space.free_count - space.tile_count > 2:
        return range(space.state_count)
    states = np.arange(space.state_count)
    cells = space.cells(states)
    boards = np.full((len(states), tiles), tiles, dtype=np.uint8)
    for cell, tile in zip(space.fixed, function.fixed):
        boards[:, cell] = tile
    for column, tile in enumerate((*function.tiles, 0)):
        boards[states, cells[:, column]] = tile
    unnamed = set(range(tiles)).difference((*function.fixed, *function.tiles, 0))
    boards[boards == tiles] = unnamed.pop() if unnamed else 0
    packed, _ = pack_boards(boards, goal.shape)
    solvable = np.zeros(len(packed), dtype=np.uint8)
    _board.solvable_many(packed, goal.packed, goal.shape, solvable)
    return np.flatnonzero(solvable)
