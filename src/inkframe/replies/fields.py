"""The keys of records: wrappers around them, links that replace their ids, and the column that each key is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote, urlsplit

from inkframe.replies.values import fold, read_id

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inkframe.schema import ResourceSpec

__all__ = [
    "FILE",
    "ID_NAMES",
    "MOST_KEYS",
    "REPLY_PARTS",
    "FieldMapping",
    "aliases_of",
    "field_mapping",
    "has_content",
    "id_key",
    "id_name",
    "linked_id",
    "links_of",
    "made_id",
    "unwrap",
    "unwrap_each",
]

#: Keys of database drivers for the id of the record inserted last.
MADE_ID_NAMES: Final = ("inserted_id", "insert_id", "last_insert_id", "last_insert_rowid", "last_id", "created_id",
                        "new_id")  # fmt: skip
#: Parts of a record with its fields, as in JSON:API, Airtable, Elasticsearch and GeoJSON.
PARTS: Final = frozenset({"attributes", "fields", "source", "properties"})
#: Keys that wrap each record of a list, besides the noun of the collection, as in GraphQL and CouchDB.
ROWS: Final = frozenset({"node", "doc", "document", "item", "record", "resource", "data", "entity"})
#: Parts of a record with its id and times.
BESIDE: Final = frozenset({"sys", "meta", "metadata"})
#: Keys of a link from a record to itself, the most likely first.
SELF_NAMES: Final = ("self", "@id", "@odata.id", "self_link", "self_url", "resource_uri", "resource_url", "url",
                     "href", "uri", "link")  # fmt: skip
#: The file extensions of addresses that lead to a picture instead of a record.
FILE: Final = re.compile(r"\.(?:png|jpe?g|webp|gif|svg|avif)\Z", re.IGNORECASE)

#: The usual names of an id, the most likely first; case, ``_`` and ``-`` are ignored here and below.
ID_NAMES: Final = ("id", "uuid", "uid", "guid", "key", "pk", "object_id")

#: Names of values by which services find a record besides its id.
ALIAS_NAMES: Final = (*ID_NAMES, "slug", "permalink", "handle", "short_id", "public_id")
UUID_FORM: Final = re.compile(
    r"(?:urn:uuid:)?\{?[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}\}?", re.IGNORECASE
)

#: Keys of records that have another key than ``id`` in addresses, by folded names: Strapi 5.
OTHER_IDS: Final = ((frozenset({"id", "documentid", "publishedat"}), "documentId"),)
#: The endings of times, as in ``date_gmt``.
TIME_ENDINGS: Final = ("", "_gmt", "_utc")
#: Parts of a record that describe the reply and not the record.
REPLY_PARTS: Final = frozenset({"_links", "links", "relationships", "@odata.id", "@odata.etag", "_embedded"})
#: The total length of the keys up to which a mapping is cached.
ORDINARY: Final = 4000
#: The most keys of a record; an object with more is none.
MOST_KEYS: Final = 5000
#: The most objects of a reply that are read.
MOST_OBJECTS: Final = 40
DEEPEST: Final = 4


def id_name(record: dict[str, Any], spec: ResourceSpec) -> str | None:
    """Return the key of the id of a record."""
    if type(record.get("id")) is int and "documentId" not in record:
        return "id"
    for name in field_mapping(spec, frozenset(record)).ids:
        if read_id(record[name]) is not None or type(record[name]) is float:
            return name
    return None


def made_id(value: Any) -> int | str | None:
    """Return the id of a created record from a reply without more, such as ``{"insertedId": 4}``."""
    if not isinstance(value, dict):
        return None
    folded = {fold(key): inner for key, inner in value.items()}
    found = (read_id(folded.get(fold(name))) for name in MADE_ID_NAMES)
    inner = (made_id(each) for each in value.values() if isinstance(each, dict))
    return next((id for id in (*found, *inner) if id is not None), None)


def unwrap_each(records: list[dict[str, Any]], spec: ResourceSpec) -> list[dict[str, Any]]:
    """Return the records of a list, each with its fields and its id at the top level."""
    if not records or ("id" in records[0] and not spec.content.isdisjoint(records[0])):
        return records
    return [unwrap(record, spec, ROWS | {spec.noun}) for record in records]


def unwrap(record: dict[str, Any], spec: ResourceSpec, rows: frozenset[str] = frozenset()) -> dict[str, Any]:
    """Return a record with its fields and its id at the top level.

    Args:
        record: The record as received.
        spec: The collection.
        rows: Further keys that may wrap a record, folded.
    """
    if type(record.get("id")) is int and not spec.content.isdisjoint(record):
        return record  # the usual format
    record = _lifted(record, spec, PARTS | rows) or record
    if id_name(record, spec) is not None or not has_content(record, spec):
        return record
    for name, beside in record.items():
        if fold(name) in BESIDE and isinstance(beside, dict):
            layout = field_mapping(spec, frozenset(beside))
            moved = {*layout.ids, *layout.columns.values()}
            rest = {key: inner for key, inner in beside.items() if key not in moved}
            record = {**{key: beside[key] for key in moved}, **record, name: rest}
    if id_name(record, spec) is not None:
        return record
    if (id := linked_id(record.get("name"), spec)) is not None:
        return _named_for_display(record) | {"id": id}
    id = next((id for link in _self_links(record) if (id := linked_id(link, spec)) is not None), None)
    return record if id is None else {"id": id, **record}


def _named_for_display(record: dict[str, Any]) -> dict[str, Any]:
    """Return a record whose name is a resource name of Google, such as ``documents/3``, with the name for display."""
    named = {f"service.{key}" if key == "name" else key: value for key, value in record.items()}
    shown = [value for key, value in record.items() if fold(key) == "displayname"]
    return named | ({"name": shown[0]} if shown else {})


def has_content(record: dict[str, Any], spec: ResourceSpec) -> bool:
    """Return whether an object has fields of a record, and not another object under the same key."""
    columns = field_mapping(spec, frozenset(record)).columns
    return any(isinstance(record[columns[name]], str | int | float) for name in spec.content & columns.keys())


def _lifted(
    record: dict[str, Any], spec: ResourceSpec, names: frozenset[str], depth: int = 0
) -> dict[str, Any] | None:
    if field_mapping(spec, frozenset(record)).has_content or len(record) > MOST_KEYS:
        return record
    for name, inner in record.items() if depth < 3 else ():
        if isinstance(inner, dict) and fold(name) in names:
            found = _lifted(inner, spec, names, depth + 1)
            if found is not None:
                # The type in JSON:API only repeats the collection.
                return {**found, **{k: v for k, v in record.items() if k not in {name, "type"}}}
    return None


def links_of(value: Any) -> dict[str, Any]:
    """Return links by relation, from ``{"self": …}`` or from a list with ``rel`` and ``href``."""
    if isinstance(value, list):
        return {str(link["rel"]): link for link in value if isinstance(link, dict) and "rel" in link}
    return value if isinstance(value, dict) else {}


def _self_links(record: dict[str, Any]) -> list[Any]:
    places = [*(links_of(record.get(name)) for name in ("_links", "links")), record]
    folded = [{fold(key): inner for key, inner in place.items()} for place in places]
    links = [place.get(fold(name)) for name in SELF_NAMES for place in folded]
    return [link.get("href") if isinstance(link, dict) else link for link in links]


def linked_id(link: Any, spec: ResourceSpec) -> int | str | None:
    """Return the id in a link to a record, such as ``/documents/3``; an int if it is a number.

    PostgREST has it in the query: ``/documents?id=eq.3``.
    """
    if not isinstance(link, str) or f"/{spec.name}" not in f"/{link}":
        return None
    try:
        parts = urlsplit(link)
    except ValueError:
        return None
    found = re.search(rf"/{spec.name}/([^/]+)/?\Z", f"/{parts.path}")
    found = found or re.search(rf"/{spec.name}\?id=(?:eq\.)?([^&]+)\Z", f"/{parts.path}?{parts.query}")
    if found is None or FILE.search(found[1]):
        return None
    segment = unquote(found[1])
    return int(segment) if segment.isdecimal() and segment.isascii() and len(segment) < 19 else segment


def id_key(id: int | str, spec: ResourceSpec) -> str:
    """Return the text by which ids are compared: without the link around it, and a UUID without its case."""
    linked = None if type(id) is int else linked_id(id, spec)
    text = str(id if linked is None else linked)
    if UUID_FORM.fullmatch(text):
        return text.lower().removeprefix("urn:uuid:").strip("{}").replace("-", "")
    return text


@cache
def _alias_names(noun: str) -> frozenset[str]:
    return frozenset(fold(name) for name in (*ALIAS_NAMES, f"{noun}_id", f"{noun}_slug"))


def aliases_of(record: Mapping[str, Any], spec: ResourceSpec) -> frozenset[str]:
    """Return the keys of all values of a record by which a service may find it, such as its slug."""
    names = field_mapping(spec, frozenset(record)).aliases
    return frozenset(id_key(id, spec) for name in names if (id := read_id(record[name])) is not None)


@dataclass(frozen=True, slots=True)
class FieldMapping:
    """The mapping of records with the same keys.

    Args:
        ids: The keys that may contain the id, the most likely first.
        columns: The key of each column that is present.
        times: The keys of each time that is present more than once, the most likely first.
        rest: The unknown keys.
        has_content: Whether a column is present that only records of this collection have.
        aliases: The keys of values by which a service may find a record, such as its slug.
    """

    ids: tuple[str, ...]
    columns: Mapping[str, str]
    times: Mapping[str, tuple[str, ...]]
    rest: frozenset[str]
    has_content: bool
    aliases: tuple[str, ...] = ()


def field_mapping(spec: ResourceSpec, keys: frozenset[str]) -> FieldMapping:
    """Return the mapping of records; case, ``_`` and ``-`` in names are ignored, and exact names come first.

    Args:
        spec: The collection.
        keys: The keys of the records.
    """
    if len(keys) > MOST_KEYS:
        return FieldMapping((), {}, {}, frozenset(), has_content=False)
    return (_field_mapping if sum(map(len, keys)) < ORDINARY else _field_mapping.__wrapped__)(spec, keys)


@lru_cache(maxsize=512)
def _field_mapping(spec: ResourceSpec, keys: frozenset[str]) -> FieldMapping:
    folded: dict[str, list[str]] = {}
    for key in sorted(keys):
        folded.setdefault(fold(key), []).append(key)

    def present(names: tuple[str, ...]) -> tuple[str, ...]:
        found = [key for name in names for key in (name, *folded.get(fold(name), ())) if key in keys]
        return tuple(dict.fromkeys(found))

    columns: dict[str, str] = {}
    times: dict[str, tuple[str, ...]] = {}
    for column, field in spec.shown.items():
        # A picture is found by its value.
        names = field.names or (() if field.type == "picture" else (column,))
        if field.type == "time":
            names = tuple(f"{name}{ending}" for name in names for ending in TIME_ENDINGS)
        if found := present(names):
            columns[column] = found[0]
            if field.type == "time" and len(found) > 1:
                times[column] = found
    rest = keys - set(columns.values()) - REPLY_PARTS
    others = [name for names, name in OTHER_IDS if names <= folded.keys()]
    ids = present((*others, *ID_NAMES, f"{spec.noun}_id"))
    known = _alias_names(spec.noun)
    aliases = tuple(key for key in keys if fold(key) in known)
    return FieldMapping(ids, columns, times, rest, not spec.content.isdisjoint(columns), aliases)


def objects_in(value: Any) -> list[tuple[tuple[str, ...], dict[str, Any]]]:
    """Return the objects of a reply with the keys that lead to them, the outermost first."""
    level: list[tuple[tuple[str, ...], Any]] = [((), value)]
    objects: list[tuple[tuple[str, ...], dict[str, Any]]] = []
    while level and len(objects) < MOST_OBJECTS:
        inner: list[tuple[tuple[str, ...], Any]] = []
        for path, each in level:
            found = each[0] if isinstance(each, list) and len(each) == 1 else each
            if isinstance(found, dict) and len(objects) < MOST_OBJECTS:
                objects.append((path, found))
                if len(path) < DEEPEST:
                    inner += [
                        ((*path, key), more) for key, more in found.items() if isinstance(more, dict | list)
                    ]
        level = inner
    return objects


def is_rounded(record: dict[str, Any], spec: ResourceSpec) -> bool:
    """Return whether the id of a record was an integer beyond 64 bits, which orjson rounds."""
    name = id_name(record, spec) if float in map(type, record.values()) else None
    return name is not None and type(record[name]) is float
