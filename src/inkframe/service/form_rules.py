"""Rules that read, validate and describe each parameter of a request, derived from the schema's fields."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from inkframe.service.error_responses import Invalid
from inkframe.spelling import nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from inkframe.schema import FieldSpec
    from inkframe.vocabulary import Vocabulary

__all__ = ["FormRule", "choice", "field_rule", "flag", "read_fields", "text", "whole"]

#: The largest integer that every JSON parser keeps exactly.
LARGEST = 2**53 - 1
DIGITS = re.compile("[0-9]{1,16}")
#: The JSON Schema type for each kind of value.
JSON_TYPES = {str: "string", int: "integer", float: "number"}


@dataclass(frozen=True, slots=True)
class FormRule:
    """One parameter of a request.

    Args:
        name: Its name in the interface.
        read: Parses the sent text into a value, or raises a ``ValueError`` with the message.
        schema: The rule as JSON Schema, for the description of the service.
        required: Whether a request without it is rejected.
        default: The value if nothing is sent; None adds nothing.
    """

    name: str
    read: Callable[[str], Any]
    schema: Mapping[str, Any]
    required: bool = False
    default: Any = None


def read_fields(rules: Iterable[FormRule], sent: Mapping[str, str | list[str]]) -> dict[str, Any]:
    """Read the sent fields; the last value of a repeated field counts, and unknown fields are ignored.

    Raises:
        Invalid: One or more values are invalid; the error has all messages.
    """
    values: dict[str, Any] = {}
    errors: dict[str, list[str]] = {}
    for rule in rules:
        value = sent.get(rule.name)
        if value is None:
            if rule.required:
                errors[rule.name] = [f"The {rule.name} is required."]
            elif rule.default is not None:
                values[rule.name] = rule.default
            continue
        try:
            values[rule.name] = rule.read(value if isinstance(value, str) else value[-1])
        except ValueError as error:
            errors[rule.name] = [str(error)]
    if errors:
        raise Invalid(errors)
    return values


def field_rule(field: FieldSpec, vocabulary: Vocabulary) -> FormRule:
    """Return the rule for the values of a field, not required and without a default."""
    if field.vocabulary:
        kind = {"integer": int, "number": float}.get(field.type, str)
        return choice(field.name, vocabulary.codes(field.name), kind)
    return RULES[field.type](field)


def text(name: str, *, longest: int | None = None, blank: bool = False) -> FormRule:
    """Return the rule for a text, stored as it was sent.

    Args:
        name: The parameter.
        longest: The most characters it may have; such a text is stripped.
        blank: Whether it may be empty.
    """

    def read(value: str) -> str:
        kept = value.strip() if longest else value
        if not blank and not kept.strip():
            raise ValueError(f"The {name} must not be empty.")
        if longest and len(kept) > longest:
            raise ValueError(f"The {name} must have at most {longest} characters, got {len(kept)}.")
        return kept

    schema: dict[str, Any] = {"type": "string"}
    if not blank:
        schema |= {"minLength": 1, "pattern": r"\S"}
    if longest:
        schema["maxLength"] = longest
    return FormRule(name, read, schema)


def choice(
    name: str, codes: Sequence[str], kind: type[str | int | float] = str, default: Any = None
) -> FormRule:
    """Return the rule for a value from a list.

    Args:
        name: The parameter.
        codes: The allowed values as sent; a ``float`` may be written in other ways.
        kind: Their type.
        default: The value if nothing is sent.
    """
    spelled: Callable[[str], Any] = float if kind is float else str
    known = {spelled(code): kind(code) for code in codes}

    def read(value: str) -> Any:
        try:
            return known[spelled(value)]
        except (KeyError, ValueError):
            raise _unknown(name, value, codes) from None

    return FormRule(name, read, {"type": JSON_TYPES[kind], "enum": [*known.values()]}, default=default)


def whole(name: str, *, minimum: int = 0, default: int | None = None) -> FormRule:
    """Return the rule for an integer with a minimum."""

    def read(value: str) -> int:
        if DIGITS.fullmatch(value) and minimum <= (number := int(value)) <= LARGEST:
            return number
        raise ValueError(f"The {name} must be an integer, {minimum} or greater, got {_short(value)}.")

    return FormRule(name, read, {"type": "integer", "minimum": minimum, "maximum": LARGEST}, default=default)


def flag(name: str) -> FormRule:
    """Return the rule for a boolean."""
    meanings = {"1": True, "0": False, "true": True, "false": False}

    def read(value: str) -> bool:
        if value not in meanings:
            raise _unknown(name, value, meanings)
        return meanings[value]

    return FormRule(name, read, {"type": "string", "enum": list(meanings)})


#: The rule for fields of each type without a list of values.
RULES: Mapping[str, Callable[[FieldSpec], FormRule]] = {
    "text": lambda field: text(field.name, longest=field.longest, blank=field.blank),
    "boolean": lambda field: flag(field.name),
}


def _unknown(name: str, value: str, allowed: Iterable[str]) -> ValueError:
    close = nearest(value, allowed)
    advice = f" Did you mean {close}?" if close else ""
    known = ", ".join(allowed)
    return ValueError(
        f"The {name} must be {f'one of {known}' if known else 'omitted'}, got {_short(value)}.{advice}"
    )


def _short(value: str) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else f"{shown[:57]}…"
