"""What is known about the boards of a session: distances, hints, solutions and analyses."""

from __future__ import annotations

from typing import Optional

from ..board import Board
from ..solver import Analysis, Hint, Solution
from .game import Game
from .thinking import Question, Thinker

__all__ = ["Knowledge"]


class Knowledge:
    """The answers of a thinker, and what follows from them.

    Parameters
    ----------
    thinker : Thinker
        It answers the methods of `puzzle15.play.thinking.Adviser`.
    goal : Board
    """

    def __init__(self, thinker: Thinker, goal: Board) -> None:
        self.thinker = thinker
        self._distances = {goal: 0}

    def distance(self, board: Board) -> Optional[int]:
        """Moves of a shortest solution, if it is known."""
        return self._distances.get(board)

    def hint(self, board: Board) -> Optional[Hint]:
        found: Optional[Hint] = self.thinker.answers.get(about_hint(board))
        return found

    def solution(self, board: Board) -> Optional[Solution]:
        found: Optional[Solution] = self.thinker.answers.get(about_solution(board))
        return found

    def analysis(self, game: Game) -> Optional[Analysis]:
        """The analysis of the moves that were made until now."""
        found: Optional[Analysis] = self.thinker.answers.get(about_analysis(game))
        return found

    def drawn(self, question: Question) -> Optional[Board]:
        """The random board that a question asked for, if there is one."""
        found: Optional[Board] = self.thinker.answers.get(question)
        return found

    def is_open(self, question: Question) -> bool:
        """Whether a question has no answer yet; "a limit was reached" is an answer, too."""
        return question not in self.thinker.answers

    def forget(self, question: Question) -> None:
        """Let a question be asked again."""
        self.thinker.answers.pop(question, None)

    def tell_distance(self, board: Board, distance: int) -> None:
        self._distances[board] = distance

    def take_in(self) -> None:
        """Look whether a question was answered, and draw the conclusions."""
        question = self.thinker.look()
        if question is None:
            return
        answer = self.thinker.answers[question]
        if isinstance(answer, Hint) and answer.board is not None and answer.distance is not None:
            self._distances[answer.board] = answer.distance
        elif isinstance(answer, Solution) and answer.board is not None and answer.moves is not None:
            board = answer.board
            for number, move in enumerate(answer.moves):
                self._distances[board] = len(answer.moves) - number
                board = board.move(move)
        elif isinstance(answer, Analysis) and answer.board is not None:
            board = answer.board
            for move, distance in zip(answer.moves + " ", answer.distances):
                self._distances[board] = distance
                board = board.apply(move)


def about_hint(board: Board) -> Question:
    return Question("hint", (board,))


def about_solution(board: Board) -> Question:
    return Question("solution", (board,))


def about_analysis(game: Game) -> Question:
    return Question("analysis", (game.start, game.moves))


def about_draw(goal: Board, distance: Optional[int], seed: str) -> Question:
    return Question("draw", (goal, distance, seed))
