"""Refetch records: one by one, or by pages if that takes fewer requests.

In a listing by id, the position of a record is known from a frame of the whole listing, so that only the
needed pages are requested. Records that moved since are fetched by id.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from inkframe.calls.pages import PAGE_SIZE, Listing, nth_page
from inkframe.calls.port import PATIENT
from inkframe.concurrency.cancellation import CancelScope
from inkframe.concurrency.worker_pool import WorkerPool
from inkframe.errors import NotFound
from inkframe.frames import ATTRIBUTE, in_order, origin
from inkframe.replies.columns import Columns
from inkframe.replies.paginator import DEFAULT_SIZE
from inkframe.workflows.frame_maker import FrameMaker
from inkframe.workflows.full_listing import UNSTEADY

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence

    from inkframe.calls.port import Calls
    from inkframe.replies.paginator import Page
    from inkframe.replies.record_reply import Record
    from inkframe.workflows.session import SessionCalls

__all__ = ["refetch", "with_details"]


def refetch(
    calls: SessionCalls, ids: Sequence[Any], known: pd.DataFrame, needed: Iterable[str]
) -> pd.DataFrame:
    """Return the current records as a frame by id, without deleted ones.

    Args:
        calls: Their collection.
        ids: Their ids, as in the known frame.
        known: A frame with the records by id, which shows their pages.
        needed: The required columns; a list that omits one is not used.
    """
    fetch = _Refetch(calls, ids, needed)
    if len(ids) > 1 and not fetch.repeat(known):
        for group in _groups(calls, ids, known):
            fetch.by_pages(group)
    fetch.by_id()
    frame = FrameMaker(calls).of_pages(fetch.parts)
    frame.attrs[ATTRIBUTE] = {"absent": sorted(fetch.absent)}
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
    for name in columns.absent:
        columns.known[name] = [None if record is None else record.known[name] for record in records]
    for name in {name for record in records if record for name in record.extra} - columns.extra.keys():
        columns.extra[name] = [None if record is None else record.extra.get(name) for record in records]
    shown = {
        name for record in records if record for name, value in record.known.items() if value is not None
    }
    columns.absent = tuple(name for name in columns.absent if name not in shown)
    return columns


def _show(calls: Calls, ids: Sequence[Any], width: int) -> Generator[Record | None]:
    """Yield records by their ids; None for a deleted one."""

    def show(id: Any) -> Record | None:
        try:
            return calls.get(id, PATIENT)
        except NotFound:
            return None

    return WorkerPool(show, width).run(ids)


@dataclass(slots=True)
class Group:
    """Records of one listing.

    Args:
        query: The listing's parameters.
        ids: The records.
        places: The position of each in the listing, if the known frame has the whole listing; otherwise None.
        size: The number of records of the listing in the known frame.
        whole: Whether the known frame has the whole listing.
    """

    query: dict[str, Any]
    ids: list[Any]
    places: np.ndarray | None
    size: int
    whole: bool

    def pages(self, page_size: int, total: int | None) -> list[int]:
        """Return the positions of the pages that contain, or may contain, the records."""
        if self.places is not None and (self.whole or total == self.size):
            return [int(page) for page in np.unique(self.places // page_size)]
        return list(range(-(-(self.size if total is None else total) // page_size)))


class _Refetch:
    """The state of a refetch.

    Args:
        calls: Their collection.
        ids: The ids to fetch.
        needed: The required columns.

    Attributes:
        parts: The records found so far.
        absent: The missing columns.
    """

    def __init__(self, calls: SessionCalls, ids: Sequence[Any], needed: Iterable[str]) -> None:
        self.parts: list[Columns] = []
        self.absent: set[str] = set()
        self._calls = calls
        self._maker = FrameMaker(calls)
        self._width = calls.session.width
        self._left = dict.fromkeys(ids)
        self._needed = set(needed)
        self._lists_suffice = True
        self._are_texts = any(isinstance(id, str) for id in ids)

    def repeat(self, known: pd.DataFrame) -> bool:
        """Fetch the page of a frame again; return False if the frame is not a page."""
        came = origin(known)
        query = dict(came.get("query") or {})
        number = query.pop("page", 1)
        if came.get("completeness") != "page" or len(known) > query.get("per_page", DEFAULT_SIZE):
            return False
        self._take(nth_page(self._calls, query, number).columns, query)
        return True

    def by_pages(self, group: Group) -> None:
        """Read pages of a listing if they are fewer than the records."""
        needed = group.pages(PAGE_SIZE, None)
        if len(needed) >= len(group.ids) or not self._lists_suffice:
            return
        query = {**group.query, "sort_by": "id", "sort": "asc", "per_page": PAGE_SIZE}
        # Stopping early cancels only these requests.
        listing = Listing(self._calls, query, replace(PATIENT, scope=CancelScope()))
        has_places = self._calls.paginator.has_places
        begun = needed[0] if has_places else 0
        first = listing.at(begun, PAGE_SIZE)
        if first is None or not self._take(first.columns, query):
            return
        pages, size = _others(group, first, begun)
        if not has_places:
            pages = list(range(1, max(pages, default=0) + 1))
        if len(pages) >= sum(id in self._left for id in group.ids):
            return
        with closing(_further(listing, first, pages, size, self._width)) as found:
            for page in found:
                self._take(page.columns, query)
                if not any(id in self._left for id in group.ids):
                    break

    def _take(self, columns: Columns, query: Mapping[str, Any]) -> bool:
        """Store the needed records of a page; return False if the list omits required columns."""
        if columns.ids and self._needed.intersection(columns.absent):
            self._lists_suffice = False
            return False
        ids = [str(id) for id in columns.ids] if self._are_texts else columns.ids
        rows = []
        for row, id in enumerate(ids):
            if id in self._left:
                del self._left[id]
                rows.append(row)
        if rows:
            part = columns.take(rows)
            part.ids = [ids[row] for row in rows]
            part = self._maker.completed(part, query)
            self.parts.append(part)
            self.absent.update(part.absent)
        return True

    def by_id(self) -> None:
        """Fetch each remaining record by id."""
        ids = list(self._left)
        with closing(_show(self._calls, ids, self._width)) as shown:
            records = {id: record for id, record in zip(ids, shown, strict=True) if record is not None}
        if records:
            names = next(iter(records.values())).known
            known = {name: [record.known[name] for record in records.values()] for name in names}
            self.parts.append(Columns(list(records), known, {}))
            self.absent.update(name for name, values in known.items() if all(v is None for v in values))


def _further(listing: Listing, first: Page, wanted: list[int], size: int, width: int) -> Generator[Page]:
    """Yield pages after the first by position, or the wanted number of pages if there are no positions."""
    paginator = listing.calls.paginator
    page = first if paginator.has_places else listing.second(first)
    if not paginator.has_places:
        yield from (found for found, _ in zip(listing.chain(page), wanted, strict=False))
        return
    if page is not None and page is not first:
        # The paging style was learned from this page.
        yield page
        wanted = [index for index in wanted if index > 1]
    pool = WorkerPool(partial(listing.at, size=size), width, listing.limits.scope)
    yield from (found for found in pool.run(wanted) if found is not None)


def _others(group: Group, first: Page, begun: int) -> tuple[list[int], int]:
    """Return the pages to read after a first one, and the number of records on a page."""
    count = len(first.columns.ids)
    total = first.reply.total
    is_last = begun * PAGE_SIZE + count >= (group.size if total is None else total)
    # Some services return at most 25 or 50 records at a time.
    size = PAGE_SIZE if is_last or not count else count
    pages = group.pages(size, total)
    return [page for page in pages if page != begun or (begun and size != PAGE_SIZE)], size


def _groups(calls: Calls, ids: Sequence[Any], known: pd.DataFrame) -> Iterator[Group]:
    """Yield the listings that contain records, each with its records; others are omitted."""
    came = origin(known)
    query: dict[str, Any] = came.get("query") or {}
    spec, dialect = calls.spec, calls.dialect
    filters = [name for name in spec.filters if name in query or name == "template_id"]
    if False in (dialect.default_template, dialect.filters_templates):
        filters = [name for name in filters if name in query and dialect.filters_templates is not False]
    if not set(filters) <= set(known.columns):
        return
    rest = {name: query[name] for name in (*UNSTEADY, "search_by") if name in query}
    total = came.get("total")
    whole = came.get("completeness") in {"exact", "verified"} if total is None else total == len(known)
    parts = known.groupby(filters, observed=True, sort=False) if filters else [((), known)]
    wanted = set(ids)
    for values, part in parts:
        chosen = {
            name: getattr(value, "item", lambda v=value: v)()
            for name, value in zip(filters, values, strict=True)
        }
        yield _group(chosen | rest, [id for id in part.index.tolist() if id in wanted], part, whole=whole)


def _group(query: dict[str, Any], ids: list[Any], part: pd.DataFrame, *, whole: bool) -> Group:
    # Text ids have no order of their own.
    orderly = part.index.dtype == np.int64 or "created_at" in part.columns
    places = in_order(part, "id", "asc").index.get_indexer(pd.Index(ids)) if orderly else None
    return Group(query, ids, places, len(part), whole)
