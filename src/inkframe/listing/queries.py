"""Several queries as one listing without duplicates, with one completeness, and the queries that list everything."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Any, Final, Protocol

from inkframe.http.connections import CancelScope
from inkframe.http.pace import request_limit
from inkframe.http.worker_pool import Limiter, WorkerPool
from inkframe.listing.full_listing import FullListing
from inkframe.listing.operations import PATIENT, Calls
from inkframe.listing.pages import PAGE_SIZE, Budget
from inkframe.listing.paging import NOT_FILTERS
from inkframe.listing.proof import UNMATCHED, Completeness

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from inkframe.errors import ValidationFailed
    from inkframe.listing.session import SessionCalls
    from inkframe.replies.columns import Columns, Page

__all__ = ["UNORDERED", "MultiQuery", "Progress", "combinations", "whole_queries"]

#: The number of listings read in parallel, and the most records of such a listing; a longer one uses all
#: connections itself.
PARALLEL_LISTINGS: Final = 8
SHORT_LISTING: Final = 2_000
#: The most values of a filter that are listed one by one.
MOST_VALUES: Final = 10_000
UNORDERED: Final = "the order is not known: ids are texts, and not every record shows its time"
IGNORED_TEMPLATE: Final = (
    "the service ignores template_id, so templates are known only if records contain them"
)


class Progress(Protocol):
    """What shows the progress of a listing, such as a bar."""

    def begin(self, number: int, of: int, what: str) -> None:
        """Show the part that begins, such as template 2 of 5."""

    def expect(self, total: int | None) -> None:
        """Add the number of records of a part to the total; None if the service does not tell it."""

    def add(self, count: int, limit: str | None) -> None:
        """Add the records of a page, with the limit of requests in its headers."""

    def close(self) -> None:
        """Show the end."""


class MultiQuery:
    """The records of several queries without duplicates.

    Args:
        calls: The collection.
        queries: The list parameters of each listing.
        is_whole: Whether they list the whole collection, whose number of records the service may report.
        sort: The requested order.
        limit: The number of records that are enough in the order by id; None for all, or for another order.
        concurrency: The most requests in flight.
        progress: Shows the progress; by default nothing does.

    Attributes:
        completeness: Their completeness, once every page was yielded.
        was_stopped: Whether there were enough records, so that others were not read.
    """

    def __init__(
        self,
        calls: Calls,
        queries: Sequence[dict[str, Any]],
        *,
        is_whole: bool = False,
        sort: str = "desc",
        limit: int | None = None,
        concurrency: int,
        progress: Progress | None = None,
    ) -> None:
        self.completeness = Completeness(total=0)
        self._calls = calls
        self._queries = queries
        # One template may be all that a library holds.
        self._is_whole = is_whole and limit is None and (len(queries) > 1 or "template_id" in queries[0])
        self._sort = sort
        self._limit = limit
        self.was_stopped = self._skips = self._is_untold = self._ignores_order = False
        #: The number of records of each query, and the order in which they came, by its identity.
        self._counts: dict[int, int] = {}
        self._came: dict[int, str | None] = {}
        self._scope = CancelScope()
        self._limiter = Limiter(concurrency, width=1)
        self._budget = Budget()
        self._bar = progress
        self._seen: set[int | str] = set()

    def pages(self) -> Iterator[tuple[Columns, dict[str, Any]]]:
        """Yield the records page by page, each with the query that found it."""
        try:
            yield from self._merged()
        finally:
            if self._bar is not None:
                self._bar.close()
        if self._calls.dialect.filters_templates is False:
            self.completeness.reasons.append(IGNORED_TEMPLATE)
        elif self._is_whole:
            self._check_whole(len(self._seen))

    def note(self, columns: Columns, query: dict[str, Any]) -> bool:
        """Note records that the caller keeps, and return whether no other query is needed.

        The rest of their query is not read if there are enough of it, and its pages are in the requested order.
        """
        self._counts[id(query)] = self._counts.get(id(query), 0) + len(columns.ids)
        keys = columns.order_keys
        self._is_untold = self._is_untold or len(keys) < len(columns.ids)
        # A service that ignores the order may have the wanted records on any page.
        self._ignores_order = self._ignores_order or keys != sorted(keys, reverse=self._sort == "desc")
        count = sum(self._counts.values()) if self._is_untold else self._counts[id(query)]
        if self._limit is None or self._ignores_order or count < self._limit:
            return False
        self.was_stopped = self._skips = True
        return self._is_untold

    @property
    def parts(self) -> list[tuple[int, bool]]:
        """The number of kept records of each query, and whether they came in the opposite of the requested order."""
        honors = self._calls.paginator.honors_order is not False
        return [
            (count, honors and self._came[number] not in {None, self._sort})
            for number, count in self._counts.items()
        ]

    @property
    def is_told(self) -> bool:
        """Whether the order by id is known: by ids, by times, or since one query was answered in order."""
        came = [self._came[number] for number in self._counts]
        is_one_query = len(came) == 1 and (len(self._queries) == 1 or not self.was_stopped)
        honors = self._calls.paginator.honors_order is not False
        return not self._is_untold or (is_one_query and honors and None not in came)

    def _merged(self) -> Iterator[tuple[Columns, dict[str, Any]]]:
        several = len(self._queries) > 1
        by_template = several and "template_id" in self._queries[0]
        opened = [self._open(query) for query in self._queries[: 1 + by_template]]
        ids = [set(first.columns.ids) for _, first in opened]
        ignores_template = by_template and not ids[0].isdisjoint(ids[1])
        if ignores_template:
            yield from self._unfiltered(ids[0] | ids[1])
            return
        repeated = 0
        refused: dict[int, ValidationFailed] = {}
        for number, (listing, first, read) in enumerate(self._begun(opened), 1):
            query = self._queries[number - 1]
            self._begin(number, query, first.reply.total)
            for columns in listing.pages(first) if read is None else read:
                fresh = [row for row, id in enumerate(columns.ids) if id not in self._seen]
                repeated += len(columns.ids) - len(fresh)
                if several or self._is_whole:
                    self._seen.update(columns.ids)
                if self._bar is not None:
                    self._bar.add(len(fresh), request_limit(first.headers))
                self._came[id(query)] = listing.came
                if fresh:
                    yield columns.select(fresh), query
                if self._skips:
                    break
            else:
                self.completeness.add(listing.completeness)
            self._skips = False
            if listing.refusal is not None:
                refused[query["template_id"]] = listing.refusal
        if repeated and by_template:
            self.completeness.lower("best-effort", f"{repeated:,} records are listed under several templates")
        self._note_refusals(refused)

    def _check_whole(self, count: int) -> None:
        """Compare the number of records with that of the whole collection, if the service reports it."""
        paginator = self._calls.paginator
        if (paginator.everything or 0) > count:
            # Records may have been deleted since.
            paginator.everything = None
            self._calls.page({"per_page": PAGE_SIZE}, limits=replace(PATIENT, scope=self._scope))
        if (paginator.everything or 0) > count:
            self.completeness.total = paginator.everything
            self.completeness.miss(UNMATCHED.format(paginator.everything, count))

    def _note_refusals(self, refused: Mapping[int, ValidationFailed]) -> None:
        """Add a reason for templates that the service does not know; raise if it knows none."""
        if len(refused) == len(self._queries):
            raise next(iter(refused.values()))
        if refused:
            self.completeness.reasons.append(
                f"the service does not know template {', '.join(map(str, refused))}"
            )

    def _open(self, query: dict[str, Any]) -> tuple[FullListing, Page]:
        """Return a listing with its first page."""
        listing = FullListing(
            self._calls,
            query,
            newest_first=self._limit is not None and self._sort == "desc",
            oldest_first=self._limit is not None and self._sort == "asc",
            scope=self._scope,
            limiter=self._limiter,
            budget=self._budget,
        )
        return listing, listing.newest()

    def _begun(
        self, opened: Sequence[tuple[FullListing, Page]]
    ) -> Iterator[tuple[FullListing, Page, Iterable[Columns] | None]]:
        """Yield each listing with its first page, and with all its pages if they were read in parallel."""
        for listing, first in opened:
            yield listing, first, None
        width = min(PARALLEL_LISTINGS, self._limiter.width)
        each = self._limiter.width // width

        def begin(query: dict[str, Any]) -> tuple[FullListing, Page, Iterable[Columns] | None]:
            listing, first = self._open(query)
            is_short = first.reply.total is not None and first.reply.total <= SHORT_LISTING
            if width == 1 or not is_short or self._limit is not None:
                return listing, first, None
            listing.limiter = self._limiter.part(each)
            return listing, first, _freed([*listing.pages(first)])

        yield from WorkerPool(begin, width, self._scope).run(self._queries[len(opened) :])

    def _unfiltered(self, shown: set[int | str]) -> Iterator[tuple[Columns, dict[str, Any]]]:
        """Yield one listing without the filter, since two templates begin with the same records.

        Args:
            shown: The ids of these records.
        """
        self._calls.dialect.learn(filters_templates=False)
        plain = {name: value for name, value in self._queries[0].items() if name != "template_id"}
        listing, first = self._open(plain)
        self._expect(first.reply.total)
        for columns in listing.pages(first):
            shown.difference_update(columns.ids)
            if self._bar is not None:
                self._bar.add(len(columns.ids), request_limit(first.headers))
            self._came[id(plain)] = listing.came
            yield columns, plain
            if self._skips:
                return
        self.completeness.add(listing.completeness)
        if shown:
            self.completeness.lower("best-effort", f"{len(shown):,} records are listed by template only")

    def _begin(self, number: int, query: Mapping[str, Any], total: int | None) -> None:
        """Show that a query begins, and add its expected number of records."""
        if self._bar is not None:
            self._bar.begin(number, len(self._queries), "template" if "template_id" in query else "filter")
        self._expect(total)

    def _expect(self, total: int | None) -> None:
        """Add the expected number of records of a listing."""
        known = self.completeness.total
        self.completeness.total = None if total is None or known is None else known + total
        if self._bar is not None:
            self._bar.expect(total)


def _freed(pages: list[Columns]) -> Iterator[Columns]:
    """Yield pages and free each one after it."""
    pages.reverse()
    while pages:
        yield pages.pop()


def combinations(query: Mapping[str, Any], filters: Mapping[str, Iterable[Any]]) -> list[dict[str, Any]]:
    """Return a query for each combination of filter values, without the order and page size."""
    kept = {name: value for name, value in query.items() if name not in NOT_FILTERS}
    return [{**kept, **dict(zip(filters, values, strict=True))} for values in product(*filters.values())]


def whole_queries(
    calls: SessionCalls, query: Mapping[str, Any], filters: Mapping[str, Iterable[Any]]
) -> list[dict[str, Any]]:
    """Return the queries that together list every matching record.

    A list without a filter that has a default returns only the records of that default, so that every value
    is queried.

    Args:
        calls: The collection.
        query: The list parameters.
        filters: The values of each filter.
    """
    queries = combinations(query, filters)
    for name, default in calls.spec.filter_defaults.items():
        known = [template.id for template in calls.session.vocabulary.all_templates]
        if name not in filters and (held := _needed_values(calls, queries[0], name, default, known)):
            return combinations(query, {**filters, name: held[:MOST_VALUES]})
    return queries


def _needed_values(
    calls: Calls, query: dict[str, Any], name: str, default: Any, known: list[int]
) -> list[int]:
    """Return the values of a filter that together list everything; none if one list without it does.

    Args:
        calls: The collection.
        query: The list without the filter.
        name: The filter.
        default: Its default.
        known: The known values.
    """
    dialect, values = calls.dialect, known
    if dialect.default_template is None and dialect.filters_templates is None:
        page = FullListing(calls, query).newest()
        held, first = page.reply.held, page.columns
        values = list(held) if page.reply.holds_all else list(dict.fromkeys([*known, *held]))
        ignores_default = bool({*first.known[name]} - {None, default})
        omits_template = name in first.absent and first.ids
        if ignores_default:
            dialect.learn(default_template=False)
        elif omits_template:
            others = [{**query, name: default + 1}, {**query, name: default + 2}]
            dialect.learn(filters_templates=not _share_records(calls, first.ids, others))
    return [] if dialect.default_template is False or dialect.filters_templates is False else values


def _share_records(calls: Calls, ids: Sequence[int | str], queries: Sequence[dict[str, Any]]) -> bool:
    """Return whether each query returns records of the one before, so that the filter is ignored."""
    known = set(ids)
    for query in queries:
        listed = FullListing(calls, query).newest().columns.ids
        if known.isdisjoint(listed):
            return False
        known = set(listed)
    return True
