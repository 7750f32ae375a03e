"""Several queries as one listing without duplicates, with one completeness, and the queries that list everything."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, pairwise, product
from typing import TYPE_CHECKING, Any, Final, Protocol

from inkframe.errors import InkframeError, NotFound
from inkframe.http.connections import CancelScope
from inkframe.http.pace import request_limit
from inkframe.http.worker_pool import Limiter, WorkerPool
from inkframe.listing.full_listing import PAGE_SIZE, FullListing
from inkframe.listing.operations import PATIENT, Calls
from inkframe.listing.paging import NOT_FILTERS
from inkframe.listing.verdict import Budget, UnionLog
from inkframe.replies.values import id_key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from inkframe.listing.session import SessionCalls
    from inkframe.replies.columns import Columns, Page
    from inkframe.schema import ResourceSpec
    from inkframe.vocabulary import Vocabulary

__all__ = ["FilterCheck", "MultiQuery", "Progress", "combinations", "whole_queries"]

#: The number of listings read in parallel, and the most records of such a listing; a longer one uses all
#: connections itself.
PARALLEL_LISTINGS: Final = 8
SHORT_LISTING: Final = 2_000
#: The requests of a listing with a limit besides the first page of each query and one for each further record.
MARGIN: Final = 4
#: The most values of a filter that are listed one by one.
MOST_VALUES: Final = 10_000
#: The most requests for known records that were not listed, and the most templates that only replies show.
MOST_LOOKED_FOR: Final = 10
MOST_SHOWN: Final = 100


class Progress(Protocol):
    """What shows the progress of a listing, such as a bar."""

    def show(self, part: str, total: int | None, count: int, limit: str | None) -> None:
        """Show the part that is read, such as template 2 of 5, and how many records of a total were read.

        Args:
            part: The part, empty if there is one only.
            total: The number of records, if the service reports it.
            count: Those so far.
            limit: The limit of requests that the service tells.
        """

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
        made: Returns the ids of records that this client has created, also in another process.

    Attributes:
        log: What was seen of them.
        check: Removes the records that do not match, and notes in the log what shows that a filter is ignored.
        request_limit: The limit of requests that the service tells, if any.
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
        made: Callable[[], Iterable[int | str]] = tuple,
    ) -> None:
        self._calls = calls
        self._queries = queries
        # One template may be all that a library holds.
        is_union = is_whole and limit is None and (len(queries) > 1 or "template_id" in queries[0])
        self.log = UnionLog(is_whole=is_union)
        self.check = FilterCheck(queries, calls.spec, calls.vocabulary(), self.log)
        self.request_limit: str | None = None
        self._is_whole = is_whole
        self._sort, self._limit = sort, limit
        self._made = made
        self.was_stopped = self._skips = self._is_untold = self._ignores_order = False
        #: The number of records of each query, and the order in which they came, by its identity.
        self._counts: dict[int, int] = {}
        self._came: dict[int, str | None] = {}
        self._scope = CancelScope()
        self._limiter = Limiter(concurrency, width=1)
        self._budget = (
            Budget() if limit is None else Budget(MARGIN + max(limit - len(queries), 0), grows=False)
        )

    def pages(self) -> Iterator[tuple[Columns, dict[str, Any]]]:
        """Yield the records page by page, each with the query that found it."""
        yield from self._merged()
        if self._limit is None:
            yield from self._further()
        log, paginator = self.log, self._calls.paginator
        log.ignores_template = self._calls.dialect.filters_templates is False
        if log.is_whole and not log.ignores_template:
            if (paginator.everything or 0) > len(log.ids):
                # Records may have been deleted since.
                paginator.everything = None
                self._calls.page({"per_page": PAGE_SIZE}, limits=replace(PATIENT, scope=self._scope))
            log.everything = paginator.everything
            log.by_default = log.by_default if paginator.may_have_default else None

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
        return [
            (count, self._came[number] not in {None, self._sort}) for number, count in self._counts.items()
        ]

    @property
    def is_told(self) -> bool:
        """Whether the order by id is known: by ids, by times, or since one query was answered in order."""
        came = [self._came[number] for number in self._counts]
        is_one_query = len(came) == 1 and (len(self._queries) == 1 or not self.was_stopped)
        return not self._is_untold or (is_one_query and None not in came)

    def _merged(self) -> Iterator[tuple[Columns, dict[str, Any]]]:
        by_template = len(self._queries) > 1 and "template_id" in self._queries[0]
        opened = [self._open(query) for query in self._queries[: 1 + by_template]]
        ids = [set(first.columns.ids) for _, first in opened]
        ignores_template = by_template and not ids[0].isdisjoint(ids[1])
        if ignores_template:
            self._calls.dialect.learn(filters_templates=False)
            plain = {name: value for name, value in self._queries[0].items() if name != "template_id"}
            yield from self._read(*self._open(plain), None, plain)
            self.log.unlisted = len((ids[0] | ids[1]) - self.log.ids)
            return
        for query, (listing, first, read) in zip(self._queries, self._begun(opened), strict=True):
            yield from self._read(listing, first, read, query)
            if listing.refusal is not None:
                self.log.unknown.append(query["template_id"])
                if len(self.log.unknown) == len(self._queries):
                    raise listing.refusal

    def _read(
        self, listing: FullListing, first: Page, read: Iterable[Columns] | None, query: dict[str, Any]
    ) -> Iterator[tuple[Columns, dict[str, Any]]]:
        """Yield the records of a listing that no other had."""
        log, is_of_template = self.log, "template_id" in query
        log.totals.append(first.reply.total)
        self.request_limit = request_limit(first.headers)
        for columns in listing.pages(first) if read is None else read:
            fresh = [row for row, id in enumerate(columns.ids) if id not in log.ids]
            repeated = len(columns.ids) - len(fresh)
            log.repeated += repeated * is_of_template
            if repeated:
                self.check.note_repeated()
            log.ids.update(columns.ids)
            self._came[id(query)] = listing.came
            if fresh and (matching := self.check.matching(columns.select(fresh))).ids:
                yield matching, query
            if self._skips:
                break
        else:
            log.parts.append(listing.completeness)
        self._skips = False
        if query.items() >= self._calls.spec.filter_defaults.items():
            log.by_default = len(listing.log.ids)

    def _further(self) -> Iterator[tuple[Columns, dict[str, Any]]]:
        """Look for records that this client knows, and yield those under templates that only replies show."""
        calls, log = self._calls, self.log
        lost = self._lost()
        for name in calls.spec.filter_defaults if log.is_whole else ():
            asked = {query.get(name) for query in self._queries}
            plain = {key: value for key, value in self._queries[0].items() if key != name}
            for value in sorted(calls.shown_values - asked - {None})[:MOST_SHOWN]:
                yield from self._read(*self._open(query := {**plain, name: value}), None, query)
            if not log.ids.issuperset(lost) and calls.dialect.filters_templates is not False:
                count = len(log.ids)
                yield from self._read(*self._open(plain), None, plain)
                log.totals[-1] = len(log.ids) - count  # without those that other lists have counted
        log.lost = [id for id, is_certain in lost.items() if is_certain and id not in log.ids]
        log.unasked += sum(not is_certain and id not in log.ids for id, is_certain in lost.items())

    def _lost(self) -> dict[int | str, bool]:
        """Return the ids of known records of this scope that were not listed, and whether they were found by their ids."""
        calls, known = self._calls, self._calls.known_ids
        unlisted = known.unlisted(self.log.ids, self._made() if self._is_whole else None, self._queries)
        self.log.unasked, lost = len(unlisted[MOST_LOOKED_FOR:]), dict[int | str, bool]()
        for id in unlisted[:MOST_LOOKED_FOR]:
            try:
                record = calls.get(id, replace(PATIENT, scope=self._scope)) if self._budget.allow() else None
            except NotFound:
                known.gone.add(id_key(id, calls.spec))
                continue
            except InkframeError:
                record = None
            if record is None:
                lost[id] = False
                continue
            if self._is_whole or known.matches(known.filtered(record), self._queries):
                # Lists may show another of its ids.
                is_listed = any(id_key(each, calls.spec) in record.keys for each in self.log.ids)
                lost |= {} if is_listed else {record.id: True}
        return lost

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
            return listing, first, iter([*listing.pages(first)])

        yield from WorkerPool(begin, width, self._scope).run(self._queries[len(opened) :])


def combinations(query: Mapping[str, Any], filters: Mapping[str, Iterable[Any]]) -> list[dict[str, Any]]:
    """Return a query for each combination of filter values, without the order and page size."""
    kept = {name: value for name, value in query.items() if name not in NOT_FILTERS}
    return [{**kept, **dict(zip(filters, values, strict=True))} for values in product(*filters.values())]


def whole_queries(
    calls: SessionCalls,
    query: Mapping[str, Any],
    filters: Mapping[str, Iterable[Any]],
    first: Page | None = None,
) -> list[dict[str, Any]]:
    """Return the queries that together list every matching record.

    A list without a filter that has a default returns only the records of that default, so that every value
    is queried.

    Args:
        calls: The collection.
        query: The list parameters.
        filters: The values of each filter.
        first: The first page of the query, if it was already fetched.
    """
    for name, default in calls.spec.filter_defaults.items():
        known = [template.id for template in calls.session.vocabulary.all_templates]
        one = combinations(query, filters)[0]
        if name not in filters and (held := _needed_values(calls, one, name, default, known, first)):
            filters = {**filters, name: held[:MOST_VALUES]}
    return combinations(query, filters)


def _needed_values(
    calls: Calls, query: dict[str, Any], name: str, default: Any, known: list[int], first: Page | None
) -> list[int]:
    """Return the values of a filter that together list everything; none if one list without it does.

    Args:
        calls: The collection.
        query: The list without the filter.
        name: The filter.
        default: Its default.
        known: The known values.
        first: The first page of the list, if it was already fetched.
    """
    dialect, values = calls.dialect, known
    if dialect.default_template is None and dialect.filters_templates is None:
        page = first or FullListing(calls, query).newest()
        held, columns = page.reply.held, page.columns
        values = list(held) if page.reply.holds_all else list(dict.fromkeys([*known, *held]))
        ignores_default = bool({*columns.known[name]} - {None, default})
        omits_template = name in columns.absent and columns.ids
        if ignores_default:
            dialect.learn(default_template=False)
        elif omits_template:
            # Two other values list records of each other only where the filter is ignored.
            others = (FullListing(calls, {**query, name: default + step}).newest() for step in (1, 2))
            lists = ({*each.columns.ids} for each in chain([page], others))
            dialect.learn(filters_templates=any(one.isdisjoint(other) for one, other in pairwise(lists)))
    return [] if dialect.default_template is False or dialect.filters_templates is False else values


class FilterCheck:
    """Removes records that a service returns although they do not match the filters.

    A record is removed if it has a different value of the vocabulary. An unknown value may be the name that
    the service uses for the requested one, so it is kept. A record without a value is removed only where
    other records have one, which shows that the service does not filter by the field; a template may be filled
    in. A missing ``favorite`` counts as false, since services omit false values. Records that have no word of
    a search are kept, since services search in their own ways, and are said.

    Args:
        queries: The list parameters of all lists.
        spec: The collection.
        vocabulary: The values that the service allows.
        log: What is noted: the filters that the service ignores, and whether no record shows what every one has.
    """

    def __init__(
        self, queries: Iterable[Mapping[str, Any]], spec: ResourceSpec, vocabulary: Vocabulary, log: UnionLog
    ) -> None:
        self._spec, self._vocabulary, self._log = spec, vocabulary, log
        self._asked: dict[str, set[Any]] = {}
        self._search = ("", "")
        for query in queries:
            self._search = query.get("search_by", "name"), query.get("search", "").casefold()
            for field in query.keys() & {*spec.filters, *spec.booleans}:
                self._asked.setdefault(field, set()).add(query[field])

    def matching(self, columns: Columns) -> Columns:
        """Return the records of a page that do not contradict the filters, and note what it shows."""
        ignored, defaults = self._log.ignored, self._spec.filter_defaults
        if columns.ids and self._log.lacking != ():
            required = [field.name for field in self._spec.creates.values() if field.create == "required"]
            self._log.lacking = tuple(required) if {*required}.issubset(columns.absent) else ()
        # A search finds at least the beginning of a word.
        searched, text = self._search
        parts = [word[:3] for word in text.split()]
        texts = [value for value in columns.known[searched] if value is not None] if parts else []
        if not all(any(part in str(each).casefold() for part in parts) for each in texts):
            ignored["search"] = f"the service does not search by {searched}"
        rows: Sequence[int] = range(len(columns.ids))
        for field, asked in self._asked.items():
            values = columns.known[field]
            shown = set(values)
            # Others may be synonyms of the requested value.
            known: Iterable[Any] = (
                self._vocabulary.codes(field) if field in self._spec.choices else (True, False)
            )
            if field in defaults and not shown <= asked:
                known = [template.id for template in self._vocabulary.all_templates]
            other = (shown - asked).intersection(known)
            name, needs_value = field.removesuffix("_id"), False not in asked
            if needs_value and (other or name in ignored or (field not in defaults and shown != {None})):
                other.add(None)
            elif needs_value and field not in columns.absent and field not in defaults and columns.ids:
                ignored[f"no {name}"] = f"the service shows no {name} of records, by which it may not filter"
            if not other.isdisjoint(shown):
                ignored.setdefault(name, f"the service does not filter by {name}")
                rows = [row for row in rows if values[row] not in other]
        return columns.select(rows)

    def note_repeated(self) -> None:
        """Note that records were listed under several values of a filter, of which each has one."""
        several = [
            name
            for name, asked in self._asked.items()
            if len(asked) > 1 and name not in self._spec.filter_defaults
        ]
        if several:
            name = " or ".join(several)
            self._log.ignored.setdefault(name, f"the service does not filter by {name}")

    def compare_order(self, columns: Columns, query: Mapping[str, Any]) -> None:
        """Note that a page is not in the order that was asked for: by numeric ids, or by the first letters of names."""
        by = query.get("sort_by", "id")
        # Every alphabet has these letters.
        letters = [(name or "")[:1].casefold() for name in columns.known["name"]]
        keys = columns.order_keys if by == "id" else [letter for letter in letters if "a" <= letter <= "z"]
        if keys != sorted(keys, reverse=query.get("sort", "desc") == "desc"):
            self._log.ignored["sort"] = f"the service does not sort by {by}"
