"""Limit how many jobs run at once: by measurement, and by what the service allows."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from inkframe.concurrency.cancellation import CancelScope

__all__ = ["Feedback", "Limiter"]

#: Below this many seconds of waiting, a second thread costs more than it saves.
NEARBY: Final = 0.003
#: The number of replies that are measured; the first also opens the connection.
MEASURED: Final = 2

Reply = TypeVar("Reply")


class Feedback(NamedTuple):
    """The limit that a reply reports.

    Args:
        limit: How many requests the service allows.
        remaining: How many requests are left.
        rest: Seconds to wait before the next one.
    """

    limit: int | None = None
    remaining: int | None = None
    rest: float = 0.0


class Limiter:
    """The number of jobs that may run at once: halved when the service pushes back, then raised again.

    Args:
        most: The maximum width.
        width: The initial width; the maximum by default.

    Attributes:
        width: How many jobs may run now.
        ceiling: The width that is reached again after a push-back.
        measured: How many replies were measured.
        limit: The service's own limit as text, if it reports one.
    """

    def __init__(self, most: int, width: int | None = None) -> None:
        self.ceiling = max(1, most)
        self.width = self.ceiling if width is None else width
        self.measured = 0
        self.limit: str | None = None
        self._most = self.ceiling
        self._pushed = 0
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
        self.ceiling = self.width = max(1, min(self._most, useful))

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
        part.measured, part._pushed = self.measured, self._pushed
        return part

    def note(self, scope: CancelScope, feedback: Feedback) -> float:
        """Adjust the width after a job and return the seconds to wait before the next one."""
        if scope.pushed_back > self._pushed:
            self._pushed = scope.pushed_back
            self.width = max(1, self.width // 2)
        elif self.width < self.ceiling:
            self.width += 1
        if feedback.limit is not None:
            self.limit = f"limit {feedback.limit:,}"
        if feedback.remaining is not None:
            self.width = max(1, min(self.width, feedback.remaining))
        return feedback.rest
