"""Choose how many jobs run at once, by measurement."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Limiter"]

#: Below this many seconds of waiting, a second thread costs more than it saves.
NEARBY: Final = 0.003
#: The number of replies that are measured; the first also opens the connection.
MEASURED: Final = 2

Reply = TypeVar("Reply")


class Limiter:
    """The number of jobs that may run at once.

    Args:
        most: The maximum width.
        width: The width until replies were measured; the maximum by default.

    Attributes:
        width: How many jobs may run.
        measured: How many replies were measured.
    """

    def __init__(self, most: int, width: int | None = None) -> None:
        self.width = most if width is None else width
        self.measured = 0
        self._most = most
        self._waited = self._worked = float("inf")

    def measure(self, waited: float, worked: float) -> None:
        """Choose the width from replies to single requests: threads shorten only the waiting.

        Args:
            waited: Seconds spent waiting for a reply.
            worked: Seconds this process spent on it.
        """
        self.measured += 1
        self._waited, self._worked = min(self._waited, waited), min(self._worked, worked)
        # Twice what keeps one core busy, since some pages take longer.
        useful = 1 if self._waited < NEARBY else round(2 * self._waited / max(self._worked, 0.0005))
        self.width = max(1, min(self._most, useful))

    def timed(self, ask: Callable[[], Reply]) -> Reply:
        """Return the reply to a single request; the first ones are measured."""
        if self.measured >= MEASURED:
            return ask()
        began, worked = time.monotonic(), time.thread_time()
        reply = ask()
        worked = time.thread_time() - worked
        self.measure(time.monotonic() - began - worked, worked)
        return reply

    def part(self, width: int) -> Limiter:
        """Return a limiter of the given width that keeps the measurements of this one."""
        part = Limiter(width)
        part.measured = self.measured
        return part
