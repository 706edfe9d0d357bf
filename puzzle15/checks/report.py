"""What a check of a heuristic found: counter-examples, and how many boards were tried."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..board import Board

__all__ = ["Change", "HeuristicReport", "Jump", "Overestimate", "Trial"]


class Overestimate(NamedTuple):
    """A board that is nearer to the goal than the heuristic says."""

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
    """A board of which the heuristic says different values, when it is asked twice."""

    board: Board
    h: int
    again: int

    def __str__(self) -> str:
        return f"h is {self.h} on {self.board}, and {self.again} when it is asked again"


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
        The nearest to the goal, at most `KEPT`; `overestimate_count` tells how many there are.
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
        """bool: whether no board was found whose value changes when it is asked for again."""
        return self.change_count == 0

    def boards_text(self) -> str:
        """How many boards were tried: ``all 181,440``, or ``10,034 tried``."""
        return f"all {self.boards:,}" if self.complete else f"{self.boards:,} tried"

    def to_dict(self) -> dict[str, Any]:
        """The trial as a dictionary of texts, numbers and lists, for JSON."""
        rows, cols = self.shape
        return {
            "shape": f"{rows}x{cols}",
            "goal": str(self.goal),
            "boards": self.boards,
            "total": self.total,
            "complete": self.complete,
            "moves": self.moves,
            "admissible": self.admissible,
            "consistent": self.consistent,
            "stable": self.stable,
            "goal_h": self.goal_h,
            "mean_h": round(self.mean_h, 4),
            "mean_distance": round(self.mean_distance, 4),
            "exact": round(self.exact, 6),
            "overestimate_count": self.overestimate_count,
            "overestimates": [_record(each) for each in self.overestimates],
            "jump_count": self.jump_count,
            "jumps": [_record(each) for each in self.jumps],
            "change_count": self.change_count,
            "changes": [_record(each) for each in self.changes],
            "seconds": round(self.seconds, 3),
        }

    def __repr__(self) -> str:
        rows, cols = self.shape
        boards = self.boards_text().replace("tried", "boards") if not self.complete else f"{self.boards_text()} boards"
        return f"<{rows}x{cols}: {boards}: {', '.join(_found(self))}>"


@dataclass(frozen=True)
class HeuristicReport:
    """What `puzzle15.checks.heuristic` found. It is true if no claim was refuted.

    ``print(report)`` shows a table, and the nearest counter-example of each kind and shape.

    Attributes
    ----------
    name : str
        The heuristic's.
    claims_admissible, claims_consistent : bool
        What the heuristic says of itself, or what was claimed for it.
    trials : tuple of Trial
        One for each goal, the smallest shape first.

    Examples
    --------
    >>> from puzzle15 import checks
    >>> report = checks.heuristic("misplaced", shape=(2, 2))
    >>> report
    <HeuristicReport of misplaced: admissible, consistent>
    >>> print(report)
    misplaced claims to be admissible and consistent. No counter-example was found.
    shape  boards  moves  admissible  consistent  mean h  mean distance  exact
    2x2    all 12     12         yes         yes    2.25           3.00   58 %
    """

    name: str
    claims_admissible: bool
    claims_consistent: bool
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
        """bool: whether no board was found whose value changes when it is asked for again."""
        return all(trial.stable for trial in self.trials)

    def __bool__(self) -> bool:
        return (
            self.stable
            and (self.admissible or not self.claims_admissible)
            and (self.consistent or not self.claims_consistent)
        )

    def to_dict(self) -> dict[str, Any]:
        """The report as a dictionary of texts, numbers and lists, for JSON."""
        return {
            "heuristic": self.name,
            "holds": bool(self),
            "claims": {"admissible": self.claims_admissible, "consistent": self.claims_consistent},
            "admissible": self.admissible,
            "consistent": self.consistent,
            "stable": self.stable,
            "trials": [trial.to_dict() for trial in self.trials],
        }

    def __repr__(self) -> str:
        return f"<HeuristicReport of {self.name}: {', '.join(_found(self))}>"

    def __str__(self) -> str:
        rows = [tuple(_COLUMNS), *(_row(trial) for trial in self.trials)]
        widths = [max(map(len, column)) for column in zip(*rows)]
        lines = [self._verdict()]
        for row in rows:
            parts = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:]))]
            lines.append("  ".join(parts))
        for trial in self.trials:
            lines += _examples(trial)
        return "\n".join(lines)

    def _verdict(self) -> str:
        claims = " and ".join(name for name in ("admissible", "consistent") if getattr(self, f"claims_{name}"))
        against = [text for text in _found(self) if text.startswith("not ")]
        found = f"It is {' and '.join(against)}." if against else "No counter-example was found."
        return f"{self.name} claims {f'to be {claims}' if claims else 'nothing'}. {found}"


_COLUMNS = ("shape", "boards", "moves", "admissible", "consistent", "mean h", "mean distance", "exact")


def _row(trial: Trial) -> tuple[str, ...]:
    rows, cols = trial.shape
    return (
        f"{rows}x{cols}",
        trial.boards_text(),
        f"{trial.moves:,}",
        "yes" if trial.admissible else "no",
        "yes" if trial.consistent else "no",
        f"{trial.mean_h:.2f}",
        f"{trial.mean_distance:.2f}",
        f"{100 * trial.exact:.0f} %",
    )


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
    words = [name if getattr(what, name) else f"not {name}" for name in ("admissible", "consistent")]
    return words if what.stable else [*words, "not the same twice"]


def _record(example: Any) -> dict[str, Any]:
    """A counter-example with its boards as texts."""
    return {name: str(value) if isinstance(value, Board) else value for name, value in example._asdict().items()}
