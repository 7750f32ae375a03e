"""One page of a list: its records, and the information around them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tests.services.exchange import SeenRequest
    from tests.services.wire_dialect import Links, WireDialect

__all__ = ["ListPage", "write_address"]

#: The host in misleading addresses.
ELSEWHERE: Final = "https://mirror.test"
#: The most page links before Laravel omits some.
LISTED_PAGES: Final = 10


@dataclass(frozen=True)
class ListPage:
    """The values for patterns of a list; each property is one ``$name``.

    Args:
        dialect: The dialect it is written in.
        request: The request it answers.
        rows: The records as shown; None if the service sends null instead of a list.
        start: The number of matching records before the page.
        size: The page size.
        total: The number of matching records.
        everything: The number of all records of the collection.
        collection: The name of the collection in the path.
        next_cursor: The token for the next page.
        first_id: The id of the first record on the page, as shown.
        last_id: The id of the last record on the page, as shown.
    """

    dialect: WireDialect
    request: SeenRequest
    rows: Sequence[Any] | None
    start: int
    size: int
    total: int
    everything: int
    collection: str
    next_cursor: str | None = None
    first_id: Any = None
    last_id: Any = None

    def look_up(self, name: str) -> Any:
        """Return the value of a name, with numbers in the format of the dialect."""
        value = getattr(self, name)
        if isinstance(value, int) and not isinstance(value, bool):
            if self.dialect.numbers == "text":
                return str(value)
            if self.dialect.numbers == "twice":
                return [value, value]
        return value

    @property
    def count(self) -> int:
        """The number of records on this page."""
        return len(self.rows or ())

    @property
    def shown_total(self) -> int:
        """The number of matching records, 0 on an empty page."""
        return self.total if self.rows else 0

    @property
    def running_total(self) -> int:
        """The number of records up to the end of this page."""
        return self.start + self.count

    @property
    def next_total(self) -> int:
        """The number of records up to the end of this page, and one more if another follows."""
        return self.start + self.count + self.has_more

    @property
    def reachable_total(self) -> int:
        """The number of matching records that pages can reach."""
        deepest = self.dialect.paging.deepest
        return self.total if deepest is None else min(self.total, deepest)

    @property
    def has_more(self) -> bool:
        """Whether a page follows."""
        return self.start + self.size < self.total

    @property
    def is_first(self) -> bool:
        """Whether no page precedes it."""
        return self.start == 0

    @property
    def is_last(self) -> bool:
        """Whether no page follows."""
        return not self.has_more

    @property
    def is_empty(self) -> bool:
        """Whether it has no records."""
        return not self.rows

    @property
    def pages(self) -> int:
        """The number of pages, 0 for an empty list."""
        return -(-self.total // self.size)

    @property
    def number(self) -> int:
        """The number of this page."""
        return self.dialect.paging.first + self.start // self.size

    @property
    def first_number(self) -> int:
        """The number of the first page."""
        return self.dialect.paging.first

    @property
    def last_number(self) -> int:
        """The number of the last page; an empty list has one page."""
        return self.dialect.paging.first + max(self.pages, 1) - 1

    @property
    def next_number(self) -> int | None:
        """The number of the next page."""
        return self.number + 1 if self.has_more else None

    @property
    def next_start(self) -> int | None:
        """The position of the first record of the next page."""
        return self.start + self.size if self.has_more else None

    @property
    def previous_number(self) -> int | None:
        """The number of the previous page."""
        return None if self.is_first else self.number - 1

    @property
    def first_row(self) -> int | None:
        """The position of its first record, counted from 1."""
        return self.start + 1 if self.rows else None

    @property
    def last_row(self) -> int | None:
        """The position of its last record, counted from 1."""
        return self.start + self.count if self.rows else None

    @property
    def first_url(self) -> str:
        """The address of the first page."""
        return self._url(0)

    @property
    def last_url(self) -> str:
        """The address of the last page."""
        return self._url(max(self.pages - 1, 0) * self.size)

    @property
    def next_url(self) -> str | None:
        """The address of the next page."""
        return self._url(self.start + self.size) if self.has_more else None

    @property
    def previous_url(self) -> str | None:
        """The address of the previous page, if pages are numbered."""
        countable = self.dialect.paging.by in {"number", "offset"}
        return self._url(max(self.start - self.size, 0)) if countable and not self.is_first else None

    @property
    def self_url(self) -> str:
        """The address of this page."""
        return self._write(dict(self.request.pairs))

    @property
    def path_url(self) -> str:
        """The address of the list without a query."""
        return self._write({})

    @property
    def next_link(self) -> dict[str, Any] | None:
        """The address of the next page, as an object."""
        return _link(self.next_url, templated=bool(self.dialect.links.suffix))

    @property
    def self_link(self) -> dict[str, Any] | None:
        """The address of this page, as an object."""
        return _link(self.self_url)

    @property
    def last_link(self) -> dict[str, Any] | None:
        """The address of the last page, as an object."""
        return _link(self.last_url, templated=bool(self.dialect.links.suffix))

    @property
    def open_range(self) -> str:
        """The positions of the records in a Content-Range header without a total."""
        return f"{self.start}-{self.start + self.count - 1}/*" if self.rows else "*/*"

    @property
    def described(self) -> str:
        """The description of the page as JSON for a header."""
        names = {"CurrentPage": "number", "TotalPages": "pages", "PageSize": "size", "TotalCount": "total"}
        return json.dumps({name: getattr(self, value) for name, value in names.items()})

    @property
    def counted(self) -> int | None:
        """The total if the request has ``$count=true``."""
        return self.total if self.request.query.get("$count") == "true" else None

    @property
    def next_token(self) -> str | None:
        """The token of the next page, if one follows."""
        return self.next_cursor if self.has_more else None

    @property
    def cursor_asked(self) -> str | None:
        """The token of this page in the request."""
        return self.request.query.get(self.dialect.paging.parameter)

    @property
    def path(self) -> str:
        """The path of the list."""
        return self.request.path

    @property
    def metadata_url(self) -> str:
        """The address of the list's metadata in OData."""
        return f"{self.request.origin}/api/v1/$metadata#{self.collection}"

    @property
    def page_links(self) -> list[dict[str, Any]]:
        """The links of Laravel's pagination buttons."""
        numbers: list[int | None] = list(range(1, self.pages + 1))
        if self.pages > LISTED_PAGES:
            numbers = [*numbers[: LISTED_PAGES - 2], None, *numbers[-2:]]
        middle = [
            {
                "url": self._url((number - 1) * self.size) if number else None,
                "label": str(number) if number else "...",
                "page": number,
                "active": number == self.number,
            }
            for number in numbers
        ]
        before = {"url": self.previous_url, "label": "&laquo; Previous", "page": None, "active": False}
        after = {"url": self.next_url, "label": "Next &raquo;", "page": None, "active": False}
        return [before, *middle, after]

    @property
    def link_header(self) -> str | None:
        """The Link header of RFC 8288; empty for a list with one page."""
        places = {
            "first": self.first_url,
            "prev": self.previous_url,
            "next": self.next_url,
            "last": self.last_url,
        }
        if self.pages <= 1:
            return None
        return ", ".join(f'<{url}>; rel="{place}"' for place, url in places.items() if url)

    def _url(self, start: int) -> str:
        paging = self.dialect.paging
        where: dict[str, Any] = {}
        if paging.by == "number":
            where = {paging.parameter: paging.first + start // self.size}
        elif paging.by == "offset":
            where = {paging.size: self.size, paging.parameter: start}
        elif start:
            where = {paging.parameter: self.next_cursor if paging.by == "cursor" else self.last_id}
        kept = dict(self.request.pairs) if self.dialect.links.keep_query else {}
        kept.pop(paging.parameter, None)
        return self._write({**kept, **where})

    def _write(self, query: Mapping[str, Any]) -> str:
        text = urlencode(query)
        address = write_address(self.dialect.links, self.request, self.request.path, text)
        return address + self.dialect.links.suffix


def write_address(links: Links, request: SeenRequest, path: str, query: str = "") -> str:
    """Return an address of the service in the format of the dialect."""
    tail = f"?{query}" if query else ""
    match links.form:
        case "path":
            return path + tail
        case "query":
            return tail or path
        case "insecure":
            return "http://" + request.origin.partition("://")[2] + path + tail
        case "elsewhere":
            return ELSEWHERE + path + tail
        case _:
            return request.origin + path + tail


def _link(url: str | None, *, templated: bool = False) -> dict[str, Any] | None:
    if url is None:
        return None
    return {"href": url, "templated": True} if templated else {"href": url}
