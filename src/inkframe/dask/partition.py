"""Division of a listing into parts that are read independently, even if their records move to other pages.

A part is a range of ids, read from the page with its upper bound back to the page with its lower bound. By id
ascending the page number of a record can only decrease, so that reading pages in descending order cannot skip
it: records that exist throughout are not missed, whatever is added or deleted meanwhile. If ids are not
numbers, a part is a range of pages of one list.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from inkframe.errors import UnexpectedReply, ValidationFailed
from inkframe.http.worker_pool import WorkerPool
from inkframe.listing.full_listing import PAGE_SIZE, FullListing, Listing, refuses_template
from inkframe.listing.operations import PATIENT, Calls
from inkframe.schema import INT64

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from inkframe.replies.columns import Columns, Page

    Read = Callable[[int], Columns | None]

__all__ = ["Part", "Partition", "divide"]

#: The default number of parts, and the minimum and maximum number of records of a part.
PARTS: Final = 32
FEWEST: Final = 1_000
MOST: Final = 10_000
#: The minimum number of records of a part per list: pages at its bounds are read by two parts.
FEWEST_OF_EACH: Final = PAGE_SIZE


@dataclass(frozen=True, slots=True)
class Partition:
    """A listing in parts.

    Args:
        parts: The parts.
        divisions: The lowest id of each part, and the highest of the last; None if ids are not numbers.
        sample: The pages that were read, each with its query.
    """

    parts: tuple[Part, ...]
    divisions: tuple[int, ...] | None
    sample: list[tuple[Columns, dict[str, Any]]]


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
                    yield columns.select(rows), page_range.query

    def _holds(self, id: Any) -> bool:
        return self.low is None or self.high is None or self.low <= id < self.high

    def _pages(self, calls: Calls, page_range: PageRange) -> Iterator[Columns]:
        if page_range.whole:
            yield from FullListing(calls, page_range.query).pages()
            return
        listing = Listing(calls, _ascending(page_range.query), PATIENT)
        if self.low is not None and self.high is not None:
            yield from _between(
                lambda index: _rising(listing.at(index, page_range.size)), page_range.end, self.low, self.high
            )
            return
        for index in range(page_range.begin, page_range.end):
            if (page := listing.at(index, page_range.size)) is not None:
                yield page.columns


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


def divide(calls: Calls, queries: Sequence[dict[str, Any]], rows: int | None, width: int) -> Partition:
    """Divide a listing.

    Args:
        calls: The collection.
        queries: The list parameters of each list of it.
        rows: The approximate number of records in a part; by default 1,000 to 10,000.
        width: The most requests in flight.
    """
    lists = [outline for outline in _outlines(calls, queries, width) if outline.seen]
    count = sum(outline.count for outline in lists)
    rows = rows or max(min(max(count // PARTS, FEWEST), MOST), FEWEST_OF_EACH * len(lists))
    wanted = max(-(-count // rows), 1)
    if lists and all(outline.rises for outline in lists):
        _look_inside(lists, wanted, width)
    sample = [(page, outline.query) for outline in lists for page in outline.seen.values()]
    if lists and all(outline.rises for outline in lists):  # as far as the further pages show
        edges = _edges(lists, wanted)
        parts = [
            Part(tuple(filter(None, (outline.page_range(low, high) for outline in lists))), low, high)
            for low, high in pairwise(edges)
        ]
        return Partition(tuple(parts), (*edges[:-1], edges[-1] - 1), sample)
    return Partition(tuple(_page_ranges(lists, rows)) or (Part(),), None, sample)


def _outlines(calls: Calls, queries: Sequence[dict[str, Any]], width: int) -> list[Outline]:
    # The first alone, so that the paging style is learned only once.
    several = len(queries) > 1
    first = _outline(calls, queries[0], several=several)
    pool = WorkerPool(partial(_outline, calls, several=several), width)
    outlines = [first, *pool.run(queries[1:])]
    ids = [id for outline in outlines if outline.seen for id in outline.seen[0].ids]
    if "template_id" in first.query and len(set(ids)) < len(ids):
        # A record under two templates: the service ignores the template.
        calls.dialect.learn(filters_templates=False)
        plain = {name: value for name, value in first.query.items() if name != "template_id"}
        return [_outline(calls, plain)]
    return outlines


def _outline(calls: Calls, query: dict[str, Any], *, several: bool = False) -> Outline:
    """Read the first and the last page of a list; if there are several, an unknown template is empty."""
    listing = Listing(calls, _ascending(query), PATIENT)
    outline = Outline(listing, query)
    try:
        first = listing.at(0, PAGE_SIZE)
    except ValidationFailed as error:
        if not several or not refuses_template(error):
            raise
        return outline
    if first is None or not first.columns.ids:
        return outline
    outline.seen[0] = first.columns
    outline.size = len(first.columns.ids)
    is_open = first.is_doubtful or not calls.paginator.has_places
    second = listing.second(first) if is_open else None
    if calls.paginator.is_last(first) or (second is not None and not second.columns.ids):
        outline.pages = 1
        return outline
    if calls.paginator.has_places:
        outline.pages = -(-(first.reply.total or 0) // outline.size)
        outline.see(max(outline.pages - 1, 0))
        if outline.pages - 1 not in outline.seen:
            # The service reports no total or a wrong one, so the last page is searched for.
            outline.pages = _count_pages(outline)
    return outline


def _count_pages(outline: Outline) -> int:
    """Return the number of pages; 0 if ids are not increasing, so that the end cannot be detected."""
    if not _rises(outline.seen[0].ids):
        return 0
    last, _ = _upper_edge(lambda index: _rising(outline.listing.at(index, outline.size)), 0, 2**63)
    outline.see(last)
    return last + 1


def _look_inside(lists: Sequence[Outline], wanted: int, width: int) -> None:
    """Read pages between the first and the last, about one for each part."""
    pages = sum(outline.pages for outline in lists)
    jobs: list[tuple[Outline, int]] = []
    for outline in lists:
        share = round(wanted * outline.pages / pages)
        jobs += [(outline, round(number * outline.pages / share)) for number in range(1, share)]

    def see(job: tuple[Outline, int]) -> None:
        job[0].see(job[1])

    list(WorkerPool(see, width).run(jobs))


def _edges(lists: Sequence[Outline], wanted: int) -> list[int]:
    """Return ids that divide all lists together into parts of similar size."""
    samples = [outline.samples() for outline in lists]
    ids = np.unique([id for line, _ in samples for id in line])
    before = sum(np.interp(ids, line, places) for line, places in samples)
    size = max(outline.size for outline in lists)
    count = sum(outline.count for outline in lists)
    # Whole pages, so that a single list is divided between pages.
    targets = [round(number * count / wanted / size) * size for number in range(1, wanted)]
    cuts = {int(cut) for cut in np.round(np.interp(targets, before, ids))}
    lowest, behind = int(ids[0]), int(ids[-1])
    return [lowest, *sorted(cut for cut in cuts if lowest < cut < behind), behind]


def _page_ranges(lists: Sequence[Outline], rows: int) -> Iterator[Part]:
    """Yield parts by page positions, for lists whose ids are not increasing numbers."""
    for outline in lists:
        if not outline.pages:
            yield Part((PageRange(outline.query, whole=True),))
        step = max(rows // outline.size, 1)
        for begin in range(0, outline.pages, step):
            end = min(begin + step, outline.pages)
            yield Part((PageRange(outline.query, outline.size, end, begin),))


@dataclass(slots=True)
class Outline:
    """The known pages of one list by id ascending.

    Args:
        listing: Its pages.
        query: Its parameters.
        size: The number of records on a page.
        pages: The number of pages; 0 if they cannot be requested by position.
        seen: The pages that were read, by position.
    """

    listing: Listing
    query: dict[str, Any]
    size: int = PAGE_SIZE
    pages: int = 0
    seen: dict[int, Columns] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """The approximate number of records."""
        return self.pages * self.size

    @property
    def rises(self) -> bool:
        """Whether the known ids are increasing numbers, so that ranges of ids can be found again."""
        pages = [page for _, page in sorted(self.seen.items())]
        return (
            self.pages > 0
            and all(_rises(page.ids) for page in pages)
            and _rises([page.ids[0] for page in pages])
        )

    def see(self, position: int) -> None:
        """Read a page."""
        page = None if position in self.seen else self.listing.at(position, self.size)
        if page is not None and page.columns.ids:
            self.seen[position] = page.columns

    def samples(self) -> tuple[np.ndarray, list[int]]:
        """Return increasing ids and the number of records before each."""
        ids: list[int] = []
        places: list[int] = []
        for position, page in sorted(self.seen.items()):
            ids += [int(page.ids[0]), int(page.ids[-1]) + 1]
            places += [position * self.size, position * self.size + len(page.ids)]
        # The pages may overlap, since records may have moved between the reads.
        return np.maximum.accumulate(ids), places

    def page_range(self, low: int, high: int) -> PageRange | None:
        """Return the pages of a range of ids; None if it contains no record."""
        ids, places = self.samples()
        if self.pages == 1:
            holds = any(low <= int(id) < high for id in self.seen[0].ids)
        else:
            holds = bool(low < ids[-1] and ids[0] < high)
        return (
            PageRange(self.query, self.size, int(np.interp(high, ids, places)) // self.size)
            if holds
            else None
        )


def _ascending(query: dict[str, Any]) -> dict[str, Any]:
    """Return a query by id ascending, with the largest page."""
    return {**query, "sort_by": "id", "sort": "asc", "per_page": PAGE_SIZE}


def _rises(ids: list[int | str]) -> bool:
    """Return whether ids are increasing integers within 64 bits."""
    numbers = [id for id in ids if isinstance(id, int) and id in INT64]
    return len(numbers) == len(ids) and all(a < b for a, b in pairwise(numbers))


def _rising(page: Page | None) -> Columns | None:
    """Return the records of a page, or None if there are none.

    Raises:
        UnexpectedReply: The ids are not increasing numbers.
    """
    if page is None or not page.columns.ids:
        return None
    if not _rises(page.columns.ids):
        raise UnexpectedReply(
            "The ids of a page must be increasing numbers, as they were when this frame was created.\n"
            "Create the frame again with to_dask()."
        )
    return page.columns


def _between(read: Read, guess: int, low: int, high: int) -> Iterator[Columns]:
    """Yield the pages from the upper bound back to the lower bound."""
    index, page = _upper_edge(read, guess, high)
    while index >= 0:
        page = page or read(index)
        if page is not None:
            yield page
            if int(page.ids[0]) <= low:
                return
        index, page = index - 1, None


def _upper_edge(read: Read, guess: int, high: int) -> tuple[int, Columns | None]:
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
