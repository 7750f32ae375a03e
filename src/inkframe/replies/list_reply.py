"""Lists from replies: the location of the records, and what body and headers say about the page."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain, permutations, product
from types import NoneType
from typing import TYPE_CHECKING, Any, Final

import orjson

from inkframe.errors import UnexpectedReply
from inkframe.http.body import Path, entered, walk
from inkframe.http.key import plain_text
from inkframe.replies.dialect import NAMES, Dialect, Names, plain_name, value_at
from inkframe.replies.layout import ALONE, GENERAL, LOOKED_AT, id_name, keep, layout_of, shape_of_keys
from inkframe.replies.values import LONGEST, fold, read_count, read_integer, read_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from inkframe.schema import ResourceSpec

__all__ = ["ListReply", "is_address", "linked_relations", "read_list", "shape_of"]

# Names are folded: case, "_", "-" and prefixes such as "hydra:" are ignored.
#: Objects beside or around the records that describe the page.
DESCRIPTIONS: Final = frozenset(
    {"meta", "metadata", "pagination", "paginator", "page", "pageable", "paging", "pageinfo", "info", "resultinfo",
     "listinfo", "responsemetadata", "cursor", "cursors", "links", "view"}
)  # fmt: skip
#: Keys of lists that do not contain records.
NOT_RECORDS: Final = DESCRIPTIONS | {"errors", "included", "warnings", "messages", "sort", "facets"}
#: The link to the next page: an address, a page number, or a token.
Next = str | int

#: Totals, of the list or of the page.
TOTALS: Final = frozenset(
    {"total", "totalcount", "totalelements", "totalitems", "totalrecords", "totalresults", "totalrows", "totaldocs",
     "totaldocuments", "totalimages", "totalentries", "totalobjects", "totalhits", "totalsize", "grandtotal",
     "@odatacount", "count", "recordcount", "recordstotal", "resultcount", "rowcount", "itemcount", "numfound", "nbhits", "items",
     "results", "xtotalcount", "xtotal", "xpaginationtotalcount", "xwptotal"}
)  # fmt: skip
CURRENT_PAGES: Final = ("currentpage", "page", "number", "pagenumber", "pageindex", "pageno", "pagenum",
                        "currentpagenumber", "current")  # fmt: skip
OFFSETS: Final = ("offset", "skip", "start", "startindex", "startat", "firstresult")
#: Names of booleans, and the value that means that another page follows.
MORE: Final = dict.fromkeys(
    ("hasmore", "hasnext", "hasnextpage", "more", "istruncated", "xhasmore"), True
) | dict.fromkeys(("last", "islast", "islastpage", "done"), False)
#: The keys of an object, and the headers, by what they tell about a page: the totals of a filtered list, which stand
#: beside that of the whole collection, numbers, and what leads to other pages.
PAGE: Final = Names({
    "total": TOTALS,
    "filtered": ("recordsfiltered", "filtered", "filtercount", "filteredcount", "filteredtotal", "totalfiltered", "totalmatching",
                 "totalfound", "found", "matched", "matching", "matches"),
    "whole": ("collectiontotal",),
    "last_page": ("lastpage", "totalpages", "pages", "pagecount", "numpages", "pagestotal", "maxpage", "nbpages", "lastpagenumber",
                  "last", "xtotalpages", "xpaginationpagecount", "xwptotalpages"),
    "current_page": (*CURRENT_PAGES, "xcurrentpage", "xpage", "xpaginationcurrentpage"),
    "size": ("perpage", "pagesize", "size", "limit", "itemsperpage", "resultsperpage", "pagelimit", "maxresults", "xperpage",
             "xpaginationperpage", "pageitems"),
    "offset": OFFSETS,
    "next": ("next", "nextpageurl", "nexturl", "nextlink", "@odatanextlink", "nextpage", "nextcursor", "nextpagetoken", "nexttoken",
             "endcursor", "nextrecordsurl", "nextmarker", "nextcontinuationtoken", "continuationtoken", "lastevaluatedkey",
             "continue", "after", "xnextcursor", "xcursornext", "xnexttoken", "xnextpagetoken", "xcontinuationtoken", "xmscontinuation"),
    "more": MORE, "last": ("lastpageurl", "last"), "cursor": ("cursor",), "place": ("offset",),
    "noted": (*DESCRIPTIONS, "totalatleast", "facets"), "facets": ("facets",),
})  # fmt: skip
#: Keys of an object that leads to another page.
ADDRESSES: Final = ("href", "url", "uri", "link")
#: Names whose values are always tokens.
TOKEN_NAME: Final = re.compile(r"cursor|token|marker|^(after|continue|lastevaluatedkey)$")
#: Headers that may describe the page, and those that do so as JSON.
HEADER: Final = re.compile("page|total|cursor|token|continuation|more")
HEADER_DESCRIPTIONS: Final = frozenset({"x-pagination", "pagination", "x-paging-headers"})
#: Keys of the kind of a row, in lists of several kinds.
KINDS: Final = frozenset({"__typename", "type", "kind", "object"})
#: The worth of a list that is named as the collection, of one whose rows have an id and a field, and of an empty one.
NAMED, OURS, EMPTY = 100.0, 1.0, 0.5
#: A range of records in a Content-Range header, ``0-99/500``; ``*`` means unknown.
RANGE: Final = re.compile(r"(?:[\w-]+\s+)?(?:(\d{1,15})-\d{1,15}|\*)/(\d{1,15}|\*)\s*")
LINK: Final = re.compile(
    r"<([^<>]*)>\s*+((?:;\s*+[\w!#$&+.^`|~*-]++\s*+(?:=\s*+(?:\"[^\"]*\"|[^\s\",;]+))?\s*)*)"
)
RELATION: Final = re.compile(r";\s*rel\s*=\s*\"?([^\";]+)", re.IGNORECASE)


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
        denied: A total that is less than the records of the page.
        everything: The total number of records of the collection, with or without filters, if reported.
        held: The numbers of records by template in the whole collection, if reported.
        holds_all: Whether these are all templates, since the numbers add up to the reported total.
        described: Whether the reply describes the page in any way.
        keys: The keys around the records by their folded names, as received.
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
    denied: int | None = None
    everything: int | None = None
    held: Mapping[int, int] = field(default_factory=dict)
    holds_all: bool = False
    described: bool = False
    keys: dict[str, str] = field(default_factory=dict)


def read_list(value: Any, headers: Mapping[str, str], spec: ResourceSpec, dialect: Dialect) -> ListReply:
    """Parse one page of a list.

    Raises:
        UnexpectedReply: It contains no records; the message has its keys and types.
    """
    shape = shape_of_keys(value)
    path, around = dialect.pages.get(shape, ((), ()))
    records = _as_records(value_at(value, path)) if shape in dialect.pages else None
    described = [(at, value_at(value, at) if at else value) for at in around]
    is_null = False
    if not records:
        nodes = walk(value)
        is_null = any(each in (None, {}) and at and plain_name(at[-1]) == spec.name for at, each in nodes)
        path, records = _find(value, nodes, spec, dialect, is_null=is_null)
        described = (
            _describing(nodes, path)
            if records is not None
            else [
                (at, each)
                for at, each in nodes
                if type(each) is dict and len(at) < 3 and DESCRIPTIONS.issuperset(map(plain_name, at[1:]))
            ]
        )
    reply = ListReply(records or [])
    if records and (layout := layout_of(None, spec, dialect, records)) is not None:
        rows = records if layout.is_flat else [layout.flat(record) for record in records]
        reply.records, dialect.places = _of_kind(rows, spec), layout.reasons
        place, why = layout.reasons.get("id", ("", ""))
        if why == ALONE:
            dialect.learn(id_name=place.rpartition(".")[2])
    if records and shape not in dialect.pages:
        dialect.learn(records_at=path)
        dialect.learn_unused("lists", _unused_keys(described, path))
        if all(value_at(value, at) is each for at, each in described):  # none in a list of one
            keep(dialect.pages, shape, (path, tuple(at for at, _ in described)))
    _describe(reply, _described_by(headers), by_headers=True)
    _describe(reply, [each for _, each in described])
    if not reply.described:
        _read_counts(reply, [*chain(*((each, *each.values()) for _, each in described))], dialect)
    page, last = reply.current_page or 0, reply.last_page
    # The last page is empty only without a sentence and anything that may be records, which cannot be read.
    is_told = (
        records is None
        and page == last
        and any(
            each and (isinstance(each, list | dict) or " " in str(each) or len(str(each)) > LONGEST)
            for key in _unused_keys(described, ())
            for each in [value_at(value, key.split("."))]
        )
    )
    is_behind = last is not None and page >= last and not (page == last and (reply.total or is_told))
    if records is None and not (is_behind or reply.total == 0 or (is_null and reply.total is None)):
        raise UnexpectedReply(
            f"The reply must contain a list of {spec.name}, got {shape_of(value)}.\n"
            f"Check base_url, or pin the keys of the list with client.{spec.name}.dialect."
        )
    return reply


def _find(
    value: Any, nodes: Sequence[tuple[Path, Any]], spec: ResourceSpec, dialect: Dialect, *, is_null: bool
) -> tuple[Path, list[dict[str, Any]] | None]:
    """Return the place of the list of records, and the records: the list of the collection, else the best one."""
    if (path := dialect.records_at) is not None:
        path = tuple(path)
        steps = [value_at(value, path[:length]) for length in range(len(path) + 1)]
        # Some services write an empty page as null, as an object without keys, or without the keys around it.
        is_none = steps[-1] is None and path and path[-1] in entered(steps[-2])
        records = [] if is_none or any(step in ({}, []) for step in steps) else _as_records(steps[-1])
        if records is not None:
            return path, records
    totals = [read_count(each) for at, each in nodes if at and plain_name(at[-1]) in TOTALS]
    found = [
        (_worth(records, at, spec, dialect) + (NAMED if not records and 0 in totals else 0), at, records)
        for at, each in nodes
        if (records := _as_records(each)) is not None and NOT_RECORDS.isdisjoint(map(plain_name, at))
    ]
    found = [
        (worth, at, records)
        for place, (worth, at, records) in enumerate(found)
        if (worth >= NAMED or not is_null)
        and not any(
            # a list in a record
            other >= OURS and at[: len(outer)] == outer
            for other, outer, _ in found[:place]
        )
    ]
    # XML has no lists, so that the only record of a page is an object.
    lone = (
        (_worth([each], at, spec, dialect), at, [each])
        for at, each in nodes
        if type(each) is dict and at and plain_name(at[-1]) in (spec.noun, spec.name) and id_name(each, spec)
    )
    return _best(found or [each for each in lone if each[0] >= OURS], spec)


def _best(
    found: Sequence[tuple[float, Path, list[dict[str, Any]]]], spec: ResourceSpec
) -> tuple[Path, list[dict[str, Any]] | None]:
    """Return the place and the records of the most likely list."""
    worth, path, records = max(found, key=lambda each: (each[0], len(each[2])), default=(0, (), []))
    alike = [(at, rows[:LOOKED_AT]) for other, at, rows in found if other == worth >= OURS]
    if any(row not in records for _, rows in alike for row in rows):
        names = " and ".join(plain_text(".".join(at), 40) for at, _ in alike[:3])
        raise UnexpectedReply(
            f"The reply must contain one list of {spec.name}, got {names}.\n"
            f"Pin the right one, such as client.{spec.name}.dialect = ink.Dialect(records_at={alike[0][0]!r})."
        )
    is_alone = len(path) < 2 or (len(found) == 1 and not records)
    return (path, records) if found and (worth >= OURS or is_alone) else ((), None)


def _of_kind(records: list[dict[str, Any]], spec: ResourceSpec) -> list[dict[str, Any]]:
    """Return the records without rows that name another kind and have no field that only records have."""
    for key in KINDS.intersection(records[0]):
        of_kind = [fold(str(row.get(key))) in (spec.noun, spec.name) for row in records]
        if any(of_kind) and not all(of_kind):
            own = (NAMES[spec.name].of(row).columns.keys() & spec.content - GENERAL for row in records)
            return [row for row, *is_ours in zip(records, of_kind, own, strict=True) if any(is_ours)]
    return records


def _worth(records: list[dict[str, Any]], path: Path, spec: ResourceSpec, dialect: Dialect) -> float:
    """Return how likely a list is that of the records: by its name, and by the fields of its rows."""
    is_named = any(plain_name(key) == spec.name for key in path)
    if not records:
        return EMPTY + NAMED * is_named + (OURS if any(spec.name in plain_name(key) for key in path) else 0)
    layout = layout_of(None, spec, dialect, records)
    if layout is None or "id" not in layout.reasons:
        return 0
    fields = spec.content & layout.reasons.keys()
    return EMPTY / 2 + len(fields - GENERAL) + bool(fields & GENERAL) + NAMED * is_named


def _as_records(value: Any) -> list[dict[str, Any]] | None:
    """Return the objects of a list, or of an object with positions or ids as its keys."""
    if isinstance(value, dict) and value:
        is_map = all(key.isdecimal() or entered(value[key]).get("id") == key for key in value)
        value = list(value.values()) if is_map else value
    return value if isinstance(value, list) and {dict}.issuperset(map(type, value)) else None


def _describing(nodes: Sequence[tuple[Path, Any]], path: Path) -> list[tuple[Path, dict[str, Any]]]:
    """Return the objects around a list and the descriptions of the page in them, those around it first."""
    found = [
        (len(at) - length, at, each)
        for length in range(len(path))
        for at, each in nodes
        if type(each) is dict
        and at[:length] == path[:length]
        and at[length : length + 1] != path[length : length + 1]
        if len(at) - length < 3 and DESCRIPTIONS.issuperset(map(plain_name, at[length:]))
    ]
    return [(at, each) for _, at, each in sorted(found, key=lambda each: each[0])]


def _unused_keys(described: Sequence[tuple[Path, dict[str, Any]]], path: Path) -> list[str]:
    """Return the keys of a reply, dotted if nested, that neither lead to the records nor describe the page."""
    leading = {path[: length + 1] for length in range(len(path))} | {at for at, _ in described}
    return [
        ".".join((*at, key))
        for at, each in described
        for key in each
        if key not in {*chain(*PAGE.of(each).values())} and (*at, key) not in leading
    ]


def _described_by(headers: Mapping[str, str]) -> Iterator[Mapping[str, Any]]:
    """Yield what the headers of a reply say about the page, as objects."""
    yield {name: text for name, text in headers.items() if HEADER.search(name)}
    for name in headers.keys() & HEADER_DESCRIPTIONS:
        with suppress(orjson.JSONDecodeError):
            yield entered(orjson.loads(headers[name]))
    if spread := RANGE.fullmatch(headers.get("content-range", "")):
        yield {"offset": spread[1], "total": spread[2]}
    if "link" in headers and (relations := linked_relations(headers)):
        yield {"next": None, **relations}


def linked_relations(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the links of the header ``Link`` by their relations."""
    named = [
        (link, names[1].lower())
        for link, rest in LINK.findall(headers.get("link", ""))
        if (names := RELATION.search(rest))
    ]
    return {name: link for link, names in named for name in names.split()}


def _describe(reply: ListReply, described: Iterable[Mapping[str, Any]], *, by_headers: bool = False) -> None:
    """Read the description of the page from headers, or from the objects around the records."""
    known = [(each, PAGE.of(each)) for each in described if each]
    for each, roles in known:
        reply.keys = reply.keys if by_headers else {**roles.plain, **reply.keys}
        _read_description(reply, each, roles, by_headers=by_headers)
    for role, (each, roles) in product(("cursor", "place"), known):
        for key in roles.get(role, ())[:1]:
            # A cursor alone leads to the next page; beside a link to the next page it belongs to this page.
            link = _next(each[key])
            place = read_count(link)
            if role == "cursor" and place == 0 and reply.offset is None:
                reply.offset = 0  # the place of this page, since no page follows at the beginning
            is_number = place == 0 or (role == "place" and place is not None)
            if reply.next is None and reply.more is not False and link is not None and not is_number:
                reply.next, reply.token, reply.described = str(link), plain_name(key), True
    if reply.more is False and reply.token:
        reply.next = None  # the token of the last record


def _read_counts(reply: ListReply, beside: Sequence[Any], dialect: Dialect) -> None:
    """Read three numbers in a row that tell together what they are, such as page 1 of 6 with 257 records for 50."""
    objects = [each for each in beside if type(each) is dict]
    numbers = [(key, number) for each in objects for key, number in each.items() if type(number) is int]
    for three in zip(numbers, numbers[1:], numbers[2:], strict=False) if reply.records else ():
        for (page, first), (last, pages), (total, count) in permutations(three):
            if first in {0, 1} and pages == -(-count // len(reply.records)) > 1:
                dialect.counts = {page: "page", last: "pages", total: "total"}
    if names := dialect.counts:
        reply.keys["page"] = next(iter(names))
        _describe(reply, [{names.get(key, key): each[key] for key in each} for each in objects])


def _read_description(
    reply: ListReply, each: Mapping[str, Any], roles: Mapping[str, tuple[str, ...]], *, by_headers: bool
) -> None:
    totals = [
        total
        for key in roles.get("filtered") or roles.get("total", ())
        if (total := read_count(each[key])) is not None
    ]
    if totals:
        # Some services report the size of the page, or the number of pages, under such a name.
        setattr(
            reply,
            "total" if by_headers or max(totals) >= len(reply.records) else "denied",
            max(*totals, reply.total or 0),
        )
    for fact, read in FACTS.items():
        for key in roles.get(fact, ()):
            setattr(reply, fact, read(each[key]) if (known := getattr(reply, fact)) is None else known)
    for key in roles.get("next", ()):
        _read_next(reply, plain_name(key), each[key])
    for key in roles.get("more", ()):
        if (word := str(each[key]).lower()) in {"true", "false"}:
            reply.more = (word == "true") is MORE[plain_name(key)]
    for key in roles.get("whole") or (roles.get("total", ()) if "filtered" in roles else ()):
        reply.everything = max(read_count(each[key]) or 0, reply.everything or 0)
    for key in roles.get("facets", ()):
        rows = entered(each[key]).get("template_id")
        reply.held = {
            value: count
            for row in (rows if isinstance(rows, list) else ())
            if isinstance(row, dict)
            and (value := read_integer(row.get("value"))) is not None
            and (count := read_count(row.get("count"))) is not None
        }
        reply.holds_all = sum(reply.held.values()) == reply.everything
        reply.everything = max(sum(reply.held.values()), reply.everything or 0) or None
    reply.described = reply.described or {None} != {
        reply.total, reply.last_page, reply.current_page, reply.next, reply.more, reply.size if by_headers else None
    }  # fmt: skip


def _read_next(reply: ListReply, name: str, value: Any) -> None:
    """Read what leads to the next page, by its folded name."""
    is_token = TOKEN_NAME.search(name) is not None
    reply.described = True
    # A token may be an object, such as a key of DynamoDB.
    found = _next(value) or (read_text(value) if is_token and value and isinstance(value, dict) else None)
    if found is not None and reply.next is None:
        is_opaque = isinstance(found, str) and not found.isdecimal() and not is_address(found)
        reply.token = name if is_token or is_opaque else None
        reply.next = str(found) if reply.token else found
    elif value is None and reply.next is None and reply.more is None:
        reply.more = False


def _next(value: Any) -> Next | None:
    """Return the address, number or token of a page."""
    found = (
        next((value[key] for key in ADDRESSES if value.get(key)), None) if isinstance(value, dict) else value
    )
    is_link = isinstance(found, str | int) and not isinstance(found, bool)
    return found if is_link and found != "" else None


#: The facts of a page that are read from one value each.
FACTS: Final[Mapping[str, Callable[[Any], Any]]] = {
    **dict.fromkeys(("last_page", "current_page", "size", "offset"), read_count),
    "last": lambda value: link if isinstance(link := _next(value), str) and is_address(link) else None,
}


def is_address(text: str) -> bool:
    """Return whether a link to another page is an address, and no token."""
    return "?" in text or text.startswith(("/", "http://", "https://"))


#: The types of JSON in errors.
TYPES: Final = {NoneType: "null", bool: "boolean", int: "number", float: "number", str: "text"}


def shape_of(value: Any, depth: int = 0) -> str:
    """Describe JSON by keys and types, without any value."""
    if isinstance(value, list):
        inner = f" ({shape_of(value[0], depth + 1)})" if value and depth < 2 else ""
        return f"list of {len(value)}{inner}"
    if not isinstance(value, dict):
        return TYPES.get(type(value), type(value).__name__)
    shown = [
        f"{plain_text(str(key)[:30], 30)}: {shape_of(value[key], depth + 1)}"
        for key in [*value][:8]
        if depth < 2
    ]
    return (
        f"{{{', '.join(shown)}{', …' if len(value) > 8 else ''}}}" if depth < 2 else f"object of {len(value)}"
    )
