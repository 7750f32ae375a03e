"""One request for each of many records: a few at a time, on the calling thread where the service is local."""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from inkframe.concurrency.limiter import Limiter
from inkframe.concurrency.worker_pool import WorkerPool
from inkframe.display.console import progress_bar
from inkframe.errors import AuthenticationError, ConnectionFailed, DeadlineExceeded, InkframeError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["Done", "row_by_row"]

Job = TypeVar("Job")

#: Writes in flight at once.
IN_FLIGHT: Final = 8
#: Errors after which the next request would fare no better.
HOPELESS: Final = (AuthenticationError, ConnectionFailed, DeadlineExceeded)


@dataclass(slots=True)
class Done(Generic[Job]):
    """What became of one request.

    Args:
        job: What it was about.
        value: What came back.
        error: What went wrong, or what went wrong before it where it was not sent.
        seconds: How long it took; None where it was not sent.
    """

    job: Job
    value: Any = None
    error: InkframeError | None = None
    seconds: float | None = None

    @property
    def reason(self) -> str:
        """What went wrong, in one line."""
        line = " ".join(str(self.error).split("\n")[:2])
        return line if self.was_sent else f"not sent, after: {line}"

    @property
    def was_sent(self) -> bool:
        """Whether the request was made at all."""
        return self.seconds is not None


def row_by_row(
    act: Callable[[Job], Any],
    jobs: Sequence[Job],
    width: int,
    words: str,
    unit: str,
    progress: bool | None = None,
) -> list[Done[Job]]:
    """Do something for each of many records, with a bar; an error ends its row only.

    Where the service refuses the key or cannot be reached, nothing more is sent. An interrupt waits for what is
    in flight, so that each record was written or was not.

    Args:
        act: Makes the request, in any thread.
        jobs: What it is about.
        width: The most in flight.
        words: What is being done.
        unit: What is counted.
        progress: Whether the bar is shown; None asks the environment.
    """
    if not jobs:
        return []
    troubles: list[InkframeError] = []

    def run(job: Job) -> Done[Job]:
        if troubles:
            return Done(job, error=troubles[0])
        began = time.monotonic()
        value, failure = None, None
        try:
            value = act(job)
        except InkframeError as error:
            failure = error
            if isinstance(error, HOPELESS):
                troubles.append(error)
        return Done(job, value, failure, time.monotonic() - began)

    done: list[Done[Job]] = []
    results = WorkerPool(run, Limiter(min(width, IN_FLIGHT)), drain=True).run(jobs)
    with progress_bar(progress, len(jobs), words, unit) as bar, closing(results):
        for result in results:
            done.append(result)
            bar.update()
    return done
