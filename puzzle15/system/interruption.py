"""An interrupt of the command during the import of the package, and at its very end; so this is imported first."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # as typing has it, which takes long to import
if TYPE_CHECKING:
    from types import TracebackType
    from typing import Optional


def end_quietly() -> None:
    """If this process is the command, let an unhandled interrupt end it without a traceback."""
    name = os.path.splitext(os.path.basename([*getattr(sys, "argv", ()), ""][0]))[0]
    if name not in ("puzzle15", "-m"):  # the script; and what stands there while ``python -m`` looks for the module
        return
    others = sys.excepthook

    def hook(kind: type[BaseException], error: BaseException, trace: Optional[TracebackType]) -> None:
        if not issubclass(kind, KeyboardInterrupt):
            others(kind, error, trace)
            return
        try:
            os.write(2, b"puzzle15: interrupted\n")
        finally:
            os._exit(130)

    sys.excepthook = hook
