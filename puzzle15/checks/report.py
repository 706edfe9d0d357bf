"""What checks found: counter-examples, and how many boards or placements were tried."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..board import Board

__all__ = [
    "CLAIMS",
    "KEPT",
    "Change",
    "HeuristicReport",
    "Jump",
    "Overestimate",
    "TableExcess",
    "TableJump",
    "TableReport",
    "Trial",
]

#: What a heuristic or a table can claim to be.
CLAIMS = "admissible", "consistent"
#: The most counter-examples of each kind that are kept.
KEPT = 10

_DIGITS = {"mean_h": 4, "mean_distance": 4, "exact": 6, "seconds": 3}  # of records


class Overestimate(NamedTuple):
    """A board whose distance is smaller than its h."""

    board: Board
    h: int
    distance: int

    def __str__(self) -> str:
        return f"h is {self.h} on {self.board}, whose distance is {self.distance}"


class Jump(NamedTuple):
    """A move that changes h by more than one."""

    board: Board
    """The board with the larger h."""

    move: str
    """The direction of the tile that moves."""

    neighbour: Board
    """The board after the move."""

    h: int
    neighbour_h: int

    def __str__(self) -> str:
        return f"h is {self.h} on {self.board}, and {self.neighbour_h} after {self.move}, on {self.neighbour}"


class Change(NamedTuple):
    """A board with two values: the heuristic returned another one when it was called again."""

    board: Board
    h: int
    again: int

    def __str__(self) -> str:
        return f"h is {self.h} on {self.board}, and {self.again} when it is asked again"


class TableExcess(NamedTuple):
    """A placement whose value is larger than the least number of counted moves."""

    cells: tuple[int, ...]
    """The cell of each tile, and last that of the blank."""

    value: int
    moves: int


class TableJump(NamedTuple):
    """A move that changes the value by more than what it counts."""

    cells: tuple[int, ...]
    after: tuple[int, ...]
    value: int
    value_after: int


@dataclass(frozen=True)
class Trial:
    """What was found on the boards of one goal.

    Attributes
    ----------
    goal : Board
    boards : int
        How many boards were compared with their distances.
    total : int
        How many boards can reach the goal.
    moves : int
        How many moves were looked at; a move and its undo count once.
    goal_h : int
        The heuristic's value of the goal.
    mean_h, mean_distance : float
        Over the boards that were tried.
    exact : float
        The share of these boards whose value is their distance.
    overestimates : tuple of Overestimate
        At most 10, those nearest to the goal; `overestimate_count` is the number of all.
    jumps : tuple of Jump
        Likewise, with `jump_count`.
    changes : tuple of Change
        Likewise, with `change_count`.
    seconds : float
    """

    goal: Board
    boards: int
    total: int
    moves: int
    goal_h: int
    mean_h: float
    mean_distance: float
    exact: float
    overestimates: tuple[Overestimate, ...]
    overestimate_count: int
    jumps: tuple[Jump, ...]
    jump_count: int
    changes: tuple[Change, ...]
    change_count: int
    seconds: float = field(compare=False)

    @property
    def shape(self) -> tuple[int, int]:
        """(int, int): of the boards."""
        return self.goal.shape

    @property
    def complete(self) -> bool:
        """bool: whether all boards were tried that can reach the goal."""
        return self.boards == self.total

    @property
    def admissible(self) -> bool:
        """bool: whether no board was found whose distance is smaller than its h."""
        return self.overestimate_count == 0

    @property
    def consistent(self) -> bool:
        """bool: whether no move was found that changes h by more than one, and h of the goal is 0."""
        return self.jump_count == 0 and self.goal_h == 0

    @property
    def stable(self) -> bool:
        """bool: whether no board was found whose h changes when the heuristic is called again."""
        return self.change_count == 0

    def boards_text(self) -> str:
        """How many boards were tried: ``all 181,440``, or ``10,034 tried``."""
        return f"all {self.boards:,}" if self.complete else f"{self.boards:,} tried"

    def to_dict(self) -> dict[str, Any]:
        """The trial as a dictionary of texts, numbers and lists, for JSON."""
        rows, cols = self.shape
        names = "boards total complete moves admissible consistent stable goal_h mean_h mean_distance exact"
        names += " overestimate_count overestimates jump_count jumps change_count changes seconds"
        record: dict[str, Any] = {"shape": f"{rows}x{cols}", "goal": str(self.goal)}
        record.update((name, _plain(name, getattr(self, name))) for name in names.split())
        return record

    def __repr__(self) -> str:
        rows, cols = self.shape
        return f"<{rows}x{cols}: {'all ' * self.complete}{self.boards:,} boards: {', '.join(_found(self))}>"


@dataclass(frozen=True)
class _Report:
    """What is claimed, and whether it holds."""

    name: str
    claims_admissible: bool
    claims_consistent: bool

    def __bool__(self) -> bool:
        return all(getattr(self, claim) or not getattr(self, f"claims_{claim}") for claim in CLAIMS)


@dataclass(frozen=True)
class HeuristicReport(_Report):
    """What `puzzle15.checks.check_heuristic` found. It is true if no claim was refuted.

    ``print(report)`` shows a table, and the nearest counter-example of each kind and shape.

    Attributes
    ----------
    name : str
        The heuristic's.
    claims_admissible, claims_consistent : bool
        What the heuristic claims, or what was claimed for it.
    trials : tuple of Trial
        One for each goal, the smallest shape first.

    Examples
    --------
    >>> from puzzle15 import checks
    >>> report = checks.check_heuristic("misplaced", shape=(2, 2))
    >>> report
    <HeuristicReport of misplaced: admissible, consistent>
    >>> print(report)
    misplaced claims to be admissible and consistent. No counter-example was found.
    shape  boards  moves  admissible  consistent  mean h  mean distance  exact
    2x2    all 12     12         yes         yes    2.25           3.00   58 %
    """

    trials: tuple[Trial, ...]

    @property
    def admissible(self) -> bool:
        """bool: whether no board was found whose distance is smaller than its h."""
        return all(trial.admissible for trial in self.trials)

    @property
    def consistent(self) -> bool:
        """bool: whether no move was found that changes h by more than one, and h of each goal is 0."""
        return all(trial.consistent for trial in self.trials)

    @property
    def stable(self) -> bool:
        """bool: whether no board was found whose h changes when the heuristic is called again."""
        return all(trial.stable for trial in self.trials)

    def __bool__(self) -> bool:
        return self.stable and super().__bool__()

    def to_dict(self) -> dict[str, Any]:
        """The report as a dictionary of texts, numbers and lists, for JSON."""
        return {
            "heuristic": self.name,
            "holds": bool(self),
            "claims": {claim: getattr(self, f"claims_{claim}") for claim in CLAIMS},
            **{name: getattr(self, name) for name in (*CLAIMS, "stable")},
            "trials": [trial.to_dict() for trial in self.trials],
        }

    def __repr__(self) -> str:
        return f"<HeuristicReport of {self.name}: {', '.join(_found(self))}>"

    def __str__(self) -> str:
        claims = " and ".join(claim for claim in CLAIMS if getattr(self, f"claims_{claim}"))
        against = [text for text in _found(self) if text.startswith("not ")]
        found = f"It is {' and '.join(against)}." if against else "No counter-example was found."
        lines = [f"{self.name} claims {f'to be {claims}' if claims else 'nothing'}. {found}"]
        rows = [_COLUMNS, *map(_row, self.trials)]
        widths = [max(map(len, column)) for column in zip(*rows)]
        for first, *others in rows:
            cells = (cell.rjust(width) for cell, width in zip(others, widths[1:]))
            lines.append("  ".join([first.ljust(widths[0]), *cells]))
        return "\n".join([*lines, *(line for trial in self.trials for line in _examples(trial))])


@dataclass(frozen=True)
class TableReport(_Report):
    """What `puzzle15.checks.check_table` found. It is true if no claim of the table was refuted.

    Attributes
    ----------
    name : str
        The table's.
    claims_admissible, claims_consistent : bool
        What the table claims.
    complete : bool
        Whether all placements were compared that a board can show.
    placements : int
        How many placements of tiles and blank were compared.
    exact : float
        The share of these whose value is the least number of counted moves. Without the blank in the table, a value
        that is the minimum over the cells of the blank is exact for some of them only.
    excesses : tuple of TableExcess
        At most 10, those with the fewest moves; `excess_count` is the number of all.
    jumps : tuple of TableJump
        At most 10; `jump_count` is the number of all.
    """

    complete: bool
    placements: int
    exact: float
    excesses: tuple[TableExcess, ...]
    excess_count: int
    jumps: tuple[TableJump, ...]
    jump_count: int

    stable = True

    @property
    def admissible(self) -> bool:
        """bool: whether no value is larger than the least number of counted moves."""
        return self.excess_count == 0

    @property
    def consistent(self) -> bool:
        """bool: whether no counted move changes the value by more than one, and no other move changes it."""
        return self.jump_count == 0

    def __repr__(self) -> str:
        every = "all " if self.complete else ""
        return f"<TableReport of {self.name}: {every}{self.placements:,} placements: {', '.join(_found(self))}>"


_COLUMNS = ("shape", "boards", "moves", "admissible", "consistent", "mean h", "mean distance", "exact")


def _row(trial: Trial) -> tuple[str, ...]:
    rows, cols = trial.shape
    answers = ("yes" if getattr(trial, claim) else "no" for claim in CLAIMS)
    means = (f"{trial.mean_h:.2f}", f"{trial.mean_distance:.2f}", f"{100 * trial.exact:.0f} %")
    return (f"{rows}x{cols}", trial.boards_text(), f"{trial.moves:,}", *answers, *means)


def _examples(trial: Trial) -> list[str]:
    """A line for each kind of counter-example."""
    rows, cols = trial.shape
    lines = []
    if trial.overestimates:
        lines.append(f"not admissible on {_number(trial.overestimate_count, 'board')}: {trial.overestimates[0]}")
    if trial.goal_h:
        lines.append(f"not consistent: h of the goal is {trial.goal_h}")
    if trial.jumps:
        lines.append(f"not consistent on {_number(trial.jump_count, 'move')}: {trial.jumps[0]}")
    if trial.changes:
        lines.append(f"not the same twice on {_number(trial.change_count, 'board')}: {trial.changes[0]}")
    return [f"{rows}x{cols}: {line}" for line in lines]


def _number(count: int, what: str) -> str:
    return f"{count:,} {what}{'s' * (count != 1)}"


def _found(what: Any) -> list[str]:
    """What a trial or a report found, in words."""
    words = [claim if getattr(what, claim) else f"not {claim}" for claim in CLAIMS]
    return words if what.stable else [*words, "not the same twice"]


def _plain(name: str, value: Any) -> Any:
    """A value of a trial, or of a counter-example, for JSON."""
    if isinstance(value, tuple):
        return [{key: _plain(key, each) for key, each in example._asdict().items()} for example in value]
    if isinstance(value, Board):
        return str(value)
    return round(value, _DIGITS[name]) if name in _DIGITS else value
