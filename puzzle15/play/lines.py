"""A session in lines: what the player types, and an answer. It needs no terminal, so programs can play, too."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..board import format_moves, parse_moves
from ..errors import BoardError
from ..pictures import board_box
from .review import review_lines
from .session import Session
from .spans import plain
from .texts import count_text

__all__ = ["play_by_lines"]

_HELP = """\
Type moves such as URDL2. A letter is the direction of {what}; a digit repeats the letter before it.
Or type a word: hint, undo, redo, distance (show it after each move, or hide it), solution, give-up, restart,
new (a new board), new 20 (at distance 20), board, help, quit."""
_COLUMNS, _ROWS = 80, 20  # of the analysis


def play_by_lines(
    session: Session,
    lines: Iterable[str],
    write: Callable[[str], object],
    end_answer: Callable[[], object],
    *,
    ascii_only: bool = False,
) -> None:
    """Play until the player quits, or the lines end.

    Parameters
    ----------
    session : Session
    lines : iterable of str
        What the player types. The next line is read when the one before has been answered.
    write : callable
        Called with each line of an answer.
    end_answer : callable
        Called before a line is read.
    ascii_only : bool
        Whether to draw boards without other characters than those of ASCII.
    """
    player = _Player(session, write, ascii_only)
    player.begin()
    end_answer()
    for line in lines:
        player.answer(line)
        if session.has_ended:
            break
        end_answer()


class _Player:
    """Does what lines say, and writes the answers."""

    def __init__(self, session: Session, write: Callable[[str], object], ascii_only: bool) -> None:
        self._session, self._write, self._ascii_only = session, write, ascii_only
        self._words: dict[str, Callable[[], None]] = {
            "board": self._show_board,
            "distance": self._toggle_distance,
            "give-up": self._end_game,
            "help": self._help,
            "hint": self._hint,
            "solution": self._solution,
        }
        self._words["?"] = self._words["hint"]

    def begin(self) -> None:
        self._help()
        self._settle()
        self._show_board()

    def answer(self, line: str) -> None:
        """Do what a line says, and write the answer."""
        session = self._session
        word, _, rest = line.strip().lower().partition(" ")
        if session.mode == "confirm":
            session.do("yes" if word in ("y", "yes") else "no")
            self._after_action()
        elif word == "new":
            self._new(rest)
        elif word in ("quit", "q"):
            session.do("quit")
            self._after_action()
        elif not session.games:
            self._write("There is no board yet. Type new and a distance, such as: new 20")
        elif word in self._words:
            self._words[word]()
        elif word in ("undo", "redo", "restart"):
            session.do(word)
            self._after_action()
        else:
            self._moves(line)

    def _after_action(self) -> None:
        session = self._session
        if session.has_ended:
            return
        if session.mode == "confirm":
            self._write(f"{session.unconfirmed} (y or n)")
        elif session.message:
            self._write(session.message)
        else:
            self._settle()
            self._show_board()

    def _moves(self, line: str) -> None:
        session = self._session
        if session.is_over:
            self._write("The game is over. Type new, restart, solution or quit.")
            return
        try:
            session.play(parse_moves(line, session.convention))
        except BoardError as error:
            self._write(f"error: {error}; or type help")
            return
        self._settle()
        self._show_board()

    def _new(self, distance: str) -> None:
        session = self._session
        session.message = ""
        if distance and not distance.isdecimal():
            self._write(f"error: distance {distance!r}: expected a whole number, such as: new 20")
            return
        session.draw(int(distance[:9]) if distance else session.distance)
        if not session.message:
            self._settle()
        if session.message:
            self._write(session.message)
        else:
            self._show_board()

    def _toggle_distance(self) -> None:
        self._session.do("distance")
        self._after_action()

    def _end_game(self) -> None:
        self._session.do("give-up")
        self._after_action()

    def _help(self) -> None:
        for line in _HELP.format(what="a tile" if self._session.convention == "tile" else "the blank").splitlines():
            self._write(line)

    def _hint(self) -> None:
        session = self._session
        session.do("hint")
        self._settle()
        hint = session.hint
        if hint is None:
            self._write("The game is over: there is no hint.")
        else:
            self._write(f"hint: {hint.text(convention=session.convention)}")

    def _solution(self) -> None:
        session = self._session
        if not session.is_over:
            self._write("A solution is shown after the game. Type give-up to end it.")
        elif session.solution is None or session.solution.moves is None:
            self._write("No shortest solution is known: a limit was reached.")
        else:
            moves = format_moves(session.solution.moves, session.convention, compress=True)
            self._write(f"{count_text(len(session.solution.moves), 'move')}: {moves}")

    def _settle(self) -> None:
        """Wait for what the player wants to know."""
        self._session.go_on()
        while self._session.wanted is not None:
            self._session.knowledge.thinker.wait()
            self._session.go_on()

    def _show_board(self) -> None:
        """Show the board and what is known about it; after the game, the analysis."""
        session = self._session
        if not session.games:
            self._write(session.message)
            return
        board = session.game.board
        for line in board_box(board.tiles, board.shape, ascii_only=self._ascii_only):
            self._write(line)
        if session.is_over:
            for spans in review_lines(session, _COLUMNS, _ROWS, self._ascii_only):
                self._write(plain(spans).rstrip())
            self._write("Type new, restart, solution or quit.")
            return
        left = session.knowledge.distance(board) if session.shows_distance else None
        told = count_text(len(session.game.moves), "move")
        self._write(told if left is None else f"{told}, {left} to go")
