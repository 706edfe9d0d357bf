"""The parsers of the commands: each command's module is imported when somebody asks for the command."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import Any, NoReturn, Optional

from .console import USAGE, say
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
    """A parser that reports an error in one line, and that can get its options when it is first used."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **{"formatter_class": _Help, **named})
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
        return super().parse_known_args(*arguments, **named)

    def error(self, message: str) -> NoReturn:
        say(f"error: {message} (try: {self.prog} --help)")
        sys.exit(USAGE)


def set_command(parser: Parser, run: Callable[[argparse.Namespace], int], examples: list[str]) -> None:
    """Say what a command calls with its arguments, and show examples, which run as they are written."""
    parser.set_defaults(run=run)
    parser.epilog = "examples:\n" + "\n".join(f"  {example}" for example in examples)
