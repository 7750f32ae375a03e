"""Parts of a listing that are read apart from each other, each wherever its records stand by then.

A part is an id range, read from the page that holds its upper edge back to the one that holds its lower edge.
By id ascending a record's page number only ever falls, and a pointer that falls by one with each page cannot
step over it: what exists throughout is not missed, whatever comes or goes meanwhile. Ids that are no numbers
have no ranges; there a part is a range of pages.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from inkframe.calls.pages import PAGE_SIZE, Listing
from inkframe.calls.port import PATIENT
from inkframe.errors import UnexpectedReply
from inkframe.workflows.full_listing import FullListing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from inkframe.calls.port import Calls
    from inkframe.replies.paginator import Page
    from inkframe.replies.record_reply import Columns

    Read = Callable[[int], Columns | None]

__all__ = ["Part", "Stretch", "ascending", "rises", "rising", "upper_edge"]


@dataclass(frozen=True, slots=True)
class Stretch:
    """Where the records of a part stand in one list, as far as is known.

    Args:
        query: The list parameters.
        size: How many records stand on a page.
        end: The position of the page that holds the upper edge, or of the first page that is not read.
        begin: The position of the first page, where a part is a range of pages.
        whole: Whether the whole list is read, since its pages cannot be asked for by their positions.
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
        stretches: Where they stand.
        low: The lowest id, where a part is an id range.
        high: The first id beyond.
    """

    stretches: tuple[Stretch, ...] = ()
    low: int | None = None
    high: int | None = None

    def read(self, calls: Calls) -> Iterator[tuple[Columns, dict[str, Any]]]:
        """Give the records, none twice, each page with the query that found it.

        Raises:
            UnexpectedReply: The ids are no longer numbers that rise.
        """
        given: set[int | str] = set()
        for stretch in self.stretches:
            for columns in self._pages(calls, stretch):
                rows = [row for row, id in enumerate(columns.ids) if id not in given and self._holds(id)]
                given.update(columns.ids[row] for row in rows)
                if rows:
                    yield columns if len(rows) == len(columns.ids) else columns.take(rows), stretch.query

    def _holds(self, id: Any) -> bool:
        return self.low is None or self.high is None or self.low <= id < self.high

    def _pages(self, calls: Calls, stretch: Stretch) -> Iterator[Columns]:
        if stretch.whole:
            yield from FullListing(calls, stretch.query).pages()
            return
        listing = Listing(calls, ascending(stretch.query), PATIENT)
        if self.low is not None and self.high is not None:
            yield from _between(
                lambda index: rising(listing.at(index, stretch.size)), stretch.end, self.low, self.high
            )
            return
        for index in range(stretch.begin, stretch.end):
            if (page := listing.at(index, stretch.size)) is not None:
                yield page.columns


def ascending(query: dict[str, Any]) -> dict[str, Any]:
    """Give a query by id ascending, with the largest page."""
    return {**query, "sort_by": "id", "sort": "asc", "per_page": PAGE_SIZE}


def rises(ids: list[int | str]) -> bool:
    """Whether ids are numbers within 64 bits, each larger than the one before."""
    numbers = [id for id in ids if isinstance(id, int) and -(2**63) <= id < 2**63]
    return len(numbers) == len(ids) and all(a < b for a, b in pairwise(numbers))


def rising(page: Page | None) -> Columns | None:
    """Give a page's records, None where there are none.

    Raises:
        UnexpectedReply: The ids are not numbers that rise.
    """
    if page is None or not page.columns.ids:
        return None
    if not rises(page.columns.ids):
        raise UnexpectedReply(
            "The ids of a page are not numbers that rise, as they were when this frame was planned.\n"
            "Plan it again: to_dask()."
        )
    return page.columns


def _between(read: Read, guess: int, low: int, high: int) -> Iterator[Columns]:
    """Give the pages from the one that holds the upper edge back to the one that holds the lower edge."""
    index, page = upper_edge(read, guess, high)
    while index >= 0:
        page = page or read(index)
        if page is not None:
            yield page
            if int(page.ids[0]) <= low:
                return
        index, page = index - 1, None


def upper_edge(read: Read, guess: int, high: int) -> tuple[int, Columns | None]:
    """Find the page that holds an edge, else the last page below it, near where it was.

    Args:
        read: Gives the page at a position, None past the end.
        guess: Where the page was.
        high: The first id beyond the edge.

    Returns:
        Its position, -1 where every page lies beyond; and the page, None where it was read before the one
        behind it, so that records may have moved onto it since.
    """
    below, beyond, step, index = -1, None, 1, guess
    page: Columns | None = None
    ends: int | None = None
    while beyond is None or beyond - below > 1:
        page = read(index)
        last = None if page is None else int(page.ids[-1])
        # A service may show its last page again, or its first, for a page behind the last.
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
