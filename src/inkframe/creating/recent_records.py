"""The newest records of a collection, read once and shared by the searches for several lost creates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inkframe.creating.lost import NEWEST
from inkframe.listing.full_listing import FullListing
from inkframe.listing.queries import whole_queries

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from inkframe.listing.session import SessionCalls
    from inkframe.replies.columns import Page

__all__ = ["RecentRecords"]


class RecentRecords:
    """The newest page of each listing that may have a new record; a listing is read when it is needed.

    Args:
        calls: The collection.
        likely: Values of a filter, such as templates, under which the service listed its last records.
        only_likely: Whether no other listing is read, so that a record may be missed.

    Attributes:
        newest: The newest records without filters.
    """

    def __init__(
        self, calls: SessionCalls, likely: Collection[Any] = (), *, only_likely: bool = False
    ) -> None:
        self._calls = calls
        self._likely = likely
        self.only_likely = only_likely
        self._queries: list[dict[str, Any]] | None = None
        self._pages: list[Page] = []
        self.newest = calls.page(NEWEST)

    def by_filter(self) -> Iterator[Page]:
        """Yield the newest page of each listing, the likely ones first; none if one list has all records."""
        if self._queries is None:
            queries = whole_queries(self._calls, {}, {})
            self._queries = sorted(queries, key=self._is_unlikely) if len(queries) > 1 else []
        for number, query in enumerate(self._queries):
            if self.only_likely and self._is_unlikely(query):
                return
            if number == len(self._pages):
                self._pages.append(FullListing(self._calls, query, newest_first=True).newest())
            yield self._pages[number]

    def _is_unlikely(self, query: dict[str, Any]) -> bool:
        return not any(query.get(name) in self._likely for name in self._calls.spec.filter_defaults)
