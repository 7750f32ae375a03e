"""Division of a listing into parts, based on a few of its pages."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from inkframe.dask.parts import PageRange, Part, ascending, rises, rising, upper_edge
from inkframe.errors import ValidationFailed
from inkframe.http.worker_pool import WorkerPool
from inkframe.listing.operations import PATIENT
from inkframe.listing.pages import PAGE_SIZE, Listing, refuses_template

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from inkframe.listing.operations import Calls
    from inkframe.replies.columns import Columns

__all__ = ["Partition", "divide"]

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
            and all(rises(page.ids) for page in pages)
            and rises([page.ids[0] for page in pages])
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
    in_ranges = all(outline.rises for outline in lists)
    if in_ranges and lists:
        _look_inside(lists, wanted, width)
        in_ranges = all(outline.rises for outline in lists)
    sample = [(page, outline.query) for outline in lists for page in outline.seen.values()]
    if in_ranges and lists:
        edges = _edges(lists, wanted)
        parts = [_range(lists, low, high) for low, high in pairwise(edges)]
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
    listing = Listing(calls, ascending(query), PATIENT)
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
    if listing.ends(first):
        outline.pages = 1
        return outline
    if not calls.paginator.has_places:
        listing.second(first)
    if calls.paginator.has_places:
        outline.pages = -(-(first.reply.total or 0) // outline.size)
        outline.see(max(outline.pages - 1, 0))
        if outline.pages - 1 not in outline.seen:
            # The service reports no total or a wrong one, so the last page is searched for.
            outline.pages = _count_pages(outline)
    return outline


def _count_pages(outline: Outline) -> int:
    """Return the number of pages; 0 if ids are not increasing, so that the end cannot be detected."""
    if not rises(outline.seen[0].ids):
        return 0
    last, _ = upper_edge(lambda index: rising(outline.listing.at(index, outline.size)), 0, 2**63)
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


def _range(lists: Sequence[Outline], low: int, high: int) -> Part:
    page_ranges = (outline.page_range(low, high) for outline in lists)
    return Part(tuple(each for each in page_ranges if each is not None), low, high)


def _page_ranges(lists: Sequence[Outline], rows: int) -> Iterator[Part]:
    """Yield parts by page positions, for lists whose ids are not increasing numbers."""
    page_ranges: list[PageRange] = []
    count = 0
    for outline in lists:
        if not outline.pages:
            yield Part((PageRange(outline.query, whole=True),))
        step = max(rows // outline.size, 1)
        for begin in range(0, outline.pages, step):
            end = min(begin + step, outline.pages)
            page_ranges.append(PageRange(outline.query, outline.size, end, begin))
            count += (end - begin) * outline.size
            if count >= rows:
                yield Part(tuple(page_ranges))
                page_ranges, count = [], 0
    if page_ranges:
        yield Part(tuple(page_ranges))
