"""What checks found: counter-examples, and how many boards were tried."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from .._system.quantities import count_text
from ..board import Board

#: What a heuristic can claim to be.
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
    """A move that changes h by more than one, from the board with the larger h; its letter is the tile's direction."""

    board: Board
    move: str
    neighbour: Board
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
        return f"h is {self.h} on {self.board}, and {self.again} when it is evaluated again"


@dataclass(frozen=True)
class Trial:
    """What was found on the boards of one goal.

    Attributes
    ----------
    goal : Board
    boards, total : int
        How many boards were compared with their distances, and how many can reach the goal.
    moves : int
        How many moves were looked at; a move and its undo count once.
    goal_h : int
        The heuristic's value of the goal.
    mean_h, mean_distance, exact : float
        Over the boards that were tried; `exact` is the share of boards whose value is their distance.
    overestimates, jumps, changes : tuple
        The counter-examples, at most 10 of each kind, those nearest to the goal; `overestimate_count`, `jump_count` and
        `change_count` are the numbers of all.
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
    def admissible(self) -> bool:
        """bool: whether no value was found that is larger than the distance."""
        return self.overestimate_count == 0

    @property
    def consistent(self) -> bool:
        """bool: whether no move was found that changes h by more than one, and h of the goal is 0."""
        return self.jump_count == 0 and self.goal_h == 0

    @property
    def stable(self) -> bool:
        """bool: whether no board was found whose value changes when it is evaluated again."""
        return self.change_count == 0

    @property
    def shape(self) -> tuple[int, int]:
        """(int, int): of the boards."""
        return self.goal.shape

    @property
    def complete(self) -> bool:
        """bool: whether all boards were tried that can reach the goal."""
        return self.boards == self.total

    def boards_text(self) -> str:
        """Return how many boards were tried: ``all 181,440``, or ``10,034 tried``."""
        return f"all {self.boards:,}" if self.complete else f"{self.boards:,} tried"

    def to_dict(self) -> dict[str, Any]:
        """Return the trial as a dictionary of texts, numbers and lists, for JSON."""
        rows, cols = self.shape
        names = "boards total complete moves admissible consistent stable goal_h mean_h mean_distance exact"
        names += " overestimate_count overestimates jump_count jumps change_count changes seconds"
        record: dict[str, Any] = {"shape": f"{rows}x{cols}", "goal": str(self.goal)}
        record.update((name, _plain(name, getattr(self, name))) for name in names.split())
        return record

    def __repr__(self) -> str:
        rows, cols = self.shape
        return f"<{rows}x{cols}: {'all ' * self.complete}{self.boards:,} boards: {_words(self)}>"

    def _cells(self) -> tuple[str, ...]:
        rows, cols = self.shape
        answers = ("yes" if getattr(self, claim) else "no" for claim in CLAIMS)
        means = (f"{self.mean_h:.2f}", f"{self.mean_distance:.2f}", f"{100 * self.exact:.0f} %")
        return (f"{rows}x{cols}", self.boards_text(), f"{self.moves:,}", *answers, *means)

    def _examples(self) -> Iterator[str]:
        """Yield a line for each kind of counter-example."""
        if self.overestimates:
            yield f"not admissible on {count_text(self.overestimate_count, 'board')}: {self.overestimates[0]}"
        if self.goal_h:
            yield f"not consistent: h of the goal is {self.goal_h}"
        if self.jumps:
            yield f"not consistent on {count_text(self.jump_count, 'move')}: {self.jumps[0]}"
        if self.changes:
            yield f"not the same twice on {count_text(self.change_count, 'board')}: {self.changes[0]}"


_HEADER = ("shape", "boards", "moves", "admissible", "consistent", "mean h", "mean distance", "exact")


@dataclass(frozen=True)
class HeuristicReport:
    """What `check_heuristic` found. It is true if no claim was refuted.

    ``print(report)`` shows a table, and the nearest counter-example of each kind and shape.

    Attributes
    ----------
    name, claims_admissible, claims_consistent
        Of the heuristic; it may have been claimed for it.
    trials : tuple of Trial
        One for each goal, the smallest shape first.

    Examples
    --------
    >>> from puzzle15.heuristics import check_heuristic
    >>> report = check_heuristic("misplaced", shape=(2, 2))
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
        """bool: whether it is so in all trials; likewise `consistent` and `stable`."""
        return all(trial.admissible for trial in self.trials)

    @property
    def consistent(self) -> bool:
        return all(trial.consistent for trial in self.trials)

    @property
    def stable(self) -> bool:
        return all(trial.stable for trial in self.trials)

    def __bool__(self) -> bool:
        return self.stable and all(getattr(self, claim) or not getattr(self, f"claims_{claim}") for claim in CLAIMS)

    def to_dict(self) -> dict[str, Any]:
        """Return the report as a dictionary of texts, numbers and lists, for JSON."""
        return {
            "heuristic": self.name,
            "holds": bool(self),
            "claims": {claim: getattr(self, f"claims_{claim}") for claim in CLAIMS},
            **{name: getattr(self, name) for name in (*CLAIMS, "stable")},
            "trials": [trial.to_dict() for trial in self.trials],
        }

    def __repr__(self) -> str:
        return f"<HeuristicReport of {self.name}: {_words(self)}>"

    def __str__(self) -> str:
        claims = " and ".join(claim for claim in CLAIMS if getattr(self, f"claims_{claim}"))
        against = [word for word in _words(self).split(", ") if word.startswith("not ")]
        found = f"It is {' and '.join(against)}." if against else "No counter-example was found."
        lines = [f"{self.name} claims {f'to be {claims}' if claims else 'nothing'}. {found}"]
        rows = [_HEADER, *(trial._cells() for trial in self.trials)]
        widths = [max(map(len, column)) for column in zip(*rows)]
        for first, *others in rows:
            lines.append("  ".join([first.ljust(widths[0]), *map(str.rjust, others, widths[1:])]))
        for trial in self.trials:
            lines += [f"{trial.shape[0]}x{trial.shape[1]}: {line}" for line in trial._examples()]
        return "\n".join(lines)


def _words(found: Any) -> str:
    words = [claim if getattr(found, claim) else f"not {claim}" for claim in CLAIMS]
    return ", ".join(words if found.stable else [*words, "not the same twice"])


def _plain(name: str, value: Any) -> Any:
    """Return a value of a trial, or of a counter-example, for JSON."""
    if isinstance(value, tuple):
        return [{key: _plain(key, each) for key, each in example._asdict().items()} for example in value]
    if isinstance(value, Board):
        return str(value)
    return round(value, _DIGITS[name]) if name in _DIGITS else value
