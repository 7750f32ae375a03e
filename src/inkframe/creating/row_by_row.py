"""One request per record: several at a time, or on the calling thread if the service is local."""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from inkframe.creating.stop_rule import StopRule, first_line
from inkframe.display.console import progress_bar
from inkframe.errors import InkframeError
from inkframe.http.worker_pool import WorkerPool

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["Done", "row_by_row"]

Job = TypeVar("Job")

#: Writes in flight at once.
IN_FLIGHT: Final = 8


@dataclass(slots=True)
class Done(Generic[Job]):
    """The outcome of one request.

    Args:
        job: The argument of the request.
        value: The result.
        error: The error, or the earlier error because of which it was not sent.
        seconds: The duration; None if it was not sent.
    """

    job: Job
    value: Any = None
    error: InkframeError | None = None
    seconds: float | None = None

    @property
    def reason(self) -> str:
        """The error in one line."""
        line = first_line(self.error)
        return line if self.was_sent else f"not sent, after: {line}"

    @property
    def was_sent(self) -> bool:
        """Whether the request was sent."""
        return self.seconds is not None


def row_by_row(
    act: Callable[[Job], Any],
    jobs: Sequence[Job],
    width: int,
    words: str,
    unit: str,
    progress: bool | None = None,
) -> list[Done[Job]]:
    """Run a request for each job with a progress bar; an error ends its own job only.

    If the next requests would fail too, nothing more is sent. An interrupt waits for requests in flight, so
    that the outcome of each is known.

    Args:
        act: Sends the request, in any thread.
        jobs: The arguments of the requests.
        width: The most requests in flight.
        words: The label of the progress bar.
        unit: The unit of the progress bar.
        progress: Whether to show a progress bar; None uses the environment.
    """
    if not jobs:
        return []
    rule = StopRule()

    def run(job: Job) -> Done[Job]:
        if rule.reason is not None:
            return Done(job, error=rule.reason)
        began = time.monotonic()
        value, failure = None, None
        try:
            value = act(job)
        except InkframeError as error:
            failure = error
        rule.note(failure)
        return Done(job, value, failure, time.monotonic() - began)

    done: list[Done[Job]] = []
    results = WorkerPool(run, min(width, IN_FLIGHT), drain=True).run(jobs)
    with progress_bar(progress, len(jobs), words, unit) as bar, closing(results):
        for result in results:
            done.append(result)
            bar.update()
    return done
