"""What a player does, one action after the other: play, ask for hints, look back at a game, and begin the next one.

A session knows no terminal: `screen` and `lines` show it, each in its way, and pass actions on.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Optional

from ..board import Board, parse_moves
from ..published import farthest
from ..solver import Analysis, Hint, Solution
from ..system.unsendable import Unsendable
from .game import Game
from .knowledge import Knowledge, about_analysis, about_draw, about_hint, about_solution
from .replay import Replay
from .thinking import Question, Thinker

__all__ = ["Session"]

_LETTERS = {"up": "U", "down": "D", "left": "L", "right": "R"}
_CONFIRMED = {"quit": "Quit this game?", "restart": "Begin again?", "give-up": "Give up, and see the solution?"}
_MOST_DIGITS = 3  # of a distance
_LOOK_S = 0.2  # between two looks at a question: its seconds are shown


class Session(Unsendable, instead="a thread of this process thinks for it; send its games"):
    """Games, one after the other.

    Parameters
    ----------
    goal : Board
    thinker : Thinker
        It answers the methods of `puzzle15.play.thinking.Adviser`.
    board : Board, optional
        Where the first game starts; by default at a random board.
    distance : int, optional
        The distance of random boards; by default any board is as likely as any other.
    seed : int
        Of the random boards.
    convention : {"tile", "blank"}
        Whether a direction is that of the tile or that of the blank.
    clock : callable
        A clock in seconds, such as `time.monotonic`.

    Attributes
    ----------
    games : list of Game
        All games, the present one last. There is none until the first random board is there.
    replay : Replay or None
    message : str
        A sentence for the player.
    typed : str
        What was typed in the mode "distance".
    shows_distance : bool
        Whether the distance is to be shown after each move.
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
        self.goal, self.distance, self.convention = goal, distance, convention
        self.knowledge = Knowledge(thinker, goal)
        self.games: list[Game] = []
        self.replay: Optional[Replay] = None
        self.message = self.typed = ""
        self.shows_distance = self.has_given_up = self.has_ended = False
        self._modes: list[str] = []
        self._unconfirmed = ""  # the action that waits for a yes
        self._is_waiting_to_watch = False
        self._hinted: Optional[Board] = None  # the board for which the player wants a hint
        self._draw_question: Optional[Question] = None
        self._seed, self._drawn = seed, 0
        self._clock = clock
        self._actions = self._all_actions()
        if board is None:
            self.draw(distance)
        else:
            self._begin(board)

    # ---------------------------------------------------------------- what there is to show

    @property
    def mode(self) -> str:
        """str: "drawing" a random board, "playing", "over" or "replay"; or what the player has opened before one of
        them: "paused", "help", "distance" (of the next board) or "confirm"."""
        return self._modes[-1]

    @property
    def game(self) -> Game:
        """Game: the present one."""
        return self.games[-1]

    @property
    def board(self) -> Board:
        """Board: the one to show."""
        if "replay" in self._modes and self.replay is not None:
            return self.replay.board
        return self.game.board

    @property
    def is_over(self) -> bool:
        """bool: whether the game has ended, at the goal or because the player gave up."""
        return self._modes[0] == "over"

    @property
    def hint(self) -> Optional[Hint]:
        """Hint or None: for the game's board, if the player asked for it and it is there."""
        return self.knowledge.hint(self.game.board) if self.wants_hint else None

    @property
    def wants_hint(self) -> bool:
        """bool: whether the player asked for a hint for the game's board."""
        return self._hinted == self.game.board

    @property
    def analysis(self) -> Optional[Analysis]:
        """Analysis or None: of the game."""
        return self.knowledge.analysis(self.game)

    @property
    def solution(self) -> Optional[Solution]:
        """Solution or None: a shortest one of the game's first board."""
        return self.knowledge.solution(self.game.start)

    @property
    def unconfirmed(self) -> str:
        """str: the question that the mode "confirm" asks."""
        return _CONFIRMED[self._unconfirmed]

    @property
    def wait_s(self) -> Optional[float]:
        """float or None: seconds until there is something new to show without an action."""
        waits = [] if self.knowledge.thinker.question is None else [_LOOK_S]
        if self.games and self.game.is_running:
            waits.append(1 - self.game.seconds % 1)
        if self.replay is not None and self.replay.wait_s is not None:
            waits.append(self.replay.wait_s)
        return min(waits, default=None)

    # ---------------------------------------------------------------- what the player does

    def do(self, action: str) -> None:
        """Do what a key means; what means nothing in this mode closes what was opened before it, or does nothing."""
        self.message = ""
        if action in self._actions[self.mode]:
            self._actions[self.mode][action]()
        elif action == "quit":
            self._confirm("quit")
        elif action == "help" and self.mode != "help":
            self._modes.append("help")
        elif self.mode in ("help", "paused", "confirm"):
            self._modes.pop()
        elif action in _LETTERS and self.mode == "playing":
            letter = parse_moves(_LETTERS[action], self.convention)
            if letter in self.game.board.legal_moves():
                self.play(letter)
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
        if distance is not None and not 1 <= distance <= most:
            self.message = f"Distance {distance}: expected 1 .. {most}."
            return
        self._drawn += 1
        self.distance = distance
        self._draw_question = about_draw(self.goal, distance, f"{self._seed}/{self._drawn}")
        self.replay = None
        self._modes = ["drawing"]

    def _all_actions(self) -> dict[str, dict[str, Callable[[], None]]]:
        """Of each mode the actions that only it knows, or knows in its own way."""
        new = partial(self._open, "distance")
        return {
            "drawing": {},
            "playing": {
                "undo": self._undo,
                "redo": self._redo,
                "hint": self._want_hint,
                "distance": self._toggle_distance,
                "pause": partial(self._open, "paused"),
                "restart": partial(self._confirm, "restart"),
                "give-up": partial(self._confirm, "give-up"),
                "new": new,
            },
            "paused": {},
            "help": {},
            "confirm": {"yes": self._perform, "quit": self._perform},
            "distance": {
                "enter": self._draw_as_typed,
                "any": partial(self.draw, None),
                "erase": self._erase,
                "back": self._keep_board,
            },
            "over": {"restart": self._begin_again, "watch": self._watch, "new": new},
            "replay": {
                "pause": self._of_replay(lambda replay: replay.toggle()),
                "right": self._of_replay(lambda replay: replay.step(1)),
                "left": self._of_replay(lambda replay: replay.step(-1)),
                "first": self._of_replay(lambda replay: replay.step(-len(replay.moves))),
                "last": self._of_replay(lambda replay: replay.step(len(replay.moves))),
                "faster": self._of_replay(lambda replay: replay.change_pace(1)),
                "slower": self._of_replay(lambda replay: replay.change_pace(-1)),
                "watch": self._end,
                "back": self._end,
                "new": new,
            },
        }

    def _undo(self) -> None:
        if not self.game.undo():
            self.message = "There is no move to take back."

    def _redo(self) -> None:
        if not self.game.redo():
            self.message = "There is no move to make again."
        self._end_at_goal()

    def _want_hint(self) -> None:
        if not self.wants_hint:
            self._hinted = self.game.board
            self.game.hints += 1
        elif self.hint is not None and self.hint.status != "solved":  # let it be searched again
            self.knowledge.forget(about_hint(self.game.board))

    def _toggle_distance(self) -> None:
        self.shows_distance = not self.shows_distance

    def _open(self, mode: str) -> None:
        self.typed = ""
        self._modes.append(mode)

    def _draw_as_typed(self) -> None:
        self.draw(int(self.typed) if self.typed else self.distance)
        self.typed = ""

    def _erase(self) -> None:
        self.typed = self.typed[:-1]

    def _keep_board(self) -> None:
        if self._modes[0] == "drawing":  # no board was found
            self.draw(None)
        else:
            self._modes.pop()

    def _confirm(self, action: str) -> None:
        """Ask the player first if an action would lose moves."""
        self._unconfirmed = action
        if self._modes[0] == "playing" and self.game.moves:
            self._modes.append("confirm")
        else:
            self._perform()

    def _perform(self) -> None:
        if self._unconfirmed == "quit":
            self.has_ended = True
        elif self._unconfirmed == "restart":
            self._begin_again()
        else:
            self.has_given_up = True
            self._end()

    def _begin_again(self) -> None:
        self._begin(self.game.start)

    def _watch(self) -> None:
        self._is_waiting_to_watch = True

    def _begin_replay(self, solution: Solution) -> None:
        self._is_waiting_to_watch = False
        if solution.moves is None:
            self.message = "No shortest solution is known: a limit was reached."
            return
        self.replay = Replay(self.game.start, solution.moves, self._clock)
        self.replay.toggle()
        self._modes.append("replay")

    def _of_replay(self, action: Callable[[Replay], None]) -> Callable[[], None]:
        def act() -> None:
            if self.replay is not None:
                action(self.replay)

        return act

    # ---------------------------------------------------------------- the course of a game

    def _begin(self, board: Board) -> None:
        self.games.append(Game(board, self.goal, self._clock))
        self.has_given_up = False
        self._hinted = None
        self._modes = ["playing"]
        self._end_at_goal()

    def _end_at_goal(self) -> None:
        if self.game.is_over:
            self._end()

    def _end(self) -> None:
        self.replay = None
        self._is_waiting_to_watch = False
        self._modes = ["over"]

    def _set_clock(self) -> None:
        """Let the clock run from the first move on, while the player sees the board."""
        if self.games and (self.game.is_running or self.game.seconds > 0):
            if self.mode == "playing":
                self.game.resume()
            else:
                self.game.pause()

    # ---------------------------------------------------------------- what goes on without an action

    def go_on(self) -> None:
        """Take in what was thought, choose what to think about next, and let time pass."""
        self.knowledge.take_in()
        if self.mode == "drawing" and self._draw_question is not None:
            self._look_at_draw(self._draw_question)
        if self.mode == "over" and self._is_waiting_to_watch and self.solution is not None:
            self._begin_replay(self.solution)
        if self.replay is not None:
            self.replay.go_on()
        self.knowledge.thinker.ask(self.wanted or self._useful)

    @property
    def wanted(self) -> Optional[Question]:
        """Question or None: what the player waits for."""
        questions = []
        if self._modes[0] == "drawing":
            questions.append(self._draw_question)
        elif self.is_over:
            questions += [about_solution(self.game.start), about_analysis(self.game)]
        else:
            if self.wants_hint:
                questions.append(about_hint(self.game.board))
            if self.shows_distance and self.knowledge.distance(self.game.board) is None:
                questions.append(about_solution(self.game.board))
        return next((question for question in questions if question and self.knowledge.is_open(question)), None)

    @property
    def _useful(self) -> Optional[Question]:
        """The question about the shortest solution, which nobody waits for."""
        if not self.games or self.knowledge.distance(self.game.start) is not None:
            return None
        question = about_solution(self.game.start)
        return question if self.knowledge.is_open(question) else None

    def _look_at_draw(self, question: Question) -> None:
        board = self.knowledge.drawn(question)
        if board is not None:
            if self.distance is not None:
                self.knowledge.tell_distance(board, self.distance)
            self._begin(board)
        elif not self.knowledge.is_open(question):
            self._open("distance")
            self.message = f"No board at distance {self.distance} was found in time. Choose another distance."
