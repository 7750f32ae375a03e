"""Checks of arguments before anything is sent."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Any, Final

from inkframe.errors import InvalidArgument
from inkframe.schema import PAGE_SIZES, SORT_FIELDS, SORTS, FieldSpec, ResourceSpec
from inkframe.versions import is_boolean
from inkframe.vocabulary.vocabulary import refuse, short

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from inkframe.vocabulary import Vocabulary

__all__ = [
    "NOT_GIVEN",
    "NotGiven",
    "canonical_text",
    "check_boolean",
    "check_choice",
    "check_create",
    "check_filters",
    "check_id",
    "check_integer",
    "check_query",
    "check_text",
    "check_update",
    "short",
    "trimmed",
]

HALF: Final = re.compile("[\ud800-\udfff]")
#: The apostrophe that our own CSV and Excel files have before a formula.
APOSTROPHE: Final = re.compile(r"\A'(?=[=+\-@])")
#: What files add, drop or change: control characters, the hours of a day and of whole days, what is between a day and a
#: time, zeros behind a second, and the zone of a time in UTC.
UNSAVED: Final = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f]|(?<=\d{4}-\d\d-\d\d)[T ]00:00:00(?:\.0+)?(?:Z|[+-]\d\d:?\d\d)?(?!\.?\d)"
    r"|(?<=\d days) 00:00:00(?!\.?\d)|(?<=\d{4}-\d\d-\d\d)[T ](?=\d\d:\d\d)"
    r"|(?<=\d[T ]\d\d:\d\d:\d\d)(?:(\.\d*[1-9])0*|\.0+)?(?:Z|\+00:?00)?(?!\d)"
)


class NotGiven:
    """The type of an omitted argument, if None would be a value."""

    def __repr__(self) -> str:
        return "NOT_GIVEN"

    def __bool__(self) -> bool:
        return False


NOT_GIVEN: Final = NotGiven()


def check_text(name: str, value: object, *, empty: bool = False) -> str:
    """Return a text after checking it.

    Args:
        name: The argument.
        value: Its value.
        empty: Whether an empty text is allowed.

    Raises:
        InvalidArgument: It is not a string, is empty, or contains half of a surrogate pair.
    """
    if not isinstance(value, str):
        raise InvalidArgument(f'{name} must be a string, got {short(value)}.\nPass a text: {name}="…".')
    if not empty and not value.strip():
        raise InvalidArgument(f'{name} is empty.\nPass a text: {name}="…".')
    if half := HALF.search(value):
        raise InvalidArgument(
            f"{name} contains {half[0]!a}, which cannot be sent.\nRemove it; it is half of a surrogate pair."
        )
    return str(value)


def check_boolean(name: str, value: object) -> bool:
    """Return a boolean of Python or numpy as a bool.

    Raises:
        InvalidArgument: It is neither True nor False.
    """
    if is_boolean(value):
        return bool(value)
    raise InvalidArgument(
        f"{name}={short(value)} is neither True nor False.\nPass {name}=True or {name}=False."
    )


def check_update(field: FieldSpec, value: object) -> str | int:
    """Return a value for an update of a field after checking it.

    Raises:
        InvalidArgument: It is of the wrong type, or empty where it must not be.
    """
    if field.type == "boolean":
        return check_boolean(field.name, value)
    if field.type == "integer":
        if isinstance(value, float) and value.is_integer():
            value = int(value)  # a missing value turns the integers of its column into floats
        return check_integer(field.name, value, least=None)
    return check_text(field.name, value, empty=field.blank)


def check_create(spec: ResourceSpec, vocabulary: Vocabulary, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a create after checking them.

    Args:
        spec: The collection.
        vocabulary: The allowed values.
        fields: The given values; an optional field may be None.

    Raises:
        InvalidArgument: A value is missing or not allowed.
    """
    sent: dict[str, Any] = {}
    for name, field in spec.creates.items():
        value = fields.get(name, field.default)
        if value is None and field.create != "required":
            continue
        match field.type:
            case "choice":
                sent[name] = vocabulary.code(name, value)
            case "number":
                sent[name] = vocabulary.creativity(value)
            case _:
                sent[name] = check_update(field, value)
    return sent


def check_choice(name: str, value: object, allowed: Iterable[str]) -> str:
    """Return a value after checking that it is allowed.

    Raises:
        InvalidArgument: It is not allowed; the message has the nearest and all allowed values.
    """
    choices = tuple(allowed)
    if isinstance(value, str) and value in choices:
        return value
    raise refuse(name, value, choices)


def check_integer(name: str, value: object, *, least: int | None = 1) -> int:
    """Return an integer after checking it.

    Raises:
        InvalidArgument: It is not an integer, or too small.
    """
    number = _whole(value)
    if number is None or (least is not None and number < least):
        rule = "an integer" if number is None else f"{least} or greater"
        bound = "" if least is None else f" of {least} or greater"
        raise InvalidArgument(
            f"{name} must be {rule}, got {short(value)}.\nReplace {name}={short(value)} with an integer{bound}."
        )
    return number


def check_page_size(value: object) -> int:
    """Return a page size after checking it.

    Raises:
        InvalidArgument: It is not a page size of the interface.
    """
    number = _whole(value)
    if number not in PAGE_SIZES:
        *others, last = map(str, PAGE_SIZES)
        sizes = ", ".join(others)
        raise InvalidArgument(
            f"per_page must be {sizes} or {last}, got {short(value)}.\n"
            f"Replace per_page={short(value)} with one of {sizes}, {last}."
        )
    return number


def check_id(value: object, record_type: type) -> int | str:
    """Return the id of an int, a numpy integer, a str, or a record.

    Args:
        value: The id or the record.
        record_type: The required type of a record, since the collections have separate ids.

    Raises:
        InvalidArgument: It is none of these.
    """
    if hasattr(value, "_origin") and not isinstance(value, record_type):
        kind, other = record_type.__name__.lower(), type(value).__name__.lower()
        raise InvalidArgument(
            f"The record must be of type {kind}, got {short(value)}.\n"
            f"Use client.{other}s; the collections have separate ids."
        )
    id = getattr(value, "id", value) if not isinstance(value, str) else value
    if type(id) is int or (isinstance(id, str) and id):
        return id
    number = _whole(id)
    if number is None:
        raise InvalidArgument(
            f"{short(value)} is not a valid id.\n"
            "There is no id like this: an id is an integer, a non-empty string, or a record."
        )
    return number


def _whole(value: Any) -> int | None:
    if type(value) is int:
        return value
    if is_boolean(value) or not hasattr(value, "__index__"):
        return None
    try:
        return int(value.__index__())
    except TypeError:
        return None  # arrays have the method, but only some of them an index


#: The check of each list parameter that every collection has.
CHECKS: Final[dict[str, Callable[[ResourceSpec, str, Any], Any]]] = {
    "search": lambda _, name, value: check_text(name, value),
    "search_by": lambda spec, name, value: check_choice(name, value, spec.search_by),
    "favorite": lambda _, name, value: check_boolean(name, value),
    "sort_by": lambda _, name, value: check_choice(name, value, SORT_FIELDS),
    "sort": lambda _, name, value: check_choice(name, value, SORTS),
    "per_page": lambda _, __, value: check_page_size(value),
}


def check_query(spec: ResourceSpec, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the list parameters that every collection has; None is not sent.

    Args:
        spec: The collection.
        given: The arguments of a call by name; filters of the collection are ignored.

    Raises:
        InvalidArgument: A value is not allowed.
    """
    return {
        name: check(spec, name, given[name]) for name, check in CHECKS.items() if given.get(name) is not None
    }


def check_filters(
    spec: ResourceSpec, vocabulary: Vocabulary, given: Mapping[str, Any]
) -> dict[str, tuple[Any, ...]]:
    """Return the values of each given filter.

    Args:
        spec: The collection.
        vocabulary: The allowed values.
        given: The arguments of a call by name.

    Raises:
        InvalidArgument: A value is not allowed, or two arguments for the same filter contradict each other.
    """
    found: dict[str, tuple[Any, ...]] = {}
    for name, arguments in spec.arguments.items():
        values = {
            argument: _filter_values(spec.columns[name], argument, given[argument], vocabulary)
            for argument in arguments
            if given.get(argument) is not None
        }
        if len(set(values.values())) > 1:
            said = " and ".join(f"{argument}={given[argument]!r}" for argument in values)
            raise InvalidArgument(f"{said} contradict each other.\nPass one of them.")
        if values:
            found[name] = next(iter(values.values()))
    return found


def _filter_values(field: FieldSpec, argument: str, given: Any, vocabulary: Vocabulary) -> tuple[Any, ...]:
    """Return the values of a filter, checked and without duplicates."""
    values = [given] if isinstance(given, str) or not hasattr(given, "__iter__") else [*given]
    name = argument.removesuffix("_id")
    if not values:
        raise InvalidArgument(f"{name} is an empty list.\nOmit it to list every {name}.")
    if field.type == "choice":
        return tuple(dict.fromkeys(vocabulary.code(field.name, value) for value in values))
    if not field.vocabulary:
        return tuple(dict.fromkeys(check_update(field, value) for value in values))
    return tuple(dict.fromkeys(vocabulary.template_number(value) for value in values))


def trimmed(text: str) -> str:
    """Return a text without the space around it, and without the apostrophe of our own files before a formula."""
    return APOSTROPHE.sub("", text.strip())


def canonical_text(text: str) -> str:
    """Return a text as it counts, however it was typed or saved: trimmed, with composed letters and one line end.

    Files write a day as its midnight, a T before a time, drop its zone in UTC, and write more or fewer digits of a second.
    """
    return trimmed(unicodedata.normalize("NFC", re.sub(r"\r\n?", "\n", UNSAVED.sub(r"\1", text))))
