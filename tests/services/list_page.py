"""One page of a list: its records, and the information around them."""

import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

#: The host in misleading addresses.
ELSEWHERE = "https://mirror.test"
#: The most page links before Laravel omits some.
LISTED_PAGES = 10
#: The names in a description of the page as JSON for a header.
DESCRIBED = {"CurrentPage": "number", "TotalPages": "pages", "PageSize": "size", "TotalCount": "total"}


@dataclass(frozen=True)
class ListPage:
    """The values for patterns of a list.

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

    dialect: Any
    request: Any
    rows: list | None
    start: int
    size: int
    total: int
    everything: int
    collection: str
    next_cursor: str | None = None
    first_id: Any = None
    last_id: Any = None

    def look_up(self, name):
        """Return the value of a name, with numbers in the format of the dialect."""
        value = self[name]
        if isinstance(value, int) and not isinstance(value, bool):
            if self.dialect.numbers == "text":
                return str(value)
            if self.dialect.numbers == "twice":
                return [value, value]
        return value

    def __getitem__(self, name):
        return WORDS[name](self) if name in WORDS else getattr(self, name)

    def url(self, start):
        """Return the address of the page that starts at a position."""
        paging = self.dialect.paging
        where = {}
        if paging.by == "number":
            where = {paging.parameter: paging.first + start // self.size}
        elif paging.by == "offset":
            where = {paging.size: self.size, paging.parameter: start}
        elif start:
            where = {paging.parameter: self.next_cursor if paging.by == "cursor" else self.last_id}
        kept = dict(self.request.pairs) if self.dialect.links.keep_query else {}
        kept.pop(paging.parameter, None)
        return self.write({**kept, **where})

    def write(self, query):
        """Return the address of the list with a query."""
        links, request = self.dialect.links, self.request
        return write_address(links, request, request.path, urlencode(query)) + links.suffix

    def link(self, name):
        """Return an address as an object."""
        templated = {"templated": True} if self.dialect.links.suffix and name != "self_url" else {}
        return {"href": self[name], **templated} if self[name] else None


def _previous_url(page):
    """Return the address of the previous page, if pages are numbered."""
    countable = page.dialect.paging.by in {"number", "offset"}
    return page.url(max(page.start - page.size, 0)) if countable and page.start else None


def _page_links(page):
    """Return the links of Laravel's pagination buttons."""
    numbers = list(range(1, page["pages"] + 1))
    if page["pages"] > LISTED_PAGES:
        numbers = [*numbers[: LISTED_PAGES - 2], None, *numbers[-2:]]
    middle = [
        {
            "url": page.url((number - 1) * page.size) if number else None,
            "label": str(number) if number else "...",
            "page": number,
            "active": number == page["number"],
        }
        for number in numbers
    ]
    before = {"url": page["previous_url"], "label": "&laquo; Previous", "page": None, "active": False}
    after = {"url": page["next_url"], "label": "Next &raquo;", "page": None, "active": False}
    return [before, *middle, after]


def _link_header(page):
    """Return the Link header of RFC 8288; None for a list with one page."""
    if page["pages"] <= 1:
        return None
    places = {place: page[f"{name}_url"] for place, name in RELATIONS.items()}
    return ", ".join(f'<{url}>; rel="{place}"' for place, url in places.items() if url)


#: The pages in a Link header, by relation.
RELATIONS = {"first": "first", "prev": "previous", "next": "next", "last": "last"}
#: The function of a page for each ``$name`` that is no attribute of it.
WORDS = {
    "count": lambda page: len(page.rows or ()),
    # 0 on an empty page.
    "shown_total": lambda page: page.total if page.rows else 0,
    # The number of records up to the end of this page, and one more if another follows.
    "running_total": lambda page: page.start + page["count"],
    "next_total": lambda page: page.start + page["count"] + page["has_more"],
    # The number of matching records that pages can reach.
    "reachable_total": lambda page: min(page.total, page.dialect.paging.deepest or page.total),
    "has_more": lambda page: page.start + page.size < page.total,
    "is_first": lambda page: page.start == 0,
    "is_last": lambda page: not page["has_more"],
    "is_empty": lambda page: not page.rows,
    # 0 for an empty list, whose last page is the first.
    "pages": lambda page: -(-page.total // page.size),
    "number": lambda page: page.dialect.paging.first + page.start // page.size,
    "first_number": lambda page: page.dialect.paging.first,
    "last_number": lambda page: page.dialect.paging.first + max(page["pages"], 1) - 1,
    "next_number": lambda page: page["number"] + 1 if page["has_more"] else None,
    "next_start": lambda page: page.start + page.size if page["has_more"] else None,
    "previous_number": lambda page: page["number"] - 1 if page.start else None,
    # Counted from 1.
    "first_row": lambda page: page.start + 1 if page.rows else None,
    "last_row": lambda page: page.start + page["count"] if page.rows else None,
    "first_url": lambda page: page.url(0),
    "last_url": lambda page: page.url(max(page["pages"] - 1, 0) * page.size),
    "next_url": lambda page: page.url(page.start + page.size) if page["has_more"] else None,
    "previous_url": _previous_url,
    "self_url": lambda page: page.write(dict(page.request.pairs)),
    "path_url": lambda page: page.write({}),
    "next_link": lambda page: page.link("next_url"),
    "self_link": lambda page: page.link("self_url"),
    "last_link": lambda page: page.link("last_url"),
    # A Content-Range header without a total.
    "open_range": lambda page: f"{page.start}-{page.start + page['count'] - 1}/*" if page.rows else "*/*",
    "described": lambda page: json.dumps({name: page[value] for name, value in DESCRIBED.items()}),
    # OData counts on request.
    "counted": lambda page: page.total if page.request.query.get("$count") == "true" else None,
    "next_token": lambda page: page.next_cursor if page["has_more"] else None,
    "cursor_asked": lambda page: page.request.query.get(page.dialect.paging.parameter),
    "path": lambda page: page.request.path,
    "metadata_url": lambda page: f"{page.request.origin}/api/v1/$metadata#{page.collection}",
    "page_links": _page_links,
    "link_header": _link_header,
}


def write_address(links, request, path, query=""):
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
