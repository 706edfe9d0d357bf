"""The actions of a player: play, ask for hints, look back at a game, and begin the next one."""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate
from typing import Any, Optional

from ..._pictures.palette import Colours
from ...board import Board, farthest, parse_moves
from ...board._moves import Convention
from ...solver import Analysis, Hint, Solution
from .game import Game
from .thinking import Question, Thinker

_MOST_DIGITS = 3  # of a distance


class Session:
    """Games, one after the other. A session needs no terminal: `screen` and `lines` show it, and pass actions on.

    Without a `board`, the first game starts at a random one, at this distance from the goal if one is given. Letters of
    moves are directions of tiles, or with ``convention="blank"`` of the blank. `ascii_only` and `colours` are those of
    `puzzle15._pictures.board_box`; lines have no colours.
    """

    def __init__(
        self,
        goal: Board,
        thinker: Thinker,
        *,
        board: Optional[Board] = None,
        distance: Optional[int] = None,
        seed: int = 0,
        convention: Convention = "tile",
        ascii_only: bool = False,
        colours: Optional[Colours] = None,
    ) -> None:
        self.goal, self.thinker, self.distance = goal, thinker, distance
        self.convention, self.ascii_only, self.colours = convention, ascii_only, colours
        self.games: list[Game] = []  # the present one is the last; empty until the first random board is found
        self.step = 0  # moves of the shortest solution that are shown in the mode "replay"
        self.message = ""  # for the player
        self.typed = ""  # in the mode "distance"
        self.unconfirmed = ""  # the question of the mode "confirm"
        self.shows_distance = self.has_given_up = self.has_ended = False
        self._distances = {goal: 0}
        self._opened: list[str] = []  # the modes on top of the game
        self._confirmed: Callable[[Session], None] = Session._quit  # what a yes does
        self._hinted: Optional[Board] = None  # the board for which the player wants a hint
        self._draw_question: Question = ()
        self._seed, self._drawn = seed, 0
        if board is None:
            self.draw(distance)
        else:
            self._begin(board)

    # ---------------------------------------------------------------- what is shown

    @property
    def mode(self) -> str:
        """str: "drawing", "playing", "over"; or, on top, "paused", "help", "replay", "distance" or "confirm"."""
        return self._opened[-1] if self._opened else self._stage

    @property
    def _stage(self) -> str:
        """The mode below those that were opened."""
        if self._draw_question:
            return "drawing"
        return "over" if self.has_given_up or self.game.is_over else "playing"

    @property
    def game(self) -> Game:
        """Game: the present one."""
        return self.games[-1]

    @property
    def board(self) -> Board:
        """Board: the one to show."""
        return self.game.start.apply(self.solution[: self.step]) if self.is_replay else self.game.board

    @property
    def is_over(self) -> bool:
        """bool: whether the game has ended, at the goal or because the player gave up."""
        return self._stage == "over"

    @property
    def is_replay(self) -> bool:
        """bool: whether the shortest solution is shown."""
        return "replay" in self._opened

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

    @property
    def solution(self) -> str:
        """str: the moves of a shortest solution of the game, "" if none is known."""
        solution = self.solution_of(self.game.start)
        return "" if solution is None else solution.moves or ""

    def solution_of(self, board: Board) -> Optional[Solution]:
        """Return a shortest solution, or the lower bound that was proved; None until that question was answered."""
        return self.thinker.answers.get(("solution", board))

    def distance_of(self, board: Board) -> Optional[int]:
        """Return the moves of a shortest solution, if they are known."""
        return self._distances.get(board)

    # ---------------------------------------------------------------- what the player does

    def press(self, key: str) -> None:
        """Do what a key means in this mode."""
        if key.isdecimal():
            if self.mode == "distance" and len(self.typed) < _MOST_DIGITS:
                self.typed += key
        else:
            actions = _ACTIONS.get(self.mode, {})
            self.do(next((action for action, (keys, _) in actions.items() if key in keys.split()), ""))

    def do(self, action: str) -> None:
        """Do an action. One without a meaning in this mode closes what was opened, or does nothing."""
        self.message = ""
        _, act = _ACTIONS.get(self.mode, {}).get(action, ("", None))
        if act is not None:
            act(self)
        elif self.mode in ("help", "paused", "confirm"):
            self._opened.pop()
        self._set_clock()

    def slide(self, cell: int) -> None:
        """Slide the tiles between a cell and the blank if both lie on a line; each tile is a move."""
        if self.mode == "playing":
            self.play(self.game.slide(cell))

    def play(self, moves: str) -> None:
        """Make moves, one letter per tile; BoardError, and no move, if one of them is illegal."""
        self.message = ""
        self.game.play(moves)
        self._set_clock()

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
        self._opened.clear()

    def _move(self, letter: str) -> None:
        letter = parse_moves(letter, convention=self.convention)
        if letter in self.game.board.legal_moves():
            self.play(letter)

    def _undo(self) -> None:
        self.message = "" if self.game.undo() else "There is no move to take back."

    def _redo(self) -> None:
        self.message = "" if self.game.redo() else "There is no move to make again."

    def _want_hint(self) -> None:
        if not self.wants_hint:
            self._hinted = self.game.board
            self.game.hints += 1
        elif self.hint is not None and self.hint.status != "solved":  # search again
            self.thinker.answers.pop(("hint", self.game.board))

    def _toggle_distance(self) -> None:
        self.shows_distance = not self.shows_distance

    def _open(self, mode: str) -> None:
        self.typed = ""
        self._opened.append(mode)

    def _erase(self) -> None:
        self.typed = self.typed[:-1]

    def _keep_board(self) -> None:
        if self._draw_question:  # no board was found
            self.draw(None)
        else:
            self._opened.pop()

    def _watch(self) -> None:
        if self.solution:
            self.step = 0
            self._opened.append("replay")
        elif not self.game.start.is_goal(self.goal):
            self.message = "No shortest solution is known: a limit was reached, or it is still searched."

    def _step(self, number: int) -> None:
        self.step = min(max(self.step + number, 0), len(self.solution))

    def _confirm(self, question: str, action: Callable[[Session], None]) -> None:
        """Ask the player first if an action would lose moves."""
        if self._stage == "playing" and self.game.moves:
            self.unconfirmed, self._confirmed = question, action
            self._opened.append("confirm")
        else:
            action(self)

    def _quit(self) -> None:
        self.has_ended = True

    def _give_up(self) -> None:
        self.has_given_up = True
        self._opened.clear()

    def _begin(self, board: Optional[Board] = None) -> None:
        """Begin a game at a board, or again at the same one."""
        board = board or self.game.start
        self.games.append(Game(board, self.goal))
        self.has_given_up = False
        self._hinted, self._draw_question = None, ()
        self._opened.clear()

    def _set_clock(self) -> None:
        """Let the clock run from the first move on, while the player sees the board."""
        if self.games and (self.game.is_running or self.game.seconds > 0):
            if self.mode == "playing":
                self.game.resume()
            else:
                self.game.pause()

    # ---------------------------------------------------------------- what the solver answers

    def go_on(self) -> None:
        """Take an answer, and choose what to think about next."""
        self._take_answer()
        if self.mode == "drawing" and self._draw_question in self.thinker.answers:
            self._take_board(self.thinker.answers[self._draw_question])
        useful: list[Question] = []
        if self.games and self.distance_of(self.game.start) is None:
            useful = [("solution", self.game.start)]  # the player does not wait for it
        self.thinker.ask(self.wanted or self._unanswered(useful))

    @property
    def wanted(self) -> Optional[Question]:
        """Question or None: what the player waits for."""
        questions: list[Question] = []
        if self._draw_question:
            questions.append(self._draw_question)
        elif self.is_over:
            questions += [("solution", self.game.start), ("analysis", self.game.start, self.game.moves)]
        else:
            if self.wants_hint:
                questions.append(("hint", self.game.board))
            if self.shows_distance and self.distance_of(self.game.board) is None:
                questions.append(("solution", self.game.board))
        return self._unanswered(questions)

    def _unanswered(self, questions: list[Question]) -> Optional[Question]:
        """Return the first question that has no answer; "a limit was reached" is an answer, too."""
        return next((question for question in questions if question not in self.thinker.answers), None)

    def _take_answer(self) -> None:
        """Take an answer, and keep the distances that follow from it."""
        question = self.thinker.look()
        if question is None:
            return
        answer = self.thinker.answers[question]
        if isinstance(answer, Hint) and answer.distance is not None:
            self._distances[question[1]] = answer.distance
        elif isinstance(answer, Solution) and answer.moves is not None:
            left = range(len(answer.moves), -1, -1)
            self._distances.update(zip(accumulate(answer.moves, Board.move, initial=question[1]), left))

    def _take_board(self, board: Optional[Board]) -> None:
        if board is None:
            self._open("distance")
            self.message = f"No board at distance {self.distance} was found in time. Choose another distance."
            return
        if self.distance is not None:
            self._distances[board] = self.distance
        self._begin(board)


_Action = tuple[str, Callable[[Session], Any]]

_ALWAYS: dict[str, _Action] = {
    "quit": ("q ctrl-d", lambda session: session._confirm("Quit this game?", Session._quit)),
    "help": ("f1 c", lambda session: session._open("help")),
}
_NEW: _Action = ("n", lambda session: session._open("distance"))

#: By mode, the actions: the keys of each, and what it does.
_ACTIONS: dict[str, dict[str, _Action]] = {
    "drawing": _ALWAYS,
    "playing": {
        **_ALWAYS,
        "up": ("up k w U", lambda session: session._move("U")),
        "down": ("down j s D", lambda session: session._move("D")),
        "left": ("left h a L", lambda session: session._move("L")),
        "right": ("right l d R", lambda session: session._move("R")),
        "undo": ("u backspace", Session._undo),
        "redo": ("y ctrl-r", Session._redo),
        "pause": ("p space", lambda session: session._open("paused")),
        "hint": ("?", Session._want_hint),
        "distance": ("i", Session._toggle_distance),
        "new": _NEW,
        "restart": ("r", lambda session: session._confirm("Begin again?", Session._begin)),
        "give-up": ("g", lambda session: session._confirm("Give up, and see the solution?", Session._give_up)),
    },
    "paused": {"quit": _ALWAYS["quit"]},
    "confirm": {"yes": ("y enter ctrl-d", lambda session: session._confirmed(session))},
    "distance": {
        "enter": ("enter", lambda session: session.draw(int(session.typed) if session.typed else session.distance)),
        "any": ("a", lambda session: session.draw(None)),
        "erase": ("backspace", Session._erase),
        "back": ("escape q n", Session._keep_board),
        "quit": ("ctrl-d", _ALWAYS["quit"][1]),
    },
    "over": {**_ALWAYS, "restart": ("r", Session._begin), "watch": ("enter space v", Session._watch), "new": _NEW},
    "replay": {
        **_ALWAYS,
        "left": ("left h a L", lambda session: session._step(-1)),
        "right": ("right l d R space", lambda session: session._step(1)),
        "back": ("escape enter v", Session._keep_board),
        "new": _NEW,
    },
}
