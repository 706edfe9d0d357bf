"""A session in lines: what the player types, and an answer. It needs no terminal, so programs can play, too."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Optional

from ..._pictures.boxes import board_box
from ..._system.quantities import count_text
from ...board import format_moves, parse_moves
from ...errors import BoardError
from .review import review_lines
from .session import Session
from .text import plain

_HELP = """\
Type moves such as URDL2. A letter is the direction of {what}; a digit repeats the letter before it.
Or type a word: hint, undo, redo, distance (show it after each move, or hide it), solution, give-up, restart,
new (a new board), new 20 (at distance 20), board, help, quit."""
_ACTIONS = ("undo", "redo", "restart", "distance", "give-up", "quit")
_COLUMNS, _ROWS = 80, 20  # of the analysis


def play_by_lines(
    session: Session, lines: Iterable[str], write: Callable[[str], object], end_answer: Callable[[], object]
) -> None:
    """Play until the player quits, or the lines end. The next line is read when the one before has been answered.

    `write` is called with each line of an answer, and `end_answer` before a line is read.
    """
    player = _Player(session)
    answer: Optional[list[str]] = [*player.help(), *player.shown()]
    typed = iter(lines)
    while answer is not None:
        for line in answer:
            write(line)
        if session.has_ended:
            return
        end_answer()
        answer = next(map(player.answer, typed), None)


class _Player:
    """Does what lines say, and returns the lines of the answer."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def answer(self, line: str) -> list[str]:
        session = self._session
        word, _, rest = line.strip().lower().partition(" ")
        word = {"q": "quit", "?": "hint"}.get(word, word)
        if session.mode == "confirm":
            session.do("yes" if word in ("y", "yes") else "no")
        elif word == "new":
            if rest and not rest.isdecimal():
                return [f"error: distance {rest!r}: expected a whole number, such as: new 20"]
            session.draw(int(rest[:9]) if rest else session.distance)
        elif not session.games and word != "quit":
            return ["There is no board yet. Type new and a distance, such as: new 20"]
        elif word in _ACTIONS:
            session.do(word)
        elif word == "hint":
            return self._hint()
        elif word == "board":
            return self._board()
        elif word == "help":
            return self.help()
        elif word == "solution":
            return [self._solution()]
        elif session.is_over:
            return ["The game is over. Type new, restart, solution or quit."]
        else:
            try:
                session.play(parse_moves(line, convention=session.convention))
            except BoardError as error:
                return [f"error: {error}; or type help"]
        return self.shown()

    def help(self) -> list[str]:
        return _HELP.format(what="a tile" if self._session.convention == "tile" else "the blank").splitlines()

    def shown(self) -> list[str]:
        """Return what an action led to: a question, a message, or the board."""
        session = self._session
        if session.has_ended:
            return []
        if session.mode == "confirm":
            return [f"{session.unconfirmed} (y or n)"]
        if not session.message:
            self._settle()
        return [session.message] if session.message else self._board()

    def _settle(self) -> None:
        """Wait until the player's questions are answered."""
        self._session.go_on()
        while self._session.wanted is not None:
            self._session.thinker.wait()
            self._session.go_on()

    def _board(self) -> list[str]:
        """Return the board and what is known about it; after the game, the analysis."""
        session, board = self._session, self._session.game.board
        box = board_box(board.tiles, board.shape, ascii_only=session.ascii_only)
        if session.is_over:
            review = [plain(line).rstrip() for line in review_lines(session, _COLUMNS, _ROWS)]
            return [*box, *review, "Type new, restart, solution or quit."]
        left = session.distance_of(board) if session.shows_distance else None
        made = count_text(len(session.game.moves), "move")
        return [*box, made if left is None else f"{made}, {left} to go"]

    def _hint(self) -> list[str]:
        session = self._session
        session.do("hint")
        self._settle()
        if session.hint is None:
            return ["The game is over: there is no hint."]
        return [f"hint: {session.hint.text(convention=session.convention)}"]

    def _solution(self) -> str:
        session = self._session
        solution = session.solution_of(session.game.start)
        if not session.is_over:
            return "A solution is shown after the game. Type give-up to end it."
        if solution is None or solution.moves is None:
            return "No shortest solution is known: a limit was reached."
        moves = format_moves(solution.moves, convention=session.convention, compress=True)
        return f"{count_text(len(solution.moves), 'move')}: {moves}"
