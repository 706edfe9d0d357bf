"""A session in lines: what the player types, and an answer. It needs no terminal, so programs can play, too."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..board import format_moves, parse_moves
from ..errors import BoardError
from ..pictures import board_box
from .review import review_lines
from .session import Session
from .spans import count_text, plain

__all__ = ["play_by_lines"]

_HELP = """\
Type moves such as URDL2. A letter is the direction of {what}; a digit repeats the letter before it.
Or type a word: hint, undo, redo, distance (show it after each move, or hide it), solution, give-up, restart,
new (a new board), new 20 (at distance 20), board, help, quit."""
_ACTIONS = ("undo", "redo", "restart", "distance", "give-up")
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
        Whether only characters of ASCII are written.
    """
    player = _Player(session, write, ascii_only)
    player.help()
    player.show()
    end_answer()
    for line in lines:
        player.answer(line)
        if session.has_ended:
            break
        end_answer()


class _Player:
    """Runs the commands in lines, and writes the answers."""

    def __init__(self, session: Session, write: Callable[[str], object], ascii_only: bool) -> None:
        self._session, self._write, self._ascii_only = session, write, ascii_only

    def answer(self, line: str) -> None:
        session = self._session
        word, _, rest = line.strip().lower().partition(" ")
        if session.mode == "confirm":
            session.do("yes" if word in ("y", "yes") else "no")
            self.show()
        elif word == "new":
            self._new(rest)
        elif word in ("quit", "q"):
            session.do("quit")
            self.show()
        elif not session.games:
            self._write("There is no board yet. Type new and a distance, such as: new 20")
        elif word in _ACTIONS:
            session.do(word)
            self.show()
        elif word in ("hint", "?"):
            self._hint()
        elif word == "board":
            self._show_board()
        elif word == "help":
            self.help()
        elif word == "solution":
            self._solution()
        else:
            self._moves(line)

    def help(self) -> None:
        for line in _HELP.format(what="a tile" if self._session.convention == "tile" else "the blank").splitlines():
            self._write(line)

    def show(self) -> None:
        """Show what an action led to: a question, a message, or the board."""
        session = self._session
        if session.has_ended:
            return
        if session.mode == "confirm":
            self._write(f"{session.unconfirmed} (y or n)")
            return
        if not session.message:
            self._settle()
        if session.message:
            self._write(session.message)
        else:
            self._show_board()

    def _settle(self) -> None:
        """Wait until the player's questions are answered."""
        self._session.go_on()
        while self._session.wanted is not None:
            self._session.thinker.wait()
            self._session.go_on()

    def _show_board(self) -> None:
        """Show the board and what is known about it; after the game, the analysis."""
        session, board = self._session, self._session.game.board
        for line in board_box(board.tiles, board.shape, ascii_only=self._ascii_only):
            self._write(line)
        if session.is_over:
            for spans in review_lines(session, _COLUMNS, _ROWS, self._ascii_only):
                self._write(plain(spans).rstrip())
            self._write("Type new, restart, solution or quit.")
            return
        left = session.distance_of(board) if session.shows_distance else None
        made = count_text(len(session.game.moves), "move")
        self._write(made if left is None else f"{made}, {left} to go")

    def _new(self, distance: str) -> None:
        if distance and not distance.isdecimal():
            self._write(f"error: distance {distance!r}: expected a whole number, such as: new 20")
            return
        self._session.draw(int(distance[:9]) if distance else self._session.distance)
        self.show()

    def _moves(self, line: str) -> None:
        session = self._session
        if session.is_over:
            self._write("The game is over. Type new, restart, solution or quit.")
            return
        try:
            session.play(parse_moves(line, convention=session.convention))
        except BoardError as error:
            self._write(f"error: {error}; or type help")
            return
        self.show()

    def _hint(self) -> None:
        session = self._session
        session.do("hint")
        self._settle()
        if session.hint is None:
            self._write("The game is over: there is no hint.")
        else:
            self._write(f"hint: {session.hint.text(convention=session.convention)}")

    def _solution(self) -> None:
        session = self._session
        solution = session.solution_of(session.game.start)
        if not session.is_over:
            self._write("A solution is shown after the game. Type give-up to end it.")
        elif solution is None or solution.moves is None:
            self._write("No shortest solution is known: a limit was reached.")
        else:
            moves = format_moves(solution.moves, convention=session.convention, compress=True)
            self._write(f"{count_text(len(solution.moves), 'move')}: {moves}")
