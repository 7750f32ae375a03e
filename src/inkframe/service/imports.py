"""Records copied from another service: each once, with what it takes to check the copy."""

# ruff: noqa: S608  # names in the SQL are our own; every value from outside is bound to a place

from __future__ import annotations

import struct
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final, Self

import orjson

from inkframe.service.collections import now, timestamp
from inkframe.service.documents import CREATIVITY, template_number
from inkframe.service.documents import TABLE as DOCUMENT
from inkframe.service.error_responses import as_service_errors
from inkframe.service.images import TABLE as IMAGE
from inkframe.service.images import store_image
from inkframe.service.store import Records, open_library, picture_digest, read_identity

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path
    from types import TracebackType

    from inkframe.vocabulary import Vocabulary

__all__ = ["Arrival", "Imports", "arrived_document", "arrived_image", "digest"]

#: What the digest of a record is made of: what it says, and not when.
DIGESTED: Final = {
    "images": ("name", "description", "style", "medium", "filter", "favorite"),
    "documents": ("name", "template_id", "prompt", "creativity", "result", "favorite"),
}


@dataclass(frozen=True, slots=True)
class Arrival:
    """A record as it is to be stored.

    Args:
        source_id: Its id where it comes from.
        values: Its columns.
        picture: The PNG of an image.
    """

    source_id: str
    values: Mapping[str, Any]
    picture: bytes = b""


class Imports:
    """What a library has from one source, and the way in for more.

    Args:
        library: The library's file, made where it does not exist.
        source: The address of the service that is copied.

    Raises:
        ConfigurationError: The library cannot be used.
    """

    def __init__(self, library: str | Path, source: str) -> None:
        self._pool = open_library(library)
        self._source = source
        self._records = {table.name: Records(self._pool, table) for table in (IMAGE, DOCUMENT)}

    @property
    def identity(self) -> str:
        """The identity of the library."""
        return read_identity(self._pool)

    def digests(self, collection: str) -> dict[str, str]:
        """Give what is there already: the digest of each record as it came, by its id at the source.

        Args:
            collection: ``images`` or ``documents``.
        """
        sql = "SELECT source_id, digest FROM imports WHERE source = ? AND collection = ?"
        with as_service_errors(), self._pool.connection() as connection:
            return dict(connection.execute(sql, (self._source, collection)).fetchall())

    def add(self, collection: str, arrivals: Iterable[Arrival]) -> None:
        """Store records in one transaction: all of them, or on any error none.

        Raises:
            ServerError: The library cannot be written.
        """
        records = self._records[collection]
        note = "INSERT INTO imports VALUES (?, ?, ?, ?, ?)"
        with as_service_errors(), self._pool.writing() as connection:
            for arrival in arrivals:
                if collection == "images":
                    record = store_image(records, connection, arrival.values, arrival.picture)
                else:
                    record = records.insert(connection, arrival.values)
                came = digest(collection, arrival.values, arrival.picture)
                connection.execute(note, (self._source, collection, arrival.source_id, record["id"], came))

    def altered(self, collection: str, source_ids: Iterable[str]) -> list[str]:
        """Read copies again, pictures included, and give the ids at the source of those that are not as they came."""
        columns = DIGESTED[collection]
        picture = "(SELECT png FROM pictures WHERE image_id = id)" if collection == "images" else "NULL"
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

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        self.close()


def arrived_image(source_id: str, record: Mapping[str, Any], picture: bytes = b"") -> Arrival:
    """Give an image as it is to be stored; what the source does not show has a value of its own.

    Args:
        source_id: Its id at the source.
        record: Its columns as they were read, None where there is nothing.
        picture: Its picture as PNG.
    """
    size = struct.unpack(">II", picture[16:24]) if picture else (0, 0)
    looks = {name: record.get(name) for name in ("style", "medium", "filter")}
    values = {
        "name": record.get("name") or f"Image {source_id}",
        "description": record.get("description") or "",
        "resolution": record.get("resolution") or f"{size[0]}x{size[1]}",
        **looks,
        **_kept(record),
    }
    return Arrival(source_id, values, picture)


def arrived_document(source_id: str, record: Mapping[str, Any], vocabulary: Vocabulary) -> Arrival:
    """Give a document as it is to be stored; what the source does not show has a value of its own.

    Args:
        source_id: Its id at the source.
        record: Its columns as they were read, None where there is nothing.
        vocabulary: Knows the template that a prompt opens with, where the record does not show it.
    """
    prompt = record.get("prompt") or ""
    creativity = record.get("creativity")
    values = {
        "name": record.get("name") or f"Document {source_id}",
        "template_id": record.get("template_id") or template_number(vocabulary, prompt),
        "prompt": prompt,
        "creativity": CREATIVITY if creativity is None else float(creativity),
        "result": record.get("result") or "",
        **_kept(record),
    }
    return Arrival(source_id, values)


def digest(collection: str, values: Mapping[str, Any], picture: bytes = b"") -> str:
    """Give the digest of what a record says, and after a hyphen that of its picture."""
    said = blake2b(orjson.dumps([values.get(name) for name in DIGESTED[collection]]), digest_size=12)
    return said.hexdigest() + (f"-{picture_digest(picture)}" if picture else "")


def _kept(record: Mapping[str, Any]) -> dict[str, Any]:
    """Give the times and the mark of a record."""
    created, updated = record.get("created_at"), record.get("updated_at")
    created_at = timestamp(created) if created is not None else now()
    return {
        "favorite": int(bool(record.get("favorite"))),
        "created_at": created_at,
        "updated_at": timestamp(updated) if updated is not None else created_at,
    }
