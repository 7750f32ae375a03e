"""Lists from replies: the location of the records, and what the reply says about the page."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from inkframe.errors import UnexpectedReply
from inkframe.replies.field_mapping import field_mapping
from inkframe.replies.fields import id_name, unwrap_each
from inkframe.replies.page_description import (
    DESCRIPTIONS,
    describe_from_body,
    describe_from_headers,
    plain_name,
    unused_keys,
)
from inkframe.replies.pinned_fields import with_pinned_fields
from inkframe.replies.record import shape_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from inkframe.replies.dialect import Dialect
    from inkframe.schema import ResourceSpec

__all__ = ["ListReply", "Next", "read_list"]

# Names are folded: case, "_", "-" and prefixes such as "hydra:" are ignored.
#: Keys of the records in replies, the most common first.
ENVELOPES: Final = ("data", "results", "items", "content", "value", "records", "rows", "entries", "list", "response",
                    "result", "payload", "embedded", "hits", "nodes", "edges", "entry", "objects", "docs", "elements", "member",
                    "members", "collection", "d")  # fmt: skip
#: Keys of lists that do not contain records.
NOT_RECORDS: Final = DESCRIPTIONS | {"errors", "included", "warnings", "messages", "sort", "facets"}
#: The number of keys that lead to a list under unusual names.
DEEPEST: Final = 5

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
        dialect.learn_unused("lists", unused_keys(value, path))
    unwrapped = unwrap_each(records, spec)
    if dialect.paths:
        unwrapped = [with_pinned_fields(*pair, dialect) for pair in zip(unwrapped, records, strict=True)]
    reply = ListReply(unwrapped)
    describe_from_headers(reply, headers)
    describe_from_body(reply, [value, *_along(value, path[:-1])])
    return reply


def _find(
    value: Any, spec: ResourceSpec, dialect: Dialect
) -> tuple[tuple[str, ...], list[dict[str, Any]] | None]:
    if (path := dialect.records_at) is not None:
        steps = [value, *_along(value, path)]
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
        if plain_name(key) in NOT_RECORDS:
            continue
        here = (*path, key)
        if (records := _as_records(inner)) is not None:
            named = any(spec.name in plain_name(each) for each in here)
            if _is_of(records[0], spec) if records else named:
                yield here, records
        yield from _deeper(inner, spec, here)


def _is_of(record: dict[str, Any], spec: ResourceSpec) -> bool:
    (found,) = unwrap_each([record], spec)
    return id_name(found, spec) is not None and field_mapping(spec, frozenset(found)).has_content


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
    other = [key for key in value if key not in usual and plain_name(key) not in NOT_RECORDS]
    is_named = any(plain_name(key) == spec.name for key in usual)
    keys = usual + (other if not is_named and (not path or plain_name(path[-1]) == "embedded") else [])
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
        (key for key in value if plain_name(key) in order), key=lambda key: order.index(plain_name(key))
    )


def _is_numbered(value: Any) -> bool:
    """Return whether an object is a list with its positions as keys."""
    return isinstance(value, dict) and bool(value) and all(str(key).isdecimal() for key in value)


def _as_records(value: Any) -> list[dict[str, Any]] | None:
    if _is_numbered(value):
        value = list(value.values())
    return value if isinstance(value, list) and {dict}.issuperset(map(type, value)) else None


def _read_empty(value: Any, headers: Mapping[str, str], spec: ResourceSpec) -> ListReply | None:
    """Parse a page whose list is null or missing; return None if it is not known to be empty."""
    if not isinstance(value, dict):
        return None
    reply = ListReply([])
    describe_from_headers(reply, headers)
    describe_from_body(reply, [value, *(value[key] for key in _usual(value, spec))])
    is_null = any(inner in (None, {}) and plain_name(key) == spec.name for key, inner in value.items())
    is_behind = None not in {reply.current_page, reply.last_page} and (
        (reply.current_page or 0) >= (reply.last_page or 0)
    )
    return reply if reply.total == 0 or is_behind or (is_null and reply.total is None) else None
