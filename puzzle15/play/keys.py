"""Keys and clicks, read from the bytes that a terminal sends, and the action that each key means."""

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

#: Names by the end of a sequence. "[A" is F1 on Linux without a window system.
_NAMES = {"A": "up", "B": "down", "C": "right", "D": "left", "H": "home", "F": "end", "P": "f1", "1~": "home"}
_NAMES |= {"7~": "home", "4~": "end", "8~": "end", "11~": "f1", "[A": "f1"}
_CHARACTERS = {"\r": "enter", "\n": "enter", "\x7f": "backspace", "\b": "backspace", " ": "space", "\t": "tab"}
_CHARACTERS |= {"\x12": "ctrl-r", "\x04": "ctrl-d", "\x0c": "ctrl-l", "\x1b": "escape"}

# Sequences as ECMA-48 and xterm define them: ESC [ parameters letter; ESC O letter; and what may still become one.
_SEQUENCE = re.compile(r"\x1b(?:\[\[[@-~]|\[[0-?]*[ -/]*[@-Z\\-~]|O.)")
_BEGIN = re.compile(r"\x1b(?:\[\[|\[[0-?]*[ -/]*|O)?\Z")
_MOUSE = re.compile(r"\x1b\[<(\d+);(\d+);(\d+)([Mm])")


class KeyReader:
    """Turns bytes into keys; bytes that begin a key wait for the rest of it.

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
        """bool: whether the last bytes may begin a key."""
        return bool(self._rest)

    def feed(self, data: bytes) -> list[Key]:
        """The keys in some bytes. No bytes end the waiting: then the first bytes of a key are keys themselves."""
        text = (self._rest + data).decode("latin-1")  # every byte is a character; keys are ASCII
        self._rest = b""
        keys: list[Optional[Key]] = []
        while text:
            sequence = _SEQUENCE.match(text)
            if sequence is None and data and _BEGIN.match(text):
                self._rest = text.encode("latin-1")
                break
            keys.append(_key(sequence[0]) if sequence else _CHARACTERS.get(text[0], text[0]))
            text = text[sequence.end() if sequence else 1 :]
        return [key for key in keys if key is not None]


def _key(sequence: str) -> Optional[Key]:
    """The key of a sequence, None for one without a meaning."""
    mouse = _MOUSE.fullmatch(sequence)
    if mouse:
        button, col, row = map(int, mouse.groups()[:3])
        return Click(row - 1, col - 1) if button == 0 and mouse[4] == "M" else None
    end = sequence[2:]
    return _NAMES.get(end) or _NAMES.get(end[-1:] if end[-1:] != "~" else end)


_LEFT_RIGHT = {"left": "left h a L", "right": "right l d R"}
_ALWAYS = {"quit": "q ctrl-d", "help": "f1 c"}
_PLAYING = {
    **_ALWAYS,
    **_LEFT_RIGHT,
    "up": "up k w U",
    "down": "down j s D",
    "undo": "u backspace",
    "redo": "y ctrl-r",
    "pause": "p space",
    "hint": "?",
    "distance": "i",
    "new": "n",
    "restart": "r",
    "give-up": "g",
}
_REPLAY = {
    **_ALWAYS,
    **_LEFT_RIGHT,
    "pause": "p space",
    "faster": "up + =",
    "slower": "down -",
    "back": "escape enter v",
    "first": "home",
    "last": "end",
    "new": "n",
}
#: By mode of a session, the actions, and the keys of each.
_ACTIONS = {
    "drawing": _ALWAYS,
    "playing": _PLAYING,
    "paused": {"quit": "q ctrl-d"},
    "help": {"back": "q"},
    "confirm": {"yes": "y enter ctrl-d"},
    "distance": {"enter": "enter", "any": "a", "erase": "backspace", "back": "escape q n"},
    "over": {**_ALWAYS, "new": "n", "restart": "r", "watch": "enter space v"},
    "replay": _REPLAY,
}
_KEYS = {
    mode: {key: action for action, keys in actions.items() for key in keys.split()}
    for mode, actions in _ACTIONS.items()
}


def meaning_of(key: str, mode: str) -> str:
    """The action that a key means in a mode of a session, or "" for none.

    >>> meaning_of("k", "playing"), meaning_of("u", "playing"), meaning_of("U", "playing"), meaning_of("u", "replay")
    ('up', 'undo', 'up', '')
    """
    return _KEYS[mode].get(key, "")
