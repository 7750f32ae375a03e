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
from dataclasses import replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from inkframe.errors import ServiceError, ValidationFailed
from inkframe.http.connections import CancelScope
from inkframe.http.worker_pool import Limiter, WorkerPool
from inkframe.listing.operations import PATIENT, Calls
from inkframe.listing.page_search import ignores_order
from inkframe.listing.pages import PAGE_SIZE, Budget, Listing, refuses_template
from inkframe.listing.proof import CHANGED, NO_TOTAL, UNREACHED, Evidence, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from inkframe.replies.columns import Columns, Page

__all__ = ["FullListing"]

#: Pages that are requested before the next check of the end, since a total may be far too large.
PAGES_PER_CHECK: Final = 500
#: Pages in succession without new records after which the list has ended.
MISSES_AT_END: Final = 3
#: The most requests for the newest records that were not found.
NEWEST_READS: Final = 6
#: Filters whose members change when a record is updated.
CHANGING_FILTERS: Final = {"favorite": "favorites", "search": "a search"}


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
        completeness: Its completeness, once every page was yielded.
        is_whole: Whether every record was read that matched throughout, even if others came to match meanwhile.
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
        self._query = query
        self._calls = calls
        self._scope = CancelScope() if scope is None else scope
        limits = replace(PATIENT, scope=self._scope)
        self._orders = ("asc", "desc") if oldest_first else ("desc", "asc")
        by_id = {**query, "sort_by": "id", "sort": self._orders[0], "per_page": PAGE_SIZE}
        self._budget = Budget() if budget is None else budget
        self._falling = Listing(calls, by_id, limits, self._budget)
        self.limiter = Limiter(1) if limiter is None else limiter
        self._stops_early = newest_first or oldest_first
        self._seen = SeenRecords(self._budget)
        self._size = PAGE_SIZE
        self._ended = False
        self._verdict = Verdict(calls, query, limits, self._budget)
        self.completeness = self._verdict.completeness
        self.is_whole: bool
        self.refusal: ValidationFailed | None = None

    @cached_property
    def _rising(self) -> Listing:
        falling = self._falling
        return Listing(self._calls, {**falling.query, "sort": self._orders[1]}, falling.limits, self._budget)

    @property
    def came(self) -> str | None:
        """The order in which the records were requested and yielded; None for both of them."""
        return next(iter(self._seen.orders)) if len(self._seen.orders) == 1 else None

    def pages(self, newest: Page | None = None) -> Generator[Columns]:
        """Yield the records page by page without duplicates; afterwards ``completeness`` is valid.

        Args:
            newest: The first page, if it was already fetched.
        """
        newest = self.newest() if newest is None else newest
        # What another listing has shown about totals meanwhile.
        self._calls.paginator.observe(newest)
        self._verdict.check_total(newest)
        # A listing that will stop at a limit fetches no second page in advance.
        is_all = self._calls.paginator.is_last(newest) if self._stops_early else self._falling.ends(newest)
        total = self.completeness.total = newest.reply.total
        if not (self._stops_early or newest.columns.order_keys):
            self._learn_order(newest)
        if is_all:
            self._verdict.single(newest)
            yield from self._seen.fresh(newest)
            if newest.is_doubtful:
                yield from self._compared(newest)
            self.is_whole = self.completeness.level != "best-effort"
            return
        if self._stops_early or not newest.reply.described:
            yield from self._onward(newest)
        else:
            yield from self._ascending(newest, total)
        if not self._seen.in_order:
            self.completeness.lower("best-effort", "the ids are not increasing numbers")
        self._verdict.requests()
        self.is_whole = self.completeness.level != "best-effort"
        for name, words in CHANGING_FILTERS.items():
            if name in self._query:
                self.completeness.lower("best-effort", f"{words} can change while pages are read")

    def newest(self) -> Page:
        """Return the first page, requested without page parameters.

        A template that the service does not know has no documents; the error is stored in ``refusal``.
        """
        try:
            return self.limiter.timed(self._falling.first)
        except ValidationFailed as error:
            if "template_id" not in self._query or not refuses_template(error):
                raise
            self.refusal = error
            self._budget.add_page()
            return self._calls.reader.empty_page({})

    def _learn_order(self, newest: Page) -> None:
        """Find out whether the service honors the order by id, once for each client, where only arrival tells it."""
        ids, paginator = newest.columns.ids, self._calls.paginator
        if len(ids) > 1 and paginator.honors_order is None:
            with suppress(ServiceError):  # of a service that refuses to sort
                paginator.note_orders(ids, self._rising.first().columns.ids)

    def _onward(self, newest: Page) -> Iterator[Columns]:
        """Read from the newest page onward, as long as pages have new records."""
        yield from self._seen.fresh(newest)
        second = self._falling.second(newest)
        if second is None:
            self._verdict.one_page(newest, len(self._seen))
        elif self._is_chained(second):
            yield from self._chained(self._falling, second)
        elif second.columns.ids:
            self._size = len(newest.columns.ids)
            yield from self._forward(self._falling, second)
            first = "newest" if self._orders[0] == "desc" else "oldest"
            reason = f"read {first} first" if self._stops_early else "the service does not describe its pages"
            self.completeness.lower("best-effort", reason)
        elif self._stops_early:
            self._verdict.single(newest)
        else:
            yield from self._compared(newest)

    def _compared(self, newest: Page) -> Iterator[Columns]:
        """Compare a first page that an empty one follows with the first in the other order, unless that was done."""
        if not self._falling.was_compared:
            other = self._rising.first()
            if self._seen.is_further(other):
                self._verdict.one_page(newest, len(self._seen))
                yield from self._seen.fresh(other)
            elif ignores_order(newest, other):
                self.completeness.lower("best-effort", "the service ignores the order")

    def _is_chained(self, second: Page) -> bool:
        return second.is_linked or self._calls.paginator.is_chained

    def _ascending(self, newest: Page, total: int | None) -> Iterator[Columns]:
        """Read every page by id ascending."""
        first = self.limiter.timed(self._rising.first)
        self._size = len(first.columns.ids) or self._size
        second = self._rising.second(first)
        if second is None:
            yield from self._seen.fresh(newest)
            yield from self._seen.fresh(first)
            # A single record is the first in both orders even if the order is ignored.
            is_same = len(self._seen) > 1 and set(first.columns.ids) == set(newest.columns.ids)
            is_whole = is_same and len(self._seen) == total and not first.says_more
            if not is_whole:
                self._verdict.one_page(first, len(self._seen))
            return
        yield from self._seen.fresh(first)
        if self._is_chained(second):
            yield from self._chained(self._rising, second, newest)
            return
        if total is None:
            pages = yield from self._forward(self._rising, second)
        else:
            pages = yield from self._checked(newest, total, second)
        if pages:
            yield from self._backward(pages, newest, NO_TOTAL if total is None else CHANGED)

    def _at(self, index: int) -> Page | None:
        """Return a page by its position in the rising listing; None past the end."""
        page = None if self._ended else self._rising.at(index, self._size)
        return page if page is not None and page.columns.ids else None

    def _checked(self, newest: Page, total: int, second: Page) -> Generator[Columns, None, int]:
        """Read the pages that the total promises; return their number, 0 if the listing is exact."""
        pages = -(-total // self._size)
        steady, known = True, 1
        # The last page is read after the others, since it shows what changed meanwhile.
        last = (self._at(index) for index in [pages - 1] if index > 1)
        for index, page in enumerate(chain([second], self._between(2, pages - 1), last), 1):
            steady = steady and page is not None and page.claimed in {total, None}
            if page is not None and self._seen.is_further(page):
                known = index + 1
                yield from self._seen.fresh(page)
        # The second page is empty if the listing shrank to one page.
        last_ids = page.columns.ids[-1:] if page is not None else []
        ends_with_newest = last_ids == newest.columns.ids[:1] and not self._seen.new_in(newest)
        is_exact = steady and ends_with_newest and len(self._seen) == total
        return 0 if is_exact else known

    def _between(self, begin: int, end: int) -> Iterator[Page | None]:
        """Yield the pages of a range of positions, read in parallel, until the end."""
        misses = 0
        for start in range(begin, end, PAGES_PER_CHECK):
            pool = WorkerPool(self._at, self.limiter.width, self._scope)
            for page in pool.run(range(start, min(start + PAGES_PER_CHECK, end))):
                repeats_page_past_end = page is not None and not self._seen.is_further(page)
                misses = misses + 1 if page is None or repeats_page_past_end else 0
                self._ended = self._ended or misses >= MISSES_AT_END
                yield page
            if self._ended:
                return

    def _backward(self, pages: int, newest: Page, reason: str) -> Iterator[Columns]:
        """Read from the last page to the first, then forward the pages that were added meanwhile."""
        self._ended = False
        proof, last = Evidence(self._size, newest.reply), pages
        while (page := self._at(last)) is not None and self._seen.is_further(page):
            yield from self._seen.fresh(page)
            last += 1
        before: list[int | str] = []
        for index in range(last - 1, -1, -1):
            page = self._at(index)
            repeats_last_page_past_end = page is not None and page.columns.ids == before
            if page is None or repeats_last_page_past_end:
                last = min(last, index + 1)
            proof.add(index, page)
            if page is not None:
                before = page.columns.ids
                yield from self._seen.fresh(page)
        last -= 1
        yield from self._tail(last, proof)
        yield from self._newest_again(newest, lambda: self._tail(last, proof))
        self._verdict.proven(proof, len(self._seen), reason)

    def _tail(self, index: int, proof: Evidence) -> Iterator[Columns]:
        """Read forward from a page, or one before it, as long as pages are full or have new records."""
        page = self._at(index)
        # Deletions may have moved the end, and new records with it, to pages before.
        while index > 0 and (page is None or not self._seen.is_joined(page)):
            index -= 1
            page = self._at(index)
        start = index
        while page is not None:
            added = len(self._seen.new_in(page))
            if added or index == start:
                proof.add(index, page, added)
            yield from self._seen.fresh(page)
            is_short = len(page.columns.ids) < self._size
            if not added and (index > start or is_short):
                return
            index += 1
            page = self._at(index)

    def _newest_again(self, newest: Page, end: Callable[[], Iterator[Columns]]) -> Iterator[Columns]:
        """Look for the newest records if they were not found: they were deleted, or pages do not reach them."""
        lost = self._seen.new_in(newest)
        pages = self._falling.first_again(NEWEST_READS if lost else 0)
        for page in pages:
            lost = self._seen.new_in(page)
            # Records that were added meanwhile are on the last page.
            yield from end()
            lost.difference_update(self._seen.ids)
            again = next(pages, None) if lost else None
            if again is None:
                break
            lost.intersection_update(again.columns.ids)
            # Where the page reaches the records that were read, nothing is between them.
            is_reached = self._seen.reaches(again)
            yield from self._seen.fresh(again)
            if is_reached:
                return
            if lost:
                break
        if lost:
            self.completeness.miss(UNREACHED)

    def _forward(self, listing: Listing, page: Page | None) -> Generator[Columns, None, int]:
        """Read from the second page to the last and return the number of pages."""
        index = 1
        while page is not None and self._seen.is_further(page):
            yield from self._seen.fresh(page)
            index += 1
            says_it_is_last = page.reply.more is False and page.reply.next is None
            if says_it_is_last:
                break
            page = listing.at(index, self._size)
        return index

    def _chained(self, listing: Listing, second: Page, newest: Page | None = None) -> Iterator[Columns]:
        """Read pages by tokens or links, which only lead forward."""
        seen, last = set[str](), second
        if second.is_linked and newest is not None:
            # Links may lose the order.
            yield from self._seen.fresh(newest)
        for page in listing.chain(second):
            token = str(page.reply.next)
            # A page may be empty although others follow, as long as each has another token.
            repeats_token = token in seen
            if repeats_token and not self._seen.is_further(page):
                break
            seen.add(token)
            last = page if page.columns.ids else last
            yield from self._seen.fresh(page)
        by_id = newest is not None and self._calls.dialect.paging == "after"
        self._verdict.chain(last, len(self._seen), by_id=by_id)
        if newest is not None and self.completeness.level == "verified":
            yield from self._newest_again(newest, lambda: self._rest(listing, last))

    def _rest(self, listing: Listing, last: Page) -> Iterator[Columns]:
        """Read the last page of a chain again, and what follows it now."""
        for page in listing.chain(listing.again(last)):
            yield from self._seen.fresh(page)


class SeenRecords:
    """The records that a listing has yielded.

    Args:
        budget: The requests of the listing, which grow with pages that have new records.

    Attributes:
        ids: Their ids.
        in_order: Whether the ids of every page by id ascending are increasing numbers.
        orders: The orders of the pages that they were yielded from.
    """

    def __init__(self, budget: Budget) -> None:
        self.in_order = True
        self.orders = set[str | None]()
        self._budget = budget
        self.ids: set[int | str] = set()

    def __len__(self) -> int:
        return len(self.ids)

    def fresh(self, page: Page) -> Iterator[Columns]:
        """Yield the records of a page that were not yielded before."""
        ids = page.columns.ids
        if page.asked.get("sort") == "asc":
            self._note_order(ids)
        fresh = [row for row, id in enumerate(ids) if id not in self.ids]
        if fresh:
            self.ids.update(ids)
            self.orders.add(page.asked.get("sort"))
            self._budget.add_page(len(fresh) / len(ids))
            first = {ids[row]: row for row in reversed(fresh)}
            yield page.columns.select(sorted(first.values()))

    def new_in(self, page: Page) -> set[int | str]:
        """Return the ids of a page that were not yielded before."""
        return set(page.columns.ids) - self.ids

    def is_further(self, page: Page) -> bool:
        """Return whether a page has new records; a service may repeat its last page or its first."""
        return any(id not in self.ids for id in page.columns.ids)

    def is_joined(self, page: Page) -> bool:
        """Return whether a page has records that were yielded before."""
        return not self.ids.isdisjoint(page.columns.ids)

    def reaches(self, page: Page) -> bool:
        """Return whether a page, newest first, ends with a record that was yielded before."""
        return not self.ids.isdisjoint(page.columns.ids[-1:])

    def _note_order(self, ids: list[int | str]) -> None:
        are_numbers = {int}.issuperset(map(type, ids))
        self.in_order = self.in_order and are_numbers and ids == sorted({*ids})
