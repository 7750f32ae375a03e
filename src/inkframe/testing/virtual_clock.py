"""Time that passes only when somebody waits."""

from __future__ import annotations

import threading

__all__ = ["VirtualClock"]


class VirtualClock:
    """A virtual clock that service and client share: waiting takes no time at all.

    Attributes:
        slept: Every wait that was asked for, in seconds, in the order it was asked.

    Args:
        start: The first reading, in seconds.

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
        """Give the seconds that have passed; they only ever grow."""
        return self._now

    def sleep(self, seconds: float) -> None:
        """Let time pass and note that it was waited for.

        Raises:
            ValueError: The seconds are negative or no number, as ``time.sleep`` has it.
        """
        self.advance(seconds)
        self.slept.append(seconds)

    def advance(self, seconds: float) -> None:
        """Let time pass without anybody having waited, as a slow reply does.

        Raises:
            ValueError: The seconds are negative or no number.
        """
        if not 0 <= seconds < float("inf"):
            raise ValueError(f"time passes by 0 seconds or more, not by {seconds!r}")
        with self._lock:
            self._now += seconds

    def __repr__(self) -> str:
        return f"<VirtualClock at {self._now:g} s, {len(self.slept)} waits>"
