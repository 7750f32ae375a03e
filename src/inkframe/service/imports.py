"""Records copied from another service: each once, with a digest to verify the copy."""

# ruff: noqa: S608  # table and column names are our own; every value is bound as a parameter

from __future__ import annotations

import struct
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final

import orjson

from inkframe.schema import RESOURCES, FieldSpec, FieldType
from inkframe.service.collections import TABLES, template_number, timestamp
from inkframe.service.form_rules import as_service_errors
from inkframe.service.store import RecordTable, open_library, picture_digest, read_identity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from inkframe.vocabulary import Vocabulary

__all__ = ["Arrival", "Imports", "arrival", "chunks", "digest", "oldest_first"]

#: The fields that are stored in the tables of each collection.
STORED: Final = {
    name: {field.name: field for field in spec.shown.values() if field.type != "picture"}
    for name, spec in RESOURCES.items()
}
#: The fields in the digest of a record: its content, without times. A resolution may be derived from the
#: picture.
DIGESTED: Final = {
    name: [field.name for field in fields.values() if field.type != "time" and field.name != "resolution"]
    for name, fields in STORED.items()
}

#: The fields that were digested first, by their values alone. Libraries store digests, so that later fields are
#: digested by name, and only where there is a value.
FIRST_DIGESTED: Final = {
    "images": ("name", "description", "style", "medium", "filter", "favorite"),
    "documents": ("name", "template_id", "prompt", "creativity", "result", "favorite"),
}

#: The conversions of values for storage, by the type of the field.
CONVERTED: Final[dict[FieldType, Callable[[Any], Any]]] = {
    "text": lambda value: value or "",
    "boolean": lambda value: int(bool(value)),
    "number": lambda value: value if value is None else float(value),
    "integer": lambda value: value or 0,
    "time": timestamp,
}


@dataclass(frozen=True, slots=True)
class Arrival:
    """A record to store.

    Args:
        source_id: Its id at the source.
        values: Its columns.
        picture: The PNG of an image.
    """

    source_id: str
    values: Mapping[str, Any]
    picture: bytes = b""


class Imports:
    """The records that a library has imported from one source.

    Args:
        library: The library's file, created if it does not exist.
        source: The address of the service to copy.

    Raises:
        ConfigurationError: The library cannot be used.
    """

    def __init__(self, library: str | Path, source: str) -> None:
        self._pool = open_library(library)
        self._source = source
        self._records = {name: RecordTable(self._pool, table) for name, table in TABLES.items()}

    @property
    def identity(self) -> str:
        """The identity of the library."""
        return read_identity(self._pool)

    def digests(self, collection: str) -> dict[str, str]:
        """Return the digest of each imported record as it arrived, by its id at the source.

        Args:
            collection: ``images`` or ``documents``.
        """
        sql = "SELECT source_id, digest FROM imports WHERE source = ? AND collection = ?"
        with as_service_errors(), self._pool.connection() as connection:
            return dict(connection.execute(sql, (self._source, collection)).fetchall())

    def add(self, collection: str, arrivals: Iterable[Arrival]) -> None:
        """Store records in one transaction: all of them, or none on any error.

        Raises:
            ServerError: The library cannot be written.
        """
        records = self._records[collection]
        note = "INSERT INTO imports VALUES (?, ?, ?, ?, ?)"
        with as_service_errors(), self._pool.writing() as connection:
            for each in arrivals:
                record = records.insert(connection, each.values, each.picture or None)
                came = digest(collection, each.values, each.picture)
                connection.execute(note, (self._source, collection, each.source_id, record["id"], came))

    def altered(self, collection: str, source_ids: Iterable[str]) -> list[str]:
        """Reread copies with their pictures, and return the source ids of those that have changed."""
        columns = DIGESTED[collection]
        has_picture = RESOURCES[collection].has_picture
        picture = "(SELECT png FROM pictures WHERE image_id = id)" if has_picture else "NULL"
        sql = (
            f"SELECT digest, {picture}, {', '.join(columns)} FROM imports JOIN {collection} ON id = record_id"
            " WHERE source = ? AND collection = ? AND source_id = ?"
        )
        found = []
        with as_service_errors(), self._pool.reading() as connection:
            for source_id in source_ids:
                row = connection.execute(sql, (self._source, collection, source_id)).fetchone()
                came, png, *values = row or (None, None)
                if came != digest(collection, dict(zip(columns, values, strict=False)), png or b""):
                    found.append(source_id)
        return found

    def close(self) -> None:
        """Close the library."""
        self._pool.close()


def arrival(
    collection: str, source_id: str, record: Mapping[str, Any], vocabulary: Vocabulary, picture: bytes = b""
) -> Arrival:
    """Return a record to store; a field that the source does not show gets a default value.

    Args:
        collection: ``images`` or ``documents``.
        source_id: Its id at the source.
        record: Its columns as read, None where a value is missing.
        vocabulary: The values that determine the template of a prompt.
        picture: Its picture as PNG.
    """
    given = {name: value for name, value in record.items() if value not in (None, "")}
    created = given.get("created_at") or datetime.now(UTC)
    size = struct.unpack(">II", picture[16:24]) if picture else (0, 0)
    instead = {
        "name": f"{RESOURCES[collection].noun.capitalize()} {source_id}",
        "resolution": "{}x{}".format(*size),
        "template_id": template_number(vocabulary, given.get("prompt", "")),
        "created_at": created,
        "updated_at": created,
    }
    values = {
        name: _converted(field, given.get(name, instead.get(name, field.default)))
        for name, field in STORED[collection].items()
    }
    return Arrival(source_id, values, picture)


def digest(collection: str, values: Mapping[str, Any], picture: bytes = b"") -> str:
    """Return the digest of a record's content, followed by a hyphen and that of its picture."""
    first = FIRST_DIGESTED.get(collection, ())
    said = [values.get(name) for name in first]
    later = [name for name in DIGESTED[collection] if name not in first]
    said += [(name, values[name]) for name in later if values.get(name) is not None]
    return blake2b(orjson.dumps(said), digest_size=12).hexdigest() + (
        f"-{picture_digest(picture)}" if picture else ""
    )


def _converted(field: FieldSpec, value: Any) -> Any:
    is_left_out = value is None and field.create == "optional"
    return value if is_left_out or field.type not in CONVERTED else CONVERTED[field.type](value)


def oldest_first(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the records of a page in the order of creation, which their new ids have, too."""
    for name, kind in (("id", int), ("created_at", datetime)):
        if all(isinstance(row.get(name), kind) for row in found):
            return sorted(found, key=lambda row: row[name])
    return found


def chunks(found: Sequence[dict[str, Any]], size: int) -> Iterator[Sequence[dict[str, Any]]]:
    """Return so many records at a time, which are stored together."""
    return (found[start : start + size] for start in range(0, len(found), max(size, 1)))
