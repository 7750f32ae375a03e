"""Lists from replies: the location of the records, their total, and the link to further pages."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, Final

import orjson

from inkframe.errors import UnexpectedReply
from inkframe.replies.envelopes import unwrap_each
from inkframe.replies.field_names import fold
from inkframe.replies.record_reply import shape_of
from inkframe.replies.values import read_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from inkframe.replies.dialect import Dialect
    from inkframe.schema import ResourceSpec

__all__ = ["ListReply", "Next", "read_list"]

# Names are folded: case, "_", "-" and prefixes such as "hydra:" are ignored.
#: Keys of the records in replies, the most common first.
ENVELOPES: Final = ("data", "results", "items", "content", "value", "records", "rows", "entries", "list", "response",
                    "result", "payload", "embedded", "hits", "nodes", "objects", "docs", "elements", "member",
                    "members", "collection", "d")  # fmt: skip
#: Objects beside or around the records that describe the page.
DESCRIPTIONS: Final = frozenset(
    {"meta", "metadata", "pagination", "paginator", "page", "pageable", "paging", "pageinfo", "info", "resultinfo",
     "listinfo", "responsemetadata", "cursor", "cursors", "links", "view"}
)  # fmt: skip
#: Keys of lists that do not contain records.
NOT_RECORDS: Final = DESCRIPTIONS | {"errors", "included", "warnings", "messages", "sort", "facets"}
TOTALS: Final = frozenset(
    {"total", "totalcount", "totalelements", "totalitems", "totalrecords", "totalresults", "totalrows", "totaldocs",
     "totaldocuments", "totalimages", "totalentries", "totalobjects", "totalhits", "totalsize", "grandtotal",
     "@odatacount", "count", "recordcount", "resultcount", "rowcount", "itemcount", "numfound", "nbhits", "items",
     "results"}
)  # fmt: skip
LAST_PAGES: Final = (
    "lastpage",
    "totalpages",
    "pages",
    "pagecount",
    "numpages",
    "pagestotal",
    "maxpage",
    "last",
)
CURRENT_PAGES: Final = ("currentpage", "page", "number", "pagenumber", "current")
SIZES: Final = (
    "perpage",
    "pagesize",
    "size",
    "limit",
    "itemsperpage",
    "resultsperpage",
    "pagelimit",
    "maxresults",
)
OFFSETS: Final = ("offset", "skip", "start", "startindex")
NEXTS: Final = ("next", "nextpageurl", "nexturl", "nextlink", "@odatanextlink", "nextpage", "nextcursor",
                "nextpagetoken", "nexttoken", "endcursor", "after")  # fmt: skip
MORE: Final = ("hasmore", "hasnext", "hasnextpage", "more")
#: Names whose values are always tokens.
TOKEN_NAME: Final = re.compile(r"cursor|token|^after$")
HEADER_TOTALS: Final = ("x-total-count", "x-total", "total-count", "total", "x-pagination-total-count",
                        "x-wp-total")  # fmt: skip
HEADER_LAST_PAGES: Final = ("total-pages", "x-total-pages", "x-pagination-page-count", "x-wp-totalpages",
                            "page-count")  # fmt: skip
HEADER_PAGES: Final = ("current-page", "x-current-page", "x-page", "x-pagination-current-page", "page")
HEADER_SIZES: Final = ("per-page", "x-per-page", "page-limit", "x-pagination-per-page", "page-items")
#: Headers that describe the page as JSON.
HEADER_DESCRIPTIONS: Final = ("x-pagination", "pagination", "x-paging-headers")
#: A range of records in a Content-Range header, ``0-99/500``; ``*`` means unknown.
RANGE: Final = re.compile(r"(?:[\w-]+\s+)?(?:(\d{1,15})-\d{1,15}|\*)/(\d{1,15}|\*)\s*")
LINK: Final = re.compile(r"<([^>]*)>\s*((?:;\s*[\w!#$&+.^`|~*-]+\s*(?:=\s*(?:\"[^\"]*\"|[^\s\",;]+))?\s*)*)")
RELATION: Final = re.compile(r";\s*rel\s*=\s*\"?([^\";]+)", re.IGNORECASE)

#: The link to the next page: an address, a page number, or a token.
Next = str | int


@dataclass(slots=True)
class ListReply:
    """One page of a list as received.

    Args:
        records: The records as JSON objects.
        total: The total number of records, if reported.
        last_page: The number of the last page, if reported.
        current_page: The number of this page, if reported.
        size: The page size that the service used, if reported.
        offset: The offset that the service used, if reported.
        next: The link to the next page.
        token: The folded name of ``next`` if it is a token, even one that looks like a number.
        last: The address of the last page.
        more: Whether more pages follow; None if not reported.
        described: Whether the reply describes the page in any way.
    """

    records: list[dict[str, Any]]
    total: int | None = None
    last_page: int | None = None
    current_page: int | None = None
    size: int | None = None
    offset: int | None = None
    next: Next | None = None
    token: str | None = None
    last: str | None = None
    more: bool | None = None
    described: bool = False


def read_list(value: Any, headers: Mapping[str, str], spec: ResourceSpec, dialect: Dialect) -> ListReply:
    """Parse one page of a list.

    Raises:
        UnexpectedReply: It contains no records; the message has its keys and types.
    """
    path, records = _find(value, spec, dialect)
    if records is None and (empty := _read_empty(value, headers, spec)) is not None:
        return empty
    if records is None:
        raise UnexpectedReply(
            f"The reply must contain a list of {spec.name}, got {shape_of(value)}.\n"
            f"Check base_url, or pin the keys of the list with client.{spec.name}.dialect."
        )
    if records:
        dialect.learn(records_at=path)
    reply = ListReply(unwrap_each(records, spec))
    _describe_from_headers(reply, headers)
    _describe_from_body(reply, [value, *_along(value, path[:-1])])
    return reply


def _find(
    value: Any, spec: ResourceSpec, dialect: Dialect
) -> tuple[tuple[str, ...], list[dict[str, Any]] | None]:
    if (path := dialect.records_at) is not None:
        *_, holder, found = None, value, *_along(value, path)
        if (records := _as_records(found)) is not None:
            return path, records
        # Some services write an empty page as null, or as an object without keys.
        if isinstance(holder, dict) and path and path[-1] in holder and (found is None or found == {}):
            return path, []
    best: tuple[tuple[str, ...], list[dict[str, Any]]] | None = None
    for path, candidate in _lists(value, spec):
        records = _as_records(candidate)
        # An empty list counts only if there is no other list with records.
        if records is not None and (best is None or (records and not best[1])):
            best = path, records
            if records:
                break
    return best or ((), None)


def _along(value: Any, path: Sequence[str]) -> list[Any]:
    """Return the value at each step of a path, None after its end."""
    steps: list[Any] = []
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
        steps.append(value)
    return steps


def _lists(
    value: Any, spec: ResourceSpec, path: tuple[str, ...] = ()
) -> Iterable[tuple[tuple[str, ...], Any]]:
    if isinstance(value, list):
        yield path, value
    if not isinstance(value, dict):
        return
    usual = _usual(value, spec)
    other = [key for key in value if key not in usual and _name(key) not in NOT_RECORDS]
    is_named = any(_name(key) == spec.name for key in usual)
    keys = usual + (other if not is_named and (not path or _name(path[-1]) == "embedded") else [])
    for key in keys:
        if isinstance(value[key], list) or (key in usual and _is_numbered(value[key])):
            yield (*path, key), value[key]
    if len(path) < 2:
        for key in usual:
            if isinstance(value[key], dict):
                yield from _lists(value[key], spec, (*path, key))


def _usual(value: Mapping[str, Any], spec: ResourceSpec) -> list[str]:
    """Return the keys of a reply that may contain the records, the most likely first."""
    order = (spec.name, spec.noun, *ENVELOPES)
    return sorted((key for key in value if _name(key) in order), key=lambda key: order.index(_name(key)))


def _is_numbered(value: Any) -> bool:
    """Return whether an object is a list with its positions as keys."""
    return isinstance(value, dict) and bool(value) and all(str(key).isdecimal() for key in value)


def _as_records(value: Any) -> list[dict[str, Any]] | None:
    if _is_numbered(value):
        value = list(value.values())
    if isinstance(value, list) and all(isinstance(record, dict) for record in value):
        return value
    return None


def _read_empty(value: Any, headers: Mapping[str, str], spec: ResourceSpec) -> ListReply | None:
    """Parse a page whose list is null or missing; return None if it is not known to be empty."""
    if not isinstance(value, dict):
        return None
    reply = ListReply([])
    _describe_from_headers(reply, headers)
    _describe_from_body(reply, [value, *(value[key] for key in _usual(value, spec))])
    is_null = any(inner is None and _name(key) == spec.name for key, inner in value.items())
    is_behind = None not in {reply.current_page, reply.last_page} and (
        (reply.current_page or 0) >= (reply.last_page or 0)
    )
    return reply if reply.total == 0 or is_behind or (is_null and reply.total is None) else None


def _name(key: str) -> str:
    return fold(key.rpartition(":")[2])


def _folded(value: Mapping[str, Any]) -> dict[str, Any]:
    return {_name(key): inner for key, inner in value.items()}


def _describe_from_body(reply: ListReply, around: Iterable[Any]) -> None:
    """Read the description of the page from the objects around the records."""
    described = [_folded(each) for each in around if isinstance(each, dict)]
    inner = [found for each in described for found in _descriptions(each)]
    described += inner + [found for each in inner for found in _descriptions(each)]
    for each in described:
        _read_description(reply, each)
    for name, each in product(("cursor", "offset"), described):
        # A cursor alone leads to the next page; beside a link to the next page it belongs to this page.
        found = _next(each.get(name))
        is_number = name == "offset" and _count(found) is not None
        if reply.next is None and reply.more is not False and found is not None and not is_number:
            reply.next, reply.token, reply.described = str(found), name, True
    if reply.more is False and reply.token:
        reply.next = None  # the token of the last record


def _descriptions(each: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [
        _folded(inner) for name, inner in each.items() if name in DESCRIPTIONS and isinstance(inner, dict)
    ]


def _read_description(reply: ListReply, each: Mapping[str, Any]) -> None:
    for name in each.keys() & TOTALS:
        total = _count(each[name])
        # Some services report the size of the page under such a name.
        if total is not None and total >= len(reply.records) and (reply.total is None or reply.total < total):
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
                reply.token = name if TOKEN_NAME.search(name) else None
                reply.next = str(found) if reply.token else found
            elif each[name] is None and reply.next is None and reply.more is None:
                reply.more = False
    for name in MORE:
        if isinstance(each.get(name), bool):
            reply.more = each[name]
    if isinstance(each.get("last"), bool):
        reply.more = not each["last"]
    reply.last = reply.last or _address(each.get("lastpageurl")) or _address(each.get("last"))
    facts = (reply.total, reply.last_page, reply.current_page, reply.next, reply.more)
    reply.described = reply.described or any(fact is not None for fact in facts)


def _describe_from_headers(reply: ListReply, headers: Mapping[str, str]) -> None:
    for names, fact in (
        (HEADER_TOTALS, "total"),
        (HEADER_LAST_PAGES, "last_page"),
        (HEADER_PAGES, "current_page"),
        (HEADER_SIZES, "size"),
    ):
        found = _first_count(headers, names, None)
        if found is not None:
            setattr(reply, fact, found)
            reply.described = True
    for name in HEADER_DESCRIPTIONS:
        if name in headers and (description := _json_object(headers[name])) is not None:
            _read_description(reply, _folded(description))
    if spread := RANGE.fullmatch(headers.get("content-range", "")):
        start, total = (_count(text) for text in spread.groups())
        reply.offset = start
        reply.total = total if reply.total is None else reply.total
        reply.described = reply.described or total is not None
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


def _json_object(text: str) -> dict[str, Any] | None:
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    return value if isinstance(value, dict) else None


def _first_count(each: Mapping[str, Any], names: tuple[str, ...], known: int | None) -> int | None:
    if known is not None:
        return known
    found = (_count(each[name]) for name in names if name in each)
    return next((count for count in found if count is not None), None)


def _count(value: Any) -> int | None:
    """Parse a count: a number, its text, or a list that repeats the same number."""
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
