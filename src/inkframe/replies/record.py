"""Single records from replies, found by shape."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from inkframe.errors import UnexpectedReply
from inkframe.http.key import plain_text
from inkframe.replies.dialect import Dialect, with_pinned_fields
from inkframe.replies.fields import field_mapping, has_content, id_name, unwrap
from inkframe.replies.picture_location import further_locations, location_at, picture_name, resolve

if TYPE_CHECKING:
    from collections.abc import Iterable

    from inkframe.http.address import Address
    from inkframe.schema import ResourceSpec

__all__ = [
    "WRAPPERS",
    "Record",
    "as_record",
    "find_record",
    "picture_sources",
    "shape_of",
]

#: Keys under which services wrap a single record.
WRAPPERS: Final = ("data", "result", "item", "record", "response", "payload", "value", "node")
#: The number of keys of a reply that may lead to its record, besides the usual ones.
MOST_OTHERS: Final = 100


@dataclass(slots=True, repr=False)  # a traceback with variables shows no content of a service
class Record:
    """One record.

    Args:
        id: Its id.
        known: The value of each field of the collection.
        extra: The additional fields of the service.
        picture: The location of its picture, or the picture itself as a data URI or base64.
        further: Other locations of the picture, for one that is not found.
        absent: The fields that the reply does not contain.
        awaited: Whether its picture or text is still generated.
        finished: Whether its picture or text is available.
        keys: The keys of its id, slug and other ids, as compared by ``id_key``.
        differences: The values that differ from those that were sent, after a create or an update.
        costs: What its create cost, if the service reported it.
    """

    id: int | str
    known: dict[str, Any]
    extra: dict[str, Any]
    picture: str | None = None
    further: tuple[str, ...] = ()
    absent: frozenset[str] = frozenset()
    awaited: bool = False
    finished: bool = True
    keys: frozenset[str] = frozenset()
    differences: dict[str, Any] = field(default_factory=dict)
    costs: dict[str, float] = field(default_factory=dict)


def find_record(
    value: Any, spec: ResourceSpec, dialect: Dialect, asked: int | str | None = None
) -> dict[str, Any]:
    """Find the single record in a reply, bare or wrapped.

    Args:
        value: The reply.
        spec: The collection.
        dialect: The response format, updated with the keys of the record.
        asked: The id of the requested record, for a reply that contains the record without its id.

    Raises:
        UnexpectedReply: There is none; the message has the keys and types of the reply.
    """
    if dialect.record_at is not None:
        found = value
        for key in dialect.record_at:
            found = found.get(key) if isinstance(found, dict) else None
        if isinstance(found, dict) and (record := as_record(found, spec, dialect)) is not None:
            return record
    keys = islice(value, MOST_OTHERS) if isinstance(value, dict) else ()
    others = ((key,) for key in keys if isinstance(value[key], dict))
    candidates = [*_candidates(value, spec), *((path, value[path[0]]) for path in others)]
    for path, candidate in candidates:
        record = as_record(candidate, spec, dialect)
        if record is not None:
            dialect.learn(record_at=path)
            return record
    for _, candidate in candidates if asked is not None else ():
        record = with_pinned_fields(unwrap(candidate, spec), candidate, dialect)
        ids = field_mapping(spec, frozenset(record)).ids
        # An id that cannot be read may be that of another record.
        if has_content(record, spec) and all(record[name] in (None, "") for name in ids):
            return {**record, dialect.id_key: asked}
    raise UnexpectedReply(
        f"The reply must contain one {spec.noun}, got {shape_of(value)}.\n"
        f"Check base_url, or pin the keys of the record with client.{spec.name}.dialect."
    )


def _candidates(
    value: Any, spec: ResourceSpec, path: tuple[str, ...] = ()
) -> Iterable[tuple[tuple[str, ...], dict[str, Any]]]:
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if not isinstance(value, dict):
        return
    yield path, value
    if len(path) < 2:
        for key in (*WRAPPERS, spec.noun, spec.name):
            if key in value:
                yield from _candidates(value[key], spec, (*path, key))


def as_record(value: dict[str, Any], spec: ResourceSpec, dialect: Dialect) -> dict[str, Any] | None:
    """Return an object with its fields and its id at the top level; None if it is not a record."""
    record = with_pinned_fields(unwrap(value, spec), value, dialect)
    if id_name(record, spec) is None:
        return None
    if not spec.content.isdisjoint(record) or field_mapping(spec, frozenset(record)).columns:
        return record
    # An id alone is enough if all other values are plain.
    return None if any(isinstance(inner, dict | list) for inner in record.values()) else record


def picture_sources(
    record: dict[str, Any], spec: ResourceSpec, dialect: Dialect, address: Address | None
) -> list[str]:
    """Return the locations of the picture of a record, the first to try first.

    Each is an address, a path, a data URI, or base64.
    """
    layout = field_mapping(spec, frozenset(record))
    taken = frozenset([*layout.columns.values(), dialect.id_key])
    name = picture_name([record], spec, dialect, taken, address)
    first = name and location_at(record, name, dialect)
    further = further_locations(record, spec, dialect, taken, address) if first else []
    return [resolve(value, address) for value in dict.fromkeys([first, *further]) if value]


def shape_of(value: Any, depth: int = 0) -> str:
    """Describe JSON by keys and types, without any value."""
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int() | float():
            return "number"
        case str():
            return "text"
        case list():
            return f"list of {len(value)}" + (
                f" ({shape_of(value[0], depth + 1)})" if value and depth < 2 else ""
            )
        case dict():
            if depth >= 2:
                return f"object of {len(value)}"
            shown = [
                f"{plain_text(str(k)[:30], 30)}: {shape_of(v, depth + 1)}" for k, v in list(value.items())[:8]
            ]
            return "{" + ", ".join(shown) + (", …" if len(value) > 8 else "") + "}"
        case _:
            return type(value).__name__
