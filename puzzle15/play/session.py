"""The actions of a player: play, ask for hints, look back at a game, and begin the next one."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar, Optional

from ..board import Board, parse_moves
from ..published import farthest
from ..solver import Analysis, Hint, Solution
from ..system.unsendable import Unsendable
from .game import Game, Replay
from .thinking import Question, Thinker

__all__ = ["Session"]

_LETTERS = {"up": "U", "down": "D", "left": "L", "right": "R"}
_STEPS = {"left": -1, "right": 1, "first": -1000, "last": 1000}  # of a replay
_PACES = {"faster": 1, "slower": -1}
_MOST_DIGITS = 3  # of a distance
_LOOK_S = 0.2  # the screen shows for how many seconds the solver has been thinking


class Session(Unsendable, instead="a thread of this process thinks for it; send its games"):
    """Games, one after the other. A session needs no terminal: `screen` and `lines` show it, and pass actions on.

    Parameters
    ----------
    goal : Board
    thinker : Thinker
    board : Board, optional
        Where the first game starts; by default a random board.
    distance : int, optional
        The distance of random boards; by default all boards are equally likely.
    seed : int
        Of the random boards.
    convention : {"tile", "blank"}
        Whether a direction is that of the tile or that of the blank.
    clock : callable
        A clock in seconds, such as `time.monotonic`.

    Attributes
    ----------
    games : list of Game
        All games, the present one last. The list is empty until the first random board is found.
    replay : Replay or None
    message : str
        A sentence for the player.
    typed, unconfirmed : str
        What was typed in the mode "distance"; the question of the mode "confirm".
    shows_distance : bool
        Whether the distance is shown after each move.
    has_given_up, has_ended : bool
        Whether the player has given up this game; whether the player has quit.
    """

    def __init__(
        self,
        goal: Board,
        thinker: Thinker,
        *,
        board: Optional[Board] = None,
        distance: Optional[int] = None,
        seed: int = 0,
        convention: str = "tile",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.goal, self.thinker, self.distance, self.convention = goal, thinker, distance, convention
        self.games: list[Game] = []
        self.replay: Optional[Replay] = None
        self.message = self.typed = self.unconfirmed = ""
        self.shows_distance = self.has_given_up = self.has_ended = False
        self._distances = {goal: 0}
        self._modes: list[str] = []
        self._confirmed: Callable[[], None] = self._quit  # what a yes does
        self._is_waiting_to_watch = False
        self._hinted: Optional[Board] = None  # the board for which the player wants a hint
        self._draw_question: Question = ()
        self._seed, self._drawn = seed, 0
        self._clock = clock
        if board is None:
            self.draw(distance)
        else:
            self._begin(board)

    @property
    def mode(self) -> str:
        """str: "drawing" a random board, "playing", "over" or "replay"; or what the player has opened on top of one of
        them: "paused", "help", "distance" (of the next board) or "confirm"."""
        return self._modes[-1]

    @property
    def game(self) -> Game:
        """Game: the present one."""
        return self.games[-1]

    @property
    def board(self) -> Board:
        """Board: the one to show."""
        return self.game.board if self.replay is None else self.replay.board

    @property
    def is_over(self) -> bool:
        """bool: whether the game has ended, at the goal or because the player gave up."""
        return self._modes[0] == "over"

    @property
    def wants_hint(self) -> bool:
        """bool: whether the player asked for a hint for the game's board."""
        return self._hinted == self.game.board

    @property
    def hint(self) -> Optional[Hint]:
        """Hint or None: for the game's board, if the player asked for it and it is known."""
        return self.thinker.answers.get(("hint", self.game.board)) if self.wants_hint else None

    @property
    def analysis(self) -> Optional[Analysis]:
        """Analysis or None: of the game."""
        return self.thinker.answers.get(("analysis", self.game.start, self.game.moves))

    def distance_of(self, board: Board) -> Optional[int]:
        """The moves of a shortest solution, if they are known."""
        return self._distances.get(board)

    def solution_of(self, board: Board) -> Optional[Solution]:
        """A shortest solution, or the lower bound that was proved; None until that question was answered."""
        return self.thinker.answers.get(("solution", board))

    @property
    def wait_s(self) -> Optional[float]:
        """float or None: seconds until there is something new to show without an action."""
        waits = [] if self.thinker.question is None else [_LOOK_S]
        if self.games and self.game.is_running:
            waits.append(1 - self.game.seconds % 1)
        if self.replay is not None and self.replay.wait_s is not None:
            waits.append(self.replay.wait_s)
        return min(waits, default=None)

    def do(self, action: str) -> None:
        """Do what a key means. An action without a meaning in this mode closes what was opened, or does nothing."""
        self.message = ""
        actions = self._ACTIONS.get(self.mode, {})
        if action in actions:
            actions[action](self)
        elif action == "quit":
            self._confirm("Quit this game?", self._quit)
        elif action == "help" and self.mode != "help":
            self._modes.append("help")
        elif self.mode in ("help", "paused", "confirm"):
            self._modes.pop()
        elif self.mode == "playing" and action in _LETTERS:
            letter = parse_moves(_LETTERS[action], convention=self.convention)
            if letter in self.game.board.legal_moves():
                self.play(letter)
        elif self.mode == "replay" and self.replay is not None:
            if action == "pause":
                self.replay.toggle()
            elif action in _STEPS:
                self.replay.step(_STEPS[action])
            elif action in _PACES:
                self.replay.change_pace(_PACES[action])
        self._set_clock()

    def slide(self, cell: int) -> None:
        """Slide the tiles between a cell and the blank if both lie on a line; each tile is a move."""
        if self.mode == "playing":
            self.play(self.game.slide(cell))

    def play(self, moves: str) -> None:
        """Make moves, one letter per tile; BoardError, and no move, if one of them is illegal."""
        self.message = ""
        self.game.play(moves)
        self._end_at_goal()
        self._set_clock()

    def type(self, digit: str) -> None:
        """Add a digit to the distance of the next board."""
        if self.mode == "distance" and len(self.typed) < _MOST_DIGITS:
            self.typed += digit

    def draw(self, distance: Optional[int]) -> None:
        """Begin a game at a random board, at this distance if one is given."""
        most = farthest(self.goal.shape, self.goal.blank)
        self.message = self.typed = ""
        if distance is not None and not 1 <= distance <= most:
            self.message = f"Distance {distance}: expected 1 .. {most}."
            return
        self._drawn += 1
        self.distance = distance
        self._draw_question = ("draw", self.goal, distance, f"{self._seed}/{self._drawn}")
        self.replay = None
        self._modes = ["drawing"]

    def _undo(self) -> None:
        self.message = "" if self.game.undo() else "There is no move to take back."

    def _redo(self) -> None:
        self.message = "" if self.game.redo() else "There is no move to make again."
        self._end_at_goal()

    def _want_hint(self) -> None:
        if not self.wants_hint:
            self._hinted = self.game.board
            self.game.hints += 1
        elif self.hint is not None and self.hint.status != "solved":  # search again
            self.thinker.answers.pop(("hint", self.game.board))

    def _toggle_distance(self) -> None:
        self.shows_distance = not self.shows_distance

    def _erase(self) -> None:
        self.typed = self.typed[:-1]

    def _watch(self) -> None:
        self._is_waiting_to_watch = True

    def _open(self, mode: str) -> None:
        self.typed = ""
        self._modes.append(mode)

    def _keep_board(self) -> None:
        if self._modes[0] == "drawing":  # no board was found
            self.draw(None)
        else:
            self._modes.pop()

    def _confirm(self, question: str, action: Callable[[], None]) -> None:
        """Ask the player first if an action would lose moves."""
        if self._modes[0] == "playing" and self.game.moves:
            self.unconfirmed, self._confirmed = question, action
            self._modes.append("confirm")
        else:
            action()

    def _quit(self) -> None:
        self.has_ended = True

    def _give_up(self) -> None:
        self.has_given_up = True
        self._end()

    #: By mode, the actions that have a meaning only there.
    _ACTIONS: ClassVar[dict[str, dict[str, Callable[[Any], None]]]] = {
        "playing": {
            "undo": _undo,
            "redo": _redo,
            "hint": _want_hint,
            "distance": _toggle_distance,
            "pause": lambda self: self._open("paused"),
            "restart": lambda self: self._confirm("Begin again?", self._begin_again),
            "give-up": lambda self: self._confirm("Give up, and see the solution?", self._give_up),
            "new": lambda self: self._open("distance"),
        },
        "confirm": {"yes": lambda self: self._confirmed(), "quit": lambda self: self._confirmed()},
        "distance": {
            "enter": lambda self: self.draw(int(self.typed) if self.typed else self.distance),
            "any": lambda self: self.draw(None),
            "erase": _erase,
            "back": _keep_board,
        },
        "over": {
            "restart": lambda self: self._begin_again(),
            "watch": _watch,
            "new": lambda self: self._open("distance"),
        },
        "replay": {
            "watch": lambda self: self._end(),
            "back": lambda self: self._end(),
            "new": lambda self: self._open("distance"),
        },
    }

    def _begin(self, board: Board) -> None:
        self.games.append(Game(board, self.goal, self._clock))
        self.has_given_up = False
        self._hinted = None
        self._modes = ["playing"]
        self._end_at_goal()

    def _begin_again(self) -> None:
        self._begin(self.game.start)

    def _end_at_goal(self) -> None:
        if self.game.is_over:
            self._end()

    def _end(self) -> None:
        self.replay = None
        self._is_waiting_to_watch = False
        self._modes = ["over"]

    def _set_clock(self) -> None:
        """From the first move on, the clock runs while the player sees the board."""
        if self.games and (self.game.is_running or self.game.seconds > 0):
            if self.mode == "playing":
                self.game.resume()
            else:
                self.game.pause()

    def go_on(self) -> None:
        """Take an answer, choose what to think about next, and let time pass."""
        self._take_answer()
        if self.mode == "drawing" and self._draw_question in self.thinker.answers:
            self._take_board(self.thinker.answers[self._draw_question])
        if self.mode == "over" and self._is_waiting_to_watch:
            self._begin_replay()
        if self.replay is not None:
            self.replay.go_on()
        self.thinker.ask(self.wanted or self._useful)

    @property
    def wanted(self) -> Optional[Question]:
        """Question or None: what the player waits for."""
        questions: list[Question] = []
        if self._modes[0] == "drawing":
            questions.append(self._draw_question)
        elif self.is_over:
            questions += [("solution", self.game.start), ("analysis", self.game.start, self.game.moves)]
        else:
            if self.wants_hint:
                questions.append(("hint", self.game.board))
            if self.shows_distance and self.distance_of(self.game.board) is None:
                questions.append(("solution", self.game.board))
        return self._unanswered(questions)

    @property
    def _useful(self) -> Optional[Question]:
        """The question about the shortest solution, for which the player does not wait."""
        if not self.games or self.distance_of(self.game.start) is not None:
            return None
        return self._unanswered([("solution", self.game.start)])

    def _unanswered(self, questions: Iterable[Question]) -> Optional[Question]:
        """The first question that has no answer; "a limit was reached" is an answer, too."""
        return next((question for question in questions if question not in self.thinker.answers), None)

    def _take_answer(self) -> None:
        """Look whether a question was answered, and keep the distances that follow from the answer."""
        question = self.thinker.look()
        answer = None if question is None else self.thinker.answers[question]
        moves = ""
        distances: Sequence[int] = ()  # of the boards along the moves
        if isinstance(answer, Hint) and answer.distance is not None:
            distances = (answer.distance,)
        elif isinstance(answer, Solution) and answer.moves is not None:
            moves, distances = answer.moves, range(len(answer.moves), -1, -1)
        elif isinstance(answer, Analysis):
            moves, distances = answer.moves, answer.distances
        if question is not None and distances:
            board = question[1]
            for distance, move in zip(distances, f"{moves} "):
                self._distances[board] = distance
                board = board.apply(move)

    def _take_board(self, board: Optional[Board]) -> None:
        if board is None:
            self._open("distance")
            self.message = f"No board at distance {self.distance} was found in time. Choose another distance."
            return
        if self.distance is not None:
            self._distances[board] = self.distance
        self._begin(board)

    def _begin_replay(self) -> None:
        solution = self.solution_of(self.game.start)
        if solution is None:
            return
        self._is_waiting_to_watch = False
        if solution.moves is None:
            self.message = "No shortest solution is known: a limit was reached."
            return
        self.replay = Replay(self.game.start, solution.moves, self._clock)
        self.replay.toggle()
        self._modes.append("replay")
