"""The commands and their parsers. A command's module is imported when the command is used."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from itertools import takewhile
from typing import Any, NoReturn

from .._system.version import __version__
from .console import OK, USAGE, UsageError, columns, say, write_text

#: The commands in groups: of each its name, its module, and what it does. The module has a function of this name, with
#: ``_`` for ``-``, which runs the command, and a text of the same name in capitals, which `declare` reads.
_GROUPS = """
solve:
  solve            solve     solve boards in the fewest moves
  hint             hint      print the distance of boards and all their optimal moves
  analyse          hint      follow a solution move by move, and find the mistakes

play:
  play             play      try to match the shortest solution, in the terminal
  page             serve     write the page that plays and solves in the browser
  serve            serve     serve the page to play on, and a JSON interface
  scramble         dataset   draw random boards, also at exact distances

notation:
  apply            notation  make moves on boards
  moves            notation  invert moves, simplify them, or print their number
  convert          notation  write boards and moves in another form, or for another goal
  check            notation  check whether boards can be read and solved

pictures:
  draw             draw      draw a board, or moves that play, into a file
  show             draw      show boards as boxes in the terminal
  tree             research  draw the search tree of a textbook search

tables:
  build            tables    build the tables that make solving fast
  verify           tables    build the tables again in memory, and compare every entry
  info             tables    print versions, the processor, and the installed tables

research:
  algorithms       references  list the textbook searches, and what each promises
  heuristics       references  list the heuristics that textbook searches can use
  compare          research  compare searches on one board, or on a set of boards
  check-heuristic  research  try whether a heuristic is admissible and consistent
  label            dataset   draw boards, label them with distances, and store them
  subproblem       local_vi  print what local value iteration learns
  reproduce        research  reproduce a paper, and compare its figures

shell:
  completions      parser    print completions of commands and options for a shell
"""
_WIDEST = 88  # columns of help
COMMANDS = re.findall(r"(?m)^  (\S+) +(\S+) +(.*)", _GROUPS)

_EXIT_CODES = """
exit codes: 0 success; 1 a board failed; 2 usage error; 3 tables missing or corrupt,
or no room for them; 130 interrupted; 143 terminated
"""
_FIRST_STEPS = """
first steps:
  puzzle15 solve "8 6 7/2 5 4/3 0 1"   rows joined by /; 0 is the blank
  puzzle15 page --open                 play in the browser
  puzzle15 build                       once, for full speed; it takes 196 MB
  puzzle15 COMMAND --help              the options of a command, and examples
"""


class _Help(argparse.RawDescriptionHelpFormatter):
    """Help as wide as the terminal, up to a width at which it is read with ease. Names with hyphens stay whole.

    Paragraphs are filled; lines that begin with a space stay as they are.
    """

    def __init__(self, prog: str, *arguments: Any, **named: Any) -> None:
        # Without a width, argparse imports `shutil` to find it, once per option.
        super().__init__(prog, *arguments, **{"width": min(columns() - 2, _WIDEST), **named})

    def _split_lines(self, text: str, width: int) -> list[str]:
        from textwrap import wrap  # as argparse does: only help needs it

        return wrap(text, width, break_on_hyphens=False)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        def fill(paragraph: re.Match[str]) -> str:
            return "\n".join(indent + line for line in self._split_lines(paragraph[0], width - len(indent)))

        return re.sub(r"(?m)^\S.*(?:\n\S.*)*", fill, text)


class Parser(argparse.ArgumentParser):
    """A parser that reports an error in one line, and that gets its options from `declare` when it is first used.

    Options are written out: an abbreviation would become ambiguous when a new option comes.
    """

    def __init__(self, declare: Callable[[Parser], None] = lambda parser: None, **named: Any) -> None:
        super().__init__(**named, formatter_class=_Help, allow_abbrev=False)
        self._declare = declare

    def fill(self) -> None:
        """Get the options now; the parser does this itself before it parses."""
        declare, self._declare = self._declare, lambda parser: None
        declare(self)

    def parse_known_args(self, *arguments: Any, **named: Any) -> Any:
        self.fill()
        options, unknown = super().parse_known_args(*arguments, **named)
        self._check_quoted(options, unknown)
        if unknown:  # reported here, because the parser of all commands does not have the options of this one
            known = [name for name, action in self._option_string_actions.items() if action.help != argparse.SUPPRESS]
            self.error(f"unrecognized arguments: {' '.join(unknown)}{_meant(unknown[0].partition('=')[0], known)}")
        return options, unknown

    def _check_quoted(self, options: argparse.Namespace, unknown: list[str]) -> None:
        """Raise UsageError if the tiles of a board, or the letters of moves, are several arguments."""
        words: list[str] = []
        for action in self._actions:
            if action.metavar in ("BOARD", "LINE", "MOVES") and not action.option_strings:
                value = getattr(options, action.dest)
                words += [value] if isinstance(value, str) else value or []
        if not words:
            return
        words += unknown
        for what, piece in (("line of moves", _MOVE), ("board", _PIECE)):
            pieces = list(takewhile(re.compile(piece).fullmatch, words))
            rest = words[len(pieces) :]
            are_boards = all(re.search("[/,]", piece) for piece in pieces)
            if len(pieces) > 1 and not are_boards and all(re.fullmatch(f"({_MOVE})+", word) for word in rest):
                text = " ".join([f'"{" ".join(pieces)}"', *rest])
                raise UsageError(f"a {what} is one argument; quote it: {self.prog} {text}")

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
        else:
            super()._print_message(message, file)

    def error(self, message: str) -> NoReturn:
        say(f"error: {message} (try: {self.prog} --help)")
        sys.exit(USAGE)


_TILE = r"(\d{1,2}|[_.xb-])"
_PIECE = rf"[\[/,]*{_TILE}[\]/,]*|{_TILE}/{_TILE}|/"  # of a board in any notation
_MOVE = "[UDLRudlr][1-9]?"


def _meant(word: str, names: list[str]) -> str:
    """Return the name that is most like `word`, as the end of a sentence; empty if none is like it."""
    from difflib import get_close_matches  # needed after mistakes only

    longer = [name for name in names if name.startswith(word)]
    return "".join(f"; did you mean {name}?" for name in (longer or get_close_matches(word, names, 1, 0.7))[:1])


def make_parser() -> Parser:
    """Return a parser of the whole command line."""
    parser = Parser(
        prog="puzzle15",
        usage="%(prog)s [-h] [--version] COMMAND ...",
        description="Solve the 15-puzzle, and others of up to 16 cells, in the fewest moves.",
        epilog=(re.sub(r"(?m)^(  \S+ +)\S+ +", r"\1", _GROUPS) + _EXIT_CODES + _FIRST_STEPS).strip(),
    )
    parser.add_argument("--version", action="version", version=f"puzzle15 {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", prog="puzzle15", help=argparse.SUPPRESS)
    for name, module, summary in COMMANDS:
        description = summary[0].upper() + summary[1:] + "."
        commands.add_parser(name, help=summary, description=description, declare=partial(_declare, name, module))
    return parser


def make_whole_parser() -> tuple[Parser, list[Parser]]:
    """Return a parser of the whole command line and the parsers of its commands, with all options and all help.

    Programs that read parsers need this, such as those that make completions and the pages of the site.
    """
    parser = make_parser()
    (commands,) = (each for each in parser._actions if isinstance(each, argparse._SubParsersAction))
    commands.help = "what to do"
    for each in commands.choices.values():
        each.fill()
    return parser, list(commands.choices.values())


def _declare(name: str, module: str, parser: Parser) -> None:
    found, name = import_module(f".{module}", __package__), name.replace("-", "_")
    options = import_module(".options", __package__)
    options.declare(parser, getattr(found, name), getattr(found, name.upper()), getattr(found, "TYPES", {}))


COMPLETIONS = """
shell=bash|zsh|fish|powershell    the shell

The script completes commands, their options, the names of files, and the words that an option can have. This needs the
package shtab (pip install shtab). For zsh, write fpath+=~/.zfunc before compinit into ~/.zshrc.

examples:
  puzzle15 completions bash >> ~/.bash_completion
  puzzle15 completions zsh > ~/.zfunc/_puzzle15
  puzzle15 completions fish > ~/.config/fish/completions/puzzle15.fish
"""


def completions(args: argparse.Namespace) -> int:
    try:
        import shtab
    except ImportError as error:
        raise ImportError("completions need shtab: pip install shtab") from error
    from ..heuristics import NAMES
    from ..searches._algorithms import ALGORITHMS, EXAMPLES

    searches = [name.replace("*", "star") for name in (*ALGORITHMS, *EXAMPLES)]
    words = {"A": searches, "ALGORITHM": searches, "H": [*NAMES, "tables", "ann"]}  # that help names by these
    whole, commands = make_whole_parser()
    for action in (action for command in commands for action in command._actions):
        action.choices = action.choices or words.get(str(action.metavar))
        if action.metavar in ("FILE", "FOLDER"):
            kind = shtab.FILE if action.metavar == "FILE" else shtab.DIRECTORY
            action.complete = kind  # type: ignore[attr-defined]
    write_text(shtab.complete(whole, args.shell))
    return OK
