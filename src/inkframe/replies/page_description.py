"""The description of a page: its total, its place, and the link to further pages, from the body and headers."""

from __future__ import annotations

import re
from itertools import product
from typing import TYPE_CHECKING, Any, Final

import orjson

from inkframe.replies.field_names import fold
from inkframe.replies.values import read_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from inkframe.replies.list_reply import ListReply, Next

__all__ = [
    "DESCRIPTIONS",
    "describe_from_body",
    "describe_from_headers",
    "is_address",
    "plain_name",
    "unused_keys",
]

# Names are folded: case, "_", "-" and prefixes such as "hydra:" are ignored.
#: Objects beside or around the records that describe the page.
DESCRIPTIONS: Final = frozenset(
    {"meta", "metadata", "pagination", "paginator", "page", "pageable", "paging", "pageinfo", "info", "resultinfo",
     "listinfo", "responsemetadata", "cursor", "cursors", "links", "view"}
)  # fmt: skip
TOTALS: Final = frozenset(
    {"total", "totalcount", "totalelements", "totalitems", "totalrecords", "totalresults", "totalrows", "totaldocs",
     "totaldocuments", "totalimages", "totalentries", "totalobjects", "totalhits", "totalsize", "grandtotal",
     "@odatacount", "count", "recordcount", "recordstotal", "resultcount", "rowcount", "itemcount", "numfound", "nbhits", "items",
     "results"}
)  # fmt: skip
#: Totals of the filtered list, beside a total of the whole collection.
FILTERED_TOTALS: Final = frozenset(
    {"recordsfiltered", "filtered", "filtercount", "filteredcount", "filteredtotal", "totalfiltered", "totalmatching",
     "totalfound", "found", "matched", "matching", "matches"}
)  # fmt: skip
LAST_PAGES: Final = ("lastpage", "totalpages", "pages", "pagecount", "numpages", "pagestotal", "maxpage",
                     "nbpages", "lastpagenumber", "last")  # fmt: skip
CURRENT_PAGES: Final = ("currentpage", "page", "number", "pagenumber", "pageindex", "pageno", "pagenum",
                        "currentpagenumber", "current")  # fmt: skip
SIZES: Final = ("perpage", "pagesize", "size", "limit", "itemsperpage", "resultsperpage", "pagelimit",
                "maxresults")  # fmt: skip
OFFSETS: Final = ("offset", "skip", "start", "startindex", "startat", "firstresult")
NEXTS: Final = ("next", "nextpageurl", "nexturl", "nextlink", "@odatanextlink", "nextpage", "nextcursor",
                "nextpagetoken", "nexttoken", "endcursor", "nextrecordsurl", "nextmarker", "nextcontinuationtoken",
                "continuationtoken", "lastevaluatedkey", "continue", "after")  # fmt: skip
#: Keys of an object that leads to another page.
ADDRESSES: Final = ("href", "url", "uri", "link")
#: Names of booleans, and the value that means that another page follows.
MORE: Final = dict.fromkeys(("hasmore", "hasnext", "hasnextpage", "more"), True) | dict.fromkeys(
    ("last", "islast", "islastpage", "done"), False
)
#: Names of everything that describes a page.
USED: Final = TOTALS.union(
    FILTERED_TOTALS,
    LAST_PAGES,
    CURRENT_PAGES,
    SIZES,
    OFFSETS,
    NEXTS,
    MORE,
    DESCRIPTIONS,
    {"lastpageurl", "totalatleast"},
)
#: Names whose values are always tokens.
TOKEN_NAME: Final = re.compile(r"cursor|token|marker|^(after|continue|lastevaluatedkey)$")
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


def plain_name(key: str) -> str:
    """Return a key folded and without a prefix such as ``hydra:``."""
    return fold(key.rpartition(":")[2]) if ":" in key else fold(key)


def _folded(value: Mapping[str, Any]) -> dict[str, Any]:
    return {plain_name(key): inner for key, inner in value.items()}


def unused_keys(value: Any, path: Sequence[str]) -> list[str]:
    """Return the keys of a reply, dotted if nested, that neither lead to the records nor describe the page.

    Args:
        value: The reply.
        path: The keys that lead to the records.
    """
    unused: list[str] = []
    for key, inner in value.items() if isinstance(value, dict) else ():
        if path and key == path[0]:
            nested = unused_keys(inner, path[1:]) if path[1:] else []
        elif plain_name(key) in DESCRIPTIONS and isinstance(inner, dict):
            nested = unused_keys(inner, ())
        else:
            unused += [] if plain_name(key) in USED else [key]
            continue
        unused += [f"{key}.{each}" for each in nested]
    return unused


def describe_from_body(reply: ListReply, around: Iterable[Any]) -> None:
    """Read the description of the page from the objects around the records."""
    holders = [each for each in around if isinstance(each, dict)]
    for holder in holders:
        _note_keys(reply, holder)
    described = [_folded(each) for each in holders]
    inner = [found for each in described for found in _descriptions(each)]
    described += inner + [found for each in inner for found in _descriptions(each)]
    for each in described:
        _read_description(reply, each)
    for name, each in product(("cursor", "offset"), described):
        # A cursor alone leads to the next page; beside a link to the next page it belongs to this page.
        found = _next(each.get(name))
        place = _count(found)
        if name == "cursor" and place == 0 and reply.offset is None:
            reply.offset = 0  # the place of this page, since no page follows at the beginning
        is_number = place == 0 or (name == "offset" and place is not None)
        if reply.next is None and reply.more is not False and found is not None and not is_number:
            reply.next, reply.token, reply.described = str(found), name, True
    if reply.more is False and reply.token:
        reply.next = None  # the token of the last record


def _note_keys(reply: ListReply, holder: Mapping[str, Any], depth: int = 0) -> None:
    for key, inner in holder.items():
        reply.keys.setdefault(plain_name(key), key)
        if isinstance(inner, dict) and plain_name(key) in DESCRIPTIONS and depth < 2:
            _note_keys(reply, inner, depth + 1)


def _descriptions(each: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [
        _folded(inner) for name, inner in each.items() if name in DESCRIPTIONS and isinstance(inner, dict)
    ]


def _read_description(reply: ListReply, each: Mapping[str, Any]) -> None:
    for name in (each.keys() & FILTERED_TOTALS) or (each.keys() & TOTALS):
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
            found = _next(each[name]) or (_token(each[name]) if TOKEN_NAME.search(name) else None)
            if found is not None and reply.next is None:
                reply.token = name if TOKEN_NAME.search(name) or _is_opaque(found) else None
                reply.next = str(found) if reply.token else found
            elif each[name] is None and reply.next is None and reply.more is None:
                reply.more = False
    for name, follows in MORE.items():
        if name in each and isinstance(each[name], bool):
            reply.more = each[name] is follows
    reply.last = reply.last or _address(each.get("lastpageurl")) or _address(each.get("last"))
    facts = (reply.total, reply.last_page, reply.current_page, reply.next, reply.more)
    reply.described = reply.described or any(fact is not None for fact in facts)


def describe_from_headers(reply: ListReply, headers: Mapping[str, str]) -> None:
    """Read the description of the page from the headers of a reply."""
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
            _note_keys(reply, description)
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
    for name in names:
        if name in each and (count := _count(each[name])) is not None:
            return count
    return None


def _count(value: Any) -> int | None:
    """Parse a count: a number, its text, a list that repeats the same number, or a number with its relation."""
    if type(value) is int:
        return value if 0 <= value < 2**53 else None  # the usual format
    if isinstance(value, list) and value and all(v == value[0] for v in value):
        value = value[0]
    if isinstance(value, dict) and {"value"} <= value.keys() <= {"value", "relation"}:
        # Elasticsearch counts up to a limit, and then says that there are at least so many.
        value = value["value"] if value.get("relation", "eq") == "eq" else None
    if value is None or isinstance(value, bool | list | dict):
        return None
    number = read_number(value)
    return int(number) if number is not None and number.is_integer() and 0 <= number < 2**53 else None


def _next(value: Any) -> Next | None:
    if value is None or type(value) is str:
        return value or None
    if isinstance(value, dict):
        value = next((value[key] for key in ADDRESSES if value.get(key)), None)
    if isinstance(value, bool) or value is None or value == "":
        return None
    return value if isinstance(value, str | int) else None


def _token(value: Any) -> str | None:
    """Return a token that is an object, such as a key of DynamoDB, as text."""
    return orjson.dumps(value).decode() if isinstance(value, dict) and value else None


def is_address(text: str) -> bool:
    """Return whether a link to another page is an address, and no token."""
    return "?" in text or text.startswith(("/", "http://", "https://"))


def _is_opaque(link: Next) -> bool:
    return isinstance(link, str) and not link.isdecimal() and not is_address(link)


def _address(value: Any) -> str | None:
    found = _next(value)
    return found if isinstance(found, str) and ("?" in found or "/" in found) else None
