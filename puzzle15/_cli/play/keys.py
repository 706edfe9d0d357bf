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

# Sequences as ECMA-48 and xterm define them: ESC [ parameters letter; ESC O letter; and what may still become one.
_SEQUENCE = re.compile(r"\x1b(?:\[\[[@-~]|\[[0-?]*[ -/]*[@-Z\\-~]|O.)")
_BEGIN = re.compile(r"\x1b(?:\[\[|\[[0-?]*[ -/]*|O)?\Z")
_MOUSE = re.compile(r"\x1b\[<0;(\d+);(\d+)M")


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
    if mouse := _MOUSE.fullmatch(sequence):
        return Click(int(mouse[2]) - 1, int(mouse[1]) - 1)
    end = sequence[2:]
    return _NAMES.get(end) or _NAMES.get(end[-1:] if end[-1:] != "~" else end)
