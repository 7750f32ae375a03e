"""A clock that advances only when somebody waits."""

import threading


class VirtualClock:
    """A virtual clock shared by service and client, so that waiting takes no time.

    Attributes:
        slept: Every requested wait in seconds, in order.

    Args:
        start: The initial time in seconds.
    """

    def __init__(self, start=0.0):
        self._lock = threading.Lock()
        self._now = float(start)
        self.slept = []

    def now(self):
        """Return the time in seconds, which never decreases."""
        return self._now

    def sleep(self, seconds):
        """Advance the clock and record the wait; negative seconds are an error, as for ``time.sleep``."""
        self.advance(seconds)
        self.slept.append(seconds)

    def advance(self, seconds):
        """Advance the clock without a recorded wait, as for a slow reply."""
        if not 0 <= seconds < float("inf"):
            raise ValueError(f"seconds must be a finite number, 0 or greater, got {seconds!r}.")
        with self._lock:
            self._now += seconds
