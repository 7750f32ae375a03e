"""Records looked at again: one by one, or by the pages they stand on where that is fewer requests.

In a listing by id a record's place is known from a frame that holds all of it: then only the pages that are
needed are asked for. What has moved since is asked for by its id.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from inkframe.concurrency.limiter import Limiter
from inkframe.concurrency.worker_pool import WorkerPool
from inkframe.errors import NotFound
from inkframe.frames import ATTRIBUTE, in_order, origin
from inkframe.replies.paging_style import following, page_parameters
from inkframe.replies.record_reply import Columns
from inkframe.workflows.full_listing import PAGE_SECONDS, PAGE_SIZE, PAGE_TRIES, UNSTEADY

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence

    from inkframe.calls.pages import Page
    from inkframe.calls.port import Record, Resource
    from inkframe.resources.collection import Collection

__all__ = ["reread"]

#: What a list gives when the size is not asked for, by the interface.
USUAL_SIZE: Final = 10
#: Ways of paging in which any page can be asked for by its position.
JUMPING: Final = frozenset({"number", "offset"})


def reread(
    collection: Collection[Any], ids: Sequence[Any], known: pd.DataFrame, needed: Iterable[str]
) -> pd.DataFrame:
    """Give records as they are now, as a frame by id; those that are gone are not in it.

    Args:
        collection: Where they are.
        ids: Their ids, as the known frame writes them.
        known: A frame that holds them, by id: it tells on which pages they stand.
        needed: The columns that must be seen; a list that leaves one out is of no use.
    """
    reading = Reading(collection, ids, needed)
    if len(ids) > 1 and not reading.repeat(known):
        for group in _groups(collection, ids, known):
            reading.by_pages(group)
    reading.by_id()
    frame = collection._frame(reading.parts)  # noqa: SLF001  # the same room
    frame.attrs[ATTRIBUTE] = {"absent": sorted(reading.absent)}
    return frame


@dataclass(slots=True)
class Group:
    """Records that one listing shows.

    Args:
        query: The listing's parameters.
        ids: The records.
        places: The place of each in the listing, if a known frame has all of it; None if it has not.
        size: How many records that frame has of the listing.
        whole: Whether it is known to have all of it.
    """

    query: dict[str, Any]
    ids: list[Any]
    places: np.ndarray | None
    size: int
    whole: bool

    def pages(self, page_size: int, total: int | None = None) -> list[int]:
        """Give the positions of the pages on which the records stand, or may stand."""
        if self.places is not None and (self.whole or total == self.size):
            return [int(page) for page in np.unique(self.places // page_size)]
        return list(range(-(-(total or self.size) // page_size)))


class Reading:
    """One look at records, as they come in.

    Args:
        collection: Where they are.
        ids: What is looked for.
        needed: The columns that must be seen.

    Attributes:
        parts: What was found.
        absent: The columns that were not shown.
    """

    def __init__(self, collection: Collection[Any], ids: Sequence[Any], needed: Iterable[str]) -> None:
        self.parts: list[Columns] = []
        self.absent: set[str] = set()
        self._collection = collection
        self._resource = collection._resource  # noqa: SLF001  # the same room
        self._width = collection._width  # noqa: SLF001  # the same room
        self._left = dict.fromkeys(ids)
        self._needed = set(needed)
        self._lists_suffice = True
        self._are_texts = any(isinstance(id, str) for id in ids)

    def repeat(self, known: pd.DataFrame) -> bool:
        """Ask once more for the page that a frame was; False where it was no page, or not by its number."""
        came = origin(known)
        query = dict(came.get("query") or {})
        number = query.pop("page", 1)
        if came.get("completeness") != "page" or len(known) > query.get("per_page", USUAL_SIZE):
            return False
        self._take(self._resource.nth_page(query, number).columns, query)
        return True

    def by_pages(self, group: Group) -> None:
        """Look at the pages of a listing as long as they are fewer than the records."""
        needed = group.pages(PAGE_SIZE)
        if len(needed) >= len(group.ids) or not self._lists_suffice:
            return
        query = {**group.query, "sort_by": "id", "sort": "asc", "per_page": PAGE_SIZE}
        look = Look(self._resource, query)
        begun = needed[0] if look.jumps else 0
        first = look.page(begun, PAGE_SIZE)
        if first is None or not self._take(first.columns, query):
            return
        pages, size = _others(group, first, begun)
        if not look.jumps:
            pages = list(range(1, max(pages, default=0) + 1))
        if len(pages) >= sum(id in self._left for id in group.ids):
            return
        with closing(look.pages(first, pages, size, self._width)) as found:
            for columns in found:
                self._take(columns, query)
                if not any(id in self._left for id in group.ids):
                    break

    def _take(self, columns: Columns, query: Mapping[str, Any]) -> bool:
        """Keep the records that are looked for; False where the list does not show enough of them."""
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
            part = self._collection._completed(part, query)  # noqa: SLF001  # the same room
            self.parts.append(part)
            self.absent.update(part.absent)
        return True

    def by_id(self) -> None:
        """Ask for each record that no page has shown."""

        def show(id: Any) -> Record | None:
            try:
                return self._resource.get(id, tries=PAGE_TRIES, seconds=PAGE_SECONDS)
            except NotFound:
                return None

        ids = list(self._left)
        with closing(WorkerPool(show, Limiter(self._width)).run(ids)) as shown:
            records = {id: record for id, record in zip(ids, shown, strict=True) if record is not None}
        if records:
            names = next(iter(records.values())).known
            known = {name: [record.known[name] for record in records.values()] for name in names}
            self.parts.append(Columns(list(records), known, {}))
            self.absent.update(name for name, values in known.items() if all(v is None for v in values))


class Look:
    """Pages of one listing, by their position where the service allows it, else one after the other.

    Args:
        resource: The collection.
        query: The list parameters.
    """

    def __init__(self, resource: Resource, query: dict[str, Any]) -> None:
        self._resource = resource
        self._query = query
        self._limits: dict[str, Any] = {"tries": PAGE_TRIES, "seconds": PAGE_SECONDS}

    @property
    def jumps(self) -> bool:
        """Whether any page can be asked for by its position, as far as is known."""
        return self._resource.dialect.paging in JUMPING

    def page(self, index: int, size: int) -> Page | None:
        """Ask for a page by its position; None past the end."""
        extra = page_parameters(self._resource.dialect, index, size) if index else None
        try:
            return self._resource.page(self._query, extra, **self._limits)
        except NotFound:
            return None

    def pages(self, first: Page, wanted: list[int], size: int, width: int) -> Generator[Columns]:
        """Give further pages than the first by their positions."""
        page = first if self.jumps else self._resource.second_page(self._query, first, **self._limits)
        if not self.jumps:
            yield from self._chained(page, len(wanted))
            return
        if page is not None and page is not first:
            # How this service is asked for pages was learned just now.
            yield page.columns
            wanted = [index for index in wanted if index > 1]
        pool = WorkerPool(partial(self.page, size=size), Limiter(width))
        for found in pool.run(wanted):
            if found is not None:
                yield found.columns

    def _chained(self, page: Page | None, count: int) -> Iterator[Columns]:
        dialect = self._resource.dialect
        for _ in range(count):
            if page is None:
                return
            yield page.columns
            extra = following(page.reply, page.asked, dialect)
            page = self._resource.page(self._query, extra, **self._limits) if extra else None


def _others(group: Group, first: Page, begun: int) -> tuple[list[int], int]:
    """Give the pages that are still to be read after a first one, and how many records a page has."""
    count = len(first.columns.ids)
    total = first.reply.total
    is_last = begun * PAGE_SIZE + count >= (group.size if total is None else total)
    # Some services give no more than 25 or 50 at a time.
    size = PAGE_SIZE if is_last or not count else count
    pages = group.pages(size, total)
    return [page for page in pages if page != begun or (begun and size != PAGE_SIZE)], size


def _groups(collection: Collection[Any], ids: Sequence[Any], known: pd.DataFrame) -> Iterator[Group]:
    """Give the listings that show records, each with its records; what stands in none is left out."""
    came = origin(known)
    query: dict[str, Any] = came.get("query") or {}
    kind, dialect = collection._kind, collection.dialect  # noqa: SLF001  # the same room
    filters = [name for name in kind.filters if name in query or name == "template_id"]
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
