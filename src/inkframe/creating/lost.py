"""The search for a record by its fields, for lost creates and to avoid duplicates.

A record that was not found was not created only if that is proven: the search was complete, and each record that it
found differs in a field that this service has shown to keep word for word.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal

from inkframe.errors import InkframeError
from inkframe.listing.full_listing import FullListing
from inkframe.listing.operations import Calls, Limits
from inkframe.listing.pages import PAGE_SIZE
from inkframe.listing.queries import whole_queries
from inkframe.replies.same_content import content_mark, differences, is_version, same_content, with_unsent
from inkframe.replies.values import LONGEST, words_of
from inkframe.vocabulary.arguments import short

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from inkframe.creating.journal import Entry, Journal
    from inkframe.listing.session import SessionCalls
    from inkframe.replies.columns import Columns, Page
    from inkframe.replies.record import Record

__all__ = [
    "RecentRecords",
    "Search",
    "SearchResult",
    "Sent",
    "find_lost",
    "named_listings",
    "naming_key",
    "note_newest",
    "sent_before",
]

NEWEST: Final[dict[str, Any]] = {"sort_by": "id", "sort": "desc", "per_page": PAGE_SIZE}
#: The fewest times by which a page shows that ids increase.
FEWEST: Final = 8
#: Words in the keys of fields that may be the name.
NAMING: Final = frozenset({"title", "label", "caption", "subject", "heading", "headline", "display"})
#: ``changed`` differs as the service is known to change values, ``similar`` as some services do, and ``renamed`` by a
#: name that is no version of the one that was sent.
Verdict = Literal["ours", "changed", "partial", "similar", "renamed", "unclear", "other"]


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The result of a search.

    Args:
        record: The record, or None.
        doubt: Why a record that was not found may exist; None if there is certainly none.
    """

    record: Record | None = None
    doubt: str | None = None


@dataclass(frozen=True, slots=True)
class Sent:
    """When a create was sent, by what this client saw before. Its time narrows a search, and proves nothing.

    Args:
        mark: The mark of the known ids at that moment; 0 if another process sent it.
        time: The time in seconds since 1970.
        age: Returns the seconds that have certainly passed since the request ended.
        existed: Returns whether the record with an id was there before.
        highest: The highest id before, if the ids of the service increase.
        was_listed: Returns whether a record was listed before, by its id and its mark.
        was_created: Whether the record was certainly created, though its id is not known.
    """

    mark: int
    time: float
    age: Callable[[], float]
    existed: Callable[[int | str], bool] = lambda _id: False
    highest: int | None = None
    was_listed: Callable[[int | str, str], bool] = lambda _id, _mark: True
    was_created: bool = False

    def is_later(self, id: int | str) -> bool:
        """Return whether a record was certainly created later."""
        return self.highest is not None and isinstance(id, int) and id > self.highest


def sent_before(journal: Journal, entry: Entry, mark: int | None) -> Sent:
    """Return when a create of the journal was sent.

    Args:
        journal: The journal.
        entry: The create.
        mark: The mark of the known ids at that moment; None if another process sent it.
    """
    existed, highest = partial(journal.existed, entry), journal.highest(entry)
    was_listed = partial(journal.was_listed, entry)
    was_created = entry.state == "created"
    return Sent(mark or 0, entry.time, entry.age, existed, highest, was_listed, was_created=was_created)


def find_lost(
    calls: SessionCalls,
    fields: Mapping[str, Any],
    sent: Sent,
    *,
    beside: Mapping[int | str, Entry] | None = None,
    recent: RecentRecords | None = None,
    is_unique: bool = False,
) -> SearchResult:
    """Search for the record of a create whose reply was lost.

    Args:
        calls: The collection.
        fields: The fields that were sent.
        sent: When they were sent.
        beside: The ids of records that belong to other creates, each with its create.
        recent: The newest records, read after the reply was lost; several searches may share them.
        is_unique: Whether a record counts only if no other of the newest is equal.
    """
    search = Search(calls, fields, sent=sent, beside=beside or {}, is_unique=is_unique)
    recent = RecentRecords(calls) if recent is None else recent
    named = tuple if recent.only_likely else partial(named_listings, calls, fields)
    result = search.run(recent.newest, named, recent.by_filter)
    if result.record is not None or result.doubt is not None:
        return result
    if sent.was_created:
        return SearchResult(doubt="it was created, but its id is not known")
    if (left := calls.session.certain_after - sent.age()) > 0:
        when = time.strftime("%H:%M:%S", time.localtime(time.time() + left))
        return SearchResult(doubt=f"the service may still be creating it; a search after {when} can tell")
    return result


def named_listings(calls: SessionCalls, fields: Mapping[str, Any]) -> Iterator[FullListing]:
    """Yield listings that together search the whole collection for a name."""
    query = {"search": fields["name"].strip(), "search_by": "name"}
    for each in whole_queries(calls, query, {}):
        yield FullListing(calls, each)


class Search:
    """A search for the record of one create.

    Args:
        calls: The collection.
        fields: The fields of the create.
        sent: When it was sent; None to search for any equal record.
        beside: The ids of records that belong to other creates, each with its create.
        is_unique: Whether a record counts only if no other of the newest is equal.
    """

    def __init__(
        self,
        calls: Calls,
        fields: Mapping[str, Any],
        *,
        sent: Sent | None = None,
        beside: Mapping[int | str, Entry],
        is_unique: bool = False,
    ) -> None:
        self._calls = calls
        self._is_unique = is_unique
        self._fields = with_unsent(calls.spec, fields)
        self._sent = sent
        self._beside = beside
        #: The records with values that the service is known to change, by id.
        self._changed: dict[int | str, Record] = {}
        self._doubts: list[str] = []
        #: The records that are equal, if the record must be unique and is not.
        self._equal: str | None = None

    def run(
        self,
        newest: Page,
        named: Callable[[], Iterable[FullListing]],
        by_filter: Callable[[], Iterable[Page]] = tuple,
    ) -> SearchResult:
        """Return what the newest records and a search by name show.

        Args:
            newest: The newest records.
            named: Returns listings that search the whole collection for the name.
            by_filter: Returns the newest page of each listing that together have all records, which several
                searches share; none by default.
        """
        # Whether a record from before is there as it was, so that the service was not emptied.
        self._is_same_library = self._sent is not None and any(
            mark and self._sent.was_listed(id, mark) for id, mark in _marked(newest.columns).items()
        )
        record = self._look(newest.columns)
        if record is None and not self._covers(newest):
            record, is_covered = self._look_through(by_filter())
            if not is_covered:
                record = self._look_by_name(named())
        # An equal record of any time may be that of another create, so that only a lost one is taken in another form.
        if record is None and len(self._changed) == 1 and not self._doubts and self._sent is not None:
            record = next(iter(self._changed.values()))
        if record is None or self._equal is not None:
            return SearchResult(doubt=self._equal or self._doubt(newest))
        mark = 0 if self._sent is None else self._sent.mark
        if not self._calls.known_ids.claim(record.id, mark) and self._sent is not None:
            return SearchResult(doubt=f"{self._calls.spec.noun} {record.id!r} belongs to another create")
        record.differences = self._calls.kept.learn(self._fields, record.known)
        return SearchResult(record)

    def _look_through(self, pages: Iterable[Page]) -> tuple[Record | None, bool]:
        """Return the record if a page has it, and whether the pages are all that the create may have made."""
        covers = []
        for page in pages:
            record = self._look(page.columns)
            if record is not None:
                return record, True
            covers.append(self._covers(page, is_filtered=True))
        return None, bool(covers) and all(covers)

    def _look_by_name(self, listings: Iterable[FullListing]) -> Record | None:
        for listing in listings:
            for columns in listing.pages():
                record = self._look(columns)
                if record is not None:
                    return record
            if not listing.is_whole:
                self._doubts.append("the search was not complete")
        name = self._fields["name"]
        if self._sent is not None and not self._calls.kept.keeps("name", name):
            self._doubts.append(
                f"this service has not shown on another record that it keeps names like {short(name)}"
            )
        return None

    def _doubt(self, newest: Page) -> str | None:
        """Return why a record that was not found may exist."""
        noun = self._calls.spec.noun
        if newest.columns.ids and not self._calls.dialect.shows("name"):
            return f"the service does not show the name of a {noun}"
        if self._changed:
            ids = ", ".join(map(repr, self._changed))
            return f"{noun} {ids} may be the record in another form"
        return next(iter(self._doubts), None)

    def _look(self, columns: Columns) -> Record | None:
        """Return the record if a page contains it; note other records that it may be."""
        found: Record | None = None
        for row, id in enumerate(columns.ids):
            shown = {name: values[row] for name, values in columns.known.items()}
            other = self._beside.get(id)
            # A service that was emptied gives ids again.
            is_again = other is not None and other.is_another(shown["created_at"])
            is_other = other is not None and not is_again
            if self._sent is not None and not is_again and (is_other or self._was_there(id, self._sent)):
                self._doubt_whether_new(id, shown, self._sent)
                continue
            verdict, record = self._examined(id, shown)
            if (
                record is not None
                and verdict in {"ours", "changed"}
                and self._seems_older(id, record, columns)
            ):
                self._doubts.append(
                    f"{self._calls.spec.noun} {id!r} is equal, but its time is before that of the request"
                )
                continue
            if record is not None and verdict == "ours":
                if found is None and self._is_unique:
                    found = record
                    continue
                if found is not None:
                    self._equal = f"{self._calls.spec.noun} {found.id!r} and {id!r} are equal"
                return record
            if is_other:
                continue
            if record is not None and verdict == "changed":
                self._changed[id] = record
            elif verdict != "other":
                self._doubts.append(self._doubt_about(id, verdict, shown if record is None else record.known))
        return found

    def _examined(self, id: int | str, shown: Mapping[str, Any]) -> tuple[Verdict, Record | None]:
        """Return whether a record of a list is the one of the create, and the whole record if it may be."""
        verdict = self._judge(shown)
        if verdict not in {"ours", "changed", "partial"}:
            return verdict, None
        # Lists may omit or shorten the text.
        record = self._calls.get(id)
        verdict = self._judge(record.known)
        if verdict == "partial" and self._sent is not None and record.known["name"] is not None:
            verdict = "ours"  # a new record with the name that was sent
        return verdict, record

    def _doubt_about(self, id: int | str, verdict: Verdict, shown: Mapping[str, Any]) -> str:
        spec = self._calls.spec
        if verdict == "partial":
            return f"{spec.noun} {id!r} has this name, and the service does not show its {spec.source}"
        if verdict == "renamed":
            return (
                f"{spec.noun} {id!r} has this {spec.source} under another name, "
                "and this service has not shown on another record that it keeps names"
            )
        if verdict == "unclear":
            return "this service has not shown on another record that it keeps the sent fields word for word"
        values = ", ".join(
            f"{name}={short(value)}" for name, value in differences(self._fields, shown).items()
        )
        return f"{spec.noun} {id!r} may be the record in another form: {values}"

    def _doubt_whether_new(self, id: int | str, shown: Mapping[str, Any], sent: Sent) -> None:
        """Note a record with an id from before that is equal, as on a service that was emptied."""
        other = self._beside.get(id)
        if (
            other is not None
            and (other.shown or {}).get("name") in {None, content_mark(shown["name"])}
            and (None not in {other.made, shown["created_at"]} or not sent.existed(id))
        ):
            return  # that of another create with this name, by its time, or because it was created later
        verdict, noun = self._examined(id, shown)[0], self._calls.spec.noun
        if verdict == "unclear" and not self._is_same_library:
            self._doubts.append(f"{noun} {id!r} may be the record, since those from before are not there")
        elif verdict not in {"unclear", "other"}:
            self._doubts.append(f"{noun} {id!r} is equal, but its id was there before")

    def _was_there(self, id: int | str, sent: Sent) -> bool:
        """Return whether a record was there before the create was sent, or is that of another create."""
        return sent.existed(id) or self._calls.known_ids.is_known(id, sent.mark)

    def _seems_older(self, id: int | str, record: Record, columns: Columns) -> bool:
        """Return whether an equal record may be older than the create, judged by its time."""
        if self._sent is None or "created_at" in columns.assumed or self._sent.is_later(id):
            return False
        return self._calls.seems_older(record.known["created_at"], self._sent.time)

    def _judge(self, shown: Mapping[str, Any]) -> Verdict:
        """Return whether a record is the one of the create, judged by its values."""
        kept, source = self._calls.kept, self._calls.spec.source
        # A service that fills fields that are not sent shows nothing by them.
        fields = {
            name: value
            for name, value in self._fields.items()
            if value is not None or not kept.changes(name, value)
        }
        differing = [
            name for name, value in fields.items() if same_content(value, shown.get(name)) == "other"
        ]
        if any(kept.excludes(name, fields[name], shown[name]) for name in differing):
            return "other"
        unlike = [name for name in differing if not is_version(fields[name], shown[name])]
        if self._sent is None and unlike == ["name"]:
            return "renamed"
        # Without a lost create, another value that no service makes of one is that of another record.
        if self._sent is None and any(
            fields[name] is not None and not kept.changes(name, fields[name]) for name in unlike
        ):
            return "other"
        if unlike:
            return "unclear"
        if not differing:
            return "ours" if shown["name"] is not None and shown[source] is not None else "partial"
        is_whole = all(shown.get(name) is not None for name, value in fields.items() if value is not None)
        is_known = all(kept.changes(name, fields[name]) for name in differing)
        return "changed" if is_whole and is_known else "similar"

    def _covers(self, newest: Page, *, is_filtered: bool = False) -> bool:
        """Return whether a page has every record that the create may have made, in any form."""
        spec, dialect, columns = self._calls.spec, self._calls.dialect, newest.columns
        is_partial = any(
            {None, default}.issuperset(columns.known[name]) for name, default in spec.filter_defaults.items()
        )
        if (
            is_partial
            and not is_filtered
            and False not in {dialect.default_template, dialect.filters_templates}
        ):
            return False
        # A page that ends with a record from before is no proof, since any order may be that of a clock.
        return self._calls.paginator.is_last(newest) and newest.reply.total in {None, len(columns.ids)}


def naming_key(record: Record) -> str:
    """Return the key of an additional field of a record that may be its name, or ``…``."""
    return next(
        (key for key in record.extra if len(key) <= LONGEST and NAMING & words_of(key.partition(".")[0])), "…"
    )


class RecentRecords:
    """The newest page of each listing that may have a new record; a listing is read when it is needed.

    Args:
        calls: The collection.
        likely: Values of a filter, such as templates, under which the service listed its last records.
        only_likely: Whether no other listing is read, so that a record may be missed.

    Attributes:
        newest: The newest records without filters.
    """

    def __init__(
        self, calls: SessionCalls, likely: Collection[Any] = (), *, only_likely: bool = False
    ) -> None:
        self._calls = calls
        self._likely = likely
        self.only_likely = only_likely
        self._queries: list[dict[str, Any]] | None = None
        self._pages: list[Page] = []
        self.newest = calls.page(NEWEST)

    def by_filter(self) -> Iterator[Page]:
        """Yield the newest page of each listing, the likely ones first; none if one list has all records."""
        if self._queries is None:
            queries = whole_queries(self._calls, {}, {})
            self._queries = sorted(queries, key=self._is_unlikely) if queries != [{}] else []
        for number, query in enumerate(self._queries):
            if self.only_likely and self._is_unlikely(query):
                return
            if number == len(self._pages):
                self._pages.append(FullListing(self._calls, query, newest_first=True).newest())
            yield self._pages[number]

    def _is_unlikely(self, query: dict[str, Any]) -> bool:
        return not any(query.get(name) in self._likely for name in self._calls.spec.filter_defaults)


def note_newest(calls: SessionCalls, journal: Journal, page: Page | None = None) -> None:
    """Note which records are there before creates are sent, so that a lost one is not taken for one of them.

    Args:
        calls: The collection.
        journal: The journal.
        page: The newest records, if they were just read.
    """
    try:
        columns = (page or calls.page(NEWEST, limits=Limits(tries=1))).columns
    except InkframeError:
        return  # less is known, and the creates show why
    ids, times = columns.ids, columns.known["created_at"]
    # Random numbers fall too where the service sorts by them, but then the times do not.
    increasing = (
        len(set(times)) >= FEWEST
        and None not in times
        and list(times) == sorted(times, reverse=True)
        and all(isinstance(id, int) for id in ids)
        and list(ids) == sorted(ids, reverse=True)
    )
    journal.see(calls.spec.name, _marked(columns), increasing=increasing)


def _marked(columns: Columns) -> dict[int | str, str]:
    """Return the ids of records, each with a short hash that another record with this id has not; "" without a time."""
    shown = zip(columns.ids, columns.known["name"], columns.known["created_at"], strict=True)
    return {id: "" if made is None else content_mark(f"{name} {made}") for id, name, made in shown}
