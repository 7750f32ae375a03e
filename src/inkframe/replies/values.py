"""Single values of a record, parsed by type; unreadable values are None."""

from __future__ import annotations

import math
from collections.abc import Callable
from types import NoneType
from typing import TYPE_CHECKING, Any, Final

import orjson

from inkframe.replies.times import read_time, read_times

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inkframe.schema import FieldType

__all__ = [
    "READERS",
    "Reader",
    "nested_key",
    "read_boolean",
    "read_each",
    "read_id",
    "read_integer",
    "read_nested_text",
    "read_number",
    "read_text",
]

Reader = Callable[[Any], Any]

TRUE: Final = frozenset({"1", "true", "yes", "on", "t", "y"})
FALSE: Final = frozenset({"0", "false", "no", "off", "f", "n"})
#: The keys of the text in an object, as it was written first, as it is displayed last.
TEXT_KEYS: Final = ("raw", "plain", "text", "value", "content", "body", "markdown", "md", "html", "rendered")


def read_text(value: Any) -> str | None:
    """Parse a text; numbers and booleans become text, lists and objects become JSON."""
    if value is None or type(value) is str:
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    try:
        return orjson.dumps(value).decode()
    except (TypeError, ValueError):
        return str(value)


def nested_key(value: Any) -> str | None:
    """Return the key of the text in an object such as ``{"raw": …, "rendered": …}``; None if there is none."""
    if not isinstance(value, dict):
        return None
    return next((key for key in TEXT_KEYS if isinstance(value.get(key), str)), None)


def read_nested_text(value: Any) -> str | None:
    """Parse a text, or the text in an object with several forms of it."""
    key = nested_key(value)
    return read_text(value if key is None else value[key])


def read_boolean(value: Any) -> bool | None:
    """Parse ``true``, ``1`` or ``"1"`` and their opposites."""
    if isinstance(value, int | float):
        return bool(value) if value in {0, 1} else None
    if isinstance(value, str):
        text = value.strip().lower()
        return True if text in TRUE else False if text in FALSE else None
    return None


def read_number(value: Any) -> float | None:
    """Parse a number or the text of a number."""
    if isinstance(value, bool):
        return None
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def read_integer(value: Any) -> int | None:
    """Parse an integer within 64 bits, or the id of an object."""
    if type(value) is int and -(2**63) <= value < 2**63:
        return value
    if isinstance(value, dict):
        value = value.get("id")
    number = read_number(value)
    if number is None or not number.is_integer() or abs(number) >= 2**63:
        return None
    return int(number)


def read_id(value: Any) -> int | str | None:
    """Parse an id: an integer or a non-empty text."""
    if type(value) is int or (type(value) is str and value):
        return value
    if isinstance(value, dict) and len(value) == 1:
        # Extended JSON has {"$oid": "…"}.
        return read_id(next(iter(value.values())))
    return None


#: Checks whether a reader would return all values unchanged.
UNCHANGED: Final[dict[Any, Callable[[list[Any]], bool]]] = {
    read_text: lambda values: {str, NoneType}.issuperset(map(type, values)),
    read_nested_text: lambda values: {str, NoneType}.issuperset(map(type, values)),
    read_boolean: lambda values: {bool, NoneType}.issuperset(map(type, values)),
    read_number: lambda values: {float}.issuperset(map(type, values)) and all(map(math.isfinite, values)),
    read_integer: lambda values: {int}.issuperset(map(type, values)) and _fits(values),
}


def _fits(values: list[int]) -> bool:
    """Return whether integers are within 64 bits."""
    return not values or (min(values) >= -(2**63) and max(values) < 2**63)


def read_each(values: list[Any], read: Callable[[Any], Any]) -> list[Any]:
    """Parse many values, with a fast path for the usual format.

    Args:
        values: The values.
        read: The function that parses one value.
    """
    if read is read_time:
        return read_times(values)
    if read in UNCHANGED and UNCHANGED[read](values):
        return values
    return [None if value is None else read(value) for value in values]


#: The reader of each type of field.
READERS: Final[Mapping[FieldType, Reader]] = {
    "text": read_nested_text,
    "choice": read_text,
    "boolean": read_boolean,
    "number": read_number,
    "integer": read_integer,
    "time": read_time,
    "picture": read_text,
}
