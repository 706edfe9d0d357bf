"""A command in a pseudo terminal, whose screen can be read and whose keys can be pressed. Only for POSIX systems."""

import codecs
import fcntl
import os
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

#: What runs the command line without looking for its script.
COMMAND = [sys.executable, "-c", "from puzzle15._cli import run; run()"]

_SEQUENCE = re.compile(r"\x1b(?:\[([0-9;?<=>]*)([@-~])|[^[])")
_BEGIN = re.compile(r"\x1b(?:\[[0-9;?<=>]*)?\Z")


class Screen:
    """What a terminal shows after the sequences that the game uses; any other one is an error."""

    def __init__(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.modes = {"25"}  # private modes: "25" is the cursor, "1049" the other screen, "1000" and "1006" the mouse
        self.styles = set()  # all numbers of styles until now
        self.overflows = False  # whether something was written beyond the last column or the last line
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._rest = ""
        self.clear()

    def clear(self):
        self.lines = [[" "] * self.columns for _ in range(self.rows)]
        self.row = self.col = 0

    def resize(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.clear()

    def feed(self, data):
        text = self._rest + self._decoder.decode(data)
        self._rest = ""
        while text:
            sequence = _SEQUENCE.match(text)
            if sequence:
                self._obey(sequence[1], sequence[2])
                text = text[sequence.end() :]
            elif _BEGIN.match(text):
                self._rest, text = text, ""
            else:
                self._put(text[0])
                text = text[1:]

    def _put(self, character):
        if character == "\r":
            self.col = 0
        elif character == "\n":
            self._go_down()
        elif character == "\t":
            self.col = self.col // 8 * 8 + 8
        else:
            assert character.isprintable(), repr(character)
            if self.col >= self.columns:
                self.overflows = self.overflows or "1049" in self.modes
                self.col = 0
                self._go_down()
            self.lines[self.row][self.col] = character
            self.col += 1

    def _go_down(self):
        self.row += 1
        if self.row == self.rows:
            self.lines = [*self.lines[1:], [" "] * self.columns]
            self.row -= 1

    def _obey(self, numbers, letter):
        if letter == "m":
            self.styles |= set(numbers.split(";"))
        elif letter in ("h", "l") and numbers.startswith("?"):
            (self.modes.add if letter == "h" else self.modes.discard)(numbers[1:])
            if numbers == "?1049":
                self.clear()
        elif letter == "H":
            self.row, self.col = (int(number) - 1 for number in numbers.split(";"))
            if self.row >= self.rows:
                self.overflows, self.row = True, self.rows - 1
        elif letter == "K" and not numbers:
            self.lines[self.row][self.col :] = [" "] * (self.columns - self.col)
        elif letter == "J" and numbers in ("", "2"):
            for row in range(0 if numbers else self.row, self.rows):
                self.lines[row] = [" "] * self.columns
        else:
            raise AssertionError(f"ESC [ {numbers} {letter}: not known to this terminal")

    def __str__(self):
        return "\n".join("".join(line).rstrip() for line in self.lines).rstrip()


class PseudoTerminal:
    """A command that runs in a terminal of its own."""

    def __init__(self, *arguments, columns=80, rows=24, command=COMMAND, **environment):
        self.master, self.slave = os.openpty()
        self.screen = Screen(columns, rows)
        self.raw = b""
        self._set_size(columns, rows)
        self.attributes = termios.tcgetattr(self.slave)
        env = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS", "LINES")}
        self.process = subprocess.Popen(
            # The first terminal that the leader of a session opens controls it. No code in Python runs between fork and
            # exec, where it might wait for ever for a lock of another thread.
            ["sh", "-c", 'exec "$@" <"$0"', os.ttyname(self.slave), *command, *map(str, arguments)],
            stdin=self.slave,
            stdout=self.slave,
            stderr=self.slave,
            cwd=tempfile.gettempdir(),  # in the sources Python would import them, not the installed package
            start_new_session=True,
            env={**env, "TERM": "xterm", "PYTHONIOENCODING": "utf-8", **environment},
        )

    def _set_size(self, columns, rows):
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def resize(self, columns, rows):
        """Change the size, of which the system tells the command."""
        self.screen.resize(columns, rows)
        self._set_size(columns, rows)

    def press(self, keys):
        """Send keys, or whatever else the terminal sends."""
        os.write(self.master, keys.encode())

    def read(self, wait_s=0.05):
        """Show what the command has written; whether it wrote something."""
        ready, _, _ = select.select([self.master], [], [], wait_s)
        if not ready:
            return False
        try:
            data = os.read(self.master, 1 << 16)
        except OSError:  # nobody has the terminal open any more
            return False
        self.raw += data
        self.screen.feed(data)
        return bool(data)

    def wait_for(self, pattern, timeout_s=60):
        """Wait until the screen shows what a regular expression matches, and return the match."""
        deadline = time.monotonic() + timeout_s
        while not (found := re.search(pattern, str(self.screen))):
            assert time.monotonic() < deadline, f"{pattern!r} was not shown, but:\n{self.screen}"
            self.read()
        return found

    def wait(self, timeout_s=60):
        """The exit code, once the command has ended."""
        deadline = time.monotonic() + timeout_s
        while self.process.poll() is None:
            assert time.monotonic() < deadline, f"the command goes on:\n{self.screen}"
            self.read()
        while self.read(0):
            pass
        return self.process.returncode

    def is_as_before(self):
        """Whether the terminal's modes, cursor and screen are those that the command found."""
        return termios.tcgetattr(self.slave) == self.attributes and self.screen.modes == {"25"}

    def close(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
        for end in (self.master, self.slave):
            if end >= 0:
                os.close(end)
        self.master = self.slave = -1

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
