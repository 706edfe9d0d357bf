"""Tests with bounds on time. Other work on the machine can break such a bound, but not many times in a row."""

import contextlib
import functools
import time
from statistics import median

ATTEMPTS = 4
PAIRS = (3, 5, 5)  # of each try

TRIED_AGAIN, NOT_MEASURED = "too slow and tried again", "not measured"

#: (one of these, why) of the running test. They are in its report, and in pytest's summary.
notes = []


def wait_until_alone():
    """Wait until no other test of the run is at work; conftest.py replaces it where there are several processes."""


PATIENCE_S = 30  # only a test that fails waits so long


def wait_for(true, seconds=PATIENCE_S):
    """Wait until a function gives something true, at most so long; what it gives then."""
    end = time.monotonic() + seconds
    while not true() and time.monotonic() < end:
        time.sleep(0.01)
    return true()


_broken = None  # bounds that the running test has broken; None while none runs that may break one


class TooSlow(AssertionError):
    """A test broke a bound on time. All else that it asserted was true."""


def at_most(measured, bound, what="s"):
    """Note that a bound is broken. The test goes on, so that its results are looked at, and ends as too slow."""
    assert _broken is not None, "a bound on time needs @timed"
    if not measured <= bound:
        _broken.append(f"{measured:.3g} {what}: expected at most {bound:.3g}")


@contextlib.contextmanager
def within(seconds):
    """Bound the wall time of a statement."""
    began = time.monotonic()
    yield
    at_most(time.monotonic() - began, seconds)


def timed(test):
    """Let a test with bounds on time try again when it is too slow, and for nothing else: a wrong result fails at once.

    A lost speed breaks its bound each time, another process just once. From the second time on, no other test of this
    run runs meanwhile.
    """

    @functools.wraps(test)
    def attempts(*arguments, **named):
        global _broken
        for attempt in range(1, ATTEMPTS + 1):
            _broken = []
            try:
                test(*arguments, **named)
                broken = _broken
            finally:
                _broken = None
            if not broken:
                return
            if attempt == ATTEMPTS:
                raise TooSlow("; ".join(broken))
            notes.append((TRIED_AGAIN, "; ".join(broken)))
            time.sleep(0.5)
            wait_until_alone()

    attempts.is_timed = True
    return attempts


def check_pairs(pair, bound):
    """Bound ratios of times that are measured in pairs: the medians, of which one has to be too high in each try.

    Parameters
    ----------
    pair : callable
        Measures each of two or more things once: a dict from names to ratios.
    bound : float
        The most that the median of each may be.
    """
    too_slow = {}
    for attempt, pairs in enumerate(PAIRS):
        found = [pair() for _ in range(pairs)]
        ratios = {name: median(each[name] for each in found) for name in found[0]}
        print(ratios)
        too_slow = {
            name: [*too_slow.get(name, []), ratio]
            for name, ratio in ratios.items()
            if ratio > bound and (name in too_slow or not attempt)
        }
        if not too_slow:
            return
        if attempt < len(PAIRS) - 1:
            notes.append((TRIED_AGAIN, f"{too_slow}, at most {bound}"))
    raise TooSlow(f"each time too slow, at most {bound}: {too_slow}")
