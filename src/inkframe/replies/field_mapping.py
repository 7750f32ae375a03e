"""The mapping from the keys of records to the columns of a collection."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from inkframe.replies.field_names import fold

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inkframe.schema import ResourceSpec

__all__ = ["ID_NAMES", "MOST_KEYS", "REPLY_PARTS", "FieldMapping", "field_mapping"]

#: The usual names of an id, the most likely first; case, ``_`` and ``-`` are ignored here and below.
ID_NAMES: Final = ("id", "uuid", "uid", "guid", "key", "pk", "object_id")
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


@dataclass(frozen=True, slots=True)
class FieldMapping:
    """The mapping of records with the same keys.

    Args:
        ids: The keys that may contain the id, the most likely first.
        columns: The key of each column that is present.
        times: The keys of each time that is present more than once, the most likely first.
        rest: The unknown keys.
        has_content: Whether a column is present that only records of this collection have.
    """

    ids: tuple[str, ...]
    columns: Mapping[str, str]
    times: Mapping[str, tuple[str, ...]]
    rest: frozenset[str]
    has_content: bool


def field_mapping(spec: ResourceSpec, keys: frozenset[str]) -> FieldMapping:
    """Return the mapping of records; case, ``_`` and ``-`` in names are ignored, and exact names come first.

    Args:
        spec: The collection.
        keys: The keys of the records.
    """
    if len(keys) > MOST_KEYS:
        return FieldMapping((), {}, {}, frozenset(), has_content=False)
    read = _field_mapping if sum(map(len, keys)) < ORDINARY else _field_mapping.__wrapped__
    return read(spec, keys)


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
    return FieldMapping(ids, columns, times, rest, not spec.content.isdisjoint(columns))
