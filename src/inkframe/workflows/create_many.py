"""Bulk creates: every row is checked before any is sent, and each is sent once."""

from __future__ import annotations

import threading
import time
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from inkframe.calls.arguments import check_create
from inkframe.concurrency.limiter import Limiter
from inkframe.concurrency.worker_pool import WorkerPool
from inkframe.display.console import notice, progress_bar
from inkframe.errors import InkframeError, InvalidArgument, OutcomeUnknown
from inkframe.paths import tilde
from inkframe.workflows.create import create, find_lost
from inkframe.workflows.create_rows import first_line, outcomes, read_rows
from inkframe.workflows.frame_maker import FrameMaker
from inkframe.workflows.journal import identity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    import pandas as pd

    from inkframe.calls.port import Calls
    from inkframe.replies.record_reply import Record
    from inkframe.workflows.create_rows import Row
    from inkframe.workflows.journal import Journal, State
    from inkframe.workflows.session import Session

__all__ = ["IN_FLIGHT", "UNCONFIRMED", "Batch"]

#: The most creates on a billed service without a confirmation.
UNCONFIRMED: Final = 25
#: Creates in flight at once; each occupies a model.
IN_FLIGHT: Final = 4
#: The states of journal entries without a record, which can be created.
SETTLED: Final = frozenset({"failed", "deleted"})


def _nothing(_row: Row) -> None:
    """Ignore a row; the default callback."""


class Batch:
    """The creates of one plan, each sent once and reported at start and end.

    Args:
        session: The session.
        calls: The collection.
        given: A DataFrame, a plan, or mappings.
        journal: The journal of earlier creates.
        as_record: Converts the record of a reply.
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
        session: Session,
        calls: Calls,
        given: pd.DataFrame | Iterable[Mapping[str, Any]],
        journal: Journal,
        as_record: Callable[[Record], Any],
        *,
        fresh: bool = False,
        by_name: bool = True,
        cancelled: threading.Event | None = None,
    ) -> None:
        self._session = session
        self._calls = calls
        self._as_record = as_record
        spec = calls.spec
        check = partial(check_create, spec, session.vocabulary)
        self.rows, self._given = read_rows(given, check, tuple(spec.creates), spec.columns)
        self._journal = journal
        self._stop = cancelled or threading.Event()
        self._lock = threading.Lock()
        self._failures = 0
        for row in self.rows:
            fields = {name: value for name, value in row.fields.items() if by_name or name != "name"}
            row.identity = identity(session.place, spec.name, fields, row.repeat)
            if fresh:
                row.identity = self._next_identity(row)

    def _next_identity(self, row: Row) -> str:
        """Return the identity of a repeated create, with the first number that is not in the journal."""
        number = 1
        while self._journal.find(found := f"{row.identity}+{number}") is not None:
            number += 1
        return found

    def take_over(self, known: Mapping[str, Row]) -> None:
        """Replace rows with equal ones of earlier batches, copying only the error of failed ones."""
        for at, row in enumerate(self.rows):
            before = known.get(row.identity, row)
            if before.status == "failed":
                row.status, row.error, row.cause = before.status, before.error, before.cause
            else:
                self.rows[at] = before

    def run(self, confirm: int | None, progress: bool | None) -> None:
        """Create the missing records with a progress bar; afterwards every row has a status.

        Raises:
            InvalidArgument: The number of creates is not confirmed, or exceeds the limit; nothing was sent.
        """
        self.look_up(self.rows)
        waiting = [row for row in self.rows if not row.status]
        if not waiting:
            return
        self._announce(len(waiting), confirm)
        # On this thread if the service is local, so that an interrupt stops the engine and nothing is stored.
        at_once = 1 if self._session.is_local else IN_FLIGHT
        words = f"Creating {self._calls.spec.name}"
        with progress_bar(progress, len(waiting), words, "creations") as bar:
            self.make(waiting, at_once, counted=bar.update)

    def make(
        self,
        rows: Sequence[Row],
        at_once: int,
        *,
        changed: Callable[[Row], Any] = _nothing,
        counted: Callable[[], Any] | None = None,
        most_failures: int | None = None,
    ) -> None:
        """Create rows of this batch; afterwards each has a status, and its record if there is one.

        Args:
            rows: Rows that are not in the journal.
            at_once: The number of creates at once; 1 stays on this thread.
            changed: Called with a row when it starts and when it ends, from the thread that creates it.
            counted: Called on this thread after each row.
            most_failures: The number of consecutive failures after which no more creates are sent.
        """
        self._failures = 0

        def make(row: Row) -> None:
            self._make(row, changed, most_failures)

        # Creates in flight are billed, so their replies are always awaited and written to the journal.
        pool = WorkerPool(make, Limiter(min(at_once, self._session.concurrency)), drain=True)
        ended = pool.run(rows) if at_once == 1 else pool.completed(rows)
        with closing(ended):
            for _ in ended:
                if counted:
                    counted()

    def _announce(self, count: int, confirm: int | None) -> None:
        session = self._session
        left = None if session.create_limit is None else session.create_limit - session.created
        if left is not None and count > left:
            raise InvalidArgument(
                f"create_limit={session.create_limit} is exceeded: "
                f"{session.created} creates so far, {count} in this batch.\n"
                "Nothing was sent. Raise the limit, or run fewer rows."
            )
        # The number of all rows is accepted too, so that a cell can be run again after an interrupt.
        if session.creations_are_billed and count > UNCONFIRMED and confirm not in (count, len(self.rows)):
            raise InvalidArgument(
                f"confirm must be {count} (the number of creates on {session.host}), got {confirm}.\n"
                f"Nothing was sent. Pass confirm={count} to continue."
            )
        plural = "creation" if count == 1 else "creations"
        place = f"; journal: {tilde(self._journal.path)}" if self._journal.path else ""
        notice(f"{count} {plural} on {session.host}{place}")

    def look_up(self, rows: Iterable[Row]) -> None:
        """Set the status of rows that are in the journal or duplicates; creates nothing."""
        met: set[str] = set()
        for row in rows:
            row.status, row.error, row.cause = "", None, None
            if row.identity in met:
                row.status, row.error = "skipped", "duplicate of an earlier row; set another repeat"
                continue
            met.add(row.identity)
            entry = self._journal.find(row.identity)
            if entry is None or entry.state in SETTLED:
                continue
            try:
                if entry.state == "created" and entry.id is not None:
                    row.record = self._as_record(self._calls.get(entry.id))
                    row.status = "existing"
                else:
                    self._reconcile(row, entry.time)
            except LookupError:
                row.status = "skipped"
                row.error = f"created as {entry.id} and deleted since; fresh=True creates it again"
            except InkframeError as error:
                # A known record exists even if it cannot be fetched now.
                row.status = "existing" if entry.id is not None else "unknown"
                row.error, row.cause = first_line(error), error

    def look_for(self, row: Row) -> None:
        """Search for the record of a row whose reply was lost; creates nothing.

        Raises:
            InkframeError: The search failed.
        """
        entry = self._journal.find(row.identity)
        if entry is not None:
            self._reconcile(row, entry.time)
        row.status = "existing" if row.record is not None else "skipped"
        row.error = row.cause = None

    def discard(self, row: Row) -> None:
        """Remove a row whose record was deleted; the same row can be created again."""
        at = self.rows.index(row)
        kept = [place for place in range(len(self.rows)) if place != at]
        self.rows, self._given = [self.rows[place] for place in kept], self._given.iloc[kept]
        self._note(row.identity, "deleted")

    def _reconcile(self, row: Row, since: float) -> None:
        """Search for a record whose create had no reply; None means that it was not created."""
        found = find_lost(self._session, self._calls, row.fields, since=since, beside=self._others())
        if found is not None:
            self._note(row.identity, "created", found.id)
            row.record, row.status = self._as_record(found), "existing"

    def _others(self) -> set[int | str]:
        """Return the ids of records that are known to belong to other rows."""
        return self._journal.ids(self._calls.spec.name, {row.identity for row in self.rows})

    def _note(self, identity: str, state: State, id: int | str | None = None) -> None:
        self._journal.note(identity, state, id, collection=self._calls.spec.name)

    def _make(self, row: Row, changed: Callable[[Row], Any], most_failures: int | None) -> None:
        row.status, row.error, row.cause = "", None, None
        if self._stop.is_set():
            row.status, row.error = "skipped", "the run was stopped"
        elif most_failures is not None and self._failures >= most_failures:
            row.status, row.error = "skipped", "not sent, since the previous creates failed"
        else:
            changed(row)
            self._create(row)
            with self._lock:
                self._failures = self._failures + 1 if row.error else 0
        changed(row)

    def _create(self, row: Row) -> None:
        began = time.monotonic()
        sent = time.time()
        self._note(row.identity, "sent")
        try:
            made = create(self._session, self._calls, row.fields, self._as_record)
            row.record = self._as_record(made)
            row.status = "pending" if made.awaited else "created"
            self._note(row.identity, "created", made.id)
        except OutcomeUnknown as error:
            row.error, row.cause = first_line(error), error
            self._settle(row, sent)
        except InkframeError as error:
            row.status, row.error, row.cause = "failed", first_line(error), error
            self._note(row.identity, "failed")
        row.seconds = time.monotonic() - began

    def _settle(self, row: Row, sent: float) -> None:
        """Search once for a record whose reply was lost; the row stays unknown if the search fails."""
        row.status = "unknown"
        try:
            self._reconcile(row, sent)
        except InkframeError:
            return
        if row.record is not None:
            row.status, row.error, row.cause = "created", None, None

    def frame(self) -> pd.DataFrame:
        """Return the rows as a frame: the given columns, the fields of the records, then status and error."""
        return outcomes(self.rows, self._given, FrameMaker(self._session, self._calls).builder())
