from .game import Game as Game
from .lines import play_by_lines as play_by_lines
from .screen import play_on_screen as play_on_screen
from .session import Session as Session
from .thinking import Thinker as Thinker
