"""Keys and clicks, read from the bytes that a terminal sends."""

from __future__ import annotations

import re
from typing import NamedTuple, Optional, Union


class Click(NamedTuple):
    """A click with the first mouse button, at a row and a column from 0 on."""

    row: int
    col: int


#: The name of a key, such as "up" or "u"; or a click.
Key = Union[str, Click]

#: Names by the end of a sequence. "[A" is F1 on Linux without a window system.
_NAMES = {"A": "up", "B": "down", "C": "right", "D": "left", "P": "f1", "11~": "f1", "[A": "f1"}
_CHARACTERS = {"\r": "enter", "\n": "enter", "\x7f": "backspace", "\b": "backspace", " ": "space", "\t": "tab"}
_CHARACTERS |= {"\x12": "ctrl-r", "\x04": "ctrl-d", "\x0c": "ctrl-l", "\x1b": "escape"}

# A click; sequences as ECMA-48 and xterm define them: ESC [ parameters letter; ESC O letter; or any character.
_KEY = re.compile(r"\x1b\[<0;(\d+);(\d+)M|\x1b(?:\[\[[@-~]|\[[0-?]*[ -/]*[@-Z\\-~]|O.)|.", re.DOTALL)
_BEGIN = re.compile(r"\x1b(?:\[\[|\[[0-?]*[ -/]*|O)?\Z")  # what may still become a sequence


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
        """Return the keys in some bytes. No bytes end the waiting: then what begins a key is a key itself."""
        text = (self._rest + data).decode("latin-1")  # every byte is a character; keys are ASCII
        begun = _BEGIN.search(text) if data else None
        end = begun.start() if begun else len(text)
        self._rest = text[end:].encode("latin-1")
        return [key for key in map(_key, _KEY.finditer(text, 0, end)) if key is not None]


def _key(found: re.Match[str]) -> Optional[Key]:
    """Return the key of a sequence, None for one without a meaning."""
    if found[1]:
        return Click(int(found[2]) - 1, int(found[1]) - 1)
    if len(found[0]) == 1:
        return _CHARACTERS.get(found[0], found[0])
    return _NAMES.get(found[0][2:], _NAMES.get(found[0][-1]))
