"""Pages of a collection, for any way of paging."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from inkframe.schema import RESOURCES
from inkframe.widgets.call_source import Expression, write_call

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd

__all__ = ["Found", "PageSource", "cut_page"]


@dataclass(frozen=True, slots=True)
class Found:
    """One page of a listing.

    Args:
        frame: Its records.
        total: How many there are in all, where that is known.
        page: Its number, from 1.
        pages: How many pages there are, where that is known.
    """

    frame: pd.DataFrame
    total: int | None
    page: int
    pages: int | None

    @property
    def is_last(self) -> bool:
        """Whether no page follows, if known."""
        return self.page >= self.pages if self.pages is not None else self.frame.empty


def cut_page(count: int, per_page: int | None, page: int) -> tuple[slice, int, int]:
    """Return which rows a page has, its number, and the number of pages; for a number past the end, the last page.

    Args:
        count: The number of rows.
        per_page: Rows on a page; None for all of them.
        page: The page's number, from 1.
    """
    size = per_page or max(1, count)
    pages = max(1, -(-count // size))
    page = min(page, pages)
    return slice(size * (page - 1), size * page), page, pages


class PageSource:
    """A collection page by page.

    Most listings are asked for a page at a time. Documents of every template are not, since a service gives
    those of one template a time: they are fetched whole, once, and paged here.

    Args:
        collection: ``client.images`` or ``client.documents``.
    """

    def __init__(self, collection: Any) -> None:
        self._collection = collection
        #: The filters without which a service lists only one part of the collection.
        self._parts = {
            field.name
            for field in RESOURCES[collection.resource].fields
            if field.filter_default is not None or field.label_of
        }
        self._whole: tuple[str, pd.DataFrame] | None = None

    def find(self, query: Mapping[str, Any], per_page: int | None, page: int) -> Found:
        """Return a page; for a number past the end, the last one.

        Args:
            query: What ``list`` takes, without the page.
            per_page: Records on a page; None for all of them.
            page: The page's number, from 1.
        """
        if per_page is None or self._is_walked(query):
            return self._part(query, per_page, page)
        frame = self._collection.list(**query, per_page=per_page, page=page)
        total = frame.attrs["inkframe"]["total"]
        if total is None:
            return Found(frame, None, page, None)
        _, last, pages = cut_page(total, per_page, page)
        return Found(frame, total, page, pages) if page == last else self.find(query, per_page, last)

    def code(self, name: str, query: Mapping[str, Any], per_page: int | None, page: int) -> Expression:
        """Return the call that returns the same page.

        Args:
            name: What the collection is called, such as ``client.images``.
            query: What ``list`` takes, without the page.
            per_page: Records on a page; None for all of them.
            page: The page's number, from 1.
        """
        call = write_call(f"{name}.all", query)
        if per_page is None:
            return call
        if self._is_walked(query):
            return Expression(f"{call}.iloc[{per_page * (page - 1)}:{per_page * page}]")
        return write_call(f"{name}.list", {**query, "per_page": per_page, "page": page if page > 1 else None})

    def forget(self) -> None:
        """Forget the listing, since records were changed."""
        self._whole = None

    def _is_walked(self, query: Mapping[str, Any]) -> bool:
        is_part = bool(self._parts) and self._parts.isdisjoint(query)
        return is_part and self._collection.dialect.default_template is not False

    def _part(self, query: Mapping[str, Any], per_page: int | None, page: int) -> Found:
        """Return a page of the whole listing, which is fetched once."""
        key = repr(sorted(query.items()))
        if self._whole is None or self._whole[0] != key:
            self._whole = key, self._collection.all(**query, progress=False)
        frame = self._whole[1]
        part, page, pages = cut_page(len(frame), per_page, page)
        return Found(frame.iloc[part], len(frame), page, pages)
