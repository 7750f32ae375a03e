"""Rows of a batch that were sent earlier: fetched, searched for, or free to be created."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final

from inkframe.creating.create import edited_fields, find_lost, hashes, is_another, stored_instead
from inkframe.creating.lost import RecentRecords
from inkframe.creating.rows import Row, first_line, row_by_row
from inkframe.display.console import notice
from inkframe.display.markup import counted
from inkframe.errors import InkframeError
from inkframe.replies.same_content import with_unsent

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Sequence

    from inkframe.creating.journal import Journal
    from inkframe.listing.session import SessionCalls
    from inkframe.replies.record import Record

__all__ = ["EarlierCreates"]

#: A create is taken for ended after this many times the longest one so far.
PATIENCE: Final = 2


class EarlierCreates:
    """Earlier creations of the rows of a batch, from the journal and the service.

    Args:
        calls: The collection.
        journal: The journal of earlier creates.
        as_record: Converts the record of a reply.
        stop: Once set, waiting ends.
    """

    def __init__(
        self,
        calls: SessionCalls,
        journal: Journal,
        as_record: Callable[[Record], Any],
        stop: threading.Event,
    ) -> None:
        self._calls = calls
        self._journal = journal
        self._as_record = as_record
        self._stop = stop
        #: The templates, or values of another filter, under which the service listed records.
        self._likely: set[Any] = set()
        #: The identities of the rows whose records do not exist any more.
        self._gone: set[str] = set()

    def is_created(self, row: Row) -> bool:
        """Return whether the record of a row is known."""
        entry = self._journal.find(row.identity)
        return entry is not None and entry.id is not None

    def is_open(self, row: Row) -> bool:
        """Return whether a row was sent without a known outcome."""
        entry = self._journal.find(row.identity)
        return entry is not None and entry.is_open

    def fetch(self, rows: Sequence[Row], changed: Callable[[Row], Any]) -> InkframeError | None:
        """Fetch the records that are known; return the error after which nothing more should be sent."""

        def fetch(row: Row) -> None:
            if not self._stop.is_set():
                self.show(row)
                changed(row)
                if row.cause is not None:
                    raise row.cause

        known = [row for row in rows if self.is_created(row)]
        reason: InkframeError | None = None
        for each in row_by_row(
            fetch, known, self._calls.session.width, "Fetching", "records", progress=False
        ):
            if each.error is not None and not each.was_sent:
                reason = each.error
                self._keep(each.job, reason)
                changed(each.job)
        return reason

    def show(self, row: Row) -> None:
        """Fetch the known record of a row."""
        entry = self._journal.find(row.identity)
        if entry is None or entry.id is None:
            return
        try:
            found = self._calls.get(entry.id)
        except LookupError:
            self._skip(row, f"created as {entry.id} and deleted since")
        except InkframeError as error:
            self._keep(row, error)
        else:
            edited = edited_fields(found, entry.shown or {})
            if is_another(self._calls.spec, edited):
                self._skip(row, f"created as {entry.id}, which is another record now")
                return
            row.record, row.status, row.edited = self._as_record(found), "existing", ", ".join(edited) or None
            if not edited:
                self._calls.kept.learn(with_unsent(self._calls.spec, row.fields), found.known)

    def _skip(self, row: Row, reason: str) -> None:
        row.status, row.error = "skipped", f"{reason}; fresh=True creates it again"
        self._gone.add(row.identity)

    def report_gone(self) -> None:
        """Print how many rows are skipped because their records do not exist any more, if there are any."""
        if self._gone:
            words = counted(len(self._gone), "row")
            notice(f"{words} skipped: created before and deleted since; fresh=True creates every row again")

    def _keep(self, row: Row, error: InkframeError) -> None:
        # A known record exists even if it cannot be fetched now.
        row.status, row.error, row.cause = "existing", first_line(error), error

    def note_listed(self, record: Record) -> None:
        """Note where the service lists a new record, since a lost one is likely there too."""
        self._likely.update(record.known[name] for name in self._calls.spec.filter_defaults)

    def search(self, rows: Sequence[Row], create: Callable[[Row], Any] | None) -> None:
        """Search for the records of rows without a known outcome.

        Args:
            rows: The rows.
            create: Creates a row that certainly has no record; None to create nothing.
        """
        with self._journal.claim([row.identity for row in rows], self._stop) as is_claimed:
            missing = self._find(rows, may_create=create is not None) if is_claimed else []
            if create is None or not missing:
                return
            if seconds := self._pause(missing):
                # What is under way may still be stored after its reply was lost.
                if self._stop.wait(seconds):
                    return
                missing = self._find(missing, may_create=True)
            for row in missing:
                create(row)
            # A second whole search is left to the next run, since it may take a request for each template.
            lost = [row for row in missing if row.status == "unknown"]
            self._find(lost, may_create=True, only_likely=True)

    def _find(self, rows: Sequence[Row], *, may_create: bool, only_likely: bool = False) -> list[Row]:
        """Show the rows whose records are found, and return those that certainly have none."""
        recent: RecentRecords | None = None
        missing = []
        for row in rows:
            entry = self._journal.find(row.identity)
            if self.is_created(row):
                self.show(row)  # another program was faster
                continue
            if entry is None or entry.is_settled:
                missing.append(row)
                continue
            try:
                recent = recent or RecentRecords(self._calls, self._likely, only_likely=only_likely)
                beside = self._journal.ids(self._calls.spec.name, {row.identity})
                result = find_lost(self._calls, row.fields, since=entry.time, beside=beside, recent=recent)
            except InkframeError as error:
                row.error, row.cause = row.error or first_line(error), row.cause or error
                continue
            if result.record is not None:
                self._found(row, result.record, is_new=may_create and row.sent is not None)
            elif result.doubt is not None:
                row.status, row.error = "unknown", result.doubt
                self._journal.note(row.identity, "unknown", collection=self._calls.spec.name)
            else:
                missing.append(row)
                row.status = "unknown" if may_create else "skipped"
                if not may_create:
                    row.error = row.cause = None
        return missing

    def _found(self, row: Row, record: Record, *, is_new: bool) -> None:
        spec = self._calls.spec
        self.note_listed(record)
        row.record, row.status = self._as_record(record), "created" if is_new else "existing"
        row.error, row.cause = stored_instead(record), None
        self._journal.note(
            row.identity, "created", record.id, collection=spec.name, shown=hashes(spec, record)
        )

    def _pause(self, rows: Sequence[Row]) -> float:
        """Return the seconds until a create that is still under way would have been stored."""
        if self._calls.session.is_local:
            return 0.0
        entries = [(row, self._journal.find(row.identity)) for row in rows]
        sent = [row.sent or (0.0 if entry is None else entry.time) for row, entry in entries]
        longest = self._journal.longest(self._calls.spec.name)
        return max(0.0, max(sent) + PATIENCE * longest - time.time())
