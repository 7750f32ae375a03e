"""Hashes of the fields that a new record shows, by which later edits and other records are recognized."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inkframe.replies.record import Record
    from inkframe.schema import ResourceSpec

__all__ = ["edited_fields", "hashes", "is_another"]


def hashes(spec: ResourceSpec, record: Record) -> dict[str, str]:
    """Return short hashes of the fields that a record shows and that can be set, by name."""
    shown = {name: record.known.get(name) for name in spec.creates.keys() | spec.updates.keys()}
    return {name: _hash(value) for name, value in sorted(shown.items()) if value is not None}


def edited_fields(record: Record, before: Mapping[str, str]) -> list[str]:
    """Return the fields whose values differ from those of the new record.

    Args:
        record: The record as it is now.
        before: The hashes of its fields when it was new.
    """
    return [
        name
        for name, mark in before.items()
        if name in record.known and name not in record.absent and _hash(record.known[name]) != mark
    ]


def is_another(spec: ResourceSpec, record: Record, before: Mapping[str, str]) -> bool:
    """Return whether an id belongs to another record now, as on a service that started again with an empty library.

    Then both its name and the text that it was generated from differ, of which only the name can be edited.

    Args:
        spec: The collection.
        record: The record that has the id now.
        before: The hashes of the fields of the record that had the id when it was new.
    """
    return {"name", spec.source} <= set(edited_fields(record, before))


def _hash(value: Any) -> str:
    # Services change line endings and the whitespace around a text.
    plain = str(value).replace("\r\n", "\n").replace("\r", "\n").strip()
    return hashlib.sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()[:8]
