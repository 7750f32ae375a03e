"""Bulk creates: every row is checked before any is sent, and each is sent once."""

from __future__ import annotations

import threading
import time
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from inkframe.creating.create import create, hashes, stored_instead
from inkframe.creating.earlier_creates import EarlierCreates
from inkframe.creating.journal import Journal, fresh_identities, identity, journal_of
from inkframe.creating.rows import Row, StopRule, first_line, outcomes, read_rows
from inkframe.display.console import notice, progress_bar
from inkframe.errors import (
    BatchInterrupted,
    ConfigurationError,
    InkframeError,
    InvalidArgument,
    OutcomeUnknown,
    UnexpectedReply,
)
from inkframe.frames import identified
from inkframe.http.connections import Cancelled, CancelScope
from inkframe.http.worker_pool import WorkerPool
from inkframe.listing.frames import FrameMaker
from inkframe.listing.proof import Completeness
from inkframe.vocabulary.arguments import check_create

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from os import PathLike

    import pandas as pd

    from inkframe.display.view import View
    from inkframe.listing.session import SessionCalls
    from inkframe.replies.record import Record

__all__ = ["Batch"]

#: The most creates on a billed service without a confirmation.
UNCONFIRMED: Final = 25
#: Creates in flight at once; each occupies a model.
IN_FLIGHT: Final = 4
#: Why a row was not sent after an interrupt or a cancellation.
STOPPED: Final = "the run was stopped"


def _nothing(_row: Row) -> None:
    """Ignore a row; the default callback."""


class Batch:
    """The creates of one plan, each sent once and reported at start and end.

    Args:
        calls: The collection.
        as_record: Converts the record of a reply.
        preview: Returns a view of records, for a job that is shown.
        given: A DataFrame, a plan, or mappings.
        journal: The journal of earlier creates, or its file; None for that of the service.
        fresh: Whether rows in the journal are created again.
        by_name: Whether rows with different names are different.
        cancelled: Once set, no more creates are sent; those in flight are awaited, since they are billed.

    Attributes:
        rows: The rows in the given order, each with its status.

    Raises:
        InvalidArgument: A column is a misspelled field, or a row is invalid; nothing was sent.
    """

    def __init__(
        self,
        calls: SessionCalls,
        as_record: Callable[[Record], Any],
        preview: Callable[[list[Any]], View],
        given: pd.DataFrame | Iterable[Mapping[str, Any]],
        journal: Journal | str | PathLike[str] | None,
        *,
        fresh: bool = False,
        by_name: bool = True,
        cancelled: threading.Event | None = None,
    ) -> None:
        self._calls = calls
        self._as_record = as_record
        self.preview = preview
        spec = calls.spec
        check = partial(check_create, spec, calls.session.vocabulary)
        self.rows, self._given = read_rows(given, check, tuple(spec.creates), spec.columns)
        self._journal = journal if isinstance(journal, Journal) else journal_of(calls.session, journal)
        self._stop = threading.Event() if cancelled is None else cancelled
        self._rule = StopRule(creates=True)
        self._earlier = EarlierCreates(calls, self._journal, as_record, self._stop)
        for row in self.rows:
            fields = {name: value for name, value in row.fields.items() if by_name or name != "name"}
            row.identity = identity(calls.session.place, spec.name, fields, row.repeat)
        if fresh:
            self._journal.refresh()
            again = fresh_identities(self._journal, [row.identity for row in self.rows])
            for row, each in zip(self.rows, again, strict=True):
                row.identity = each

    def take_over(self, known: Mapping[str, Row]) -> None:
        """Replace rows with equal ones of earlier batches, copying only the error of failed ones."""
        for at, row in enumerate(self.rows):
            before = known.get(row.identity, row)
            if before.status == "failed":
                row.status, row.error, row.cause = before.status, before.error, before.cause
            else:
                self.rows[at] = before

    def run(self, confirm: int | None, progress: bool | None) -> pd.DataFrame:
        """Create the missing records with a progress bar and return the frame.

        Raises:
            InvalidArgument: The number of creates is not confirmed, or exceeds the limit; nothing was sent.
            ConfigurationError: The journal cannot be used; nothing was sent.
            BatchInterrupted: An interrupt ended the run.
        """
        count = self.check(confirm)
        words = f"Creating {self._calls.spec.name}"
        try:
            with progress_bar(progress and bool(count), count, words, "creations") as bar:
                self.create_rows(self.rows, counted=bar.update)
        except KeyboardInterrupt:
            self._skip(self.rows, STOPPED)
            there = sum(row.record is not None for row in self.rows)
            raise BatchInterrupted(
                f"{there:,} of {len(self.rows):,} created. Run again to create the rest.", self.frame()
            ) from None
        self.raise_unusable()
        self._earlier.report_gone()
        return self.frame()

    def check(self, confirm: int | None) -> int:
        """Check the number of creates against confirmation and limit, print it, and return it.

        Raises:
            InvalidArgument: The number is not confirmed, or exceeds the limit; nothing was sent.
        """
        self._journal.refresh()
        new = {row.identity for row in self.rows if not self._earlier.is_created(row)}
        count = len(new)
        session = self._calls.session
        used = session.created + session.jobs.remaining
        if session.create_limit is not None and count > session.create_limit - used:
            raise InvalidArgument(
                f"create_limit={session.create_limit} is exceeded: "
                f"{used} creates so far, {count} in this batch.\n"
                "Nothing was sent. Raise the limit, or run fewer rows."
            )
        # The number of all rows is accepted too, so that a cell can be run again after an interrupt.
        if session.creations_are_billed and count > UNCONFIRMED and confirm not in (count, len(self.rows)):
            raise InvalidArgument(
                f"confirm must be {count} (the number of creates on {session.host}), got {confirm}.\n"
                f"Nothing was sent. Pass confirm={count} to continue."
            )
        if count:
            plural = "creation" if count == 1 else "creations"
            resume = "; run again to resume" if self._journal.path else ""
            notice(f"{count} {plural} on {session.host}{resume}")
        return count

    @property
    def noun(self) -> str:
        """What it creates."""
        return self._calls.spec.noun

    @property
    def varied(self) -> list[str]:
        """The settings, and the variant of a plan, that differ between its rows."""
        spec = self._calls.spec
        names = ["variant", *(name for name in spec.creates if name not in {"name", spec.source})]
        return [name for name in names if name in self._given and len(self._given[name].unique()) > 1]

    def stop(self) -> None:
        """Send no more creates."""
        self._stop.set()

    def raise_unusable(self) -> None:
        """Raise the error of a journal that could not be used, if nothing was sent at all."""
        if isinstance(self._rule.reason, ConfigurationError) and not any(row.seconds for row in self.rows):
            raise self._rule.reason

    def create_rows(
        self,
        rows: Sequence[Row],
        at_once: int | None = None,
        *,
        changed: Callable[[Row], Any] = _nothing,
        counted: Callable[[], Any] | None = None,
        searches: bool = True,
    ) -> None:
        """Fetch, create or search for rows of this batch; afterwards each has a status.

        Args:
            rows: The rows.
            at_once: The number of creates at once; 1 stays on this thread, so that an interrupt stops a local
                engine and nothing is stored.
            changed: Called with a row when it starts and when it ends, from the thread that creates it.
            counted: Called on this thread after each create.
            searches: Whether records are searched for whose replies were lost.
        """
        if at_once is None:
            at_once = 1 if self._calls.session.is_local else IN_FLIGHT
        self._rule = StopRule(creates=True)
        self._reset(rows)
        self._rule.reason = self._earlier.fetch([row for row in rows if not row.status], changed)
        waiting = [row for row in rows if not row.status]
        # Creates in flight are billed, so their replies are always awaited and written to the journal.
        width, scope = min(at_once, self._calls.session.concurrency), CancelScope(self._stop)
        pool = WorkerPool(partial(self._create_new, changed), width, scope, drain=True)
        ended = pool.run(waiting) if at_once == 1 else pool.completed(waiting)
        with closing(ended):
            for _ in ended:
                if counted:
                    counted()
        lost = [row for row in waiting if row.status == "unknown"]
        if lost and searches and not self._stop.is_set() and self._rule.reason is None:
            self._earlier.search(lost, lambda row: self._create_again(row, changed))
        for row in lost:
            changed(row)

    def _reset(self, rows: Iterable[Row]) -> None:
        """Reset the status of rows; one that is equal to an earlier row is skipped."""
        met: set[str] = set()
        for row in rows:
            row.status, row.error, row.cause = "", None, None
            row.sent = row.seconds = None
            if row.identity in met:
                self._skip([row], "duplicate of an earlier row; set another repeat")
            met.add(row.identity)

    def _skip(self, rows: Iterable[Row], reason: str) -> None:
        for row in rows:
            if not row.status:
                row.status, row.error = "skipped", reason

    def _create_new(self, changed: Callable[[Row], Any], row: Row) -> None:
        """Create a row, unless it was created meanwhile or the run has ended."""
        try:
            with self._journal.claim([row.identity], self._stop) as is_claimed:
                if self._stop.is_set() or not is_claimed:
                    self._skip([row], STOPPED)
                elif self._rule.reason is not None:
                    self._skip([row], self._rule.words)
                elif self._earlier.is_created(row):
                    self._earlier.show(row)
                elif self._earlier.is_open(row):
                    row.status, row.error = "unknown", "an earlier request had no reply"
                else:
                    changed(row)
                    self._create(row)
        except ConfigurationError as error:
            self._rule.reason = error
            self._skip([row], self._rule.words)
        if row.status != "unknown":
            changed(row)

    def _create_again(self, row: Row, changed: Callable[[Row], Any]) -> None:
        """Create a row that was not created, with the key of its first request.

        A service that has just answered has handled the request, and may show the record later.
        """
        was_answered = row.cause is not None and isinstance(row.cause.__cause__, UnexpectedReply)
        if was_answered or self._rule.reason is not None or self._stop.is_set():
            return
        try:
            self._create(row, changed)
        except ConfigurationError as error:
            self._rule.reason = error

    def _create(self, row: Row, changed: Callable[[Row], Any] = _nothing) -> None:
        """Send a create that no other program sends, and note its outcome.

        Raises:
            ConfigurationError: The journal cannot be written; nothing was sent.
        """
        changed(row)
        before = self._journal.find(row.identity)
        key = (before.key if before is not None else None) or str(uuid4())
        self._note(row, "sent", key=key)
        row.status, row.error, row.cause = "", None, None
        made: Record | None = None
        began = time.monotonic()
        try:
            with self._calls.session.slots:
                row.sent = time.time()
                made = create(self._calls, row.fields, self._as_record, key)
            row.record, row.costs = self._as_record(made), made.costs
            row.status, row.error = "pending" if made.awaited else "created", stored_instead(made)
        except Cancelled:
            self._skip([row], STOPPED)
            self._note(row, "failed")
            return
        except InkframeError as error:
            row.status = "unknown" if isinstance(error, OutcomeUnknown) else "failed"
            row.error, row.cause = first_line(error), error
        except BaseException:
            row.status, row.error = "unknown", "interrupted"
            raise
        row.seconds = time.monotonic() - began
        self._rule.note(row.cause)
        try:
            if made is not None:
                self._earlier.note_listed(made)
                shown = hashes(self._calls.spec, made)
                self._note(row, "created", made.id, shown=shown, seconds=round(row.seconds, 3))
            elif row.status == "failed":
                self._note(row, "failed")
        except ConfigurationError as error:
            # What happened has happened; but nothing more is sent without a journal.
            row.error = row.error or first_line(error)
            self._rule.reason = error

    def _note(self, row: Row, state: Any, id: int | str | None = None, **values: Any) -> None:
        self._journal.note(row.identity, state, id, collection=self._calls.spec.name, **values)

    def look_for(self, row: Row) -> None:
        """Search for the record of a row whose reply was lost; creates nothing.

        Raises:
            InkframeError: The search failed.
        """
        self._earlier.search([row], None)
        if row.cause is not None:
            raise row.cause

    def discard(self, row: Row) -> None:
        """Remove a row whose record was deleted; the same row can be created again."""
        at = self.rows.index(row)
        kept = [place for place in range(len(self.rows)) if place != at]
        self.rows, self._given = [self.rows[place] for place in kept], self._given.iloc[kept]
        self._note(row, "deleted")

    def frame(self) -> pd.DataFrame:
        """Return the rows as a frame: the given columns, the fields of the records, then status and error."""
        maker = FrameMaker(self._calls)
        frame = outcomes(self.rows, self._given, maker.builder())
        made = identified(frame[frame["id"].notna()].drop_duplicates("id"))
        maker.describe(frame, {}, Completeness("page"), (), known=made)
        return frame
