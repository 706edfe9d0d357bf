"""The solver's answers to the questions of a game, found in a thread while the player plays on."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Any, Optional

from ..._system.threads import Team, result_of
from ...board import Board
from ...solver import Solver, scramble

if TYPE_CHECKING:
    from concurrent.futures import Future

#: The kind of a question, then its subject: ``("solution", board)``, ``("hint", board)``,
#: ``("analysis", board, moves)`` or ``("draw", goal, distance, seed)``.
Question = tuple[Any, ...]


class Thinker:
    """Answers one question at a time in a thread, and keeps the answers.

    Another question, or None, stops the thread within some milliseconds. `make_solver` opens the solver when the first
    question needs it, because that may take a second. The limits of each question are those of `Solver.solve`.
    """

    def __init__(self, make_solver: Callable[[], Solver], **limits: Any) -> None:
        self.answers: dict[Question, Any] = {}
        self.question: Optional[Question] = None  # what the thread works on
        self._make_solver, self._limits = make_solver, limits
        self._team: Optional[Team] = None
        self._future: Optional[Future[Any]] = None
        self._since = 0.0

    @property
    def text(self) -> str:
        """str: the text that stands for an answer until it is known."""
        seconds = 0 if self.question is None else int(time.monotonic() - self._since)
        return "thinking ..." + (f" {seconds} s" if seconds else "")

    def ask(self, question: Optional[Question]) -> None:
        """Work on this question only; None stops the thread."""
        if question == self.question:
            return
        self.stop()
        if question is not None:
            self._team = Team(1)
            self.question, self._since = question, time.monotonic()
            self._future = self._team.submit(self._answer, *question)

    def look(self) -> Optional[Question]:
        """Return the question that was just answered, if there is one; an error of the answer is raised."""
        if self._future is None or not self._future.done():
            return None
        question, future = self.question, self._future
        assert question is not None
        self.stop()
        self.answers[question] = future.result()
        return question

    def wait(self) -> None:
        """Wait for the answer; signals are handled meanwhile."""
        if self._future is not None:
            result_of(self._future)

    def stop(self) -> None:
        """Stop the thread."""
        team, self._team, self._future, self.question = self._team, None, None, None
        if team is not None:
            team.stop()

    def __enter__(self) -> Thinker:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @cached_property
    def _solver(self) -> Solver:
        return self._make_solver()

    def _answer(self, what: str, *about: Any) -> Any:
        if what == "draw":
            return self._draw(*about)
        method = {"solution": "solve", "hint": "hint", "analysis": "analyse"}[what]
        return getattr(self._solver, method)(*about, **self._limits)

    def _draw(self, goal: Board, distance: Optional[int], seed: str) -> Optional[Board]:
        """Return a random board, at a distance if one is given; None if that takes too long."""
        number = Random(seed).getrandbits(63)
        if distance is None:
            return Board.random(number, goal=goal)
        return scramble(distance, self._solver, number, time_limit_s=self._limits.get("time_limit_s"))
