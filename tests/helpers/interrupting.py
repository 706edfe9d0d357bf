"""Signals in tests: as in a terminal, one at a moment of one's choice, and one that ends a test that hangs."""

import contextlib
import faulthandler
import gc
import signal

#: How long a test may take, and a slow one.
LIMIT_S, SLOW_LIMIT_S = 600, 3600
#: How long a test that took longer has for its end, before it is interrupted again; the third time ends the whole run.
GRACE_S = 30


class TimeLimit(BaseException):
    """A test took too long. It is not an Exception, so nothing that is tested or that tests takes it for its own."""


def _ignore(number, frame):
    """Other than SIG_IGN, this does not pass to started processes."""


def let_signals_act():
    """Let signals act as in a terminal, on this process and those that it starts.

    A script that says ``pytest &`` makes pytest ignore SIGINT, nohup makes it ignore SIGHUP, and both would pass to
    every process of the tests.
    """
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    for name in ("SIGHUP", "SIGTERM"):
        number = getattr(signal, name, None)
        if number and signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, _ignore)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGALRM})


@contextlib.contextmanager
def _alarm(handler, seconds, interval=0.0):
    """Call the handler of SIGALRM so many seconds from now. An alarm around this one waits meanwhile."""
    before = signal.signal(signal.SIGALRM, handler)
    remaining = signal.setitimer(signal.ITIMER_REAL, seconds, interval)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        signal.setitimer(signal.ITIMER_REAL, *remaining)


@contextlib.contextmanager
def interrupted_after(seconds, error):
    """Raise an error once, so many seconds from now, in what the main thread does within this context.

    No garbage is collected meanwhile: hypothesis has a callback there, and Python drops what is raised in callbacks.
    """

    def interrupt(number, frame):
        raise error

    gc.disable()
    try:
        with _alarm(interrupt, seconds):
            yield
    finally:
        gc.enable()


@contextlib.contextmanager
def time_limit(seconds, stderr):
    """End what takes longer: by an exception, or if that does not help, with the process, which shows all its threads.

    An exception lets a test end its processes. It cannot end a function in C that looks for no signals.
    """

    def interrupt(number, frame):
        raise TimeLimit(f"the test took longer than {seconds} seconds")

    faulthandler.dump_traceback_later(seconds + 2.5 * GRACE_S, exit=True, file=stderr)
    try:
        if hasattr(signal, "setitimer"):
            with _alarm(interrupt, seconds, GRACE_S):
                yield
        else:
            yield
    finally:
        faulthandler.cancel_dump_traceback_later()
