"""Run jobs in parallel threads."""

from __future__ import annotations

import threading
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from inkframe.concurrency.cancellation import CancelScope
from inkframe.errors import InkframeError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence

__all__ = ["WorkerPool"]

Job = TypeVar("Job")
Result = TypeVar("Result")
#: The result of a job, or the error it raised.
Outcome = tuple[Any, BaseException | None]

#: Results kept beyond the jobs in flight, so that one slow job does not stop the others.
AHEAD: Final = 4
#: Seconds between two checks of state that changes without a notification.
POLL: Final = 0.05


class WorkerPool(Generic[Job, Result]):
    """Threads that run the jobs of one run and return the results to the caller's thread.

    Requests of a job belong to the pool's scope: they end when it is cancelled.

    Args:
        work: Runs one job, in any thread.
        width: How many jobs run at a time.
        scope: The scope that cancels all jobs.
        drain: Whether jobs in flight are completed when the caller stops early, as writes must be.
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
        self._lock = threading.Lock()
        self._wanted = threading.Condition(self._lock)
        # A queue, since an interrupt may end the wait at any moment. A condition would lose its lock.
        self._arrived: SimpleQueue[tuple[int, Outcome]] = SimpleQueue()
        self._jobs: Sequence[Job] = ()
        self._begun = 0
        self._given = 0
        self._threads: list[threading.Thread] = []
        self._busy = 0

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
        outcomes: dict[int, Outcome] = {}
        with self._working(jobs):
            for number in range(len(jobs)):
                self._advance(number)
                while number not in outcomes:
                    ended, outcome = self._next()
                    outcomes[ended] = outcome
                yield _result(outcomes.pop(number))

    def completed(self, jobs: Sequence[Job]) -> Generator[tuple[Job, Result]]:
        """Yield each job with its result as it completes; always on threads, which no interrupt reaches.

        No thread remains at the end, or when the caller stops early.

        Raises:
            InkframeError: A job failed; no other is started.
        """
        with self._working(jobs):
            for given in range(len(jobs)):
                self._advance(given)
                number, outcome = self._next()
                yield jobs[number], _result(outcome)

    @contextmanager
    def _working(self, jobs: Sequence[Job]) -> Iterator[None]:
        self._jobs = jobs
        try:
            yield
        except BaseException:
            # An error, an interrupt, or a caller that stops early.
            if not self._drain:
                self._scope.cancel()
            raise
        finally:
            with self._lock:
                self._begun = len(jobs)
                self._wanted.notify_all()
            for thread in self._threads:
                with suppress(RuntimeError):  # interrupted before the thread was started
                    thread.join()

    def _advance(self, given: int) -> None:
        """Start jobs up to a bound beyond the results yielded, on threads up to the width."""
        with self._lock:
            self._given = given
            while len(self._threads) < min(self._width, len(self._jobs) - self._begun + self._busy):
                thread = threading.Thread(target=self._serve, name="inkframe-worker", daemon=not self._drain)
                self._threads.append(thread)
                thread.start()
            self._wanted.notify()

    def _next(self) -> tuple[int, Outcome]:
        while True:
            # A bounded wait, since some systems deliver an interrupt only between waits.
            with suppress(Empty):
                return self._arrived.get(timeout=POLL)
            if self._scope.cancelled and not self._busy:
                raise InkframeError("The call was cancelled.")

    def _serve(self) -> None:
        while (number := self._take()) is not None:
            outcome: Outcome
            try:
                outcome = self._scope.call(self._work, self._jobs[number]), None
            except BaseException as error:  # noqa: BLE001  # raised again in the caller's thread
                outcome = None, error
            with self._lock:
                self._busy -= 1
            self._arrived.put((number, outcome))

    def _take(self) -> int | None:
        with self._lock:
            while self._begun < len(self._jobs) and not self._scope.cancelled:
                if self._begun - self._given < self._width + AHEAD:
                    self._busy += 1
                    self._begun += 1
                    return self._begun - 1
                self._wanted.wait(POLL)
            return None


def _result(outcome: Outcome) -> Any:
    result, error = outcome
    if error is not None:
        raise error
    return result
