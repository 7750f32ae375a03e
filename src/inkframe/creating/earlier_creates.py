"""What was created earlier: the record that ``ensure`` returns, and the rows of a batch that need not be sent."""

from __future__ import annotations

from contextlib import closing, suppress
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Final

from inkframe.creating.create import Create, stored_instead
from inkframe.creating.identity import (
    Entry,
    Identity,
    canonical,
    checksums,
    edits,
    identities,
    marks,
)
from inkframe.creating.journal import journal_of
from inkframe.creating.rows import Row, first_line
from inkframe.creating.search import NOT_FOUND, RecentRecords, Search
from inkframe.display.console import notice
from inkframe.display.markup import counted
from inkframe.errors import ConfigurationError, InkframeError, NotFound, OutcomeUnknown
from inkframe.listing.full_listing import PAGE_SIZE, FullListing
from inkframe.replies.dialect import pinning
from inkframe.replies.record import Record, compare, judge, with_unsent
from inkframe.replies.values import LONGEST, words_of
from inkframe.vocabulary.arguments import short

if TYPE_CHECKING:
    import threading
    from collections.abc import Iterator, Mapping, Sequence

    from inkframe.creating.journal import Journal
    from inkframe.listing.session import SessionCalls
    from inkframe.replies.columns import Page

__all__ = ["EarlierCreates", "ensure"]

#: The most records that are fetched one by one without a look at pages.
FEW: Final = 20
#: The seconds by which a clock is behind at most, local times included.
DAY: Final = 86_400.0
#: Words in the keys of fields that may be the name.
NAMING: Final = frozenset({"title", "label", "caption", "subject", "heading", "headline", "display"})
#: Why a row is skipped until the user decides.
GONE: Final = "and deleted since"
ANOTHER: Final = "and a different record now"
FOREIGN: Final = "with another key, which may be of another account"


def ensure(calls: SessionCalls, fields: Mapping[str, Any]) -> Record:
    """Return the record with these fields, creating it only if neither the journal nor the service has it.

    Raises:
        ConfigurationError: The service does not show the name of a record; nothing was created.
        OutcomeUnknown: It is unclear whether the service has the record; nothing was created.
    """
    journal = journal_of(calls.session)
    identity = next(identities(calls, journal.contents, fields))
    with journal.claim([identity]):
        known = journal.creates(identity.content)
        record, doubt = _noted_record(calls, known)
        own = next((each for each, entry in known if entry.is_open and entry.is_own), identity)
        asked = Create(calls, Row(None, dict(fields), identity=own), journal)
        if record is None and asked.step != "repeat":
            record = _equal_record(asked, doubt)
            if record is not None and journal.owner(calls.spec.name, record.id) is None:
                Create(calls, Row(None, dict(fields), identity=identity), journal).keep(record)
        record = record or asked.pay()
        if journal.problem is not None:
            notice(str(journal.problem))
        return record


def _noted_record(calls: SessionCalls, known: Sequence[tuple[Identity, Entry]]) -> tuple[Record | None, str]:
    """Return the record that the journal has for a content, whatever way created it and whatever it shows.

    Without one, there is a doubt if a create of it is open, or its record is gone and nobody is known to have deleted it.
    """
    doubt = NOT_FOUND if any(entry.is_open for _, entry in known) else ""
    for id, entry in [(entry.id, entry) for _, entry in known if entry.id is not None]:
        try:
            record = calls.get(id)
        except NotFound:
            if entry.is_own and not calls.known_ids.was_deleted(id):
                doubt = doubt or f"{calls.spec.noun} {id} was created for it, and is not found now"
        else:
            if edits(calls.spec, record, entry) is not None:
                return record, ""
    return None, doubt


def _equal_record(asked: Create, noted: str) -> Record | None:
    """Return the record that the service has with these fields; None if there is certainly none.

    Args:
        asked: The create.
        noted: Why there may be one that is not found.

    Raises:
        ConfigurationError: The service does not show the name of a record.
        OutcomeUnknown: It is unclear whether there is one.
    """
    calls, noun, fields = asked.calls, asked.calls.spec.noun, asked.row.fields
    recent = RecentRecords(calls)
    _require_name(calls, recent.newest)
    record, doubt = Search(calls, fields, asked.journal, recent).run()
    if record is not None:
        comparison = compare(fields, record.known)
        if unshown := [name for name, each in comparison.items() if each == "hidden"]:
            notice(
                f"{noun.capitalize()} {record.id}: The service does not show its {' and '.join(unshown)}, which may differ."
            )
    elif doubt := doubt or noted:
        raise OutcomeUnknown(
            f"It is unclear whether {calls.session.host} has {noun} {short(fields['name'])}; nothing was created.\n"
            f"{doubt[:1].upper()}{doubt[1:]}.\n"
            "Look at the records with .list(search=…), or create another one with .create().",
            doubt=doubt,
        )
    return record


def _require_name(calls: SessionCalls, newest: Page) -> None:
    """Raise ConfigurationError if the service does not show the name of a record."""
    if newest.columns.ids and not calls.dialect.shows("name"):
        record = calls.get(newest.columns.ids[0])  # lists may omit it
        usual = (
            key for key in record.extra if len(key) <= LONGEST and NAMING & words_of(key.partition(".")[0])
        )
        pin = {"fields": {"name": min(usual, key=len, default="…")}}
        if not calls.dialect.shows("name"):
            raise ConfigurationError(
                f"The service does not show the name of a {calls.spec.noun}, so that ensure finds nothing by it.\n"
                f"Nothing was created. Pin the key of the name: {pinning(calls.spec.name, pin, calls.sender.key)}"
            )


class EarlierCreates:
    """Earlier creations of the rows of a batch, from the journal and the service.

    Args:
        calls: The collection.
        journal: The journal of earlier creates.
        stop: Once set, waiting ends.
        adopts: Whether to look once for equal records before anything is sent.
    """

    def __init__(
        self,
        calls: SessionCalls,
        journal: Journal,
        stop: threading.Event,
        *,
        adopts: bool = False,
    ) -> None:
        self._calls = calls
        self._journal = journal
        self._stop, self._adopts = stop, adopts
        #: The templates, or values of another filter, under which the service listed records.
        self._likely: set[Any] = set()
        #: What creates a row that is skipped.
        self.remedy = "fresh=True creates {} again"
        #: The code of the rows that may have been created.
        self.unknown = 'runs[runs["status"] == "unknown"]'
        #: Records that a page has shown, by id.
        self._listed: dict[int | str, Record] = {}

    def create_of(self, row: Row) -> Create:
        """Return the create of a row."""
        return Create(self._calls, row, self._journal)

    def adopt(self, rows: Sequence[Row]) -> None:
        """Take equal records of a billed service for rows that the journal does not know, as in a new home."""
        calls, spec = self._calls, self._calls.spec
        adopts, self._adopts = self._adopts and calls.session.creations_are_billed, False
        new = [
            row
            for row in rows
            # Others than the first are created anew on purpose.
            if adopts and row.id is None and row.identity.number == 0
            if self._journal.known(row.identity) is None
        ]
        named: dict[str, list[Row]] = {}
        for row in new:
            named.setdefault(canonical(spec, row.fields)["name"], []).append(row)
        for record in self._newest_records(len(new)) if new else ():
            shown = canonical(spec, record.known)
            for row in named.get(str(shown["name"]), ()):
                if row.record is None and self._shows(record, shown, row):
                    with suppress(InkframeError):
                        found = record if record.known[spec.generated] else calls.get(record.id)
                        self.create_of(row).keep(found)
                        self.take(row, found, "existing")
                    break
            if self._stop.is_set() or all(row.record is not None for row in new):
                break
        if adopted := sum(row.record is not None for row in new):
            notice(
                f"{adopted:,} {'row equals a record' if adopted == 1 else 'rows equal records'} on"
                f" {calls.session.host} and cost nothing; fresh=True creates them again."
            )

    def _shows(self, record: Record, shown: Mapping[str, Any], row: Row) -> bool:
        """Return whether a record that no other create may have made equals a row."""
        calls, journal, spec = self._calls, self._journal, self._calls.spec
        comparison = calls.kept.compare(with_unsent(spec, canonical(spec, row.fields)), shown)
        hidden = [name for name, each in comparison.items() if each == "hidden"]
        return (
            judge(spec, comparison) == "ours"
            and not journal.rivals(spec.name, checksums(row.fields), record.absent.union(hidden))
            and journal.find(journal.owner(spec.name, record.id)) is None
        )

    def _newest_records(self, count: int) -> Iterator[Record]:
        """Yield the newest records, and in a new home those of the list of each template; an error ends them.

        Args:
            count: The number of records that are looked for; there are as many pages as they and one more may take.
        """
        calls = self._calls
        with suppress(InkframeError):
            recent = RecentRecords(calls, self._likely)
            is_old = calls.spec.name in self._journal.sent or recent.is_whole(recent.newest)
            lists = () if is_old else (page.columns for page in recent.by_filter())
            with closing(FullListing(calls, {}, newest_first=True).pages(recent.newest)) as pages:
                for columns in chain(islice(pages, count // PAGE_SIZE + 1), lists):
                    yield from map(columns.record, range(len(columns.ids)))

    def read_pages(self, rows: Sequence[Row]) -> None:
        """Take the records of rows from the newest pages that show them as they were created.

        A page may show less than a record, or an edited one; such a record is fetched by itself.
        """
        spec, found = self._calls.spec, (self._journal.find(row.identity) for row in rows)
        left = {str(entry.id): entry for entry in found if entry is not None and entry.shown}
        for record in self._newest_records(len(left)) if len(left) > FEW else ():
            entry = left.pop(str(record.id), None)
            if entry is not None and record.known[spec.generated] and edits(spec, record, entry) == []:
                self._listed[record.id] = record
            if self._stop.is_set() or not left:
                break

    def show(self, row: Row) -> None:
        """Fetch the known record of a row, and show it unless it is gone, or another one now."""
        spec = self._calls.spec
        entry = self._journal.known(row.identity) or Entry(
            "created",
            row.id,
            0.0,
            # A row of a result has what was sent, or stored.
            shown=marks({name: row.fields.get(name) for name in ("name", spec.source)}),
        )
        id = entry.id if row.id is None else row.id
        try:
            record = None if id is None else self._listed.pop(id, None) or self._calls.get(id)
        except LookupError:
            record = None
        except InkframeError as error:
            self.keep(row, error)
            return
        edited = None if record is None else edits(spec, record, entry)
        if record is None or edited is None:
            reason = FOREIGN if not entry.is_own else GONE if record is None else ANOTHER
            what = "sent" if id is None else f"created as {id}"
            row.status, row.error = "skipped", f"{what} {reason}; {self.remedy.format('it')}"
            return
        # A record that was taken in a new home may be much older than its line.
        if entry.made is not None and entry.time - entry.made < DAY:
            self._calls.learn_clock(record, entry.time)
        is_generated = record.known[spec.generated] is not None and spec.generated not in (entry.shown or {})
        if is_generated or not entry.is_own:
            # Noted for this account, so that nothing is asked again, or with what was generated later.
            self.create_of(row).keep(record, entry.shown)
        self.take(row, record, "existing")
        row.edited = ", ".join(name for name in edited if name != "created_at") or None
        # A row of a result has what the service stored, and not what was sent.
        if not edited and row.id is None:
            self._calls.kept.learn(with_unsent(spec, row.fields), record.known)

    def keep(self, row: Row, error: InkframeError) -> None:
        """Note that the record of a row exists even if it cannot be fetched now, but maybe not in this account."""
        entry = self._journal.known(row.identity)
        is_own = row.id is not None or (entry is not None and entry.is_own)
        row.status = "existing" if is_own else "skipped"
        row.error, row.cause = first_line(error), error

    def take(self, row: Row, record: Record, status: str) -> None:
        """Set the record of a row, and note where the service lists it, since a lost one is likely there too."""
        self._likely.update(record.known[name] for name in self._calls.spec.filter_defaults)
        row.record, row.status, row.costs = self._calls.as_record(record), status, record.costs
        row.error, row.cause = stored_instead(record), None

    def report(self, rows: Sequence[Row]) -> None:
        """Print how many rows failed, may have been created, or are skipped for earlier creates, and what to do."""
        if failed := [row for row in rows if row.status == "failed"]:
            notice(
                f"{counted(sum(row.status in {'failed', 'skipped'} for row in rows), 'row')} of {len(rows):,}"
                f" not created. Run again to send what failed. {failed[0].error}"
            )
        if lost := sum(row.status == "unknown" for row in rows):
            notice(
                f"{counted(lost, 'row')} may have been created, and no search found a record: look at {self.unknown}"
                f" and the service, or {self.remedy.format('these rows')}."
            )
        for reason in (GONE, ANOTHER, FOREIGN):
            if count := sum(row.status == "skipped" and reason in str(row.error) for row in rows):
                notice(
                    f"{counted(count, 'row')} skipped: created before {reason}; {self.remedy.format('every row')}"
                )

    def search(self, rows: Sequence[Row]) -> None:
        """Search for the records of rows without a known outcome; those that are not found stay unknown.

        Raises:
            InkframeError: The newest records could not be read.
        """
        with self._journal.claim([row.identity for row in rows], self._stop) as is_claimed:
            for row in rows if is_claimed else ():
                if self.create_of(row).step == "show":
                    self.show(row)  # another program was faster
            lost = [row for row in rows if is_claimed and self.create_of(row).step in {"search", "repeat"}]
            recent, count = RecentRecords(self._calls, self._likely) if lost else None, 0
            while len(lost) != count:  # each record shows what the service makes of values
                count = len(lost)
                lost = [row for row in lost if not self._is_found(row, recent)]

    def _is_found(self, row: Row, recent: RecentRecords | None) -> bool:
        """Search for the record of one row; it stays unknown if the search fails."""
        row.status = "unknown"
        try:
            record, row.error = self.create_of(row).find(recent)
        except InkframeError as error:
            row.cause, row.error = row.cause or error, row.error or first_line(error)
            return False
        if record is not None:
            self.take(row, record, "existing" if row.sent is None else "created")
        return record is not None
