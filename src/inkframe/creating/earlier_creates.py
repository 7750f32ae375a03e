"""Rows of a batch that were sent earlier: fetched, searched for, or free to be created."""

from __future__ import annotations

from contextlib import closing, suppress
from typing import TYPE_CHECKING, Any, Final

from inkframe.creating.create import stored_instead
from inkframe.creating.lost import RecentRecords, SearchResult, find_lost, sent_before
from inkframe.creating.once import edited_fields, hashes, is_another, note_created
from inkframe.creating.rows import Row, first_line, row_by_row
from inkframe.display.console import notice
from inkframe.display.markup import counted
from inkframe.errors import InkframeError
from inkframe.listing.full_listing import FullListing
from inkframe.listing.pages import PAGE_SIZE
from inkframe.replies.same_content import judge, same_content, with_unsent
from inkframe.vocabulary.arguments import canonical_text

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Mapping, Sequence

    from inkframe.creating.journal import Entry, Journal
    from inkframe.creating.lost import Sent
    from inkframe.listing.session import SessionCalls
    from inkframe.replies.columns import Page
    from inkframe.replies.record import Record

__all__ = ["EarlierCreates"]

#: The most records that are fetched one by one without a look at pages, and the fewest on a page that is worth it.
FEW: Final = 20
ROWS_OF_A_PAGE: Final = 5
#: Why a row is skipped until the user decides.
GONE: Final = "and deleted since"
ANOTHER: Final = "and a different record now"
FOREIGN: Final = "with another key, which may be of another account"


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
        #: Why rows are skipped until the user decides, each with their identities.
        self._skipped: dict[str, set[str]] = {}
        #: What creates a row that is skipped.
        self.remedy = "fresh=True creates {} again"
        #: The code of the rows that may have been created.
        self.unknown = 'runs[runs["status"] == "unknown"]'
        #: The newest records before any create, if they were read.
        self.newest: Page | None = None
        #: Records that a page has shown, by id.
        self._listed: dict[int | str, Record] = {}

    def is_created(self, row: Row) -> bool:
        """Return whether the record of a row is known, or that another account has sent it."""
        entry = self._journal.find(row.identity)
        is_noted = entry is not None and entry.id is not None
        return is_noted or row.id is not None or self.is_foreign(row)

    def is_known(self, row: Row) -> bool:
        """Return whether the journal has a create of a row, or the row a record."""
        return row.id is not None or self._journal.knows(row.identity)

    def is_foreign(self, row: Row) -> bool:
        """Return whether only another account has sent a row."""
        foreign = self._journal.foreign(row.identity)
        return foreign is not None and not foreign.is_settled

    def is_open(self, row: Row) -> bool:
        """Return whether a row was sent without a known outcome."""
        entry = self._journal.find(row.identity)
        return entry is not None and entry.is_open

    def stays_open(self, row: Row) -> bool:
        """Return whether a row was sent without a known outcome, which sending it again would not settle."""
        entry = self._journal.find(row.identity)
        return entry is not None and entry.is_open and not self._calls.settles(entry.key, entry.time)

    def adopt(self, rows: Sequence[Row]) -> None:
        """Take equal records of a billed service for rows of which the journal knows none, as in a new home."""
        calls, spec = self._calls, self._calls.spec
        if not calls.session.creations_are_billed:
            return
        left: dict[str, list[Row]] = {}
        for each in rows:
            left.setdefault(canonical_text(each.fields["name"]), []).append(each)
        seen, adopted, listing = self._journal.ids(spec.name), 0, FullListing(calls, {}, newest_first=True)
        with suppress(InkframeError), closing(listing.pages(first := listing.newest())) as pages:
            self.newest = first
            for number, columns in enumerate(pages, start=1):
                for at, id in enumerate(columns.ids):
                    record = columns.record(at)
                    named = left.get(canonical_text(str(record.known["name"])), [])
                    row = next((row for row in named if id not in seen and self._is_equal(row, record)), None)
                    if row is not None:
                        named.remove(row)
                        self._found(
                            row, record if record.known[spec.generated] else calls.get(id), is_new=False
                        )
                        adopted += 1
                if number * PAGE_SIZE > len(rows) or self._stop.is_set():
                    break
        if adopted:
            words = "row equals a record" if adopted == 1 else "rows equal records"
            notice(
                f"{adopted:,} {words} on {calls.session.host} and cost nothing; fresh=True creates them again."
            )

    def _is_equal(self, row: Row, record: Record) -> bool:
        comparison = self._calls.kept.compare(with_unsent(self._calls.spec, row.fields), record.known)
        return judge(self._calls.spec, comparison) == "ours"

    def fetch(self, rows: Sequence[Row], changed: Callable[[Row], Any]) -> InkframeError | None:
        """Fetch the records that are known; return the error after which nothing more should be sent."""

        def fetch(row: Row) -> None:
            if not self._stop.is_set():
                self.show(row)
                changed(row)
                if row.cause is not None:
                    raise row.cause

        known = [row for row in rows if self.is_created(row)]
        self._read_pages(known)
        reason: InkframeError | None = None
        for each in row_by_row(
            fetch, known, self._calls.session.width, "Fetching", "records", progress=False
        ):
            if each.error is not None and not each.was_sent:
                reason = each.error
                self._keep(each.job, reason)
                changed(each.job)
        return reason

    def _read_pages(self, rows: Sequence[Row]) -> None:
        """Take the records of rows from the newest pages that show them as they were created.

        A page may show less than a record, or an edited one; such a record is fetched by itself.
        """
        found = (self._journal.find(row.identity) for row in rows)
        entries = {str(entry.id): entry for entry in found if entry is not None and entry.shown}
        if len(entries) <= FEW:
            return
        count, pages = len(entries), FullListing(self._calls, {}, newest_first=True).pages()
        with closing(pages), suppress(InkframeError):
            for number, columns in enumerate(pages, start=1):
                for at, id in enumerate(columns.ids):
                    entry, record = entries.pop(str(id), None), columns.record(at)
                    is_whole = bool(record.known[self._calls.spec.generated])
                    if entry is not None and is_whole and not edited_fields(record, entry):
                        self._listed[id] = record
                if not entries or count - len(entries) < number * ROWS_OF_A_PAGE or self._stop.is_set():
                    return

    def show(self, row: Row) -> None:
        """Fetch the known record of a row."""
        foreign = self._journal.foreign(row.identity)
        entry = foreign or self._journal.find(row.identity)
        id = entry.id if entry is not None and row.id is None else row.id
        if id is None:
            self._skip(row, "sent", FOREIGN)
            return
        try:
            found = self._listed.pop(id, None) or self._calls.get(id)
        except LookupError:
            self._skip(row, f"created as {id}", GONE if foreign is None else FOREIGN)
        except InkframeError as error:
            self._keep(row, error)
        else:
            self._show(row, found, entry, foreign)

    def _show(self, row: Row, found: Record, entry: Entry | None, foreign: Entry | None) -> None:
        """Show a record that was fetched, unless it is another one."""
        spec = self._calls.spec
        if entry is None:  # of a result
            names = row.fields.keys() - found.absent
            edited = [name for name in names if same_content(row.fields[name], found.known[name]) == "other"]
        else:
            edited = edited_fields(found, entry)
        if foreign is not None and (edited or not foreign.shown):
            self._skip(row, f"created as {found.id}", FOREIGN)
            return
        if is_another(spec, edited):
            self._skip(row, f"created as {found.id}", ANOTHER)
            return
        self.note_listed(found)
        before = {} if entry is None else dict(entry.shown or {})
        if entry is not None:
            self._calls.learn_clock(found, entry.time)
        later = hashes(spec, found).keys() - before.keys()
        if foreign is not None or entry is None or later == {spec.generated}:
            # Noted for this account, so that nothing is asked again, or with what was generated later.
            note_created(self._calls, self._journal, row.identity, found, before)
        row.edited = ", ".join(name for name in edited if name != "created_at") or None
        row.record, row.status = self._as_record(found), "existing"
        # A row of a result has what the service stored, and not what was sent.
        if not edited and row.id is None:
            self._calls.kept.learn(with_unsent(spec, row.fields), found.known)

    def _skip(self, row: Row, what: str, reason: str) -> None:
        row.status, row.error = "skipped", f"{what} {reason}; {self.remedy.format('it')}"
        self._skipped.setdefault(reason, set()).add(row.identity)

    def report(self, rows: Sequence[Row]) -> None:
        """Print how many rows are skipped because of earlier creates, or may have been created, and what to do."""
        if lost := sum(row.status == "unknown" for row in rows):
            notice(
                f"{counted(lost, 'row')} may have been created, and no search found a record: look at {self.unknown}"
                f" and the service, or {self.remedy.format('these rows')}."
            )
        for reason, identities in self._skipped.items():
            words = counted(len(identities), "row")
            notice(f"{words} skipped: created before {reason}; {self.remedy.format('every row')}")

    def _keep(self, row: Row, error: InkframeError) -> None:
        # A known record exists even if it cannot be fetched now, but maybe not in this account.
        row.status = "skipped" if self.is_foreign(row) else "existing"
        row.error, row.cause = first_line(error), error

    def note_listed(self, record: Record) -> None:
        """Note where the service lists a record of the batch, since a lost one is likely there too."""
        self._likely.update(record.known[name] for name in self._calls.spec.filter_defaults)

    def search(self, rows: Sequence[Row]) -> None:
        """Search for the records of rows without a known outcome; those that are not found stay unknown."""
        with self._journal.claim([row.identity for row in rows], self._stop) as is_claimed:
            open_rows: list[tuple[Row, Sent]] = []
            for row in rows if is_claimed else ():
                entry = self._journal.find(row.identity)
                if self.is_created(row):
                    self.show(row)  # another program was faster
                elif entry is not None and entry.is_open:
                    open_rows.append((row, sent_before(self._journal, entry, row.sent)))
            if open_rows:
                self._search(open_rows)

    def _search(self, rows: list[tuple[Row, Sent]]) -> None:
        """Search for rows until no more are found, since each record shows what the service makes of values."""
        try:
            recent = RecentRecords(self._calls, self._likely)
        except InkframeError as error:
            for row, _ in rows:
                row.cause = row.cause or error
            return
        while True:
            beside = self._journal.ids(self._calls.spec.name)
            left: list[tuple[Row, Sent]] = []
            for row, sent in rows:
                equals = sum(other.fields == row.fields for other, _ in rows)
                result = self._look_for(row, sent, recent, beside, equals)
                if result.record is not None:
                    self._found(row, result.record, is_new=row.sent is not None)
                    continue
                row.status, row.error = "unknown", result.doubt
                left.append((row, sent))
            if len(left) in {0, len(rows)}:
                break
            rows = left
        for row, _ in left:
            self._journal.note(row.identity, "unknown", collection=self._calls.spec.name)

    def _look_for(
        self,
        row: Row,
        sent: Sent,
        recent: RecentRecords,
        beside: Mapping[int | str, Entry],
        equals: int,
    ) -> SearchResult:
        """Search for the record of one row; it stays unknown if the search fails."""
        try:
            return find_lost(self._calls, row.fields, sent, beside=beside, recent=recent, equals=equals)
        except InkframeError as error:
            row.cause = row.cause or error
            return SearchResult(doubt=row.error or first_line(error))

    def _found(self, row: Row, record: Record, *, is_new: bool) -> None:
        self.note_listed(record)
        row.record, row.status = self._as_record(record), "created" if is_new else "existing"
        row.error, row.cause = stored_instead(record), None
        note_created(self._calls, self._journal, row.identity, record)
