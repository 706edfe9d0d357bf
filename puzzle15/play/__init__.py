"""The game: a board to play on, on the screen of a terminal or line by line, against the shortest solution."""

from typing import TYPE_CHECKING

from ..system.doors import on_demand

if TYPE_CHECKING:
    from .game import Game
    from .lines import play_by_lines
    from .loop import play_on_screen
    from .session import Session
    from .thinking import Adviser, Thinker
else:
    __getattr__, __dir__ = on_demand(
        __name__,
        game="Game",
        lines="play_by_lines",
        loop="play_on_screen",
        session="Session",
        thinking="Adviser Thinker",
    )

__all__ = ["Adviser", "Game", "Session", "Thinker", "play_by_lines", "play_on_screen"]
