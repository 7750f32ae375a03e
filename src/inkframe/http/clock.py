"""Time, as a part that tests replace."""

from __future__ import annotations

import time
from typing import Protocol

__all__ = ["Clock", "RealClock"]


class Clock(Protocol):
    """What the conversation asks of time."""

    def now(self) -> float:
        """Give seconds that only ever grow."""
        ...

    def sleep(self, seconds: float) -> None:
        """Wait; an interrupt ends it at once."""
        ...


class RealClock:
    """The machine's own time."""

    now = staticmethod(time.monotonic)
    sleep = staticmethod(time.sleep)
