"""Arguments checked before anything is sent: types, allowed values, the nearest match."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from inkframe.errors import InvalidArgument
from inkframe.schema import PAGE_SIZES
from inkframe.vocabulary.choices import refuse

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from inkframe.schema import FieldSpec, ResourceSpec
    from inkframe.vocabulary import Vocabulary

__all__ = [
    "NOT_GIVEN",
    "NotGiven",
    "check_boolean",
    "check_choice",
    "check_create",
    "check_id",
    "check_integer",
    "check_text",
    "check_update",
    "short",
]


class NotGiven:
    """The type of an argument that was left out, where None would be a value."""

    def __repr__(self) -> str:
        return "NOT_GIVEN"

    def __bool__(self) -> bool:
        return False


NOT_GIVEN: Final = NotGiven()


def check_text(name: str, value: object, *, empty: bool = False) -> str:
    """Give a text that may be sent.

    Args:
        name: The argument.
        value: Its value.
        empty: Whether an empty text will do.

    Raises:
        InvalidArgument: It is no text, or empty.
    """
    if not isinstance(value, str):
        raise InvalidArgument(f"{name}={short(value)} is no text.\nGive a str.")
    if not empty and not value.strip():
        raise InvalidArgument(f'{name} is empty.\nGive a text: {name}="…".')
    return str(value)


def check_boolean(name: str, value: object) -> bool:
    """Give True or False, also from numpy.

    Raises:
        InvalidArgument: It is neither.
    """
    if isinstance(value, bool) or type(value).__name__ in {"bool_", "bool"}:
        return bool(value)
    raise InvalidArgument(f"{name}={short(value)} is neither True nor False.\nGive one of the two.")


def check_update(field: FieldSpec, value: object) -> str | bool:
    """Return a value that an update may send for a field.

    Raises:
        InvalidArgument: It is of the wrong type, or empty where it must not be.
    """
    if field.type == "boolean":
        return check_boolean(field.name, value)
    return check_text(field.name, value, empty=field.blank)


def check_create(spec: ResourceSpec, vocabulary: Vocabulary, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a create sends.

    Args:
        spec: The collection.
        vocabulary: The allowed values.
        fields: What was given; an optional field may be None.

    Raises:
        InvalidArgument: A value is missing or not allowed.
    """
    sent: dict[str, Any] = {}
    for name, field in spec.creates.items():
        value = fields.get(name, field.default)
        if value is not None or field.create == "required":
            sent[name] = _checked(field, value, vocabulary)
    return sent


def _checked(field: FieldSpec, value: Any, vocabulary: Vocabulary) -> str | bool | int:
    match field.type:
        case "choice":
            return vocabulary.code(field.name, value)
        case "number":
            return vocabulary.creativity(value)
        case "integer":
            return check_integer(field.name, value, least=0)
        case _:
            return check_update(field, value)


def check_choice(name: str, value: object, allowed: Iterable[str]) -> str:
    """Give a value that is one of a few.

    Raises:
        InvalidArgument: It is none of them; names them, and the nearest.
    """
    choices = tuple(allowed)
    if isinstance(value, str) and value in choices:
        return value
    raise refuse(name, value, choices)


def check_integer(name: str, value: object, *, least: int = 1) -> int:
    """Give a whole number.

    Raises:
        InvalidArgument: It is none, or too small.
    """
    number = _whole(value)
    if number is None or number < least:
        raise InvalidArgument(f"{name}={short(value)} will not do.\nGive a whole number from {least}.")
    return number


def check_page_size(value: object) -> int:
    """Give a page size of the interface.

    Raises:
        InvalidArgument: It is none; names them.
    """
    number = _whole(value)
    if number not in PAGE_SIZES:
        sizes = ", ".join(map(str, PAGE_SIZES))
        raise InvalidArgument(f"per_page={short(value)} is no page size of the service.\nAllowed: {sizes}.")
    return number


def check_id(value: object, record_type: type | None = None) -> int | str:
    """Give the id for an int, a numpy integer, a str, or a record.

    Args:
        value: What was given.
        record_type: What a record must be; one of the other collection has an id that means something else.

    Raises:
        InvalidArgument: It is none of these.
    """
    if record_type is not None and hasattr(value, "_origin") and not isinstance(value, record_type):
        kind, other = record_type.__name__.lower(), type(value).__name__.lower()
        raise InvalidArgument(
            f"{short(value)} is no {kind} but a {other}.\nIts id means something else here: use client.{other}s."
        )
    id = getattr(value, "id", value) if not isinstance(value, str) else value
    if isinstance(id, str) and id:
        return id
    number = _whole(id)
    if number is None:
        raise InvalidArgument(
            f"{short(value)} is no id.\nAn id is a number or a text, as in the index of a frame, or a record."
        )
    return number


def _whole(value: Any) -> int | None:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        return None
    try:
        return int(value.__index__())
    except TypeError:
        return None  # numpy's booleans and arrays have the method but no index


def short(value: object) -> str:
    """Give a value as messages show it."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…"
