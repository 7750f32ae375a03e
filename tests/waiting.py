"""Wait for what a thread, a process or a page brings about; only a failing test reaches the limit."""

import time

__all__ = ["LIMIT", "until"]

#: The longest wait in seconds.
LIMIT = 120


def until(condition):
    """Return the first true value of a condition."""
    end = time.monotonic() + LIMIT
    while not (found := condition()):
        assert time.monotonic() < end, "it never came"
        time.sleep(0.005)
    return found
