"""A session on the whole screen of a terminal: show it, wait for a key or for what goes on without one, and again."""

from __future__ import annotations

from contextlib import closing
from typing import Optional

from .keys import Click, KeyReader, meaning_of
from .screen import draw
from .session import Session
from .spans import painted

__all__ = ["play_on_screen"]

_ESCAPE_S = 0.05  # after which an escape is a key, not the begin of one


def play_on_screen(
    session: Session,
    source: int,
    target: int,
    *,
    encoding: str = "utf-8",
    ascii_only: bool = False,
    colours: Optional[str] = "rows",
) -> None:
    """Play until the player quits or the terminal is gone, and leave the terminal as it was, whatever happens.

    Parameters
    ----------
    session : Session
    source, target : int
        The descriptors of the terminal: where keys come from, and where the screen is written.
    encoding : str
        Of what is written.
    ascii_only : bool
        Whether the terminal shows no other characters than ASCII.
    colours : {"rows", "rings", "plain"}, optional
        What the colour of a tile tells; None for a terminal without colours.
    """
    from .terminal import Terminal  # it is not there on Windows

    reader = KeyReader()
    with closing(Terminal(source, target, encoding)) as terminal:
        session.knowledge.thinker.wake = terminal.wake
        terminal.open()
        while not session.has_ended:
            session.go_on()
            columns, rows = terminal.size
            picture = draw(session, columns, rows, ascii_only=ascii_only, colours=colours or "plain")
            terminal.show([painted(line, colours is not None) for line in picture.lines])
            data = terminal.read(_ESCAPE_S if reader.is_waiting else session.wait_s)
            if data is None:
                return
            for key in reader.feed(data):
                if key == "ctrl-l":
                    terminal.forget()
                elif isinstance(key, Click):
                    cell = picture.cell_at(key.row, key.col)
                    if cell is not None:
                        session.slide(cell)
                elif key.isdecimal():
                    session.type(key)
                else:
                    session.do(meaning_of(key, session.mode))
