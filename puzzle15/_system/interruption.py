"""An interrupt of the command while there is nothing to finish: during its imports, and when all is written."""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # the part of it that is there at once
import os
import sys

TYPE_CHECKING = False  # as typing has it, which takes long to import
if TYPE_CHECKING:
    from types import FrameType
    from typing import NoReturn, Optional


def take_over() -> None:
    """Let an interrupt end this process at once, in one line; not under nohup, nor where others handle interrupts."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, end_at_once)


def end_at_once(number: int, frame: Optional[FrameType]) -> NoReturn:
    """End the process, as the handler of a signal."""
    try:
        os.write(2, b"puzzle15: interrupted\n")
    finally:
        os._exit(128 + number)


def is_command() -> bool:
    """Return whether this process is the command, which is being imported: ``python -m puzzle15``, or its script."""
    program, *arguments = getattr(sys, "argv", None) or [""]
    if program == "-m":  # until the module is found, whose name stands before the arguments
        given = getattr(sys, "orig_argv", ())  # since Python 3.10
        return given[-1 - len(arguments) :][:1] == ["puzzle15"]
    main = sys._getframe()
    while main.f_back is not None:
        main = main.f_back
    name = os.path.basename(program).partition(".")[0]
    return name == "puzzle15" and {"puzzle15._cli", "run"} <= {*main.f_code.co_names}
