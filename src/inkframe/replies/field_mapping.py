"""The mapping from the keys of records to the columns of a collection."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from inkframe.replies.field_names import fold

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inkframe.schema import ResourceSpec

__all__ = ["ID_NAMES", "REPLY_PARTS", "FieldMapping", "field_mapping"]

#: The usual names of an id, the most likely first; case, ``_`` and ``-`` are ignored here and below.
ID_NAMES: Final = ("id", "uuid", "uid", "guid", "key", "pk", "object_id")
#: Parts of a record that describe the reply and not the record.
REPLY_PARTS: Final = frozenset({"_links", "links", "relationships", "@odata.id", "@odata.etag", "_embedded"})
#: The total length of the keys up to which a mapping is cached.
ORDINARY: Final = 4000


@dataclass(frozen=True, slots=True)
class FieldMapping:
    """The mapping of records with the same keys.

    Args:
        ids: The keys that may contain the id, the most likely first.
        columns: The key of each column that is present.
        rest: The unknown keys.
        has_content: Whether a column is present that only records of this collection have.
    """

    ids: tuple[str, ...]
    columns: Mapping[str, str]
    rest: frozenset[str]
    has_content: bool


def field_mapping(
    spec: ResourceSpec, keys: frozenset[str], created: str | None = None, updated: str | None = None
) -> FieldMapping:
    """Return the mapping of records; case, ``_`` and ``-`` in names are ignored, and exact names come first.

    Args:
        spec: The collection.
        keys: The keys of the records.
        created: The key of the time of creation, if known.
        updated: The key of the time of the last change, if known.
    """
    read = _field_mapping if sum(map(len, keys)) < ORDINARY else _field_mapping.__wrapped__
    return read(spec, keys, created, updated)


@lru_cache(maxsize=512)
def _field_mapping(
    spec: ResourceSpec, keys: frozenset[str], created: str | None, updated: str | None
) -> FieldMapping:
    folded: dict[str, list[str]] = {}
    for key in sorted(keys):
        folded.setdefault(fold(key), []).append(key)

    def present(names: tuple[str, ...]) -> tuple[str, ...]:
        found = [key for name in names for key in (name, *folded.get(fold(name), ())) if key in keys]
        return tuple(dict.fromkeys(found))

    columns: dict[str, str] = {}
    known = {"created_at": created, "updated_at": updated}
    for column, field in spec.shown.items():
        # A picture is found by its value.
        names = field.names or (() if field.type == "picture" else (column,))
        if found := present(names if known.get(column) not in keys else (str(known[column]),)):
            columns[column] = found[0]
    rest = keys - set(columns.values()) - REPLY_PARTS
    ids = present((*ID_NAMES, f"{spec.noun}_id"))
    return FieldMapping(ids, columns, rest, not spec.content.isdisjoint(columns))
