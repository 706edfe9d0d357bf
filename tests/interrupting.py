"""An exception from a signal's handler, as Ctrl-C raises one, at a moment of one's choice."""

import contextlib
import gc
import signal


@contextlib.contextmanager
def interrupted_after(seconds, error):
    """Raise an error once, so many seconds from now, in what the main thread does within this context.

    No garbage is collected meanwhile: hypothesis has a callback there, and Python drops what is raised in callbacks.
    """

    def interrupt(number, frame):
        raise error

    before = signal.signal(signal.SIGALRM, interrupt)
    gc.disable()
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        gc.enable()
