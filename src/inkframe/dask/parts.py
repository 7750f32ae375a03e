"""Parts of a listing that are read independently, even if their records move to other pages.

A part is a range of ids, read from the page with its upper bound back to the page with its lower bound. By id
ascending the page number of a record can only decrease, so that reading pages in descending order cannot skip
it: records that exist throughout are not missed, whatever is added or deleted meanwhile. If ids are not
numbers, a part is a range of pages.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from inkframe.errors import UnexpectedReply
from inkframe.listing.full_listing import FullListing
from inkframe.listing.operations import PATIENT
from inkframe.listing.pages import PAGE_SIZE, Listing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from inkframe.listing.operations import Calls
    from inkframe.replies.columns import Columns, Page

    Read = Callable[[int], Columns | None]

__all__ = ["PageRange", "Part", "ascending", "rises", "rising", "upper_edge"]


@dataclass(frozen=True, slots=True)
class PageRange:
    """The pages of a part in one list, if known.

    Args:
        query: The list parameters.
        size: The number of records on a page.
        end: The position of the page with the upper bound, or of the first page that is not read.
        begin: The position of the first page, if the part is a range of pages.
        whole: Whether the whole list is read, since its pages cannot be requested by position.
    """

    query: dict[str, Any]
    size: int = PAGE_SIZE
    end: int = 0
    begin: int = 0
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """Records that are read together.

    Args:
        page_ranges: Their pages in each list.
        low: The lowest id, if the part is a range of ids.
        high: The first id after the range.
    """

    page_ranges: tuple[PageRange, ...] = ()
    low: int | None = None
    high: int | None = None

    def read(self, calls: Calls) -> Iterator[tuple[Columns, dict[str, Any]]]:
        """Yield pages of records without duplicates, each with its query.

        Raises:
            UnexpectedReply: The ids are no longer increasing numbers.
        """
        given: set[int | str] = set()
        for page_range in self.page_ranges:
            for columns in self._pages(calls, page_range):
                rows = [row for row, id in enumerate(columns.ids) if id not in given and self._holds(id)]
                given.update(columns.ids[row] for row in rows)
                if rows:
                    yield columns if len(rows) == len(columns.ids) else columns.take(rows), page_range.query

    def _holds(self, id: Any) -> bool:
        return self.low is None or self.high is None or self.low <= id < self.high

    def _pages(self, calls: Calls, page_range: PageRange) -> Iterator[Columns]:
        if page_range.whole:
            yield from FullListing(calls, page_range.query).pages()
            return
        listing = Listing(calls, ascending(page_range.query), PATIENT)
        if self.low is not None and self.high is not None:
            yield from _between(
                lambda index: rising(listing.at(index, page_range.size)), page_range.end, self.low, self.high
            )
            return
        for index in range(page_range.begin, page_range.end):
            if (page := listing.at(index, page_range.size)) is not None:
                yield page.columns


def ascending(query: dict[str, Any]) -> dict[str, Any]:
    """Return a query by id ascending, with the largest page."""
    return {**query, "sort_by": "id", "sort": "asc", "per_page": PAGE_SIZE}


def rises(ids: list[int | str]) -> bool:
    """Return whether ids are increasing integers within 64 bits."""
    numbers = [id for id in ids if isinstance(id, int) and -(2**63) <= id < 2**63]
    return len(numbers) == len(ids) and all(a < b for a, b in pairwise(numbers))


def rising(page: Page | None) -> Columns | None:
    """Return the records of a page, or None if there are none.

    Raises:
        UnexpectedReply: The ids are not increasing numbers.
    """
    if page is None or not page.columns.ids:
        return None
    if not rises(page.columns.ids):
        raise UnexpectedReply(
            "The ids of a page must be increasing numbers, as they were when this frame was created.\n"
            "Create the frame again with to_dask()."
        )
    return page.columns


def _between(read: Read, guess: int, low: int, high: int) -> Iterator[Columns]:
    """Yield the pages from the upper bound back to the lower bound."""
    index, page = upper_edge(read, guess, high)
    while index >= 0:
        page = page or read(index)
        if page is not None:
            yield page
            if int(page.ids[0]) <= low:
                return
        index, page = index - 1, None


def upper_edge(read: Read, guess: int, high: int) -> tuple[int, Columns | None]:
    """Find the page with a bound, or the last page below it, starting at its former position.

    Args:
        read: Returns the page at a position, None past the end.
        guess: The former position of the page.
        high: The first id after the bound.

    Returns:
        Its position, -1 if every page is above the bound; and the page, None if it was read before the next
        one, so that records may have moved onto it since.
    """
    below, beyond, step, index = -1, None, 1, guess
    page: Columns | None = None
    ends: int | None = None
    while beyond is None or beyond - below > 1:
        page = read(index)
        last = None if page is None else int(page.ids[-1])
        # A service may return its last or first page again for a page past the end.
        if page is None or last is None or int(page.ids[0]) >= high or (ends is not None and last <= ends):
            beyond, page = index, None
        elif last >= high:
            return index, page
        else:
            below, ends = index, last
        if beyond is None:
            index = below + step
        elif below < 0:
            index = max(beyond - step, 0)
        else:
            index = (below + beyond) // 2
        step *= 2
    return below, page
