"""The environments: one board or many, with the interface of gymnasium."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from .._pictures.boxes import board_box
from .._pictures.pixels import board_pixels
from .._pictures.svg import Look, board_svg
from .._system.quantities import check_choice, whole
from ..errors import OptionError
from ._options import Options, read_scramble
from ._simulation import Simulation, View

ID = "puzzle15/Puzzle-v0"
RENDER_MODES = ["ansi", "rgb_array", "svg"]

gymnasium: Any = None
Env: Any
VectorEnv: Any


class _Missing:
    def __init__(self, *_: Any, **__: Any) -> None:
        raise ImportError('an environment needs gymnasium, 1.1 or newer: pip install "gymnasium>=1.1"')


try:
    gymnasium = import_module("gymnasium")
    Env, VectorEnv = gymnasium.Env, gymnasium.vector.VectorEnv
    gymnasium.vector.AutoresetMode  # noqa: B018 - older ones have none
except (ImportError, AttributeError):
    gymnasium, Env, VectorEnv = None, _Missing, _Missing


def register() -> None:
    """Register the environments for `gymnasium.make` and `make_vec`, with episodes of at most 200 steps."""
    if gymnasium is not None and ID not in gymnasium.registry:
        gymnasium.register(
            ID,
            entry_point="puzzle15.environments:PuzzleEnv",
            vector_entry_point="puzzle15.environments:PuzzleVectorEnv",
            max_episode_steps=200,
        )


class _Shared:
    """What both environments share; their constructors set `_simulation`."""

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 4}
    _simulation: Simulation

    def _take(self, render_mode: Optional[str], options: dict[str, Any]) -> None:
        """Check the arguments, and keep them."""
        if render_mode is not None:
            check_choice("render_mode", render_mode, RENDER_MODES, ", or None")
        self.render_mode, self.options = render_mode, Options(**options)
        self._names = ("estimate", "greedy_actions") if self.options.approximate else ("distance", "optimal_actions")
        self._begun = False

    def _space(self) -> Any:
        """Return the space of one board's observations."""
        spaces, cells = gymnasium.spaces, len(self.options.target)
        if self.options.observation == "one-hot":
            board = spaces.Box(0, 1, (cells, cells), np.uint8)
        else:
            board = spaces.Box(0, cells - 1, (cells,), np.uint8)
        if not self.options.mask_in_observation:
            return board
        return spaces.Dict({"board": board, "action_mask": spaces.Box(0, 1, (4,), np.int8)})

    def _observations(self, view: View) -> Any:
        """Return the observations of all boards, in the shape of the space."""
        boards = view.observations
        if self.options.observation == "one-hot":
            cells = len(self.options.target)
            boards = boards.reshape(-1, cells, cells)
        return {"board": boards, "action_mask": view.masks.copy()} if self.options.mask_in_observation else boards

    def _begin(self, given: dict[str, Any], indices: Optional[NDArray[Any]], boards: Any) -> View:
        """Begin episodes with the options of a reset."""
        distribution = read_scramble(given.get("scramble"), given.get("distance"))
        if distribution is not None:
            self._simulation.scramble(distribution)
        self._simulation.begin(indices, boards)
        self._begun = True
        return self._simulation.observe()

    def _frames(self) -> Optional[tuple[Any, ...]]:
        """Return each board as lines of text, pixels, or SVG; None without a render mode."""
        if self.render_mode is None:
            return None
        goal, boards = self.options.target, self._simulation.tiles().tolist()
        if self.render_mode == "ansi":
            return tuple("\n".join(board_box(tiles, goal.shape)) for tiles in boards)
        if self.render_mode == "svg":
            return tuple(str(board_svg(tiles, goal.shape, Look(goal=goal.tiles))) for tiles in boards)
        return tuple(board_pixels(tiles, goal.shape, goal=goal.tiles) for tiles in boards)


def _reset_options(given: Optional[dict[str, Any]], *others: str) -> dict[str, Any]:
    """Return the options of a reset; ValueError for one that is unknown."""
    expected = ("scramble", "distance", *others)
    if unknown := set(given or ()) - set(expected):
        raise OptionError(f"reset option {min(unknown)!r}: expected {', '.join(expected)}")
    return given or {}


def _row_of(observations: Any, index: int) -> Any:
    """Return a copy of one board's observation."""
    if isinstance(observations, dict):
        return {name: rows[index].copy() for name, rows in observations.items()}
    return observations[index].copy()


class PuzzleEnv(_Shared, Env):  # type: ignore[misc]  # gymnasium is not always there
    """One sliding-tile puzzle.

    ``gymnasium.make("puzzle15/Puzzle-v0", ..)`` makes it, too, with episodes of at most 200 steps.

    Parameters
    ----------
    render_mode : {"ansi", "rgb_array", "svg"}, optional
        A board as lines of text, as pixels, or as the text of a picture.
    **options
        Those of `Options`: goal, shape, scramble, reward and others.

    Notes
    -----
    An action is the blank's direction: 0 up, 1 left, 2 right, 3 down. An observation is the tiles, uint8 (cells,), or
    one row per cell, uint8 (cells, cells). `info` holds ``action_mask``, int8 (4,), for ``action_space.sample``; with
    ``oracle=True`` also ``distance`` and ``optimal_actions``, and with a heuristic as the oracle ``estimate`` and
    ``greedy_actions``. The move that makes the goal ends the episode.

    ``reset(options=..)`` takes ``scramble`` or ``distance``, which stay in force until others are given, and ``board``,
    which is for one episode.
    """

    def __init__(self, *, render_mode: Optional[str] = None, **options: Any) -> None:
        super().__init__()
        self._take(render_mode, options)
        self.action_space = gymnasium.spaces.Discrete(4)
        self.observation_space = self._space()
        self._simulation = Simulation(1, self.options)

    def reset(self, *, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None) -> tuple[Any, Any]:
        """Begin an episode: (observation, info)."""
        seed = None if seed is None else whole("seed", seed)
        super().reset(seed=seed)
        given = _reset_options(options, "board")
        if seed is not None or not self._begun:
            self._simulation.seed([self.np_random.integers(2**63) if seed is None else seed % 2**64])
        board = given.get("board")
        return self._seen(self._begin(given, None, None if board is None else [board]))

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Take an action: (observation, reward, terminated, truncated, info)."""
        if not self._begun or self._simulation.ended[0]:
            why = "the episode has ended" if self._begun else "no episode has begun"
            raise gymnasium.error.ResetNeeded(f"{why}: call reset() before step()")
        actions = self._simulation.check_actions(np.asarray(action).reshape(-1))
        (rewards, terminated, truncated), view = self._simulation.step(actions)
        observation, info = self._seen(view)
        return observation, float(rewards[0]), bool(terminated[0]), bool(truncated[0]), info

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions move a tile, bool (4,), under the name that MaskablePPO of sb3-contrib expects."""
        mask: NDArray[np.bool_] = self._simulation.observe().masks[0].astype(np.bool_)
        return mask

    def render(self) -> Any:
        """Return the board, as `render_mode` says."""
        frames = self._frames()
        return frames and frames[0]

    def _seen(self, view: View) -> tuple[Any, dict[str, Any]]:
        info: dict[str, Any] = {"action_mask": view.masks[0]}
        if view.distances is not None and view.optimal is not None:
            info.update(zip(self._names, (view.distances[0].item(), view.optimal[0])))
        return _row_of(self._observations(view), 0), info


class PuzzleVectorEnv(_Shared, VectorEnv):  # type: ignore[misc]  # gymnasium is not always there
    """Many sliding-tile puzzles that are stepped together, in C.

    ``gymnasium.make_vec("puzzle15/Puzzle-v0", num_envs=10_000, ..)`` makes it, too, with episodes of at most 200 steps.

    Parameters
    ----------
    num_envs : int
        How many boards. Each takes some 300 bytes, or 2 kB with ``observation="one-hot"``.
    autoreset_mode : gymnasium.vector.AutoresetMode or str
        When a board whose episode has ended gets a new one: with the next step (``"NextStep"``), which ignores its
        action; with the same step (``"SameStep"``), where `info` keeps ``final_obs`` and ``final_info``; or with
        ``reset(options={"reset_mask": mask})`` (``"Disabled"``).
    workers : int
        Threads that share each step. Each takes at least 12,500 boards. What is computed does not depend on them.
    render_mode, **options
        As for `PuzzleEnv`.

    Raises
    ------
    ValueError
        An option is out of its range.

    Notes
    -----
    Actions, observations, rewards and `info` are those of `PuzzleEnv`, in arrays with one row per board. Board i of
    ``reset(seed=s)`` has the episodes of a `PuzzleEnv` with the seed s + i.
    """

    def __init__(
        self,
        num_envs: int = 1,
        *,
        autoreset_mode: Any = "NextStep",
        workers: int = 1,
        render_mode: Optional[str] = None,
        **options: Any,
    ) -> None:
        super().__init__()
        self.num_envs = whole("num_envs", num_envs, 1)
        try:
            mode = gymnasium.vector.AutoresetMode(autoreset_mode)
        except ValueError:
            raise OptionError(f"autoreset_mode {autoreset_mode!r}: expected NextStep, SameStep or Disabled") from None
        self._mode = mode.value
        self.metadata = {**self.metadata, "autoreset_mode": mode}
        self._take(render_mode, options)
        self.single_action_space = gymnasium.spaces.Discrete(4)
        self.single_observation_space = self._space()
        batch = gymnasium.vector.utils.batch_space
        self.action_space = batch(self.single_action_space, self.num_envs)
        self.observation_space = batch(self.single_observation_space, self.num_envs)
        self._simulation = Simulation(self.num_envs, self.options, workers)

    def reset(self, *, seed: Any = None, options: Optional[dict[str, Any]] = None) -> tuple[Any, dict[str, Any]]:
        """Begin episodes: (observations, infos).

        Parameters
        ----------
        seed : int or list of (int or None), optional
            With a number, board i gets seed + i.
        options : dict, optional
            ``scramble`` or ``distance``, which stay in force until others are given; ``boards``, one for each episode
            that begins; ``reset_mask``, bool (num_envs,): the boards whose episodes begin, by default all.
        """
        several = np.ndim(seed) > 0
        seeds: list[Any] = [None if each is None else whole("seed", each) for each in (seed if several else [seed])]
        super().reset(seed=None if several else seeds[0])
        given = _reset_options(options, "boards", "reset_mask")
        where = self._chosen(given.get("reset_mask"))
        if several and len(seeds) != self.num_envs:
            raise OptionError(f"seed: {len(seeds)} numbers; expected one, or {self.num_envs}, one per board")
        if not self._begun and None in seeds:
            self._simulation.seed(self.np_random.integers(2**63, size=self.num_envs, dtype=np.uint64))
        if several or seed is not None:
            numbers = seeds if several else range(seeds[0], seeds[0] + self.num_envs)
            chosen = [at for at in np.flatnonzero(where).tolist() if numbers[at] is not None]
            taken = np.array([numbers[at] % 2**64 for at in chosen], dtype=np.uint64)
            self._simulation.seed(taken, np.array(chosen))
        view = self._begin(given, np.flatnonzero(where), given.get("boards"))
        return self._observations(view), self._infos(view, where)

    def step(self, actions: Any) -> tuple[Any, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Take an action for each board: (observations, rewards, terminations, truncations, infos)."""
        simulation = self._simulation
        if not self._begun:
            raise gymnasium.error.ResetNeeded("no episode has begun: call reset() before step()")
        if self._mode == "Disabled" and simulation.ended.any():
            index = int(np.flatnonzero(simulation.ended)[0])
            raise gymnasium.error.ResetNeeded(
                f"board {index} has ended its episode: call reset() with options={{'reset_mask': mask}}"
            )
        results, view = simulation.step(simulation.check_actions(actions))
        infos: dict[str, Any] = {}
        if self._mode == "SameStep" and simulation.ended.any():
            ended = simulation.ended.copy()
            infos = self._final(view, ended)
            simulation.begin(np.flatnonzero(ended))
            view = simulation.observe()
        infos.update(self._infos(view, np.ones(self.num_envs, dtype=np.bool_)))
        return (self._observations(view), *results, infos)

    def render(self) -> Optional[tuple[Any, ...]]:
        """Return all boards, as `render_mode` says."""
        return self._frames()

    def close_extras(self, **_: Any) -> None:
        """End the threads."""
        self._simulation.close()

    def _chosen(self, mask: Any) -> NDArray[np.bool_]:
        """Return the boards whose episodes a reset begins."""
        if mask is None:
            return np.ones(self.num_envs, dtype=np.bool_)
        chosen = np.asarray(mask)
        if chosen.shape != (self.num_envs,) or chosen.dtype != np.bool_:
            raise OptionError(f"reset_mask: {chosen.dtype} {chosen.shape}; expected bool ({self.num_envs},)")
        if not self._begun and not chosen.all():
            raise gymnasium.error.ResetNeeded("reset_mask: no episode has begun; call reset() without it before")
        return chosen

    def _infos(self, view: View, of: NDArray[np.bool_]) -> dict[str, Any]:
        """Return the arrays, and for each whether a board has its row filled."""
        infos: dict[str, Any] = {"action_mask": view.masks}
        if view.distances is not None:
            values = view.distances.astype(np.float64 if self.options.approximate else np.int64)
            infos.update(zip(self._names, (values, view.optimal)))
        return {**infos, **{f"_{name}": of.copy() for name in infos}}

    def _final(self, view: View, ended: NDArray[np.bool_]) -> dict[str, Any]:
        """Return what is kept of episodes that are begun anew in the same step."""
        rows, final = self._observations(view), np.full(self.num_envs, None, dtype=object)
        for index in np.flatnonzero(ended).tolist():
            final[index] = _row_of(rows, index)
        infos = {"final_obs": final, "final_info": self._infos(view, ended)}
        return {**infos, **{f"_{name}": ended.copy() for name in infos}}
