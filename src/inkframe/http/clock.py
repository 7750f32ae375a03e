"""The clock, which tests replace."""

from __future__ import annotations

import time
from typing import Protocol

__all__ = ["Clock", "RealClock"]


class Clock(Protocol):
    """The clock that requests use."""

    def now(self) -> float:
        """Return the seconds of a monotonic clock."""
        ...

    def sleep(self, seconds: float) -> None:
        """Wait; an interrupt ends the wait at once."""
        ...


class RealClock:
    """The clock of the machine."""

    now = staticmethod(time.monotonic)
    sleep = staticmethod(time.sleep)
