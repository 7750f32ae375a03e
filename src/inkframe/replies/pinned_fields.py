"""Fields of records under the keys that the user pinned."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inkframe.replies.dialect import Dialect

__all__ = ["with_pinned_fields"]

#: The result for a key that a record does not have.
MISSING: Final = object()


def with_pinned_fields(record: dict[str, Any], raw: dict[str, Any], dialect: Dialect) -> dict[str, Any]:
    """Return a record with its pinned fields at the top level, under the names of the interface.

    Another value under such a name is kept as ``service.name``.

    Args:
        record: The record with its fields at the top level.
        raw: The record as received, whose keys may be pinned as well.
        dialect: The response format.
    """
    found: dict[str, Any] = {}
    rest = record
    for name, path in dialect.paths.items():
        keys = [path] if path in record else path.split(".")
        value = _at(record, keys)
        if value is MISSING:
            value = _at(raw, keys)
        elif name != path:
            rest = _without(rest, keys)
        if value is not MISSING:
            found[name] = value
    if not found:
        return record
    return {f"service.{key}" if key in found else key: value for key, value in rest.items()} | found


def _at(record: Any, keys: Sequence[str]) -> Any:
    for key in keys:
        record = record.get(key, MISSING) if isinstance(record, dict) else MISSING
    return record


def _without(record: dict[str, Any], keys: Sequence[str]) -> dict[str, Any]:
    """Return a copy of a record without the value under a path, and without objects that it leaves empty."""
    head, *rest = keys
    inner = record.get(head)
    if rest and isinstance(inner, dict) and (left := _without(inner, rest)):
        return {**record, head: left}
    return {key: value for key, value in record.items() if key != head}
