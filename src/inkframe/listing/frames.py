"""Listings of one collection as frames: one page, every page, or every record.

``all()`` takes the longest way::

    list_all                      pages to one frame, with its provenance    here
        MultiQuery.pages          queries to pages without duplicates        queries.py
            FullListing.pages     one query: every page, in two orders       full_listing.py
                Listing           one order: first, second, at, onward       full_listing.py
                    PageSearch    which parameter leads to a second page     page_search.py
                    Paginator     the parameters of a page, the last page    paging.py
                    Calls.page    one request, one reply                     operations.py
                verdict           whether anything may be missing            verdict.py
            FilterCheck           records that do not match are removed      queries.py
        FrameBuilder              columns to a frame                         inkframe.frames
"""

from __future__ import annotations

from contextlib import closing, contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from inkframe.errors import InvalidArgument, ListingInterrupted, NotFound
from inkframe.frames import ATTRIBUTE, BASELINES, FrameBuilder, provenance
from inkframe.http.worker_pool import WorkerPool
from inkframe.listing.full_listing import Listing
from inkframe.listing.operations import PATIENT, Calls
from inkframe.listing.paging import NOT_FILTERS
from inkframe.listing.queries import FilterCheck, MultiQuery, Progress
from inkframe.listing.verdict import Completeness, UnionLog, verdict
from inkframe.replies.columns import Columns, Page
from inkframe.schema import DEFAULT_SIZE
from inkframe.vocabulary.arguments import check_integer

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence

    import pandas as pd

    from inkframe.listing.session import SessionCalls
    from inkframe.replies.record import Record

__all__ = [
    "FrameMaker",
    "list_all",
    "list_page",
    "list_pages",
    "nth_page",
    "refetch",
    "with_details",
]

#: The most requests in flight if each page becomes a separate frame.
STREAMED_REQUESTS: Final = 6


def list_page(calls: SessionCalls, query: dict[str, Any], page: int | None) -> pd.DataFrame:
    """Return one page as the service returns it, and print the filters that it ignores.

    Args:
        calls: The collection.
        query: The list parameters.
        page: The number of the page, from 1.
    """
    number = 1 if page is None else check_integer("page", page)
    maker, log = FrameMaker(calls), UnionLog()
    found = calls.page(query) if number == 1 else nth_page(calls, query, number)
    columns, reply = found.columns, found.reply
    check = FilterCheck([query], calls.spec, calls.session.vocabulary, log)
    check.matching(columns)
    if query.keys() & {"sort", "sort_by"}:
        check.compare_order(columns, query)
    frame, build = maker.of_page(columns, query)
    # A full page whose total equals its size may be one of many, unless it says that it is the last.
    is_full = len(columns.ids) >= found.asked_size
    is_open = found.is_doubtful and is_full and reply.more is None and reply.last_page is None
    # A page proves nothing, so that only what its records show against it counts.
    completeness = verdict(log) if log.ignored or log.lacking else Completeness()
    completeness.level, completeness.total = "page", None if is_open else reply.total
    before = (number - 1) * int(query.get("per_page", DEFAULT_SIZE))
    if before and reply.total is not None and bool(columns.ids) == (reply.total <= before):
        count = "records" if columns.ids else "no records"
        reason = f"page {number} has {count} although the service reports {reply.total:,}"
        completeness.reasons.append(reason)
        completeness.gap = completeness.gap if columns.ids else reason
    maker.warn(log, "a page also has other records")
    shown = query if page is None else {**query, "page": number}
    maker.describe(frame, shown, completeness, columns.absent, build)
    _warn_of_gap(calls, completeness, len(columns.ids))
    return frame


def nth_page(calls: Calls, query: Mapping[str, Any], number: int) -> Page:
    """Return a page by its number, from 2, for any paging style.

    Raises:
        InvalidArgument: The paging style of the service is unknown.
    """
    listing, paginator = Listing(calls, query), calls.paginator
    if paginator.has_places and calls.dialect.page_parameter and not paginator.linked:
        found = listing.at(number - 1, int(query.get("per_page", DEFAULT_SIZE)))
        first_page = 1 if calls.dialect.first_page is None else calls.dialect.first_page
        shows_its_number = found is not None and found.reply.current_page == number - 1 + first_page
        if paginator.is_understood or shows_its_number:
            return found or listing.first().emptied()
    first = listing.first()
    second = listing.second(first)
    if second is None:
        raise InvalidArgument(
            f"page={number} cannot be fetched: the paging style of this service is unknown.\n"
            f'Pin the parameter if you know it: client.{calls.spec.name}.dialect = ink.Dialect(page_parameter="…").'
        )
    if number == 2 or not second.columns.ids:
        return second
    if paginator.has_places and not second.is_linked:
        return listing.at(number - 1, first.size) or first.emptied()
    return next(islice(listing.onward(second), number - 2, None), first.emptied())


def list_pages(
    calls: SessionCalls,
    queries: Sequence[dict[str, Any]],
    shown: Mapping[str, Any],
    made: Callable[[], Iterable[int | str]] = tuple,
) -> Generator[pd.DataFrame, None, Completeness]:
    """Yield the records of several queries, one frame per page; the last has the reasons of the listing.

    Returns:
        The completeness of all pages together.
    """
    maker = FrameMaker(calls)
    # Building a frame takes a while, so that more pages would only occupy memory.
    width = min(calls.session.width, STREAMED_REQUESTS)
    listing = MultiQuery(calls, queries, is_whole=shown.keys() <= NOT_FILTERS, concurrency=width, made=made)
    log = listing.log
    held: pd.DataFrame | None = None
    for columns, query in listing.pages():
        maker.warn(log)
        if held is not None:
            yield held
        held, build = maker.of_page(columns, query)
        # The total is known from the start if there is one listing.
        maker.describe(
            held,
            query,
            Completeness("page", [*log.ignored.values()], log.totals[0] if len(queries) == 1 else None),
            columns.absent,
            build,
        )
    maker.warn(log)
    completeness = verdict(log)
    _warn_of_gap(calls, completeness, len(log.ids))
    if held is not None:
        reasons = held.attrs[ATTRIBUTE]["reasons"]
        reasons += [reason for reason in completeness.reasons if reason not in reasons]
        yield held
    return completeness


def list_all(
    calls: SessionCalls,
    queries: Sequence[dict[str, Any]],
    shown: dict[str, Any],
    *,
    limit: int | None,
    details: bool,
    progress: Progress,
    made: Callable[[], Iterable[int | str]] = tuple,
) -> pd.DataFrame:
    """Return the records of several queries as one frame, without duplicates.

    Args:
        calls: The collection.
        queries: The list parameters of each listing.
        shown: The list parameters for the provenance, including the order.
        limit: The maximum number of records.
        details: Whether to fetch each record for the columns that lists omit.
        progress: Shows the progress.
        made: Returns the ids of records that this client has created, also in another process.

    Raises:
        ListingInterrupted: An interrupt ended it; ``frame`` has the records so far.
    """
    if limit is not None:
        check_integer("limit", limit)
    sort_by, sort = shown.get("sort_by", "id"), shown.get("sort", "desc")
    maker = FrameMaker(calls)
    listing = MultiQuery(
        calls,
        queries,
        is_whole=shown.keys() <= NOT_FILTERS,
        sort=sort,
        limit=limit if sort_by == "id" else None,
        concurrency=calls.session.width,
        made=made,
    )
    log = listing.log
    builder = maker.builder(turned=sort == "desc" and (limit is None or sort_by != "id"))
    absent: tuple[str, ...] = ()
    what = "template" if "template_id" in queries[0] else "filter"
    with _until_interrupted(log), closing(progress):
        for found, query in listing.pages():
            is_brief = details and limit is None and found.absent
            columns = with_details(calls, found, calls.session.width) if is_brief else found
            maker.add(builder, columns, query)
            absent = columns.absent
            part = f"{what} {len(log.totals)} of {len(queries)}" if len(queries) > 1 else ""
            progress.show(part, log.expected, len(log.ids), listing.request_limit)
            if listing.note(columns, query):
                break
        else:
            _warn_of_gap(calls, verdict(log), len(log.ids))
    maker.warn(log)
    frame = builder.finish(sort_by, sort, parts=listing.parts)
    log.is_unordered = sort_by == "id" and not listing.is_told
    if limit is not None and (len(frame) > limit or listing.was_stopped):
        frame = frame.head(limit)
        log.limit = limit
    if details and limit is not None:
        with _until_interrupted(log):
            absent = maker.add_details(frame, absent)
    maker.describe(frame, shown, verdict(log), absent)
    if log.is_interrupted:
        raise ListingInterrupted(
            f"{len(frame):,} {calls.spec.name} so far, in the attribute frame. Run again to list all.", frame
        )
    return frame


@contextmanager
def _until_interrupted(log: UnionLog) -> Iterator[None]:
    """End the block at an interrupt, and note it."""
    try:
        yield
    except KeyboardInterrupt:
        log.is_interrupted = True


def _warn_of_gap(calls: SessionCalls, completeness: Completeness, count: int) -> None:
    """Print a warning if records are known to be missing, or show nothing."""
    if (gap := completeness.gap) is None:
        return
    host, total = calls.session.host, completeness.total or 0
    of = f" of {total:,}" if total > count else ""
    listed = f"{host} lists {count:,}{of} {calls.spec.name}: {gap}."
    is_told = gap.startswith("the service reports")
    calls.session.say(f"{host}{gap.removeprefix('the service')}." if is_told else listed)


class FrameMaker:
    """Builds frames from pages and records of one collection.

    Args:
        calls: The collection.
    """

    def __init__(self, calls: SessionCalls) -> None:
        self._calls = calls
        #: The times without a zone so far, in order.
        self._assumed: dict[str, None] = {}

    def builder(self, *, turned: bool = False) -> FrameBuilder:
        """Return a builder of one frame from pages.

        Args:
            turned: Whether to reverse the order of records.
        """
        return FrameBuilder(self._calls.spec.name, self._calls.session.categories, turned=turned)

    def warn(self, log: UnionLog, words: str = "records that do not match are removed") -> None:
        """Print once which filters the service ignores."""
        for name, reason in log.ignored.items():
            what = "records without it are listed" if name == "search" else words
            about = f": {what}" if name == "search" or "not filter by" in reason else ""
            self._calls.session.say_once(
                f"{self._calls.spec.name}.{name}",
                f"{self._calls.session.host}{reason.removeprefix('the service')}{about}.",
            )

    def add(self, builder: FrameBuilder, columns: Columns, query: Mapping[str, Any]) -> None:
        """Add a page to a frame, with the values of its query in columns that records omit, and with labels."""
        self._assumed |= dict.fromkeys(columns.assumed)
        is_filtered = self._calls.dialect.filters_templates is not False
        for name in (
            query.keys() & self._calls.spec.filter_defaults.keys() & {*columns.absent} if is_filtered else ()
        ):
            columns.known[name] = [query[name]] * len(columns.ids)
            columns.absent = tuple(absent for absent in columns.absent if absent != name)
        known: dict[str, Sequence[Any]] = dict(columns.known)
        for field in self._calls.spec.labels:
            numbers = known[str(field.label_of)]
            labels = {number: self._calls.session.template_label(number) for number in set(numbers)}
            known[field.name] = [labels[number] for number in numbers]
        builder.add(columns.ids, known, columns.extra)

    def add_details(self, frame: pd.DataFrame, absent: tuple[str, ...]) -> tuple[str, ...]:
        """Add the columns that lists omit to a frame, with one request per record; return those still absent."""
        ids = frame.index.tolist()
        columns = Columns(ids, {name: [None] * len(ids) for name in self._calls.spec.shown}, {}, absent)
        whole, _ = self.of_page(with_details(self._calls, columns, self._calls.session.width))
        labels = {field.name for field in self._calls.spec.labels if field.label_of in absent}
        for name in whole.columns:
            if name in labels.union(absent) or name not in frame.columns:
                frame[name] = whole[name].array
        return columns.absent

    def of_page(
        self, columns: Columns, query: Mapping[str, Any] | None = None
    ) -> tuple[pd.DataFrame, Callable[[], pd.DataFrame]]:
        """Return a page as a frame, and a function that builds the same frame again."""
        builder = self.builder()
        self.add(builder, columns, query or {})
        return builder.finish(), builder.finish

    def of_rows(self, rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
        """Return records, given as mappings with ``id``, every column and ``extra``, as a frame."""
        known = {name: [row[name] for row in rows] for name in self._calls.spec.columns}
        names = dict.fromkeys(name for row in rows for name in row["extra"])
        extra = {name: [row["extra"].get(name) for row in rows] for name in names}
        return self.of_page(Columns([row["id"] for row in rows], known, extra))[0]

    def collected(
        self, found: Iterable[tuple[Columns, Mapping[str, Any]]], queries: Iterable[Mapping[str, Any]]
    ) -> pd.DataFrame:
        """Return pages with their queries as one frame by id ascending."""
        builder, log = self.builder(), UnionLog()
        check = FilterCheck(queries, self._calls.spec, self._calls.session.vocabulary, log)
        for columns, query in found:
            self.add(builder, check.matching(columns), query)
        self.warn(log)
        return builder.finish("id", "asc")

    def describe(
        self,
        frame: pd.DataFrame,
        query: Mapping[str, Any],
        completeness: Completeness,
        absent: tuple[str, ...],
        fetched: pd.DataFrame | Callable[[], pd.DataFrame] | None = None,
    ) -> None:
        """Store the provenance of a frame in its attrs, and its baseline for ``push``.

        Args:
            frame: The frame.
            query: The parameters of the listing.
            completeness: Its completeness.
            absent: The columns that the service does not show.
            fetched: The baseline, where the frame is not by id, or what builds it; by default the frame itself is kept.
        """
        frame.attrs[ATTRIBUTE] = provenance(
            source=self._calls.session.source,
            label=self._calls.session.label,
            client=self._calls.session.id,
            collection=self._calls.spec.name,
            query=query,
            total=completeness.total,
            completeness=completeness.level,
            reasons=completeness.reasons,
            absent=absent,
            assumed=[f"{name} has no zone and is read as UTC" for name in self._assumed],
        )
        BASELINES.keep(frame, fetched)


def refetch(calls: SessionCalls, ids: Sequence[Any]) -> pd.DataFrame:
    """Return the current records as a frame by id, without deleted ones.

    Args:
        calls: Their collection.
        ids: Their ids, which become the index.
    """
    shown = zip(ids, _show(calls, ids, calls.session.width), strict=True)
    found = {id: record for id, record in shown if record is not None}
    known = {name: [record.known[name] for record in found.values()] for name in calls.spec.shown}
    frame, _ = FrameMaker(calls).of_page(Columns(list(found), known, {}))
    absent = frozenset[str].intersection(*(record.absent for record in found.values())) if found else ()
    frame.attrs[ATTRIBUTE] = {"absent": sorted(absent)}
    return frame


def with_details(calls: Calls, columns: Columns, width: int) -> Columns:
    """Return a page with its missing columns, using one request per record.

    A record that was deleted meanwhile keeps the values of the list.

    Args:
        calls: The collection.
        columns: The page.
        width: The most requests in flight.
    """
    records = list(_show(calls, columns.ids, width))
    columns.known |= {
        name: [None if record is None else record.known[name] for record in records]
        for name in columns.absent
    }
    further = {name for record in records if record for name in record.extra} - columns.extra.keys()
    columns.extra |= {
        name: [None if record is None else record.extra.get(name) for record in records] for name in further
    }
    lacking = frozenset[str].intersection(
        frozenset(columns.absent), *(each.absent for each in records if each)
    )
    columns.absent = tuple(name for name in columns.absent if name in lacking)
    return columns


def _show(calls: Calls, ids: Sequence[Any], width: int) -> Generator[Record | None]:
    """Yield records by their ids; None for a deleted one."""

    def show(id: Any) -> Record | None:
        try:
            return calls.get(id, PATIENT)
        except NotFound:
            return None

    return WorkerPool(show, width).run(ids)
