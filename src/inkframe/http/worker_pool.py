"""Run jobs in parallel threads, in order and cancelled together, and choose how many at once by measurement."""

from __future__ import annotations

import threading
import time
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from inkframe.http.connections import CancelScope

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence

__all__ = ["Limiter", "WorkerPool"]

Job = TypeVar("Job")
Result = TypeVar("Result")
#: Results kept beyond the jobs in flight, so that one slow job does not stop the others.
AHEAD: Final = 4
#: Seconds after which a wait begins again, since some systems deliver an interrupt only between waits.
POLL: Final = 0.05

#: Below this many seconds of waiting, a second thread costs more than it saves.
NEARBY: Final = 0.003
#: The number of replies that are measured; the first also opens the connection.
MEASURED: Final = 2


class WorkerPool(Generic[Job, Result]):
    """Threads that run the jobs of one run and return the results to the caller's thread.

    Requests of a job belong to the pool's scope: they end when it is cancelled.

    Args:
        work: Runs one job, in any thread.
        width: How many jobs run at a time.
        scope: The scope that cancels all jobs.
        drain: Whether jobs in flight are completed when the caller stops early, or the scope is stopped, as writes that
            are billed must be.
    """

    def __init__(
        self,
        work: Callable[[Job], Result],
        width: int,
        scope: CancelScope | None = None,
        *,
        drain: bool = False,
    ) -> None:
        self._work = work
        self._width = width
        self._scope = scope or CancelScope()
        self._drain = drain
        # Queues, since an interrupt may end a wait at any moment. A condition would lose its lock.
        self._wanted: SimpleQueue[int | None] = SimpleQueue()
        self._arrived: SimpleQueue[tuple[int, Future[Result]]] = SimpleQueue()
        self._begun = 0
        self._is_over = False

    def run(self, jobs: Sequence[Job]) -> Generator[Result]:
        """Yield the result of each job, in order; run on the calling thread if the width is 1.

        No thread remains at the end, or when the caller stops early.

        Raises:
            InkframeError: A job failed; the others are cancelled.
        """
        if self._width == 1 or len(jobs) <= 1:
            for job in jobs:
                yield self._scope.call(self._work, job)
            return
        ended: dict[int, Future[Result]] = {}
        with self._working(jobs):
            for number in range(len(jobs)):
                self._advance(jobs, number)
                while number not in ended:
                    ended.update([self._next()])
                yield ended.pop(number).result()

    def completed(self, jobs: Sequence[Job]) -> Generator[tuple[Job, Result]]:
        """Yield each job with its result as it completes; always on threads, which no interrupt reaches.

        No thread remains at the end, or when the caller stops early.

        Raises:
            InkframeError: A job failed; no other is started.
        """
        with self._working(jobs):
            for given in range(len(jobs)):
                self._advance(jobs, given)
                number, ended = self._next()
                yield jobs[number], ended.result()

    @contextmanager
    def _working(self, jobs: Sequence[Job]) -> Iterator[None]:
        # Not an executor: it takes no more jobs once the main thread has ended, as a batch in the background needs.
        threads = [
            threading.Thread(target=self._serve, args=[jobs], name="inkframe-worker", daemon=not self._drain)
            for _ in range(min(self._width, len(jobs)))
        ]
        try:
            for thread in threads:
                thread.start()
            yield
        except BaseException:
            # An error, an interrupt, or a caller that stops early.
            if not self._drain:
                self._scope.cancel()
            raise
        finally:
            self._is_over = True
            for _ in threads:
                self._wanted.put(None)
            for thread in threads:
                with suppress(RuntimeError):  # interrupted before the thread was started
                    thread.join()

    def _advance(self, jobs: Sequence[Job], given: int) -> None:
        """Let jobs begin up to a bound beyond the results yielded."""
        while self._begun < min(len(jobs), given + self._width + AHEAD):
            self._wanted.put(self._begun)
            self._begun += 1

    def _next(self) -> tuple[int, Future[Result]]:
        while True:
            with suppress(Empty):
                return self._arrived.get(timeout=POLL)
            if self._scope.refuses("POST") and not self._drain:
                self._scope.cancel()

    def _serve(self, jobs: Sequence[Job]) -> None:
        while (number := self._wanted.get()) is not None and not self._is_over:
            ended: Future[Result] = Future()
            try:
                ended.set_result(self._scope.call(self._work, jobs[number]))
            except BaseException as error:  # noqa: BLE001  # raised again in the caller's thread
                ended.set_exception(error)
            self._arrived.put((number, ended))


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

    def timed(self, ask: Callable[[], Result]) -> Result:
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
