"""What stands around a record, or in place of its id: wrappers, and links to itself."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote, urlsplit

from inkframe.replies.field_mapping import field_mapping
from inkframe.replies.field_names import fold
from inkframe.replies.values import read_id

if TYPE_CHECKING:
    from inkframe.schema import ResourceSpec

__all__ = ["id_name", "linked_id", "links_of", "made_id", "unwrap", "unwrap_each"]

#: What database drivers call the id of the record they inserted last.
MADE_ID_NAMES: Final = ("inserted_id", "insert_id", "last_insert_id", "last_insert_rowid", "last_id", "created_id",
                        "new_id")  # fmt: skip
#: Parts of a record that hold its fields: those of JSON:API, Airtable, Elasticsearch, GeoJSON.
PARTS: Final = frozenset({"attributes", "fields", "source", "properties"})
#: Keys under which the records of a list stand one by one, beside the collection's noun: those of GraphQL, CouchDB.
ROWS: Final = frozenset({"node", "doc", "document", "item", "record", "resource", "data", "entity"})
#: Parts of a record that hold its id and times beside its fields.
BESIDE: Final = frozenset({"sys", "meta", "metadata"})
#: Keys of a link from a record to itself, the likeliest first.
SELF_NAMES: Final = ("self", "@id", "@odata.id", "self_link", "self_url", "resource_uri", "resource_url", "url",
                     "href", "uri", "link")  # fmt: skip
#: An address with such an ending leads to a picture and not to a record.
FILE: Final = re.compile(r"\.(?:png|jpe?g|webp|gif|svg|avif)\Z", re.IGNORECASE)


def id_name(record: dict[str, Any], spec: ResourceSpec) -> str | None:
    """Give the key of a record's id."""
    if type(record.get("id")) is int:
        return "id"
    for name in field_mapping(spec, frozenset(record)).ids:
        if read_id(record[name]) is not None or type(record[name]) is float:
            return name
    return None


def made_id(value: Any) -> int | str | None:
    """Give the id of a record that was made, where a reply says no more: ``{"insertedId": 4}``."""
    if not isinstance(value, dict):
        return None
    folded = {fold(key): inner for key, inner in value.items()}
    found = (read_id(folded.get(fold(name))) for name in MADE_ID_NAMES)
    inner = (made_id(each) for each in value.values() if isinstance(each, dict))
    return next((id for id in (*found, *inner) if id is not None), None)


def unwrap_each(records: list[dict[str, Any]], spec: ResourceSpec) -> list[dict[str, Any]]:
    """Give the records of a list, each with its fields and its id at the top."""
    if not records or ("id" in records[0] and not spec.content.isdisjoint(records[0])):
        return records
    return [unwrap(record, spec, ROWS | {spec.noun}) for record in records]


def unwrap(record: dict[str, Any], spec: ResourceSpec, rows: frozenset[str] = frozenset()) -> dict[str, Any]:
    """Give a record with its fields and its id at the top.

    Args:
        record: The record as it came.
        spec: The collection.
        rows: Further keys under which a record may stand, folded.
    """
    if type(record.get("id")) is int and not spec.content.isdisjoint(record):
        return record  # as nearly every service writes it
    record = _lifted(record, spec, PARTS | rows) or record
    if id_name(record, spec) is not None or not _has_content(record, spec):
        return record
    for name, beside in record.items():
        if fold(name) in BESIDE and isinstance(beside, dict):
            layout = field_mapping(spec, frozenset(beside))
            moved = {*layout.ids, *layout.columns.values()}
            rest = {key: inner for key, inner in beside.items() if key not in moved}
            record = {**{key: beside[key] for key in moved}, **record, name: rest}
    if id_name(record, spec) is not None:
        return record
    found = (linked_id(link, spec) for link in _self_links(record))
    id = next((id for id in found if id is not None), None)
    return record if id is None else {"id": id, **record}


def _has_content(record: dict[str, Any], spec: ResourceSpec) -> bool:
    """Whether an object has fields of a record, and not another object under such a name."""
    columns = field_mapping(spec, frozenset(record)).columns
    return any(isinstance(record[columns[name]], str | int | float) for name in spec.content & columns.keys())


def _lifted(
    record: dict[str, Any], spec: ResourceSpec, names: frozenset[str], depth: int = 0
) -> dict[str, Any] | None:
    if field_mapping(spec, frozenset(record)).has_content:
        return record
    for name, inner in record.items() if depth < 3 else ():
        if isinstance(inner, dict) and fold(name) in names:
            found = _lifted(inner, spec, names, depth + 1)
            if found is not None:
                # JSON:API's type says no more than the collection.
                return {**found, **{k: v for k, v in record.items() if k not in {name, "type"}}}
    return None


def links_of(value: Any) -> dict[str, Any]:
    """Give links by relation; some services write ``{"self": …}``, others a list with ``rel`` and ``href``."""
    if isinstance(value, list):
        return {str(link["rel"]): link for link in value if isinstance(link, dict) and "rel" in link}
    return value if isinstance(value, dict) else {}


def _self_links(record: dict[str, Any]) -> list[Any]:
    places = [*(links_of(record.get(name)) for name in ("_links", "links")), record]
    folded = [{fold(key): inner for key, inner in place.items()} for place in places]
    links = [place.get(fold(name)) for name in SELF_NAMES for place in folded]
    return [link.get("href") if isinstance(link, dict) else link for link in links]


def linked_id(link: Any, spec: ResourceSpec) -> int | str | None:
    """Give the id in a link to a record, ``/documents/3``; a number where it is one."""
    if not isinstance(link, str) or f"/{spec.name}/" not in link:
        return None
    try:
        path = urlsplit(link).path
    except ValueError:
        return None
    found = re.search(rf"/{spec.name}/([^/]+)/?\Z", path)
    if found is None or FILE.search(found[1]):
        return None
    segment = unquote(found[1])
    return int(segment) if segment.isdecimal() and segment.isascii() and len(segment) < 19 else segment
