"""Where the columns of a collection stand in records of certain keys."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from inkframe.replies.field_names import fold

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inkframe.schema import ResourceSpec

__all__ = ["ID_NAMES", "PLUMBING", "FieldMapping", "field_mapping"]

#: The usual names of an id, the likeliest first; here and below case, ``_`` and ``-`` do not count.
ID_NAMES: Final = ("id", "uuid", "uid", "guid", "key", "pk", "object_id")
#: Parts of a record that describe the reply and not the record.
PLUMBING: Final = frozenset({"_links", "links", "relationships", "@odata.id", "@odata.etag", "_embedded"})
#: The letters of keys up to which a layout is remembered; more than that is no ordinary record.
ORDINARY: Final = 4000


@dataclass(frozen=True, slots=True)
class FieldMapping:
    """What records of certain keys show.

    Args:
        ids: The keys that may hold the id, the likeliest first.
        columns: The key of each column that is shown.
        rest: The keys of which nothing is known.
        has_content: Whether a column is shown that only a record of this collection has.
    """

    ids: tuple[str, ...]
    columns: Mapping[str, str]
    rest: frozenset[str]
    has_content: bool


def field_mapping(
    spec: ResourceSpec, keys: frozenset[str], created: str | None = None, updated: str | None = None
) -> FieldMapping:
    """Give the layout of records; names count whatever their case, ``_`` and ``-``, exact ones first.

    Args:
        spec: The collection.
        keys: The keys of the records.
        created: The key of the time of creation, where it is known.
        updated: The key of the time of the last change, where it is known.
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
        names = field.shown_as
        if found := present(names if known.get(column) not in keys else (str(known[column]),)):
            columns[column] = found[0]
    rest = keys - set(columns.values()) - PLUMBING
    ids = present((*ID_NAMES, f"{spec.noun}_id"))
    return FieldMapping(ids, columns, rest, not spec.content.isdisjoint(columns))
