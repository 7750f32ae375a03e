"""Lists from replies: where the records stand, how many there are, and what says that more follow."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from inkframe.errors import UnexpectedReply
from inkframe.wire.records import flatten, shape_of
from inkframe.wire.values import read_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from inkframe.wire.dialect import Dialect
    from inkframe.wire.fields import Kind

__all__ = ["ListReply", "Next", "read_list"]

#: Keys under which services put their records, the usual ones first.
ENVELOPES: Final = ("data", "results", "items", "content", "value", "records", "rows", "entries", "list",
                    "response", "result", "payload", "_embedded", "hits", "nodes", "objects", "docs")  # fmt: skip
#: Keys that hold lists of something else.
NOT_RECORDS: Final = frozenset(
    {"links", "_links", "errors", "meta", "included", "warnings", "sort", "facets"}
)
#: Objects beside or around the records that describe the page.
DESCRIPTIONS: Final = (
    "meta",
    "pagination",
    "page",
    "paging",
    "page_info",
    "pageInfo",
    "info",
    "cursor",
    "links",
)
TOTALS: Final = ("total", "total_count", "totalCount", "totalElements", "total_elements", "total_items",
                 "totalItems", "total_records", "totalRecords", "@odata.count", "count", "items", "total_results",
                 "totalResults", "results")  # fmt: skip
LAST_PAGES: Final = ("last_page", "lastPage", "total_pages", "totalPages", "pages", "page_count", "pageCount",
                     "last")  # fmt: skip
CURRENT_PAGES: Final = ("current_page", "currentPage", "page", "number", "page_number", "pageNumber",
                        "current")  # fmt: skip
SIZES: Final = (
    "per_page",
    "perPage",
    "page_size",
    "pageSize",
    "size",
    "limit",
    "items_per_page",
    "page_limit",
)
OFFSETS: Final = ("offset", "skip", "start")
NEXTS: Final = ("next", "next_page_url", "next_url", "nextLink", "@odata.nextLink", "next_page", "next_cursor",
                "nextPageToken", "next_page_token", "next_token", "nextCursor", "end_cursor", "after")  # fmt: skip
MORE: Final = ("has_more", "hasMore", "has_next", "hasNext", "has_next_page", "hasNextPage", "more")
HEADER_TOTALS: Final = ("x-total-count", "x-total", "total-count", "total", "x-pagination-total-count",
                        "x-wp-total")  # fmt: skip
HEADER_LAST_PAGES: Final = ("total-pages", "x-total-pages", "x-pagination-page-count", "x-wp-totalpages",
                            "page-count")  # fmt: skip
HEADER_PAGES: Final = ("current-page", "x-current-page", "x-page", "x-pagination-current-page", "page")
HEADER_SIZES: Final = ("per-page", "x-per-page", "page-limit", "x-pagination-per-page", "page-items")
LINK: Final = re.compile(r"<([^>]*)>\s*((?:;\s*[\w!#$&+.^`|~*-]+\s*(?:=\s*(?:\"[^\"]*\"|[^\s\",;]+))?\s*)*)")
RELATION: Final = re.compile(r";\s*rel\s*=\s*\"?([^\";]+)", re.IGNORECASE)

#: What a service gives as the way to the next page: an address, a page number, or a token.
Next = str | int


@dataclass(slots=True)
class ListReply:
    """One page of a list as it came.

    Args:
        records: The records as JSON objects.
        total: How many records there are in all, where the service says so.
        last_page: The number of the last page, where it says so.
        current_page: The number of this page, where it says so.
        size: The page size it says it used.
        offset: The offset it says it used.
        next: What leads to the next page.
        last: The address of the last page.
        more: Whether it says that more follow; None where it does not say.
        described: Whether anything beside the records describes the page.
    """

    records: list[dict[str, Any]]
    total: int | None = None
    last_page: int | None = None
    current_page: int | None = None
    size: int | None = None
    offset: int | None = None
    next: Next | None = None
    last: str | None = None
    more: bool | None = None
    described: bool = False


def read_list(value: Any, headers: Mapping[str, str], kind: Kind, dialect: Dialect) -> ListReply:
    """Read one page of a list.

    Raises:
        UnexpectedReply: There are no records in it; says which keys and types came instead.
    """
    path, records = _find(value, kind, dialect)
    if records is None:
        raise UnexpectedReply(
            f"The reply holds no list of {kind.resource}: {shape_of(value)}.\n"
            f"Check the base URL, or pin where it stands: client.{kind.resource}.dialect."
        )
    dialect.learn(records_at=path)
    reply = ListReply([flatten(record) for record in records] if _has_attributes(records) else records)
    _describe_from_headers(reply, headers)
    _describe_from_body(reply, value, path)
    return reply


def _has_attributes(records: list[dict[str, Any]]) -> bool:
    return bool(records) and isinstance(records[0].get("attributes"), dict)


def _find(value: Any, kind: Kind, dialect: Dialect) -> tuple[tuple[str, ...], list[dict[str, Any]] | None]:
    if dialect.records_at is not None:
        found = value
        for key in dialect.records_at:
            found = found.get(key) if isinstance(found, dict) else None
        if (records := _as_records(found)) is not None:
            return dialect.records_at, records
        if found is None and _is_emptied(value, dialect.records_at):
            return dialect.records_at, []
    best: tuple[tuple[str, ...], list[dict[str, Any]]] | None = None
    for path, candidate in _lists(value, kind):
        records = _as_records(candidate)
        # An empty list is only believed where no filled one stands beside it.
        if records is not None and (best is None or (records and not best[1])):
            best = path, records
            if records:
                break
    return best or ((), None)


def _is_emptied(value: Any, path: tuple[str, ...]) -> bool:
    """Whether the place of the records is there and null, as some services write an empty page."""
    for key in path[:-1]:
        value = value.get(key) if isinstance(value, dict) else None
    return bool(path) and isinstance(value, dict) and path[-1] in value


def _lists(value: Any, kind: Kind, path: tuple[str, ...] = ()) -> Iterable[tuple[tuple[str, ...], Any]]:
    if isinstance(value, list):
        yield path, value
    if not isinstance(value, dict):
        return
    usual = [key for key in (kind.resource, kind.noun, *ENVELOPES) if key in value]
    other = [key for key in value if key not in usual and key not in NOT_RECORDS and key not in DESCRIPTIONS]
    keys = usual + (other if path[-1:] == ("_embedded",) or not path else [])
    for key in keys:
        if isinstance(value[key], list) or (key in usual and _is_numbered(value[key])):
            yield (*path, key), value[key]
    if len(path) < 2:
        for key in usual:
            if isinstance(value[key], dict):
                yield from _lists(value[key], kind, (*path, key))


def _is_numbered(value: Any) -> bool:
    """Whether an object is a list that was written with its positions as keys."""
    return isinstance(value, dict) and bool(value) and all(str(key).isdecimal() for key in value)


def _as_records(value: Any) -> list[dict[str, Any]] | None:
    if _is_numbered(value):
        value = list(value.values())
    if isinstance(value, list) and all(isinstance(record, dict) for record in value):
        return value
    return None


def _describe_from_body(reply: ListReply, value: Any, path: tuple[str, ...]) -> None:
    if not isinstance(value, dict):
        return
    around: list[dict[str, Any]] = [value]
    for key in path[:-1]:
        value = value.get(key)
        if isinstance(value, dict):
            around.append(value)
    described = list(around)
    for each in around:
        for name in DESCRIPTIONS:
            inner = each.get(name)
            if isinstance(inner, dict):
                described.append(inner)
                described += [v for k, v in inner.items() if k in DESCRIPTIONS and isinstance(v, dict)]
    links = [
        inner for each in described for k in ("links", "_links") if isinstance(inner := each.get(k), dict)
    ]
    count = len(reply.records)
    for each in described:
        _read_description(reply, each, count)
    for each in links:
        reply.next = reply.next if reply.next is not None else _next(each.get("next"))
        reply.last = reply.last or _address(each.get("last"))
        reply.described = reply.described or "next" in each
        if "next" in each and each["next"] is None and reply.more is None:
            reply.more = False


def _read_description(reply: ListReply, each: dict[str, Any], count: int) -> None:
    for name in TOTALS:
        total = _count(each.get(name))
        # Some services count the page and not the whole under such a name.
        if total is not None and total >= count and (reply.total is None or reply.total < total):
            reply.total = total
    reply.last_page = _first_count(each, LAST_PAGES, reply.last_page)
    reply.current_page = _first_count(each, CURRENT_PAGES, reply.current_page)
    reply.size = _first_count(each, SIZES, reply.size)
    reply.offset = _first_count(each, OFFSETS, reply.offset)
    for name in NEXTS:
        if name in each:
            reply.described = True
            found = _next(each[name])
            if found is not None and reply.next is None:
                reply.next = found
            elif each[name] is None and reply.next is None and reply.more is None:
                reply.more = False
    for name in MORE:
        if isinstance(each.get(name), bool):
            reply.more = each[name]
    if isinstance(each.get("last"), bool):
        reply.more = not each["last"]
    reply.last = reply.last or _address(each.get("last_page_url"))
    told = (reply.total, reply.last_page, reply.current_page, reply.next, reply.more)
    reply.described = reply.described or any(fact is not None for fact in told)


def _describe_from_headers(reply: ListReply, headers: Mapping[str, str]) -> None:
    for names, fact in (
        (HEADER_TOTALS, "total"),
        (HEADER_LAST_PAGES, "last_page"),
        (HEADER_PAGES, "current_page"),
        (HEADER_SIZES, "size"),
    ):
        found = next((n for name in names if (n := _count(headers.get(name))) is not None), None)
        if found is not None:
            setattr(reply, fact, found)
            reply.described = True
    for address, parameters in LINK.findall(headers.get("link", "")):
        relation = RELATION.search(parameters)
        relations = relation[1].lower().split() if relation else []
        if "next" in relations:
            reply.next = address
        if "last" in relations:
            reply.last = address
        reply.described = reply.described or bool(relations)
    if reply.described and headers.get("link") and reply.next is None:
        reply.more = False


def _first_count(each: dict[str, Any], names: tuple[str, ...], known: int | None) -> int | None:
    if known is not None:
        return known
    return next((n for name in names if (n := _count(each.get(name))) is not None), None)


def _count(value: Any) -> int | None:
    """Read a count: a number, its text, or a list that says the same number again and again."""
    if isinstance(value, list) and value and all(v == value[0] for v in value):
        value = value[0]
    if value is None or isinstance(value, bool | list | dict):
        return None
    number = read_number(value)
    return int(number) if number is not None and number.is_integer() and 0 <= number < 2**53 else None


def _next(value: Any) -> Next | None:
    if isinstance(value, dict):
        value = value.get("href") or value.get("url")
    if isinstance(value, bool) or value is None or value == "":
        return None
    return value if isinstance(value, str | int) else None


def _address(value: Any) -> str | None:
    found = _next(value)
    return found if isinstance(found, str) and ("?" in found or "/" in found) else None
