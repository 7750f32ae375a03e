"""Bulk creations in the background: the state of each, its end, how it is shown, and the jobs of a client."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future, wait
from functools import lru_cache, partial
from typing import Any, Final

import pandas as pd

from inkframe.creating.create_many import Batch
from inkframe.creating.rows import THERE, Row
from inkframe.display.console import in_notebook, notice
from inkframe.display.markup import counted, join, joined, root, spell_seconds, tag
from inkframe.display.view import LiveView, View
from inkframe.errors import BatchCancelled, InkframeError, checked_calls
from inkframe.versions import text_type

__all__ = ["ENDINGS", "Job", "Jobs"]

#: The records that are shown below the line, and with all of them.
NEWEST: Final = 6
MOST: Final = 100
#: The errors that are shown, each with its number of rows.
ERRORS: Final = 20
#: Jobs that have ended and are kept; older ones are dropped, with their records.
KEPT: Final = 20


@checked_calls
class Job:
    """A bulk creation that runs in the background; as the last line of a cell it shows itself live.

    Args:
        batch: The batch, checked and confirmed.
        rows: The rows to create; all of them by default.
        changed: Called with a row when it starts and when it ends, from the thread that creates it.
        at_once: The number of creates at once; chosen by the service if None.

    Attributes:
        batch: The batch.
        noun: What it creates, in the plural.
        shown: The ids of the records that were shown.
        is_seen: Whether somebody knows how it ended.
    """

    def __init__(
        self,
        batch: Batch,
        rows: Sequence[Row] | None = None,
        *,
        changed: Callable[[Row], Any] = lambda _row: None,
        at_once: int | None = None,
    ) -> None:
        self.batch = batch
        self.noun = f"{batch.noun}s"
        self.is_seen = False
        self._rows = batch.rows if rows is None else rows
        self._tell, self._at_once = changed, at_once
        #: Drawn again only if the records are others.
        self._preview = lru_cache(maxsize=1)(self._preview_of)
        self.shown: set[Any] = set()

    def start(self) -> Job:
        """Begin; return the job."""
        self._future: Future[pd.DataFrame] = Future()
        self._began = time.monotonic()
        self._ended: float | None = None
        self._view = LiveView(
            self.view, self.cancel, self.done, {label: partial(end, self) for label, end in ENDINGS.items()}
        )
        threading.Thread(target=self._run, name="inkframe-job", daemon=True).start()
        return self

    def resume(self) -> Job:
        """Create the rows that are not there, after a cancellation or failures; return the job.

        Creates that are still under way after a cancellation are awaited first. A job that runs goes on as it is.

        Raises:
            InvalidArgument: ``create_limit`` is exceeded; nothing was sent.
        """
        if self.state != "running":
            self.wait()
            self.batch.check(len(self.batch.rows))  # all rows count as confirmed
            self.batch.stopped.clear()
            self.start()
        return self

    def done(self) -> bool:
        """Return whether it has ended, in whatever way."""
        return self._future.done()

    @property
    def state(self) -> str:
        """``running``, ``cancelled``, ``failed`` as a whole, or ``done``."""
        if not self.done():
            return "cancelled" if self.batch.stopped.is_set() else "running"
        error = self._future.exception()
        return "done" if error is None else "cancelled" if isinstance(error, BatchCancelled) else "failed"

    def cancelled(self) -> bool:
        """Return whether it was cancelled; creates under way are still awaited, since they are billed."""
        return self.state == "cancelled"

    def cancel(self) -> bool:
        """Send no more creates; return False if it has ended already."""
        if self.done():
            return False
        self.batch.stopped.set()
        self._view.renew()
        return True

    def result(self, timeout: float | None = None) -> pd.DataFrame:
        """Wait for the end and return the frame, with failures of single rows in it.

        Args:
            timeout: The maximum seconds to wait; None for no maximum.

        Raises:
            TimeoutError: It has not ended in time.
            BatchCancelled: It was cancelled; the error has the frame, and ``resume()`` creates the rest.
            InkframeError: It could not run, such as without a journal.
        """
        self.is_seen = True
        return self._future.result(timeout)

    def exception(self, timeout: float | None = None) -> BaseException | None:
        """Wait for the end and return the error that ended it, or None; arguments as for ``result``."""
        self.is_seen = True
        return self._future.exception(timeout)

    def __await__(self) -> Generator[Any, None, pd.DataFrame]:
        self.is_seen = True
        # Shielded, so that the end of a task that waits does not end the job.
        return asyncio.shield(asyncio.wrap_future(self._future)).__await__()

    @property
    def frame(self) -> pd.DataFrame:
        """All rows as they are at this moment; rows that have not begun have no status."""
        return self.batch.frame()

    @property
    def counts(self) -> Counter[str]:
        """How many rows have each outcome; those that are still to come have an empty one.

        Replies that were lost are searched for at the end, and count as failed from then on.
        """
        outcomes = {"pending": "created"} | ({"unknown": "failed"} if self.done() else {})
        return Counter(outcomes.get(row.status, row.status) for row in self._rows)

    @property
    def failure(self) -> str:
        """What went wrong, in one line; empty while nothing did."""
        if self.state == "failed":
            return str(self._future.exception()).partition("\n")[0]
        failed = self.counts["failed"]
        return f"{failed:,} of {counted(len(self._rows), 'row')} failed" if failed and self.done() else ""

    @property
    def remaining(self) -> int:
        """The number of creates that may still be sent."""
        return 0 if self.done() else sum(not row.status and row.sent is None for row in self._rows)

    @property
    def seconds(self) -> float:
        """The seconds that it took, or has taken so far."""
        return (self._ended or time.monotonic()) - self._began

    def wait(self) -> None:
        """Wait for the end, in whatever way."""
        wait([self._future])

    def _run(self) -> None:
        try:
            self._future.set_result(self._result())
        except BaseException as error:  # noqa: BLE001  # it is in the future
            self._future.set_exception(error)
        self._view.renew()

    def _result(self) -> pd.DataFrame:
        """Create the rows and return the frame.

        Raises:
            BatchCancelled: The job was cancelled meanwhile.
        """
        try:
            self.batch.create_rows(self._rows, self._at_once, changed=self._changed)
        except InkframeError:
            if not self.batch.stopped.is_set():
                raise
        finally:
            self._ended = time.monotonic()
        frame = self.batch.frame()
        if not self.batch.stopped.is_set():
            return frame
        raise BatchCancelled(
            f"The job was cancelled: {self._share} {self.noun} are there.\n"
            "Call job.resume() to create the rest; the frame of this error has all rows.",
            frame,
        )

    def _changed(self, row: Row) -> None:
        self._tell(row)
        self._view.renew()

    @property
    def line(self) -> str:
        """The state in one line, such as ``37 of 200 · 4 min left · 2 failed``."""
        return joined(f"{self._share}{f' {self.noun}' * self.done()}", self.hint)

    @property
    def _share(self) -> str:
        return f"{sum(row.status in THERE for row in self._rows):,} of {len(self._rows):,}"

    @property
    def hint(self) -> str:
        """What the line says beside the numbers: the time, and what failed."""
        numbers, has_ended = self.counts, self.done()
        if has_ended:
            when = "cancelled" if self.cancelled() else f"in {spell_seconds(self.seconds)}"
        elif self.cancelled():
            when = "cancelled, waiting for what is under way"
        else:
            # At the rate so far; unknown before the first create.
            sent = sum(row.seconds is not None and bool(row.status) for row in self._rows)
            when = f"{spell_seconds(self.seconds / sent * numbers[''])} left" if sent else ""
        told = ("failed", "skipped") if has_ended else ("failed",)
        return joined(when, *(f"{numbers[word]:,} {word}" for word in told if numbers[word]), *self._costs())

    def _costs(self) -> list[str]:
        """Return what the service reported that it cost so far."""
        sums = {name: sum(row.costs.get(name, 0.0) for row in self._rows) for name in ("credits", "price")}
        left = [row.costs["credits_left"] for row in self._rows if "credits_left" in row.costs]
        spent = [f"{name} {value:,.10g}" for name, value in sums.items() if value]
        return [*spent, *([f"{min(left):,.10g} credits left"] if left else [])]

    def view(self, *, more: bool) -> View:
        """Return the line, with the newest records below it, or with all and the errors."""
        there = [row for row in self._rows if row.record is not None]
        own = [row for row in there if row.status != "existing"]
        records = tuple(row.record for row in (there[-MOST:] if more else own[: -NEWEST - 1 : -1]))
        errors = Counter(row.error for row in self._rows if row.error and row.status not in THERE)
        lines = [f"{count:,} × {text}" for text, count in errors.most_common(ERRORS)] if more else []
        if more and len(there) > MOST:
            lines.append(f"The last {MOST} of {len(there):,} {self.noun}; job.frame has all.")
        shown = self._preview(records)
        html = root(
            tag("p", self.line, class_="ink-meta", role="status"),
            *(tag("p", text, class_="ink-meta", dir="auto") for text in lines),
        )
        return View(
            join(html, shown.html), "\n".join([self.line, *lines, *([shown.text] if records else [])])
        )

    def _preview_of(self, records: tuple[Any, ...]) -> View:
        self.shown.update(record.id for record in records)
        try:
            return self.batch.preview([*records]) if records else View(join(), "")
        except InkframeError as error:
            return View(tag("p", str(error)), str(error))

    def _ipython_display_(self) -> None:
        self.is_seen = True
        if in_notebook():
            self._view.show()
        else:
            print(repr(self))  # noqa: T201  # what a shell shows of a line

    def __repr__(self) -> str:
        return f"<job: {self.line}>"


#: What can be done with the outcome of a job, by label; each returns the widget to show. Higher layers add to it.
ENDINGS: Final[dict[str, Callable[[Job], Any]]] = {}


#: The columns of the table of jobs.
COLUMNS: Final[dict[str, Callable[[Job], Any]]] = {
    "state": lambda job: job.state,
    "records": lambda job: job.noun,
    "rows": lambda job: sum(job.counts.values()),
    "created": lambda job: job.counts["created"],
    "existing": lambda job: job.counts["existing"],
    "failed": lambda job: job.counts["failed"],
    "seconds": lambda job: round(job.seconds, 1),
    "error": lambda job: job.failure or None,
}


class Jobs(Sequence[Job]):
    """The jobs that run, and those that ended last, by their number; older ones are dropped."""

    def __init__(self) -> None:
        self._jobs: dict[int, Job] = {}

    def start(self, job: Job) -> Job:
        """Start a job, after a line about earlier ones that failed without anybody looking."""
        for number, each in self._jobs.items():
            if each.failure and not each.is_seen:
                notice(f"Job {number} ended: {each.failure}. See client.jobs.")
                each.is_seen = True
        for number in [number for number, each in self._jobs.items() if each.done()][:-KEPT]:
            del self._jobs[number]
        self._jobs[max(self._jobs, default=0) + 1] = job.start()
        return job

    def close(self) -> None:
        """Cancel the jobs that run, and wait for the creates under way, which are billed."""
        for job in [job for job in self if job.cancel()]:
            job.wait()

    @property
    def frame(self) -> pd.DataFrame:
        """A row for each job by its number: its state, how many rows have each outcome, and what failed."""
        return pd.DataFrame(
            {name: [value(job) for job in self] for name, value in COLUMNS.items()},
            index=pd.Index([*self._jobs], name="job"),
        ).astype({"error": text_type()})

    def __len__(self) -> int:
        return len(self._jobs)

    def __getitem__(self, at: Any) -> Any:
        return [*self._jobs.values()][at]

    def __repr__(self) -> str:
        return repr(self.frame) if self._jobs else "No jobs so far."

    def _repr_html_(self) -> str | None:
        return self.frame.to_html(escape=True) if self._jobs else None
