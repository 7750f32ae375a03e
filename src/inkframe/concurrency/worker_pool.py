"""Pages in parallel: as many requests in flight as help, fewer at once when the service pushes back."""

from __future__ import annotations

import threading
import time
from collections import deque
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from inkframe.http.retry import retry_after

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from inkframe.concurrency.cancellation import CancelScope

__all__ = ["Crew", "Pace"]

Job = TypeVar("Job")
Result = TypeVar("Result")

REMAINING: Final = ("x-ratelimit-remaining", "ratelimit-remaining", "x-rate-limit-remaining")
LIMIT: Final = ("x-ratelimit-limit", "ratelimit-limit", "x-rate-limit-limit")
#: Seconds of waiting below which a second thread costs more than it brings.
NEARBY: Final = 0.003
#: Pages that are held beyond the ones in flight, so that one slow reply does not stop all others.
AHEAD: Final = 4


class Pace:
    """How many requests are in flight: grows with success, halves when the service pushes back.

    Args:
        most: The most there may be.

    Attributes:
        width: How many may be in flight now.
        measured: How many replies were measured.
        limit: The service's own limit, in its words, where it shows one.
    """

    def __init__(self, most: int) -> None:
        self.most = max(1, most)
        self.measured = 0
        self.width = 1
        self.limit: str | None = None
        self._ceiling = self.most
        self._pushed = 0
        self._waited = self._worked = float("inf")

    def measure(self, waited: float, worked: float) -> None:
        """Choose a width from replies that came one at a time: threads help with waiting only.

        Args:
            waited: Seconds in which a reply was awaited.
            worked: Seconds of this process's own work for it.
        """
        self.measured += 1
        self._waited, self._worked = min(self._waited, waited), min(self._worked, worked)
        # Twice what would keep one core busy, since a page takes longer now and then.
        useful = 1 if self._waited < NEARBY else round(2 * self._waited / max(self._worked, 0.0005))
        self._ceiling = self.width = max(1, min(self.most, useful))

    def part(self, width: int) -> Pace:
        """Give a pace of as many requests at a time, which goes on from what was measured here."""
        part = Pace(width)
        part.measured, part.width, part._ceiling, part._pushed = self.measured, width, width, self._pushed
        return part

    def note(self, scope: CancelScope, headers: Mapping[str, str]) -> float:
        """Take account of a reply; gives the seconds to wait before the next request."""
        if scope.pushed_back > self._pushed:
            self._pushed = scope.pushed_back
            self.width = max(1, self.width // 2)
        elif self.width < self._ceiling:
            self.width += 1
        limit, remaining = _number(headers, LIMIT), _number(headers, REMAINING)
        if limit is not None:
            self.limit = f"limit {limit:,}"
        if remaining is not None and remaining < self.width:
            self.width = max(1, remaining)
        return retry_after(headers) or 0.0 if remaining == 0 else 0.0


class Crew(Generic[Job, Result]):
    """Threads that fetch for one listing; the caller's thread takes the results in order.

    Args:
        work: Does one job, in any thread.
        pace: How many at a time.
        scope: What cancels them all.
        headers: Gives the headers that came with a result, for the pace.
    """

    def __init__(
        self,
        work: Callable[[Job], Result],
        pace: Pace,
        scope: CancelScope,
        headers: Callable[[Result], Mapping[str, str]],
    ) -> None:
        self._work = work
        self._pace = pace
        self._scope = scope
        self._headers = headers
        self._lock = threading.Lock()
        self._wanted = threading.Condition(self._lock)
        # A queue, since an interrupt may end a wait for it at any moment; a condition would lose its lock.
        self._arrived: SimpleQueue[tuple[int, Result | BaseException]] = SimpleQueue()
        self._waiting: deque[tuple[int, Job]] = deque()
        self._results: dict[int, Result | BaseException] = {}
        self._given = 0
        self._threads: list[threading.Thread] = []
        self._busy = 0
        self._rest_until = 0.0

    def run(self, jobs: Sequence[Job]) -> Iterator[Result]:
        """Give the result of each job, in order; at the end, or when left early, no thread remains.

        Raises:
            InkframeError: A job failed; the others are cancelled.
        """
        if self._pace.width == 1 or len(jobs) <= 1:
            yield from self._alone(jobs)
            return
        self._waiting.extend(enumerate(jobs))
        finished = False
        try:
            for number in range(len(jobs)):
                yield self._await(number)
            finished = True
        finally:
            if not finished:
                # Left early: an error, an interrupt, or a caller that has enough.
                self._scope.cancel()
            with self._lock:
                self._waiting.clear()
                self._wanted.notify_all()
            for thread in self._threads:
                thread.join()

    def _alone(self, jobs: Sequence[Job]) -> Iterator[Result]:
        for job in jobs:
            result = self._work(job)
            rest = self._pace.note(self._scope, self._headers(result))
            if rest:
                self._scope.wait(rest)
            yield result

    def _await(self, number: int) -> Result:
        with self._lock:
            self._given = number
            self._hire()
            self._wanted.notify()
        while number not in self._results:
            # A bounded wait, since some systems deliver an interrupt only between waits.
            with suppress(Empty):
                arrived, result = self._arrived.get(timeout=0.05)
                self._results[arrived] = result
        found = self._results.pop(number)
        if isinstance(found, BaseException):
            raise found
        return found

    def _hire(self) -> None:
        """Start threads up to the width; those beyond it end by themselves."""
        while len(self._threads) < min(self._pace.width, len(self._waiting) + self._busy):
            thread = threading.Thread(target=self._fetch, name="inkframe-pages", daemon=True)
            self._threads.append(thread)
            thread.start()

    def _fetch(self) -> None:
        while (taken := self._take()) is not None:
            number, job = taken
            result: Result | BaseException
            try:
                result = self._work(job)
            except BaseException as error:  # noqa: BLE001  # raised again in the caller's thread
                result = error
            with self._lock:
                self._busy -= 1
                if not isinstance(result, BaseException):
                    rest = self._pace.note(self._scope, self._headers(result))
                    self._rest_until = max(self._rest_until, time.monotonic() + rest)
            self._arrived.put((number, result))

    def _take(self) -> tuple[int, Any] | None:
        with self._lock:
            while self._waiting and not self._scope.cancelled:
                ahead = self._waiting[0][0] - self._given
                rest = self._rest_until - time.monotonic()
                if self._busy < self._pace.width and ahead < self._pace.width + AHEAD and rest <= 0:
                    self._busy += 1
                    return self._waiting.popleft()
                self._wanted.wait(rest if rest > 0 else 0.05)
            return None


def _number(headers: Mapping[str, str], names: Sequence[str]) -> int | None:
    for name in names:
        text = (headers.get(name) or "").strip()
        if text.isdecimal():
            return int(text)
    return None
