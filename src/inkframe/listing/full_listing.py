"""Full listings: every page of a collection, and the certainty that nothing is missing.

Listings are read by id ascending, since the page number of a record can then only decrease: new records are
added at the end, and deletions move it forward. This allows two ways of reading.

*Checked pages.* The newest page is read first, then every page by id ascending. The listing did not change if
every reply has the same total, the number of distinct ids equals it, and the last page ends with the newest
id: a deletion lowers the total, and an insertion that compensates for it adds a newer id.

*Last page to first.* Reading pages in descending order cannot skip a record whose page number only decreases,
so no record that existed throughout is missed, whatever is added or deleted meanwhile.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain
from math import inf
from typing import TYPE_CHECKING, Any, Final

from inkframe.errors import InvalidArgument, ServiceError, ValidationFailed
from inkframe.http.connections import CancelScope
from inkframe.http.worker_pool import Limiter, WorkerPool
from inkframe.listing.operations import PATIENT, USUAL, Calls, Limits
from inkframe.listing.page_search import VANISHED, PageSearch, ignores_order, keeps_filters
from inkframe.listing.paging import PageRequest, page_parameters
from inkframe.listing.verdict import REASONS, Budget, Completeness, Log, verdict
from inkframe.schema import PAGE_SIZES

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Mapping

    from inkframe.http.body import Parameter
    from inkframe.replies.columns import Columns, Page

__all__ = ["PAGE_SIZE", "FullListing", "Listing", "refuses_template"]

#: The largest page of the interface.
PAGE_SIZE = max(PAGE_SIZES)
#: Pages that are requested before the next check of the end, since a total may be far too large.
PAGES_PER_CHECK: Final = 500
#: Pages in succession without new records after which the list has ended.
MISSES_AT_END: Final = 3


class _BudgetSpent(Exception):
    """A request was not sent, since it is beyond the budget."""


@dataclass(frozen=True, slots=True)
class Listing:
    """One listing whose pages are requested one by one, in any order if the service allows it.

    Args:
        calls: The collection.
        query: The list parameters.
        limits: The limits of each request.
        budget: The number of requests; unlimited by default.
    """

    calls: Calls
    query: Mapping[str, Parameter]
    limits: Limits = USUAL
    budget: Budget = field(default_factory=lambda: Budget(inf))

    def first(self) -> Page:
        """Return the first page, requested without page parameters, whether or not the budget allows it."""
        if self.budget.grows:
            self.budget.allow()
        page = self.calls.page(self.query, limits=self.limits)
        if not page.columns.ids:
            self.budget.add_page()
        return page

    def at(self, index: int, size: int = 0) -> Page | None:
        """Return a page by its position, from 0; None past the end.

        Args:
            index: The position.
            size: The number of records on a page.
        """
        return self._page(PageRequest(page_parameters(self.calls.dialect, index, size)), index)

    def second(self, first: Page) -> Page | None:
        """Return the second page, empty if nothing follows; None if the paging style is unknown or requests ran out."""
        with suppress(_BudgetSpent):
            return PageSearch(self.calls.paginator, first, self.query, self._send).second()
        return None

    def again(self, page: Page) -> Page | None:
        """Request a page again by its token."""
        name = self.calls.dialect.page_parameter or ""
        return self._page(PageRequest({name: page.asked[name]}), 1) if name in page.asked else None

    def onward(self, page: Page | None, index: int = 1, size: int = 0) -> Iterator[Page]:
        """Yield a page and those that follow it by positions, tokens or links, until one says that it is the last.

        Args:
            page: The page; None for none.
            index: Its position.
            size: The number of records on a page.
        """
        begin = page
        while begin and page and (not page.is_linked or keeps_filters(begin, page, self.query)):
            yield page
            index += 1
            request = self.calls.paginator.after(page, index, size)
            page = None
            with suppress(InvalidArgument):  # a token that is too long
                page = self._page(request, index) if request else None

    def _page(self, request: PageRequest, index: int) -> Page | None:
        """Return a page; None if it does not exist any more, which is remembered, or is beyond the budget."""
        try:
            with suppress(_BudgetSpent):
                return self._send(request)
        except ServiceError as refused:
            if not index or refused.status not in VANISHED:
                raise
            self.budget.refusal = self.budget.refusal or (index, refused)
        return None

    def _send(self, request: PageRequest) -> Page:
        if not self.budget.allow():
            raise _BudgetSpent
        page = self.calls.page({} if request.alone else self.query, request.parameters, self.limits)
        page.is_linked = request.alone
        return page


class FullListing:
    """Every page of one query; ``pages`` yields each record once.

    Args:
        calls: The collection.
        query: The list parameters that filter.
        newest_first: Whether the caller will stop early and needs the newest.
        oldest_first: Whether the caller will stop early and needs the oldest.
        scope: The scope that cancels it.
        limiter: The number of pages read at a time, measured with the first ones.
        budget: The number of requests, shared with other listings; its own by default.

    Attributes:
        limiter: The number of pages read at a time.
        log: What was seen of it.
        refusal: The error of a service that does not know the template.
    """

    def __init__(
        self,
        calls: Calls,
        query: dict[str, Any],
        *,
        newest_first: bool = False,
        oldest_first: bool = False,
        scope: CancelScope | None = None,
        limiter: Limiter | None = None,
        budget: Budget | None = None,
    ) -> None:
        self._calls = calls
        self._scope = CancelScope() if scope is None else scope
        limits = replace(PATIENT, scope=self._scope)
        self._orders = ("asc", "desc") if oldest_first else ("desc", "asc")
        by_id = {**query, "sort_by": "id", "sort": self._orders[0], "per_page": PAGE_SIZE}
        budget = Budget() if budget is None else budget
        self._falling = Listing(calls, by_id, limits, budget)
        self._rising = Listing(calls, {**by_id, "sort": self._orders[1]}, limits, budget)
        self.limiter = Limiter(1) if limiter is None else limiter
        self._stops_early = newest_first or oldest_first
        self._ended = False
        #: The first page in the other order, if it was looked at.
        self._other: Page | None = None
        self.log = Log(query, budget)
        self.refusal: ValidationFailed | None = None

    @property
    def completeness(self) -> Completeness:
        """The verdict, valid once every page was yielded."""
        return verdict(self.log)

    @property
    def came(self) -> str | None:
        """The order in which the records were requested and yielded; None for both of them, or if it is not honored."""
        is_one = len(self.log.orders) == 1 and self._calls.paginator.honors_order is not False
        return next(iter(self.log.orders)) if is_one else None

    def pages(self, newest: Page | None = None) -> Generator[Columns]:
        """Yield the records page by page without duplicates; afterwards ``completeness`` is valid.

        Args:
            newest: The first page, if it was already fetched.
        """
        newest = self.newest() if newest is None else newest
        log, paginator = self.log, self._calls.paginator
        # What another listing has shown about totals meanwhile.
        paginator.observe(newest)
        says_it_is_last = newest.reply.more is False and newest.reply.next is None
        if says_it_is_last and self._counts_collection(newest.reply.total, len(newest.columns.ids)):
            newest.reply.total = None
        log.begin(newest)
        if not newest.columns.order_keys:
            self._learn_order(newest)
        is_onward = self._stops_early or not newest.reply.described
        # A listing that will stop at a limit fetches nothing else in advance.
        is_all = paginator.is_last(newest) or (not self._stops_early and self._is_seen_from_both_ends(newest))
        if is_all or is_onward:
            yield from log.fresh(newest)
        if not is_all:
            yield from self._further(newest, is_onward=is_onward)
        if log.way != "onward":
            self._counts_collection(log.claimed, len(log.ids))

    def _is_seen_from_both_ends(self, newest: Page) -> bool:
        """Return whether a first page that may be the last is also the first one in the other order."""
        if newest.says_more or not newest.reply.described:
            return False
        other, ids = self._opposite(), {*newest.columns.ids}
        self.log.ignores_order = ignores_order(newest, other)
        if not ids.issuperset(other.columns.ids):
            self._calls.paginator.disregard(newest, other, ends=True)
            self.log.total = None
        # A single record is the first in both orders even if the order is ignored.
        return len(ids) > 1 and ids == {*other.columns.ids} and not self.log.ignores_order

    def newest(self) -> Page:
        """Return the first page, requested without page parameters.

        A template that the service does not know has no documents; the error is stored in ``refusal``.
        """
        try:
            return self.limiter.timed(self._falling.first)
        except ValidationFailed as error:
            if "template_id" not in self.log.query or not refuses_template(error):
                raise
            self.refusal = error
            self.log.budget.add_page()
            return self._calls.reader.empty_page({})

    def _learn_order(self, newest: Page) -> None:
        """Find out whether the service honors the order by id, once for each client, where only arrival tells it."""
        ids, paginator = newest.columns.ids, self._calls.paginator
        if len(ids) > 1 and paginator.honors_order is None:
            with suppress(ServiceError):  # of a service that refuses to sort
                others = self._opposite().columns.ids
                shared = {*ids}.intersection(others)
                mirrored = [id for id in reversed(others) if id in shared]
                paginator.honors_order = [id for id in ids if id in shared] == mirrored

    def _counts_collection(self, total: int | None, count: int) -> bool:
        """Return whether a total that is not reached is that of the list without filters, which is asked for."""
        query = self.log.query
        if not query or total is None or total <= count:
            return False
        # A list without a filter that has a default is filtered too, so that another value is asked for.
        other = {
            name: default + 1 + (query[name] == default + 1)
            for name, default in self._calls.spec.filter_defaults.items()
            if name in query
        }
        every = Listing(
            self._calls, {**other, "per_page": PAGE_SIZE}, self._falling.limits, self._falling.budget
        )
        with suppress(ServiceError):
            if (page := every.at(0)) is not None:
                self.log.everything = page.claimed
        if self.log.everything == total:
            self._calls.paginator.counts_everything, self._calls.paginator.everything = True, total
        return self.log.everything == total

    def _further(self, newest: Page, *, is_onward: bool) -> Iterator[Columns]:
        """Read every page by id ascending, or from the newest page onward as long as pages have new records."""
        log, paginator = self.log, self._calls.paginator
        listing, first = (self._falling, newest) if is_onward else (self._rising, self._opposite())
        log.size = len(first.columns.ids) or PAGE_SIZE
        second = listing.second(first)
        if second is not None and (second.is_linked or paginator.is_chained):
            yield from log.fresh(first)
            yield from self._chained(listing, second, None if is_onward else newest)
        elif second is not None and not is_onward:
            yield from log.fresh(first)
            yield from self._ascending(newest, second)
        elif second is not None and second.columns.ids:
            order = "newest" if self._orders[0] == "desc" else "oldest"
            log.way, log.why = "onward", "the service does not describe its pages"
            if self._stops_early:
                log.why = f"read {order} first"
            yield from self._forward(listing, second)
        else:
            # No second page was found, where the other order may have one.
            other = first if second is None else self._other or self._rising.at(0)
            log.ignores_order |= other is not None and other is not newest and ignores_order(newest, other)
            if second is None or other is None or log.new_in(other):
                log.way, log.says_more, log.claimed = "no second page", first.says_more, first.reply.total
                yield from log.fresh(newest)
                yield from () if other is None or (is_onward and self._stops_early) else log.fresh(other)

    def _opposite(self) -> Page:
        """Return the first page in the other order."""
        self._other = self._other or self.limiter.timed(self._rising.first)
        return self._other

    def _ascending(self, newest: Page, second: Page) -> Iterator[Columns]:
        """Read every page by id ascending from the second one."""
        log, total = self.log, self.log.total
        log.way = "checked"
        if total is None:
            pages = yield from self._forward(self._rising, second)
        else:
            pages = yield from self._checked(newest, total, second)
        if pages:
            log.way, log.why = "backward", REASONS["no_total" if total is None else "changed"]
            yield from self._backward(pages, newest)

    def _at(self, index: int) -> Page | None:
        """Return a page by its position in the rising listing; None past the end."""
        page = None if self._ended else self._rising.at(index, self.log.size)
        return page if page is not None and page.columns.ids else None

    def _checked(self, newest: Page, total: int, second: Page) -> Generator[Columns, None, int]:
        """Read the pages that the total promises; return their number, 0 if the listing is exact."""
        log, pages = self.log, -(-total // self.log.size)
        steady, known = True, 1
        # The last page is read after the others, since it shows what changed meanwhile.
        last = (self._at(index) for index in [pages - 1] if index > 1)
        for index, page in enumerate(chain([second], self._between(2, pages - 1), last), 1):
            steady = steady and page is not None and page.claimed in {total, None}
            if page is not None and log.new_in(page):
                known = index + 1
                yield from log.fresh(page)
        # The second page is empty if the listing shrank to one page.
        last_ids = page.columns.ids[-1:] if page is not None else []
        ends_with_newest = last_ids == newest.columns.ids[:1] and not log.new_in(newest)
        return 0 if steady and ends_with_newest and len(log.ids) == total else known

    def _between(self, begin: int, end: int) -> Iterator[Page | None]:
        """Yield the pages of a range of positions, read in parallel, until the end."""
        misses = 0
        for start in range(begin, end, PAGES_PER_CHECK):
            pool = WorkerPool(self._at, self.limiter.width, self._scope)
            for page in pool.run(range(start, min(start + PAGES_PER_CHECK, end))):
                repeats_page_past_end = page is not None and not self.log.new_in(page)
                misses = misses + 1 if page is None or repeats_page_past_end else 0
                self._ended = self._ended or misses >= MISSES_AT_END
                yield page
            if self._ended:
                return

    def _backward(self, pages: int, newest: Page) -> Iterator[Columns]:
        """Read from the last page to the first, then forward the pages that were added meanwhile."""
        self._ended, log, last = False, self.log, pages
        log.claimed = None
        last = yield from self._forward(self._rising, self._at(last), last)
        before: list[int | str] = []
        for index in range(last - 1, -1, -1):
            page = self._at(index)
            repeats_last_page_past_end = page is not None and page.columns.ids == before
            if page is None or repeats_last_page_past_end:
                last = min(last, index + 1)
            log.see(index, page)
            if page is not None:
                before = page.columns.ids
                yield from log.fresh(page)
        last -= 1
        yield from self._tail(last)
        yield from self._newest_again(newest, lambda: self._tail(last))

    def _tail(self, index: int) -> Iterator[Columns]:
        """Read forward from a page, or one before it, as long as pages are full or have new records."""
        log, page = self.log, self._at(index)
        # Deletions may have moved the end, and new records with it, to pages before.
        while index > 0 and (page is None or log.ids.isdisjoint(page.columns.ids)):
            index -= 1
            page = self._at(index)
        start = index
        while page is not None:
            added = len(log.new_in(page))
            if added or index == start:
                log.see(index, page, added)
            yield from log.fresh(page)
            is_short = len(page.columns.ids) < log.size
            if not added and (index > start or is_short):
                return
            index += 1
            page = self._at(index)

    def _newest_again(self, newest: Page, end: Callable[[], Iterator[Columns]]) -> Iterator[Columns]:
        """Look for the newest records if they were not found: they were deleted, or pages do not reach them."""
        log, lost = self.log, self.log.new_in(newest)
        if not lost:
            return
        again = self._falling.at(0)
        # A page that reaches the records that were read has all that come after them.
        is_reached = again is not None and not log.ids.isdisjoint(again.columns.ids[-1:])
        lost = lost if again is None else log.new_in(again)
        if lost and not is_reached:
            # Records that were added meanwhile are on the last page.
            yield from end()
            log.has_lost = not lost <= log.ids
        yield from () if again is None else log.fresh(again)

    def _forward(self, listing: Listing, page: Page | None, index: int = 1) -> Generator[Columns, None, int]:
        """Read onward from a page at a position, as long as pages have new records; return the number of pages."""
        for each in listing.onward(page, index, self.log.size):
            if not self.log.new_in(each):
                break
            index += 1
            yield from self.log.fresh(each)
        return index

    def _chained(self, listing: Listing, second: Page, newest: Page | None = None) -> Iterator[Columns]:
        """Read pages by tokens or links, which only lead forward."""
        log, seen, last = self.log, set[str](), second
        if second.is_linked and newest is not None:
            # Links may lose the order.
            yield from log.fresh(newest)
        for page in listing.onward(second):
            token = str(page.reply.next)
            log.says_more = bool(page.columns.ids and (page.reply.more or page.reply.next is not None))
            # A page may be empty although others follow, as long as each has another token.
            if token in seen and not log.new_in(page):
                log.says_more = False
                break
            seen.add(token)
            last = page if page.columns.ids else last
            yield from log.fresh(page)
        by_id = newest is not None and self._calls.dialect.paging == "after"
        log.way = "links" if last.is_linked else "last ids" if by_id else "tokens"
        log.claimed = log.total if last.claimed is None else last.claimed
        log.ends = last.reply.more is False
        if newest is not None and self.completeness.level == "verified":
            # The last page again, and what follows it now.
            yield from self._newest_again(
                newest,
                lambda: (part for page in listing.onward(listing.again(last)) for part in log.fresh(page)),
            )


def refuses_template(error: ValidationFailed) -> bool:
    """Return whether a service refused a list because it does not know the template."""
    return any("template" in text.lower() for text in (error.message, *error.fields))
