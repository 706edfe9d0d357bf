"""Old names of command-line options, which stay for one release and say what they are called now.

>>> from argparse import ArgumentParser
>>> parser = ArgumentParser()
>>> keep_old_option(parser, parser.add_argument("--workers", type=int), "--threads")
>>> options = parser.parse_args(["--threads", "2"])
>>> options.workers, take_old_options(options)
(2, ['--threads is now --workers; the next release does not know the old name'])
"""

from __future__ import annotations

from argparse import SUPPRESS, Action
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace, _ActionsContainer

__all__ = ["keep_old_option", "take_old_options"]


def keep_old_option(parser: _ActionsContainer, option: Action, name: str) -> None:
    """Let a parser, or a group of its options, understand an option by its old name, too; the help does not show it."""
    parser.add_argument(name, action=_OldOption, option=option)


def take_old_options(options: Namespace) -> list[str]:
    """What to say about the old names that were given, one line for each; the options lose the note of them."""
    used: dict[str, str] = vars(options).pop("old_options", {})
    return [f"{old} is now {new}; the next release does not know the old name" for old, new in used.items()]


class _OldOption(Action):
    """Does what another option does, and takes note of it."""

    def __init__(self, option_strings: list[str], dest: str, option: Action) -> None:
        super().__init__(
            option_strings,
            option.dest,
            nargs=option.nargs,
            type=cast(Any, option.type),
            default=SUPPRESS,
            metavar=option.metavar,
            help=SUPPRESS,
        )
        self._option = option

    def __call__(self, parser: ArgumentParser, options: Namespace, *values: Any) -> None:
        (new,) = self._option.option_strings
        options.__dict__.setdefault("old_options", {})[self.option_strings[0]] = new
        self._option(parser, options, *values)
