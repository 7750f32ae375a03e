"""A record's settings as text that travels within its file, and back."""

from __future__ import annotations

import json
from datetime import datetime
from math import isfinite
from typing import TYPE_CHECKING, Any

from inkframe.display.record_facts import value
from inkframe.schema import RESOURCES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inkframe.schema import ResourceSpec

__all__ = ["FIELDS", "read_value", "settings_of", "write_value"]

_LAST = ("favorite", "created_at", "updated_at")


def _own(spec: ResourceSpec) -> list[str]:
    """Return what only a record of one collection has, beside its picture or text; its source comes first."""
    left = {"name", spec.source, spec.file_field, *_LAST}
    rest = [name for name, field in spec.columns.items() if field.type != "picture" and name not in left]
    return [spec.source, *rest]


#: What is kept of a record, in this order. The address of a picture is not: it expires, and may hold a token.
FIELDS = ("id", "name", *(name for spec in RESOURCES.values() for name in _own(spec)), *_LAST)


def settings_of(record: Mapping[str, Any], service: str = "") -> dict[str, Any]:
    """Give a record's settings as plain JSON values, absent ones left out.

    Args:
        record: The record's columns by name.
        service: Where it comes from: a host, or ``local stand-in``.
    """
    found = {field: _json_value(content) for field in FIELDS if (content := value(record, field)) is not None}
    return found | ({"service": service} if service else {})


def write_value(content: Any) -> str:
    """Write a value on one line, as JSON that is YAML too."""
    text = json.dumps(content, ensure_ascii=False)
    # JSON leaves raw what YAML does not print, and what the eye does not see: those are spelled out.
    return "".join(c if c.isprintable() or c > "\uffff" else f"\\u{ord(c):04x}" for c in text)


def read_value(text: str) -> Any:
    """Read a value that ``write_value`` wrote; anything else is text as it stands."""
    try:
        return json.loads(text)
    except ValueError:
        return text.strip()


def _json_value(content: Any) -> Any:
    """Give numbers, texts and truths as Python has them, times in ISO form, all else as text."""
    content = content.item() if hasattr(content, "item") and not hasattr(content, "__len__") else content
    if isinstance(content, datetime):
        return content.isoformat()
    if isinstance(content, (bool, int)) or (isinstance(content, float) and isfinite(content)):
        return content
    return str(content).encode("utf-8", "replace").decode()  # a lone surrogate fits no file
