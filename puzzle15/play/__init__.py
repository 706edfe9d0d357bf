"""The game: a board to play on, on the screen of a terminal or line by line, against the shortest solution."""

from .game import Game
from .lines import play_by_lines
from .screen import play_on_screen
from .session import Session
from .thinking import Adviser, Thinker

__all__ = ["Adviser", "Game", "Session", "Thinker", "play_by_lines", "play_on_screen"]
