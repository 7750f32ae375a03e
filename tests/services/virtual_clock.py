"""A clock that advances only when somebody waits."""

from __future__ import annotations

import threading

__all__ = ["VirtualClock"]


class VirtualClock:
    """A virtual clock shared by service and client, so that waiting takes no time.

    Attributes:
        slept: Every requested wait in seconds, in order.

    Args:
        start: The initial time in seconds.

    Example:
        >>> clock = VirtualClock()
        >>> clock.sleep(30)
        >>> clock.now(), clock.slept
        (30.0, [30])
    """

    def __init__(self, start: float = 0.0) -> None:
        self._lock = threading.Lock()
        self._now = float(start)
        self.slept: list[float] = []

    def now(self) -> float:
        """Return the time in seconds, which never decreases."""
        return self._now

    def sleep(self, seconds: float) -> None:
        """Advance the clock and record the wait.

        Raises:
            ValueError: The seconds are negative or not a number, as for ``time.sleep``.
        """
        self.advance(seconds)
        self.slept.append(seconds)

    def advance(self, seconds: float) -> None:
        """Advance the clock without a recorded wait, as for a slow reply.

        Raises:
            ValueError: The seconds are negative or not a number.
        """
        if not 0 <= seconds < float("inf"):
            raise ValueError(f"seconds must be a finite number, 0 or greater, got {seconds!r}.")
        with self._lock:
            self._now += seconds

    def __repr__(self) -> str:
        return f"<VirtualClock at {self._now:g} s, {len(self.slept)} waits>"
