"""Tests with bounds on time. Other work on the machine can break such a bound, but not many times in a row."""

import functools
import time

ATTEMPTS = 4


def timed(test):
    """Let a test that measures time try again. A lost speed breaks its bound each time, another process just once."""

    @functools.wraps(test)
    def attempts(*arguments, **named):
        for attempt in range(ATTEMPTS - 1):
            try:
                return test(*arguments, **named)
            except AssertionError as error:
                print(f"attempt {attempt + 1}: {error}")  # pytest shows it if the last attempt fails
            time.sleep(0.5)
        return test(*arguments, **named)

    return attempts
