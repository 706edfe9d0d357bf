"""The parsers of the commands: each command's module is imported when somebody asks for the command."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import Any, NoReturn, Optional

from .console import USAGE, say

__all__ = ["Parser", "set_command"]


class Parser(argparse.ArgumentParser):
    """A parser that reports an error in one line, and that can get its options when it is first used."""

    _options: Optional[Callable[[Parser], None]] = None

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
