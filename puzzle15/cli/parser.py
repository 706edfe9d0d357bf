"""The parsers of the commands: each command's module is imported when somebody asks for the command."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import Any, NoReturn, Optional

from .console import USAGE, flush_output, say, write_text
from .terminal import columns

__all__ = ["Parser", "RawHelp", "set_command"]


class _Help(argparse.HelpFormatter):
    """Help as wide as the terminal.

    argparse makes one for each option, and without a width each asks the terminal by a module that imports much.
    """

    def __init__(self, prog: str, *arguments: Any, **named: Any) -> None:
        super().__init__(prog, *arguments, **{"width": columns() - 2, **named})


class RawHelp(_Help, argparse.RawDescriptionHelpFormatter):
    """Help whose description and examples stay as they are written."""


class Parser(argparse.ArgumentParser):
    """A parser that reports an error in one line, and that can get its options when it is first used.

    Options are written out: an abbreviation would become ambiguous when a new option comes.
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **{"formatter_class": _Help, "allow_abbrev": False, **named})
        self._options: Optional[Callable[[Parser], None]] = None

    def fill_later(self, options: Callable[[Parser], None]) -> None:
        """Let `fill` call `options` with this parser, once."""
        self._options = options

    def fill(self) -> None:
        """Get the options now; the parser does this itself before it parses."""
        options, self._options = self._options, None
        if options is not None:
            options(self)

    def parse_known_args(self, *arguments: Any, **named: Any) -> Any:
        self.fill()
        options, unknown = super().parse_known_args(*arguments, **named)
        if unknown:  # said here, because the parser of all commands knows no options of this one
            known = [name for name, action in self._option_string_actions.items() if action.help != argparse.SUPPRESS]
            self.error(f"unrecognized arguments: {' '.join(unknown)}{_meant(unknown[0].partition('=')[0], known)}")
        return options, unknown

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is None or value in action.choices:
            return
        names = [str(choice) for choice in action.choices]
        what = _meant(value, names) or f"; expected {', '.join(names)}"
        raise argparse.ArgumentError(action, f"invalid choice: {value!r}{what}")

    def _print_message(self, message: str, file: Any = None) -> None:
        """Write help or a version; argparse would drop what cannot be written."""
        if message and file is sys.stdout:
            write_text(message)
            flush_output()
        else:
            super()._print_message(message, file)

    def error(self, message: str) -> NoReturn:
        say(f"error: {message} (try: {self.prog} --help)")
        sys.exit(USAGE)


def _meant(word: str, names: list[str]) -> str:
    """The name that somebody may have meant by `word`, as the end of a sentence; empty if none is like it."""
    from difflib import get_close_matches  # needed after mistakes only

    longer = [name for name in names if name.startswith(word)]
    return "".join(f"; did you mean {name}?" for name in (longer or get_close_matches(word, names, 1, 0.7))[:1])


def set_command(parser: Parser, run: Callable[[argparse.Namespace], int], examples: list[str]) -> None:
    """Say what a command calls with its arguments, and show examples, which run as they are written."""
    parser.set_defaults(run=run)
    parser.epilog = "examples:\n" + "\n".join(f"  {example}" for example in examples)
