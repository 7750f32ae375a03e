"""Rows of a batch that were sent earlier: fetched, searched for, or free to be created."""

from __future__ import annotations

import hashlib
import time
from typing import TYPE_CHECKING, Any

from inkframe.errors import InkframeError
from inkframe.replies.recognition import with_unsent
from inkframe.workflows.create import find_lost, stored_instead
from inkframe.workflows.row_by_row import row_by_row
from inkframe.workflows.stop_rule import first_line

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Mapping, Sequence

    from inkframe.calls.port import Calls
    from inkframe.replies.record_reply import Record
    from inkframe.schema import ResourceSpec
    from inkframe.workflows.create_rows import Row
    from inkframe.workflows.journal import Journal
    from inkframe.workflows.session import Session

__all__ = ["EarlierCreates", "hashes"]


class EarlierCreates:
    """What the journal and the service know of the rows of a batch.

    Args:
        session: The session.
        calls: The collection.
        journal: The journal of earlier creates.
        as_record: Converts the record of a reply.
        stop: Once set, waiting ends.
    """

    def __init__(
        self,
        session: Session,
        calls: Calls,
        journal: Journal,
        as_record: Callable[[Record], Any],
        stop: threading.Event,
    ) -> None:
        self._session = session
        self._calls = calls
        self._journal = journal
        self._as_record = as_record
        self._stop = stop

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
        done = row_by_row(fetch, known, self._session.width, "Fetching", "records", progress=False)
        reason = next((each.error for each in done if each.error and not each.was_sent), None)
        for each in done:
            if each.error is not None and not each.was_sent:
                self._keep(each.job, each.error)
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
            row.status = "skipped"
            row.error = f"created as {entry.id} and deleted since; fresh=True creates it again"
        except InkframeError as error:
            self._keep(row, error)
        else:
            row.record, row.status = self._as_record(found), "existing"
            row.edited = edited_fields(found, entry.shown or {})
            if row.edited is None:
                self._calls.kept.learn(with_unsent(self._calls.spec, row.fields), found.known)

    def _keep(self, row: Row, error: InkframeError) -> None:
        # A known record exists even if it cannot be fetched now.
        row.status, row.error, row.cause = "existing", first_line(error), error

    def search(self, rows: Sequence[Row], create: Callable[[Row], Any] | None) -> None:
        """Search for the records of rows without a known outcome.

        Args:
            rows: The rows.
            create: Creates a row that was sent by an earlier run and certainly has no record; None to create
                nothing.
        """
        with self._journal.claim([row.identity for row in rows], self._stop) as is_claimed:
            for row in rows if is_claimed else ():
                if self.is_created(row):
                    self.show(row)
                else:
                    self._search(row, create)

    def _search(self, row: Row, create: Callable[[Row], Any] | None) -> None:
        entry = self._journal.find(row.identity)
        was_sent_now = row.seconds is not None and create is not None
        name = self._calls.spec.name
        try:
            beside = self._journal.ids(name, {row.identity})
            since = entry.time if entry is not None else time.time()
            finding = find_lost(self._session, self._calls, row.fields, since=since, beside=beside)
        except InkframeError as error:
            row.cause = row.cause or error
            return
        found = finding.record
        if found is not None:
            self._journal.note(
                row.identity, "created", found.id, collection=name, shown=hashes(self._calls.spec, found)
            )
            row.record, row.status = self._as_record(found), "created" if was_sent_now else "existing"
            row.error, row.cause = stored_instead(found), None
        elif finding.doubt is not None:
            row.status, row.error, row.cause = "unknown", finding.doubt, None
        elif create is None:
            row.status, row.error, row.cause = "skipped", None, None
        elif not was_sent_now:
            create(row)


def hashes(spec: ResourceSpec, record: Record) -> dict[str, str]:
    """Return short hashes of the fields that a record shows and that can be set, by name."""
    shown = {name: record.known.get(name) for name in spec.creates.keys() | spec.updates.keys()}
    return {name: _hash(value) for name, value in sorted(shown.items()) if value is not None}


def edited_fields(record: Record, before: Mapping[str, str]) -> str | None:
    """Return the fields whose values differ from those of the new record, with commas between them."""
    names = [
        name
        for name, mark in before.items()
        if name in record.known and name not in record.absent and _hash(record.known[name]) != mark
    ]
    return ", ".join(names) or None


def _hash(value: Any) -> str:
    # Services change line endings and the whitespace around a text.
    plain = str(value).replace("\r\n", "\n").replace("\r", "\n").strip()
    return hashlib.sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()[:8]
