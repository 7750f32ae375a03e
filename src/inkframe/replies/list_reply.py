"""Lists from replies: the location of the records, and what body and headers say about the page."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

from inkframe.errors import UnexpectedReply
from inkframe.replies.dialect import Dialect, steps_along, with_pinned_fields
from inkframe.replies.fields import field_mapping, id_name, unwrap_each
from inkframe.replies.record import shape_of
from inkframe.replies.values import fold, read_count, read_integer, read_object, read_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from inkframe.schema import ResourceSpec

__all__ = ["ListReply", "is_address", "read_list"]

# Names are folded: case, "_", "-" and prefixes such as "hydra:" are ignored.
#: Keys of the records in replies, the most common first.
ENVELOPES: Final = ("data", "results", "items", "content", "value", "records", "rows", "entries", "list", "response",
                    "result", "payload", "embedded", "hits", "nodes", "edges", "entry", "objects", "docs", "elements", "member",
                    "members", "collection", "d")  # fmt: skip
#: Objects beside or around the records that describe the page.
DESCRIPTIONS: Final = frozenset(
    {"meta", "metadata", "pagination", "paginator", "page", "pageable", "paging", "pageinfo", "info", "resultinfo",
     "listinfo", "responsemetadata", "cursor", "cursors", "links", "view"}
)  # fmt: skip
#: Keys of lists that do not contain records.
NOT_RECORDS: Final = DESCRIPTIONS | {"errors", "included", "warnings", "messages", "sort", "facets"}
#: The number of keys that lead to a list under unusual names.
DEEPEST: Final = 5
#: The link to the next page: an address, a page number, or a token.
Next = str | int

#: Totals, of the list or of the page.
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
#: Totals of the whole collection, whatever the list is filtered by.
WHOLE_TOTALS: Final = ("collectiontotal",)
LAST_PAGES: Final = ("lastpage", "totalpages", "pages", "pagecount", "numpages", "pagestotal", "maxpage",
                     "nbpages", "lastpagenumber", "last")  # fmt: skip
CURRENT_PAGES: Final = ("currentpage", "page", "number", "pagenumber", "pageindex", "pageno", "pagenum",
                        "currentpagenumber", "current")  # fmt: skip
SIZES: Final = ("perpage", "pagesize", "size", "limit", "itemsperpage", "resultsperpage", "pagelimit",
                "maxresults")  # fmt: skip
OFFSETS: Final = ("offset", "skip", "start", "startindex", "startat", "firstresult")
#: The names of each fact that is a number.
COUNTS: Final = {"last_page": LAST_PAGES, "current_page": CURRENT_PAGES, "size": SIZES, "offset": OFFSETS}
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
USED: Final = TOTALS.union(FILTERED_TOTALS, LAST_PAGES, CURRENT_PAGES, SIZES, OFFSETS, NEXTS, MORE, DESCRIPTIONS,
                           {"lastpageurl", "totalatleast", "facets", *WHOLE_TOTALS})  # fmt: skip
#: The total length of the keys of an object up to which their roles are cached.
ORDINARY: Final = 4000
#: Names whose values are always tokens.
TOKEN_NAME: Final = re.compile(r"cursor|token|marker|^(after|continue|lastevaluatedkey)$")
#: The headers of each fact that is a number.
HEADERS: Final = {
    "total": ("x-total-count", "x-total", "total-count", "total", "x-pagination-total-count", "x-wp-total"),
    "last_page": ("total-pages", "x-total-pages", "x-pagination-page-count", "x-wp-totalpages", "page-count"),
    "current_page": ("current-page", "x-current-page", "x-page", "x-pagination-current-page", "page"),
    "size": ("per-page", "x-per-page", "page-limit", "x-pagination-per-page", "page-items"),
}
COUNTED: Final = frozenset(name for names in HEADERS.values() for name in names)
#: Headers that describe the page as JSON.
HEADER_DESCRIPTIONS: Final = ("x-pagination", "pagination", "x-paging-headers")
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
        dialect.learn_unused("lists", _unused_keys(value, path))
    unwrapped = unwrap_each(records, spec)
    if dialect.paths:
        unwrapped = [with_pinned_fields(*pair, dialect) for pair in zip(unwrapped, records, strict=True)]
    reply = ListReply(unwrapped)
    _describe_from_headers(reply, headers)
    _describe_from_body(reply, steps_along(value, path[:-1]))
    return reply


def _find(
    value: Any, spec: ResourceSpec, dialect: Dialect
) -> tuple[tuple[str, ...], list[dict[str, Any]] | None]:
    if (path := dialect.records_at) is not None:
        steps = steps_along(value, path)
        if (records := _as_records(steps[-1])) is not None:
            return path, records
        if _is_nothing(steps, path):
            return path, []
    best: tuple[tuple[str, ...], list[dict[str, Any]]] | None = None
    for path, candidate in _lists(value, spec):
        records = _as_records(candidate)
        if records and _has_id(records[0], spec, dialect):
            return path, records
        # An empty list counts only if there is no other list with records.
        if records is not None and (best is None or (records and not best[1])):
            best = path, records
    if best is None or best[1] or not _usual(dict.fromkeys(best[0][-1:]), spec):
        best = next(iter(sorted(_deeper(value, spec), key=lambda each: not each[1])), best)
    return best or ((), None)


def _has_id(record: dict[str, Any], spec: ResourceSpec, dialect: Dialect) -> bool:
    (found,) = unwrap_each([record], spec)
    return id_name(with_pinned_fields(found, record, dialect), spec) is not None


def _is_nothing(steps: Sequence[Any], path: Sequence[str]) -> bool:
    """Return whether a reply has no records at the known location, because it leaves out what is empty.

    Some services write an empty page as null, as an object without keys, or without the keys around it.

    Args:
        steps: The reply, and the value at each step to the location.
        path: The keys of the steps.
    """
    if any(step in ({}, []) for step in steps):
        return True
    return steps[-1] is None and len(path) > 0 and isinstance(steps[-2], dict) and path[-1] in steps[-2]


def _deeper(
    value: Any, spec: ResourceSpec, path: tuple[str, ...] = ()
) -> Iterable[tuple[tuple[str, ...], list[dict[str, Any]]]]:
    """Yield the lists under any keys whose first record, or whose keys if empty, are of the collection."""
    for key, inner in value.items() if isinstance(value, dict) and len(path) < DEEPEST else ():
        if _plain_name(key) in NOT_RECORDS:
            continue
        here = (*path, key)
        if (records := _as_records(inner)) is not None:
            named = any(spec.name in _plain_name(each) for each in here)
            if _is_of(records[0], spec) if records else named:
                yield here, records
        yield from _deeper(inner, spec, here)


def _is_of(record: dict[str, Any], spec: ResourceSpec) -> bool:
    (found,) = unwrap_each([record], spec)
    return id_name(found, spec) is not None and field_mapping(spec, frozenset(found)).has_content


def _lists(
    value: Any, spec: ResourceSpec, path: tuple[str, ...] = ()
) -> Iterable[tuple[tuple[str, ...], Any]]:
    if isinstance(value, list):
        yield path, value
    if not isinstance(value, dict):
        return
    usual = _usual(value, spec)
    other = [key for key in value if key not in usual and _plain_name(key) not in NOT_RECORDS]
    is_named = any(_plain_name(key) == spec.name for key in usual)
    keys = usual + (other if not is_named and (not path or _plain_name(path[-1]) == "embedded") else [])
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
    return sorted(
        (key for key in value if _plain_name(key) in order), key=lambda key: order.index(_plain_name(key))
    )


def _is_numbered(value: Any) -> bool:
    """Return whether an object is a list with its positions as keys."""
    return isinstance(value, dict) and bool(value) and all(str(key).isdecimal() for key in value)


def _as_records(value: Any) -> list[dict[str, Any]] | None:
    if isinstance(value, dict) and _is_numbered(value):
        value = list(value.values())
    return value if isinstance(value, list) and {dict}.issuperset(map(type, value)) else None


def _read_empty(value: Any, headers: Mapping[str, str], spec: ResourceSpec) -> ListReply | None:
    """Parse a page whose list is null or missing; return None if it is not known to be empty."""
    if not isinstance(value, dict):
        return None
    reply = ListReply([])
    _describe_from_headers(reply, headers)
    _describe_from_body(reply, [value, *(value[key] for key in _usual(value, spec))])
    is_null = any(inner in (None, {}) and _plain_name(key) == spec.name for key, inner in value.items())
    page, last = reply.current_page, reply.last_page
    is_behind = page is not None and last is not None and page >= last
    return reply if reply.total == 0 or is_behind or (is_null and reply.total is None) else None


def _plain_name(key: str) -> str:
    """Return a key folded and without a prefix such as ``hydra:``."""
    return fold(key.rpartition(":")[2]) if ":" in key else fold(key)


@dataclass(frozen=True, slots=True)
class Roles:
    """The keys of an object by what they tell about a page, of each kind the most telling first.

    Args:
        names: The folded name of each key, as received.
        totals: The keys of totals; those of the filtered list if there are any.
        everything: The keys of totals of the whole collection.
        facets: The key of the facets.
        counts: The keys of each fact of a reply that is a number.
        nexts: The keys that lead to the next page, with their folded names.
        more: The keys of booleans, and the value that means that another page follows.
        lasts: The keys of the address of the last page.
        places: The keys of ``cursor`` and ``offset``.
    """

    names: tuple[tuple[str, str], ...]
    totals: tuple[str, ...]
    everything: tuple[str, ...]
    facets: tuple[str, ...]
    counts: tuple[tuple[str, tuple[str, ...]], ...]
    nexts: tuple[tuple[str, str], ...]
    more: tuple[tuple[str, bool], ...]
    lasts: tuple[str, ...]
    places: Mapping[str, str]


def _roles(value: Mapping[str, Any]) -> Roles:
    keys = tuple(value)
    return (_roles_of if sum(map(len, keys)) < ORDINARY else _roles_of.__wrapped__)(keys)


@lru_cache(maxsize=512)
def _roles_of(keys: tuple[str, ...]) -> Roles:
    names = tuple((_plain_name(key), key) for key in keys)
    named = dict(names)

    def present(wanted: Iterable[str]) -> tuple[str, ...]:
        return tuple(named[name] for name in wanted if name in named)

    return Roles(
        names,
        present(FILTERED_TOTALS) or present(TOTALS),
        present(WHOLE_TOTALS) or (present(TOTALS) if present(FILTERED_TOTALS) else ()),
        present(("facets",)),
        tuple((fact, found) for fact, wanted in COUNTS.items() if (found := present(wanted))),
        tuple((name, named[name]) for name in NEXTS if name in named),
        tuple((named[name], follows) for name, follows in MORE.items() if name in named),
        present(("lastpageurl", "last")),
        {name: named[name] for name in ("cursor", "offset") if name in named},
    )


def _unused_keys(value: Any, path: Sequence[str]) -> list[str]:
    """Return the keys of a reply, dotted if nested, that neither lead to the records nor describe the page.

    Args:
        value: The reply.
        path: The keys that lead to the records.
    """
    unused: list[str] = []
    for name, key in _roles(value).names if isinstance(value, dict) else ():
        inner = value[key]
        if path and key == path[0]:
            nested = _unused_keys(inner, path[1:]) if path[1:] else []
        elif name in DESCRIPTIONS and isinstance(inner, dict):
            nested = _unused_keys(inner, ())
        else:
            unused += [] if name in USED else [key]
            continue
        unused += [f"{key}.{each}" for each in nested]
    return unused


def _describe_from_body(reply: ListReply, around: Iterable[Any]) -> None:
    """Read the description of the page from the objects around the records."""
    found: list[tuple[int, Mapping[str, Any], Roles]] = []
    for holder in (each for each in around if isinstance(each, dict)):
        _note_described(reply, holder, found)
    described = sorted(found, key=itemgetter(0))
    for _, each, roles in described:
        _read_description(reply, each, roles)
        if roles.everything or roles.facets:
            _read_whole(reply, each, roles)
    for name, (_, each, roles) in product(("cursor", "offset"), described):
        if name not in roles.places:
            continue
        # A cursor alone leads to the next page; beside a link to the next page it belongs to this page.
        link = _next(each[roles.places[name]])
        place = read_count(link)
        if name == "cursor" and place == 0 and reply.offset is None:
            reply.offset = 0  # the place of this page, since no page follows at the beginning
        is_number = place == 0 or (name == "offset" and place is not None)
        if reply.next is None and reply.more is not False and link is not None and not is_number:
            reply.next, reply.token, reply.described = str(link), name, True
    if reply.more is False and reply.token:
        reply.next = None  # the token of the last record


def _note_described(reply: ListReply, value: Mapping[str, Any], found: list[Any], depth: int = 0) -> None:
    """Add an object and the descriptions of the page in it, each with its depth, and note their keys."""
    roles = _roles(value)
    found.append((depth, value, roles))
    for name, key in roles.names:
        reply.keys.setdefault(name, key)
        if name in DESCRIPTIONS and depth < 2 and isinstance(value[key], dict):
            _note_described(reply, value[key], found, depth + 1)


def _read_description(reply: ListReply, each: Mapping[str, Any], roles: Roles) -> None:
    for key in roles.totals:
        total = read_count(each[key])
        # Some services report the size of the page under such a name.
        if total is not None and total >= len(reply.records) and (reply.total is None or reply.total < total):
            reply.total = total
    for fact, keys in roles.counts:
        if getattr(reply, fact) is None:
            setattr(reply, fact, _first_count(each, keys))
    for name, key in roles.nexts:
        _read_next(reply, name, each[key])
    for key, follows in roles.more:
        if isinstance(each[key], bool):
            reply.more = each[key] is follows
    for key in roles.lasts:
        reply.last = reply.last or _address(each[key])
    facts = (reply.total, reply.last_page, reply.current_page, reply.next, reply.more)
    reply.described = reply.described or any(fact is not None for fact in facts)


def _read_whole(reply: ListReply, each: Mapping[str, Any], roles: Roles) -> None:
    """Read what an object around the records says about the whole collection."""
    for key in roles.everything:
        reply.everything = max(read_count(each[key]) or 0, reply.everything or 0)
    for key in roles.facets:
        rows = each[key].get("template_id") if isinstance(each[key], dict) else None
        reply.held = {
            value: count
            for row in (rows if isinstance(rows, list) else ())
            if isinstance(row, dict)
            and (value := read_integer(row.get("value"))) is not None
            and (count := read_count(row.get("count"))) is not None
        }
        reply.holds_all = sum(reply.held.values()) == reply.everything
        reply.everything = max(sum(reply.held.values()), reply.everything or 0) or None


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


def _describe_from_headers(reply: ListReply, headers: Mapping[str, str]) -> None:
    """Read the description of the page from the headers of a reply."""
    for fact, names in () if COUNTED.isdisjoint(headers) else HEADERS.items():
        if (found := _first_count(headers, names)) is not None:
            setattr(reply, fact, found)
            reply.described = True
    for name in HEADER_DESCRIPTIONS:
        if name in headers and (description := read_object(headers[name])) is not None:
            _note_described(reply, description, [])
            _read_description(reply, description, _roles(description))
    if spread := RANGE.fullmatch(headers.get("content-range", "")):
        start, total = (read_count(text) for text in spread.groups())
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


def _first_count(each: Mapping[str, Any], names: tuple[str, ...]) -> int | None:
    return next(
        (count for name in names if name in each and (count := read_count(each[name])) is not None), None
    )


def _next(value: Any) -> Next | None:
    if value is None or type(value) is str:
        return value or None
    if isinstance(value, dict):
        value = next((value[key] for key in ADDRESSES if value.get(key)), None)
    if isinstance(value, bool) or value is None or value == "":
        return None
    return value if isinstance(value, str | int) else None


def is_address(text: str) -> bool:
    """Return whether a link to another page is an address, and no token."""
    return "?" in text or text.startswith(("/", "http://", "https://"))


def _address(value: Any) -> str | None:
    found = _next(value)
    return found if isinstance(found, str) and ("?" in found or "/" in found) else None
