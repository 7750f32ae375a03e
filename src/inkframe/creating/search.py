"""The search for the record of a create whose outcome is open: found, or the person decides.

A record is taken only if it is the only one that was not there before, is not that of another create, and shows what was
sent. Ids that this program has met were there before; records of an earlier time may have been. Nothing that was not found
is called "not created", however much time has passed: a service may list it later.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from inkframe.creating.identity import edits
from inkframe.listing.full_listing import PAGE_SIZE, FullListing
from inkframe.listing.operations import Limits
from inkframe.listing.queries import whole_queries
from inkframe.listing.verdict import Budget
from inkframe.replies.record import Record, Verdict, judge, with_unsent
from inkframe.replies.values import Sameness
from inkframe.vocabulary.arguments import short

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from inkframe.creating.identity import Entry
    from inkframe.creating.journal import Journal
    from inkframe.listing.session import SessionCalls
    from inkframe.replies.columns import Columns, Page

__all__ = ["NOT_FOUND", "RecentRecords", "Search"]

#: The most requests of the search for one create.
MOST_REQUESTS: Final = 20
#: The most of them that read a list, such as that of a template, and that search for the name in one.
MOST_LISTS: Final = 10
MOST_NAMED: Final = 4
NOT_FOUND: Final = (
    "no record that shows what was sent is listed, and the service may list it later or elsewhere"
)
INCOMPLETE: Final = "the search was not complete"


class _Spent(Exception):
    """The requests of a search are used up."""


class Search:
    """A search for the record of one create, or for any that is equal.

    Args:
        calls: The collection.
        fields: The fields of the create.
        journal: The journal, which has the records of other creates.
        recent: The newest records, read after it was sent; several searches may share them.
        entry: The create; None to search for any equal record.
        mark: The mark of the known ids before it was sent; 0 if another process sent it.
    """

    def __init__(
        self,
        calls: SessionCalls,
        fields: Mapping[str, Any],
        journal: Journal,
        recent: RecentRecords,
        entry: Entry | None = None,
        mark: int = 0,
    ) -> None:
        self._calls = calls
        self._fields = with_unsent(calls.spec, fields)
        self._journal = journal
        self._recent = recent
        self._entry = entry
        self._sent = (entry and entry.sent) or {}
        self._mark = mark
        # Two more may find out whether the service filters by template; the first pages of lists come to an end.
        self._budget = Budget(grows=False) if entry is None else Budget(MOST_REQUESTS - 2, grows=False)
        self._looked: set[int | str] = set()
        #: The records that show what was sent, and those that show versions of it that this service is known to make.
        self._exact: dict[int | str, Record] = {}
        self._changed: dict[int | str, Record] = {}
        self._doubts: list[str] = []
        #: Why a record may have been missed; that of a create may always be.
        self._missed = "" if entry is None else NOT_FOUND

    def run(self) -> tuple[Record | None, str]:
        """Search, for the record of a create with at most 20 requests: what is not found stays in doubt.

        Without a create, it takes at most two requests for each list, such as that of a template, and 60 more.

        Returns:
            The record, or None with the reason why it may exist, which is empty where none of a whole collection may
            be it.
        """
        with suppress(_Spent):
            self._spend()
            for columns in self._pages():
                self._look(columns)
                if self._exact:
                    break
        found, noun = self._exact or self._changed, self._calls.spec.noun
        if not found:
            return None, next(iter(self._doubts), self._missed)
        # As many equal records may be those of open creates with these fields.
        most = max(1, len(self._journal.rivals(self._calls.spec.name, self._sent)))
        if len(found) > most and self._entry is not None:
            return None, f"{noun} {' and '.join(map(repr, list(found)[:2]))} are equal"
        if not self._exact and (len(found) > 1 or self._doubts or self._entry is None):
            return None, f"{noun} {', '.join(map(repr, found))} may be the record in another form"
        record = next(iter(found.values()))
        if not self._calls.known_ids.claim(record.id, self._mark) and self._entry is not None:
            return None, f"{noun} {record.id!r} belongs to another create"
        record.differences = self._calls.kept.learn(self._fields, record.known)
        return record, ""

    def _pages(self) -> Iterator[Columns]:
        """Yield the pages that may have the record, the likeliest first, or all for any that is equal."""
        calls, recent = self._calls, self._recent
        yield recent.newest.columns
        if recent.is_whole(recent.newest):
            return
        named = {"search": self._fields["name"].strip(), "search_by": "name"}
        queries = [named | query for query in recent.queries]
        if self._entry is not None:
            yield from (page.columns for page in islice(recent.by_filter(self._spend), MOST_LISTS))
            for query in [named, *queries][: 1 + MOST_NAMED]:
                self._spend()
                yield FullListing(calls, query).newest().columns
            return
        are_whole = []
        # A search for the name does not find a record that was given another form of it.
        for page in () if calls.kept.is_kept("name") else recent.by_filter():
            yield page.columns
            are_whole.append(recent.is_whole(page))
        for query in () if are_whole and all(are_whole) else queries or [named]:
            listing = FullListing(calls, query, budget=self._budget)
            yield from listing.pages()
            if not listing.completeness.is_whole:
                self._missed = INCOMPLETE

    def _look(self, columns: Columns) -> None:
        """Note the records of a page that may be the one."""
        entry, calls = self._entry, self._calls
        for row, id in enumerate(columns.ids):
            was_there = entry is not None and (
                self._journal.find(self._journal.owner(calls.spec.name, id)) is not None
                or calls.known_ids.is_known(id, self._mark)
            )
            listed = columns.record(row)
            if id in self._looked or was_there or self._compared(listed)[0] == "other":
                continue
            self._looked.add(id)
            self._spend()
            is_older = (
                entry is not None
                and "created_at" not in columns.assumed
                and calls.seems_older(listed.known["created_at"], entry.time)
            )
            # Lists may omit or shorten the text.
            self._note(calls.get(id), id, is_older=is_older)

    def _compared(self, record: Record) -> tuple[Verdict, dict[str, Sameness]]:
        """Return whether a record is that of the create, or of another one, and how its values compare."""
        spec, journal, local = self._calls.spec, self._journal, self._calls.session.is_local
        comparison = self._calls.kept.compare(self._fields, record.known)
        verdict = judge(spec, comparison, self._calls.kept.changed)
        unlike = {name: each for name, each in comparison.items() if each != "same"}
        maker = journal.find(journal.owner(spec.name, record.id))
        if self._entry is not None and unlike == {spec.source: "hidden"}:
            verdict = "ours"  # a new record with the name that was sent
        # The embedded service keeps every value, so that a version is that of another record.
        elif verdict == "doubtful" and (
            (local and "version" in unlike.values())
            or (maker is not None and edits(spec, record, maker) is not None)
        ):
            verdict = "other"
        return verdict, comparison

    def _note(self, record: Record, id: int | str, *, is_older: bool) -> None:
        """Note a whole record if it may be the one, or why it is in doubt."""
        verdict, comparison = self._compared(record)
        versions = [
            f"{name}={short(record.known[name])}" for name, each in comparison.items() if each == "version"
        ]
        hidden = [name for name, each in comparison.items() if each == "hidden"]
        rivals = self._journal.rivals(self._calls.spec.name, self._sent, record.absent.union(hidden))
        how = (
            f" in another form: {', '.join(versions)}"
            if versions
            else f", and the service does not show its {' and '.join(hidden)}"
        )
        reasons = {
            f"may be the record{how}": verdict == "doubtful",
            "may be that of another create, which differs in what is not shown": any(
                each != self._sent for each in rivals
            ),
            "is equal, but its time is before that of the request": is_older,
        }
        doubts = [f"{self._calls.spec.noun} {id!r} {text}" for text, holds in reasons.items() if holds]
        if verdict != "other" and doubts:
            self._doubts.append(doubts[0])
        elif verdict != "other":
            (self._changed if versions else self._exact)[id] = record

    def _spend(self) -> None:
        """Count a request; a search for a record that was sent has few."""
        if not self._budget.allow():
            self._missed = (
                INCOMPLETE
                if self._entry is None
                else f"{NOT_FOUND}; a search takes at most {MOST_REQUESTS} requests"
            )
            raise _Spent


class RecentRecords:
    """The newest page of each listing that may have a new record; a listing is read when it is needed.

    Args:
        calls: The collection.
        likely: Values of a filter, such as templates, under which the service listed its last records.

    Attributes:
        newest: The newest records without filters.
    """

    def __init__(self, calls: SessionCalls, likely: Collection[Any] = ()) -> None:
        self._calls = calls
        self._likely = {*likely}
        self._pages: dict[int, Page] = {}
        self.newest = calls.page(
            {"sort_by": "id", "sort": "desc", "per_page": PAGE_SIZE}, limits=Limits(adapts=True)
        )

    @cached_property
    def queries(self) -> list[dict[str, Any]]:
        """The queries that together list the collection, the likely ones first; empty if one list has all records."""
        filtered = [query for query in whole_queries(self._calls, {}, {}, self.newest) if query]
        return sorted(filtered, key=lambda query: self._likely.isdisjoint(query.values()))

    def by_filter(self, spend: Callable[[], object] = lambda: None) -> Iterator[Page]:
        """Yield the newest page of each listing, the likely ones first; none if one list has all records.

        Args:
            spend: Called before a page is read.
        """
        for number, query in enumerate(self.queries):
            if number not in self._pages:
                spend()
                self._pages[number] = FullListing(self._calls, query, newest_first=True).newest()
            yield self._pages[number]

    def is_whole(self, page: Page) -> bool:
        """Return whether one of the pages has every record of its listing, and that of the newest all of the collection."""
        count, reply = len(page.columns.ids), page.reply
        is_end = self._calls.paginator.is_last(page) and reply.total in {None, count}
        counts_all = reply.holds_all and reply.everything == count
        return is_end and (page is not self.newest or counts_all or not self.queries)
