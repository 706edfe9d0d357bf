"""Keys and clicks, read from what a terminal sends; and what they mean."""

from __future__ import annotations

import re
from typing import NamedTuple, Optional, Union

__all__ = ["Click", "Key", "KeyReader", "meaning_of"]


class Click(NamedTuple):
    """A click with the first mouse button, at a row and a column from 0 on."""

    row: int
    col: int


#: The name of a key, such as "up" or "u"; or a click.
Key = Union[str, Click]

_NAMES = {
    "A": "up",
    "B": "down",
    "C": "right",
    "D": "left",
    "H": "home",
    "F": "end",
    "P": "f1",
    "1~": "home",
    "7~": "home",
    "4~": "end",
    "8~": "end",
    "11~": "f1",
    "[A": "f1",  # Linux without a window system
}
_CHARACTERS = {"\r": "enter", "\n": "enter", "\x7f": "backspace", "\b": "backspace", " ": "space", "\t": "tab"}
_CHARACTERS |= {"\x12": "ctrl-r", "\x04": "ctrl-d", "\x0c": "ctrl-l"}

# Sequences as ECMA-48 and xterm define them: ESC [ parameters letter; ESC O letter; and what may still become one.
_SEQUENCE = re.compile(r"\x1b(?:\[\[[@-~]|\[[0-?]*[ -/]*[@-Z\\-~]|O.)")
_BEGIN = re.compile(r"\x1b(?:\[\[|\[[0-?]*[ -/]*|O)?\Z")
_MOUSE = re.compile(r"\x1b\[<(\d+);(\d+);(\d+)([Mm])")


class KeyReader:
    """Turns bytes into keys; bytes that begin a key wait for the rest of it.

    Examples
    --------
    >>> reader = KeyReader()
    >>> reader.feed(b"k\\x1b[A\\x1b[<0;11;5M\\x1b[")
    ['k', 'up', Click(row=4, col=10)]
    >>> reader.feed(b"B"), reader.feed(b"\\x1b"), reader.feed(b"")
    (['down'], [], ['escape'])
    """

    def __init__(self) -> None:
        self._rest = b""

    @property
    def is_waiting(self) -> bool:
        """bool: whether the last bytes may be the begin of a key."""
        return bool(self._rest)

    def feed(self, data: bytes) -> list[Key]:
        """The keys in some bytes. No bytes end the waiting: then a begin is a key of its own."""
        text = (self._rest + data).decode("latin-1")  # every byte is a character; keys are ASCII
        self._rest = b""
        keys: list[Optional[Key]] = []
        while text:
            sequence = _SEQUENCE.match(text)
            if sequence:
                keys.append(_key(sequence[0]))
                text = text[sequence.end() :]
            elif data and _BEGIN.match(text):
                self._rest = text.encode("latin-1")
                break
            else:
                keys.append("escape" if text[0] == "\x1b" else _CHARACTERS.get(text[0], text[0]))
                text = text[1:]
        return [key for key in keys if key is not None]


def _key(sequence: str) -> Optional[Key]:
    """The key of a sequence, None for one that means nothing here."""
    mouse = _MOUSE.fullmatch(sequence)
    if mouse:
        button, col, row = map(int, mouse.groups()[:3])
        return Click(row - 1, col - 1) if button == 0 and mouse[4] == "M" else None
    end = sequence[2:]
    return _NAMES.get(end) or _NAMES.get(end[-1:] if end[-1:] != "~" else end)


_MOVES = {
    **dict.fromkeys(("up", "k", "w", "U"), "up"),
    **dict.fromkeys(("down", "j", "s", "D"), "down"),
    **dict.fromkeys(("left", "h", "a", "L"), "left"),
    **dict.fromkeys(("right", "l", "d", "R"), "right"),
}
_ALWAYS = {"q": "quit", "ctrl-d": "quit", "f1": "help", "c": "help"}
_PLAYING = {
    **_MOVES,
    **_ALWAYS,
    **dict.fromkeys(("u", "backspace"), "undo"),
    **dict.fromkeys(("y", "ctrl-r"), "redo"),
    **dict.fromkeys(("p", "space"), "pause"),
    "?": "hint",
    "i": "distance",
    "n": "new",
    "r": "restart",
    "g": "give-up",
}
_KEYS = {
    "drawing": _ALWAYS,
    "playing": _PLAYING,
    "paused": {"ctrl-d": "quit", "q": "quit"},
    "help": {"q": "back"},
    "confirm": {"y": "yes", "enter": "yes", "ctrl-d": "yes"},
    "distance": {"enter": "enter", "a": "any", "backspace": "erase", "escape": "back", "q": "back", "n": "back"},
    "over": {**_ALWAYS, "n": "new", "r": "restart", "enter": "watch", "space": "watch", "v": "watch"},
    "replay": {
        **_ALWAYS,
        **{key: move for key, move in _MOVES.items() if move in ("left", "right")},
        **dict.fromkeys(("p", "space"), "pause"),
        **dict.fromkeys(("up", "+", "="), "faster"),
        **dict.fromkeys(("down", "-"), "slower"),
        **dict.fromkeys(("escape", "enter", "v"), "back"),
        "home": "first",
        "end": "last",
        "n": "new",
    },
}


def meaning_of(key: str, mode: str) -> str:
    """What a key means in a mode of a session: an action, or "" for nothing.

    >>> meaning_of("k", "playing"), meaning_of("u", "playing"), meaning_of("U", "playing"), meaning_of("u", "replay")
    ('up', 'undo', 'up', '')
    """
    return _KEYS[mode].get(key, "")
